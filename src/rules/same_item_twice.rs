//! Two steps of one transaction or batch that aim at the same item.

use super::check::{Check, Cx};
use super::finding::{Edit, Fix, Level, Safety};
use super::groups::{Grouped, grouped};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::groups::{Twice, call, twice};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "same-item-twice",
    group: Group::Correctness,
    level: Level::Error,
    summary: "two steps of one transaction or batch aim at the same item",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for grouped in grouped(cx) {
        for found in twice(grouped.group.kind, grouped.group.mode, &grouped.steps) {
            report(cx, &grouped, found);
        }
    }
}

fn report(cx: &mut Cx<'_>, grouped: &Grouped<'_>, found: Twice) {
    let (earlier, later) = (&grouped.steps[found.earlier], &grouped.steps[found.later]);
    let Some(subject) = later.step.op.subject() else { return };
    let entity = &subject.entity.text;
    let call = call(grouped.group.kind, grouped.group.mode);
    let itself = found.earlier == found.later;
    let what = match (&subject.role, itself, found.only_one) {
        (_, true, _) => format!(
            "this step runs {} times on one item: no hole is in the key of `{entity}`, so there is 1 such item",
            later.step.times.as_ref().map_or("2", |times| times.written.as_str())
        ),
        (_, false, true) => format!(
            "this is the second step on the one item of `{entity}`, in whose key no hole is: there is 1 such item"
        ),
        (Some(role), false, false) => {
            format!("this is the second step on the `{entity}` in the role `{}`, which is one item", role.text)
        }
        (None, false, false) => {
            format!("this is the second step on the same `{entity}`, as neither says by `as` that it means another")
        }
    };
    let advice = match (itself, found.only_one) {
        (true, _) => "run it once",
        (false, true) => "do in 1 step what both do",
        (false, false) => "do in 1 step what both do, or give two items a role each: `as one`, `as other`",
    };
    let fixes = if itself { Vec::new() } else { fixes(cx, grouped, found) };
    let message = format!("{what}, and {call} refuses a call with 2 actions on an item; {advice}");
    let place = cx.place(earlier.step.range);
    let finding = cx.report(later.step.range, message);
    if !itself {
        finding.relate(place, "the first step on the item");
    }
    finding.fixes = fixes;
}

fn fixes(cx: &Cx<'_>, grouped: &Grouped<'_>, found: Twice) -> Vec<Fix> {
    let (earlier, later) = (grouped.steps[found.earlier].step, grouped.steps[found.later].step);
    let mut fixes: Vec<Fix> = Vec::new();
    let mut suggest = |title: &str, edits: Vec<Edit>| {
        fixes.push(Fix { title: title.to_owned(), safety: Safety::Choice, edits });
    };
    if let Some(edits) = ask_of_the_write(cx, earlier, later).or_else(|| ask_of_the_write(cx, later, earlier)) {
        suggest("Ask of the write itself what is checked", edits);
    }
    if matches!((&earlier.op, &later.op), (OpDef::Get { .. }, OpDef::Get { .. })) {
        suggest("Get it once", vec![Edit::RemoveLines { place: cx.place(later.range) }]);
    }
    if !found.only_one && grouped.operation.steps.len() == 2 {
        let named = |step: &StepDef, role: &str| {
            let subject = step.op.subject()?;
            let (range, text) = match &subject.role {
                Some(old) => (old.range, role.to_owned()),
                None => (TextRange::empty(subject.entity.range.end as usize), format!(" as {role}")),
            };
            Some(Edit::Replace { place: cx.place(range), text })
        };
        if let (Some(one), Some(other)) = (named(earlier, "one"), named(later, "other")) {
            suggest("They are two items: give each a role", vec![one, other]);
        }
    }
    fixes
}

/// Moves the condition of a check to the write of the same item, which has none.
fn ask_of_the_write(cx: &Cx<'_>, check: &StepDef, write: &StepDef) -> Option<Vec<Edit>> {
    let (OpDef::Check { condition: Some(condition), .. }, None) = (&check.op, write.op.condition()) else {
        return None;
    };
    if !write.op.writes() || check.times() != write.times() {
        return None;
    }
    let text = &cx.chunk().text;
    let asked = text.get(condition.range.indices())?;
    // The condition stands before `times`.
    let end = match &write.times {
        Some(times) => text[..times.range.start as usize].trim_end().strip_suffix("times")?.trim_end().len(),
        None => write.range.end as usize,
    };
    Some(vec![
        Edit::Replace { place: cx.place(TextRange::empty(end)), text: format!(" {asked}") },
        Edit::RemoveLines { place: cx.place(check.range) },
    ])
}
