//! Refactorings of the layout: keys, what is embedded, and files.

mod support;

use support::assists::{check, check_and_back, check_not_offered};

/// A help desk whose agents find tickets by state and priority.
const DESK: &str = r##"application Desk {
  domain "support"
  scale  "40 agents"
  region "us-east-1"
}

entity Ticket {
  ticket_id: ulid @id
  team:      uuid
  state:     enum(open, waiting, closed)
  opened_at: timestamp @immutable
  subject:   string @size(60B)

  count 1M
  size avg 700B, max 3KB
}

table Tickets {
  partition key ticket_id

  item Ticket {
    team_state = "TEAM#{team}#{state}"
    queue = "{opened_at}#{ticket_id}"
  }

  gsi TicketQueue {$0
    partition key team_state: string
    sort key queue: string
    projection include(subject)
  }
}

pattern OpenTicket {
  put Ticket into Tickets
  rate avg 2/s, peak 20/s
}

pattern CloseTicket {
  update Ticket in Tickets set state, subject
  rate avg 2/s, peak 20/s
}

pattern Queue {
  reads Ticket(ticket_id, subject) by team, state
  query Tickets.TicketQueue where team_state = "TEAM#{team}#{:state}" and queue begins_with "{opened_at:day}" limit 20
  rate avg 5/s, peak 50/s
}

pattern WaitingTickets {
  query Tickets.TicketQueue where team_state = "TEAM#{team}#waiting" limit 50
  rate avg 1/s, peak 5/s
}
"##;

#[test]
fn a_composed_key_becomes_its_attributes() {
    let expected = r##"application Desk {
  domain "support"
  scale  "40 agents"
  region "us-east-1"
}

entity Ticket {
  ticket_id: ulid @id
  team:      uuid
  state:     enum(open, waiting, closed)
  opened_at: timestamp @immutable
  subject:   string @size(60B)

  count 1M
  size avg 700B, max 3KB
}

table Tickets {
  partition key ticket_id

  item Ticket

  gsi TicketQueue {
    partition key team, state
    sort key opened_at, ticket_id
    projection include(subject)
  }
}

pattern OpenTicket {
  put Ticket into Tickets
  rate avg 2/s, peak 20/s
}

pattern CloseTicket {
  update Ticket in Tickets set state, subject
  rate avg 2/s, peak 20/s
}

pattern Queue {
  reads Ticket(ticket_id, subject) by team, state
  query Tickets.TicketQueue where team = :team and state = :state and opened_at begins_with "{opened_at:day}" limit 20
  rate avg 5/s, peak 50/s
}

pattern WaitingTickets {
  query Tickets.TicketQueue where team = :team and state = "waiting" limit 50
  rate avg 1/s, peak 5/s
}
"##;
    check(DESK, "Key `TicketQueue` by `team`, `state`, `opened_at` and `ticket_id`", expected);
}

/// A clinic: every visit has a doctor, a day and a room; one table of generic
/// keys, over two files.
const CLINIC: &str = r##"import "visits.dynamo"

application Clinic {
  domain "health"
  scale  "300 doctors"
  style  single_table
  region "us-east-1"
}

table Clinic {
  partition key PK: string
  sort key SK: string

  item Visit {
    PK = "VISIT#{visitId}"
    SK = "VISIT"
  }
  item Doctor {
    PK = "DOCTOR#{doctorId}"
    SK = "DOCTOR"
  }

  gsi GSI1 {
    partition key doctorId, state$0
    sort key day, visitId
    projection keys_only
  }
}
//- visits.dynamo
entity Visit {
  visitId:  ulid @id
  doctorId: uuid @of(Doctor)
  state:    enum(planned, done)?
  day:      timestamp
  notes:    string @size(300B)

  count 2M
  size avg 600B, max 2KB
}

entity Doctor {
  doctorId: uuid @id
  name:     string @size(20B)

  count 300
  size avg 200B, max 400B
}

relationship Doctor 1:N Visit { children avg 6_000, max 20k }

pattern PlanVisit {
  put Visit into Clinic with state
  rate avg 1/s, peak 5/s
}

