//! Where a name is declared.

use super::Location;
use super::lookup::{location, model, name_at, spot};
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::defs::Def;
use crate::model::lower::lowered;
use crate::syntax::TextRange;

/// The declarations of the name at `offset`; of an import, the file.
pub(super) fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Location> {
    let Some(spot) = spot(db, file, offset) else { return Vec::new() };
    if let Def::Import(import) = &lowered(db, spot.decl).def {
        let path = import.path.as_ref().filter(|path| path.range.touches(spot.offset));
        let key = path.and_then(|path| file.key(db).join(&path.value));
        let known =
            key.filter(|key| Workspace::get(db).files(db).get(key).is_some_and(|f| f.content(db).parse().is_some()));
        return known
            .map(|file| Location { file, range: TextRange::default(), selection: TextRange::default() })
            .into_iter()
            .collect();
    }
    let Some(name) = name_at(db, model(db, file), spot) else { return Vec::new() };
    let mut locations: Vec<Location> = name.declared.iter().filter_map(|declared| location(db, *declared)).collect();
    // A key that shares the name of an attribute is one thing with it; asked on
    // the one, the other comes first.
    let own = |l: &Location| l.file == *file.key(db) && l.selection == name.range;
    if locations.iter().any(|l| !own(l)) {
        locations.retain(|l| !own(l));
    }
    locations.dedup();
    locations
}
