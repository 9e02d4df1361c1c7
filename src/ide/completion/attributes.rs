//! Attributes and keys: which of them a place means, the likeliest first.

use super::candidates::Candidates;
use super::names::Place;
use super::probe::ancestor;
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source, TableLayout, keys_of, layout, placements};
use crate::model::names::table_def;
use std::collections::BTreeSet;

/// Adds the attributes that may stand at a place.
pub(super) fn attributes(there: &Place<'_, '_>, found: &mut Candidates) {
    let parent = there.landing.parent;
    match (parent.kind(), there.landing.field.unwrap_or("")) {
        ("copied_from_modifier", "attribute") => {
            let entity = there.near("copied_from_modifier", "entity").unwrap_or("");
            add_entity(there, entity, |_| Some(0), &[")"], found);
        }
        ("unique_modifier", _) => own_attributes(there, found),
        ("entity_use", "attribute") => {
            let entity = there.near("entity_use", "entity").unwrap_or("");
            let listed = there.listed(parent, "attribute");
            add_entity(there, entity, unlisted(&listed), &[",", ")"], found);
            add_lists_of(there, entity, &listed, found);
        }
        ("reads_clause" | "writes_clause", field) => required(there, field, found),
        ("put_operation", "with") => {
            let listed = there.listed(parent, "with");
            let optional = |attribute: &AttributeDef| attribute.optional && !is_listed(&listed, attribute);
            subject(there, |attribute| optional(attribute).then_some(0), found);
        }
        ("update_operation", "set") => set(there, found),
        ("update_operation", "remove") => {
            let listed: BTreeSet<&str> =
                there.listed(parent, "remove").into_iter().chain(there.listed(parent, "set")).collect();
            let keys = key_makers(there);
            let rank = |attribute: &AttributeDef| {
                let can = attribute.optional && !keys.contains(attribute.name.text.as_str());
                (can && !is_listed(&listed, attribute)).then_some(0)
            };
            subject(there, rank, found);
        }
        ("key_value", "value") => {
            let entity = there.near("item", "entity").unwrap_or("");
            add_entity(there, entity, key_rank, &[], found);
        }
        ("comparison" | "existence", _) => condition(there, found),
        ("project_option", _) => projected(there, found),
        ("projection_clause", _) => included(there, found),
        ("ttl_clause", _) => {
            // Items expire by a number: the seconds since 1970.
            let rank = |attribute: &AttributeDef| match attribute.ty {
                Type::Epoch => Some(0),
                Type::Number => Some(1),
                _ => None,
            };
            table_attributes(there, rank, found);
        }
        ("key_part", "name") => key_part(there, found),
        _ => {}
    }
}

/// `relationship A 1:N B by b`: the attributes of the child, those first that hold
/// the id of the parent.
pub(super) fn of_child(there: &Place<'_, '_>, found: &mut Candidates) {
    let parent = there.near("relationship", "left").unwrap_or("");
    let child = there.near("relationship", "right").unwrap_or("");
    let rank = |attribute: &AttributeDef| match &attribute.of {
        Some(of) if of.text == parent => Some(0),
        Some(_) => Some(1),
        None => Some(2),
    };
    add_entity(there, child, rank, &[], found);
}

/// `item E { k = … }`: the keys that the block does not set; those first that E has
/// no attribute for.
pub(super) fn unset_keys(there: &Place<'_, '_>, found: &mut Candidates) {
    let Def::Table(typed) = &there.lowered.def else { return };
    // The whole table says more than what stands before the cursor.
    let whole = there.cx.decl(there.word.start).and_then(|decl| table_def(there.cx.db, decl));
    let at = there.landing.at;
    let is_here = |item: &&ItemDef| item.body.is_some_and(|body| body.touches(at));
    let item = whole.and_then(|table| table.items.iter().find(is_here)).or_else(|| typed.items.iter().find(is_here));
    let entity = item.and_then(|item| there.cx.entity(&item.entity.as_ref()?.text));
    let own = |value: &&KeyValueDef| value.key.range.touches(at);
    let set: BTreeSet<&str> = item
        .into_iter()
        .flat_map(|item| &item.values)
        .filter(|value| !own(value))
        .map(|value| value.key.text.as_str())
        .collect();
    let parts = keys_of(whole.unwrap_or(typed)).flat_map(|key| &key.parts);
    let unset: Vec<&KeyPart> = parts.filter(|part| !set.contains(part.name.text.as_str())).collect();
    let has = |part: &KeyPart| entity.is_some_and(|entity| entity.attribute(&part.name.text).is_some());
    let (named, missing): (Vec<&KeyPart>, Vec<&KeyPart>) = unset.into_iter().partition(|part| has(part));
    let table = there.lowered.name.as_ref().map_or("", |name| &name.text);
    for part in missing.into_iter().chain(named) {
        let ty = part.ty.map_or("", KeyType::word);
        let item = CompletionItem::name(CompletionKind::Key, &part.name.text).detail(ty);
        found.add(item.topic(Topic::Key { table: table.to_owned(), name: part.name.text.clone() }));
    }
}

