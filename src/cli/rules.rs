//! `keywright rules`.

use super::fault::{Fault, Told};
use super::load::faults_of;
use super::{Format, Outcome, complain, print};
use crate::config::{ConfigFile, SetLevel, Settings};
use crate::model::defs::Style;
use crate::model::files::FileKey;
use crate::pages;
use crate::rules::registry::{all, style_of};
use crate::rules::rule::Rule;
use crate::rules::threshold::Threshold;
use crate::syntax::Quantity;
use crate::vfs::{config_keys, key_of_path, read_config};
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::sync::Arc;

/// Prints every rule: its level as it holds in this folder, and what can be set.
pub(super) fn run(format: Format) -> Outcome {
    let config = nearest_config();
    let faults: Vec<Fault> = config.iter().flat_map(|(key, file)| faults_of(key, file)).collect();
    let settings = config.map(|(_, file)| file.settings.clone()).unwrap_or_default();
    match format {
        Format::Json => {
            let rules: Vec<Value> = all().map(|rule| described(rule, &settings)).collect();
            let faults: Vec<Told<'_>> = faults.iter().map(Told::from).collect();
            print(format!("{}\n", json!({"version": 1, "rules": rules, "faults": faults})));
        }
        _ => print(table(&settings)),
    }
    for fault in &faults {
        complain(fault);
    }
    if faults.is_empty() { Outcome::Clean } else { Outcome::Failed }
}

/// The settings that hold for models in this folder.
fn nearest_config() -> Option<(FileKey, Arc<ConfigFile>)> {
    let here = key_of_path(&std::env::current_dir().ok()?)?;
    let model = FileKey::new(&format!("{}/m.dynamo", here.as_str().trim_end_matches('/')));
    let mut keys: Vec<FileKey> = config_keys([&model]).into_iter().collect();
    keys.sort_by_key(|key| std::cmp::Reverse(key.as_str().len()));
    keys.into_iter().find_map(|key| read_config(&key).map(|file| (key, file)))
}

/// The level that is set for a rule.
fn level_of(settings: &Settings, rule: &Rule) -> Option<SetLevel> {
    settings.levels.get(rule.name).copied()
}

/// The number that a rule compares with in this folder.
fn in_force(settings: &Settings, rule: &Rule, threshold: &Threshold) -> Quantity {
    let set = settings.thresholds.get(rule.name).and_then(|own| own.get(threshold.name));
    Quantity { value: set.copied().unwrap_or(threshold.default.value), unit: threshold.default.unit }
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

fn described(rule: &Rule, settings: &Settings) -> Value {
    let thresholds = rule.thresholds.iter().map(|threshold| {
        json!({
            "name": threshold.name,
            "default": threshold.default.to_string(),
            "value": in_force(settings, rule, threshold).to_string(),
            "kind": threshold.default.unit.to_string(),
            "summary": threshold.summary,
        })
    });
    json!({
        "name": rule.name,
        "group": rule.group.name(),
        "level": level_of(settings, rule).map_or(rule.level.word(), word),
        "default": rule.level.word(),
        "summary": rule.summary,
        "fixable": is_fixable(rule),
        "style": style_of(rule.name).map(style_word),
        "thresholds": thresholds.collect::<Vec<_>>(),
    })
}

fn table(settings: &Settings) -> String {
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
        let level = match level_of(settings, rule).map(word) {
            Some(set) if set != own => format!("{set} (not {own})"),
            _ => own.to_owned(),
        };
        let thresholds = rule.thresholds.iter().map(|one| match (in_force(settings, rule, one), one.default) {
            (set, own) if set != own => format!("{} = {set} (not {own})", one.name),
            (_, own) => format!("{} = {own}", one.name),
        });
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
