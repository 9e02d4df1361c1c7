//! The SDK's errors, told in one sentence.

use std::error::Error;

use aws_sdk_dynamodb::{
    config::http::HttpResponse,
    error::{ProvideErrorMetadata, SdkError},
};

use crate::call::{Fault, code};

/// What an error of the SDK means to the caller.
pub fn fault<E>(error: SdkError<E, HttpResponse>) -> Fault
where
    E: Error + ProvideErrorMetadata + Send + Sync + 'static,
{
    match &error {
        SdkError::ServiceError(answer) => match answer.err().code() {
            Some(code) => Fault::new(code, answer.err().message().unwrap_or("DynamoDB gave no reason")),
            None => Fault::new(
                code::UNREACHABLE,
                format!("the answer is not DynamoDB's (HTTP status {})", answer.raw().status().as_u16()),
            ),
        },
        SdkError::TimeoutError(_) => Fault::new(code::TIMEOUT, "no answer came in time"),
        SdkError::DispatchFailure(failure) if failure.is_timeout() => Fault::new(code::TIMEOUT, root(&error)),
        SdkError::DispatchFailure(_) => Fault::new(code::UNREACHABLE, root(&error)),
        SdkError::ConstructionFailure(_) => Fault::new(code::INVALID_REQUEST, root(&error)),
        _ => Fault::new(code::UNREACHABLE, format!("the answer is not DynamoDB's: {}", root(&error))),
    }
}

/// The innermost cause: what the layers around it say is that there is one.
pub fn root(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
