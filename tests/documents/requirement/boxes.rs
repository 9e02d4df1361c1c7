//! The boxes, each opened and closed by one clause of the model.

use super::made::{TICKED, boxes, of, of_files};
use super::sections::check;

#[test]
fn every_box_is_ticked_where_all_is_there() {
    let document = of(TICKED);
    check(&document);
    let open: Vec<&str> = boxes(&document).into_iter().filter(|line| !line.starts_with("- [x] ")).collect();
    assert_eq!(open, [""; 0], "{document}");
    assert!(document.contains("15 of 15 boxes are ticked."), "{document}");
}

#[test]
fn a_box_opens_with_one_clause_and_links_to_its_line() {
    let line_of = |text: &str, what: &str| text[..text.find(what).expect(what)].matches('\n').count() + 1;
    for (clause, instead, question, words, at) in [
        ("domain \"shop\"", "", "The domain and the scale", "no `domain`", "App"),
        ("scale \"small\"", "scale \"\"", "The domain and the scale", "no `scale`", "App"),
        ("a_id: uuid @id\n", "a_id: uuid\n", "Every entity has an identity", "no attribute of A is its `@id`", "A {"),
        (
            "children avg 9, max 40",
            "children avg 9",
            "Every relationship is declared",
            "no maximum of `children`",
            "A 1:N",
        ),
        ("item B { sk = \"B#{b_id}\" }", "", "Every related pair is decided", "no tables hold both", "A 1:N"),
        (
            "rate avg 60/s, peak 90/s",
            "rate avg 60/s",
            "Every pattern has an average and a peak",
            "1 Page: no peak `rate`",
            "Page {",
        ),
        ("latency 50ms", "", "Every pattern that reads says how fast", "1 Page: no `latency`", "Page {"),
        (
            "delete B from Main if exists",
            "",
            "It is known how consistent",
            "4 DropB: no operation says so yet",
            "DropB {",
        ),
        (
            "children avg 9, max 40",
            "children avg 9",
            "The result of every read is bounded",
            "1 Page: not bounded",
            "Page {",
        ),
        ("size avg 500B, max 900B", "size avg 500B", "The item size band", "B of unknown size", "Page {"),
    ] {
        let text = TICKED.replacen(clause, instead, 1);
        let document = of(&text);
        check(&document);
        let ticked =
            boxes(&of(TICKED)).into_iter().filter(|line| line.starts_with(&format!("- [x] {question}"))).count();
        assert_eq!(ticked, 1, "{question}");
        let start = document.lines().position(|line| line.starts_with(&format!("- [ ] {question}")));
        let start = start.unwrap_or_else(|| panic!("{question} is open without {clause}: {document}"));
        // The box, and what is listed below it.
        let all: Vec<&str> = document.lines().skip(start).collect();
        let length = 1 + all[1..].iter().take_while(|line| line.starts_with("  - ")).count();
        let told = all[..length].iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {all:?}"));
        let number = line_of(&text, &format!(" {at}"));
        assert!(told.ends_with(&format!("([m.dynamo:{number}](m.dynamo#L{number}))")), "{told}");
    }
}

#[test]
fn reads_and_writes_want_their_counterpart() {
    let open = |document: &str, question: &str| document.contains(&format!("- [ ] {question}"));
    let (read, written) = ("Every entity that is read is written", "Every entity that is written is read");
    let no_write = TICKED.replace(
        "pattern PutB {\n  put B into Main if not_exists\n",
        "pattern PutB {\n  put A into Main if not_exists\n",
    );
    let no_write = no_write.replace("delete B from", "delete A from");
    let document = of(&no_write);
    assert!(open(&document, read) && !open(&document, written), "{document}");
    let no_read = TICKED.replace("reads A, B by a_id\n  query Main where a_id = :a_id\n", "get A from Main\n");
    let document = of(&no_read);
    assert!(open(&document, written) && !open(&document, read), "{document}");
    // A reason is as good as a counterpart.
    let declined = no_read.replace("put B into", "no_read because \"Kept for the auditors.\"\n  put B into");
    assert!(!open(&of(&declined), written), "{}", of(&declined));
}

