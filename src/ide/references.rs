//! Everything that names the same thing as a place does.

use super::diagnostics::absolute;
use super::lookup::{import_at, meanings, models};
use super::{Analysis, Answer};
use crate::model::db::{Db, Decl, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::model::imports::{imports, model_decls};
use crate::model::layout::keys_of;
use crate::model::names::table_def;
use crate::model::occurrences::{Access, Occurrence, occurrences};
use crate::model::refs::{Declared, What};
use crate::rules::finding::Place;
use crate::syntax::TextRange;
use std::collections::{BTreeSet, HashSet};

/// A name where it stands for something that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub file: FileKey,
    /// The name, in bytes of the file.
    pub range: TextRange,
    /// What happens to it there.
    pub access: Access,
    /// Whether it is declared there.
    pub declares: bool,
}

impl Analysis {
    /// Every place that names what the place names, over all files of all models
    /// that hold it, by file and place. Of an import, every import of that file.
    pub fn references(&self, file: &FileKey, offset: usize) -> Answer<Vec<Naming>> {
        self.ask(file, |db, file| match import_at(db, file, offset) {
            Some((_, Some(target))) => imports_of(db, &target),
            Some((_, None)) => Vec::new(),
            None => namings(db, file, offset, None),
        })
    }
}

/// The places that name what a place of a file names; in one file `only`, where one
/// is given.
pub(super) fn namings(db: &dyn Db, file: SourceFile, offset: usize, only: Option<SourceFile>) -> Vec<Naming> {
    let wanted = Wanted::new(db, meanings(db, file, offset));
    let mut found: Vec<Naming> = Vec::new();
    for root in models_holding(db, &wanted) {
        for decl in model_decls(db, root) {
            let is_asked = only.is_none_or(|only| decl.file(db) == only);
            if is_asked && wanted.may_stand_in(&decl.chunk(db).text) {
                let occurrences = occurrences(db, root, *decl).iter().filter(|one| wanted.is_named_by(one));
                found.extend(occurrences.filter_map(|one| wanted.naming(db, *decl, one)));
            }
        }
    }
    in_order(found)
}

/// What is looked for.
#[derive(Default)]
struct Wanted {
    declared: HashSet<Declared>,
    /// The names that it is declared by: one, as a rule.
    names: BTreeSet<String>,
}

impl Wanted {
    /// Keys of one name in a table and its indexes are one attribute of its items: who
    /// asks for one asks for all.
    fn new(db: &dyn Db, declared: Vec<Declared>) -> Self {
        let mut wanted = Self::default();
        for declared in declared {
            let name = name_of(db, declared);
            wanted.declared.insert(declared);
            if let Some(table) = table_def(db, declared.decl).filter(|_| declared.what == What::Key) {
                let parts = keys_of(table).flat_map(|key| &key.parts).map(|part| &part.name);
                let set = table.items.iter().flat_map(|item| &item.values).map(|value| &value.key);
                let same = parts.chain(set).filter(|other| other.text == name);
                wanted.declared.extend(same.map(|other| Declared { range: other.range, ..declared }));
            }
            wanted.names.insert(name);
        }
        wanted
    }

    /// Whether a text has the letters: one that has not need not be understood.
    fn may_stand_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| text.contains(name.as_str()))
    }

    fn is_named_by(&self, occurrence: &Occurrence) -> bool {
        self.names.contains(&occurrence.text)
            && occurrence.declared.iter().any(|declared| self.declared.contains(declared))
    }

    fn naming(&self, db: &dyn Db, decl: Decl, occurrence: &Occurrence) -> Option<Naming> {
        let (file, range) = absolute(db, Place { decl, range: occurrence.range })?;
        let is_here = |declared: &&Declared| declared.decl == decl && declared.range == occurrence.range;
        let here = occurrence.declared.iter().filter(is_here).any(|declared| self.declared.contains(declared));
        let declares = occurrence.declares && here;
        Some(Naming { file: file.key(db).clone(), range, access: occurrence.access, declares })
    }
}

/// The name that is declared at a place, without backticks.
fn name_of(db: &dyn Db, declared: Declared) -> String {
    let range = declared.range;
    let text = declared.decl.chunk(db).text.get(range.start as usize..range.end as usize).unwrap_or_default();
    text.trim_matches('`').to_owned()
}

/// The models that hold one of these, by path: more than those of the file that was
/// asked in, where that is one of several that import a declaration.
fn models_holding(db: &dyn Db, wanted: &Wanted) -> Vec<SourceFile> {
    let files: HashSet<SourceFile> = wanted.declared.iter().map(|declared| declared.decl.file(db)).collect();
    let roots: HashSet<SourceFile> = files.into_iter().flat_map(|file| models(db, file)).collect();
    let mut roots: Vec<SourceFile> = roots.into_iter().collect();
    roots.sort_by_key(|root| root.key(db));
    roots
}

/// By file and place, each once. What one model knows of a place counts.
fn in_order(mut found: Vec<Naming>) -> Vec<Naming> {
    found.sort_by(|a, b| a.file.cmp(&b.file).then_with(|| (a.range, !a.declares).cmp(&(b.range, !b.declares))));
    found.dedup_by(|next, one| next.file == one.file && next.range == one.range);
    found
}

/// Every import of a file, in any file that is known.
fn imports_of(db: &dyn Db, target: &FileKey) -> Vec<Naming> {
    let mut found = Vec::new();
    for (key, file) in Workspace::get(db).files(db).iter() {
        for import in imports(db, *file).iter().filter(|import| import.key.as_ref() == Some(target)) {
            let path =
                import.path.as_ref().and_then(|path| absolute(db, Place { decl: import.decl, range: path.range }));
            let Some((_, range)) = path else { continue };
            found.push(Naming { file: key.clone(), range, access: Access::Mention, declares: false });
        }
    }
    in_order(found)
}
