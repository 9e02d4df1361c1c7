//! The floors of the house (what each room is for stands in its `mod.rs`): an
//! arrow goes only down, and no room below the doors knows a terminal, a
//! protocol or the disk.

use std::path::{Path, PathBuf};

/// The rooms of `src/` from the ground up. What stands on one floor does not
/// know each other, but for `LEVEL`.
const FLOORS: &[(&str, u8)] = &[
    ("pages", 1),
    ("syntax", 2),
    ("config", 3),
    ("model", 3),
    ("format", 3),
    ("capacity", 4),
    ("derive", 5),
    ("rules", 5),
    ("population", 5),
    ("requests", 6),
    ("deliverables", 7),
    ("verify", 7),
    ("ide", 8),
    ("vfs", 8),
    ("server", 9),
    ("cli", 9),
];

/// The arrows that lead to the same floor: `keywright lsp` is a subcommand, and
/// settings are inputs of the database.
const LEVEL: &[(&str, &str)] = &[("cli", "server"), ("model", "config")];

/// What only some rooms may know. Whole words of the source.
const KEPT_TO: &[(&[&str], &[&str])] = &[
    (&["tokio", "tower", "tower_lsp", "dashmap", "futures_util"], &["server"]),
    (&["keywright_endpoint"], &["cli"]),
    (&["clap", "anstream", "anstyle", "annotate_snippets", "console"], &["cli"]),
    (&["pulldown_cmark"], &["server", "cli"]),
    (&["std::fs", "std::env", "std::process", "rustix"], &["vfs", "server", "cli"]),
    (&["std::io", "println", "eprintln"], &["vfs", "server", "cli"]),
    // The requests of DynamoDB's API are JSON, also where they are printed.
    (&["serde_json"], &["config", "server", "cli", "requests", "verify", "deliverables"]),
    // The server pays nothing for the engine: nothing else knows that there is one.
    (&["dynoxide"], &["verify"]),
    (&["indicatif"], &["cli"]),
    (&["askama"], &["deliverables"]),
    (&["use toml"], &["config"]),
    (&["ropey"], &["syntax"]),
    (&["tree_sitter_dynamo"], &["syntax"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The lines of a room that are code and not of its tests: number, text without
/// its comment, file.
fn code(room: &str) -> Vec<(usize, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut lines = Vec::new();
    for path in sources(&root.join("src").join(room)) {
        let name = path.strip_prefix(root).expect("it is below the root").display().to_string();
        let text = std::fs::read_to_string(&path).expect("a source is text");
        for (number, line) in text.lines().enumerate() {
            // The tests of a file stand at its end, and may use what they like.
            if line.starts_with("#[cfg(test)]") {
                break;
            }
            let code = line.split("//").next().unwrap_or("");
            lines.push((number + 1, code.to_owned(), name.clone()));
        }
    }
    assert!(!lines.is_empty(), "there is a room `{room}`");
    lines
}

/// The rooms that a line names: `crate::model` and, in one `use`,
/// `crate::{model, syntax}`.
fn named(line: &str) -> Vec<&str> {
    let mut rooms = Vec::new();
    for (_, rest) in line.match_indices("crate::").map(|(at, word)| line.split_at(at + word.len())) {
        let names = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
        let several = rest.starts_with('{');
        let names = names.split(',').take(if several { usize::MAX } else { 1 });
        rooms.extend(
            names.map(|name| name.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")),
        );
    }
    rooms
}

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

#[test]
fn every_room_has_a_floor() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut rooms: Vec<String> = std::fs::read_dir(src)
        .expect("src is there")
        .map(|entry| entry.expect("its entries can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "main.rs" && name != "lib.rs")
        .collect();
    rooms.sort();
    let mut known: Vec<&str> = FLOORS.iter().map(|(room, _)| *room).collect();
    known.sort_unstable();
    assert_eq!(rooms, known);
}

#[test]
fn arrows_go_only_down() {
    let mut faults = Vec::new();
    for (room, own) in FLOORS {
        for (number, line, file) in code(room) {
            for other in named(&line).into_iter().filter(|other| other != room) {
                let allowed = floor(other).is_some_and(|floor| floor < *own) || LEVEL.contains(&(room, other));
                if !allowed {
                    faults.push(format!("{file}:{number}: `{room}` (floor {own}) must not know `{other}`"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_belongs_to_a_room_stays_in_it() {
    let mut faults = Vec::new();
    for (words, rooms) in KEPT_TO {
        for (room, _) in FLOORS.iter().filter(|(room, _)| !rooms.contains(room)) {
            for (number, line, file) in code(room) {
                for word in words.iter().filter(|word| has_word(&line, word)) {
                    faults.push(format!("{file}:{number}: `{word}` belongs to {}", rooms.join(", ")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(part) && !line[at + word.len()..].starts_with(part))
}

/// Whoever uses the library reads its documentation first. Fields and variants
/// are not asked for: most say all in their name and type.
#[test]
fn what_the_library_offers_is_documented() {
    let mut faults = Vec::new();
    // The doors offer one function each; of a rule its `summary` speaks.
    for (room, _) in FLOORS.iter().filter(|(room, _)| !["server", "cli"].contains(room)) {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room)) {
            let text = std::fs::read_to_string(&path).expect("a source is text");
            let mut documented = false;
            for (number, line) in text.lines().map(str::trim_start).enumerate() {
                let item =
                    ["pub fn ", "pub const ", "pub struct ", "pub enum ", "pub trait ", "pub type ", "pub static "]
                        .iter()
                        .any(|start| line.starts_with(start));
                if item && !documented && !line.starts_with("pub static RULE:") {
                    faults.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
                documented = line.starts_with("///") || (documented && line.starts_with("#["));
            }
        }
    }
    assert!(faults.is_empty(), "not documented:\n{}", faults.join("\n"));
}

#[test]
fn the_readers_of_this_test_see_what_there_is() {
    assert_eq!(named("use crate::model::db::Db;"), ["model"]);
    assert_eq!(named("use crate::{model::db, syntax};"), ["model", "syntax"]);
    assert_eq!(named("let x = crate::pages::rule(a) + crate::ide::b;"), ["pages", "ide"]);
    assert!(has_word("use tower::Service;", "tower") && !has_word("use tower_lsp::Client;", "tower"));
}
