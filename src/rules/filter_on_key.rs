//! A filter of a query that names a key of what the query reads.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::term_entry;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key_condition::{conjuncts, order_faults, unsupported};
use crate::model::layout::{KeyAttribute, Source};
use crate::model::resolve::item_matches;

pub static RULE: Rule = Rule {
    name: "filter-on-key",
    group: Group::Correctness,
    level: Level::Error,
    summary: "the `filter` of a query names a key attribute of the table or index that it queries",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// A query with a filter.
struct Query<'q> {
    source: Source<'q>,
    conditions: Option<&'q ConditionsDef>,
    filter: &'q FilterDef,
    tested: &'q ConditionsDef,
}

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Query { conditions, options, .. } = &step.step.op else { continue };
        // In a batch or transaction the query is the fault.
        let (Some(source), None, Some(filter)) = (step.source, &step.operation.group, &options.filter) else {
            continue;
        };
        let Some(tested) = &filter.conditions else { continue };
        let query = Query { source, conditions: conditions.as_ref(), filter, tested };
        for leaf in tested.leaves() {
            let Some(name) = leaf.attribute() else { continue };
            if let Some(key) = source.key().find(|key| key.name == name.text) {
                report(cx, &query, leaf, name, key);
            }
        }
    }
}

fn report(cx: &mut Cx<'_>, query: &Query<'_>, leaf: &Term, name: &Name, key: &KeyAttribute) {
    let source = query.source;
    let is_partition = source.partition().iter().any(|own| own.name == key.name);
    let which = if is_partition { "partition" } else { "sort" };
    let moved = move_to_where(cx, query, leaf);
    let earlier = query
        .conditions
        .and_then(|conditions| conditions.leaves().into_iter().find(|term| attribute_of(term) == Some(&key.name)));
    let advice = match (&moved, earlier, is_partition) {
        (Some(_), ..) => "say it in `where`, which reads only what it selects",
        (None, Some(_), _) => "`where` has a condition on it, and takes no second: make one of the two",
        (None, None, true) => "give it one value in `where`",
        (None, None, false) => {
            "say in `where` what is a stretch of the key, and leave the rest to the application, or store the value \
             under another name as well"
        }
    };
    let message = format!(
        "`{}` is the {which} key of `{}`: the filter of a query is applied to what its key condition has read, and \
         DynamoDB refuses one that names a key of what it queries; {advice}",
        key.name,
        source.label()
    );
    let (removed, place) = (remove(cx, query, leaf), Place { decl: source.layout.decl, range: key.range });
    let earlier = earlier.map(|term| cx.place(term.range()));
    let finding = cx.report(name.range, message);
    finding.relate(place, format!("the key `{}`", key.name));
    if let Some(earlier) = earlier {
        finding.relate(earlier, "the condition on it in `where`");
    }
    match (moved, removed) {
        (Some(edits), _) => {
            finding.fix("Move the condition to `where`", edits);
        }
        (None, Some(edit)) => {
            finding.suggest(format!("Leave `{}` out of the filter", key.name), vec![edit]);
        }
        (None, None) => {}
    }
}

fn attribute_of(term: &Term) -> Option<&str> {
    term.attribute().map(|name| name.text.as_str())
}

/// The term of the filter that is, or holds nothing but, this leaf; `None` where
/// alternatives stand beside it, which it cannot be taken from.
fn term_of(query: &Query<'_>, leaf: &Term) -> Option<usize> {
    if query.tested.operators.iter().any(|(or, _)| *or) {
        return None;
    }
    query.tested.terms.iter().position(|term| {
        let alone = ConditionsDef { terms: vec![term.clone()], operators: Vec::new(), range: term.range() };
        matches!(alone.leaves().as_slice(), [only] if only.range() == leaf.range())
    })
}

/// Takes the leaf out of the filter, and the filter away where it holds nothing
/// else.
fn remove(cx: &Cx<'_>, query: &Query<'_>, leaf: &Term) -> Option<Edit> {
    let index = term_of(query, leaf)?;
    Some(match term_entry(query.tested, index) {
        Some(range) => Edit::Replace { place: cx.place(range), text: String::new() },
        None => Edit::RemoveLines { place: cx.place(query.filter.range) },
    })
}

/// Moves a comparison to the key condition; `None` where DynamoDB would not take
/// it there, or it would match nothing.
fn move_to_where(cx: &Cx<'_>, query: &Query<'_>, leaf: &Term) -> Option<Vec<Edit>> {
    let (conditions, source) = (query.conditions?, query.source);
    let Term::Comparison(comparison) = leaf else { return None };
    // In a `not` it says something else.
    query.tested.terms.get(term_of(query, leaf)?).filter(|term| matches!(term, Term::Comparison(_)))?;
    let mut whole = conditions.clone();
    whole.terms.push(leaf.clone());
    whole.operators.push((false, leaf.range()));
    let is_taken = unsupported(source, &whole).is_empty() && order_faults(source, &conjuncts(&whole)).is_empty();
    if !is_taken || !source.items().any(|item| item_matches(cx.db, source, item, &whole)) {
        return None;
    }
    let text = &cx.chunk().text;
    let written = text.get(comparison.range.indices())?;
    let end = conditions.range.end;
    let behind = crate::syntax::TextRange::empty(end as usize);
    Some(vec![Edit::Replace { place: cx.place(behind), text: format!(" and {written}") }, remove(cx, query, leaf)?])
}
