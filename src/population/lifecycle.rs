//! What the updates of a model say of its items at one time: an attribute that is
//! removed where another is set is not there beside it, and as long as it is there, a
//! state that is set with its removal is the one before.

use super::becoming::{Becoming, becoming};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::names::{find_entity, names, pattern_def};
use std::collections::{BTreeMap, BTreeSet};

/// What the updates say, by entity.
#[derive(Default)]
pub struct Lifecycle<'db> {
    pub entities: BTreeMap<&'db str, Said<'db>>,
    becoming: Vec<Becoming<'db>>,
    /// What the conditions of writes want flags to be, by entity and attribute.
    flags: BTreeMap<(&'db str, &'db str), BTreeSet<bool>>,
}

/// What they say of the items of one entity.
#[derive(Default)]
pub struct Said<'db> {
    /// Optional attributes that are not there at the same time.
    pub apart: BTreeSet<(&'db str, &'db str)>,
    pub states: Vec<State<'db>>,
    /// Enums that some update sets, with the first of their values: what is new has that.
    pub begins: BTreeMap<&'db str, &'db str>,
    /// Numbers that an update sets only where the version beside them is what the caller
    /// read, each with that version.
    pub guarded: BTreeMap<&'db str, &'db str>,
}

impl Said<'_> {
    /// Whether a number counts the changes of its item: an update sets it where it is
    /// what the caller read.
    pub fn is_version(&self, name: &str) -> bool {
        self.guarded.get(name).is_some_and(|version| *version == name)
    }
}

/// What a state is as long as an attribute is there.
pub struct State<'db> {
    pub beside: &'db str,
    pub state: &'db str,
    pub value: &'db str,
}

/// A write as far as it tells: what is there after it, what is not, under which
/// condition.
struct Told<'db> {
    sets: Vec<&'db str>,
    removes: Vec<&'db str>,
    condition: Option<&'db ConditionsDef>,
}

impl Told<'_> {
    /// Whether its condition is about an attribute.
    fn looks_at(&self, name: &str) -> bool {
        let terms = self.condition.map(ConditionsDef::leaves).unwrap_or_default();
        terms.into_iter().filter_map(Term::attribute).any(|own| own.text == name)
    }
}

impl<'db> Lifecycle<'db> {
    /// What the patterns of a model say.
    pub fn new(db: &'db dyn Db, root: SourceFile) -> Self {
        let mut writes: BTreeMap<&'db str, Vec<Told<'db>>> = BTreeMap::new();
        let mut flags: BTreeMap<(&'db str, &'db str), BTreeSet<bool>> = BTreeMap::new();
        for pattern in names(db, root).all_patterns().filter_map(|decl| pattern_def(db, decl)) {
            for step in pattern.operations.iter().flat_map(|operation| &operation.steps) {
                for (flag, wanted) in wanted_flags(&step.op) {
                    flags.entry(flag).or_default().insert(wanted);
                }
                if let Some((entity, told)) = told(&step.op) {
                    writes.entry(entity).or_default().push(told);
                }
            }
        }
        let said = writes.into_iter().filter_map(|(entity, writes)| {
            let def = find_entity(db, root, entity)?;
            let guarded = guarded(def, &writes);
            let begins = begins(def, &writes);
            Some((entity, Said { apart: apart(def, &writes), states: states(def, &writes), begins, guarded }))
        });
        Self { entities: said.collect(), becoming: becoming(db, root), flags }
    }

    /// What conditions want a flag to be, where they want one thing.
    pub fn wants(&self, entity: &str, attribute: &str) -> Option<bool> {
        let wanted = self.flags.get(&(entity, attribute)).filter(|wanted| wanted.len() == 1)?;
        wanted.first().copied()
    }

    /// What an update makes of an enum, as far as the model tells it.
    pub fn becomes(&self, op: &OpDef, attribute: &str) -> Option<&'db str> {
        let own = self.becoming.iter().find(|own| std::ptr::eq(own.op, op) && own.attribute == attribute);
        own.map(|own| own.value)
    }
}

/// The enums that some update sets, and no put is told to: those of an item that is
/// there in any case.
fn begins<'db>(def: &'db EntityDef, writes: &[Told<'db>]) -> BTreeMap<&'db str, &'db str> {
    let attributes = def.attributes.iter().filter(|own| !own.optional && !own.id && own.example.is_none());
    let changing = attributes.filter(|own| writes.iter().any(|told| told.sets.contains(&own.name.text.as_str())));
    let first = changing.filter_map(|own| match &own.ty {
        Type::Enum(values) => Some((own.name.text.as_str(), values.first()?.text.as_str())),
        _ => None,
    });
    first.collect()
}

