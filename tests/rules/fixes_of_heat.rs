//! The fixes of hot keys on models of odd shape: what a fix leaves parses, is no
//! longer hot, and reads and writes every shard.

use crate::support::fixes::every_fix_holds;
use crate::support::page::{analyse, findings, key, model};
use keywright::ide::{CodeAction, CodeActionKind, Diagnostic, apply};
use keywright::rules::finding::Level;
use keywright::syntax::TextRange;

const RULES: &[&str] = &["hot-partition-key", "hot-index-key"];

fn fixes(text: &str) -> Vec<CodeAction> {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let own = |action: &CodeAction| action.mends.is_some_and(|(rule, _)| RULES.contains(&rule));
    actions.into_iter().filter(|action| action.kind == CodeActionKind::QuickFix && own(action)).collect()
}

/// The model after its only fix, which leaves no key hot and brings no error or
/// warning.
fn fixed(text: &str) -> String {
    let fixes = fixes(text);
    assert_eq!(fixes.len(), 1, "{text}");
    let (_, edits) = fixes[0].change.edits.first().expect("the fix edits the file");
    let fixed = apply(text, edits);
    let found = analyse(&model(&fixed)).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile");
    // The quota of a table is another matter: no key mends that.
    let is_loud = |found: &&Diagnostic| found.level >= Level::Warning && found.rule != "throughput-quota";
    let loud: Vec<_> = found.iter().filter(is_loud).collect();
    assert!(loud.is_empty(), "{loud:#?}\n{fixed}");
    fixed
}

/// That there is a hot key and no fix for it.
fn has_no_fix(text: &str) {
    assert!(RULES.iter().any(|rule| !findings(text, rule).is_empty()), "{text}");
    assert_eq!(fixes(text).len(), 0, "{text}");
}

/// Readings of a sensor in a table whose keys are natural.
const NATURAL: &str = r#"entity Reading { `reading-id`: ulid @id  sensor: string @distinct(4) @size(4B)  value: number  unit: enum(c, f)
  count 1M  size 900B }
table Readings {
  partition key sensor
  sort key `reading-id`
  item Reading // what is read
  lsi ByValue { sort key value  projection keys_only }
}
pattern Add { put Reading into Readings if not_exists rate avg 1/s, peak 4_000/s }
pattern Correct { update Reading in Readings set unit rate avg 1/s, peak 2/s }
pattern Latest { query Readings where sensor = :sensor descending limit 5 rate avg 1/s, peak 2/s }
pattern Highest { query Readings.ByValue where (sensor = "s1") and value > 7 limit 5 times 3 // thrice
  rate avg 1/s, peak 2/s }
pattern Some { query Readings where sensor = "{:sensor}" returning avg 30, max 100 rate avg 1/s, peak 2/s }
pattern All { query Readings where sensor = "{sensor}" and `reading-id` > :since
  returning 7
  rate avg 1/s, peak 2/s }
"#;

