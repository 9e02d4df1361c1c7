//! Global and local indexes: overloaded, natural, of several attributes,
//! sparse, sharded; with all projections.

use super::keys::{Part, Value, fits_template, hole, is_in, key_names, shard, text, value_of};
use super::plan::{Attribute, Entity, Index, Key, Plan, Projection, Role, Type};
use super::rng::Rng;
use super::single::entry;
use super::words::{pascal, plural};

/// Gives a table its indexes. What their keys are made of gets a declared
/// number of values.
pub fn add(rng: &mut Rng, plan: &mut Plan, at: usize) {
    if plan.single_table {
        for number in 1..=rng.between(0, 2) {
            overloaded(rng, plan, at, number);
        }
    }
    let stored: Vec<Role> = plan.tables[at].items.iter().map(|item| item.role).collect();
    for role in stored.into_iter().filter(|role| !role.is_guard()) {
        if !plan.single_table && role == Role::Edge {
            inverted(rng, plan, at);
        }
        if !plan.single_table && rng.chance(35) {
            natural(rng, plan, at, role);
        }
        if !plan.single_table && rng.chance(15) {
            sharded(rng, plan, at, role);
        }
        if rng.chance(25) {
            multi_attribute(rng, plan, at, role);
        }
        if plan.tables[at].sort.is_some() && rng.chance(30) {
            local(rng, plan, at, role);
        }
    }
}

/// GSI1 for several entities, each with templates of its own.
fn overloaded(rng: &mut Rng, plan: &mut Plan, at: usize, number: u64) {
    let roles: Vec<Role> = plan.tables[at].items.iter().map(|item| item.role).filter(|role| !role.is_guard()).collect();
    let count = rng.between(1, 3) as usize;
    let keys = [format!("GSI{number}PK"), format!("GSI{number}SK")];
    let mut purposes = Vec::new();
    for role in rng.some(&roles, count) {
        let made = entry(rng, plan, plan.entity(role));
        let item = plan.tables[at].items.iter_mut().find(|item| item.role == role).expect("it is in the table");
        item.set(&keys[0], Value::Template(made.partition));
        item.set(&keys[1], Value::Template(made.sort));
        purposes.push(made.purpose);
    }
    let purpose = format!("Overloaded: {}.", purposes.join(", "));
    finish(
        rng,
        plan,
        at,
        Index {
            name: format!("GSI{number}"),
            partition: vec![Key::computed(&keys[0])],
            sort: vec![Key::computed(&keys[1])],
            ..global(purpose)
        },
    );
}

fn global(purpose: String) -> Index {
    Index {
        local: false,
        name: String::new(),
        partition: Vec::new(),
        sort: Vec::new(),
        projection: Projection::All,
        sparse: false,
        purpose,
    }
}

/// The other way through the edges of an N:M.
fn inverted(rng: &mut Rng, plan: &mut Plan, at: usize) {
    let edge = plan.entity(Role::Edge);
    let end = |role: Role| Key::natural(&edge.reference(&plan.entity(role).name).name);
    let sort = if rng.chance(60) { vec![end(Role::Root)] } else { Vec::new() };
    let name = format!("{}By{}", pascal(&plural(edge.word)), plan.entity(Role::Other).name);
    let purpose = format!("{} from the other side.", pascal(&plural(edge.word)));
    let partition = vec![end(Role::Other)];
    finish(rng, plan, at, Index { name, partition, sort, ..global(purpose) });
}

/// One attribute each as partition key and, mostly, as sort key.
fn natural(rng: &mut Rng, plan: &mut Plan, at: usize, role: Role) {
    let entity = plan.entity(role);
    let Some(partition) = rng.any(&keyable(plan, at, entity, is_partition)) else { return };
    let sorts = keyable(plan, at, entity, |attribute| attribute.name != partition && !attribute.id);
    let sort: Vec<Key> = rng.any(&sorts).filter(|_| rng.chance(75)).iter().map(|name| Key::natural(name)).collect();
    let name = index_name(entity, &partition);
    let purpose = format!("{} by {partition}.", pascal(&plural(entity.word)));
    let partition = vec![Key::natural(&partition)];
    finish(rng, plan, at, Index { name, partition, sort, ..global(purpose) });
}