pattern VisitsOfDay {
  query Clinic.GSI1 where doctorId = :doctorId and state = "planned" and day between :from and :to
  rate avg 3/s, peak 30/s
}

pattern PlannedVisits { query Clinic.GSI1 where doctorId = :doctorId and state = :state rate avg 1/s, peak 3/s }

pattern OneVisit {
  query Clinic.GSI1 where doctorId = :who and state = "done" and day = :day and visitId begins_with "01"
  rate avg 1/s, peak 3/s
}
"##;

#[test]
fn attributes_become_a_composed_key_and_are_parted_again() {
    let expected = r##"import "visits.dynamo"

application Clinic {
  domain "health"
  scale  "300 doctors"
  style  single_table
  region "us-east-1"
}

table Clinic {
  partition key PK: string
  sort key SK: string

  item Visit {
    PK = "VISIT#{visitId}"
    SK = "VISIT"
    GSI1PK = "{doctorId}#{state}"
  }
  item Doctor {
    PK = "DOCTOR#{doctorId}"
    SK = "DOCTOR"
  }

  gsi GSI1 {
    partition key GSI1PK: string$0
    sort key day, visitId
    projection keys_only
  }
}
//- visits.dynamo
entity Visit {
  visitId:  ulid @id
  doctorId: uuid @of(Doctor)
  state:    enum(planned, done)?
  day:      timestamp
  notes:    string @size(300B)

  count 2M
  size avg 600B, max 2KB
}

entity Doctor {
  doctorId: uuid @id
  name:     string @size(20B)

  count 300
  size avg 200B, max 400B
}

relationship Doctor 1:N Visit { children avg 6_000, max 20k }

pattern PlanVisit {
  put Visit into Clinic with state
  rate avg 1/s, peak 5/s
}

pattern VisitsOfDay {
  query Clinic.GSI1 where GSI1PK = "{doctorId}#planned" and day between :from and :to
  rate avg 3/s, peak 30/s
}

pattern PlannedVisits { query Clinic.GSI1 where GSI1PK = "{doctorId}#{state}" rate avg 1/s, peak 3/s }

pattern OneVisit {
  query Clinic.GSI1 where GSI1PK = "{:who}#done" and day = :day and visitId begins_with "01"
  rate avg 1/s, peak 3/s
}
"##;
    check_and_back(CLINIC, "Key `GSI1` by `GSI1PK` composed of `doctorId` and `state`", expected, "Key `GSI1` by");
    // Of the sort key, a range of which only the first attribute is asked cannot follow.
    let sort = CLINIC.replace("state$0", "state").replace("sort key day", "sort key$0 day");
    check_not_offered(&sort, "Key `GSI1` by");
    // Nothing follows where it is half-typed.
    check_not_offered(&CLINIC.replace("where doctorId = :who", "where doctorId ="), "Key `GSI1` by");
}

#[test]
fn no_key_is_parted_where_the_index_would_hold_or_find_something_else() {
    let offer = "Key `TicketQueue` by";
    // The stored value is not the attribute.
    check_not_offered(
        &DESK
            .replace("#{state}\"\n    queue", "#{state:lower}\"\n    queue")
            .replace("{opened_at}#", "{opened_at:hour}#"),
        offer,
    );
    // Another entity has the attributes, and would come into the index.
    let archive = DESK.replace("  gsi TicketQueue", "  item Archived\n\n  gsi TicketQueue").replace(
        "table Tickets",
        "entity Archived {\n  ticket_id: ulid @id\n  team: uuid\n  state: enum(open)\n  opened_at: timestamp\n}\n\ntable Tickets",
    );
    check_not_offered(&archive, offer);
    // A condition that stops within two attributes, one that spans them, and a whole value.
    for (now, then) in [
        ("queue begins_with \"{opened_at:day}\"", "queue > \"{opened_at}#{ticket_id}\""),
        ("queue begins_with \"{opened_at:day}\"", "queue between \"{:from}\" and \"{:to}\""),
        ("team_state = \"TEAM#{team}#waiting\"", "team_state = :team_state"),
    ] {
        check_not_offered(&DESK.replace(now, then), offer);
    }
    // An index that filters on what would be its key.
    check_not_offered(&DESK.replace("#waiting\" limit 50", "#waiting\" filter state = \"open\""), offer);
}

