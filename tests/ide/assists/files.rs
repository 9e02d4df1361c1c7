//! Declarations that move to a file of their own, and imports that are taken in.

use crate::support::assists::{check, check_and_back, check_not_offered};

/// A library in one file, with a comment for the file, docs and comments of
/// declarations, and allows at the top.
const LIBRARY: &str = r##"// The model of a public library.

allow missing-size, missing-count because "Nobody has counted yet."
allow create-without-condition because "Cards are printed with a number of their own."

/// A reader.
// Kept after the last loan.
entity Reader {
  card: string @id @size(10B)
  name: string

  size 100B
} // from the old system

relationship Reader 1:N Loan { children avg 3, max 40 }

$0/// A book that somebody has.
entity Loan {
  loan_id: ulid @id
  card:    string @of(Reader)
  note:    string
}
$0
table Readers {
  partition key card
  item Reader
}

table Loans {
  partition key loan_id
  item Loan
}

pattern Register {
  put Reader into Readers
  rate avg 0.1/s, peak 1/s
}

pattern Identify {
  get Reader from Readers
  rate avg 1/s, peak 5/s
}

pattern Lend {
  put Loan into Loans
  rate avg 1/s, peak 5/s
}

pattern ShowLoan {
  get Loan from Loans
  rate avg 1/s, peak 5/s
}
"##;

#[test]
fn declarations_move_to_a_file_with_their_comments_and_what_allows_them() {
    let moved = "/// A book that somebody has.
entity Loan {
  loan_id: ulid @id
  card:    string @of(Reader)
  note:    string
}
";
    let expected = LIBRARY
        .replace("$0", "")
        .replace(&format!("{moved}\n"), "")
        .replace("allow missing-size, missing-count", "import \"loan.dynamo\"\n\nallow missing-size, missing-count");
    // Counts are missing in both files, sizes in the new one.
    let expected = expected.replace("allow missing-size, missing-count", "allow missing-count");
    let expected = format!(
        "{expected}//- loan.dynamo\nallow missing-size, missing-count because \"Nobody has counted yet.\"\n\n{moved}"
    );
    check(LIBRARY, "Move `Loan` to `loan.dynamo`", &expected);
}

#[test]
fn several_declarations_move_behind_the_other_imports() {
    let model = r##"import "loans.dynamo"
import "other.dynamo"

// Floats.

// Belongs to the doctor.
entity Doctor { doctor_id: uuid @id size 1KB count 10 }
$0entity Nurse { nurse_id: uuid @id size 1KB count 10 }
relationship Doctor 1:1 Nurse
/// Their table.
table Doctors { $0partition key doctor_id item Doctor }
table Nurses { partition key nurse_id item Nurse }
//- loans.dynamo
pattern A { put Doctor into Doctors rate 1/s }
//- other.dynamo
pattern B { put Nurse into Nurses rate 1/s }
//- nurse.dynamo
consideration "Taken."
"##;
    let expected = r##"import "loans.dynamo"
import "other.dynamo"
import "nurse2.dynamo"

// Floats.

// Belongs to the doctor.
entity Doctor { doctor_id: uuid @id size 1KB count 10 }
table Nurses { partition key nurse_id item Nurse }
//- loans.dynamo
pattern A { put Doctor into Doctors rate 1/s }
//- other.dynamo
pattern B { put Nurse into Nurses rate 1/s }
//- nurse.dynamo
consideration "Taken."
//- nurse2.dynamo
entity Nurse { nurse_id: uuid @id size 1KB count 10 }
relationship Doctor 1:1 Nurse
/// Their table.
table Doctors { partition key doctor_id item Doctor }
"##;
    check(model, "Move 3 declarations to `nurse2.dynamo`", expected);
}

