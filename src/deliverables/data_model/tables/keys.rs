//! Keys in words: what they are made of, how many values they have, and whether a
//! key of several attributes would serve.

use super::alive::{all_alive, values_alive};
use crate::capacity::figure::{Figure, list};
use crate::capacity::heat::partition_values;
use crate::capacity::show;
use crate::capacity::stock::Stock;
use crate::deliverables::markdown::{code, codes, inline, prose, sentence};
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::spell;
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeyValue};
use crate::model::layout::{IndexLayout, ItemLayout, KeyAttribute, Source};
use crate::syntax::template::Format;

/// A partition key: its attributes, how many values it has, and its reason.
pub(super) fn partition(outline: &Outline<'_>, def: Option<&KeyDef>, source: Option<Source<'_>>) -> String {
    let text = key(def, source.map(Source::partition).unwrap_or_default());
    let known = source.filter(|source| !source.partition().is_empty() && source.items().next().is_some());
    let values = known.map(|source| {
        let values = partition_values(outline.db, outline.root, source);
        let known = figure(&values, |values| show::count_of(values, "value"), "number of values unknown");
        let known = match all_alive(outline, source).filter(|_| values.value().is_none()) {
            Some((values, items)) => {
                let [values, items] = [(values, "value"), (items, "item")].map(|(n, what)| show::count_of(n, what));
                format!("about {values} at a time, of about {items} each")
            }
            None => known,
        };
        let alive = if values.value().is_some() { Vec::new() } else { values_alive(outline, source) };
        std::iter::once(known).chain(alive).collect::<Vec<_>>().join("; ")
    });
    with_reason(def, text, values)
}

/// A sort key: its attributes and its reason.
pub(super) fn sort(def: Option<&KeyDef>, source: Option<Source<'_>>) -> String {
    let own = source.map(Source::sort).unwrap_or_default();
    if own.is_empty() && def.is_none_or(|def| def.parts.is_empty()) {
        return String::from(match source.map(|source| source.index.is_some()) {
            // Entries of an index may share their key.
            Some(true) => "none: entries with the same partition key come in no order",
            _ => "none: one item for each value of the partition key",
        });
    }
    with_reason(def, key(def, own), None)
}

fn with_reason(def: Option<&KeyDef>, text: String, values: Option<String>) -> String {
    let because = def.and_then(|def| def.because.as_ref()).and_then(said);
    let values = values.map(|values| format!("; {values}")).unwrap_or_default();
    match because {
        Some(because) => format!("{text}{values}. {}", inline(because)),
        None => format!("{text}{values}"),
    }
}

/// The attributes of a key with their types.
fn key(def: Option<&KeyDef>, layout: &[KeyAttribute]) -> String {
    let Some(def) = def.filter(|def| !def.parts.is_empty()) else {
        return match layout.is_empty() {
            true => String::from("not declared"),
            // A local index has the partition key of its table.
            false => format!("{} (that of the table)", codes(layout.iter().map(|part| part.name.as_str()))),
        };
    };
    let parts: Vec<String> = def
        .parts
        .iter()
        .map(|part| {
            let known = layout.iter().find(|attribute| attribute.name == part.name.text);
            match part.ty.or_else(|| known.and_then(|attribute| attribute.ty)) {
                Some(ty) => format!("{} ({}, {})", code(&part.name.text), ty.word(), ty.letter()),
                None => format!("{} (type not declared)", code(&part.name.text)),
            }
        })
        .collect();
    parts.join(", ")
}

/// The forms of the sort key, the entities that have them, and how many of them
/// share a value of the partition key.
pub(super) fn taxonomy(source: Source<'_>, stock: Option<&Stock>) -> Vec<String> {
    if source.sort().is_empty() {
        return Vec::new();
    }
    let lines = source.items().map(|item| {
        let form = code(&spell::key_of(item, source.sort().iter()));
        let line = format!("{form}: {}", inline(&item.entity));
        let kind = stock.and_then(|stock| stock.kinds.iter().find(|kind| kind.entity == item.entity));
        match kind {
            Some(kind) => format!("{line}; {}", shared(&kind.collection.of_a_value(), &kind.most)),
            None => line,
        }
    });
    lines.collect()
}