#[test]
fn prefixes_become_equalities() {
    let model = r##"entity Reading { site: uuid @id meter: string @id @size(8B) at: timestamp @id kwh: number count 1G }
table Readings { partition key id: string item Reading { id = "{site}#{meter}#{at}" gsi_sort = "{meter}#{at}" } gsi $0BySite { partition key site sort key gsi_sort: string projection all } }
pattern Add { put Reading into Readings rate avg 1/s, peak 2/s }
pattern OfMeter { query Readings.BySite where gsi_sort begins_with "{meter}#" and site = :site rate avg 1/s, peak 2/s }
pattern Between { query Readings.BySite where site = :site and gsi_sort between "{meter}#{:from}" and "{meter}#{:to}" limit 5 rate avg 1/s, peak 2/s }
pattern All { query Readings.BySite where site = :site and gsi_sort begins_with "" rate avg 1/s, peak 2/s }
"##;
    let expected = r##"entity Reading { site: uuid @id meter: string @id @size(8B) at: timestamp @id kwh: number count 1G }
table Readings { partition key id: string item Reading { id = "{site}#{meter}#{at}" } gsi BySite { partition key site sort key meter, at projection all } }
pattern Add { put Reading into Readings rate avg 1/s, peak 2/s }
pattern OfMeter { query Readings.BySite where meter = :meter and site = :site rate avg 1/s, peak 2/s }
pattern Between { query Readings.BySite where site = :site and meter = :meter and at between :from and :to limit 5 rate avg 1/s, peak 2/s }
pattern All { query Readings.BySite where site = :site rate avg 1/s, peak 2/s }
"##;
    check(model, "Key `BySite` by `meter` and `at` instead of `gsi_sort`", expected);
}

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

/// Measures of a patient, found by the patient through an index.
const MEASURES: &str = r##"application Ward {
  domain "health"
  scale  "12 wards"
  region "us-east-1"
}

entity Patient {
  patient_id: uuid @id
  name:       string @size(20B)

  count 10k
}

entity Measure {
  measure_id: ulid @id
  patient_id: uuid @of(Patient)
  value:      number

  count 5M
  size avg 300B, max 500B
}

relationship Patient 1:N Measure {
  children avg 500, max 10k
  identifying
}

table Patients {
  partition key patient_id
  item Patient
}

table Measures {
  partition key measure_id because "Ids spread."
  item Measure

  /// For the curve.
  gsi MeasuresByPatient {
    $0partition key patient_id because "The curve is one query."
    sort key measure_id
    projection include(value)
  }
}

pattern Admit {
  put Patient into Patients
  rate avg 0.1/s, peak 1/s
}

pattern Take {
  put Measure into Measures if not_exists
  rate avg 20/s, peak 100/s
}

pattern Correct {
  writes Measure by patient_id, measure_id
  update Measure in Measures set value
  rate avg 0.1/s, peak 1/s
}

pattern Curve {
  query Measures.MeasuresByPatient where patient_id = :patient_id and measure_id > :since descending limit 100
  rate avg 5/s, peak 20/s
}
"##;

#[test]
fn a_table_is_keyed_by_parent_and_child() {
    let expected = MEASURES
        .replace("$0", "")
        .replace(
            "  partition key measure_id because \"Ids spread.\"\n",
            "  partition key patient_id because \"The curve is one query.\"\n  sort key measure_id because \"Ids spread.\"\n",
        )
        .replace("query Measures.MeasuresByPatient", "query Measures");
    let start = expected.find("\n  /// For the curve.").expect("it is there");
    let end = expected.find("pattern Admit").expect("it is there");
    let expected = format!("{}}}\n\n{}", &expected[..start], &expected[end..]);
    check(MEASURES, "Key `Measure` by `patient_id` and `measure_id` and drop `MeasuresByPatient`: −$", &expected);
}

