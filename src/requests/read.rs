//! Reads alone: the requests of a `get`, a `query` and a `scan`.

use super::bindings::Bound;
use super::conditions::{Chosen, Condition, Path};
use super::express::Placeholders;
use super::origin::of_item;
use super::shape::Shape;
use super::{Request, table_request};
use crate::capacity::values::Item;
use crate::model::defs::ReadOptions;
use crate::model::layout::Source;
use crate::population::images::Entry;
use crate::population::items::Stored;
use crate::population::spell::Spelling;
use crate::syntax::Unit;

/// A `GetItem` of an item.
pub fn get(stored: &Stored<'_>, shape: &Shape) -> Request {
    let mut body = table_request(&stored.layout.name.text);
    let mut placeholders = Placeholders::default();
    body.place("Key", &stored.key(), |name| of_item(stored, name));
    shape.ask(&mut body, &mut placeholders);
    placeholders.give(&mut body);
    Request { operation: "GetItem", body }
}

/// What a query or scan asks for.
#[derive(Clone, Copy)]
pub struct Asked<'r> {
    pub source: Source<'r>,
    /// The key condition; `None` for a scan.
    pub bound: Option<&'r Bound>,
    pub filter: Option<&'r Condition>,
    /// What it asks of the items; `None`: all that is there of them.
    pub shape: Option<&'r Shape>,
    pub descending: bool,
    pub limit: Option<usize>,
}

impl<'r> Asked<'r> {
    /// All items of a table or index, or of a key in it, as they are.
    pub fn all(source: Source<'r>, bound: Option<&'r Bound>) -> Self {
        Self { source, bound, filter: None, shape: None, descending: false, limit: None }
    }

    /// The `Query` or `Scan` that asks for it.
    pub fn request(self) -> Request {
        let mut body = table_request(&self.source.layout.name.text);
        let mut placeholders = Placeholders::default();
        if let Some(index) = self.source.index {
            body.insert("IndexName", index.name.text.as_str());
        }
        if let Some(bound) = self.bound {
            body.insert("KeyConditionExpression", key_condition(bound, &mut placeholders));
        }
        if let Some(filter) = self.filter {
            body.insert("FilterExpression", filter.express(&mut placeholders));
        }
        if let Some(shape) = self.shape {
            shape.ask(&mut body, &mut placeholders);
        }
        if self.descending {
            body.insert("ScanIndexForward", false);
        }
        if let Some(limit) = self.limit {
            body.insert("Limit", limit);
        }
        placeholders.give(&mut body);
        Request { operation: if self.bound.is_some() { "Query" } else { "Scan" }, body }
    }
}

/// How many items a read asks for at most.
pub fn limit(options: &ReadOptions) -> Option<usize> {
    options.limit.as_ref().and_then(|limit| limit.get(Unit::Number)).map(|limit| limit as usize)
}

fn key_condition(bound: &Bound, placeholders: &mut Placeholders) -> String {
    let terms = bound.terms.iter().map(|term| {
        let path = Path { name: term.attribute.clone(), element: None };
        let condition = Condition::Compare { path, operator: term.operator, operands: term.operands.clone() };
        condition.express(placeholders)
    });
    terms.collect::<Vec<_>>().join(" AND ")
}

/// The filter of a read with operands, chosen so that some of the items that it
/// reads pass; where none has all attributes that it names, for `first`.
pub fn filter(
    source: Source<'_>,
    options: &ReadOptions,
    ordered: &[&Entry<'_, '_>],
    first: Option<&Entry<'_, '_>>,
    attributes: &Item,
    spelling: Spelling,
) -> Option<Condition> {
    let conditions = options.filter.as_ref()?.conditions.as_ref()?;
    let empty = Item::new();
    let is_key = |name: &str| source.layout.sources().flat_map(Source::key).any(|key| key.name == name);
    let choose = |entry: Option<&Entry>| {
        let item = entry.map_or(&empty, |entry| &entry.image);
        let attributes = entry.map_or(attributes, |entry| &entry.stored.instance.values);
        Chosen { item, attributes, element: None, is_key: &is_key, told: &empty, given: &empty, spelling }
            .conditions(conditions, true)
    };
    let passing = ordered.iter().copied().find(|entry| choose(Some(entry)).holds(&entry.image));
    Some(choose(passing.or(first).or(ordered.first().copied())))
}
