//! Talking to the engine: tables under the names of this run, units by the names
//! of the model.

use super::engine::{Engine, EngineFault, Quirk};
use super::tally::Units;
use crate::capacity::values::Item;
use crate::model::layout::{Source, TableLayout};
use crate::requests::wire::item_to_json;
use crate::requests::{Request, table_request};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// An engine with the prefix of this run.
pub(super) struct Session<'e> {
    engine: &'e dyn Engine,
    prefix: &'e str,
    /// The indexes that the engine cannot have, by `Table.Index`.
    left_out: BTreeSet<String>,
}

impl<'e> Session<'e> {
    /// A run of these tables.
    pub fn new(engine: &'e dyn Engine, prefix: &'e str, tables: &[&TableLayout]) -> Self {
        let single = !engine.quirks().contains(&Quirk::NoMultiAttributeKeys);
        let sources: Vec<Source<'_>> = tables.iter().flat_map(|layout| layout.of_indexes()).collect();
        let several = sources.iter().filter(|source| source.partition().len() > 1 || source.sort().len() > 1);
        let left_out = several.filter(|_| !single).map(|source| source.label()).collect();
        Self { engine, prefix, left_out }
    }

    /// Whether the engine cannot have an index.
    pub fn leaves_out(&self, source: Source<'_>) -> bool {
        self.left_out.contains(&source.label())
    }

    /// The indexes that it cannot have.
    pub fn left_out(&self) -> impl Iterator<Item = &String> {
        self.left_out.iter()
    }

    /// What this engine charges where DynamoDB would charge `units`.
    pub fn charged(&self, units: &Units) -> Units {
        let mut charged = units.clone();
        charged.0.retain(|target, _| !self.left_out.contains(target));
        charged
    }

    /// The name of a table on the engine.
    pub fn table(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Carries out an operation; its request names tables as the model does.
    pub fn send(&self, operation: &str, mut request: Map<String, Json>) -> Result<Json, EngineFault> {
        if !self.prefix.is_empty() {
            self.rename(&mut request);
        }
        self.engine.call(operation, &Json::Object(request))
    }

    /// Gives the tables of a request their names of this run: its own, those of a
    /// transaction's parts, those of a batch.
    fn rename(&self, request: &mut Map<String, Json>) {
        if let Some(Json::String(table)) = request.get_mut("TableName") {
            *table = self.table(table);
        }
        for part in request.get_mut("TransactItems").and_then(Json::as_array_mut).into_iter().flatten() {
            for (_, one) in part.as_object_mut().into_iter().flatten() {
                if let Some(one) = one.as_object_mut() {
                    self.rename(one);
                }
            }
        }
        if let Some(Json::Object(tables)) = request.get_mut("RequestItems") {
            *tables = std::mem::take(tables).into_iter().map(|(name, one)| (self.table(&name), one)).collect();
        }
    }

    /// The same, with the units that it consumed.
    pub fn measure(&self, request: Request) -> Result<(Json, Units), EngineFault> {
        let Request { operation, mut body } = request;
        body.insert("ReturnConsumedCapacity", "INDEXES");
        let answer = self.send(operation, body.json)?;
        let units = self.consumed(&answer);
        Ok((answer, units))
    }

    /// Writes an item without measuring.
    pub fn put(&self, table: &str, item: &Item) -> Result<(), EngineFault> {
        let mut request = table_request(table).json;
        request.insert("Item".to_owned(), item_to_json(item));
        self.send("PutItem", request).map(|_| ())
    }

    /// Deletes an item without measuring.
    pub fn delete(&self, table: &str, key: &Item) -> Result<(), EngineFault> {
        let mut request = table_request(table).json;
        request.insert("Key".to_owned(), item_to_json(key));
        self.send("DeleteItem", request).map(|_| ())
    }

    /// Whether the engine has a quirk.
    pub fn has(&self, quirk: Quirk) -> bool {
        self.engine.quirks().contains(&quirk)
    }

    /// The units of an answer by table and index of the model; zeros are left out,
    /// as some engines do.
    fn consumed(&self, answer: &Json) -> Units {
        let mut units = Units::default();
        let parts: Vec<&Json> = match &answer["ConsumedCapacity"] {
            Json::Array(parts) => parts.iter().collect(),
            Json::Null => Vec::new(),
            one => vec![one],
        };
        for part in parts {
            let table = part["TableName"].as_str().unwrap_or_default();
            // Real answers name tables by their ARN now and then.
            let table = table.rsplit('/').next().unwrap_or(table);
            let table = table.strip_prefix(self.prefix).unwrap_or(table);
            units.add(table, part["Table"]["CapacityUnits"].as_f64().unwrap_or(0.0));
            for kind in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
                for (index, detail) in part[kind].as_object().into_iter().flatten() {
                    units.add(&format!("{table}.{index}"), detail["CapacityUnits"].as_f64().unwrap_or(0.0));
                }
            }
        }
        units
    }
}
