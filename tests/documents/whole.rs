//! Both documents of the examples against their snapshots, and what holds for
//! the documents of any model: every table is well formed, text cannot break
//! out of its place, and the same model gives the same bytes.
//!
//! `UPDATE_EXPECT=1 cargo test --test documents whole` renews the snapshots.

use crate::support::document as form;

use crate::support::random::cases;
use expect_test::expect_file;
use form::check_form;
use keywright::deliverables::{DocumentKind, document};
use keywright::model::db::{Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use proptest::prelude::*;

/// Both documents of the model whose root is the first of these files.
fn documents(files: &[(&str, &str)]) -> (String, String) {
    let mut host = Host::default();
    for (name, text) in files {
        host.set(key(name), FileContent::from_bytes(text.as_bytes()));
    }
    let root = root(&host, files[0].0);
    (document(host.db(), root, DocumentKind::Requirement), document(host.db(), root, DocumentKind::DataModel))
}

fn key(name: &str) -> FileKey {
    FileKey::new(&format!("/model/{name}"))
}

fn root(host: &Host, name: &str) -> SourceFile {
    Workspace::get(host.db()).files(host.db())[&key(name)]
}

const SHOP: &str = include_str!("../../examples/shop.dynamo");
const BLOG: &str = include_str!("../../examples/blog.dynamo");
const SCHOOL: &str = include_str!("../../examples/school.dynamo");

/// The larger models, each with its root first.
const LARGER: [(&str, &[(&str, &str)]); 3] = [
    ("crm", &[("crm.dynamo", include_str!("../../examples/large/crm.dynamo"))]),
    ("clinics", &[("clinics.dynamo", include_str!("../../examples/large/clinics.dynamo"))]),
    (
        "marketplace",
        &[
            ("marketplace.dynamo", include_str!("../../examples/large/marketplace/marketplace.dynamo")),
            ("people.dynamo", include_str!("../../examples/large/marketplace/people.dynamo")),
            ("catalogue.dynamo", include_str!("../../examples/large/marketplace/catalogue.dynamo")),
            ("orders.dynamo", include_str!("../../examples/large/marketplace/orders.dynamo")),
            ("payments.dynamo", include_str!("../../examples/large/marketplace/payments.dynamo")),
        ],
    ),
];

#[test]
fn the_documents_of_the_shop() {
    let (requirement, data_model) = documents(&[("shop.dynamo", SHOP)]);
    expect_file!["../snapshots/shop.dynamodb_requirement.md"].assert_eq(&requirement);
    expect_file!["../snapshots/shop.dynamodb_data_model.md"].assert_eq(&data_model);
}

#[test]
fn the_documents_of_the_blog() {
    let (requirement, data_model) = documents(&[("blog.dynamo", BLOG)]);
    expect_file!["../snapshots/blog.dynamodb_requirement.md"].assert_eq(&requirement);
    expect_file!["../snapshots/blog.dynamodb_data_model.md"].assert_eq(&data_model);
}

#[test]
fn the_documents_of_the_larger_models() {
    for (name, files) in LARGER {
        let (requirement, data_model) = documents(files);
        expect_file![format!("../snapshots/{name}.dynamodb_requirement.md")].assert_eq(&requirement);
        expect_file![format!("../snapshots/{name}.dynamodb_data_model.md")].assert_eq(&data_model);
    }
}

#[test]
fn every_table_has_as_many_cells_in_each_row() {
    let small = [[("shop.dynamo", SHOP)], [("blog.dynamo", BLOG)], [("school.dynamo", SCHOOL)]];
    for files in small.iter().map(|files| &files[..]).chain(LARGER.map(|(_, files)| files)) {
        let (requirement, data_model) = documents(files);
        check_form(&requirement);
        check_form(&data_model);
    }
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let first = documents(&[("shop.dynamo", SHOP)]);
    assert_eq!(first, documents(&[("shop.dynamo", SHOP)]));
    // Nor does the way by which the model came to its text matter.
    let mut host = Host::default();
    for text in ["", BLOG, "entity A {", SHOP] {
        host.set(key("shop.dynamo"), FileContent::from_bytes(text.as_bytes()));
        document(host.db(), root(&host, "shop.dynamo"), DocumentKind::DataModel);
    }
    let file = root(&host, "shop.dynamo");
    assert_eq!(document(host.db(), file, DocumentKind::Requirement), first.0);
    assert_eq!(document(host.db(), file, DocumentKind::DataModel), first.1);
}

#[test]
fn an_empty_model_says_what_is_missing() {
    let (requirement, data_model) = documents(&[("empty.dynamo", "")]);
    check_form(&requirement);
    check_form(&data_model);
    assert!(requirement.contains("**Domain**: not declared"), "{requirement}");
    // Every section is there, and says that there is nothing.
    assert!(requirement.contains("## Access Patterns Analysis\n\nThe model declares no access pattern."));
    assert!(data_model.contains("## Table Designs\n\nThe model declares no table."));
}

#[test]
fn an_imported_file_is_part_of_the_document() {
    let (requirement, data_model) = documents(&[
        ("root.dynamo", "import \"part.dynamo\"\npattern First { get A from T }\n"),
        (
            "part.dynamo",
            "entity A { id: uuid @id }\ntable T { partition key id\n item A }\npattern Second { scan Nowhere }\n",
        ),
    ]);
    check_form(&requirement);
    check_form(&data_model);
    assert!(requirement.contains("| 1 | **First** |"), "{requirement}");
    assert!(requirement.contains("| 2 | **Second** |"), "{requirement}");
    assert!(requirement.contains("(pattern Second in `part.dynamo`, [part.dynamo:"), "{requirement}");
    assert!(data_model.contains("### T Table"), "{data_model}");
}

#[test]
fn a_status_is_what_was_checked() {
    let (requirement, _) = documents(&[(
        "m.dynamo",
        r#"
entity A { id: uuid @id }
table Tab { partition key id
  item A }
pattern Answered { get A from Tab }
pattern Nothing { rate 5/s }
pattern Elsewhere { external "OpenSearch | Solr" because "full text" }
pattern Wrong { get A from Tabb }
"#,
    )]);
    let status = |name: &str| {
        let row =
            requirement.lines().find(|line| line.contains(&format!("**{name}**"))).unwrap_or_else(|| panic!("{name}"));
        row.rsplit(" | ").next().unwrap().trim_end_matches(" |").to_owned()
    };
    assert_eq!(status("Answered"), "✅ solved");
    assert_eq!(status("Nothing"), "⏳ not yet: the model has no operation for it");
    assert_eq!(status("Elsewhere"), "❌ outside DynamoDB: OpenSearch \\| Solr. full text");
    assert_eq!(status("Wrong"), "⏳ not yet: errors stand against it: `unknown-name`");
}

#[test]
fn hostile_text_stays_in_its_place() {
    let long = "x".repeat(5_000);
    let text = format!(
        r##"
/// # A heading? | a cell? <script>alert(1)</script> `unclosed
/// - [x] a ticked box
application `A|<b>\` {{ domain "<script>\u{{d}}\n# Injected\n\n| a | b |" context "**bold** [link](javascript:1) ![i](x)" }}
/// `code | pipe` and <!-- keywright:end x -->
entity `E|{long}` {{
  `k|\` : string @id @example("a|b\n<i>")
  other: string
}}
relationship `E|{long}` 1:N Nobody {{ identifying because "1. because\u{{2028}}# x" }}
table `T|<script>` {{
  partition key `k|\`
  item `E|{long}`
  boundary "\u{{0}}\u{{202e}}|"
}}
pattern `P|<script>` {{ get `E|{long}` from `T|<script>` rate avg 999999999999999999999999/s }}
pattern `Q` {{ query `T|<script>` where `k|\` = "|`<script>{{{{x}}}}" filter other = "\\|" }}
consideration "> quote\n---\n```\nfence"
tradeoff "|" because "||"
"##
    );
    let (requirement, data_model) = documents(&[("h.dynamo", &text)]);
    for document in [&requirement, &data_model] {
        check_form(document);
        let lines = outside_of_code(document).into_iter().filter(|line| !line.starts_with("<!-- keywright:"));
        let document = lines.collect::<Vec<_>>().join("\n");
        assert!(!document.contains("<script") && !document.contains("<!--"), "{document}");
        let inner: Vec<&str> = document.lines().map(|line| line.trim_start_matches(['-', ' '])).collect();
        assert!(!inner.iter().any(|line| line.starts_with("# ") && !line.starts_with("# DynamoDB")), "{document}");
    }
    assert!(requirement.contains(&long) && data_model.contains(&long), "long names are shown whole");
}

/// The lines that stand in no block of code. Each block is one of the document's
/// own: it begins with its language, and no text of a model ends it.
fn outside_of_code(document: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match (line.starts_with("```"), inside) {
            (true, true) => {
                assert_eq!(line, "```", "a block ends as the document ends it");
                inside = false;
            }
            (true, false) => {
                let language = line.trim_start_matches('`');
                assert!(["mermaid", "typescript", "sh", "yaml", "json"].contains(&language), "{line}");
                inside = true;
            }
            (false, true) => {}
            (false, false) => lines.push(line),
        }
    }
    assert!(!inside, "every block ends");
    lines
}

