//! Renaming: every place of a name, in all files of its models.
//!
//! `class.rs` says what is one name, `legal.rs` and `clash.rs` whether it may be
//! another, `spelled.rs` how it is written at each place, and `trial.rs` makes the
//! change apart and sees whether the models mean the same; `unread.rs` finds where the
//! name stands in text that nobody can read.

mod clash;
mod class;
mod describe;
mod legal;
mod spelled;
mod trial;
mod unread;

use super::lookup::{Spot, occurrence_at, spot};
use super::{Analysis, Answer, SourceChange};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::model::imports::{decl_kind, models_of};
use crate::model::occurrences::{Form, Occurrence};
use crate::model::refs::What;
use crate::rules::finding::Place;
use crate::syntax::{ChunkKind, TextEdit, TextRange};
use class::{Class, Member, Thing};
use describe::described;
use spelled::{Quoting, Spelling, spellings};
use std::collections::{BTreeMap, BTreeSet};

/// A name that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// Where it stands, in bytes of the file, its backticks included.
    pub range: TextRange,
    /// The name, without backticks.
    pub name: String,
    /// The files that declare it, which a rename changes in any case.
    pub declared: BTreeSet<FileKey>,
}

/// What a rename changes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rename {
    /// What was asked for comes first, then what has to go with it. Empty where
    /// the name stays as it is.
    pub groups: Vec<RenameGroup>,
    /// Where the name stands in text that cannot be read: it stays there.
    pub unread: Vec<(FileKey, TextRange)>,
}

/// What a rename changes for one of the things that bear the name.
#[derive(Clone, Debug, PartialEq)]
pub struct RenameGroup {
    /// What is renamed, and to what.
    pub label: String,
    /// Why it is renamed as well; empty for what was asked for.
    pub reason: String,
    /// Sorted by file and place.
    pub edits: Vec<(FileKey, Vec<TextEdit>)>,
}

/// Why something is not renamed, in a sentence for whoever asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub message: String,
}

impl Refused {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl Rename {
    /// All of it as one change.
    pub fn change(&self) -> SourceChange {
        let mut files: BTreeMap<&FileKey, Vec<TextEdit>> = BTreeMap::new();
        for (file, edits) in self.groups.iter().flat_map(|group| &group.edits) {
            files.entry(file).or_default().extend(edits.iter().cloned());
        }
        let sorted = files.into_iter().map(|(file, mut edits)| {
            edits.sort_by_key(|edit| edit.range);
            (file.clone(), edits)
        });
        SourceChange { edits: sorted.collect(), ..SourceChange::default() }
    }
}

impl Analysis {
    /// The name at the place, or why nothing there can be renamed; nothing for a file
    /// that is not known.
    pub fn prepare_rename(&self, file: &FileKey, offset: usize) -> Answer<Option<Result<Renamable, Refused>>> {
        self.ask(file, |db, file| Some(renamable(db, file, offset).map(|named| named.renamable)))
    }

    /// What renaming the name at the place to `name` changes, or why it is not done;
    /// nothing for a file that is not known.
    pub fn rename(&self, file: &FileKey, offset: usize, name: &str) -> Answer<Option<Result<Rename, Refused>>> {
        self.ask(file, |db, file| Some(rename(db, file, offset, name)))
    }
}

/// A name under the cursor that names something.
struct Named<'db> {
    occurrence: &'db Occurrence,
    place: Place,
    renamable: Renamable,
}

fn renamable(db: &dyn Db, file: SourceFile, offset: usize) -> Result<Named<'_>, Refused> {
    let nothing = || Refused::new("There is no name here that could be renamed.");
    let spot = spot(db, file, offset).ok_or_else(nothing)?;
    if decl_kind(db, spot.decl) == ChunkKind::Import {
        return Err(Refused::new("An import follows its file: rename the file."));
    }
    // What means nothing in one model may mean something in another.
    let roots: Vec<SourceFile> = models_of(db, file).iter().copied().chain([file]).collect();
    let at = |spot: Spot| roots.iter().filter_map(|root| occurrence_at(db, *root, spot)).collect::<Vec<_>>();
    let mut found = at(spot);
    // Before its colon is at a parameter, too.
    if found.is_empty() && spot.decl.chunk(db).text.get(spot.offset..).is_some_and(|text| text.starts_with(':')) {
        found = at(Spot { offset: spot.offset + 1, ..spot });
        found.retain(|occurrence| matches!(occurrence.form, Form::Parameter | Form::HoleParameter));
    }
    let named = found.iter().find(|occurrence| !occurrence.declared.is_empty());
    let occurrence = *named.or(found.first()).ok_or_else(nothing)?;
    let name = &occurrence.text;
    if occurrence.form == Form::Rule {
        return Err(Refused::new(format!("`{name}` is a rule of Keywright: a model cannot rename it.")));
    }
    if occurrence.declared.is_empty() {
        return Err(Refused::new(format!("Nothing is declared under the name `{name}`.")));
    }
    let declared = found.iter().flat_map(|occurrence| &occurrence.declared);
    let declared = declared.map(|declared| declared.decl.file(db).key(db).clone()).collect();
    let renamable = Renamable { range: occurrence.range.shifted(spot.start), name: name.clone(), declared };
    Ok(Named { occurrence, place: Place { decl: spot.decl, range: occurrence.range }, renamable })
}

