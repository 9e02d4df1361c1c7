//! The models that the VS Code extension offers: templates, snippets, and what its
//! pages show. Whoever begins with one of them begins without a fault.

use crate::support::page::{analyse, key, model};
use keywright::format;
use keywright::ide::Diagnostic;
use keywright::rules::finding::Level;
use keywright::syntax::FileParse;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn extension() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(extension().join(folder)).expect("the folder is there").flatten();
    let all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let wanted: Vec<PathBuf> = all.into_iter().filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    assert!(!wanted.is_empty(), "{folder} has files that end in .{ending}");
    wanted
}

fn found(text: &str) -> Vec<Diagnostic> {
    analyse(&model(text)).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile")
}

/// The errors of a text, by rule.
fn errors(text: &str) -> Vec<&'static str> {
    found(text).iter().filter(|finding| finding.level == Level::Error).map(|finding| finding.rule).collect()
}

#[test]
fn a_new_model_has_no_finding_of_any_level_and_is_formatted() {
    for path in files("templates", "dynamo") {
        let text = text(&path);
        let said: Vec<String> =
            found(&text).iter().map(|finding| format!("{}: {}", finding.rule, finding.message)).collect();
        assert_eq!(said, [] as [String; 0], "{}", path.display());
        assert_eq!(format::format(&FileParse::new(&text)), [], "{}", path.display());
        for line in text.lines() {
            assert!(line.chars().count() <= 120, "{}: {line}", path.display());
        }
    }
}

/// What a snippet inserts where nothing is typed into it: the default of each place,
/// everywhere where it stands.
fn expanded(body: &str) -> String {
    let mut defaults: BTreeMap<String, String> = BTreeMap::from([("0".to_owned(), String::new())]);
    let mut out = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        if let Some(inside) = after.strip_prefix('{') {
            let (place, next) = inside.split_once('}').expect("a place ends");
            let name = number(place);
            let default = match place[name.len()..].split_at(1) {
                (":", default) => default,
                ("|", choices) => choices.trim_end_matches('|').split(',').next().expect("a choice"),
                (sign, _) => panic!("a place is a default or choices, not {sign}"),
            };
            out.push_str(default);
            assert!(defaults.insert(name, default.to_owned()).is_none(), "{body}: a place has one default");
            rest = next;
        } else {
            let name = number(after);
            out.push_str(defaults.get(&name).unwrap_or_else(|| panic!("{body}: ${name} has a default before it")));
            rest = &after[name.len()..];
        }
    }
    out + rest
}

#[test]
fn a_snippet_is_a_model_before_anything_is_typed_into_it() {
    let snippets: Value = serde_json::from_str(&text(&extension().join("snippets/dynamo.json"))).expect("JSON");
    let snippets = snippets.as_object().expect("an object");
    assert!(snippets.len() >= 5);
    let mut prefixes = Vec::new();
    for (name, snippet) in snippets {
        let lines: Vec<&str> = snippet["body"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
        let mut text = expanded(&lines.join("\n"));
        if text.starts_with("gsi") {
            text = format!("table Orders {{\n  partition key order_id: string\n{text}}}\n");
        }
        // What it is about stands elsewhere in the model.
        let errors: Vec<&str> = errors(&text).into_iter().filter(|rule| *rule != "unknown-name").collect();
        assert_eq!(errors, [""; 0], "{name}:\n{text}");
        assert!(snippet["description"].as_str().is_some_and(|text| text.len() > 20), "{name} says what it is");
        prefixes.push(snippet["prefix"].as_str().expect("a prefix"));
    }
    let known = prefixes.len();
    prefixes.sort_unstable();
    prefixes.dedup();
    assert_eq!(prefixes.len(), known, "each has a prefix of its own");
}

#[test]
fn what_the_pages_show_is_the_language() {
    let mut shown = 0;
    for path in files("walkthrough", "md").into_iter().chain(files(".", "md")) {
        let page = text(&path);
        for (at, _) in page.match_indices("```dynamo\n") {
            let (model, _) = page[at + 10..].split_once("```").expect("a fence ends");
            assert_eq!(errors(model), [""; 0], "{}:\n{model}", path.display());
            shown += 1;
        }
    }
    assert!(shown > 0);
}
