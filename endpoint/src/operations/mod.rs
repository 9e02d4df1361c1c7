//! One function an operation: reads the request, sends it, writes the response.

mod batches;
mod items;
mod reads;
mod tables;
mod transactions;

use aws_sdk_dynamodb::Client;
use serde_json::Value;

use crate::call::{Fault, code};

/// Sends an operation. The older parameters that expressions replaced
/// (`AttributesToGet`, `Expected`, `KeyConditions` and their like) are refused
/// as unknown, and so are those of `CreateTable` that outlive a run or protect
/// the table from deletion.
pub async fn send(client: &Client, operation: &str, request: Value) -> Result<Value, Fault> {
    match operation {
        "CreateTable" => tables::create(client, request).await,
        "DescribeTable" => tables::describe(client, request).await,
        "DeleteTable" => tables::delete(client, request).await,
        "PutItem" => items::put(client, request).await,
        "GetItem" => reads::get(client, request).await,
        "UpdateItem" => items::update(client, request).await,
        "DeleteItem" => items::delete(client, request).await,
        "Query" => reads::query(client, request).await,
        "Scan" => reads::scan(client, request).await,
        "BatchGetItem" => batches::get(client, request).await,
        "BatchWriteItem" => batches::write(client, request).await,
        "TransactGetItems" => transactions::get(client, request).await,
        "TransactWriteItems" => transactions::write(client, request).await,
        _ => Err(Fault::new(code::UNKNOWN_OPERATION, format!("`{operation}` is no operation that is sent from here"))),
    }
}
