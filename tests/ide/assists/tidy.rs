//! An `allow` goes with the finding that it was for.

use super::guards_and_counterparts::SCHOOL;
use super::with;
use crate::support::assists::check;

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
