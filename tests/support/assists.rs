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
    let edited = asked.files.iter().map(|old| {
        let edits = action.change.edits.iter().find(|(name, _)| *name == key(&old.name));
        file(&old.name, &edits.map_or_else(|| text_of(old), |(_, edits)| apply(&text_of(old), edits)))
    });
    let created =
        action.change.creates.iter().map(|(name, text)| file(name.as_str().trim_start_matches("/model/"), text));
    let files = edited.chain(created).collect();
    Some((asked, files, action))
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

/// What holds of every refactoring: the result parses, is formatted as the
/// formatter would if the model was, and has no error or warning that was not
/// there, but for those of the rules in `asks`, which ask for what only the
/// author can say.
fn holds(asked: &Asked, after: &[File], action: &CodeAction, asks: &[&str], what: &str) {
    assert_ne!(action.kind, CodeActionKind::QuickFix, "{what}: a refactoring mends no finding");
    let whole = after.iter().all(|file| FileParse::new(&text_of(file)).chunks.iter().all(|c| c.chunk.is_whole()));
    assert!(whole, "{what}: `{}` leaves what does not parse\n{}", action.title, show(after));
    if is_formatted(&asked.files) {
        assert!(
            is_formatted(after),
            "{what}: `{}` leaves what the formatter would change\n{}",
            action.title,
            show(after)
        );
    }
    let before = loud(&asked.files);
    for (rule, many) in loud(after) {
        let new = many > before.get(rule).copied().unwrap_or(0);
        assert!(!new || asks.contains(&rule), "{what}: `{}` brings {rule}\n{}", action.title, show(after));
    }
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
