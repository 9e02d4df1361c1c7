//! Signature help, without a protocol.

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::in_all_shapes;
use keywright::ide::SignatureHelp;

const MODEL: &str = r#"
entity User {
  user_id: uuid @id
  name:    string
}

entity Order {
  order_id:  ulid @id
  user_id:   uuid @of(User) @immutable
  status:    enum(open, paid)
  note:      string?
  total:     number
  placed_at: timestamp
}

table Orders {
  partition key user_id
  sort key sk: string
  item User { sk = "PROFILE" }
  item Order { sk = "ORDER#{order_id}" }

  gsi ByStatus {
    partition key status
    sort key placed_at
  }
}
"#;

fn help(fixture: &Fixture) -> Option<SignatureHelp> {
    fixture.analysis.signature_help(&fixture.file, fixture.offset).unwrap()
}

/// The labels with the active parameter between `‹` and `›`; the active signature
/// first has a star where there are several.
fn shown(help: Option<&SignatureHelp>) -> Vec<String> {
    let Some(help) = help else { return Vec::new() };
    let labels = help.signatures.iter().enumerate().map(|(index, signature)| {
        let active = signature.parameters[signature.active].range.indices();
        let label = &signature.label;
        let star = if index == help.active && help.signatures.len() > 1 { "* " } else { "" };
        format!("{star}{}‹{}›{}", &label[..active.start], &label[active.clone()], &label[active.end..])
    });
    labels.collect()
}

#[track_caller]
fn check_text(text: &str, expected: &[&str]) {
    in_all_shapes(text, |fixture| {
        assert_eq!(shown(help(fixture).as_ref()), expected, "{text}");
    });
}

/// A line of a pattern of the model.
#[track_caller]
fn check(line: &str, expected: &[&str]) {
    check_text(&format!("{MODEL}\npattern P {{\n  {line}\n  rate avg 1/s\n}}\n"), expected);
}

/// What is said of the active parameter.
fn said(text: &str) -> String {
    let help = help(&fixture(text)).expect("there is help");
    let signature = &help.signatures[help.active];
    signature.parameters[signature.active].documentation.clone()
}

fn said_in_pattern(line: &str) -> String {
    said(&format!("{MODEL}\npattern P {{\n  {line}\n}}\n"))
}

#[test]
fn a_query_shows_the_key_of_its_table_or_index() {
    const REST: &str = "[filter …] [limit n] [descending] [consistent] [project …] [returning n] [times n]";
    const OF_INDEX: &str = "[filter …] [limit n] [descending] [project …] [returning n] [times n]";
    let rest = |head: &str| format!("{head} {REST}");
    check("query Orders where $0", &[&rest("query Orders where ‹user_id = …› [and sk …]")]);
    check("query Orders where user_id $0", &[&rest("query Orders where ‹user_id = …› [and sk …]")]);
    check("query Orders where user_id = :u and $0", &[&rest("query Orders where user_id = … ‹[and sk …]›")]);
    check(
        "query Orders where user_id = :u and sk begins_with \"ORD$0\"",
        &[&rest("query Orders where user_id = … ‹[and sk …]›")],
    );
    // The conditions in another order: each at its own place.
    check("query Orders where sk = \"A\" and us$0", &[&rest("query Orders where ‹user_id = …› [and sk …]")]);
    check(
        "query Orders.ByStatus where status = \"paid\" and placed_at between :a and $0",
        &[&format!("query Orders.ByStatus where status = … ‹[and placed_at …]› {OF_INDEX}")],
    );
    check(
        "query Orders where user_id = :u limit 2$0",
        &[&rest("query Orders where user_id = … [and sk …]").replace("[limit n]", "‹[limit n]›")],
    );
    check(
        "query Orders where user_id = :u filter note = \"x\" keeping $0",
        &[&rest("query Orders where user_id = … [and sk …]").replace("[filter …]", "‹[filter …]›")],
    );
    check(
        "query Orders.$0",
        &[
            // A dot asks for an index.
            &format!("query ‹Orders.ByStatus› where status = … [and placed_at …] {OF_INDEX}"),
        ],
    );
    let sort_key = said_in_pattern("query Orders where user_id = :u and $0");
    assert!(sort_key.starts_with("`sk` (S). The sort key, by `=`"), "{sort_key}");
    assert!(sort_key.ends_with("- `User`: `\"PROFILE\"`\n- `Order`: `\"ORDER#{order_id}\"`"), "{sort_key}");
}

