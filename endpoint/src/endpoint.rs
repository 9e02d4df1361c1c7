//! The SDK's client behind a blocking call.

use aws_sdk_dynamodb::Client;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::{
    call::{Call, Fault, code},
    operations, settings,
};

/// A DynamoDB endpoint: AWS's own in some region, or DynamoDB Local.
///
/// It may be shared among threads; a call blocks the thread that makes it, and
/// must not be made inside an asynchronous runtime.
pub struct Endpoint {
    runtime: Runtime,
    client: Client,
    url: String,
}

impl Endpoint {
    /// Opens the endpoint at `url` (`http://127.0.0.1:8000`,
    /// `https://dynamodb.eu-central-1.amazonaws.com`). Nothing is sent to it yet.
    ///
    /// Region and credentials come from where the AWS tools take them: the
    /// environment and the profile (`AWS_PROFILE`), and on AWS's own machines
    /// their roles. A region that the host names wins. Where the host is this
    /// machine, region and credentials may be missing: DynamoDB Local takes any.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the URL, or that there is no
    /// region or no credentials.
    pub fn open(url: &str) -> Result<Endpoint, String> {
        let host = settings::host(url)?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("the network cannot be used: {error}"))?;
        let config = runtime.block_on(settings::load(url, &host))?;
        Ok(Endpoint { runtime, client: Client::new(&config), url: url.to_owned() })
    }

    /// Carries out one of `CreateTable`, `DescribeTable`, `DeleteTable`,
    /// `PutItem`, `GetItem`, `UpdateItem`, `DeleteItem`, `Query`, `Scan`,
    /// `BatchGetItem`, `BatchWriteItem`, `TransactGetItems`,
    /// `TransactWriteItems`, with the request and response of DynamoDB's HTTP
    /// interface. What throttling or the network refuse is tried again twice
    /// (but for `CreateTable`), and no attempt takes longer than ten seconds.
    ///
    /// # Errors
    /// DynamoDB's error with its own code; the reasons of a cancelled
    /// transaction stand in the message. Otherwise one of [`code`]; above all a
    /// field that the operation does not have is refused, never dropped.
    pub fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        self.runtime.block_on(operations::send(&self.client, operation, request.clone())).map_err(|mut fault| {
            if [code::UNREACHABLE, code::TIMEOUT].contains(&fault.code.as_str()) {
                fault.message = format!("{operation} at {}: {}", self.url, fault.message);
            }
            fault
        })
    }
}

impl Call for Endpoint {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        Endpoint::call(self, operation, request)
    }
}
