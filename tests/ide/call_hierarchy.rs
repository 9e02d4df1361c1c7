//! Who uses what: from workflows over patterns to tables and indexes, and back.

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Analysis, Call, CallItem};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};

const SHOP: &str = r#"
entity User { user_id: uuid @id name: string }
entity Order { order_id: ulid @id user_id: uuid @of(User) status: string }

table Orders {
  partition key user_id
  sort key sk: string
  item User { sk = "PROFILE" }
  item Order { sk = "ORDER#{order_id}" }
  gsi ByStatus { partition key status projection keys_only }
  gsi Unread { partition key status sort key sk projection keys_only }
}

table Audit {
  partition key order_id
  item Order
}

pattern Account {
  query Orders where user_id = :user
}

pattern Open {
  query Orders.ByStatus where status = "open"
  query Orders . ByStatus where status = "new"
  get Order from Audit
}

pattern Pay {
  transact write {
    update Order in Orders set status
    put Order into Audit
  }
  query Orders.Nowhere where status = :x
}

pattern Later { reads User }

workflow Buy { Account, Pay, Account }
workflow Manage { Open, Pay, Missing }
"#;

/// The item of the one thing that is named by a piece of the model.
fn item_at(fixture: &Fixture, piece: &str) -> CallItem {
    let places = fixture.texts.iter().filter_map(|(file, text)| Some((file, text.find(piece)?)));
    let (file, at) = places.collect::<Vec<_>>().pop().unwrap_or_else(|| panic!("`{piece}` is there"));
    let offset = at + piece.rfind(' ').map_or(0, |space| space + 1);
    let mut items = fixture.analysis.prepare_calls(file, offset).unwrap();
    assert_eq!(items.len(), 1, "{piece}");
    items.remove(0)
}

/// Calls as `name (detail): text, text`, the texts being those of the file that calls.
fn told(fixture: &Fixture, calls: &[Call], caller: impl Fn(&Call) -> FileKey) -> Vec<String> {
    let line = |call: &Call| {
        let text = fixture.text(&caller(call));
        let ranges = call.ranges.iter().map(|range| &text[range.start as usize..range.end as usize]);
        format!("{} ({}): {}", call.item.name, call.item.detail, ranges.collect::<Vec<_>>().join(", "))
    };
    for call in calls {
        let place = &call.item.place;
        let text = fixture.text(&place.file);
        assert!(place.range.contains(place.selection));
        assert_eq!(&text[place.selection.start as usize..place.selection.end as usize], call.item.name);
    }
    calls.iter().map(line).collect()
}

fn incoming(fixture: &Fixture, item: &CallItem) -> Vec<String> {
    let calls = fixture.analysis.incoming_calls(&item.place.file, &item.id).unwrap();
    told(fixture, &calls, |call| call.item.place.file.clone())
}

fn outgoing(fixture: &Fixture, item: &CallItem) -> Vec<String> {
    let calls = fixture.analysis.outgoing_calls(&item.place.file, &item.id).unwrap();
    told(fixture, &calls, |_| item.place.file.clone())
}

/// Callers come file by file; in which order the files of a shape are says nothing.
fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn a_workflow_uses_its_patterns_and_is_used_by_nothing() {
    in_all_shapes(SHOP, |fixture| {
        let buy = item_at(fixture, "workflow Buy");
        assert_eq!(outgoing(fixture, &buy), ["Account (pattern): Account, Account", "Pay (pattern): Pay"]);
        assert_eq!(incoming(fixture, &buy), [""; 0]);
        // A pattern that there is not is nowhere to go.
        let manage = item_at(fixture, "workflow Manage");
        assert_eq!(outgoing(fixture, &manage), ["Open (pattern): Open", "Pay (pattern): Pay"]);
    });
}

#[test]
fn a_pattern_uses_tables_and_indexes_and_is_used_by_workflows() {
    in_all_shapes(SHOP, |fixture| {
        let pay = item_at(fixture, "pattern Pay");
        // Of an index that there is not, the table is known.
        assert_eq!(outgoing(fixture, &pay), ["Orders (table): Orders, Orders.Nowhere", "Audit (table): Audit"]);
        assert_eq!(sorted(incoming(fixture, &pay)), ["Buy (workflow): Pay", "Manage (workflow): Pay"]);
        let open = item_at(fixture, "pattern Open");
        assert_eq!(
            outgoing(fixture, &open),
            ["ByStatus (GSI of Orders): Orders.ByStatus, Orders . ByStatus", "Audit (table): Audit"]
        );
        assert_eq!(incoming(fixture, &open), ["Manage (workflow): Open"]);
        let later = item_at(fixture, "pattern Later");
        assert_eq!((outgoing(fixture, &later), incoming(fixture, &later)), (Vec::new(), Vec::new()));
    });
}

