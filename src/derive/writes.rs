//! What a write writes to its table and to each index (numbers W1–W6).

use super::Cx;
use super::sizes::{GIVEN, entry, item as item_size, share_factors_text};
use super::text::{Unit, add_new, blocks, computed, equation, number, operand, product};
use crate::capacity::figure::Figure;
use crate::capacity::found::Found;
use crate::capacity::sizes::{Bound, Presence, share_factors};
use crate::capacity::units::write;
use crate::capacity::writes::{Effect, IndexWrite, WriteNumbers};
use crate::model::defs::{OpDef, StepDef};
use crate::model::layout::{ItemLayout, Source, TableLayout};

/// What the condition of the operation says.
const CONDITION: &str = "by its condition";

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
        add_new(&mut lines, index_lines(cx, layout, item, (index, &numbers.found), presence, with.as_deref()));
    }
    lines
}

fn index_lines(
    cx: Cx<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    (index, found): (&IndexWrite, &Found),
    presence: Presence<'_>,
    with: Option<&[String]>,
) -> Vec<String> {
    let Some(source) = layout.index(&index.index).map(|index| layout.of_index(index)) else { return Vec::new() };
    let name = format!("Index `{}`", index.index);
    let code = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if index.units == Figure::ZERO {
        let why = match &index.effect {
            Effect::Untouched => "nothing that it holds changes",
            Effect::Rewritten { changes, .. } if *changes == Figure::ZERO => "what is removed is not there",
            _ => "the item is not in it",
        };
        return vec![format!("{name}: 0 write units, {why}")];
    }
    let mut lines = entry(cx, source, item, Bound::Avg, presence);
    let given = |name: &str| with.map(|with| (f64::from(u8::from(with.iter().any(|set| set == name))), GIVEN));
    let by_condition = |name: &str| found.share(name).map(|share| (share, CONDITION));
    let share = |known: &dyn Fn(&str) -> Option<(f64, &'static str)>| share_factors_text(cx, source, item, known);
    let units_begun = index.entry.map(write);
    let units = format!("{} → {}", operand(&index.entry, Unit::Bytes), blocks(&units_begun, "1 KB"));
    lines.push(format!("{name}: {units}{}", computed(&index.entry)));
    let each = operand(&units_begun, Unit::Number);
    let units = |factors: String| product(each.clone(), &factors, &index.units, Unit::Of("write unit"));
    let last = match &index.effect {
        Effect::Inserted => format!("{name}, a new entry: {}", units(share(&given))),
        Effect::Deleted => format!("{name}, the entry goes: {}", units(share(&by_condition))),
        Effect::Rewritten { names, .. } if names.is_empty() => {
            let after = format!(" × {}", operand(&index.after, Unit::Percent));
            format!("{name}, rewritten if it projects what is set: {}", units(after))
        }
        Effect::Rewritten { names, changes } => {
            let changed = match *changes == Figure::known(1.0) {
                true => String::new(),
                false => format!(" × {} (of those that have it)", operand(changes, Unit::Percent)),
            };
            format!("{name}, rewritten for {}: {}", code(names), units(share(&by_condition) + &changed))
        }
        Effect::Moved { set, removed } => {
            let is = |names: &[String], name: &str| names.iter().any(|other| other == name);
            let after = |name: &str| {
                let given = if is(removed, name) { Some(0.0) } else { is(set, name).then_some(1.0) };
                given.map(|share| (share, GIVEN)).or(by_condition(name))
            };
            let [before, after] = [share(&by_condition), share(&after)];
            let before = if found.is_outside(source) { format!(" × 0 % ({CONDITION})") } else { before };
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
            lines.extend(of_all_items(cx, source, item, found, set.iter().chain(removed)));
            let moved = equation(&format!("({old} + {new}) × {each}"), &index.units, Unit::Of("write unit"));
            format!("{name}, moved by its key ({}): {moved}", changed.join(", "))
        }
        Effect::Untouched => format!("{name}: nothing that it holds changes"),
    };
    lines.push(last);
    lines
}

/// Where no condition says whether the items that are written have an attribute that is
/// set or removed, the share of all items stands for theirs, and may be far off.
fn of_all_items<'n>(
    cx: Cx<'_>,
    source: Source<'_>,
    item: &ItemLayout,
    found: &Found,
    changed: impl Iterator<Item = &'n String>,
) -> Option<String> {
    let changed: Vec<&String> = changed.filter(|name| found.share(name).is_none()).collect();
    let factors = share_factors(&cx.facts, source, item, |_| None);
    let unsaid = factors.iter().filter(|(name, _)| changed.iter().any(|changed| changed == name));
    let names: Vec<String> = unsaid.map(|(name, _)| format!("`{name}`")).collect();
    let index = source.index.filter(|_| !names.is_empty() && !found.is_outside(source))?;
    Some(format!(
        "No condition says whether the items that are written have {}: the share in `{}` before is that of all \
         items, and may be up to 100 % of these",
        names.join(" and "),
        index.name.text
    ))
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
