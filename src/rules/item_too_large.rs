//! An item that can become larger than DynamoDB takes.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use super::unbounded_item::relationship_of;
use crate::capacity::facts::Declared;
use crate::capacity::figure::{Figure, list};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entity, entry_bytes, list_size, own_bytes};
use crate::model::defs::IndexKind;
use crate::model::layout::{ItemLayout, Source, TableLayout};

pub static RULE: Rule = Rule {
    name: "item-too-large",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an item with what it embeds, and with its entries in LSIs, exceeds 400 KB at its maximum",
    thresholds: &[],
    check: Check::Table(check),
};

/// Bytes of the largest item that DynamoDB takes; in a table with local indexes,
/// of an item and its entries in them (L01, L02).
pub const LIMIT: f64 = 400.0 * 1_024.0;

/// What an item takes: what it has itself, what is embedded in it, and its
/// entries in local indexes.
struct Largest {
    parts: Vec<(String, Figure)>,
    total: Figure,
}

impl Largest {
    fn of(facts: &Declared<'_>, layout: &TableLayout, item: &ItemLayout, bound: Bound) -> Self {
        let own = own_bytes(facts, item, bound, Presence::Share);
        let mut parts = vec![("its own attributes".to_owned(), own)];
        for embed in &item.embeds {
            let list = list_size(facts, item, embed, bound);
            let many = match list.children.value() {
                Some(children) => format!("{} `{}`", show::count(children), embed.entity),
                None => format!("`{}`", embed.entity),
            };
            parts.push((format!("{many} in the list `{}`", list.list), list.bytes()));
        }
        for source in local_indexes(layout, item) {
            let name = source.index.map_or("", |index| index.name.text.as_str());
            parts
                .push((format!("the entry in LSI `{name}`"), entry_bytes(facts, source, item, bound, Presence::Share)));
        }
        let total = parts.iter().map(|(_, bytes)| bytes).sum();
        Self { parts, total }
    }
}

/// The local indexes that an item is in.
fn local_indexes<'l>(layout: &'l TableLayout, item: &'l ItemLayout) -> impl Iterator<Item = Source<'l>> {
    layout.of_indexes().filter(|source| {
        source.index.is_some_and(|index| index.kind == IndexKind::Local)
            && source.key().all(|key| item.keys.contains_key(&key.name))
    })
}

/// The item at its maximum, where that, or at least the average, is certainly over
/// the limit; with whether the maximum says so.
fn too_large(facts: &Declared<'_>, layout: &TableLayout, item: &ItemLayout) -> Option<(Largest, bool)> {
    entity(facts, item)?;
    let over = |bound| Some(Largest::of(facts, layout, item, bound)).filter(|largest| largest.total.low() > LIMIT);
    over(Bound::Max).map(|largest| (largest, true)).or_else(|| over(Bound::Avg).map(|largest| (largest, false)))
}

/// Whether an item is certainly over the limit at its maximum.
pub fn is_too_large(facts: &Declared<'_>, layout: &TableLayout, item: &ItemLayout) -> bool {
    too_large(facts, layout, item).is_some()
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    for item in &layout.items {
        let Some((largest, at_maximum)) = too_large(&facts, layout, item) else { continue };
        let embeds = item.embeds.iter().filter_map(|embed| relationship_of(cx, &facts, item, embed));
        let mut related: Vec<(Place, String)> = embeds.collect();
        for source in local_indexes(layout, item) {
            let place = source.index.map(|index| cx.place(index.name.range));
            related.extend(place.map(|place| (place, "its entry here counts as a part of the item".to_owned())));
        }
        let message = message(item, &largest, at_maximum);
        let finding = cx.report(item.range, message);
        for (place, message) in related {
            finding.relate(place, message);
        }
    }
}

fn message(item: &ItemLayout, largest: &Largest, at_maximum: bool) -> String {
    let Largest { parts, total } = largest;
    let known = total.value().is_some();
    let much = format!("{}{}", show::bytes_beside(total.low(), &[LIMIT]), total.computed_note());
    let takes = match (at_maximum, known) {
        (true, true) => format!("takes up to {much}"),
        (true, false) => format!("takes at least {much} at its maximum"),
        (false, true) => format!("takes {much} on average already"),
        (false, false) => format!("takes at least {much} on average already"),
    };
    let parts = match parts.as_slice() {
        [_] => String::new(),
        parts => {
            let mut parts: Vec<&(String, Figure)> = parts.iter().filter(|(_, bytes)| bytes.low() > 0.0).collect();
            parts.sort_by(|(_, a), (_, b)| b.low().total_cmp(&a.low()));
            let parts: Vec<String> =
                parts.iter().map(|(what, bytes)| format!("{what}: {}", show::bytes(bytes.low()))).collect();
            format!(" ({})", parts.join(", "))
        }
    };
    let missing = total.missing();
    let ask = if missing.is_empty() { String::new() } else { format!(", and declare {}", list(missing)) };
    let advice = match (item.embeds.is_empty(), parts.is_empty()) {
        (false, _) => "keep the children as items of their own, or bound how many there are",
        (true, false) => "let the local index project less or make it global, or keep large values in an object store",
        (true, true) => {
            "keep large values in an object store with their address here, or split them over several items"
        }
    };
    format!(
        "an item of `{}` {takes}{parts}, and DynamoDB takes 400 KB: the write that makes it larger is refused, and the \
         item can only shrink from then on; {advice}{ask}",
        item.entity
    )
}
