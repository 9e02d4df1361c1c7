//! An entity that nothing uses.

use super::check::{Check, Cx};
use super::finding::{Level, Tag};
use super::rule::{Group, Rule};
use super::unseen::may_be_mentioned;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::placements;
use crate::model::resolve::patterns_of_entity;

pub static RULE: Rule = Rule {
    name: "unused-entity",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "no table holds an entity, none embeds it, and no pattern names it",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, _entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    // A second entity of one name is a finding of its own.
    if cx.is_broken() || cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    let placed = placements(cx.db, cx.root).contains_key(&name);
    if placed || !patterns_of_entity(cx.db, cx.root, &name).is_empty() || may_be_mentioned(cx, &name) {
        return;
    }
    let counted = |many: usize, what: &str| show::count_of(many as f64, what);
    let message = format!(
        "nothing uses `{name}`: none of {} holds or embeds it, and none of {} names it; it is not stored, and no number \
         of the model counts it; place it in a table and write down who reads and writes it, or remove it",
        counted(cx.names().all_tables().count(), "table"),
        counted(cx.names().all_patterns().count(), "pattern"),
    );
    cx.report(cx.name_range(), message).tag(Tag::Unnecessary);
}
