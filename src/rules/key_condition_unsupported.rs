//! A condition in `where` that DynamoDB does not take as a key condition.

use super::check::{Check, Cx};
use super::finding::{Edit, Fix, Level, Place, Safety};
use super::fixes::{listed, term_entry};
use super::projection::{include, projection_of};
use super::rule::{Group, Rule};
use crate::model::answers::{alternatives, spelled};
use crate::model::defs::*;
use crate::model::key_condition::{Unsupported, Why, unsupported};
use crate::model::layout::Source;
use crate::model::refs::{Resolution, resolve};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "key-condition-unsupported",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `where` holds what DynamoDB does not take as a key condition",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Query { target, conditions: Some(conditions), options } = &step.step.op else { continue };
        let Some(source) = step.source else { continue };
        // A key that is not declared, or that cannot be read, is the fault then.
        if source.partition().is_empty() || !cx.is_whole(source.layout.decl) {
            continue;
        }
        let mut parts = unsupported(source, conditions);
        // Where the key itself is at fault, what is no part of it may be meant to be.
        let sound = source.has_sound_partition() && source.key().all(|key| key.ty.is_some());
        parts.retain(|part| !matches!(part.why, Why::NotKey(name) if !sound || !is_known(cx, source, name)));
        // Where an index takes the whole, the one fault is where the query is aimed.
        if !alternatives(cx.db, source, conditions, options).is_empty() {
            parts.truncate(1);
        }
        for part in parts {
            report(cx, source, &part, (target, conditions, options));
        }
    }
}

/// Whether the table has something of this name: what nothing has is a fault of
/// its own.
fn is_known(cx: &Cx<'_>, source: Source<'_>, name: &Name) -> bool {
    let target = Target::TableAttribute { table: source.layout.name.text.clone() };
    let reference = Reference { name: name.clone(), target };
    matches!(resolve(cx.db, cx.root, &reference), Resolution::Found(_))
}

type Query<'q> = (&'q TargetDef, &'q ConditionsDef, &'q ReadOptions);

