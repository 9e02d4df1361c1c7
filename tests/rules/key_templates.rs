//! The rules about key templates on many shapes of keys and conditions: what each
//! fires on, and the near misses that it must not.

use crate::support::page::{levels, message};

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

/// The model after the first fix of the first finding of a rule.
fn mended(rule: &str, text: &str) -> Option<String> {
    let analysis = crate::support::page::analyse(&crate::support::page::model(text));
    let key = crate::support::page::key("main.dynamo");
    let all = keywright::syntax::TextRange::new(0, text.len());
    let actions = analysis.code_actions(&key, all).expect("nothing changes meanwhile");
    let action = actions.into_iter().find(|action| action.mends.is_some_and(|(name, _)| name == rule))?;
    let (_, edits) = action.change.edits.iter().find(|(name, _)| *name == key)?;
    Some(keywright::ide::apply(text, edits))
}

/// The line of the query in a model.
fn query(model: &str) -> &str {
    model.lines().find(|line| line.contains("query ")).map_or("", str::trim)
}

#[test]
fn a_fix_asks_for_the_key_as_it_is_written() {
    for (key, asked, fixed) in [
        ("A#{state}#{shard(thing_id, 4)}", r#""A#open""#, r#""A#open#{shard(thing_id, 4)}" times 4"#),
        ("A#{state}#{shard(thing_id, 4)}", r#""A#{state}" times 2"#, r#""A#{state}#{shard(thing_id, 4)}" times 8"#),
        ("A#{state}#{shard(thing_id, 4)}", r#""A#{state}" times 4"#, r#""A#{state}#{shard(thing_id, 4)}" times 4"#),
        ("A#{state}", r#""A#{state}#{shard(thing_id, 4)}" times 4"#, r#""A#{state}""#),
        (
            "A#{state}#{shard(thing_id, 4)}",
            r#""A#{state}#{shard(thing_id, 8)}" times 8"#,
            r#""A#{state}#{shard(thing_id, 4)}" times 4"#,
        ),
        ("A#{number:4}#{text:lower}", r#""A#{number:6}#{text}""#, r#""A#{number:4}#{text:lower}""#),
        ("A#{number:4}", r#""A#{:n:6}""#, r#""A#{:n:4}""#),
    ] {
        let model = keyed(key, &format!("found_by = {asked}"));
        let mended = mended("key-format-mismatch", &model).expect("there is a fix");
        assert_eq!(query(&mended), format!("query Things.ByKey where found_by = {fixed}"));
        assert!(levels("key-format-mismatch", &mended).is_empty(), "{mended}");
    }
}

#[test]
fn an_id_behind_a_time_changes_what_asks_for_the_instant() {
    for (asked, fixed) in [
        (r#"= "A#{at}""#, Some(r#"begins_with "A#{at}#""#)),
        (r#"= "A#{:at}""#, Some(r#"begins_with "A#{:at}#""#)),
        // The caller's whole key is what the caller makes of it.
        ("= :sk", Some("= :sk")),
        (r#"begins_with "A#{at:day}""#, Some(r#"begins_with "A#{at:day}""#)),
        (r#">= "A#{at}""#, Some(r#">= "A#{at}""#)),
    ] {
        let model = sorted("A#{at}", &format!("sk {asked}"));
        let mended = mended("timestamp-only-key", &model);
        let expected = fixed.map(|fixed| format!("query Things where owner_id = :owner_id and sk {fixed}"));
        assert_eq!(mended.as_deref().map(query).map(str::to_owned), expected);
        if let Some(mended) = mended {
            assert!(mended.contains("sk = \"A#{at}#{thing_id}\""), "{mended}");
            assert!(levels("timestamp-only-key", &mended).is_empty());
        }
    }
    // A number would have to be padded, and a second text kept apart.
    let number = sorted("A#{at}", "sk begins_with \"A#\"").replace("ulid @id", "number @id");
    assert_eq!(mended("timestamp-only-key", &number), None);
}

#[test]
fn a_number_is_padded_wherever_it_is_asked_for() {
    for (key, asked, fixed) in [
        ("A#{number}", r#"sk > "A#{number}""#, Some(r#"sk > "A#{number:6}""#)),
        ("A#{number}", r#"sk > "A#{:n}""#, Some(r#"sk > "A#{:n:6}""#)),
        ("A#{number}", r#"sk between "A#12" and "A#5""#, None),
        ("A#{wide}", r#"sk > "A#{:n}""#, None),
        ("A#{seconds}", r#"sk > "A#{:n}""#, Some(r#"sk > "A#{:n:10}""#)),
    ] {
        let model = sorted(key, asked);
        let mended = mended("number-as-text-key", &model);
        let expected = fixed.map(|fixed| format!("query Things where owner_id = :owner_id and {fixed}"));
        assert_eq!(mended.as_deref().map(query).map(str::to_owned), expected, "{asked}");
        assert!(mended.is_none_or(|mended| levels("number-as-text-key", &mended).is_empty()), "{asked}");
    }
}

/// Votes on one of two choices, in four shards, as many a second as `rate` says.
fn votes(rate: &str, times: &str) -> String {
    format!(
        "application Polls {{ domain \"votes\" scale \"many\" region \"us-east-1\" }}

entity Vote {{
  vote_id: ulid @id
  choice:  enum(yes, no)

  count 4M
  size 100B
}}

table Votes {{
  partition key choice_key: string
  sort key vote_id

  item Vote {{ choice_key = \"{{choice}}#{{shard(vote_id, 4)}}\" }}
}}

pattern Cast {{
  put Vote into Votes
  rate avg 1/s, peak {rate}
}}

pattern Latest {{
  query Votes where choice_key = \"{{choice}}#{{shard(vote_id, 4)}}\" limit 100{times}
  rate avg 10/s, peak 20/s
}}
"
    )
}

#[test]
fn shards_are_needless_where_the_load_without_them_is_below_a_quarter_of_the_limits() {
    const RULE: &str = "needless-sharding";
    // Half of the votes go to each choice: 249.5 and 250 write units a second.
    assert_eq!(levels(RULE, &votes("499/s", " times 4")), ["info"]);
    assert_eq!(levels(RULE, &votes("500/s", " times 4")).len(), 0);
    let told = message(RULE, &votes("100/s", " times 4"));
    assert!(told.contains("50 WCU/s (5 % of 1,000)"), "{told}");
    // A hundred votes are 10,000 bytes, three times 4 KB by half a unit, once for all
    // shards: 20/s × 1.5 × 1/2.
    assert!(told.contains("15 RCU/s (0.5 % of 3,000)"), "{told}");
    assert!(told.contains("6 read units a call where 1.5 read units would do"), "{told}");
    // A query of one shard stays one.
    let one = message(RULE, &votes("100/s", ""));
    assert!(one.contains("15 RCU/s (0.5 % of 3,000)") && !one.contains("would do"), "{one}");
    // What is not declared is not judged.
    assert_eq!(levels(RULE, &votes("100/s", " times 4").replace("size 100B", "size max 4KB")).len(), 1);
    assert_eq!(levels(RULE, &votes("100/s", " times 4").replace("rate avg 1/s, peak 100/s", "")).len(), 0);
    assert_eq!(
        levels(RULE, &votes("100/s", " times 4").replace("enum(yes, no)", "enum(yes, no) @hottest(90%)")).len(),
        1
    );
    assert_eq!(
        levels(RULE, &votes("300/s", " times 4").replace("enum(yes, no)", "enum(yes, no) @hottest(90%)")).len(),
        0
    );
}
