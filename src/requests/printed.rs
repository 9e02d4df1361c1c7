//! The requests of a pattern as documents print them, one an operation, with
//! values of the readers' population: what `verify` sends before it measures.

use super::bindings::{Bound, bindings};
use super::conditions::Condition;
use super::group::{self, Turns};
use super::inputs::{Input, named};
use super::maker::{Beside, possible, possible_beside};
use super::origin::{Operand, Origin, Placed};
use super::overwrites::{Overwrite, overwrites};
use super::read::{self, Asked};
use super::shape::Shape;
use super::together::{TOO_FEW, UNMET, printed, together};
use super::write::Write;
use super::{RUNNABLE, Request};
use crate::capacity::values::Item;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::index_reads::refused_filter;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{Source, TableLayout};
use crate::model::names::{names, pattern_def};
use crate::model::resolve::{Step, steps};
use crate::population::images::{Entry, entries, order};
use crate::population::items::{Population, Stored};
use crate::population::plan::PRINTED;
use crate::population::spell::Spelling;
use crate::rules::judge::errors_of;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An operation of a pattern with its request.
pub struct Printed<'db> {
    /// Which operation of the pattern, counted from 0.
    pub operation: usize,
    /// `query Orders.ByDay`.
    pub words: String,
    /// How often one call of the pattern sends the request.
    pub times: f64,
    /// Of a transaction or batch, the entities of which more items take part than
    /// the request shows, and how many do.
    pub shortened: Vec<(String, f64)>,
    /// Attributes that it sets to what the caller computed of what another call may
    /// change.
    pub overwrites: Vec<Overwrite>,
    /// The request, or why there is none.
    pub made: Result<Made<'db>, String>,
}

/// A request with what it is made of and what comes of it.
pub struct Made<'db> {
    pub request: Request,
    /// What the caller supplies, each under a name of its own; the origins in the
    /// request use these names.
    pub inputs: Vec<Input>,
    pub expected: Expected<'db>,
    /// The tables and indexes that it touches.
    pub sources: Vec<Source<'db>>,
}

/// What comes of a request on the readers' population.
pub enum Expected<'db> {
    /// Items that come back, each with its entity.
    Items {
        items: Vec<(String, Item)>,
        promised: Promised,
        /// It is answered from a local index and the table behind it.
        fetches: bool,
    },
    /// Items that are written.
    Writes(Vec<Write<'db>>),
}

/// What of the items that come back is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promised {
    /// It is these.
    Items,
    /// So many: a limit cuts off some of several that come in no promised order.
    Number,
    /// Nothing: a filter keeps what it meets of those.
    Nothing,
}

/// The requests of a pattern's operations, in the order of the text; none where
/// it has no operation. Reads that follow others ask for what those return.
pub fn of_pattern<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    decl: Decl,
    population: &Population<'db>,
) -> Vec<Printed<'db>> {
    let Some(pattern) = pattern_def(db, decl) else { return Vec::new() };
    let all: Vec<Step<'db>> = steps(db, root, decl).collect();
    let own = error(db, root, decl);
    let mut printer = Printer { db, root, pattern, population, seen: Seen::default() };
    let printed = pattern.operations.iter().enumerate().map(|(operation, definition)| {
        let steps: Vec<Step<'db>> = all.iter().filter(|step| step.resolved.operation == operation).copied().collect();
        let made = match &own {
            Some(why) => Err(why.clone()),
            None => printer.operation(definition, &steps),
        };
        let many = definition.steps.iter().filter(|step| step.times() > PRINTED as f64 && definition.group.is_some());
        let many = many.filter_map(|step| Some((step.op.subject()?.entity.text.clone(), step.times())));
        Printed {
            operation,
            words: words(definition),
            times: if definition.group.is_some() { 1.0 } else { definition.steps.first().map_or(1.0, StepDef::times) },
            shortened: many.collect(),
            overwrites: definition.steps.iter().flat_map(|step| overwrites(&step.op, population)).collect(),
            made,
        }
    });
    printed.collect()
}

/// An operation in a few words: `query Orders.ByDay`, `transact write: put User,
/// put Claim`.
pub fn words(operation: &OperationDef) -> String {
    let steps = operation.steps.iter().map(|step| {
        let target = step.op.table().map_or("", |name| &name.text);
        let index = step.op.index().map(|name| format!(".{}", name.text)).unwrap_or_default();
        match step.op.subject() {
            Some(subject) => format!("{} {} {target}{index}", step.op.word(), subject.entity.text),
            None => format!("{} {target}{index}", step.op.word()),
        }
    });
    let steps = steps.collect::<Vec<_>>().join(", ");
    let Some(group) = &operation.group else { return steps };
    format!("{} {}: {steps}", group.kind.word(), group.mode.word())
}

