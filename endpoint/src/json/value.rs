//! Attribute values and items.

use std::collections::HashMap;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use base64_simd::STANDARD;
use serde_json::{Value, json};

use super::fields::{Read, Wrong, by_name, list, map, text, truth};

/// An item or a key: attribute names and values.
pub type Item = HashMap<String, AttributeValue>;

/// How deep values may lie in each other here. DynamoDB takes 32 levels (facts
/// L17) and says so itself; this only keeps the readers' recursion bounded.
const LEVELS: usize = 64;

/// Reads an item or a key.
pub fn item(value: Value) -> Read<Item> {
    map(value, attribute)
}

/// Reads `{"S": "text"}` and its like.
pub fn attribute(value: Value) -> Read<AttributeValue> {
    nested(value, LEVELS)
}

fn nested(value: Value, levels: usize) -> Read<AttributeValue> {
    let Some(levels) = levels.checked_sub(1) else { return Err(Wrong::new("values lie too deep in each other")) };
    let Value::Object(object) = value else {
        return Err(Wrong::new("an attribute value is wanted, like {\"S\": \"text\"}"));
    };
    let mut members = object.into_iter();
    let (Some((kind, value)), None) = (members.next(), members.next()) else {
        return Err(Wrong::new("an attribute value has exactly one type"));
    };
    Ok(match kind.as_str() {
        "S" => AttributeValue::S(text(value)?),
        "N" => AttributeValue::N(text(value)?),
        "B" => AttributeValue::B(bytes(value)?),
        "BOOL" => AttributeValue::Bool(truth(value)?),
        "NULL" => AttributeValue::Null(truth(value)?),
        "L" => AttributeValue::L(list(value, |value| nested(value, levels))?),
        "M" => AttributeValue::M(map(value, |value| nested(value, levels))?),
        "SS" => AttributeValue::Ss(list(value, text)?),
        "NS" => AttributeValue::Ns(list(value, text)?),
        "BS" => AttributeValue::Bs(list(value, bytes)?),
        _ => return Err(Wrong::new(format!("DynamoDB has no type `{kind}`"))),
    })
}

fn bytes(value: Value) -> Read<Blob> {
    let bytes = STANDARD.decode_to_vec(text(value)?).map_err(|_| Wrong::new("the bytes are not base64"))?;
    Ok(Blob::new(bytes))
}

/// Writes an item or a key.
pub fn item_json(item: &Item) -> Value {
    by_name(item, attribute_json)
}

/// Writes an attribute value.
pub fn attribute_json(value: &AttributeValue) -> Value {
    let base64 = |blob: &Blob| STANDARD.encode_to_string(blob.as_ref());
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number }),
        AttributeValue::B(blob) => json!({ "B": base64(blob) }),
        AttributeValue::Bool(truth) => json!({ "BOOL": truth }),
        AttributeValue::Null(truth) => json!({ "NULL": truth }),
        AttributeValue::L(values) => json!({ "L": values.iter().map(attribute_json).collect::<Vec<_>>() }),
        AttributeValue::M(values) => json!({ "M": item_json(values) }),
        AttributeValue::Ss(texts) => json!({ "SS": texts }),
        AttributeValue::Ns(numbers) => json!({ "NS": numbers }),
        AttributeValue::Bs(blobs) => json!({ "BS": blobs.iter().map(base64).collect::<Vec<_>>() }),
        // A type that DynamoDB may get one day. The SDK keeps nothing of its
        // value; an object without a type is no value that anybody expects.
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Fault;

    #[test]
    fn every_kind_of_value_comes_back_as_it_went() {
        let whole = json!({
            "string": {"S": "Grüße, \"\u{1F600}\"\n"},
            "empty": {"S": ""},
            "number": {"N": "-12345678901234567890123456789012345678E-130"},
            "binary": {"B": "AAEC/f7/"},
            "no bytes": {"B": ""},
            "yes": {"BOOL": true},
            "no": {"BOOL": false},
            "null": {"NULL": true},
            "strings": {"SS": ["b", "a"]},
            "numbers": {"NS": ["2", "10", "1.50"]},
            "binaries": {"BS": ["AQ==", "Ag=="]},
            "empty list": {"L": []},
            "empty map": {"M": {}},
            "list": {"L": [{"S": "x"}, {"L": [{"N": "1"}, {"M": {"deep": {"BS": ["/w=="]}}}]}, {"NULL": true}]},
            "map": {"M": {"a": {"M": {"b": {"L": [{"BOOL": false}, {"SS": ["s"]}]}}}, "M": {"S": "a type's name"}}},
        });
        let item = item(whole.clone()).expect("it can be read");
        assert_eq!(item.len(), 15);
        assert_eq!(item["binary"], AttributeValue::B(Blob::new([0, 1, 2, 0xfd, 0xfe, 0xff])));
        assert_eq!(item_json(&item), whole);
    }

    #[test]
    fn what_is_no_attribute_value_is_refused() {
        for (value, said) in [
            (json!("text"), "a: an attribute value is wanted, like {\"S\": \"text\"}"),
            (json!({}), "a: an attribute value has exactly one type"),
            (json!({"S": "x", "N": "1"}), "a: an attribute value has exactly one type"),
            (json!({"s": "x"}), "a: DynamoDB has no type `s`"),
            (json!({"N": 1}), "a: a string is wanted, and a number stands there"),
            (json!({"B": "no base64!"}), "a: the bytes are not base64"),
            (
                json!({"L": [{"S": "x"}, {"M": {"b": {"BOOL": "true"}}}]}),
                "a.1.b: true or false is wanted, and a string stands there",
            ),
        ] {
            let fault = Fault::from(item(json!({"a": value.clone()})).expect_err("it is wrong"));
            assert_eq!(fault.message, said, "{value}");
        }
    }

    #[test]
    fn values_in_values_end_somewhere() {
        let mut value = json!({"S": "x"});
        for _ in 0..LEVELS - 1 {
            value = json!({"L": [value]});
        }
        assert!(attribute(value.clone()).is_ok());
        assert!(attribute(json!({"L": [value]})).is_err());
    }
}
