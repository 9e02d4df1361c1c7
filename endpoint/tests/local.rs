//! The endpoint against AWS DynamoDB Local, whose address stands in
//! `KEYWRIGHT_DYNAMODB_LOCAL`: `cargo xtask test --only dynamodb-local` starts
//! one. Without it there is nothing to ask, and the tests say so.

use keywright_endpoint::{Call, Endpoint, Fault, Owned, code, random_prefix};
use serde_json::{Value, json};

fn local() -> Option<Endpoint> {
    let Ok(url) = std::env::var("KEYWRIGHT_DYNAMODB_LOCAL") else {
        println!("skipped: KEYWRIGHT_DYNAMODB_LOCAL names no DynamoDB Local");
        return None;
    };
    Some(Endpoint::open(&url).expect("the address is one"))
}

/// A run with one table: two indexes, one of them sparse.
fn run(endpoint: &Endpoint) -> Owned<&Endpoint> {
    let run = Owned::new(endpoint, &random_prefix()).expect("the prefix is legal");
    let created = ok(
        &run,
        "CreateTable",
        json!({
            "TableName": "Orders",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "customer", "AttributeType": "S"},
                {"AttributeName": "number", "AttributeType": "N"},
                {"AttributeName": "state", "AttributeType": "S"},
                {"AttributeName": "amount", "AttributeType": "N"},
            ],
            "KeySchema": keys("customer", "number"),
            "GlobalSecondaryIndexes": [{
                "IndexName": "ByState", "KeySchema": keys("state", "number"), "Projection": {"ProjectionType": "ALL"},
            }],
            "LocalSecondaryIndexes": [{
                "IndexName": "ByAmount", "KeySchema": keys("customer", "amount"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }],
        }),
    );
    assert_eq!(created["TableDescription"]["TableName"], "Orders");
    assert_eq!(created["TableDescription"]["TableStatus"], "ACTIVE");
    assert_eq!(created["TableDescription"]["KeySchema"], keys("customer", "number"));
    run
}

fn keys(partition: &str, sort: &str) -> Value {
    json!([
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ])
}

fn key(number: u32) -> Value {
    json!({"customer": {"S": "c"}, "number": {"N": number.to_string()}})
}

/// An order of about `bytes` bytes.
fn order(number: u32, bytes: usize) -> Value {
    let mut item = key(number);
    item["amount"] = json!({"N": "99"});
    item["note"] = json!({"S": "x".repeat(bytes)});
    item
}

fn ok(engine: &impl Call, operation: &str, request: Value) -> Value {
    engine.call(operation, &request).unwrap_or_else(|fault| panic!("{operation}: {fault}"))
}

fn refused(engine: &impl Call, operation: &str, request: Value) -> Fault {
    engine.call(operation, &request).expect_err("it is refused")
}

/// The units of the table, of `ByState` and of `ByAmount`; none where DynamoDB
/// names no units.
fn units(capacity: &Value) -> [Option<f64>; 3] {
    assert_eq!(capacity["TableName"], "Orders");
    [&capacity["Table"], &capacity["GlobalSecondaryIndexes"]["ByState"], &capacity["LocalSecondaryIndexes"]["ByAmount"]]
        .map(|part| part["CapacityUnits"].as_f64())
}

