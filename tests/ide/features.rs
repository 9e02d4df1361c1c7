//! What an editor shows, without a protocol: hover, definition, symbols.

use crate::support::editor::fixture;
use keywright::ide::Symbol;

const SHOP: &str = r#"
/// A person who buys.
entity User {
  user_id: uuid @id
  /// Where invoices go.
  email:   string @size(20B)

  count 2M
  size 1KB
}

entity Order {
  order_id: ulid @id
  user_id:  uuid @of(User)
  status:   enum(open, paid)

  count 40M
  size 2KB
}

entity Line {
  line_no:  number @id
  order_id: ulid @of(Order)
}

relationship User 1:N Order { children avg 20, max 5_000 identifying }

table UserOrders {
  partition key user_id
  sort key sk: string

  item User { sk = "PROFILE" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}" }

  gsi ByStatus {
    partition key status
    projection keys_only
  }
}

/// The account page.
pattern AccountPage {
  query UserOrders where user_id = :user_id and sk begins_with "ORDER#" limit 20
  rate avg 60/s, peak 300/s
}

pattern Pay {
  update Order in UserOrders set status
  rate avg 1/s, peak 2/s
}

workflow Buy { AccountPage, Pay }
"#;

/// The shop with the cursor put before the `n`th occurrence of `at`, from 0.
fn at(text: &str, n: usize) -> crate::support::editor::Fixture {
    let (offset, _) = SHOP.match_indices(text).nth(n).unwrap_or_else(|| panic!("{text} {n}"));
    let mut marked = SHOP.to_owned();
    marked.insert_str(offset, "$0");
    fixture(&marked)
}

#[test]
fn hover_on_a_name_says_what_follows_for_it() {
    let cases: [(&str, usize, &[&str]); 9] = [
        (
            "User {",
            0,
            &["entity User", "A person who buys.", "Identity: `user_id`", "2M", "`UserOrders`", "`sk = \"PROFILE\"`"],
        ),
        ("email:", 0, &["email: string @size(20B)", "Where invoices go.", "Never updated"]),
        ("status:", 0, &["Updated by `Pay`", "partition key `status` of `UserOrders.ByStatus`"]),
        (
            "UserOrders {",
            0,
            &["table UserOrders", "Partition key: `user_id` (S)", "embeds `Line`", "`AccountPage`, `Pay`"],
        ),
        ("ByStatus", 0, &["gsi ByStatus", "keys only", "Holds `Order`", "Read by: none"]),
        ("sk begins", 0, &["sk: string", "`User`: `\"PROFILE\"`", "`Order`: `\"ORDER#{order_id}\"`"]),
        (
            "AccountPage {",
            0,
            &["The account page.", "avg 60/s, peak 300/s", "`query` on `UserOrders`: that reaches `Order`"],
        ),
        ("AccountPage,", 0, &["pattern AccountPage"]),
        ("lines", 0, &["All `Line` of one `Order`"]),
    ];
    for (text, n, expected) in cases {
        let hover = at(text, n).hover();
        for part in expected {
            assert!(hover.contains(part), "hover on {text}: no `{part}` in\n{hover}");
        }
    }
}

#[test]
fn hover_on_a_keyword_explains_the_concept() {
    let cases = [
        ("gsi ", "Global secondary index"),
        ("projection", "Projection"),
        ("sort key", "Sort key"),
        ("@id", "id"),
        ("uuid", "type"),
        ("embeds", "aggregate"),
        ("query", "Query"),
        ("begins_with", "ort key"),
        ("1:N", "elationship"),
        ("keys_only", "Projection"),
        ("rate", "ate"),
        ("workflow", "orkflow"),
        ("limit", "agination"),
        ("update Order", "pdate"),
    ];
    for (text, expected) in cases {
        let hover = at(text, 0).hover();
        assert!(hover.contains(expected), "hover on {text}:\n{hover}");
        assert!(!hover.contains("## "), "the short form: {hover}");
    }
    assert_eq!(at("ORDER#\" limit", 0).hover(), "", "a string explains itself");
}

#[test]
fn hover_on_a_step_derives_its_numbers_and_explains_the_concept() {
    for (text, n, expected) in [
        ("query UserOrders", 0, ["read units**", "min(20, 20) = 20 items", "**Query**"]),
        ("update Order", 0, ["write units**", "Units of the table: ", "**Put, update, delete**"]),
    ] {
        let hover = at(text, n).hover();
        for part in expected {
            assert!(hover.contains(part), "hover on {text}: no `{part}` in\n{hover}");
        }
    }
    // The names in a step are what they are elsewhere.
    let hover = at("UserOrders where", 0).hover();
    assert!(hover.starts_with("```dynamo\ntable UserOrders"), "{hover}");
}

