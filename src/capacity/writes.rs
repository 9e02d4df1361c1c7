//! What a write writes and what that costs in units (numbers W1–W6).

use super::figure::{Figure, Input};
use super::found::Found;
use super::reads::StepInput;
use super::sizes::{Bound, Presence, entity, entry_bytes, item_bytes, present_input, share_where};
use super::units::write;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source};
use std::collections::BTreeSet;

/// What one call of a write does.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteNumbers {
    /// The entity whose item is written: the parent, where what is written is
    /// embedded in it.
    pub entity: String,
    /// Bytes of the item, with all that is embedded in it.
    pub bytes: Figure,
    /// Whether a transaction doubles the table's part (W6).
    pub transaction: bool,
    /// Write units of the table, `times` not included.
    pub table_units: Figure,
    /// What its condition says of the items that it finds.
    pub found: Found,
    /// The indexes that the item can be in.
    pub indexes: Vec<IndexWrite>,
}

/// What one call of a write does to an index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexWrite {
    pub index: String,
    pub kind: IndexKind,
    /// Bytes of an entry.
    pub entry: Figure,
    /// The share of the calls before which the item is in the index, where that
    /// entry is written or removed.
    pub before: Figure,
    /// The share of the calls after which it is there, where that entry is new
    /// or written.
    pub after: Figure,
    pub effect: Effect,
    /// Write units of the index, `times` not included.
    pub units: Figure,
}

/// Why an index is written, or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The item is new.
    Inserted,
    /// The item goes.
    Deleted,
    /// An attribute of the index key is set, or removed: the entry moves.
    Moved { set: Vec<String>, removed: Vec<String> },
    /// Attributes that it only projects change: of this share of the entries, where
    /// they are only removed.
    Rewritten { names: Vec<String>, changes: Figure },
    /// Nothing that it holds changes.
    Untouched,
}

/// A `put`, counted as an insert: the item, and its entry in every index that
/// holds it (W1). What is embedded is written with its parent's item (W5).
pub fn put(
    input: &StepInput<'_>,
    item: &ItemLayout,
    subject: &str,
    with: Option<&With>,
    condition: Option<&WriteCondition>,
) -> WriteNumbers {
    if item.entity != subject {
        return embedded(input, item, subject, found(input, item, subject, condition));
    }
    let set: Option<Vec<String>> = with.map(|with| with.attributes.iter().map(|name| name.text.clone()).collect());
    let presence = set.as_deref().map_or(Presence::Share, Presence::Only);
    let bytes = item_bytes(input.facts, item, Bound::Avg, presence);
    let known = |name: &str| set.as_ref().map(|set| f64::from(u8::from(set.iter().any(|set| set == name))));
    let indexes = indexes(input, item, |source| {
        let after = share_where(input.facts, source, item, known);
        let entry = entry_bytes(input.facts, source, item, Bound::Avg, presence);
        (Figure::ZERO, after, entry, Effect::Inserted)
    });
    whole(input, item, bytes, indexes)
}

/// A `delete`: the item, and its entry in every index that holds it (W2).
pub fn delete(
    input: &StepInput<'_>,
    item: &ItemLayout,
    subject: &str,
    condition: Option<&WriteCondition>,
) -> WriteNumbers {
    let found = found(input, item, subject, condition);
    if item.entity != subject {
        return embedded(input, item, subject, found);
    }
    let indexes = indexes(input, item, |source| {
        let before = share_before(input, source, item, &found);
        (before, Figure::ZERO, average_entry(input, source, item), Effect::Deleted)
    });
    WriteNumbers { found, ..whole(input, item, average_item(input, item), indexes) }
}