#[test]
fn what_was_not_looked_at_is_not_ticked() {
    // No pattern, no table, no entity: there is nothing to tick a box for.
    assert!(!of("").contains("- [x]"), "{}", of(""));
    assert!(of("").contains("0 of 15 boxes are ticked."));
    // Text that does not parse may hide what a rule would find.
    let broken = of(&format!("{TICKED}\npattern Half {{ rate avg 5/\n"));
    let ticked: Vec<&str> = boxes(&broken).into_iter().filter(|line| line.starts_with("- [x]")).collect();
    assert_eq!(ticked.len(), 1, "the application stands by itself: {ticked:?}");
    // A rule that is switched off has not passed.
    let toml = "[levels]\nmissing-write-pattern = \"off\"\n";
    let text = TICKED.replace("put B into", "put A into").replace("delete B from", "delete A from");
    let document = of_files(&[("m.dynamo", &text)], Some(toml));
    assert!(document.contains("- [ ] Every entity that is read is written"), "{document}");
}

/// A rule that has nothing to look at finds nothing: that is no reason to tick.
#[test]
fn what_no_rule_asks_for_yet_is_asked_for_by_the_box() {
    let planned = "application App { domain \"d\" scale \"s\" }
entity A { id: uuid @id name: string }
entity B { id: uuid @id a_id: uuid @of(A) }
relationship A 1:N B { children avg 2, max 9 }
pattern Page { reads A, B latency 1s }
pattern Make { writes A, B rate avg 1/s, peak 1/s }
";
    let document = of(planned);
    check(&document);
    let has = |words: &str| assert!(document.contains(words), "{words}: {document}");
    has("- [ ] Every entity has an identity, a size, and a number of items: 2 things");
    has("  - the size of A needs `@size` of `A.name` ([m.dynamo:2](m.dynamo#L2))");
    has("  - how many A there are is not declared ([m.dynamo:2](m.dynamo#L2))");
    // How often the two are read together is not known.
    has("- [ ] No candidate for consolidation is left open: A + B: the share of the reads needs");
    has("- [ ] No key is hot, and the load on each is known: the model declares no table");
}

/// What one `allow` accepts opens the box of neither document, and both name it.
#[test]
fn what_is_accepted_is_named_in_its_box() {
    let text =
        TICKED.replace("rate avg 60/s, peak 90/s", "rate avg 60/s\n  allow missing-rate because \"Not measured yet.\"");
    let document = of(&text);
    let expected = "- [x] Every pattern has an average and a peak rate, but what is accepted: \
                    1 Page: no peak `rate`, because Not measured yet (";
    assert!(document.contains(expected), "{document}");
    let scanned = TICKED.replace("query Main where a_id = :a_id", "scan Main\n  allow scan-pattern because \"Few.\"");
    let document = of(&scanned);
    let expected = "- [x] The result of every read is bounded, but what is accepted: \
                    1 Page: not bounded: it reads everything, because Few (";
    assert!(document.contains(expected), "{document}");
}

/// What the tables do otherwise is no settled candidate, and something was found.
#[test]
fn a_pair_that_is_kept_otherwise_is_left_open() {
    let text = TICKED.replace("decision item_collection", "decision separate_tables");
    let document = of(&text);
    check(&document);
    let told =
        "A + B is kept otherwise than its `aggregate` says: `A` and `B` are items under one partition key of `Main`";
    let open = format!("- [ ] No candidate for consolidation is left open: {told} (");
    assert!(document.contains(&open), "{document}");
    let line = text[..text.find("decision separate").expect("it is there")].matches('\n').count() + 1;
    assert!(document.contains(&format!("{told} ([m.dynamo:{line}](m.dynamo#L{line}))")), "{document}");
    let opportunity = "the model decides no table with both, and the tables do otherwise: ";
    assert!(document.contains(opportunity), "{document}");
    assert!(!of(TICKED).contains(opportunity), "{document}");
}

#[test]
fn links_lead_into_every_file_of_the_model() {
    let part = "\n\n/// Has no rate.\npattern Silent {\n  scan Nowhere\n}\n";
    let name = "sub dir/Käufe [1].dynamo";
    let root = format!("import \"{name}\"\n{TICKED}");
    let document = of_files(&[("shop (new).dynamo", &root), (name, part)], None);
    check(&document);
    let link = "([sub dir/Käufe \\[1\\].dynamo:4](sub%20dir/K%C3%A4ufe%20%5B1%5D.dynamo#L4))";
    assert!(document.contains(&format!("6 Silent: no `rate` {link}")), "{document}");
    // What the model lacks as a whole is lacking in its root.
    let without = of_files(&[("shop (new).dynamo", "entity A { id: uuid @id }")], None);
    assert!(
        without.contains("the model has no `application` ([shop (new).dynamo:1](shop%20%28new%29.dynamo#L1))"),
        "{without}"
    );
}
