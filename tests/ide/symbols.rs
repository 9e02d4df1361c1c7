//! What is in the files: symbols of one and of all, and links out of them.

use crate::support::editor::{Fixture, fixture};
use crate::support::marks::{SHOP, same};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Analysis, FoundSymbol, LinkTarget, Symbol, SymbolKind};
use keywright::model::db::Host;
use keywright::model::files::{Absent, FileContent, FileKey};

fn found_symbols(fixture: &Fixture, query: &str) -> Vec<String> {
    let found = fixture.analysis.workspace_symbols(query).unwrap();
    let line = |symbol: &FoundSymbol| {
        let text = fixture.text(&symbol.file);
        let written = &text[symbol.range.start as usize..symbol.range.end as usize];
        if symbol.kind != SymbolKind::Relationship {
            assert_eq!(written.trim_matches('`'), symbol.name);
        }
        match &symbol.container {
            Some(container) => format!("{container}.{}", symbol.name),
            None => symbol.name.clone(),
        }
    };
    found.iter().map(line).collect()
}

#[test]
fn workspace_symbols_are_found_by_parts_of_their_names() {
    const MODEL: &str = r#"entity UserOrder { status: string }
entity User { user_id: uuid @id `e-mail`: string }
entity Us_color { id: uuid @id }
entity Superuser { id: uuid @id }
relationship User 1:N UserOrder { children avg 2 }
table Orders {
  partition key id: string
  gsi ByStatus { partition key status: string }
}
pattern user { reads User }
workflow Flow { user }
"#;
    in_all_shapes(MODEL, |fixture| {
        let find = |query: &str| found_symbols(fixture, query);
        // As it is written, in other letters, as a beginning, as a word, and inside.
        let users = find("User");
        assert_eq!(users[..2], ["User", "user"]);
        assert_eq!(users[2..4], ["User.user_id", "UserOrder"]);
        assert_eq!(users.last().unwrap(), "Superuser");
        assert_eq!(find("user")[..2], ["user", "User"]);
        assert_eq!(find("uo")[0], "UserOrder");
        assert_eq!(
            find("usor"),
            ["UserOrder", "User 1:N UserOrder", "Us_color"],
            "letters that begin words are nearer"
        );
        assert_eq!(find("UserOrders.status"), [""; 0]);
        assert_eq!(find("order.st"), ["UserOrder.status", "Orders.ByStatus"]);
        assert_eq!(find("Orders.ByStatus"), ["Orders.ByStatus"]);
        assert_eq!(find("e mail"), ["User.e-mail"]);
        assert_eq!(find("`e-mail`"), ["User.e-mail"]);
        assert_eq!(find("zzz"), [""; 0]);
        assert_eq!(find("?"), [""; 0], "what has no name is not found");
        assert!(find("").len() >= 11);
        assert!(!find("").iter().any(|name| name == "Orders.id"), "keys are found with their table");
    });
}

#[test]
fn workspace_symbols_end_at_500() {
    let model: String = (0..700).map(|n| format!("entity E{n} {{ id: string @id }}\n")).collect();
    let fixture = fixture(&model);
    assert_eq!(fixture.analysis.workspace_symbols("").unwrap().len(), 500);
    assert_eq!(found_symbols(&fixture, "e699"), ["E699"]);
    assert_eq!(found_symbols(&fixture, &"e".repeat(100_000)), [""; 0]);
}

