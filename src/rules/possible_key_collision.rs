//! Two items of one table that can have the same primary key for some values.

use super::check::{Check, Cx};
use super::finding::Level;
use super::fixes::{key_template, listed};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::identity::always_same_key;
use crate::model::key::KeySource;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::entity_def;
use crate::model::unify::{Meet, Piece, meet};

pub static RULE: Rule = Rule {
    name: "possible-key-collision",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "two items of one table can have the same primary key for some values",
    thresholds: &[],
    check: Check::Table(check),
};

/// An item with what its primary key may be.
struct Candidate<'l> {
    item: &'l ItemLayout,
    keys: Vec<Vec<Piece>>,
    types: Vec<KeyType>,
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A key clause that cannot be read may be what tells the items apart.
    if cx.is_broken() || layout.partition.is_empty() {
        return;
    }
    let candidates: Vec<Candidate<'_>> = layout.items.iter().filter_map(|item| candidate(layout, item)).collect();
    for (index, own) in candidates.iter().enumerate() {
        let others = &candidates[..index];
        let collides = |other: &&Candidate<'_>| other.item.entity != own.item.entity && can_meet(other, own);
        let meeting: Vec<&Candidate<'_>> = others.iter().filter(collides).collect();
        let always = |other: &&Candidate<'_>| always_same_key(cx.db, cx.root, layout, other.item, own.item);
        // What always collides is another rule's, and the cause of both.
        if meeting.is_empty() || meeting.iter().any(always) {
            continue;
        }
        report(cx, layout, own.item, &meeting.iter().map(|other| other.item).collect::<Vec<_>>());
    }
}

/// What an item's primary key may be; `None` where it has none that is sound, or
/// where nobody says what fills it.
fn candidate<'l>(layout: &'l TableLayout, item: &'l ItemLayout) -> Option<Candidate<'l>> {
    item.entity_decl?;
    let sources: Vec<&KeySource> = layout.primary_key().map(|key| item.keys.get(&key.name)).collect::<Option<_>>()?;
    // A collection in a key is a fault of its own, and so is a type that is not there.
    let is_known = |ty: &Type| !matches!(ty, Type::Missing | Type::List(_) | Type::Set(_) | Type::Map);
    let known =
        sources.iter().flat_map(|source| source.value.holes()).all(|hole| hole.ty.as_ref().is_some_and(is_known));
    let types: Vec<KeyType> = sources.iter().map(|source| key_type(source)).collect::<Option<_>>()?;
    let keys = sources.iter().map(|source| source.value.pieces()).collect();
    known.then_some(Candidate { item, keys, types })
}

fn key_type(source: &KeySource) -> Option<KeyType> {
    match source.template {
        true => Some(KeyType::String),
        false => source.value.holes().next()?.ty.as_ref()?.key_type(),
    }
}

fn can_meet(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    // Keys of two types are a conflict of their own.
    let pairs = || a.keys.iter().zip(&b.keys);
    a.types == b.types
        // Nearly all differ in the text that they begin with.
        && !pairs().any(|(a, b)| begin_apart(a, b))
        && pairs().all(|(a, b)| meet(a, b, Meet::Whole))
}

fn begin_apart(a: &[Piece], b: &[Piece]) -> bool {
    match (a.first(), b.first()) {
        (Some(Piece::Text(a)), Some(Piece::Text(b))) => a.bytes().zip(b.bytes()).any(|(a, b)| a != b),
        _ => false,
    }
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, item: &ItemLayout, others: &[&ItemLayout]) {
    let keys = |item: &ItemLayout| {
        let values = layout
            .primary_key()
            .filter_map(|key| Some(format!("{} = {}", key.name, item.keys.get(&key.name)?.value.spelling())));
        values.collect::<Vec<_>>().join(", ")
    };
    let Some(other) = others.first() else { return };
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    let text = layout.sort.first().or(layout.partition.first()).filter(|key| key.ty == Some(KeyType::String));
    let advice = match (text, entity) {
        (Some(key), Some(entity)) => {
            format!("begin `{}` with a word of its own, such as {} here", key.name, key_template(&item.entity, entity))
        }
        _ => "give one of them a table of its own".to_owned(),
    };
    let names: Vec<&str> = others.iter().map(|other| other.entity.as_str()).collect();
    let message = format!(
        "`{}` ({}) can have the primary key of {} ({}): no text and no type tells them apart, and a put of one then \
         replaces the other without a word; {advice}",
        item.entity,
        keys(item),
        listed(&names),
        keys(other),
    );
    let places: Vec<_> =
        others.iter().map(|other| (cx.place(other.range), format!("`{}` has {}", other.entity, keys(other)))).collect();
    let finding = cx.report(item.range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
}
