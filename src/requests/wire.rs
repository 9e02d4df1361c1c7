//! Values in DynamoDB's JSON: `{"S": "text"}`, `{"N": "12"}`.

use crate::capacity::values::{Item, Value};
use serde_json::{Map, Value as Json, json};

/// An item as JSON.
pub fn item_to_json(item: &Item) -> Json {
    Json::Object(item.iter().map(|(name, value)| (name.clone(), to_json(value))).collect())
}

/// A value as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::S(text) => json!({ "S": text }),
        Value::N(number) => json!({ "N": number }),
        Value::B(bytes) => json!({ "B": base64(bytes) }),
        Value::Bool(value) => json!({ "BOOL": value }),
        Value::Null => json!({ "NULL": true }),
        Value::L(values) => json!({ "L": values.iter().map(to_json).collect::<Vec<_>>() }),
        Value::M(entries) => json!({ "M": item_to_json(entries) }),
        Value::Ss(texts) => json!({ "SS": texts }),
        Value::Ns(numbers) => json!({ "NS": numbers }),
        Value::Bs(values) => json!({ "BS": values.iter().map(|bytes| base64(bytes)).collect::<Vec<_>>() }),
    }
}

/// An item from JSON; `None` for what is none. Sets come out sorted.
pub fn item_from_json(json: &Json) -> Option<Item> {
    json.as_object()?.iter().map(|(name, value)| Some((name.clone(), from_json(value)?))).collect()
}

fn from_json(json: &Json) -> Option<Value> {
    let object: &Map<String, Json> = json.as_object()?;
    let (kind, value) = object.iter().next()?;
    let texts = || -> Option<Vec<String>> {
        let mut texts: Vec<String> =
            value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<_>>()?;
        texts.sort();
        Some(texts)
    };
    Some(match kind.as_str() {
        "S" => Value::S(value.as_str()?.to_owned()),
        "N" => Value::N(value.as_str()?.to_owned()),
        "B" => Value::B(from_base64(value.as_str()?)?),
        "BOOL" => Value::Bool(value.as_bool()?),
        "NULL" => Value::Null,
        "L" => Value::L(value.as_array()?.iter().map(from_json).collect::<Option<_>>()?),
        "M" => Value::M(item_from_json(value)?),
        "SS" => Value::Ss(texts()?),
        "NS" => Value::Ns(texts()?),
        "BS" => {
            let mut values: Vec<Vec<u8>> = texts()?.iter().map(|text| from_base64(text)).collect::<Option<_>>()?;
            values.sort();
            Value::Bs(values)
        }
        _ => return None,
    })
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base64, padded, as DynamoDB's JSON has them.
fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let index = (word >> (18 - 6 * digit)) & 63;
            out.push(if digit <= chunk.len() { ALPHABET[index as usize] as char } else { '=' });
        }
    }
    out
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut word: u32 = 0;
    let mut digits = 0;
    for c in text.bytes().filter(|c| *c != b'=') {
        word = word << 6 | ALPHABET.iter().position(|known| *known == c)? as u32;
        digits += 1;
        if digits % 4 != 1 {
            let left = 6 * digits % 8;
            bytes.push((word >> left) as u8);
            word &= (1 << left) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_went() {
        let inner = Item::from([("k".to_owned(), Value::N("-1.5".to_owned()))]);
        let item = Item::from([
            ("s".to_owned(), Value::S("é\"".to_owned())),
            ("b".to_owned(), Value::B(vec![0, 255, 7, 9])),
            ("l".to_owned(), Value::L(vec![Value::Bool(true), Value::Null, Value::M(inner)])),
            ("ss".to_owned(), Value::Ss(vec!["a".to_owned(), "b".to_owned()])),
            ("ns".to_owned(), Value::Ns(vec!["1".to_owned()])),
            ("bs".to_owned(), Value::Bs(vec![vec![1], vec![2, 3]])),
        ]);
        assert_eq!(item_from_json(&item_to_json(&item)), Some(item));
    }

    #[test]
    fn base64_is_that_of_everybody_else() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text), Some(bytes.as_bytes().to_vec()));
        }
        assert_eq!(from_base64("?"), None);
    }
}
