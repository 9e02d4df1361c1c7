//! Patterns that write one kind of item: put, update and delete.

use super::conditions::{existing, missing};
use super::keys::{Value, primary_attributes, value_of};
use super::plan::{Attribute, Entity, Pattern};
use super::reads::Place;
use super::rng::Rng;
use std::collections::BTreeSet;

/// Writes are rare: the hottest key of a small model must bear them all.
pub fn write_rate(rng: &mut Rng) -> (u64, u64) {
    *rng.pick(&[(10, 100), (20, 200), (50, 500)])
}

/// A pattern of one write.
pub fn pattern(rng: &mut Rng, verb: &str, entity: &Entity, operation: String) -> Pattern {
    Pattern {
        writes: if rng.chance(15) { Some(entity.name.clone()) } else { None },
        name: format!("{verb}{}", entity.name),
        doc: format!("{verb}s one {}.", entity.word.replace('_', " ")),
        operations: vec![operation],
        rate: Some(write_rate(rng)),
        ..Pattern::default()
    }
}

/// The step that puts an item. With a condition where a unique key needs one,
/// or, unless it stands in a batch, by chance.
pub fn put_step(rng: &mut Rng, place: Place<'_>, subject: &str, batch: bool) -> String {
    let step = format!("put {subject} into {}{}", place.table.name, with(rng, place.entity));
    if batch {
        return step;
    }
    let needs = place.entity.attributes.iter().any(|attribute| attribute.unique);
    step + &missing(rng, &place.table.partition.name, needs)
}

/// Which optional attributes a put sets; left out, the expectation weighs them.
fn with(rng: &mut Rng, entity: &Entity) -> String {
    let optional: Vec<&Attribute> = entity.attributes.iter().filter(|attribute| attribute.optional).collect();
    if optional.is_empty() || rng.chance(35) {
        return String::new();
    }
    if rng.chance(30) {
        return " with none".to_owned();
    }
    let wanted = rng.between(1, optional.len() as u64) as usize;
    let names: Vec<&str> = rng.some(&optional, wanted).iter().map(|attribute| attribute.name.as_str()).collect();
    format!(" with {}", names.join(", "))
}

/// The attributes that an update may set: not those of the primary key, nor
/// what says who an item is.
fn settable(place: Place<'_>) -> Vec<&Attribute> {
    let primary = primary_attributes(place.table, place.item, place.entity);
    let single_value =
        |attribute: &Attribute| matches!(&attribute.ty, super::plan::Type::Enum(names) if names.len() == 1);
    let attributes =
        place.entity.attributes.iter().filter(|attribute| {
            !primary.contains(&attribute.name) && can_change(attribute) && !single_value(attribute)
        });
    attributes.collect()
}

fn can_change(attribute: &Attribute) -> bool {
    !attribute.id
        && !attribute.unique
        && !attribute.immutable
        && attribute.of.is_none()
        && attribute.copied_from.is_none()
}

/// Attributes that stand together in a key template with this one, itself
/// included, without those of the primary key: they are known or set as well.
fn together(place: Place<'_>, attribute: &str) -> BTreeSet<String> {
    let primary = primary_attributes(place.table, place.item, place.entity);
    let keys = place.table.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
    let values: Vec<Value> = keys.filter_map(|key| value_of(place.item, place.entity, &key.name)).collect();
    let mut all = BTreeSet::from([attribute.to_owned()]);
    loop {
        let before = all.len();
        for value in &values {
            if value.attributes().iter().any(|name| all.contains(*name)) {
                let others = value.attributes().into_iter().filter(|name| !primary.contains(*name));
                all.extend(others.map(str::to_owned));
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// The step that updates an item; none where nothing of it may change.
pub fn update_step(rng: &mut Rng, place: Place<'_>, subject: &str, conditional: bool) -> Option<String> {
    let settable = settable(place);
    let may_set = |names: &BTreeSet<String>| names.iter().all(|name| settable.iter().any(|a| a.name == *name));
    let mut set = BTreeSet::new();
    for _ in 0..rng.between(1, 3) {
        let Some(attribute) = rng.any(&settable) else { break };
        let names = together(place, &attribute.name);
        if may_set(&names) {
            set.extend(names);
        }
    }
    let alone = |attribute: &&&Attribute| {
        attribute.optional && !set.contains(&attribute.name) && together(place, &attribute.name).len() == 1
    };
    let removable: Vec<&Attribute> = settable.iter().filter(alone).copied().collect();
    let remove = rng.any(&removable).filter(|_| rng.chance(50) || set.is_empty());
    if set.is_empty() && remove.is_none() {
        return None;
    }
    let mut step = format!("update {subject} in {}", place.table.name);
    if !set.is_empty() {
        step.push_str(&format!(" set {}", set.into_iter().collect::<Vec<_>>().join(", ")));
    }
    if let Some(attribute) = remove {
        step.push_str(&format!(" remove {}", attribute.name));
    }
    if conditional && rng.chance(60) {
        step.push_str(&condition(rng, place));
    }
    Some(step)
}

/// A condition on an item that is there, ` if …`.
pub fn condition(rng: &mut Rng, place: Place<'_>) -> String {
    let keys = super::keys::key_names(place.table, None);
    let attributes: Vec<&Attribute> =
        place.entity.attributes.iter().filter(|attribute| !keys.contains(attribute.name.as_str())).collect();
    existing(rng, &attributes)
}

/// The step that deletes an item.
pub fn delete_step(rng: &mut Rng, place: Place<'_>, subject: &str, conditional: bool) -> String {
    let condition = if conditional && rng.chance(40) { condition(rng, place) } else { String::new() };
    format!("delete {subject} from {}{condition}", place.table.name)
}

/// Writes of what is embedded in an item: it is rewritten.
pub fn embedded(rng: &mut Rng, place: Place<'_>) -> Vec<Pattern> {
    let Some((role, _)) = &place.item.embeds else { return Vec::new() };
    let child = place.plan.entity(*role);
    let (name, table) = (&child.name, &place.table.name);
    let mut patterns = Vec::new();
    if rng.chance(60) {
        patterns.push(pattern(rng, "Add", child, format!("put {name} into {table}")));
    }
    let changes: Vec<&Attribute> = child.attributes.iter().filter(|attribute| can_change(attribute)).collect();
    let changes: Vec<&&Attribute> =
        changes.iter().filter(|a| a.name.to_lowercase() != "entitytype" && a.name != "entity_type").collect();
    if let Some(attribute) = rng.any(&changes).filter(|_| rng.chance(60)) {
        patterns.push(pattern(rng, "Change", child, format!("update {name} in {table} set {}", attribute.name)));
    }
    if rng.chance(40) {
        patterns.push(pattern(rng, "Drop", child, format!("delete {name} from {table}")));
    }
    patterns
}
