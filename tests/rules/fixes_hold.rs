//! Fixes on models of every shape: what a fix leaves parses, and no longer has
//! the finding that it mends.

use crate::support::fixes::{every_fix_holds, fixed};
use crate::support::page::findings;

/// The rules whose fixes the models below are made for.
const RULES: &[&str] = &["unique-not-enforced", "unused-index", "generic-key-name", "unsolved-pattern"];

const AGGREGATE: &str = "entity User {
  user_id: uuid @id
  tenant:  string @size(5B)
  `e-mail`: string @unique(tenant) @size(28B)
  handle: string @unique @size(avg 3B, max 9B)
  count 1k
}
entity Order { order_id: ulid @id user_id: uuid @of(User) status: enum(a, b)? total: number }
entity Line { line_no: number @id order_id: ulid @of(Order) }
table Users { partition key user_id item User }
table Orders {
  partition key user_id
  sort key order_id
  item Order embeds Line as lines
  gsi ByStatus { partition key status projection include(total) } // why
}
pattern SignUp { put User into Users if not_exists times 3 rate 1/s }
pattern StatusTotal { reads Order(total) by status rate 1/s }
pattern Lines { reads Line by user_id, order_id rate 1/s }
pattern ByMail { reads User by `e-mail`, tenant ordered by handle rate 1/s } // a comment
pattern Latest { reads Order by user_id ordered by order_id descending rate 1/s }
pattern Whole { reads Order(total, lines) by status rate 1/s }
pattern ByHandle {
  /// How a user is found.
  reads User by handle // the handle
  // nothing else
  rate 1/s
}
";

