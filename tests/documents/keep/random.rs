//! Whatever the model becomes and whatever people do to its documents: made again,
//! a document has every byte that they wrote.

use super::person::{Deed, OWN, deeds, done};
use crate::support::random::cases;
use keywright::deliverables::Part;
use keywright::deliverables::keep::{Cause, Merged, State, Way, forced, fresh, merge, read, settle};
use keywright::syntax::{TextEdit, apply};
use proptest::prelude::*;
use regex_lite::Regex;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Every line that was ever generated, marks too.
pub type Generated = HashSet<String>;

/// Whether a line can be read as a mark, whoever wrote it.
pub fn is_mark(line: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    static SHAPE: OnceLock<Regex> = OnceLock::new();
    // As tolerant of white space as the reader of marks is: what is cut out between
    // two marks may leave one with two spaces in it.
    let shape = r"^<!--\s*keywright:(begin\s+\S+|end\s+\S+(\s+[0-9a-fA-F]+)?(\s+kept)?)\s*-->$";
    SHAPE.get_or_init(|| Regex::new(shape).unwrap()).is_match(line)
}

/// Whether version control wrote a line: it goes with the versions that it divides.
fn is_of_conflict(line: &str) -> bool {
    let sign = line.split(' ').next().unwrap_or_default();
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains(&sign)
}

/// The lines of a text that no model made. Lines of marks are left out: in them the
/// hash is made again.
pub fn own_lines<'t>(text: &'t str, generated: &Generated) -> Vec<&'t str> {
    let lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
    lines
        .filter(|line| !line.is_empty() && !generated.contains(*line) && !is_of_conflict(line))
        .filter(|line| !is_mark(line) || line.contains(OWN))
        .collect()
}

/// Whether every line of one list is in the other, in the same order.
pub fn is_kept(before: &[&str], after: &[&str]) -> Result<(), String> {
    let mut after = after.iter();
    match before.iter().find(|line| !after.any(|other| other == *line)) {
        Some(line) => Err(format!("{line:?} is lost")),
        None => Ok(()),
    }
}

/// The text with edits made that are as a client needs them.
fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut end = 0;
    for edit in edits {
        let range = edit.range.indices();
        assert!(end <= range.start && range.end <= text.len(), "{edits:?}");
        assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
        assert_ne!(text[range.clone()], edit.text, "an edit changes something");
        end = range.end;
    }
    apply(text, edits)
}

/// Makes a document again and holds the result against what was there.
pub fn made_again(before: &str, parts: &[Part], generated: &Generated) -> Result<String, String> {
    let Merged { edits, conflicts, is_current, .. } = merge(before, parts);
    let after = edited(before, &edits);
    if is_current != (without_lines(before) == without_lines(&after) && conflicts.is_empty()) {
        return Err(format!("it says wrongly that it is current ({is_current}): {edits:?}\n{before}"));
    }
    is_kept(&own_lines(before, generated), &own_lines(&after, generated))?;
    let edited_parts = read(before).parts.into_iter().filter(|part| part.state != State::Generated);
    // Between versions that were not merged only the reader's own lines are looked for.
    for part in edited_parts.filter(|part| !before[part.inner.clone()].lines().any(is_of_conflict)) {
        if !after.contains(&before[part.inner.clone()]) {
            return Err(format!("the edited part {:?} is not as it was", part.name));
        }
    }
    // Made again it stays.
    let again = merge(&after, parts);
    let told = |merged: &Merged| -> Vec<(Cause, String, String)> {
        merged.conflicts.iter().map(|c| (c.cause, c.name.clone(), c.mine.clone())).collect()
    };
    if !again.edits.is_empty() || told(&again) != told(&merge(before, parts)) {
        return Err(format!("a second time there is more to do: {again:?}\n{after}"));
    }
    every_part_is_there(&after, &again, parts)?;
    for way in [Way::Mine, Way::Both] {
        all_settled(&after, parts, way, generated)?;
    }
    let new = forced(before, parts);
    if !merge(&new, parts).is_current || forced(&new, parts) != new {
        return Err(format!("force leaves something: {new}"));
    }
    Ok(after)
}

/// A document without the numbers of the lines that it links to, and the hashes that
/// they change.
fn without_lines(text: &str) -> String {
    static NUMBERS: OnceLock<Regex> = OnceLock::new();
    let numbers = r":\d+\]\(([^)\n]*)#L\d+\)|(?m:^(<!-- keywright:end \S+) [0-9a-f]{16} -->\r?$)";
    NUMBERS.get_or_init(|| Regex::new(numbers).unwrap()).replace_all(text, "$1$2").into_owned()
}

