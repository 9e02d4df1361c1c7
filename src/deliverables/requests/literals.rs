//! Values in TypeScript.

use super::layout::{list, object, set};
use super::shell::ascii_controls;
use crate::requests::origin::TemplatePart;
use serde_json::Value as Json;

/// A string.
pub(super) fn string(text: &str) -> String {
    ascii_controls(&Json::String(text.to_owned()).to_string())
}

/// The name of a property.
pub(super) fn key(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name {
        // This one alone is no property where it is not computed.
        "__proto__" => String::from("[\"__proto__\"]"),
        _ if plain => name.to_owned(),
        _ => string(name),
    }
}

/// An attribute value of DynamoDB's JSON as the document client takes it, so
/// deep in what is written, and whether it needs the client's `NumberValue`. How
/// deep values nest is bounded by the types of the model.
pub(super) fn literal(value: &Json, depth: usize) -> (String, bool) {
    let Some((kind, inner)) = value.as_object().and_then(|object| object.iter().next()) else {
        return (String::from("null"), false);
    };
    let text = |value: &Json| value.as_str().map(str::to_owned).unwrap_or_default();
    let elements = || inner.as_array().into_iter().flatten();
    match kind.as_str() {
        "S" => (string(&text(inner)), false),
        "N" => number(&text(inner)),
        "B" => (binary(&text(inner)), false),
        "BOOL" => (inner.to_string(), false),
        "L" => {
            let (all, exact) = unzipped(elements().map(|element| literal(element, depth + 1)));
            (list(all, depth), exact)
        }
        "M" => {
            let entries = inner.as_object().into_iter().flatten();
            let (all, exact) = unzipped(entries.clone().map(|(_, value)| literal(value, depth + 1)));
            (object(entries.map(|(name, _)| name.as_str()).zip(all).collect(), depth, false), exact)
        }
        "SS" => (set(elements().map(|element| string(&text(element))).collect(), depth), false),
        "NS" => {
            // The client takes the kind of the first element for that of all.
            let plain = elements().all(|element| number(&text(element)).0.parse::<f64>().is_ok());
            let one = |element: &Json| if plain { number(&text(element)) } else { exact(&text(element)) };
            let (all, exact) = unzipped(elements().map(one));
            (set(all, depth), exact)
        }
        "BS" => (set(elements().map(|element| binary(&text(element))).collect(), depth), false),
        _ => (String::from("null"), false),
    }
}

fn unzipped(all: impl Iterator<Item = (String, bool)>) -> (Vec<String>, bool) {
    let (all, exact): (Vec<String>, Vec<bool>) = all.unzip();
    (all, exact.contains(&true))
}

fn binary(base64: &str) -> String {
    format!("Buffer.from({}, \"base64\")", string(base64))
}

/// The largest whole number up to which JavaScript's numbers are exact.
const SAFE: i128 = 9_007_199_254_740_991;

/// Digits that a JavaScript number holds in any case.
const DIGITS: usize = 15;

/// A number: as JavaScript has it where it loses no digit, as a bigint or the
/// client's `NumberValue` where it would.
fn number(text: &str) -> (String, bool) {
    if let Ok(whole) = text.parse::<i128>() {
        let big = if whole.abs() > SAFE { "n" } else { "" };
        return (format!("{whole}{big}"), false);
    }
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect::<String>();
    let plain = text
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite() && (*value != 0.0 || digits.chars().all(|c| c == '0')));
    match plain {
        Some(value) if digits.trim_start_matches('0').len() <= DIGITS => (format!("{value:?}"), false),
        _ => exact(text),
    }
}

/// A number of as many digits as DynamoDB takes.
fn exact(text: &str) -> (String, bool) {
    (format!("NumberValue.from({})", string(text)), true)
}

/// A template string of these parts; `hole` gives what stands in a hole.
pub(super) fn template(parts: &[TemplatePart], mut hole: impl FnMut(&TemplatePart) -> String) -> String {
    let mut out = String::from("`");
    for part in parts {
        match part {
            TemplatePart::Text(text) => out.push_str(&escaped(text)),
            TemplatePart::Hole { .. } => out.push_str(&format!("${{{}}}", hole(part))),
        }
    }
    out.push('`');
    out
}

/// Text in a template string.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    ascii_controls(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_those_of_javascript() {
        for (value, written) in [
            (json!({ "S": "say \"hi\"\n\u{202e}" }), r#""say \"hi\"\n\u202e""#),
            (json!({ "N": "12" }), "12"),
            (json!({ "N": "-0.5" }), "-0.5"),
            (json!({ "N": "1E3" }), "1000.0"),
            (json!({ "N": "12345678901234567890" }), "12345678901234567890n"),
            (json!({ "N": "0.1234567890123456789" }), r#"NumberValue.from("0.1234567890123456789")"#),
            (json!({ "B": "AAEC" }), r#"Buffer.from("AAEC", "base64")"#),
            (json!({ "BOOL": false }), "false"),
            (json!({ "NULL": true }), "null"),
            (json!({ "L": [{ "N": "1" }, { "L": [] }] }), "[1, []]"),
            (
                json!({ "M": { "a": { "S": "x" }, "it's": { "M": {} }, "__proto__": { "N": "1" } } }),
                r#"{ ["__proto__"]: 1, a: "x", "it's": {} }"#,
            ),
            (json!({ "M": { "true": { "BOOL": true }, "null": { "NULL": true } } }), "{ null: null, true: true }"),
            (json!({ "SS": ["a", "b"] }), r#"new Set(["a", "b"])"#),
            (json!({ "NS": ["1", "2.5"] }), "new Set([1, 2.5])"),
            (
                json!({ "NS": ["1", "12345678901234567890"] }),
                r#"new Set([NumberValue.from("1"), NumberValue.from("12345678901234567890")])"#,
            ),
            (json!({ "BS": ["AA=="] }), r#"new Set([Buffer.from("AA==", "base64")])"#),
        ] {
            assert_eq!(literal(&value, 0).0, written);
        }
    }

    #[test]
    fn a_template_string_holds_what_was_meant() {
        let parts = [TemplatePart::Text("A`$\\\n#".to_owned())];
        assert_eq!(template(&parts, |_| String::new()), "`A\\`\\$\\\\\\u000a#`");
    }
}
