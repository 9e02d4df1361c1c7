//! What is proposed for values: operands, key templates, units.

use super::{becomes, exactly, first, in_model, labels, list, nothing};
use crate::support::shapes::in_all_shapes;

#[test]
fn operands_are_parameters_texts_of_keys_and_values() {
    exactly("pattern P {\n  query Shop where user_id = $0\n}", &[":user_id"]);
    exactly("pattern P {\n  query Shop where user_id = :$0\n}", &[":user_id"]);
    exactly(
        "pattern P {\n  query Shop where user_id = :who and sk = :$0\n}",
        &["\"PROFILE\"", "\"ORDER#{order_id}\"", ":sk", ":who"],
    );
    exactly(
        "pattern P {\n  query Shop where user_id = :u and sk begins_with $0\n}",
        &["\"PROFILE\"", "\"ORDER#\"", ":sk", ":u"],
    );
    exactly(
        "pattern P {\n  query Shop.ByStatus where status = $0\n}",
        &[":status", "\"open\"", "\"paid\"", "\"shipped\""],
    );
    exactly(
        "pattern P {\n  query Shop where user_id = :user_id filter gift = $0\n}",
        &["true", "false", ":gift", ":user_id"],
    );
}

#[test]
fn texts_of_keys_are_those_in_use() {
    first(
        "pattern P {\n  query Shop where user_id = :u and sk begins_with \"$0\"\n}",
        &["PROFILE", "ORDER#", "{order_id}"],
    );
    exactly("pattern P {\n  query Shop where user_id = :u and sk begins_with \"OR$0\"\n}", &["PROFILE", "ORDER#"]);
    first("pattern P {\n  query Shop where user_id = :u and sk = \"$0\"\n}", &["PROFILE", "ORDER#{order_id}"]);
    becomes(
        "pattern P {\n  query Shop where user_id = :u and sk begins_with \"OR$0DER\"\n}",
        "ORDER#",
        "sk begins_with \"ORDER#\"\n",
    );
    becomes(
        "pattern P {\n  query Shop where user_id = :u and sk begins_with \"$0\n}",
        "ORDER#",
        "begins_with \"ORDER#\"\n",
    );
    becomes(
        "pattern P {\n  query Shop where user_id = :u and sk = \"OR$0{order_id}\"\n}",
        "ORDER#",
        "sk = \"ORDER#{order_id}\"\n",
    );
    becomes(
        "pattern P {\n  query Shop where user_id = :u and sk = \"ORDER#$0\"\n}",
        "{order_id}",
        "\"ORDER#{order_id}\"\n",
    );
}

#[test]
fn values_of_an_enum_stand_in_quotes() {
    exactly("pattern P {\n  query Shop where user_id = :u filter plan = \"$0\"\n}", &["free", "plus"]);
    exactly("pattern P {\n  query Shop where user_id = :u filter plan in (\"free\", \"p$0\")\n}", &["free", "plus"]);
    // Of a key, whose strings are templates, the values come first.
    first("pattern P {\n  query Shop.ByStatus where status = \"$0\"\n}", &["open", "paid", "shipped", "{status}"]);
    becomes("pattern P {\n  query Shop where user_id = :u filter plan = \"$0\n}", "free", "plan = \"free\"\n");
    exactly("pattern P {\n  query Shop where user_id = :u filter note = \"$0\"\n}", &[]);
}

#[test]
fn holes_hold_what_keys_can_be_made_of() {
    exactly(
        "pattern P {\n  query Shop where user_id = :u and sk = \"ORDER#{$0}\"\n}",
        &["order_id", "user_id", "email", "plan", "status", "total", "placed_at", "note", "gift", ":u", "shard"],
    );
    let order = ["order_id", "user_id", "status", "total", "placed_at", "note", "gift"];
    let table = |value: &str| format!("table T {{\n  partition key pk: string\n  item Order {{ pk = {value} }}\n}}");
    exactly(&table("\"ORDER#{$0}\""), &[&order[..], &["shard"]].concat());
    exactly(&table("\"ORDER#{or$0\""), &[&order[..], &["shard"]].concat());
    exactly(&table("\"ORDER#{shard($0\""), &order);
    exactly(&table("\"ORDER#{placed_at:$0}\""), &["day", "month", "year", "hour", "minute"]);
    exactly(&table("\"ORDER#{status:$0}\""), &["lower", "upper"]);
    exactly(&table("\"ORDER#{total:$0}\""), &["4", "6", "8", "10", "12", "20"]);
    exactly(&table("\"ORDER#{order_id:$0}\""), &[]);
    becomes(&table("\"ORDER#{$0"), "order_id", "\"ORDER#{order_id}\"");
    becomes(&table("\"ORDER#{or$0der:day}\""), "placed_at", "\"ORDER#{placed_at:day}\"");
    becomes(&table("\"ORDER#{placed_at:d$0\""), "day", "\"ORDER#{placed_at:day}\"");
    becomes(&table("\"ORDER#{placed_at:d$0ay}#{order_id}\""), "month", "\"ORDER#{placed_at:month}#{order_id}\"");
    // Where nothing can be filled in, what is proposed parses as it is.
    becomes(&table("\"ORDER#{$0"), "shard", "\"ORDER#{shard(order_id, 10)}\"");
    // No list can be a key.
    exactly("table T {\n  partition key pk: string\n  item Draft { pk = \"{$0}\" }\n}", &["draft_id", "shard"]);
    // Doubled braces are text.
    exactly(&table("\"ORDER{{or$0\""), &[]);
}

