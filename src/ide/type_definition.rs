//! The entity behind a name: behind an attribute that holds its id, a parameter
//! that is held against one, a role.

use super::lookup::{Reading, in_order, location, readings};
use super::{Analysis, Answer, Location};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileKey;
use crate::model::held::{Clause, Held, held};
use crate::model::key::{KeyPiece, KeyValue};
use crate::model::layout::{ItemLayout, Source, layout};
use crate::model::lower::lowered;
use crate::model::names::{entity_def, names, pattern_def, table_def};
use crate::model::refs::{Declared, What};
use crate::model::resolve::{operand_value, steps};

impl Analysis {
    /// The entity behind the name at the place: of an attribute the one whose id it
    /// holds or that it is copied from; of an id its own; of a parameter the one of
    /// what it is held against, where that is certain; of a value of an enum, the
    /// attribute that takes it.
    pub fn type_definition(&self, file: &FileKey, offset: usize) -> Answer<Vec<Location>> {
        self.ask(file, |db, file| {
            let found = readings(db, file, offset).into_iter().flat_map(|reading| types(db, &reading));
            in_order(found.filter_map(|declared| location(db, declared)).collect())
        })
    }
}

/// What a name is of, as one model understands it.
fn types(db: &dyn Db, reading: &Reading<'_>) -> Vec<Declared> {
    let root = reading.root;
    let of = |declared: &Declared| -> Vec<Declared> {
        let decl = declared.decl;
        match declared.what {
            What::Entity => vec![*declared],
            What::Attribute => {
                let attribute = attribute_at(db, *declared);
                attribute.and_then(|attribute| entity_of(db, root, decl, attribute, 0)).into_iter().collect()
            }
            What::Key => key_entities(db, root, decl, &reading.occurrence.text),
            What::EmbeddedList => embedded(db, root, *declared).into_iter().collect(),
            What::EnumValue => attribute_of_value(db, *declared).into_iter().collect(),
            What::Role => role_entities(db, root, decl, &reading.occurrence.text),
            What::Parameter => parameter_entity(db, root, decl, &reading.occurrence.text).into_iter().collect(),
            What::Table | What::Pattern | What::Index | What::Workflow | What::Application => Vec::new(),
        }
    };
    reading.occurrence.declared.iter().flat_map(of).collect()
}

/// The entity of this name.
fn entity(db: &dyn Db, root: SourceFile, name: &str) -> Option<Declared> {
    own(db, names(db, root).entity(name)?)
}

fn own(db: &dyn Db, decl: Decl) -> Option<Declared> {
    let range = lowered(db, decl).name.as_ref()?.range;
    Some(Declared { decl, range, what: What::Entity })
}

fn attribute_at(db: &dyn Db, declared: Declared) -> Option<&AttributeDef> {
    entity_def(db, declared.decl)?.attributes.iter().find(|attribute| attribute.name.range == declared.range)
}

/// Copies of copies end; those that copy each other in a circle do not.
const LONGEST_CHAIN: usize = 16;

/// The entity whose id an attribute holds; of a copy that of its source, or else the
/// one that it is copied from; of an id that is of no other entity, its own.
fn entity_of(db: &dyn Db, root: SourceFile, decl: Decl, attribute: &AttributeDef, depth: usize) -> Option<Declared> {
    if let Some(of) = &attribute.of {
        return entity(db, root, &of.text);
    }
    if let Some(copied) = &attribute.copied_from {
        let source = entity(db, root, &copied.entity.text)?;
        let name = copied.attribute.as_ref();
        let origin = name.and_then(|name| entity_def(db, source.decl)?.attribute(&name.text));
        let origin = origin.filter(|_| depth < LONGEST_CHAIN);
        return origin.and_then(|origin| entity_of(db, root, source.decl, origin, depth + 1)).or(Some(source));
    }
    if attribute.id { own(db, decl) } else { None }
}

/// The entities of what fills a key whole: a key that is put together from several
/// attributes is of none.
fn key_entities(db: &dyn Db, root: SourceFile, table: Decl, key: &str) -> Vec<Declared> {
    let items = layout(db, root, table).iter().flat_map(|layout| &layout.items);
    let entity = |item: &ItemLayout| {
        let decl = item.entity_decl?;
        let name = item.keys.get(key)?.value.whole_attribute()?;
        entity_of(db, root, decl, entity_def(db, decl)?.attribute(name)?, 0)
    };
    items.filter_map(entity).collect()
}

