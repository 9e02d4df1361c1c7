//! A checker of JSON by a JSON Schema, for the schemas that the tests use: that of
//! SARIF (draft 4) and our own (draft 7). A keyword that it does not know makes it
//! fail, so that nothing passes unchecked.
//!
//! The crates that do this completely pull features of other crates with them
//! that make cargo compile half of the tree anew.

use regex_lite::Regex;
use serde_json::Value;

/// Keywords that say nothing about what is allowed.
const WORDS: [&str; 8] = ["$schema", "id", "title", "description", "default", "definitions", "examples", "format"];

/// What a schema has against a value: where, and why.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    Checker { root: schema }.check(schema, value, "", &mut errors);
    errors
}

struct Checker<'s> {
    root: &'s Value,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let Some(schema) = schema.as_object() else { panic!("{schema} is no schema") };
        for (keyword, bound) in schema {
            let mut wrong = |what: String| errors.push(format!("{at}: {what}"));
            let length = || value.as_str().map(|text| text.chars().count() as u64);
            let count = || value.as_array().map(|list| list.len() as u64);
            match keyword.as_str() {
                word if WORDS.contains(&word) => {}
                "$ref" => {
                    let path = bound.as_str().and_then(|path| path.strip_prefix('#')).expect("a place in the schema");
                    let target = self.root.pointer(path).unwrap_or_else(|| panic!("there is no {path}"));
                    self.check(target, value, at, errors);
                }
                "type" => {
                    let types = bound.as_array().cloned().unwrap_or_else(|| vec![bound.clone()]);
                    if !types.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
                        wrong(format!("{value} is not of type {bound}"));
                    }
                }
                "enum" if !bound.as_array().unwrap().contains(value) => wrong(format!("{value} is none of {bound}")),
                "enum" => {}
                "pattern" => {
                    let pattern = Regex::new(bound.as_str().unwrap()).expect("a pattern");
                    if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                        wrong(format!("{value} does not match {bound}"));
                    }
                }
                "minimum" if value.as_f64().is_some_and(|n| n < bound.as_f64().unwrap()) => {
                    wrong("too small".to_owned())
                }
                "maximum" if value.as_f64().is_some_and(|n| n > bound.as_f64().unwrap()) => {
                    wrong("too large".to_owned())
                }
                "exclusiveMinimum" if value.as_f64().is_some_and(|n| n <= bound.as_f64().unwrap()) => {
                    wrong("too small".to_owned())
                }
                "propertyNames" => {
                    for name in value.as_object().into_iter().flat_map(|object| object.keys()) {
                        self.check(bound, &Value::from(name.as_str()), &format!("{at}/{name}"), errors);
                    }
                }
                "minLength" if length().is_some_and(|n| n < bound.as_u64().unwrap()) => wrong("too short".to_owned()),
                "minItems" if count().is_some_and(|n| n < bound.as_u64().unwrap()) => wrong("too few".to_owned()),
                "maxItems" if count().is_some_and(|n| n > bound.as_u64().unwrap()) => wrong("too many".to_owned()),
                "minimum" | "maximum" | "exclusiveMinimum" | "minLength" | "minItems" | "maxItems" => {}
                "uniqueItems" => {
                    let list = value.as_array().map_or(&[][..], Vec::as_slice);
                    if bound == true && list.iter().enumerate().any(|(index, one)| list[..index].contains(one)) {
                        wrong("one thing twice".to_owned());
                    }
                }
                "items" => {
                    for (index, one) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(bound, one, &format!("{at}/{index}"), errors);
                    }
                }
                "required" => {
                    for name in bound.as_array().unwrap().iter().map(|name| name.as_str().unwrap()) {
                        if value.as_object().is_some_and(|object| !object.contains_key(name)) {
                            errors.push(format!("{at}: there is no {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, schema) in bound.as_object().unwrap() {
                        if let Some(one) = value.get(name) {
                            self.check(schema, one, &format!("{at}/{name}"), errors);
                        }
                    }
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    for (name, one) in value.as_object().into_iter().flatten() {
                        if known.is_some_and(|known| known.contains_key(name)) || bound == true {
                            continue;
                        }
                        match bound == false {
                            true => errors.push(format!("{at}: {name} is not known")),
                            false => self.check(bound, one, &format!("{at}/{name}"), errors),
                        }
                    }
                }
                "oneOf" | "anyOf" | "allOf" => {
                    let all = bound.as_array().unwrap();
                    let fits = |schema: &&Value| {
                        let mut own = Vec::new();
                        self.check(schema, value, at, &mut own);
                        own.is_empty()
                    };
                    let fitting = all.iter().filter(fits).count();
                    let is_right = match keyword.as_str() {
                        "oneOf" => fitting == 1,
                        "anyOf" => fitting > 0,
                        _ => fitting == all.len(),
                    };
                    if !is_right {
                        errors.push(format!("{at}: {fitting} of {} in {keyword} fit {value}", all.len()));
                    }
                }
                "not" => {
                    let mut own = Vec::new();
                    self.check(bound, value, at, &mut own);
                    if own.is_empty() {
                        errors.push(format!("{at}: {value} is what it must not be"));
                    }
                }
                other => panic!("{at}: the keyword {other} is not known here"),
            }
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("there is no type {other}"),
    }
}
