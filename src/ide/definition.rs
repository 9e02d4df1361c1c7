//! Where a name is declared.

use super::lookup::{import_at, in_order, location, meanings, readings};
use super::{Analysis, Answer, Location};
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::model::refs::{Declared, What};
use crate::syntax::TextRange;

impl Analysis {
    /// Where the name at the place is declared, the best first: of a name in a key
    /// condition its key, then the attributes that fill it. Of an import, the file.
    pub fn definition(&self, file: &FileKey, offset: usize) -> Answer<Vec<Location>> {
        self.ask(file, |db, file| definition(db, file, offset))
    }

    /// Where the name at the place is made what it is to DynamoDB: of an attribute
    /// that is a key, the key; of every other name, where it is declared.
    pub fn declaration(&self, file: &FileKey, offset: usize) -> Answer<Vec<Location>> {
        self.ask(file, |db, file| declaration(db, file, offset))
    }

    /// The name, or the path of an import, that a question about the place is
    /// about.
    pub fn name_range(&self, file: &FileKey, offset: usize) -> Answer<Option<TextRange>> {
        self.ask(file, |db, file| name_range(db, file, offset))
    }
}

fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Location> {
    if let Some((_, key)) = import_at(db, file, offset) {
        return imported(db, key);
    }
    let mut locations: Vec<Location> = Vec::new();
    for place in meanings(db, file, offset).into_iter().filter_map(|declared| location(db, declared)) {
        if !locations.contains(&place) {
            locations.push(place);
        }
    }
    // A key that shares the name of an attribute is one thing with it; asked on
    // the one, the other comes first.
    let Some(name) = name_range(db, file, offset) else { return locations };
    let own = |place: &Location| place.file == *file.key(db) && place.selection == name;
    if locations.iter().any(|place| !own(place)) {
        locations.retain(|place| !own(place));
    }
    locations
}

fn declaration(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Location> {
    if let Some((_, key)) = import_at(db, file, offset) {
        return imported(db, key);
    }
    let all = meanings(db, file, offset);
    let is_key = |declared: &&Declared| declared.what == What::Key;
    let keys: Vec<&Declared> = all.iter().filter(is_key).collect();
    let wanted = if keys.is_empty() { all.iter().collect() } else { keys };
    in_order(wanted.into_iter().filter_map(|declared| location(db, *declared)).collect())
}

/// The start of an imported file, where that can be read.
fn imported(db: &dyn Db, key: Option<FileKey>) -> Vec<Location> {
    let known = Workspace::get(db).files(db);
    let readable = key.filter(|key| known.get(key).is_some_and(|file| file.content(db).parse().is_some()));
    let start = |file| Location { file, range: TextRange::default(), selection: TextRange::default() };
    readable.map(start).into_iter().collect()
}

pub(super) fn name_range(db: &dyn Db, file: SourceFile, offset: usize) -> Option<TextRange> {
    if let Some((path, _)) = import_at(db, file, offset) {
        return Some(path);
    }
    let reading = readings(db, file, offset).into_iter().next()?;
    Some(reading.occurrence.range.shifted(reading.spot.start))
}
