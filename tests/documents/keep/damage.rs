//! Marks that are damaged, copied or put into each other, and names and texts that
//! would break them.

use super::merging::merged;
use super::parts;
use super::random::is_mark;
use keywright::deliverables::Part;
use keywright::deliverables::keep::{Cause, Merged, State, Trouble, Way, forced, fresh, merge, read, settle};
use keywright::syntax::apply;

#[test]
fn a_part_with_damaged_marks_is_the_readers() {
    let of = parts(&[("a", "A"), ("b", "B"), ("c", "C")]);
    let text = fresh(&of);
    let end_of_b = text.lines().find(|line| line.contains("end b")).unwrap();
    let damaged: [(String, &[(Trouble, &str)]); 5] = [
        (text.replace(end_of_b, "B's end"), &[(Trouble::NoEnd, "b")]),
        (text.replace("<!-- keywright:begin b -->", "B's begin"), &[(Trouble::NoBegin, "b")]),
        (text.replace(end_of_b, &format!("{end_of_b} note")), &[(Trouble::NoEnd, "b"), (Trouble::Unreadable, "")]),
        (
            text.replace(end_of_b, &end_of_b.replace("-->", "todo -->")),
            &[(Trouble::NoEnd, "b"), (Trouble::Unreadable, "")],
        ),
        (text.replace("end b", "end B"), &[(Trouble::NoEnd, "b"), (Trouble::NoBegin, "B")]),
    ];
    for (text, faults) in damaged {
        let Merged { edits, conflicts, faults: found, .. } = merge(&text, &of);
        let found: Vec<(Trouble, &str)> = found.iter().map(|fault| (fault.trouble, fault.name.as_str())).collect();
        assert_eq!((found.as_slice(), conflicts.len()), (faults, 0), "{text}");
        assert!(edits.iter().all(|edit| edit.range.is_empty()), "nothing is taken away: {edits:?}");
        let made = merged(&text, &of);
        assert_eq!(read(&made).parts.iter().filter(|part| part.name == "b").count(), 1, "{made}");
        assert_eq!(made.matches("\nB\n").count(), 2, "the reader's and the model's: {made}");
    }
}

#[test]
fn an_end_without_a_hash_is_an_edited_part() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let other = parts(&[("a", "A"), ("b", "B 2")]);
    let hash = regex_lite::Regex::new("(end b) [0-9a-f]+").unwrap();
    for said in ["$1", "$1 0123456789abcdef", "$1 12"] {
        let text = hash.replace(&fresh(&of), said).into_owned();
        assert_eq!(read(&text).parts[1].state, State::Edited);
        assert_eq!(merge(&text, &other).conflicts.len(), 1, "{text}");
        // Two branches that were merged by hand may agree on the text alone.
        assert_eq!(merged(&text, &of), fresh(&of));
    }
}

/// What a deletion leaves of two marks may read as one.
#[test]
fn a_mark_is_read_however_its_blanks_and_its_hash_are_written() {
    let body = "<!-- keywright:begin a -->\nmine\n";
    for end in [
        "<!-- keywright:end a 04a3E -->",
        "<!-- keywright:end\t a 04A3E-->",
        "<!--keywright:end  a -->",
        "  <!-- keywright:end a  04a3  -->\t",
        "\u{feff}<!-- keywright:end a -->",
    ] {
        assert!(is_mark(end), "{end:?}");
        let text = format!("{body}{end}\nbelow\n");
        let [part] = &read(&text).parts[..] else { panic!("{text:?}") };
        assert_eq!(part.state, State::Edited);
        // What else is on its line is the reader's.
        let around = end.split("<!--").next().unwrap();
        let [conflict] = &merge(&text, &parts(&[("a", "A")])).conflicts[..] else { panic!("{text:?}") };
        for way in [Way::Mine, Way::New] {
            let after = apply(&text, &settle(&text, conflict, way));
            assert!(after.contains(&format!("\n{around}<!-- keywright:end a ")), "{after:?}");
        }
    }
    for no_mark in [
        "<!-- keywright:end a 04a3 --><!-- keywright:begin b -->",
        "<!-- keywright:end a 04g3 -->",
        "<!-- keywright:ended a -->",
        "<!-- keywright:begin -->",
        "<!-- keywright:begin a b -->",
    ] {
        assert!(!is_mark(no_mark), "{no_mark:?}");
        let faults = read(&format!("{body}{no_mark}\n")).faults;
        assert!(faults.iter().any(|fault| fault.trouble == Trouble::Unreadable), "{no_mark:?}: {faults:?}");
    }
}

