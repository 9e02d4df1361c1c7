//! `GetItem`, `Query`, `Scan`.

use aws_sdk_dynamodb::{Client, types::ConsumedCapacity};
use serde_json::{Value, json};

use crate::{
    call::Fault,
    faults::fault,
    json::{
        capacity::consumed,
        fields::{array, object, present, text},
        value::{Item, attribute, item, item_json},
    },
};

pub async fn get(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .get_item()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_consistent_read(fields.truth("ConsistentRead")?)
            .set_projection_expression(fields.text("ProjectionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    Ok(present([
        ("Item", output.item.as_ref().map(item_json)),
        ("ConsumedCapacity", output.consumed_capacity.as_ref().map(consumed)),
    ]))
}

pub async fn query(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .query()
            .set_table_name(fields.text("TableName")?)
            .set_index_name(fields.text("IndexName")?)
            .set_key_condition_expression(fields.text("KeyConditionExpression")?)
            .set_filter_expression(fields.text("FilterExpression")?)
            .set_projection_expression(fields.text("ProjectionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_select(fields.choice("Select")?)
            .set_limit(fields.small("Limit")?)
            .set_scan_index_forward(fields.truth("ScanIndexForward")?)
            .set_consistent_read(fields.truth("ConsistentRead")?)
            .set_exclusive_start_key(fields.read("ExclusiveStartKey", item)?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    let counts = (output.count, output.scanned_count);
    Ok(page(output.items, counts, output.last_evaluated_key, output.consumed_capacity))
}

pub async fn scan(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .scan()
            .set_table_name(fields.text("TableName")?)
            .set_index_name(fields.text("IndexName")?)
            .set_filter_expression(fields.text("FilterExpression")?)
            .set_projection_expression(fields.text("ProjectionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_select(fields.choice("Select")?)
            .set_limit(fields.small("Limit")?)
            .set_segment(fields.small("Segment")?)
            .set_total_segments(fields.small("TotalSegments")?)
            .set_consistent_read(fields.truth("ConsistentRead")?)
            .set_exclusive_start_key(fields.read("ExclusiveStartKey", item)?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    let counts = (output.count, output.scanned_count);
    Ok(page(output.items, counts, output.last_evaluated_key, output.consumed_capacity))
}

/// What a query and a scan answer: one page of items, how many it returned and
/// how many it read before the filter.
fn page(
    items: Option<Vec<Item>>,
    (count, scanned): (i32, i32),
    last: Option<Item>,
    capacity: Option<ConsumedCapacity>,
) -> Value {
    present([
        ("Items", items.as_ref().map(|items| array(items, item_json))),
        ("Count", Some(json!(count))),
        ("ScannedCount", Some(json!(scanned))),
        ("LastEvaluatedKey", last.as_ref().map(item_json)),
        ("ConsumedCapacity", capacity.as_ref().map(consumed)),
    ])
}
