//! What stands behind the cursor, or around it, decides as well.

use super::{among, becomes, exactly, first, in_model, list, nothing, without};
use crate::support::editor::fixture;

/// The text with the first proposal of this label put in as a client with snippets does.
#[track_caller]
fn with_places(declaration: &str, label: &str, expected: &str) {
    becomes(declaration, label, expected);
    let fixture = fixture(&in_model(declaration));
    let list = list(&fixture);
    let item = list.items.iter().find(|item| item.label == label).expect(label);
    let text = fixture.text(&fixture.file);
    let put = item.snippet.as_ref().unwrap_or(&item.text);
    let put = format!("{}{put}{}", &text[..list.replace.start as usize], &text[list.replace.end as usize..]);
    assert!(put.contains(expected), "{expected} is not in {put}");
}

#[test]
fn a_keyword_does_not_bring_the_arguments_that_are_there() {
    with_places("entity X {\n  a: string @hot$0(9%)\n}", "@hottest", "string @hottest(9%)\n");
    with_places("entity X {\n  a: string @o$0(User)\n}", "@of", "string @of(User)\n");
    with_places("entity X {\n  a: en$0(b)\n}", "enum", "a: enum(b)\n");
    with_places("entity X {\n  a: li$0<string>\n}", "list", "a: list<string>\n");
    with_places("entity X {\n  cou$0 5k\n}", "count", "  count 5k\n");
    with_places("pattern P {\n  ra$0 avg 1/s, peak 20/s\n}", "rate", "  rate avg 1/s, peak 20/s\n");
    with_places("table T {\n  par$0 key a: string\n}", "partition key", "  partition key a: string\n");
    with_places("pattern P {\n  reads Order ord$0 by status\n}", "ordered by", "Order ordered by status\n");
    with_places("application A {\n  dom$0 \"parking\"\n}", "domain", "  domain \"parking\"\n");
    with_places("impo$0 \"a.dynamo\"", "import", "\nimport \"a.dynamo\"\n");
    with_places(
        "table T {\n  gsi G {\n    partition key a\n    projection inc$0(b)\n  }\n}",
        "include",
        "projection include(b)\n",
    );
    with_places("pattern P {\n  put User into Shop if exi$0(plan)\n}", "exists", "if exists(plan)\n");
    // What is not there it brings.
    becomes("entity X {\n  a: $0\n}", "enum", "a: enum(value)\n");
}

#[test]
fn a_block_does_not_bring_the_block_that_is_there() {
    with_places("pattern P {\n  trans$0 write {\n  }\n}", "transact write", "pattern P {\n  transact write {\n  }\n}");
    with_places("pattern P {\n  batch write$0 {\n  }\n}", "write", "batch write {\n  }\n}");
    without("pattern P {\n  trans$0 get {\n  }\n}", &["transact write", "batch write"]);
    with_places("patt$0 Leave {\n}", "pattern", "\npattern Leave {\n}");
    with_places("ent$0 Stay {\n}", "entity", "\nentity Stay {\n}");
    without("patt$0 Leave {\n}", &["pattern query", "pattern put", "pattern transact write"]);
    with_places("table T {\n  gs$0 G {\n  }\n}", "gsi", "  gsi G {\n  }\n");
    without("pattern P {\n  query Sh$0.ByStatus where status = :s\n}", &["Shop.ByStatus"]);
}

#[test]
fn in_a_bracket_only_what_fits_in_it() {
    exactly("pattern P {\n  put Order into Shop if total in (1,\n  $0)\n}", &[":total"]);
    without("pattern P {\n  put Order into Shop if (total = 1\n  $0)\n}", &["rate", "get", "times", "with"]);
    among("pattern P {\n  put Order into Shop if (total = 1\n  $0)\n}", &["and", "or"]);
    exactly("pattern P {\n  reads Draft(\n  $0)\n}", &["draft_id", "tags"]);
    exactly(
        "table T {\n  partition key order_id\n  item Line\n  gsi G {\n    partition key sku\n    projection \
         include(\n      $0\n    )\n  }\n}",
        &["line_no"],
    );
    exactly("entity X {\n  a: string @size(\n    $0\n  )\n}", &["avg", "max"]);
    nothing("entity X {\n  a: enum(\n    $0\n  )\n}");
    // One that was forgotten hides nothing.
    among("entity X {\n  a: string @size(5B\n  $0\n}", &["count", "size"]);
}

#[test]
fn a_sign_that_means_nothing_has_no_proposals() {
    nothing("pattern P {\n  put User into Shop.$0\n}");
    nothing("pattern P {\n  reads User.$0\n}");
    nothing("pattern P {\n  get User from Shop where($0\n}");
    nothing("pattern P {\n  query Shop where user_id = :u limit :$0\n}");
    for declaration in ["a: uuid @id($0)", "a: uuid @immutable($0)", "a: string.$0", "a: uuid($0", "x.$0"] {
        nothing(&format!("entity X {{\n  {declaration}\n}}"));
    }
}

