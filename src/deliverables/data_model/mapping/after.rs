//! What an implementer has to know of what comes after a write, or at the same time: a
//! retry, another call, what is left of a thing that is deleted.

use crate::capacity::show;
use crate::deliverables::markdown::inline;
use crate::deliverables::outline::Outline;
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::pairs::pairs;
use crate::model::resolve::Step;
use std::collections::BTreeMap;

/// So many patterns are named.
const NAMED: usize = 3;

/// What happens when a write is sent again because its answer was lost, as far as
/// the model says it.
pub(super) fn retry(patterns: &[Pattern<'_>], pattern: &Pattern<'_>, step: &Step<'_>) -> Option<String> {
    // A transaction has a token for that.
    if step.operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Transact) {
        return None;
    }
    let condition = step.step.op.condition().map(|condition| &condition.kind);
    match (&step.step.op, condition) {
        (OpDef::Put { .. }, None) => {
            let changing = changing(patterns, pattern, step);
            let named: Vec<String> = changing.iter().take(NAMED).map(|pattern| pattern.reference()).collect();
            let more = match changing.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            Some(match named.is_empty() {
                true => String::from("replaces what has the same key (safe to retry)"),
                false => format!(
                    "replaces what has the same key, with all that was changed in it: a late retry undoes what {}{more} \
                     did meanwhile",
                    named.join(", ")
                ),
            })
        }
        (OpDef::Put { .. }, Some(WriteConditionKind::NotExists)) => {
            Some(String::from("a retry of a put that went through fails on its condition"))
        }
        (OpDef::Delete { .. }, None) => Some(String::from("safe to retry")),
        _ => None,
    }
}

/// The other patterns that change or delete what a step puts.
fn changing<'p, 'db>(patterns: &'p [Pattern<'db>], pattern: &Pattern<'db>, put: &Step<'_>) -> Vec<&'p Pattern<'db>> {
    let entity = |step: &Step<'_>| step.step.op.subject().map(|subject| subject.entity.text.clone());
    let own = entity(put);
    let changes = |step: &Step<'_>| {
        matches!(step.step.op, OpDef::Update { .. } | OpDef::Delete { .. })
            && entity(step) == own
            && step.resolved.table == put.resolved.table
    };
    patterns.iter().filter(|other| other.decl != pattern.decl && other.steps.iter().any(changes)).collect()
}

/// What stays of a thing that a step deletes: what belongs to it and is neither in its item
/// nor deleted by the same call.
pub(super) fn left(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> Option<String> {
    let OpDef::Delete { subject: Some(subject), .. } = &step.step.op else { return None };
    let entity = subject.entity.text.as_str();
    let item = step.source?.layout.item_of(entity).filter(|item| item.entity == entity)?;
    let is_deleted = |child: &str| {
        let mut others = pattern.steps.iter().map(|step| &step.step.op);
        others.any(|op| matches!(op, OpDef::Delete { subject: Some(own), .. } if own.entity.text == child))
    };
    let mut stays: BTreeMap<&str, Option<f64>> = BTreeMap::new();
    for pair in outline.relationships.iter().flat_map(|own| pairs(own.def)) {
        if pair.parent == entity && !item.holds(pair.child) && !is_deleted(pair.child) {
            stays.entry(pair.child).or_insert(pair.most);
        }
    }
    let named: Vec<String> = stays
        .into_iter()
        .map(|(child, most)| match most {
            Some(most) if most > 1.0 => format!("{} (at most {})", inline(child), show::count(most)),
            _ => inline(child),
        })
        .collect();
    (!named.is_empty()).then(|| format!("what belongs or refers to it stays: {}", named.join(", ")))
}
