//! How hot a key may be: just below 80 % of a limit nothing is said, from there
//! on a warning, above the limit an error where DynamoDB cannot split the key
//! (numbers H1–H3, facts H1, H2, L29, L30).

use crate::support::page::{levels, message};

const TABLE: &str = "hot-partition-key";
const INDEX: &str = "hot-index-key";

/// A model with one pattern whose rate is left open.
struct Case {
    name: &'static str,
    rule: &'static str,
    /// `RATE` stands for the rate.
    model: &'static str,
    /// Units a second that one value takes.
    limit: f64,
    /// Units on the hottest value of each call, on the average of the calls.
    each: f64,
    /// The level over the limit.
    over: &'static str,
}

/// One call of each puts or gets units on the hottest value as `each` says.
const CASES: &[Case] = &[
    Case {
        name: "writes of many items of one key, which DynamoDB can split by a sort key in no order",
        rule: TABLE,
        model: "entity Event { event_id: uuid @id  device: string @distinct(10) @hottest(50%) @size(5B)  size 900B }
            table Events { partition key device  sort key event_id  item Event }
            pattern Add { put Event into Events rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "warning",
    },
    Case {
        name: "writes of one item",
        rule: TABLE,
        model: "entity Counter { counter: string @id @hottest(25%) @size(5B)  hits: number  count 40  size 100B }
            table Counters { partition key counter  item Counter }
            pattern Hit { update Counter in Counters set hits rate RATE }",
        limit: 1_000.0,
        each: 0.25,
        over: "error",
    },
    Case {
        name: "writes of one item of a table whose sort key is fixed text",
        rule: TABLE,
        model: "entity Counter { counter: string @id @hottest(25%) @size(5B)  hits: number  count 40  size 100B }
            table T { partition key PK: string  sort key SK: string
              item Counter { PK = \"COUNTER#{counter}\" SK = \"COUNTER\" } }
            pattern Hit { transact write { update Counter in T set hits } rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "error",
    },
    Case {
        name: "writes at the end of a sort key that only grows",
        rule: TABLE,
        model: "entity Event { event_id: ulid @id  device: string @distinct(10) @hottest(50%) @size(5B)  size 1500B }
            table T { partition key PK: string  sort key SK: string
              item Event { PK = \"DEVICE#{device}\" SK = \"EVENT#{event_id}\" } }
            pattern Add { put Event into T rate RATE }",
        limit: 1_000.0,
        each: 1.0,
        over: "error",
    },
    Case {
        name: "updates of old and new items of such a key, which can be split off",
        rule: TABLE,
        model: "entity Event { event_id: ulid @id  device: string @distinct(10) @hottest(50%) @size(5B)  seen: boolean
              size 900B }
            table Events { partition key device  sort key event_id  item Event }
            pattern See { update Event in Events set seen rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "warning",
    },
    Case {
        name: "writes of a table with a local index, whose units are the table's",
        rule: TABLE,
        model: "entity Event { event_id: uuid @id  device: string @distinct(10) @hottest(50%) @size(5B)  n: number  size 900B }
            table Events { partition key device  sort key event_id  item Event  lsi ByN { sort key n } }
            pattern Add { put Event into Events rate RATE }",
        limit: 1_000.0,
        each: 1.0,
        over: "error",
    },
    Case {
        name: "writes of the moment's value of a key that is made of time",
        rule: TABLE,
        model: "entity Event { event_id: uuid @id  at: timestamp  size 900B }
            table Events { partition key hour: string  sort key event_id  item Event { hour = \"{at:hour}\" } }
            pattern Add { put Event into Events rate RATE }",
        limit: 1_000.0,
        each: 1.0,
        over: "warning",
    },
    Case {
        name: "writes that a shard spreads",
        rule: TABLE,
        model: "entity Event { event_id: uuid @id  at: timestamp  size 900B }
            table Events { partition key hour: string  sort key event_id
              item Event { hour = \"{at:hour}#{shard(event_id, 4)}\" } }
            pattern Add { put Event into Events rate RATE }",
        limit: 1_000.0,
        each: 0.25,
        over: "warning",
    },
    Case {
        name: "writes that a shard made of the key itself does not spread",
        rule: TABLE,
        model: "entity Event { event_id: uuid @id  device: string @distinct(10) @hottest(50%) @size(5B)  size 900B }
            table Events { partition key of: string  sort key event_id
              item Event { of = \"{device}#{shard(device, 4)}\" } }
            pattern Add { put Event into Events rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "warning",
    },
    Case {
        name: "reads of one item",
        rule: TABLE,
        model: "entity Product { sku: string @id @hottest(50%) @size(5B)  count 40  size 5KB }
            table Products { partition key sku  item Product }
            pattern Show { get Product from Products consistent rate RATE }",
        limit: 3_000.0,
        each: 1.0,
        over: "error",
    },
    Case {
        name: "reads of many items of one key",
        rule: TABLE,
        model: "entity Post { post_id: ulid @id  blog: string @distinct(10) @hottest(50%) @size(5B)  count 1M  size 4KB }
            table Posts { partition key blog  sort key post_id  item Post }
            pattern Latest { query Posts where blog = :blog descending limit 10 rate RATE }",
        limit: 3_000.0,
        each: 2.5,
        over: "warning",
    },
    Case {
        name: "reads by a local index",
        rule: TABLE,
        model: "entity Post { post_id: uuid @id  blog: string @distinct(10) @hottest(50%) @size(5B)  n: number
              count 1M  size 4KB }
            table Posts { partition key blog  sort key post_id  item Post  lsi ByN { sort key n } }
            pattern Top { query Posts.ByN where blog = :blog limit 10 rate RATE }",
        limit: 3_000.0,
        each: 2.5,
        over: "error",
    },
    Case {
        name: "reads of a value that the query names itself",
        rule: TABLE,
        model: "entity Post { post_id: uuid @id  blog: string @distinct(1_000) @size(5B)  count 1M  size 4KB }
            table Posts { partition key blog  sort key post_id  item Post }
            pattern News { query Posts where blog = \"news\" limit 10 rate RATE }",
        limit: 3_000.0,
        each: 5.0,
        over: "warning",
    },
    Case {
        name: "writes of an index",
        rule: INDEX,
        model: "entity Task { task_id: uuid @id  state: enum(open, done, gone, lost)  count 1M  size 900B }
            table Tasks { partition key task_id  item Task  gsi ByState { partition key state  sort key task_id } }
            pattern Add { put Task into Tasks rate RATE }",
        limit: 1_000.0,
        each: 0.25,
        over: "warning",
    },
    Case {
        name: "entries of an index that move: one leaves, one enters",
        rule: INDEX,
        model: "entity Task { task_id: uuid @id  state: enum(open, done, gone, lost)  count 1M  size 900B }
            table Tasks { partition key task_id  item Task  gsi ByState { partition key state  sort key task_id } }
            pattern Move { update Task in Tasks set state rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "warning",
    },
    Case {
        name: "writes at the end of an index",
        rule: INDEX,
        model: "entity Task { task_id: uuid @id  state: enum(open, done, gone, lost)  at: timestamp  count 1M  size 900B }
            table Tasks { partition key task_id  item Task  gsi ByState { partition key state  sort key at } }
            pattern Add { put Task into Tasks rate RATE }",
        limit: 1_000.0,
        each: 0.25,
        over: "error",
    },
    Case {
        name: "entries that an update moves to the end of an index",
        rule: INDEX,
        model: "entity Task { task_id: uuid @id  state: enum(open, done, gone, lost)  at: timestamp  count 1M  size 900B }
            table Tasks { partition key task_id  item Task  gsi ByState { partition key state  sort key at } }
            pattern Touch { update Task in Tasks set at rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "error",
    },
    Case {
        name: "one entry of an index",
        rule: INDEX,
        model: "entity User { user_id: uuid @id  email: string @unique @hottest(50%) @size(9B)  n: number  count 1M  size 900B }
            table Users { partition key user_id  item User  gsi ByEmail { partition key email } }
            pattern Touch { update User in Users set n rate RATE }",
        limit: 1_000.0,
        each: 0.5,
        over: "error",
    },
    Case {
        name: "reads of an index of a table with a local index, which confines the table alone",
        rule: INDEX,
        model: "entity Task { task_id: uuid @id  user: string @size(5B)  n: number
              state: enum(open, done, gone, lost)  count 1M  size 4KB }
            table Tasks { partition key user  sort key task_id  item Task  lsi ByN { sort key n }
              gsi ByState { partition key state  sort key task_id } }
            pattern List { query Tasks.ByState where state = :state limit 4 rate RATE }",
        limit: 3_000.0,
        each: 0.5,
        over: "warning",
    },
];

#[test]
fn a_key_is_told_from_eighty_percent_and_an_error_above_the_limit_where_it_cannot_be_split() {
    for Case { name, rule, model, limit, each, over } in CASES {
        let at = |share: f64| levels(rule, &model.replace("RATE", &format!("{:.6}/s", limit * share / each)));
        assert_eq!(at(0.7999), Vec::<&str>::new(), "{name}: just below 80 %");
        assert_eq!(at(0.8), ["warning"], "{name}: at 80 %");
        assert_eq!(at(1.0), ["warning"], "{name}: at the limit");
        assert_eq!(at(1.0001), [*over], "{name}: just above the limit");
        assert_eq!(at(40.0), [*over], "{name}: far above the limit");
    }
}

#[test]
fn every_case_is_hot_by_one_key_alone() {
    for Case { name, rule, model, limit, each, .. } in CASES {
        let model = model.replace("RATE", &format!("{:.6}/s", limit / each));
        let other = if *rule == TABLE { INDEX } else { TABLE };
        assert_eq!(levels(other, &model), Vec::<&str>::new(), "{name}");
    }
}

/// Two patterns that write one collection, and one that writes another.
const SUM: &str = "entity User { user_id: uuid @id  name: string @size(9B)  count 10  size 900B }
    entity Order { order_id: uuid @id  user_id: uuid @of(User)  count 1M  size 900B }
    entity Visit { visit_id: uuid @id  page: string @distinct(10) @size(5B)  count 1M  size 900B }
    table T { partition key PK: string  sort key SK: string
      item User { PK = \"USER#{user_id}\"  SK = \"USER\" }
      item Order { PK = \"USER#{user_id}\"  SK = \"ORDER#{order_id}\" }
      item Visit { PK = \"PAGE#{page}\"  SK = \"VISIT#{visit_id}\" } }
    pattern Rename { update User in T set name rate A/s }
    pattern Order { put Order into T rate B/s }
    pattern Visit { put Visit into T rate C/s }";

fn sum(a: &str, b: &str, c: &str) -> String {
    SUM.replace("A/s", &format!("{a}/s")).replace("B/s", &format!("{b}/s")).replace("C/s", &format!("{c}/s"))
}

#[test]
fn patterns_add_up_where_they_meet_on_one_value() {
    // 10 users and 10 pages have a tenth each.
    assert_eq!(levels(TABLE, &sum("3999", "4000", "7999")), Vec::<&str>::new());
    assert_eq!(levels(TABLE, &sum("4000", "4000", "7999")), ["warning"]);
    assert_eq!(levels(TABLE, &sum("3999", "4000", "8000")), ["warning"]);
    // Each value is told where it shows.
    assert_eq!(levels(TABLE, &sum("4000", "4000", "8000")), ["warning", "warning"]);
}

#[test]
fn only_what_cannot_be_split_off_makes_an_error() {
    // The profile alone stays within the limit, orders can be split from it.
    assert_eq!(levels(TABLE, &sum("9000", "9000", "0.1")), ["warning"]);
    assert_eq!(levels(TABLE, &sum("10001", "1", "0.1")), ["error"]);
    assert!(message(TABLE, &sum("10001", "1", "0.1")).contains("it is one `User`"));
}

#[test]
fn a_message_says_the_number_the_limit_who_weighs_most_and_how_many_shards_would_do() {
    let said = message(TABLE, &sum("5000", "20000", "0.1"));
    for part in [
        "`T` peaks at 2,500 WCU/s on one key (`USER#{user_id}`)",
        "a partition takes 1,000",
        "`Order` weighs most (20,000/s × 1 write unit × 10 % of {user_id})",
        "4 shards of the key would do",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let index = CASES.iter().find(|case| case.rule == INDEX).expect("there is one");
    let said = message(INDEX, &index.model.replace("RATE", "10k/s"));
    assert!(said.contains("throttles the writes of `Tasks` as well"), "{said}");
}

#[test]
fn shards_bring_each_below_eighty_percent() {
    for (load, shards) in [("8001", 2), ("15999", 2), ("16000", 3), ("16001", 3), ("25000", 4)] {
        let said = message(TABLE, &sum("0.1", load, "0.1"));
        assert!(said.contains(&format!("{shards} shards")), "{load}: {said}");
    }
}

#[test]
fn a_number_that_the_model_does_not_give_is_not_assumed() {
    for missing in ["count 10 ", "rate B/s"] {
        let model = SUM.replace(missing, "").replace("A/s", "1/s").replace("B/s", "900k/s").replace("C/s", "1/s");
        assert_eq!(levels(TABLE, &model), Vec::<&str>::new(), "{missing}");
    }
    // What is known is enough, and is told as a lower bound.
    let model = sum("1", "20000", "1").replace("name: string @size(9B)", "name: string").replacen("size 900B", "", 1);
    let said = message(TABLE, &model);
    assert!(said.contains("at least 2,000 WCU/s") && said.contains("`@size` of `User.name`"), "{said}");
}

#[test]
fn a_computed_size_is_told() {
    let model = sum("1", "20000", "1").replace(
        "entity Order { order_id: uuid @id  user_id: uuid @of(User)  count 1M  size 900B }",
        "entity Order { order_id: uuid @id  user_id: uuid @of(User)  count 1M }",
    );
    assert!(message(TABLE, &model).contains("with the computed size of `Order`"), "{}", message(TABLE, &model));
}

const RISING: &str = "rising-sort-key";

#[test]
fn a_growing_sort_key_is_told_above_half_the_limit() {
    for rule in [TABLE, INDEX] {
        let growing = |case: &&Case| case.rule == rule && case.name.contains(" end of ") && case.over == "error";
        assert!(CASES.iter().filter(growing).count() > 0, "{rule}");
        for Case { name, model, limit, each, .. } in CASES.iter().filter(growing) {
            let model = |share: f64| model.replace("RATE", &format!("{:.6}/s", limit * share / each));
            assert_eq!(levels(RISING, &model(0.5)), Vec::<&str>::new(), "{name}: at half");
            assert_eq!(levels(RISING, &model(0.5001)), ["warning"], "{name}: just above");
            assert_eq!((levels(RISING, &model(0.9)), levels(rule, &model(0.9))), (vec!["warning"], vec!["warning"]));
            // The error says itself that the sort key only grows.
            assert_eq!(levels(RISING, &model(1.0001)), Vec::<&str>::new(), "{name}: above the limit");
            assert!(message(rule, &model(1.0001)).contains("only grows"), "{name}");
        }
    }
    let split = CASES.iter().filter(|case| case.over == "warning");
    for Case { name, model, limit, each, .. } in split {
        let model = model.replace("RATE", &format!("{:.6}/s", limit * 2.0 / each));
        assert_eq!(levels(RISING, &model), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn a_load_just_over_a_limit_does_not_look_like_it() {
    assert!(message(TABLE, &sum("0.1", "10003", "0.1")).contains("peaks at 1,000.3 WCU/s"));
    let rising =
        CASES.iter().find(|case| case.over == "error" && case.name.contains(" end of a sort")).expect("is there");
    let said = message(RISING, &rising.model.replace("RATE", "500.4/s"));
    assert!(said.contains("500.4 WCU/s") && said.contains("50.04 % of the 1,000"), "{said}");
}
