//! The rules about key templates on many shapes of keys and conditions: what each
//! fires on, and the near misses that it must not.

mod support;

use support::page::{levels, message};

/// A model whose things lie under their owner by `sort`, and whose one query has
/// this condition besides.
fn sorted(sort: &str, condition: &str) -> String {
    model(
        &format!("item Thing {{ sk = \"{sort}\" }}"),
        &format!("query Things where owner_id = :owner_id and {condition}"),
    )
}

/// A model whose things have this key of an index, and whose one query has this
/// condition.
fn keyed(key: &str, condition: &str) -> String {
    model(
        &format!(
            "item Thing {{ sk = \"T#{{thing_id}}\" found_by = \"{key}\" }}
  gsi ByKey {{ partition key found_by: string }}"
        ),
        &format!("query Things.ByKey where {condition}"),
    )
}

fn model(items: &str, operation: &str) -> String {
    format!(
        "entity Thing {{
  thing_id: ulid @id
  owner_id: uuid
  text:     string @size(9B)
  plain:    string @size(9B) @without(\"#\")
  number:   number @size(avg 2B, max 4B)
  wide:     number
  at:       timestamp
  seconds:  epoch
  state:    enum(open, done)
  nested:   enum(paid, paid_late)

  count 1M
  size 100B
}}

table Things {{
  partition key owner_id
  sort key sk: string
  {items}
}}

pattern Run {{
  {operation}
  rate avg 1/s, peak 2/s
}}
"
    )
}

#[track_caller]
fn check(rule: &str, cases: &[(bool, &str, &str)], make: fn(&str, &str) -> String) {
    for (fires, key, condition) in cases {
        let model = make(key, condition);
        assert_eq!(levels(rule, &model).len(), usize::from(*fires), "{rule}: {key} against {condition}");
        if rule == "key-format-mismatch" && *fires {
            assert!(levels("query-matches-nothing", &model).is_empty(), "{key} against {condition} is told twice");
            assert!(levels("open-ended-prefix", &model).is_empty(), "{key} against {condition} is told twice");
        }
    }
}

