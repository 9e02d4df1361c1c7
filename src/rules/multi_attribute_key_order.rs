//! A key condition that uses the attributes of a sort key out of their order.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::{listed, term_entry};
use super::rule::{Group, Rule};
use crate::model::answers::alternatives;
use crate::model::defs::*;
use crate::model::key_condition::{OrderFault, conjuncts, order_faults};
use crate::model::layout::Source;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "multi-attribute-key-order",
    group: Group::Correctness,
    level: Level::Error,
    summary: "the attributes of a sort key of several are used with a gap, or with a range before the last one",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Query { target, conditions: Some(conditions), options } = &step.step.op else { continue };
        let Some(source) = step.source else { continue };
        // In a batch or transaction the query is the fault; a key that cannot be read
        // may have other attributes, and one of a table or local index has too many.
        let is_global = source.index.is_some_and(|index| index.kind == IndexKind::Global);
        if step.operation.group.is_some() || !is_global || !cx.is_whole(source.layout.decl) {
            continue;
        }
        for fault in order_faults(source, &conjuncts(conditions)) {
            match &fault {
                // The condition that seems to be missing may only be unreadable.
                OrderFault::Gap { .. } if cx.is_broken() => {}
                OrderFault::Gap { used, missing } => {
                    let missing: Vec<&str> = missing.iter().map(|key| key.name.as_str()).collect();
                    gap(cx, source, (target, conditions, options), used, &missing);
                }
                OrderFault::Range { range, behind } => {
                    range_before(cx, source, (target, conditions, options), range, behind);
                }
            }
        }
    }
}

type Query<'q> = (&'q TargetDef, &'q ConditionsDef, &'q ReadOptions);

fn gap(cx: &mut Cx<'_>, source: Source<'_>, query: Query<'_>, used: &Comparison, missing: &[&str]) {
    let name = &used.attribute.text;
    let message = format!(
        "`{name}` is attribute {} of the {} in the sort key of `{}`, and {} before it {} no condition: DynamoDB reads \
         one stretch of the order, and takes the attributes from the first on without a gap; give {} a value as well, \
         or query an index that sorts by `{name}` first",
        position(source, name),
        source.sort().len(),
        source.label(),
        listed(missing),
        if missing.len() == 1 { "has" } else { "have" },
        listed(missing),
    );
    // A parameter has the name of its attribute where that is a name without quotes.
    let fill = missing.iter().all(|name| quote_name(name) == *name).then(|| {
        let values: String = missing.iter().map(|name| format!("{name} = :{name} and ")).collect();
        Edit::Replace { place: cx.place(TextRange::empty(used.range.start as usize)), text: values }
    });
    let others = elsewhere(cx, source, query);
    let related = keys(source, missing);
    let finding = cx.report(used.attribute.range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
    if let Some(edit) = fill {
        finding.suggest(format!("Give {} a value as well", listed(missing)), vec![edit]);
    }
    for (title, edit) in others {
        finding.suggest(title, vec![edit]);
    }
}

fn range_before(cx: &mut Cx<'_>, source: Source<'_>, query: Query<'_>, range: &Comparison, behind: &[&Comparison]) {
    let name = &range.attribute.text;
    let later: Vec<&str> = behind.iter().map(|comparison| comparison.attribute.text.as_str()).collect();
    let message = format!(
        "`{}` makes a range of `{name}`, attribute {} of the {} in the sort key of `{}`, and {} behind it {} a \
         condition too: within a range of the first the rest is in no one stretch, and DynamoDB takes a range on the \
         last attribute used only; give `{name}` one value with `=`, or leave {} to the application",
        range.operator.written(),
        position(source, name),
        source.sort().len(),
        source.label(),
        listed(&later),
        if later.len() == 1 { "has" } else { "have" },
        listed(&later),
    );
    let conditions = query.1;
    let dropped = match behind {
        [only] => conditions.terms.iter().position(|term| term.range() == only.range),
        _ => None,
    };
    let dropped = dropped.and_then(|index| term_entry(conditions, index));
    let others = elsewhere(cx, source, query);
    let places: Vec<Place> = behind.iter().map(|comparison| cx.place(comparison.range)).collect();
    let related = keys(source, &[name]);
    let dropped = dropped.map(|range| Edit::Replace { place: cx.place(range), text: String::new() });
    let finding = cx.report(range.operator_range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
    for place in places {
        finding.relate(place, "used behind the range");
    }
    for (title, edit) in others {
        finding.suggest(title, vec![edit]);
    }
    if let Some(edit) = dropped {
        finding.suggest(format!("Leave {} to the application", listed(&later)), vec![edit]);
    }
}

/// The place of an attribute in the sort key, counted from 1.
fn position(source: Source<'_>, name: &str) -> usize {
    source.sort().iter().position(|key| key.name == name).map_or(0, |position| position + 1)
}

/// The parts of the sort key with these names.
fn keys(source: Source<'_>, names: &[&str]) -> Vec<(Place, String)> {
    let parts = source.sort().iter().filter(|key| names.contains(&key.name.as_str()));
    let decl = source.layout.decl;
    parts.map(|key| (Place { decl, range: key.range }, format!("`{}` in the sort key", key.name))).collect()
}

/// Edits that aim the query at another index that takes its condition.
fn elsewhere(cx: &Cx<'_>, source: Source<'_>, (target, conditions, options): Query<'_>) -> Vec<(String, Edit)> {
    let others = alternatives(cx.db, source, conditions, options).into_iter();
    let edits = others.map(|other| {
        let table = quote_name(&other.layout.name.text);
        let text = match other.index {
            Some(index) => format!("{table}.{}", quote_name(&index.name.text)),
            None => table,
        };
        let title = format!("Query `{}`, which takes the condition", other.label());
        (title, Edit::Replace { place: cx.place(target.range), text })
    });
    edits.collect()
}
