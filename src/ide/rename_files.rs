//! What a file that is renamed or moved changes: the imports of it and its own.

use super::diagnostics::absolute;
use super::{Analysis, Answer, Cancelled, SourceChange};
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports::{Import, imports};
use crate::rules::finding::Place;
use crate::syntax::TextEdit;
use crate::syntax::strings::quote_string;

impl Analysis {
    /// The edits of imports, in the files as they are called now, that files and
    /// folders need which are about to get other names: each with its old key and
    /// its new one.
    pub fn rename_files(&self, renamed: &[(FileKey, FileKey)]) -> Answer<SourceChange> {
        let answer = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| rename_files(&self.db, renamed)));
        answer.map_err(|_| Cancelled)
    }
}

fn rename_files(db: &dyn Db, renamed: &[(FileKey, FileKey)]) -> SourceChange {
    let mut change = SourceChange::default();
    for (key, file) in Workspace::get(db).files(db).iter() {
        let own = imports(db, *file).iter().filter_map(|import| edit(db, *file, import, renamed));
        let mut edits: Vec<TextEdit> = own.collect();
        if !edits.is_empty() {
            edits.sort_by_key(|edit| edit.range);
            change.edits.push((key.clone(), edits));
        }
    }
    change
}

/// The edit of an import that would mean another file, or none, once the files have
/// their new names.
fn edit(db: &dyn Db, file: SourceFile, import: &Import, renamed: &[(FileKey, FileKey)]) -> Option<TextEdit> {
    let (path, target) = (import.path.as_ref()?, import.key.as_ref()?);
    let here = becomes(file.key(db), renamed);
    let there = becomes(target, renamed);
    if here == *file.key(db) && there == *target || here.join(&path.value).as_ref() == Some(&there) {
        return None;
    }
    // An import of nothing may find its file where it moves to.
    if there == *target && !is_there(db, target) {
        return None;
    }
    let place = Place { decl: import.decl, range: path.range };
    let (_, range) = absolute(db, place)?;
    Some(TextEdit { range, text: quote_string(&written(&path.value, &here, &there)?) })
}

fn is_there(db: &dyn Db, key: &FileKey) -> bool {
    let known = Workspace::get(db).files(db).get(key);
    known.is_some_and(|file| !matches!(file.content(db), FileContent::Absent(_)))
}

/// The key that a file will have: it, or the nearest folder above it, is renamed.
fn becomes(key: &FileKey, renamed: &[(FileKey, FileKey)]) -> FileKey {
    let mut best: Option<(usize, FileKey)> = None;
    for (old, new) in renamed {
        let (old, new) = (old.as_str().trim_end_matches('/'), new.as_str().trim_end_matches('/'));
        let Some(rest) = key.as_str().strip_prefix(old).filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
            continue;
        };
        if best.as_ref().is_none_or(|(length, _)| *length < old.len()) {
            best = Some((old.len(), FileKey::new(&format!("{new}{rest}"))));
        }
    }
    best.map_or_else(|| key.clone(), |(_, key)| key)
}

/// The path of a file as another imports it, written in the manner of the path that
/// stood there; `None` where no path leads from one to the other.
fn written(before: &str, from: &FileKey, to: &FileKey) -> Option<String> {
    if !to.is_path() || !from.is_path() {
        return None;
    }
    if FileKey::new(&before.replace('\\', "/")).is_path() {
        return Some(to.as_str().to_owned());
    }
    let mut folder = from.folder().split('/').filter(|part| !part.is_empty()).peekable();
    let mut target = to.as_str().split('/').filter(|part| !part.is_empty()).peekable();
    // From one drive to another leads nothing but the whole path.
    if folder.peek().is_some_and(|first| first.ends_with(':')) && folder.peek() != target.peek() {
        return Some(to.as_str().to_owned());
    }
    while folder.peek().is_some() && folder.peek() == target.peek() {
        folder.next();
        target.next();
    }
    let up = folder.map(|_| "..");
    let path = up.chain(target).collect::<Vec<_>>().join("/");
    if path.is_empty() {
        return None;
    }
    let is_dotted = before.starts_with("./") || before.starts_with(".\\");
    Some(if is_dotted && !path.starts_with("../") { format!("./{path}") } else { path })
}
