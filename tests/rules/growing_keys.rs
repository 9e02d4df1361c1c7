//! Keys that only grow, that are made of time, that have few values, and what is
//! said of keys that several rules could speak of.

use crate::support::page::{findings, levels, message};

const TABLE: &str = "hot-partition-key";
const INDEX: &str = "hot-index-key";
const RISING: &str = "rising-sort-key";
const BUCKET: &str = "time-bucketed-partition-key";
const FEW: &str = "low-cardinality-key";

#[test]
fn a_sort_key_grows_in_every_format_that_keeps_its_order() {
    let model = |sort: &str| {
        format!(
            "entity Event {{ event_id: uuid @id  k: string @distinct(1) @size(1B)  at: timestamp  ep: epoch  u: ulid
               size 900B }}
             table T {{ partition key k  sort key s: string  item Event {{ s = \"{sort}\" }} }}
             pattern Add {{ put Event into T rate 600/s }}"
        )
    };
    for sort in ["{ep}", "{ep:10}", "{ep:12}", "E#{ep:12}#{event_id}", "{at:lower}", "{at:minute}", "{u:upper}#1"] {
        assert_eq!(levels(RISING, &model(sort)), ["warning"], "{sort}");
    }
    for sort in ["{shard(ep, 9)}#{ep:10}", "{event_id}#{ep:10}", "{event_id:lower}"] {
        assert_eq!(levels(RISING, &model(sort)), Vec::<&str>::new(), "{sort}");
    }
}

#[test]
fn ends_of_different_entities_are_different_ends() {
    let model = |prefix: &str| {
        format!(
            "entity A {{ a: ulid @id  k: string @distinct(1) @size(1B)  size 900B }}
             entity B {{ b: ulid @id  k: string @distinct(1) @size(1B)  size 900B }}
             table T {{ partition key k  sort key s: string  item A {{ s = \"A#{{a}}\" }}  item B {{ s = \"{prefix}{{b}}\" }} }}
             pattern PutA {{ put A into T rate 600/s }}
             pattern PutB {{ put B into T rate 600/s }}"
        )
    };
    assert_eq!((levels(TABLE, &model("B#")), levels(RISING, &model("B#"))), (vec!["warning"], vec!["warning"]));
    assert_eq!((levels(TABLE, &model("A#")), levels(RISING, &model("A#"))), (vec!["error"], vec![]));
}

#[test]
fn a_key_made_of_time_is_told_and_a_warning_from_250_units() {
    let item = |key: &str, at: &str| {
        format!(
            "entity Event {{ event_id: uuid @id  at: {at}  size 900B }}
             table Events {{ partition key k: string  sort key event_id  item Event {{ k = \"{key}\" }} }}
             pattern Add {{ put Event into Events rate RATE }}"
        )
    };
    let hour = |rate: &str| levels(BUCKET, &item("LOG#{at:hour}", "timestamp").replace("RATE", rate));
    assert_eq!(hour("0.01/s"), ["info"]);
    assert_eq!(hour("249.9/s"), ["info"]);
    assert_eq!(hour("250/s"), ["warning"]);
    assert_eq!(hour("799.9/s"), ["warning"]);
    assert_eq!(hour("800/s"), Vec::<&str>::new(), "hot-partition-key tells it");
    assert_eq!(levels(TABLE, &item("LOG#{at:hour}", "timestamp").replace("RATE", "800/s")), ["warning"]);
    for (key, at) in [("{at}", "timestamp"), ("{at}", "epoch"), ("D#{at:year}#{at:day}", "timestamp")] {
        assert_eq!(levels(BUCKET, &item(key, at).replace("RATE", "1/s")), ["info"], "{key}");
    }
    for key in ["{event_id}#{at:day}", "{at:day}#{shard(event_id, 4)}", "ALL"] {
        assert_eq!(levels(BUCKET, &item(key, "timestamp").replace("RATE", "300/s")), Vec::<&str>::new(), "{key}");
    }
    // How many values a plain time has may be said.
    assert_eq!(levels(BUCKET, &item("{at}", "timestamp @distinct(30)").replace("RATE", "300/s")), Vec::<&str>::new());
    // Without a rate, and where nothing is written at all, it is made of time all the same.
    let unknown = item("{at:day}", "timestamp").replace("rate RATE", "");
    assert!(
        message(BUCKET, &unknown).contains("cannot be told (without `rate peak` of `Add`)"),
        "{}",
        message(BUCKET, &unknown)
    );
    assert_eq!(levels(BUCKET, unknown.split("pattern").next().expect("the model")), ["info"]);
}

#[test]
fn a_bucket_is_told_once_whatever_its_sort_key_does() {
    let model = "entity Event { event_id: ulid @id  at: timestamp  size 900B }
        table Events { partition key k: string  sort key event_id  item Event { k = \"{at:hour}\" } }
        pattern Add { put Event into Events rate 600/s }";
    assert_eq!((levels(BUCKET, model), levels(RISING, model)), (vec!["warning"], vec![]));
}

/// Items of two kinds share a key: so many users, and one literal.
fn few(users: &str, rate: &str) -> String {
    format!(
        "entity User {{ user_id: uuid @id  count {users}  size 900B }}
         entity Order {{ order_id: uuid @id  user_id: uuid @of(User)  count 1k  size 900B }}
         entity Setting {{ name: string @id @size(5B)  count 3  size 900B }}
         table T {{ partition key PK: string  sort key SK: string
           item User {{ PK = \"USER#{{user_id}}\"  SK = \"USER\" }}
           item Order {{ PK = \"USER#{{user_id}}\"  SK = \"ORDER#{{order_id}}\" }}
           item Setting {{ PK = \"SETTINGS\"  SK = \"{{name}}\" }} }}
         pattern Set {{ put Setting into T rate {rate} }}"
    )
}

#[test]
fn few_values_are_told_below_a_hundred_and_from_one_unit_a_second() {
    // Users and orders share their values; all settings are one value.
    assert_eq!(levels(FEW, &few("98", "1/s")), ["info"]);
    assert_eq!(levels(FEW, &few("99", "1/s")), Vec::<&str>::new());
    assert_eq!(levels(FEW, &few("98", "0.9/s")), Vec::<&str>::new());
    assert!(message(FEW, &few("98", "1/s")).contains("has 99 values"));
    // Of an unknown number it is not known that it is small.
    assert_eq!(levels(FEW, &few("98", "1/s").replace("count 98", "")), Vec::<&str>::new());
    // A hot key has too few values for its load: one cause.
    let hot = few("98", "800/s");
    assert_eq!((levels(FEW, &hot), levels(TABLE, &hot)), (vec![], vec!["warning"]));
}

#[test]
fn a_shard_makes_more_values() {
    let model = |n: &str| {
        format!(
            "entity Task {{ task_id: uuid @id  state: enum(open, done)  count 1M  size 900B }}
             table Tasks {{ partition key task_id  item Task {{ k = \"{{state}}#{{shard(task_id, {n})}}\" }}
               gsi ByState {{ partition key k: string  sort key task_id }} }}
             pattern Add {{ put Task into Tasks rate 500/s }}"
        )
    };
    assert_eq!(levels(FEW, &model("49")), ["info"]);
    assert_eq!(levels(FEW, &model("50")), Vec::<&str>::new());
}

#[test]
fn a_key_that_is_refused_anyway_has_no_load() {
    let boolean = "entity Task { task_id: uuid @id  open: boolean  count 1M  size 900B }
        table Tasks { partition key task_id  item Task  gsi Open { partition key open } }
        pattern Add { put Task into Tasks rate 5k/s }";
    for rule in [INDEX, FEW] {
        assert_eq!(levels(rule, boolean), Vec::<&str>::new());
    }
    let no_value = "entity Task { task_id: uuid @id  count 1M  size 900B }
        table Tasks { partition key k: string  item Task }
        pattern Add { put Task into Tasks rate 5k/s }";
    assert_eq!(levels(TABLE, no_value), Vec::<&str>::new());
}

#[test]
fn an_allow_in_the_index_silences_what_shows_at_an_item() {
    let model = "entity Task { task_id: uuid @id  state: enum(open, done)  count 1M  size 900B }
        table Tasks { partition key task_id  item Task { k = \"{state}\" }
          gsi ByState { partition key k: string  sort key task_id } }
        pattern Add { put Task into Tasks rate 5k/s }";
    assert_eq!(levels(INDEX, model), ["warning"]);
    let allowed = model.replace("gsi ByState {", "gsi ByState { allow hot-index-key because \"Soon gone.\"");
    assert_eq!((levels(INDEX, &allowed), levels("unused-allow", &allowed)), (vec![], vec![]));
}

#[test]
fn of_several_values_at_one_place_the_worst_is_told() {
    // The readings of a sensor are heavier, and can be split; its state cannot.
    let model = "entity Sensor { sensor: string @id @size(4B)  count 4  size 900B }
        entity State { sensor: string @id @size(4B)  on: boolean  count 4  size 900B }
        entity Reading { reading: uuid @id  sensor: string @of(Sensor) @size(4B)  count 1M  size 900B }
        table T { partition key sensor  sort key sk: string
          item Reading { sk = \"READING#{reading}\" }
          item State { sk = \"STATE\" } }
        pattern Add { put Reading into T rate 8k/s }
        pattern Set { update State in T set on rate RATE }";
    assert_eq!(levels(TABLE, &model.replace("RATE", "1/s")), ["warning"]);
    assert_eq!(levels(TABLE, &model.replace("RATE", "5k/s")), ["error"]);
    assert!(message(TABLE, &model.replace("RATE", "5k/s")).contains("it is one `State`"));
}

#[test]
fn a_bucket_that_is_hot_by_reads_is_still_a_bucket() {
    let model = "entity Event { event_id: uuid @id  at: timestamp  count 1M  size 900B }
        table Events { partition key year: string  sort key event_id  item Event { year = \"{at:year}\" } }
        pattern Add { put Event into Events rate 1/s }
        pattern Old { query Events where year = \"2020\" limit 1 rate 5k/s }";
    assert_eq!((levels(TABLE, model), levels(BUCKET, model)), (vec!["warning"], vec!["info"]));
}

#[test]
fn the_sort_key_of_a_local_index_is_not_that_of_the_table() {
    let index = "lsi ByTime { sort key at }";
    let model = format!(
        "entity Event {{ event_id: uuid @id  device: string @distinct(10) @size(5B)  at: timestamp  size 900B }}
         table Events {{ partition key device  sort key event_id  item Event  {index} }}
         pattern Touch {{ update Event in Events set at rate 3k/s }}"
    );
    // 300 units for items, 600 for entries that move to the end of the local index.
    assert_eq!((levels(TABLE, &model), levels(RISING, &model)), (vec!["warning"], vec![]));
    let global = model.replace(index, "gsi ByTime { partition key device  sort key at }");
    assert_eq!((levels(TABLE, &global), levels(RISING, &global)), (vec![], vec!["warning"]));
}

#[test]
fn who_weighs_most_is_a_pattern_with_all_its_steps_and_they_make_up_its_load() {
    let model = "entity V { vid: uuid @id  poll: string @distinct(200) @hottest(40%) @size(12B)  n: number  size 900B }
        entity X { vid: uuid @id  poll: string @distinct(200) @hottest(40%) @size(12B)  n: number  size 900B }
        table Votes { partition key poll  sort key SK: string  item V { SK = \"V#{vid}\" }  item X { SK = \"X#{vid}\" } }
        pattern Two { put V into Votes  put X into Votes  rate 900/s }
        pattern One { update V in Votes set n  rate 1_500/s }";
    let found = findings(model, TABLE).remove(0);
    assert!(found.message.contains("peaks at 1,320 WCU/s"), "{}", found.message);
    let equation = "900/s × (1 + 1) write units × 40 % of {poll}";
    assert!(found.message.contains(&format!("`Two` weighs most ({equation})")), "{}", found.message);
    let related: Vec<&str> = found.related.iter().map(|related| related.message.as_str()).collect();
    assert_eq!(
        related,
        [
            format!("`Two`: 720 WCU/s: {equation}"),
            "`One`: 600 WCU/s: 1,500/s × 1 write unit × 40 % of {poll}".to_owned()
        ]
    );
}

#[test]
fn few_values_state_the_sum_and_fit_their_advice_to_the_key() {
    let model = |key: &str| {
        format!(
            "entity V {{ vid: uuid @id  of: string @distinct(9) @hottest(50%) @size(4B)  size 900B  count 1M }}
             table T {{ partition key k: string  sort key vid  item V {{ k = \"{key}\" }} }}
             pattern Add {{ put V into T rate 0.98/s }}
             pattern Read {{ query T where k = \"{key}\" limit 1 rate 0.04/s }}"
        )
    };
    let said = message(FEW, &model("ALL"));
    assert!(said.contains("takes 1 unit a second (0.02 RCU/s and 0.98 WCU/s)"), "{said}");
    assert!(said.ends_with("or shard it"), "{said}");
    let sharded = |key: &str| message(FEW, &model(key).replace("0.98/s", "98/s"));
    assert!(sharded("A#{shard(vid, 4)}").contains("make more shards than the 4"));
    assert!(sharded("A#{shard(of, 4)}").contains("more shards than the 4 would not help, as one value"));
    assert!(sharded("{of}#{shard(of, 4)}").ends_with("make the shard of another attribute"));
}
