//! Reads JSON objects so that nothing in them is overlooked.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::call::{Fault, code};

/// What is wrong in a request, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The names that lead to the place, innermost first.
    path: Vec<String>,
    what: String,
}

impl Wrong {
    pub fn new(what: impl Into<String>) -> Wrong {
        Wrong { path: Vec::new(), what: what.into() }
    }

    /// The same, seen from the object or list in which it lies under `name`.
    fn within(mut self, name: &str) -> Wrong {
        self.path.push(name.to_owned());
        self
    }
}

impl From<Wrong> for Fault {
    fn from(wrong: Wrong) -> Fault {
        let path: Vec<&str> = wrong.path.iter().rev().map(String::as_str).collect();
        let at = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
        Fault::new(code::INVALID_REQUEST, format!("{at}{}", wrong.what))
    }
}

/// The SDK's builders complain about what is missing.
impl From<aws_sdk_dynamodb::error::BuildError> for Wrong {
    fn from(error: aws_sdk_dynamodb::error::BuildError) -> Wrong {
        Wrong::new(error.to_string())
    }
}

/// A part of a request, read.
pub type Read<T> = Result<T, Wrong>;

/// An object whose fields have not all been read yet.
pub struct Fields {
    rest: Map<String, Value>,
}

/// Reads an object with `read`. A field that `read` does not ask for is wrong: a
/// misspelt or unknown one must never be dropped, for the request would be
/// carried out as another than was meant.
pub fn object<T>(value: Value, read: impl FnOnce(&mut Fields) -> Read<T>) -> Read<T> {
    let Value::Object(rest) = value else { return Err(unlike("an object", &value)) };
    let mut fields = Fields { rest };
    let result = read(&mut fields)?;
    match fields.rest.keys().next() {
        Some(unknown) => Err(Wrong::new("there is no such field here").within(unknown)),
        None => Ok(result),
    }
}

/// Reads every element of a list.
pub fn list<T>(value: Value, read: impl Fn(Value) -> Read<T>) -> Read<Vec<T>> {
    let Value::Array(values) = value else { return Err(unlike("a list", &value)) };
    let element = |(at, value)| read(value).map_err(|wrong| wrong.within(&format!("{at}")));
    values.into_iter().enumerate().map(element).collect()
}

/// Reads every value of an object whose keys are free.
pub fn map<T>(value: Value, read: impl Fn(Value) -> Read<T>) -> Read<HashMap<String, T>> {
    let Value::Object(values) = value else { return Err(unlike("an object", &value)) };
    let mut read_values = HashMap::with_capacity(values.len());
    for (name, value) in values {
        let value = read(value).map_err(|wrong| wrong.within(&name))?;
        read_values.insert(name, value);
    }
    Ok(read_values)
}

/// Reads a string.
pub fn text(value: Value) -> Read<String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(unlike("a string", &other)),
    }
}

/// Reads `true` or `false`.
pub fn truth(value: Value) -> Read<bool> {
    value.as_bool().ok_or_else(|| unlike("true or false", &value))
}

/// Reads a whole number.
pub fn whole(value: Value) -> Read<i64> {
    value.as_i64().ok_or_else(|| unlike("a whole number", &value))
}

/// Reads a whole number of 32 bits.
fn small(value: Value) -> Read<i32> {
    whole(value)?.try_into().map_err(|_| Wrong::new("the number is too large"))
}

fn unlike(wanted: &str, value: &Value) -> Wrong {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Wrong::new(format!("{wanted} is wanted, and {kind} stands there"))
}

impl Fields {
    /// Reads a field with `read`; none where it is missing or null, which is the
    /// same to DynamoDB.
    pub fn read<T>(&mut self, name: &str, read: impl FnOnce(Value) -> Read<T>) -> Read<Option<T>> {
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).map_err(|wrong| wrong.within(name)),
        }
    }

    pub fn text(&mut self, name: &str) -> Read<Option<String>> {
        self.read(name, text)
    }

    pub fn truth(&mut self, name: &str) -> Read<Option<bool>> {
        self.read(name, truth)
    }

    pub fn whole(&mut self, name: &str) -> Read<Option<i64>> {
        self.read(name, whole)
    }

    pub fn small(&mut self, name: &str) -> Read<Option<i32>> {
        self.read(name, small)
    }

    /// One of the names of an enumeration. One that the SDK does not know is
    /// passed on as it stands: DynamoDB judges it.
    pub fn choice<T: for<'a> From<&'a str>>(&mut self, name: &str) -> Read<Option<T>> {
        Ok(self.text(name)?.map(|text| T::from(&text)))
    }

    pub fn list<T>(&mut self, name: &str, element: impl Fn(Value) -> Read<T>) -> Read<Option<Vec<T>>> {
        self.read(name, |value| list(value, element))
    }

    pub fn map<T>(&mut self, name: &str, element: impl Fn(Value) -> Read<T>) -> Read<Option<HashMap<String, T>>> {
        self.read(name, |value| map(value, element))
    }
}

/// An object of the fields that have a value.
pub fn present<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    Value::Object(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
}

/// A list of what `write` makes of the elements.
pub fn array<T>(values: &[T], write: impl Fn(&T) -> Value) -> Value {
    Value::Array(values.iter().map(write).collect())
}

/// An object of what `write` makes of the values.
pub fn by_name<T>(values: &HashMap<String, T>, write: impl Fn(&T) -> Value) -> Value {
    Value::Object(values.iter().map(|(name, value)| (name.clone(), write(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said<T: std::fmt::Debug>(read: Read<T>) -> String {
        Fault::from(read.expect_err("it is wrong")).message
    }

    #[test]
    fn a_field_that_nobody_asks_for_is_refused() {
        let read = object(json!({"TableName": "a", "Tablename": "b"}), |fields| fields.text("TableName"));
        assert_eq!(said(read), "Tablename: there is no such field here");
    }

    #[test]
    fn null_is_no_value() {
        let read = object(json!({"Limit": null}), |fields| fields.small("Limit"));
        assert_eq!(read, Ok(None));
    }

    #[test]
    fn a_fault_names_its_place() {
        let read = object(json!({"Keys": [{"a": "x"}, {"b": 7}]}), |fields| {
            fields.list("Keys", |key| map(key, text)).map(|keys| keys.map(|keys| keys.len()))
        });
        assert_eq!(said(read), "Keys.1.b: a string is wanted, and a number stands there");
    }

    #[test]
    fn numbers_keep_to_their_bounds() {
        let small = |value| object(json!({"n": value}), |fields| fields.small("n"));
        assert_eq!(small(json!(2_147_483_647)), Ok(Some(i32::MAX)));
        assert_eq!(said(small(json!(2_147_483_648_i64))), "n: the number is too large");
        assert_eq!(said(small(json!(1.5))), "n: a whole number is wanted, and a number stands there");
    }
}
