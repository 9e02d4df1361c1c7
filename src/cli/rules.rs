//! `keywright rules`.

use super::{Format, Outcome, complain, print};
use crate::config::{ConfigFile, SetLevel};
use crate::model::defs::Style;
use crate::model::files::FileKey;
use crate::pages;
use crate::rules::registry::{all, style_of};
use crate::rules::rule::Rule;
use crate::vfs::{config_keys, key_of_path, read_config};
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::sync::Arc;

/// Prints every rule: its level as it holds in this folder, and what can be set.
pub(super) fn run(format: Format) -> Outcome {
    let config = nearest_config();
    for fault in config.iter().flat_map(|config| &config.faults) {
        complain(format!("keywright.toml: {}", fault.message));
    }
    let set = |rule: &Rule| config.as_ref().and_then(|config| config.settings.levels.get(rule.name)).copied();
    match format {
        Format::Json => {
            let rules: Vec<Value> = all().map(|rule| described(rule, set(rule))).collect();
            print(format!("{}\n", json!({"version": 1, "rules": rules})));
        }
        _ => print(table(set)),
    }
    Outcome::Clean
}

/// The settings that hold for models in this folder.
fn nearest_config() -> Option<Arc<ConfigFile>> {
    let here = key_of_path(&std::env::current_dir().ok()?)?;
    let model = FileKey::new(&format!("{}/m.dynamo", here.as_str().trim_end_matches('/')));
    let mut keys: Vec<FileKey> = config_keys([&model]).into_iter().collect();
    keys.sort_by_key(|key| std::cmp::Reverse(key.as_str().len()));
    keys.iter().find_map(read_config)
}

fn word(level: SetLevel) -> &'static str {
    match level {
        SetLevel::Off => "off",
        SetLevel::Hint => "hint",
        SetLevel::Info => "info",
        SetLevel::Warning => "warning",
        SetLevel::Error => "error",
    }
}

fn style_word(style: Style) -> &'static str {
    match style {
        Style::Aggregate => "aggregate",
        Style::SingleTable => "single_table",
    }
}

/// Whether findings of the rule may come with a fix: its page shows one then.
fn is_fixable(rule: &Rule) -> bool {
    pages::rule(rule.name).is_some_and(|page| page.contains("```dynamo fixed") || page.contains("\n## Fix\n"))
}

fn described(rule: &Rule, set: Option<SetLevel>) -> Value {
    let thresholds = rule.thresholds.iter().map(|threshold| {
        json!({
            "name": threshold.name,
            "default": threshold.default.to_string(),
            "kind": threshold.default.unit.to_string(),
            "summary": threshold.summary,
        })
    });
    json!({
        "name": rule.name,
        "group": rule.group.name(),
        "level": set.map_or(rule.level.word(), word),
        "default": rule.level.word(),
        "summary": rule.summary,
        "fixable": is_fixable(rule),
        "style": style_of(rule.name).map(style_word),
        "thresholds": thresholds.collect::<Vec<_>>(),
    })
}

fn table(set: impl Fn(&Rule) -> Option<SetLevel>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "rule",
        "group",
        "level",
        "fix",
        "style",
        "thresholds",
        "fires when",
    ]);
    for rule in all() {
        let own = rule.level.word();
        let level = match set(rule).map(word) {
            Some(set) if set != own => format!("{set} (not {own})"),
            _ => own.to_owned(),
        };
        let thresholds = rule.thresholds.iter().map(|one| format!("{} = {}", one.name, one.default));
        table.add_row([
            rule.name,
            rule.group.name(),
            &level,
            if is_fixable(rule) { "yes" } else { "" },
            style_of(rule.name).map_or("", style_word),
            &thresholds.collect::<Vec<_>>().join(", "),
            rule.summary,
        ]);
    }
    table.lines().map(|line| format!("{}\n", line.trim())).collect()
}
