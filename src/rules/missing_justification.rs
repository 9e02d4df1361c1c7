//! A key or an index of which nobody says why it is as it is.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::TableLayout;
use crate::model::names::table_def;

pub static RULE: Rule = Rule {
    name: "missing-justification",
    group: Group::Requirements,
    level: Level::Hint,
    summary: "a table's key or an index has neither `because` nor `purpose`",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let Some(table) = table_def(cx.db, cx.decl).filter(|_| !cx.is_broken()) else { return };
    let reasoned = |key: &Option<KeyDef>| key.as_ref().is_some_and(|key| key.because.is_some());
    if let Some(part) = layout.partition.first().filter(|_| !reasoned(&table.partition) && !reasoned(&table.sort)) {
        let key: Vec<&str> = layout.primary_key().map(|key| key.name.as_str()).collect();
        let message = format!(
            "nobody says why the key of `{}` is {}: it cannot be changed without writing every item anew to another \
             table, and a reviewer has to guess what it was chosen for; add `because \"…\"` to the key",
            layout.name.text,
            super::fixes::listed(&key)
        );
        cx.report(part.range, message);
    }
    for index in &table.indexes {
        let Some(name) = &index.name else { continue };
        let projected = index.projection.as_ref().is_some_and(|projection| projection.because.is_some());
        let sparse = index.sparse.as_ref().is_some_and(|sparse| sparse.because.is_some());
        if index.purpose.is_some() || reasoned(&index.partition) || reasoned(&index.sort) || projected || sparse {
            continue;
        }
        let message = format!(
            "nobody says what index `{}` is for: every write of its items is paid for again in it, and whoever finds it \
             in a year has to guess whether it can go; add `purpose \"…\"`, or `because \"…\"` to its key",
            name.text
        );
        cx.report(name.range, message);
    }
}