/// The numbers that are set under a comparison of a version, that itself among them.
fn guarded<'db>(def: &'db EntityDef, writes: &[Told<'db>]) -> BTreeMap<&'db str, &'db str> {
    let is_number = |name: &&str| def.attribute(name).is_some_and(|own| own.ty == Type::Number && !own.id);
    let mut guarded = BTreeMap::new();
    for told in writes {
        let compared = told.condition.into_iter().flat_map(conjuncts).filter(|comparison| is_equated(comparison));
        let compared: Vec<&str> = compared.map(|comparison| comparison.attribute.text.as_str()).collect();
        let numbers = || told.sets.iter().copied().filter(is_number);
        if let Some(version) = numbers().find(|name| compared.contains(name)) {
            guarded.extend(numbers().map(|name| (name, version)));
        }
    }
    guarded
}

/// What the condition of a write wants the flags of its item to be, whatever else holds.
fn wanted_flags(op: &OpDef) -> impl Iterator<Item = ((&str, &str), bool)> {
    let conditions = op.condition().and_then(|condition| match &condition.kind {
        WriteConditionKind::Conditions(conditions) => Some(conditions),
        _ => None,
    });
    let entity = op.subject().map(|subject| subject.entity.text.as_str());
    conditions.into_iter().flat_map(conjuncts).filter_map(move |comparison| match comparison.operands.as_slice() {
        [OperandDef::Boolean { value, .. }] if comparison.operator == Operator::Equal => {
            Some(((entity?, comparison.attribute.text.as_str()), *value))
        }
        _ => None,
    })
}

/// Whether a comparison wants what the caller supplies, and nothing else.
pub fn is_equated(comparison: &Comparison) -> bool {
    comparison.operator == Operator::Equal && matches!(comparison.operands.as_slice(), [OperandDef::Parameter(_)])
}

fn told(op: &OpDef) -> Option<(&str, Told<'_>)> {
    fn texts(names: &[Name]) -> Vec<&str> {
        names.iter().map(|name| name.text.as_str()).collect()
    }
    let told = match op {
        OpDef::Put { with: Some(with), .. } => {
            Told { sets: texts(&with.attributes), removes: Vec::new(), condition: None }
        }
        OpDef::Update { set, remove, .. } => {
            let condition = op.condition().and_then(|condition| match &condition.kind {
                WriteConditionKind::Conditions(conditions) => Some(conditions),
                _ => None,
            });
            Told { sets: texts(set), removes: texts(remove), condition }
        }
        _ => return None,
    };
    Some((op.subject()?.entity.text.as_str(), told))
}

/// The pairs of which some update sets the one and removes the other in an exchange:
/// its condition looks at one of them. No write sets both.
fn apart<'db>(def: &'db EntityDef, writes: &[Told<'db>]) -> BTreeSet<(&'db str, &'db str)> {
    let is_optional = |name: &str| def.attribute(name).is_some_and(|attribute| attribute.optional);
    let mut pairs = BTreeSet::new();
    for write in writes {
        for set in write.sets.iter().filter(|name| is_optional(name)) {
            let others = write.removes.iter().filter(|name| is_optional(name) && *name != set);
            let others = others.filter(|removed| write.looks_at(set) || write.looks_at(removed));
            pairs.extend(others.map(|removed| (*set.min(removed), *set.max(removed))));
        }
    }
    pairs.retain(|(one, other)| !writes.iter().any(|write| write.sets.contains(one) && write.sets.contains(other)));
    pairs
}

/// The enums that no update sets without removing the same optional attribute: beside
/// that they still have the value that its condition names, else their first.
fn states<'db>(def: &'db EntityDef, writes: &[Told<'db>]) -> Vec<State<'db>> {
    let mut states = Vec::new();
    for attribute in def.attributes.iter().filter(|attribute| !attribute.optional && !attribute.id) {
        let (Type::Enum(values), name) = (&attribute.ty, attribute.name.text.as_str()) else { continue };
        let setting: Vec<&Told> = writes.iter().filter(|write| write.sets.contains(&name)).collect();
        let Some(first) = setting.first() else { continue };
        let removed = first.removes.iter().filter(|name| setting.iter().all(|write| write.removes.contains(name)));
        let removed = removed.filter(|name| def.attribute(name).is_some_and(|attribute| attribute.optional));
        let named = setting.iter().filter_map(|write| value_before(write.condition?, name));
        let value = named.chain(values.first().map(|name| name.text.as_str())).next();
        let is_value = |value: &&str| values.iter().any(|name| name.text == *value);
        if let Some(value) = value.filter(is_value) {
            states.extend(removed.map(|beside| State { beside, state: name, value }));
        }
    }
    states
}

/// The value that a condition wants an attribute to have.
fn value_before<'db>(conditions: &'db ConditionsDef, name: &str) -> Option<&'db str> {
    conjuncts(conditions).into_iter().find_map(|comparison| match comparison.operands.as_slice() {
        [OperandDef::String { value, .. }]
            if comparison.operator == Operator::Equal && comparison.attribute.text == name =>
        {
            Some(value.as_str())
        }
        _ => None,
    })
}
