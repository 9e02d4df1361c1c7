//! Patterns that nothing answers yet.

use super::guards_and_counterparts::{LOGIN_CLAIM, PUPILS, SCHOOL};
use super::{titles_of, with};
use crate::support::assists::{check, check_not_offered, titles};
use crate::support::page;
use keywright::syntax::TextRange;

pub const CLINIC: &str = r#"application Clinic {
  domain "health care"
  scale  "20 thousand patients"
  region "us-east-1"
}

entity Patient {
  patient_id:   uuid @id
  insurance_no: string @size(12B) @distinct(20_000)
  name:         string @size(24B)
  notes:        string @size(2KB)

  count 20k
}

entity Visit {
  visit_id:   ulid @id
  patient_id: uuid @of(Patient)
  room:       string @size(4B) @distinct(200)
  started_at: timestamp
  report:     string @size(3KB)

  count 40k
}

relationship Patient 1:N Visit { children avg 2, max 300 }

table Patients {
  partition key patient_id

  item Patient
}

table Visits {
  partition key patient_id
  sort key visit_id

  item Visit

  gsi VisitsByRoom {
    partition key room
    sort key started_at
    projection keys_only
  }
}

pattern Register {
  put Patient into Patients if not_exists
  rate avg 1/min, peak 1/s
}

pattern ReadPatient {
  get Patient from Patients
  rate avg 2/s, peak 9/s
}

pattern CheckIn {
  put Visit into Visits if not_exists
  rate avg 1/s, peak 4/s
}

pattern RoomPlan {
  query Visits.VisitsByRoom where room = :room descending limit 10
  rate avg 1/s, peak 4/s
}
"#;

/// The clinic with one more pattern.
fn clinic(pattern: &str) -> String {
    format!("{CLINIC}\npattern Wanted {{\n  {pattern}\n  rate avg 10/s, peak 20/s\n}}\n")
}

#[test]
fn a_pattern_is_answered_by_the_keys_that_there_are() {
    for (requirement, operation) in [
        ("reads Pat$0ient(name) by patient_id", "get Patient from Patients"),
        ("reads Visit by patient_id, visit_id$0", "get Visit from Visits"),
        (
            "reads Vis$0it by patient_id ordered by visit_id descending",
            "query Visits where patient_id = :patient_id descending",
        ),
        ("reads Visit(visit_id) by room ordered by started_at$0", "query Visits.VisitsByRoom where room = :room"),
        ("writes$0 Visit(report) by patient_id, visit_id", "update Visit in Visits set report if exists"),
        ("writes $0Visit", "put Visit into Visits if not_exists"),
        ("writes Visit by$0 patient_id, visit_id", "delete Visit from Visits"),
        (
            "writes Patient, Vis$0it",
            "transact write {\n    put Patient into Patients if not_exists\n    put Visit into Visits if not_exists\n  }",
        ),
    ] {
        let model = clinic(requirement);
        let expected = model.replace(requirement, &format!("{requirement}\n  {operation}"));
        let one_line = operation.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        check(&model, &format!("Answer with `{one_line}`"), &expected);
    }
    // What nobody names is new before it is changed.
    let first = |requirement: &str| titles_of(&clinic(requirement), "Answer").remove(0);
    assert!(first("writes Vis$0it(report)").starts_with("Answer with `put Visit"));
    // What is unique is put with its guard.
    let school = SCHOOL.replace("$0", "");
    let model = format!("{school}\npattern Enrol {{\n  writes Pup$0il\n  rate avg 1/h, peak 1/s\n}}\n");
    let puts = "  transact write {\n    put Pupil into Pupils if not_exists\n    put LoginClaim into LoginClaims if not_exists\n  }\n";
    let expected = with(&model, &[("  writes Pup$0il\n", &format!("  writes Pupil\n{puts}")), (PUPILS, LOGIN_CLAIM)]);
    check(&model, "Add `LoginClaim` and answer with `transact write {", &expected);
    // What no caller can name by its key has nothing to be found by.
    check_not_offered(&clinic("reads Vis$0it"), "A");
    check_not_offered(&clinic("reads Visit by patient_id$0\n  get Visit from Visits"), "A");
    check_not_offered(&clinic("writes Vis$0it(visit_id)"), "Answer with `update");
}

