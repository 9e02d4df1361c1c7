//! What everything that touches a parent or its children takes, were the children
//! in their parent's item. C3 weighs the writes of the children against the reads
//! of both; what writes or reads the parent alone has the children to carry as well.

use super::embedding::{Bill, Compared, Sides, at_most, sides, unanswered};
use super::figure::Figure;
use super::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use super::reads::ReadKind;
use super::shared_reads::readers_of;
use super::sizes::{Bound, list_size, share};
use super::units::write;
use super::writes::WriteNumbers;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};
use crate::model::names::pattern_def;
use crate::model::resolve::patterns_of_entity;

/// All reads and all writes that touch a parent or a child, either way.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeBill {
    pub reads: Bill,
    pub writes: Bill,
}

impl WholeBill {
    /// Dollars a month with the children in their parent's item, and apart.
    pub fn dollars(&self) -> (Figure, Figure) {
        let (reads, writes) = (&self.reads, &self.writes);
        (reads.embedded.plus(&writes.embedded), reads.apart.plus(&writes.apart))
    }

    /// Whether embedding certainly saves nothing. Where no price is known, that is
    /// where neither reads nor writes may become less.
    pub fn saves_nothing(&self) -> bool {
        let (embedded, apart) = self.dollars();
        if embedded.high().is_some() && apart.high().is_some() {
            return at_most(&apart, &embedded);
        }
        [&self.reads, &self.writes].iter().all(|bill| at_most(&bill.apart_units, &bill.embedded_units))
    }
}

/// The whole bill of a parent and of children that are items of their own, were
/// they embedded.
pub fn whole_bill(
    db: &dyn Db,
    root: SourceFile,
    table: &TableLayout,
    item: &ItemLayout,
    embed: &EmbedLayout,
    child: &ItemLayout,
) -> WholeBill {
    let whole = Whole { sides: sides(db, root, table, item, embed, child), table, bare: item };
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for pattern in whole.patterns() {
        let Some(numbers) = pattern_numbers(db, root, pattern) else { continue };
        if let Some((embedded, apart)) = whole.sides.would_read(numbers, |step, parents| whole.is_same(step, parents)) {
            reads.push(Compared { pattern, rate: numbers.rate.clone(), embedded, apart });
        }
        if let Some(def) = pattern_def(db, pattern) {
            writes.extend(whole.writes(pattern, def, numbers));
            let ends = [&item.entity, &child.entity];
            let open = |writes: bool| ends.iter().find_map(|end| unanswered(pattern, def, numbers, writes, end));
            reads.extend(open(false));
            writes.extend(open(true));
        }
    }
    WholeBill { reads: whole.sides.bill(&reads, false), writes: whole.sides.bill(&writes, true) }
}

struct Whole<'a> {
    sides: Sides<'a>,
    table: &'a TableLayout,
    /// The parent's item as it is.
    bare: &'a ItemLayout,
}

impl Whole<'_> {
    /// The patterns that touch either, each once.
    fn patterns(&self) -> Vec<Decl> {
        let Sides { db, root, .. } = self.sides;
        let ends = [self.bare, &self.sides.child];
        let readers = ends.iter().filter_map(|end| end.entity_decl).flat_map(|decl| readers_of(db, root, decl));
        let named = ends.iter().flat_map(|end| patterns_of_entity(db, root, &end.entity));
        let mut patterns: Vec<Decl> = Vec::new();
        for pattern in named.chain(readers) {
            if !patterns.contains(pattern) {
                patterns.push(*pattern);
            }
        }
        patterns
    }

    /// Whether a read would read as much as it does: of an index that does not hold
    /// the list; and of children that are found by something else than their parent
    /// nobody can say how they would be found then.
    fn is_same(&self, step: &StepNumbers, parents: bool) -> bool {
        if parents {
            return step.table != Some(self.table.decl)
                || step.index.as_deref().is_some_and(|index| !self.is_full(index));
        }
        step.index.is_some() || matches!(&step.work, Work::Read(read) if read.how == ReadKind::Scan)
    }

    /// Whether an index of the parent's table holds its items whole.
    fn is_full(&self, index: &str) -> bool {
        self.table.index(index).is_some_and(|index| index.projection == ProjectionKind::All)
    }

    /// The write units of each step that writes either, indexes included.
    fn writes(&self, pattern: Decl, def: &PatternDef, numbers: &PatternNumbers) -> Vec<Compared> {
        let named = |op: &OpDef, entity: &str| op.subject().is_some_and(|subject| subject.entity.text == entity);
        let is_put = |op: &OpDef| matches!(op, OpDef::Put { .. });
        let puts_parent = def.steps().any(|(_, step)| is_put(&step.op) && named(&step.op, &self.bare.entity));
        let compared = numbers.steps.iter().filter_map(|step| {
            let Work::Write(work) = &step.work else { return None };
            let op = &def.operations.get(step.operation)?.steps.get(step.step)?.op;
            let embedded = if named(op, &self.bare.entity) && step.table == Some(self.table.decl) {
                self.parent_written(work)
            } else if named(op, &self.sides.child.entity) {
                // In a pattern that puts the parent it comes with it (C3).
                if puts_parent && is_put(op) { Figure::ZERO } else { self.child_written(work, op) }
            } else {
                return None;
            };
            let of_indexes: Figure = work.indexes.iter().map(|index| &index.units).sum();
            let apart = work.table_units.plus(&of_indexes);
            Some(Compared { pattern, rate: numbers.rate.scaled(step.times), embedded, apart })
        });
        compared.collect()
    }

    /// A write of the parent, with the list in its item.
    fn parent_written(&self, work: &WriteNumbers) -> Figure {
        // A check that wants no item finds none.
        if work.bytes == Figure::ZERO {
            return work.table_units.clone();
        }
        let list = list_size(&self.sides.facts(), self.bare, self.sides.embed, Bound::Avg).bytes();
        let factor = if work.transaction { 2.0 } else { 1.0 };
        let indexes = work.indexes.iter().map(|index| match self.is_full(&index.index) {
            true => index.before.plus(&index.after).times(&index.entry.plus(&list).map(write)),
            false => index.units.clone(),
        });
        work.bytes.plus(&list).map(write).scaled(factor).plus(&indexes.sum())
    }

    /// A write of a child: its parent's whole item, with the entries that hold the list
    /// (W4, W5).
    fn child_written(&self, work: &WriteNumbers, op: &OpDef) -> Figure {
        let item = self.sides.whole().map(write);
        let table = item.scaled(if work.transaction { 2.0 } else { 1.0 });
        if !op.writes() {
            return table;
        }
        let facts = self.sides.facts();
        let holds = |index: &&str| {
            let key = self.table.index(index).map(|index| self.table.of_index(index));
            key.is_some_and(|source| source.key().all(|key| self.bare.keys.contains_key(&key.name)))
        };
        let names = self.table.indexes.iter().map(|index| index.name.text.as_str());
        let entries = names.filter(|name| self.is_full(name)).filter(holds).filter_map(|name| {
            let source = self.table.of_index(self.table.index(name)?);
            Some(share(&facts, source, self.bare).times(&item))
        });
        table.plus(&entries.sum())
    }
}
