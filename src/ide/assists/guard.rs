//! Guarding a unique attribute: the guard, its place in a table, and every write that
//! has to claim or give free a value.

use super::trial::would_hold;
use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::is_whole;
use crate::model::resolve::{Step, patterns_of_entities, steps};
use crate::model::unique::{UniqueValue, unique_values};
use crate::rules::counterpart::holders;
use crate::rules::finding::Edit;
use crate::rules::guard::{Guard, Guarded, guards, in_transaction};

/// Offered on a `@unique` attribute whose value is not the key of its items.
pub(super) fn guard(cx: &AssistCx<'_>) -> Vec<Assist> {
    assist(cx).into_iter().collect()
}

fn assist(cx: &AssistCx<'_>) -> Option<Assist> {
    let Def::Entity(entity) = &cx.lowered().def else { return None };
    let name = decl_name(cx.db, cx.decl).as_deref()?;
    let value = unique_values(name, entity).find(|value| cx.is_at(value.attribute.range))?;
    let layout = holders(cx.db, cx.root, name).into_iter().next()?;
    // Where the value is the whole key, a guard would say the same twice.
    if !is_whole(cx.db, layout.decl) || value.is_own_key(layout, layout.item_of(name)?) {
        return None;
    }
    let owner = Guarded { db: cx.db, root: cx.root, name, entity, decl: cx.decl, layout };
    let (mut edits, guards) = guards(&owner, &[value])?;
    let guard = guards.first()?;
    edits.extend(transactions(cx, &value, guard)?);
    if edits.is_empty() || !would_hold(cx, &edits, &["unused-allow"]) {
        return None;
    }
    let title = format!("Guard `{}` with `{}`", value.attribute.name.text, guard.entity);
    Some(Assist { kind: CodeActionKind::RefactorRewrite, title, edits })
}

/// The transactions that claim the value where the entity is put, give it free where
/// it is deleted, and move the guard where the value is changed; `None` where a
/// pattern cannot be told to.
fn transactions(cx: &AssistCx<'_>, value: &UniqueValue<'_>, guard: &Guard) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let patterns = patterns_of_entities(cx.db, cx.root).get(value.entity).map(Vec::as_slice).unwrap_or_default();
    for pattern in patterns {
        let all: Vec<Step<'_>> = steps(cx.db, cx.root, *pattern).collect();
        for step in all.iter().filter(|step| is_of(step, value.entity)) {
            let lines = match &step.step.op {
                OpDef::Put { .. } if !value.is_enforced(cx.db, step, &all) => vec![guard.put()],
                OpDef::Delete { .. } if !is_given_free(step, &all, guard) => vec![guard.delete()],
                OpDef::Update { set, remove, .. } if !is_given_free(step, &all, guard) => {
                    let changes = |names: &[Name]| names.iter().any(|name| value.names().any(|own| own == name.text));
                    match (changes(set), changes(remove)) {
                        (true, _) => vec![guard.delete(), guard.put()],
                        (false, true) => vec![guard.delete()],
                        (false, false) => continue,
                    }
                }
                _ => continue,
            };
            if !is_whole(cx.db, *pattern) {
                return None;
            }
            edits.push(in_transaction(&pattern.chunk(cx.db).text, *pattern, step, &lines)?);
        }
    }
    Some(edits)
}

fn is_of(step: &Step<'_>, entity: &str) -> bool {
    step.step.op.subject().is_some_and(|subject| subject.entity.text == entity)
}

/// Whether the guard is deleted together with what a step does.
fn is_given_free(step: &Step<'_>, all: &[Step<'_>], guard: &Guard) -> bool {
    let mut together = all.iter().filter(|other| other.resolved.operation == step.resolved.operation);
    together.any(|other| matches!(other.step.op, OpDef::Delete { .. }) && is_of(other, &guard.entity))
}
