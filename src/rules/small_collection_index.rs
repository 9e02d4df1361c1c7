//! An index on the table's own partition key over collections that are small.

use super::check::{Check, Cx, StepCx};
use super::finding::Level;
use super::index_readers::{is_unclear, readers, same_key};
use super::priced;
use super::redundant_index::covering;
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::design::{Drawn, drawn_on};
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::load::template;
use crate::capacity::operations::pattern_numbers;
use crate::capacity::reads::{StepInput, query};
use crate::capacity::show;
use crate::capacity::stock::stocks;
use crate::config::Bounds;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key_condition::is_sound;
use crate::model::layout::{IndexLayout, ItemLayout, TableLayout};
use crate::model::names::pattern_def;
use crate::model::resolve::item_matches;
use crate::syntax::{Quantity, Unit};
use std::collections::{BTreeMap, BTreeSet};

const COLLECTION: Threshold = Threshold {
    name: "collection",
    default: Quantity { value: 64.0 * 1_024.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the average size of a collection below which a filter may do instead of an index",
};

pub static RULE: Rule = Rule {
    name: "small-collection-index",
    group: Group::Cost,
    level: Level::Info,
    summary: "an index on the table's own partition key whose collections average under 64 KB",
    thresholds: &[COLLECTION],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if !layout.table().has_sound_partition() || layout.sort.is_empty() {
        return;
    }
    let mut seen = BTreeSet::new();
    for index in layout.indexes.iter().filter(|index| seen.insert(index.name.text.as_str())) {
        let source = layout.of_index(index);
        let items: Vec<&ItemLayout> = source.items().collect();
        let partition = source.partition().iter().zip(&layout.partition);
        let own_key = source.partition().len() == layout.partition.len()
            && partition.into_iter().all(|(own, table)| same_key(&items, own, table));
        if !own_key || items.is_empty() || !source.has_sound_partition() {
            continue;
        }
        let readers = readers(cx, layout, index);
        // One that nobody reads, or that something else makes needless, is another
        // finding; a scan of an index asks for no collection.
        if readers.is_empty() || is_unclear(cx, index) || covering(cx, layout, index).is_some() {
            continue;
        }
        let collection = collection(cx, layout, &items);
        if collection.high().is_none_or(|bytes| bytes >= cx.threshold(&COLLECTION)) {
            continue;
        }
        let filtered: Option<Vec<Filtered>> =
            readers.iter().map(|(decl, step)| filtered(cx, layout, index, *decl, step)).collect();
        if let Some(filtered) = filtered {
            report(cx, layout, index, &collection, &filtered);
        }
    }
}

/// Bytes of the largest kind of collection of the table that the index's items are
/// part of, on average: of all items that share a value of the partition key.
fn collection(cx: &Cx<'_>, layout: &TableLayout, items: &[&ItemLayout]) -> Figure {
    let facts = Declared { db: cx.db, root: cx.root };
    let family = |item: &ItemLayout| Owner::of(&facts, item).map(|owner| template(owner, layout.table(), item).0);
    let mut families: BTreeMap<Option<String>, Figure> = BTreeMap::new();
    let Some(table) = stocks(cx.db, cx.root, layout.decl).first() else { return Figure::ZERO };
    for (item, kind) in layout.items.iter().zip(&table.kinds) {
        let bytes = families.entry(family(item)).or_insert(Figure::ZERO);
        *bytes = bytes.plus(&kind.collection.mean.times(&kind.each));
    }
    let own = items.iter().filter_map(|item| families.get(&family(item)));
    own.fold(Figure::ZERO, |most, bytes| most.max(bytes))
}

/// A query of the index, answered by the table with a filter.
struct Filtered {
    /// Read units of one call now, and then.
    now: Figure,
    then: Figure,
    rate: Figure,
}

/// What a query of the index costs where it reads the whole collection from the table
/// and filters; `None` for what is no sound query.
fn filtered(cx: &Cx<'_>, layout: &TableLayout, index: &IndexLayout, decl: Decl, step: &StepCx<'_>) -> Option<Filtered> {
    let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return None };
    if !is_sound(layout.of_index(index), conditions) || step.operation.group.is_some() {
        return None;
    }
    let numbers = pattern_numbers(cx.db, cx.root, decl).as_ref()?;
    let own = priced::numbers(cx, decl, *step)?;
    let names: Vec<(&str, &str)> = layout
        .of_index(index)
        .partition()
        .iter()
        .zip(&layout.partition)
        .map(|(own, table)| (own.name.as_str(), table.name.as_str()))
        .collect();
    let conditions = renamed(conditions, &names);
    let table = layout.table();
    let items: Vec<&ItemLayout> = table.items().filter(|item| item_matches(cx.db, table, item, &conditions)).collect();
    // The filter runs behind all that is read: no limit and no page ends it earlier.
    let options = ReadOptions { limit: None, returning: None, filter: None, ..options.clone() };
    let pattern = PatternDef { pages: None, ..pattern_def(cx.db, decl)?.clone() };
    let facts = Declared { db: cx.db, root: cx.root };
    let input = StepInput {
        db: cx.db,
        facts: &facts,
        pattern: &pattern,
        pattern_name: &numbers.name,
        group: None,
        source: table,
    };
    let then = query(&input, &items, Some(&conditions), &options).units.scaled(own.times);
    Some(Filtered { now: own.read_units(), then, rate: numbers.rate.clone() })
}

