//! Refactorings, tried at a place of a model.
//!
//! `$0` in the text is the cursor; two of them are the ends of a selection. A
//! line `//- other.dynamo` begins another file of the same model (the first is
//! `main.dynamo`), in the model and in what is expected of it alike.

use super::page::{File, analyse, key};
use keywright::format;
use keywright::ide::{CodeAction, CodeActionKind, apply};
use keywright::rules::finding::Level;
use keywright::syntax::{FileParse, TextRange};
use std::collections::BTreeMap;

const CURSOR: &str = "$0";

/// A model with the place in it that is asked about.
struct Asked {
    files: Vec<File>,
    /// The file with the cursor.
    file: String,
    range: TextRange,
}

fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), bytes: text.as_bytes().to_vec(), marks: Vec::new() }
}

fn text_of(file: &File) -> String {
    String::from_utf8_lossy(&file.bytes).into_owned()
}

/// The files of a model with their texts.
fn split(model: &str) -> Vec<(String, String)> {
    let mut files = vec![("main.dynamo".to_owned(), String::new())];
    for line in model.split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => files.last_mut().expect("there is one from the start").1.push_str(line),
        }
    }
    files.retain(|(_, text)| !text.is_empty());
    files
}

fn asked(model: &str) -> Asked {
    let mut found = None;
    let mut files = Vec::new();
    for (name, text) in split(model) {
        if let Some(start) = text.find(CURSOR) {
            let rest = &text[start + CURSOR.len()..];
            let end = start + rest.find(CURSOR).unwrap_or(0);
            found = Some((name.clone(), TextRange::new(start, end)));
        }
        files.push(file(&name, &text.replace(CURSOR, "")));
    }
    let (file, range) = found.unwrap_or_else(|| panic!("a cursor ({CURSOR}) in {model}"));
    Asked { files, file, range }
}

/// The refactorings that are offered at the cursor of a model.
pub fn offered(model: &str) -> Vec<CodeAction> {
    let asked = asked(model);
    analyse(&asked.files).assists(&key(&asked.file), asked.range).expect("nothing changes meanwhile")
}

/// The titles of the refactorings that are offered at the cursor of a model.
pub fn titles(model: &str) -> Vec<String> {
    offered(model).into_iter().map(|action| action.title).collect()
}

/// The model after the offered refactoring whose title begins so, file by file.
fn taken(model: &str, title: &str) -> Option<(Asked, Vec<File>, CodeAction)> {
    let asked = asked(model);
    let action = offered(model).into_iter().find(|action| action.title.starts_with(title))?;
    let files = edited(&asked.files, &action);
    Some((asked, files, action))
}

/// The files as they are when the action has been taken.
fn edited(files: &[File], action: &CodeAction) -> Vec<File> {
    let stays = |old: &&File| !action.change.deletes.contains(&key(&old.name));
    let edited = files.iter().filter(stays).map(|old| {
        let edits = action.change.edits.iter().find(|(name, _)| *name == key(&old.name));
        file(&old.name, &edits.map_or_else(|| text_of(old), |(_, edits)| apply(&text_of(old), edits)))
    });
    let created =
        action.change.creates.iter().map(|(name, text)| file(name.as_str().trim_start_matches("/model/"), text));
    edited.chain(created).collect()
}

fn show(files: &[File]) -> String {
    files.iter().map(|file| format!("//- {}\n{}", file.name, text_of(file))).collect()
}

/// How often each rule speaks at the level of a warning or above.
fn loud(files: &[File]) -> BTreeMap<&'static str, usize> {
    let analysis = analyse(files);
    let mut counts = BTreeMap::new();
    for file in files {
        let found = analysis.diagnostics(&key(&file.name)).expect("nothing changes meanwhile");
        for diagnostic in found.into_iter().filter(|found| found.level >= Level::Warning) {
            *counts.entry(diagnostic.rule).or_default() += 1;
        }
    }
    counts
}

fn is_formatted(files: &[File]) -> bool {
    files.iter().all(|file| format::format(&FileParse::new(&text_of(file))).is_empty())
}

/// What does not hold and should of every refactoring: the result parses, is
/// formatted as the formatter would if the model was, and has no error or warning
/// that was not there, but for those of the rules in `asks`, which ask for what only
/// the author can say.
fn faults(before: &[File], after: &[File], action: &CodeAction, asks: &[&str], what: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |wrong: &str| faults.push(format!("{what}: `{}` {wrong}\n{}", action.title, show(after)));
    if action.kind == CodeActionKind::QuickFix {
        fault("is no refactoring");
    }
    if !after.iter().all(|file| FileParse::new(&text_of(file)).chunks.iter().all(|c| c.chunk.is_whole())) {
        fault("leaves what does not parse");
    }
    if is_formatted(before) && !is_formatted(after) {
        fault("leaves what the formatter would change");
    }
    let known = loud(before);
    for (rule, many) in loud(after) {
        if many > known.get(rule).copied().unwrap_or(0) && !asks.contains(&rule) {
            fault(&format!("brings {rule}"));
        }
    }
    faults
}