/// An `update`: the whole item with everything embedded; an index whose key is
/// made of what is set or removed moves its entry, one that projects it rewrites
/// it, any other costs nothing (W3, W4).
pub fn update(
    input: &StepInput<'_>,
    item: &ItemLayout,
    subject: &str,
    (set, remove): (&[Name], &[Name]),
    condition: Option<&WriteCondition>,
) -> WriteNumbers {
    let found = found(input, item, subject, condition);
    if item.entity != subject {
        return embedded(input, item, subject, found);
    }
    let names = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
    changed(input, item, &names(set), &names(remove), found, false)
}

/// A write of an embedded entity: its parent's item with the list set anew (W5).
fn embedded(input: &StepInput<'_>, item: &ItemLayout, subject: &str, found: Found) -> WriteNumbers {
    let list = item.embeds.iter().find(|embed| embed.entity == subject).and_then(|embed| embed.list.clone());
    changed(input, item, &list.into_iter().collect::<Vec<_>>(), &[], found, true)
}

/// What the condition of a write says of the items that it finds.
fn found(input: &StepInput<'_>, item: &ItemLayout, subject: &str, condition: Option<&WriteCondition>) -> Found {
    let Some(entity) = entity(input.facts, item) else { return Found::default() };
    let embedded = item.entity != subject;
    let embed = item.embeds.iter().find(|embed| embedded && embed.entity == subject);
    let element = embed.and_then(|embed| input.facts.entity(embed.entity_decl?));
    Found::by(condition, input.source.layout, item, entity, element, embedded)
}

/// The share of the items found that are in an index: all or none where the condition
/// says which optional attributes they have, else that of all items (S4).
fn share_before(input: &StepInput<'_>, source: Source<'_>, item: &ItemLayout, found: &Found) -> Figure {
    match found.is_outside(source) {
        true => Figure::ZERO,
        false => share_where(input.facts, source, item, |name| found.share(name)),
    }
}

fn changed(
    input: &StepInput<'_>,
    item: &ItemLayout,
    set: &[String],
    remove: &[String],
    found: Found,
    embedded: bool,
) -> WriteNumbers {
    let says_nothing = set.is_empty() && remove.is_empty() && !embedded;
    let indexes = indexes(input, item, |source| {
        let entry = average_entry(input, source, item);
        let before = share_before(input, source, item, &found);
        let key = item.made_from(source.key());
        let among = |names: &[String]| -> Vec<String> {
            names.iter().filter(|name| key.contains(name.as_str())).cloned().collect()
        };
        let (key_set, key_removed) = (among(set), among(remove));
        if !key_set.is_empty() || !key_removed.is_empty() {
            let after = share_where(input.facts, source, item, |name| {
                let is = |names: &[String]| names.iter().any(|other| other == name);
                if is(&key_removed) { Some(0.0) } else { is(&key_set).then_some(1.0).or(found.share(name)) }
            });
            return (before, after, entry, Effect::Moved { set: key_set, removed: key_removed });
        }
        let rewritten = projected(source, item, set, remove);
        if says_nothing {
            let input = Input::Changes { pattern: input.pattern_name.to_owned(), entity: item.entity.clone() };
            let maybe = before.at_most(input);
            return (Figure::ZERO, maybe, entry, Effect::Rewritten { names: Vec::new(), changes: Figure::known(1.0) });
        }
        match rewritten.is_empty() {
            true => (Figure::ZERO, Figure::ZERO, entry, Effect::Untouched),
            false => {
                let changes = changes(input, item, set, &rewritten, &found);
                (Figure::ZERO, before.times(&changes), entry, Effect::Rewritten { names: rewritten, changes })
            }
        }
    });
    WriteNumbers { found, ..whole(input, item, average_item(input, item), indexes) }
}