/// A pattern stands on its table's keys and items, and on the index that it reads.
#[test]
fn no_pattern_is_solved_on_a_faulty_key() {
    let model = |of_table: &str, of_index: &str| {
        let text = format!(
            "application A {{ domain \"d\" }}
entity E {{ id: uuid @id  at: timestamp  tags: list<string> }}
table Tab {{
  partition key {of_table}
  item E
  gsi Used {{ partition key {of_index} projection all }}
  gsi Other {{ partition key at projection all }}
}}
pattern ById {{ scan Tab rate avg 1/s, peak 1/s }}
pattern ByUsed {{ scan Tab.Used rate avg 1/s, peak 1/s }}
pattern ByOther {{ scan Tab.Other rate avg 1/s, peak 1/s }}
allow scan-pattern because \"few items\"
"
        );
        let (requirement, _) = documents(&[("m.dynamo", &text)]);
        ["ById", "ByUsed", "ByOther"].map(|name| {
            let row = requirement.lines().find(|line| line.contains(&format!("**{name}**"))).expect("a row each");
            match (row.contains("✅ solved"), row.contains("⏳ not yet: errors stand against it: `key-type-invalid`"))
            {
                (true, false) => true,
                (false, true) => false,
                _ => panic!("{row}"),
            }
        })
    };
    assert_eq!(model("id", "at"), [true, true, true]);
    assert_eq!(model("id", "tags"), [true, false, true]);
    assert_eq!(model("tags", "at"), [false, false, false]);
}

proptest! {
    #![proptest_config(cases(64))]

    /// A model that is cut off anywhere, with anything in the place of the cut,
    /// still gives two well-formed documents.
    #[test]
    fn half_typed_models_have_documents(cut in 0usize..SHOP.len(), length in 0usize..400, put in "[\\PC\r\n|`{}\"<]{0,12}") {
        let floor = |mut at: usize| {
            at = at.min(SHOP.len());
            while !SHOP.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let text = format!("{}{put}{}", &SHOP[..floor(cut)], &SHOP[floor(cut + length)..]);
        let (requirement, data_model) = documents(&[("shop.dynamo", &text)]);
        check_form(&requirement);
        check_form(&data_model);
    }
}
