//! Sample tables: items that a table would hold, and what its indexes have of them.
//! They are of one population, so that the same id means the same thing in every
//! table of the document.

mod cell;
mod choose;
mod columns;

use crate::capacity::values::{Item, Value};
use crate::deliverables::markdown::{code, codes, inline};
use crate::deliverables::numbers::{count, number};
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::names::entity_def;
use crate::population::Population;
use crate::population::images::image;
use crate::syntax::Unit;
use choose::{FEWEST, choose, in_order};
use columns::columns;

/// An item of the population.
#[derive(Clone, Copy)]
pub(super) struct Row<'p> {
    pub entity: &'p str,
    pub item: &'p Item,
}

/// The items of a table that its samples are taken from, in the order of the population.
pub(super) fn rows<'p>(population: &'p Population<'_>, layout: &TableLayout) -> Vec<Row<'p>> {
    let items = population.items(&layout.name.text).iter().filter(|stored| stored.layout.decl == layout.decl);
    items.map(|stored| Row { entity: &stored.kind.entity, item: &stored.item }).collect()
}

/// A table whose columns depend on the model.
pub(super) struct Sample {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// What stands below it: why there are no more rows, what has no column.
    pub notes: Vec<String>,
}

/// The samples of a table and of its indexes, from the items that it has in the
/// population.
pub(super) struct Samples<'p> {
    all: &'p [Row<'p>],
    /// The rows of the table's sample.
    shown: Vec<usize>,
}