#[test]
fn other_operations_show_their_parts_with_the_names_that_are_there() {
    const GET: &str = "[consistent] [project …] [times n]";
    check("get $0", &[&format!("get ‹entity› from Table {GET}")]);
    check("get Order $0", &[&format!("get Order from ‹Orders› {GET}")]);
    check("get Order from $0", &[&format!("get Order from ‹Orders› {GET}")]);
    check("get Order from Orders $0", &["get Order from Orders ‹[consistent]› [project …] [times n]"]);
    check("get Order from Orders project note, $0", &["get Order from Orders [consistent] ‹[project …]› [times n]"]);
    check("scan Orders $0", &["scan Orders ‹[filter …]› [limit n] [consistent] [project …] [returning n] [times n]"]);
    check("put Order as old into Orders $0", &["put Order into Orders ‹[with …]› [if …] [times n]"]);
    check("put User into Orders $0", &["put User into Orders ‹[if …]› [times n]"]);
    check("update Order in Orders set status, $0", &["update Order in Orders ‹[set …]› [remove …] [if …] [times n]"]);
    check(
        "update Order in Orders set status remove $0",
        &["update Order in Orders [set …] ‹[remove …]› [if …] [times n]"],
    );
    check("delete Order from Orders if exists times $0", &["delete Order from Orders [if …] ‹[times n]›"]);
    check("check Order in Orders $0", &["check Order in Orders ‹if condition› [times n]"]);
    assert!(said_in_pattern("put Order into Orders $0").ends_with("Optional: `note`."));
    assert!(
        said_in_pattern("update Order in Orders set $0")
            .ends_with("It may set: `status`, `note`, `total`, `placed_at`.")
    );
    assert_eq!(
        said_in_pattern("get Order from Ord$0"),
        "The key is `user_id = user_id`, `sk = \"ORDER#{order_id}\"`: the caller gives `order_id`, `user_id`."
    );
}

/// While a table or an index is being named, what begins so is a signature each.
#[test]
fn a_name_that_is_being_written_shows_what_it_may_become() {
    const OTHERS: &str = r#"
table Orders2 { partition key order_id  item Order {} }
table `Old users` {
  partition key user_id
  sort key name
  item User {}
  lsi ByName { sort key name }
}
"#;
    const READ: &str = "[filter …] [limit n] [descending] [consistent] [project …] [returning n] [times n]";
    const OF_INDEX: &str = "[filter …] [limit n] [descending] [project …] [returning n] [times n]";
    let check = |line: &str, expected: &[&str]| {
        check_text(&format!("{MODEL}{OTHERS}\npattern P {{\n  {line}\n  rate avg 1/s\n}}\n"), expected)
    };
    let old = format!("query ‹`Old users`› where user_id = … [and name …] {READ}");
    let by_name = format!("query ‹`Old users`.ByName› where user_id = … [and name …] {READ}");
    let orders = format!("query ‹Orders› where user_id = … [and sk …] {READ}");
    let by_status = format!("query ‹Orders.ByStatus› where status = … [and placed_at …] {OF_INDEX}");
    let orders_2 = format!("query ‹Orders2› where order_id = … {READ}");
    // With the table that one of the shapes has besides, whose key nobody knows.
    in_all_shapes(&format!("{MODEL}{OTHERS}\npattern P {{\n  query $0\n  rate avg 1/s\n}}\n"), |fixture| {
        let mut shown = shown(help(fixture).as_ref());
        let faulty = shown.iter().position(|label| label.contains("Wrong_")).map(|at| shown.remove(at));
        assert_eq!(shown.iter().collect::<Vec<_>>(), [&format!("* {old}"), &by_name, &orders, &by_status, &orders_2]);
        let keyless = format!("query ‹Wrong_› where partition_key = … [and sort_key …] {READ}");
        assert!(faulty.is_none_or(|faulty| faulty == keyless));
    });
    check("query o$0", &[&format!("* {old}"), &by_name, &orders, &by_status, &orders_2]);
    check("query Or$0", &[&format!("* {orders}"), &by_status, &orders_2]);
    check("query `O$0", &[&format!("* {old}"), &by_name, &orders, &by_status, &orders_2]);
    check("query `Old us$0ers` where", &[&format!("* {old}"), &by_name]);
    // What is there already comes first, wherever in it the cursor stands.
    check("query Orders2$0", &[&orders_2]);
    check("query Ord$0ers2 where", &[&format!("* {orders_2}"), &orders, &by_status]);
    check("query Orders.$0", &[&by_status]);
    check("query Orders.By$0", &[&by_status]);
    check("query `Old users`.$0", &[&by_name]);
    check("query Orders2.$0", &[&format!("query ‹Table› where partition_key = … [and sort_key …] {READ}")]);
    let scan = |place: &str, consistent: &str| {
        format!("scan ‹{place}› [filter …] [limit n] {consistent}[project …] [returning n] [times n]")
    };
    check(
        "scan Ord$0",
        &[
            &format!("* {}", scan("Orders", "[consistent] ")),
            &scan("Orders.ByStatus", ""),
            &scan("Orders2", "[consistent] "),
        ],
    );
    // One item is in a table, and in one that holds it.
    let get = |place: &str| format!("get Order from ‹{place}› [consistent] [project …] [times n]");
    check("get Order from O$0", &[&format!("* {}", get("Orders")), &get("Orders2")]);
    check("get Order from Orders2$0", &[&get("Orders2")]);
    check("get Order from Nowhere$0", &[&format!("* {}", get("Orders")), &get("Orders2")]);
    check("get Order from Orders.ByStatus$0", &[&format!("* {}", get("Orders")), &get("Orders2")]);
    check(
        "put User into $0",
        &["* put User into ‹`Old users`› [if …] [times n]", "put User into ‹Orders› [if …] [times n]"],
    );
}

