//! Values for people who read: names of people, prices, dates, as the name and
//! the type of an attribute ask for. The same number gives the same value, and
//! nothing is random.

mod example;
mod kinds;
mod number;
mod pools;
mod text;
mod time;
mod words;

use super::spell::{self, Wanted};
use super::template::hash;
use crate::capacity::values::{Item, Value};
use crate::model::defs::{AttributeDef, EntityDef, KSUID_LENGTH, TIMESTAMP_LENGTH, Type, ULID_LENGTH, UUID_LENGTH};
use crate::syntax::Unit;
pub(super) use words::words;

pub use number::of_name;

/// Whether a parameter is called as an attribute or as its beginning: `amount` is of
/// `amount_cents`.
pub fn is_called(parameter: &str, attribute: &str) -> bool {
    let wanted = words(parameter);
    !wanted.is_empty() && words(attribute).starts_with(&wanted)
}

/// Elements of a list or set.
const ELEMENTS: usize = 2;

/// The value. Where the attribute has a greatest size, it keeps to it.
pub fn value(wanted: Wanted<'_>) -> Value {
    let value = of_type(wanted, &wanted.attribute.ty);
    match most(wanted.attribute) {
        Some(most) if value.bytes() > most as u64 => match (&value, &wanted.attribute.ty) {
            (Value::S(text), Type::String | Type::Missing) => Value::S(shortened(text, most, wanted)),
            _ => spell::value(wanted),
        },
        _ => value,
    }
}

/// Of an enum that tells kinds of items apart, the name of this entity.
pub fn kind_of(entity: &str, attribute: &AttributeDef) -> Option<Value> {
    let Type::Enum(names) = &attribute.ty else { return None };
    let is_kind = words::has(&words(&attribute.name.text), &["type", "kind", "entity"]);
    let own = names.iter().find(|name| words(&name.text) == words(entity) || name.text.eq_ignore_ascii_case(entity));
    own.filter(|_| is_kind).map(|own| Value::S(own.text.clone()))
}

/// The pairs of enums of an entity of which one is a part of the other, in its name
/// and in its values.
pub fn kept_twice(def: &EntityDef) -> Vec<(&AttributeDef, &AttributeDef)> {
    let mut pairs = Vec::new();
    for wide in &def.attributes {
        for narrow in def.attributes.iter().filter(|narrow| narrow.name.text != wide.name.text) {
            let (Type::Enum(some), Type::Enum(all)) = (&narrow.ty, &wide.ty) else { continue };
            let is_part = some.iter().all(|name| all.iter().any(|other| other.text == name.text));
            let (long, short) = (words(&narrow.name.text), words(&wide.name.text));
            if is_part && long.len() > short.len() && long.ends_with(&short) {
                pairs.push((narrow, wide));
            }
        }
    }
    pairs
}

/// A value of the wider enum that the narrower has not: the held one, else the
/// next in the row.
pub fn outside(held: &str, narrow: &AttributeDef, wide: &AttributeDef) -> Option<Value> {
    let (Type::Enum(some), Type::Enum(all)) = (&narrow.ty, &wide.ty) else { return None };
    let place = all.iter().position(|name| name.text == held)?;
    let mut row = all.iter().cycle().skip(place).take(all.len());
    row.find(|name| some.iter().all(|own| own.text != name.text)).map(|name| Value::S(name.text.clone()))
}

fn of_type(wanted: Wanted<'_>, ty: &Type) -> Value {
    let Wanted { attribute, tag, number, .. } = wanted;
    if let Some(value) = of_example(attribute, ty, number) {
        return value;
    }
    match ty {
        Type::String | Type::Missing => Value::S(text::text(wanted)),
        Type::Uuid => Value::S(uuid(tag, number)),
        Type::Ulid => Value::S(ulid(tag, number)),
        Type::Ksuid => Value::S(ksuid(tag, number)),
        Type::Timestamp => Value::S(time::timestamp(attribute, number)),
        Type::Number if wanted.expires.is_some() => Value::N(time::epoch(wanted)),
        Type::Epoch => Value::N(time::epoch(wanted)),
        Type::Boolean => Value::Bool(number.is_multiple_of(2)),
        Type::Enum(names) => Value::S(text::of_enum(names, number)),
        Type::Number => Value::N(number::number(wanted)),
        Type::Binary => Value::B(mixed(tag, number).to_be_bytes().to_vec()),
        Type::List(element) => {
            let element = element.as_deref().unwrap_or(&Type::String);
            Value::L((0..ELEMENTS).map(|i| of_type(in_collection(wanted, i), element)).collect())
        }
        Type::Map => {
            let name = words(&attribute.name.text).pop().unwrap_or_default();
            Value::M(Item::from([("note".to_owned(), Value::S(format!("{name} {}", number + 1)))]))
        }
        Type::Set(element) => set(wanted, element.as_deref().unwrap_or(&Type::String)),
    }
}

