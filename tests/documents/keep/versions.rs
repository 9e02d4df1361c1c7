//! Two branches that both made a document, and both changed it: what becomes of what
//! version control leaves of the two.

use super::parts;
use super::person::deeds;
use super::random::{generated, is_kept, made_again, own_lines, small};
use crate::support::random::cases;
use keywright::deliverables::Part;
use keywright::deliverables::keep::{Cause, Merged, Trouble, forced, fresh, merge};
use keywright::syntax::apply;
use proptest::prelude::*;

/// Two texts line by line, with a conflict wherever they differ: what git makes of two
/// files that were added on both branches.
fn unmerged(ours: &str, theirs: &str) -> String {
    let lines =
        |text: &str| text.split_inclusive('\n').map(|line| format!("{}\n", line.trim_end_matches('\n'))).collect();
    let (ours, theirs): (Vec<String>, Vec<String>) = (lines(ours), lines(theirs));
    // The longest common lines from each place on.
    let mut common = vec![vec![0; theirs.len() + 1]; ours.len() + 1];
    for one in (0..ours.len()).rev() {
        for other in (0..theirs.len()).rev() {
            common[one][other] = match ours[one] == theirs[other] {
                true => common[one + 1][other + 1] + 1,
                false => common[one + 1][other].max(common[one][other + 1]),
            };
        }
    }
    let (mut out, mut one, mut other) = (String::new(), 0, 0);
    let mut versions = (String::new(), String::new());
    let divided = |versions: &mut (String, String)| {
        let (ours, theirs) = std::mem::take(versions);
        match ours.is_empty() && theirs.is_empty() {
            true => String::new(),
            false => format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"),
        }
    };
    while one < ours.len() || other < theirs.len() {
        if one < ours.len() && other < theirs.len() && ours[one] == theirs[other] {
            out += &divided(&mut versions);
            out += &ours[one];
            (one, other) = (one + 1, other + 1);
        } else if other == theirs.len() || one < ours.len() && common[one + 1][other] >= common[one][other + 1] {
            versions.0 += &ours[one];
            one += 1;
        } else {
            versions.1 += &theirs[other];
            other += 1;
        }
    }
    out + &divided(&mut versions)
}

/// The conflicts with what both versions came from, a text of as many lines as ours.
fn with_base(unmerged: &str, base: &str) -> String {
    let (mut out, mut lines, mut version) = (String::new(), base.split_inclusive('\n'), None);
    for line in unmerged.split_inclusive('\n') {
        match line.split(' ').next() {
            Some("<<<<<<<") => version = Some(String::new()),
            Some("=======\n") => out += &format!("||||||| base\n{}", version.take().unwrap_or_default()),
            Some(">>>>>>>") => {}
            _ if out.rfind("=======").is_some_and(|at| !out[at..].contains(">>>>>>>")) => {}
            _ => match &mut version {
                Some(version) => version.push_str(lines.next().unwrap_or_default()),
                None => lines.next().map_or((), drop),
            },
        }
        out += line;
    }
    out
}

/// The text after a merge that leaves nothing to a person.
fn merged(text: &str, of: &[Part]) -> String {
    let Merged { edits, conflicts, is_current, .. } = merge(text, of);
    assert_eq!((conflicts.len(), is_current), (0, false), "{text}");
    let after = apply(text, &edits);
    assert!(merge(&after, of).is_sound(), "{after}");
    after
}

#[test]
fn versions_that_were_both_made_are_made_again() {
    let base = [("a", "A"), ("b", "B"), ("z", "Z")];
    let ours = parts(&[("a", "A ours"), ("b", "B"), ("new of ours", "N"), ("z", "Z")]);
    let theirs = parts(&[("a", "A theirs\n\nmore"), ("new of theirs", "M\n\nmore"), ("z", "Z 2")]);
    let both = parts(&[("a", "A both"), ("new of ours", "N"), ("new of theirs", "M\n\nmore"), ("z", "Z 2")]);
    let text = unmerged(&fresh(&ours), &fresh(&theirs));
    assert!(text.matches("<<<<<<<").count() > 1, "{text}");
    for of in [&both, &ours, &theirs, &parts(&base)] {
        assert_eq!(merged(&text, of), fresh(of));
        assert_eq!(merged(&text.replace('\n', "\r\n"), of), fresh(of).replace('\n', "\r\n"));
        assert_eq!(forced(&text, of), fresh(of));
    }
}

