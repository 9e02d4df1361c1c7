//! `PutItem`, `UpdateItem`, `DeleteItem`.

use aws_sdk_dynamodb::{
    Client,
    types::{ConsumedCapacity, ItemCollectionMetrics},
};
use serde_json::Value;

use crate::{
    call::Fault,
    faults::fault,
    json::{
        capacity::{collection, consumed},
        fields::{object, present, text},
        value::{Item, attribute, item, item_json},
    },
};

pub async fn put(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .put_item()
            .set_table_name(fields.text("TableName")?)
            .set_item(fields.read("Item", item)?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values(fields.choice("ReturnValues")?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?)
            .set_return_item_collection_metrics(fields.choice("ReturnItemCollectionMetrics")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    Ok(written(output.attributes, output.consumed_capacity, output.item_collection_metrics))
}

pub async fn update(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .update_item()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_update_expression(fields.text("UpdateExpression")?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values(fields.choice("ReturnValues")?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?)
            .set_return_item_collection_metrics(fields.choice("ReturnItemCollectionMetrics")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    Ok(written(output.attributes, output.consumed_capacity, output.item_collection_metrics))
}

pub async fn delete(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .delete_item()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values(fields.choice("ReturnValues")?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?)
            .set_return_item_collection_metrics(fields.choice("ReturnItemCollectionMetrics")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    Ok(written(output.attributes, output.consumed_capacity, output.item_collection_metrics))
}

/// What all three answer.
fn written(
    attributes: Option<Item>,
    capacity: Option<ConsumedCapacity>,
    metrics: Option<ItemCollectionMetrics>,
) -> Value {
    present([
        ("Attributes", attributes.as_ref().map(item_json)),
        ("ConsumedCapacity", capacity.as_ref().map(consumed)),
        ("ItemCollectionMetrics", metrics.as_ref().map(collection)),
    ])
}