/// The example of an id or an instant, where it has the form of one; ids of other
/// items are made like all others.
fn of_example(attribute: &AttributeDef, ty: &Type, number: usize) -> Option<Value> {
    let length = match ty {
        Type::Uuid => UUID_LENGTH,
        Type::Ulid => ULID_LENGTH,
        Type::Ksuid => KSUID_LENGTH,
        Type::Timestamp => TIMESTAMP_LENGTH,
        Type::Epoch => return number::like(&example::given(attribute)?, number).map(Value::N),
        _ => return None,
    };
    let given = example::given(attribute).filter(|given| given.len() == length)?;
    match ty {
        Type::Timestamp => time::later(&given, number).map(Value::S),
        _ => Some(Value::S(given)).filter(|_| number == 0),
    }
}

/// The elements of a set, each once and in order.
fn set(wanted: Wanted<'_>, element: &Type) -> Value {
    let all = (0..ELEMENTS).map(|i| of_type(in_collection(wanted, i), element));
    let (mut texts, mut numbers, mut binaries) = (Vec::new(), Vec::new(), Vec::new());
    for value in all {
        match value {
            Value::S(text) => texts.push(text),
            Value::N(number) => numbers.push(number),
            Value::B(bytes) => binaries.push(bytes),
            // No set holds anything else.
            _ => {}
        }
    }
    texts.sort();
    texts.dedup();
    numbers.sort();
    numbers.dedup();
    binaries.sort();
    binaries.dedup();
    match (numbers.is_empty(), binaries.is_empty()) {
        (false, _) => Value::Ns(numbers),
        (_, false) => Value::Bs(binaries),
        _ if texts.is_empty() => Value::Ss(vec!["one".to_owned()]),
        _ => Value::Ss(texts),
    }
}

/// The same for one of the elements of a collection.
fn in_collection(wanted: Wanted<'_>, index: usize) -> Wanted<'_> {
    Wanted { number: wanted.number + index, alone: true, digits: None, expires: None, ..wanted }
}

/// The most bytes that an attribute's value may have, where the model says it.
fn most(attribute: &AttributeDef) -> Option<usize> {
    let size = attribute.size.as_ref()?;
    let bytes = size.max(Unit::Size).or_else(|| size.avg(Unit::Size))?;
    Some((bytes as usize).min(spell::MOST))
}

/// A text cut to so many bytes; one that must stay apart from others ends with
/// its number.
fn shortened(text: &str, most: usize, wanted: Wanted<'_>) -> String {
    let cut = |most: usize| {
        let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|end| *end <= most);
        text[..ends.next_back().unwrap_or(0)].trim_end()
    };
    if !wanted.alone {
        return match cut(most) {
            "" => "a".repeat(most.min(1)),
            text => text.to_owned(),
        };
    }
    let number = (wanted.number + 1).to_string();
    match most.checked_sub(number.len()) {
        Some(rest) => format!("{}{number}", cut(rest)),
        None => number[number.len() - most..].to_owned(),
    }
}

fn mixed(tag: u64, number: usize) -> u64 {
    // Twice, so that neighbours have nothing in common.
    hash(&format!("{:016x}", hash(&format!("{number} of {tag:016x}"))))
}

fn uuid(tag: u64, number: usize) -> String {
    let (a, b) = (mixed(tag, number), mixed(!tag, number));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        8 + (b >> 62),
        (b >> 48) & 0xfff,
        b & 0xffff_ffff_ffff
    )
}

/// Ten characters of time, which rises with the number, and sixteen others.
fn ulid(tag: u64, number: usize) -> String {
    let millis = time::of_id(number) * 1_000 + (mixed(tag, number) & 0x1ff);
    let (a, b) = (mixed(tag, number), mixed(!tag, number));
    let mut out = String::new();
    spell::crockford(&mut out, millis, 10);
    spell::crockford(&mut out, a, 8);
    spell::crockford(&mut out, b, 8);
    out
}

/// Six characters of time, which rises with the number, and others.
fn ksuid(tag: u64, number: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = String::from("2");
    let mut push = |value: u64, digits: u32| {
        for digit in (0..digits).rev() {
            out.push(DIGITS[(value / 62_u64.pow(digit) % 62) as usize] as char);
        }
    };
    push(time::of_id(number), 6);
    push(mixed(tag, number), 10);
    push(mixed(!tag, number), 10);
    debug_assert_eq!(out.len(), KSUID_LENGTH);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_have_their_form_differ_and_rise_with_time_where_they_hold_it() {
        let all = |make: fn(u64, usize) -> String| (0..300).map(|n| make(7, n)).collect::<Vec<_>>();
        let (uuids, ulids, ksuids) = (all(uuid), all(ulid), all(ksuid));
        for (ids, length) in [(&uuids, 36), (&ulids, 26), (&ksuids, 27)] {
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 300);
            assert!(ids.iter().all(|id| id.len() == length), "{ids:?}");
        }
        assert!(ulids.is_sorted() && ksuids.is_sorted());
        assert!(uuids.iter().all(|id| &id[14..15] == "4" && "89ab".contains(&id[19..20])), "{uuids:?}");
    }
}
