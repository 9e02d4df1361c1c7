//! DynamoDB's JSON to the SDK's types, and back.

pub mod capacity;
pub mod fields;
pub mod schema;
pub mod table;
pub mod value;
