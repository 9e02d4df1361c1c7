//! The texts in conditions and examples that name a value of an enum: whole strings,
//! and what a key value spells where the items of the table have such an attribute.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::held::{Held, held};
use super::key::{KeyHole, KeyPiece, KeyValue};
use super::names::entity_def;
use super::refs::{Declared, What};
use super::resolve::Step;
use crate::syntax::TextRange;
use crate::syntax::strings::unquote_string;
use crate::syntax::template::{Format, Part, Template};

/// What a step's conditions spell, each with the values that it names.
pub(super) fn in_step(db: &dyn Db, root: SourceFile, step: &Step<'_>) -> Vec<(Name, Vec<Declared>)> {
    let Some(source) = step.source else { return Vec::new() };
    let mut all = Vec::new();
    for held in held(db, root, source, &step.step.op) {
        for operand in &held.comparison.operands {
            let OperandDef::String { value, range, template } = operand else { continue };
            let named = held.against.iter().filter_map(|against| {
                let attributes = &entity_def(db, against.decl)?.attributes;
                let attribute = attributes.iter().find(|attribute| attribute.name.range == against.range)?;
                declared(against.decl, attribute, value)
            });
            let named: Vec<Declared> = named.collect();
            if !named.is_empty() {
                all.extend(inside(value, *range).map(|name| (name, named)));
                continue;
            }
            for (entity, hole, spelled) in in_key(step, &held, template) {
                let attribute = entity_def(db, entity).and_then(|entity| entity.attribute(&hole.name));
                let named = attribute.and_then(|attribute| declared(entity, attribute, &spelled.text));
                let name = Name { text: spelled.text, range: spelled.range.shifted(range.start) };
                all.extend(named.map(|named| (name, vec![named])));
            }
        }
    }
    all
}

/// What the examples of an entity's attributes spell.
pub(super) fn in_examples(decl: Decl, entity: &EntityDef) -> Vec<(Name, Vec<Declared>)> {
    let examples = entity.attributes.iter().filter_map(|attribute| {
        let example = attribute.example.as_ref().filter(|example| example.value.starts_with('"'))?;
        let value = unquote_string(&example.value);
        Some((inside(&value, example.range)?, vec![declared(decl, attribute, &value)?]))
    });
    examples.collect()
}

fn declared(decl: Decl, attribute: &AttributeDef, value: &str) -> Option<Declared> {
    let Type::Enum(values) = &attribute.ty else { return None };
    let named = values.iter().find(|name| name.text == value)?;
    Some(Declared { decl, range: named.range, what: What::EnumValue })
}

/// The text between the quotes. One that is written with escapes is not the name as
/// it is.
fn inside(value: &str, string: TextRange) -> Option<Name> {
    let range = TextRange::new(string.start as usize + 1, (string.end as usize).saturating_sub(1));
    (range.len() == value.len()).then(|| Name { text: value.to_owned(), range })
}

/// What an operand spells of the holes of the key values that it is held against, with
/// the entity whose key each is.
fn in_key<'s>(step: &Step<'s>, held: &Held<'_>, template: &Template) -> Vec<(Decl, &'s KeyHole, Name)> {
    let items = step.source.into_iter().flat_map(|source| source.items()).filter(|_| held.key);
    let keys = items.filter_map(|item| Some((item.entity_decl?, item.keys.get(&held.comparison.attribute.text)?)));
    keys.flat_map(|(entity, key)| {
        aligned(template, &key.value).into_iter().map(move |(hole, name)| (entity, hole, name))
    })
    .collect()
}

/// The enum values that a text spells where a key value has the holes, from the start
/// on as far as the two go together. Ranges are relative to the text's first quote.
fn aligned<'k>(template: &Template, value: &'k KeyValue) -> Vec<(&'k KeyHole, Name)> {
    let mut found = Vec::new();
    let mut parts = template.parts.iter();
    let (mut rest, mut at) = ("", 0);
    for (index, piece) in value.parts.iter().enumerate() {
        if rest.is_empty() {
            match (parts.next(), piece) {
                // Written with escapes or doubled braces its places are not to be had.
                (Some(Part::Literal(text, range)), _) if range.len() == text.len() => {
                    (rest, at) = (text, range.start as usize);
                }
                (Some(Part::Hole(_)), KeyPiece::Hole(_)) => continue,
                _ => break,
            }
        }
        let behind = match piece {
            KeyPiece::Literal(text) => rest.strip_prefix(text.as_str()),
            KeyPiece::Hole(hole) => {
                let next = match value.parts.get(index + 1) {
                    Some(KeyPiece::Literal(text)) => text,
                    _ => "",
                };
                let spelled = spelled(hole, rest, next);
                found.extend(spelled.map(|text| {
                    let range = TextRange::new(at, at + text.len());
                    (hole, Name { text: text.to_owned(), range })
                }));
                spelled.and_then(|text| rest.strip_prefix(text))
            }
        };
        let Some(behind) = behind else { break };
        at += rest.len() - behind.len();
        rest = behind;
    }
    found
}

/// The name of the enum value with which a text begins: what follows it is the end or
/// what stands behind the hole.
fn spelled<'k>(hole: &'k KeyHole, text: &str, next: &str) -> Option<&'k str> {
    let Some(Type::Enum(values)) = hole.ty.as_ref().filter(|_| hole.format == Format::Plain) else { return None };
    let goes_on =
        |behind: &str| behind.is_empty() || !next.is_empty() && (behind.starts_with(next) || next.starts_with(behind));
    let names = values.iter().map(|name| name.text.as_str());
    names.filter(|name| text.strip_prefix(*name).is_some_and(goes_on)).max_by_key(|name| name.len())
}
