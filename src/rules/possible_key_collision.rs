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
use std::collections::HashMap;

pub static RULE: Rule = Rule {
    name: "possible-key-collision",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "two items of one table can have the same primary key for some values",
    thresholds: &[],
    check: Check::Table(check),
};

/// Of so many of the items that an item collides with the places are told.
const MOST_PLACES: usize = 12;

/// What a primary key may be.
#[derive(PartialEq)]
struct Shape {
    keys: Vec<Vec<Piece>>,
    types: Vec<KeyType>,
}

/// The shapes of a table's keys. Items often share one, and whether two meet is asked
/// once.
#[derive(Default)]
struct Shapes {
    all: Vec<Shape>,
    met: HashMap<(usize, usize), bool>,
}

impl Shapes {
    fn place_of(&mut self, shape: Shape) -> usize {
        self.all.iter().position(|known| *known == shape).unwrap_or_else(|| {
            self.all.push(shape);
            self.all.len() - 1
        })
    }

    fn can_meet(&mut self, one: usize, other: usize) -> bool {
        let all = &self.all;
        *self.met.entry((one, other)).or_insert_with(|| can_meet(&all[one], &all[other]))
    }
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A key clause that cannot be read may be what tells the items apart.
    if cx.is_broken() || layout.partition.is_empty() {
        return;
    }
    let mut shapes = Shapes::default();
    let keyed = layout.items.iter().filter_map(|item| Some((item, shapes.place_of(shape(layout, item)?))));
    let candidates: Vec<(&ItemLayout, usize)> = keyed.collect();
    for (index, (own, shape)) in candidates.iter().enumerate() {
        let others = candidates[..index].iter();
        let meeting = others.filter(|(other, known)| other.entity != own.entity && shapes.can_meet(*known, *shape));
        let meeting: Vec<&ItemLayout> = meeting.map(|(other, _)| *other).collect();
        let always = |other: &&ItemLayout| always_same_key(cx.db, cx.root, layout, other, own);
        // What always collides is another rule's, and the cause of both.
        if meeting.is_empty() || meeting.iter().any(always) {
            continue;
        }
        report(cx, layout, own, &meeting);
    }
}

/// What an item's primary key may be; `None` where it has none that is sound, or
/// where nobody says what fills it.
fn shape(layout: &TableLayout, item: &ItemLayout) -> Option<Shape> {
    item.entity_decl?;
    let sources: Vec<&KeySource> = layout.primary_key().map(|key| item.keys.get(&key.name)).collect::<Option<_>>()?;
    // A collection in a key is a fault of its own, and so is a type that is not there.
    let is_known = |ty: &Type| !matches!(ty, Type::Missing | Type::List(_) | Type::Set(_) | Type::Map);
    let known =
        sources.iter().flat_map(|source| source.value.holes()).all(|hole| hole.ty.as_ref().is_some_and(is_known));
    let types: Vec<KeyType> = sources.iter().map(|source| key_type(source)).collect::<Option<_>>()?;
    let keys = sources.iter().map(|source| source.value.pieces()).collect();
    known.then_some(Shape { keys, types })
}

fn key_type(source: &KeySource) -> Option<KeyType> {
    match source.template {
        true => Some(KeyType::String),
        false => source.value.holes().next()?.ty.as_ref()?.key_type(),
    }
}

fn can_meet(a: &Shape, b: &Shape) -> bool {
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
    let told = others.iter().take(MOST_PLACES);
    let places: Vec<_> =
        told.map(|other| (cx.place(other.range), format!("`{}` has {}", other.entity, keys(other)))).collect();
    let finding = cx.report(item.range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
}