/// How well an attribute does as a value of a key: what identifies first, what no key
/// can hold not at all.
pub(super) fn key_rank(attribute: &AttributeDef) -> Option<u8> {
    match attribute.ty {
        Type::List(_) | Type::Set(_) | Type::Map => None,
        _ if attribute.id => Some(0),
        _ if attribute.of.is_some() => Some(1),
        _ if attribute.optional || attribute.ty == Type::Boolean => Some(3),
        _ => Some(2),
    }
}

/// An attribute of an entity, with its type.
pub(super) fn attribute(entity: &str, attribute: &AttributeDef) -> CompletionItem {
    let optional = if attribute.optional { "?" } else { "" };
    let id = if attribute.id { " @id" } else { "" };
    let detail = format!("{}{optional}{id}", attribute.ty.spelling());
    let name = &attribute.name.text;
    let topic = Topic::Attribute { entity: entity.to_owned(), name: name.clone() };
    CompletionItem::name(CompletionKind::Attribute, name).detail(detail).owner(entity).topic(topic)
}

fn key(layout: &TableLayout, name: &str, ty: Option<KeyType>) -> CompletionItem {
    let topic = Topic::Key { table: layout.name.text.clone(), name: name.to_owned() };
    let detail = ty.map_or("key", KeyType::word);
    CompletionItem::name(CompletionKind::Key, name).detail(detail).owner(&layout.name.text).topic(topic)
}

fn is_listed(listed: &BTreeSet<&str>, attribute: &AttributeDef) -> bool {
    listed.contains(attribute.name.text.as_str())
}

fn unlisted<'l>(listed: &'l BTreeSet<&str>) -> impl Fn(&AttributeDef) -> Option<u8> + 'l {
    move |attribute| (!is_listed(listed, attribute)).then_some(0)
}