#[test]
fn an_attribute_that_has_its_type_is_no_clause() {
    without("entity X {\n  s$0: ulid @id\n}", &["size", "count"]);
    without("entity X {\n  a$0: uuid\n}", &["allow"]);
    nothing("entity X {\n  a: enum(b)$0\n}");
}

#[test]
fn a_unit_takes_the_place_of_the_old_one() {
    for (declaration, label, expected) in [
        ("pattern P {\n  rate avg 1/s, peak 10$0/s\n}", "10/min", "peak 10/min\n"),
        ("entity X {\n  count 4$0k\n}", "4M", "count 4M\n"),
        ("pattern P {\n  latency 200$0ms\n}", "200s", "latency 200s\n"),
    ] {
        becomes(declaration, label, expected);
        let list = list(&fixture(&in_model(declaration)));
        assert_eq!(list.insert, list.replace, "{declaration}");
    }
    nothing("pattern P {\n  rate avg 0.$0\n}");
    nothing("pattern P {\n  pages avg 1.$0\n}");
}

#[test]
fn a_key_names_nothing_twice() {
    let table = |key: &str| format!("table T {{\n  partition key order_id\n  {key}\n  item Order\n}}");
    exactly(&table("sort key $0"), &["user_id", "status", "total", "placed_at", "note"]);
    exactly(&table("sort key status, $0"), &["user_id", "total", "placed_at", "note"]);
    let lsi = |key: &str| table(&format!("sort key status\n  lsi L {{\n    {key}\n  }}"));
    exactly(&lsi("sort key $0"), &["user_id", "total", "placed_at", "note"]);
    without(&lsi("$0"), &["partition key"]);
    first(&lsi("$0"), &["sort key"]);
}

#[test]
fn options_that_dynamodb_refuses_are_none() {
    without("pattern P {\n  batch write {\n    put User into Shop $0\n  }\n}", &["if"]);
    among("pattern P {\n  transact write {\n    put User into Shop $0\n  }\n}", &["if"]);
    without("pattern P {\n  query Shop.ByStatus where status = :s $0\n}", &["consistent"]);
    without("pattern P {\n  scan Shop.ByStatus $0\n}", &["consistent"]);
    among("pattern P {\n  batch get {\n    get User from Shop $0\n  }\n}", &["consistent"]);
    without("pattern P {\n  transact get {\n    get User from Shop $0\n  }\n}", &["consistent"]);
}

#[test]
fn what_stands_once_is_not_proposed_again() {
    exactly("pattern P {\n  rate avg 1/s, $0\n}", &["peak"]);
    exactly("entity X {\n  a: string @size(avg 1B,\n  $0)\n}", &["max"]);
    without("application A {\n}\n\n$0", &["application"]);
    among("applic$0 A {\n}", &["application"]);
    let list = list(&fixture("a$0"));
    assert_eq!(list.items[0].label, "application");
}

#[test]
fn an_operator_is_one_of_its_operand() {
    let filter = |name: &str| format!("pattern P {{\n  query Shop where user_id = :u filter {name} $0\n}}");
    without(&filter("total"), &["begins_with", "contains"]);
    among(&filter("total"), &["between", "<"]);
    among(&filter("note"), &["begins_with", "contains"]);
    without("entity X {\n  a: set<$0>\n}", &["boolean", "enum", "list", "set", "map"]);
    among("entity X {\n  a: set<$0>\n}", &["string", "number", "binary"]);
    among("entity X {\n  a: $0\n}", &["set", "boolean"]);
}

#[test]
fn a_projection_may_name_a_computed_key() {
    among("pattern P {\n  query Shop where user_id = :u project $0\n}", &["sk"]);
    without("pattern P {\n  query Shop where user_id = :u project sk, $0\n}", &["sk"]);
}

#[test]
fn a_list_in_a_template_goes_stale_with_the_next_letter() {
    let list = list(&fixture(&in_model("pattern P {\n  query Shop where user_id = :u and sk = \"$0\"\n}")));
    assert!(list.incomplete);
}

#[test]
fn a_condition_is_about_the_entity_that_is_written() {
    exactly("pattern P {\n  delete User from Shop if sk = $0\n}", &["\"PROFILE\"", ":sk"]);
    without(
        "pattern P {\n  delete User from Shop if sk = \"$0\"\n}",
        &["ORDER#", "ORDER#{order_id}", "{order_id}", "{status}"],
    );
}

#[test]
fn an_allow_names_what_does_not_fire_only_when_it_is_typed() {
    exactly("pattern P {\n  allow $0\n  scan Archive\n}", &["missing-latency", "missing-rate", "scan-pattern"]);
    // What is found about the whole model is found at the top of a file.
    let list = list(&fixture(&in_model("allow $0")));
    assert!(list.items.iter().any(|item| item.label == "missing-application" && item.owner.is_some()), "{list:?}");
    among("pattern P {\n  allow hot$0\n  scan Archive\n}", &["hot-partition-key", "hot-index-key"]);
}
