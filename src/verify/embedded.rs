//! The engine that lives in this process: dynoxide on SQLite in memory.

use super::engine::{Engine, EngineFault, Quirk};
use dynoxide::Database;
use dynoxide::errors::DynoxideError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An empty DynamoDB in this process. Nothing of it exists before [`Embedded::open`],
/// and all of it is gone when it is dropped.
pub struct Embedded {
    database: Database,
}

impl Embedded {
    /// Starts the engine.
    ///
    /// # Errors
    /// In the engine's words, where it could not be started.
    pub fn open() -> Result<Self, String> {
        let database = Database::memory().map_err(|error| error.to_string())?;
        Ok(Self { database })
    }
}

impl Engine for Embedded {
    fn name(&self) -> String {
        "dynoxide 3 (embedded)".to_owned()
    }

    fn call(&self, operation: &str, request: &Value) -> Result<Value, EngineFault> {
        let db = &self.database;
        match operation {
            "CreateTable" => run(request, |r| db.create_table(r)),
            "DescribeTable" => run(request, |r| db.describe_table(r)),
            "DeleteTable" => run(request, |r| db.delete_table(r)),
            "PutItem" => run(request, |r| db.put_item(r)),
            "GetItem" => run(request, |r| db.get_item(r)),
            "UpdateItem" => run(request, |r| db.update_item(r)),
            "DeleteItem" => run(request, |r| db.delete_item(r)),
            "Query" => run(request, |r| db.query(r)),
            "Scan" => run(request, |r| db.scan(r)),
            "BatchGetItem" => run(request, |r| db.batch_get_item(r)),
            "BatchWriteItem" => run(request, |r| db.batch_write_item(r)),
            "TransactGetItems" => run(request, |r| db.transact_get_items(r)),
            "TransactWriteItems" => run(request, |r| db.transact_write_items(r)),
            _ => Err(EngineFault {
                code: "UnknownOperationException".to_owned(),
                message: format!("`{operation}` is not among the operations that the run uses"),
            }),
        }
    }

    fn quirks(&self) -> &[Quirk] {
        &[Quirk::LocalIndexFetchesNothing, Quirk::LocalScanCountsForTable, Quirk::TransactionReturnsKeys]
    }
}

/// Runs one operation: JSON in, JSON out.
fn run<R: DeserializeOwned, A: Serialize>(
    request: &Value,
    operation: impl FnOnce(R) -> Result<A, DynoxideError>,
) -> Result<Value, EngineFault> {
    let request = serde_json::from_value(request.clone()).map_err(|error| {
        // What the engine finds wrong with a value it says while it reads it.
        let message = error.to_string();
        match message.strip_prefix("VALIDATION:") {
            Some(words) => EngineFault { code: "ValidationException".to_owned(), message: words.to_owned() },
            None => EngineFault { code: "SerializationException".to_owned(), message },
        }
    })?;
    let answer = operation(request).map_err(|error| EngineFault {
        code: error.error_type().rsplit('#').next().unwrap_or_default().to_owned(),
        message: error.to_string(),
    })?;
    serde_json::to_value(answer)
        .map_err(|error| EngineFault { code: "SerializationException".to_owned(), message: error.to_string() })
}
