//! Writes: made so that their conditions hold, measured, and taken back.

use super::engine::EngineFault;
use super::run::Cx;
use super::session::Session;
use super::tally::{Tally, Units};
use crate::capacity::units::{Change, Consistency, index_write, table_write, write};
use crate::capacity::values::{Item, item_bytes};
use crate::model::layout::Source;
use crate::model::resolve::Step;
use crate::population::images::image;
use crate::population::items::spelled;
use crate::requests::Request;
use crate::requests::maker::possible;
use crate::requests::write::{Action, Write};

impl Write<'_> {
    /// Makes the item what the write is to find.
    pub(super) fn prepare(&self, session: &Session<'_>) -> Result<(), EngineFault> {
        match &self.before {
            _ if self.before == self.original => Ok(()),
            Some(item) => session.put(self.table(), item),
            None => session.delete(self.table(), &self.key),
        }
    }

    /// Makes the item what it was.
    pub(super) fn restore(&self, session: &Session<'_>) -> Result<(), EngineFault> {
        match &self.original {
            Some(item) => session.put(self.table(), item),
            None => session.delete(self.table(), &self.key),
        }
    }

    /// What it costs: the table's part twice in a transaction, a check as much as
    /// a write of the item, each index what changes in it (W1–W6, facts 3.4, 3.5).
    pub(super) fn units(&self, transaction: bool) -> Units {
        let mut units = Units::default();
        let bytes = |item: &Option<Item>| item.as_ref().map(|item| item_bytes(item) as f64);
        let factor = if transaction { Consistency::Transactional.factor() } else { 1.0 };
        if self.action == Action::Check {
            units.add(self.table(), factor * write(bytes(&self.before).unwrap_or(0.0)));
            return units;
        }
        units.add(self.table(), factor * table_write(bytes(&self.before), bytes(&self.after)));
        for source in self.layout.of_indexes() {
            let entry = |item: &Option<Item>| item.as_ref().and_then(|item| image(source, item));
            let (before, after) = (entry(&self.before), entry(&self.after));
            let change = match (&before, &after) {
                (Some(before), Some(after)) if moved(source, before, after) => Change::Key,
                (Some(before), Some(after)) if before != after => Change::Image,
                _ => Change::Nothing,
            };
            units.add(&source.label(), index_write(bytes(&before), bytes(&after), change));
        }
        units
    }
}

fn moved(source: Source<'_>, before: &Item, after: &Item) -> bool {
    source.key().any(|key| before.get(&key.name) != after.get(&key.name))
}

/// Runs a write alone, for every item that it can touch.
pub(super) fn run<'db>(cx: &Cx<'_, 'db>, step: Step<'db>, tally: &mut Tally) {
    let writes = possible(cx.db, cx.population, step);
    if writes.is_empty() {
        tally.skipped = Some("no item of the run can meet its condition".to_owned());
        return;
    }
    for write in cx.sample(writes, tally) {
        let Some(operation) = write.action.alone() else {
            tally.skipped = Some("a check stands in a transaction only".to_owned());
            return;
        };
        tally.call(spelled(&write.key));
        if let Err(fault) = write.prepare(&cx.session) {
            return tally.refused(&fault);
        }
        let predicted = write.units(false);
        tally.expect(0, [write.entity].into_iter(), 1, &predicted);
        if write.replaces() {
            tally.replaces(0);
        }
        let measured = cx.session.measure(Request { operation, body: write.body.clone() });
        let restored = write.restore(&cx.session);
        match measured {
            Err(fault) => return tally.refused(&fault),
            Ok((_, measured)) => {
                tally.returned([write.entity].into_iter());
                tally.units(&cx.session.charged(&predicted), &measured);
            }
        }
        if let Err(fault) = restored {
            return tally.refused(&fault);
        }
    }
}
