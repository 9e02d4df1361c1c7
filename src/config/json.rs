//! Settings that come from an editor, as JSON in the shape of the file.

use super::entries::{Faults, shown};
use super::node::{Entry, Node, Value};
use super::vocabulary::Vocabulary;
use super::{SETTINGS, Settings};
use crate::syntax::TextRange;
use serde_json::{Map, Value as Json};

/// Settings from the section of an editor's configuration: those that a
/// `keywright.toml` may hold, whatever else there is. With what is not used of
/// them, and why. Names may be joined by dots (`"levels.scan-pattern"`).
pub fn of_json(section: &Map<String, Json>, vocabulary: &Vocabulary) -> (Settings, Vec<String>) {
    let mut reader = Reader { paths: Vec::new() };
    let mut root = Map::new();
    for (name, value) in section {
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or_default();
        if SETTINGS.contains(&first) {
            put(&mut root, first, &parts.collect::<Vec<_>>(), value);
        }
    }
    let entries = reader.entries(&root, "");
    let mut faults = Faults::default();
    let settings = super::read(&entries, vocabulary, &mut faults);
    let told = |fault: super::ConfigFault| {
        let path = reader.paths.get(fault.range.start as usize).map_or("", String::as_str);
        format!("the setting `{path}` is not used: {}", fault.message)
    };
    (settings, faults.in_order().into_iter().map(told).collect())
}

/// Puts a value where the parts of its name lead to.
fn put(table: &mut Map<String, Json>, name: &str, rest: &[&str], value: &Json) {
    match rest.split_first() {
        Some((next, rest)) => {
            let inner = table.entry(name).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(inner) = inner {
                put(inner, next, rest, value);
            }
        }
        None => match (table.get_mut(name), value) {
            (Some(Json::Object(there)), Json::Object(new)) => there.extend(new.clone()),
            _ => drop(table.insert(name.to_owned(), value.clone())),
        },
    }
}

/// Turns JSON into a tree of values. JSON has no places here: a place is the
/// number of a path.
struct Reader {
    paths: Vec<String>,
}

impl Reader {
    fn entries(&mut self, table: &Map<String, Json>, above: &str) -> Vec<Entry> {
        let mut entries = Vec::new();
        // What an editor does not know to be set it sends as null.
        for (name, value) in table.iter().filter(|(_, value)| !value.is_null()) {
            let path = if above.is_empty() { shown(name) } else { format!("{above}.{}", shown(name)) };
            let key = TextRange::empty(self.paths.len());
            self.paths.push(format!("keywright.{path}"));
            let value = self.value(value, &path);
            entries.push(Entry { name: name.clone(), key, node: Node { place: key, value } });
        }
        entries
    }

    fn value(&mut self, value: &Json, path: &str) -> Value {
        match value {
            Json::String(text) => Value::Text(text.clone()),
            Json::Number(number) => Value::Number(number.as_f64()),
            Json::Bool(_) => Value::Truth,
            Json::Null | Json::Array(_) => Value::List,
            Json::Object(table) => Value::Table(self.entries(table, path)),
        }
    }
}
