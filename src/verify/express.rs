//! Expressions of DynamoDB's API. Every name and value stands behind a
//! placeholder, so that no reserved word and no odd character is in the way.

use super::wire::to_json;
use crate::capacity::values::{Item, Value};
use serde_json::{Map, Value as Json};

/// The placeholders of one request.
#[derive(Default)]
pub(super) struct Placeholders {
    names: Vec<String>,
    values: Vec<Value>,
}

impl Placeholders {
    /// The placeholder of a name.
    pub fn name(&mut self, name: &str) -> String {
        let index = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        format!("#n{index}")
    }

    /// A placeholder for a value.
    pub fn value(&mut self, value: &Value) -> String {
        self.values.push(value.clone());
        format!(":v{}", self.values.len() - 1)
    }

    /// Names joined by commas, as a projection has them.
    pub fn list<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> String {
        names.map(|name| self.name(name)).collect::<Vec<_>>().join(", ")
    }

    /// Adds what stands behind the placeholders to a request.
    pub fn give(self, request: &mut Map<String, Json>) {
        if !self.names.is_empty() {
            let names = self.names.into_iter().enumerate().map(|(i, name)| (format!("#n{i}"), Json::String(name)));
            request.insert("ExpressionAttributeNames".to_owned(), Json::Object(names.collect()));
        }
        if !self.values.is_empty() {
            let values = self.values.iter().enumerate().map(|(i, value)| (format!(":v{i}"), to_json(value)));
            request.insert("ExpressionAttributeValues".to_owned(), Json::Object(values.collect()));
        }
    }
}

/// What makes `after` of `before`: the attributes of `set` and all others that
/// differ, the primary key apart; `None` where nothing is to be done.
pub(super) fn update(
    placeholders: &mut Placeholders,
    before: &Item,
    after: &Item,
    named: impl Fn(&str) -> bool,
    key: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut sets = Vec::new();
    let mut removes = Vec::new();
    for (name, value) in after.iter().filter(|(name, _)| !key(name)) {
        if named(name) || before.get(name) != Some(value) {
            let name = placeholders.name(name);
            sets.push(format!("{name} = {}", placeholders.value(value)));
        }
    }
    for name in before.keys().filter(|name| !key(name) && !after.contains_key(*name)) {
        removes.push(placeholders.name(name));
    }
    let mut clauses = Vec::new();
    if !sets.is_empty() {
        clauses.push(format!("SET {}", sets.join(", ")));
    }
    if !removes.is_empty() {
        clauses.push(format!("REMOVE {}", removes.join(", ")));
    }
    (!clauses.is_empty()).then(|| clauses.join(" "))
}
