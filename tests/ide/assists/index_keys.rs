//! Composed index keys, parted into their attributes and back.

use crate::support::assists::{check, check_and_back, check_not_offered};

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
