//! Guards of unique attributes, and the patterns that an entity lacks.

use super::solve::{CLINIC, FLEET};
use super::with;
use crate::support::assists::{check, check_asking, check_not_offered};
use crate::support::page;
use keywright::syntax::TextRange;

pub const SCHOOL: &str = r#"entity Pupil {
  pupil_id: uuid @id
  login:    string @unique$0 @size(12B)
  class:    string @size(4B)

  count 2k
}

table Pupils {
  partition key pupil_id

  item Pupil
}

pattern ReadPupil {
  get Pupil from Pupils
  rate avg 2/s, peak 9/s
}
"#;

pub const LOGIN_CLAIM: &str = r#"
/// Proves that the `login` of a `Pupil` is taken.
entity LoginClaim {
  login:    string @id @size(12B)
  pupil_id: uuid @of(Pupil)

  count 2k
}

relationship Pupil 1:1 LoginClaim { identifying }

table Pupils {
  partition key pupil_id

  item Pupil
}

/// Keeps the `login` of each `Pupil` unique.
table LoginClaims {
  partition key login

  item LoginClaim
}
"#;

pub const PUPILS: &str = "\ntable Pupils {\n  partition key pupil_id\n\n  item Pupil\n}\n";

#[test]
fn a_unique_attribute_gets_its_guard() {
    // Nobody puts it yet.
    check(SCHOOL, "Guard `login` with `LoginClaim`", &with(SCHOOL, &[(PUPILS, LOGIN_CLAIM)]));
    // Every write of the value takes part.
    let writes = |enrol: &str, leave: &str, rename: &str, move_: &str| {
        format!(
            "{SCHOOL}\npattern Enrol {{\n{enrol}  rate avg 1/h, peak 1/s\n}}\n\npattern Leave {{\n{leave}  rate avg 1/h, peak 1/s\n}}\n\npattern Rename {{\n{rename}  rate avg 1/h, peak 1/s\n}}\n\npattern Move {{\n{move_}  rate avg 1/h, peak 1/s\n}}\n"
        )
    };
    let model = writes(
        "  put Pupil into Pupils if not_exists\n",
        "  transact write {\n    delete Pupil from Pupils\n  }\n",
        "  update Pupil in Pupils set login\n",
        "  update Pupil in Pupils set class\n",
    );
    let expected = writes(
        "  transact write {\n    put Pupil into Pupils if not_exists\n    put LoginClaim into LoginClaims if not_exists\n  }\n",
        "  transact write {\n    delete Pupil from Pupils\n    delete LoginClaim from LoginClaims\n  }\n",
        "  transact write {\n    update Pupil in Pupils set login\n    delete LoginClaim from LoginClaims\n    put LoginClaim into LoginClaims if not_exists\n  }\n",
        "  update Pupil in Pupils set class\n",
    );
    let expected = with(&expected, &[(PUPILS, LOGIN_CLAIM)]);
    check(&model, "Guard `login` with `LoginClaim`", &expected);
    // Once it is there, nothing is left to do.
    check_not_offered(&expected, "Guard");
    // Where the guard is there, a write that leaves it out is told of it, wherever the
    // write stands; within a scope the value is unique together with it.
    let partly = with(
        &expected,
        &[(
            "    put Pupil into Pupils if not_exists\n    put LoginClaim into LoginClaims if not_exists\n",
            "    put Pupil into Pupils if not_exists\n",
        )],
    );
    check(&partly, "Guard `login` with `LoginClaim`", &expected);
    let scoped = SCHOOL.replace("@unique$0", "@unique(class)$0");
    let claim = LOGIN_CLAIM
        .replace(
            "  login:    string @id @size(12B)\n",
            "  login:    string @id @size(12B)\n  class:    string @id @size(4B)\n",
        )
        .replace("  partition key login\n", "  partition key class\n  sort key login\n");
    check(&scoped, "Guard `login` with `LoginClaim`", &with(&scoped, &[(PUPILS, &claim)]));
    // An attribute that may be shared has no guard, and a key needs none.
    check_not_offered(&SCHOOL.replace(" @unique$0", "$0"), "Guard");
    check_not_offered(&with(SCHOOL, &[("partition key pupil_id", "partition key login")]), "Guard");
}

/// A guard that the tables and the writes have, and that nobody declares: what is missing
/// is its declaration, and not a second of it.
#[test]
fn a_guard_that_is_named_already_is_not_made_again() {
    let put = "\npattern Enrol {\n  transact write {\n    put Pupil into Pupils\n    put LoginClaim into LoginClaims if not_exists\n  }\n  rate avg 1/h, peak 1/s\n}\n";
    let own = "\npattern Enrol {\n  put Pupil into Pupils\n  rate avg 1/h, peak 1/s\n}\n";
    let claim = LOGIN_CLAIM.split_once("\ntable ").expect("its tables").1;
    let item = format!("\ntable {claim}");
    let single = PUPILS.replace("  item Pupil\n", "  item Pupil\n  item LoginClaim\n");
    let offered = |model: &str| {
        let text = model.replace("$0", "");
        let files = page::model(&text);
        let (analysis, whole) = (page::analyse(&files), TextRange::new(0, text.len()));
        let at = model.find("$0").expect("a cursor");
        let put = text.find("put Pupil").expect("a put");
        let ranges = [whole, TextRange::empty(at), TextRange::empty(put)];
        let fixes = ranges.iter().flat_map(|range| analysis.code_actions(&page::key("main.dynamo"), *range).unwrap());
        let fixes: Vec<String> = fixes.map(|fix| fix.title).filter(|title| title.starts_with("Guard")).collect();
        fixes.len() + super::titles_of(model, "Guard").len()
    };
    assert_eq!(offered(&format!("{SCHOOL}{own}")), 3, "the put twice, and the attribute");
    for (table, pattern) in [(item.as_str(), put), (item.as_str(), own), (PUPILS, put), (&single, own)] {
        let model = format!("{}{pattern}", with(SCHOOL, &[(PUPILS, table)]));
        assert_eq!(offered(&model), 0, "{model}");
    }
}