#[test]
fn what_is_there_is_written_where_its_key_is_named() {
    // The key of a visit is the patient and the visit: neither alone will do.
    for by in ["visit_id", "patient_id", "room"] {
        check_not_offered(&clinic(&format!("writes Vis$0it(report) by {by}")), "A");
        check_not_offered(&clinic(&format!("writes Vis$0it by {by}")), "Answer with `delete");
    }
    // Who names attributes changes them.
    check_not_offered(&clinic("writes Vis$0it(report) by patient_id, visit_id"), "Answer with `put");
    // Of two tables the one whose key is named.
    let archive = "table Archive {\n  partition key visit_id\n\n  item Visit\n}\n\npattern Register";
    let model = |by: &str| with(&clinic(&format!("writes Vis$0it(report) by {by}")), &[("pattern Register", archive)]);
    assert!(titles_of(&model("visit_id"), "").remove(0).starts_with("Answer with `update Visit in Archive"));
    check_not_offered(&model("visit_id"), "Answer with `update Visit in Visits");
    let both = titles_of(&model("patient_id, visit_id"), "Answer with `update");
    assert_eq!(both.len(), 2, "{both:#?}");
}

#[test]
fn what_nothing_has_is_not_written_into_an_index() {
    for requirement in ["reads Vis$0it(visit_id, rapport) by room", "reads Vis$0it(rapport) by patient_id"] {
        check_not_offered(&clinic(requirement), "A");
        check_not_offered(&clinic(requirement), "Include");
    }
}

#[test]
fn only_what_a_key_holds_whole_is_in_its_order() {
    let ordered = |key: &str| {
        let keys = "    partition key room\n    sort key shelf: string\n    projection keys_only\n";
        let model = with(
            CLINIC,
            &[
                ("    partition key room\n    sort key started_at\n    projection keys_only\n", keys),
                ("  item Visit\n", &format!("  item Visit {{ shelf = \"{key}\" }}\n")),
                ("where room = :room descending", "where room = :room"),
            ],
        );
        let wanted = "\npattern Wanted {\n  reads Visit$0(visit_id) by room ordered by started_at\n  rate 1/s\n}\n";
        titles_of(&format!("{model}{wanted}"), "Answer with `query Visits.VisitsByRoom").len()
    };
    for key in ["{started_at}#{visit_id}", "AT#{started_at}"] {
        assert_eq!(ordered(key), 1, "{key}");
    }
    for key in ["{started_at:day}#{visit_id}", "{started_at:minute}", "{visit_id}#{started_at}", "{started_at:lower}"] {
        assert_eq!(ordered(key), 0, "{key}");
    }
}

#[test]
fn a_new_index_on_a_stored_shard_is_asked_for_every_shard() {
    let model = with(
        CLINIC,
        &[
            ("  item Visit\n", "  item Visit { room = \"{room}#{shard(visit_id, 8)}\" }\n"),
            ("VisitsByRoom {", "ByRoom {"),
        ],
    )
    .replace("Visits.VisitsByRoom", "Visits.ByRoom")
    .replace("    partition key room\n    sort key started_at\n", "    partition key started_at\n")
    .replace("where room = :room descending", "where started_at = :started_at");
    let wanted = |by: &str| format!("{model}\npattern Wanted {{\n  reads Visit$0(visit_id) by {by}\n  rate 1/s\n}}\n");
    let title = titles_of(&wanted("room"), "Add index").remove(0);
    assert!(title.contains("where room = \"{room}#{shard(visit_id, 8)}\" times 8`"), "{title}");
    let title = titles_of(&wanted("room, visit_id"), "Add index").remove(0);
    assert!(!title.contains("times"), "{title}");
}

#[test]
fn an_answer_has_its_price() {
    let title = |requirement: &str| titles_of(&clinic(requirement), "").remove(0);
    for (requirement, expected) in [
        (
            "reads Patient$0(name) by patient_id",
            "Answer with `get Patient from Patients`: 0.5 read units a call, +$1.62 a month",
        ),
        (
            "reads Visit(visit_id)$0 by room ordered by started_at",
            "Answer with `query Visits.VisitsByRoom where room = :room`: 3 read units a call, +$9.72 a month",
        ),
        (
            "writes Visit$0(report) by patient_id, visit_id",
            "Answer with `update Visit in Visits set report if exists`: 4 write units a call, +$64.80 a month",
        ),
        (
            "writes Visit$0(room) by patient_id, visit_id",
            "Answer with `update Visit in Visits set room if exists`: 6 write units a call, +$97.20 a month",
        ),
        (
            "reads Patient$0(name) by insurance_no",
            "Add index `PatientsByInsuranceNo` and answer with `query Patients.PatientsByInsuranceNo where \
             insurance_no = :insurance_no`: 0.5 read units a call, +1 write unit a put, +$1.65 a month",
        ),
    ] {
        assert_eq!(title(requirement), expected);
    }
    // The fix of the finding on the pattern's name tells the same.
    let model = clinic("reads Patient(name) by patient_id");
    let name = model.find("Wanted").expect("it is there");
    let at = TextRange::new(name, name);
    let fixes = page::analyse(&page::model(&model)).code_actions(&page::key("main.dynamo"), at);
    let titles_of_fixes: Vec<String> = fixes.expect("nothing changes").into_iter().map(|fix| fix.title).collect();
    assert_eq!(titles_of_fixes, ["Answer with `get Patient from Patients`: 0.5 read units a call, +$1.62 a month"]);
    let unrated = clinic("reads Patient$0(name) by patient_id").replace("  rate avg 10/s, peak 20/s\n", "");
    assert_eq!(titles(&unrated), ["Answer with `get Patient from Patients`: 0.5 read units a call"]);
    let nowhere = clinic("reads Patient$0(name) by patient_id").replace("  region \"us-east-1\"\n", "");
    assert_eq!(titles(&nowhere), ["Answer with `get Patient from Patients`: 0.5 read units a call"]);
}

