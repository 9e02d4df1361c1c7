//! The pattern that an entity lacks: what writes it, or what reads it.

use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::model::defs::*;
use crate::model::layout::layout;
use crate::model::layout::placements;
use crate::model::lower::decl_name;
use crate::model::names::pattern_def;
use crate::model::names::{entity_def, names};
use crate::model::resolve::{patterns_of_entity, resolved};
use crate::model::unique::unique_values;
use crate::rules::counterpart::{Counterpart, read_pattern, write_pattern};

/// Offered on the name of an entity that is read and never written, or written and
/// never read.
pub(super) fn counterpart(cx: &AssistCx<'_>) -> Vec<Assist> {
    let is_at = cx.lowered().name.as_ref().is_some_and(|name| cx.is_at(name.range));
    let (Def::Entity(_), Some(name), true) = (&cx.lowered().def, decl_name(cx.db, cx.decl), is_at) else {
        return Vec::new();
    };
    let mut uses = Uses::default();
    // An embedded entity is read and written with what holds it.
    for entity in std::iter::once(name.as_str()).chain(holders(cx, name)) {
        uses.add(cx, entity);
    }
    let made: Option<(&str, Counterpart)> = match (uses.read, uses.written) {
        (Some(wanted), None) if wanted => write_pattern(cx.db, cx.root, name).map(|made| ("writes", made)),
        (None, Some(wanted)) if wanted && !is_guard(cx, name) => {
            read_pattern(cx.db, cx.root, name).map(|made| ("reads", made))
        }
        _ => None,
    };
    let assist = made.map(|(what, Counterpart { name: pattern, edits })| Assist {
        kind: CodeActionKind::RefactorRewrite,
        title: format!("Add pattern `{pattern}`, which {what} `{name}`"),
        edits,
    });
    assist.into_iter().collect()
}

/// How patterns use an entity.
#[derive(Default)]
struct Uses {
    /// Whether a pattern that reads it leaves the write to be asked for; `None` where
    /// none reads it.
    read: Option<bool>,
    /// The same the other way round.
    written: Option<bool>,
}

impl Uses {
    fn add(&mut self, cx: &AssistCx<'_>, entity: &str) {
        let patterns = patterns_of_entity(cx.db, cx.root, entity);
        for decl in patterns {
            let Some(pattern) = pattern_def(cx.db, *decl) else { continue };
            let (mut reads, mut writes) = (false, false);
            for requirement in &pattern.requirements {
                let own = requirement.uses.iter().any(|one| one.entity.text == entity);
                *(if requirement.writes { &mut writes } else { &mut reads }) |= own;
            }
            for step in &resolved(cx.db, cx.root, *decl).steps {
                let op = pattern.operations.get(step.operation).and_then(|operation| operation.steps.get(step.step));
                let Some(op) = op.map(|step| &step.op) else { continue };
                let named = op.subject().is_some_and(|subject| subject.entity.text == entity);
                if op.reads() {
                    reads |= named || step.reached.iter().any(|reached| reached == entity);
                } else {
                    writes |= named && matches!(op, OpDef::Put { .. } | OpDef::Update { .. });
                }
            }
            let noted = |before: Option<bool>, wanted: bool| Some(before.unwrap_or(false) || wanted);
            if reads {
                self.read = noted(self.read, pattern.no_write.is_none());
            }
            if writes {
                self.written = noted(self.written, pattern.no_read.is_none());
            }
        }
    }
}

/// The entities whose items embed an entity.
fn holders<'db>(cx: &AssistCx<'db>, entity: &str) -> impl Iterator<Item = &'db str> {
    let tables = placements(cx.db, cx.root).get(entity).map(Vec::as_slice).unwrap_or_default();
    let layouts = tables.iter().filter_map(|table| layout(cx.db, cx.root, *table).as_ref());
    let entity = entity.to_owned();
    layouts
        .flat_map(|layout| &layout.items)
        .filter(move |item| item.entity != entity && item.holds(&entity))
        .map(|item| item.entity.as_str())
}

/// Whether an entity guards a unique value of another: that is read by none.
fn is_guard(cx: &AssistCx<'_>, entity: &str) -> bool {
    let owners = names(cx.db, cx.root)
        .entities
        .iter()
        .filter_map(|(name, decls)| Some((name.as_str(), entity_def(cx.db, *decls.first()?)?)));
    let mut values = owners.flat_map(|(name, owner)| unique_values(name, owner));
    values.any(|value| value.guards(cx.db, cx.root).iter().any(|guard| guard.item.entity == entity))
}
