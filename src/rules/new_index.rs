//! An index that answers what no key answers yet: a new one, or one that there is
//! and that the entity is not in.

use super::finding::{Edit, Place};
use super::fixes::{free_name, index_name, key_template, set_key_values, upper_snake, without_id};
use super::solve::{Preparation, Solution};
use crate::model::answers::{descending, equal, shards_asked, sorted_by, tables_of, times_told};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{IndexLayout, ItemLayout, TableLayout};
use crate::model::names::{entity_def, style, table_def};
use crate::syntax::strings::quote_name;

/// Indexes that find the entity by the attributes of `by`, each with its query: in the
/// single-table style those whose generic keys the entity does not use yet; then a new
/// one.
pub(super) fn indexes(db: &dyn Db, root: SourceFile, requirement: &RequirementDef) -> Vec<Solution> {
    let Some(reading) = reading(db, root, requirement) else { return Vec::new() };
    match style(db, root) {
        Style::Aggregate => reading.natural_index().into_iter().collect(),
        Style::SingleTable => reading.shared_indexes().chain(reading.generic_index()).collect(),
    }
}

/// What an index depends on; `None` where the attributes can make no key.
fn reading<'r, 'db>(db: &'db dyn Db, root: SourceFile, requirement: &'r RequirementDef) -> Option<Reading<'r, 'db>> {
    let [one] = requirement.uses.as_slice() else { return None };
    let holds = |layout: &&TableLayout| layout.items.iter().any(|item| item.entity == one.entity.text);
    let layout = tables_of(db, root, &one.entity.text).into_iter().find(holds)?;
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
    Some(Reading { db, requirement, one, layout, item, entity, by, order })
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

impl<'db> Reading<'_, 'db> {
    /// An index keyed by the attributes themselves.
    fn natural_index(&self) -> Option<Solution> {
        let names: Vec<&str> = self.by.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let sort: Vec<&str> = self.order.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let index = index_name(&self.one.entity.text, &names);
        let index = free_name(&index, |name| self.layout.index(name).is_some());
        // An item may compute what it stores under the attribute's name.
        let stored = |attribute: &'db AttributeDef| {
            let name = attribute.name.text.as_str();
            let computed = self.item.keys.get(name).map(|source| source.value.clone());
            (name, computed.unwrap_or_else(|| KeyValue::of_attribute(name, Some(attribute))))
        };
        if self.order.is_some_and(|order| !sorted_by(&stored(order).1, &order.name.text)) {
            return None;
        }
        let values: Vec<(&str, KeyValue)> = self.by.iter().map(|attribute| stored(attribute)).collect();
        let times = values.iter().map(|(_, value)| shards_asked(value, self.requirement)).product();
        let conditions: Vec<String> = values.iter().map(|(name, value)| equal(name, value)).collect();
        let quoted = |names: &[&str]| names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(", ");
        let keys = [names.as_slice(), sort.as_slice()].concat();
        let sort = if sort.is_empty() { String::new() } else { format!("  sort key {}\n", quoted(&sort)) };
        let partition = format!("  partition key {}\n", quoted(&names));
        let edits = vec![self.gsi(&index, &format!("{partition}{sort}"), &keys)?];
        Some(self.answer(index, conditions, times, edits))
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
        let (ty, edit) = self.values(&partition, &sort)?;
        let keys = format!("  partition key {partition}: string\n  sort key {sort}: {}\n", ty.word());
        let edits = vec![edit, self.gsi(&index, &keys, &[partition.as_str(), sort.as_str()])?];
        let condition = format!("{partition} = {}", self.partition_value());
        Some(self.answer(index, vec![condition], 1.0, edits))
    }

    /// Indexes whose generic keys the entity does not use yet, and whose other items have
    /// other values: the item gives the keys values of its own.
    fn shared_indexes(&self) -> impl Iterator<Item = Solution> {
        let indexes = self.layout.indexes.iter().filter(|index| index.kind == IndexKind::Global);
        indexes.filter_map(|index| {
            let ([partition], [sort]) = (index.partition.as_slice(), index.sort.as_slice()) else { return None };
            let (ty, edit) = self.values(&partition.name, &sort.name)?;
            let fits = partition.ty == Some(KeyType::String) && sort.ty == Some(ty);
            let free = [partition, sort].iter().all(|key| !self.item.keys.contains_key(&key.name));
            if !fits || !free || !self.has_all(index) || !self.is_apart(&partition.name) {
                return None;
            }
            let name = index.name.text.clone();
            let condition = format!("{} = {}", quote_name(&partition.name), self.partition_value());
            let mut answer = self.answer(name.clone(), vec![condition], 1.0, vec![edit]);
            answer.first = answer.first.map(|first| Preparation {
                title: format!("Put `{}` into index `{name}`", self.one.entity.text),
                advice: format!("no key is made for it, and with `{}` in index `{name}`", self.one.entity.text),
                ..first
            });
            Some(answer)
        })
    }

    /// The value of a generic partition key: `"STATUS#{status}"`.
    fn partition_value(&self) -> String {
        let parts = self.by.iter().map(|attribute| {
            let name = &attribute.name.text;
            format!("{}#{{{}}}", upper_snake(without_id(name)), quote_name(name))
        });
        format!("\"{}\"", parts.collect::<Vec<_>>().join("#"))
    }

    /// The edit that gives generic keys their values, and the type of the sort key.
    fn values(&self, partition: &str, sort: &str) -> Option<(KeyType, Edit)> {
        let key_type = |attribute: &AttributeDef| attribute.ty.key_type().filter(|ty| *ty != KeyType::String);
        let (ty, value) = match self.order {
            None => (KeyType::String, key_template(&self.one.entity.text, self.entity)),
            // As text, ten would sort before nine (S8).
            Some(order) if key_type(order).is_some() => (key_type(order)?, quote_name(&order.name.text)),
            Some(order) => {
                let (prefix, name) = (upper_snake(&self.one.entity.text), quote_name(&order.name.text));
                (KeyType::String, format!("\"{prefix}#{{{name}}}\""))
            }
        };
        let table = table_def(self.db, self.layout.decl)?;
        let is_it = |def: &&ItemDef| def.entity.as_ref().is_some_and(|name| name.range == self.item.range);
        let def = table.items.iter().find(is_it)?;
        let (partition, sort) = (quote_name(partition), quote_name(sort));
        let values = [format!("{partition} = {}", self.partition_value()), format!("{sort} = {value}")];
        let text = &self.layout.decl.chunk(self.db).text;
        Some((ty, set_key_values(text, self.layout.decl, def, &values)))
    }

    /// What is read and no key holds as it is: not those of the table, nor those of an
    /// index that are made of `by` and the order.
    fn besides_keys(&self, key_names: &[&str]) -> Vec<&str> {
        let primary = self.layout.primary_key().filter_map(|key| self.item.keys.get(&key.name));
        let mut held: Vec<&str> = primary.flat_map(|key| key.value.whole_holes()).collect();
        held.extend(self.layout.primary_key().map(|key| key.name.as_str()));
        held.extend(self.by.iter().chain(&self.order).map(|attribute| attribute.name.text.as_str()));
        let read = self.one.attributes.iter().map(|name| name.text.as_str());
        read.filter(|name| !held.contains(name) && !key_names.contains(name)).collect()
    }

    /// Whether an index projects what is read.
    fn has_all(&self, index: &IndexLayout) -> bool {
        let includes = |name: &&str| index.included.iter().any(|included| included == name);
        index.projection == ProjectionKind::All
            || (!self.one.attributes.is_empty() && self.besides_keys(&[]).iter().all(includes))
    }

    /// Whether no other item has a value of the key that the entity's could meet.
    fn is_apart(&self, partition: &str) -> bool {
        let own = self.partition_value();
        let own = own.trim_matches('"').split('{').next().unwrap_or("");
        self.layout.items.iter().filter_map(|item| item.keys.get(partition)).all(|key| {
            let other = key.value.leading_literal();
            !other.is_empty() && !other.starts_with(own) && !own.starts_with(other)
        })
    }

    /// The edit that puts the index at the end of the table: it projects what is
    /// read, or all where the pattern does not say what that is.
    fn gsi(&self, index: &str, keys: &str, key_names: &[&str]) -> Option<Edit> {
        let body = table_def(self.db, self.layout.decl)?.body?;
        let read: Vec<String> = self.besides_keys(key_names).iter().map(|name| quote_name(name)).collect();
        let projection = match (self.one.attributes.is_empty(), read.is_empty()) {
            (true, _) => "all".to_owned(),
            (false, true) => "keys_only".to_owned(),
            (false, false) => format!("include({})", read.join(", ")),
        };
        let lines = format!("\ngsi {} {{\n{keys}  projection {projection}\n}}", quote_name(index));
        Some(Edit::AppendToBlock { block: Place { decl: self.layout.decl, range: body }, lines })
    }

    fn answer(&self, index: String, conditions: Vec<String>, times: f64, edits: Vec<Edit>) -> Solution {
        let (table, conditions) = (quote_name(&self.layout.name.text), conditions.join(" and "));
        let (order, times) = (descending(self.requirement), times_told(times));
        let operation = format!("query {table}.{} where {conditions}{order}{times}", quote_name(&index));
        Solution {
            operation,
            table: self.layout.decl,
            first: Some(Preparation {
                title: format!("Add index `{index}`"),
                advice: "no key is made for it, and with a new index".to_owned(),
                index: Some(index),
                edits,
            }),
        }
    }
}