/// Adds the attributes of an entity that have a rank, the lowest first.
fn add_entity(
    there: &Place<'_, '_>,
    name: &str,
    rank: impl Fn(&AttributeDef) -> Option<u8>,
    commit: &'static [&'static str],
    found: &mut Candidates,
) {
    let all = there.cx.entity(name).into_iter().flat_map(|entity| &entity.attributes);
    let mut ranked: Vec<(u8, &AttributeDef)> = all.filter_map(|own| Some((rank(own)?, own))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    for (_, own) in ranked {
        found.add(attribute(name, own).commit(commit));
    }
}

/// The same of the entity that an operation names.
fn subject(there: &Place<'_, '_>, rank: impl Fn(&AttributeDef) -> Option<u8>, found: &mut Candidates) {
    let Some(subject) = there.step().and_then(|step| step.op.subject()) else { return };
    add_entity(there, &subject.entity.text, rank, &[","], found);
}

/// `@unique(…)`: the attributes of this very entity, read before the cursor and behind.
fn own_attributes(there: &Place<'_, '_>, found: &mut Candidates) {
    let listed = there.listed(there.landing.parent, "scope");
    let name = there.lowered.name.as_ref().map_or("", |name| &name.text);
    let at = there.landing.at;
    let whole = there.cx.lowered(there.word.start);
    for lowered in whole.into_iter().chain([there.lowered]) {
        let Def::Entity(entity) = &lowered.def else { continue };
        for own in entity.attributes.iter().filter(|own| !own.range.touches(at) && !is_listed(&listed, own)) {
            found.add(attribute(name, own).commit(&[",", ")"]));
        }
    }
}

/// `by` and `ordered by`: the attributes of what is read first, for `by` what
/// identifies before the rest.
fn required(there: &Place<'_, '_>, field: &str, found: &mut Candidates) {
    let Def::Pattern(pattern) = &there.lowered.def else { return };
    let Some(requirement) = pattern.requirements.iter().find(|own| own.range.touches(there.landing.at)) else { return };
    let listed = there.listed(there.landing.parent, field);
    let used: Vec<&str> = requirement.uses.iter().map(|used| used.entity.text.as_str()).collect();
    let rank = |attribute: &AttributeDef| {
        let chosen = if field == "by" { attribute.id || attribute.of.is_some() } else { false };
        (!is_listed(&listed, attribute)).then_some(u8::from(!chosen))
    };
    for entity in &used {
        add_entity(there, entity, rank, &[], found);
    }
    for entity in there.cx.names().entities.keys().filter(|entity| !used.contains(&entity.as_str())) {
        add_entity(there, entity, rank, &[], found);
    }
}

/// What makes the primary key of the item that an operation writes: no update can
/// change that.
fn key_makers(there: &Place<'_, '_>) -> BTreeSet<String> {
    let step = there.step();
    let source = step.and_then(|step| there.cx.source(&step.op));
    let subject = step.and_then(|step| step.op.subject()).map_or("", |subject| subject.entity.text.as_str());
    let Some(layout) = source.map(|source| source.layout) else { return BTreeSet::new() };
    let Some(item) = layout.item_of(subject).filter(|item| item.entity == subject) else { return BTreeSet::new() };
    item.made_from(layout.primary_key()).into_iter().map(str::to_owned).collect()
}

/// `set`: what an update can change and the clause does not name.
fn set(there: &Place<'_, '_>, found: &mut Candidates) {
    let listed = there.listed(there.landing.parent, "set");
    let keys = key_makers(there);
    let rank = |attribute: &AttributeDef| {
        let name = attribute.name.text.as_str();
        let can = !keys.contains(name) && !attribute.id && attribute.immutable.is_none();
        (can && !listed.contains(name)).then_some(u8::from(attribute.copied_from.is_some()))
    };
    subject(there, rank, found);
}

/// What a condition asks about: of a query the keys first, partition before sort.
fn condition(there: &Place<'_, '_>, found: &mut Candidates) {
    let Some(step) = there.step() else { return };
    let Some(source) = there.cx.source(&step.op) else { return };
    if let Some(subject) = step.op.subject().filter(|_| step.op.condition().is_some()) {
        add_entity(there, &subject.entity.text, |_| Some(0), &[], found);
        // What is embedded is in the item of its parent.
        if let Some(item) = source.layout.item_of(&subject.entity.text).filter(|i| i.entity != subject.entity.text) {
            add_entity(there, &item.entity, |_| Some(1), &[], found);
            add_lists(source.layout, item, found);
        }
        for part in source.layout.primary_key() {
            found.add(key(source.layout, &part.name, part.ty));
        }
        return;
    }
    let in_filter = ancestor(there.landing.leaf, "filter_option").is_some();
    if in_filter {
        return add_source(there, source, found);
    }
    let used: BTreeSet<&str> = match &step.op {
        OpDef::Query { conditions: Some(conditions), .. } => {
            let leaves = conditions.leaves().into_iter().filter_map(Term::attribute);
            leaves.filter(|name| name.range.start as usize != there.landing.at).map(|name| name.text.as_str()).collect()
        }
        _ => BTreeSet::new(),
    };
    let (again, new): (Vec<_>, Vec<_>) = source.key().partition(|part| used.contains(part.name.as_str()));
    for part in new.into_iter().chain(again) {
        found.add(key(source.layout, &part.name, part.ty));
    }
    add_source(there, source, found);
}

/// The attributes of the items in a table or index, those that are no keys first.
fn add_source(there: &Place<'_, '_>, source: Source<'_>, found: &mut Candidates) {
    let keys: BTreeSet<&str> = source.key().map(|part| part.name.as_str()).collect();
    for item in source.items() {
        let rank = |own: &AttributeDef| (!keys.contains(own.name.text.as_str())).then_some(0);
        add_entity(there, &item.entity, rank, &[], found);
        add_lists(source.layout, item, found);
    }
    for part in source.key().chain(source.layout.primary_key()) {
        found.add(key(source.layout, &part.name, part.ty));
    }
}

/// The lists that are embedded in the items of an entity, in whatever table.
fn add_lists_of(there: &Place<'_, '_>, entity: &str, listed: &BTreeSet<&str>, found: &mut Candidates) {
    let (db, root) = (there.cx.db, there.cx.root);
    let tables = placements(db, root).get(entity).map(Vec::as_slice).unwrap_or_default();
    for layout in tables.iter().filter_map(|table| layout(db, root, *table).as_ref()) {
        for embed in layout.items.iter().filter(|item| item.entity == entity).flat_map(|item| &item.embeds) {
            if let Some(list) = embed.list.as_ref().filter(|list| !listed.contains(list.as_str())) {
                found.add(embedded_list(layout, list, &embed.entity).commit(&[",", ")"]));
            }
        }
    }
}

fn embedded_list(layout: &TableLayout, list: &str, of: &str) -> CompletionItem {
    let item = CompletionItem::name(CompletionKind::Attribute, list);
    item.detail(format!("list of {of}")).owner(&layout.name.text)
}

fn add_lists(layout: &TableLayout, item: &ItemLayout, found: &mut Candidates) {
    for embed in &item.embeds {
        if let Some(list) = &embed.list {
            found.add(embedded_list(layout, list, &embed.entity));
        }
    }
}

/// `project`: what the table or index has and the clause does not name.
fn projected(there: &Place<'_, '_>, found: &mut Candidates) {
    let Some(step) = there.step() else { return };
    let Some(source) = there.cx.source(&step.op) else { return };
    let listed = there.listed(there.landing.parent, "attribute");
    let subject = step.op.subject().map(|subject| subject.entity.text.as_str());
    for item in source.items().filter(|item| subject.is_none_or(|subject| item.holds(subject))) {
        let projected = source.projected(item);
        // What the index lacks has to be fetched, or cannot be had.
        let rank = |own: &AttributeDef| {
            let name = &own.name.text;
            let lacks = projected.as_ref().is_some_and(|projected| !projected.contains(name));
            (!is_listed(&listed, own)).then_some(u8::from(lacks))
        };
        add_entity(there, &item.entity, rank, &[","], found);
        add_lists(source.layout, item, found);
    }
    // A key that the items compute is an attribute of theirs as well.
    for part in source.key().chain(source.layout.primary_key()).filter(|part| !listed.contains(part.name.as_str())) {
        found.add(key(source.layout, &part.name, part.ty));
    }
}

/// `include(…)`: what is in the items of the index, no key, and not there yet.
fn included(there: &Place<'_, '_>, found: &mut Candidates) {
    let Def::Table(typed) = &there.lowered.def else { return };
    let at = there.landing.at;
    let Some(layout) = there.lowered.name.as_ref().and_then(|name| there.cx.table(&name.text)) else { return };
    let own = typed.indexes.iter().find(|index| index.range.touches(at)).and_then(|index| index.name.as_ref());
    let index = own.and_then(|name| layout.index(&name.text));
    let mut there_already = there.listed(there.landing.parent, "attribute");
    // Names behind the cursor count as well, but not the one that it stands in.
    let whole = there.cx.decl(there.word.start).and_then(|decl| table_def(there.cx.db, decl));
    let behind = whole.into_iter().flat_map(|table| &table.indexes).filter(|index| index.range.touches(at));
    let behind = behind.filter_map(|index| index.projection.as_ref()).flat_map(|projection| &projection.attributes);
    there_already.extend(behind.filter(|name| !name.range.touches(at)).map(|name| name.text.as_str()));
    let source = index.map_or(layout.table(), |index| layout.of_index(index));
    for item in source.items() {
        let keys = || layout.primary_key().chain(source.key());
        let values = keys().filter_map(|part| item.keys.get(&part.name));
        let whole: BTreeSet<&str> =
            values.flat_map(|value| value.value.whole_holes()).chain(keys().map(|part| part.name.as_str())).collect();
        let rank = |own: &AttributeDef| {
            let name = own.name.text.as_str();
            (!whole.contains(name) && !there_already.contains(name)).then_some(0)
        };
        add_entity(there, &item.entity, rank, &[",", ")"], found);
        add_lists(layout, item, found);
    }
}

/// The attributes of the items in the table that the cursor stands in.
fn table_attributes(there: &Place<'_, '_>, rank: impl Fn(&AttributeDef) -> Option<u8>, found: &mut Candidates) {
    let Def::Table(typed) = &there.lowered.def else { return };
    let whole = there.cx.decl(there.word.start).and_then(|decl| table_def(there.cx.db, decl));
    let items = whole.unwrap_or(typed).items.iter().filter_map(|item| item.entity.as_ref());
    let mut all: Vec<(u8, &str, &AttributeDef)> = Vec::new();
    for entity in items {
        let own = there.cx.entity(&entity.text).into_iter().flat_map(|entity| &entity.attributes);
        all.extend(own.filter_map(|own| Some((rank(own)?, entity.text.as_str(), own))));
    }
    all.sort_by_key(|(rank, ..)| *rank);
    for (_, entity, own) in all {
        found.add(attribute(entity, own));
    }
}

/// An attribute of a key: what every item has comes first, then the keys that items
/// compute. Where the table holds nothing yet, what any entity has.
fn key_part(there: &Place<'_, '_>, found: &mut Candidates) {
    let Def::Table(typed) = &there.lowered.def else { return };
    let table = there.cx.decl(there.word.start).and_then(|decl| table_def(there.cx.db, decl)).unwrap_or(typed);
    let at = there.landing.at;
    let entities: Vec<&EntityDef> =
        table.items.iter().filter_map(|item| there.cx.entity(&item.entity.as_ref()?.text)).collect();
    let taken = taken_parts(there, table);
    let is_key = |own: &AttributeDef| {
        let can = own.ty.key_type().is_some() || own.ty == Type::Missing;
        can && !taken.contains(own.name.text.as_str())
    };
    let shared = |name: &str| entities.iter().filter(|entity| entity.attribute(name).is_some()).count();
    let most = entities.len();
    let before = found.is_empty();
    for value in table.items.iter().flat_map(|item| &item.values).filter(|value| !value.range.touches(at)) {
        if !taken.contains(value.key.text.as_str()) {
            found.add(CompletionItem::name(CompletionKind::Key, &value.key.text).detail("computed by an item"));
        }
    }
    let rank = |own: &AttributeDef| {
        let here = u8::from(shared(&own.name.text) < most);
        key_rank(own).filter(|_| is_key(own)).map(|rank| here * 4 + rank)
    };
    table_attributes(there, rank, found);
    if before && found.is_empty() {
        for name in there.cx.names().entities.keys() {
            add_entity(there, name, |own| key_rank(own).filter(|_| is_key(own)), &[], found);
        }
    }
}

/// What the key around the cursor is made of besides the part at the cursor. An LSI
/// shares the table's partition key, and another sort key is what it is for.
fn taken_parts<'t>(there: &Place<'_, '_>, table: &'t TableDef) -> BTreeSet<&'t str> {
    let at = there.landing.at;
    let index = ancestor(there.landing.leaf, "gsi").or_else(|| ancestor(there.landing.leaf, "lsi"));
    let own = index.and_then(|index| table.indexes.iter().find(|own| own.range.touches(index.start_byte())));
    let keys: Vec<&KeyDef> = match (index, own) {
        (None, _) => table.partition.iter().chain(&table.sort).collect(),
        (Some(index), own) => {
            let shared = if index.kind() == "lsi" { [&table.partition, &table.sort] } else { [&None, &None] };
            let own = own.into_iter().flat_map(|own| own.partition.iter().chain(&own.sort));
            shared.into_iter().flatten().chain(own).collect()
        }
    };
    let parts = keys.into_iter().flat_map(|key| &key.parts).filter(|part| !part.range.touches(at));
    parts.map(|part| part.name.text.as_str()).collect()
}
