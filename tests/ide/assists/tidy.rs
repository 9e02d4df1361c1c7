//! What a refactoring leaves is tidy: an `allow` goes with the finding that it was for,
//! and lines end as the file's do.

use super::guards_and_counterparts::SCHOOL;
use super::with;
use crate::support::assists::check;
use crate::support::page;
use keywright::ide::CodeAction;
use keywright::syntax::TextRange;

/// The school with a pattern that nothing answers yet, and with an `allow` in it.
fn unsolved(answer: &str, allow: &str) -> String {
    let asked = format!("  reads Pupil by pupil_id\n{answer}{allow}");
    with(SCHOOL, &[("$0", ""), ("pattern ReadPupil", "pattern Read$0Pupil"), ("  get Pupil from Pupils\n", &asked)])
}

#[test]
fn what_a_refactoring_mends_is_allowed_no_longer() {
    let answer = "  get Pupil from Pupils\n";
    for (before, after) in [
        ("  allow unsolved-pattern because \"Later.\"\n", ""),
        (
            "  allow unsolved-pattern, missing-latency because \"Later.\"\n",
            "  allow missing-latency because \"Later.\"\n",
        ),
        // What silenced nothing before is another matter, as is what silences something yet.
        ("  allow scan-pattern because \"Later.\"\n", "  allow scan-pattern because \"Later.\"\n"),
        ("  allow missing-latency because \"Later.\"\n", "  allow missing-latency because \"Later.\"\n"),
    ] {
        check(&unsolved("", before), "Answer with `get Pupil from Pupils`", &unsolved(answer, after));
    }
}

/// A file of old Macs: a carriage return ends each line.
#[test]
fn lines_end_as_those_of_the_file() {
    let text = with(SCHOOL, &[("$0", "")]);
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        let analysis = page::analyse(&page::model(&text));
        let key = page::key("main.dynamo");
        let at = |word: &str| text.find(word).expect("the word is there");
        let mut all: Vec<CodeAction> = analysis.code_actions(&key, TextRange::new(0, text.len())).unwrap();
        for word in ["@unique", "entity", "table", "pattern"] {
            all.extend(analysis.assists(&key, TextRange::empty(at(word))).unwrap());
        }
        let edits = all.iter().flat_map(|action| action.change.edits.iter().flat_map(|(_, edits)| edits));
        let created = all.iter().flat_map(|action| action.change.creates.iter().map(|(_, text)| text));
        let texts: Vec<&String> = edits.map(|edit| &edit.text).chain(created).collect();
        assert!(texts.iter().filter(|text| text.contains(end)).count() > 2, "{end:?}: {texts:?}");
        let other = |text: &str| text.replace(end, "").contains(['\n', '\r']);
        assert!(!texts.iter().any(|text| other(text)), "{end:?}: {texts:?}");
    }
}
