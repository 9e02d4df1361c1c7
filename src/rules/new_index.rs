//! A new index that answers what no key answers yet.

use super::finding::{Edit, Place};
use super::fixes::{free_name, index_name, key_template, set_key_values, upper_snake, without_id};
use super::solve::{Preparation, Solution};
use crate::model::answers::{descending, equal};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{ItemLayout, TableLayout, layout, placements};
use crate::model::names::{entity_def, style, table_def};
use crate::syntax::strings::quote_name;

/// An index that finds the entity by the attributes of `by`, and its query.
pub(super) fn new_index(db: &dyn Db, root: SourceFile, requirement: &RequirementDef) -> Option<Solution> {
    let [one] = requirement.uses.as_slice() else { return None };
    let holds = |layout: &&TableLayout| layout.items.iter().any(|item| item.entity == one.entity.text);
    let tables = placements(db, root).get(&one.entity.text)?;
    let layout = tables.iter().filter_map(|decl| layout(db, root, *decl).as_ref()).find(holds)?;
    let item = layout.items.iter().find(|item| item.entity == one.entity.text)?;
    let entity = entity_def(db, item.entity_decl?)?;
    let by: Vec<&AttributeDef> =
        requirement.by.iter().map(|name| entity.attribute(&name.text)).collect::<Option<_>>()?;
    let order = requirement.order.as_ref().filter(|order| !requirement.by.iter().any(|name| name.text == order.text));
    let order = match order {
        Some(order) => Some(entity.attribute(&order.text)?),
        None => None,
    };
    let keyable = |attribute: &&AttributeDef| attribute.ty.key_type().is_some();
    // M1: a key has four attributes at most.
    if by.is_empty() || by.len() > 4 || !by.iter().chain(&order).all(keyable) {
        return None;
    }
    let reading = Reading { db, requirement, one, layout, item, entity, by, order };
    match style(db, root) {
        Style::Aggregate => reading.natural_index(),
        Style::SingleTable => reading.generic_index(),
    }
}

/// All that a new index depends on.
struct Reading<'r, 'db> {
    db: &'db dyn Db,
    requirement: &'r RequirementDef,
    one: &'r EntityUse,
    layout: &'db TableLayout,
    item: &'db ItemLayout,
    entity: &'db EntityDef,
    by: Vec<&'db AttributeDef>,
    order: Option<&'db AttributeDef>,
}

impl Reading<'_, '_> {
    /// An index keyed by the attributes themselves.
    fn natural_index(&self) -> Option<Solution> {
        let names: Vec<&str> = self.by.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let sort: Vec<&str> = self.order.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let index = index_name(&self.one.entity.text, &names);
        let index = free_name(&index, |name| self.layout.index(name).is_some());
        let conditions: Vec<String> = self
            .by
            .iter()
            .map(|attribute| {
                // An item may compute what it stores under the attribute's name.
                let name = attribute.name.text.as_str();
                let own = KeyValue::of_attribute(name, Some(attribute));
                equal(name, self.item.keys.get(name).map_or(&own, |source| &source.value))
            })
            .collect();
        let quoted = |names: &[&str]| names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(", ");
        let keys = [names.as_slice(), sort.as_slice()].concat();
        let sort = if sort.is_empty() { String::new() } else { format!("  sort key {}\n", quoted(&sort)) };
        let partition = format!("  partition key {}\n", quoted(&names));
        let edits = vec![self.gsi(&index, &format!("{partition}{sort}"), &keys)?];
        Some(self.answer(index, conditions, edits))
    }

    /// An index with generic keys, and the values that the item gives them.
    fn generic_index(&self) -> Option<Solution> {
        let named = |n: &usize| {
            let index = format!("GSI{n}");
            let all = self.layout.items.iter().flat_map(|item| item.keys.keys());
            let indexes = self.layout.indexes.iter();
            let keys = indexes.flat_map(|index| index.partition.iter().chain(&index.sort)).map(|key| &key.name);
            let is_taken = |name: &String| *name == format!("{index}PK") || *name == format!("{index}SK");
            self.layout.index(&index).is_none() && !all.chain(keys).any(is_taken)
        };
        let index = format!("GSI{}", (1..).find(named)?);
        let (partition, sort) = (format!("{index}PK"), format!("{index}SK"));
        let parts = self.by.iter().map(|attribute| {
            let name = &attribute.name.text;
            format!("{}#{{{}}}", upper_snake(without_id(name)), quote_name(name))
        });
        let value = format!("\"{}\"", parts.collect::<Vec<_>>().join("#"));
        let (sort_type, sort_value) = match self.order {
            None => ("string", key_template(&self.one.entity.text, self.entity)),
            // As text, ten would sort before nine (S8).
            Some(order) if order.ty.key_type() == Some(KeyType::Number) => ("number", quote_name(&order.name.text)),
            Some(order) if order.ty.key_type() == Some(KeyType::Binary) => ("binary", quote_name(&order.name.text)),
            Some(order) => {
                let (prefix, name) = (upper_snake(&self.one.entity.text), quote_name(&order.name.text));
                ("string", format!("\"{prefix}#{{{name}}}\""))
            }
        };
        let table = table_def(self.db, self.layout.decl)?;
        let def =
            table.items.iter().find(|def| def.entity.as_ref().is_some_and(|name| name.range == self.item.range))?;
        let text = &self.layout.decl.chunk(self.db).text;
        let values = [format!("{partition} = {value}"), format!("{sort} = {sort_value}")];
        let keys = format!("  partition key {partition}: string\n  sort key {sort}: {sort_type}\n");
        let edits = vec![
            set_key_values(text, self.layout.decl, def, &values),
            self.gsi(&index, &keys, &[partition.as_str(), sort.as_str()])?,
        ];
        Some(self.answer(index, vec![format!("{partition} = {value}")], edits))
    }

    /// The edit that puts the index at the end of the table: it projects what is
    /// read, or all where the pattern does not say what that is.
    fn gsi(&self, index: &str, keys: &str, key_names: &[&str]) -> Option<Edit> {
        let body = table_def(self.db, self.layout.decl)?.body?;
        let own = |name: &str| key_names.contains(&name) || self.layout.primary_key().any(|key| key.name == name);
        let read = self.one.attributes.iter().filter(|name| !own(&name.text));
        let read: Vec<String> = read.map(|name| quote_name(&name.text)).collect();
        let projection = match (self.one.attributes.is_empty(), read.is_empty()) {
            (true, _) => "all".to_owned(),
            (false, true) => "keys_only".to_owned(),
            (false, false) => format!("include({})", read.join(", ")),
        };
        let lines = format!("\ngsi {} {{\n{keys}  projection {projection}\n}}", quote_name(index));
        Some(Edit::AppendToBlock { block: Place { decl: self.layout.decl, range: body }, lines })
    }

    fn answer(&self, index: String, conditions: Vec<String>, edits: Vec<Edit>) -> Solution {
        let (table, conditions) = (quote_name(&self.layout.name.text), conditions.join(" and "));
        let operation =
            format!("query {table}.{} where {conditions}{}", quote_name(&index), descending(self.requirement));
        Solution {
            operation,
            table: self.layout.decl,
            first: Some(Preparation { title: format!("Add index `{index}`"), index: Some(index), new: true, edits }),
        }
    }
}
