//! Answering a pattern that nothing answers yet, each way with its price.

use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::ide::price::{Changed, more_units_a_put, priced, units_a_call};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::pattern_def;
use crate::rules::finding::{Edit, Fix};
use crate::rules::solve::{Solution, solutions};
use std::collections::BTreeSet;

/// Ways that are priced: each takes an analysis of the model.
const MOST_PRICED: usize = 8;

/// Every operation that would answer the pattern under the cursor.
pub(super) fn solve(cx: &AssistCx<'_>) -> Vec<Assist> {
    let Def::Pattern(pattern) = &cx.lowered().def else { return Vec::new() };
    if !pattern.operations.is_empty() || pattern.external.is_some() {
        return Vec::new();
    }
    let ways = solutions(cx.db, cx.root, pattern).into_iter().enumerate();
    let assists = ways.filter_map(|(index, way)| {
        let edits = way.edits(cx.text(), cx.decl, pattern)?;
        let price = if index < MOST_PRICED { price(cx.db, cx.root, cx.decl, &way, &edits) } else { Vec::new() };
        Some(Assist { kind: CodeActionKind::RefactorRewrite, title: priced(way.title(), price), edits })
    });
    assists.collect()
}

/// The title of a fix of `unsolved-pattern` with the price of what it does.
pub(in crate::ide) fn priced_fix(db: &dyn Db, root: SourceFile, decl: Decl, fix: &Fix) -> String {
    let ways = pattern_def(db, decl).map(|pattern| solutions(db, root, pattern)).unwrap_or_default();
    let way = ways.iter().find(|way| way.title() == fix.title);
    priced(fix.title.clone(), way.map(|way| price(db, root, decl, way, &fix.edits)).unwrap_or_default())
}

/// What a way to answer a pattern costs, as far as it is known: units of one call, units
/// that a put spends more on an index, dollars a month.
fn price(db: &dyn Db, root: SourceFile, pattern: Decl, way: &Solution, edits: &[Edit]) -> Vec<String> {
    let Some(changed) = Changed::by(db, root, edits) else { return Vec::new() };
    let mut parts = Vec::new();
    let mut tables: BTreeSet<String> = decl_name(db, way.table).iter().cloned().collect();
    if let Some(numbers) = decl_name(db, pattern).as_ref().and_then(|name| changed.pattern(name)) {
        tables.extend(changed.tables_of(numbers));
        let writes = numbers.all_write_units();
        for (units, what) in [(&numbers.read_units, "read"), (&writes, "write")] {
            if units.value() != Some(0.0) {
                parts.extend(units_a_call(units, what));
            }
        }
    }
    let index = way.first.as_ref().and_then(|first| first.index.as_ref());
    if let (Some(index), Some(table)) = (index, decl_name(db, way.table)) {
        parts.extend(changed.units_a_put(table, index).map(more_units_a_put));
    }
    parts.extend(changed.monthly(tables.iter().map(String::as_str)));
    parts
}