fn outline(fixture: &Fixture) -> Vec<String> {
    fn add(fixture: &Fixture, file: &FileKey, symbols: &[Symbol], path: &str, out: &mut Vec<String>) {
        let mut end = 0;
        for symbol in symbols {
            let text = fixture.text(file);
            assert!(
                symbol.range.contains(symbol.selection)
                    && text.get(symbol.range.start as usize..symbol.range.end as usize).is_some()
            );
            assert!(symbol.range.start >= end, "symbols come in the order of the text: {symbol:?}");
            end = symbol.range.start;
            let name = format!("{path}/{}", symbol.name);
            out.push(format!("{name} ({})", symbol.detail));
            for child in &symbol.children {
                assert!(symbol.range.contains(child.range), "{child:?}");
            }
            add(fixture, file, &symbol.children, &name, out);
        }
    }
    let mut out = Vec::new();
    for (file, _) in &fixture.texts {
        add(fixture, file, &fixture.analysis.symbols(file).unwrap(), "", &mut out);
    }
    out
}

#[test]
fn document_symbols_are_a_tree_of_all_that_has_a_name() {
    let expected = [
        "/Shop (application)",
        "/User/e-mail (string)",
        "/Order/status (enum(open, paid))",
        "/User 1:N Order (relationship)",
        "/Order, Line (aggregate)",
        "/Orders/user_id (partition key)",
        "/Orders/Order (item, embeds Line)",
        "/Orders/Order/lines (list of Line)",
        "/Orders/ByStatus/placed_at (sort key)",
        "/Account/query (Orders)",
        "/Open/query (Orders.ByStatus)",
        "/Pay/transact write ()",
        "/Pay/transact write/update User (Orders)",
        "/Pay/put Order (Orders)",
        "/Buy (Account → Pay → Open)",
    ];
    in_all_shapes(SHOP, |fixture| {
        let found = outline(fixture);
        for line in expected {
            assert!(found.iter().any(|found| found == line), "no `{line}` in {found:#?}");
        }
    });
}

#[test]
fn links_lead_to_imports_and_to_generated_documents() {
    let model = r#"//- shop.dynamo
import "«lib/shared.dynamo»"
import "nowhere.dynamo"
«application» «Shop» { domain "x" }
//- lib/shared.dynamo
entity A { id: string @id }
"#;
    in_all_shapes(model, |fixture| {
        let file = FileKey::new("/model/shop.dynamo");
        let links = fixture.analysis.document_links(&file).unwrap();
        let ranges = links.iter().map(|link| (file.clone(), link.range)).collect();
        same(fixture, ranges, fixture.marks.clone());
        let files: Vec<&str> = links.iter().map(|link| link.file.as_str()).collect();
        assert_eq!(
            files,
            ["/model/lib/shared.dynamo", "/model/dynamodb_data_model.md", "/model/dynamodb_requirement.md"]
        );
        assert!(matches!(links[0].target, LinkTarget::Import) && matches!(links[1].target, LinkTarget::Document(_)));
    });
    // An application without a name yet has the one, and no file's name has none.
    let half = fixture("application\n");
    assert_eq!(half.analysis.document_links(&half.file).unwrap().len(), 1);
    let mut host = Host::default();
    let nowhere = FileKey::new("untitled:Untitled-1");
    host.set(nowhere.clone(), FileContent::from_bytes(b"import \"a.dynamo\"\napplication A { }\n"));
    assert_eq!(Analysis::new(host.snapshot()).document_links(&nowhere).unwrap(), []);
}

#[test]
fn links_lead_only_to_files_that_are_there() {
    let mut host = Host::default();
    let file = FileKey::new("/a.dynamo");
    host.set(file.clone(), FileContent::from_bytes(b"import \"b.dynamo\"\nimport \"c.dynamo\"\nimport \"d.dynamo\"\n"));
    host.set(FileKey::new("/b.dynamo"), FileContent::Absent(Absent::Folder));
    host.set(FileKey::new("/c.dynamo"), FileContent::Absent(Absent::NotFound));
    // What is no text can be opened all the same.
    host.set(FileKey::new("/d.dynamo"), FileContent::from_bytes(b"\xff"));
    let links = Analysis::new(host.snapshot()).document_links(&file).unwrap();
    assert_eq!(links.iter().map(|link| link.file.as_str()).collect::<Vec<_>>(), ["/d.dynamo"]);
}
