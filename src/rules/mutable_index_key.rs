//! An update of an attribute that an index is keyed by.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::index_readers::index_def;
use super::priced;
use super::rule::{Group, Rule};
use crate::capacity::figure::Figure;
use crate::capacity::operations::{StepNumbers, Work};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, TableLayout};
use crate::model::names::entity_def;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "mutable-index-key",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a pattern updates an attribute of an index key: two index writes each",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Update { subject: Some(subject), set, remove, .. } = &step.step.op else { continue };
        let Some(layout) = step.source.map(|source| source.layout) else { continue };
        // An update of an embedded entity changes a list of its parent, no key.
        let Some(item) = layout.items.iter().find(|item| item.entity == subject.entity.text) else { continue };
        // What makes up the primary key cannot be updated at all.
        let primary = item.made_from(layout.primary_key());
        if set.iter().chain(remove).any(|name| primary.contains(name.text.as_str())) {
            continue;
        }
        let mut told = BTreeSet::new();
        for name in set {
            let moved: Vec<&IndexLayout> = layout
                .indexes
                .iter()
                .filter(|index| {
                    moves(cx, layout, item, index, (&name.text, remove)) && told.insert(index.name.text.as_str())
                })
                .collect();
            if !moved.is_empty() {
                let finds = finds(layout, item, &name.text, &moved);
                report(cx, step, layout, name, &moved, finds);
            }
        }
    }
}

/// Whether setting the attribute moves the item's entry in an index. Entering and
/// leaving an index that is declared sparse is what an optional attribute is for.
fn moves(
    cx: &Cx<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    index: &IndexLayout,
    (name, remove): (&str, &[Name]),
) -> bool {
    let source = layout.of_index(index);
    let holds = source.key().all(|key| item.keys.contains_key(&key.name));
    // What loses another part of the key leaves the index: one write, and its purpose.
    if remove.iter().any(|removed| item.made_from(source.key()).contains(removed.text.as_str())) {
        return false;
    }
    // A change of what the primary key is made of, or of what never changes, is a
    // fault of its own.
    if !holds || !item.made_from(source.key()).contains(name) || item.made_from(layout.primary_key()).contains(name) {
        return false;
    }
    let attribute = item.entity_decl.and_then(|decl| entity_def(cx.db, decl)?.attribute(name));
    let sparse = index_def(cx, layout, index).is_some_and(|def| def.sparse.is_some());
    attribute.is_some_and(|attribute| attribute.immutable.is_none() && !(attribute.optional && sparse))
}

/// Whether one of the indexes finds by the attribute: a query names its value, and
/// without it there would be nothing to ask for.
fn finds(layout: &TableLayout, item: &ItemLayout, name: &str, moved: &[&IndexLayout]) -> bool {
    moved.iter().any(|index| item.made_from(layout.of_index(index).partition().iter()).contains(name))
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>, layout: &TableLayout, name: &Name, moved: &[&IndexLayout], finds: bool) {
    let labels: Vec<String> = moved.iter().map(|index| layout.of_index(index).label()).collect();
    let units = priced::numbers(cx, cx.decl, step).map(|numbers| units(numbers, moved));
    let (one, many) = ("the key of index", "the keys of indexes");
    let cost = match units.as_ref().map(|units| (units, units.value())) {
        Some((units, Some(known))) => {
            let price = priced::calls(cx.db, cx.root, cx.decl, layout.decl, &Figure::ZERO, units);
            let mean = if known.fract() == 0.0 { "" } else { ", on average" };
            format!(": {} a call{mean} on top of the table's, {price}", show::count_of(known, "index write unit"))
        }
        _ => String::new(),
    };
    let advice = match finds {
        true => format!(
            "allow it where finding by `{}` is worth it; else let a sparse index hold only the items that are asked \
             for, or keep a look-up item whose key is the value, written in one transaction with this",
            name.text
        ),
        false => format!(
            "key the index by what stays and filter by `{}`, let a sparse index hold only the items that are asked \
             for, or allow it where the order by what changes is the purpose",
            name.text
        ),
    };
    let message = format!(
        "`{}` is in {} {}, and DynamoDB cannot change a key: each of these updates deletes an entry and writes \
         another, two writes in the index{}{cost}; {advice}",
        name.text,
        if moved.len() == 1 { one } else { many },
        listed(&labels),
        if moved.len() == 1 { "" } else { " each" },
    );
    let finding = cx.report(name.range, message);
    for index in moved {
        let place = Place { decl: layout.decl, range: index.name.range };
        finding.relate(place, format!("`{}` is keyed by it", index.name.text)).about(place);
    }
}

/// Write units of a call in these indexes.
fn units(numbers: &StepNumbers, moved: &[&IndexLayout]) -> Figure {
    let Work::Write(write) = &numbers.work else { return Figure::ZERO };
    let own = write.indexes.iter().filter(|own| moved.iter().any(|index| index.name.text == own.index));
    own.map(|own| own.units.scaled(numbers.times)).sum()
}