#[test]
fn hover_on_a_key_shows_the_key_and_the_attribute_whose_name_it_bears() {
    let hover = at("user_id\n  sort key", 0).hover();
    for part in ["key in table UserOrders", "2,000,000 values", "user_id: uuid @id"] {
        assert!(hover.contains(part), "no `{part}` in\n{hover}");
    }
}

#[test]
fn every_keyword_of_the_grammar_has_a_hover() {
    for word in [
        "entity",
        "count",
        "size",
        "relationship",
        "children",
        "identifying",
        "table",
        "partition",
        "item",
        "pattern",
        "where",
        "and",
        "set",
    ] {
        let hover = at(&format!("{word} "), 0).hover();
        assert!(!hover.is_empty(), "{word}");
    }
}

#[test]
fn definitions_are_found_from_every_use() {
    let cases: [(&str, usize, &[&str]); 12] = [
        ("User)", 0, &["main: entity User {"]),
        ("Order {", 1, &["main: entity Order {"]),
        ("UserOrders where", 0, &["main: table UserOrders {"]),
        ("AccountPage,", 0, &["main: pattern AccountPage {"]),
        ("status\n    projection", 0, &["main: status:   enum(open, paid)"]),
        ("order_id}", 0, &["main: order_id: ulid @id"]),
        (
            "user_id = ",
            0,
            &["main: partition key user_id", "main: user_id: uuid @id", "main: user_id:  uuid @of(User)"],
        ),
        ("sk = \"PROFILE", 0, &["main: sort key sk: string"]),
        ("status\n  rate", 0, &["main: status:   enum(open, paid)"]),
        ("Line as", 0, &["main: entity Line {"]),
        ("User 1:N", 0, &["main: entity User {"]),
        ("gsi", 0, &[]),
    ];
    for (text, n, expected) in cases {
        let found = at(text, n).definitions();
        let expected: Vec<String> = expected.iter().map(|s| (*s).to_owned()).collect();
        for part in &expected {
            assert!(found.contains(part), "definition of {text}: {found:?}");
        }
        assert!(!expected.is_empty() || found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn definitions_cross_files() {
    let model = "//- shared.dynamo\nentity User { id: uuid @id }\n//- shop.dynamo\nimport \"shared.dynamo\"\ntable T {\n  partition key id\n  item U$0ser\n}\n";
    assert_eq!(fixture(model).definitions(), ["shared: entity User { id: uuid @id }"]);
    let import = "//- shared.dynamo\n// head\n//- shop.dynamo\nimport \"sha$0red.dynamo\"\n";
    assert_eq!(fixture(import).definitions(), ["shared: // head"]);
}

fn outline(symbols: &[Symbol], depth: usize, out: &mut String) {
    for symbol in symbols {
        assert!(symbol.range.contains(symbol.selection), "{symbol:?}");
        out.push_str(&format!("{}{} ({})\n", "  ".repeat(depth), symbol.name, symbol.detail));
        outline(&symbol.children, depth + 1, out);
    }
}

#[test]
fn symbols_are_a_tree_in_the_order_of_the_text() {
    let fixture = fixture(SHOP);
    let symbols = fixture.analysis.symbols(&fixture.file).unwrap();
    let mut out = String::new();
    outline(&symbols, 0, &mut out);
    expect_test::expect![[r#"
        User (entity)
          user_id (uuid @id)
          email (string)
        Order (entity)
          order_id (ulid @id)
          user_id (uuid)
          status (enum(open, paid))
        Line (entity)
          line_no (number @id)
          order_id (ulid)
        User 1:N Order (relationship)
        UserOrders (table)
          user_id (partition key)
          sk (sort key)
          User (item)
          Order (item, embeds Line)
            lines (list of Line)
          ByStatus (GSI)
            status (partition key)
        AccountPage (pattern)
          query (UserOrders)
        Pay (pattern)
          update Order (UserOrders)
        Buy (AccountPage → Pay)
    "#]]
    .assert_eq(&out);
}

#[test]
fn half_typed_text_answers_without_a_fault() {
    for end in 0..SHOP.len() {
        if !SHOP.is_char_boundary(end) || end % 7 != 0 {
            continue;
        }
        let fixture = fixture(&SHOP[..end]);
        for offset in [end, end / 2, 0] {
            let _ = fixture.analysis.hover(&fixture.file, offset).unwrap();
            let _ = fixture.analysis.definition(&fixture.file, offset).unwrap();
        }
        fixture.analysis.symbols(&fixture.file).unwrap();
        fixture.analysis.diagnostics(&fixture.file).unwrap();
    }
}
