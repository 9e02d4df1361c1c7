//! The parts of a table's definition.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, LocalSecondaryIndex, OnDemandThroughput, Projection,
    ProvisionedThroughput, StreamSpecification, Tag,
};
use serde_json::{Value, json};

use super::fields::{Read, array, object, present, text};

/// Reads an element of `AttributeDefinitions`.
pub fn definition(value: Value) -> Read<AttributeDefinition> {
    object(value, |fields| {
        Ok(AttributeDefinition::builder()
            .set_attribute_name(fields.text("AttributeName")?)
            .set_attribute_type(fields.choice("AttributeType")?)
            .build()?)
    })
}

/// Reads an element of a `KeySchema`.
pub fn key_element(value: Value) -> Read<KeySchemaElement> {
    object(value, |fields| {
        Ok(KeySchemaElement::builder()
            .set_attribute_name(fields.text("AttributeName")?)
            .set_key_type(fields.choice("KeyType")?)
            .build()?)
    })
}

fn projection(value: Value) -> Read<Projection> {
    object(value, |fields| {
        Ok(Projection::builder()
            .set_projection_type(fields.choice("ProjectionType")?)
            .set_non_key_attributes(fields.list("NonKeyAttributes", text)?)
            .build())
    })
}

/// Reads `ProvisionedThroughput`.
pub fn provisioned(value: Value) -> Read<ProvisionedThroughput> {
    object(value, |fields| {
        Ok(ProvisionedThroughput::builder()
            .set_read_capacity_units(fields.whole("ReadCapacityUnits")?)
            .set_write_capacity_units(fields.whole("WriteCapacityUnits")?)
            .build()?)
    })
}

/// Reads `OnDemandThroughput`.
pub fn on_demand(value: Value) -> Read<OnDemandThroughput> {
    object(value, |fields| {
        Ok(OnDemandThroughput::builder()
            .set_max_read_request_units(fields.whole("MaxReadRequestUnits")?)
            .set_max_write_request_units(fields.whole("MaxWriteRequestUnits")?)
            .build())
    })
}

/// Reads an element of `GlobalSecondaryIndexes`.
pub fn gsi(value: Value) -> Read<GlobalSecondaryIndex> {
    object(value, |fields| {
        Ok(GlobalSecondaryIndex::builder()
            .set_index_name(fields.text("IndexName")?)
            .set_key_schema(fields.list("KeySchema", key_element)?)
            .set_projection(fields.read("Projection", projection)?)
            .set_provisioned_throughput(fields.read("ProvisionedThroughput", provisioned)?)
            .set_on_demand_throughput(fields.read("OnDemandThroughput", on_demand)?)
            .build()?)
    })
}

/// Reads an element of `LocalSecondaryIndexes`.
pub fn lsi(value: Value) -> Read<LocalSecondaryIndex> {
    object(value, |fields| {
        Ok(LocalSecondaryIndex::builder()
            .set_index_name(fields.text("IndexName")?)
            .set_key_schema(fields.list("KeySchema", key_element)?)
            .set_projection(fields.read("Projection", projection)?)
            .build()?)
    })
}

/// Reads `StreamSpecification`.
pub fn stream(value: Value) -> Read<StreamSpecification> {
    object(value, |fields| {
        Ok(StreamSpecification::builder()
            .set_stream_enabled(fields.truth("StreamEnabled")?)
            .set_stream_view_type(fields.choice("StreamViewType")?)
            .build()?)
    })
}

/// Reads an element of `Tags`.
pub fn tag(value: Value) -> Read<Tag> {
    object(value, |fields| Ok(Tag::builder().set_key(fields.text("Key")?).set_value(fields.text("Value")?).build()?))
}

/// Writes a `KeySchema`.
pub fn key_json(elements: &[KeySchemaElement]) -> Value {
    array(elements, |element| json!({"AttributeName": element.attribute_name, "KeyType": element.key_type.as_str()}))
}

/// Writes `AttributeDefinitions`.
pub fn definitions_json(definitions: &[AttributeDefinition]) -> Value {
    array(definitions, |one| json!({"AttributeName": one.attribute_name, "AttributeType": one.attribute_type.as_str()}))
}

/// Writes a `Projection`.
pub fn projection_json(projection: &Projection) -> Value {
    present([
        ("ProjectionType", projection.projection_type.as_ref().map(|kind| json!(kind.as_str()))),
        ("NonKeyAttributes", projection.non_key_attributes.as_ref().map(|names| json!(names))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Fault;

    #[test]
    fn an_index_comes_back_as_it_went() {
        let keys = json!([
            {"AttributeName": "state", "KeyType": "HASH"},
            {"AttributeName": "town", "KeyType": "HASH"},
            {"AttributeName": "at", "KeyType": "RANGE"},
        ]);
        let include = json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total"]});
        let index = gsi(json!({
            "IndexName": "ByPlace", "KeySchema": keys, "Projection": include,
            "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        }))
        .expect("it can be read");
        assert_eq!(key_json(&index.key_schema), keys);
        assert_eq!(index.projection.as_ref().map(projection_json), Some(include));
        assert_eq!(index.provisioned_throughput.map(|units| units.write_capacity_units), Some(6));
    }

    #[test]
    fn what_is_missing_or_misspelt_in_an_index_is_named() {
        let said = |value| Fault::from(lsi(value).expect_err("it is wrong")).message;
        assert!(said(json!({"KeySchema": []})).contains("index_name"));
        let misspelt = json!({"IndexName": "A", "KeySchema": [], "Projection": {"ProjectionTyp": "ALL"}});
        assert_eq!(said(misspelt), "Projection.ProjectionTyp: there is no such field here");
    }
}