const SINGLE_TABLE: &str = "application A { style single_table }
entity User { userId: uuid @id Email: string @unique @size(2B) age: number count 5 size 1KB }
entity Claim { Email: string @id }
table T {
  partition key PK: string
  item User { PK = \"USER#{userId}\" GSI1PK = \"{Email}\" GSI2PK = \"{age}\" }
  item Claim { PK = \"{Email}\" }
  // about
  gsi GSI1 { partition key GSI1PK: string }
  gsi GSI2 { partition key GSI2PK: string sort key PK }
}
pattern P {
  put User
    into T
  rate 1/s
}
pattern R { reads User(age) by age ordered by Email }
pattern S { scan T.GSI1 }
";

const GENERIC: &str = "entity A { aId: uuid @id bName: string @size(3B) }
entity B { aId: uuid @id PK: string }
table T {
  partition key PK: string
  sort key SK: string
  item A { PK = \"A#{aId}\" SK = \"X\" GSI1 = bName GSI2PK = \"ALL\" }
  item B { SK = \"B#{aId}\" }
  gsi GSI1 { partition key GSI1: string sort key PK projection include(SK) }
  lsi LSI1 { sort key GSI2PK: string }
  gsi GSI3 { partition key GSI2PK sort key SK }
}
table U { partition key SK: string item A { SK = \"{aId}\" } }
pattern P { query T.GSI1 where GSI1 = \"x\" and PK = \"A#{aId}\" filter exists(GSI2PK) rate 1/s }
pattern Q { reads A by SK ordered by PK put A into T if SK <> \"x\" rate 1/s }
";

#[test]
fn fixes_hold_in_odd_models() {
    assert_eq!(every_fix_holds(AGGREGATE, RULES).len(), 8);
    assert_eq!(every_fix_holds(SINGLE_TABLE, RULES).len(), 3);
    assert_eq!(every_fix_holds(GENERIC, RULES).len(), 9);
}

#[test]
fn fixes_hold_with_windows_line_ends() {
    for text in [AGGREGATE, SINGLE_TABLE, GENERIC] {
        let titles = every_fix_holds(&text.replace('\n', "\r\n"), RULES);
        assert_eq!(titles, every_fix_holds(text, RULES));
    }
}

#[test]
fn a_scan_is_priced_or_says_what_it_lacks() {
    let school = include_str!("../../examples/school.dynamo");
    let message = |text: &str| findings(text, "scan-pattern").remove(0).message;
    let priced = message(school);
    for part in ["7.5 read units", "$0.00000094 a call", "$0.024 a month at 0.01/s", "1,000 calls"] {
        assert!(priced.contains(part), "{priced}");
    }
    for (from, to, part) in [
        ("us-east-1", "eu-west-1", "no prices of `eu-west-1`"),
        ("  region \"us-east-1\"\n", "", "`region`"),
        ("  count 100k\n", "", "without `count` of `User`"),
        ("  size avg 600B, max 2KB\n", "  size max 2KB\n", "without `size avg` of `User`"),
        ("  size avg 600B, max 2KB\n", "", "sizes of `User` computed from their attributes"),
        ("limit 100\n  rate avg 0.01/s, peak 1/s", "limit 100", "needs `rate avg` of `ListAllUsers`"),
        (
            "style  single_table",
            "style  single_table capacity provisioned",
            "alone it takes 1 provisioned read unit at 0.01/s, $0.094 a month in us-east-1 (price not verified)",
        ),
        (
            "style  single_table",
            "style  single_table class standard_infrequent_access",
            "$0.030 a month at 0.01/s in us",
        ),
    ] {
        assert!(school.contains(from), "{from}");
        let changed = message(&school.replace(from, to));
        assert!(changed.contains(part), "{changed}");
    }
}

#[test]
fn what_is_being_typed_is_not_asked_for() {
    let broken = "pattern P { reads User by rate avg";
    assert!(findings(broken, "missing-rate").is_empty() && findings(broken, "unsolved-pattern").is_empty());
    let label = "entity A { a: uuid @id } table T { partition key a item A } pattern P { get A from T rate max 5/s }";
    assert!(findings(label, "missing-rate").is_empty(), "the label is a finding of its own");
    let half = AGGREGATE.replace("if not_exists times 3", "if");
    assert!(findings(&half, "unique-not-enforced").is_empty());
    // A pattern that misspells an index means it.
    let typo = AGGREGATE.replace("reads Order(total) by status", "query Orders.ByStatsu where status = :s");
    assert!(findings(&typo, "unused-index").is_empty());
    assert_eq!(findings(AGGREGATE, "unused-index").len(), 1);
}

#[test]
fn a_guard_takes_part_in_every_write_at_once() {
    let model = "entity Pupil {
  pupil_id: uuid @id
  login: string @unique @size(12B)
  card: string @unique @size(8B)

  count 2k
}

table Pupils {
  partition key pupil_id

  item Pupil
}

pattern Enrol {
  put Pupil into Pupils if not_exists
  rate 1/s
}

pattern Rename {
  update Pupil in Pupils set login if exists
  rate 1/s
}

pattern Renew {
  update Pupil in Pupils set login, card if exists
  rate 1/s
}

pattern Leave {
  delete Pupil from Pupils
  rate 1/s
}

pattern Read {
  get Pupil from Pupils
  rate 1/s
}
";
    // A put in a batch, which knows no conditions, stays for its author; a delete there
    // would break what the guard promises.
    let batch = |step: &str| model.replace(&format!("  {step}\n"), &format!("  batch write {{\n    {step}\n  }}\n"));
    let import = "\npattern Import {\n  batch write {\n    put Pupil into Pupils\n  }\n  rate 1/s\n}\n";
    let second = format!("{model}{import}");
    assert_eq!(findings(&fixed(&second, "Guard `login` and `card`"), "unique-not-enforced").len(), 1);
    let found = findings(&batch("delete Pupil from Pupils"), "unique-not-enforced");
    assert_eq!(found.iter().map(|found| found.fixable).collect::<Vec<_>>(), [false]);
    let fixed = fixed(model, "Guard `login` and `card`");
    for rule in ["unique-not-enforced", "guard-not-maintained", "transaction-invalid"] {
        assert_eq!(findings(&fixed, rule), [], "{rule} in\n{fixed}");
    }
    assert_eq!(fixed.matches("transact write {").count(), 4, "{fixed}");
    assert_eq!(fixed.matches("put LoginClaim").count(), 3, "{fixed}");
    assert_eq!(fixed.matches("put CardClaim").count(), 2, "{fixed}");
}