impl<'p> Samples<'p> {
    /// Chooses what to show of a table.
    pub fn new(layout: &TableLayout, all: &'p [Row<'p>]) -> Self {
        Self { all, shown: choose(layout, all) }
    }

    /// The sample of the table.
    pub fn of_table(&self, outline: &Outline<'_>, layout: &TableLayout, patterns: &[Pattern<'_>]) -> Sample {
        let mut sample = self.sample(outline, layout.table(), patterns, &self.shown);
        let rows = sample.rows.len();
        if rows < FEWEST {
            sample.notes.insert(0, self.few(outline, layout, rows));
        } else if rows > 10 {
            let entities = count(layout.items.len(), "entity shares", "entities share");
            sample.notes.insert(0, format!("{} rows: {entities} the table, and each has one.", number(rows as f64)));
        }
        sample
    }

    /// The sample of an index: those of the rows of its table that are in it, as it
    /// has them.
    pub fn of_index(&self, outline: &Outline<'_>, source: Source<'_>, patterns: &[Pattern<'_>]) -> Sample {
        let is_in = |place: &usize| image(source, self.all[*place].item).is_some();
        let mut places: Vec<usize> = self.shown.iter().copied().filter(is_in).collect();
        let of_shown = places.len();
        if places.is_empty() {
            places = (0..self.all.len()).filter(is_in).take(FEWEST).collect();
        }
        in_order(source, self.all, &mut places);
        let mut sample = self.sample(outline, source, patterns, &places);
        let note = match (of_shown, places.len()) {
            (0, 0) if source.layout.items.is_empty() => String::from("No sample: the table has no item yet."),
            (0, 0) if source.items().next().is_none() => {
                String::from("No sample: no item has a value for every attribute of the key.")
            }
            (0, 0) => String::from("No sample: no item can be made from what is declared."),
            (0, _) => String::from("None of the rows above is in it; these are other items of the table."),
            (of_shown, _) if of_shown == self.shown.len() => String::from("All of the rows above are in it."),
            (of_shown, _) => format!(
                "{} of the {} above {} in it.",
                number(of_shown as f64),
                count(self.shown.len(), "row", "rows"),
                if of_shown == 1 { "is" } else { "are" }
            ),
        };
        sample.notes.insert(0, note);
        sample
    }

    fn sample(&self, outline: &Outline<'_>, source: Source<'_>, patterns: &[Pattern<'_>], places: &[usize]) -> Sample {
        let images: Vec<(&Row<'_>, Item)> = places
            .iter()
            .filter_map(|place| Some((&self.all[*place], image(source, self.all[*place].item)?)))
            .collect();
        let rows: Vec<(&Row<'_>, &Item)> = images.iter().map(|(row, image)| (*row, image)).collect();
        let named = source.items().count() > 1;
        let columns = columns(outline, source, patterns, &rows, named);
        let mut header: Vec<String> = columns.keys.iter().map(|name| code(name)).collect();
        header.extend(named.then(|| String::from("Entity")));
        header.extend(columns.attributes.iter().map(|name| code(name)));
        let empty = String::new;
        let cells = |(row, image): &(&Row<'_>, &Item)| {
            let mut cells: Vec<String> =
                columns.keys.iter().map(|name| image.get(name).map_or_else(empty, cell::key)).collect();
            cells.extend(named.then(|| inline(row.entity)));
            let list = |name: &str| embedded(source.layout, row.entity, name);
            cells.extend(columns.attributes.iter().map(|name| match (image.get(name), list(name)) {
                (Some(value), _) if is_key(source.layout, name) => cell::key(value),
                (Some(value), Some(entity)) => cell::embedded(value, entity),
                (Some(value), None) => cell::attribute(value),
                (None, _) => empty(),
            }));
            cells
        };
        let mut notes = Vec::new();
        for (list, entity, one) in elements(source.layout, &rows) {
            notes.push(format!("One {} of {}: {}", inline(entity), code(list), cell::element(one)));
        }
        if !columns.hidden.is_empty() {
            notes.push(format!("Not shown: {}", codes(columns.hidden.iter().map(String::as_str))));
        }
        Sample { header, rows: rows.iter().map(cells).collect(), notes }
    }

    /// Why a table has fewer rows than a sample should.
    fn few(&self, outline: &Outline<'_>, layout: &TableLayout, rows: usize) -> String {
        let counts = layout.items.iter().map(|item| {
            let def = item.entity_decl.and_then(|decl| entity_def(outline.db, decl))?;
            def.count.as_ref()?.get(Unit::Number)
        });
        let declared: Option<f64> = counts.sum();
        let is_fixed = |key: &str| {
            let value = |item: &ItemLayout| item.keys.get(key).map(|key| key.value.holes().count());
            layout.items.iter().all(|item| value(item) == Some(0))
        };
        let there = count(rows, "row", "rows");
        if layout.items.is_empty() {
            return String::from("No sample: the table has no item yet.");
        }
        if rows == 0 {
            return String::from("No sample: no item can be made from what is declared.");
        }
        if layout.primary_key().all(|key| is_fixed(&key.name)) {
            return format!("{there}: the primary key is the same text on every item of an entity.");
        }
        match declared.filter(|declared| *declared < FEWEST as f64) {
            Some(declared) => format!("{there}: the model counts {} in the table.", number(declared)),
            None => format!(
                "{there}: what the model says of counts, relationships and keys gives no more in a small sample."
            ),
        }
    }
}

/// Whether an attribute is of a key of the table or of one of its indexes.
fn is_key(layout: &TableLayout, name: &str) -> bool {
    layout.sources().flat_map(Source::key).any(|key| key.name == name)
}

/// The entity whose items an attribute of another's holds as a list.
fn embedded<'l>(layout: &'l TableLayout, entity: &str, name: &str) -> Option<&'l str> {
    let item = layout.items.iter().find(|item| item.entity == entity)?;
    let embed = item.embeds.iter().find(|embed| embed.list.as_deref() == Some(name))?;
    Some(&embed.entity)
}

/// The first element of each embedded list that rows have.
fn elements<'r>(layout: &'r TableLayout, rows: &[(&Row<'_>, &'r Item)]) -> Vec<(&'r str, &'r str, &'r Value)> {
    let lists = layout.items.iter().flat_map(|item| item.embeds.iter().map(move |embed| (item, embed)));
    let found = lists.filter_map(|(item, embed)| {
        let list = embed.list.as_deref()?;
        let own = rows.iter().filter(|(row, _)| row.entity == item.entity);
        let first = own.filter_map(|(_, image)| image.get(list)).find_map(|value| match value {
            Value::L(values) => values.first(),
            _ => None,
        })?;
        Some((list, embed.entity.as_str(), first))
    });
    found.collect()
}
