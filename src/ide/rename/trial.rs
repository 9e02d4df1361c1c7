//! The models as a rename would leave them, made apart: every name has to mean there
//! what it means now.

use super::Refused;
use super::class::{Class, bonds_of};
use super::spelled::Spelling;
use crate::ide::diagnostics::absolute;
use crate::model::db::{Db, Decl, Host, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports::model_files;
use crate::model::names::{is_whole, names};
use crate::model::occurrences::occurrences;
use crate::model::refs::What;
use crate::model::resolve::resolved;
use crate::rules::finding::Place;
use crate::syntax::{Text, TextEdit, apply};
use std::collections::{BTreeMap, BTreeSet};

/// A place as it is told in both states: the file, and where it is after the rename.
type Spot = (FileKey, u32);

/// Refuses a rename after which some name means something else than before.
pub(super) fn judge(db: &dyn Db, class: &Class, spellings: &[Spelling], old: &str, new: &str) -> Result<(), Refused> {
    let trial = Trial::new(db, class, spellings);
    trial.reads_the_same(class, new)?;
    trial.means_the_same(class, spellings, old, new)?;
    trial.reaches_the_same(class, old, new)
}

struct Trial<'db> {
    db: &'db dyn Db,
    host: Host,
    edits: BTreeMap<FileKey, Vec<TextEdit>>,
}

impl<'db> Trial<'db> {
    fn new(db: &'db dyn Db, class: &Class, spellings: &[Spelling]) -> Self {
        let mut edits: BTreeMap<FileKey, Vec<TextEdit>> = BTreeMap::new();
        for spelling in spellings {
            edits.entry(spelling.file.key(db).clone()).or_default().push(spelling.edit.clone());
        }
        let mut host = Host::default();
        for file in class.roots.iter().flat_map(|root| model_files(db, *root)) {
            let key = file.key(db);
            if host.content(key).is_some() {
                continue;
            }
            let content = match (edits.get(key), file.content(db).parse()) {
                (Some(edits), Some(parse)) => FileContent::of_text(&Text::new(&apply(&parse.text, edits)), Some(parse)),
                _ => file.content(db).clone(),
            };
            host.set(key.clone(), content);
        }
        Self { db, host, edits }
    }

    /// The same file in the other state.
    fn after(&self, file: SourceFile) -> Option<SourceFile> {
        let known = Workspace::get(self.host.db()).files(self.host.db());
        known.get(file.key(self.db)).copied()
    }

    /// The declarations that are edited, each beside what becomes of it.
    fn edited(&self) -> Vec<(Decl, Option<Decl>)> {
        let known = Workspace::get(self.db).files(self.db);
        let files = self.edits.iter().filter_map(|(key, edits)| Some((*known.get(key)?, edits)));
        let mut all = Vec::new();
        for (file, edits) in files {
            let (decls, starts) = (file.decls(self.db), file.starts(self.db));
            let after = self.after(file).map(|after| after.decls(self.host.db()).as_slice()).unwrap_or_default();
            for (index, (decl, start)) in decls.iter().zip(starts).enumerate() {
                let end = *start as usize + decl.chunk(self.db).text.len();
                let inside = |edit: &TextEdit| (*start as usize..end).contains(&(edit.range.start as usize));
                if edits.iter().any(inside) {
                    all.push((*decl, after.get(index).copied().filter(|_| after.len() == decls.len())));
                }
            }
        }
        all
    }

    /// Whether the edited declarations are read as they are now: a name that is a
    /// keyword could be taken for one.
    fn reads_the_same(&self, class: &Class, new: &str) -> Result<(), Refused> {
        for (decl, after) in self.edited() {
            let unread = |place: Option<Spot>| {
                let place = place.or_else(|| self.first_edit(decl));
                let line = place.map(|(file, at)| line(self.db, &file, at)).unwrap_or_default();
                Refused::new(format!("`{new}` cannot be read as a name {line}."))
            };
            let after = after.ok_or_else(|| unread(None))?;
            for root in &class.roots {
                let Some(root_after) = self.after(*root) else { continue };
                let before: Vec<Option<Spot>> = occurrences(self.db, *root, decl)
                    .iter()
                    .map(|own| self.moved(Place { decl, range: own.range }))
                    .collect();
                let now: Vec<Option<Spot>> = occurrences(self.host.db(), root_after, after)
                    .iter()
                    .map(|own| spot(self.host.db(), Place { decl: after, range: own.range }))
                    .collect();
                if before != now {
                    let lost = before.iter().position(|place| !now.contains(place));
                    let lost = lost.and_then(|index| occurrences(self.db, *root, decl).get(index));
                    return Err(unread(lost.and_then(|own| spot(self.db, Place { decl, range: own.range }))));
                }
            }
            if is_whole(self.db, decl) != is_whole(self.host.db(), after) {
                return Err(unread(None));
            }
        }
        Ok(())
    }

