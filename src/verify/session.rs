//! Talking to the engine: tables under the names of this run, units by the names
//! of the model.

use super::engine::{Engine, EngineFault, Quirk};
use super::tally::Units;
use super::wire::item_to_json;
use crate::capacity::values::Item;
use serde_json::{Map, Value as Json, json};

/// An engine with the prefix of this run.
pub(super) struct Session<'e> {
    pub engine: &'e dyn Engine,
    pub prefix: &'e str,
}

impl Session<'_> {
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