#[test]
fn marks_within_marks_are_no_parts() {
    let of = parts(&[("a", "A"), ("b", "B")]);
    let block = |name: &str, text: &str| fresh(&parts(&[(name, text)]));
    let nested = block("a", "A").replace("\nA\n", &format!("\nA\n{}", block("b", "B")));
    let existing = read(&nested);
    assert_eq!(existing.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["b"]);
    let faults: Vec<Trouble> = existing.faults.iter().map(|fault| fault.trouble).collect();
    assert_eq!(faults, [Trouble::NoEnd, Trouble::NoBegin]);
    let made = merged(&nested, &of);
    assert_eq!((made.matches("\nA\n").count(), made.matches("\nB\n").count()), (2, 1));
    // Without b its marks would close around what the reader has of a.
    let [conflict] = &merge(&made, &parts(&[("a", "A 2")])).conflicts[..] else { panic!("{made}") };
    assert_eq!((conflict.cause, conflict.name.as_str()), (Cause::Gone, "b"));
}

#[test]
fn of_a_copied_part_one_is_made_again_and_the_others_are_the_readers() {
    let (first, second) = (parts(&[("a", "A"), ("b", "B")]), parts(&[("a", "A"), ("b", "B 2")]));
    let text = fresh(&first);
    let copy = fresh(&parts(&[("b", "B")]));
    let text = format!("{text}\nas it was:\n\n{copy}");
    let Merged { faults, .. } = merge(&text, &first);
    assert_eq!(
        faults.iter().map(|fault| (fault.trouble, fault.name.as_str())).collect::<Vec<_>>(),
        [(Trouble::Again, "b")]
    );
    assert_eq!(merged(&text, &first), text);
    assert_eq!(merged(&text, &second), format!("{}\nas it was:\n\n{copy}", fresh(&second)));
    // One that was edited is not asked about where another one was not.
    let edited = text.replacen("\nB\n", "\nmy B\n", 1);
    let made = merged(&edited, &second);
    assert!(made.contains("\nmy B\n") && made.ends_with(&fresh(&parts(&[("b", "B 2")]))), "{made}");
    // Where one of them is current there is nothing to do.
    let older = format!("{}\n{}", fresh(&parts(&[("b", "B")])), fresh(&second));
    assert_eq!(merged(&older, &second), older);
    // Which of the two the table had is not known once it is gone.
    assert_eq!(merge(&text, &parts(&[("a", "A")])).conflicts.len(), 2);
}

#[test]
fn names_cannot_break_out_of_a_mark_and_stay_apart() {
    let names = [
        "", "a b", "a--b", "-->", ">", "-", "--", "a%20b", "%", "é🙂", "a\nb", "a\u{0}", "kept", "b ", " b", "\u{2028}",
    ];
    let of: Vec<Part> = names.iter().map(|name| Part { name: (*name).to_owned(), text: "x\n".to_owned() }).collect();
    let text = fresh(&of);
    for line in text.lines().filter(|line| line.starts_with("<!--")) {
        let inner = line.strip_prefix("<!--").and_then(|line| line.strip_suffix("-->")).unwrap();
        assert!(!inner.contains("--") && !inner.contains('>') && !inner.contains('<'), "{line}");
        assert!(!inner.contains(|c: char| c.is_control()), "{line:?}");
    }
    let existing = read(&text);
    assert_eq!(existing.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), names);
    assert_eq!(existing.faults, []);
    assert_eq!(merged(&text, &of), text);
}

#[test]
fn two_parts_of_one_name_are_told_apart() {
    let of = parts(&[("table T", "1"), ("table T~2", "2"), ("table T", "3")]);
    let text = fresh(&of);
    assert_eq!(merged(&text, &of), text);
    assert_eq!(read(&text).faults, []);
}

#[test]
fn a_text_that_looks_like_a_mark_is_none() {
    let of = parts(&[
        ("a", "```\n<!-- keywright:end a -->\n<!--keywright:begin x-->\n  <!-- keywright:end\n```"),
        ("b", "B"),
    ]);
    let text = fresh(&of);
    assert_eq!((read(&text).parts.len(), read(&text).faults.len()), (2, 0), "{text}");
    assert_eq!(merged(&text, &of), text);
}

/// A text of somebody else may hold anything.
#[test]
fn a_document_full_of_conflicts_and_damaged_marks_takes_no_time() {
    let block = |number: usize| format!("<!-- keywright:begin {number} -->\nmine\n<!-- keywright:end {number} -->\n");
    let clean = |number: usize| fresh(&parts(&[(format!("clean {number}").as_str(), "x")]));
    let begins = (0..8_000).map(|number| format!("<!-- keywright:begin open{number} -->\n")).collect::<String>();
    let ends = (0..8_000).map(|number| format!("<!-- keywright:end stray{number} -->\n")).collect::<String>();
    let blocks: String = (0..8_000).map(block).collect();
    let clean: String = (0..8_000).map(clean).collect();
    let text = format!("{begins}{blocks}{clean}{ends}");
    let of: Vec<Part> = (0..8_000).map(|_| Part { name: "same".to_owned(), text: "x\n".to_owned() }).collect();
    let begun = std::time::Instant::now();
    assert_eq!(merge(&text, &of).conflicts.len(), 8_000);
    assert!(merge(&forced(&text, &of), &of).is_current);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