#[track_caller]
fn holds(asked: &Asked, after: &[File], action: &CodeAction, asks: &[&str], what: &str) {
    let faults = faults(&asked.files, after, action, asks, what);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A model in another layout.
type Layout = (&'static str, fn(&str) -> String);

/// The layouts that a refactoring has to leave as they are found: what comes of
/// it there is held to what holds of every refactoring.
const LAYOUTS: &[Layout] = &[
    ("without a last line end", |text| text.trim_end().to_owned()),
    ("on one line", |text| {
        let lines = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
        if text.contains("//") { text.to_owned() } else { lines(text) }
    }),
    ("with a comment on every line", |text| {
        let commented = |line: &str| match line {
            "" => "\n".to_owned(),
            file if file.starts_with("//- ") => format!("{file}\n"),
            line => format!("{line} // why\n"),
        };
        text.lines().map(commented).collect()
    }),
];

/// Takes the refactoring whose title begins with `title` and compares the whole
/// model with what is expected; then tries it with Windows line ends, and in
/// other layouts, where it must be offered as well. A cursor in what is expected
/// is for [`check_and_back`].
#[track_caller]
pub fn check(model: &str, title: &str, expected: &str) {
    check_asking(model, title, expected, &[]);
}

/// The same for a refactoring that leaves something to the author: the rules in
/// `asks` may speak afterwards.
#[track_caller]
pub fn check_asking(model: &str, title: &str, expected: &str, asks: &[&str]) {
    let windows = |text: &str| text.replace('\n', "\r\n");
    for (what, model, expected) in
        [("as it is", model.to_owned(), expected.to_owned()), ("windows", windows(model), windows(expected))]
    {
        let (asked, after, action) = take(&model, title, what);
        let expected: Vec<(String, String)> =
            split(&expected).into_iter().map(|(name, text)| (name, text.replace(CURSOR, ""))).collect();
        let actual: Vec<(String, String)> = after.iter().map(|file| (file.name.clone(), text_of(file))).collect();
        if actual != expected {
            let wanted: Vec<File> = expected.iter().map(|(name, text)| file(name, text)).collect();
            panic!("{what}: `{}` gives\n{}\nbut expected is\n{}", action.title, show(&after), show(&wanted));
        }
        holds(&asked, &after, &action, asks, what);
    }
    for (what, layout) in LAYOUTS {
        let (asked, after, action) = take(&layout(model), title, what);
        holds(&asked, &after, &action, asks, what);
    }
}

/// The same there and back: `back`, taken at the cursor in what is expected,
/// gives the model as it was.
#[track_caller]
pub fn check_and_back(model: &str, title: &str, expected: &str, back: &str) {
    check(model, title, expected);
    let original: Vec<(String, String)> =
        split(model).into_iter().map(|(name, text)| (name, text.replace(CURSOR, ""))).collect();
    let (asked, after, action) = take(expected, back, "back");
    let actual: Vec<(String, String)> = after.iter().map(|file| (file.name.clone(), text_of(file))).collect();
    assert_eq!(actual, original, "`{}` does not give back what was\n{}", action.title, show(&after));
    holds(&asked, &after, &action, &[], "back");
}

#[track_caller]
fn take(model: &str, title: &str, what: &str) -> (Asked, Vec<File>, CodeAction) {
    taken(model, title).unwrap_or_else(|| panic!("{what}: `{title}` is not offered, but {:#?}", titles(model)))
}

/// No refactoring whose title begins so is offered at the cursor.
#[track_caller]
pub fn check_not_offered(model: &str, title: &str) {
    let found: Vec<String> = titles(model).into_iter().filter(|found| found.starts_with(title)).collect();
    assert!(found.is_empty(), "{found:#?} in\n{model}");
}

/// The refactorings that are offered anywhere in a model.
#[derive(Default)]
pub struct Offered {
    /// Their titles, once each.
    pub titles: Vec<String>,
    /// What does not hold of them and should.
    pub faults: Vec<String>,
}

/// Takes every refactoring that is offered anywhere in the files of a model.
pub fn every_one(files: &[File], asks: &[&str], what: &str) -> Offered {
    let analysis = analyse(files);
    let mut seen = std::collections::BTreeSet::new();
    let mut all = Offered::default();
    for own in files {
        let text = text_of(own);
        let is_word = |at: usize| text[at..].starts_with(|c: char| c.is_alphanumeric() || "@_\"{".contains(c));
        let is_first = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        // What is offered at the beginning of a word is offered in all of it.
        let words = text.char_indices().map(|(at, _)| at).filter(|at| is_word(*at) && is_first(at));
        for start in words {
            let range = TextRange::new(start, start);
            for action in analysis.assists(&key(&own.name), range).expect("nothing changes meanwhile") {
                if seen.insert(format!("{} {:?}", action.title, action.change)) {
                    all.faults.extend(faults(files, &edited(files, &action), &action, asks, what));
                    all.titles.push(action.title);
                }
            }
        }
    }
    all
}
