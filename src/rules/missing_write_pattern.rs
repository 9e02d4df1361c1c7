//! An entity that is read, and that nothing writes.

use super::check::{Check, Cx};
use super::counterpart::{Counterpart, write_pattern};
use super::finding::Level;
use super::rule::{Group, Rule};
use super::unseen::may_be_mentioned;
use super::users::{relate_patterns, together};
use crate::model::defs::*;
use crate::model::uses::uses_of;

pub static RULE: Rule = Rule {
    name: "missing-write-pattern",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "an entity is read and never written, without `no_write because`",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, _entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    if cx.is_broken() || cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    let Some(uses) = uses_of(cx.db, cx.root, &name) else { return };
    if uses.reads.is_empty() || !uses.writes.is_empty() || !uses.writes_parent.is_empty() || uses.no_write {
        return;
    }
    if may_be_mentioned(cx, &name) {
        return;
    }
    let message = format!(
        "`{name}` is read by {}, and no pattern writes it: what its writes cost, how hot they make a key and whether \
         they keep it unique is in none of the numbers; add the pattern that puts it, or `no_write because \"…\"` to one \
         that reads it, where it is written outside this model",
        together(cx, &uses.reads)
    );
    let made = write_pattern(cx.db, cx.root, &name);
    let at = cx.findings.len();
    let finding = cx.report(cx.name_range(), message);
    if let Some(Counterpart { name: pattern, edits }) = made {
        // Its rate is left to be filled in.
        finding.suggest(format!("Add pattern `{pattern}`, which writes `{name}`"), edits);
    }
    relate_patterns(cx, at, &uses.reads, "reads it");
}
