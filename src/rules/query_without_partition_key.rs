//! A query that does not say which partition it reads.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key_condition::{Why, unsupported};
use crate::model::layout::table_attributes;

pub static RULE: Rule = Rule {
    name: "query-without-partition-key",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a query gives no condition on a partition-key attribute of its table or index",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    if cx.is_broken() {
        return;
    }
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return };
    let Some(source) = step.source.filter(|source| source.has_sound_partition()) else { return };
    let leaves = conditions.leaves();
    let named: Vec<&str> = leaves.iter().filter_map(|term| Some(term.attribute()?.text.as_str())).collect();
    let missing: Vec<_> = source.partition().iter().filter(|key| !named.contains(&key.name.as_str())).collect();
    // A key of no type is a name that nothing has.
    if missing.is_empty() || missing.iter().any(|key| key.ty.is_none()) {
        return;
    }
    // A key that stands in the filter instead is a fault there.
    let filter = options.filter.as_ref().and_then(|filter| filter.conditions.as_ref());
    let filtered = filter.map(ConditionsDef::leaves).unwrap_or_default();
    let is_filtered = |key: &str| filtered.iter().any(|term| term.attribute().is_some_and(|name| name.text == key));
    if missing.iter().any(|key| is_filtered(&key.name)) {
        return;
    }
    // A name that nothing has may be the partition key's, mistyped.
    let known = table_attributes(cx.db, cx.root, source.layout.decl);
    if named.iter().any(|name| !known.contains(*name)) {
        return;
    }
    // Where another attribute was taken for the key, that is the fault.
    let none_given = missing.len() == source.partition().len();
    if none_given && unsupported(source, conditions).iter().any(|part| matches!(part.why, Why::NotKey(_))) {
        return;
    }
    let names: Vec<&str> = missing.iter().map(|key| key.name.as_str()).collect();
    let all = source.partition().len();
    let needs = match all {
        1 => "a query reads the items of one partition-key value".to_owned(),
        _ => format!("a query needs all {all} attributes of a multi-attribute partition key"),
    };
    let message = format!(
        "this query of `{}` gives {} no value, and {needs}: add `{} = …`, or query an index whose partition key is \
         what you have",
        source.label(),
        listed(&names),
        names.join(" = … and ")
    );
    let related: Vec<(Place, String)> = missing
        .iter()
        .map(|key| (Place { decl: source.layout.decl, range: key.range }, format!("the partition key `{}`", key.name)))
        .collect();
    let finding = cx.report(conditions.range, message);
    for (place, message) in related {
        finding.relate(place, message);
    }
}
