//! Making the writes of a step: for which items, with which values, under which
//! conditions.

use super::arrange::{Presence, Who};
use super::conditions::{Chosen, Condition, above, below, number};
use super::express::{Placeholders, update};
use super::fill::{element, filler};
use super::population::Stored;
use super::run::Cx;
use super::spell::{self, Wanted};
use super::wire::item_to_json;
use super::writes::{Action, Write};
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::Source;
use crate::model::resolve::Step;
use crate::model::unique::{refuses_existing, wants_existing};
use serde_json::json;

/// A write for each item of the population: those whose items meet its condition
/// as they are, and where there are none, those that can be made to.
pub(super) fn possible<'db>(cx: &Cx<'_, 'db>, step: Step<'db>) -> Vec<Write<'db>> {
    let Some((source, subject)) = step.source.zip(step.step.op.subject()) else { return Vec::new() };
    let Some(kind) = source.layout.item_of(&subject.entity.text) else { return Vec::new() };
    let all = cx.population.items(&source.layout.name.text).iter();
    let likes: Vec<&Stored> = all.filter(|stored| stored.kind.entity == kind.entity).collect();
    for forced in [false, true] {
        let writes = likes.iter().enumerate().filter_map(|(index, like)| {
            let maker = Maker { cx, op: &step.step.op, entity: &subject.entity.text, fresh: index };
            maker.write(like, forced)
        });
        let writes: Vec<Write> = writes.collect();
        if !writes.is_empty() {
            return writes;
        }
    }
    Vec::new()
}

/// Makes one write of a step.
struct Maker<'m, 'a, 'db> {
    cx: &'m Cx<'a, 'db>,
    op: &'db OpDef,
    entity: &'db str,
    /// Tells new items of the step apart.
    fresh: usize,
}

