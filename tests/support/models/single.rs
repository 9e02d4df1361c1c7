//! The one table of a single-table model: generic keys that hold templates.

use super::keys::{Format, Part, Value, fits_template, formatted, hole, shard, text};
use super::plan::{Attribute, Entity, Item, Key, Plan, Role, Table, Type};
use super::rng::Rng;
use super::words::plural;

/// The table with all items that are not embedded.
pub fn table(rng: &mut Rng, plan: &Plan, embedded: bool) -> Table {
    let mut items = Vec::new();
    for entity in &plan.entities {
        if entity.role == Role::Leaf && embedded {
            continue;
        }
        let mut item = Item::new(entity.role);
        if entity.role == Role::Child && embedded {
            item.embeds = Some(embedded_list(plan));
        }
        item.set("PK", Value::Template(partition(rng, plan, entity)));
        item.set("SK", Value::Template(sort(rng, plan, entity)));
        items.push(item);
    }
    Table {
        name: format!("{}Table", plan.theme.application),
        partition: Key::computed("PK"),
        sort: Some(Key::computed("SK")),
        items,
        indexes: Vec::new(),
        clauses: Vec::new(),
    }
}

/// The leaf, and the list that holds the leaves of a child.
pub fn embedded_list(plan: &Plan) -> (Role, String) {
    (Role::Leaf, plan.names.cased(&plural(plan.entity(Role::Leaf).word)))
}

/// `CUSTOMER#{customer_id}`: whom the item belongs to.
fn partition(rng: &mut Rng, plan: &Plan, entity: &Entity) -> Vec<Part> {
    let owned = |role: Role| {
        let owner = plan.entity(role);
        let id = entity.attributes.iter().find(|a| a.of.as_ref() == Some(&owner.name)).unwrap_or(owner.id());
        vec![text(format!("{}#", owner.upper())), hole(id)]
    };
    match entity.role {
        Role::Root | Role::Child | Role::Edge | Role::Twin | Role::ScopedGuard => owned(Role::Root),
        Role::Leaf => owned(Role::Child),
        // A catalogue in shards, each of which is one query.
        Role::Other if rng.chance(25) => {
            vec![text(format!("{}#", plural(entity.word).to_uppercase())), shard(entity.id(), *rng.pick(&[4, 8, 12]))]
        }
        Role::Other => owned(Role::Other),
        Role::Guard => vec![text("EMAIL#"), formatted(entity.id(), Format::Lower)],
    }
}

/// `ORDER#{placed_at}#{order_id}`: which of those items it is.
fn sort(rng: &mut Rng, plan: &Plan, entity: &Entity) -> Vec<Part> {
    match entity.role {
        Role::Root => vec![text(*rng.pick(&["PROFILE", "MAIN", "ROOT"]))],
        Role::Guard => vec![text("CLAIM")],
        Role::ScopedGuard => vec![text("CODE#"), hole(entity.ids().next_back().expect("its code is in its id"))],
        Role::Twin => vec![text(entity.upper())],
        Role::Edge => {
            vec![text(format!("{}#", entity.upper())), hole(entity.reference(&plan.entity(Role::Other).name))]
        }
        Role::Other | Role::Leaf => vec![text(format!("{}#", entity.upper())), hole(entity.id())],
        Role::Child => child_sort(rng, entity),
    }
}

/// A sort key of a child: by its id, or by a moment of any precision first.
pub fn child_sort(rng: &mut Rng, child: &Entity) -> Vec<Part> {
    let mut parts = vec![text(format!("{}#", child.upper()))];
    let moment = child.attributes.iter().find(|a| a.ty == Type::Timestamp && !a.optional);
    if let Some(moment) = moment.filter(|_| rng.chance(50)) {
        let formats = [Format::Plain, Format::Plain, Format::Day, Format::Hour, Format::Minute];
        parts.extend([formatted(moment, *rng.pick(&formats)), text("#")]);
    }
    parts.push(hole(child.id()));
    parts
}

/// What an entity writes into an overloaded index: its partition and sort key.
pub struct Entry {
    pub partition: Vec<Part>,
    pub sort: Vec<Part>,
    pub purpose: String,
}

