//! `TransactGetItems`, `TransactWriteItems`.

use aws_sdk_dynamodb::{
    Client,
    operation::{transact_get_items::TransactGetItemsError, transact_write_items::TransactWriteItemsError},
    types::{CancellationReason, ConditionCheck, Delete, Get, Put, TransactGetItem, TransactWriteItem, Update},
};
use serde_json::Value;

use crate::{
    call::Fault,
    faults::fault,
    json::{
        capacity::{collections_by_table, consumed_by_table},
        fields::{Read, array, object, present, text},
        value::{attribute, item, item_json},
    },
};

pub async fn get(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .transact_get_items()
            .set_transact_items(fields.list("TransactItems", get_step)?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?))
    })?;
    let output = call.send().await.map_err(|error| {
        let reasons = match error.as_service_error() {
            Some(TransactGetItemsError::TransactionCanceledException(cancelled)) => {
                tell(cancelled.cancellation_reasons())
            }
            _ => String::new(),
        };
        with(fault(error), &reasons)
    })?;
    let response =
        |response: &aws_sdk_dynamodb::types::ItemResponse| present([("Item", response.item.as_ref().map(item_json))]);
    Ok(present([
        ("Responses", output.responses.as_ref().map(|all| array(all, response))),
        ("ConsumedCapacity", consumed_by_table(&output.consumed_capacity)),
    ]))
}

/// Without a `ClientRequestToken` the SDK makes one, so that an attempt after a
/// lost answer is not carried out twice.
pub async fn write(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .transact_write_items()
            .set_transact_items(fields.list("TransactItems", write_step)?)
            .set_client_request_token(fields.text("ClientRequestToken")?)
            .set_return_consumed_capacity(fields.choice("ReturnConsumedCapacity")?)
            .set_return_item_collection_metrics(fields.choice("ReturnItemCollectionMetrics")?))
    })?;
    let output = call.send().await.map_err(|error| {
        let reasons = match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                tell(cancelled.cancellation_reasons())
            }
            _ => String::new(),
        };
        with(fault(error), &reasons)
    })?;
    Ok(present([
        ("ItemCollectionMetrics", collections_by_table(&output.item_collection_metrics)),
        ("ConsumedCapacity", consumed_by_table(&output.consumed_capacity)),
    ]))
}

/// Which steps a transaction was cancelled for, counted from 1, and why.
fn tell(reasons: &[CancellationReason]) -> String {
    let reason = |(at, reason): (usize, &CancellationReason)| {
        let code = reason.code().filter(|code| *code != "None")?;
        let message = reason.message().map(|message| format!(" ({message})")).unwrap_or_default();
        Some(format!("step {}: {code}{message}", at + 1))
    };
    reasons.iter().enumerate().filter_map(reason).collect::<Vec<_>>().join("; ")
}

fn with(mut fault: Fault, reasons: &str) -> Fault {
    if !reasons.is_empty() {
        fault.message = format!("{} – {reasons}", fault.message);
    }
    fault
}

fn get_step(value: Value) -> Read<TransactGetItem> {
    let get = |value| {
        object(value, |fields| {
            Ok(Get::builder()
                .set_table_name(fields.text("TableName")?)
                .set_key(fields.read("Key", item)?)
                .set_projection_expression(fields.text("ProjectionExpression")?)
                .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
                .build()?)
        })
    };
    object(value, |fields| Ok(TransactGetItem::builder().set_get(fields.read("Get", get)?).build()))
}

fn write_step(value: Value) -> Read<TransactWriteItem> {
    object(value, |fields| {
        Ok(TransactWriteItem::builder()
            .set_put(fields.read("Put", put)?)
            .set_update(fields.read("Update", update)?)
            .set_delete(fields.read("Delete", delete)?)
            .set_condition_check(fields.read("ConditionCheck", check)?)
            .build())
    })
}

fn put(value: Value) -> Read<Put> {
    object(value, |fields| {
        Ok(Put::builder()
            .set_table_name(fields.text("TableName")?)
            .set_item(fields.read("Item", item)?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .build()?)
    })
}

fn update(value: Value) -> Read<Update> {
    object(value, |fields| {
        Ok(Update::builder()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_update_expression(fields.text("UpdateExpression")?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .build()?)
    })
}

fn delete(value: Value) -> Read<Delete> {
    object(value, |fields| {
        Ok(Delete::builder()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .build()?)
    })
}

fn check(value: Value) -> Read<ConditionCheck> {
    object(value, |fields| {
        Ok(ConditionCheck::builder()
            .set_table_name(fields.text("TableName")?)
            .set_key(fields.read("Key", item)?)
            .set_condition_expression(fields.text("ConditionExpression")?)
            .set_expression_attribute_names(fields.map("ExpressionAttributeNames", text)?)
            .set_expression_attribute_values(fields.map("ExpressionAttributeValues", attribute)?)
            .set_return_values_on_condition_check_failure(fields.choice("ReturnValuesOnConditionCheckFailure")?)
            .build()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_steps_that_cancelled_are_told() {
        let reason = |code: &str| CancellationReason::builder().code(code);
        let reasons = [
            reason("None").build(),
            reason("ConditionalCheckFailed").message("The conditional request failed").build(),
            reason("TransactionConflict").build(),
        ];
        let told = "step 2: ConditionalCheckFailed (The conditional request failed); step 3: TransactionConflict";
        assert_eq!(tell(&reasons), told);
        let fault = with(Fault::new("TransactionCanceledException", "Transaction cancelled"), &tell(&reasons));
        assert_eq!(fault.message, format!("Transaction cancelled – {told}"));
    }

    #[test]
    fn every_kind_of_step_is_read() {
        let key = json!({"pk": {"S": "a"}});
        let step = write_step(json!({
            "Put": {"TableName": "T", "Item": key},
            "Update": {"TableName": "T", "Key": key, "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"N": "1"}}},
            "Delete": {"TableName": "T", "Key": key, "ConditionExpression": "attribute_exists(pk)"},
            "ConditionCheck": {"TableName": "T", "Key": key, "ConditionExpression": "attribute_exists(pk)"},
        }))
        .expect("it can be read");
        assert!(step.put.is_some() && step.update.is_some() && step.delete.is_some() && step.condition_check.is_some());
        // A check without a condition checks nothing.
        assert!(write_step(json!({"ConditionCheck": {"TableName": "T", "Key": key}})).is_err());
        assert!(write_step(json!({"Get": {"TableName": "T", "Key": key}})).is_err());
        assert!(get_step(json!({"Get": {"TableName": "T", "Key": key, "ConsistentRead": true}})).is_err());
    }
}
