//! Times in different formats behind the same text of one key.

use super::check::{Check, Cx};
use super::finding::Level;
use super::heat_show::key_place;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeySource, KeyValue};
use crate::model::layout::{ItemLayout, KeyAttribute, Source, TableLayout};
use crate::model::unify::{Meet, meet};
use crate::syntax::template::Format;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "mixed-time-format",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "behind the same text of one key stand times in different formats or precisions",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A hole that cannot be read may be what keeps the two apart.
    if cx.is_broken() {
        return;
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    for source in layout.sources() {
        let sort = source.sort().iter().map(|key| (key, true));
        for (key, is_sort) in source.partition().iter().map(|key| (key, false)).chain(sort) {
            if seen.insert(&key.name) && key.ty == Some(KeyType::String) {
                report(cx, source, key, is_sort, &mut told);
            }
        }
    }
}

/// A time in a key with what stands before it.
struct Timed<'l> {
    item: &'l ItemLayout,
    before: &'l [KeyPiece],
    hole: &'l KeyHole,
}

fn report<'l>(
    cx: &mut Cx<'_>,
    source: Source<'l>,
    key: &'l KeyAttribute,
    is_sort: bool,
    told: &mut BTreeSet<(&'l str, &'l str)>,
) {
    let layout = source.layout;
    let mut all: Vec<Timed<'l>> = Vec::new();
    for item in source.items() {
        // A Number is none of the texts that are sorted together: of two key types is
        // told elsewhere.
        let text = |source: &&KeySource| {
            source.template
                || source.value.holes().all(|hole| hole.ty.as_ref().and_then(Type::key_type) == Some(KeyType::String))
        };
        let Some(stored) = item.keys.get(&key.name).filter(text) else { continue };
        for (at, part) in stored.value.parts.iter().enumerate() {
            if let KeyPiece::Hole(hole) = part
                && hole.is_time()
            {
                all.push(Timed { item, before: &stored.value.parts[..at], hole });
            }
        }
    }
    for (index, own) in all.iter().enumerate() {
        let differs = |other: &&Timed<'_>| {
            other.item.entity != own.item.entity
                && kind(other.hole) != kind(own.hole)
                && is_same_start(other.before, own.before)
                // Of two that never lie together the order is not mixed.
                && (!is_sort || can_share(source, other.item, own.item))
        };
        let Some(other) = all[..index].iter().find(differs) else { continue };
        if !told.insert((&own.item.entity, &key.name)) {
            continue;
        }
        let behind = KeyValue { parts: own.before.to_vec() };
        let behind = if own.before.is_empty() {
            "at the start of it".to_owned()
        } else {
            format!("behind {}", behind.spelling())
        };
        let message = format!(
            "`{}` of `{}` writes {} into `{}`, and `{}` of `{}` {}, both {behind}: as text times are in order only in \
             one format, and a range or a prefix of one misses the other; write both alike, or begin each with a word \
             of its own",
            own.hole.spelling(),
            own.item.entity,
            says(own.hole),
            key.name,
            other.hole.spelling(),
            other.item.entity,
            says(other.hole),
        );
        let of = |item: &ItemLayout| key_place(cx, layout, std::slice::from_ref(key), &item.entity);
        let (range, earlier) = (of(own.item), cx.place(of(other.item)));
        let index = source.index.map(|index| cx.place(index.name.range));
        let finding = cx.report(range, message);
        finding.relate(earlier, format!("`{}` writes {}", other.item.entity, says(other.hole)));
        if let Some(index) = index {
            finding.about(index);
        }
    }
}

/// What tells formats of times apart.
fn kind(hole: &KeyHole) -> (bool, Format) {
    (hole.ty == Some(Type::Epoch), hole.shape(hole.ty.as_ref()))
}

fn says(hole: &KeyHole) -> String {
    match (hole.format, &hole.ty) {
        (Format::Time(part), _) => format!("{} characters of the time", part.length()),
        (Format::Padded(width), _) => format!("{width} digits of seconds"),
        (_, Some(Type::Epoch)) => "10 digits of seconds".to_owned(),
        (Format::Lower, _) => format!("{TIMESTAMP_LENGTH} characters in lower case"),
        _ => format!("{TIMESTAMP_LENGTH} characters of the time"),
    }
}

/// Whether what stands before the two is the same text, with holes in the same
/// places.
fn is_same_start(a: &[KeyPiece], b: &[KeyPiece]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (KeyPiece::Literal(a), KeyPiece::Literal(b)) => a == b,
            (KeyPiece::Hole(_), KeyPiece::Hole(_)) => true,
            _ => false,
        })
}

/// Whether two items can lie under one partition key.
fn can_share(source: Source<'_>, a: &ItemLayout, b: &ItemLayout) -> bool {
    source.partition().iter().all(|key| match (a.keys.get(&key.name), b.keys.get(&key.name)) {
        (Some(a), Some(b)) => meet(&a.value.pieces(), &b.value.pieces(), Meet::Whole),
        _ => false,
    })
}
