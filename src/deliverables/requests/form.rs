//! How each operation of DynamoDB's API is called with the document client.

/// How an operation is called with the document client.
pub(super) struct Form {
    pub command: &'static str,
    pub paginate: Option<&'static str>,
    /// The member of the answer that holds what is read, and what it is called.
    pub answer: Option<(&'static str, &'static str)>,
    /// The type of what is sent again until nothing is left of it.
    pub again: Option<(&'static str, &'static str)>,
}

/// The form of an operation; `None` for one that is never printed.
pub(super) fn form_of(operation: &str) -> Option<Form> {
    let call = |command, answer| Form { command, paginate: None, answer, again: None };
    let items = Some(("Items", "items"));
    Some(match operation {
        "GetItem" => call("GetCommand", Some(("Item", "item"))),
        "PutItem" => call("PutCommand", None),
        "UpdateItem" => call("UpdateCommand", None),
        "DeleteItem" => call("DeleteCommand", None),
        "Query" => Form { paginate: Some("paginateQuery"), ..call("QueryCommand", items) },
        "Scan" => Form { paginate: Some("paginateScan"), ..call("ScanCommand", items) },
        "TransactWriteItems" => call("TransactWriteCommand", None),
        "TransactGetItems" => call("TransactGetCommand", Some(("Responses", "items"))),
        "BatchWriteItem" => {
            Form { again: Some(("BatchWriteCommandInput", "UnprocessedItems")), ..call("BatchWriteCommand", None) }
        }
        "BatchGetItem" => Form {
            again: Some(("BatchGetCommandInput", "UnprocessedKeys")),
            ..call("BatchGetCommand", Some(("Responses", "items")))
        },
        _ => return None,
    })
}
