//! The rules that hold numbers against limits, at their thresholds: just below
//! they keep silent, just above they speak, and what a model does not say is
//! never assumed.

use crate::support::page::findings;
use keywright::ide::Diagnostic;
use keywright::rules::finding::Level;

/// What a rule says of a model, if anything.
fn said(text: &str, rule: &str) -> Option<Diagnostic> {
    let mut found = findings(text, rule);
    assert!(found.len() <= 1, "{rule} speaks once: {found:#?}");
    found.pop()
}

fn message(text: &str, rule: &str) -> String {
    said(text, rule).unwrap_or_else(|| panic!("{rule} should speak of\n{text}")).message
}

fn is_silent(text: &str, rule: &str) {
    assert_eq!(said(text, rule).map(|finding| finding.message), None, "{text}");
}

/// A table of small items with a million values of its key.
fn things(patterns: &str) -> String {
    format!(
        "entity Thing {{ id: uuid @id kind: enum(a, b) count 1M size 1KB }}
table Things {{ partition key id item Thing gsi Kinds {{ partition key kind sort key id }} }}
{patterns}"
    )
}

#[test]
fn the_quota_is_held_against_all_patterns_together() {
    let puts = |peak: &str| format!("pattern P {{ put Thing into Things rate avg 1/s, peak {peak} }}\n");
    let rule = "throughput-quota";
    is_silent(&things(&puts("40k/s")).replace(" gsi Kinds { partition key kind sort key id }", ""), rule);
    let two = format!("{}pattern Q {{ delete Thing from Things rate avg 1/s, peak 1/s }}\n", puts("40k/s"));
    let table = things(&two).replace(" gsi Kinds { partition key kind sort key id }", "");
    let found = message(&table, rule);
    assert!(found.contains("40,001 write units a second, 40,000 of them by `P`"), "{found}");
    // The index takes one unit more for each put, at the same peak.
    assert_eq!(findings(&things(&two), rule).len(), 2, "the table and its index");
    // A pattern without a peak is not counted, and asked for.
    let open = format!("{table}pattern R {{ put Thing into Things }}\n");
    let found = message(&open, rule);
    assert!(found.contains("at least 40,001 write units") && found.contains("`rate peak` of `R`"), "{found}");
    is_silent(&things("pattern P { put Thing into Things }"), rule);
    // Another store takes what it takes.
    is_silent(&things("pattern P { reads Thing external \"S3\" because \"Files.\" rate 900k/s }"), rule);
}

#[test]
fn a_new_table_on_demand_starts_with_what_it_has() {
    let rule = "cold-start-peak";
    let model = |peak: &str, table: &str| {
        format!(
            "entity Thing {{ id: uuid @id count 1M size 1KB }}
table Things {{ partition key id {table} item Thing }}
pattern P {{ put Thing into Things rate avg 1/s, peak {peak} }}
pattern G {{ get Thing from Things consistent rate avg 1/s, peak 12k/s }}"
        )
    };
    is_silent(&model("4k/s", ""), rule);
    assert!(message(&model("4_001/s", ""), rule).contains("4,001 write units"));
    is_silent(&model("4_001/s", "capacity provisioned"), rule);
    let application = format!("application A {{ capacity provisioned }}\n{}", model("4_001/s", ""));
    is_silent(&application, rule);
    assert!(said(&application.replace("key id", "key id capacity on_demand"), rule).is_some(), "the table's own mode");
    let reads = model("1/s", "").replace("12k/s", "12_001/s");
    assert!(message(&reads, rule).contains("12,001 read units"), "{reads}");
}

/// A table whose collections have a limit.
fn collections(children: &str, partition: &str, item: &str) -> String {
    format!(
        "entity Sensor {{ id: uuid @id count 10 size 1KB }}
entity Reading {{ reading_id: ulid @id id: uuid @of(Sensor) at: timestamp value: number note: string? @present(50%) @size(10B) count 1G size 1KB }}
relationship Sensor 1:N Reading {{ children {children} }}
table Readings {{ {partition} sort key reading_id item Reading {item} lsi ByValue {{ sort key value projection all }} }}
pattern P {{ query Readings.ByValue where id = :id limit 1 rate 1/s }}"
    )
}

#[test]
fn a_collection_with_a_local_index_is_warned_of_from_five_gigabytes() {
    let rule = "lsi-collection-size";
    let of = |children: &str| collections(children, "partition key id", "");
    // An item and its entry are 2 KB.
    is_silent(&of("avg 10, max 2_621_439"), rule);
    assert_eq!(said(&of("avg 10, max 2_621_440"), rule).unwrap().level, Level::Warning);
    assert_eq!(said(&of("avg 10, max 5_242_879"), rule).unwrap().level, Level::Warning);
    let error = said(&of("avg 10, max 5_242_880"), rule).unwrap();
    assert_eq!(error.level, Level::Error);
    assert!(error.message.contains("can hold 10 GB"), "{}", error.message);
    // Without a maximum there are at least as many as on average.
    let open = message(&of("avg 3M"), rule);
    assert!(open.contains("at least 5.7 GB") && open.contains("`children max`"), "{open}");
    is_silent(&of("avg 10"), rule);
    assert!(message(&of("avg 10"), "missing-count").contains("cannot be held against the limit of 10 GB"));
    // Items that a sparse index leaves out have no entry there.
    let sparse = of("avg 10, max 2_621_440").replace("sort key value", "sort key note");
    is_silent(&sparse, rule);
    // A global index has no such limit.
    let global = of("avg 10, max 9M").replace("lsi ByValue {", "gsi ByValue { partition key id");
    is_silent(&global, rule);
}