/// A computed partition key that spreads a popular value.
fn sharded(rng: &mut Rng, plan: &mut Plan, at: usize, role: Role) {
    let entity = plan.entity(role);
    if role == Role::Edge || entity.id().ty == Type::Binary {
        return;
    }
    let key = format!("{}_shard", entity.word);
    let key = plan.names.cased(&key);
    let shared = keyable(plan, at, entity, |a| is_partition(a) && fits_template(a) && a.of.is_none());
    let mut parts = match rng.any(&shared) {
        Some(attribute) => vec![hole(entity.attribute(&attribute).expect("it is of the entity")), text("#")],
        None => vec![text(format!("{}#", entity.upper()))],
    };
    parts.push(shard(entity.id(), *rng.pick(&[4, 10, 16])));
    let made: Vec<String> = Value::Template(parts.clone()).attributes().into_iter().map(str::to_owned).collect();
    let sorts = keyable(plan, at, entity, |a| matches!(a.ty, Type::Timestamp | Type::Ulid) && !made.contains(&a.name));
    let sort: Vec<Key> = rng.any(&sorts).iter().map(|name| Key::natural(name)).collect();
    let name = format!("{}Shards", entity.name);
    let purpose = format!("All {}, spread over shards.", plural(entity.word).replace('_', " "));
    let item = plan.tables[at].items.iter_mut().find(|item| item.role == role).expect("it is in the table");
    item.set(&key, Value::Template(parts));
    finish(rng, plan, at, Index { name, partition: vec![Key::computed(&key)], sort, ..global(purpose) });
}

/// Two to four attributes as partition key, up to three as sort key.
fn multi_attribute(rng: &mut Rng, plan: &mut Plan, at: usize, role: Role) {
    let entity = plan.entity(role);
    let fits = keyable(plan, at, entity, |a| is_partition(a) || matches!(a.ty, Type::Number));
    let wanted = rng.between(2, 4) as usize;
    let partition = rng.some(&fits, wanted);
    if partition.len() < 2 {
        return;
    }
    let sorts = keyable(plan, at, entity, |attribute| !partition.contains(&attribute.name));
    let wanted = rng.between(0, 3) as usize;
    let sort = rng.some(&sorts, wanted);
    let name = index_name(entity, &partition[..2].join("_and_"));
    let purpose = format!("{} by {}.", pascal(&plural(entity.word)), partition.join(", "));
    let keys = |names: &[String]| names.iter().map(|name| Key::natural(name)).collect();
    let (partition, sort) = (keys(&partition), keys(&sort));
    finish(rng, plan, at, Index { name, partition, sort, ..global(purpose) });
}

/// The items of one partition value in another order.
fn local(rng: &mut Rng, plan: &mut Plan, at: usize, role: Role) {
    let entity = plan.entity(role);
    let earlier = plan.tables[at].indexes.iter().filter(|index| index.local).count();
    let sorts = keyable(plan, at, entity, |attribute| !attribute.id);
    let Some(attribute) = rng.any(&sorts).filter(|_| earlier < 3) else { return };
    let purpose = format!("{} in the order of {attribute}.", pascal(&plural(entity.word)));
    let template = generic_local(rng, plan, entity, &attribute);
    let (name, key) = match &template {
        Some(_) => (format!("LSI{}", earlier + 1), Key::computed(&format!("LSI{}SK", earlier + 1))),
        None => (index_name(entity, &format!("own_{attribute}")), Key::natural(&attribute)),
    };
    if let Some(parts) = template {
        let item = plan.tables[at].items.iter_mut().find(|item| item.role == role).expect("it is in the table");
        item.set(&key.name, Value::Template(parts));
    }
    finish(rng, plan, at, Index { local: true, name, sort: vec![key], ..global(purpose) });
}

fn generic_local(rng: &mut Rng, plan: &Plan, entity: &Entity, attribute: &str) -> Option<Vec<Part>> {
    let attribute = entity.attribute(attribute).filter(|attribute| fits_template(attribute))?;
    if !plan.single_table || rng.chance(40) {
        return None;
    }
    Some(vec![text(format!("{}#", entity.upper())), hole(attribute), text("#"), hole(entity.id())])
}

