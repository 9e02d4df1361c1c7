//! Unique attributes, and what keeps two entities from sharing a value.
//!
//! DynamoDB keeps nothing unique but primary keys (S15). A value is therefore
//! unique where it makes up the primary key of an item that is only put if it
//! does not exist: of the entity's own, or of a guard's.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::key_condition::conjunct_terms;
use super::layout::{ItemLayout, TableLayout, layout};
use super::mentions::all_mentions;
use super::names::{entity_def, find_entity, names};
use super::resolve::{Step, steps};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A unique attribute of an entity.
#[derive(Clone, Copy, Debug)]
pub struct UniqueValue<'d> {
    pub entity: &'d str,
    pub attribute: &'d AttributeDef,
    pub unique: &'d Unique,
}

/// An item whose existence proves that a value is taken.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'db> {
    pub table: Decl,
    pub layout: &'db TableLayout,
    pub item: &'db ItemLayout,
}

/// The unique attributes of an entity.
pub fn unique_values<'d>(name: &'d str, entity: &'d EntityDef) -> impl Iterator<Item = UniqueValue<'d>> {
    entity.attributes.iter().filter_map(move |attribute| {
        let unique = attribute.unique.as_ref()?;
        Some(UniqueValue { entity: name, attribute, unique })
    })
}

impl UniqueValue<'_> {
    /// The attribute and those of its scope.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = std::iter::once(self.attribute.name.text.as_str());
        own.chain(self.unique.scope.iter().map(|name| name.text.as_str()))
    }

    /// Whether two of the entity's items with this value would have one primary
    /// key: nothing but the value and its scope is in it.
    pub fn is_own_key(&self, table: &TableLayout, item: &ItemLayout) -> bool {
        let own = |name: &str| self.names().any(|own| own == name);
        item.entity == self.entity && has_key(table, item) && made_of(table, item).all(own)
    }

    /// Whether an item of another entity is a guard of this value: its primary
    /// key is made of attributes of the same names, or copied from them.
    pub fn is_guard(&self, db: &dyn Db, table: &TableLayout, item: &ItemLayout) -> bool {
        let guard = item.entity_decl.and_then(|decl| entity_def(db, decl));
        let means = |name: &str| -> Option<String> {
            let copied = guard?.attribute(name)?.copied_from.as_ref();
            let copied = copied.filter(|from| from.entity.text == self.entity);
            Some(copied.map_or(name, |from| from.attribute.as_ref().map_or("", |name| &name.text)).to_owned())
        };
        let own = |name: &str| means(name).is_some_and(|name| self.names().any(|own| own == name));
        let value = |name: &str| means(name).is_some_and(|name| name == self.attribute.name.text);
        item.entity != self.entity
            && has_key(table, item)
            && made_of(table, item).all(own)
            && made_of(table, item).any(value)
    }

    /// The guards of this value that the tables of a model hold.
    pub fn guards<'db>(&self, db: &'db dyn Db, root: SourceFile) -> Vec<Guard<'db>> {
        let value = (self.entity.to_owned(), self.attribute.name.text.clone());
        let places = all_guards(db, root).get(&value).map_or(&[][..], Vec::as_slice).iter();
        let guard = |(table, item): &(Decl, usize)| {
            let layout = layout(db, root, *table).as_ref()?;
            Some(Guard { table: *table, layout, item: layout.items.get(*item)? })
        };
        places.filter_map(guard).collect()
    }

    /// Whether something keeps a put of the entity from sharing the value with
    /// another of its items: the value is the key of the item and the put refuses,
    /// or wants, one that is there; or the same transaction puts a guard that must
    /// not be there yet. `steps` are those of the pattern.
    pub fn is_enforced(&self, db: &dyn Db, put: &Step<'_>, steps: &[Step<'_>]) -> bool {
        let Some(table) = put.source.map(|source| source.layout) else { return true };
        let Some(item) = table.item_of(self.entity) else { return true };
        // Without a value for its whole primary key the item cannot be put at all,
        // which is a finding on the table.
        if item.entity == self.entity && table.primary_key().any(|key| !item.keys.contains_key(&key.name)) {
            return true;
        }
        if is_left_out(self, &put.step.op) {
            return true;
        }
        // Where the value is the key there is one item of it; what has to be kept out
        // is the put that replaces it unawares.
        let condition = put.step.op.condition().map(|condition| &condition.kind);
        if condition.is_some_and(|condition| refuses_existing(condition, table) || wants_existing(condition))
            && self.is_own_key(table, item)
        {
            return true;
        }
        let transaction = put.operation.group.as_ref();
        if !transaction.is_some_and(|group| group.kind == GroupKind::Transact && group.mode == GroupMode::Write) {
            return false;
        }
        let others = steps.iter().filter(|other| other.resolved.operation == put.resolved.operation);
        others.filter(|other| matches!(other.step.op, OpDef::Put { .. })).any(|other| {
            let (Some(source), Some(subject)) = (other.source, other.step.op.subject()) else { return false };
            let guard = source.layout.items.iter().find(|item| item.entity == subject.entity.text);
            let condition = other.step.op.condition();
            condition.is_some_and(|condition| refuses_existing(&condition.kind, source.layout))
                && guard.is_some_and(|guard| self.is_guard(db, source.layout, guard))
        })
    }
}