/// Each part of the model is as the model says it, or the reader's by their will, or
/// asked about.
fn every_part_is_there(text: &str, merged: &Merged, parts: &[Part]) -> Result<(), String> {
    let is_whole = merged.conflicts.iter().any(|conflict| conflict.cause == Cause::Unmarked);
    let existing = read(text);
    for part in parts.iter().filter(|_| !is_whole) {
        let is_there = existing.parts.iter().any(|standing| {
            let is_same = text[standing.inner.clone()].replace("\r\n", "\n") == format!("\n{}\n", part.text);
            standing.name == part.name && (is_same || matches!(standing.state, State::Kept { .. }))
        });
        if !is_there && !merged.conflicts.iter().any(|conflict| conflict.name == part.name) {
            return Err(format!("part {:?} is missing: {text}", part.name));
        }
    }
    Ok(())
}

/// Settles one conflict after the other so that the reader's text stays.
fn all_settled(text: &str, parts: &[Part], way: Way, generated: &Generated) -> Result<(), String> {
    let mut text = text.to_owned();
    for _ in 0..100 {
        let merged = merge(&text, parts);
        let next = edited(&text, &merged.edits);
        is_kept(&unmarked(&own_lines(&text, generated)), &unmarked(&own_lines(&next, generated)))?;
        text = next;
        let Some(conflict) = merge(&text, parts).conflicts.into_iter().next() else { return Ok(()) };
        if conflict.cause == Cause::Unmarked && way == Way::Mine {
            return if settle(&text, &conflict, way).is_empty() { Ok(()) } else { Err("it is changed".to_owned()) };
        }
        let next = edited(&text, &settle(&text, &conflict, way));
        is_kept(&unmarked(&own_lines(&text, generated)), &unmarked(&own_lines(&next, generated)))
            .map_err(|why| format!("{way:?}: {why}"))?;
        if !next.contains(conflict.mine.trim_matches(['\r', '\n'])) {
            return Err(format!("{way:?} loses {:?}", conflict.mine));
        }
        text = next;
    }
    Err(format!("{way:?} has no end: {text}"))
}

/// Lines without those of marks, which the reader's decision takes away.
fn unmarked<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    lines.iter().copied().filter(|line| !is_mark(line)).collect()
}

/// A document lives through some versions of its model, with deeds in between.
pub fn live(versions: &[&[Part]], deeds: &[Vec<Deed>], generated: &Generated) -> Result<(), TestCaseError> {
    let mut text = fresh(versions[0]);
    for (version, deeds) in versions.iter().zip(deeds) {
        for deed in deeds {
            text = done(&text, deed);
        }
        text = made_again(&text, version, generated).map_err(TestCaseError::fail)?;
    }
    Ok(())
}

pub fn generated<'p>(documents: impl IntoIterator<Item = &'p [Part]>) -> Generated {
    let lines = |parts: &[Part]| fresh(parts).lines().map(str::to_owned).collect::<Vec<String>>();
    documents.into_iter().flat_map(lines).collect()
}

/// A few parts of a few texts.
pub fn small() -> impl Strategy<Value = Vec<Part>> {
    let part = (any::<bool>(), 0u8..3);
    proptest::collection::vec(part, 6).prop_map(|drawn| {
        let names = ["a", "b b", "c--d", "-->", "é", ""];
        let parts = names.iter().zip(drawn).filter(|(_, (is_there, _))| *is_there);
        parts
            .map(|(name, (_, text))| Part { name: (*name).to_owned(), text: SMALL[usize::from(text)].to_owned() })
            .collect()
    })
}

const SMALL: [&str; 3] = ["# One\n", "## Two\n\n- x\n- y\n", "| a |\n|---|\n| 1 |\n"];

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn no_byte_of_a_person_is_lost(
        versions in proptest::collection::vec(small(), 4),
        deeds in proptest::collection::vec(deeds(), 4),
    ) {
        let versions: Vec<&[Part]> = versions.iter().map(Vec::as_slice).collect();
        live(&versions, &deeds, &generated(versions.iter().copied()))?;
    }
}

/// What is cut out between two marks leaves one mark made of both, with two spaces in
/// it: it is a mark, and goes when its part is settled.
#[test]
fn a_mark_that_a_deletion_joined_is_no_text_of_a_person() {
    let part = |name: &str, text: &str| Part { name: name.to_owned(), text: text.to_owned() };
    let old = [part("a", SMALL[0]), part("c--d", SMALL[1]), part("é", SMALL[2])];
    let text = fresh(&old);
    let (begin, end) = ("<!-- keywright:end c-%2Dd ", "<!-- keywright:end \u{e9}");
    let from = text.find(begin).expect("the part has an end") + begin.len();
    let to = from + text[from..].find(end).expect("the next part has one") + end.len();
    let joined = format!("{}{}\n{OWN}\n", &text[..from], &text[to..]);
    assert!(joined.contains("end c-%2Dd  "), "{joined}");
    for version in [&old[..], &old[..1], &[]] {
        let all = generated([&old[..], version]);
        made_again(&joined, version, &all).unwrap_or_else(|why| panic!("{why}"));
    }
}