#[test]
fn an_operand_in_another_format_never_matches_or_bounds_another_range() {
    check(
        "key-format-mismatch",
        &[
            (false, "A#{number:4}", r#"sk = "A#{number:4}""#),
            (true, "A#{number:4}", r#"sk = "A#{number:6}""#),
            (true, "A#{number:4}", r#"sk = "A#{number}""#),
            (true, "A#{number}", r#"sk begins_with "A#{number:4}""#),
            (true, "A#{number:4}", r#"sk = "A#{:n:6}""#),
            (false, "A#{number:4}", r#"sk = "A#{:n:4}""#),
            (false, "A#{number:4}", r#"sk = "A#{:n}""#),
            (false, "A#{number:4}", r#"sk = "A#0042""#),
            (true, "A#{number:4}#{thing_id}", r#"sk > "A#{number:6}""#),
            (true, "A#{number:4}#{thing_id}", r#"sk between "A#{number:4}" and "A#{number:3}""#),
            (false, "A#{number:4}#{thing_id}", r#"sk between "A#{:a}" and "A#{:b}""#),
            (true, "A#{text:lower}#{thing_id}", r#"sk begins_with "A#{text}#""#),
            (true, "{text}", r#"sk = "{text:upper}""#),
            (false, "A#{text:lower}", r#"sk begins_with "A#""#),
            // Times: a shorter part is right at the end of a prefix and in most bounds.
            (false, "A#{at}#{thing_id}", r#"sk begins_with "A#{at:day}""#),
            (false, "A#{at:day}#{thing_id}", r#"sk begins_with "A#{at:month}""#),
            (false, "A#{at}#{thing_id}", r#"sk begins_with "A#{at:day}T""#),
            (true, "A#{at}#{thing_id}", r#"sk begins_with "A#{at:day}#""#),
            (true, "A#{at:day}#{thing_id}", r#"sk begins_with "A#{at}""#),
            (true, "A#{at:day}#{thing_id}", r#"sk begins_with "A#{at:hour}""#),
            (true, "A#{at}", r#"sk = "A#{at:day}""#),
            (false, "A#{at}#{thing_id}", r#"sk >= "A#{at:day}""#),
            (false, "A#{at}#{thing_id}", r#"sk < "A#{at:day}""#),
            (true, "A#{at}#{thing_id}", r#"sk <= "A#{at:day}""#),
            (true, "A#{at}#{thing_id}", r#"sk between "A#{at:day}" and "A#{at:day}""#),
            (false, "A#{at}#{thing_id}", r#"sk between "A#{at:day}" and "A#{at:day}~""#),
        ],
        sorted,
    );
}

#[test]
fn a_shard_is_a_part_of_the_key() {
    check(
        "key-format-mismatch",
        &[
            (true, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{state}""#),
            (true, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#open""#),
            (true, "A#{text}#{shard(thing_id, 4)}", r#"found_by = "A#{text}""#),
            (true, "A#{state}#SHARD#{shard(thing_id, 4)}", r#"found_by = "A#{state}""#),
            (true, "{shard(thing_id, 4)}#{state}", r#"found_by = "{state}""#),
            (true, "A#{state}", r#"found_by = "A#{state}#{shard(thing_id, 4)}""#),
            (true, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{state}#{shard(thing_id, 8)}""#),
            (true, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#open#{shard(thing_id, 8)}""#),
            (false, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{state}#{shard(thing_id, 4)}""#),
            (false, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#open#{shard(thing_id, 4)}""#),
            (false, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{state}#{:shard}""#),
            (false, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{state}#3""#),
            (false, "A#{state}#{shard(thing_id, 4)}", r#"found_by = "A#{:rest}""#),
            (false, "A#{state}#{shard(thing_id, 4)}", "found_by = :key"),
        ],
        keyed,
    );
    // What is no format stays what nothing matches.
    let other = keyed("A#{state}#{shard(thing_id, 4)}", r#"found_by = "B#{state}""#);
    assert_eq!(levels("query-matches-nothing", &other), ["error"]);
}

/// Two kinds of things, of which one is sharded: a query of the other is meant as it
/// is.
#[test]
fn one_item_in_the_format_of_the_operand_is_enough() {
    let two = |second: &str, sort: &str| {
        format!(
            "{}entity Other {{ other_id: ulid @id count 1k size 90B }}",
            model(
                &format!(
                    "item Thing {{ sk = \"A#{{thing_id}}\" k = \"{second}\" }}
  item Other {{ owner_id = \"{{other_id}}\" sk = \"B\" k = \"X#{{other_id}}\" }}
  gsi K {{ partition key k: string sort key sk }}"
                ),
                &format!("query Things.K where k = \"X#{{other_id}}\"{sort}"),
            )
        )
    };
    let sharded = "X#{other_id}#{shard(thing_id, 4)}";
    assert_eq!(levels("key-format-mismatch", &two(sharded, "")).len(), 0);
    assert_eq!(
        levels("key-format-mismatch", &two(sharded, " and sk begins_with \\\"A#\\\"").replace("\\\"", "\"")).len(),
        1
    );
}

#[test]
fn a_prefix_that_ends_in_a_hole_of_open_length_catches_longer_values() {
    check(
        "open-ended-prefix",
        &[
            (true, "A#{text}#{thing_id}", r#"sk begins_with "A#{text}""#),
            (false, "A#{text}#{thing_id}", r#"sk begins_with "A#{text}#""#),
            (true, "A#{text:lower}", r#"sk begins_with "A#{text:lower}""#),
            (true, "A#{wide}#{thing_id}", r#"sk begins_with "A#{wide}""#),
            (false, "A#{wide:8}#{thing_id}", r#"sk begins_with "A#{wide:8}""#),
            (true, "A#{nested}#{thing_id}", r#"sk begins_with "A#{nested}""#),
            (false, "A#{state}#{thing_id}", r#"sk begins_with "A#{state}""#),
            (false, "A#{thing_id}#{text}", r#"sk begins_with "A#{thing_id}""#),
            (false, "A#{at}#{text}", r#"sk begins_with "A#{at:day}""#),
            (false, "A#{seconds}#{text}", r#"sk begins_with "A#{seconds}""#),
            (false, "A#{text}#{thing_id}", r#"sk begins_with "A#{:text}""#),
            (false, "A#{text}#{thing_id}", "sk begins_with :text"),
            (false, "A#{text}#{thing_id}", r#"sk begins_with "A#ann""#),
            (false, "A#{text}", r#"sk = "A#{text}""#),
            (true, "A#{shard(thing_id, 20)}#{thing_id}", r#"sk begins_with "A#{shard(thing_id, 20)}""#),
            (false, "A#{shard(thing_id, 10)}#{thing_id}", r#"sk begins_with "A#{shard(thing_id, 10)}""#),
        ],
        sorted,
    );
}

#[test]
fn a_number_as_text_matters_where_something_is_put_in_its_order() {
    check(
        "number-as-text-key",
        &[
            (true, "A#{number}", r#"sk begins_with "A#" limit 5"#),
            (true, "A#{number}", r#"sk begins_with "A#" descending"#),
            (false, "A#{number}", r#"sk begins_with "A#""#),
            (false, "A#{number:4}", r#"sk begins_with "A#" limit 5"#),
            (true, "A#{seconds}", r#"sk begins_with "A#" limit 5"#),
            (true, "A#{number}", r#"sk > "A#{:n}""#),
            (true, "A#{number}", r#"sk between "A#12" and "A#5""#),
            (true, "{number}", r#"sk between "12" and "5""#),
            (true, "A#{number}", "sk > :from"),
            (false, "A#{at}#{number}", r#"sk > "A#{at:day}""#),
            (true, "A#{at}#{number}", r#"sk > "A#{at:day}" limit 5"#),
            (false, "A#{number}", r#"sk = "A#{number}" limit 5"#),
            (false, "A#{number}#{thing_id}", r#"sk begins_with "A#{number}#" limit 5"#),
            (false, "A#{thing_id}#{number}", r#"sk begins_with "A#" limit 5"#),
            (true, "A#{state}#{number}#{thing_id}", r#"sk begins_with "A#{state}#" limit 5"#),
        ],
        sorted,
    );
    let ordered = |by: &str| {
        sorted("A#{number}", "sk begins_with \"A#\"")
            .replace("pattern Run {", &format!("pattern Run {{\n  reads Thing ordered by {by}"))
    };
    assert_eq!(levels("number-as-text-key", &ordered("number")).len(), 1);
    assert_eq!(levels("number-as-text-key", &ordered("at")).len(), 0);
}

/// The pairs of holes that leave their border open, and those that do not.
#[test]
fn the_border_of_two_holes_is_told_by_length_or_by_what_they_cannot_contain() {
    let condition = r#"sk begins_with "A#""#;
    check(
        "ambiguous-separator",
        &[
            (true, "A#{number}{wide}", condition),
            (true, "A#{text}{wide}", condition),
            (false, "A#{number:4}{wide}", condition),
            (false, "A#{thing_id}{text}", condition),
            (false, "A#{text}{thing_id}", condition),
            (true, "A#{text}#{plain}", condition),
            (false, "A#{plain}#{text}", condition),
            (true, "A#{plain}|{text}", condition),
            (false, "A#{plain}|#{text}", condition),
            (false, "A#{text}#{thing_id}", condition),
            (false, "A#{text}#{number}", condition),
            (false, "A#{state}#{text}", condition),
            (false, "A#{text:lower}#B#{plain}", condition),
            (true, "A#{text:upper}#B#{plain}", condition),
            (false, "A#{text}#{text:lower}", condition),
        ],
        sorted,
    );
}

#[test]
fn only_time_in_a_key_loses_what_falls_together() {
    let condition = r#"sk begins_with "A""#;
    check(
        "timestamp-only-key",
        &[
            (true, "A#{at}", condition),
            (true, "A#{at:day}#{seconds}", condition),
            (true, "A#{seconds:10}", condition),
            (false, "A#{at}#{thing_id}", condition),
            (false, "A#{at}#{number}", condition),
            (false, "A#{state}#{at}", condition),
            (false, "A#{thing_id}", condition),
            (false, "A", condition),
        ],
        sorted,
    );
    let is_id = |model: String, attribute: &str| model.replace(attribute, &format!("{attribute} @id"));
    let by_time = sorted("A#{at}", condition);
    assert_eq!(levels("timestamp-only-key", &is_id(by_time.replace(" @id", ""), "at:       timestamp")).len(), 0);
    assert_eq!(levels("timestamp-only-key", &by_time.replace("ulid @id", "ulid")).len(), 0, "no identity is declared");
    assert!(message("timestamp-only-key", &by_time).contains("one second"));
    assert!(message("timestamp-only-key", &sorted("A#{at:hour}", condition)).contains("one hour"));
}

#[test]
fn a_shard_of_what_the_key_holds_spreads_nothing() {
    check(
        "useless-shard",
        &[
            (true, "{text}#{shard(text, 4)}", "found_by = :key"),
            (true, "{text:lower}#{shard(text, 4)}", "found_by = :key"),
            (false, "{text}#{shard(thing_id, 4)}", "found_by = :key"),
            (false, "{shard(thing_id, 4)}", "found_by = :key"),
            (false, "{at:day}#{shard(at, 4)}", "found_by = :key"),
        ],
        keyed,
    );
    let in_sort = |sort: &str| levels("useless-shard", &sorted(sort, "sk begins_with \"A\"")).len();
    assert_eq!([in_sort("A#{shard(owner_id, 4)}#{thing_id}"), in_sort("A#{shard(thing_id, 4)}#{at}")], [1, 0]);
}

/// Two items under one partition key, told apart by their sort keys alone.
fn two(first: &str, second: &str) -> String {
    let items = format!("item Thing {{ sk = \"{first}\" }}\n  item Other {{ sk = \"{second}\" }}");
    let other = "entity Other {
  other_id: ulid @id
  owner_id: uuid
  word:     string @size(9B)
  free:     string @size(9B) @without(\"#\")
  big:      number
  day:      timestamp
  when:     epoch
  uid:      uuid
  level:    enum(low, high)

  count 1k
  size 90B
}
";
    format!("{}{other}", model(&items, "query Things where owner_id = :owner_id"))
}

#[test]
fn keys_that_no_text_and_no_type_tells_apart_can_meet() {
    for (fires, first, second) in [
        (true, "{thing_id}", "{other_id}"),
        (false, "{thing_id}", "{uid}"),
        (false, "A#{thing_id}", "B#{other_id}"),
        (true, "A#{thing_id}", "A#{other_id}"),
        (true, "PROFILE", "{word}"),
        (false, "PROFILE", "{word:lower}"),
        (false, "PROFILE", "{level}"),
        (true, "low", "{level}"),
        (false, "A#{thing_id}", "{free}"),
        (false, "{number:4}", "{uid}"),
        // A number of six digits is written alike in both.
        (true, "{number:4}", "{big:6}"),
        (true, "{number}", "{big}"),
        (false, "{at:day}", "{day}"),
        (true, "A#{text}", "A#{word}#{other_id}"),
        // What always is the same is another rule's.
        (false, "A", "A"),
    ] {
        let model = two(first, second);
        assert_eq!(levels("possible-key-collision", &model).len(), usize::from(fires), "{first} and {second}");
    }
}

#[test]
fn times_behind_one_text_are_of_one_format() {
    for (fires, first, second) in [
        (true, "A#{at}#{thing_id}", "A#{day:day}#{other_id}"),
        (true, "A#{at}#{thing_id}", "A#{when}#{other_id}"),
        (true, "A#{seconds}#{thing_id}", "A#{when:10}#{other_id}"),
        (true, "A#{at:hour}#{thing_id}", "A#{day:day}#{other_id}"),
        (false, "A#{at}#{thing_id}", "A#{day}#{other_id}"),
        (false, "A#{at}#{thing_id}", "B#{day:day}#{other_id}"),
        (false, "A#{at:day}#{thing_id}", "A#{day:day}#{other_id}"),
        (false, "A#{at}#{thing_id}", "A#{other_id}#{day:day}"),
        (true, "{at}#{thing_id}", "{day:day}#{other_id}"),
    ] {
        let model = two(first, second);
        assert_eq!(levels("mixed-time-format", &model).len(), usize::from(fires), "{first} and {second}");
    }
}
