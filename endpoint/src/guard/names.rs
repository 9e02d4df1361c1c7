//! Where the names of tables stand in requests and responses.

use serde_json::{Map, Value};

use crate::call::{Fault, code};

/// Replaces every table's name in a request by what `full` makes of it.
///
/// # Errors
/// What `full` refuses; and an operation or a request of which it is not known
/// where all its tables are named.
pub fn prefix(operation: &str, request: &mut Value, full: impl Fn(&str) -> Result<String, Fault>) -> Result<(), Fault> {
    match operation {
        "CreateTable" | "DescribeTable" | "DeleteTable" | "PutItem" | "GetItem" | "UpdateItem" | "DeleteItem"
        | "Query" | "Scan" => one(request, &full),
        "BatchGetItem" | "BatchWriteItem" => {
            let Some(Value::Object(tables)) = request.get_mut("RequestItems") else {
                return Err(invalid("RequestItems is missing"));
            };
            *tables = renamed(tables, |name| full(name))?;
            Ok(())
        }
        "TransactGetItems" | "TransactWriteItems" => {
            let Some(Value::Array(steps)) = request.get_mut("TransactItems") else {
                return Err(invalid("TransactItems is missing"));
            };
            for step in steps {
                let Value::Object(step) = step else { return Err(invalid("a step has to be an object")) };
                step.values_mut().try_for_each(|step| one(step, &full))?;
            }
            Ok(())
        }
        _ => Err(Fault::new(
            code::UNKNOWN_OPERATION,
            format!("`{operation}` is not let through: it is not known which tables it touches"),
        )),
    }
}

fn one(request: &mut Value, full: &impl Fn(&str) -> Result<String, Fault>) -> Result<(), Fault> {
    match request.get_mut("TableName") {
        Some(Value::String(name)) => *name = full(name)?,
        _ => return Err(invalid("TableName is missing")),
    }
    Ok(())
}

fn invalid(what: &str) -> Fault {
    Fault::new(code::INVALID_REQUEST, what)
}

fn renamed(
    tables: &mut Map<String, Value>,
    name: impl Fn(&str) -> Result<String, Fault>,
) -> Result<Map<String, Value>, Fault> {
    std::mem::take(tables).into_iter().map(|(table, value)| Ok((name(&table)?, value))).collect()
}

/// Takes the prefix away from every table's name in a response. Items are left
/// alone, whatever stands in them.
pub fn strip(response: &mut Value, prefix: &str) {
    let bare = |name: &str| name.strip_prefix(prefix).unwrap_or(name).to_owned();
    let Value::Object(response) = response else { return };
    for (field, value) in response {
        match (field.as_str(), value) {
            ("Table" | "TableDescription" | "ConsumedCapacity", Value::Object(part)) => strip_name(part, bare),
            ("ConsumedCapacity", Value::Array(parts)) => {
                parts.iter_mut().filter_map(Value::as_object_mut).for_each(|part| strip_name(part, bare));
            }
            // The metrics of a call to one table are no object of tables, but
            // have no names that begin with the prefix either.
            ("Responses" | "UnprocessedKeys" | "UnprocessedItems" | "ItemCollectionMetrics", Value::Object(tables)) => {
                *tables = std::mem::take(tables).into_iter().map(|(table, value)| (bare(&table), value)).collect();
            }
            _ => {}
        }
    }
}

fn strip_name(part: &mut Map<String, Value>, bare: impl Fn(&str) -> String) {
    if let Some(Value::String(name)) = part.get_mut("TableName") {
        *name = bare(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn prefixed(operation: &str, mut request: Value) -> Result<Value, Fault> {
        prefix(operation, &mut request, |name| Ok(format!("x-{name}"))).map(|()| request)
    }

    #[test]
    fn names_are_found_wherever_an_operation_has_them() {
        let item = json!({"TableName": {"S": "A"}});
        assert_eq!(
            prefixed("PutItem", json!({"TableName": "A", "Item": item})),
            Ok(json!({"TableName": "x-A", "Item": item}))
        );
        assert_eq!(
            prefixed("BatchGetItem", json!({"RequestItems": {"A": {"Keys": [item]}, "B": {"Keys": []}}})),
            Ok(json!({"RequestItems": {"x-A": {"Keys": [item]}, "x-B": {"Keys": []}}}))
        );
        assert_eq!(
            prefixed(
                "TransactWriteItems",
                json!({"TransactItems": [{"Put": {"TableName": "A"}}, {"ConditionCheck": {"TableName": "B"}}]})
            ),
            Ok(json!({"TransactItems": [{"Put": {"TableName": "x-A"}}, {"ConditionCheck": {"TableName": "x-B"}}]}))
        );
    }

    #[test]
    fn a_request_without_its_names_is_not_let_through() {
        for (operation, request) in [
            ("Query", json!({})),
            ("Query", json!({"TableName": 7})),
            ("Query", json!("A")),
            ("BatchWriteItem", json!({"TableName": "A"})),
            ("BatchWriteItem", json!({"RequestItems": []})),
            ("TransactGetItems", json!({"TransactItems": {}})),
            ("TransactGetItems", json!({"TransactItems": [{"Get": {}}]})),
            ("TransactGetItems", json!({"TransactItems": ["A"]})),
            ("UpdateTable", json!({"TableName": "A"})),
            ("ListTables", json!({})),
        ] {
            assert!(prefixed(operation, request.clone()).is_err(), "{operation} {request}");
        }
    }

    #[test]
    fn responses_bear_the_names_that_were_asked_for() {
        let mut response = json!({
            "ConsumedCapacity": [{"TableName": "x-A", "Table": {"CapacityUnits": 1.0}}, {"TableName": "x-B"}],
            "Responses": {"x-A": [{"TableName": {"S": "x-A"}}]},
            "UnprocessedKeys": {"x-B": {"Keys": []}},
        });
        strip(&mut response, "x-");
        assert_eq!(
            response,
            json!({
                "ConsumedCapacity": [{"TableName": "A", "Table": {"CapacityUnits": 1.0}}, {"TableName": "B"}],
                "Responses": {"A": [{"TableName": {"S": "x-A"}}]},
                "UnprocessedKeys": {"B": {"Keys": []}},
            })
        );
        let mut items = json!({"Items": [{"TableName": {"S": "x-A"}}], "ConsumedCapacity": {"TableName": "x-A"}});
        strip(&mut items, "x-");
        assert_eq!(items, json!({"Items": [{"TableName": {"S": "x-A"}}], "ConsumedCapacity": {"TableName": "A"}}));
    }
}
