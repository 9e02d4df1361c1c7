//! What is said where nothing answers, or something that is not DynamoDB.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use keywright_endpoint::{Endpoint, code};
use serde_json::json;

#[test]
fn a_dead_address_fails_within_seconds_and_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
    let url = format!("http://{free}");
    let endpoint = Endpoint::open(&url).expect("it is an address");
    let begin = Instant::now();
    let fault = endpoint.call("DescribeTable", &json!({"TableName": "Orders"})).expect_err("nothing answers");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(fault.code, code::UNREACHABLE);
    assert!(fault.message.starts_with(&format!("DescribeTable at {url}: ")), "{fault}");
    assert!(fault.message.to_lowercase().contains("refused"), "{fault}");
}

#[test]
fn an_answer_that_is_not_dynamodbs_is_told_apart() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("somebody calls");
            _ = stream.read(&mut [0; 4096]);
            let body = "<html>Not here</html>";
            _ = write!(
                stream,
                "HTTP/1.1 404 Not Found\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let endpoint = Endpoint::open(&url).expect("it is an address");
    let fault = endpoint.call("DescribeTable", &json!({"TableName": "Orders"})).expect_err("it is no DynamoDB");
    assert_eq!(fault.code, code::UNREACHABLE);
    assert!(fault.message.contains("404"), "{fault}");
}

#[test]
fn an_operation_that_is_not_sent_is_named() {
    let endpoint = Endpoint::open("http://127.0.0.1:1").expect("it is an address");
    let fault = endpoint.call("UpdateTable", &json!({"TableName": "Orders"})).expect_err("it is not sent");
    assert_eq!(fault.code, code::UNKNOWN_OPERATION);
}