#[test]
fn items_are_written_read_changed_and_deleted_at_their_price() {
    let Some(endpoint) = local() else { return };
    let run = run(&endpoint);
    let with = |mut request: Value| {
        request["TableName"] = json!("Orders");
        request["ReturnConsumedCapacity"] = json!("INDEXES");
        request
    };

    // 2,500 bytes are three write units; the local index keeps its keys only, and
    // without a state the global one keeps nothing.
    let put = ok(&run, "PutItem", with(json!({"Item": order(1, 2_500)})));
    assert_eq!(units(&put["ConsumedCapacity"]), [Some(3.0), None, Some(1.0)]);

    let update = json!({
        "Key": key(1), "UpdateExpression": "SET #s = :s", "ExpressionAttributeNames": {"#s": "state"},
        "ExpressionAttributeValues": {":s": {"S": "open"}}, "ReturnValues": "UPDATED_NEW",
    });
    let updated = ok(&run, "UpdateItem", with(update));
    assert_eq!(updated["Attributes"], json!({"state": {"S": "open"}}));
    assert_eq!(units(&updated["ConsumedCapacity"])[..2], [Some(3.0), Some(3.0)]);

    let get =
        ok(&run, "GetItem", with(json!({"Key": key(1), "ConsistentRead": true, "ProjectionExpression": "amount"})));
    assert_eq!(get["Item"], json!({"amount": {"N": "99"}}));
    assert_eq!(units(&get["ConsumedCapacity"]), [Some(1.0), None, None]);
    assert!(ok(&run, "GetItem", with(json!({"Key": key(9)}))).get("Item").is_none());

    let taken = with(json!({"Item": order(1, 1), "ConditionExpression": "attribute_not_exists(customer)"}));
    assert_eq!(refused(&run, "PutItem", taken).code, "ConditionalCheckFailedException");

    let deleted = ok(&run, "DeleteItem", with(json!({"Key": key(1), "ReturnValues": "ALL_OLD"})));
    assert_eq!(deleted["Attributes"]["state"], json!({"S": "open"}));
    assert_eq!(units(&deleted["ConsumedCapacity"]), [Some(3.0), Some(3.0), Some(1.0)]);
    assert_eq!(run.finish(), Ok(()));
}

#[test]
fn queries_and_scans_go_on_where_a_page_ended() {
    let Some(endpoint) = local() else { return };
    let run = run(&endpoint);
    let puts: Vec<Value> = (1..=5).map(|number| json!({"PutRequest": {"Item": order(number, 5_000)}})).collect();
    let written =
        ok(&run, "BatchWriteItem", json!({"RequestItems": {"Orders": puts}, "ReturnConsumedCapacity": "INDEXES"}));
    assert_eq!(written["UnprocessedItems"], json!({}));
    assert_eq!(units(&written["ConsumedCapacity"][0]), [Some(25.0), None, Some(5.0)]);

    let mut query = json!({
        "TableName": "Orders", "KeyConditionExpression": "customer = :c", "Limit": 3, "ScanIndexForward": false,
        "ExpressionAttributeValues": {":c": {"S": "c"}}, "ReturnConsumedCapacity": "INDEXES",
    });
    let first = ok(&run, "Query", query.clone());
    assert_eq!((&first["Count"], &first["ScannedCount"]), (&json!(3), &json!(3)));
    assert_eq!(first["Items"][0]["number"], json!({"N": "5"}));
    assert_eq!(first["LastEvaluatedKey"], key(3));
    // Three items of some 5,030 bytes: 15 KB, four read units, half of each.
    assert_eq!(units(&first["ConsumedCapacity"]), [Some(2.0), None, None]);
    query["ExclusiveStartKey"] = first["LastEvaluatedKey"].clone();
    let second = ok(&run, "Query", query);
    assert_eq!((&second["Count"], second.get("LastEvaluatedKey")), (&json!(2), None));

    let index = ok(
        &run,
        "Query",
        json!({
            "TableName": "Orders", "IndexName": "ByAmount", "KeyConditionExpression": "customer = :c",
            "ExpressionAttributeValues": {":c": {"S": "c"}}, "ReturnConsumedCapacity": "INDEXES",
        }),
    );
    assert_eq!(index["Count"], 5);
    assert_eq!(units(&index["ConsumedCapacity"])[2], Some(0.5));

    let scan = ok(&run, "Scan", json!({"TableName": "Orders", "IndexName": "ByState", "Select": "COUNT"}));
    assert_eq!((&scan["Count"], scan.get("Items")), (&json!(0), None));

    let keys: Vec<Value> = (4..=5).map(key).collect();
    let batch = ok(
        &run,
        "BatchGetItem",
        json!({"RequestItems": {"Orders": {"Keys": keys, "ConsistentRead": true}}, "ReturnConsumedCapacity": "TOTAL"}),
    );
    assert_eq!(batch["Responses"]["Orders"].as_array().map(Vec::len), Some(2));
    assert_eq!(batch["UnprocessedKeys"], json!({}));
    // Each item is rounded up on its own.
    assert_eq!(batch["ConsumedCapacity"][0]["CapacityUnits"], 4.0);
}

