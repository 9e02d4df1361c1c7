//! What the run needs of a DynamoDB: its operations, as JSON.

use serde_json::Value;

/// A DynamoDB, or something that claims to behave like one.
pub trait Engine {
    /// What it is, for the report: `dynoxide 3 (in memory)`.
    fn name(&self) -> String;

    /// Carries out an operation of DynamoDB's API (`CreateTable`, `PutItem`, …);
    /// request and answer are the JSON of that API.
    ///
    /// # Errors
    /// What the engine refuses, or could not do.
    fn call(&self, operation: &str, request: &Value) -> Result<Value, EngineFault>;

    /// Where it is known to depart from DynamoDB; none unless it says so.
    fn quirks(&self) -> &[Quirk] {
        &[]
    }
}

/// Why an engine did not carry out an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    /// DynamoDB's name of the exception, without its prefix: `ValidationException`.
    pub code: String,
    pub message: String,
}

/// Something that an engine does otherwise than DynamoDB, and that the run
/// therefore expects of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// A read of a local index that asks by name for attributes which the index
    /// does not project is answered from the index alone: no fetch from the
    /// table is charged, and the attributes are missing (facts 3.3 has the fetch).
    LocalIndexFetchesNothing,
    /// A scan of a local index is reported as units of its table, from whose
    /// capacity DynamoDB takes them as well (facts 3.3).
    LocalScanCountsForTable,
    /// A read in a transaction returns the primary key although its projection
    /// does not ask for it.
    TransactionReturnsKeys,
    /// A multi-attribute key of an index is refused.
    NoMultiAttributeKeys,
    /// What a transaction writes is not charged as DynamoDB does (twice on each
    /// table, once on each index, facts 3.4 and 3.5): its units are not compared.
    TransactionsMiscounted,
}
