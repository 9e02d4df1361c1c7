//! What stands at a place of a file.

use super::Location;
use super::diagnostics::absolute;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileKey;
use crate::model::imports::{imports, models_of};
use crate::model::layout::keys_of;
use crate::model::lower::lowered;
use crate::model::occurrences::{Form, Occurrence, occurrences};
use crate::model::refs::{Declared, What};
use crate::rules::finding::Place;
use crate::syntax::TextRange;
use std::collections::HashSet;

/// A declaration and a place in it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub decl: Decl,
    /// Relative to the declaration.
    pub offset: usize,
    /// Where the declaration starts in its file.
    pub start: u32,
}

/// The declaration that holds `offset` or ends there.
pub(super) fn spot(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Spot> {
    let starts = file.starts(db);
    let index = starts.partition_point(|start| *start as usize <= offset).checked_sub(1)?;
    let decl = *file.decls(db).get(index)?;
    let start = starts[index];
    let relative = offset - start as usize;
    (relative <= decl.chunk(db).text.len()).then_some(Spot { decl, offset: relative, start })
}

/// The model through which a file is seen: its first by path.
pub(super) fn model(db: &dyn Db, file: SourceFile) -> SourceFile {
    models_of(db, file).first().copied().unwrap_or(file)
}

/// The models through which a file is seen, by path: a file that is not there is
/// one of its own.
pub(super) fn models(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let models = models_of(db, file);
    if models.is_empty() { vec![file] } else { models.clone() }
}

/// The name at a place as one model understands it.
pub(super) struct Reading<'db> {
    pub root: SourceFile,
    pub spot: Spot,
    pub occurrence: &'db Occurrence,
}

/// The name at a place of a file as each model of that file understands it.
pub(super) fn readings(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Reading<'_>> {
    let Some(spot) = spot(db, file, offset) else { return Vec::new() };
    let reading = |root| Some(Reading { root, spot, occurrence: occurrence_at(db, root, spot)? });
    models(db, file).into_iter().filter_map(reading).collect()
}

/// What the name at a place names in the models of its file, each once, the best
/// of each model first.
pub(super) fn meanings(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Declared> {
    let mut seen = HashSet::new();
    let readings = readings(db, file, offset);
    let all = readings.iter().flat_map(|reading| &reading.occurrence.declared).copied();
    all.filter(|declared| seen.insert(*declared)).collect()
}

/// The import at a place of a file: its path where it stands, and the file that it
/// means, which need not be known.
pub(super) fn import_at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<(TextRange, Option<FileKey>)> {
    let spot = spot(db, file, offset)?;
    let import = imports(db, file).iter().find(|import| import.decl == spot.decl)?;
    let path = import.path.as_ref().filter(|path| path.range.touches(spot.offset))?;
    Some((path.range.shifted(spot.start), import.key.clone()))
}

/// A name at a place, and what it names.
pub(super) struct NameAt {
    /// The name, in bytes of the file.
    pub range: TextRange,
    /// What it names, the best first.
    pub declared: Vec<Declared>,
    pub text: String,
    /// The name of a rule in an `allow`.
    pub rule: bool,
}

/// The name at a spot: a reference, or a declaration's own name.
pub(super) fn name_at(db: &dyn Db, root: SourceFile, spot: Spot) -> Option<NameAt> {
    let occurrence = occurrence_at(db, root, spot)?;
    Some(NameAt {
        range: occurrence.range.shifted(spot.start),
        declared: occurrence.declared.clone(),
        text: occurrence.text.clone(),
        rule: occurrence.form == Form::Rule,
    })
}

/// The same with all that is known of it, its ranges relative to the declaration.
/// Where two names meet at the spot, it is the one that begins there.
pub(super) fn occurrence_at(db: &dyn Db, root: SourceFile, spot: Spot) -> Option<&Occurrence> {
    let all = occurrences(db, root, spot.decl);
    let next = all.partition_point(|occurrence| occurrence.range.start as usize <= spot.offset);
    all.get(next.checked_sub(1)?).filter(|occurrence| occurrence.range.touches(spot.offset))
}

/// Where a declared name stands: its file, the range of what it names, and its own.
pub(super) fn location(db: &dyn Db, declared: Declared) -> Option<Location> {
    stretch(db, declared.decl, whole(db, declared), declared.range)
}

/// Where a part of a declaration stands, and the name in it.
pub(super) fn stretch(db: &dyn Db, decl: Decl, whole: TextRange, name: TextRange) -> Option<Location> {
    let (file, selection) = absolute(db, Place { decl, range: name })?;
    let (_, range) = absolute(db, Place { decl, range: whole })?;
    Some(Location { file: file.key(db).clone(), range, selection })
}

/// Places by file and place, each once.
pub(super) fn in_order(mut places: Vec<Location>) -> Vec<Location> {
    places.sort_by(|a, b| {
        let key = |place: &Location| (place.selection, place.range);
        a.file.cmp(&b.file).then_with(|| key(a).cmp(&key(b)))
    });
    places.dedup();
    places
}

/// The extent of what a name declares.
fn whole(db: &dyn Db, declared: Declared) -> TextRange {
    let own = lowered(db, declared.decl);
    match (&own.def, declared.what) {
        (Def::Entity(entity), What::Attribute) => {
            let attribute = entity.attributes.iter().find(|a| a.name.range == declared.range);
            attribute.map_or(declared.range, |a| a.range)
        }
        (Def::Table(table), What::Index) => {
            let named = |index: &&IndexDef| index.name.as_ref().is_some_and(|name| name.range == declared.range);
            table.indexes.iter().find(named).map_or(declared.range, |index| index.range)
        }
        (_, What::Entity | What::Table | What::Pattern | What::Workflow | What::Application) => {
            let text = &declared.decl.chunk(db).text;
            TextRange::new(crate::model::lower::keyword_start(text), text.len())
        }
        (Def::Table(table), What::EmbeddedList) => {
            let mut embeds = table.items.iter().flat_map(|item| &item.embeds);
            let named = |embed: &&EmbedDef| embed.list.as_ref().is_some_and(|name| name.range == declared.range);
            embeds.find(named).map_or(declared.range, |embed| embed.range)
        }
        (Def::Table(table), What::Key) => {
            let mut parts = keys_of(table).flat_map(|key| &key.parts);
            parts.find(|part| part.name.range == declared.range).map_or(declared.range, |part| part.range)
        }
        _ => declared.range,
    }
}
