//! Model and population in, the requests of DynamoDB's API out with which the
//! patterns are run. `verify` sends the very requests that the documents print.

mod amounts;
mod beginning;
pub mod bindings;
mod common;
pub mod conditions;
pub mod express;
mod force;
pub mod group;
pub mod inputs;
pub mod maker;
pub mod nearby;
pub mod origin;
mod overwrites;
mod owner;
pub mod printed;
pub mod read;
pub mod shape;
mod together;
pub mod wire;
pub mod write;

use origin::Body;

pub use inputs::Input;
pub use overwrites::{Overwrite, overwrites};
pub use printed::{Expected, Made, Printed, Promised, of_pattern};

/// The body of a request about a table, under its name in the model.
pub fn table_request(table: &str) -> Body {
    let mut body = Body::default();
    body.insert("TableName", table);
    body
}

/// A request of DynamoDB's API.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// `GetItem`, `TransactWriteItems`.
    pub operation: &'static str,
    /// Its JSON, in which tables have their names of the model, and where its values
    /// come from.
    pub body: Body,
}

/// Errors with which a model can still be run: DynamoDB takes it as it is, and
/// what comes of it can be seen.
pub const RUNNABLE: &[&str] = &[
    "unique-not-enforced",
    "prefix-collision",
    "immutable-updated",
    "query-matches-nothing",
    "key-format-mismatch",
    "hot-partition-key",
    "hot-index-key",
    "lsi-collection-size",
];
