//! Making the writes of a step: for which items, with which values, under which
//! conditions.

use super::amounts;
use super::beginning::begin;
use super::conditions::{Chosen, Condition};
use super::express::{Placeholders, update};
use super::force::force;
use super::nearby;
use super::origin::{Operand, of_item};
use super::owner::Owner;
use super::table_request;
use super::write::{Action, Write};
use crate::capacity::values::{Item, Value};
use crate::model::db::Db;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::resolve::Step;
use crate::model::unique::{refuses_existing, wants_existing};
use crate::population::arrange::{Presence, Who};
use crate::population::belonging::Adopted;
use crate::population::fill::{element, filler};
use crate::population::items::{Population, Stored};
use crate::population::lifecycle::is_equated;
use crate::population::spell::Spelling;

/// A write for each item of the population: those whose items meet its condition
/// as they are, and where there are none, those that can be made to.
pub fn possible<'db>(db: &'db dyn Db, population: &Population<'db>, step: Step<'db>) -> Vec<Write<'db>> {
    possible_beside(db, population, step, &Beside::default())
}

/// What an item takes from others that the same call touches.
#[derive(Clone, Default)]
pub struct Beside<'a> {
    /// Its parents among them.
    pub adopted: Vec<Adopted<'a>>,
    /// What it has in common with one that refers to it.
    pub common: Item,
    /// Numbers of what is new in it, by their names.
    pub told: Item,
    /// What parameters of the pattern are already, by their names.
    pub given: Item,
    /// The most that its numbers may be that are called as a parameter.
    pub most: Vec<(&'a str, Value)>,
    /// What another item of its entity loses of numbers, and this one gets.
    pub gained: Item,
}

/// The same beside other items of a call: what is put, and to what an update refers,
/// is theirs.
pub fn possible_beside<'db>(
    db: &'db dyn Db,
    population: &Population<'db>,
    step: Step<'db>,
    beside: &Beside<'_>,
) -> Vec<Write<'db>> {
    let as_they_are = made(db, population, step, beside, false);
    if as_they_are.is_empty() { made(db, population, step, beside, true) } else { as_they_are }
}

/// The writes of a step; `forced`: items may be given the values that its condition
/// names.
pub fn made<'db>(
    db: &'db dyn Db,
    population: &Population<'db>,
    step: Step<'db>,
    beside: &Beside<'_>,
    forced: bool,
) -> Vec<Write<'db>> {
    let Some((source, subject)) = step.source.zip(step.step.op.subject()) else { return Vec::new() };
    let Some(kind) = source.layout.item_of(&subject.entity.text) else { return Vec::new() };
    let all = population.items(&source.layout.name.text).iter();
    let likes = all.filter(|stored| stored.kind.entity == kind.entity);
    let writes = likes.enumerate().filter_map(|(index, like)| {
        let many = step.step.times() > 1.0;
        let maker = Maker { db, population, op: &step.step.op, subject, many, fresh: index, beside };
        maker.write(like, forced)
    });
    writes.collect()
}

/// Makes one write of a step.
struct Maker<'m, 'db> {
    db: &'db dyn Db,
    population: &'m Population<'db>,
    op: &'db OpDef,
    subject: &'db Subject,
    /// Whether one call runs the step more than once.
    many: bool,
    /// Tells new items of the step apart.
    fresh: usize,
    /// What its items take from others of the same call.
    beside: &'m Beside<'m>,
}

