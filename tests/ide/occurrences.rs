//! Names where they stand: what each names, how it is written, and what happens
//! to it there.

use crate::support::shapes::in_all_shapes;
use keywright::model::db::{Db, Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::imports::roots;
use keywright::model::lower::decl_name;
use keywright::model::occurrences::{Access, Form, Occurrence, occurrences};

const SHOP: &str = r#"
application Shop { domain "Things" }

entity User {
  user_id:  uuid @id
  `e-mail`: string @unique(name)
  name:     string
}

entity Order {
  order_id:  ulid @id
  user_id:   uuid @of(User)
  user_name: string @copied_from(User.name)
  status:    enum(open, `not`) @example("open")
  placed_at: timestamp
}

entity Line {
  line_no:  number @id
  order_id: ulid @of(Order)
}

relationship User 1:N Order by user_id { children avg 20 }
relationship User N:M Line through Order { children avg 2 }
aggregate User, Order { decision item_collection because "One page." }

table Orders {
  partition key user_id
  sort key sk: string
  ttl placed_at
  item User { sk = "PROFILE#{`e-mail`:lower}" }
  item Order embeds Line as lines { sk = "ORDER#{placed_at:day}#{shard(order_id, 4)}" }
  gsi ByStatus { partition key status sort key placed_at projection include(user_name, lines) }
  allow missing-size, unused-index because "Not yet."
}

pattern Find {
  reads Order(status, user_name), User by user_id ordered by placed_at
  query Orders where user_id = :user and sk between "ORDER#{:from}" and "ORDER#{placed_at:day}"
    filter (status = "open" or not exists(lines)) and user_name <> "{:note}"
    project status
  query Orders.ByStatus where status = "not" filter sk begins_with "ORDER#{:from:day}#{order_id}"
  get User from Orders
  scan Orders.Nowhere
}

pattern Pay {
  writes Order
  transact write {
    update Order as bought in Orders set status remove user_name if status in ("open", :status)
    check User as buyer in Orders if exists(`e-mail`)
  }
  put Line into Orders with none
  delete Nobody from Orders if missing = :status
}

workflow Buy { Find, Pay, Nothing }
"#;

/// Every name of a model, one a line.
fn all<'t>(texts: impl IntoIterator<Item = (&'t FileKey, &'t str)>) -> String {
    let mut host = Host::default();
    for (key, text) in texts {
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    }
    let db = host.db();
    let mut out = String::new();
    for root in roots(db) {
        for file in Workspace::get(db).files(db).values() {
            for decl in file.decls(db) {
                let text = &decl.chunk(db).text;
                let names = occurrences(db, *root, *decl);
                let mut end = 0;
                for name in names {
                    assert!(name.range.start >= end, "{name:?} overlaps the one before");
                    end = name.range.end;
                    let written = &text[name.range.start as usize..name.range.end as usize];
                    assert_eq!(written.trim_matches('`'), name.text);
                    out.push_str(&line(db, written, name));
                }
            }
        }
    }
    out
}

fn alone(text: &str) -> String {
    all([(&FileKey::new("/model/a.dynamo"), text)])
}

fn line(db: &dyn Db, written: &str, name: &Occurrence) -> String {
    let access = match name.access {
        Access::Mention => "",
        Access::Read => " read",
        Access::Write => " written",
    };
    let form = match name.form {
        Form::Name => "",
        Form::Hole => " in a hole",
        Form::Parameter => " parameter",
        Form::HoleParameter => " parameter in a hole",
        Form::Text => " as text",
        Form::Rule => " rule",
    };
    let declares = if name.declares { " declares" } else { "" };
    let names = name.declared.iter().map(|declared| {
        let owner = decl_name(db, declared.decl).clone().unwrap_or_default();
        format!("{:?} of {owner}", declared.what)
    });
    let names = names.collect::<Vec<_>>().join(", ");
    format!("{written}{form}{access}{declares}: {names}\n")
}

