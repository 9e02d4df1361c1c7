//! What edits do to the numbers of a model. The changed text is analysed whole, by
//! the same arithmetic as any other: there is no second formula that could disagree.

use super::changes::change;
use crate::capacity::cost::{pattern_cost, source_costs};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, Work, pattern_numbers};
use crate::capacity::show;
use crate::capacity::stock::{KindStock, Stock, stocks};
use crate::capacity::writes::Effect;
use crate::model::db::{Database, Db, Host, SourceFile, Workspace};
use crate::model::files::FileContent;
use crate::model::imports::model_files;
use crate::model::lower::decl_name;
use crate::model::names::names;
use crate::model::resolve::patterns_of_table;
use crate::model::settings::{config_file, config_of};
use crate::rules::finding::Edit;
use crate::syntax::{Text, apply};
use std::collections::{BTreeMap, BTreeSet};
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
        Self::of(db, root, host)
    }

    /// The same, where the copy has been made.
    pub fn of(db: &'db dyn Db, root: SourceFile, host: Host) -> Option<Self> {
        let new = *Workspace::get(host.db()).files(host.db()).get(root.key(db))?;
        Some(Self { db, root, host, new })
    }

    /// The changed model, and its root there.
    pub fn model(&self) -> (&Database, SourceFile) {
        (self.host.db(), self.new)
    }

    fn after(&self) -> &Database {
        self.host.db()
    }

    /// Dollars a month that the whole model costs more, as it is told.
    pub fn monthly_of_all(&self) -> Option<String> {
        let tables: BTreeSet<&String> =
            names(self.db, self.root).tables.keys().chain(names(self.after(), self.new).tables.keys()).collect();
        self.monthly(tables.into_iter().map(String::as_str))
    }

    /// The numbers of a pattern in the changed model.
    pub fn pattern(&self, name: &str) -> Option<&PatternNumbers> {
        let decl = names(self.after(), self.new).pattern(name)?;
        pattern_numbers(self.after(), self.new, decl).as_ref()
    }

    /// The tables that a pattern touches in the changed model, by name.
    pub fn tables_of(&self, pattern: &PatternNumbers) -> BTreeSet<String> {
        pattern.steps.iter().map(|step| step.table_name.clone()).collect()
    }

    /// Dollars a month that these tables and their indexes cost more, as it is told; `None`
    /// where what changes is not known. Only the tables that may cost something else are
    /// asked for: what a whole model costs takes a while.
    pub fn monthly<'t>(&self, tables: impl IntoIterator<Item = &'t str>) -> Option<String> {
        let (mut capacity, mut storage) = (0.0, Some(0.0));
        for table in tables {
            let before = Side::of(self.db, self.root, table);
            let after = Side::of(self.after(), self.new, table);
            let labels: BTreeSet<&String> = before.stock.keys().chain(after.stock.keys()).collect();
            for label in labels {
                for writes in [false, true] {
                    capacity += capacity_difference(&before, &after, label, writes)?;
                }
                storage = storage.zip(storage_difference(&before, &after, label)).map(|(sum, more)| sum + more);
            }
        }
        Some(match storage {
            Some(storage) => more_dollars(capacity + storage),
            None => format!("{}, storage apart", more_dollars(capacity)),
        })
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

/// What a table and its indexes cost a month, by label.
#[derive(Default)]
struct Side {
    /// Dollars for reads and for writes, and whether units are provisioned for them.
    capacity: BTreeMap<String, ([Figure; 2], bool)>,
    /// Units of one call and dollars of each pattern, by label, whether it writes, and name.
    patterns: BTreeMap<(String, bool, String), (Figure, Figure)>,
    /// What is stored, and dollars for it.
    stock: BTreeMap<String, (Stock, Figure)>,
}

impl Side {
    fn of(db: &dyn Db, root: SourceFile, table: &str) -> Self {
        let mut side = Side::default();
        let Some(table) = names(db, root).table(table) else { return side };
        for (source, stock) in source_costs(db, root, table).iter().zip(stocks(db, root, table)) {
            let dollars = [source.reads.clone(), source.writes.clone()];
            side.capacity.insert(source.label.clone(), (dollars, source.provisioned.is_some()));
            side.stock.insert(source.label.clone(), (stock.clone(), source.storage.clone()));
        }
        for decl in patterns_of_table(db, root, table) {
            let (Some(cost), Some(name)) = (pattern_cost(db, root, *decl), decl_name(db, *decl)) else { continue };
            for part in &cost.parts {
                let key = (part.label.clone(), part.writes, name.clone());
                side.patterns.insert(key, (part.units.clone(), part.monthly.clone()));
            }
        }
        side
    }

    fn dollars(&self, label: &str, writes: bool) -> Figure {
        self.capacity.get(label).map_or(Figure::ZERO, |(dollars, _)| dollars[usize::from(writes)].clone())
    }
}

/// Dollars that reads or writes of a table or index cost more. Where the whole is not
/// known on demand, that of the patterns which change may be.
fn capacity_difference(before: &Side, after: &Side, label: &str, writes: bool) -> Option<f64> {
    let known = |side: &Side| side.dollars(label, writes).value();
    if let (Some(before), Some(after)) = (known(before), known(after)) {
        return Some(after - before);
    }
    if [before, after].iter().any(|side| side.capacity.get(label).is_some_and(|(_, provisioned)| *provisioned)) {
        return None;
    }
    let own = |side: &Side| -> BTreeSet<(String, bool, String)> {
        side.patterns.keys().filter(|key| key.0 == label && key.1 == writes).cloned().collect()
    };
    let nothing = (Figure::ZERO, Figure::ZERO);
    let difference = |key: &(String, bool, String)| {
        let (units_before, before) = before.patterns.get(key).unwrap_or(&nothing);
        let (units, after) = after.patterns.get(key).unwrap_or(&nothing);
        // What asks for the same costs the same, whatever that is.
        let same = units == units_before && units.value().is_some();
        if same { Some(0.0) } else { Some(after.value()? - before.value()?) }
    };
    own(before).union(&own(after)).map(difference).sum()
}

/// Dollars that storage costs more: none where as many items of the same size are
/// stored, whatever their number.
fn storage_difference(before: &Side, after: &Side, label: &str) -> Option<f64> {
    let (before, after) = (before.stock.get(label), after.stock.get(label));
    let dollars = |side: Option<&(Stock, Figure)>| side.map_or(Some(0.0), |(_, dollars)| dollars.value());
    if let (Some(before), Some(after)) = (dollars(before), dollars(after)) {
        return Some(after - before);
    }
    let kinds = |side: Option<&(Stock, Figure)>| -> Option<Vec<(String, f64, f64)>> {
        let kind = |kind: &KindStock| Some((kind.entity.clone(), kind.share.value()?, kind.each.value()?));
        side?.0.kinds.iter().map(kind).collect()
    };
    (kinds(before)? == kinds(after)?).then_some(0.0)
}

/// A step of a pattern: its name, the operation and the step of it.
type Step = (String, usize, usize);

/// What each put of a model writes to an index.
fn puts(db: &dyn Db, root: SourceFile, table: &str, index: &str) -> BTreeMap<Step, Figure> {
    let mut puts = BTreeMap::new();
    let Some(decl) = names(db, root).table(table) else { return puts };
    let patterns = patterns_of_table(db, root, decl).iter();
    for numbers in patterns.filter_map(|decl| pattern_numbers(db, root, *decl).as_ref()) {
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
    let (sign, units) = signed(units);
    let plural = if units == 1.0 { "" } else { "s" };
    format!("{sign}{} write unit{plural} a put", show::number(units))
}

/// A change of dollars: `−$41.00 a month`.
fn more_dollars(dollars: f64) -> String {
    let (sign, dollars) = signed(dollars);
    if sign.is_empty() { "$0 a month".to_owned() } else { format!("{sign}{} a month", show::dollars(dollars)) }
}

/// The sign of a number and the rest of it. What is a trace beside nothing is nothing.
fn signed(number: f64) -> (&'static str, f64) {
    match number {
        n if n.abs() < 1e-9 => ("", 0.0),
        n if n > 0.0 => ("+", n),
        n => ("−", -n),
    }
}

/// A title with what is known of its price behind it; one that changes nothing has none.
pub(super) fn priced(title: String, parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    let is_nothing = |part: &String| part.starts_with("$0 a month") || part.starts_with("0 write units a put");
    if parts.iter().all(is_nothing) { title } else { format!("{title}: {}", parts.join(", ")) }
}
