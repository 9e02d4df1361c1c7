//! The items of a population: none is lost, and what the model says of their life is
//! so in what readers see.

use keywright::capacity::values::{Item, Value};
use keywright::model::db::{Database, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::population::{Population, cell, for_measuring, for_readers};

fn with_model<T>(text: &str, run: impl FnOnce(&Database, SourceFile) -> T) -> T {
    let mut host = Host::default();
    let key = FileKey::new("/model.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    run(db, Workspace::get(db).files(db)[&key])
}

/// The items of an entity in what readers see.
fn read(text: &str, entity: &str) -> Vec<Item> {
    with_model(text, |db, root| {
        let population = for_readers(db, root);
        let all = population.tables.values().flatten().filter(|stored| stored.kind.entity == entity);
        all.map(|stored| stored.item.clone()).collect()
    })
}

fn column(items: &[Item], name: &str) -> Vec<String> {
    items.iter().filter_map(|item| item.get(name)).map(cell).collect()
}

/// How many items of each entity are missing in its table.
fn lost(population: &Population<'_>) -> Vec<(String, usize)> {
    let mut lost = Vec::new();
    for (table, items) in &population.tables {
        let layouts = population.arrangement.plan.tables.iter().find(|layout| layout.name.text == *table);
        for kind in layouts.into_iter().flat_map(|layout| &layout.items) {
            let planned = population.arrangement.entity(&kind.entity).map_or(0, |plan| plan.count);
            let there = items.iter().filter(|stored| stored.kind.entity == kind.entity).count();
            if there < planned {
                lost.push((kind.entity.clone(), planned - there));
            }
        }
    }
    lost
}

#[test]
fn a_guard_of_a_scoped_unique_attribute_loses_no_item() {
    for (tenants, members, children, values) in
        [(4, 24, 6, 90), (6, 12, 2, 12), (10, 40, 4, 1_000), (3, 9, 3, 9), (12, 720, 60, 100_000)]
    {
        for relationship in ["", "relationship Tenant 1:N Claim { children avg 6 identifying }"] {
            let text = format!(
                "entity Tenant {{ tenant_id: uuid @id  count {tenants} }}
                entity Member {{ member_id: uuid @id  tenant_id: uuid @of(Tenant)
                  email: string @unique(tenant_id) @size(20B)  count {members} }}
                entity Claim {{ tenant_id: uuid @id @of(Tenant)  address: string @id @size(20B) @distinct({values})
                  member_id: uuid @of(Member)  count {members} }}
                relationship Tenant 1:N Member {{ children avg {children} }}
                relationship Member 1:1 Claim {{ identifying }}
                {relationship}
                table Tenants {{ partition key tenant_id  item Tenant }}
                table Members {{ partition key member_id  item Member }}
                table Claims {{ partition key tenant_id  sort key address  item Claim }}"
            );
            with_model(&text, |db, root| {
                for population in [for_measuring(db, root), for_readers(db, root)] {
                    assert_eq!(lost(&population), [], "{text}");
                    assert!(population.notes.iter().all(|note| !note.contains("leaves them out")), "{text}");
                }
            });
        }
    }
}

#[test]
fn what_a_few_values_and_parents_in_turn_tell_apart_is_told_apart() {
    for (tenants, days, items) in [(6, 4, 24), (4, 6, 24), (9, 6, 50), (5, 5, 25), (8, 12, 90)] {
        let text = format!(
            "entity Tenant {{ tenant_id: uuid @id  count {tenants} }}
            entity Day {{ tenant_id: uuid @id @of(Tenant)  day: string @id @size(10B) @distinct({days})
              kind: enum(a, b) @id  count {items} }}
            table Tenants {{ partition key tenant_id  item Tenant }}
            table Days {{ partition key tenant_id  sort key sk: string  item Day {{ sk = \"{{day}}#{{kind}}\" }} }}"
        );
        with_model(&text, |db, root| {
            for population in [for_measuring(db, root), for_readers(db, root)] {
                assert_eq!(lost(&population), [], "{text}");
            }
        });
    }
}

const SLOTS: &str = "
entity Slot { slot_id: ulid @id  free_for: string? @present(30%)  booked_by: uuid? @present(70%)  note: string? }
table Slots { partition key slot_id  item Slot }
pattern Book { update Slot in Slots set booked_by remove free_for if exists(free_for) }
pattern Cancel { update Slot in Slots set free_for remove booked_by if exists(booked_by) }
";

#[test]
fn what_one_update_exchanges_is_never_there_at_once() {
    let slots = read(SLOTS, "Slot");
    let both = |slot: &&Item| slot.contains_key("free_for") && slot.contains_key("booked_by");
    assert_eq!(slots.iter().filter(both).count(), 0, "{slots:?}");
    // There are some of each, and what has nothing to do with it goes on beside both.
    assert!(!column(&slots, "free_for").is_empty() && !column(&slots, "booked_by").is_empty());
    assert!(slots.iter().any(|slot| slot.contains_key("note") && slot.contains_key("free_for")), "{slots:?}");
    // Without a condition on either it is no exchange.
    let plain = SLOTS.replace("if exists(free_for)", "").replace("if exists(booked_by)", "");
    assert!(read(&plain, "Slot").iter().any(|slot| both(&slot)));
    // Who sets both says that both can be there.
    let together = SLOTS.replace("set free_for remove", "set free_for, note remove");
    let together = format!("{together}\npattern Both {{ update Slot in Slots set free_for, booked_by }}");
    assert!(read(&together, "Slot").iter().any(|slot| both(&slot)));
}

#[test]
fn a_state_is_not_left_while_what_leaves_with_it_is_there() {
    let parcels = "
entity Parcel { parcel_id: ulid @id  state: enum(packed, sent, delivered)  todo: enum(hand_over)? @present(40%) }
table Parcels { partition key parcel_id  item Parcel }
pattern Send { update Parcel in Parcels set state remove todo if exists(todo) }
";
    let check = |text: &str, wanted: &str| {
        let there = read(text, "Parcel").into_iter().filter(|parcel| parcel.contains_key("todo")).collect::<Vec<_>>();
        assert!(!there.is_empty());
        assert!(column(&there, "state").iter().all(|state| state == wanted), "{there:?}");
    };
    check(parcels, "packed");
    // The condition of the update says better what it is before.
    check(&parcels.replace("if exists(todo)", "if state = \"sent\""), "sent");
    // Where another update leaves the attribute, any state may be.
    let other = format!("{parcels}\npattern Deliver {{ update Parcel in Parcels set state }}");
    let there = read(&other, "Parcel").into_iter().filter(|parcel| parcel.contains_key("todo")).collect::<Vec<_>>();
    assert!(column(&there, "state").iter().any(|state| state != "packed"), "{there:?}");
}

#[test]
fn the_ttl_of_the_table_says_when_items_expire_and_not_a_name() {
    let model = "
entity Session { session_id: uuid @id  made_at: epoch  gone: epoch  expires_at: epoch  lifetime 24h }
table Sessions { partition key session_id  item Session  ttl gone }
";
    let seconds = |items: &[Item], name: &str| -> Vec<u64> {
        column(items, name).iter().map(|text| text.parse().expect("seconds")).collect()
    };
    let sessions = read(model, "Session");
    let (made, gone) = (seconds(&sessions, "made_at"), seconds(&sessions, "gone"));
    assert!(
        made.len() > 3 && made.iter().zip(&gone).all(|(made, gone)| gone - made == 24 * 3_600),
        "{made:?} {gone:?}"
    );
    // What is no TTL is not moved for it: it lies as near as everything else.
    assert!(seconds(&sessions, "expires_at").iter().all(|seconds| *seconds < 1_893_456_000));
    // Without a lifetime it has not come yet; a number is an epoch where it is the TTL.
    for ty in ["epoch", "number"] {
        let endless = model.replace("  lifetime 24h", "").replace("gone: epoch", &format!("gone: {ty}"));
        assert!(seconds(&read(&endless, "Session"), "gone").iter().all(|seconds| *seconds >= 1_893_456_000), "{ty}");
    }
}

#[test]
fn an_example_counts_in_a_key_too_and_a_sign_stands_before_the_zeros() {
    let model = "
entity Level { id: uuid @id  place: number @example(42)  depth: number @example(-3)  big: number @example(1234567) }
table Levels { partition key id  sort key sk: string  item Level { sk = \"{place:6}#{depth:4}#{big:4}\" } }
";
    let levels = read(model, "Level");
    assert_eq!(column(&levels, "place")[..2], ["42", "43"]);
    let keys = column(&levels, "sk");
    assert!(keys[0].starts_with("000042#-003#") && keys[1].starts_with("000043#-002#"), "{keys:?}");
    // What is too wide for its hole is no example of what stands there.
    assert!(keys.iter().all(|key| key.len() == "000042#-003#0001".len()), "{keys:?}");
}

#[test]
fn a_part_of_an_epoch_is_that_of_its_instant() {
    let model = "
entity Event { id: uuid @id  at: epoch @id }
table Events { partition key id  sort key sk: string  item Event { sk = \"E#{at:day}\" } }
";
    let events = read(model, "Event");
    assert_eq!(column(&events, "at")[0], "1772439300");
    assert_eq!(column(&events, "sk")[0], "E#2026-03-02");
    with_model(model, |db, root| {
        let population = for_measuring(db, root);
        let first = &population.items("Events")[0].item;
        assert!(matches!(&first["sk"], Value::S(key) if key.starts_with("E#2030-")), "{first:?}");
    });
}

#[test]
fn what_is_one_with_an_item_belongs_to_whom_that_belongs_to() {
    let model = "
entity Shop { shop_id: uuid @id  count 50 }
entity Buyer { buyer_id: uuid @id  shop_id: uuid @of(Shop)  email: string @unique(shop_id) }
entity Claim { shop_id: uuid @id @of(Shop)  email: string @id  buyer_id: uuid @of(Buyer) }
entity Badge { badge_id: ulid @id  buyer_id: uuid @of(Buyer)  shop_id: uuid @of(Shop) }
relationship Shop 1:N Buyer { children avg 3 }
relationship Buyer 1:1 Claim { identifying }
relationship Buyer 1:1 Badge
table Shops { partition key shop_id  item Shop }
table Buyers { partition key buyer_id  item Buyer }
table Claims { partition key shop_id  sort key email  item Claim }
table Badges { partition key badge_id  item Badge }
";
    let buyers = read(model, "Buyer");
    let shop_of =
        |id: &Value| buyers.iter().find(|buyer| buyer["buyer_id"] == *id).map(|buyer| buyer["shop_id"].clone());
    for entity in ["Claim", "Badge"] {
        let all = read(model, entity);
        assert!(all.len() > 3);
        for one in all {
            assert_eq!(shop_of(&one["buyer_id"]).as_ref(), Some(&one["shop_id"]), "{entity}");
        }
    }
}

#[test]
fn nobody_is_above_himself_or_follows_himself() {
    let text = "\
entity Category { category: string @id @size(10B)  above: string? @of(Category) @size(10B) @present(99%)  count 1k size 100B }
entity Member { member_id: ulid @id  count 100 size 100B }
entity Follow { follower_id: ulid @id @of(Member)  followed_id: ulid @id @of(Member)  count 2k size 100B }
entity Swap { swap_id: ulid @id  giver_id: ulid @of(Member)  taker_id: ulid @of(Member)  count 300 size 100B }
relationship Category 1:N Category by above { children avg 9 }
relationship Member N:M Member through Follow { children avg 20  parents avg 20 }
table Categories { partition key category  item Category }
table Members { partition key member_id  item Member }
table Follows { partition key follower_id  sort key followed_id  item Follow }
table Swaps { partition key swap_id  item Swap }
";
    let categories = read(text, "Category");
    let above = |name: &str| {
        let own = categories.iter().find(|item| cell(&item["category"]) == name);
        own.expect("it is one of them").get("above").map(cell)
    };
    for first in column(&categories, "category") {
        let mut way = vec![first.clone()];
        while let Some(next) = above(&way[way.len() - 1]) {
            assert!(!way.contains(&next), "{next} is above {way:?}, and below");
            way.push(next);
        }
    }
    for (entity, one, other) in [("Follow", "follower_id", "followed_id"), ("Swap", "giver_id", "taker_id")] {
        let items = read(text, entity);
        assert!(items.len() > 3, "{entity}");
        for item in &items {
            assert_ne!(cell(&item[one]), cell(&item[other]), "{entity}");
        }
    }
    with_model(text, |db, root| assert_eq!(lost(&for_readers(db, root)), []));
}
