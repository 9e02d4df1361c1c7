//! What it costs to keep children in their parent's item, and what it saves
//! (numbers C3).

use super::cost::price;
use super::facts::Declared;
use super::figure::{Figure, Input};
use super::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use super::prices::{MONTH_HOURS, MONTH_SECONDS, Mode, Priced, mode};
use super::reads::{KindRead, ReadNumbers};
use super::shared_reads::read_together;
use super::sizes::{Bound, Presence, item_bytes, list_size, own_bytes};
use super::units::{PAGE, read, read_pages, write};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{EmbedLayout, ItemLayout, Source, TableLayout, layout};
use crate::model::lists::{ListWrite, list_write};
use crate::model::names::{pattern_def, table_def};
use crate::model::resolve::patterns_of_entity;
use std::collections::BTreeMap;

/// Children in their parent's item beside children as items of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The writes of the children, by pattern and step.
    pub updates: Vec<Compared>,
    /// The reads of both, by pattern.
    pub reads: Vec<Compared>,
    pub writes: Bill,
    pub reading: Bill,
}

/// The units of one call, either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    pub pattern: Decl,
    /// Calls a second; of a step that runs several times a call, times them.
    pub rate: Figure,
    pub embedded: Figure,
    pub apart: Figure,
}

/// What all of them take, either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// Units a second.
    pub embedded_units: Figure,
    pub apart_units: Figure,
    /// Dollars a month.
    pub embedded: Figure,
    pub apart: Figure,
}

impl Embedding {
    /// Whether embedding certainly costs more dollars a month than it saves. Where
    /// no price is known, dearer writes that save no read are dearer all the same.
    pub fn costs_more(&self) -> bool {
        let (embedded, apart) = (self.writes.embedded.plus(&self.reading.embedded), self.apart());
        let dollars = apart.high().is_some_and(|apart| exceeds(embedded.low(), apart));
        let more = |bill: &Bill| bill.apart_units.high().is_some_and(|a| exceeds(bill.embedded_units.low(), a));
        dollars || (more(&self.writes) && at_most(&self.reading.apart_units, &self.reading.embedded_units))
    }

    /// Whether embedding certainly costs no more than it saves.
    pub fn pays(&self) -> bool {
        let embedded = self.writes.embedded.plus(&self.reading.embedded);
        let units = |bill: &Bill| at_most(&bill.embedded_units, &bill.apart_units);
        at_most(&embedded, &self.apart()) || (units(&self.writes) && units(&self.reading))
    }

    fn apart(&self) -> Figure {
        self.writes.apart.plus(&self.reading.apart)
    }
}

/// Whether a number is above another by more than a trace.
fn exceeds(a: f64, b: f64) -> bool {
    a > b + b.abs() * 1e-9
}

pub(super) fn at_most(a: &Figure, b: &Figure) -> bool {
    a.high().is_some_and(|a| !exceeds(a, b.low()))
}

/// What is compared: a parent's item with the list in it, and the children as
/// items of their own.
pub(super) struct Sides<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) root: SourceFile,
    /// The table of the parent's items.
    pub(super) table: Decl,
    /// The parent's item with the children in it.
    pub(super) parent: ItemLayout,
    pub(super) embed: &'a EmbedLayout,
    /// The child's items, with the keys that they have or without any.
    pub(super) child: ItemLayout,
    /// Whether that is how it is.
    is_embedded: bool,
}

/// The embedding of a list that a table has (C3).
pub fn embedded(
    db: &dyn Db,
    root: SourceFile,
    table: &TableLayout,
    item: &ItemLayout,
    embed: &EmbedLayout,
) -> Embedding {
    let child = ItemLayout {
        entity: embed.entity.clone(),
        entity_decl: embed.entity_decl,
        range: item.range,
        embeds: Vec::new(),
        keys: BTreeMap::new(),
    };
    compare(&Sides { db, root, table: table.decl, parent: item.clone(), embed, child, is_embedded: true })
}

/// The same of children that are items of their own, were they embedded.
pub fn were_embedded(
    db: &dyn Db,
    root: SourceFile,
    table: &TableLayout,
    item: &ItemLayout,
    embed: &EmbedLayout,
    child: &ItemLayout,
) -> Embedding {
    compare(&sides(db, root, table, item, embed, child))
}