/// The condition with the table's names of the keys.
fn renamed(conditions: &ConditionsDef, names: &[(&str, &str)]) -> ConditionsDef {
    let mut conditions = conditions.clone();
    for term in &mut conditions.terms {
        match term {
            Term::Comparison(comparison) => {
                let to = names.iter().find(|(from, _)| *from == comparison.attribute.text);
                if let Some((_, to)) = to {
                    comparison.attribute.text = (*to).to_owned();
                }
            }
            Term::Group { conditions, .. } => **conditions = renamed(conditions, names),
            Term::Existence { .. } | Term::Not { .. } => {}
        }
    }
    conditions
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, index: &IndexLayout, collection: &Figure, filtered: &[Filtered]) {
    let sum = |of: fn(&Filtered) -> &Figure| -> Figure { filtered.iter().map(|one| one.rate.times(of(one))).sum() };
    let now = drawn_on(cx.db, cx.root, layout, index).monthly(cx.db, cx.root, layout.decl);
    let then = Drawn::reading(sum(|one| &one.then)).monthly(cx.db, cx.root, layout.decl);
    // Where the prices say that the index is the cheaper one, there is nothing to say.
    if now.high().is_some_and(|now| then.low() > now) {
        return;
    }
    let Some(dearest) = filtered.iter().max_by(|a, b| a.then.low().total_cmp(&b.then.low())) else { return };
    let units = |figure: &Figure| show::figure(figure, |units| show::count_of(units, "read unit"));
    let prices = match (priced::month(&now), priced::month(&then)) {
        (Some(index), Some(filter)) => format!(
            "the index costs {index} (its writes, its storage and what is read from it), the filter {filter}{}",
            priced::region(cx.db, cx.root, layout.decl)
        ),
        _ => priced::lacking(if now.value().is_none() { &now } else { &then }),
    };
    let message = format!(
        "the collections of `{}` that `{}` sorts anew average {}, so a query of the table with a filter reads a whole \
         one for {} where the index takes {}, and no write pays for an index; {prices}; filter, and sort what comes \
         back, unless the collections are to grow",
        layout.name.text,
        index.name.text,
        show::figure(collection, show::bytes),
        units(&dearest.then),
        units(&dearest.now),
    );
    let key = layout.partition.first().map(|key| cx.place(key.range));
    let finding = cx.report(index.name.range, message);
    if let Some(key) = key {
        finding.relate(key, "the table's own partition key");
    }
}