fn report(cx: &mut Cx<'_>, source: Source<'_>, part: &Unsupported<'_>, query: Query<'_>) {
    let (target, conditions, options) = query;
    let mut fixes: Vec<Fix> = Vec::new();
    let mut suggest = |title: String, edits| fixes.push(Fix { title, safety: Safety::Choice, edits });
    for other in alternatives(cx.db, source, conditions, options) {
        suggest(
            format!("Query `{}`, which takes the condition", other.label()),
            vec![Edit::Replace { place: cx.place(target.range), text: spelled(other) }],
        );
    }
    let moved = part.term.and_then(|term| move_to_filter(cx, source, conditions, options, term));
    let movable = moved.is_some();
    if let Some(edits) = moved {
        suggest("Move the condition to `filter`".to_owned(), edits);
    }
    if let Why::Second(second, first) = &part.why
        && let Some(edits) = between(cx, conditions, first, second)
    {
        suggest("Make one condition of the two: `between`".to_owned(), edits);
    }
    let aimed_right = gives_partition(source, conditions);
    let advice = match part.why {
        Why::NotKey(_) if !aimed_right && fixes.is_empty() => {
            "give the partition key a value and move this to `filter`, or make an index that has it as a key"
        }
        ref why => advice(why, movable, !fixes.is_empty()),
    };
    let message = format!("{}; {advice}", what(source, &part.why));
    let keys: Vec<_> = source.key().map(|key| (key.name.clone(), key.range)).collect();
    let related: Vec<(Place, String)> = match &part.why {
        Why::Second(_, first) => vec![(cx.place(first.range), "the first condition".to_owned())],
        why => keys
            .into_iter()
            .filter(|(name, _)| {
                why.attribute().is_none_or(|attribute| attribute == name || matches!(why, Why::NotKey(_)))
            })
            .map(|(name, range)| (Place { decl: source.layout.decl, range }, format!("the key `{name}`")))
            .collect(),
    };
    let finding = cx.report(part.range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
    finding.fixes = fixes;
}

fn what(source: Source<'_>, why: &Why<'_>) -> String {
    let label = source.label();
    match why {
        Why::Or => "`or` joins no key conditions: a query reads one stretch of one partition".to_owned(),
        Why::Not => "`not` is no key condition: a query reads one stretch of one partition".to_owned(),
        Why::Existence => "`exists` and `not_exists` are no key conditions: every item has its keys".to_owned(),
        Why::NotKey(name) => {
            let partition: Vec<&str> = source.partition().iter().map(|key| key.name.as_str()).collect();
            let sort: Vec<&str> = source.sort().iter().map(|key| key.name.as_str()).collect();
            let keys = match sort.as_slice() {
                [] => listed(&partition),
                sort => format!("{}, then {}", listed(&partition), listed(sort)),
            };
            format!("`{}` is no key of `{label}`, and a key condition takes keys only (here {keys})", name.text)
        }
        Why::PartitionOperator(comparison) => format!(
            "`{}` is the partition key of `{label}`, and DynamoDB takes nothing but `=` on it, not `{}`",
            comparison.attribute.text,
            comparison.operator.written()
        ),
        Why::SortOperator(comparison) => format!(
            "`{}` is no key condition: on the sort key `{}` DynamoDB takes `=`, `<`, `<=`, `>`, `>=`, `between` and \
             `begins_with`",
            comparison.operator.written(),
            comparison.attribute.text
        ),
        Why::PrefixOfNumber(name) => {
            format!("`{}` is a number, and `begins_with` works on strings and binaries", name.text)
        }
        Why::Second(second, _) => {
            format!("`{}` has two conditions, and DynamoDB takes one on each key attribute", second.attribute.text)
        }
    }
}

fn advice(why: &Why<'_>, movable: bool, fixable: bool) -> &'static str {
    match why {
        Why::PartitionOperator(_) => "run one query for each value (`times n`), or key an index by what you have",
        Why::PrefixOfNumber(_) => "use a range (`between`), or keep the value as zero-padded text",
        Why::Second(a, b) if a.operator == Operator::Equal || b.operator == Operator::Equal => "keep one of them",
        Why::Second(..) => "say it as one `between`",
        Why::Or => "run one query for each alternative",
        Why::SortOperator(_) => "read a range and sort out the rest in the application",
        _ if fixable && !movable => "query the index that has it as a key",
        Why::Not | Why::Existence | Why::NotKey(_) => "move it to `filter`, or query an index that has it as a key",
    }
}

/// Moves a term of a `where` to the query's filter. `None` where a filter could
/// not hold it: it names a key, or it is the only condition there is.
fn move_to_filter(
    cx: &Cx<'_>,
    source: Source<'_>,
    conditions: &ConditionsDef,
    options: &ReadOptions,
    index: usize,
) -> Option<Vec<Edit>> {
    let text = &cx.chunk().text;
    let term = conditions.terms.get(index)?;
    let alone = ConditionsDef { terms: vec![term.clone()], operators: Vec::new(), range: term.range() };
    let leaves = alone.leaves();
    let names_key = leaves.iter().any(|leaf| source.key().any(|key| leaf.names(&key.name)));
    // Without a partition key the query is wrong with or without this condition.
    if !gives_partition(source, conditions) {
        return None;
    }
    // Braces, which are holes here, are plain text in a filter.
    let written = text.get(term.range().indices())?;
    if conditions.terms.len() < 2 || names_key || written.contains(['{', '}']) {
        return None;
    }
    let removed = term_entry(conditions, index)?;
    let included = included(cx, source, &leaves)?;
    let existing = options.filter.as_ref().map(|filter| filter.conditions.as_ref());
    let replace = |range, text: String| Edit::Replace { place: cx.place(range), text };
    let end = conditions.range.end as usize;
    let own = match existing {
        // A filter that cannot be read is not to be built upon.
        Some(None) => return None,
        Some(Some(filter)) => {
            let behind = TextRange::empty(filter.range.end as usize);
            let mut edits = vec![replace(removed, String::new())];
            if filter.operators.iter().any(|(or, _)| *or) {
                edits.push(replace(TextRange::empty(filter.range.start as usize), "(".to_owned()));
                edits.push(replace(behind, format!(") and {written}")));
            } else {
                edits.push(replace(behind, format!(" and {written}")));
            }
            edits
        }
        None if removed.end as usize == end => vec![replace(removed, format!(" filter {written}"))],
        None => vec![replace(removed, String::new()), replace(TextRange::empty(end), format!(" filter {written}"))],
    };
    Some(own.into_iter().chain(included).collect())
}

/// The edit that lets an index project what a filter is to test, where it does not;
/// `None` where it cannot be told to.
fn included(cx: &Cx<'_>, source: Source<'_>, leaves: &[&Term]) -> Option<Option<Edit>> {
    let lacks = |name: &str| {
        let mut items = source.items();
        items.any(|item| source.projected(item).is_some_and(|projected| !projected.contains(name)))
    };
    let mut missing: Vec<&str> = leaves.iter().filter_map(|leaf| Some(leaf.attribute()?.text.as_str())).collect();
    missing.retain(|name| lacks(name));
    missing.dedup();
    if missing.is_empty() {
        return Some(None);
    }
    include(source.layout.decl, projection_of(cx, source)?, &missing).map(Some)
}

/// Whether the condition gives every attribute of the partition key a value.
fn gives_partition(source: Source<'_>, conditions: &ConditionsDef) -> bool {
    let leaves = conditions.leaves();
    source.partition().iter().all(|key| leaves.iter().any(|leaf| leaf.names(&key.name)))
}

/// `a >= x and a <= y` as `a between x and y`.
fn between(cx: &Cx<'_>, conditions: &ConditionsDef, first: &Comparison, second: &Comparison) -> Option<Vec<Edit>> {
    let (low, high) = match (first.operator, second.operator) {
        (Operator::GreaterOrEqual, Operator::LessOrEqual) => (first, second),
        (Operator::LessOrEqual, Operator::GreaterOrEqual) => (second, first),
        _ => return None,
    };
    let text = &cx.chunk().text;
    let operand = |comparison: &Comparison| text.get(comparison.operands.first()?.range().indices());
    let index = conditions.terms.iter().position(|term| term.range() == second.range)?;
    let joined = format!("{} between {} and {}", quote_name(&low.attribute.text), operand(low)?, operand(high)?);
    Some(vec![
        Edit::Replace { place: cx.place(first.range), text: joined },
        Edit::Replace { place: cx.place(term_entry(conditions, index)?), text: String::new() },
    ])
}