#[test]
fn every_name_is_known_with_what_it_names() {
    expect_test::expect![[r#"
        Shop declares: Application of Shop
        User declares: Entity of User
        user_id declares: Attribute of User
        `e-mail` declares: Attribute of User
        name: Attribute of User
        name declares: Attribute of User
        Order declares: Entity of Order
        order_id declares: Attribute of Order
        user_id declares: Attribute of Order
        User: Entity of User
        user_name declares: Attribute of Order
        User: Entity of User
        name: Attribute of User
        status declares: Attribute of Order
        open declares: EnumValue of Order
        `not` declares: EnumValue of Order
        open as text: EnumValue of Order
        placed_at declares: Attribute of Order
        Line declares: Entity of Line
        line_no declares: Attribute of Line
        order_id declares: Attribute of Line
        Order: Entity of Order
        User: Entity of User
        Order: Entity of Order
        user_id: Attribute of Order
        User: Entity of User
        Line: Entity of Line
        Order: Entity of Order
        User: Entity of User
        Order: Entity of Order
        Orders declares: Table of Orders
        user_id declares: Attribute of User, Attribute of Order, Key of Orders
        sk declares: Key of Orders
        placed_at: Key of Orders, Attribute of Order
        User: Entity of User
        sk: Key of Orders
        `e-mail` in a hole: Attribute of User
        Order: Entity of Order
        Line: Entity of Line
        lines declares: EmbeddedList of Orders
        sk: Key of Orders
        placed_at in a hole: Attribute of Order
        order_id in a hole: Attribute of Order
        ByStatus declares: Index of Orders
        status declares: Attribute of Order, Key of Orders
        placed_at declares: Attribute of Order, Key of Orders
        user_name: Attribute of Order
        lines: EmbeddedList of Orders
        missing-size rule: 
        unused-index rule: 
        Find declares: Pattern of Find
        Order read: Entity of Order
        status read: Attribute of Order
        user_name read: Attribute of Order
        User read: Entity of User
        user_id read: Attribute of Order, Attribute of User
        placed_at read: Attribute of Order
        Orders read: Table of Orders
        user_id read: Key of Orders, Attribute of User, Attribute of Order
        user parameter read declares: Parameter of Find
        sk read: Key of Orders
        from parameter in a hole read declares: Parameter of Find
        placed_at in a hole read: Key of Orders, Attribute of Order
        status read: Key of Orders, Attribute of Order
        open as text read: EnumValue of Order
        lines read: EmbeddedList of Orders
        user_name read: Attribute of Order
        status read: Key of Orders, Attribute of Order
        Orders read: Table of Orders
        ByStatus read: Index of Orders
        status read: Key of Orders, Attribute of Order
        not as text read: EnumValue of Order
        sk read: Key of Orders
        from parameter in a hole read: Parameter of Find
        order_id in a hole read: Attribute of Order, Attribute of Line
        User read: Entity of User
        Orders read: Table of Orders
        Orders read: Table of Orders
        Nowhere read: 
        Pay declares: Pattern of Pay
        Order written: Entity of Order
        Order written: Entity of Order
        bought declares: Role of Pay
        Orders written: Table of Orders
        status written: Attribute of Order
        user_name written: Attribute of Order
        status read: Attribute of Order, Key of Orders
        open as text read: EnumValue of Order
        status parameter read declares: Parameter of Pay
        User read: Entity of User
        buyer declares: Role of Pay
        Orders read: Table of Orders
        `e-mail` read: Attribute of User
        Line written: Entity of Line
        Orders written: Table of Orders
        Nobody written: 
        Orders written: Table of Orders
        missing read: 
        status parameter read: Parameter of Pay
        Buy declares: Workflow of Buy
        Find: Pattern of Find
        Pay: Pattern of Pay
        Nothing: 
    "#]]
    .assert_eq(&alone(SHOP));
}

#[test]
fn names_are_the_same_in_every_shape() {
    let expected = alone(SHOP);
    in_all_shapes(SHOP, |fixture| {
        let found = all(fixture.texts.iter().map(|(key, text)| (key, text.as_str())));
        let mut found: Vec<&str> = found.lines().collect();
        for line in expected.lines() {
            let at = found.iter().position(|found| *found == line);
            found.remove(at.unwrap_or_else(|| panic!("no `{line}` in {found:#?}")));
        }
        // What is left is of the faults beside it.
        let of_faults = |line: &&str| ["Half_", "Wrong_", "broken_"].iter().any(|name| line.contains(name));
        assert!(found.iter().all(of_faults), "{found:#?}");
    });
}

#[test]
fn half_typed_text_has_the_names_that_it_has() {
    // Ranges are checked for every name.
    for end in (0..SHOP.len()).step_by(5).filter(|end| SHOP.is_char_boundary(*end)) {
        alone(&SHOP[..end]);
    }
    let listed = SHOP.find("aggregate User, ").unwrap() + "aggregate User, ".len();
    let found = alone(&SHOP[..listed]);
    assert!(found.contains("user_id: Attribute of Order\n"), "{found}");
    assert!(found.ends_with("User: Entity of User\n"), "{found}");
}

#[test]
fn braces_are_text_where_no_key_is_held_against_them() {
    let model = |name: &str| {
        format!(
            r#"entity A {{ id: string @id note: string }}
table T {{ partition key id sort key sk: string item A {{ sk = "A" }} }}
pattern P {{ query T where id = :x filter {name} = "{{:y}}#{{note}}" }}
"#
        )
    };
    let key = alone(&model("sk"));
    assert!(key.contains("y parameter in a hole read declares: Parameter of P\n"), "{key}");
    assert!(key.contains("note in a hole read: Attribute of A\n"), "{key}");
    let plain = alone(&model("note"));
    assert!(!plain.contains(" in a hole"), "{plain}");
}

#[test]
fn a_value_with_an_escape_is_not_the_name_as_it_is() {
    let model = |value: &str| {
        format!(
            r#"entity A {{ id: string @id state: enum(`a-b`) @example({value}) }}
table T {{ partition key id item A }}
pattern P {{ scan T filter state = {value} }}
"#
        )
    };
    assert_eq!(alone(&model("\"a-b\"")).matches("a-b as text").count(), 2);
    assert_eq!(alone(&model("\"a\\u{2d}b\"")).matches("as text").count(), 0);
}
