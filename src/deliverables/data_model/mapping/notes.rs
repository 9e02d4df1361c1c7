//! What an implementer has to know of a step besides its key: conditions,
//! consistency, pages, units, what a filter throws away.

use super::returned::of_filter;
use crate::capacity::figure::Figure;
use crate::capacity::most::Most;
use crate::capacity::operations::{StepNumbers, Work};
use crate::capacity::reads::ReadNumbers;
use crate::capacity::show;
use crate::deliverables::figures::Footnotes;
use crate::deliverables::first_page::FirstPage;
use crate::deliverables::markdown::code;
use crate::deliverables::numbers::things;
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::names::{entity_def, table_def};
use crate::model::resolve::Step;

/// The notes of a step.
pub(super) fn of_step(
    outline: &Outline<'_>,
    footnotes: &mut Footnotes,
    pattern: &Pattern<'_>,
    step: &Step<'_>,
    numbers: Option<&StepNumbers>,
) -> Vec<String> {
    let mut notes = step.notes();
    let op = &step.step.op;
    if op.reads() {
        notes.extend(consistency(step));
        notes.extend(bound(outline, pattern, step));
        notes.extend(FirstPage::of(outline, step).map(|page| page.words()));
    } else {
        notes.extend(made_by_update(step));
    }
    if let Some(numbers) = numbers {
        if let Work::Read(read) = &numbers.work {
            notes.extend(thrown_away(outline, footnotes, pattern, step, read));
            if let Some(fetch) = &read.fetch {
                footnotes.add([fetch]);
                notes.push(format!(
                    "fetches from the table what the local index does not hold: {}",
                    things(fetch, "read unit")
                ));
            }
        }
        notes.extend(units(footnotes, numbers));
    }
    notes.extend(expiry(outline, step));
    notes
}

/// What holds for the transactions and batches of a pattern as a whole.
pub(super) fn of_groups(pattern: &Pattern<'_>) -> Vec<String> {
    let groups = pattern.def.operations.iter().filter_map(|operation| Some((operation.group.as_ref()?, operation)));
    groups
        .flat_map(|(group, operation)| match (group.kind, group.mode) {
            (GroupKind::Transact, GroupMode::Write) => vec![
                String::from("transaction: all or nothing, and twice the write units of its table writes"),
                refused(operation),
                String::from("an answer that was lost: retry with the same `ClientRequestToken` within 10 minutes"),
            ],
            (GroupKind::Transact, GroupMode::Get) => vec![
                String::from("transaction: all from one moment, and twice the read units"),
                String::from(
                    "refused with `TransactionCanceledException` where a transaction writes one of its items at that \
                     moment: retry",
                ),
            ],
            (GroupKind::Batch, GroupMode::Write) => {
                vec![String::from("batch: no atomicity; retry the `UnprocessedItems`")]
            }
            (GroupKind::Batch, GroupMode::Get) => {
                vec![String::from("batch: no atomicity; retry the `UnprocessedKeys`")]
            }
        })
        .collect()
}

/// What a transaction that is refused leaves behind, and which of its reasons a retry
/// can help with.
fn refused(operation: &OperationDef) -> String {
    let has_condition = operation.steps.iter().any(|step| step.op.condition().is_some());
    let condition = match has_condition {
        true => "`ConditionalCheckFailed` fails again on a retry, ",
        false => "",
    };
    format!(
        "refused with `TransactionCanceledException`: nothing is written, though write units may be taken all the same; \
         its `CancellationReasons` say why, step by step: {condition}`TransactionConflict` is worth a retry"
    )
}

/// That a pattern writes several items one by one, each by a request of its own.
pub(super) fn of_several(pattern: &Pattern<'_>) -> Option<String> {
    let single = pattern.steps.iter().filter(|step| step.step.op.writes() && step.operation.group.is_none());
    let writes: f64 = single.map(|step| step.step.times()).sum();
    (writes > 1.0).then(|| {
        format!(
            "{} writes, each by itself: where one fails those before it stand, so that whoever calls has to go on from \
             there, or undo them",
            show::count(writes)
        )
    })
}

/// That a global index lags behind its table.
fn consistency(step: &Step<'_>) -> Option<String> {
    let index = step.source?.index?;
    (index.kind == IndexKind::Global).then(|| String::from("eventually consistent, as every GSI"))
}

