//! A request as it is called: its body, the origins of its values, and how far
//! its pages are followed.

use crate::capacity::values::Item;
use crate::requests::origin::{Origin, Placed};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// A request of DynamoDB's API as it is printed.
pub(super) struct Call<'r> {
    /// `Query`, `TransactWriteItems`.
    pub operation: &'r str,
    pub body: &'r Map<String, Json>,
    /// By JSON pointers in the body: `/Key/user_id`.
    origins: BTreeMap<String, &'r Origin>,
    /// How far its pages are followed; `None` where the first is all.
    pub pages: Option<Pages>,
    /// The parts that a key is spread over where a call reads all of them.
    pub shards: Option<u32>,
    /// The items that come back in this order, each with its entity.
    pub returns: Vec<(&'r str, &'r Item)>,
    /// It is sent several times by a call of the pattern, or of several items alike.
    pub is_of_many: bool,
    /// How many, for a comment where only some are shown.
    pub of_many: Vec<String>,
    /// What is to be known of it, for a comment.
    pub remarks: Vec<String>,
}

/// How far a query or scan is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pages {
    /// To the end.
    All,
    /// So many, one after the other.
    AtMost(u64),
}

impl<'r> Call<'r> {
    /// A call of an operation with this body, in which these values stand.
    pub fn new(operation: &'r str, body: &'r Map<String, Json>, values: &'r [Placed]) -> Self {
        let pointer = |path: &[String]| path.iter().fold(String::new(), |pointer, step| below(&pointer, step));
        let origins = values.iter().map(|placed| (pointer(&placed.path), &placed.origin)).collect();
        Self {
            operation,
            body,
            origins,
            pages: None,
            shards: None,
            returns: Vec::new(),
            is_of_many: false,
            of_many: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Whether a call of the pattern sends it again for another item.
    pub fn is_sent_again(&self) -> bool {
        self.is_of_many && ["GetItem", "UpdateItem", "DeleteItem"].contains(&self.operation)
    }

    /// Where the value at a pointer comes from; `None` for one of the model.
    pub fn origin(&self, pointer: &str) -> Option<&'r Origin> {
        self.origins.get(pointer).copied()
    }
}

/// The keys of a body in the order in which people read them; others follow.
const ORDER: &[&str] = &[
    "ClientRequestToken",
    "TableName",
    "IndexName",
    "Key",
    "Keys",
    "Item",
    "KeyConditionExpression",
    "UpdateExpression",
    "ConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ConsistentRead",
    "ScanIndexForward",
    "Limit",
];

/// The entries of a request or of a part of it, in that order.
pub(super) fn ordered(body: &Map<String, Json>) -> Vec<(&str, &Json)> {
    let mut entries: Vec<(&str, &Json)> = body.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_by_key(|(key, _)| ORDER.iter().position(|known| known == key).unwrap_or(ORDER.len()));
    entries
}

/// One more step of a JSON pointer.
pub(super) fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}