/// The entity whose items a list embeds.
fn embedded(db: &dyn Db, root: SourceFile, list: Declared) -> Option<Declared> {
    let mut embeds = table_def(db, list.decl)?.items.iter().flat_map(|item| &item.embeds);
    let embed = embeds.find(|embed| embed.list.as_ref().is_some_and(|name| name.range == list.range))?;
    entity(db, root, &embed.entity.text)
}

/// The attribute that takes a value of its enum.
fn attribute_of_value(db: &dyn Db, value: Declared) -> Option<Declared> {
    let mut attributes = entity_def(db, value.decl)?.attributes.iter();
    let attribute = attributes.find(|attribute| match &attribute.ty {
        Type::Enum(values) => values.iter().any(|name| name.range == value.range),
        _ => false,
    })?;
    Some(Declared { range: attribute.name.range, what: What::Attribute, ..value })
}

/// The entities that play a role in a pattern: one, unless a role is given twice.
fn role_entities(db: &dyn Db, root: SourceFile, pattern: Decl, role: &str) -> Vec<Declared> {
    let steps = pattern_def(db, pattern).into_iter().flat_map(PatternDef::steps);
    let subjects = steps.filter_map(|(_, step)| step.op.subject());
    let named = subjects.filter(|subject| subject.role.as_ref().is_some_and(|name| name.text == role));
    named.filter_map(|subject| entity(db, root, &subject.entity.text)).collect()
}

/// The one entity of everything that a parameter is held against; `None` where there
/// are several, or something is of no entity.
fn parameter_entity(db: &dyn Db, root: SourceFile, pattern: Decl, parameter: &str) -> Option<Declared> {
    let mut certain: Option<Declared> = None;
    for step in steps(db, root, pattern) {
        let Some(source) = step.source else { continue };
        for held in held(db, root, source, &step.step.op) {
            for operand in &held.comparison.operands {
                for entity in held_entities(db, root, source, &held, operand, parameter)? {
                    if *certain.get_or_insert(entity) != entity {
                        return None;
                    }
                }
            }
        }
    }
    certain
}

/// The entities of what an operand holds a parameter against: none where it does not
/// name it, `None` where something is of no entity.
fn held_entities(
    db: &dyn Db,
    root: SourceFile,
    source: Source<'_>,
    held: &Held<'_>,
    operand: &OperandDef,
    parameter: &str,
) -> Option<Vec<Declared>> {
    match operand {
        OperandDef::Parameter(name) if name.text == parameter => {
            let entities = held.against.iter().map(|against| {
                let place = Declared { decl: against.decl, range: against.range, what: What::Attribute };
                entity_of(db, root, against.decl, attribute_at(db, place)?, 0)
            });
            entities.collect::<Option<Vec<_>>>().filter(|entities| !entities.is_empty())
        }
        OperandDef::String { template, .. } if held.key || held.clause == Clause::Where => {
            if !template.holes().any(|hole| hole.parameter && hole.name == parameter) {
                return Some(Vec::new());
            }
            let mut entities = Vec::new();
            for item in source.items() {
                let Some(stored) = item.keys.get(&held.comparison.attribute.text) else { continue };
                let asked = operand_value(db, source.layout, item, operand);
                for attribute in opposite(&asked, &stored.value, parameter) {
                    let decl = item.entity_decl?;
                    entities.push(entity_of(db, root, decl, entity_def(db, decl)?.attribute(attribute)?, 0)?);
                }
            }
            (!entities.is_empty()).then_some(entities)
        }
        _ => Some(Vec::new()),
    }
}

/// The attributes of a stored key at the places where a template asks for a
/// parameter, as far as the two are made alike.
fn opposite<'v>(asked: &KeyValue, stored: &'v KeyValue, parameter: &str) -> Vec<&'v str> {
    let mut found = Vec::new();
    for pair in asked.parts.iter().zip(&stored.parts) {
        match pair {
            (KeyPiece::Literal(asked), KeyPiece::Literal(stored)) if asked == stored => {}
            (KeyPiece::Hole(asked), KeyPiece::Hole(stored)) => {
                if asked.parameter && asked.name == parameter {
                    found.push(stored.name.as_str());
                }
            }
            _ => break,
        }
    }
    found
}