#[test]
fn what_is_there_is_asked_of_an_item_or_of_an_attribute() {
    becomes("pattern P {\n  put Order into Shop if ex$0\n}", "exists", "if exists\n");
    becomes("pattern P {\n  scan Shop filter ex$0\n}", "exists", "filter exists(\n");
    becomes("pattern P {\n  scan Shop filter not ex$0\n}", "not_exists", "filter not not_exists(\n");
}

#[test]
fn units_are_those_of_the_place() {
    exactly(
        "pattern P {\n  rate avg 120$0\n}",
        &["120/s", "120/min", "120/h", "120/day", "120k/s", "120k/day", "120M/day"],
    );
    exactly("pattern P {\n  latency 5$0\n}", &["5ms", "5s", "5min", "5h", "5d"]);
    exactly("pattern P {\n  latency 5m$0s\n}", &["5ms", "5s", "5min", "5h", "5d"]);
    exactly("entity X {\n  count 1.5$0\n}", &["1.5k", "1.5M", "1.5G"]);
    exactly("entity X {\n  size avg 5$0\n}", &["5B", "5KB", "5MB", "5GB"]);
    exactly("entity X {\n  a: string? @present(5$0)\n}", &["5%"]);
    becomes("pattern P {\n  rate avg 120/$0\n}", "120/min", "rate avg 120/min\n");
    nothing("pattern P {\n  rate avg 1$020/s\n}");
    in_all_shapes(&in_model("pattern P {\n  rate avg 120$0\n}"), |fixture| {
        assert!(list(fixture).incomplete, "one digit more makes other proposals");
    });
}

#[test]
fn names_keep_their_backticks() {
    let text = "entity A {\n  `user-id`: uuid @id\n  plain: string\n}\n\ntable T {\n  partition key `user-id`\n  item A\n}\n\n";
    for (declaration, label, expected) in [
        ("pattern P {\n  query T where $0\n}", "user-id", "query T where `user-id`\n"),
        ("pattern P {\n  query T where `us$0\n}", "user-id", "query T where `user-id`\n"),
        ("pattern P {\n  query T where `us$0er-x` = :a\n}", "user-id", "query T where `user-id` = :a\n"),
        ("pattern P {\n  query T where `user-id` = $0\n}", ":user_id", "`user-id` = :user_id\n"),
        ("table U {\n  partition key pk: string\n  item A { pk = \"A#{$0}\" }\n}", "user-id", "\"A#{`user-id`}\""),
        ("table U {\n  partition key pk: string\n  item A { pk = \"A#{`us$0\" }\n}", "user-id", "\"A#{`user-id`}\""),
    ] {
        in_all_shapes(&format!("{text}{declaration}\n"), |fixture| {
            let list = list(fixture);
            let item = list.items.iter().find(|item| item.label == label);
            let item = item.unwrap_or_else(|| panic!("{declaration}: {:?}", labels(&list)));
            let text = fixture.text(&fixture.file);
            let before = &text[..list.replace.start as usize];
            let put = format!("{before}{}{}", item.text, &text[list.replace.end as usize..]).replace("\r\n", "\n");
            assert!(put.contains(expected), "{put}");
            // What is typed is held against what has the same backtick.
            let typed = &text[list.insert.indices()];
            let filter = item.filter.as_ref().unwrap_or(&item.label);
            assert!(filter.starts_with(typed.trim_end_matches('s').trim_end_matches('u')), "{typed} {filter}");
        });
    }
}
