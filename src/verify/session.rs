//! Talking to the engine: tables under the names of this run, units by the names
//! of the model.

use super::engine::{Engine, EngineFault, Quirk};
use super::tally::Units;
use super::wire::item_to_json;
use crate::capacity::values::Item;
use crate::model::layout::{Source, TableLayout};
use serde_json::{Map, Value as Json, json};
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

    /// Carries out an operation.
    pub fn send(&self, operation: &str, request: Map<String, Json>) -> Result<Json, EngineFault> {
        self.engine.call(operation, &Json::Object(request))
    }

    /// The same, with the units that it consumed.
    pub fn measure(&self, operation: &str, mut request: Map<String, Json>) -> Result<(Json, Units), EngineFault> {
        request.insert("ReturnConsumedCapacity".to_owned(), json!("INDEXES"));
        let answer = self.send(operation, request)?;
        let units = self.consumed(&answer);
        Ok((answer, units))
    }

    /// A request about a table.
    pub fn request(&self, table: &str) -> Map<String, Json> {
        Map::from_iter([("TableName".to_owned(), json!(self.table(table)))])
    }

    /// Writes an item without measuring.
    pub fn put(&self, table: &str, item: &Item) -> Result<(), EngineFault> {
        let mut request = self.request(table);
        request.insert("Item".to_owned(), item_to_json(item));
        self.send("PutItem", request).map(|_| ())
    }

    /// Deletes an item without measuring.
    pub fn delete(&self, table: &str, key: &Item) -> Result<(), EngineFault> {
        let mut request = self.request(table);
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