/// Whether an index partition key of it gathers several items.
fn is_partition(attribute: &Attribute) -> bool {
    match &attribute.ty {
        Type::Text => attribute.distinct.is_some() && !attribute.id,
        Type::Enum(names) => names.len() > 1,
        _ => attribute.of.is_some() && !attribute.id,
    }
}

/// The names of the entity's attributes that can be an index key of the table
/// without an item of another entity having them too by chance.
fn keyable(plan: &Plan, at: usize, entity: &Entity, wanted: impl Fn(&Attribute) -> bool) -> Vec<String> {
    let table = &plan.tables[at];
    let is_table_key = |name: &str| table.primary_key().any(|key| key.name == name);
    let single_value = |attribute: &Attribute| matches!(&attribute.ty, Type::Enum(names) if names.len() == 1);
    let attributes = entity.attributes.iter().filter(|attribute| {
        attribute.ty.is_key() && !single_value(attribute) && !is_table_key(&attribute.name) && wanted(attribute)
    });
    // Half of a key of free texts finds nothing.
    let attributes =
        attributes.filter(|attribute| attribute.ty != Type::Text || attribute.without || attribute.distinct.is_some());
    attributes.map(|attribute| attribute.name.clone()).collect()
}

fn index_name(entity: &Entity, by: &str) -> String {
    // The attributes of some models are written in camel case already.
    format!("{}By{}", pascal(&plural(entity.word)), pascal(by))
}

/// Adds an index: says whether it is sparse, what it projects, and how many
/// values its keys have.
fn finish(rng: &mut Rng, plan: &mut Plan, at: usize, mut index: Index) {
    if plan.tables[at].indexes.iter().any(|other| other.name == index.name) {
        index.name.push_str(&(plan.tables[at].indexes.len() + 1).to_string());
    }
    index.projection = projection(rng, plan, at, &index);
    index.sparse = declare_values(rng, plan, at, Some(&index));
    plan.tables[at].indexes.push(index);
}

/// Says how many values the attributes have that a key is made of: that of an
/// index, else that of the table. With whether one of them is optional.
pub fn declare_values(rng: &mut Rng, plan: &mut Plan, at: usize, index: Option<&Index>) -> bool {
    let Plan { entities, tables, .. } = plan;
    let mut optional = false;
    for item in &tables[at].items {
        let entity = entities.iter_mut().find(|entity| entity.role == item.role).expect("every item has an entity");
        if index.is_some_and(|index| !is_in(index, item, entity)) {
            continue;
        }
        let keys: Vec<&Key> = match index {
            Some(index) => index.partition.iter().chain(&index.sort).collect(),
            None => tables[at].primary_key().collect(),
        };
        for key in keys {
            let value = value_of(item, entity, &key.name).expect("items have all keys of what they are in");
            for name in value.attributes() {
                let count = entity.count.unwrap_or(20);
                let attribute = entity.attributes.iter_mut().find(|a| a.name == name).expect("holes name attributes");
                optional |= attribute.optional;
                if attribute.needs_distinct() {
                    let most = (count * attribute.present.unwrap_or(100) / 100).max(2);
                    attribute.distinct = Some(rng.pick(&[10, 15, 50, 400, 3_000]).min(&most).to_owned());
                }
            }
        }
    }
    optional
}

/// What the index projects; an included attribute is one of an item that it
/// holds, and no key.
fn projection(rng: &mut Rng, plan: &Plan, at: usize, index: &Index) -> Projection {
    let table = &plan.tables[at];
    let keys = key_names(table, Some(index));
    let mut others: Vec<String> = Vec::new();
    for item in &table.items {
        let entity = plan.entity(item.role);
        if is_in(index, item, entity) {
            let own = entity.attributes.iter().map(|attribute| &attribute.name);
            let lists = item.embeds.iter().map(|(_, list)| list);
            others.extend(own.chain(lists).filter(|name| !keys.contains(name.as_str())).cloned());
        }
    }
    others.sort();
    others.dedup();
    match rng.between(0, 9) {
        0..=3 => Projection::All,
        4..=5 => Projection::KeysOnly,
        _ if others.is_empty() => Projection::KeysOnly,
        _ => {
            let wanted = rng.between(1, 4) as usize;
            Projection::Include(rng.some(&others, wanted))
        }
    }
}
