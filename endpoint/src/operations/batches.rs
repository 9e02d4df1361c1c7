//! `BatchGetItem`, `BatchWriteItem`. What DynamoDB left undone is passed on in
//! the shape of a request, as it came: asking again is the caller's business.

use aws_sdk_dynamodb::{
    Client,
    types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest},
};
use serde_json::{Value, json};

use crate::{
    call::Fault,
    faults::fault,
    json::{
        capacity::{collections_by_table, consumed_by_table},
        fields::{Read, array, by_name, list, object, present, text},
        value::{item, item_json},
    },
};

pub async fn get(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .batch_get_item()
            .set_request_items(fields.map("RequestItems", keys)?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    Ok(present([
        ("Responses", output.responses.as_ref().map(|tables| by_name(tables, |items| array(items, item_json)))),
        ("UnprocessedKeys", output.unprocessed_keys.as_ref().map(|tables| by_name(tables, keys_json))),
        ("ConsumedCapacity", consumed_by_table(&output.consumed_capacity)),
    ]))
}

pub async fn write(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .batch_write_item()
            .set_request_items(fields.map("RequestItems", |writes| list(writes, write_request))?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?)
            .set_return_item_collection_metrics(fields.choice("ReturnItemCollectionMetrics")?))
    })?;
    let output = call.send().await.map_err(fault)?;
    let left = output.unprocessed_items.as_ref();
    Ok(present([
        ("UnprocessedItems", left.map(|tables| by_name(tables, |writes| array(writes, write_json)))),
        ("ItemCollectionMetrics", collections_by_table(&output.item_collection_metrics)),
        ("ConsumedCapacity", consumed_by_table(&output.consumed_capacity)),
    ]))
}

fn keys(value: Value) -> Read<KeysAndAttributes> {
    object(value, |fields| {
        Ok(KeysAndAttributes::builder()
            .set_keys(fields.list("Keys", item)?)
            .set_consistent_read(fields.truth("ConsistentRead")?)
            .set_projection_expression(fields.text("ProjectionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .build()?)
    })
}

fn keys_json(keys: &KeysAndAttributes) -> Value {
    present([
        ("Keys", Some(array(&keys.keys, item_json))),
        ("ConsistentRead", keys.consistent_read.map(|consistent| json!(consistent))),
        ("ProjectionExpression", keys.projection_expression.as_ref().map(|expression| json!(expression))),
        ("ExpressionAttributeNames", keys.expression_attribute_names.as_ref().map(|names| json!(names))),
    ])
}

fn write_request(value: Value) -> Read<WriteRequest> {
    let put = |value| object(value, |fields| Ok(PutRequest::builder().set_item(fields.read("Item", item)?).build()?));
    let delete =
        |value| object(value, |fields| Ok(DeleteRequest::builder().set_key(fields.read("Key", item)?).build()?));
    object(value, |fields| {
        Ok(WriteRequest::builder()
            .set_put_request(fields.read("PutRequest", put)?)
            .set_delete_request(fields.read("DeleteRequest", delete)?)
            .build())
    })
}

fn write_json(write: &WriteRequest) -> Value {
    present([
        ("PutRequest", write.put_request.as_ref().map(|put| json!({"Item": item_json(&put.item)}))),
        ("DeleteRequest", write.delete_request.as_ref().map(|delete| json!({"Key": item_json(&delete.key)}))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_undone_can_be_asked_again() {
        let left = json!({
            "Keys": [{"pk": {"S": "a"}, "sk": {"N": "1"}}],
            "ConsistentRead": true,
            "ProjectionExpression": "#n",
            "ExpressionAttributeNames": {"#n": "name"},
        });
        assert_eq!(keys(left.clone()).map(|keys| keys_json(&keys)), Ok(left));
        for write in [
            json!({"PutRequest": {"Item": {"pk": {"B": "AQ=="}}}}),
            json!({"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}),
        ] {
            assert_eq!(write_request(write.clone()).map(|read| write_json(&read)), Ok(write));
        }
    }
}