#[test]
fn an_index_that_lacks_what_is_read_is_widened_and_not_doubled() {
    let requirement = "reads Visit$0(report, room) by room ordered by started_at";
    let model = clinic(requirement);
    let query = "query Visits.VisitsByRoom where room = :room";
    let widened = with(
        &model,
        &[
            ("    projection keys_only\n", "    projection include(report)\n"),
            (requirement, &format!("{requirement}\n  {query}")),
        ],
    );
    check(&model, &format!("Include `report` in index `VisitsByRoom` and answer with `{query}`: "), &widened);
    assert_eq!(titles_of(&model, "Add index"), [""; 0]);
}

pub const FLEET: &str = r#"application Fleet {
  domain "logistics"
  scale  "5 thousand vans"
  style  single_table
  region "us-east-1"
}

entity Van {
  EntityType: enum(Van)
  vanId:      uuid @id
  plate:      string @size(8B) @distinct(5_000)
  depot:      string @size(4B) @distinct(120)
  CreatedAt:  timestamp

  count 5k
}

entity Trip {
  EntityType: enum(Trip)
  tripId:     ulid @id
  vanId:      uuid @of(Van)
  driver:     string @size(20B) @distinct(9_000)
  startedAt:  timestamp
  log:        string @size(4KB)
  CreatedAt:  timestamp

  count 900k
}

relationship Van 1:N Trip { children avg 180, max 200 identifying }

table FleetTable {
  partition key PK: string
  sort key SK: string

  item Van {
    PK = "VAN#{vanId}"
    SK = "PROFILE"
  }
  item Trip {
    PK = "VAN#{vanId}"
    SK = "TRIP#{startedAt}#{tripId}"
    GSI1PK = "DRIVER#{driver}"
    GSI1SK = "TRIP#{startedAt}"
  }

  gsi GSI1 {
    partition key GSI1PK: string
    sort key GSI1SK: string
    projection all
  }
}

pattern AddVan {
  put Van into FleetTable if not_exists
  rate avg 1/h, peak 1/s
}

pattern ReadVan {
  get Van from FleetTable
  rate avg 5/s, peak 20/s
}

pattern StartTrip {
  put Trip into FleetTable if not_exists
  rate avg 1/s, peak 9/s
}

pattern DriversTrips {
  reads Trip(tripId, CreatedAt) by driver
  query FleetTable.GSI1 where GSI1PK = "DRIVER#{driver}" limit 10
  rate avg 1/s, peak 9/s
}
"#;

fn fleet(pattern: &str) -> String {
    format!("{FLEET}\npattern Wanted {{\n  {pattern}\n  rate avg 10/s, peak 20/s\n}}\n")
}

