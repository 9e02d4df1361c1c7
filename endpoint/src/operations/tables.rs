//! `CreateTable`, `DescribeTable`, `DeleteTable`.

use aws_sdk_dynamodb::{
    Client,
    config::{Config, retry::RetryConfig},
};
use serde_json::Value;

use crate::{
    call::Fault,
    faults::fault,
    json::{
        fields::{object, present},
        schema::{definition, gsi, key_element, lsi, on_demand, provisioned, stream, tag},
        table::description,
    },
};

/// Sent once only. A second attempt after an answer that got lost would be told
/// that the table is there, and nobody could say any more whose it is.
pub async fn create(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| {
        Ok(client
            .create_table()
            .set_table_name(fields.text("TableName")?)
            .set_attribute_definitions(fields.list("AttributeDefinitions", definition)?)
            .set_key_schema(fields.list("KeySchema", key_element)?)
            .set_global_secondary_indexes(fields.list("GlobalSecondaryIndexes", gsi)?)
            .set_local_secondary_indexes(fields.list("LocalSecondaryIndexes", lsi)?)
            .set_billing_mode(fields.choice("BillingMode")?)
            .set_provisioned_throughput(fields.read("ProvisionedThroughput", provisioned)?)
            .set_on_demand_throughput(fields.read("OnDemandThroughput", on_demand)?)
            .set_table_class(fields.choice("TableClass")?)
            .set_stream_specification(fields.read("StreamSpecification", stream)?)
            .set_tags(fields.list("Tags", tag)?))
    })?;
    let once = Config::builder().retry_config(RetryConfig::disabled());
    let output = call.customize().config_override(once).send().await.map_err(fault)?;
    Ok(present([("TableDescription", output.table_description.as_ref().map(description))]))
}

pub async fn describe(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| Ok(client.describe_table().set_table_name(fields.text("TableName")?)))?;
    let output = call.send().await.map_err(fault)?;
    Ok(present([("Table", output.table.as_ref().map(description))]))
}

pub async fn delete(client: &Client, request: Value) -> Result<Value, Fault> {
    let call = object(request, |fields| Ok(client.delete_table().set_table_name(fields.text("TableName")?)))?;
    let output = call.send().await.map_err(fault)?;
    Ok(present([("TableDescription", output.table_description.as_ref().map(description))]))
}
