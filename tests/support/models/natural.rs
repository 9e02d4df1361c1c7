//! The tables of an aggregate-oriented model: natural keys, several tables.

use super::keys::{Format, Value, formatted, hole, shard, text};
use super::plan::{Entity, Item, Key, Plan, Role, Table, Type};
use super::rng::Rng;
use super::single::{child_sort, embedded_list};
use super::words::{pascal, plural};

/// The tables of all entities; what is grouped stands in the table of the root.
pub fn tables(rng: &mut Rng, plan: &Plan, embedded: bool) -> Vec<Table> {
    let groups = rng.chance(60);
    let mut grouped: Vec<Role> =
        [Role::Child, Role::Edge, Role::Twin].into_iter().filter(|role| plan.has(*role)).collect();
    grouped.retain(|_| groups && rng.chance(65));
    let mut tables = vec![root_table(rng, plan, &grouped)];
    for entity in plan.entities.iter().filter(|entity| entity.role != Role::Root && !grouped.contains(&entity.role)) {
        match entity.role {
            Role::Leaf if embedded => {}
            Role::Child => tables.push(child_table(rng, plan, entity)),
            Role::Leaf => tables.push(leaf_table(plan, entity)),
            Role::Edge => tables.push(edge_table(plan, entity)),
            Role::Other => tables.push(other_table(rng, entity)),
            Role::Guard => tables.push(guard_table(rng, entity)),
            Role::ScopedGuard => {
                let code = entity.ids().next_back().map(|code| code.name.as_str());
                tables.push(plain_table(entity, &entity.id().name, code));
            }
            Role::Root | Role::Twin => tables.push(plain_table(entity, &entity.id().name, None)),
        }
    }
    if embedded {
        let mut items = tables.iter_mut().flat_map(|table| &mut table.items);
        let child = items.find(|item| item.role == Role::Child).expect("leaves have a parent");
        child.embeds = Some(embedded_list(plan));
    }
    tables
}

/// A table of one entity whose key attributes are attributes of it.
fn plain_table(entity: &Entity, partition: &str, sort: Option<&str>) -> Table {
    Table {
        name: pascal(&plural(entity.word)),
        partition: Key::natural(partition),
        sort: sort.map(Key::natural),
        items: vec![Item::new(entity.role)],
        indexes: Vec::new(),
        clauses: Vec::new(),
    }
}

/// The root, alone or with what belongs to it under one partition key.
fn root_table(rng: &mut Rng, plan: &Plan, grouped: &[Role]) -> Table {
    let root = plan.entity(Role::Root);
    let mut table = plain_table(root, &root.id().name, None);
    if grouped.is_empty() {
        return table;
    }
    table.name = format!("{}Collection", root.name);
    let key = *rng.pick(&["sk", "entry", "record_key"]);
    let key = plan.names.cased(key);
    table.sort = Some(Key::computed(&key));
    table.items[0].set(&key, Value::Template(vec![text("PROFILE")]));
    for role in grouped {
        let entity = plan.entity(*role);
        let sort = match role {
            Role::Child => child_sort(rng, entity),
            Role::Edge => {
                let other = entity.reference(&plan.entity(Role::Other).name);
                vec![text(format!("{}#", entity.upper())), hole(other)]
            }
            _ => vec![text(entity.upper())],
        };
        let mut item = Item::new(*role);
        item.set(&key, Value::Template(sort));
        table.items.push(item);
    }
    table
}

/// Children by their root, or by themselves; their sort key an attribute or
/// computed from two.
fn child_table(rng: &mut Rng, plan: &Plan, child: &Entity) -> Table {
    let root = &child.reference(&plan.entity(Role::Root).name).name;
    let id = child.id();
    match rng.between(0, 3) {
        0 => plain_table(child, &id.name, None),
        1 => {
            let moment = child.attributes.iter().find(|a| a.ty == Type::Timestamp && !a.optional);
            let Some(moment) = moment else { return plain_table(child, root, Some(&id.name)) };
            let key = plan.names.cased("timeline");
            let mut table = plain_table(child, root, None);
            table.sort = Some(Key::computed(&key));
            let format = *rng.pick(&[Format::Plain, Format::Plain, Format::Day]);
            let value = vec![formatted(moment, format), text("#"), hole(id)];
            table.items[0].set(&key, Value::Template(value));
            table
        }
        _ => plain_table(child, root, Some(&id.name)),
    }
}

fn leaf_table(plan: &Plan, leaf: &Entity) -> Table {
    let child = leaf.reference(&plan.entity(Role::Child).name);
    plain_table(leaf, &child.name, Some(&leaf.id().name))
}

fn edge_table(plan: &Plan, edge: &Entity) -> Table {
    let end = |role: Role| edge.reference(&plan.entity(role).name).name.as_str();
    plain_table(edge, end(Role::Root), Some(end(Role::Other)))
}

/// Keyed by the id, or in shards that can be read one by one.
fn other_table(rng: &mut Rng, other: &Entity) -> Table {
    if !rng.chance(20) {
        return plain_table(other, &other.id().name, None);
    }
    let mut table = plain_table(other, "bucket", Some(&other.id().name));
    table.partition = Key::computed("bucket");
    table.items[0].set("bucket", Value::Template(vec![text("B"), shard(other.id(), *rng.pick(&[4, 8, 16]))]));
    table
}

/// Keyed by the value that it keeps unique.
fn guard_table(rng: &mut Rng, guard: &Entity) -> Table {
    let id = guard.id();
    let mut table = plain_table(guard, &id.name, None);
    if rng.chance(50) {
        table.items[0].set(&id.name, Value::Template(vec![formatted(id, Format::Lower)]));
    }
    table
}
