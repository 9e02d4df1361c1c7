//! A read that takes the TTL for the moment at which items are gone.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::names::table_def;
use crate::model::uses::expires_by;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "ttl-as-deadline",
    group: Group::Cost,
    level: Level::Info,
    summary: "a query or scan reads an entity that expires by TTL, without a filter on the TTL attribute",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _pattern: &PatternDef) {
    if cx.is_broken() {
        return;
    }
    for StepCx { step, source, resolved, .. } in cx.steps() {
        let (conditions, options) = match &step.op {
            OpDef::Query { conditions, options, .. } => (conditions.as_ref(), options),
            OpDef::Scan { options, .. } => (None, options),
            _ => continue,
        };
        let Some(source) = source else { continue };
        let items = source.items().filter(|item| resolved.reached.contains(&item.entity));
        let expiring: Vec<(&str, &str)> =
            items.filter_map(|item| Some((item.entity.as_str(), expires_by(cx.db, source.layout, item)?))).collect();
        let Some((_, attribute)) = expiring.first().copied() else { continue };
        let filter = options.filter.as_ref().and_then(|filter| filter.conditions.as_ref());
        if conditions.into_iter().chain(filter).any(|conditions| speaks_of(conditions, attribute)) {
            continue;
        }
        // What is no number of seconds deletes nothing: that is the fault.
        if !deletes(cx, source, &expiring) {
            continue;
        }
        let is_missing = is_missing(source, &expiring);
        let entities: Vec<&str> = expiring.iter().map(|(entity, _)| *entity).collect();
        let message = format!(
            "this reads {} past the end of its life: DynamoDB deletes what has expired in the background, mostly within \
             a few days of `{attribute}` and with no promise, and returns and charges it until then; {}",
            listed(&entities),
            advice(source, options, attribute, is_missing),
        );
        let fix = (!is_missing).then(|| fix(cx, source, options, attribute, step.range)).flatten();
        let ttl = table_def(cx.db, source.layout.decl).and_then(|table| table.ttl.as_ref()).map(|ttl| ttl.range);
        let place = ttl.map(|range| Place { decl: source.layout.decl, range });
        let finding = cx.report(step.range, message);
        if let Some(place) = place {
            finding.relate(place, "what deletes it, later");
        }
        if let Some((title, edits)) = fix {
            finding.suggest(title, edits);
        }
    }
}

fn speaks_of(conditions: &ConditionsDef, attribute: &str) -> bool {
    conditions.leaves().into_iter().any(|leaf| match leaf {
        Term::Comparison(comparison) => comparison.attribute.text == attribute,
        Term::Existence { attribute: name, .. } => name.text == attribute,
        _ => false,
    })
}

fn is_key(source: Source<'_>, attribute: &str) -> bool {
    source.key().any(|key| key.name == attribute)
}

/// Whether the TTL attribute of the entities is what DynamoDB deletes by (L34).
fn deletes(cx: &Cx<'_>, source: Source<'_>, expiring: &[(&str, &str)]) -> bool {
    expiring.iter().any(|(entity, name)| {
        let attribute = cx.entity(entity).and_then(|entity| entity.attribute(name));
        let own = attribute.is_some_and(|a| matches!(a.ty, Type::Epoch | Type::Number));
        own || (attribute.is_none() && source.layout.items.iter().any(|item| item.keys.contains_key(*name)))
    })
}

/// Whether the index that is read does not hold the moment of one of them.
fn is_missing(source: Source<'_>, expiring: &[(&str, &str)]) -> bool {
    source.items().any(|item| {
        let own = expiring.iter().find(|(entity, _)| *entity == item.entity);
        own.zip(source.projected(item)).is_some_and(|((_, name), projected)| !projected.contains(*name))
    })
}

fn advice(source: Source<'_>, options: &ReadOptions, attribute: &str, is_missing: bool) -> String {
    let name = quote_name(attribute);
    if is_missing {
        let label = source.label();
        return match options.limit {
            Some(_) => {
                format!("include `{name}` in the projection of `{label}`, so that the caller can drop what is over")
            }
            None => format!(
                "include `{name}` in the projection of `{label}`, so that `filter {name} > :now` or the caller can drop \
                 what is over"
            ),
        };
    }
    match is_key(source, attribute) {
        false if options.limit.is_some() => {
            "let the caller drop what is over: a filter behind the limit would make the pages short".to_owned()
        }
        true => format!("ask for `{name} > :now` in `where`, or let the caller drop what is over"),
        false => format!("add `filter {name} > :now`, or let the caller drop what is over"),
    }
}

/// The filter that leaves out what is over. Behind a limit it would make pages
/// shorter than they were asked for, and a key takes no filter.
fn fix(
    cx: &Cx<'_>,
    source: Source<'_>,
    options: &ReadOptions,
    attribute: &str,
    step: TextRange,
) -> Option<(String, Vec<Edit>)> {
    if options.limit.is_some() || is_key(source, attribute) {
        return None;
    }
    let condition = format!("{} > :now", quote_name(attribute));
    let text = &cx.chunk().text;
    let edits = match &options.filter {
        None => {
            // Behind what the step reads and before its other options.
            let at = step_end(text, step, options);
            vec![Edit::Replace { place: cx.place(TextRange::empty(at)), text: format!(" filter {condition}") }]
        }
        Some(filter) => {
            let conditions = filter.conditions.as_ref()?;
            if conditions.operators.iter().any(|(or, _)| *or) {
                return None;
            }
            let at = conditions.range.end as usize;
            vec![Edit::Replace { place: cx.place(TextRange::empty(at)), text: format!(" and {condition}") }]
        }
    };
    Some((format!("Filter by `{condition}`"), edits))
}

/// Where an option can be added to a step: before its first option, else at its
/// end, before `times`.
fn step_end(text: &str, step: TextRange, options: &ReadOptions) -> usize {
    let ranges = [options.descending, options.consistent, options.project_range, options.returning_range];
    let first = ranges.into_iter().flatten().map(|range| range.start as usize).min();
    let end = first.unwrap_or_else(|| {
        let whole = &text[step.indices()];
        step.start as usize + whole.rfind(" times ").unwrap_or(whole.len())
    });
    text[..end].trim_end().len()
}