/// An option that DynamoDB does not give a step there is none.
#[test]
fn a_step_shows_the_options_that_it_has_there() {
    check(
        "scan Orders.ByStatus descending$0",
        &["scan Orders.ByStatus [filter …] [limit n] ‹[project …]› [returning n] [times n]"],
    );
    check("transact get { get Order from Orders $0 }", &["get Order from Orders ‹[project …]› [times n]"]);
    check("batch get { get Order from Orders $0 }", &["get Order from Orders ‹[consistent]› [project …] [times n]"]);
    check("batch write { put User into Orders $0 }", &["put User into Orders ‹[times n]›"]);
    check("batch write { put Order into Orders $0 }", &["put Order into Orders ‹[with …]› [times n]"]);
    check(
        "batch write {\n    put User into Orders\n    delete Order from Orders $0",
        &["delete Order from Orders ‹[times n]›"],
    );
    check("transact write { delete Order from Orders $0 }", &["delete Order from Orders ‹[if …]› [times n]"]);
    check("transact write { check Order in Orders $0 }", &["check Order in Orders ‹if condition› [times n]"]);
    // A group that is closed takes no part.
    check(
        "batch write { put User into Orders }\n  delete Order from Orders $0",
        &["delete Order from Orders ‹[if …]› [times n]"],
    );
    // What a group does not take is shown as it is by itself.
    check(
        "transact write { get Order from Orders $0 }",
        &["get Order from Orders ‹[consistent]› [project …] [times n]"],
    );
    check(
        "batch write { update Order in Orders set note $0 }",
        &["update Order in Orders ‹[set …]› [remove …] [if …] [times n]"],
    );
}

#[test]
fn a_transaction_and_a_batch_show_what_they_take() {
    check("transact $0", &["* transact ‹write› { put … | update … | delete … | check … }", "transact ‹get› { get … }"]);
    check(
        "transact write { $0 }",
        &["* transact write { ‹put … | update … | delete … | check …› }", "transact get { ‹get …› }"],
    );
    check(
        "transact get {\n    get User from Orders\n    $0\n  }",
        &["transact write { ‹put … | update … | delete … | check …› }", "* transact get { ‹get …› }"],
    );
    check("batch write {\n    $0", &["* batch write { ‹put … | delete …› }", "batch get { ‹get …› }"]);
    check("transact write { put User into Orders $0 }", &["put User into Orders ‹[if …]› [times n]"]);
}

#[test]
fn modifiers_and_types_show_their_arguments() {
    let check = |line: &str, expected: &[&str]| {
        check_text(&format!("{MODEL}\nentity E {{\n  a: string\n  b: {line}\n  c: string\n}}\n"), expected)
    };
    check("string @size($0)", &["* @size(‹size›)", "@size(‹avg size›, max size)"]);
    check("string @size(avg 2KB, $0)", &["@size(‹size›)", "* @size(avg size, ‹max size›)"]);
    check("string @size(max $0", &["@size(‹size›)", "* @size(avg size, ‹max size›)"]);
    check("string @unique(a, $0", &["@unique(‹attribute, …›)"]);
    check("string @without(\"#$0\")", &["@without(‹text›)"]);
    check("string @distinct($0)", &["@distinct(‹number›)"]);
    check("string @hottest($0)", &["@hottest(‹percent›)"]);
    check("string? @present($0)", &["@present(‹percent›)"]);
    check("number @example($0)", &["@example(‹number›)"]);
    check("string @of($0)", &["@of(‹entity›)"]);
    check("string @copied_from($0)", &["@copied_from(‹entity›.attribute)"]);
    check("string @copied_from(User.$0)", &["@copied_from(entity.‹attribute›)"]);
    check("enum(open, $0)", &["enum(‹value, …›)"]);
    check("set<$0>", &["set<‹type›>"]);
    check("list<set<$0", &["set<‹type›>"]);
    // Behind the bracket, and on the line below one that was forgotten, there is none.
    check("string @size(2KB) $0", &[]);
    check("string @size(2KB\n  d: str$0ing", &[]);
    let own = said(&format!("{MODEL}entity E {{\n  a: string\n  b: string @unique($0)\n  c: number\n}}\n"));
    assert!(own.ends_with("It has: `a`, `c`."), "{own}");
    let of = said(&format!("{MODEL}entity E {{\n  b: string @copied_from(User.$0)\n}}\n"));
    assert_eq!(of, "What it is a copy of. It has: `user_id`, `name`.");
}

