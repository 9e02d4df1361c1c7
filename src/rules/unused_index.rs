//! An index that no pattern reads.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place, Tag};
use super::fixes::{nearest, with_docs};
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::answers::alternatives;
use crate::model::defs::*;
use crate::model::imports::model_decls;
use crate::model::key_condition::unsupported;
use crate::model::layout::{IndexLayout, TableLayout};
use crate::model::lower::lowered;
use crate::model::names::table_def;
use crate::model::resolve::{patterns_of_tables, used_indexes};
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "unused-index",
    group: Group::Cost,
    level: Level::Warning,
    summary: "no pattern reads an index",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let used = used_indexes(cx.db, cx.root);
    let mut seen = BTreeSet::new();
    for index in &layout.indexes {
        let name = &index.name.text;
        // Of two indexes with one name the second is a finding of its own.
        if !seen.insert(name)
            || used.contains(&(layout.name.text.clone(), name.clone()))
            || may_be_meant(cx, layout, name)
            || would_serve(cx, layout, index)
        {
            continue;
        }
        let entities: Vec<String> = layout.of_index(index).items().map(|item| format!("`{}`", item.entity)).collect();
        let writes = match entities.as_slice() {
            [] => "it costs a definition that everybody reads".to_owned(),
            entities => format!("every put and delete of {} is paid for again in it", entities.join(", ")),
        };
        let message = format!(
            "none of {} reads index `{name}`, and {writes}, storage apart; remove it, or write down the pattern that \
             needs it",
            show::count_of(cx.names().all_patterns().count() as f64, "pattern")
        );
        // What cannot be read is not cut out.
        let edits = if cx.is_broken() { None } else { removal(cx, layout, index, &[]) };
        let members: Vec<Place> = layout.of_index(index).items().map(|item| cx.place(item.range)).collect();
        let finding = cx.report(index.name.range, message);
        finding.tag(Tag::Unnecessary);
        for member in members {
            finding.relate(member, "its items are in the index");
        }
        if let Some(edits) = edits {
            finding.fix(format!("Remove index `{name}`"), edits);
        }
    }
}

/// Whether a pattern that cannot be read, or that misspells an index, may mean
/// this one: that fault is reported, and is the cause.
fn may_be_meant(cx: &Cx<'_>, layout: &TableLayout, name: &str) -> bool {
    cx.names().all_patterns().any(|decl| {
        let chunk = decl.chunk(cx.db);
        if !chunk.is_whole() && chunk.text.contains(name) {
            return true;
        }
        // The index of a table that there is not.
        let lost =
            |step: &StepCx<'_>| step.resolved.table.is_none() && step.step.op.index().is_some_and(|i| i.text == name);
        if cx.steps_of(decl).iter().any(lost) {
            return true;
        }
        lowered(cx.db, decl).facts.references.iter().any(|reference| {
            let of_table = matches!(&reference.target, Target::Index { table } if *table == layout.name.text);
            let own = || layout.indexes.iter().map(|index| index.name.text.as_str());
            let known = || own().any(|own| own == reference.name.text);
            // A name that is near to none may be meant for any.
            of_table && !known() && nearest(&reference.name.text, own()).is_none_or(|near| near == name)
        })
    })
}

/// Whether a query of the table has a key condition that only this index, or its
/// like, would take: that fault is reported, and mending it makes use of the index.
fn would_serve(cx: &Cx<'_>, layout: &TableLayout, index: &IndexLayout) -> bool {
    let patterns = patterns_of_tables(cx.db, cx.root).get(&layout.decl).map(Vec::as_slice).unwrap_or_default();
    patterns.iter().flat_map(|pattern| cx.steps_of(*pattern)).any(|step| {
        let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return false };
        let Some(source) = step.source.filter(|source| source.layout.decl == layout.decl) else { return false };
        !unsupported(source, conditions).is_empty()
            && alternatives(cx.db, source, conditions, options)
                .iter()
                .any(|other| other.index.is_some_and(|other| other.name == index.name))
    })
}

/// Removes the index, and the values of its keys that nothing else uses. What
/// stands in the places of `moved` is rewritten anyway, and uses nothing.
pub(super) fn removal(cx: &Cx<'_>, layout: &TableLayout, index: &IndexLayout, moved: &[Place]) -> Option<Vec<Edit>> {
    let table = table_def(cx.db, cx.decl)?;
    let text = &cx.chunk().text;
    let def = table.indexes.iter().find(|def| def.name.as_ref().is_some_and(|name| name.range == index.name.range))?;
    let others = layout.indexes.iter().filter(|other| other.name != index.name);
    let kept: BTreeSet<&str> = layout
        .primary_key()
        .chain(others.flat_map(|other| other.partition.iter().chain(&other.sort)))
        .map(|key| key.name.as_str())
        .collect();
    let freed: BTreeSet<&str> = index
        .partition
        .iter()
        .chain(&index.sort)
        .map(|key| key.name.as_str())
        .filter(|name| !kept.contains(name) && !is_used(cx, layout, (def, moved), name))
        .collect();
    let mut edits = vec![Edit::RemoveLines { place: cx.place(with_docs(text, def.range)) }];
    for item in &table.items {
        let gone: Vec<TextRange> = item
            .values
            .iter()
            .filter(|value| freed.contains(value.key.text.as_str()))
            .map(|value| value.range)
            .collect();
        match item.body.filter(|body| !gone.is_empty() && is_all(text, *body, &gone)) {
            Some(body) => {
                // A block that holds nothing else goes with them.
                let before = text[..body.start as usize].trim_end().len();
                let range = TextRange::new(before, body.end as usize);
                edits.push(Edit::Replace { place: cx.place(range), text: String::new() });
            }
            None => edits.extend(gone.into_iter().map(|range| Edit::RemoveLines { place: cx.place(range) })),
        }
    }
    Some(edits)
}

/// Whether these clauses are all that a block holds, comments included.
fn is_all(text: &str, body: TextRange, clauses: &[TextRange]) -> bool {
    let mut at = body.start as usize + 1;
    let mut blank = true;
    for clause in clauses {
        blank &= text[at..clause.start as usize].trim().is_empty();
        at = clause.end as usize;
    }
    blank && text[at..(body.end as usize).saturating_sub(1).max(at)].trim().is_empty()
}

/// Whether something besides the index and the item blocks names a key of the
/// table: a filter, a projection, a `ttl`.
fn is_used(cx: &Cx<'_>, layout: &TableLayout, (index, moved): (&IndexDef, &[Place]), key: &str) -> bool {
    let own = layout.name.text.as_str();
    model_decls(cx.db, cx.root).iter().any(|decl| {
        lowered(cx.db, *decl).facts.references.iter().any(|reference| {
            let place = Place { decl: *decl, range: reference.name.range };
            let is_moved = |moved: &Place| moved.decl == place.decl && moved.range.contains(place.range);
            let inside = place.decl == cx.decl && index.range.contains(place.range) || moved.iter().any(is_moved);
            let in_table = match &reference.target {
                Target::TableAttribute { table } | Target::ItemAttribute { table, .. } => table == own,
                Target::AnyAttribute { .. } => true,
                _ => false,
            };
            in_table && !inside && reference.name.text == key
        })
    })
}
