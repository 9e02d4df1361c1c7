//! Comparisons, filters and write conditions that fit the types of what they
//! compare.

use super::plan::{Attribute, Type};
use super::rng::Rng;

/// A comparison for `filter`; its operands are literals or parameters.
fn comparison(rng: &mut Rng, attribute: &Attribute) -> String {
    let name = &attribute.name;
    let any = |rng: &mut Rng, all: &[String]| rng.pick(all).clone();
    if attribute.optional && rng.chance(40) {
        return any(rng, &[format!("exists({name})"), format!("not_exists({name})")]);
    }
    let choices = match &attribute.ty {
        Type::Number => vec![
            format!("{name} >= 10"),
            format!("{name} between 1 and 500"),
            format!("{name} <> 0"),
            format!("{name} < :{name}"),
            format!("{name} in (1, 2, 3)"),
            format!("{name} > -5"),
        ],
        Type::Enum(values) if values.len() == 1 => vec![format!("{name} = \"{}\"", values[0])],
        Type::Enum(values) => {
            let (first, last) = (&values[0], &values[values.len() - 1]);
            vec![
                format!("{name} = \"{first}\""),
                format!("{name} <> \"{last}\""),
                format!("{name} in (\"{first}\", \"{last}\")"),
                format!("{name} = :{name}"),
            ]
        }
        Type::Boolean => vec![format!("{name} = true"), format!("{name} <> true"), format!("not {name} = false")],
        Type::Timestamp => vec![format!("{name} > :{name}"), format!("{name} begins_with \"2026-\"")],
        Type::Epoch => vec![format!("{name} > :now"), format!("{name} >= 1_700_000_000")],
        Type::Text => vec![
            format!("{name} contains \"a\""),
            format!("{name} begins_with :prefix"),
            format!("{name} = :{name}"),
            format!("not {name} contains \"x\""),
        ],
        Type::Uuid | Type::Ulid | Type::Ksuid => vec![format!("{name} = :{name}"), format!("{name} <> :{name}")],
        Type::List(Some("number")) | Type::Set("number") => vec![format!("{name} contains 7")],
        Type::List(Some(_)) | Type::Set("string") => vec![format!("{name} contains \"a\"")],
        Type::List(None) | Type::Set(_) => vec![format!("{name} contains :element")],
        Type::Binary | Type::Map => vec![format!("exists({name})")],
    };
    any(rng, &choices)
}

/// `filter a = 1 and (b < 2 or c = 3) keeping 40%`, of these attributes.
pub fn filter(rng: &mut Rng, attributes: &[&Attribute]) -> Option<String> {
    let wanted = rng.between(1, 3) as usize;
    let chosen = rng.some(attributes, wanted);
    let compared: Vec<String> = chosen.into_iter().map(|attribute| comparison(rng, attribute)).collect();
    let conditions = match compared.as_slice() {
        [] => return None,
        [one] => one.clone(),
        [a, b] => format!("{a} {} {b}", rng.pick(&["and", "or"])),
        [a, rest @ ..] => format!("{a} and ({})", rest.join(" or ")),
    };
    let keeping = if rng.chance(75) { format!(" keeping {}%", rng.pick(&[15, 30, 50, 80])) } else { String::new() };
    Some(format!("filter {conditions}{keeping}"))
}

/// A condition on an item that is there. It compares with what the caller
/// supplies, now and then with a literal.
pub fn existing(rng: &mut Rng, attributes: &[&Attribute]) -> String {
    let one_value = |ty: &Type| matches!(ty, Type::Enum(values) if values.len() == 1);
    let fits = |a: &&&Attribute| a.ty.is_key() && !a.id && !a.optional && !one_value(&a.ty);
    let comparable: Vec<&Attribute> = attributes.iter().filter(fits).copied().collect();
    let Some(attribute) = rng.any(&comparable).filter(|_| rng.chance(60)) else { return " if exists".to_owned() };
    let name = &attribute.name;
    match &attribute.ty {
        Type::Enum(values) if rng.chance(30) => format!(" if {name} = \"{}\"", rng.pick(values)),
        Type::Number | Type::Timestamp => match rng.between(0, 2) {
            0 => format!(" if {name} >= :least"),
            1 => format!(" if exists({name}) and {name} <= :most"),
            _ => format!(" if {name} = :{name}"),
        },
        _ => format!(" if {name} = :{name}"),
    }
}

/// A condition on an item that is not there yet, in one of the ways to say it.
pub fn missing(rng: &mut Rng, key: &str, certain: bool) -> String {
    match rng.between(0, 9) {
        0..=1 => format!(" if not_exists({key})"),
        2..=4 if !certain => String::new(),
        _ => " if not_exists".to_owned(),
    }
}
