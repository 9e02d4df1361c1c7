//! An entity that is written, and that nothing reads.

use super::check::{Check, Cx};
use super::counterpart::{Counterpart, read_pattern};
use super::finding::Level;
use super::rule::{Group, Rule};
use super::unseen::may_be_mentioned;
use super::users::{relate_patterns, together};
use crate::model::defs::*;
use crate::model::unique::is_guard;
use crate::model::uses::{may_be_read, uses_of};

pub static RULE: Rule = Rule {
    name: "missing-read-pattern",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "an entity is written and never read, without `no_read because`",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, _entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    if cx.is_broken() || cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    let Some(uses) = uses_of(cx.db, cx.root, &name) else { return };
    let read = [&uses.reads, &uses.reads_beside, &uses.checks].into_iter().any(|patterns| !patterns.is_empty());
    if uses.writes.is_empty() || read || uses.no_read || may_be_read(cx.db, cx.root, cx.decl) {
        return;
    }
    if is_guard(cx.db, cx.root, &name) || may_be_mentioned(cx, &name) {
        return;
    }
    let message = format!(
        "`{name}` is written by {}, and no pattern reads it: its writes and its storage are paid for, and nobody can \
         tell whether its key and its indexes are those that its readers need; add the pattern that reads it, or \
         `no_read because \"…\"` to one that writes it, where something outside this model reads it",
        together(cx, &uses.writes)
    );
    let made = read_pattern(cx.db, cx.root, &name);
    let at = cx.findings.len();
    let finding = cx.report(cx.name_range(), message);
    if let Some(Counterpart { name: pattern, edits }) = made {
        finding.suggest(format!("Add pattern `{pattern}`, which reads `{name}`"), edits);
    }
    relate_patterns(cx, at, &uses.writes, "writes it");
}
