//! `[thresholds.RULE]`: the numbers that rules compare with.

use super::entries::{Faults, quantity as spelled, shown};
use super::node::{Entry, Value};
use super::vocabulary::{RuleWords, ThresholdWords, Vocabulary};
use crate::syntax::{Quantity, Unit};
use std::collections::BTreeMap;

/// No threshold is beyond this, in the base unit of its kind: a larger one
/// would only stand for "never", which is the level `off`.
const MOST: f64 = 1e15;

/// Thresholds by rule and by name, in the base units of their kinds.
pub type Thresholds = BTreeMap<String, BTreeMap<String, f64>>;

/// Reads `[thresholds]`, rule by rule.
pub fn read(table: &[Entry], vocabulary: &Vocabulary, faults: &mut Faults) -> Thresholds {
    let mut thresholds = Thresholds::new();
    for entry in table {
        let Some(rule) = vocabulary.rule(&entry.name) else {
            let with = vocabulary.rules.iter().filter(|rule| !rule.thresholds.is_empty());
            faults.unknown(entry, "rule", &with.map(|rule| rule.name).collect::<Vec<_>>());
            continue;
        };
        if rule.thresholds.is_empty() {
            faults.add(entry.key, format!("`{}` has no threshold that could be set", rule.name));
            continue;
        }
        let Some(own) = entry.table(faults) else { continue };
        let read: BTreeMap<String, f64> = own.iter().filter_map(|entry| value(rule, entry, faults)).collect();
        if !read.is_empty() {
            thresholds.insert(rule.name.to_owned(), read);
        }
    }
    thresholds
}

fn value(rule: &RuleWords, entry: &Entry, faults: &mut Faults) -> Option<(String, f64)> {
    let Some(threshold) = rule.thresholds.iter().find(|threshold| threshold.name == entry.name) else {
        let known: Vec<&str> = rule.thresholds.iter().map(|threshold| threshold.name).collect();
        faults.lacking(entry, &format!("`{}` has no threshold", rule.name), &known);
        return None;
    };
    quantity(threshold, entry, faults).map(|value| (threshold.name.to_owned(), value))
}

/// A quantity is a text in the language's spelling; what has no unit may be a
/// number as well.
fn quantity(threshold: &ThresholdWords, entry: &Entry, faults: &mut Faults) -> Option<f64> {
    let unit = threshold.default.unit;
    let wanted = match unit {
        Unit::Number => format!("a number such as {}", threshold.default.value),
        unit => format!("a {unit} in quotes, such as \"{}\"", threshold.default),
    };
    let number = match &entry.node.value {
        Value::Number(number) if unit == Unit::Number => *number,
        Value::Text(text) => match spelled(text) {
            Some(read) if read.unit == unit => Some(read.value),
            Some(read) => {
                let fault = format!("`{}` is a {}; it must be {wanted}", shown(&entry.name), read.unit);
                faults.add(entry.node.place, fault);
                return None;
            }
            None => {
                let fault = format!("`{}` is `{}`; it must be {wanted}", shown(&entry.name), shown(text));
                faults.add(entry.node.place, fault);
                return None;
            }
        },
        _ => return entry.wrong(&wanted, faults),
    };
    let number = match threshold.bounds.most {
        Some(most) => {
            let most = Quantity { value: most, unit };
            entry.bounded(number, most.value, &format!("must not be over {most}, or it would never be reached"), faults)
        }
        None if unit == Unit::Percent => entry.bounded(number, 1.0, "must not be over 100%", faults),
        None => entry.bounded(number, MOST, "is beyond everything that could be compared with it", faults),
    }?;
    if let Some(above) = threshold.bounds.above.filter(|above| number <= *above) {
        let above = Quantity { value: above, unit };
        faults.add(entry.node.place, format!("`{}` must be over {above}", shown(&entry.name)));
        return None;
    }
    Some(number)
}