/// A way to find the items of an entity through an overloaded index.
pub fn entry(rng: &mut Rng, plan: &Plan, entity: &Entity) -> Entry {
    let by = |attribute: &Attribute| format!("{} by {}", plural(entity.word).replace('_', " "), attribute.name);
    if entity.role == Role::Edge && rng.chance(70) {
        let other = plan.entity(Role::Other);
        let id = entity.reference(&other.name);
        let partition = vec![text(format!("{}#", other.upper())), hole(id)];
        let sort = vec![text(format!("{}#", entity.upper())), hole(entity.reference(&plan.entity(Role::Root).name))];
        return Entry { partition, sort, purpose: by(id) };
    }
    let unique = entity.attributes.iter().find(|attribute| attribute.unique && !attribute.id);
    if let Some(unique) = unique.filter(|_| rng.chance(60)) {
        let partition = vec![text(format!("{}#", unique.name.to_uppercase())), formatted(unique, Format::Lower)];
        return Entry { partition, sort: vec![text(entity.upper())], purpose: by(unique) };
    }
    if entity.role != Role::Edge && rng.chance(20) {
        let shards = *rng.pick(&[3, 4, 8, 12]);
        let partition = vec![text(format!("{}#", entity.upper())), shard(entity.id(), shards)];
        return Entry {
            partition,
            sort: entry_sort(rng, entity, &[]),
            purpose: format!("all {}", plural(entity.word)),
        };
    }
    let shared: Vec<&Attribute> = entity.attributes.iter().filter(|attribute| is_shared(attribute)).collect();
    match rng.any(&shared) {
        Some(attribute) => {
            let mut partition = vec![text(format!("{}#", attribute.name.to_uppercase())), cased_hole(rng, attribute)];
            if entity.role != Role::Edge && rng.chance(20) {
                partition.extend([text("#"), shard(entity.id(), 4)]);
            }
            Entry { partition, sort: entry_sort(rng, entity, &[&attribute.name]), purpose: by(attribute) }
        }
        None => {
            let partition = vec![text(format!("{}#", entity.upper())), hole(entity.id())];
            Entry { partition, sort: vec![text(entity.upper())], purpose: by(entity.id()) }
        }
    }
}

/// Whether many items have the same value, so that an index by it makes sense.
fn is_shared(attribute: &Attribute) -> bool {
    let several = |names: &Vec<String>| names.len() > 1;
    attribute.distinct.is_some() && attribute.ty == Type::Text
        || matches!(&attribute.ty, Type::Enum(names) if several(names))
}

fn cased_hole(rng: &mut Rng, attribute: &Attribute) -> Part {
    match (&attribute.ty, rng.between(0, 3)) {
        (Type::Text, 0) => formatted(attribute, Format::Lower),
        (Type::Text, 1) => formatted(attribute, Format::Upper),
        _ => hole(attribute),
    }
}

/// The sort key of an entry: something that sorts, then the id. One optional
/// attribute in an entry is enough.
fn entry_sort(rng: &mut Rng, entity: &Entity, used: &[&str]) -> Vec<Part> {
    let mut parts = vec![text(format!("{}#", entity.upper()))];
    let sorts = |a: &&Attribute| {
        !a.optional
            && !a.id
            && a.of.is_none()
            && fits_template(a)
            && matches!(a.ty, Type::Timestamp | Type::Number | Type::Ulid)
            && !used.contains(&a.name.as_str())
    };
    let sorting: Vec<&Attribute> = entity.attributes.iter().filter(sorts).collect();
    if let Some(attribute) = rng.any(&sorting).filter(|_| rng.chance(75)) {
        let hole = match attribute.ty {
            Type::Timestamp if rng.chance(45) => formatted(
                attribute,
                *rng.pick(&[Format::Year, Format::Month, Format::Month, Format::Day, Format::Year]),
            ),
            _ => hole(attribute),
        };
        parts.extend([hole, text("#")]);
    }
    parts.push(hole(entity.id()));
    parts
}
