//! What an engine is to the rest: one call, in DynamoDB's JSON.

use std::fmt;

use serde_json::Value;

/// Why a call was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// DynamoDB's name of the error (`ConditionalCheckFailedException`), or one
    /// of the names of [`code`] where DynamoDB was not asked or did not answer.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl Fault {
    /// A fault of that code and message.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault { code: code.into(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Fault {}

/// The codes of faults that are not DynamoDB's.
pub mod code {
    /// The request is not what the operation takes; it was not sent.
    pub const INVALID_REQUEST: &str = "InvalidRequest";
    /// The operation is none that this crate sends.
    pub const UNKNOWN_OPERATION: &str = "UnknownOperation";
    /// The request names a table that this run did not create; it was not sent.
    pub const FOREIGN_TABLE: &str = "ForeignTable";
    /// The run has ended, its tables are being deleted; the request was not sent.
    pub const ENDED: &str = "RunEnded";
    /// Nothing answers at the address, or the answer is not DynamoDB's.
    pub const UNREACHABLE: &str = "Unreachable";
    /// No answer came in time; whether the request was carried out is not known.
    pub const TIMEOUT: &str = "Timeout";
}

/// An engine that carries out DynamoDB's operations.
pub trait Call {
    /// Carries out `operation` (`PutItem`, `Query`, …). Request and response are
    /// what stands in the body of DynamoDB's HTTP messages.
    ///
    /// # Errors
    /// What DynamoDB refused, or why it could not be asked.
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault>;
}

impl<C: Call + ?Sized> Call for &C {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        (**self).call(operation, request)
    }
}