/// The share of the items that a change of these attributes changes: all where
/// one is set; where all are removed, those that have one of them.
fn changes(input: &StepInput<'_>, item: &ItemLayout, set: &[String], changed: &[String], found: &Found) -> Figure {
    let one = Figure::known(1.0);
    if changed.iter().any(|name| set.contains(name)) {
        return one;
    }
    let Some(entity) = entity(input.facts, item) else { return one };
    let optional = changed.iter().map(|name| entity.attribute(name).filter(|attribute| attribute.optional));
    let present = optional.map(|attribute| match attribute {
        Some(attribute) => match found.share(&attribute.name).or(attribute.present) {
            Some(present) => Figure::known(present),
            None => Figure::between(0.0, 1.0, present_input(&item.entity, &attribute.name)),
        },
        None => one.clone(),
    });
    present.fold(Figure::ZERO, |any, present| any.or(&present))
}

/// Those of the changed attributes that an index projects and that are no part
/// of its key (W4).
fn projected(source: Source<'_>, item: &ItemLayout, set: &[String], remove: &[String]) -> Vec<String> {
    let index = source.index.expect("it is an index");
    let held = |name: &&String| match index.projection {
        ProjectionKind::All => true,
        ProjectionKind::KeysOnly => false,
        ProjectionKind::Include => index.included.contains(name),
    };
    // A key of the table that is made of it cannot change; one of another index,
    // included here, changes with it.
    let computed = |name: &&String| {
        let of = |key: &String| item.keys.get(key).is_some_and(|key| key.value.attributes().contains(&name.as_str()));
        index.projection == ProjectionKind::Include && index.included.iter().any(of)
    };
    let changed: BTreeSet<&String> = set.iter().chain(remove).collect();
    changed.into_iter().filter(|name| held(name) || computed(name)).cloned().collect()
}

/// A `check` in a transaction: twice the units of the item, nothing for indexes
/// (W6). One that wants no item there finds nothing, and costs as little as a
/// write can.
pub fn check(
    input: &StepInput<'_>,
    item: &ItemLayout,
    subject: &str,
    condition: Option<&WriteCondition>,
) -> WriteNumbers {
    // Of what is embedded the parent's item is there in any case.
    let absent =
        item.entity == subject && condition.is_some_and(|condition| condition.kind == WriteConditionKind::NotExists);
    let bytes = if absent { Figure::ZERO } else { average_item(input, item) };
    whole(input, item, bytes, Vec::new())
}

fn average_item(input: &StepInput<'_>, item: &ItemLayout) -> Figure {
    item_bytes(input.facts, item, Bound::Avg, Presence::Share)
}

fn average_entry(input: &StepInput<'_>, source: Source<'_>, item: &ItemLayout) -> Figure {
    entry_bytes(input.facts, source, item, Bound::Avg, Presence::Share)
}

fn whole(input: &StepInput<'_>, item: &ItemLayout, bytes: Figure, indexes: Vec<IndexWrite>) -> WriteNumbers {
    let transaction = input.group.is_some_and(|group| group.kind == GroupKind::Transact);
    let table_units = bytes.map(write).scaled(if transaction { 2.0 } else { 1.0 });
    WriteNumbers { entity: item.entity.clone(), bytes, transaction, table_units, found: Found::default(), indexes }
}

/// What a write does to each index that items of this kind can be in; `change`
/// says before and after, the bytes of an entry and why. Units are (before +
/// after) × W(entry) (facts 3.5).
fn indexes<'s>(
    input: &StepInput<'s>,
    item: &ItemLayout,
    change: impl Fn(Source<'s>) -> (Figure, Figure, Figure, Effect),
) -> Vec<IndexWrite> {
    let declared = entity(input.facts, item).is_some();
    let sources = input.source.layout.of_indexes();
    let holds = |source: &Source<'_>| source.key().all(|key| item.keys.contains_key(&key.name));
    sources
        .filter(|source| declared && holds(source))
        .filter_map(|source| {
            let index = source.index?;
            let (before, after, entry, effect) = change(source);
            let units = before.plus(&after).times(&entry.map(write));
            Some(IndexWrite { index: index.name.text.clone(), kind: index.kind, entry, before, after, effect, units })
        })
        .collect()
}