/// What bounds a query or a scan that has no limit.
fn bound(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> Option<String> {
    let options = match &step.step.op {
        OpDef::Query { options, .. } | OpDef::Scan { options, .. } => options,
        _ => return None,
    };
    let is_one_page = || Most::of(outline.db, outline.root, step).is_some_and(|most| most.within_a_page());
    match (options.limit.is_some(), pattern.def.pages.is_some()) {
        (false, false) if is_one_page() => Some(String::from("one page holds all that it can return")),
        (false, false) => Some(String::from("no limit: 1 MB a page, go on with `LastEvaluatedKey`")),
        (_, true) => Some(String::from("go on with `LastEvaluatedKey`")),
        (true, false) => None,
    }
}

/// How many of the items read the filter drops.
fn thrown_away(
    outline: &Outline<'_>,
    footnotes: &mut Footnotes,
    pattern: &Pattern<'_>,
    step: &Step<'_>,
    read: &ReadNumbers,
) -> Option<String> {
    let kept = of_filter(outline, pattern, step, read)?;
    footnotes.add([&kept.share]);
    Some(match (kept.share.value(), kept.share.high()) {
        (Some(share), _) => {
            format!("the filter throws away {} of what is read and paid for", show::small_percent(1.0 - share))
        }
        (None, Some(high)) if high < 1.0 => {
            format!("the filter throws away at least {} of what is read and paid for", show::percent(1.0 - high))
        }
        _ => String::from("how much of what is read and paid for the filter throws away is not known"),
    })
}

/// Units of one call, those of indexes apart.
fn units(footnotes: &mut Footnotes, numbers: &StepNumbers) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |units: &Figure, what: &str, place: &str| {
        if *units == Figure::ZERO {
            return;
        }
        footnotes.add([units]);
        notes.push(format!("{}{place}", things(units, &format!("{what} unit"))));
    };
    note(&numbers.read_units(), "read", "");
    note(&numbers.write_units(), "write", "");
    for (index, _, units) in numbers.index_writes() {
        note(&units, "write", &format!(" in {}", code(index)));
    }
    notes
}

/// That an update makes the item where there is none: it has no condition, or one that
/// holds for what is not there. Of an item within another there is nothing to make.
fn made_by_update(step: &Step<'_>) -> Option<String> {
    let OpDef::Update { subject: Some(subject), condition, .. } = &step.step.op else { return None };
    if step.source?.layout.item_of(&subject.entity.text)?.entity != subject.entity.text {
        return None;
    }
    match condition.as_ref().map(|condition| &condition.kind) {
        None => Some(String::from("makes the item where there is none")),
        Some(WriteConditionKind::NotExists) => Some(String::from("makes the item, and changes none that is there")),
        Some(WriteConditionKind::Conditions(conditions)) if conditions.holds_for_nothing() => Some(String::from(
            "makes the item where there is none, since its condition holds for that too: add `exists` of a key \
             attribute to change only what is there",
        )),
        Some(WriteConditionKind::Conditions(_) | WriteConditionKind::Exists | WriteConditionKind::Missing) => None,
    }
}

/// What the TTL of the table means for a step.
fn expiry(outline: &Outline<'_>, step: &Step<'_>) -> Option<String> {
    let table = table_def(outline.db, step.source?.layout.decl)?;
    let ttl = &table.ttl.as_ref()?.attribute.as_ref()?.text;
    let expires = step.items().into_iter().any(|item| {
        let entity = item.entity_decl.and_then(|decl| entity_def(outline.db, decl));
        entity.is_some_and(|entity| entity.attribute(ttl).is_some())
    });
    if !expires {
        return None;
    }
    let options = step.step.op.options();
    let filter = options.and_then(|options| options.filter.as_ref()?.conditions.as_ref());
    let filtered = filter.is_some_and(|filter| filter.leaves().iter().any(|term| term.names(ttl)));
    let ttl = code(ttl);
    match &step.step.op {
        OpDef::Put { .. } => Some(format!("{ttl} says when DynamoDB deletes it, at no cost")),
        op if op.reads() && !filtered => {
            Some(format!("expired items stay readable until DynamoDB deletes them, some days later: compare {ttl}"))
        }
        _ => None,
    }
}
