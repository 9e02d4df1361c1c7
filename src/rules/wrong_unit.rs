//! A quantity that its place has no use for.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::{Bound, Lowered, QuantityFault, QuantityUse};
use crate::syntax::Unit;
use crate::syntax::quantity::{UNITS, with_right_case};

pub static RULE: Rule = Rule {
    name: "wrong-unit",
    group: Group::Language,
    level: Level::Error,
    summary: "a quantity has the wrong kind, a unit or label that means nothing there, or a value out of range",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    for quantity in &lowered.facts.quantities {
        let Some(fault) = quantity.fault() else { continue };
        let range = match (fault, &quantity.label) {
            (QuantityFault::Label, Some(label)) => label.range,
            _ => quantity.value.range,
        };
        cx.report(range, message(quantity, fault));
    }
}

fn message(quantity: &QuantityUse, fault: QuantityFault) -> String {
    let QuantityUse { value, role, .. } = quantity;
    let written = &value.written;
    let wanted = wanted(quantity.expected);
    match fault {
        QuantityFault::UnknownUnit => match with_right_case(written) {
            Some(right) => format!("`{written}` has no unit of the language: units mind their case; write `{right}`"),
            None => format!("`{written}` has no unit of the language: {role} takes {wanted}; units are {UNITS}"),
        },
        QuantityFault::WrongKind(kind) => format!(
            "{role} takes {wanted}, and `{written}` is {}: no number can be computed from it; give it the right unit",
            article(kind)
        ),
        QuantityFault::Label => {
            let label = quantity.label.as_ref().map_or("", |label| &label.text);
            let known: Vec<String> = quantity.labels.iter().map(|label| format!("`{label}`")).collect();
            let advice = match (label, quantity.labels) {
                ("max", [_, other @ "peak"]) | ("peak", [_, other @ "max"]) => format!("write `{other} {written}`"),
                _ => "take the label away".to_owned(),
            };
            format!("`{label}` means nothing in {role}, which has {}: {advice}", known.join(" and "))
        }
        QuantityFault::OutOfRange => {
            format!("{role} takes {}, and `{written}` is none: give a value that can occur", bound(quantity.bound))
        }
    }
}

/// A kind of quantity with an example of it.
fn wanted(unit: Unit) -> &'static str {
    match unit {
        Unit::Number => "a plain number such as `20` or `2M`",
        Unit::Size => "a size such as `400B` or `2KB`",
        Unit::Duration => "a duration such as `50ms` or `24h`",
        Unit::Rate => "a rate such as `120/s` or `2M/day`",
        Unit::Percent => "a percentage such as `40%`",
    }
}

fn article(unit: Unit) -> String {
    if unit == Unit::Number { "a number without a unit".to_owned() } else { format!("a {unit}") }
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Whole => "a whole number from 1",
        Bound::Positive => "a value above 0",
        Bound::NotNegative => "a value of 0 or more",
        Bound::Percent => "a percentage from 0% to 100%",
        Bound::Share => "a percentage above 0% and up to 100%",
        Bound::Any => "a number",
    }
}
