//! A key whose longest value DynamoDB does not take.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::key_uses::{KeyUse, items, key_uses, written};
use super::rule::{Group, Rule};
use crate::capacity::facts::{Declared, EntityFacts};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, entity, key_bytes};
use crate::model::defs::KeyExpr;
use crate::model::key::KeySource;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::entity_def;
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "key-too-long",
    group: Group::Correctness,
    level: Level::Error,
    summary: "the longest value of a key exceeds 2,048 bytes (partition key) or 1,024 bytes (sort key)",
    thresholds: &[],
    check: Check::Table(check),
};

/// Bytes of the longest value of a partition key (L04).
const PARTITION: f64 = 2_048.0;
/// Bytes of the longest value of a sort key (L05).
const SORT: f64 = 1_024.0;

/// A value that is too long, with the uses of it that do not take it.
struct TooLong<'l> {
    item: &'l ItemLayout,
    bytes: Longest,
    uses: Vec<KeyUse<'l>>,
    written: Option<TextRange>,
}

/// How long a value becomes.
#[derive(Clone, Copy)]
enum Longest {
    Known(f64),
    /// No maximum is declared of all that is in it.
    AtLeast(f64),
}

impl Longest {
    /// The longest is certainly no shorter than the average.
    fn of(entity: &EntityFacts, source: &KeySource) -> Self {
        let longest = key_bytes(entity, source, Bound::Max);
        let least = longest.low().max(key_bytes(entity, source, Bound::Avg).low());
        longest.value().map_or(Longest::AtLeast(least), Longest::Known)
    }

    fn bytes(self) -> f64 {
        match self {
            Longest::Known(bytes) | Longest::AtLeast(bytes) => bytes,
        }
    }
}

fn limit(part: &KeyUse<'_>) -> f64 {
    if part.sort { SORT } else { PARTITION }
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let facts = Declared { db: cx.db, root: cx.root };
    let uses: Vec<KeyUse<'_>> = key_uses(layout).collect();
    let names: BTreeSet<&str> = uses.iter().map(|part| part.key.name.as_str()).collect();
    let mut found: Vec<TooLong<'_>> = Vec::new();
    for name in names {
        // Where attributes of one name give the values, they show at one key part:
        // the longest is told.
        let mut natural: Option<TooLong<'_>> = None;
        for (item, def) in items(cx, layout) {
            let (Some(entity), Some(source)) = (entity(&facts, item), item.keys.get(name)) else { continue };
            let bytes = Longest::of(entity, source);
            let too_long = |part: &&KeyUse<'_>| part.key.name == name && bytes.bytes() > limit(part);
            let uses: Vec<KeyUse<'_>> = uses.iter().filter(too_long).copied().collect();
            if uses.is_empty() {
                continue;
            }
            let written = written(def, name).map(KeyExpr::range);
            let value = TooLong { item, bytes, uses, written };
            match (written, &natural) {
                (Some(_), _) => found.push(value),
                (None, Some(longer)) if longer.bytes.bytes() >= bytes.bytes() => {}
                (None, _) => natural = Some(value),
            }
        }
        found.extend(natural);
    }
    for value in found {
        report(cx, &value);
    }
}

fn report(cx: &mut Cx<'_>, value: &TooLong<'_>) {
    let Some(part) = value.uses.first() else { return };
    let (entity, name) = (&value.item.entity, &part.key.name);
    let limit = limit(part);
    let exact = |bytes: f64| format!("{} bytes", show::count_beside(bytes, &[limit]));
    let length = match value.bytes {
        Longest::Known(bytes) => format!("takes up to {}", exact(bytes)),
        Longest::AtLeast(bytes) => format!("takes at least {} at its longest", exact(bytes)),
    };
    let source = value.item.keys.get(name);
    let made = match source.and_then(|source| source.value.whole_attribute().filter(|_| !source.template)) {
        Some(attribute) => format!("`{entity}.{attribute}`"),
        None => format!("{} of `{entity}`", source.map_or_else(String::new, |source| source.value.spelling())),
    };
    let message = format!(
        "{made} {length}, and {} takes {}: DynamoDB refuses a write with a longer value{}; key by something shorter, such \
         as a hash of it or an id, or declare the `@size(max …)` that it really has",
        part.described(),
        show::count_of(limit, "byte"),
        if part.index.is_some() { ", of an index as well, and the whole item with it" } else { "" }
    );
    let declared = value.item.entity_decl.and_then(|decl| {
        let entity = entity_def(cx.db, decl)?;
        let names = source?.value.attributes();
        let sized = names.into_iter().filter_map(|name| entity.attribute(name)).filter(|a| a.size.is_some());
        let sized: Vec<Place> = sized.map(|attribute| Place { decl, range: attribute.name.range }).collect();
        Some(sized)
    });
    let mut related: Vec<(Place, String)> = Vec::new();
    related.extend(declared.into_iter().flatten().map(|place| (place, "its size is declared here".to_owned())));
    // The part itself is the place where no block computes the value.
    let others = value.uses.iter().skip(usize::from(value.written.is_none()));
    related.extend(others.map(|part| (cx.place(part.key.range), part.described())));
    let finding = cx.report(value.written.unwrap_or(part.key.range), message);
    for (place, message) in related {
        finding.relate(place, message);
    }
}