#[test]
fn one_of_two_patterns_moves_and_all_of_a_file_stays() {
    let model = "pattern A {\n  rate 1/s\n}\n\n// About B.\npattern B$0 {\n  rate 1/s\n}\n";
    let expected =
        "import $0\"b.dynamo\"\n\npattern A {\n  rate 1/s\n}\n//- b.dynamo\n// About B.\npattern B {\n  rate 1/s\n}\n";
    check_and_back(model, "Move `B` to `b.dynamo`", expected, "Inline `b.dynamo`");
    // The second table of a file is the first of the model, and the other one is not
    // allowed to be the second in a file of its own.
    let tables = "allow multiple-tables because \"Two teams.\"\n\napplication A {\n  style single_table\n}\n\n\
                  entity Thing {\n  id: uuid @id\n}\n\ntable$0 One {\n  partition key id\n  item Thing\n}\n\n\
                  table Two {\n  partition key id\n  item Thing\n}\n";
    check_not_offered(tables, "Move `One`");
    let in_table = tables.replace("allow multiple-tables because \"Two teams.\"\n\n", "");
    let in_table = in_table.replace("table Two {\n", "table Two {\n  allow multiple-tables because \"Theirs.\"\n");
    check_not_offered(&in_table, "Move `One`");
    // A selection inside a declaration is about something else.
    let inside = "pattern A {\n  $0rate 1/s\n$0}\n\npattern B {\n  rate 1/s\n}\n";
    check_not_offered(inside, "Move");
    check_not_offered("// All.\npattern B$0 {\n  rate 1/s\n}\n", "Move");
    check_not_offered(&model.replace("$0", "").replace("rate 1/s\n}\n\n", "rate$0 1/s\n}\n\n"), "Move");
}

#[test]
fn an_import_is_taken_in_with_its_imports_and_allows() {
    let model = r##"// The model.

import "a.dynamo"
import "parts/guests.dynamo"$0 // who comes

allow missing-size because "Small."

pattern Invite {
  put Guest into Guests
  rate 1/s
}
//- a.dynamo
consideration "One."
//- parts/guests.dynamo
// The guests.

import "../a.dynamo"
import "rooms.dynamo"
allow missing-size, missing-read-pattern because "Small."

/// Who is invited.
entity Guest {
  name: string @id
}

// Floats.

table Guests {
  partition key name
  item Guest
}
// The end.
//- parts/rooms.dynamo
import "guests.dynamo"

consideration "Two."
"##;
    let expected = r##"// The model.

import "a.dynamo"
import "parts/rooms.dynamo"
allow missing-read-pattern because "Small." // who comes

allow missing-size because "Small."

pattern Invite {
  put Guest into Guests
  rate 1/s
}

// The guests.

/// Who is invited.
entity Guest {
  name: string @id
}

// Floats.

table Guests {
  partition key name
  item Guest
}
// The end.
//- a.dynamo
consideration "One."
//- parts/rooms.dynamo
import "guests.dynamo"

consideration "Two."
"##;
    // Another file imports it, though it need not.
    check_not_offered(model, "Inline");
    let (model, expected) =
        (model.replace("import \"guests.dynamo\"\n\n", ""), expected.replace("import \"guests.dynamo\"\n\n", ""));
    check(&model, "Inline `parts/guests.dynamo`", &expected);
    // It would silence what is to be heard.
    let loud = model.replace("allow missing-size because \"Small.\"\n\npattern Invite", "pattern Invite");
    let loud = loud.replace(
        "pattern Invite",
        "entity Host { name: string @id }\ntable Hosts { partition key name item Host }\n\npattern Invite",
    );
    let loud = loud.replace("put Guest into Guests", "put Guest into Guests\n  put Host into Hosts");
    check_not_offered(&loud, "Inline");
    // A file of another folder stays there.
    let above = "import \"../up.dynamo\"$0\nconsideration \"x\"\n//- ../up.dynamo\nconsideration \"y\"\n";
    check_not_offered(above, "Inline");
}

#[test]
fn a_file_of_an_import_alone_takes_it_in() {
    let model = "import \"all.dynamo\"$0\n//- all.dynamo\nconsideration \"y\" // so\nconsideration \"z\"\n";
    check(model, "Inline `all.dynamo`", "consideration \"y\" // so\nconsideration \"z\"\n");
}
