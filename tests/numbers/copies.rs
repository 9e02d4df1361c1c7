//! What the readers of a copy save: how many reads of its source a call would need
//! without it, and why so many (numbers C2).

use keywright::capacity::copying::{CopyCost, copy_costs};
use keywright::capacity::saving::Sources;
use keywright::capacity::show;
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::names::names;

/// Shops and their customers, whose names stand in orders; goods in lines.
const SHOP: &str = r#"
application A { region "us-east-1" }
entity User { user_id: uuid @id name: string @size(20B) bio: string @size(9KB) count 1k }
entity Order {
  order_id: ulid @id
  user_id: uuid @of(User)
  shop: string @size(8B) @distinct(100)
  open: boolean? @present(10%)
  name: string @size(20B) @copied_from(User.name)
  count 50k
}
entity Good { good_id: ulid @id title: string @size(40B) count 3 }
entity Line { line_no: number @id order_id: ulid @of(Order) good_id: ulid @of(Good) title: string @size(40B) @copied_from(Good.title) }
relationship User 1:N Order { children avg 50, max 400 }
relationship Order 1:N Line { children avg 2, max 9 }
table Users {
  partition key user_id
  sort key entry: string
  item User { entry = "A" }
  item Order embeds Line as lines { entry = "ORDER#{order_id}" }
  gsi ByShop { partition key shop sort key order_id projection include(name, open, lines) }
}
table Goods { partition key good_id item Good }
pattern Rename { update User in Users set name update Order in Users set name times 50 rate 1/h }
pattern Retitle { update Good in Goods set title update Line in Users set title times 50 rate 1/h }
"#;

/// What a pattern saves by the copy in an entity: reads of the source, and of how many.
fn saved(entity: &str, operation: &str) -> String {
    let text = format!("{SHOP}\npattern P {{ {operation} rate 1/s }}\n");
    let mut host = Host::default();
    let key = FileKey::new("/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key];
    let decl = names(db, root).entity(entity).expect("the entity is declared");
    let [CopyCost { savings, saves, .. }] = copy_costs(db, root, decl).as_slice() else { panic!("one copy") };
    let [saving] = savings.as_slice() else { return "not read".to_owned() };
    assert_eq!(saves, &saving.monthly);
    let sources = match saving.sources {
        Sources::ReadAnyway => "read anyway",
        Sources::One => "one",
        Sources::Each => "each",
    };
    let reads = show::figure(&saving.reads, |value| format!("{}", (value * 1e6).round() / 1e6));
    format!("{reads} {sources}, {}", show::figure(&saving.monthly, show::dollars))
}

#[track_caller]
fn assert_saved(entity: &str, cases: &[(&str, &str)]) {
    for (operation, expected) in cases {
        assert_eq!(&saved(entity, operation), expected, "{operation}");
    }
}

#[test]
fn a_copy_saves_the_reads_of_its_sources() {
    // A user takes 1.5 read units: a read each second costs 1.5 × 2.592 M × $0.125/M.
    assert_saved(
        "Order",
        &[
            ("get Order from Users", "1 one, $0.49"),
            ("reads Order(name) query Users where user_id = :u and entry begins_with \"ORDER#\"", "1 one, $0.49"),
            // Five hundred orders of a shop, each of which may be of another user.
            ("query Users.ByShop where shop = :s", "500 each, $243"),
            ("query Users.ByShop where shop = :s limit 20", "20 each, $9.72"),
            ("query Users.ByShop where shop = :s limit 20 pages 3", "60 each, $29.16"),
            ("query Users.ByShop where shop = :s filter exists(open)", "50 each, $24.30"),
            // Of one user, whatever is kept: one is enough.
            ("query Users where user_id = :u and entry begins_with \"ORDER#\" filter open = :o", "1 one, $0.49"),
            // What identifies one order has one user.
            ("query Users.ByShop where shop = :s and order_id = :o", "1 one, $0.49"),
            ("batch get { get Order from Users times 10 }", "10 each, $4.86"),
            // There are no more users than that.
            ("scan Users.ByShop", "1000 each, $486"),
            ("reads Order(order_id) query Users.ByShop where shop = :s", "not read"),
        ],
    );
}

#[test]
fn what_a_call_reads_anyway_is_not_saved() {
    assert_saved(
        "Order",
        &[
            ("query Users where user_id = :u", "0 read anyway, $0.00"),
            ("query Users where user_id = :u descending limit 20", "1 one, $0.49"),
            ("get User from Users get Order from Users", "0 read anyway, $0.00"),
            ("get User from Users project user_id get Order from Users", "1 one, $0.49"),
            ("get User from Users query Users.ByShop where shop = :s limit 20", "19 each, $9.23"),
        ],
    );
}

#[test]
fn what_is_embedded_is_counted_by_its_lists() {
    // Two lines an order; there are three goods.
    assert_saved(
        "Line",
        &[
            ("get Order from Users", "2 each, $0.32"),
            ("get Line from Users", "2 each, $0.32"),
            ("query Users.ByShop where shop = :s limit 20", "3 each, $0.49"),
        ],
    );
}