/// A parent and children that are items of their own.
pub(super) fn sides<'a>(
    db: &'a dyn Db,
    root: SourceFile,
    table: &TableLayout,
    item: &ItemLayout,
    embed: &'a EmbedLayout,
    child: &ItemLayout,
) -> Sides<'a> {
    let mut parent = item.clone();
    parent.embeds.push(embed.clone());
    Sides { db, root, table: table.decl, parent, embed, child: child.clone(), is_embedded: false }
}

/// What a pattern that is to write an entity takes where no operation of it says how:
/// that is not known, and not nothing.
pub(super) fn unanswered(
    pattern: Decl,
    def: &PatternDef,
    numbers: &PatternNumbers,
    writes: bool,
    entity: &str,
) -> Option<Compared> {
    let mut wanted = def.requirements.iter().filter(|requirement| requirement.writes == writes).flat_map(|r| &r.uses);
    let is_open = numbers.steps.is_empty() && def.external.is_none();
    (is_open && wanted.any(|used| used.entity.text == entity)).then(|| not_known(pattern, numbers))
}

/// A pattern without an operation.
pub(super) fn not_known(pattern: Decl, numbers: &PatternNumbers) -> Compared {
    let unknown = Figure::unknown(Input::Operation(numbers.name.clone()));
    Compared { pattern, rate: numbers.rate.clone(), embedded: unknown.clone(), apart: unknown }
}

/// A transaction writes twice, whatever it writes (W6).
fn transaction_factor(operation: &OperationDef) -> f64 {
    let transact = operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Transact);
    if transact { 2.0 } else { 1.0 }
}

fn compare(sides: &Sides<'_>) -> Embedding {
    let (updates, reads) = (sides.updates(), sides.reads());
    Embedding { writes: sides.bill(&updates, true), reading: sides.bill(&reads, false), updates, reads }
}

