//! What holds only for a time, what is frozen, and how many there can be: said where
//! a reader looks for it.

use crate::printed::made::part;
use keywright::deliverables::DocumentKind::{DataModel, Requirement};

const PAYMENTS: &str = "\
entity Payment { payment_id: ulid @id  request_key: uuid @unique @immutable  buyer_id: ulid @of(Buyer)
  buyer_name: string @size(20B) @copied_from(Buyer.name) @immutable  count 1M size 1KB }
entity Buyer { buyer_id: ulid @id  name: string @size(20B)  count 10k size 1KB }
entity Claim { request_key: uuid @id  payment_id: ulid @of(Payment)  expires_at: epoch  count 1k size 100B  lifetime 7d }
relationship Payment 1:1 Claim { identifying }
relationship Buyer 1:N Payment { children avg 100, max 400 identifying }
table Payments { partition key buyer_id  sort key entry: string
  item Payment { entry = \"PAYMENT#{payment_id}\" }  item Buyer { entry = \"BUYER\" } }
table Claims { partition key request_key  item Claim  TTL }
pattern Pay {
  transact write {
    put Payment into Payments if not_exists
    put Claim into Claims if not_exists
  }
  rate avg 2/s, peak 9/s
}
pattern Rename { update Buyer in Payments set name if exists  rate avg 1/h, peak 1/s }
";

#[test]
fn what_an_expiring_guard_keeps_unique_is_so_for_a_time() {
    let words = "only for 7 d, since Claim expires by `expires_at`; later the value can be taken again";
    let expiring = PAYMENTS.replace("TTL", "ttl expires_at");
    assert!(
        part(&expiring, DataModel, "table Payments").contains(words),
        "{}",
        part(&expiring, DataModel, "table Payments")
    );
    let boxes = part(&expiring, DataModel, "validation");
    let line = format!("- [x] What is unique is kept unique, as far as it is assumed: Payment.`request_key`: {words}");
    assert!(boxes.contains(&line), "{boxes}");
    let forever = PAYMENTS.replace("TTL", "");
    assert!(!part(&forever, DataModel, "table Payments").contains("taken again"));
    assert!(!part(&forever, DataModel, "validation").contains("taken again"));
}

#[test]
fn a_copy_that_nothing_may_change_is_frozen() {
    let model = PAYMENTS.replace("TTL", "");
    let frozen = "Payment.`buyer_name` is a copy of Buyer.`name`; frozen on purpose (`@immutable`): it keeps what the source \
                  was when it was written";
    let tradeoffs = part(&model, DataModel, "trade-offs");
    assert!(tradeoffs.contains(frozen), "{tradeoffs}");
    let loose = part(
        &model.replace("@copied_from(Buyer.name) @immutable", "@copied_from(Buyer.name)"),
        DataModel,
        "trade-offs",
    );
    assert!(!loose.contains("frozen") && loose.contains("Payment.`buyer_name` is a copy of Buyer.`name`"), "{loose}");
}

#[test]
fn what_is_kept_together_says_how_many_there_can_be() {
    let model = PAYMENTS.replace("TTL", "");
    for name in ["philosophy", "aggregates"] {
        assert!(part(&model, DataModel, name).contains("(at most 400)"), "{}", part(&model, DataModel, name));
    }
    let open = part(&model.replace(", max 400", ""), DataModel, "philosophy");
    assert!(open.contains("Payment (how many at most is not declared)"), "{open}");
}

#[test]
fn a_part_of_a_time_has_as_many_values_as_the_items_last() {
    let model = |entity: &str| {
        format!(
            "\
entity Event {{ event_id: ulid @id  at: timestamp @immutable  size 100B  {entity} }}
table Events {{ partition key hour: string  sort key event_id  item Event {{ hour = \"E#{{at:hour}}\" }} }}
pattern Put {{ put Event into Events  rate avg 10/s, peak 20/s }}
"
        )
    };
    let table = |entity: &str| part(&model(entity), DataModel, "table Events");
    let lasting = table("count 1M  lifetime 7d");
    assert!(lasting.contains("about 169 values of `{at:hour}` at a time, as Event lasts for 7 d"), "{lasting}");
    let grown = table("count 1M, growing 100k/day");
    assert!(grown.contains("about 241 values of `{at:hour}` at a time, as Event has the items of 10 days"), "{grown}");
    assert!(!table("count 1M").contains("at a time, as"), "{}", table("count 1M"));
}

/// What lasts for a while and is of so many things has no more values than both say.
#[test]
fn a_key_of_a_thing_and_a_time_has_the_values_that_are_alive() {
    let key = |bed: &str, entity: &str| {
        let model = format!(
            "\
entity Vital {{ bed: number @id {bed}  at: timestamp @id  size 100B  {entity} }}
table Vitals {{ partition key hour: string  sort key at  item Vital {{ hour = \"BED#{{bed:5}}#{{at:hour}}\" }} }}
pattern Put {{ put Vital into Vitals  rate avg 10/s, peak 20/s }}
"
        );
        let table = part(&model, DataModel, "table Vitals");
        table.lines().find(|line| line.starts_with("**Partition Key**")).expect("it has a key").to_owned()
    };
    // 73 hours of 100 beds; 1M items lie under these 7,300 values.
    let known = key("@distinct(100)", "count 1M  lifetime 3d");
    assert!(
        known.contains("(string, S); about 7,300 values at a time, of about 137 items each; about 73 values"),
        "{known}"
    );
    // There are no more values than items.
    let few = key("@distinct(100)", "count 500  lifetime 3d");
    assert!(few.contains("(string, S); about 500 values at a time, of about 1 item each; "), "{few}");
    let unknown = key("", "count 1M  lifetime 3d");
    assert!(unknown.contains("(string, S); ≤ 1M values (needs ") && unknown.contains("about 73 values"), "{unknown}");
}

#[test]
fn growth_that_is_not_declared_is_that_of_the_puts() {
    let model = |growing: &str| {
        format!(
            "\
entity Event {{ event_id: ulid @id  size 100B  count 1M{growing} }}
table Events {{ partition key event_id  item Event }}
pattern Add {{ put Event into Events if not_exists  rate avg 2/s, peak 20/s }}
pattern Replace {{ put Event into Events if exists  rate avg 9/s, peak 20/s }}
"
        )
    };
    let told = part(&model(""), Requirement, "application-overview");
    assert!(told.contains("growth not declared, its patterns put 172,800/day on average"), "{told}");
    assert!(!part(&model(", growing 170k/day"), Requirement, "application-overview").contains("growth not declared"));
}

#[test]
fn both_documents_say_that_a_read_is_unbounded() {
    let model = "\
entity Event { event_id: ulid @id  size 100B  count 1M }
table Events { partition key event_id  item Event }
pattern Export { scan Events  rate avg 1/day, peak 1/min  allow scan-pattern because \"Once a day.\" }
";
    assert!(part(model, DataModel, "table Events").contains("**unbounded**"));
    let topics = part(model, Requirement, "design-considerations");
    assert!(topics.contains("- 1 Export: not bounded: it reads everything, because Once a day"), "{topics}");
}
