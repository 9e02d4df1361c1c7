//! What a proposal says, and what it puts in.

use super::{in_model, list};
use crate::support::editor::fixture;
use keywright::ide::{CompletionItem, CompletionKind};
use keywright::syntax::FileParse;

#[test]
fn an_item_says_what_it_is() {
    let ordered = fixture(&in_model("pattern P {\n  update Order in Shop set $0\n}"));
    let proposed = list(&ordered);
    let item: &CompletionItem = &proposed.items[0];
    assert_eq!((item.label.as_str(), item.detail.as_str()), ("status", "enum(open, paid, shipped)"));
    assert_eq!((item.owner.as_deref(), item.kind), (Some("Order"), CompletionKind::Attribute));
    let text = ordered.analysis.completion_documentation(&ordered.file, item.topic.as_ref().unwrap()).unwrap();
    assert!(text.unwrap().contains("status"));
    for (declaration, label, says) in [
        ("pattern P {\n  query $0\n}", "Shop", "table Shop"),
        ("pattern P {\n  query $0\n}", "Shop.ByStatus", "ByStatus"),
        ("pattern P {\n  get $0\n}", "User", "entity User"),
        ("pattern P {\n  query Shop where $0\n}", "sk", "sort key"),
        ("workflow W { $0 }", "Pay", "pattern Pay"),
        ("pattern P {\n  allow $0\n  scan Archive\n}", "scan-pattern", "# scan-pattern"),
        ("pattern P {\n  $0\n}", "transact write", "**"),
        ("$0", "entity", "**"),
        ("entity X {\n  a: string @$0\n}", "@unique", "**"),
    ] {
        let fixture = fixture(&in_model(declaration));
        let list = list(&fixture);
        let item = list.items.iter().find(|item| item.label == label).expect(label);
        let text = fixture.analysis.completion_documentation(&fixture.file, item.topic.as_ref().expect(label)).unwrap();
        let text = text.unwrap_or_else(|| panic!("{label} has no documentation"));
        assert!(text.to_lowercase().contains(&says.to_lowercase()), "{label}: {text}");
    }
}

/// What somebody types into the places of a snippet that are empty.
fn filled(label: &str) -> &'static [&'static str] {
    match label {
        "@of" => &["User"],
        "@copied_from" => &["User.email"],
        "@size" => &["5B"],
        "@hottest" | "@present" | "keeping" | "utilization" => &["5%"],
        "rate" => &["5/s"],
        "latency" | "lifetime" => &["5s"],
        "size" => &["5KB"],
        "include" => &["total"],
        "transact write" | "batch write" => &["put User into Shop"],
        "transact get" | "batch get" => &["get User from Shop"],
        "domain" | "region" | "application" | "context" | "scale" => &["text"],
        _ => &["5", "6"],
    }
}

/// A snippet with its places filled in.
fn expanded(snippet: &str, label: &str) -> String {
    let mut out = String::new();
    let mut fill = filled(label).iter().cycle();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(stop) = rest.strip_prefix('{') {
            let (stop, behind) = stop.split_once('}').unwrap();
            out.push_str(stop.split_once(':').map_or("text", |(_, proposed)| proposed));
            rest = behind;
        } else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            // The last place, behind something that is whole, is where one goes on.
            let quoted = out.ends_with('"') && rest.starts_with('"');
            if quoted || out.ends_with([' ', '(', '<']) {
                out.push_str(fill.next().unwrap());
            }
        }
    }
    out + rest
}

#[test]
fn what_is_put_in_parses_and_is_formatted() {
    let mut seen = 0;
    for declaration in [
        "$0",
        "pattern P {\n  $0\n}",
        "pattern P {\n  query Shop where user_id = :user_id $0\n}",
        "pattern P {\n  query Shop where user_id = :user_id filter gift = true $0\n}",
        "entity X {\n  a: string\n\n  $0\n}",
        "entity X {\n  a: $0\n}",
        "entity X {\n  a: string $0\n}",
        "table T {\n  partition key order_id\n  item Order\n  $0\n}",
        "table T {\n  partition key order_id\n  item Order\n  gsi G {\n    partition key status\n    projection $0\n  }\n}",
        "table T {\n  partition key order_id\n  item Order\n  gsi G {\n    partition key status because \"a\"\n    $0\n  }\n}",
        "relationship User 1:N Order {\n  $0\n}",
        "aggregate User, Order {\n  decision item_collection\n  $0\n}",
        "application A {\n  $0\n}",
    ] {
        let fixture = fixture(&in_model(declaration));
        let list = list(&fixture);
        let text = fixture.text(&fixture.file);
        for item in &list.items {
            let Some(snippet) = &item.snippet else { continue };
            seen += 1;
            let start = list.replace.start as usize;
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let indentation = &text[line..start][..text[line..start].len() - text[line..start].trim_start().len()];
            let put = expanded(snippet, &item.label).replace('\n', &format!("\n{indentation}"));
            let whole = format!("{}{put}{}", &text[..start], &text[list.replace.end as usize..]);
            let parse = FileParse::new(&whole);
            let errors: Vec<_> = parse.chunks.iter().flat_map(|placed| &placed.chunk.errors).collect();
            assert!(errors.is_empty(), "{}: {put}\n{errors:?}", item.label);
            let formatted = keywright::ide::apply(&whole, &keywright::format::format(&parse));
            assert_eq!(formatted, whole, "{}", item.label);
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn lines_end_as_those_of_the_file() {
    let text = in_model("$0").replace('\n', "\r\n");
    let list = list(&fixture(&text));
    let entity = list.items.iter().find(|item| item.label == "entity").unwrap();
    assert!(entity.text.contains("\r\n") && !entity.text.replace("\r\n", "").contains('\n'), "{entity:?}");
}
