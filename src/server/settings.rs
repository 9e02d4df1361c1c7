//! What the client's configuration says, section `keywright`. It comes in three
//! ways: with `initialize`, pushed by `workspace/didChangeConfiguration`, and
//! asked for by `workspace/configuration` where the client has that.

use crate::ide::{HintKinds, LensKinds};
use serde_json::{Map, Value};

/// The name of the section.
pub const SECTION: &str = "keywright";

/// The settings that hold. What nobody sets has its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    pub inlay_hints: HintKinds,
    pub code_lens: LensKinds,
}

impl Settings {
    /// These settings, changed by what a client sent: the section, or an object
    /// that holds it. What is not said stays as it is, and what cannot be meant
    /// is told and stays as well.
    pub fn with(mut self, sent: &Value) -> (Self, Vec<String>) {
        let section = sent.get(SECTION).unwrap_or(sent);
        let mut faults = Vec::new();
        if let Some(root) = object(SECTION, section, &mut faults) {
            let mut reader = Reader { root, faults: &mut faults };
            reader.flag("inlayHints", "operations", &mut self.inlay_hints.operations);
            reader.flag("inlayHints", "sizes", &mut self.inlay_hints.sizes);
            reader.flag("inlayHints", "keys", &mut self.inlay_hints.keys);
            reader.flag("codeLens", "tables", &mut self.code_lens.tables);
            reader.flag("codeLens", "entities", &mut self.code_lens.entities);
        }
        faults.dedup();
        (self, faults)
    }
}

struct Reader<'v> {
    root: &'v Map<String, Value>,
    faults: &'v mut Vec<String>,
}

impl Reader<'_> {
    fn flag(&mut self, group: &str, name: &str, setting: &mut bool) {
        let path = format!("{SECTION}.{group}");
        let group = self.root.get(group).and_then(|value| object(&path, value, self.faults));
        match group.and_then(|group| group.get(name)) {
            None | Some(Value::Null) => {}
            Some(Value::Bool(value)) => *setting = *value,
            Some(other) => self.faults.push(fault(&format!("{path}.{name}"), "true or false", other)),
        }
    }
}

/// The object that a setting should be; clients send `null` for what is not set.
fn object<'v>(path: &str, value: &'v Value, faults: &mut Vec<String>) -> Option<&'v Map<String, Value>> {
    if !(value.is_object() || value.is_null()) {
        faults.push(fault(path, "an object", value));
    }
    value.as_object()
}

fn fault(path: &str, expected: &str, value: &Value) -> String {
    let mut written = value.to_string();
    if written.chars().count() > MOST_WRITTEN {
        written = written.chars().take(MOST_WRITTEN).chain(['…']).collect();
    }
    format!("the setting `{path}` should be {expected}, and is {written}: it is not used")
}

/// Characters of a wrong value that a message shows.
const MOST_WRITTEN: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_section_is_found_alone_and_in_its_place() {
        let section = json!({"inlayHints": {"keys": false}, "codeLens": {"entities": false}, "server": {"path": "x"}});
        for sent in [section.clone(), json!({"keywright": section, "other": 1})] {
            let (settings, faults) = Settings::default().with(&sent);
            assert_eq!(settings.inlay_hints, HintKinds { keys: false, ..HintKinds::default() });
            assert_eq!(settings.code_lens, LensKinds { tables: true, entities: false });
            assert!(faults.is_empty(), "{faults:?}");
        }
    }

    #[test]
    fn what_is_not_said_stays() {
        let (off, _) = Settings::default().with(&json!({"inlayHints": {"sizes": false}}));
        for sent in [json!(null), json!({}), json!({"keywright": null}), json!({"inlayHints": {"sizes": null}})] {
            assert_eq!(off.with(&sent), (off, Vec::new()), "{sent}");
        }
        assert_eq!(off.with(&json!({"inlayHints": {"sizes": true}})).0, Settings::default());
    }

    #[test]
    fn what_cannot_be_meant_is_told_once_and_not_used() {
        let sent = json!({"inlayHints": {"keys": "no", "sizes": false}, "codeLens": [1]});
        let (settings, faults) = Settings::default().with(&sent);
        assert_eq!(settings.inlay_hints, HintKinds { sizes: false, ..HintKinds::default() });
        assert_eq!(settings.code_lens, LensKinds::default());
        assert_eq!(
            faults,
            [
                "the setting `keywright.inlayHints.keys` should be true or false, and is \"no\": it is not used",
                "the setting `keywright.codeLens` should be an object, and is [1]: it is not used",
            ]
        );
        let long = json!("é".repeat(500));
        let (_, faults) = Settings::default().with(&long);
        assert!(faults[0].contains("should be an object") && faults[0].chars().count() < 160, "{faults:?}");
    }
}