/// An error of a declaration that keeps requests from being made.
fn error(db: &dyn Db, root: SourceFile, decl: Decl) -> Option<String> {
    let mut errors = errors_of(db, root, decl).filter(|finding| !RUNNABLE.contains(&finding.rule.name));
    errors.next().map(|finding| format!("the model has an error: {}", finding.message))
}

/// Makes the requests of a pattern one after the other.
struct Printer<'p, 'db> {
    db: &'db dyn Db,
    root: SourceFile,
    pattern: &'db PatternDef,
    population: &'p Population<'db>,
    /// The items that requests before have returned.
    seen: Seen,
}

/// The items that requests have returned, as texts, in their order.
#[derive(Default)]
pub(super) struct Seen {
    places: BTreeMap<String, usize>,
    /// What parameters of requests before were, by their names.
    pub(super) parameters: Item,
}

impl Seen {
    fn extend(&mut self, keys: impl IntoIterator<Item = String>) {
        for key in keys {
            let next = self.places.len();
            self.places.entry(key).or_insert(next);
        }
    }

    /// Notes what parameters were of which a request has one value.
    fn note_parameters(&mut self, values: &[Placed]) {
        let own = |placed: &'_ Placed| match &placed.origin {
            Origin::Parameter(name) => Some(name.clone()),
            _ => None,
        };
        for placed in values {
            let Some(name) = own(placed) else { continue };
            let others = values.iter().filter(|other| own(other).as_ref() == Some(&name));
            if others.into_iter().all(|other| other.value == placed.value) {
                self.parameters.entry(name).or_insert_with(|| placed.value.clone());
            }
        }
    }

    /// How many of the values of a key condition are not what their parameters were before.
    fn strange(&self, bound: &Bound) -> usize {
        let operands = bound.terms.iter().flat_map(|term| &term.operands);
        let is_strange = |operand: &&Operand| match &operand.origin {
            Origin::Parameter(name) => self.parameters.get(name).is_some_and(|known| *known != operand.value),
            _ => false,
        };
        operands.filter(is_strange).count()
    }

    /// Where an item stands among them; behind them all where it does not.
    pub(super) fn place(&self, key: &str) -> usize {
        self.places.get(key).copied().unwrap_or(usize::MAX)
    }
}

