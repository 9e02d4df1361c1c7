//! The writes that guards of unique values take part in.

use super::check::StepCx;
use super::finding::Edit;
use super::guard::{Guard, in_transaction};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::names::is_whole;
use crate::model::resolve::{patterns_of_entity, steps};
use crate::model::unique::UniqueValue;

/// The transactions that claim values of one entity where it is put, give them free
/// where it is deleted, and move the guards where the values are changed; `None` where a
/// pattern cannot be told to. Where it is about the put of one pattern (`about`), puts of
/// others that fit no transaction stay for their authors.
pub(crate) fn transactions(
    db: &dyn Db,
    root: SourceFile,
    guarded: &[(UniqueValue<'_>, &Guard)],
    about: Option<Decl>,
) -> Option<Vec<Edit>> {
    let entity = guarded.first()?.0.entity;
    let mut edits = Vec::new();
    for pattern in patterns_of_entity(db, root, entity) {
        let all: Vec<StepCx<'_>> = steps(db, root, *pattern).collect();
        for step in all.iter().filter(|step| is_of(step, entity)) {
            let lines: Vec<String> =
                guarded.iter().flat_map(|(value, guard)| together(db, step, &all, value, guard)).collect();
            if lines.is_empty() {
                continue;
            }
            if !is_whole(db, *pattern) {
                return None;
            }
            let edit = in_transaction(&pattern.chunk(db).text, *pattern, step, &lines);
            let stays = matches!(step.step.op, OpDef::Put { .. }) && about.is_some_and(|about| about != *pattern);
            if edit.is_none() && !stays {
                return None;
            }
            edits.extend(edit);
        }
    }
    Some(edits)
}

/// What a guard lacks beside a step of the entity.
fn together(db: &dyn Db, step: &StepCx<'_>, all: &[StepCx<'_>], value: &UniqueValue<'_>, guard: &Guard) -> Vec<String> {
    match &step.step.op {
        OpDef::Put { .. } if !value.is_enforced(db, step, all) => vec![guard.put()],
        OpDef::Delete { .. } if !is_given_free(step, all, guard) => vec![guard.delete()],
        OpDef::Update { set, remove, .. } if !is_given_free(step, all, guard) => {
            let changes = |names: &[Name]| names.iter().any(|name| value.names().any(|own| own == name.text));
            match (changes(set), changes(remove)) {
                (true, _) => vec![guard.delete(), guard.put()],
                (false, true) => vec![guard.delete()],
                (false, false) => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn is_of(step: &StepCx<'_>, entity: &str) -> bool {
    step.step.op.subject().is_some_and(|subject| subject.entity.text == entity)
}

/// Whether the guard is deleted together with what a step does.
fn is_given_free(step: &StepCx<'_>, all: &[StepCx<'_>], guard: &Guard) -> bool {
    let mut together = all.iter().filter(|other| other.resolved.operation == step.resolved.operation);
    together.any(|other| matches!(other.step.op, OpDef::Delete { .. }) && is_of(other, &guard.entity))
}