impl<'db> Maker<'_, 'db> {
    /// The write for an item of the population, or for a new one like it; `None`
    /// where its condition cannot hold. `forced`: attributes of the item may be
    /// given the values that the condition names.
    fn write(&self, like: &Stored<'db>, forced: bool) -> Option<Write<'db>> {
        let condition = self.op.condition().map(|condition| &condition.kind);
        let wants = condition.is_some_and(wants_existing);
        let is_put = matches!(self.op, OpDef::Put { .. });
        let write = self.write_over(like, forced, wants);
        // What holds by one of several ways (`or`) may hold for what is there only.
        write.or_else(|| self.write_over(like, forced, true).filter(|_| is_put && !wants))
    }

    /// The same; `wants`: a put takes the place of an item.
    fn write_over(&self, like: &Stored<'db>, forced: bool, wants: bool) -> Option<Write<'db>> {
        let condition = self.op.condition().map(|condition| &condition.kind);
        let embedded = like.kind.entity != self.entity();
        let refuses = condition.is_some_and(|condition| refuses_existing(condition, like.layout));
        let mut before = like.clone();
        if forced {
            if let Some(WriteConditionKind::Conditions(conditions)) = condition {
                force(&mut before, conditions, &self.beside.given);
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
        let there = self.population.find(table, &key);
        let mut placeholders = Placeholders::keeping(self.compared());
        let mut body = table_request(table);
        match action {
            Action::Put => body.place("Item", &one.item, |name| of_item(one, name)),
            _ => body.place("Key", &key, |name| of_item(one, name)),
        }
        let item = found.as_ref().map(|stored| stored.item.clone());
        if let (Action::Update, Some(before), Some(after)) = (action, &item, &after) {
            let is_key = |name: &str| key.contains_key(name);
            let named = |name: &str| self.sets(like, name);
            let removed: Vec<&str> = match self.op {
                OpDef::Update { remove, .. } if !embedded => remove.iter().map(|name| name.text.as_str()).collect(),
                _ => Vec::new(),
            };
            let origin = |name: &str| of_item(after, name);
            let counted = |name: &str| !embedded && self.counts(after, name) && before.contains_key(name);
            let change = (before, &after.item);
            if let Some(words) = update(&mut placeholders, change, &removed, named, is_key, origin, counted) {
                body.insert("UpdateExpression", words);
            }
        }
        if let Some(condition) = condition {
            let words = self.condition(condition, item.as_ref(), one, embedded, &mut placeholders)?;
            body.insert("ConditionExpression", words);
        }
        placeholders.give(&mut body);
        Some(Write {
            layout: like.layout,
            entity: self.entity(),
            owner: self.owner(one),
            action,
            who: one.instance.who,
            key,
            original: there.map(|stored| stored.item.clone()),
            before: item,
            after: after.map(|stored| stored.item),
            body,
        })
    }

    /// The entity that the step names.
    fn entity(&self) -> &'db str {
        &self.subject.entity.text
    }

    /// The item among the others of its call.
    fn owner(&self, one: &Stored<'db>) -> Owner {
        let role = self.subject.role.as_ref().map_or(one.kind.entity.as_str(), |role| &role.text);
        let mut owner = Owner::of(one, role, 0);
        let is_number = |name: &str| one.def.attribute(name).is_some_and(|attribute| attribute.ty == Type::Number);
        if let OpDef::Update { set, .. } = self.op {
            let numbers = set.iter().map(|name| &name.text).filter(|name| is_number(name) && owner.own.contains(*name));
            owner.counters = numbers.cloned().collect();
        }
        // How much is taken of each of several items differs from one to the next.
        for comparison in self.comparisons().filter(|comparison| self.many && is_number(&comparison.attribute.text)) {
            owner.own.extend(parameters(comparison).map(str::to_owned));
        }
        owner
    }

    /// What its condition compares, and with which parameters.
    fn compared(&self) -> impl Iterator<Item = &'db str> {
        self.comparisons().flat_map(|comparison| {
            let alone = comparison.operands.iter().any(|operand| !matches!(operand, OperandDef::Parameter(_)));
            parameters(comparison).chain(Some(comparison.attribute.text.as_str()).filter(|_| alone))
        })
    }

    /// The comparisons of its condition.
    fn comparisons(&self) -> impl Iterator<Item = &'db Comparison> {
        let condition = self.op.condition().and_then(|condition| match &condition.kind {
            WriteConditionKind::Conditions(conditions) => Some(conditions),
            _ => None,
        });
        condition.into_iter().flat_map(|conditions| conditions.leaves()).filter_map(|leaf| match leaf {
            Term::Comparison(comparison) => Some(comparison),
            _ => None,
        })
    }

    /// Whether the step sets a version that it does not compare: it can only count it, for
    /// those that do.
    fn counts(&self, stored: &Stored<'db>, name: &str) -> bool {
        let OpDef::Update { set, .. } = self.op else { return false };
        let said = self.population.arrangement.said(&stored.kind.entity);
        let is_compared = || self.comparisons().any(|own| own.attribute.text == name && is_equated(own));
        set.iter().any(|own| own.text == name) && said.is_some_and(|said| said.is_version(name)) && !is_compared()
    }

    /// Whether the step sets an attribute: one that it names, a key that is made of
    /// such, the list in which it changes something.
    fn sets(&self, like: &Stored<'db>, name: &str) -> bool {
        if like.lists.iter().any(|list| list.entity == self.entity() && list.list == name) {
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
        let list = one.lists.iter().find(|list| list.entity == self.entity()).filter(|_| embedded);
        match condition {
            WriteConditionKind::Missing => None,
            WriteConditionKind::Exists => {
                Some(format!("attribute_exists({})", placeholders.name(partition))).filter(|_| found.is_some())
            }
            // The parent's item is there: what must not be is the element.
            WriteConditionKind::NotExists if embedded => {
                let list = list?;
                let new = element(&one.kind.entity, list, list.elements.last()?, one.spelling()).0;
                let name = placeholders.name(list.list);
                Some(format!(
                    "NOT contains({name}, {})",
                    placeholders.value(list.list, &Operand::attribute(list.entity, new))
                ))
            }
            WriteConditionKind::NotExists => {
                Some(format!("attribute_not_exists({})", placeholders.name(partition))).filter(|_| found.is_none())
            }
            WriteConditionKind::Conditions(conditions) => {
                let empty = Item::new();
                let item = found.unwrap_or(&empty);
                let is_key = |name: &str| one.layout.sources().flat_map(Source::key).any(|key| key.name == name);
                let element = list.map(|list| (list.list, 0));
                let spelling = one.spelling();
                let chosen = Chosen {
                    item,
                    attributes: &one.instance.values,
                    element,
                    is_key: &is_key,
                    told: &self.beside.told,
                    given: &self.beside.given,
                    spelling,
                };
                let condition: Condition = chosen.conditions(conditions, true);
                condition.holds(item).then(|| condition.express(placeholders))
            }
        }
    }

    /// A new item in the place of one of the population, with a primary key of its
    /// own where its key leaves room for one.
    fn newcomer(&self, like: &Stored<'db>, with: &Option<With>) -> Option<Stored<'db>> {
        let population = self.population;
        let count = population.arrangement.entity(&like.kind.entity)?.count;
        let names = exactly(with);
        let presence = names.as_deref().map_or(Presence::AsPlaced, Presence::Exactly);
        let mut who = Who { like: like.instance.who.like, fresh: count + 1 + self.fresh, new_parents: false };
        let make = |who| {
            let mut made = population.make(self.db, like.layout, like.kind, who, presence)?.0;
            for parent in &self.beside.adopted {
                population.arrangement.adopt(&like.kind.entity, &mut made.instance, parent, |_| true);
            }
            begin(population, &mut made);
            for (name, value) in &self.beside.common {
                if let Some(own) = made.instance.values.get_mut(name) {
                    *own = value.clone();
                }
            }
            amounts::keep_to(&self.beside.most, &mut made);
            made.rebuild();
            Some(made)
        };
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
            let arrangement = &self.population.arrangement;
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
        (after.filler, _) = filler(after.kind, after.def, &after.instance, after.spelling());
        after.rebuild();
        Some(after)
    }

    /// The item with new values of what is set, without what is removed.
    fn updated(&self, before: &Stored<'db>, set: &[Name], remove: &[Name]) -> Stored<'db> {
        let mut after = before.clone();
        for name in set {
            self.renew(&mut after, &name.text);
        }
        if after.spelling() == Spelling::Plausible {
            amounts::count(self.op, self.beside, before, &mut after);
        }
        for name in set.iter().map(|name| &name.text).filter(|name| self.counts(before, name)) {
            let one = Value::N("1".to_owned());
            if let Some(more) = before.instance.values.get(name).and_then(|held| nearby::sum(held, &one, 1)) {
                after.instance.values.insert(name.clone(), more);
            }
        }
        let is_set = |own: &str| set.iter().any(|name| name.text == own);
        for parent in &self.beside.adopted {
            self.population.arrangement.adopt(&after.kind.entity, &mut after.instance, parent, is_set);
        }
        for name in remove {
            after.instance.values.remove(&name.text);
        }
        self.population.arrangement.agree(&after.kind.entity, &mut after.instance.values, is_set);
        after.rebuild();
        after
    }

    fn renew(&self, stored: &mut Stored<'db>, name: &str) {
        let arrangement = &self.population.arrangement;
        let attribute = stored.def.attribute(name);
        let value = attribute.and_then(|attribute| {
            let told = arrangement.becomes(self.op, attribute);
            told.or_else(|| arrangement.renewed(&stored.kind.entity, attribute, stored.instance.who))
        });
        if let Some(value) = value {
            stored.instance.values.insert(name.to_owned(), value);
        }
    }

    /// The parent's item with one embedded item more, less or changed (W5).
    fn embedded(&self, before: &Stored<'db>) -> Option<Stored<'db>> {
        let arrangement = &self.population.arrangement;
        let mut after = before.clone();
        let list = after.lists.iter_mut().find(|list| list.entity == self.entity())?;
        match self.op {
            OpDef::Put { with, .. } => {
                let count = arrangement.entity(self.entity())?.count;
                let like = list.elements.first().map_or(0, |one| one.who.like);
                let who = Who { like, fresh: count + 1 + self.fresh, new_parents: false };
                let names = exactly(with);
                let presence = names.as_deref().map_or(Presence::AsPlaced, Presence::Exactly);
                list.elements.push(arrangement.instance(self.entity(), who, presence)?);
            }
            OpDef::Delete { .. } if !list.elements.is_empty() => {
                list.elements.remove(0);
            }
            OpDef::Update { set, remove, .. } => {
                let def = list.def;
                let one = list.elements.first_mut()?;
                for name in set {
                    let attribute = def.attribute(&name.text);
                    let value = attribute.and_then(|a| {
                        arrangement.becomes(self.op, a).or_else(|| arrangement.renewed(self.entity(), a, one.who))
                    });
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

/// The parameters of a comparison.
fn parameters(comparison: &Comparison) -> impl Iterator<Item = &str> {
    comparison.operands.iter().filter_map(|operand| match operand {
        OperandDef::Parameter(name) => Some(name.text.as_str()),
        _ => None,
    })
}

/// The optional attributes that a `with` names.
fn exactly(with: &Option<With>) -> Option<Vec<&str>> {
    with.as_ref().map(|with| with.attributes.iter().map(|name| name.text.as_str()).collect())
}
