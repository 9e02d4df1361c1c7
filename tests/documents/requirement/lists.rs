//! Children in a list of their parent, and pairs that cost what nobody knows.

use super::made::{LISTED, line, of, pair};
use super::sections::check;

#[test]
fn what_is_asked_for_by_its_list_is_read_with_its_parent() {
    let of = |patterns: &str| of(&format!("{LISTED}{patterns}"));
    let listed = of("pattern Page { reads A(lines) by id get A from T rate 5/s }");
    assert!(line(&listed, "Access Correlation").starts_with("100 % of the reads of either"), "{listed}");
    let other = of("pattern Page { reads A(name) by id get A from T rate 5/s }");
    assert!(line(&other, "Access Correlation").starts_with("0 % of the reads of either"), "{other}");
}

#[test]
fn a_list_that_an_index_or_a_projection_leaves_out_is_not_read() {
    let of = |patterns: &str| of(&format!("{LISTED}{patterns}"));
    for (operation, share) in [
        ("get A from T", "100 %"),
        ("get A from T project name", "0 %"),
        ("get A from T project name, lines", "100 %"),
        ("query T.ByName where name = :name limit 9", "0 %"),
    ] {
        let document = of(&format!("pattern Page {{ {operation} rate 5/s }}"));
        let told = line(&document, "Access Correlation").to_owned();
        assert!(told.starts_with(&format!("{share} of the reads of either")), "{operation}: {told}");
    }
}

#[test]
fn who_sets_a_list_writes_what_is_in_it() {
    let of = |operation: &str| {
        let document = of(&format!("{LISTED}pattern Write {{ {operation} rate 1/s }}"));
        line(&document, "Update Patterns").to_owned()
    };
    let only = of("update A in T set lines if exists");
    assert!(only.starts_with("A only: no pattern; L only: Write (1/s); both: no pattern; every write of L"), "{only}");
    assert!(!only.contains("$0.00"), "{only}");
    let both = of("update A in T set name, lines if exists");
    assert!(both.starts_with("A only: no pattern; L only: no pattern; both: Write (1/s); every write of L"), "{both}");
    let put = of("put A into T if not_exists");
    assert!(put.starts_with("A only: no pattern; L only: no pattern; both: Write (1/s)"), "{put}");
    let other = of("update A in T set name if exists");
    assert!(other.starts_with("A only: Write (1/s); L only: no pattern; both: no pattern"), "{other}");
}

#[test]
fn what_lies_in_an_item_of_the_collection_lies_in_the_collection() {
    let document = of("entity O { oid: ulid @id }
entity P { oid: ulid @id @of(O) pno: number @id }
entity L { lno: number @id oid: ulid @of(P) }
relationship O 1:N L { children avg 2, max 9 }
aggregate O, L { decision item_collection }
table Os { partition key oid sort key sk: string item O { sk = \"O\" } item P embeds L as ls { sk = \"P#{pno:4}\" } }
");
    let told = line(&document, "Decision");
    assert!(told.contains("the tables do so"), "{told}");
    assert!(told.contains("an item of `P` embeds its `L`"), "{told}");
}

#[test]
fn what_no_operation_answers_is_not_taken_as_nothing() {
    let model = |more: &str| of(&format!("{LISTED}pattern Page {{ get A from T rate 5/s }}\n{more}"));
    let without = model("");
    assert!(line(&without, "Justification").contains("a month together"), "{without}");
    let open = model("pattern Write { writes L rate 1000/s }");
    let told = line(&open, "Justification");
    assert!(told.contains("needs") && told.contains("`Write`"), "{told}");
    let apart = of(&pair(
        "relationship A 1:N B { children avg 2, max 3 }",
        ["4/s", "3/s", "3/s"],
        "pattern Write { writes B rate 1000/s }",
    ));
    let told = line(&apart, "Justification");
    let whole = told.split("all that reads or writes either in one item").nth(1).expect("the sum is told");
    assert!(whole.contains("needs") && whole.contains("`Write`"), "{told}");
}

#[test]
fn an_aggregate_without_a_decision_says_what_it_says() {
    let document = of(&pair(
        "relationship A 1:N B { children avg 2, max 3 identifying }",
        ["1/s", "3/s", "3/s"],
        "aggregate A, B { because \"Left open: we do not know.\" }",
    ));
    assert!(line(&document, "Justification").ends_with("without a decision: Left open: we do not know."), "{document}");
    assert!(!document.contains("no `aggregate` says why"), "{document}");
    assert!(document.contains("its `aggregate` decides nothing (it says: Left open: we do not know)"), "{document}");
    let at = document.lines().find(|line| line.contains("decides nothing")).expect("the box is open");
    assert!(at.contains("m.dynamo:11"), "the aggregate, not the relationship: {at}");
}

#[test]
fn one_item_that_dynamodb_refuses_has_no_cost() {
    let document = of(&pair("relationship A 1:N B { children avg 20, max 900 }", ["4/s", "3/s", "3/s"], ""));
    let told = line(&document, "Justification");
    assert!(told.contains("One item cannot hold both") && !told.contains("either in one item"), "{told}");
}

/// Who lists the parent as a whole gets the children in its list, whether it lists them or
/// not; who lists some of its attributes, or reads where the list is left out, does not.
#[test]
fn children_in_a_list_are_read_with_their_parent() {
    let shares = |pattern: &str| {
        let document = of(&format!("{LISTED}{pattern}\n"));
        check(&document);
        line(&document, "Query Patterns").to_owned()
    };
    for (pattern, expected) in [
        ("pattern One { reads A get A from T rate 1/s }", "A only 0 %, L only 0 %, both 100 %"),
        ("pattern One { reads A by id query T where id = :id rate 1/s }", "A only 0 %, L only 0 %, both 100 %"),
        ("pattern One { reads A(name, lines) get A from T rate 1/s }", "A only 0 %, L only 0 %, both 100 %"),
        ("pattern One { reads A(name) get A from T rate 1/s }", "A only 100 %, L only 0 %, both 0 %"),
        ("pattern One { reads A get A from T project name rate 1/s }", "A only 100 %, L only 0 %, both 0 %"),
        (
            "pattern One { reads A query T.ByName where name = :n limit 9 rate 1/s }",
            "A only 100 %, L only 0 %, both 0 %",
        ),
        ("pattern Later { reads A by id rate 1/s }", "A only 100 %, L only 0 %, both 0 %"),
    ] {
        let told = shares(pattern);
        assert!(told.starts_with(expected), "{pattern}: {told}");
    }
    let document = of(&format!("{LISTED}pattern One {{ reads A get A from T rate 1/s }}\n"));
    assert!(line(&document, "Access Correlation").starts_with("100 % of the reads of either read both: One (1/s)."));
    assert!(!document.to_lowercase().contains("no pattern reads both"), "{document}");
}