#[test]
fn a_unique_attribute_of_a_single_table_gets_its_guard_there() {
    let model = with(FLEET, &[("plate:      string @size(8B)", "plate:      string @unique @size(8B)$0")]);
    let expected = with(
        &model,
        &[
            ("relationship Van 1:N Trip", "@@"),
            (
                "\nentity Trip {",
                "\n/// Proves that the `plate` of a `Van` is taken.\nentity PlateClaim {\n  EntityType: enum(PlateClaim)\n  plate:      string @id @size(8B)\n  vanId:      uuid @of(Van)\n\n  count 5k\n}\n\nrelationship Van 1:1 PlateClaim { identifying }\n\nentity Trip {",
            ),
            ("@@", "relationship Van 1:N Trip"),
            (
                "    SK = \"PROFILE\"\n  }\n",
                "    SK = \"PROFILE\"\n  }\n  item PlateClaim {\n    PK = \"PLATE_CLAIM#{plate}\"\n    SK = \"CLAIM\"\n  }\n",
            ),
            (
                "  put Van into FleetTable if not_exists\n",
                "  transact write {\n    put Van into FleetTable if not_exists\n    put PlateClaim into FleetTable if not_exists\n  }\n",
            ),
        ],
    );
    check(&model, "Guard `plate` with `PlateClaim`", &expected);
}

#[test]
fn an_entity_gets_the_pattern_that_it_lacks() {
    let asks = &["missing-rate"];
    let named = |entity: &str| (format!("entity {entity} {{"), format!("entity $0{entity} {{"));
    let at = |model: &str, entity: &str| {
        let (from, to) = named(entity);
        with(model, &[(&from, &to)])
    };
    // Read and never written: the write goes behind what reads it.
    let unwritten = with(
        CLINIC,
        &[("pattern CheckIn {\n  put Visit into Visits if not_exists\n  rate avg 1/s, peak 4/s\n}\n\n", "")],
    );
    let expected = format!("{unwritten}\npattern CreateVisit {{\n  put Visit into Visits if not_exists\n}}\n");
    check_asking(&at(&unwritten, "Visit"), "Add pattern `CreateVisit`, which writes `Visit`", &expected, asks);
    // Written and never read.
    let unread = with(FLEET, &[("pattern ReadVan {\n  get Van from FleetTable\n  rate avg 5/s, peak 20/s\n}\n\n", "")]);
    let expected = with(
        &unread,
        &[(
            "  rate avg 1/h, peak 1/s\n}\n",
            "  rate avg 1/h, peak 1/s\n}\n\npattern GetVan {\n  get Van from FleetTable\n}\n",
        )],
    );
    check_asking(&at(&unread, "Van"), "Add pattern `GetVan`, which reads `Van`", &expected, asks);
    // In every table that holds it, with the guard of what is unique.
    let school = SCHOOL.replace("$0", "");
    let both = with(
        &school,
        &[(
            "\npattern ReadPupil",
            "\ntable Classes {\n  partition key class\n  sort key pupil_id\n\n  item Pupil\n}\n\npattern ReadPupil",
        )],
    );
    let expected = format!(
        "{}\npattern CreatePupil {{\n  transact write {{\n    put Pupil into Pupils if not_exists\n    put Pupil into Classes if not_exists\n    put LoginClaim into LoginClaims if not_exists\n  }}\n}}\n",
        with(&both, &[(PUPILS, LOGIN_CLAIM)])
    );
    check_asking(&at(&both, "Pupil"), "Add pattern `CreatePupil`, which writes `Pupil`", &expected, asks);
    // What is written and read lacks nothing; nor does what is neither.
    check_not_offered(&at(CLINIC, "Visit"), "Add pattern");
    check_not_offered("entity $0A {\n  a: uuid @id\n}\n", "Add pattern");
    // Who says why there is none is not asked for it.
    let declined =
        unwritten.replace("rate avg 1/s, peak 4/s", "rate avg 1/s, peak 4/s\n  no_write because \"An import.\"");
    check_not_offered(&at(&declined, "Visit"), "Add pattern");
    // Elsewhere in the entity it is not offered.
    check_not_offered(&at(&unwritten, "Visit").replace("$0", "").replace("visit_id:", "visit$0_id:"), "Add pattern");
}