#[test]
fn a_pattern_of_a_single_table_is_answered_with_its_templates() {
    for (requirement, operation) in [
        ("reads V$0an by vanId", "get Van from FleetTable"),
        (
            "reads Trip by vanId ordered by startedAt$0 descending",
            "query FleetTable where PK = \"VAN#{vanId}\" and SK begins_with \"TRIP#\" descending",
        ),
        ("reads Van, Trip$0 by vanId", "query FleetTable where PK = \"VAN#{vanId}\""),
        ("reads Trip by driver$0 ordered by startedAt", "query FleetTable.GSI1 where GSI1PK = \"DRIVER#{driver}\""),
        ("writes Tr$0ip", "put Trip into FleetTable if not_exists"),
    ] {
        let model = fleet(requirement);
        let expected = model.replace(requirement, &format!("{requirement}\n  {operation}"));
        check(&model, &format!("Answer with `{operation}`"), &expected);
    }
    let requirement = "reads V$0an(plate, depot) by depot";
    let model = fleet(requirement);
    let operation = "query FleetTable.GSI2 where GSI2PK = \"DEPOT#{depot}\"";
    let expected = with(
        &model,
        &[
            (
                "    SK = \"PROFILE\"\n",
                "    SK = \"PROFILE\"\n    GSI2PK = \"DEPOT#{depot}\"\n    GSI2SK = \"VAN#{vanId}\"\n",
            ),
            (
                "    projection all\n  }\n",
                "    projection all\n  }\n\n  gsi GSI2 {\n    partition key GSI2PK: string\n    sort key GSI2SK: string\n    projection include(plate)\n  }\n",
            ),
            (requirement, &format!("{requirement}\n  {operation}")),
        ],
    );
    check(&model, &format!("Add index `GSI2` and answer with `{operation}`: "), &expected);
    // The keys that the van does not use yet are as good.
    let operation = "query FleetTable.GSI1 where GSI1PK = \"DEPOT#{depot}\"";
    let expected = with(
        &model,
        &[
            (
                "    SK = \"PROFILE\"\n",
                "    SK = \"PROFILE\"\n    GSI1PK = \"DEPOT#{depot}\"\n    GSI1SK = \"VAN#{vanId}\"\n",
            ),
            (requirement, &format!("{requirement}\n  {operation}")),
        ],
    );
    let title = format!("Put `Van` into index `GSI1` and answer with `{operation}`");
    check(&model, &title, &expected);
    // Not where others have such values, or where the index has not what is read.
    check_not_offered(&model.replace("\"DRIVER#{driver}\"\n", "\"DEPOT#{driver}\"\n"), "Put");
    check_not_offered(&model.replace("projection all", "projection keys_only"), "Put");
}

#[test]
fn an_answer_may_change_another_file() {
    let (tables, rest) = CLINIC.split_at(CLINIC.find("pattern Register").expect("it is there"));
    let model = format!(
        "import \"tables.dynamo\"\n\n{rest}\npattern Wanted {{\n  reads Patient(name) by insurance_no$0\n  rate avg 10/s, peak 20/s\n}}\n//- tables.dynamo\n{}\n",
        tables.trim_end()
    );
    let expected = with(
        &model,
        &[
            (
                "by insurance_no$0\n",
                "by insurance_no\n  query Patients.PatientsByInsuranceNo where insurance_no = :insurance_no\n",
            ),
            (
                "  item Patient\n",
                "  item Patient\n\n  gsi PatientsByInsuranceNo {\n    partition key insurance_no\n    projection include(name)\n  }\n",
            ),
        ],
    );
    check(&model, "Add index `PatientsByInsuranceNo` and answer with", &expected);
    let price = titles(&model).remove(0);
    assert!(price.ends_with(": 0.5 read units a call, +1 write unit a put, +$1.65 a month"), "{price}");
}

#[test]
fn a_sharded_key_is_asked_for_every_shard_and_a_sparse_index_for_what_it_holds() {
    let sharded = with(
        FLEET,
        &[
            ("\"DRIVER#{driver}\"\n", "\"DRIVER#{driver}#{shard(tripId, 4)}\"\n"),
            (
                "where GSI1PK = \"DRIVER#{driver}\" limit 10",
                "where GSI1PK = \"DRIVER#{driver}#{shard(tripId, 4)}\" limit 10 times 4",
            ),
        ],
    );
    let asked =
        |requirement: &str| format!("{sharded}\npattern Wanted {{\n  {requirement}\n  rate avg 1/s, peak 2/s\n}}\n");
    let one = "query FleetTable.GSI1 where GSI1PK = \"DRIVER#{driver}#{shard(tripId, 4)}\"";
    for (requirement, operation) in [
        ("reads$0 Trip by driver ordered by startedAt", format!("{one} times 4")),
        // Who knows what the shard is made of asks one.
        ("reads$0 Trip by driver, tripId ordered by startedAt", one.to_owned()),
    ] {
        let model = asked(requirement);
        let expected = model.replace(requirement, &format!("{requirement}\n  {operation}"));
        check(&model, &format!("Answer with `{operation}`"), &expected);
    }
    // What has no room is not in the index of rooms, and is a visit of a start all the same.
    let sparse = with(
        &clinic("reads Visit(visit_id) by room$0"),
        &[("started_at: timestamp", "started_at: timestamp? @present(50%)")],
    );
    check_not_offered(&sparse, "Answer with `query Visits.VisitsByRoom where");
}
