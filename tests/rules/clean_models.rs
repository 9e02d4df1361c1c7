//! Models that good engineers would sign: no error and no warning on them, and of
//! the rest every line is one that a reviewer can defend. `UPDATE_EXPECT=1` writes
//! the list anew; read what has changed in it.

use crate::support::page::{File, analyse, key, model};
use expect_test::expect_file;
use keywright::format;
use keywright::ide::{Diagnostic, FileRange};
use keywright::rules::finding::Level;
use keywright::syntax::{Encoding, FileParse, Text};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "dynamo")).collect();
    paths.sort();
    paths
}

fn found(text: &str) -> Vec<Diagnostic> {
    analyse(&model(text)).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile")
}

/// The larger models, each with its files in the order of their names: one file, or
/// a folder of files that import each other.
fn larger() -> Vec<Vec<PathBuf>> {
    let folder = examples().join("large");
    let mut all: Vec<Vec<PathBuf>> = models(&folder).into_iter().map(|path| vec![path]).collect();
    all.push(models(&folder.join("marketplace")));
    all
}

/// What is found in each file of a model, analysed as the one that they make.
fn found_in(paths: &[PathBuf]) -> Vec<(PathBuf, Vec<Diagnostic>)> {
    let name = |path: &PathBuf| path.file_name().expect("a file").to_string_lossy().into_owned();
    let file = |path: &PathBuf| File { name: name(path), bytes: text(path).into_bytes(), marks: Vec::new() };
    let analysis = analyse(&paths.iter().map(file).collect::<Vec<File>>());
    let found = |path: &PathBuf| analysis.diagnostics(&key(&name(path))).expect("nothing changes meanwhile");
    paths.iter().map(|path| (path.clone(), found(path))).collect()
}

/// The findings from a level on, by rule.
fn from(text: &str, level: Level) -> Vec<(&'static str, &'static str)> {
    let all = found(text).into_iter().filter(|diagnostic| diagnostic.level >= level);
    all.map(|diagnostic| (diagnostic.level.word(), diagnostic.rule)).collect()
}

#[test]
fn well_made_models_have_no_error_and_no_warning() {
    let gallery = models(&examples().join("gallery"));
    assert!(gallery.len() >= 10, "{gallery:?}");
    for path in gallery.iter().chain(&[examples().join("shop.dynamo"), examples().join("blog.dynamo")]) {
        assert_eq!(from(&text(path), Level::Warning), [], "{}", path.display());
    }
    let lines = gallery.iter().map(|path| text(path).lines().count());
    assert!(lines.clone().all(|lines| (100..=200).contains(&lines)), "{:?}", lines.collect::<Vec<_>>());
    for style in ["style    single_table", "style    aggregate"] {
        assert!(gallery.iter().filter(|path| text(path).contains(style)).count() >= 4, "{style}");
    }
}

/// As teams have them: of both styles, and one of several files.
#[test]
fn larger_models_have_no_error_and_no_warning() {
    let larger = larger();
    assert!(larger.len() >= 3 && larger.iter().any(|paths| paths.len() > 1), "{larger:?}");
    for paths in &larger {
        let lines: usize = paths.iter().map(|path| text(path).lines().count()).sum();
        assert!(lines >= 400, "{paths:?}: {lines}");
        for (path, found) in found_in(paths) {
            let faults: Vec<&Diagnostic> = found.iter().filter(|found| found.level >= Level::Warning).collect();
            assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        }
    }
    for style in ["style    single_table", "style    aggregate"] {
        assert!(larger.iter().flatten().any(|path| text(path).contains(style)), "{style}");
    }
}

#[test]
fn well_made_models_are_formatted() {
    for path in models(&examples().join("gallery")).into_iter().chain(larger().into_iter().flatten()) {
        assert_eq!(format::format(&FileParse::new(&text(&path))), [], "{}", path.display());
    }
}

/// What is said of them all the same, each with its place.
#[test]
fn what_is_said_of_well_made_models_is_known() {
    let mut said = String::new();
    let alone = models(&examples()).into_iter().chain(models(&examples().join("gallery"))).map(|path| vec![path]);
    for (path, found) in alone.chain(larger()).flat_map(|paths| found_in(&paths)) {
        let name = path.strip_prefix(examples()).expect("it lies there").display().to_string();
        said.push_str(&format!("# {}\n", name.replace('\\', "/")));
        let text = text(&path);
        let rope = Text::new(&text);
        for diagnostic in found {
            let FileRange::Bytes(range) = diagnostic.range else { panic!("{diagnostic:?}") };
            let at = rope.position(range.start as usize, Encoding::Utf32);
            let word = text[range.indices()].lines().next().unwrap_or("");
            let level = diagnostic.level.word();
            said.push_str(&format!("{}:{} {level} {} `{word}`\n", at.line + 1, at.column + 1, diagnostic.rule));
        }
    }
    expect_file!["../snapshots/said_of_examples.txt"].assert_eq(&said);
}

/// The textbook's single table has its two faults, and under the other style what
/// that says of generic names besides.
#[test]
fn the_school_has_one_error_and_one_warning() {
    let school = text(&examples().join("school.dynamo"));
    let faults = [("error", "unique-not-enforced"), ("warning", "scan-pattern")];
    assert_eq!(from(&school, Level::Warning), faults);
    let aggregate = from(&school.replace("style  single_table", "style  aggregate"), Level::Warning);
    let (own, style): (Vec<_>, Vec<_>) = aggregate.into_iter().partition(|found| faults.contains(found));
    assert_eq!(own, faults);
    // PK, SK, the index and its two keys.
    assert_eq!(style, [("warning", "generic-key-name"); 5]);
}
