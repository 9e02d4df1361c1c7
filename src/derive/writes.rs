//! What a write writes to its table and to each index (numbers W1–W6).

use super::Cx;
use super::sizes::{entry, item as item_size, share_factors_text};
use super::text::{Unit, add_new, blocks, computed, equation, number, operand, product};
use crate::capacity::figure::Figure;
use crate::capacity::sizes::{Bound, Presence};
use crate::capacity::units::write;
use crate::capacity::writes::{Effect, IndexWrite, WriteNumbers};
use crate::model::defs::{OpDef, StepDef};
use crate::model::layout::{ItemLayout, TableLayout};

/// The bytes and units of one call of a write, `times` apart.
pub(super) fn lines(cx: Cx<'_>, layout: &TableLayout, step: &StepDef, numbers: &WriteNumbers) -> Vec<String> {
    let Some(item) = layout.items.iter().find(|item| item.entity == numbers.entity) else { return Vec::new() };
    let subject = step.op.subject().map_or("", |subject| subject.entity.text.as_str());
    let with: Option<Vec<String>> = match &step.op {
        OpDef::Put { with: Some(with), .. } if item.entity == subject => {
            Some(with.attributes.iter().map(|name| name.text.clone()).collect())
        }
        _ => None,
    };
    let presence = with.as_deref().map_or(Presence::Share, Presence::Only);
    let mut lines = Vec::new();
    if item.entity != subject {
        lines.push(format!("`{subject}` is embedded: the whole `{}` is written with it", item.entity));
    }
    lines.extend(item_size(cx, item, Bound::Avg, presence));
    let units_begun = numbers.bytes.map(write);
    let doubled = if numbers.transaction { " × 2 (in a transaction)" } else { "" };
    let begun = format!("{} → {}{doubled}", operand(&numbers.bytes, Unit::Bytes), blocks(&units_begun, "1 KB"));
    let units = equation(&begun, &numbers.table_units, Unit::Of("write unit"));
    lines.push(format!("Units of the table: {units}{}", computed(&numbers.table_units)));
    for index in &numbers.indexes {
        add_new(&mut lines, index_lines(cx, layout, item, index, presence, with.as_deref()));
    }
    lines
}

fn index_lines(
    cx: Cx<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    index: &IndexWrite,
    presence: Presence<'_>,
    with: Option<&[String]>,
) -> Vec<String> {
    let Some(source) = layout.index(&index.index).map(|index| layout.of_index(index)) else { return Vec::new() };
    let name = format!("Index `{}`", index.index);
    let code = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if index.units == Figure::ZERO {
        let why = match &index.effect {
            Effect::Untouched => "nothing that it holds changes",
            _ => "the item is not in it",
        };
        return vec![format!("{name}: 0 write units, {why}")];
    }
    let mut lines = entry(cx, source, item, Bound::Avg, presence);
    let given = |name: &str| with.map(|with| f64::from(u8::from(with.iter().any(|set| set == name))));
    let share = |known: &dyn Fn(&str) -> Option<f64>| share_factors_text(cx, source, item, known);
    let units_begun = index.entry.map(write);
    let units = format!("{} → {}", operand(&index.entry, Unit::Bytes), blocks(&units_begun, "1 KB"));
    lines.push(format!("{name}: {units}{}", computed(&index.entry)));
    let each = operand(&units_begun, Unit::Number);
    let units = |factors: String| product(each.clone(), &factors, &index.units, Unit::Of("write unit"));
    let last = match &index.effect {
        Effect::Inserted => format!("{name}, a new entry: {}", units(share(&given))),
        Effect::Deleted => format!("{name}, the entry goes: {}", units(share(&|_| None))),
        Effect::Rewritten(names) if names.is_empty() => {
            let after = format!(" × {}", operand(&index.after, Unit::Percent));
            format!("{name}, rewritten if it projects what is set: {}", units(after))
        }
        Effect::Rewritten(names) => {
            format!("{name}, rewritten for {}: {}", code(names), units(share(&|_| None)))
        }
        Effect::Moved { set, removed } => {
            let is = |names: &[String], name: &str| names.iter().any(|other| other == name);
            let after = |name: &str| {
                if is(removed, name) { Some(0.0) } else { is(set, name).then_some(1.0) }
            };
            let [before, after] = [share(&|_| None), share(&after)];
            let changed = [("set", set), ("removed", removed)];
            let changed = changed.iter().filter(|(_, names)| !names.is_empty());
            let changed: Vec<String> = changed.map(|(verb, names)| format!("{} {verb}", code(names))).collect();
            let [old, new] = [&index.before, &index.after].map(|share| operand(share, Unit::Percent));
            for (when, factors, share) in [("before", before, &index.before), ("after", after, &index.after)] {
                if !factors.is_empty() {
                    let share = product("100 %".to_owned(), &factors, share, Unit::Percent);
                    lines.push(format!("{name}, there {when}: {share}"));
                }
            }
            let moved = equation(&format!("({old} + {new}) × {each}"), &index.units, Unit::Of("write unit"));
            format!("{name}, moved by its key ({}): {moved}", changed.join(", "))
        }
        Effect::Untouched => format!("{name}: nothing that it holds changes"),
    };
    lines.push(last);
    lines
}

/// Table and indexes together, `times` included.
pub(super) fn total(numbers: &WriteNumbers, times: f64) -> Option<(String, Figure)> {
    let parts: Vec<&Figure> =
        std::iter::once(&numbers.table_units).chain(numbers.indexes.iter().map(|index| &index.units)).collect();
    let counted: Vec<&&Figure> = parts.iter().filter(|figure| ***figure != Figure::ZERO).collect();
    let sum: Figure = parts.iter().copied().sum::<Figure>().scaled(times);
    let terms: Vec<String> = counted.iter().map(|figure| operand(figure, Unit::Number)).collect();
    let expression = match (terms.len(), times == 1.0) {
        (0 | 1, true) => return None,
        (_, true) => terms.join(" + "),
        (0 | 1, false) => format!("{} × {} (`times`)", terms.join(""), number(times)),
        (_, false) => format!("({}) × {} (`times`)", terms.join(" + "), number(times)),
    };
    let text = format!("One call of the pattern: {}", equation(&expression, &sum, Unit::Of("write unit")));
    Some((text, sum))
}