impl Sides<'_> {
    pub(super) fn facts(&self) -> Declared<'_> {
        Declared { db: self.db, root: self.root }
    }

    /// Bytes of the parent's item with all that is in it.
    pub(super) fn whole(&self) -> Figure {
        item_bytes(&self.facts(), &self.parent, Bound::Avg, Presence::Share)
    }

    /// Bytes of a child as an item of its own.
    fn child_bytes(&self) -> Figure {
        own_bytes(&self.facts(), &self.child, Bound::Avg, Presence::Share)
    }

    /// Every write of a child is one of its parent's whole item (W5), but for a put
    /// in a pattern that puts the parent: there the two are one.
    fn updates(&self) -> Vec<Compared> {
        let mut updates = Vec::new();
        let (whole, child) = (self.whole().map(write), self.child_bytes().map(write));
        for pattern in patterns_of_entity(self.db, self.root, &self.child.entity) {
            let (Some(numbers), Some(def)) =
                (pattern_numbers(self.db, self.root, *pattern), pattern_def(self.db, *pattern))
            else {
                continue;
            };
            updates.extend(unanswered(*pattern, def, numbers, true, &self.child.entity));
            let named = |op: &OpDef, entity: &str| op.subject().is_some_and(|subject| subject.entity.text == entity);
            let is_put = |op: &OpDef| matches!(op, OpDef::Put { .. });
            let puts_parent = def.steps().any(|(_, step)| is_put(&step.op) && named(&step.op, &self.parent.entity));
            for step in &numbers.steps {
                let Some(operation) = def.operations.get(step.operation) else { continue };
                let Some(op) = operation.steps.get(step.step).map(|step| &step.op) else { continue };
                if !op.writes() || !named(op, &self.child.entity) || !self.is_here(step) || (puts_parent && is_put(op))
                {
                    continue;
                }
                let factor = transaction_factor(operation);
                updates.push(Compared {
                    pattern: *pattern,
                    rate: numbers.rate.scaled(step.times),
                    embedded: whole.scaled(factor),
                    apart: child.scaled(factor),
                });
            }
        }
        updates.extend(self.list_updates());
        updates
    }

    /// The updates of the parent that set its list, or remove it: apart, each of the
    /// children is written, and the parent where other attributes of it are set too.
    fn list_updates(&self) -> Vec<Compared> {
        let mut updates = Vec::new();
        if !self.is_embedded {
            return updates;
        }
        let (whole, bare) = (self.whole().map(write), self.without_list().map(write));
        let children = list_size(&self.facts(), &self.parent, self.embed, Bound::Avg).children;
        let children = children.times(&self.child_bytes().map(write));
        for pattern in patterns_of_entity(self.db, self.root, &self.parent.entity) {
            let Some(numbers) = pattern_numbers(self.db, self.root, *pattern) else { continue };
            let Some(def) = pattern_def(self.db, *pattern) else { continue };
            for step in numbers.steps.iter().filter(|step| self.is_here(step)) {
                let Some(operation) = def.operations.get(step.operation) else { continue };
                let Some(op) = operation.steps.get(step.step).map(|step| &step.op) else { continue };
                let apart = match list_write(op, &self.parent, self.embed) {
                    Some(ListWrite::Alone) => children.clone(),
                    Some(ListWrite::WithAttributes) => children.plus(&bare),
                    Some(ListWrite::WithItem) | None => continue,
                };
                let factor = transaction_factor(operation);
                updates.push(Compared {
                    pattern: *pattern,
                    rate: numbers.rate.scaled(step.times),
                    embedded: whole.scaled(factor),
                    apart: apart.scaled(factor),
                });
            }
        }
        updates
    }

    /// Whether a step touches the items that are compared: of what is embedded, in
    /// the table of the list.
    fn is_here(&self, step: &StepNumbers) -> bool {
        !self.is_embedded || step.table == Some(self.table)
    }

    /// The reads of both.
    fn reads(&self) -> Vec<Compared> {
        let (Some(parent), Some(child)) = (self.parent.entity_decl, self.child.entity_decl) else { return Vec::new() };
        let together = read_together(self.db, self.root, parent, child);
        let compared = together.into_iter().filter_map(|pattern| {
            let numbers = pattern_numbers(self.db, self.root, pattern).as_ref()?;
            if numbers.steps.is_empty() {
                return Some(not_known(pattern, numbers));
            }
            let would_read = || self.would_read(numbers, |_, _| false);
            let (embedded, apart) = if self.is_embedded { self.read_here(numbers) } else { would_read() }?;
            Some(Compared { pattern, rate: numbers.rate.clone(), embedded, apart })
        });
        compared.collect()
    }

    /// What a pattern reads of parents with their lists, and what the parents alone
    /// and a query of the children of each would take.
    fn read_here(&self, numbers: &PatternNumbers) -> Option<(Figure, Figure)> {
        let facts = self.facts();
        let list = list_size(&facts, &self.parent, self.embed, Bound::Avg);
        let child = self.child_bytes();
        let mut sums: Option<(Figure, Figure)> = None;
        for (step, read) in self.parents_read(numbers) {
            // Each parent's children by a query of their own.
            let children = list.children.times(&child).map(|bytes| read_pages(bytes, read.consistency));
            let parents = taken(read, &self.parent.entity).scaled(read.pages.unwrap_or(1.0));
            let others = read.kinds.iter().filter(|kind| kind.entity != self.parent.entity).map(bytes_of);
            let own = taken(read, &self.parent.entity).times(&self.without_list()).plus(&others.sum());
            let apart = units(read, &own).plus(&parents.times(&children)).scaled(step.times);
            let sum = sums.get_or_insert((Figure::ZERO, Figure::ZERO));
            *sum = (sum.0.plus(&step.read_units()), sum.1.plus(&apart));
        }
        sums
    }

    /// Bytes of the parent's item without the list.
    fn without_list(&self) -> Figure {
        let mut bare = self.parent.clone();
        bare.embeds.retain(|embed| embed != self.embed);
        item_bytes(&self.facts(), &bare, Bound::Avg, Presence::Share)
    }

    /// The steps of a pattern that read parents with the list in them.
    fn parents_read<'n>(&self, numbers: &'n PatternNumbers) -> Vec<(&'n StepNumbers, &'n ReadNumbers)> {
        let layout = layout(self.db, self.root, self.table).as_ref();
        let holds_list = |step: &StepNumbers| {
            let (Some(layout), Some(index)) = (layout, &step.index) else { return true };
            let Some(index) = layout.index(index) else { return false };
            let projected = Source { layout, index: Some(index) }.projected(&self.parent);
            projected.is_none_or(|names| self.embed.list.as_ref().is_some_and(|list| names.contains(list)))
        };
        let steps = numbers.steps.iter().filter(|step| step.table == Some(self.table) && holds_list(step));
        steps.filter_map(|step| Some((step, read_of(step, &self.parent.entity)?))).collect()
    }

    /// What a pattern reads of parents and children as they are, and what it would
    /// read of parents with their children in them; `None` where no operation reads
    /// either. A step that embedding leaves as it is, is `same`; it is told whether the
    /// step reads parents.
    pub(super) fn would_read(
        &self,
        numbers: &PatternNumbers,
        same: impl Fn(&StepNumbers, bool) -> bool,
    ) -> Option<(Figure, Figure)> {
        let whole = self.whole();
        let (parent, child) = (self.parent.entity.as_str(), self.child.entity.as_str());
        let reads_parent = numbers.steps.iter().any(|step| read_of(step, parent).is_some());
        let mut sums: Option<(Figure, Figure)> = None;
        for step in &numbers.steps {
            let (of_parent, of_child) = (read_of(step, parent), read_of(step, child));
            let Some(read) = of_parent.or(of_child) else { continue };
            let others: Vec<&KindRead> =
                read.kinds.iter().filter(|kind| kind.entity != parent && kind.entity != child).collect();
            let rest: Figure = others.iter().map(|kind| bytes_of(kind)).sum();
            // Children that nothing reads their parent for would be found in one.
            let parents = match (of_parent.is_some(), reads_parent) {
                (true, _) => taken(read, parent),
                (false, true) => Figure::ZERO,
                (false, false) => Figure::known(1.0),
            };
            let embedded = match parents == Figure::ZERO && others.is_empty() {
                _ if same(step, of_parent.is_some()) => step.read_units(),
                true => Figure::ZERO,
                false => units(read, &parents.times(&whole).plus(&rest)).scaled(step.times),
            };
            let sum = sums.get_or_insert((Figure::ZERO, Figure::ZERO));
            *sum = (sum.0.plus(&embedded), sum.1.plus(&step.read_units()));
        }
        sums
    }

    /// All of them, in units a second and in dollars a month.
    pub(super) fn bill(&self, compared: &[Compared], writes: bool) -> Bill {
        bill(self.db, self.root, self.table, compared, writes)
    }
}

