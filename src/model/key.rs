//! Key values: what a key attribute of an item, or the operand of a key
//! condition, is made of.

use super::defs::{AttributeDef, EntityDef, KSUID_LENGTH, TIMESTAMP_LENGTH, Type, ULID_LENGTH};
use super::unify::{CharSet, Piece};
use crate::syntax::TextRange;
use crate::syntax::template::{Format, Hole, Part, Template};

/// The parts of a key value: literal text and typed holes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyValue {
    pub parts: Vec<KeyPiece>,
}

/// A part of a key value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPiece {
    Literal(String),
    Hole(KeyHole),
}

/// A hole with what is known of the attribute that fills it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHole {
    pub name: String,
    /// A value that the caller supplies under a name of its own.
    pub parameter: bool,
    pub format: Format,
    /// `None` for a parameter and for an attribute that no entity has.
    pub ty: Option<Type>,
    /// Texts that the value never contains.
    pub without: Vec<String>,
}

impl KeyValue {
    /// The value of a template; `find` gives the attribute that a name means.
    pub fn of_template<'a>(template: &Template, find: impl Fn(&str) -> Option<&'a AttributeDef>) -> Self {
        let parts = template
            .parts
            .iter()
            .map(|part| match part {
                Part::Literal(text, _) => KeyPiece::Literal(text.clone()),
                Part::Hole(hole) if hole.parameter => KeyPiece::Hole(KeyHole::parameter(&hole.name, hole.format)),
                Part::Hole(hole) => KeyPiece::Hole(KeyHole::of_attribute(&hole.name, hole.format, find(&hole.name))),
            })
            .collect();
        Self { parts }
    }

    /// The value of an attribute as it is.
    pub fn of_attribute(name: &str, attribute: Option<&AttributeDef>) -> Self {
        Self { parts: vec![KeyPiece::Hole(KeyHole::of_attribute(name, Format::Plain, attribute))] }
    }

    /// A value that the caller supplies whole.
    pub fn parameter(name: &str) -> Self {
        Self { parts: vec![KeyPiece::Hole(KeyHole::parameter(name, Format::Plain))] }
    }

    /// A value that is this text.
    pub fn literal(text: &str) -> Self {
        Self { parts: if text.is_empty() { Vec::new() } else { vec![KeyPiece::Literal(text.to_owned())] } }
    }

    /// Its holes, in order.
    pub fn holes(&self) -> impl Iterator<Item = &KeyHole> {
        self.parts.iter().filter_map(|part| match part {
            KeyPiece::Hole(hole) => Some(hole),
            KeyPiece::Literal(_) => None,
        })
    }

    /// The names of the attributes in it, each once, in order.
    pub fn attributes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for hole in self.holes().filter(|hole| !hole.parameter) {
            if !names.contains(&hole.name.as_str()) {
                names.push(&hole.name);
            }
        }
        names
    }

    /// The attributes that can be read back from it: holes that hold the attribute
    /// unchanged, or with zeros before it.
    pub fn whole_holes(&self) -> impl Iterator<Item = &str> {
        let whole = |hole: &&KeyHole| matches!(hole.format, Format::Plain | Format::Padded(_)) && !hole.parameter;
        self.holes().filter(whole).map(|hole| hole.name.as_str())
    }

    /// The one attribute that it is as a whole, unchanged.
    pub fn whole_attribute(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [KeyPiece::Hole(hole)] if hole.format == Format::Plain && !hole.parameter => Some(&hole.name),
            _ => None,
        }
    }

    /// The value where it has no hole.
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [KeyPiece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text that every value begins with.
    pub fn leading_literal(&self) -> &str {
        match self.parts.first() {
            Some(KeyPiece::Literal(text)) => text,
            _ => "",
        }
    }

    /// All values that it can take, for comparing.
    pub fn pieces(&self) -> Vec<Piece> {
        self.parts
            .iter()
            .flat_map(|part| match part {
                KeyPiece::Literal(text) => vec![Piece::Text(text.clone())],
                KeyPiece::Hole(hole) => hole.pieces(),
            })
            .collect()
    }

    /// The value as it is written in the language.
    pub fn spelling(&self) -> String {
        let parts = self
            .parts
            .iter()
            .map(|part| match part {
                KeyPiece::Literal(text) => Part::Literal(text.clone(), TextRange::default()),
                KeyPiece::Hole(hole) => Part::Hole(hole.as_hole()),
            })
            .collect();
        Template { parts, faults: Vec::new() }.spelling()
    }
}

impl KeyHole {
    /// The hole as it is written in a template.
    pub fn spelling(&self) -> String {
        self.as_hole().spelling()
    }

    fn as_hole(&self) -> Hole {
        Hole {
            name: self.name.clone(),
            parameter: self.parameter,
            format: self.format,
            range: TextRange::default(),
            name_range: TextRange::default(),
        }
    }