#[test]
fn what_two_versions_came_from_goes_with_them() {
    let [base, ours, theirs, of] = ["0", "1", "2", "3"].map(|text| parts(&[("a", text), ("b", "B"), ("c", text)]));
    let text = with_base(&unmerged(&fresh(&ours), &fresh(&theirs)), &fresh(&base));
    assert!(text.contains("||||||| base\n0\n"), "{text}");
    assert_eq!(merged(&text, &of), fresh(&of));
}

#[test]
fn what_a_person_wrote_in_one_of_the_versions_stays_and_is_told() {
    let (ours, theirs) = (parts(&[("a", "A 1"), ("b", "B 1")]), parts(&[("a", "A 2"), ("b", "B 2")]));
    let of = parts(&[("a", "A 3"), ("b", "B 3")]);
    let noted = fresh(&ours).replace("<!-- keywright:begin b", "a note of ours\n\n<!-- keywright:begin b");
    let text = unmerged(&noted, &fresh(&theirs));
    let after = apply(&text, &merge(&text, &of).edits);
    assert_eq!(after.replace("<<<<<<< HEAD\n", "").matches("a note of ours").count(), 1, "{after}");
    // An edited part in one of them.
    let edited = fresh(&theirs).replace("B 2", "my B");
    let text = unmerged(&fresh(&ours), &edited);
    let Merged { edits, conflicts, faults, .. } = merge(&text, &of);
    let after = apply(&text, &edits);
    assert!(after.contains("my B") && after.contains("\nA 3\n"), "{after}");
    assert_eq!(
        conflicts.iter().map(|conflict| (conflict.cause, conflict.name.as_str())).collect::<Vec<_>>(),
        [(Cause::Edited, "b")]
    );
    assert!(faults.iter().all(|fault| fault.trouble == Trouble::Unmerged) && faults.len() == 2, "{faults:?}");
    assert_eq!(forced(&text, &of), fresh(&of), "by force the part is what the model says, with nothing around it");
}

/// Git takes along what only one branch changed: above a conflict in the hash neither
/// version's text need stand.
#[test]
fn an_end_mark_in_two_versions_ends_the_part_once() {
    let of = parts(&[("a", "one\ntwo\nthree"), ("b", "B")]);
    let text = fresh(&of);
    let end = text.lines().find(|line| line.contains("end a")).unwrap();
    let both = |above: &str, other: &str| {
        let (one, two) = ("<!-- keywright:end a 0123456789abcdef -->", "<!-- keywright:end a fedcba9876543210 -->");
        text.replace(
            &format!("three\n\n{end}"),
            &format!("<<<<<<< HEAD\n{above}{one}\n=======\n{other}{two}\n>>>>>>> other"),
        )
    };
    let only_marks = both("", "").replace("<<<<<<<", "three\n\n<<<<<<<");
    assert_eq!(merged(&only_marks, &of), text, "it is what the model says");
    for text in [only_marks.replace("two", "2"), both("three\n\n", "three and a half\n\n")] {
        let Merged { edits, conflicts, .. } = merge(&text, &of);
        assert_eq!(conflicts.len(), 1, "whose it is cannot be told: {text}");
        let after = apply(&text, &edits);
        assert_eq!(after.matches("keywright:end a").count(), 1, "{after}");
        assert_eq!(forced(&text, &of), fresh(&of));
    }
    let kept = both("three\n\n", "three and a half\n\n").replace("fedcba9876543210", "fedcba9876543210 kept");
    assert_eq!(merge(&kept, &of).conflicts.len(), 1, "what one of them decided is asked again");
}

