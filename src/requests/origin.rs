//! Where the values of a request come from: what its caller supplies, what the
//! model says, and keys that are made of both.

use super::owner::Owner;
use crate::capacity::values::{Item, Value};
use crate::model::key::{KeyPiece, KeySource, KeyValue};
use crate::population::items::Stored;
use crate::population::template::hole_text;
use crate::syntax::template::Format;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The caller supplies it, under the name of an attribute.
    Attribute(String),
    /// The caller supplies it, under the name of a parameter of the model.
    Parameter(String),
    /// The model says it.
    Constant,
    /// A key made of texts and of what the caller supplies.
    Template(Vec<TemplatePart>),
}

/// A part of a key template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Text that every value holds.
    Text(String),
    /// What the caller supplies, and how it is written.
    Hole { name: String, format: Format, value: Value },
}

/// A value with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    pub value: Value,
    pub origin: Origin,
}

impl Operand {
    /// A value that the model says.
    pub fn constant(value: Value) -> Self {
        Self { value, origin: Origin::Constant }
    }

    /// A value that the caller supplies for an attribute.
    pub fn attribute(name: &str, value: Value) -> Self {
        Self { value, origin: Origin::Attribute(name.to_owned()) }
    }

    /// A value that the caller supplies under a name of its own.
    pub fn parameter(name: &str, value: Value) -> Self {
        Self { value, origin: Origin::Parameter(name.to_owned()) }
    }
}

/// A value in the body of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it stands, from the body on: `Key`, `user_id`. Places in lists are
    /// numbers.
    pub path: Vec<String>,
    pub value: Value,
    pub origin: Origin,
    /// Whose it is where several items take part.
    pub owner: Option<Arc<Owner>>,
}

/// The body of a request, with the origin of its values.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    pub json: Map<String, Json>,
    pub values: Vec<Placed>,
}

impl Body {
    /// Adds a member that holds no value of an attribute.
    pub fn insert(&mut self, name: &str, json: impl Into<Json>) {
        self.json.insert(name.to_owned(), json.into());
    }

    /// Adds attributes with their values.
    pub fn place(&mut self, member: &str, item: &Item, origin: impl Fn(&str) -> Origin) {
        self.json.insert(member.to_owned(), super::wire::item_to_json(item));
        self.values.extend(item.iter().map(|(name, value)| Placed {
            path: vec![member.to_owned(), name.clone()],
            value: value.clone(),
            origin: origin(name),
            owner: None,
        }));
    }
}

/// Values as they stand further down in another body.
pub fn below(path: &[&str], values: Vec<Placed>, owner: Owner) -> impl Iterator<Item = Placed> {
    let owner = Arc::new(owner);
    values.into_iter().map(move |placed| Placed {
        path: path.iter().map(|step| (*step).to_owned()).chain(placed.path).collect(),
        owner: Some(Arc::clone(&owner)),
        ..placed
    })
}

/// Where an attribute of an item comes from: a key that a template computes, else
/// the caller.
pub fn of_item(stored: &Stored<'_>, name: &str) -> Origin {
    match stored.kind.keys.get(name) {
        Some(source) => of_key(source, name, &stored.instance.values),
        None => Origin::Attribute(name.to_owned()),
    }
}

fn of_key(source: &KeySource, name: &str, attributes: &Item) -> Origin {
    match source.value.whole_attribute().filter(|_| !source.template) {
        Some(attribute) => Origin::Attribute(attribute.to_owned()),
        None => of_template(&source.value, attributes).unwrap_or_else(|| Origin::Attribute(name.to_owned())),
    }
}

/// The origin of a template whose attributes are all there; one without a hole is
/// a constant.
fn of_template(value: &KeyValue, attributes: &Item) -> Option<Origin> {
    let parts = value.parts.iter().map(|part| match part {
        KeyPiece::Literal(text) => Some(TemplatePart::Text(text.clone())),
        KeyPiece::Hole(hole) => {
            let value = attributes.get(&hole.name)?.clone();
            Some(TemplatePart::Hole { name: hole.name.clone(), format: hole.format, value })
        }
    });
    parts.collect::<Option<Vec<_>>>().map(of_parts)
}

/// The origin of a text of these parts.
pub fn of_parts(parts: Vec<TemplatePart>) -> Origin {
    match parts.iter().any(|part| matches!(part, TemplatePart::Hole { .. })) {
        true => Origin::Template(parts),
        false => Origin::Constant,
    }
}

/// The text of a part.
pub fn part_text(part: &TemplatePart) -> String {
    match part {
        TemplatePart::Text(text) => text.clone(),
        TemplatePart::Hole { format, value, .. } => hole_text(*format, value),
    }
}