    /// A hole that an attribute fills; `None` for one that no entity has.
    fn of_attribute(name: &str, format: Format, attribute: Option<&AttributeDef>) -> Self {
        Self {
            name: name.to_owned(),
            parameter: false,
            format,
            ty: attribute.map(|attribute| attribute.ty.clone()),
            without: attribute.into_iter().flat_map(|a| &a.without).map(|text| text.value.clone()).collect(),
        }
    }

    /// A hole that the caller fills under a name of its own.
    fn parameter(name: &str, format: Format) -> Self {
        Self { name: name.to_owned(), parameter: true, format, ty: None, without: Vec::new() }
    }

    /// The values that the hole can take. Lengths are those of numbers.md, S2
    /// and S3.
    fn pieces(&self) -> Vec<Piece> {
        match self.format {
            Format::Padded(width) => return vec![Piece::repeat(CharSet::digits(), width as usize, None)],
            Format::Time(part) => return timestamp(part.length()),
            Format::Shard(n) => {
                let most = n.saturating_sub(1).to_string().len();
                return vec![Piece::repeat(CharSet::digits(), 1, Some(most))];
            }
            Format::Plain | Format::Lower | Format::Upper => {}
        }
        let open = |mut set: CharSet| {
            match self.format {
                Format::Lower => set.remove_range('A', 'Z'),
                Format::Upper => set.remove_range('a', 'z'),
                _ => {}
            }
            for text in &self.without {
                let mut chars = text.chars();
                if let (Some(c), None) = (chars.next(), chars.next()) {
                    set.remove(c);
                }
            }
            set
        };
        let Some(ty) = &self.ty else { return vec![Piece::repeat(open(CharSet::all()), 1, None)] };
        match ty {
            Type::Uuid => {
                let hex = CharSet::of("0123456789abcdefABCDEF");
                let mut pieces = Vec::new();
                for (i, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
                    if i > 0 {
                        pieces.push(Piece::Text("-".to_owned()));
                    }
                    pieces.push(Piece::repeat(open(hex), length, Some(length)));
                }
                pieces
            }
            Type::Ulid => vec![Piece::repeat(open(CharSet::alphanumeric()), ULID_LENGTH, Some(ULID_LENGTH))],
            Type::Ksuid => vec![Piece::repeat(open(CharSet::alphanumeric()), KSUID_LENGTH, Some(KSUID_LENGTH))],
            Type::Timestamp => timestamp(TIMESTAMP_LENGTH),
            // Seconds before 1970 are negative.
            Type::Epoch => vec![Piece::repeat(CharSet::of("0123456789-"), 1, Some(12))],
            Type::Number => number(),
            Type::Boolean => vec![Piece::OneOf(vec!["true".to_owned(), "false".to_owned()])],
            Type::Enum(names) => {
                let cased = |name: &str| match self.format {
                    Format::Lower => name.to_lowercase(),
                    Format::Upper => name.to_uppercase(),
                    _ => name.to_owned(),
                };
                vec![Piece::OneOf(names.iter().map(|name| cased(&name.text)).collect())]
            }
            _ => vec![Piece::repeat(open(CharSet::all()), 1, None)],
        }
    }
}

/// The text of a number: a sign, digits, a fraction, an exponent.
fn number() -> Vec<Piece> {
    let sign = |of: &str| Piece::repeat(CharSet::of(of), 0, Some(1));
    let digits = |min: usize| Piece::repeat(CharSet::digits(), min, Some(40));
    vec![sign("-"), digits(1), sign("."), digits(0), sign("eE"), sign("+-"), digits(0)]
}

/// The first `length` characters of `2026-11-29T12:44:00Z`.
fn timestamp(length: usize) -> Vec<Piece> {
    debug_assert!(length <= TIMESTAMP_LENGTH);
    "dddd-dd-ddTdd:dd:ddZ"
        .chars()
        .take(length)
        .map(|c| match c {
            'd' => Piece::repeat(CharSet::digits(), 1, Some(1)),
            c => Piece::Text(c.to_string()),
        })
        .collect()
}

/// Where a key attribute of an item takes its value from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySource {
    pub value: KeyValue,
    /// An attribute that it uses is absent on some items.
    pub optional: bool,
    /// A key template made it, so that it is a string whatever fills its holes.
    pub template: bool,
}

impl KeySource {
    /// The value that a key template makes.
    pub fn of_template(template: &Template, entity: Option<&EntityDef>) -> Self {
        let value = KeyValue::of_template(template, |name| entity.and_then(|entity| entity.attribute(name)));
        Self { template: true, ..Self::new(value, entity) }
    }

    /// A value of an item of this entity, made by no template.
    pub fn new(value: KeyValue, entity: Option<&EntityDef>) -> Self {
        let optional = entity.is_some_and(|entity| {
            value.attributes().iter().any(|name| entity.attribute(name).is_some_and(|a| a.optional))
        });
        Self { value, optional, template: false }
    }
}
