//! The fixes of every rule on the `bad` models of every page, in the layouts that
//! files have: what a fix leaves parses, keeps the layout of the formatter, has
//! one finding of the rule less, and no error or warning that was not there.

use crate::support::page::{self, File, analyse, key};
use keywright::format;
use keywright::ide::{CodeAction, CodeActionKind, apply};
use keywright::rules::finding::Level;
use keywright::rules::registry::BUILT;
use keywright::syntax::{FileParse, TextRange};
use std::collections::BTreeMap;
use std::path::Path;

/// How often each rule speaks at a level or above.
fn counts(files: &[File], level: Level) -> BTreeMap<&'static str, usize> {
    let analysis = analyse(files);
    let mut counts = BTreeMap::new();
    for file in files {
        let found = analysis.diagnostics(&key(&file.name)).expect("nothing changes meanwhile");
        for diagnostic in found.into_iter().filter(|found| found.level >= level) {
            *counts.entry(diagnostic.rule).or_default() += 1;
        }
    }
    counts
}

fn text(file: &File) -> String {
    String::from_utf8_lossy(&file.bytes).into_owned()
}

fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), bytes: text.as_bytes().to_vec(), marks: Vec::new() }
}

fn is_formatted(files: &[File]) -> bool {
    files.iter().all(|file| format::format(&FileParse::new(&text(file))).is_empty())
}

/// The files as they are when the action has been taken.
fn after(files: &[File], action: &CodeAction) -> Vec<File> {
    let edited = files.iter().map(|old| {
        let edits = action.change.edits.iter().find(|(name, _)| *name == key(&old.name));
        file(&old.name, &edits.map_or_else(|| text(old), |(_, edits)| apply(&text(old), edits)))
    });
    let created =
        action.change.creates.iter().map(|(name, text)| file(name.as_str().trim_start_matches("/model/"), text));
    edited.chain(created).collect()
}

/// Takes every fix of the model by itself; returns how many there were.
fn check(files: &[File], what: &str, faults: &mut Vec<String>) -> usize {
    let analysis = analyse(files);
    let (before, all_before) = (counts(files, Level::Warning), counts(files, Level::Hint));
    let mut count = 0;
    for own in files {
        let all = TextRange::new(0, own.bytes.len());
        let actions = analysis.code_actions(&key(&own.name), all).expect("nothing changes meanwhile");
        for action in actions.iter().filter(|action| action.kind == CodeActionKind::QuickFix) {
            let Some((rule, _)) = action.mends else { continue };
            count += 1;
            let fixed = after(files, action);
            let (found, all_found) = (counts(&fixed, Level::Warning), counts(&fixed, Level::Hint));
            let show = || fixed.iter().map(text).collect::<Vec<_>>().join("\n//- \n");
            let mut fault = |what_is_wrong: String| {
                faults.push(format!("{what}, `{}`: {what_is_wrong}\n{}", action.title, show()));
            };
            if all_found.get(rule).unwrap_or(&0) >= all_before.get(rule).unwrap_or(&0) {
                fault("mends nothing".to_owned());
            }
            // Who adds the pattern that is missing still has to say how often it is called.
            let asks = rule.starts_with("missing-") && rule.ends_with("-pattern");
            let brought = found.iter().filter(|(other, _)| **other != rule && !(asks && **other == "missing-rate"));
            for (other, many) in brought {
                if many > before.get(other).unwrap_or(&0) {
                    fault(format!("brings {other}"));
                }
            }
            if is_formatted(files) && !is_formatted(&fixed) {
                fault("leaves what the formatter would change".to_owned());
            }
        }
    }
    count
}

/// A model in another layout.
type Layout = (&'static str, fn(&str) -> String);

const LAYOUTS: &[Layout] = &[
    ("as it is", str::to_owned),
    ("with Windows line ends", |text| text.replace('\n', "\r\n")),
    ("without a last line end", |text| text.trim_end().to_owned()),
    ("on one line", |text| {
        if text.contains("//") {
            text.to_owned()
        } else {
            text.lines().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
        }
    }),
    ("with a comment on every line", |text| {
        text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{line} // why\n") }).collect()
    }),
];

#[test]
fn fixes_hold_on_the_models_of_all_pages_in_every_layout() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let mut faults = Vec::new();
    let mut count = 0;
    for rule in BUILT {
        let page = std::fs::read_to_string(folder.join(format!("{}.md", rule.name))).expect("every rule has a page");
        for block in page::blocks(&page).iter().filter(|block| block.tag == "bad") {
            // What is no text has no layout.
            if block.files.iter().any(|file| std::str::from_utf8(&file.bytes).is_err() || file.bytes.contains(&0)) {
                continue;
            }
            for (name, layout) in LAYOUTS {
                let files: Vec<File> = block.files.iter().map(|own| file(&own.name, &layout(&text(own)))).collect();
                let what = format!("{}.md line {} {name}", rule.name, block.line);
                count += check(&files, &what, &mut faults);
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
    assert!(count > 200, "{count} fixes were tried");
}