/// An example in a fence, and words where no version of git's would have them.
#[test]
fn versions_of_nothing_and_words_between_them_are_a_persons() {
    let (ours, theirs) = (parts(&[("a", "A 1"), ("b", "B")]), parts(&[("a", "A 2"), ("b", "B")]));
    let of = parts(&[("a", "A 3"), ("b", "B 3")]);
    for own in [
        "```text\n<<<<<<< ours\n=======\n>>>>>>> theirs\n```\n",
        "```text\n<<<<<<< ours\n\n||||||| MY WORDS\nwhat Ana wrote\n=======\n\n>>>>>>> theirs\n```\n",
    ] {
        for text in [format!("{}\n{own}", fresh(&of)), format!("{own}\n{}", fresh(&of))] {
            assert!(merge(&text, &of).edits.is_empty(), "{text}");
        }
    }
    let worded =
        unmerged(&fresh(&ours), &fresh(&theirs)).replace("=======\n", "||||||| base\nwhat Ana wrote\n=======\n");
    let after = apply(&worded, &merge(&worded, &of).edits);
    assert_eq!(after.matches("what Ana wrote").count(), worded.matches("what Ana wrote").count(), "{after}");
}

#[test]
fn what_only_looks_like_versions_is_left_as_it_is() {
    let of = parts(&[("a", "<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> other"), ("b", "B")]);
    let text = fresh(&of);
    assert!(merge(&text, &of).is_sound(), "the model says so");
    for own in
        ["<<<<<<< one\nmine\n", "Heading\n=======\n", "<<<<<<<\na\n=======\nb\n=======\nc\n>>>>>>>\n", ">>>>>>>\n"]
    {
        let noted = format!("{text}\n{own}");
        let merged = merge(&noted, &of);
        assert_eq!((merged.edits, merged.conflicts), (Vec::new(), Vec::new()), "{own}");
    }
}

#[test]
fn thousands_of_versions_take_no_time() {
    let of: Vec<Part> = (0..3_000).map(|at| Part { name: format!("p{at}"), text: format!("{at}\n") }).collect();
    let other: Vec<Part> = (0..3_000).map(|at| Part { name: format!("p{at}"), text: format!("{at} too\n") }).collect();
    let pairs = of.iter().zip(&other);
    let text: String = pairs
        .map(|(ours, theirs)| {
            let (ours, theirs) = (fresh(std::slice::from_ref(ours)), fresh(std::slice::from_ref(theirs)));
            format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n\n")
        })
        .collect();
    let begun = std::time::Instant::now();
    assert_eq!(merged(&text, &of).matches("keywright:begin").count(), 3_000);
    let open = "<<<<<<< HEAD\n<!-- keywright:begin a -->\n=======\n<!-- keywright:end a -->\n".repeat(20_000);
    assert!(!merge(&open, &of).is_sound());
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_byte_is_lost_that_a_person_wrote_on_either_branch(
        versions in proptest::collection::vec(small(), 4),
        ours in deeds(),
        theirs in deeds(),
    ) {
        let versions: Vec<&[Part]> = versions.iter().map(Vec::as_slice).collect();
        let generated = generated(versions.iter().copied());
        let branch = |of: &[Part], deeds: &[super::person::Deed]| {
            let text = deeds.iter().fold(fresh(versions[0]), |text, deed| super::person::done(&text, deed));
            made_again(&text, of, &generated).map_err(TestCaseError::fail)
        };
        let (one, other) = (branch(versions[1], &ours)?, branch(versions[2], &theirs)?);
        let text = unmerged(&one, &other);
        let after = made_again(&text, versions[3], &generated).map_err(TestCaseError::fail)?;
        for side in [&one, &other] {
            let own = own_lines(side, &generated);
            prop_assert_eq!(is_kept(&own, &own_lines(&after, &generated)), Ok(()), "{}", after);
        }
        if ours.is_empty() && theirs.is_empty() && !versions[3].is_empty() {
            prop_assert!(merge(&after, versions[3]).is_sound(), "{}\nof {}", after, text);
        }
    }
}
