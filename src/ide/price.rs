//! What edits do to the numbers of a model. The changed text is analysed whole, by
//! the same arithmetic as any other: there is no second formula that could disagree.

use super::changes::change;
use crate::capacity::cost::source_costs;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, Work, pattern_numbers};
use crate::capacity::show;
use crate::capacity::writes::Effect;
use crate::model::db::{Database, Db, Host, SourceFile, Workspace};
use crate::model::files::FileContent;
use crate::model::imports::model_files;
use crate::model::names::names;
use crate::model::settings::{config_file, config_of};
use crate::rules::finding::Edit;
use crate::syntax::{Text, apply};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A model as edits would leave it, beside the model as it is.
pub(super) struct Changed<'db> {
    db: &'db dyn Db,
    root: SourceFile,
    host: Host,
    /// The root of the changed model, in `host`.
    new: SourceFile,
}

impl<'db> Changed<'db> {
    /// Makes the edits on a copy; `None` where a file has no text.
    pub fn by(db: &'db dyn Db, root: SourceFile, edits: &[Edit]) -> Option<Self> {
        let change = change(db, edits);
        let mut host = Host::default();
        for file in model_files(db, root) {
            let content = file.content(db);
            let content = match change.edits.iter().find(|(key, _)| key == file.key(db)) {
                None => content.clone(),
                Some((_, edits)) => {
                    let before = content.parse()?;
                    FileContent::of_text(&Text::new(&apply(&before.text, edits)), Some(before))
                }
            };
            host.set(file.key(db).clone(), content);
        }
        if let Some(key) = config_of(db, root) {
            host.set_config(key.clone(), config_file(db, key).map(Arc::clone));
        }
        let new = *Workspace::get(host.db()).files(host.db()).get(root.key(db))?;
        Some(Self { db, root, host, new })
    }

    fn after(&self) -> &Database {
        self.host.db()
    }

    /// The numbers of a pattern in the changed model.
    pub fn pattern(&self, name: &str) -> Option<&PatternNumbers> {
        let decl = names(self.after(), self.new).pattern(name)?;
        pattern_numbers(self.after(), self.new, decl).as_ref()
    }

    /// Dollars a month that all tables and indexes cost more; `None` where what
    /// changes is not known.
    pub fn monthly(&self) -> Option<f64> {
        let (before, after) = (costs(self.db, self.root), costs(self.after(), self.new));
        let mut sum = 0.0;
        for label in before.keys().chain(after.keys().filter(|label| !before.contains_key(*label))) {
            let of = |costs: &BTreeMap<String, [Figure; 3]>, part: usize| {
                costs.get(label).map_or(Figure::ZERO, |parts| parts[part].clone())
            };
            for part in 0..3 {
                let (before, after) = (of(&before, part), of(&after, part));
                if before != after {
                    sum += after.value()? - before.value()?;
                }
            }
        }
        Some(sum)
    }

    /// Write units that one put spends more on an index, where it spends most more or
    /// most less; `None` where no put writes it, or it is not known how much.
    pub fn units_a_put(&self, table: &str, index: &str) -> Option<f64> {
        let before = puts(self.db, self.root, table, index);
        let after = puts(self.after(), self.new, table, index);
        let difference = |(step, units): (&Step, &Figure)| {
            let before = before.get(step).map_or(Some(0.0), Figure::value)?;
            Some(units.value()? - before)
        };
        after.iter().filter_map(difference).max_by(|a, b| a.abs().total_cmp(&b.abs()))
    }
}

/// Dollars a month for reads, writes and storage of every table and index.
fn costs(db: &dyn Db, root: SourceFile) -> BTreeMap<String, [Figure; 3]> {
    let tables = names(db, root).all_tables();
    let sources = tables.flat_map(|table| source_costs(db, root, table));
    sources
        .map(|source| (source.label.clone(), [&source.reads, &source.writes, &source.storage].map(Figure::clone)))
        .collect()
}

/// A step of a pattern: its name, the operation and the step of it.
type Step = (String, usize, usize);

/// What each put of a model writes to an index.
fn puts(db: &dyn Db, root: SourceFile, table: &str, index: &str) -> BTreeMap<Step, Figure> {
    let mut puts = BTreeMap::new();
    for numbers in names(db, root).all_patterns().filter_map(|decl| pattern_numbers(db, root, decl).as_ref()) {
        for step in numbers.steps.iter().filter(|step| step.table_name == table) {
            let Work::Write(write) = &step.work else { continue };
            let own = write.indexes.iter().find(|own| own.index == index && own.effect == Effect::Inserted);
            if let Some(own) = own {
                puts.insert((numbers.name.clone(), step.operation, step.step), own.units.clone());
            }
        }
    }
    puts
}

/// Units of one call: `1 read unit a call`; `None` where nothing is known of them.
pub(super) fn units_a_call(units: &Figure, what: &str) -> Option<String> {
    if units.high().is_none() && units.low() == 0.0 {
        return None;
    }
    let plural = if units.value() == Some(1.0) { "" } else { "s" };
    Some(format!("{} {what} unit{plural} a call", show::figure(units, show::number)))
}

/// A change of write units: `+1 write unit a put`.
pub(super) fn more_units_a_put(units: f64) -> String {
    let plural = if units.abs() == 1.0 { "" } else { "s" };
    format!("{}{} write unit{plural} a put", sign(units), show::number(units.abs()))
}

/// A change of dollars: `−$41.00 a month`.
pub(super) fn more_dollars(dollars: f64) -> String {
    // What is a trace beside nothing is nothing.
    let dollars = if dollars.abs() < 1e-9 { 0.0 } else { dollars };
    format!("{}{} a month", sign(dollars), show::dollars(dollars.abs()))
}

fn sign(number: f64) -> &'static str {
    match number {
        n if n > 0.0 => "+",
        n if n < 0.0 => "−",
        _ => "±",
    }
}

/// A title with what is known of its price behind it.
pub(super) fn priced(title: String, parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() { title } else { format!("{title}: {}", parts.join(", ")) }
}
