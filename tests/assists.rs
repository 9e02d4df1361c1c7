//! Refactorings: what each offers where, what it leaves, and what it costs.

mod support;

use keywright::rules::registry::{BUILT, is_built};
use keywright::syntax::TextRange;
use std::path::Path;
use support::assists::{Offered, check, check_asking, check_not_offered, every_one, titles};
use support::page;

/// A model with parts of it exchanged.
#[track_caller]
fn with(model: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(model.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` in {text}");
        text.replace(from, to)
    })
}

/// Rules that may speak of what a refactoring leaves: a pattern to fill in lacks its
/// rate; where shards cure what was allowed, the `allow` has nothing left to do, and
/// reading all of them may reach a quota.
const ASKS: &[&str] = &["missing-rate", "unused-allow", "throughput-quota"];

/// The titles of what is offered that begin so.
fn titles_of(model: &str, start: &str) -> Vec<String> {
    titles(model).into_iter().filter(|title| title.starts_with(start)).collect()
}

const CLINIC: &str = r#"application Clinic {
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

const FLEET: &str = r#"application Fleet {
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

/// The clinic with other patterns that read the index, and another projection.
fn reading(projection: &str, pattern: &str) -> String {
    with(
        CLINIC,
        &[
            ("    projection keys_only\n", projection),
            ("  query Visits.VisitsByRoom where room = :room descending limit 10\n", &format!("  {pattern}\n")),
        ],
    )
}

#[test]
fn an_index_projects_exactly_what_is_read() {
    let query = "query Visits.VisitsByRoom where room = :room";
    let reads = |list: &str| format!("reads Visit{list} by room\n  {query}");
    for (pattern, before, after, change) in [
        (reads("(visit_id)"), "all", "keys_only", "ALL → KEYS_ONLY"),
        (reads("(report)"), "all", "include(report)", "ALL → INCLUDE(1)"),
        (reads("(started_at, report)"), "keys_only", "include(report)", "KEYS_ONLY → INCLUDE(1)"),
        (format!("{query} project visit_id"), "include(report)", "keys_only", "INCLUDE(1) → KEYS_ONLY"),
        (
            format!("{query} filter exists(report) keeping 50% project visit_id"),
            "all",
            "include(report)",
            "ALL → INCLUDE(1)",
        ),
    ] {
        let model = |projection: &str| reading(&format!("    projec$0tion {projection}\n"), &pattern);
        check(&model(before), &format!("Project exactly what is read ({change})"), &model(after));
        check_not_offered(&model(after), "Project exactly");
    }
    // On the name, and where nothing says yet what is projected.
    let bare = reading("", &reads("(report)")).replace("gsi VisitsByRoom", "gsi Visits$0ByRoom");
    let told = reading("    projection include(report)\n", &reads("(report)"));
    check(&bare, "Project exactly what is read (ALL → INCLUDE(1))", &told);
    // Who claims nothing takes what there is.
    for projection in ["all", "include(report)", "keys_only"] {
        for pattern in [reads(""), query.to_owned()] {
            check_not_offered(&reading(&format!("    projec$0tion {projection}\n"), &pattern), "Project exactly");
        }
    }
    // What the table gives is not asked of the index.
    let twice = format!("{}\n  get Visit from Visits", reads(""));
    check_not_offered(&reading("    projec$0tion keys_only\n", &twice), "Project exactly");
    // An index that nobody reads is another matter.
    check_not_offered(&reading("    projec$0tion all\n", "get Visit from Visits"), "Project exactly");
    // Elsewhere in the table it is not offered.
    check_not_offered(
        &reading("    projection all\n", &reads("(report)")).replace("item Visit", "item V$0isit"),
        "Pro",
    );
}

#[test]
fn a_projection_of_a_single_table_and_its_price() {
    let model = FLEET.replace("projection all", "projection $0all");
    let expected = with(FLEET, &[("projection all", "projection include(CreatedAt)")]);
    check(&model, "Project exactly what is read (ALL → INCLUDE(1)): −4 write units a put, −$", &expected);
    // The other way, with the same numbers.
    let narrow = expected.replace("projection include", "projection $0include");
    let narrow = with(&narrow, &[("reads Trip(tripId, CreatedAt)", "reads Trip(tripId, log)")]);
    let wide = with(&narrow, &[("$0include(CreatedAt)", "include(log)")]);
    check(&narrow, "Project exactly what is read (INCLUDE(1) → INCLUDE(1)): +4 write units a put, +$8.95", &wide);
    assert_eq!(
        titles(&model),
        ["Project exactly what is read (ALL → INCLUDE(1)): −4 write units a put, −$8.99 a month"]
    );
}

#[test]
fn a_key_is_sharded_before_it_is_hot() {
    let model = CLINIC.replace("    partition key room\n", "    partition key ro$0om\n");
    let expected = with(
        CLINIC,
        &[
            ("  item Visit\n", "  item Visit { room_shard = \"{shard(visit_id, 10)}\" }\n"),
            ("    partition key room\n", "    partition key room, room_shard: string\n"),
            (
                "where room = :room descending limit 10",
                "where room = :room and room_shard = \"{shard(visit_id, 10)}\" descending limit 10 times 10",
            ),
        ],
    );
    check(&model, "Shard `VisitsByRoom` over 10 values by `visit_id`", &expected);
    // The value in the item.
    let model = FLEET.replace("    GSI1PK = \"DRIVER#{driver}\"\n", "    GSI1PK = \"DRI$0VER#{driver}\"\n");
    let expected = with(
        FLEET,
        &[
            ("    GSI1PK = \"DRIVER#{driver}\"\n", "    GSI1PK = \"DRIVER#{driver}#{shard(tripId, 10)}\"\n"),
            (
                "where GSI1PK = \"DRIVER#{driver}\" limit 10",
                "where GSI1PK = \"DRIVER#{driver}#{shard(tripId, 10)}\" limit 10 times 10",
            ),
        ],
    );
    check(&model, "Shard `GSI1PK` over 10 values by `tripId`", &expected);
    // A key of the table, whose value becomes a template; and as many shards as the load
    // asks for, where it asks.
    let load = |rate: &str| {
        with(
            CLINIC,
            &[
                ("rate avg 1/s, peak 4/s\n}\n\npattern RoomPlan", &format!("{rate}\n}}\n\npattern RoomPlan")),
                ("@of(Patient)\n", "@of(Patient) @hottest(50%)\n"),
            ],
        )
    };
    for (rate, shards) in [("rate avg 1/s, peak 4/s", 10), ("rate avg 1/s, peak 8k/s", 32)] {
        let model = load(rate);
        let at = |model: &str| {
            with(model, &[("  partition key patient_id\n  sort", "  partition key patient$0_id\n  sort")])
        };
        let item = format!("  item Visit {{ patient_id = \"{{patient_id}}#{{shard(visit_id, {shards})}}\" }}\n");
        let expected = with(&model, &[("  item Visit\n", &item)]);
        check(&at(&model), &format!("Shard `patient_id` over {shards} values by `visit_id`"), &expected);
    }
    // A key of one item each has nothing to spread.
    check_not_offered(&CLINIC.replace("partition key patient_id\n\n", "partition key pat$0ient_id\n\n"), "Shard");
    // What is sharded is not sharded again.
    check_not_offered(&expected.replace("    GSI1PK = \"DRIVER", "    GSI1PK = \"DRI$0VER"), "Shard");
}

const SCHOOL: &str = r#"entity Pupil {
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

const LOGIN_CLAIM: &str = r#"
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

const PUPILS: &str = "\ntable Pupils {\n  partition key pupil_id\n\n  item Pupil\n}\n";

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

#[test]
fn refactorings_hold_on_the_models_of_all_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let (mut count, mut faults) = (0, Vec::new());
    for rule in BUILT.iter().filter(|rule| is_built(rule)) {
        let page = std::fs::read_to_string(folder.join(format!("{}.md", rule.name))).expect("every rule has a page");
        for block in page::blocks(&page).into_iter().filter(|block| block.tag == "good" || block.tag == "bad") {
            if block.files.iter().any(|file| std::str::from_utf8(&file.bytes).is_err() || file.bytes.contains(&0)) {
                continue;
            }
            let what = format!("{}.md line {} ({})", rule.name, block.line, block.tag);
            // What is wrong in a bad model may be so twice in a part that is added to.
            let mut asks = ASKS.to_vec();
            asks.extend([rule.name, "unused-index"].iter().filter(|_| block.tag == "bad"));
            let offered = every_one(&block.files, &asks, &what);
            count += offered.titles.len();
            faults.extend(offered.faults);
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
    assert!(count > 100, "{count} refactorings were tried");
}

#[test]
fn refactorings_hold_on_the_examples() {
    let mut all = Offered::default();
    for example in ["shop", "blog", "school"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{example}.dynamo"));
        let text = std::fs::read_to_string(path).expect("the examples are there");
        let offered = every_one(&page::model(&text), ASKS, example);
        all.titles.extend(offered.titles);
        all.faults.extend(offered.faults);
    }
    assert!(all.faults.is_empty(), "{}", all.faults.join("\n\n"));
    assert!(all.titles.len() > 5, "{:#?}", all.titles);
}