/// All of them, in units a second and in dollars a month at the prices of a table.
pub(super) fn bill(db: &dyn Db, root: SourceFile, table: Decl, compared: &[Compared], writes: bool) -> Bill {
    let sum = |of: fn(&Compared) -> &Figure| -> Figure { compared.iter().map(|c| c.rate.times(of(c))).sum() };
    let (embedded_units, apart_units) = (sum(|c| &c.embedded), sum(|c| &c.apart));
    let price = unit_month(db, root, table, writes);
    let (embedded, apart) = (embedded_units.times(&price), apart_units.times(&price));
    Bill { embedded_units, apart_units, embedded, apart }
}

/// Dollars a month of one unit a second: on demand each has its price; of what is
/// provisioned, its part of the reserve (C1).
fn unit_month(db: &dyn Db, root: SourceFile, table: Decl, writes: bool) -> Figure {
    let mode = table_def(db, table).map_or(Mode::OnDemand, |def| mode(db, root, def));
    match (mode, writes) {
        (Mode::OnDemand, false) => price(db, root, table, Priced::OnDemandRead).scaled(MONTH_SECONDS),
        (Mode::OnDemand, true) => price(db, root, table, Priced::OnDemandWrite).scaled(MONTH_SECONDS),
        (Mode::Provisioned { utilization }, _) => {
            let what = if writes { Priced::ProvisionedWriteHour } else { Priced::ProvisionedReadHour };
            price(db, root, table, what).scaled(MONTH_HOURS / utilization)
        }
    }
}

/// What a step reads, where it reads items of this entity.
pub(super) fn read_of<'n>(step: &'n StepNumbers, entity: &str) -> Option<&'n ReadNumbers> {
    match &step.work {
        Work::Read(read) if read.kinds.iter().any(|kind| kind.entity == entity) => Some(read),
        _ => None,
    }
}

/// How many items of an entity a page of a read takes.
pub(super) fn taken(read: &ReadNumbers, entity: &str) -> Figure {
    read.kinds.iter().filter(|kind| kind.entity == entity).map(|kind| &kind.taken).sum()
}

pub(super) fn bytes_of(kind: &KindRead) -> Figure {
    kind.taken.times(&kind.each)
}

/// Units of a read like this one of so many bytes (Q7).
pub(super) fn units(of: &ReadNumbers, bytes: &Figure) -> Figure {
    match of.pages {
        Some(pages) => bytes.map(|bytes| read(bytes.min(PAGE), of.consistency)).scaled(pages),
        None => bytes.map(|bytes| read_pages(bytes, of.consistency)),
    }
}
