//! What pages rest on can be followed: a mark such as L04 is a link to a fact that
//! says where it is from, and no page names a document that its readers do not have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Every page that a user is shown, by its path below `docs`.
fn pages() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in ["rules", "concepts"] {
        for entry in std::fs::read_dir(docs().join(folder)).expect("the folder is there").flatten() {
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            all.push((name, std::fs::read_to_string(entry.path()).expect("a page is text")));
        }
    }
    assert!(all.len() > 150, "{}", all.len());
    all
}

/// The places that a link may name in a page: its headings, as GitHub names them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(name).collect()
}

/// The text of a page without its models, its code and its links.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split("```").enumerate() {
        if at % 2 == 0 {
            out.push_str(part);
        }
    }
    let mut plain = String::new();
    for (at, part) in out.split('`').enumerate() {
        if at % 2 == 0 {
            plain.push_str(part);
        }
    }
    let mut rest = plain.as_str();
    let mut left = String::new();
    while let Some((before, link)) = rest.split_once('[') {
        left.push_str(before);
        rest = link.split_once(')').filter(|(link, _)| link.contains("](")).map_or(link, |(_, after)| after);
    }
    left + rest
}

#[test]
fn links_between_the_documents_lead_somewhere() {
    let mut faults = Vec::new();
    let beside = ["facts.md", "numbers.md"]
        .map(|name| (name.to_owned(), std::fs::read_to_string(docs().join(name)).expect("docs/ has it")));
    for (name, text) in pages().into_iter().chain(beside) {
        for (_, rest) in text.match_indices("](").map(|(at, _)| text.split_at(at + 2)) {
            let target = rest.split(')').next().unwrap_or_default();
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => docs().join(&name),
                file => docs().join(&name).parent().expect("a page has a folder").join(file),
            };
            match std::fs::read_to_string(&path) {
                Err(_) => faults.push(format!("{name}: no {target}")),
                Ok(text) if !anchor.is_empty() && !anchors(&text).contains(anchor) => {
                    faults.push(format!("{name}: {file} has no heading for {anchor}"));
                }
                Ok(_) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Ids of facts and of conventions, as somebody would write them in a hurry.
fn is_mark(word: &str) -> bool {
    let digits = word.trim_start_matches(['L', 'Q', 'S', 'H', 'M', 'D', 'C', 'W']);
    word.len() == digits.len() + 1
        && (1..=2).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The names of things that look like a mark.
const NO_MARKS: [&str; 1] = ["S3"];

#[test]
fn no_mark_stands_without_its_link() {
    let mut faults = Vec::new();
    for (name, text) in pages() {
        let prose = prose(&text);
        let words =
            prose.split(|c: char| !c.is_alphanumeric()).filter(|word| is_mark(word) && !NO_MARKS.contains(word));
        faults.extend(words.map(|word| format!("{name}: {word}")));
        let text = text.to_lowercase();
        let sections = (1..=7).flat_map(|section| [format!("(3.{section})"), format!("(3.{section},")]);
        let documents = ["fact sheet", "facts 3", "facts 4", "facts 9", "section 4", "section 9", "language.md"];
        let named = documents.into_iter().map(str::to_owned).chain(sections).filter(|words| text.contains(words));
        faults.extend(named.map(|words| format!("{name}: {words}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_looks_like_a_mark() {
    for word in ["L04", "S1", "Q10", "W3", "C5"] {
        assert!(is_mark(word), "{word}");
    }
    for word in ["LSI", "L", "04", "KB", "S100", "SK1", "PK"] {
        assert!(!is_mark(word), "{word}");
    }
    assert_eq!(prose("a `L01` b [L02](x.md#l02), [L03] c\n```dynamo\nL04\n```\nd"), "a  b , L03] c\n\nd");
}
