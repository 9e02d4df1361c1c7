//! The implementation notes of the patterns: what a write leaves behind that is
//! refused, and what it makes that nobody asked for.

use super::made::Made;

const SEATS: &str = "\
entity Seat { show_id: ulid @id @distinct(100)  seat: number @id  state: enum(free, held, sold)  holder: string? @size(10B)  count 10k }
entity Show { show_id: ulid @id  left: number  count 100 size 100B }
table Seats { partition key show_id  sort key seat  item Seat }
table Shows { partition key show_id  item Show }
";

/// The notes of the one pattern that a model has.
fn notes(operations: &str) -> String {
    let made = Made::new(operations, &format!("{SEATS}pattern Hold {{ {operations} rate avg 1/s }}\n"));
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    rows[0].last().expect("a row has cells").clone()
}

#[test]
fn an_update_that_makes_what_is_not_there_says_so() {
    const MADE: &str = "makes the item where there is none";
    let update = |condition: &str| notes(&format!("update Seat in Seats set state, holder {condition}"));
    for condition in [
        "",
        "if not_exists(holder)",
        "if state <> \"sold\"",
        "if not (state = \"sold\")",
        "if state = \"free\" or not_exists(holder)",
        "if not_exists(holder) and state <> \"sold\"",
    ] {
        assert!(update(condition).contains(MADE), "{condition}: {}", update(condition));
    }
    for condition in [
        "if exists",
        "if exists(holder)",
        "if state = \"free\"",
        "if not (state <> \"sold\")",
        "if state = \"free\" and not_exists(holder)",
        "if not_exists(holder) and (state = \"free\" or exists(state))",
    ] {
        assert!(!update(condition).contains(MADE), "{condition}: {}", update(condition));
    }
    // A transaction makes it as well, and says of which step that is.
    let both = notes("transact write { update Seat in Seats set state  update Show in Shows set left if exists }");
    let (seat, others) = both.split_once("<br>").expect("each step has a line");
    assert!(seat.starts_with("Seat: ") && seat.contains(MADE) && !others.contains(MADE), "{both}");
}

#[test]
fn a_refused_transaction_says_what_is_left_and_whether_to_try_again() {
    let write = |condition: &str| {
        notes(&format!(
            "transact write {{ update Seat in Seats set state {condition}  update Show in Shows set left }}"
        ))
    };
    let held = write("if state = \"free\"");
    for said in [
        "`TransactionCanceledException`: nothing is written, though write units may be taken all the same",
        "`CancellationReasons`",
        "`ConditionalCheckFailed` fails again on a retry",
        "`TransactionConflict` is worth a retry",
        "an answer that was lost: retry with the same `ClientRequestToken`",
    ] {
        assert!(held.contains(said), "{held}");
    }
    // Without a condition none can fail.
    assert!(write("").contains("`TransactionConflict`") && !write("").contains("`ConditionalCheckFailed`"));
    let read = notes("transact get { get Seat from Seats  get Show from Shows }");
    assert!(read.contains("`TransactionCanceledException`") && !read.contains("`ClientRequestToken`"), "{read}");
}