#[test]
fn items_of_a_shared_table_are_keyed_by_parent_and_child() {
    let model = r##"application Forum {
  domain "community"
  scale  "2 thousand threads"
  style  single_table
  region "us-east-1"
}

entity Thread {
  threadId: ulid @id
  title:    string @size(60B)

  count 2k
}

entity Reply {
  replyId:  ulid @id
  threadId: ulid @of(Thread)
  text:     string @size(300B)

  count 60k
}

relationship Thread 1:N Reply { children avg 30, max 500 identifying }

table Forum {
  partition key PK: string
  sort key SK: string

  item Thread {
    PK = "THREAD#{threadId}"
    SK = "THREAD"
  }
  item Reply {
    PK = "REPLY#{replyId}"
    SK = "REPLY"
    GSI1PK = "THREAD#{threadId}"
    GSI1SK = "REPLY#{replyId}"
  }

  gsi GSI1 {$0
    partition key GSI1PK: string
    sort key GSI1SK: string
  }
}

pattern Open {
  put Thread into Forum
  rate avg 1/s, peak 2/s
}

pattern Title {
  query Forum where PK = "THREAD#{threadId}" and SK = "THREAD"
  rate avg 1/s, peak 2/s
}

pattern Answer { put Reply into Forum rate avg 1/s, peak 2/s }
//- reads.dynamo
pattern Latest {
  query Forum.GSI1 where GSI1PK = "THREAD#{threadId}" descending limit 20
  rate avg 1/s, peak 2/s
}

pattern Since {
  query Forum.GSI1 where GSI1PK = "THREAD#{threadId}" and GSI1SK between "REPLY#{:from}" and "REPLY#{:to}"
  rate avg 1/s, peak 2/s
}
"##;
    let model = format!("import \"reads.dynamo\"\n\n{model}");
    let expected = model
        .replace(
            "    PK = \"REPLY#{replyId}\"\n    SK = \"REPLY\"\n    GSI1PK = \"THREAD#{threadId}\"\n    GSI1SK = \"REPLY#{replyId}\"\n",
            "    PK = \"THREAD#{threadId}\"\n    SK = \"REPLY#{replyId}\"\n",
        )
        .replace("\n  gsi GSI1 {$0\n    partition key GSI1PK: string\n    sort key GSI1SK: string\n  }\n", "")
        .replace(
            "query Forum.GSI1 where GSI1PK = \"THREAD#{threadId}\" descending",
            "query Forum where PK = \"THREAD#{threadId}\" and SK begins_with \"REPLY#\" descending",
        )
        .replace(
            "query Forum.GSI1 where GSI1PK = \"THREAD#{threadId}\" and GSI1SK",
            "query Forum where PK = \"THREAD#{threadId}\" and SK",
        );
    let offer = "Key `Reply` by `threadId` and `replyId` and drop `GSI1`";
    check(&model, offer, &expected);
    // Who reads the whole partition of a thread would find the replies as well.
    check_not_offered(&model.replace(" and SK = \"THREAD\"", ""), offer);
    // So would who asks for all behind a reply.
    check_not_offered(&model.replace("between \"REPLY#{:from}\" and \"REPLY#{:to}\"", "> \"REPLY#{:from}\""), offer);
    // Who gets one reply has nothing but its id.
    let get = "pattern One { get Reply from Forum rate avg 1/s, peak 2/s }\n//- reads";
    check_not_offered(&model.replace("//- reads", get), offer);
    check(
        &model.replace("//- reads", &get.replace("get", "reads Reply by threadId get")),
        offer,
        &expected.replace("//- reads", &get.replace("get", "reads Reply by threadId get")),
    );
}

