//! Creating and deleting the tables of a model.

use super::engine::EngineFault;
use super::session::Session;
use crate::model::defs::{IndexKind, ProjectionKind};
use crate::model::layout::{IndexLayout, KeyAttribute, Source, TableLayout};
use crate::requests::table_request;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// A table that is being created is asked after so often, and so many times.
const PAUSE: Duration = Duration::from_millis(250);
const ASKED: usize = 1_200;

/// The request that creates a table: all its indexes, on demand, and exactly the
/// attribute definitions that keys use (D1).
///
/// # Errors
/// The name of a key attribute whose type the model does not determine.
pub(super) fn create_request(session: &Session<'_>, layout: &TableLayout) -> Result<Map<String, Json>, String> {
    let mut types = BTreeMap::new();
    for attribute in layout.sources().filter(|source| !session.leaves_out(*source)).flat_map(Source::key) {
        let ty = attribute.ty.ok_or_else(|| format!("the key attribute `{}` has no type", attribute.name))?;
        types.insert(attribute.name.as_str(), ty.letter());
    }
    let definitions: Vec<Json> =
        types.iter().map(|(name, letter)| json!({ "AttributeName": name, "AttributeType": letter })).collect();
    let mut request = table_request(&layout.name.text).json;
    request.insert("AttributeDefinitions".to_owned(), Json::Array(definitions));
    request.insert("KeySchema".to_owned(), schema(&layout.partition, &layout.sort));
    request.insert("BillingMode".to_owned(), json!("PAY_PER_REQUEST"));
    let kept = |index: &&IndexLayout| !session.leaves_out(layout.of_index(index));
    let of_kind = |kind| {
        layout.indexes.iter().filter(kept).filter(move |index| index.kind == kind).map(index).collect::<Vec<_>>()
    };
    for (name, indexes) in
        [("GlobalSecondaryIndexes", of_kind(IndexKind::Global)), ("LocalSecondaryIndexes", of_kind(IndexKind::Local))]
    {
        // An empty list is refused.
        if !indexes.is_empty() {
            request.insert(name.to_owned(), Json::Array(indexes));
        }
    }
    Ok(request)
}

fn schema(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Json {
    let element = |attribute: &KeyAttribute, kind: &str| json!({ "AttributeName": attribute.name, "KeyType": kind });
    let hash = partition.iter().map(|attribute| element(attribute, "HASH"));
    Json::Array(hash.chain(sort.iter().map(|attribute| element(attribute, "RANGE"))).collect())
}

fn index(index: &IndexLayout) -> Json {
    let projection = match index.projection {
        ProjectionKind::All => json!({ "ProjectionType": "ALL" }),
        ProjectionKind::KeysOnly => json!({ "ProjectionType": "KEYS_ONLY" }),
        ProjectionKind::Include => json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": index.included }),
    };
    json!({
        "IndexName": index.name.text,
        "KeySchema": schema(&index.partition, &index.sort),
        "Projection": projection,
    })
}

/// Waits until a table that was created can be used.
///
/// # Errors
/// What the engine says, or that it took too long.
pub(super) fn wait(session: &Session<'_>, table: &str) -> Result<(), EngineFault> {
    for _ in 0..ASKED {
        let answer = session.send("DescribeTable", table_request(table).json)?;
        let description = &answer["Table"];
        let indexes = description["GlobalSecondaryIndexes"].as_array();
        let ready = |part: &Json, status: &str| part[status].as_str().is_none_or(|status| status == "ACTIVE");
        if ready(description, "TableStatus") && indexes.into_iter().flatten().all(|index| ready(index, "IndexStatus")) {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    Err(EngineFault { code: "Timeout".to_owned(), message: format!("`{table}` did not become active") })
}