fn rename(db: &dyn Db, file: SourceFile, offset: usize, typed: &str) -> Result<Rename, Refused> {
    let named = renamable(db, file, offset)?;
    let old = &named.renamable.name;
    let class = class::class(db, named.place, old)
        .ok_or_else(|| Refused::new(format!("Nothing is declared under the name `{old}`.")))?;
    let new = legal::read(typed, &class)?;
    if new == *old {
        return Ok(Rename::default());
    }
    legal::judge(db, &class, &new)?;
    clash::judge(db, &class, &new)?;
    let mut refused = None;
    // A keyword may stand as a name nearly everywhere; where it may not, backticks
    // tell it.
    for quoting in [Quoting::AsNeeded, Quoting::Always] {
        let spellings = spellings(db, &class, old, &new, quoting);
        match trial::judge(db, &class, &spellings, old, &new) {
            Ok(()) => return Ok(grouped(db, &class, &named, spellings, &new)),
            Err(reason) => refused = refused.or(Some(reason)),
        }
    }
    Err(refused.unwrap_or_else(|| Refused::new(format!("`{old}` cannot be renamed."))))
}

/// The edits by what they rename, what was asked for first. A place that names several
/// things goes with that which it declares, then with a key, which no item is stored
/// without, then with what was asked for.
fn grouped(db: &dyn Db, class: &Class, named: &Named<'_>, spellings: Vec<Spelling>, new: &str) -> Rename {
    let asked = asked_for(class, named);
    let mut groups: BTreeMap<(bool, usize), BTreeMap<FileKey, Vec<TextEdit>>> = BTreeMap::new();
    for spelling in spellings {
        let thing = named_first(class, &class.members[spelling.member], asked);
        let files = groups.entry((thing != asked, thing)).or_default();
        files.entry(spelling.file.key(db).clone()).or_default().push(spelling.edit);
    }
    let old = &named.renamable.name;
    let groups = groups.into_iter().map(|((_, thing), files)| {
        let thing = &class.things[thing];
        let reason = if *thing == class.things[asked] { String::new() } else { reason(db, class, asked, old) };
        RenameGroup {
            label: format!("Rename {} to `{new}`", described(db, thing, old)),
            reason,
            edits: files.into_iter().collect(),
        }
    });
    Rename { groups: groups.collect(), unread: unread::unread(db, class, old) }
}

fn named_first(class: &Class, member: &Member, asked: usize) -> usize {
    let declared = |thing: usize| &class.things[thing].declared;
    let is_declared =
        |thing: &usize| declared(*thing).decl == member.place.decl && declared(*thing).range == member.place.range;
    let is_key = |thing: &usize| declared(*thing).what == What::Key;
    let asked_first = || member.things.get(&asked).into_iter().chain(&member.things).copied();
    let best = asked_first().find(is_declared).or_else(|| asked_first().find(is_key)).or_else(|| asked_first().next());
    best.unwrap_or(asked)
}

/// Which of the things the cursor stands on: the one that is declared there, else
/// the first that is named.
fn asked_for(class: &Class, named: &Named<'_>) -> usize {
    let declared = &named.occurrence.declared;
    let own = declared.iter().find(|own| own.decl == named.place.decl && own.range == named.place.range);
    let asked = own.or(declared.first());
    asked.and_then(|asked| class.things.iter().position(|thing| thing.is(asked))).unwrap_or(0)
}

fn reason(db: &dyn Db, class: &Class, asked: usize, name: &str) -> String {
    let asked: &Thing = &class.things[asked];
    format!(
        "It is one with {}: the model names both at once, or a table stores both as one.",
        described(db, asked, name)
    )
}
