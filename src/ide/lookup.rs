//! What stands at a place of a file.

use super::diagnostics::absolute;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::imports::models_of;
use crate::model::layout::keys_of;
use crate::model::lower::lowered;
use crate::model::refs::{Declared, Resolution, What, resolve};
use crate::rules::finding::Place;
use crate::syntax::TextRange;

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
    let own = lowered(db, spot.decl);
    if let Some(reference) = own.facts.references.iter().find(|r| r.name.range.touches(spot.offset)) {
        let declared = match resolve(db, root, reference) {
            Resolution::Found(found) => found,
            _ => Vec::new(),
        };
        return Some(NameAt {
            range: reference.name.range.shifted(spot.start),
            declared,
            text: reference.name.text.clone(),
            rule: reference.target == Target::Rule,
        });
    }
    let (name, what) = declarations(own).into_iter().find(|(name, _)| name.range.touches(spot.offset))?;
    Some(NameAt {
        range: name.range.shifted(spot.start),
        declared: vec![Declared { decl: spot.decl, range: name.range, what }],
        text: name.text.clone(),
        rule: false,
    })
}

/// The names that a declaration declares.
pub(super) fn declarations(own: &Lowered) -> Vec<(&Name, What)> {
    let mut names = Vec::new();
    let what = match &own.def {
        Def::Entity(_) => Some(What::Entity),
        Def::Table(_) => Some(What::Table),
        Def::Pattern(_) => Some(What::Pattern),
        _ => None,
    };
    names.extend(own.name.as_ref().zip(what));
    match &own.def {
        Def::Entity(entity) => names.extend(entity.attributes.iter().map(|a| (&a.name, What::Attribute))),
        Def::Table(table) => {
            names.extend(table.indexes.iter().filter_map(|index| index.name.as_ref()).map(|name| (name, What::Index)));
            names.extend(keys_of(table).flat_map(|key| &key.parts).map(|part| (&part.name, What::Key)));
            let lists = table.items.iter().flat_map(|item| &item.embeds).filter_map(|embed| embed.list.as_ref());
            names.extend(lists.map(|name| (name, What::EmbeddedList)));
        }
        _ => {}
    }
    names
}

/// Where a declared name stands: its file, the range of what it names, and its own.
pub(super) fn location(db: &dyn Db, declared: Declared) -> Option<super::Location> {
    let (file, selection) = absolute(db, Place { decl: declared.decl, range: declared.range })?;
    let whole = whole(db, declared);
    let (_, range) = absolute(db, Place { decl: declared.decl, range: whole })?;
    Some(super::Location { file: file.key(db).clone(), range, selection })
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
        (_, What::Entity | What::Table | What::Pattern) => {
            let text = &declared.decl.chunk(db).text;
            TextRange::new(crate::model::lower::keyword_start(text), text.len())
        }
        _ => declared.range,
    }
}