/// Whether the put says by `with` that the items have no such attribute: there
/// is no value to share then.
fn is_left_out(value: &UniqueValue<'_>, op: &OpDef) -> bool {
    let OpDef::Put { with: Some(with), .. } = op else { return false };
    value.attribute.optional && !with.attributes.iter().any(|name| name.text == value.attribute.name.text)
}

/// The guards that patterns put for each unique attribute, by entity and
/// attribute: the guard's entity and table.
pub type GuardsInUse = BTreeMap<(String, String), Vec<(String, Decl)>>;

/// The guards that are put, if they do not exist, in one transaction with the
/// entity whose unique value they guard. An item whose key is made of attributes
/// of the same names by chance is none.
#[salsa::tracked(returns(ref))]
pub fn guards_in_use(db: &dyn Db, root: SourceFile) -> GuardsInUse {
    let mut in_use = GuardsInUse::new();
    for (_, mentions) in all_mentions(db, root) {
        for GuardInUse { entity, attribute, guard, table } in &mentions.guards {
            let known = in_use.entry((entity.clone(), attribute.clone())).or_default();
            let guard = (guard.clone(), *table);
            if !known.contains(&guard) {
                known.push(guard);
            }
        }
    }
    in_use
}

/// A guard that a pattern puts with the entity whose attribute it guards.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardInUse {
    pub entity: String,
    pub attribute: String,
    pub guard: String,
    pub table: Decl,
}

/// The guards that a pattern puts.
pub(super) fn guards_in(db: &dyn Db, root: SourceFile, pattern: Decl) -> Vec<GuardInUse> {
    let mut in_use = Vec::new();
    let steps: Vec<Step<'_>> = steps(db, root, pattern).filter(is_transactional).collect();
    for put in steps.iter().filter(|step| matches!(step.step.op, OpDef::Put { .. })) {
        let Some(subject) = put.step.op.subject() else { continue };
        let Some(entity) = find_entity(db, root, &subject.entity.text) else { continue };
        for value in unique_values(&subject.entity.text, entity) {
            let others = steps.iter().filter(|other| other.resolved.operation == put.resolved.operation);
            for (guard, table) in others.filter_map(|other| guard_of(db, &value, other, true)) {
                let guard = GuardInUse {
                    entity: value.entity.to_owned(),
                    attribute: value.attribute.name.text.clone(),
                    guard: guard.to_owned(),
                    table,
                };
                if !in_use.contains(&guard) {
                    in_use.push(guard);
                }
            }
        }
    }
    in_use
}

/// Whether a step stands in a transaction that writes.
pub fn is_transactional(step: &Step<'_>) -> bool {
    let group = step.operation.group.as_ref();
    group.is_some_and(|group| group.kind == GroupKind::Transact && group.mode == GroupMode::Write)
}

/// The guard of a value, with its table, that a step puts if it does not exist
/// yet, or else deletes; `None` where the step does something else.
pub fn guard_of<'s>(db: &dyn Db, value: &UniqueValue<'_>, step: &Step<'s>, puts: bool) -> Option<(&'s str, Decl)> {
    let layout = step.source?.layout;
    let does = match &step.step.op {
        OpDef::Put { condition: Some(condition), .. } => puts && refuses_existing(&condition.kind, layout),
        OpDef::Delete { .. } => !puts,
        _ => false,
    };
    let guard = &step.step.op.subject()?.entity.text;
    let item = layout.items.iter().find(|item| item.entity == *guard)?;
    (does && value.is_guard(db, layout, item)).then_some((guard.as_str(), layout.decl))
}

