//! Finding out where an engine departs from DynamoDB that nobody knows yet.

use super::engine::{Engine, EngineFault, Quirk};
use serde_json::{Value, json};

/// Tries what engines are known to do otherwise, on tables of its own, and tells
/// which of it this one does. The tables are deleted again; their names begin
/// with the prefix.
///
/// # Errors
/// What the engine refuses although every DynamoDB does it.
pub fn quirks(engine: &dyn Engine, prefix: &str) -> Result<Vec<Quirk>, EngineFault> {
    let mut found = Vec::new();
    let table = format!("{prefix}probe");
    engine.call("CreateTable", &table_request(&table, &["a"]))?;
    let charged = transaction(engine, &table);
    engine.call("DeleteTable", &json!({ "TableName": table }))?;
    if charged? != 1.0 {
        found.push(Quirk::TransactionsMiscounted);
    }
    let table = format!("{prefix}probe-2");
    match engine.call("CreateTable", &table_request(&table, &["a", "b"])) {
        Ok(_) => engine.call("DeleteTable", &json!({ "TableName": table })).map(drop)?,
        Err(fault) if fault.code == "ValidationException" => found.push(Quirk::NoMultiAttributeKeys),
        Err(fault) => return Err(fault),
    }
    Ok(found)
}

/// A table with an index whose partition key has these attributes.
fn table_request(table: &str, partition: &[&str]) -> Value {
    let names = ["id"].iter().chain(partition);
    let definitions: Vec<Value> = names.map(|name| json!({ "AttributeName": name, "AttributeType": "S" })).collect();
    let schema = |names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| json!({ "AttributeName": name, "KeyType": "HASH" })).collect()
    };
    json!({
        "TableName": table,
        "AttributeDefinitions": definitions,
        "KeySchema": schema(&["id"]),
        "BillingMode": "PAY_PER_REQUEST",
        "GlobalSecondaryIndexes": [{
            "IndexName": "probed",
            "KeySchema": schema(partition),
            "Projection": { "ProjectionType": "ALL" },
        }],
    })
}

/// Write units that an index is charged for a small item put in a transaction:
/// one (facts 3.5).
fn transaction(engine: &dyn Engine, table: &str) -> Result<f64, EngineFault> {
    let put = json!({ "Put": { "TableName": table, "Item": { "id": { "S": "1" }, "a": { "S": "1" } } } });
    let request = json!({ "TransactItems": [put], "ReturnConsumedCapacity": "INDEXES" });
    let answer = engine.call("TransactWriteItems", &request)?;
    let capacity = &answer["ConsumedCapacity"][0]["GlobalSecondaryIndexes"]["probed"];
    let units = capacity["WriteCapacityUnits"].as_f64().or(capacity["CapacityUnits"].as_f64());
    Ok(units.unwrap_or(0.0))
}