#[test]
fn a_table_in_one_line_is_keyed_by_parent_and_child() {
    let model = r##"entity Bus { bus: string @id @size(6B) size 1KB count 100 }
entity Stop { stop: uuid @id bus: string @of(Bus) size 1KB count 2k }
relationship Bus 1:N Stop { children avg 20, max 50 identifying }
table Buses { partition key bus item Bus }
table Stops { partition key stop item Stop { by_bus = "{bus}" } gsi OfBus {$0 partition key by_bus: string projection all } }
pattern PutBus { put Bus into Buses rate avg 1/s, peak 2/s }
pattern GetBus { get Bus from Buses rate avg 1/s, peak 2/s }
pattern PutStop { put Stop into Stops rate avg 1/s, peak 2/s }
pattern StopsOfBus { query Stops.OfBus where by_bus = "{bus}" rate avg 1/s, peak 2/s }
"##;
    let expected = model
        .replace(
            "partition key stop item Stop { by_bus = \"{bus}\" } gsi OfBus {$0 partition key by_bus: string projection all }",
            "partition key by_bus: string sort key stop item Stop { by_bus = \"{bus}\" }",
        )
        .replace("Stops.OfBus", "Stops");
    check(model, "Key `Stop` by `bus` and `stop` and drop `OfBus`", &expected);
    check_not_offered(&model.replace(" identifying", ""), "Key `Stop`");
    // Nor where the order of the index is lost.
    let ordered = model.replace("by_bus: string projection", "by_bus: string sort key name projection");
    let ordered = ordered
        .replace("@of(Bus) size", "@of(Bus) name: string @size(9B) size")
        .replace("{bus}\" rate", "{bus}\" descending rate");
    check_not_offered(&ordered, "Key `Stop`");
}

/// Recipes and their steps, a table each.
const RECIPES: &str = r##"application Kitchen {
  domain "cooking"
  scale  "5 thousand recipes"
  region "us-east-1"
}

entity Recipe {
  recipe_id: uuid @id
  title:     string @size(40B)

  count 5k
}

entity RecipeStep {
  recipe_id: uuid @of(Recipe)
  step_no:   number @id
  text:      string @size(150B)

  count 40k
}

relationship Recipe 1:N RecipeStep { children avg 8, max 30 identifying }

table Recipes {
  partition key recipe_id
  item Recipe
}

table RecipeSteps {
  partition key recipe_id
  sort key step_no

  item RecipeStep$0
}

pattern Publish {
  transact write {
    put Recipe into Recipes if not_exists
    put RecipeStep into RecipeSteps times 8
  }
  rate avg 0.01/s, peak 1/s
}

/// Title and steps.
pattern Cook {
  get Recipe from Recipes
  query RecipeSteps where recipe_id = :recipe_id
  rate avg 5/s, peak 20/s
}

pattern ReadAloud {
  query RecipeSteps where recipe_id = :recipe_id consistent
  rate avg 1/s, peak 2/s
}

pattern Reword {
  update RecipeStep in RecipeSteps set text
  rate avg 0.001/s, peak 1/s
}

pattern Withdraw {
  transact write {
    delete Recipe from Recipes
    delete RecipeStep from RecipeSteps times 8
  }
  rate avg 0.001/s, peak 1/s
}
"##;

#[test]
fn children_move_into_their_parents_item_and_out_again() {
    let expected = RECIPES
        .replace("$0", "")
        .replace("\ntable RecipeSteps {\n  partition key recipe_id\n  sort key step_no\n\n  item RecipeStep\n}\n", "")
        .replace("  item Recipe\n", "  item Recipe embeds RecipeStep$0 as steps\n")
        .replace("    put RecipeStep into RecipeSteps times 8\n", "")
        .replace("    delete RecipeStep from RecipeSteps times 8\n", "")
        .replace("  query RecipeSteps where recipe_id = :recipe_id\n", "")
        .replace("query RecipeSteps where recipe_id = :recipe_id", "get RecipeStep from Recipes")
        .replace("update RecipeStep in RecipeSteps", "update RecipeStep in Recipes");
    check_and_back(
        RECIPES,
        "Embed `RecipeStep` in the items of `Recipe` as `steps`: −$",
        &expected,
        "Take `RecipeStep` out of the items of `Recipe`, to table `RecipeSteps`: +$",
    );
    let offer = "Embed `RecipeStep`";
    for (now, then) in [
        // The query finds a part, in an order; or it finds nothing, whatever it is for.
        ("query RecipeSteps where recipe_id = :recipe_id consistent", "query RecipeSteps where recipe_id = 3"),
        (":recipe_id consistent", ":recipe_id descending limit 1"),
        (":recipe_id consistent", ":recipe_id and step_no > 3"),
        // What is tested is the step, not the recipe.
        ("set text", "set text if exists"),
        ("times 8\n  }\n  rate avg 0.01", "times 8 if not_exists\n  }\n  rate avg 0.01"),
        // The steps expire, and the recipe does not.
        ("  item RecipeStep$0", "  ttl until\n\n  item RecipeStep$0"),
    ] {
        let model = RECIPES.replace(now, then).replace("text:      string", "until:     epoch\n  text:      string");
        if now != "set text" && !now.starts_with("times") {
            assert_ne!(model, RECIPES);
        }
        let tried = if now.starts_with("times") {
            model.replace("put Recipe into Recipes if not_exists\n    ", "")
        } else {
            model
        };
        check_not_offered(&tried, offer);
    }
}

