//! What the client's configuration says, section `keywright`. It comes in three
//! ways: with `initialize`, pushed by `workspace/didChangeConfiguration`, and
//! asked for by `workspace/configuration` where the client has that.

use crate::config;
use crate::ide::{HintKinds, LensKinds};
use crate::rules::vocabulary::vocabulary;
use crate::syntax::near::nearest;
use serde_json::{Map, Value};

/// The name of the section.
pub const SECTION: &str = "keywright";

/// The settings of the section that are not in `keywright.toml`.
const GROUPS: [&str; 3] = ["inlayHints", "codeLens", SHOWS_DOCUMENTS];

const SHOWS_DOCUMENTS: &str = "showsDocuments";

/// What editors' extensions call settings of their own.
const OF_EXTENSIONS: [&str; 4] = ["enable", "path", "server", "trace"];

/// The settings that hold. What nobody sets has its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    pub inlay_hints: HintKinds,
    pub code_lens: LensKinds,
    /// Whether the client shows the generated documents that it has open, as one may be
    /// configured to that does not let it be registered.
    pub shows_documents: bool,
}

impl Settings {
    /// These settings, changed by what a client sent: the section, or an object
    /// that holds it. What is not said stays as it is, and what cannot be meant
    /// is told and stays as well.
    ///
    /// A setting may stand in its group or be spelled with it: `{"inlayHints":
    /// {"keys": false}}`, `{"inlayHints.keys": false}`, beside other settings also
    /// `{"keywright.inlayHints.keys": false}`. A group may be one value that is
    /// meant for each of its settings: `{"inlayHints": false}`.
    pub fn with(mut self, sent: &Value) -> (Self, Vec<String>) {
        let section = &section(sent);
        let mut faults = Vec::new();
        if let Some(root) = object(SECTION, section, &mut faults) {
            let mut reader = Reader { root, faults: &mut faults };
            let hints = &mut self.inlay_hints;
            reader.group(
                "inlayHints",
                [("operations", &mut hints.operations), ("sizes", &mut hints.sizes), ("keys", &mut hints.keys)],
            );
            let lenses = &mut self.code_lens;
            reader.misspelt();
            reader.group("codeLens", [("tables", &mut lenses.tables), ("entities", &mut lenses.entities)]);
            reader.flag(SHOWS_DOCUMENTS, &mut self.shows_documents);
        }
        faults.dedup();
        (self, faults)
    }
}

/// What a client sent for the analysis, in the shape of a `keywright.toml`:
/// `levels`, `thresholds`, `quotas`, `style`, `region` and `prices`.
pub fn of_models(sent: &Value) -> (config::Settings, Vec<String>) {
    match section(sent) {
        Value::Object(section) => config::of_json(&section, vocabulary()),
        // What is no section is a fault that is told already.
        _ => Default::default(),
    }
}

struct Reader<'v> {
    root: &'v Map<String, Value>,
    faults: &'v mut Vec<String>,
}

impl Reader<'_> {
    /// Tells of what is nearly the name of a setting. Editors' extensions keep
    /// settings of their own in the section: what is near to nothing is theirs.
    fn misspelt(&mut self) {
        let known = || GROUPS.into_iter().chain(config::SETTINGS);
        for name in self.root.keys() {
            let first = name.split('.').next().unwrap_or_default();
            if known().any(|known| known == first) || OF_EXTENSIONS.contains(&first) {
                continue;
            }
            if let Some(near) = nearest(first, known()) {
                let name: String = name.chars().take(MOST_WRITTEN).collect();
                self.faults.push(format!(
                    "the setting `{SECTION}.{name}` is not used: there is no such setting; did you mean `{near}`?"
                ));
            }
        }
    }

    /// A setting on its own.
    fn flag(&mut self, name: &str, setting: &mut bool) {
        match self.root.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::Bool(value)) => *setting = *value,
            Some(other) => self.faults.push(fault(&format!("{SECTION}.{name}"), "true or false", other)),
        }
    }

    /// The settings of a group. What is said of one of them counts more than what
    /// is said of all.
    fn group<const N: usize>(&mut self, group: &str, settings: [(&str, &mut bool); N]) {
        let path = format!("{SECTION}.{group}");
        let (all, own) = match self.root.get(group) {
            Some(Value::Bool(all)) => (Some(*all), None),
            Some(Value::Object(own)) => (None, Some(own)),
            None | Some(Value::Null) => (None, None),
            Some(other) => {
                self.faults.push(fault(&path, "true, false or an object", other));
                (None, None)
            }
        };
        let known = settings.each_ref().map(|(name, _)| *name);
        let inner = own.into_iter().flat_map(Map::keys).map(String::as_str);
        let prefix = format!("{group}.");
        let flat = self.root.keys().filter_map(|name| name.strip_prefix(&prefix));
        for name in inner.chain(flat).filter(|name| !known.contains(name)) {
            let name: String = name.chars().take(MOST_WRITTEN).collect();
            let there = known.map(|name| format!("`{name}`")).join(", ");
            self.faults
                .push(format!("the setting `{path}.{name}` is not used: there is no such setting; there is {there}"));
        }
        for (name, setting) in settings {
            let flat = self.root.get(&format!("{group}.{name}"));
            let said = [own.and_then(|own| own.get(name)), flat].into_iter().flatten().find(|said| !said.is_null());
            match said {
                None => *setting = all.unwrap_or(*setting),
                Some(Value::Bool(value)) => *setting = *value,
                Some(other) => self.faults.push(fault(&format!("{path}.{name}"), "true or false", other)),
            }
        }
    }
}

