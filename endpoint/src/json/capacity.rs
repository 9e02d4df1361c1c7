//! What a call consumed.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{Capacity, ConsumedCapacity, ItemCollectionMetrics};
use serde_json::{Value, json};

use super::{
    fields::{array, by_name, present},
    value::item_json,
};

/// Writes the consumed units of a call: in all, of the table, and of each index
/// that took part.
pub fn consumed(capacity: &ConsumedCapacity) -> Value {
    let indexes = |indexes: &Option<HashMap<String, Capacity>>| indexes.as_ref().map(|all| by_name(all, part));
    present([
        ("TableName", capacity.table_name.as_ref().map(|name| json!(name))),
        ("CapacityUnits", units(capacity.capacity_units)),
        ("ReadCapacityUnits", units(capacity.read_capacity_units)),
        ("WriteCapacityUnits", units(capacity.write_capacity_units)),
        ("Table", capacity.table.as_ref().map(part)),
        ("LocalSecondaryIndexes", indexes(&capacity.local_secondary_indexes)),
        ("GlobalSecondaryIndexes", indexes(&capacity.global_secondary_indexes)),
    ])
}

/// Writes the consumed units of a call that can touch several tables.
pub fn consumed_by_table(capacities: &Option<Vec<ConsumedCapacity>>) -> Option<Value> {
    capacities.as_ref().map(|all| array(all, consumed))
}

fn part(capacity: &Capacity) -> Value {
    present([
        ("CapacityUnits", units(capacity.capacity_units)),
        ("ReadCapacityUnits", units(capacity.read_capacity_units)),
        ("WriteCapacityUnits", units(capacity.write_capacity_units)),
    ])
}

fn units(units: Option<f64>) -> Option<Value> {
    units.map(|units| json!(units))
}

/// Writes the estimate of an item collection's size.
pub fn collection(metrics: &ItemCollectionMetrics) -> Value {
    present([
        ("ItemCollectionKey", metrics.item_collection_key.as_ref().map(item_json)),
        ("SizeEstimateRangeGB", metrics.size_estimate_range_gb.as_ref().map(|range| json!(range))),
    ])
}

/// Writes the estimates of a call that can touch several tables.
pub fn collections_by_table(metrics: &Option<HashMap<String, Vec<ItemCollectionMetrics>>>) -> Option<Value> {
    metrics.as_ref().map(|tables| by_name(tables, |all| array(all, collection)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_indexes_are_told_apart() {
        let part = |units: f64| Capacity::builder().capacity_units(units).write_capacity_units(units).build();
        let capacity = ConsumedCapacity::builder()
            .table_name("Orders")
            .capacity_units(6.5)
            .table(part(2.0))
            .global_secondary_indexes("ByDay", part(3.0))
            .local_secondary_indexes("ByState", part(1.5))
            .build();
        assert_eq!(
            consumed(&capacity),
            json!({
                "TableName": "Orders",
                "CapacityUnits": 6.5,
                "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
                "GlobalSecondaryIndexes": {"ByDay": {"CapacityUnits": 3.0, "WriteCapacityUnits": 3.0}},
                "LocalSecondaryIndexes": {"ByState": {"CapacityUnits": 1.5, "WriteCapacityUnits": 1.5}},
            })
        );
    }
}
