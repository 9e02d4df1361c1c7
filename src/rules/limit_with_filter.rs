//! A limit and a filter on one read.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::priced::numbers;
use super::rule::{Group, Rule};
use crate::capacity::facts::Declared;
use crate::capacity::kept::kept;
use crate::capacity::operations::Work;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::key_condition::filters_on_key;
use crate::model::lower::decl_name;

pub static RULE: Rule = Rule {
    name: "limit-with-filter",
    group: Group::Cost,
    level: Level::Warning,
    summary: "`limit` and `filter` together: the limit counts what is read, not what is returned",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let (OpDef::Query { options, .. } | OpDef::Scan { options, .. }) = &step.step.op else { continue };
        let (Some(limit), Some(filter), Some(source)) = (&options.limit, &options.filter, step.source) else {
            continue;
        };
        // What DynamoDB refuses returns nothing at all; those are findings of their own.
        if step.operation.group.is_some() || filters_on_key(source, &step.step.op) {
            continue;
        }
        let message = format!(
            "`limit {}` counts the items that are read, before the filter drops any: {}; a page with few items or none is \
             not the last one: page on while DynamoDB gives a `LastEvaluatedKey`, or ask by a key for what \
             the filter picks",
            limit.written,
            expected(cx, step, filter)
        );
        let place = cx.place(filter.range);
        cx.report(step.step.range, message).relate(place, "the filter, which runs after the read");
    }
}

/// How many items to expect of a call: what the limit lets it read, times what the
/// filter keeps of it.
fn expected(cx: &Cx<'_>, step: StepCx<'_>, filter: &FilterDef) -> String {
    let read = numbers(cx, cx.decl, step).and_then(|numbers| match &numbers.work {
        Work::Read(read) => Some(read),
        _ => None,
    });
    let (Some(read), Some(source)) = (read, step.source) else { return "fewer items come back".to_owned() };
    let name = decl_name(cx.db, cx.decl).as_deref().unwrap_or("?");
    let kept = kept(cx.db, &Declared { db: cx.db, root: cx.root }, source, read, filter, name);
    let items = show::figure(&read.items, show::number);
    match (kept.share.value(), kept.share.high()) {
        (Some(share), _) => format!(
            "of {items} items the filter keeps {}, so expect {} a page",
            show::percent(share),
            show::figure(&read.items.scaled(share), |items| count_of(items, "item"))
        ),
        (None, Some(most)) if most < 1.0 => format!(
            "of {items} items the filter keeps {} at most, so expect at most {} a page",
            show::percent(most),
            count_of(read.items.scaled(most).high().unwrap_or(f64::INFINITY), "item")
        ),
        _ => format!("how many of {items} items come back is not known, and `keeping` would say it"),
    }
}

/// So many things, however few: of less than one the digits are the news.
fn count_of(value: f64, what: &str) -> String {
    if value == 1.0 { format!("1 {what}") } else { format!("{} {what}s", show::number(value)) }
}
