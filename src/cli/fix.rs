//! `keywright check --fix`: what can be mended is mended before it is reported.

use super::fault::Fault;
use super::load::{Loaded, plain, shown};
use super::write::replace;
use crate::ide::{Analysis, Fixed, apply};
use crate::model::files::{FileContent, FileKey};
use crate::rules::finding::Safety;
use crate::vfs::{is_below, key_of_path, path_of, read};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

/// How often everything is looked through. Fixes that meet at a place are made
/// one after the other, and one may show the next; more than this go nowhere.
const MOST_ROUNDS: usize = 100;

/// What was done.
#[derive(Default)]
pub(super) struct Done {
    /// What was fixed, file by file.
    pub fixed: BTreeMap<FileKey, Vec<Fixed>>,
    /// The files that were made.
    pub created: Vec<FileKey>,
    /// Why some could not be written.
    pub faults: Vec<Fault>,
}

/// Fixes the files that were asked for, and no other: first in memory, round by
/// round until nothing is left to do, then on disk.
pub(super) fn run(loaded: &mut Loaded, paths: &[PathBuf], least: Safety) -> Done {
    let folders: Vec<FileKey> = paths.iter().filter_map(|path| folder_of(path)).collect();
    // A file is only made where somebody asked for something, and where none is.
    let may_create = |key: &FileKey| {
        let is_near = folders.iter().any(|folder| is_below(key, folder));
        is_near && path_of(key).is_some_and(|path| std::fs::symlink_metadata(path).is_err())
    };
    let before: BTreeMap<FileKey, FileContent> = contents(loaded);
    let mut done = Done::default();
    let mut already = HashSet::new();
    let mut seen = HashSet::from([digest(loaded, &done)]);
    for _ in 0..MOST_ROUNDS {
        // The snapshot goes before the files change: a change waits for it.
        let round = Analysis::new(loaded.host.snapshot())
            .fixes_of(&loaded.asked, least, &already, &may_create)
            .expect("nothing changes while the command runs");
        if round.fixed.is_empty() {
            break;
        }
        for (key, edits) in &round.change.edits {
            let Some(text) = loaded.host.content(key).and_then(FileContent::parse).map(|parse| &*parse.text) else {
                continue;
            };
            let text = apply(text, edits);
            loaded.host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        }
        for (key, text) in round.change.creates {
            loaded.host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
            done.created.push(key.clone());
            loaded.asked.push(key);
        }
        for fixed in round.fixed {
            already.insert(fixed.clone());
            done.fixed.entry(fixed.file.clone()).or_default().push(fixed);
        }
        // Fixes that undo each other end nowhere.
        if !seen.insert(digest(loaded, &done)) {
            break;
        }
    }
    write(loaded, &before, &mut done);
    done
}

fn contents(loaded: &Loaded) -> BTreeMap<FileKey, FileContent> {
    let content = |key: &FileKey| Some((key.clone(), loaded.host.content(key)?.clone()));
    loaded.asked.iter().filter_map(content).collect()
}

fn digest(loaded: &Loaded, done: &Done) -> u64 {
    let mut hasher = DefaultHasher::new();
    for key in loaded.asked.iter().chain(&done.created) {
        loaded.host.content(key).and_then(FileContent::parse).map(|parse| &*parse.text).hash(&mut hasher);
    }
    hasher.finish()
}

/// The folder that a path means: itself, or that of the file.
fn folder_of(path: &Path) -> Option<FileKey> {
    let key = key_of_path(path)?;
    let is_folder = path.is_dir();
    Some(if is_folder { key } else { FileKey::new(if key.folder().is_empty() { "/" } else { key.folder() }) })
}

/// Writes what changed. What cannot be written is told, and reported as it is on
/// disk.
fn write(loaded: &mut Loaded, before: &BTreeMap<FileKey, FileContent>, done: &mut Done) {
    let mut lost = Vec::new();
    let mut changed = !done.created.is_empty();
    for key in &done.created {
        let text = text_of(loaded, key).unwrap_or_default();
        if let Err(error) = path_of(key).map_or(Ok(()), |path| create(&path, &text)) {
            done.faults.push(Fault::of_file(key, None, plain(&error)));
            lost.push(key.clone());
        }
    }
    for (key, old) in before {
        let (Some(new), Some(path)) = (text_of(loaded, key), path_of(key)) else { continue };
        if old.parse().is_some_and(|old| *old.text == *new) {
            continue;
        }
        changed = true;
        // Somebody may have saved it meanwhile: what they wrote is not lost.
        let written = match read(key) == *old {
            true => replace(&path, &new),
            false => Err(std::io::Error::other("it was changed meanwhile; it is left as it is")),
        };
        if let Err(error) = written {
            done.faults.push(Fault::of_file(key, None, plain(&error)));
            lost.push(key.clone());
        }
    }
    for key in lost {
        done.fixed.remove(&key);
        done.created.retain(|created| *created != key);
        loaded.host.set(key.clone(), read(&key));
    }
    // What went round in a circle was not fixed.
    if !changed {
        done.fixed.clear();
    }
    loaded.asked.sort();
}

fn text_of(loaded: &Loaded, key: &FileKey) -> Option<String> {
    loaded.host.content(key)?.parse().map(|parse| parse.text.to_string())
}

/// Makes a file where none is.
fn create(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

/// What was fixed, for people.
pub(super) fn report(done: &Done) -> String {
    let mut out = String::new();
    for key in &done.created {
        out.push_str(&format!("{} created\n", shown(key)));
    }
    for (key, fixed) in &done.fixed {
        out.push_str(&format!("{}: {} fixed\n", shown(key), fixed.len()));
        for Fixed { rule, title, .. } in fixed {
            out.push_str(&format!("  {rule}: {title}\n"));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