#[test]
fn children_under_their_parents_partition_key_move_in_and_out() {
    let model = r##"application Radio {
  domain "music"
  scale  "1 thousand playlists"
  style  single_table
  region "us-east-1"
}

entity Playlist {
  playlistId: ulid @id
  title:      string @size(30B)

  count 1k
}

entity Track {
  trackId:    ulid @id
  playlistId: ulid @of(Playlist)
  title:      string @size(40B)

  count 50k
}

relationship Playlist$0 1:N Track { children avg 50, max 200 }

table Radio {
  partition key PK: string
  sort key SK: string

  item Playlist {
    PK = "LIST#{playlistId}"
    SK = "LIST"
  }
  item Track {
    PK = "LIST#{playlistId}"
    SK = "TRACK#{trackId}"
  }
}

pattern NewPlaylist { put Playlist into Radio rate avg 0.01/s, peak 1/s }

pattern AddTrack {
  put Track into Radio
  rate avg 0.1/s, peak 1/s
}

pattern RemoveTrack {
  delete Track from Radio
  rate avg 0.1/s, peak 1/s
}

pattern ShowAll {
  query Radio where PK = "LIST#{playlistId}"
  rate avg 5/s, peak 9/s
}

pattern Play {
  query Radio where PK = "LIST#{playlistId}" and SK begins_with "TRACK#"
  rate avg 5/s, peak 9/s
}
"##;
    let expected = model
        .replace("$0", "")
        .replace("  item Track {\n    PK = \"LIST#{playlistId}\"\n    SK = \"TRACK#{trackId}\"\n  }\n", "")
        .replace("  item Playlist {", "  item Playlist embeds $0Track as tracks {")
        .replace("query Radio where PK = \"LIST#{playlistId}\" and SK begins_with \"TRACK#\"", "get Track from Radio");
    check_and_back(
        model,
        "Embed `Track` in the items of `Playlist` as `tracks`",
        &expected,
        "Take `Track` out of the items of `Playlist`, to items of its own",
    );
}

