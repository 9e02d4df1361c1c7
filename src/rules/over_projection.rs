//! An index that copies what nobody reads from it.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::index_readers::{index_def, is_unclear, readers};
use super::lists::{has_comments, in_parentheses, relisted};
use super::priced;
use super::rule::{Group, Rule};
use crate::capacity::design::{all_laid_out, drawing_on, drawn, drawn_on};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, Work, pattern_numbers};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entry_bytes};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::index_reads::{asks_for, copied};
use crate::model::layout::{IndexLayout, Source, TableLayout};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "over-projection",
    group: Group::Cost,
    level: Level::Info,
    summary: "an index projects attributes that no pattern reads from it",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // What is projected may stand where the text cannot be read.
    if cx.is_broken() {
        return;
    }
    let mut seen = BTreeSet::new();
    for index in layout.indexes.iter().filter(|index| seen.insert(index.name.text.as_str())) {
        // An index that keeps its keys alone keeps nothing to spare; one that nobody
        // reads is another finding.
        let readers = readers(cx, layout, index);
        if index.projection == ProjectionKind::KeysOnly || readers.is_empty() || is_unclear(cx, index) {
            continue;
        }
        let queried = |step: &StepCx<'_>| {
            matches!(step.step.op, OpDef::Query { .. } | OpDef::Scan { .. }) && step.operation.group.is_none()
        };
        if !readers.iter().all(|(_, step)| queried(step)) {
            continue;
        }
        let source = layout.of_index(index);
        let projected = copied(cx.db, source);
        let (kept, unread): (Vec<&String>, Vec<&String>) = projected
            .iter()
            .partition(|name| readers.iter().any(|(decl, step)| asks_for(cx.db, *decl, step, source, name)));
        if !unread.is_empty() {
            report(cx, layout, index, readers.len(), &owned(&kept), &owned(&unread));
        }
    }
}

fn owned(names: &[&String]) -> Vec<String> {
    names.iter().map(|name| (*name).clone()).collect()
}

fn report(
    cx: &mut Cx<'_>,
    layout: &TableLayout,
    index: &IndexLayout,
    readers: usize,
    kept: &[String],
    unread: &[String],
) {
    let facts = Declared { db: cx.db, root: cx.root };
    let slim = slimmer(layout, index, kept);
    let Some(then_index) = slim.index(&index.name.text) else { return };
    let patterns = drawing_on(cx.db, cx.root, layout.decl, &index.name.text).map(|(decl, _)| decl);
    let numbers = all_laid_out(cx.db, cx.root, &facts, &slim, patterns);
    let now = drawn_on(cx.db, cx.root, layout, index).monthly(cx.db, cx.root, layout.decl);
    let then = drawn(&facts, &slim, then_index, numbers.iter().map(|(_, numbers)| numbers));
    let month = priced::change(&now, &then.monthly(cx.db, cx.root, layout.decl));
    let units = units_change(cx, index, &numbers);
    let change: Vec<String> = units.into_iter().chain(month).collect();
    let projection = written(kept);
    let source = layout.of_index(index);
    let copied = match index.projection {
        ProjectionKind::All => "`projection all`".to_owned(),
        _ => format!("the projection of `{}`", index.name.text),
    };
    let entries = entries(&facts, source, slim.of_index(then_index));
    let cost = if change.is_empty() {
        String::new()
    } else {
        format!(" ({}{})", change.join(", "), priced::region(cx.db, cx.root, layout.decl))
    };
    let message = format!(
        "{copied} copies {} into `{}`, and {} for {}{entries}; every write of what is projected pays for the entry; \
         use `{projection}`{cost}",
        some(unread),
        source.label(),
        if readers == 1 {
            "its one reader does not ask".to_owned()
        } else {
            format!("none of its {readers} readers asks")
        },
        if unread.len() == 1 { "it" } else { "them" },
    );
    let def = index_def(cx, layout, index);
    let range = def.and_then(|def| def.projection.as_ref()).map_or(index.name.range, |projection| projection.range);
    let edit = def.and_then(|def| edit(cx, def, &projection, kept));
    let from = match index.projection {
        ProjectionKind::All => "ALL".to_owned(),
        _ => format!("INCLUDE({})", index.included.len()),
    };
    let to = if kept.is_empty() { "KEYS_ONLY".to_owned() } else { format!("INCLUDE({})", kept.len()) };
    let change = if change.is_empty() { String::new() } else { format!(": {}", change.join(", ")) };
    let place = cx.place(index.name.range);
    let finding = cx.report(range, message);
    finding.about(place);
    if let Some(edit) = edit {
        finding.fix(format!("{from} → {to}{change}"), vec![edit]);
    }
}