impl<'db> Printer<'_, 'db> {
    fn operation(&mut self, definition: &'db OperationDef, steps: &[Step<'db>]) -> Result<Made<'db>, String> {
        if steps.is_empty() || steps.len() != definition.steps.len() || steps.iter().any(|step| step.source.is_none()) {
            return Err("it names something that there is not".to_owned());
        }
        for source in steps.iter().filter_map(|step| step.source) {
            self.sound(source.layout)?;
        }
        let (request, expected) = match (&definition.group, steps) {
            (Some(group), _) => match group.mode {
                GroupMode::Write => self.group_write(group.kind, steps)?,
                GroupMode::Get => self.group_get(group.kind, steps)?,
            },
            (None, [step]) => match step.step.op {
                OpDef::Get { .. } => self.get(*step)?,
                OpDef::Query { .. } => self.query(*step)?,
                OpDef::Scan { .. } => self.scan(*step)?,
                _ => self.write(*step)?,
            },
            (None, _) => return Err("it is not one operation".to_owned()),
        };
        let mut request = request;
        self.seen.note_parameters(&request.body.values);
        let inputs = named(&mut request.body.values);
        Ok(Made { request, inputs, expected, sources: steps.iter().filter_map(|step| step.source).collect() })
    }

    /// Whether a table and what it holds are without errors.
    fn sound(&self, layout: &'db TableLayout) -> Result<(), String> {
        let all = names(self.db, self.root);
        let entities = layout.items.iter().filter_map(|item| all.entity(&item.entity));
        match std::iter::once(layout.decl).chain(entities).find_map(|decl| error(self.db, self.root, decl)) {
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    /// The items of the entity that a `get` names, those seen before first.
    fn there(&self, step: &Step<'db>) -> Vec<&Stored<'db>> {
        let table = step.source.map_or("", |source| source.layout.name.text.as_str());
        let entity = step.resolved.reached.first().map_or("", String::as_str);
        let all = self.population.items(table).iter().filter(|stored| stored.kind.entity == entity);
        let mut all: Vec<&Stored> = all.collect();
        all.sort_by_key(|stored| self.seen.place(&group::key_of_stored(stored)));
        all
    }

    fn get(&mut self, step: Step<'db>) -> Result<(Request, Expected<'db>), String> {
        let source = step.source.filter(|source| source.index.is_none()).ok_or("an index has no `get`")?;
        let shape = Shape::new(self.pattern, &step, source);
        let there = self.there(&step);
        let stored = *there.first().ok_or(NOTHING)?;
        let request = read::get(stored, &shape);
        let seen = group::key_of_stored(stored);
        let items = vec![(stored.kind.entity.clone(), shape.of(&stored.item))];
        self.seen.extend([seen]);
        Ok((request, Expected::Items { items, promised: Promised::Items, fetches: false }))
    }

    fn query(&mut self, step: Step<'db>) -> Result<(Request, Expected<'db>), String> {
        let (Some(source), OpDef::Query { conditions: Some(conditions), options, .. }) = (step.source, &step.step.op)
        else {
            return Err("it has no key condition".to_owned());
        };
        if let Some(why) = refused_filter(self.db, &step) {
            return Err(why);
        }
        let items = self.population.items(&source.layout.name.text);
        let is_reached = |entry: &Entry| step.resolved.reached.contains(&entry.stored.kind.entity);
        let (reached, others): (Vec<Entry>, Vec<Entry>) = entries(source, items).into_iter().partition(is_reached);
        let comparisons = conjuncts(conditions);
        let bound = bindings(&comparisons, if reached.is_empty() { &others } else { &reached }, Spelling::Plausible);
        let ordered = |bound: &Bound| {
            let mut matched: Vec<&Entry> = reached.iter().filter(|entry| bound.holds(&entry.image)).collect();
            matched.sort_by(|a, b| order(source, &a.image, &b.image));
            if options.descending.is_some() {
                matched.reverse();
            }
            matched
        };
        // A reader sees most where most comes back.
        let returned = |bound: &Bound| {
            let matched = ordered(bound);
            Reading { step, source, options, bound: Some(bound), ordered: &matched, tied: false }.kept().len()
        };
        let bound = bound
            .into_iter()
            .min_by_key(|bound| (self.seen.strange(bound), Reverse(returned(bound)), bound.place))
            .ok_or(NOTHING)?;
        let matched = ordered(&bound);
        let tied = matched.windows(2).any(|pair| order(source, &pair[0].image, &pair[1].image).is_eq());
        let reading = Reading { step, source, options, bound: Some(&bound), ordered: &matched, tied };
        let (request, expected, seen) = reading.made(self.pattern);
        self.seen.extend(seen);
        Ok((request, expected))
    }

    fn scan(&mut self, step: Step<'db>) -> Result<(Request, Expected<'db>), String> {
        let (Some(source), OpDef::Scan { options, .. }) = (step.source, &step.step.op) else {
            return Err(NOTHING.to_owned());
        };
        let all = entries(source, self.population.items(&source.layout.name.text));
        let ordered: Vec<&Entry> = all.iter().collect();
        let reading = Reading { step, source, options, bound: None, ordered: &ordered, tied: true };
        let (request, expected, seen) = reading.made(self.pattern);
        self.seen.extend(seen);
        Ok((request, expected))
    }

    fn write(&mut self, step: Step<'db>) -> Result<(Request, Expected<'db>), String> {
        let beside = Beside { given: self.seen.parameters.clone(), ..Beside::default() };
        let mut writes = possible_beside(self.db, self.population, step, &beside);
        if writes.is_empty() {
            writes = possible(self.db, self.population, step);
        }
        self.seen_first(&mut writes);
        let write = writes.into_iter().next().ok_or(UNMET)?;
        let operation = write.action.alone().ok_or("a check stands in a transaction only")?;
        Ok((Request { operation, body: write.body.clone() }, Expected::Writes(vec![write])))
    }

    fn seen_first(&self, writes: &mut [Write<'db>]) {
        writes.sort_by_key(|write| self.seen.place(&group::key_of_write(write)));
    }

    fn group_write(&mut self, kind: GroupKind, steps: &[Step<'db>]) -> Result<(Request, Expected<'db>), String> {
        let chosen = together(self.db, self.population, (kind, steps), &self.seen)?;
        if !chosen.iter().all(|write| group::takes(kind, write)) {
            return Err("a batch takes puts and deletes of whole items only".to_owned());
        }
        let mut request = group::write(kind, &chosen.iter().collect::<Vec<_>>());
        if kind == GroupKind::Transact {
            request.body.insert("ClientRequestToken", group::token(&request.body));
        }
        Ok((request, Expected::Writes(chosen)))
    }

    fn group_get(&mut self, kind: GroupKind, steps: &[Step<'db>]) -> Result<(Request, Expected<'db>), String> {
        let is_get = |step: &Step<'_>| {
            matches!(step.step.op, OpDef::Get { .. }) && step.source.is_some_and(|source| source.index.is_none())
        };
        if !steps.iter().all(is_get) {
            return Err("it takes nothing but gets from tables".to_owned());
        }
        let there: Vec<Vec<&Stored>> = steps.iter().map(|step| self.there(step)).collect();
        if there.iter().any(Vec::is_empty) {
            return Err(NOTHING.to_owned());
        }
        let mut shapes: Vec<Shape> =
            steps.iter().filter_map(|step| step.source.map(|source| Shape::new(self.pattern, step, source))).collect();
        if kind == GroupKind::Batch {
            group::share(&mut shapes, steps);
        }
        let mut turns = Turns::new(steps.iter().map(printed));
        let chosen = turns.next(&there, |stored| group::key_of_stored(stored)).ok_or(TOO_FEW)?;
        let asked: Vec<(&Stored, &Shape)> = chosen.iter().map(|(step, stored)| (**stored, &shapes[*step])).collect();
        let items = asked.iter().map(|(stored, shape)| (stored.kind.entity.clone(), shape.of(&stored.item)));
        let expected = Expected::Items { items: items.collect(), promised: Promised::Items, fetches: false };
        let request = group::get(kind, &asked);
        let seen: Vec<String> = asked.iter().map(|(stored, _)| group::key_of_stored(stored)).collect();
        self.seen.extend(seen);
        Ok((request, expected))
    }
}

const NOTHING: &str = "the model has no item that it could touch";

/// A query or scan whose items and their order are known.
struct Reading<'r, 'p, 'db> {
    step: Step<'db>,
    source: Source<'db>,
    options: &'db ReadOptions,
    bound: Option<&'r Bound>,
    ordered: &'r [&'r Entry<'p, 'db>],
    /// Nothing promises the order of some of them.
    tied: bool,
}

impl<'r, 'p, 'db> Reading<'r, 'p, 'db> {
    fn filter(&self) -> Option<Condition> {
        let none = Item::new();
        let attributes = self.bound.map_or(&none, |bound| &bound.attributes);
        read::filter(self.source, self.options, self.ordered, None, attributes, Spelling::Plausible)
    }

    /// What it reads, up to its limit.
    fn read(&self) -> &'r [&'r Entry<'p, 'db>] {
        let limit = read::limit(self.options).unwrap_or(usize::MAX);
        &self.ordered[..limit.min(self.ordered.len())]
    }

    /// What of that its filter keeps.
    fn kept(&self) -> Vec<&'r Entry<'p, 'db>> {
        let filter = self.filter();
        let passes = |entry: &&Entry<'p, 'db>| filter.as_ref().is_none_or(|filter| filter.holds(&entry.image));
        self.read().iter().copied().filter(passes).collect()
    }

    /// The request, what comes of it, and which items those are.
    fn made(&self, pattern: &PatternDef) -> (Request, Expected<'db>, Vec<String>) {
        let shape = Shape::new(pattern, &self.step, self.source);
        let filter = self.filter();
        let asked = Asked {
            source: self.source,
            bound: self.bound,
            filter: filter.as_ref(),
            shape: Some(&shape),
            descending: self.options.descending.is_some() && self.bound.is_some(),
            limit: read::limit(self.options),
        };
        let kept = self.kept();
        let image = |entry: &Entry| shape.of(if shape.fetches { &entry.stored.item } else { &entry.image });
        let items = kept.iter().map(|entry| (entry.stored.kind.entity.clone(), image(entry)));
        let promised = match self.tied && self.read().len() < self.ordered.len() {
            false => Promised::Items,
            true if filter.is_none() => Promised::Number,
            true => Promised::Nothing,
        };
        let expected = Expected::Items { items: items.collect(), promised, fetches: shape.fetches };
        let seen = kept.iter().map(|entry| group::key_of_stored(entry.stored)).collect();
        (asked.request(), expected, seen)
    }
}