/// The section in what a client sent: alone, in its place, or spelled out in the
/// name of each setting.
fn section(sent: &Value) -> Value {
    let mut section = sent.get(SECTION).unwrap_or(sent).clone();
    if let (Some(section), Some(all)) = (section.as_object_mut(), sent.as_object()) {
        let own = all.iter().filter_map(|(name, value)| Some((name.strip_prefix(SECTION)?.strip_prefix('.')?, value)));
        section.extend(own.map(|(name, value)| (name.to_owned(), value.clone())));
    }
    section
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
    fn a_setting_may_be_spelled_with_its_group() {
        let section = json!({"inlayHints.operations": false, "codeLens.tables": false, "inlayHints": {"keys": false}});
        let spelled = json!({"keywright.inlayHints.operations": false, "keywright.codeLens.tables": false,
            "keywright.inlayHints": {"keys": false}, "other.inlayHints.sizes": false});
        for sent in [section.clone(), json!({"keywright": section}), spelled] {
            let (settings, faults) = Settings::default().with(&sent);
            assert_eq!(settings.inlay_hints, HintKinds { operations: false, sizes: true, keys: false }, "{sent}");
            assert_eq!(settings.code_lens, LensKinds { tables: false, entities: true }, "{sent}");
            assert!(faults.is_empty(), "{faults:?}");
        }
        let (_, faults) = Settings::default().with(&json!({"inlayHints.keys": "no"}));
        assert!(faults[0].contains("`keywright.inlayHints.keys` should be true or false"), "{faults:?}");
    }

    #[test]
    fn a_group_is_switched_as_a_whole() {
        let (off, faults) = Settings::default().with(&json!({"inlayHints": false, "codeLens": false}));
        assert_eq!(off.inlay_hints, HintKinds { operations: false, sizes: false, keys: false });
        assert_eq!(off.code_lens, LensKinds { tables: false, entities: false });
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(off.with(&json!({"keywright.inlayHints": true, "codeLens": true})).0, Settings::default());
        let (but_one, _) = Settings::default().with(&json!({"inlayHints": false, "inlayHints.keys": true}));
        assert_eq!(but_one.inlay_hints, HintKinds { operations: false, sizes: false, keys: true });
    }

    #[test]
    fn a_setting_that_is_misspelt_is_told_and_one_of_somebody_else_is_not() {
        for (wrong, right) in
            [("levls", "levels"), ("inlayHint", "inlayHints"), ("codelens", "codeLens"), ("Prices", "prices")]
        {
            for name in [wrong.to_owned(), format!("{wrong}.keys")] {
                let (settings, faults) = Settings::default().with(&json!({"keywright": {&name: false}}));
                let expected = format!(
                    "the setting `keywright.{name}` is not used: there is no such setting; did you mean `{right}`?"
                );
                assert_eq!((settings, faults), (Settings::default(), vec![expected]));
            }
        }
        let section = json!({"server": {"path": "x"}, "trace.server": "off", "trace": 1, "enable": true, "🙂": 1});
        assert_eq!(Settings::default().with(&section), (Settings::default(), Vec::new()));
    }

    #[test]
    fn a_client_may_say_that_it_shows_the_documents() {
        assert!(!Settings::default().shows_documents);
        for sent in [json!({"showsDocuments": true}), json!({"keywright.showsDocuments": true})] {
            let (settings, faults) = Settings::default().with(&sent);
            assert_eq!((settings.shows_documents, faults), (true, Vec::new()), "{sent}");
        }
        let (settings, faults) = Settings::default().with(&json!({"showsDocuments": "yes"}));
        assert!(!settings.shows_documents);
        assert!(faults[0].contains("`keywright.showsDocuments` should be true or false"), "{faults:?}");
        let (_, faults) = Settings::default().with(&json!({"showDocuments": true}));
        assert!(faults[0].ends_with("did you mean `showsDocuments`?"), "{faults:?}");
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
                "the setting `keywright.codeLens` should be true, false or an object, and is [1]: it is not used",
            ]
        );
        for unknown in [json!({"inlayHints": {"keyz": false}}), json!({"inlayHints.keyz": 1, "codeLens": true})] {
            let (settings, faults) = Settings::default().with(&unknown);
            assert_eq!((settings, faults.len()), (Settings::default(), 1), "{faults:?}");
            assert!(
                faults[0].contains(
                    "`keywright.inlayHints.keyz` is not used: there is no such setting; there is `operations`"
                )
            );
        }
        let long = json!("é".repeat(500));
        let (_, faults) = Settings::default().with(&long);
        assert!(faults[0].contains("should be an object") && faults[0].chars().count() < 160, "{faults:?}");
    }
}