#[test]
fn tables_and_indexes_tell_who_uses_them() {
    in_all_shapes(SHOP, |fixture| {
        let orders = item_at(fixture, "table Orders");
        // Who reads an index of it is told there.
        assert_eq!(
            sorted(incoming(fixture, &orders)),
            ["Account (pattern): Orders", "Pay (pattern): Orders, Orders.Nowhere"]
        );
        assert_eq!(outgoing(fixture, &orders), [""; 0]);
        let index = item_at(fixture, "gsi ByStatus");
        assert_eq!(incoming(fixture, &index), ["Open (pattern): Orders.ByStatus, Orders . ByStatus"]);
        assert_eq!(outgoing(fixture, &index), [""; 0]);
        assert_eq!(incoming(fixture, &item_at(fixture, "gsi Unread")), [""; 0]);
    });
}

#[test]
fn items_are_found_from_every_name_of_them() {
    in_all_shapes(SHOP, |fixture| {
        for (name, declared) in [
            ("{ Account, Pay", "pattern Pay"),
            ("update Order in Orders", "table Orders"),
            ("query Orders . ByStatus", "gsi ByStatus"),
            ("put Order into Audit", "table Audit"),
        ] {
            assert_eq!(item_at(fixture, name), item_at(fixture, declared));
        }
    });
    for other in [
        "entity U$0ser { id: string @id }\n",
        "pattern P { reads No$0body }\n",
        "workflow$0 W { }\n",
        "pattern $0 { }\n",
    ] {
        in_all_shapes(other, |fixture| {
            assert_eq!(fixture.analysis.prepare_calls(&fixture.file, fixture.offset).unwrap(), []);
        });
    }
}

#[test]
fn users_in_every_model_of_a_shared_file_are_told() {
    let model = r#"//- b.dynamo
import "shared.dynamo"
pattern Q { scan T }
workflow W { S }
//- a.dynamo
import "shared.dynamo"
pattern P { scan T scan T }
//- shared.dynamo
table $0T { partition key id: string }
pattern S { scan T }
"#;
    in_all_shapes(model, |fixture| {
        let table = fixture.analysis.prepare_calls(&fixture.file, fixture.offset).unwrap().remove(0);
        assert_eq!(incoming(fixture, &table), ["P (pattern): T, T", "Q (pattern): T", "S (pattern): T"], "by file");
        assert_eq!(incoming(fixture, &item_at(fixture, "pattern S")), ["W (workflow): S"]);
    });
}

#[test]
fn a_name_given_twice_is_two_items() {
    let fixture = fixture(
        r#"table T { partition key id: string }
table U { partition key id: string }
pattern P { scan T }
pattern P { scan U }
workflow W { P }
"#,
    );
    let text = fixture.text(&fixture.file).to_owned();
    let items: Vec<CallItem> = text
        .match_indices("pattern P")
        .map(|(at, _)| fixture.analysis.prepare_calls(&fixture.file, at + 8).unwrap().remove(0))
        .collect();
    assert_eq!(outgoing(&fixture, &items[0]), ["T (table): T"]);
    assert_eq!(outgoing(&fixture, &items[1]), ["U (table): U"]);
    assert_eq!(incoming(&fixture, &items[0]), ["W (workflow): P"]);
    assert_eq!(incoming(&fixture, &items[1]), [""; 0], "the name means the first");
}

#[test]
fn a_second_index_of_a_name_is_used_by_nobody() {
    let text = "entity A { id: string @id a: string }\ntable T {\n  partition key id\n  item A\n  gsi ByA { partition key a }\n  lsi ByA { sort key a }\n}\npattern P { query T.ByA where a = :a }\n";
    in_all_shapes(text, |fixture| {
        let (first, second) = (item_at(fixture, "gsi ByA"), item_at(fixture, "lsi ByA"));
        assert_ne!(first.id, second.id);
        assert_eq!(incoming(fixture, &first), ["P (pattern): T.ByA"]);
        assert_eq!(incoming(fixture, &second), [""; 0], "the name means the first");
        assert_eq!(outgoing(fixture, &item_at(fixture, "pattern P")), ["ByA (GSI of T): T.ByA"]);
    });
}

#[test]
fn items_outlive_edits_until_they_are_gone() {
    let mut host = Host::default();
    let file = FileKey::new("/a.dynamo");
    let mut set = |text: &str| {
        host.set(file.clone(), FileContent::from_bytes(text.as_bytes()));
        Analysis::new(host.snapshot())
    };
    let analysis = set(SHOP);
    let item = analysis.prepare_calls(&file, SHOP.find("ByStatus").unwrap()).unwrap().remove(0);
    drop(analysis);
    let moved = format!("// é🙂\nentity New {{ id: string @id }}\n{}", SHOP.replace("gsi Unread", "gsi New"));
    let analysis = set(&moved);
    let calls = analysis.incoming_calls(&file, &item.id).unwrap();
    assert_eq!(calls.len(), 1);
    let range = calls[0].ranges[0];
    assert_eq!(&moved[range.start as usize..range.end as usize], "Orders.ByStatus");
    drop(analysis);
    for gone in [SHOP.replace("gsi ByStatus", "gsi Other"), SHOP.replace("table Orders", "table Other"), String::new()]
    {
        let analysis = set(&gone);
        assert_eq!(analysis.incoming_calls(&file, &item.id).unwrap(), []);
        assert_eq!(analysis.outgoing_calls(&file, &item.id).unwrap(), []);
    }
}