/// The items that guard each unique attribute, by its entity and its own name: their
/// table, and which of its items.
#[salsa::tracked(returns(ref))]
fn all_guards(db: &dyn Db, root: SourceFile) -> BTreeMap<(String, String), Vec<(Decl, usize)>> {
    let all = names(db, root);
    let mut unique: HashMap<&str, Vec<UniqueValue<'_>>> = HashMap::new();
    for (name, decl) in all.entities.iter().filter_map(|(name, decls)| Some((name, decls.first()?))) {
        for value in entity_def(db, *decl).into_iter().flat_map(|entity| unique_values(name, entity)) {
            unique.entry(&value.attribute.name.text).or_default().push(value);
        }
    }
    let mut guards: BTreeMap<(String, String), Vec<(Decl, usize)>> = BTreeMap::new();
    for (table, layout) in all.all_tables().filter_map(|table| Some((table, layout(db, root, table).as_ref()?))) {
        for (index, item) in layout.items.iter().enumerate() {
            // What a guard's key is made of bears the name of the attribute, or is a
            // copy of it.
            let def = item.entity_decl.and_then(|decl| entity_def(db, decl));
            let copied = |name: &str| def?.attribute(name)?.copied_from.as_ref()?.attribute.as_ref();
            let meant = made_of(layout, item).map(|name| copied(name).map_or(name, |copied| &copied.text));
            let values: Vec<&UniqueValue<'_>> = meant.filter_map(|name| unique.get(name)).flatten().collect();
            for value in values.into_iter().filter(|value| value.is_guard(db, layout, item)) {
                let value = (value.entity.to_owned(), value.attribute.name.text.clone());
                let known = guards.entry(value).or_default();
                // The value and its scope may be made of one attribute.
                if known.last() != Some(&(table, index)) {
                    known.push((table, index));
                }
            }
        }
    }
    guards
}

/// The guards of the unique attributes of a model, each with the entity whose
/// attribute it guards.
#[salsa::tracked(returns(ref))]
pub fn guard_pairs(db: &dyn Db, root: SourceFile) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for ((entity, _), places) in all_guards(db, root) {
        let items = places.iter().filter_map(|(table, item)| layout(db, root, *table).as_ref()?.items.get(*item));
        pairs.extend(items.map(|item| (item.entity.clone(), entity.clone())));
    }
    pairs
}

/// Whether an entity guards a unique attribute of another.
pub fn is_guard(db: &dyn Db, root: SourceFile, entity: &str) -> bool {
    let mut from = guard_pairs(db, root).range((entity.to_owned(), String::new())..);
    from.next().is_some_and(|(guard, _)| guard == entity)
}

/// Whether one of two entities guards a unique attribute of the other.
pub fn is_guard_of_other(db: &dyn Db, root: SourceFile, a: &str, b: &str) -> bool {
    let pairs = guard_pairs(db, root);
    let pair = |guard: &str, of: &str| (guard.to_owned(), of.to_owned());
    pairs.contains(&pair(a, b)) || pairs.contains(&pair(b, a))
}

fn made_of<'l>(table: &'l TableLayout, item: &'l ItemLayout) -> impl Iterator<Item = &'l str> {
    item.made_from(table.primary_key()).into_iter()
}

/// Whether the item has a value for each attribute of its primary key, as far
/// as the model says.
fn has_key(table: &TableLayout, item: &ItemLayout) -> bool {
    !table.partition.is_empty() && table.primary_key().all(|key| item.keys.contains_key(&key.name))
}

/// Whether a write with this condition fails where the item is there already:
/// `if not_exists`, or the same said of an attribute of the primary key.
pub fn refuses_existing(condition: &WriteConditionKind, table: &TableLayout) -> bool {
    let is_key = |name: &Name| table.primary_key().any(|key| key.name == name.text);
    match condition {
        WriteConditionKind::NotExists => true,
        WriteConditionKind::Conditions(conditions) => conjunct_terms(conditions)
            .any(|term| matches!(existence(term), Some((false, attribute)) if is_key(attribute))),
        WriteConditionKind::Exists | WriteConditionKind::Missing => false,
    }
}

/// Whether a write with this condition fails where the item is not there yet. A
/// comparison with an attribute that is not there is false, but for `<>`.
pub fn wants_existing(condition: &WriteConditionKind) -> bool {
    match condition {
        WriteConditionKind::Exists => true,
        WriteConditionKind::Conditions(conditions) => conjunct_terms(conditions).any(|term| match term {
            Term::Comparison(comparison) => comparison.operator != Operator::NotEqual,
            _ => matches!(existence(term), Some((true, _))),
        }),
        WriteConditionKind::NotExists | WriteConditionKind::Missing => false,
    }
}

/// Whether a term says that an attribute is there, `not` and parentheses around
/// it taken into account, and which.
fn existence(term: &Term) -> Option<(bool, &Name)> {
    let mut term = term;
    let mut positive = true;
    loop {
        match term {
            Term::Existence { exists, attribute, .. } => return Some((*exists == positive, attribute)),
            Term::Not { term: inner, .. } => {
                positive = !positive;
                term = inner;
            }
            Term::Group { conditions, .. } => match conditions.terms.as_slice() {
                [only] => term = only,
                _ => return None,
            },
            Term::Comparison(_) => return None,
        }
    }
}
