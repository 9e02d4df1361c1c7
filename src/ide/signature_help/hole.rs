//! The holes of key templates.

use super::context::Context;
use super::signature::{Builder, code_list, naming};
use super::{Signature, SignatureHelp};
use crate::model::defs::{AttributeDef, EntityDef, Type};
use crate::model::layout::Source;
use crate::model::names::{entity_def, find_entity};
use crate::syntax::strings::unquote_name;

/// What the hole is in.
enum Place<'db> {
    /// The key of an item of this entity.
    Item(Option<&'db EntityDef>),
    /// What a key is compared with.
    Operand(Source<'db>),
}

/// The signatures of the hole that is open at the end of `written`, a string up to
/// the cursor.
pub(super) fn help(cx: &Context<'_>, written: &str) -> Option<SignatureHelp> {
    let inside = open_hole(written)?.trim_start();
    let place = place(cx)?;
    let (name, rest) = split(inside);
    let attribute = attribute(cx, &place, name);
    let known = attributes(cx, &place);
    let holds = naming("There are", &code_list(known));
    let format = usize::from(rest.is_some());
    let mut signatures = vec![plain(attribute, &holds, format)];
    if matches!(place, Place::Operand(_)) {
        signatures.push(parameter(format));
    }
    let argument = usize::from(inside.contains(','));
    signatures.push(shard(&holds, argument));
    let active = match inside {
        _ if inside.strip_prefix("shard").is_some_and(|rest| rest.trim_start().starts_with('(')) => {
            signatures.len() - 1
        }
        _ if inside.starts_with(':') => 1.min(signatures.len() - 2),
        _ => 0,
    };
    Some(SignatureHelp { signatures, active })
}

/// What stands in the hole that is open at the end of a string.
fn open_hole(written: &str) -> Option<&str> {
    let bytes = written.as_bytes();
    let mut open = None;
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match (byte, open) {
            (b'\\', None) => at += 1,
            (b'{', None) if bytes.get(at + 1) == Some(&b'{') => at += 1,
            (b'{', None) => open = Some(at + 1),
            (b'}', Some(_)) => open = None,
            _ => {}
        }
        at += 1;
    }
    written.get(open?..)
}

/// The name in a hole, and its format, if the colon is there.
fn split(inside: &str) -> (&str, Option<&str>) {
    let from = match inside.strip_prefix('`') {
        Some(quoted) => quoted.find('`').map_or(inside.len(), |end| end + 2),
        None => usize::from(inside.starts_with(':')),
    };
    match inside.get(from..).and_then(|rest| rest.find(':')) {
        Some(colon) => (inside[..from + colon].trim(), inside.get(from + colon + 1..)),
        None => (inside.trim(), None),
    }
}

/// Where the string at the cursor stands; `None` where its braces are text.
fn place<'db>(cx: &Context<'db>) -> Option<Place<'db>> {
    let last = cx.tokens.len().checked_sub(1)?;
    if cx.kind(last) != "template" {
        return None;
    }
    if let Some(operation) = cx.operation() {
        let source = cx.target(operation)?;
        // In a filter and an `if` it is a template against a key only.
        let clause = (operation..last)
            .rev()
            .map(|index| cx.kind(index))
            .find(|kind| matches!(*kind, "where" | "filter" | "if"))?;
        let compared = (operation..last).rev().find_map(|index| cx.name(index))?;
        let is_key = source.layout.sources().any(|source| source.key().any(|key| key.name == compared));
        return (clause == "where" || is_key).then_some(Place::Operand(source));
    }
    let entity = cx.item().and_then(|name| find_entity(cx.db, cx.root, name));
    Some(Place::Item(entity))
}

fn entities<'db>(cx: &Context<'db>, place: &Place<'db>) -> Vec<&'db EntityDef> {
    match place {
        Place::Item(entity) => entity.iter().copied().collect(),
        Place::Operand(source) => source.items().filter_map(|item| entity_def(cx.db, item.entity_decl?)).collect(),
    }
}

/// The attributes that a key value may be made of.
fn attributes<'db>(cx: &Context<'db>, place: &Place<'db>) -> Vec<&'db str> {
    let mut names: Vec<&str> = Vec::new();
    for entity in entities(cx, place) {
        let keyed = entity.attributes.iter().filter(|attribute| attribute.ty.key_type().is_some());
        for attribute in keyed.map(|attribute| &*attribute.name.text) {
            if !names.contains(&attribute) {
                names.push(attribute);
            }
        }
    }
    names
}

fn attribute<'db>(cx: &Context<'db>, place: &Place<'db>, name: &str) -> Option<&'db AttributeDef> {
    entities(cx, place).into_iter().find_map(|entity| entity.attribute(unquote_name(name)))
}

/// `{attribute:format}`, with the formats that its type has.
fn plain(attribute: Option<&AttributeDef>, holds: &str, part: usize) -> Signature {
    let (formats, about) = match attribute.map(|attribute| &attribute.ty) {
        Some(Type::Timestamp) => ("year|month|day|hour|minute", "How much of the time is kept."),
        Some(Type::Number | Type::Epoch) => {
            ("digits", "Padded with zeros to so many digits, as `12`: then it sorts by number.")
        }
        Some(_) => ("lower|upper", "In lower or in upper case."),
        None => (
            "format",
            "A number of digits to pad to, `year`, `month`, `day`, `hour` or `minute` of a timestamp, `lower` or `upper`.",
        ),
    };
    let mut out = Builder::new("{");
    let name = attribute.map_or("attribute", |attribute| &attribute.name.text);
    let ty = attribute.map(|attribute| format!("`{}`: {}. ", attribute.name.text, attribute.ty.spelling()));
    out.parameter(0, name, format!("{}{holds}", ty.unwrap_or_default()).trim_end());
    out.text("[:").parameter(1, formats, about).text("]}");
    out.finish("The value of an attribute.".to_owned(), &part)
}

fn parameter(part: usize) -> Signature {
    let mut out = Builder::new("{:");
    out.parameter(0, "parameter", "A value that the caller supplies.");
    out.text("[:").parameter(1, "digits", "Padded with zeros to so many digits.").text("]}");
    out.finish("A value that the caller supplies.".to_owned(), &part)
}

fn shard(holds: &str, argument: usize) -> Signature {
    let mut out = Builder::new("{shard(");
    out.parameter(0, "attribute", format!("What is hashed. {holds}").trim_end());
    out.text(", ").parameter(1, "n", "How many shards there are.").text(")}");
    out.finish("A suffix that spreads writes: the hash of the attribute modulo n.".to_owned(), &argument)
}
