//! What the condition of a write says of the items that it finds: all of them are in
//! an index, or none is (numbers W2–W4).

use super::units::{SHOP, assert_units};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::verify::{Agreement, Embedded, Options, verify};

#[test]
fn what_a_condition_says_of_the_items_that_a_write_finds() {
    assert_units(
        SHOP,
        &[
            // All have it: the entry goes, moves, or is rewritten each time.
            ("update Order in Main set status remove open_at if exists(open_at)", "3 W + 3 ByCity + 1 Open"),
            ("update Order in Main set status if exists(open_at)", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set total if exists(open_at)", "3 W + 3 ByCity + 1 ByDay + 1 Open"),
            ("delete Order from Main if exists(open_at)", "3 W + 3 ByCity + 1 ByDay + 1 Open"),
            // None has it: the entry is new, or there is none.
            ("update Order in Main set open_at if not_exists(open_at)", "3 W + 3 ByCity + 1 Open"),
            ("update Order in Main set status if not_exists(open_at)", "3 W + 3 ByCity"),
            ("update Order in Main set status remove open_at if not exists(open_at)", "3 W + 3 ByCity"),
            ("update Order in Main set total if not_exists(open_at)", "3 W + 3 ByCity + 1 ByDay"),
            ("delete Order from Main if not_exists(open_at)", "3 W + 3 ByCity + 1 ByDay"),
            // What is only projected, and removed.
            ("update Order in Main remove note if exists(note)", "3 W + 3 ByCity + 0.1 Open"),
            ("update Order in Main remove note if exists(note) and exists(open_at)", "3 W + 3 ByCity + 1 Open"),
            ("update Order in Main remove note if not_exists(note)", "3 W"),
            // A comparison holds of what is there only, whatever it is with.
            ("update Order in Main set open_at if open_at = :t", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if open_at <= :t", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if open_at between :s and :t", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if open_at in (:s, :t)", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if open_at begins_with \"2026\"", "3 W + 3 ByCity + 2 Open"),
            ("update User in Main set vip if vip contains \"x\"", "1 W + 2 Vips"),
            // But for `<>`, which holds of what is not there as well.
            ("update Order in Main set open_at if open_at <> :t", "3 W + 3 ByCity + 1.1 Open"),
            ("update Order in Main set open_at if not open_at <> :t", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if not open_at = :t", "3 W + 3 ByCity + 1.1 Open"),
            // Another attribute says nothing, nor does that there is an item.
            ("update Order in Main set open_at if total > 1", "3 W + 3 ByCity + 1.1 Open"),
            ("update Order in Main set open_at if exists", "3 W + 3 ByCity + 1.1 Open"),
            // One side of an `and` is enough; `or` says what both sides say.
            ("update Order in Main set open_at if total > 1 and exists(open_at)", "3 W + 3 ByCity + 2 Open"),
            ("update Order in Main set open_at if total > 1 or exists(open_at)", "3 W + 3 ByCity + 1.1 Open"),
            ("update Order in Main set open_at if open_at > :t or exists(open_at)", "3 W + 3 ByCity + 2 Open"),
            (
                "update Order in Main set open_at if total > 1 and exists(open_at) or open_at = :t",
                "3 W + 3 ByCity + 2 Open",
            ),
            ("update Order in Main set open_at if exists(open_at) or not_exists(open_at)", "3 W + 3 ByCity + 1.1 Open"),
            // `not` turns both round.
            ("update Order in Main set open_at if not (not_exists(open_at) or total > 1)", "3 W + 3 ByCity + 2 Open"),
            (
                "update Order in Main set open_at if not (not_exists(open_at) and total > 1)",
                "3 W + 3 ByCity + 1.1 Open",
            ),
            ("update Order in Main set open_at if not (not (not_exists(open_at)))", "3 W + 3 ByCity + 1 Open"),
            // A side that never holds leaves the other.
            (
                "update Order in Main set open_at if exists(open_at) and not_exists(open_at) or not_exists(open_at)",
                "3 W + 3 ByCity + 1 Open",
            ),
            // It makes the item: nothing of it was in an index.
            ("update Order in Main set city, status, open_at if not_exists", "3 W + 3 ByCity + 1 Open"),
            ("update Order in Main set city, status if not_exists", "3 W + 3 ByCity"),
            ("update User in Main set vip if not_exists(user_id)", "1 W + 1 Vips"),
        ],
    );
}

/// Keys that are made of optional attributes, and what is embedded.
const MADE: &str = r#"
entity Task {
  task_id: ulid @id
  team: string? @size(4B) @present(50%)
  due: timestamp? @present(20%)
  text: string @size(20B)
  count 1M
  size 200B
}
entity Note { note_no: number @id task_id: ulid @of(Task) due: timestamp text: string @size(20B) }
relationship Task 1:N Note { children avg 2, max 5 }
table Tasks {
  partition key task_id
  item Task embeds Note as notes { team_due = "{team}#{due}" due_key = "DUE#{due}" }
  gsi ByTeam { partition key team_due: string projection all sparse }
  gsi ByDue { partition key due_key: string projection all sparse }
}
"#;

#[test]
fn what_a_condition_says_of_a_key_it_says_of_what_makes_it() {
    assert_units(
        MADE,
        &[
            ("update Task in Tasks set text", "1 W + 0.2 ByDue + 0.1 ByTeam"),
            ("update Task in Tasks set text if exists(due_key)", "1 W + 1 ByDue + 0.5 ByTeam"),
            ("update Task in Tasks set text if exists(team_due)", "1 W + 1 ByDue + 1 ByTeam"),
            ("update Task in Tasks set text if not_exists(due_key)", "1 W"),
            // One of its two attributes is missing, or both.
            ("update Task in Tasks set text if not_exists(team_due)", "1 W + 0.2 ByDue"),
            ("delete Task from Tasks if not_exists(team_due)", "1 W + 0.2 ByDue"),
            ("update Task in Tasks set due if not_exists(team_due) and exists(team)", "1 W + 1 ByDue + 1 ByTeam"),
            // Of what is embedded `due` is the note's own; a key is the item's.
            ("update Note in Tasks set text if exists(due)", "1 W + 0.2 ByDue + 0.1 ByTeam"),
            ("update Note in Tasks set text if exists(team)", "1 W + 0.2 ByDue + 0.2 ByTeam"),
            ("delete Note from Tasks if exists(due_key)", "1 W + 1 ByDue + 0.5 ByTeam"),
            ("put Note into Tasks if not_exists", "1 W + 0.2 ByDue + 0.1 ByTeam"),
        ],
    );
}

/// A run writes items that the condition holds for, and its engine charges for their
/// entries: one call in one, or none, whatever share of all items is in the index.
#[test]
fn a_run_measures_what_a_condition_says() {
    let text = r#"
application Tasks { domain "d" scale "s" region "us-east-1" }
entity Task { task_id: ulid @id due: timestamp? @present(25%) text: string @size(20B) count 1M size 200B }
table Tasks {
  partition key task_id
  item Task
  gsi Due { partition key due projection all sparse }
}
pattern Finish { update Task in Tasks set text remove due if exists(due) rate 1/s }
pattern Plan { update Task in Tasks set due if not_exists(due) and text <> "x" rate 1/s }
pattern Change { update Task in Tasks set due if due > "2020" rate 1/s }
pattern Drop { delete Task from Tasks if exists(due) rate 1/s }
pattern Tidy { delete Task from Tasks if not exists(due) rate 1/s }
"#;
    let mut host = Host::default();
    let key = FileKey::new("/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key];
    let report = verify(db, root, &Embedded::open().expect("the engine starts"), &Options::default());
    let of_pattern = |name: &str| {
        let pattern = report.patterns.iter().find(|pattern| pattern.name == name).expect("it is run");
        let [operation] = pattern.operations.as_slice() else { panic!("one operation") };
        let mut all = operation.expectations.iter();
        let due = all.find(|one| one.of == "units of Tasks.Due").expect("it is compared");
        assert_eq!(due.outcome, Agreement::Exact, "{name}: {}", due.words());
        due.measured
    };
    let measured = ["Finish", "Plan", "Change", "Drop", "Tidy"].map(of_pattern);
    assert_eq!(measured, [1.0, 1.0, 2.0, 1.0, 0.0]);
}
