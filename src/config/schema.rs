//! The JSON Schema of `keywright.toml`, for editors that check TOML by one.

use super::entries::DATE;
use super::levels::{LEVELS, settable};
use super::prices::{CLASSES, NAMES};
use super::quotas::Quota;
use super::vocabulary::{RuleWords, ThresholdWords, Vocabulary};
use super::{REGION, STYLES, SetStyle};
use crate::syntax::Unit;
use serde_json::{Map, Value, json};

/// The schema, as a text.
pub fn schema(vocabulary: &Vocabulary) -> String {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "keywright.toml",
        "description": "Settings of Keywright for the models in this folder and below.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "$schema": {"type": "string", "description": "The schema that an editor checks this file by."},
            "region": {
                "type": "string",
                "pattern": REGION,
                "description": "The AWS Region of models that name none.",
                "examples": ["us-east-1"],
            },
            "style": {
                "enum": STYLES.map(|(name, _)| name),
                "default": STYLES.iter().find(|(_, style)| *style == SetStyle::Aggregate).map(|(name, _)| *name),
                "description": "The school of design of models that name none.",
            },
            "levels": levels(vocabulary),
            "thresholds": thresholds(vocabulary),
            "quotas": quotas(),
            "prices": prices(),
        },
    });
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

fn levels(vocabulary: &Vocabulary) -> Value {
    let words = LEVELS.map(|(name, _)| name);
    let mut properties = Map::new();
    for name in settable(vocabulary) {
        let level = match vocabulary.rule(name) {
            Some(rule) => json!({"enum": words, "default": rule.level, "description": sentence(rule.summary)}),
            None => json!({"enum": words, "description": format!("All rules of the group `{name}`.")}),
        };
        properties.insert(name.to_owned(), level);
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": "The levels of rules and of groups of rules; what is said of a rule counts more.",
        "properties": properties,
    })
}

fn thresholds(vocabulary: &Vocabulary) -> Value {
    let with = vocabulary.rules.iter().filter(|rule| !rule.thresholds.is_empty());
    let of_rule = |rule: &RuleWords| {
        let own = rule.thresholds.iter().map(|threshold| (threshold.name.to_owned(), quantity(threshold)));
        let own: Map<String, Value> = own.collect();
        json!({
            "type": "object",
            "additionalProperties": false,
            "description": sentence(rule.summary),
            "properties": own,
        })
    };
    let properties: Map<String, Value> = with.map(|rule| (rule.name.to_owned(), of_rule(rule))).collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": "The numbers that rules compare with.",
        "properties": properties,
    })
}

/// A threshold: a text in the language's spelling, or a number where it has no
/// unit.
fn quantity(threshold: &ThresholdWords) -> Value {
    const NUMBER: &str = r"[0-9][0-9_]*(\.[0-9]+)?";
    let units = match threshold.default.unit {
        Unit::Number => "[kMG]?",
        Unit::Size => "(B|KB|MB|GB)",
        Unit::Duration => "(ms|s|min|h|d)",
        Unit::Rate => "[kMG]?/(s|min|h|day)",
        Unit::Percent => "%",
    };
    let pattern = match threshold.default.unit {
        Unit::Percent => r"^0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%$".to_owned(),
        _ => format!("^{NUMBER}{units}$"),
    };
    let description = sentence(threshold.summary);
    let mut number = json!({"type": "number", "minimum": 0});
    if let Some(above) = threshold.bounds.above {
        number = json!({"type": "number", "exclusiveMinimum": above});
    }
    if let Some(most) = threshold.bounds.most {
        number["maximum"] = most.into();
    }
    match threshold.default.unit {
        Unit::Number => json!({
            "oneOf": [number, {"type": "string", "pattern": pattern}],
            "default": threshold.default.value,
            "description": description,
        }),
        _ => json!({
            "type": "string",
            "pattern": pattern,
            "default": threshold.default.to_string(),
            "description": description,
        }),
    }
}

fn quotas() -> Value {
    let quota = |quota: Quota| {
        let number = json!({"type": "integer", "minimum": 1});
        let text = json!({"type": "string", "pattern": r"^[0-9][0-9_]*([kMG]|\.[0-9]+[kMG])?$"});
        let default = quota.default();
        json!({"oneOf": [number, text], "default": default, "description": sentence(quota.summary())})
    };
    let properties: Map<String, Value> =
        Quota::ALL.map(|one| (one.name().to_owned(), quota(one))).into_iter().collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": "What the account gets, where AWS has raised it.",
        "properties": properties,
    })
}

fn prices() -> Value {
    let price = |name: &str| match name {
        "taken" => json!({"type": "string", "pattern": DATE, "description": "The day when the prices were read."}),
        "source" => json!({"type": "string", "minLength": 1, "description": "Where the prices were read."}),
        name => json!({"type": "number", "minimum": 0, "description": sentence(super::prices::summary(name))}),
    };
    let properties: Map<String, Value> = NAMES.map(|name| (name.to_owned(), price(name))).into_iter().collect();
    let class = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["taken", "source"],
        "properties": properties,
    });
    let classes: Map<String, Value> = CLASSES.map(|name| (name.to_owned(), class.clone())).into_iter().collect();
    json!({
        "type": "object",
        "description": "Prices in US dollars, by Region and table class.",
        "propertyNames": {"pattern": REGION},
        "additionalProperties": {"type": "object", "additionalProperties": false, "properties": classes},
    })
}

/// A summary as a sentence.
fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