impl<'db> Maker<'_, '_, 'db> {
    /// The write for an item of the population, or for a new one like it; `None`
    /// where its condition cannot hold. `forced`: attributes of the item may be
    /// given the values that the condition names.
    fn write(&self, like: &Stored<'db>, forced: bool) -> Option<Write<'db>> {
        let condition = self.op.condition().map(|condition| &condition.kind);
        let embedded = like.kind.entity != self.entity;
        let wants = condition.is_some_and(wants_existing);
        let refuses = condition.is_some_and(|condition| refuses_existing(condition, like.layout));
        let mut before = like.clone();
        if forced {
            if let Some(WriteConditionKind::Conditions(conditions)) = condition {
                force(&mut before, conditions);
            }
            before.rebuild();
        }
        let (action, found, after) = match self.op {
            _ if embedded => (Action::Update, Some(before.clone()), Some(self.embedded(&before)?)),
            OpDef::Put { with, .. } if wants => {
                (Action::Put, Some(before.clone()), Some(self.replacement(&before, with)?))
            }
            OpDef::Put { with, .. } => (Action::Put, None, Some(self.newcomer(like, with)?)),
            OpDef::Update { .. } if refuses => return None,
            OpDef::Update { set, remove, .. } => {
                (Action::Update, Some(before.clone()), Some(self.updated(&before, set, remove)))
            }
            OpDef::Delete { .. } => (Action::Delete, Some(before.clone()), None),
            OpDef::Check { .. } if refuses => {
                before = self.newcomer(like, &None)?;
                (Action::Check, None, None)
            }
            OpDef::Check { .. } => (Action::Check, Some(before.clone()), Some(before.clone())),
            OpDef::Get { .. } | OpDef::Query { .. } | OpDef::Scan { .. } => return None,
        };
        let one = after.as_ref().or(found.as_ref()).unwrap_or(&before);
        let key = one.key();
        let table = like.layout.name.text.as_str();
        let there = self.cx.population.find(table, &key);
        let mut placeholders = Placeholders::default();
        let mut body = self.cx.session.request(table);
        match action {
            Action::Put => body.insert("Item".to_owned(), item_to_json(&one.item)),
            _ => body.insert("Key".to_owned(), item_to_json(&key)),
        };
        let item = found.as_ref().map(|stored| stored.item.clone());
        if let (Action::Update, Some(before), Some(after)) = (action, &item, &after) {
            let is_key = |name: &str| key.contains_key(name);
            if let Some(words) = update(&mut placeholders, before, &after.item, |name| self.sets(like, name), is_key) {
                body.insert("UpdateExpression".to_owned(), json!(words));
            }
        }
        if let Some(condition) = condition {
            let words = self.condition(condition, item.as_ref(), one, embedded, &mut placeholders)?;
            body.insert("ConditionExpression".to_owned(), json!(words));
        }
        placeholders.give(&mut body);
        Some(Write {
            layout: like.layout,
            entity: self.entity,
            action,
            key,
            original: there.map(|stored| stored.item.clone()),
            before: item,
            after: after.map(|stored| stored.item),
            body,
        })
    }

    /// Whether the step sets an attribute: one that it names, a key that is made of
    /// such, the list in which it changes something.
    fn sets(&self, like: &Stored<'db>, name: &str) -> bool {
        if like.lists.iter().any(|list| list.entity == self.entity && list.list == name) {
            return true;
        }
        let OpDef::Update { set, .. } = self.op else { return false };
        let uses = like.kind.keys.get(name).map(|source| source.value.attributes()).unwrap_or_default();
        set.iter().any(|own| own.text == name || uses.contains(&own.text.as_str()))
    }

    /// The condition as an expression; `None` where it does not hold.
    fn condition(
        &self,
        condition: &WriteConditionKind,
        found: Option<&Item>,
        one: &Stored<'db>,
        embedded: bool,
        placeholders: &mut Placeholders,
    ) -> Option<String> {
        let partition = one.layout.partition.first()?.name.as_str();
        let list = one.lists.iter().find(|list| list.entity == self.entity).filter(|_| embedded);
        match condition {
            WriteConditionKind::Missing => None,
            WriteConditionKind::Exists => {
                Some(format!("attribute_exists({})", placeholders.name(partition))).filter(|_| found.is_some())
            }
            // The parent's item is there: what must not be is the element.
            WriteConditionKind::NotExists if embedded => {
                let list = list?;
                let new = element(&one.kind.entity, list, list.elements.last()?).0;
                let name = placeholders.name(list.list);
                Some(format!("NOT contains({name}, {})", placeholders.value(&new)))
            }
            WriteConditionKind::NotExists => {
                Some(format!("attribute_not_exists({})", placeholders.name(partition))).filter(|_| found.is_none())
            }
            WriteConditionKind::Conditions(conditions) => {
                let empty = Item::new();
                let item = found.unwrap_or(&empty);
                let is_key = |name: &str| one.layout.sources().flat_map(Source::key).any(|key| key.name == name);
                let element = list.map(|list| (list.list, 0));
                let chosen = Chosen { item, attributes: &one.instance.values, element, is_key: &is_key };
                let condition: Condition = chosen.conditions(conditions, true);
                condition.holds(item).then(|| condition.express(placeholders))
            }
        }
    }

    /// A new item in the place of one of the population, with a primary key of its
    /// own where its key leaves room for one.
    fn newcomer(&self, like: &Stored<'db>, with: &Option<With>) -> Option<Stored<'db>> {
        let population = self.cx.population;
        let count = population.arrangement.entity(&like.kind.entity)?.count;
        let names = exactly(with);
        let presence = names.as_deref().map_or(Presence::AsPlaced, Presence::Exactly);
        let mut who = Who { like: like.instance.who.like, fresh: count + 1 + self.fresh, new_parents: false };
        let make = |who| population.make(self.cx.db, like.layout, like.kind, who, presence).map(|made| made.0);
        let made = make(who)?;
        if population.find(&like.layout.name.text, &made.key()).is_none() {
            return Some(made);
        }
        who.new_parents = true;
        make(who)
    }

    /// An item with the key of one that is there and other values.
    fn replacement(&self, before: &Stored<'db>, with: &Option<With>) -> Option<Stored<'db>> {
        let mut after = before.clone();
        if let Some(names) = exactly(with) {
            let arrangement = &self.cx.population.arrangement;
            let wanted = arrangement.instance(&before.kind.entity, before.instance.who, Presence::Exactly(&names))?;
            let kept = |name: &String| wanted.values.contains_key(name);
            after.instance.values.retain(|name, _| kept(name));
            for (name, value) in wanted.values {
                after.instance.values.entry(name).or_insert(value);
            }
        }
        let fixed = before.kind.made_from(before.layout.primary_key());
        let names: Vec<String> = after.instance.values.keys().cloned().collect();
        for name in names.iter().filter(|name| !fixed.contains(name.as_str())) {
            self.renew(&mut after, name);
        }
        (after.filler, _) = filler(after.kind, after.def, &after.instance);
        after.rebuild();
        Some(after)
    }

    /// The item with new values of what is set, without what is removed.
    fn updated(&self, before: &Stored<'db>, set: &[Name], remove: &[Name]) -> Stored<'db> {
        let mut after = before.clone();
        for name in set {
            self.renew(&mut after, &name.text);
        }
        for name in remove {
            after.instance.values.remove(&name.text);
        }
        after.rebuild();
        after
    }

    fn renew(&self, stored: &mut Stored<'db>, name: &str) {
        let arrangement = &self.cx.population.arrangement;
        let attribute = stored.def.attribute(name);
        let value =
            attribute.and_then(|attribute| arrangement.renewed(&stored.kind.entity, attribute, stored.instance.who));
        if let Some(value) = value {
            stored.instance.values.insert(name.to_owned(), value);
        }
    }

    /// The parent's item with one embedded item more, less or changed (W5).
    fn embedded(&self, before: &Stored<'db>) -> Option<Stored<'db>> {
        let arrangement = &self.cx.population.arrangement;
        let mut after = before.clone();
        let list = after.lists.iter_mut().find(|list| list.entity == self.entity)?;
        match self.op {
            OpDef::Put { with, .. } => {
                let count = arrangement.entity(self.entity)?.count;
                let like = list.elements.first().map_or(0, |one| one.who.like);
                let who = Who { like, fresh: count + 1 + self.fresh, new_parents: false };
                let names = exactly(with);
                let presence = names.as_deref().map_or(Presence::AsPlaced, Presence::Exactly);
                list.elements.push(arrangement.instance(self.entity, who, presence)?);
            }
            OpDef::Delete { .. } if !list.elements.is_empty() => {
                list.elements.remove(0);
            }
            OpDef::Update { set, remove, .. } => {
                let def = list.def;
                let one = list.elements.first_mut()?;
                for name in set {
                    let attribute = def.attribute(&name.text);
                    let value = attribute.and_then(|a| arrangement.renewed(self.entity, a, one.who));
                    if let Some(value) = value {
                        one.values.insert(name.text.clone(), value);
                    }
                }
                for name in remove {
                    one.values.remove(&name.text);
                }
            }
            _ => return None,
        }
        after.rebuild();
        Some(after)
    }
}

/// The optional attributes that a `with` names.
fn exactly(with: &Option<With>) -> Option<Vec<&str>> {
    with.as_ref().map(|with| with.attributes.iter().map(|name| name.text.as_str()).collect())
}

/// Gives attributes the values that a condition compares them with.
fn force(stored: &mut Stored<'_>, conditions: &ConditionsDef) {
    for comparison in conjuncts(conditions) {
        let name = &comparison.attribute.text;
        let (Some(attribute), Some(operand)) = (stored.def.attribute(name), comparison.operands.first()) else {
            continue;
        };
        let literal = match operand {
            OperandDef::String { value, .. } => Value::S(value.clone()),
            OperandDef::Number(value) => Value::N(number(value)),
            OperandDef::Boolean { value, .. } => Value::Bool(*value),
            // What the caller supplies follows the item, which must have a value.
            OperandDef::Parameter(_) => match stored.instance.values.get(name) {
                Some(_) => continue,
                None => spell::value(Wanted { attribute, tag: 0, number: 1, digits: None }),
            },
        };
        let value = match comparison.operator {
            Operator::Greater | Operator::NotEqual => above(&literal),
            Operator::Less => below(&literal),
            _ => literal,
        };
        if !stored.kind.made_from(stored.layout.primary_key()).contains(name.as_str()) {
            stored.instance.values.insert(name.clone(), value);
        }
    }
}