#[test]
fn children_found_by_an_index_move_into_another_files_table() {
    let model = r##"import "repairs.dynamo"
entity Bike { bikeId: uuid @id frame: string @size(20B) count 10k }
table Bikes { partition key bikeId item Bike }
pattern Buy { put Bike into Bikes rate avg 0.1/s, peak 1/s }
pattern Look { get Bike from Bikes rate avg 0.1/s, peak 1/s }
//- repairs.dynamo
entity BikeRepair { repairId: ulid @id bikeId: uuid @of(Bike) work: string @size(50B) count 30k }
relationship Bike 1:N BikeRepair { children avg 3, max 40 }
table Repairs { partition key repairId $0item BikeRepair gsi RepairsOfBike { partition key bikeId } }
pattern Repair { put BikeRepair into Repairs rate avg 0.1/s, peak 1/s }
pattern Amend { writes BikeRepair by bikeId update BikeRepair in Repairs set work rate avg 0.01/s, peak 1/s }
pattern History { query Repairs.RepairsOfBike where bikeId = :bikeId rate avg 1/s, peak 2/s }
"##;
    let expected = r##"import "repairs.dynamo"
entity Bike { bikeId: uuid @id frame: string @size(20B) count 10k }
table Bikes { partition key bikeId item Bike embeds BikeRepair as repairs }
pattern Buy { put Bike into Bikes rate avg 0.1/s, peak 1/s }
pattern Look { get Bike from Bikes rate avg 0.1/s, peak 1/s }
//- repairs.dynamo
entity BikeRepair { repairId: ulid @id bikeId: uuid @of(Bike) work: string @size(50B) count 30k }
relationship Bike 1:N BikeRepair { children avg 3, max 40 }
pattern Repair { put BikeRepair into Bikes rate avg 0.1/s, peak 1/s }
pattern Amend { writes BikeRepair by bikeId update BikeRepair in Bikes set work rate avg 0.01/s, peak 1/s }
pattern History { get BikeRepair from Bikes rate avg 1/s, peak 2/s }
"##;
    check(model, "Embed `BikeRepair` in the items of `Bike` as `repairs`", expected);
    // Who amends a repair does not say whose bike it is.
    check_not_offered(&model.replace("writes BikeRepair by bikeId ", ""), "Embed");
    check_not_offered(&model.replace("{ query Repairs.", "{ scan Repairs filter bikeId = :x query Repairs."), "Embed");
}

#[test]
fn children_that_do_not_know_the_partition_get_a_table() {
    let model = r##"application Depot {
  domain "logistics"
  scale  "20 carriers"
}

entity Carrier {
  carrier: string @id @size(8B)
  name:    string @size(30B)

  count 20
}

entity Trip {
  trip_id: ulid @id
  carrier: string @of(Carrier)
  state:   enum(open, done)

  count 1M
}

entity Stop {
  stop_no: number @id
  trip_id: ulid @of(Trip)
  city:    string @size(20B)
}

relationship Carrier 1:N Trip { children avg 50k, max 80k identifying }
relationship Trip 1:N Stop { children avg 4.5, max 20 identifying }

/// What drives.
table Trips {
  partition key carrier
  sort key sk: string
  point_in_time_recovery

  item Carrier { sk = "CARRIER" }
  item Trip embeds $0Stop as stops { sk = "TRIP#{trip_id}" }
} // by carrier

pattern AddCarrier {
  put Carrier into Trips
  rate avg 0.001/s, peak 1/s
}

pattern Plan {
  put Trip into Trips if not_exists
  rate avg 1/s, peak 5/s
}

pattern Drive {
  reads Stop by trip_id
  get Stop from Trips
  rate avg 1/s, peak 5/s
}

pattern ShowTrip {
  reads Trip by trip_id
  get Trip from Trips
  rate avg 1/s, peak 5/s
}

pattern Recent {
  reads Carrier, Trip(state) by carrier
  query Trips where carrier = :carrier descending limit 20
  rate avg 1/s, peak 5/s
}
"##;
    let table =
        "table Stops {\n  partition key trip_id\n  sort key stop_no\n  point_in_time_recovery\n\n  item Stop\n}\n";
    let expected = model
        .replace(" embeds $0Stop as stops", "")
        .replace("} // by carrier\n", &format!("}} // by carrier\n\n{table}"))
        .replace(
            "  put Trip into Trips if not_exists\n",
            "  transact write {\n    put Trip into Trips if not_exists\n    put Stop into Stops times 5\n  }\n",
        )
        .replace("get Stop from Trips", "query Stops where trip_id = :trip_id");
    let offer = "Take `Stop` out of the items of `Trip`, to table `Stops`";
    check(model, offer, &expected);
    // The trips of a carrier with the stops of each: no query gives those.
    check_not_offered(&model.replace("Carrier, Trip(state)", "Carrier, Trip(state), Stop"), offer);
    // How many stops a trip is planned with is not said.
    check_not_offered(&model.replace("children avg 4.5, max 20 ", ""), offer);
    check_not_offered(&model.replace("reads Trip by trip_id", "reads Trip(stops) by trip_id"), "Take `Stop`");
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
