//! Folding, without a protocol.

use crate::support::editor::fixture;
use crate::support::shapes::in_all_shapes;
use keywright::ide::FoldKind;

/// The folds of all files: the last words of the line that stays, what it ends
/// before, its kind where it is no block, and its depth as indentation.
fn folds(fixture: &crate::support::editor::Fixture) -> Vec<String> {
    let mut out = Vec::new();
    for (file, text) in &fixture.texts {
        for fold in fixture.analysis.folding(file).unwrap() {
            let start = fold.range.start as usize;
            let from = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let head = text[from..start].trim();
            let tail = text[..fold.range.end as usize].trim_end();
            let last = tail[tail.rfind(['\n', '\r']).map_or(0, |at| at + 1)..].trim();
            let kind = match fold.kind {
                FoldKind::Block if fold.closed => "",
                FoldKind::Block => " unclosed",
                FoldKind::Comment => " comment",
                FoldKind::Imports => " imports",
            };
            out.push(format!("{}{head} … {last}{kind}", "  ".repeat(fold.depth)));
        }
    }
    out
}

const TEXT: &str = r#"
// One
// Two
// Three

/// Doc one
/// Doc two
entity Order {
  // alone
  order_id: ulid @id
  status: enum(
    open,
    paid
  )
  // a
  // b
  total: number // at the side
  // not with that one
}

table Orders {
  partition key order_id
  item Order

  gsi ByStatus {
    partition key status
    projection include(total)
  }
}

pattern Pay {
  transact write {
    update Order in Orders set total
  }
}

aggregate Order, Line { decision item_collection }
"#;

#[test]
fn blocks_lists_and_comments_fold() {
    let expected = [
        "// One … // Three comment",
        "/// Doc one … /// Doc two comment",
        "entity Order { … // not with that one",
        "  status: enum( … paid",
        "  // a … // b comment",
        "table Orders { … }",
        "  gsi ByStatus { … projection include(total)",
        "pattern Pay { … }",
        "  transact write { … update Order in Orders set total",
    ];
    in_all_shapes(TEXT, |fixture| {
        let found = folds(fixture);
        for fold in expected {
            assert_eq!(found.iter().filter(|found| *found == fold).count(), 1, "{fold}\n{found:#?}");
        }
        // The faults that a shape adds fold as well, and nothing else does.
        let rest: Vec<_> = found.iter().filter(|found| !expected.contains(&found.as_str())).collect();
        assert!(rest.iter().all(|fold| fold.contains("unclosed") || fold.contains("語")), "{rest:#?}");
    });
}

#[test]
fn imports_that_follow_each_other_fold() {
    let text = "import \"a.dynamo\"\n\n// the others\nimport \"b.dynamo\"\nimport \"c.dynamo\"\n\nentity E { a: string }\n\
                import \"d.dynamo\"\n";
    assert_eq!(folds(&fixture(text)), ["import \"a.dynamo\" … import \"c.dynamo\" imports"]);
    assert_eq!(folds(&fixture("import \"a.dynamo\"\nentity E { a: string }\n")), Vec::<String>::new());
}

#[test]
fn in_broken_text_every_block_that_has_its_braces_folds() {
    let text = "table T {\n  item Order embeds {\n    sk = $$ \"A\n  }\n  %% gsi {\n    partition\n  }\n}\n\n\
                entity E {\n  a: enum(\n    b,\n\n// between\n\ntable U {\n  partition key a\n}\n{\n  \"json\": {\n    \"a\": 1\n  }\n}\n";
    assert_eq!(
        folds(&fixture(text)),
        [
            "table T { … }",
            "  item Order embeds { … sk = $$ \"A",
            "  %% gsi { … partition",
            "entity E { … b, unclosed",
            "table U { … partition key a",
            "{ … }",
            "  \"json\": { … \"a\": 1",
        ]
    );
}

#[test]
fn braces_in_strings_comments_and_names_fold_nothing() {
    let text = "entity E { a: string @example(\"{\") // {\n}\ntable T { item E { sk = \"{a\" } }\nentity `{` {\n}\n";
    assert_eq!(
        folds(&fixture(text)),
        ["entity E { … entity E { a: string @example(\"{\") // {", "entity `{` { … entity `{` {"]
    );
    assert_eq!(folds(&fixture("")), Vec::<String>::new());
}

#[test]
fn brackets_close_what_they_open_across_faults_and_however_many_there_are() {
    assert_eq!(folds(&fixture("entity A {\n  a: string (\n}\n  )\n")), ["entity A { … a: string ("]);
    // Were each bracket to look at all the others, this would not end.
    let many = 300_000;
    let count = |text: String| {
        let fixture = fixture(&text);
        fixture.analysis.folding(&fixture.file).unwrap().len()
    };
    let (open, round, close) = ("{".repeat(many), "(".repeat(many), "}".repeat(many));
    assert_eq!(count(format!("entity A {open}\n{round}\n{close}\n")), many);
    assert_eq!(count(format!("entity A {round}\n{close}\n")), 0);
}