/// The first names of many.
fn some(names: &[String]) -> String {
    match names {
        [a, b, c, _, _, ..] => format!("`{a}`, `{b}`, `{c}` and {} more", names.len() - 3),
        names => listed(names),
    }
}

/// The table with an index that includes these attributes only.
fn slimmer(layout: &TableLayout, index: &IndexLayout, kept: &[String]) -> TableLayout {
    let mut slim = layout.clone();
    for own in slim.indexes.iter_mut().filter(|own| own.name == index.name) {
        own.projection = if kept.is_empty() { ProjectionKind::KeysOnly } else { ProjectionKind::Include };
        own.included = kept.to_vec();
    }
    slim
}

/// The clause that projects these attributes.
fn written(kept: &[String]) -> String {
    if kept.is_empty() {
        return "projection keys_only".to_owned();
    }
    let names: Vec<String> = kept.iter().map(|name| quote_name(name)).collect();
    format!("projection include({})", names.join(", "))
}

/// How large entries are and would be, where the index holds one kind.
fn entries(facts: &Declared<'_>, now: Source<'_>, then: Source<'_>) -> String {
    let mut items = now.items();
    let (Some(item), None) = (items.next(), items.next()) else { return String::new() };
    let bytes = |source: Source<'_>| entry_bytes(facts, source, item, Bound::Avg, Presence::Share).value();
    match (bytes(now), bytes(then)) {
        (Some(now), Some(then)) if then < now => {
            format!(", so that an entry has {} where {} would do", show::bytes(now), show::bytes(then))
        }
        _ => String::new(),
    }
}

/// How the units of a write of the index change, where the change is largest; else
/// those of a read of it.
fn units_change(cx: &Cx<'_>, index: &IndexLayout, then: &[(Decl, PatternNumbers)]) -> Option<String> {
    let mut best: Option<(f64, String)> = None;
    for (decl, then) in then {
        let Some(now) = pattern_numbers(cx.db, cx.root, *decl) else { continue };
        for ((step, now), then) in cx.steps_of(*decl).iter().zip(&now.steps).zip(&then.steps) {
            let (now, then, what, weight) = match (&now.work, &then.work) {
                (Work::Write(now), Work::Write(then)) => {
                    let own = |write: &[crate::capacity::writes::IndexWrite]| {
                        write.iter().find(|own| own.index == index.name.text).map(|own| own.units.clone())
                    };
                    (own(&now.indexes), own(&then.indexes), "write unit", 1e6)
                }
                (Work::Read(a), Work::Read(b)) if now.index.as_ref() == Some(&index.name.text) => {
                    (Some(a.units.clone()), Some(b.units.clone()), "read unit", 1.0)
                }
                _ => continue,
            };
            let (now, then): (Figure, Figure) = (now.unwrap_or(Figure::ZERO), then.unwrap_or(Figure::ZERO));
            let Some(change) = priced::units_change(&now, &then, what) else { continue };
            let by = (now.low() - then.low()).abs() * weight;
            if best.as_ref().is_none_or(|(most, _)| by > *most) {
                best = Some((by, format!("{change} a {}", step.step.op.word())));
            }
        }
    }
    best.map(|(_, change)| change)
}

/// Writes the projection in the place of the one that is there, reasons kept.
fn edit(cx: &Cx<'_>, def: &IndexDef, projection: &str, kept: &[String]) -> Option<Edit> {
    let Some(own) = &def.projection else {
        let block = cx.place(def.body?);
        return Some(Edit::AppendToBlock { block, lines: projection.to_owned() });
    };
    let text = &cx.chunk().text;
    let list = match own.attributes.as_slice() {
        [] => None,
        [first, .., last] | [first @ last] => Some(in_parentheses(text, first.range, last.range)?),
    };
    if let Some(list) = list.filter(|list| has_comments(text, *list) && !kept.is_empty()) {
        let ranges: Vec<TextRange> = own.attributes.iter().map(|name| name.range).collect();
        let keeps = |at: usize| kept.contains(&own.attributes[at].text);
        return Some(Edit::Replace { place: cx.place(list), text: relisted(text, list, &ranges, keeps, &[]) });
    }
    let end = list.map_or(own.kind_range.end, |list| list.end + 1) as usize;
    let range = TextRange::new(own.range.start as usize, end);
    Some(Edit::Replace { place: Place { range, ..cx.place(range) }, text: projection.to_owned() })
}