#[test]
fn what_divides_a_collection_is_counted_as_far_as_it_is_known() {
    let rule = "lsi-collection-size";
    let keyed = |template: &str, max: &str| {
        let item = format!("{{ pk = \"{template}\" }}");
        collections(&format!("avg 10, max {max}"), "partition key pk: string", &item)
            .replace("id = :id", &format!("pk = \"{template}\""))
    };
    assert!(said(&keyed("{id}", "3M"), rule).is_some());
    // Ten shards hold a tenth each; of a month nobody knows how much it holds.
    is_silent(&keyed("{id}#{shard(reading_id, 10)}", "20M"), rule);
    assert!(said(&keyed("{id}#{shard(reading_id, 10)}", "30M"), rule).is_some());
    is_silent(&keyed("{id}#{at:month}", "900M"), rule);
}

/// A query of a parent's children, each of 1 KB.
fn read(children: &str, query: &str) -> String {
    format!(
        "entity User {{ id: uuid @id count 100 size 1KB }}
entity Order {{ order_id: ulid @id id: uuid @of(User) status: enum(open, shut) size 1KB count 90k }}
relationship User 1:N Order {{ {children} }}
table Orders {{ partition key id sort key sk: string item Order {{ sk = \"ORDER#{{order_id}}\" }}
  gsi ByStatus {{ partition key status projection keys_only }} }}
pattern P {{ {query} rate 1/s }}"
    )
}

#[test]
fn a_read_is_unbounded_where_one_value_can_fill_more_than_a_page() {
    let rule = "unbounded-read";
    let all = "query Orders where id = :id";
    is_silent(&read("children avg 10, max 1_024", all), rule);
    assert!(message(&read("children avg 10, max 1_025", all), rule).contains("the first of 2 pages"));
    for bounded in ["query Orders where id = :id limit 5", "query Orders where id = :id pages avg 1, max 2"] {
        is_silent(&read("children avg 10, max 9k", bounded), rule);
    }
    // One order is one, whatever else the key holds.
    is_silent(&read("children max 9k", "query Orders where id = :id and sk = \"ORDER#{order_id}\""), rule);
    // `returning` says it better than the relationship.
    is_silent(&read("children max 9k", &format!("{all} returning max 1_024")), rule);
    assert!(said(&read("children max 9", &format!("{all} returning max 1_025")), rule).is_some());
}

#[test]
fn without_a_maximum_the_average_speaks_and_the_maximum_is_asked_for() {
    let rule = "unbounded-read";
    let all = "query Orders where id = :id";
    let found = message(&read("children avg 2_000", all), rule);
    assert!(found.contains("these are averages: declare `children max`"), "{found}");
    is_silent(&read("children avg 1_000", all), rule);
    // Without a relationship the counts say how many share a value.
    let counted = read("", all).replace("relationship User 1:N Order {  }", "");
    is_silent(&counted, rule);
    let found = message(&counted.replace("count 90k", "count 200k"), rule);
    assert!(found.contains("2,000 of `Order`") && found.contains("declare `returning max`"), "{found}");
    is_silent(&counted.replace("count 90k", ""), rule);
    // Of a size without a maximum the average is what is certain.
    let open = read("children max 600", all).replace("size 1KB count 90k", "size avg 2KB count 90k");
    let found = message(&open, rule);
    assert!(found.contains("declare `size max` of `Order`"), "{found}");
    // An index holds entries: small ones here.
    is_silent(&read("", "query Orders.ByStatus where status = \"open\"").replace("90k", "10k"), rule);
    assert!(said(&read("", "query Orders.ByStatus where status = \"open\""), rule).is_some());
}

#[test]
fn a_query_that_is_at_fault_is_not_called_unbounded() {
    let rule = "unbounded-read";
    for query in [
        "query Orders where sk = :sk",
        "query Orders where id = :id or sk = :sk",
        "query Orders where id > :id",
        "batch get { query Orders where id = :id }",
        "query Orders where id = :id lim",
    ] {
        is_silent(&read("children max 9k", query), rule);
    }
}

/// An item that embeds up to so many children of 1,023 bytes (1 KB in the list).
fn embedding(children: &str, size: &str) -> String {
    format!(
        "entity Order {{ order_id: ulid @id count 10 {size} }}
entity Line {{ no: number @id order_id: ulid @of(Order) size 1_023B }}
relationship Order 1:N Line {{ {children} }}
table Orders {{ partition key order_id item Order embeds Line as ls }}
pattern P {{ put Order into Orders rate 1/s }}"
    )
}

#[test]
fn an_item_is_unbounded_over_three_hundred_kilobytes() {
    let rule = "unbounded-item";
    // The list's name and frame are five bytes.
    is_silent(&embedding("children avg 1, max 299", "size 1_019B"), rule);
    let found = message(&embedding("children avg 1, max 299", "size 1_020B"), rule);
    assert!(found.contains("takes up to 300.001 KB, over 300 KB"), "{found}");
    let open = message(&embedding("children avg 1", "size 1KB"), rule);
    assert!(open.contains("nothing says how many at most") && open.contains("children avg …, max …"), "{open}");
    let large = message(&embedding("children avg 1", "size avg 1KB, max 350KB"), rule);
    assert!(large.contains("at least 350 KB") && large.contains("nothing says how many"), "{large}");
    // The maximum is certainly no smaller than the average.
    let average = message(&embedding("children avg 1, max 9", "size avg 350KB"), rule);
    assert!(average.contains("351 KB on average") && average.contains("declare `size max` of `Order`"), "{average}");
    is_silent(&embedding("children avg 1, max 9", "size avg 298KB"), rule);
    let many = message(&embedding("children avg 320", "size 1KB"), rule);
    assert!(many.contains("321 KB on average") && many.contains("children avg …, max …"), "{many}");
    // A maximum of the wrong kind is a finding of its own.
    is_silent(&embedding("children avg 1, max 9KB", "size 1KB"), rule);
}

#[test]
fn ten_transactions_a_second_on_one_item_contend() {
    let rule = "transaction-contention";
    let model = |product: &str, step: &str, peak: &str| {
        format!(
            "entity Product {{ sku: string @id @size(9B) {product} size 1KB }}
table Products {{ partition key sku item Product }}
pattern P {{ {step} rate avg 1/s, peak {peak} }}"
        )
    };
    let update = "transact write { update Product in Products set sku times 2 }";
    is_silent(&model("count 4", update, "19/s"), rule);
    let found = message(&model("count 4", update, "20/s"), rule);
    assert!(found.contains("10 transactions a second") && found.contains("20 calls a second"), "{found}");
    // Reads in a transaction hold their items too; outside of one nothing does.
    assert!(said(&model("count 4", "transact get { get Product from Products }", "40/s"), rule).is_some());
    is_silent(&model("count 4", "update Product in Products set sku", "900/s"), rule);
    is_silent(&model("count 4", "batch write { put Product into Products }", "900/s"), rule);
    // Of an unknown number of products none is assumed; the hottest is known.
    is_silent(&model("", update, "900/s"), rule);
    let hottest = model("", update, "100/s").replace("@id", "@id @hottest(5%)");
    assert!(message(&hottest, rule).contains("at least 10 transactions"));
}

#[test]
fn a_key_that_is_at_fault_is_not_judged_by_its_load() {
    let contention = "entity Product { sku: string @id @size(9B) count 100k size 1KB }
table Products { KEY item Product }
pattern P { transact write { put Product into Products } rate 900/s }";
    let read = "entity Product { sku: string @id @size(9B) count 100k size 1KB }
table Products { KEY item Product }
pattern P { query Products where pk = :pk rate 900/s }";
    let collection = collections("avg 10, max 9M", "partition key id", "");
    // A key of one value is sound, and all meet there.
    let one = "partition key pk: string";
    let many = "partition key pk: string sort key sku";
    for (model, rule, sound) in [(contention, "transaction-contention", one), (read, "unbounded-read", many)] {
        for key in ["partition key pk: string", "sort key sku", "partition key sku, pk: string", ""] {
            is_silent(&model.replace("KEY", key), rule);
        }
        let sound = model.replace("KEY", sound).replace("item Product", "item Product { pk = \"ALL\" }");
        assert!(said(&sound, rule).is_some(), "{sound}");
    }
    assert!(said(&collection, "lsi-collection-size").is_some());
    is_silent(&collection.replace("partition key id sort", "sort"), "lsi-collection-size");
    is_silent(&collection.replace("partition key id", "partition key pk: string"), "lsi-collection-size");
}

#[test]
fn an_allow_silences_each_of_them() {
    for (model, rule) in [
        (read("children max 9k", "query Orders where id = :id"), "unbounded-read"),
        (embedding("children avg 1", "size 1KB"), "unbounded-item"),
        (collections("max 9M", "partition key id", ""), "lsi-collection-size"),
    ] {
        assert!(said(&model, rule).is_some());
        let allowed = format!("allow {rule} because \"It is known.\"\n{model}");
        is_silent(&allowed, rule);
        is_silent(&allowed, "unused-allow");
    }
}
