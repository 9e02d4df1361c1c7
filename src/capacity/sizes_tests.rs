use super::*;
use crate::capacity::facts::Declared;
use crate::capacity::figure::list;
use crate::model::db::Host;
use crate::model::files::{FileContent, FileKey};
use crate::model::layout::layout;
use crate::model::names::names;

/// (bytes of an item, bytes of its entry in the first index, members of that)
fn sizes(model: &str, bound: Bound) -> (Figure, Figure, Figure) {
    let mut host = Host::default();
    let key = FileKey::new("/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(model.as_bytes()));
    let db = host.db();
    let root = crate::model::db::Workspace::get(db).files(db)[&key];
    let table = names(db, root).all_tables().next().expect("a table");
    let layout = layout(db, root, table).as_ref().expect("a layout");
    let (source, item) = (Source { layout, index: layout.indexes.first() }, &layout.items[0]);
    let facts = &Declared { db, root };
    let share = Presence::Share;
    (
        item_bytes(facts, item, bound, share),
        entry_bytes(facts, source, item, bound, share),
        members(facts, source, item),
    )
}

const FLAT: &str = "entity Flat {
  flat_id: uuid @id
  district: string @size(10B) @distinct(200)
  address: string @size(avg 70B, max 90B)
  rent: number
  vacant_from: timestamp? @present(1%)
  count 300k
}
table Flats {
  partition key flat_id
  item Flat
  gsi Vacant { partition key district sort key vacant_from projection include(rent) sparse }
}";

#[test]
fn sizes_are_sums_and_entries_have_their_keys_in_full() {
    let (item, entry, members) = sizes(FLAT, Bound::Avg);
    assert!((item.value().unwrap() - 150.31).abs() < 1e-9);
    assert_eq!((entry.value(), members.value()), (Some(104.0), Some(3_000.0)));
    assert_eq!(item.computed().len(), 1, "nobody declared it");
    let (item, entry, _) = sizes(FLAT, Bound::Max);
    assert_eq!((item.value(), entry.value()), (Some(201.0), Some(104.0)), "what is optional counts in full");
}

#[test]
fn a_declared_size_is_the_whole_item_and_bounds_its_entries() {
    let declared = FLAT.replace("count 300k", "count 300k size avg 1KB, max 2KB");
    let (item, entry, _) = sizes(&declared, Bound::Avg);
    assert_eq!((item.value(), entry.value()), (Some(1_024.0), Some(104.0)));
    assert!(item.computed().is_empty());
    let unsized_key = declared.replace(" @size(10B)", "");
    let (item, entry, _) = sizes(&unsized_key, Bound::Avg);
    assert_eq!(item.value(), Some(1_024.0));
    assert_eq!((entry.value(), entry.high()), (None, Some(1_024.0)), "an entry is no larger than its item");
    assert_eq!(list(entry.missing()), "`@size` of `Flat.district`");
}

#[test]
fn what_is_not_declared_is_asked_for() {
    let unknown = FLAT.replace(" @size(10B)", "").replace("count 300k", "");
    let (item, entry, members) = sizes(&unknown, Bound::Avg);
    assert_eq!((item.value(), item.high()), (None, None));
    assert_eq!(list(item.missing()), "`@size` of `Flat.district`");
    assert_eq!(list(entry.missing()), "`@size` of `Flat.district`");
    assert_eq!(list(members.missing()), "`count` of `Flat`");
    let (_, _, members) = sizes(&FLAT.replace(" @present(1%)", ""), Bound::Avg);
    assert_eq!((members.value(), members.high()), (None, Some(300_000.0)), "no more than there are");
}

#[test]
fn computed_keys_replace_the_attribute_of_their_name_and_lists_add_their_elements() {
    let model = "entity User { email: string @id @size(20B) n: number at: epoch }
entity Line { line: number @id user: string @size(20B) @of(User) }
relationship User 1:N Line { children avg 4, max 10 }
table T {
  partition key email
  sort key sk: string
  item User embeds Line as lines { email = \"E#{email:lower}\" sk = \"{at}#{n:6}#{shard(n, 20)}\" }
}";
    let own = (5 + 22) + (1 + 8) + (2 + 6) + (2 + 10 + 1 + 6 + 1 + 2);
    let lines = |children: i32| 5 + 3 + children * (1 + 3 + (1 + 4 + 8));
    assert_eq!(sizes(model, Bound::Avg).0.value(), Some(f64::from(own + lines(4))));
    assert_eq!(sizes(model, Bound::Max).0.value(), Some(f64::from(own + lines(10))));
    let open = sizes(&model.replace(", max 10", ""), Bound::Max).0;
    // Without a label the one number is both.
    assert_eq!(
        (open.value(), list(open.missing())),
        (None, "`children max` of a relationship between `User` and `Line`".into())
    );
}

#[test]
fn a_template_of_one_hole_is_text() {
    let model =
        |value: &str| format!("entity E {{ at: epoch @id }} table T {{ partition key k item E {{ k = {value} }} }}");
    let bytes = |value: &str| sizes(&model(value), Bound::Avg).0.value();
    assert_eq!((bytes("at"), bytes("\"{at}\"")), (Some(f64::from(8 + 1 + 6)), Some(f64::from(8 + 1 + 10))));
}

#[test]
fn awss_own_example_of_an_item() {
    // {"shirt-color": "R", "shirt-size": "M"} has 23 bytes (facts 3.1).
    let model = "entity Shirt { `shirt-color`: string @id @size(1B) `shirt-size`: string @size(1B) }
table Shirts { partition key `shirt-color` item Shirt }";
    assert_eq!(sizes(model, Bound::Avg).0.value(), Some(23.0));
}