    /// Whether all that bears one of the two names names the same, in every model.
    fn means_the_same(&self, class: &Class, spellings: &[Spelling], old: &str, new: &str) -> Result<(), Refused> {
        let wanted = |name: &str| name == old || name == new;
        let renamed: BTreeSet<Option<Spot>> =
            spellings.iter().map(|spelling| self.moved(class.members[spelling.member].place)).collect();
        let db = self.host.db();
        for root in &class.roots {
            let Some(root_after) = self.after(*root) else { continue };
            let namesakes = self.namesakes(*root, class);
            let (mut before, mut named) = (BTreeSet::new(), BTreeSet::new());
            for (from, to) in bonds_of(self.db, *root, &wanted) {
                named.insert(self.moved(from));
                if !namesakes.iter().any(|(decl, _)| *decl == from.decl) {
                    before.insert((self.moved(from), self.moved(to)));
                }
            }
            let mut after = BTreeSet::new();
            for (from, to) in bonds_of(db, root_after, &wanted) {
                let bond = (spot(db, from), spot(db, to));
                let is_new = !before.contains(&bond) && !namesakes.iter().any(|(_, after)| *after == Some(from.decl));
                // A name that meant nothing may find a meaning.
                if is_new && (named.contains(&bond.0) || renamed.contains(&bond.0)) {
                    return Err(self.another_meaning(&bond.0, new));
                }
                after.insert(bond);
            }
            if let Some(lost) = before.iter().find(|bond| !after.contains(*bond)) {
                return Err(self.another_meaning(&lost.0, new));
            }
        }
        Ok(())
    }

    /// Whether every step touches the items that it does now: a key value may spell the
    /// value of an enum where no name could be told.
    fn reaches_the_same(&self, class: &Class, old: &str, new: &str) -> Result<(), Refused> {
        let is_entity = class.things.iter().any(|thing| thing.declared.what == What::Entity);
        let called = |name: &String| if is_entity && name == old { new.to_owned() } else { name.clone() };
        for root in &class.roots {
            let Some(root_after) = self.after(*root) else { continue };
            for file in model_files(self.db, *root) {
                let Some(file_after) = self.after(*file) else { continue };
                for (decl, after) in file.decls(self.db).iter().zip(file_after.decls(self.host.db())) {
                    self.db.unwind_if_revision_cancelled();
                    let before = resolved(self.db, *root, *decl).steps.iter();
                    let before = before.map(|step| step.reached.iter().map(called).collect::<BTreeSet<_>>());
                    let now = resolved(self.host.db(), root_after, *after).steps.iter();
                    let now = now.map(|step| step.reached.iter().cloned().collect::<BTreeSet<_>>());
                    if !before.eq(now) {
                        let message =
                            format!("As `{new}`, it would have the pattern {} find other items.", self.line(*decl));
                        return Err(Refused::new(message));
                    }
                }
            }
        }
        Ok(())
    }

    /// The declarations that are renamed and only share their name with another, which
    /// is the one that counts: what they say of themselves was said of that one.
    fn namesakes(&self, root: SourceFile, class: &Class) -> Vec<(Decl, Option<Decl>)> {
        let all = names(self.db, root);
        let lists = [&all.entities, &all.tables].into_iter().flat_map(|named| named.values());
        let seconds: Vec<Decl> = lists.flat_map(|decls| decls.iter().skip(1)).copied().collect();
        let is_renamed = |decl: Decl| {
            let is_it = |what| matches!(what, What::Entity | What::Table);
            class.things.iter().any(|thing| thing.declared.decl == decl && is_it(thing.declared.what))
        };
        self.edited().into_iter().filter(|(decl, _)| seconds.contains(decl) && is_renamed(*decl)).collect()
    }

    /// Where a place will be.
    fn moved(&self, place: Place) -> Option<Spot> {
        let (file, start) = spot(self.db, place)?;
        let start = self.shifted(&file, start);
        Some((file, start))
    }

    fn shifted(&self, file: &FileKey, at: u32) -> u32 {
        let edits = self.edits.get(file).into_iter().flatten();
        let before = edits.take_while(|edit| edit.range.start < at);
        let by: i64 = before.map(|edit| edit.text.len() as i64 - edit.range.len() as i64).sum();
        (i64::from(at) + by).max(0) as u32
    }

    fn another_meaning(&self, spot: &Option<Spot>, new: &str) -> Refused {
        let place = spot.as_ref().map(|(file, at)| line(self.host.db(), file, *at)).unwrap_or_default();
        Refused::new(format!("As `{new}`, the name {place} would mean something else than now."))
    }

    fn line(&self, decl: Decl) -> String {
        let start = spot(self.db, Place { decl, range: Default::default() });
        start.map(|(file, at)| line(self.db, &file, at)).unwrap_or_default()
    }

    /// The first place of a declaration that is edited.
    fn first_edit(&self, decl: Decl) -> Option<Spot> {
        let (file, start) = spot(self.db, Place { decl, range: Default::default() })?;
        let at = self.edits.get(&file)?.iter().map(|edit| edit.range.start).find(|at| *at >= start)?;
        Some((file, at))
    }
}

fn spot(db: &dyn Db, place: Place) -> Option<Spot> {
    let (file, range) = absolute(db, place)?;
    Some((file.key(db).clone(), range.start))
}

/// A place for a message: `in line 12 of shop.dynamo`.
fn line(db: &dyn Db, file: &FileKey, at: u32) -> String {
    let known = Workspace::get(db).files(db).get(file);
    let text = known.and_then(|known| known.content(db).parse()).map_or("", |parse| &parse.text);
    let before = text.get(..at as usize).unwrap_or(text);
    format!("in line {} of {}", before.matches('\n').count() + 1, file.file_name())
}
