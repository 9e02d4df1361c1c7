//! Writes: made so that their conditions hold, measured, and taken back.

use super::engine::EngineFault;
use super::images::image;
use super::maker::possible;
use super::population::spelled;
use super::run::Cx;
use super::session::Session;
use super::tally::{Tally, Units};
use crate::capacity::units::{Change, Consistency, index_write, table_write, write};
use crate::capacity::values::{Item, item_bytes};
use crate::model::layout::{Source, TableLayout};
use crate::model::resolve::Step;
use serde_json::{Map, Value as Json};

/// A write of one item.
pub(super) struct Write<'db> {
    pub layout: &'db TableLayout,
    /// The entity that the step names.
    pub entity: &'db str,
    pub action: Action,
    pub key: Item,
    /// The item of the population that has this key.
    pub original: Option<Item>,
    /// The same when the write comes, where a condition asks for another value.
    pub before: Option<Item>,
    pub after: Option<Item>,
    /// The request, or what stands for it in a transaction.
    pub body: Map<String, Json>,
}

/// What a write does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Put,
    Update,
    Delete,
    Check,
}

impl Action {
    /// Its name in a transaction.
    pub fn in_transaction(self) -> &'static str {
        match self {
            Action::Put => "Put",
            Action::Update => "Update",
            Action::Delete => "Delete",
            Action::Check => "ConditionCheck",
        }
    }

    /// The operation that does it alone; `None` for a check, which stands in a
    /// transaction only.
    fn alone(self) -> Option<&'static str> {
        match self {
            Action::Put => Some("PutItem"),
            Action::Update => Some("UpdateItem"),
            Action::Delete => Some("DeleteItem"),
            Action::Check => None,
        }
    }
}

impl Write<'_> {
    /// The table that it writes to.
    pub fn table(&self) -> &str {
        &self.layout.name.text
    }

    /// Makes the item what the write is to find.
    pub fn prepare(&self, session: &Session<'_>) -> Result<(), EngineFault> {
        match &self.before {
            _ if self.before == self.original => Ok(()),
            Some(item) => session.put(self.table(), item),
            None => session.delete(self.table(), &self.key),
        }
    }

    /// Makes the item what it was.
    pub fn restore(&self, session: &Session<'_>) -> Result<(), EngineFault> {
        match &self.original {
            Some(item) => session.put(self.table(), item),
            None => session.delete(self.table(), &self.key),
        }
    }

    /// Whether a put finds an item there.
    pub fn replaces(&self) -> bool {
        self.action == Action::Put && self.before.is_some()
    }

    /// What it costs: the table's part twice in a transaction, a check as much as
    /// a write of the item, each index what changes in it (W1–W6, facts 3.4, 3.5).
    pub fn units(&self, transaction: bool) -> Units {
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
    let writes = possible(cx, step);
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
        let measured = cx.session.measure(operation, write.body.clone());
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