#[test]
fn lists_and_functions_show_what_they_take() {
    check("reads Order($0) by user_id", &["Order(‹attribute, …›)"]);
    check("reads User, Order(note, $0", &["Order(‹attribute, …›)"]);
    check("update Order in Orders set note if not_exists($0)", &["not_exists(‹attribute›)"]);
    check("update Order in Orders set note if status in (\"open\", $0)", &["in (‹operand, …›)"]);
    check(
        "update Order in Orders set note if (status = $0)",
        &["update Order in Orders [set …] [remove …] ‹[if …]› [times n]"],
    );
    check_text(
        &MODEL.replace("    sort key placed_at\n", "    sort key placed_at\n    projection include(note, $0)\n"),
        &["include(‹attribute, …›)"],
    );
}

#[test]
fn the_holes_of_a_template_show_their_forms() {
    let check_item = |hole: &str, expected: &[&str]| {
        check_text(&MODEL.replace("\"ORDER#{order_id}\"", &format!("\"ORDER#{hole}\"")), expected);
    };
    const SHARD: &str = "{shard(‹attribute›, n)}";
    check_item("{$0}", &["* {‹attribute›[:format]}", SHARD]);
    check_item("{placed_at:$0}", &["* {placed_at[:‹year|month|day|hour|minute›]}", SHARD]);
    check_item("{total:$0", &["* {total[:‹digits›]}", SHARD]);
    check_item("{status:$0}", &["* {status[:‹lower|upper›]}", SHARD]);
    check_item("{shard($0", &["{‹attribute›[:format]}", "* {shard(‹attribute›, n)}"]);
    check_item("{shard(order_id, $0)}", &["{‹attribute›[:format]}", "* {shard(attribute, ‹n›)}"]);
    check_item("{{$0", &[]);
    check_item("{order_id}$0", &[]);
    check(
        "query Orders where user_id = :u and sk = \"ORDER#{:$0}\"",
        &["{‹attribute›[:format]}", "* {:‹parameter›[:digits]}", SHARD],
    );
    // In a filter braces are text, but against a key.
    let text =
        shown(help(&fixture(&format!("{MODEL}\npattern P {{\n  scan Orders filter note = \"{{$0\"\n}}\n"))).as_ref());
    assert!(text[0].starts_with("scan Orders ‹[filter …]›"), "{text:?}");
    check("scan Orders filter sk = \"{$0\"", &["* {‹attribute›[:format]}", "{:‹parameter›[:digits]}", SHARD]);
    let said = said(&MODEL.replace("\"ORDER#{order_id}\"", "\"{$0\""));
    assert_eq!(said, "There are: `order_id`, `user_id`, `status`, `note`, `total`, `placed_at`.");
}

#[test]
fn elsewhere_there_is_nothing_to_say() {
    check("query Orders where user_id = :u\n  $0", &[]);
    check("query Orders where // user $0", &[]);
    check("external \"get Order from $0\" because \"so\"", &[]);
    check("rate avg 1/s, $0", &[]);
    check("que$0", &[]);
    check_text(&format!("{MODEL}\npattern $0P {{ get User from Orders }}\n"), &[]);
    check_text(&format!("{MODEL}\npattern P {{ get User from Orders }} $0\n"), &[]);
    check_text(&MODEL.replace("entity User {", "entity User { $0"), &[]);
}

/// No place of any text is too much for it.
#[test]
fn every_place_is_answered() {
    let text = format!(
        "{MODEL}\npattern P {{\n  query Orders where ((( user_id = \"{{shard(a, \r\n  put é🙂 into `x in ( < @size(@enum(\n transact {{ batch"
    );
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let mut fixture = fixture(&text[..end]);
        for offset in [end, end + 5, end.saturating_sub(1)] {
            fixture.offset = offset;
            if let Some(help) = help(&fixture) {
                assert!(help.active < help.signatures.len());
                for signature in &help.signatures {
                    assert!(signature.active < signature.parameters.len());
                    assert!(
                        signature
                            .parameters
                            .iter()
                            .all(|parameter| signature.label.get(parameter.range.indices()).is_some())
                    );
                }
            }
        }
    }
}