#[test]
fn a_transaction_is_carried_out_whole_or_says_which_step_cancelled_it() {
    let Some(endpoint) = local() else { return };
    let run = run(&endpoint);
    let put = |number| json!({"Put": {"TableName": "Orders", "Item": order(number, 10)}});
    let there = |number| {
        let condition = "attribute_exists(customer)";
        json!({"ConditionCheck": {"TableName": "Orders", "Key": key(number), "ConditionExpression": condition}})
    };
    let steps = json!({"TransactItems": [put(1), put(2)], "ReturnConsumedCapacity": "INDEXES"});
    let written = ok(&run, "TransactWriteItems", steps);
    assert_eq!(written["ConsumedCapacity"][0]["TableName"], "Orders");

    let fault = refused(&run, "TransactWriteItems", json!({"TransactItems": [there(1), there(7), put(3)]}));
    assert_eq!(fault.code, "TransactionCanceledException");
    assert!(fault.message.contains("step 2: ConditionalCheckFailed"), "{fault}");
    assert!(!fault.message.contains("step 1:") && !fault.message.contains("step 3:"), "{fault}");

    let get = |number| json!({"Get": {"TableName": "Orders", "Key": key(number), "ProjectionExpression": "amount"}});
    let read = ok(&run, "TransactGetItems", json!({"TransactItems": [get(1), get(3)]}));
    assert_eq!(read["Responses"], json!([{"Item": {"amount": {"N": "99"}}}, {}]));
}

#[test]
fn every_kind_of_value_survives_the_way_to_dynamodb_and_back() {
    let Some(endpoint) = local() else { return };
    let run = run(&endpoint);
    let mut item = key(1);
    item["whole"] = json!({"M": {
        "string": {"S": "Grüße \u{1F600}"}, "empty": {"S": ""}, "binary": {"B": "AAEC/f7/"}, "yes": {"BOOL": true},
        "null": {"NULL": true}, "binaries": {"BS": ["AQ=="]}, "strings": {"SS": ["a"]}, "numbers": {"NS": ["-1.5"]},
        "list": {"L": [{"N": "12345678901234567890123456789012345678"}, {"M": {"deep": {"L": []}}}]},
    }});
    ok(&run, "PutItem", json!({"TableName": "Orders", "Item": item}));
    assert_eq!(ok(&run, "GetItem", json!({"TableName": "Orders", "Key": key(1)})), json!({ "Item": item }));
}

#[test]
fn what_dynamodb_does_not_know_is_not_sent() {
    let Some(endpoint) = local() else { return };
    let run = run(&endpoint);
    let fault = refused(&run, "GetItem", json!({"TableName": "Orders", "Key": key(1), "Consistent": true}));
    assert_eq!(fault, Fault::new(code::INVALID_REQUEST, "Consistent: there is no such field here"));
    let fault = refused(&run, "PutItem", json!({"TableName": "Orders", "Item": {"customer": {"S": "c"}}}));
    assert_eq!(fault.code, "ValidationException");
}

/// The thread that deletes must not wait for the one that works, nor hang it.
#[test]
fn several_threads_may_call_at_once() {
    let Some(endpoint) = local() else { return };
    let request = json!({"TableName": format!("{}Nothing", random_prefix())});
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(refused(&endpoint, "DescribeTable", request.clone()).code, "ResourceNotFoundException");
                }
            });
        }
    });
}

#[test]
fn a_run_leaves_no_table_and_touches_no_other() {
    let Some(endpoint) = local() else { return };
    let prefix = random_prefix();
    let table = |name: &str| {
        json!({
            "TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        })
    };
    let others = format!("{prefix}Others");
    ok(&endpoint, "CreateTable", table(&others));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let run = Owned::new(&endpoint, &prefix).expect("the prefix is legal");
        ok(&run, "CreateTable", table("Mine"));
        assert_eq!(refused(&run, "CreateTable", table("Others")).code, code::FOREIGN_TABLE);
        panic!("the run fails");
    }));
    assert!(panicked.is_err());
    let mine = json!({"TableName": format!("{prefix}Mine")});
    assert_eq!(refused(&endpoint, "DescribeTable", mine).code, "ResourceNotFoundException");
    ok(&endpoint, "DescribeTable", json!({"TableName": others}));
    ok(&endpoint, "DeleteTable", json!({"TableName": others}));
}
