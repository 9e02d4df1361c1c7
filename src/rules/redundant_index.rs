//! An index that another one, or its table, makes needless.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place, Tag};
use super::index_readers::{is_sparse, is_unclear, readers, same_key};
use super::priced;
use super::rule::{Group, Rule};
use super::unused_index::removal;
use crate::capacity::design::drawn_on;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, Source, TableLayout};
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "redundant-index",
    group: Group::Cost,
    level: Level::Warning,
    summary: "an index whose key is that of its table or of another index, or the beginning of it",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let mut seen = BTreeSet::new();
    for index in layout.indexes.iter().filter(|index| seen.insert(index.name.text.as_str())) {
        let readers = readers(cx, layout, index);
        // One that nobody reads is another finding.
        if readers.is_empty() || is_unclear(cx, index) {
            continue;
        }
        if let Some(other) = covering(cx, layout, index) {
            report(cx, layout, index, other, &readers);
        }
    }
}

/// The table or the index that answers whatever this index does: the same key or a
/// longer one, the same items, and all of its attributes. Of two that cover each
/// other the first stays.
pub(super) fn covering<'l>(cx: &Cx<'_>, layout: &'l TableLayout, index: &IndexLayout) -> Option<Source<'l>> {
    let own = layout.of_index(index);
    if is_sparse(cx, own) || !is_well_formed(own) {
        return None;
    }
    let at = layout.indexes.iter().position(|other| other.name == index.name)?;
    layout.sources().enumerate().find_map(|(place, other)| {
        // The table stands first, then the indexes in their order.
        let is_self = other.index.is_some_and(|other| other.name == index.name);
        let both = || place > at && covers(cx, own, other) && other.index.is_some_and(|_| covers(cx, other, own));
        (!is_self && covers(cx, other, own) && !both()).then_some(other)
    })
}

/// Whether `other` answers whatever `own` does.
fn covers(cx: &Cx<'_>, other: Source<'_>, own: Source<'_>) -> bool {
    let items: Vec<&ItemLayout> = own.items().collect();
    let same = |a: &[_], b: &[_]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_key(&items, a, b));
    // A local index that repeats its table's key is refused: another finding.
    let names = |source: Source<'_>| source.key().map(|key| key.name.clone()).collect::<Vec<_>>();
    if !is_well_formed(other) || (other.index.is_none() && is_local(own) && names(other) == names(own)) {
        return false;
    }
    let sort = other.sort().get(..own.sort().len());
    let keyed = same(other.partition(), own.partition()) && sort.is_some_and(|sort| same(sort, own.sort()));
    let entities = |source: Source<'_>| source.items().map(|item| item.entity.clone()).collect::<BTreeSet<_>>();
    keyed
        && !items.is_empty()
        && entities(other) == entities(own)
        && !is_sparse(cx, other)
        && items.iter().all(|item| match (other.projected(item), own.projected(item)) {
            (None, _) => true,
            (Some(_), None) => false,
            // Keys of their own count for neither.
            (Some(other_has), Some(own_has)) => {
                own_has.iter().all(|name| other_has.contains(name) || own.key().any(|key| key.name == *name))
            }
        })
}

/// Whether DynamoDB takes the key as it is: a fault of it is another finding.
fn is_well_formed(source: Source<'_>) -> bool {
    source.has_sound_partition() && !(is_local(source) && source.sort().is_empty())
}

fn is_local(source: Source<'_>) -> bool {
    source.index.is_some_and(|index| index.kind == IndexKind::Local)
}

fn report(
    cx: &mut Cx<'_>,
    layout: &TableLayout,
    index: &IndexLayout,
    other: Source<'_>,
    readers: &[(Decl, StepCx<'_>)],
) {
    let own = layout.of_index(index);
    let upkeep = drawn_on(cx.db, cx.root, layout, index).upkeep().monthly(cx.db, cx.root, layout.decl);
    let cost = priced::month(&upkeep).map(|month| format!(", {month}{}", priced::region(cx.db, cx.root, layout.decl)));
    let is_whole = other.key().count() == own.key().count();
    let what = match other.index {
        Some(other) => format!("index `{}`", other.name.text),
        None => format!("table `{}` itself", layout.name.text),
    };
    let message = format!(
        "`{}` has {}the key of {what}, which holds the same items and offers every attribute of it, so each write of \
         them is paid for once more for nothing{}; remove it, and read `{}` instead",
        index.name.text,
        if is_whole { "" } else { "the beginning of " },
        cost.unwrap_or_default(),
        other.label(),
    );
    let range = other.index.map_or(layout.name.range, |other| other.name.range);
    let place = cx.place(range);
    let edits = if cx.is_broken() { None } else { edits(cx, layout, index, other, readers) };
    let change = priced::change(&upkeep, &crate::capacity::figure::Figure::ZERO);
    let finding = cx.report(index.name.range, message);
    finding.tag(Tag::Unnecessary).relate(place, "what answers as well");
    if let Some(edits) = edits {
        let change = change.map(|change| format!(": {change}")).unwrap_or_default();
        finding.suggest(format!("Remove `{}`, and read `{}` instead{change}", index.name.text, other.label()), edits);
    }
}

/// Removes the index and moves its readers to what covers it; `None` where one of
/// them could not be asked there.
fn edits(
    cx: &Cx<'_>,
    layout: &TableLayout,
    index: &IndexLayout,
    other: Source<'_>,
    readers: &[(Decl, StepCx<'_>)],
) -> Option<Vec<Edit>> {
    let own = layout.of_index(index);
    let global = other.index.is_some_and(|index| index.kind == IndexKind::Global);
    let table = quote_name(&layout.name.text);
    let label = other.index.map_or_else(|| table.clone(), |index| format!("{table}.{}", quote_name(&index.name.text)));
    let renamed = |name: &str| {
        let pairs = own.partition().iter().zip(other.partition()).chain(own.sort().iter().zip(other.sort()));
        pairs.into_iter().find(|(from, _)| from.name == name).map(|(_, to)| to.name.clone())
    };
    let (mut moved, mut moves) = (Vec::new(), Vec::new());
    for (pattern, step) in readers {
        let (OpDef::Query { target, options, .. } | OpDef::Scan { target, options }) = &step.step.op else {
            return None;
        };
        let tested = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
        let tests_key = tested.flat_map(ConditionsDef::leaves).any(|leaf| match leaf {
            Term::Comparison(Comparison { attribute, .. }) | Term::Existence { attribute, .. } => {
                other.key().any(|key| key.name == attribute.text)
            }
            Term::Not { .. } | Term::Group { .. } => false,
        });
        if !cx.is_whole(*pattern) || tests_key || (global && options.consistent.is_some()) {
            return None;
        }
        moved.push(Place { decl: *pattern, range: step.step.range });
        moves.push(Edit::Replace { place: Place { decl: *pattern, range: target.range }, text: label.clone() });
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        for leaf in conditions.leaves() {
            let Term::Comparison(Comparison { attribute, .. }) = leaf else { continue };
            if let Some(to) = renamed(&attribute.text).filter(|to| *to != attribute.text) {
                let place = Place { decl: *pattern, range: attribute.range };
                moves.push(Edit::Replace { place, text: quote_name(&to) });
            }
        }
    }
    let mut edits = removal(cx, layout, index, &moved)?;
    edits.extend(moves);
    Some(edits)
}
