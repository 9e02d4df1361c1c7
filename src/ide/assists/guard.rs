//! Guarding a unique attribute: the guard, its place in a table, and every write that
//! has to claim or give free a value.

use super::trial::Trial;
use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::ide::changes::finished;
use crate::ide::price::priced;
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::is_whole;
use crate::model::unique::unique_values;
use crate::rules::counterpart::holders;
use crate::rules::guard::{Guarded, guards};
use crate::rules::guarding::transactions;

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
    edits.extend(transactions(cx.db, cx.root, &[(value, guard)], None)?);
    let trial = Trial::new(cx, &finished(cx.db, &edits)).filter(|_| !edits.is_empty())?;
    if trial.brings_faults_beside(&["unused-allow"]) {
        return None;
    }
    let title = format!("Guard `{}` with `{}`", value.attribute.name.text, guard.entity);
    Some(Assist { kind: CodeActionKind::RefactorRewrite, title: priced(title, trial.monthly()), edits })
}
