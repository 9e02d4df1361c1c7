//! The description of a table.

use aws_sdk_dynamodb::types::{
    GlobalSecondaryIndexDescription, LocalSecondaryIndexDescription, ProvisionedThroughputDescription, TableDescription,
};
use serde_json::{Value, json};

use super::{
    fields::{array, present},
    schema::{definitions_json, key_json, projection_json},
};

/// Writes what a table is: its state, keys and indexes, how it is paid for, and
/// how much is in it. What else an account may have set (encryption, replicas,
/// restores) is left out: no run of this program sets it.
pub fn description(table: &TableDescription) -> Value {
    present([
        ("TableName", text(table.table_name.as_deref())),
        ("TableStatus", text(table.table_status.as_ref().map(|status| status.as_str()))),
        ("TableArn", text(table.table_arn.as_deref())),
        ("TableId", text(table.table_id.as_deref())),
        ("CreationDateTime", table.creation_date_time.map(|time| json!(time.as_secs_f64()))),
        ("KeySchema", table.key_schema.as_deref().map(key_json)),
        ("AttributeDefinitions", table.attribute_definitions.as_deref().map(definitions_json)),
        ("GlobalSecondaryIndexes", table.global_secondary_indexes.as_ref().map(|all| array(all, gsi))),
        ("LocalSecondaryIndexes", table.local_secondary_indexes.as_ref().map(|all| array(all, lsi))),
        ("ProvisionedThroughput", table.provisioned_throughput.as_ref().map(throughput)),
        (
            "BillingModeSummary",
            table.billing_mode_summary.as_ref().map(|summary| {
                present([("BillingMode", text(summary.billing_mode.as_ref().map(|mode| mode.as_str())))])
            }),
        ),
        (
            "TableClassSummary",
            table.table_class_summary.as_ref().map(|summary| {
                present([("TableClass", text(summary.table_class.as_ref().map(|class| class.as_str())))])
            }),
        ),
        (
            "StreamSpecification",
            table.stream_specification.as_ref().map(|stream| {
                present([
                    ("StreamEnabled", Some(json!(stream.stream_enabled))),
                    ("StreamViewType", text(stream.stream_view_type.as_ref().map(|view| view.as_str()))),
                ])
            }),
        ),
        ("DeletionProtectionEnabled", table.deletion_protection_enabled.map(|protected| json!(protected))),
        ("TableSizeBytes", number(table.table_size_bytes)),
        ("ItemCount", number(table.item_count)),
    ])
}

fn gsi(index: &GlobalSecondaryIndexDescription) -> Value {
    present([
        ("IndexName", text(index.index_name.as_deref())),
        ("IndexStatus", text(index.index_status.as_ref().map(|status| status.as_str()))),
        ("IndexArn", text(index.index_arn.as_deref())),
        ("KeySchema", index.key_schema.as_deref().map(key_json)),
        ("Projection", index.projection.as_ref().map(projection_json)),
        ("ProvisionedThroughput", index.provisioned_throughput.as_ref().map(throughput)),
        ("IndexSizeBytes", number(index.index_size_bytes)),
        ("ItemCount", number(index.item_count)),
    ])
}

fn lsi(index: &LocalSecondaryIndexDescription) -> Value {
    present([
        ("IndexName", text(index.index_name.as_deref())),
        ("IndexArn", text(index.index_arn.as_deref())),
        ("KeySchema", index.key_schema.as_deref().map(key_json)),
        ("Projection", index.projection.as_ref().map(projection_json)),
        ("IndexSizeBytes", number(index.index_size_bytes)),
        ("ItemCount", number(index.item_count)),
    ])
}

fn throughput(units: &ProvisionedThroughputDescription) -> Value {
    present([
        ("ReadCapacityUnits", number(units.read_capacity_units)),
        ("WriteCapacityUnits", number(units.write_capacity_units)),
    ])
}

fn text(text: Option<&str>) -> Option<Value> {
    text.map(|text| json!(text))
}

fn number(number: Option<i64>) -> Option<Value> {
    number.map(|number| json!(number))
}