/// How many items of a kind share a value of the partition key.
fn shared(mean: &Figure, most: &Figure) -> String {
    let unknown = "number under one partition key value unknown";
    let average = figure(mean, show::count, unknown);
    match (mean.value(), most.value()) {
        (Some(mean), Some(most)) if mean == most => format!("{average} under one partition key value"),
        (Some(_), Some(most)) => {
            format!("{average} under one partition key value on average, {} at most", show::count(most))
        }
        (Some(_), None) => format!("{average} under one partition key value on average, the most is not known"),
        (None, _) => average,
    }
}

/// A figure in words, with what it needs where it is not known.
pub(super) fn figure(figure: &Figure, number: impl Fn(f64) -> String, unknown: &str) -> String {
    if figure.value().is_some() {
        return number(figure.low());
    }
    let bound = show::figure(figure, number);
    let start = if bound == "unknown" { unknown } else { bound.as_str() };
    match figure.missing().is_empty() {
        true => start.to_owned(),
        false => format!("{start} (needs {})", prose(&list(figure.missing()))),
    }
}

/// Whether the key of an index is made of several attributes, and why not where
/// it is not.
pub(super) fn multi_attribute_decision(index: Option<&IndexLayout>, source: Option<Source<'_>>) -> String {
    let Some((index, source)) = index.zip(source) else { return String::from("not known: the index has no name yet") };
    if index.kind == IndexKind::Local {
        return String::from(
            "none: a local index has the partition key of its table and one sort key attribute; keys of several \
             attributes are for global indexes",
        );
    }
    if index.partition.is_empty() {
        return String::from("not known: the index has no partition key yet");
    }
    let keys = [("partition key", &index.partition), ("sort key", &index.sort)];
    let several: Vec<String> = keys
        .iter()
        .filter(|(_, key)| key.len() > 1)
        .map(|(what, key)| format!("{what} of {}", codes(key.iter().map(|part| part.name.as_str()))))
        .collect();
    let mut parts = Vec::new();
    if !several.is_empty() {
        let mut text = format!(
            "multi-attribute {}: each attribute keeps its own value and type, and no joined attribute has to be written",
            several.join("; ")
        );
        if index.partition.len() > 1 {
            text.push_str("; a query gives every attribute of the partition key");
        }
        if index.sort.len() > 1 {
            text.push_str("; those of the sort key are given from the left, a range last");
        }
        parts.push(text);
    }
    for (_, key) in keys.iter().filter(|(_, key)| key.len() == 1) {
        parts.extend(key.iter().map(|attribute| of_one(source, attribute)));
    }
    let parts: Vec<String> = parts.iter().map(|part| sentence(part)).collect();
    parts.join(" ")
}

/// Why one attribute makes a key, and what would be gained by several.
fn of_one(source: Source<'_>, attribute: &KeyAttribute) -> String {
    let name = code(&attribute.name);
    let made: Vec<(&ItemLayout, &KeyValue)> =
        source.items().filter_map(|item| Some((item, &item.keys.get(&attribute.name)?.value))).collect();
    let Some((_, first)) = made.first() else {
        return format!("{name} is one attribute, and no item has a value for it yet");
    };
    let shard = |value: &KeyValue| value.holes().any(|hole| matches!(hole.format, Format::Shard(_)));
    if made.iter().any(|(_, value)| shard(value)) {
        return format!("{name} holds a shard number, which is no attribute of the item and has to be computed");
    }
    if made.iter().all(|(_, value)| value.whole_attribute().is_some()) {
        return format!("{name} is one attribute, and one is enough");
    }
    let is_same = made.iter().all(|(_, value)| value == first);
    if !is_same {
        let of: Vec<String> = made.iter().map(|(item, _)| inline(&item.entity)).collect();
        return format!("{name} has forms of its own for {}, so it is one computed attribute", of.join(", "));
    }
    let holes: Vec<&str> = first.attributes();
    let form = code(&first.spelling());
    let whole = first.whole_holes().count() == first.holes().count();
    let text = first
        .parts
        .iter()
        .any(|part| matches!(part, KeyPiece::Literal(text) if text.chars().any(char::is_alphanumeric)));
    match (holes.len(), whole) {
        (0, _) => format!("{name} is {form} on every item: there is nothing to take apart"),
        (1, _) => format!("{name} is {form}, made of one attribute"),
        (_, false) => format!("{name} is {form}, which holds parts of attributes and has to be computed"),
        (_, true) => {
            let fixed = if text { ", if the text in it tells nothing apart" } else { "" };
            format!(
                "{name} joins {} as {form}: a multi-attribute key of them would do without the template{fixed}",
                codes(holes)
            )
        }
    }
}