#[test]
fn a_natural_key_is_computed_and_every_query_asks_each_shard() {
    let fixed = fixed(NATURAL);
    for part in [
        // 1,000 units for the table, as many for the local index: three shards.
        "item Reading { sensor = \"{sensor}#{shard(`reading-id`, 3)}\" } // what is read",
        "where sensor = \"{:sensor}#{shard(`reading-id`, 3)}\" descending limit 5 times 3 rate",
        "where (sensor = \"s1#{shard(`reading-id`, 3)}\") and value > 7 limit 5 times 9 // thrice",
        "where sensor = \"{:sensor}#{shard(`reading-id`, 3)}\" returning avg 10, max 34 times 3 rate",
        "where sensor = \"{sensor}#{shard(`reading-id`, 3)}\" and `reading-id` > :since\n  returning 3 times 3\n",
        "update Reading in Readings set unit rate",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
    assert_eq!(every_fix_holds(NATURAL, RULES), every_fix_holds(&NATURAL.replace('\n', "\r\n"), RULES));
}

/// Two entities of one collection, and a third kind of item beside them.
const SINGLE_TABLE: &str = r#"application A { domain "d" scale "s" style single_table }
entity Shop { shopId: string @id @size(4B)  count 4  size 900B }
entity Sale { saleId: uuid @id  shopId: string @of(Shop) @size(4B)  count 1M  size 900B }
entity Refund { refundId: uuid @id  shopId: string @of(Shop) @size(4B)  count 1M  size 900B }
relationship Shop 1:N Sale { children avg 250k, max 1M }
relationship Shop 1:N Refund { children avg 250k, max 1M }
table Things {
  partition key PK: string
  sort key SK: string
  item Shop { PK = "SHOP#{shopId}" SK = "SHOP" }
  item Sale { PK = "SHOP#{shopId}" SK = "SALE#{saleId}" GSI1PK = shopId GSI1SK = "{saleId}" }
  item Refund { PK = "SHOP#{shopId}" SK = "REFUND#{refundId}" }
  gsi GSI1 { partition key GSI1PK: string sort key GSI1SK: string projection keys_only }
}
pattern Open { put Shop into Things rate avg 1/s, peak 2/s }
pattern GetShop { get Shop from Things rate avg 1/s, peak 2/s }
pattern Sell { put Sale into Things rate avg 1/s, peak 3_000/s }
pattern Refund { put Refund into Things rate avg 1/s, peak 2_000/s }
pattern Sales { query Things where PK = "SHOP#{shopId}" and SK begins_with "SALE#" limit 5 rate avg 1/s, peak 2/s }
pattern Refunds { query Things where PK = :shop and SK begins_with "REFUND#" limit 5 rate avg 1/s, peak 2/s }
pattern Index { query Things.GSI1 where GSI1PK = :shop limit 5 rate avg 1/s, peak 2/s }
"#;

#[test]
fn what_is_one_item_stays_and_what_is_many_is_sharded_by_ids_of_its_own() {
    let fixed = fixed(SINGLE_TABLE);
    for part in [
        "item Shop { PK = \"SHOP#{shopId}\" SK",
        "item Sale { PK = \"SHOP#{shopId}#{shard(saleId, 2)}\" SK",
        "item Refund { PK = \"SHOP#{shopId}#{shard(refundId, 2)}\" SK",
        "PK = \"SHOP#{shopId}#{shard(saleId, 2)}\" and SK begins_with \"SALE#\" limit 5 times 2",
        "PK = \"{:shop}#{shard(refundId, 2)}\" and SK begins_with \"REFUND#\" limit 5 times 2",
        "where GSI1PK = :shop limit 5 rate",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
}

#[test]
fn a_key_that_is_an_attribute_becomes_a_template() {
    let fixed = fixed(
        &SINGLE_TABLE
            .replace("peak 3_000/s", "peak 4_000/s")
            .replace("peak 2_000/s", "peak 2/s")
            .replace("PK = \"SHOP#{shopId}\" SK = \"SALE#{saleId}\"", "PK = \"SALE#{saleId}\" SK = \"SALE\"")
            .replace(
                "query Things where PK = \"SHOP#{shopId}\" and SK begins_with \"SALE#\" limit 5",
                "get Sale from Things",
            ),
    );
    for part in [
        "GSI1PK = \"{shopId}#{shard(saleId, 2)}\" GSI1SK",
        "where GSI1PK = \"{:shop}#{shard(saleId, 2)}\" limit 5 times 2",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
}

#[test]
fn what_is_read_together_is_not_torn_apart() {
    // The shop is one item and cannot be sharded; the account page reads all.
    let page = "pattern Page { query Things where PK = \"SHOP#{shopId}\" limit 5 rate avg 1/s, peak 2/s }";
    has_no_fix(&format!("{SINGLE_TABLE}{page}"));
    // A pattern that cannot be read may query the key.
    has_no_fix(
        &SINGLE_TABLE
            .replace("limit 5 rate avg 1/s, peak 2/s }\npattern Index", "limit 5 rate avg 1/s, peak }\npattern Index"),
    );
}

/// A work list by two plain attributes, one of them a number.
const PARTS: &str = r#"entity Task { task_id: uuid @id  depot: number @distinct(3)  state: enum(open, done)  task_id_shard: number
  count 1M  size 900B }
table Tasks {
  partition key task_id
  item Task
  gsi Work {
    partition key depot, state
    sort key task_id
    projection keys_only
  }
}
pattern Add { put Task into Tasks if not_exists rate avg 1/s, peak 5_400/s }
pattern Get { get Task from Tasks rate avg 1/s, peak 2/s }
pattern List { query Tasks.Work where depot = 3 and state = "open" limit 5 rate avg 1/s, peak 2/s }
"#;

#[test]
fn an_index_on_plain_attributes_gets_one_more() {
    let fixed = fixed(PARTS);
    for part in [
        "item Task { depot_shard = \"{shard(task_id, 2)}\" }",
        "partition key depot, state, depot_shard: string\n",
        "where depot = 3 and state = \"open\" and depot_shard = \"{shard(task_id, 2)}\" limit 5 times 2 rate",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
    assert_eq!(every_fix_holds(PARTS, RULES), ["Shard `Work` over 2 values by `task_id`"]);
    // An item that other values are given would drop out of the index.
    let other = "item Task  item Note { state = \"NOTE\" }";
    let note = "entity Note { task_id: uuid @id  depot: number @distinct(3)  count 1M  size 900B }\n";
    has_no_fix(&format!("{note}{}", PARTS.replace("item Task", other)));
    // Four attributes are the most that a key may have.
    has_no_fix(
        &PARTS
            .replace("partition key depot, state", "partition key depot, state, a, b")
            .replace("depot = 3", "depot = 3 and a = 1 and b = 2")
            .replace("task_id_shard: number", "a: number @distinct(1) b: number @distinct(1)"),
    );
}

#[test]
fn no_fix_is_offered_that_would_not_help() {
    // Nothing but the id of the key tells the items apart.
    has_no_fix(
        "entity C { c: string @id @hottest(50%) @size(5B)  n: number  count 9  size 90B }
        table Calls { partition key c  item C } pattern Hit { update C in Calls set n rate 2k/s }",
    );
    // A number takes no shard.
    has_no_fix(
        "entity C { id: uuid @id  c: number @distinct(2)  count 1M  size 90B }
        table Calls { partition key c  sort key id  item C } pattern Hit { put C into Calls rate 2k/s }",
    );
    // Time is the same for all writes of a moment.
    has_no_fix(
        "entity C { at: timestamp @id  c: string @id @distinct(2) @size(3B)  count 1M  size 90B }
        table Calls { partition key c  sort key at  item C } pattern Hit { put C into Calls rate 2k/s }",
    );
    // The id is as popular as the key.
    has_no_fix(
        "entity C { id: string @id @hottest(60%) @size(9B)  c: string @distinct(2) @size(3B)  count 1M  size 90B }
        table Calls { partition key c  sort key id  item C } pattern Hit { put C into Calls rate 2k/s }",
    );
    // Each shard would be read as often as the whole.
    has_no_fix(
        "entity C { id: uuid @id  c: string @distinct(2) @size(3B)  count 1M  size 90B }
        table Calls { partition key c  sort key id  item C } pattern List { query Calls where c = :c limit 9 rate 20k/s }",
    );
    // Another index is keyed by the same attribute.
    has_no_fix(
        "entity C { id: uuid @id  c: string @distinct(2) @size(3B)  count 1M  size 90B }
        table Calls { partition key c  sort key id  item C  gsi Groups { partition key id  sort key c  projection keys_only } }
        pattern Hit { put C into Calls rate 2k/s }",
    );
}

#[test]
fn a_large_collection_is_read_in_parts() {
    // 1,000 items of 4 KB are 500 units whole, and 100 on each of five shards.
    let model = "entity C { id: uuid @id  c: string @distinct(100) @size(3B)  count 100k  size 4KB }
        table Calls { partition key c  sort key id  item C }
        pattern Add { put C into Calls rate avg 1/s, peak 2/s }
        pattern All { query Calls where c = :c rate avg 1/s, peak 2_000/s }";
    assert!(fixed(model).contains("times 5 rate"), "{}", fixed(model));
}

#[test]
fn a_key_with_too_few_shards_gets_more() {
    let model = r#"entity Entry { id: uuid @id  at: timestamp  count 1M  size 900B }
        table Log {
          partition key hour: string
          sort key id
          item Entry { hour = "{at:hour}#{shard(id, 2)}" }
        }
        pattern Add { put Entry into Log rate avg 1/s, peak 4k/s }
        pattern Read { query Log where hour = "{:hour}#{shard(id, 2)}" limit 5 times 2 rate avg 1/s, peak 2/s }
        pattern Read5 { query Log where hour = "{at:hour}#{shard(id, 2)}" limit 5 times 4 rate avg 1/s, peak 2/s }"#;
    let said = &findings(model, "hot-partition-key")[0].message;
    // 2,000 on each of two: 4,000 in all, and five shards would have 800.
    assert!(
        said.contains("peaks at 2,000 WCU/s") && said.contains("6 shards of the key would do, instead of 2"),
        "{said}"
    );
    let fixed = fixed(model);
    for part in [
        "hour = \"{at:hour}#{shard(id, 6)}\" }",
        "hour = \"{:hour}#{shard(id, 6)}\" limit 5 times 6 rate",
        "hour = \"{at:hour}#{shard(id, 6)}\" limit 5 times 12 rate",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
    assert_eq!(every_fix_holds(model, RULES), ["Shard `hour` over 6 values by `id`"]);
    // A query that does not read by shards cannot be told to.
    has_no_fix(&model.replace("{:hour}#{shard(id, 2)}", "{:hour}#1"));
}

#[test]
fn what_stays_must_not_be_hot_itself() {
    // The shop alone takes 900 units, and shards of its sales leave it that.
    let model = SINGLE_TABLE.replace(
        "pattern Open { put Shop into Things rate avg 1/s, peak 2/s }",
        "pattern Open { put Shop into Things rate avg 1/s, peak 3_600/s }",
    );
    has_no_fix(&model);
    fixed(&model.replace("3_600/s", "3_100/s"));
    // So it is with many items that no id spreads.
    let timed = SINGLE_TABLE.replace("refundId: uuid", "refundId: timestamp");
    assert_eq!(fixes(&timed).len(), 1);
    has_no_fix(&timed.replace("peak 2_000/s", "peak 3_600/s"));
}

/// Readings whose ids are the key and the time.
const READINGS: &str = r#"entity Reading { sensor: string @id @distinct(4) @size(4B)  at: timestamp @id  batch: string @distinct(5_000) @size(4B)
  count 1M  size 900B }
table Readings { partition key sensor  sort key at  item Reading }
pattern Add { put Reading into Readings rate avg 1/s, peak 3_600/s }
pattern Latest { query Readings where sensor = :sensor limit 5 rate avg 1/s, peak 2/s }
"#;

#[test]
fn what_is_no_id_spreads_items_that_nobody_asks_for_one_by_one() {
    assert!(fixed(READINGS).contains("{shard(batch, 2)}"));
    // Who gets a reading by sensor and time does not know its batch.
    has_no_fix(&format!("{READINGS}pattern Get {{ get Reading from Readings rate avg 1/s, peak 2/s }}"));
    // Nineteen values hash to two shards unevenly.
    has_no_fix(&READINGS.replace("@distinct(5_000)", "@distinct(19)"));
    fixed(&READINGS.replace("@distinct(5_000)", "@distinct(20)"));
    has_no_fix(&READINGS.replace("@distinct(5_000)", "@distinct(5_000) @hottest(70%)"));
    has_no_fix(&READINGS.replace("batch: string ", "batch: string? "));
    has_no_fix(&READINGS.replace("@distinct(5_000)", ""));
}

#[test]
fn what_changes_does_not_shard_an_index() {
    let model = r#"entity Job { at: timestamp @id  host: string @id @distinct(9) @size(4B)  kind: enum(a, b)  batch: string @distinct(5_000) @size(4B)
          count 1M  size 900B }
        table Jobs { partition key host  sort key at  item Job  gsi Kinds { partition key kind  sort key at  projection keys_only } }
        pattern Add { put Job into Jobs rate avg 1/s, peak 1_800/s }
        pattern Get { get Job from Jobs rate avg 1/s, peak 2/s }
        pattern Kinds { query Jobs.Kinds where kind = :kind limit 5 rate avg 1/s, peak 2/s }
        "#;
    let model = model.replace("partition key kind  sort key at", "partition key kind  sort key host");
    assert!(fixed(&model).contains("kind_shard = \"{shard(batch, 2)}\""), "{}", fixed(&model));
    has_no_fix(&format!("{model}pattern Move {{ update Job in Jobs set batch rate avg 1/s, peak 2/s }}"));
}

#[test]
fn queries_of_another_file_ask_each_shard_too() {
    let (tables, patterns) = READINGS.split_once("pattern Latest").expect("it is there");
    let mut files = model(&format!("import \"queries.dynamo\"\n{tables}"));
    let mut other = model(&format!("pattern Latest{patterns}"));
    other[0].name = "queries.dynamo".to_owned();
    files.extend(other);
    let all = TextRange::new(0, tables.len());
    let actions = analyse(&files).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let fix = actions.iter().find(|action| action.title.starts_with("Shard `sensor`")).expect("there is a fix");
    let edited = fix.change.edits.iter().find(|(file, _)| *file == key("queries.dynamo")).expect("both files change");
    let text = apply(std::str::from_utf8(&files[1].bytes).expect("it is text"), &edited.1);
    assert!(text.contains("sensor = \"{:sensor}#{shard(batch, 2)}\" limit 5 times 2"), "{text}");
}

/// Votes for a poll, with ids that grow.
const VOTES: &str = r#"entity Vote { id: ulid @id  poll: string @distinct(200) @hottest(40%) @size(9B)  count 5M  size 900B }
table Votes { partition key poll  sort key id  item Vote }
pattern Cast { put Vote into Votes if not_exists rate avg 1/s, peak 3_900/s }
pattern Show { query Votes where poll = :poll limit 5 rate avg 1/s, peak 2/s }
pattern One { query Votes where poll = :poll and id = :id rate avg 1/s, peak 2/s }
"#;

#[test]
fn shards_leave_no_growing_end_over_half_the_limit() {
    // 1,560 units: two shards would stay below 800, and over 500.
    let fixed = fixed(VOTES);
    assert!(fixed.contains("{shard(id, 4)}") && findings(&fixed, "rising-sort-key").is_empty(), "{fixed}");
    assert!(findings(VOTES, "hot-partition-key")[0].message.ends_with("4 shards of the key would do"));
}

#[test]
fn who_gives_what_the_shard_is_made_of_asks_one_shard() {
    let fixed = fixed(VOTES);
    for part in [
        "where poll = \"{:poll}#{shard(id, 4)}\" limit 5 times 4 rate",
        "where poll = \"{:poll}#{shard(id, 4)}\" and id = :id rate",
    ] {
        assert!(fixed.contains(part), "{part}\n{fixed}");
    }
}

#[test]
fn shards_of_what_is_as_hot_as_the_key_are_not_said_to_do() {
    let model = |shard: &str, id: &str| {
        format!(
            "entity C {{ id: {id}  boss: string @distinct(1_000) @hottest(30%) @size(8B)  c: string @distinct(1) @size(3B)
               count 1M  size 90B }}
             table Calls {{ partition key k: string  sort key id  item C {{ k = \"{{c}}{shard}\" }} }}
             pattern Hit {{ put C into Calls no_read because \"Exported.\" rate 3k/s }}"
        )
    };
    for (model, attribute, share) in [
        (model("#{shard(boss, 100)}", "uuid @id"), "boss", "30 %"),
        (model("", "string @id @hottest(60%) @size(9B)"), "id", "60 %"),
    ] {
        let said = &findings(&model, "hot-partition-key")[0].message;
        let advice = format!(
            "4 shards of the key would do if another attribute than `{attribute}` spread them, of which one value has \
             {share} of the load"
        );
        assert!(said.ends_with(&advice), "{said}");
        has_no_fix(&model);
    }
    assert!(fixed(&model("", "uuid @id").replace("rate 3k/s", "rate avg 1/s, peak 3k/s")).contains("{shard(id, 4)}"));
}

#[test]
fn where_shards_are_named_without_a_fix_the_message_says_why() {
    let model = "entity C { id: uuid @id  c: number @distinct(2)  count 1M  size 90B }
        table Calls { partition key c  sort key id  item C } pattern Hit { put C into Calls rate 2k/s }";
    let said = &findings(model, "hot-partition-key")[0].message;
    assert!(
        said.contains("2 shards of the key would do; it is not sharded automatically, because the key is a number"),
        "{said}"
    );
    let page = "pattern Page { query Things where PK = \"SHOP#{shopId}\" limit 5 rate avg 1/s, peak 2/s }";
    let said = &findings(&format!("{SINGLE_TABLE}{page}"), "hot-partition-key")[0].message;
    assert!(said.contains("because `Page` reads what would be sharded together with what would not"), "{said}");
}
