//! Where something is proposed, and where nothing is.

use super::{MODEL, among, exactly, in_model, labels, list, without};
use crate::support::editor::fixture;
use crate::support::shapes::in_all_shapes;
use keywright::ide::{CompletionKind, CompletionList};

#[test]
fn declarations_begin_outside_all_blocks() {
    let all = [
        "entity",
        "table",
        "pattern",
        "pattern query",
        "pattern put",
        "pattern transact write",
        "relationship",
        "aggregate",
        "workflow",
        "application",
        "import",
        "allow",
        "consideration",
        "tradeoff",
    ];
    exactly("$0", &all);
    exactly("ent$0", &all);
    exactly("ent$0ity", &all);
    exactly("/// A thing.\n$0", &all);
    // Of a block that is not closed, and of which nothing follows.
    among("pattern P {\n  get User from Shop\n$0", &["entity", "table", "rate", "latency"]);
    without("pattern P {\n  get User from Shop\n$0\n  rate avg 1/s\n}", &["entity", "table"]);
    without("pattern P { $0 }", &["entity", "table"]);
    without("relationship User 1:N Order $0", &["entity", "table", "allow"]);
}

#[test]
fn an_empty_file_has_proposals() {
    for text in ["$0", "\n\n$0", "// é 🙂\n$0", "\u{feff}$0"] {
        let list = list(&fixture(text));
        assert!(list.items.iter().any(|item| item.label == "entity"), "{text:?}: {list:?}");
    }
}

#[test]
fn half_a_block_at_the_end_of_a_file_has_proposals() {
    for (text, expected) in [
        ("pattern P {\n  $0", "get"),
        ("pattern P {$0", "get"),
        ("pattern P {\n  query $0", "Shop"),
        ("pattern P {\n  query Shop where $0", "user_id"),
        ("entity X {\n  $0", "count"),
        ("entity X {\n  a: $0", "string"),
        ("table T {\n  $0", "partition key"),
        ("table T {\n  item $0", "Draft"),
        ("table T {\n  gsi G {\n    $0", "projection"),
        ("workflow W { $0", "Pay"),
        ("application A {\n  $0", "domain"),
        ("relationship $0", "User"),
        ("aggregate $0", "User"),
    ] {
        let list = list(&fixture(&format!("{MODEL}{text}")));
        assert!(labels(&list).iter().any(|label| label == expected), "{text}: {:?}", labels(&list));
    }
}

#[test]
fn imports_name_the_other_models() {
    let text =
        "//- main.dynamo\nimport \"a.dynamo\"\nimport \"$0\"\n//- a.dynamo\n\n//- sub/b.dynamo\n\n//- c.dynamo\n";
    in_all_shapes(text, |fixture| {
        let list = list(fixture);
        assert_eq!(labels(&list), ["c.dynamo", "sub/b.dynamo"]);
        assert!(list.items.iter().all(|item| item.kind == CompletionKind::File));
    });
    in_all_shapes(&text.replace("\"$0\"", "$0"), |fixture| {
        assert_eq!(labels(&list(fixture)), ["\"c.dynamo\"", "\"sub/b.dynamo\""]);
    });
}

#[test]
fn nothing_is_proposed_where_text_is_text() {
    for text in [
        "// get $0",
        "/// get $0\nentity X {\n}",
        "pattern P { // $0\n}",
        "pattern P {\n  /$0/ get\n}",
        "application A {\n  domain \"$0\"\n}",
        "consideration \"the $0\"",
        "tradeoff \"a\" because \"$0\"",
        "table T {\n  boundary \"$0\"\n}",
        "table T {\n  gsi G {\n    purpose \"$0\"\n  }\n}",
        "entity X {\n  a: string @without(\"$0\")\n}",
        "entity X {\n  a: string @example(\"$0\")\n}",
        "entity X {\n  $0: string\n}",
        "pattern $0",
        "entity X$0 {\n}",
    ] {
        let text = in_model(text);
        in_all_shapes(&text, |fixture| {
            let list = list(fixture);
            let attribute = text.contains("$0: string");
            let own: Vec<String> =
                labels(&list).into_iter().filter(|label| !attribute || label.starts_with('@')).collect();
            assert_eq!(own, Vec::<String>::new(), "{text}");
        });
    }
}

#[test]
fn a_character_that_is_typed_proposes_where_it_means_something() {
    let typed = |text: &str, c: char| {
        let fixture = fixture(&in_model(text));
        fixture.analysis.completion(&fixture.file, fixture.offset, Some(c)).unwrap().items.len()
    };
    assert_eq!(typed("pattern P {$0", '{'), 0, "the next line is what is wanted");
    assert_eq!(typed("pattern P {\n  /$0\n}", '/'), 0, "half a comment");
    assert_eq!(typed("pattern P {\n  #$0\n}", '#'), 0);
    assert!(typed("pattern P {\n  rate avg 5/$0\n}", '/') > 0);
    assert!(typed("pattern P {\n  query Shop.$0\n}", '.') > 0);
    assert!(typed("pattern P {\n  query Shop where user_id = :$0\n}", ':') > 0);
    assert!(typed("pattern P {\n  query Shop where user_id = :u and sk begins_with \"$0\"\n}", '"') > 0);
    assert!(typed("pattern P {\n  query Shop where user_id = :u and sk = \"ORDER#$0\"\n}", '#') > 0);
    assert!(typed("pattern P {\n  query Shop where user_id = :u and sk = \"ORDER#{$0\"\n}", '{') > 0);
    assert!(typed("entity X {\n  a: string @$0\n}", '@') > 0);
    assert!(typed("entity X {\n  a: string @of($0)\n}", '(') > 0);
}

#[test]
fn an_unknown_file_and_a_place_past_the_end_are_answered() {
    let fixture = fixture("entity X {\n}\n$0");
    let list = fixture.analysis.completion(&fixture.file, 1_000_000, None).unwrap();
    assert!(!list.items.is_empty());
    let other = keywright::model::files::FileKey::new("/model/none.dynamo");
    assert_eq!(fixture.analysis.completion(&other, 5, None).unwrap(), CompletionList::default());
}
