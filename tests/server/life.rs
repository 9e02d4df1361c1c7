//! The server's life: beginning, end, and everything that could end it early.

use crate::support::client::*;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

#[test]
fn a_session_has_a_beginning_and_an_end() {
    let mut client = Client::start(&[]);
    let answer = client.initialize(json!({}), &[]);
    assert_eq!(answer["serverInfo"], json!({"name": "keywright", "version": env!("CARGO_PKG_VERSION")}));
    client.finish();
}

#[test]
fn exit_without_shutdown_has_status_1() {
    for initialize in [true, false] {
        let mut client = Client::start(&[]);
        if initialize {
            client.initialize(json!({}), &[]);
        }
        client.notify("exit", Value::Null);
        assert_eq!(client.exit().code(), Some(1));
    }
}

#[test]
fn the_server_leaves_when_its_input_ends() {
    let mut client = Client::with(json!({}), &[]);
    client.close_input();
    assert_eq!(client.exit().code(), Some(1));
    let mut client = Client::with(json!({}), &[]);
    client.ask("shutdown", Value::Null);
    client.close_input();
    assert_eq!(client.exit().code(), Some(0));
}

#[test]
fn answers_under_way_are_given_when_the_input_ends() {
    let mut client = Client::with(pulling(), &[]);
    client.open("untitled:a", "pattern P { reads Nobody }\n");
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": "untitled:a"}}));
    client.close_input();
    assert!(messages(client.response(id)["result"]["items"].as_array().unwrap()).contains("Nobody"));
    client.exit();
}

#[cfg(unix)]
#[test]
fn the_server_leaves_when_the_client_is_gone() {
    let mut other = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
    let mut client = Client::start(&[]);
    client.ask("initialize", json!({"processId": other.id(), "capabilities": {}}));
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(client.exit().code(), Some(1), "its input is still open");
}

#[test]
fn a_client_that_cannot_be_seen_is_not_taken_for_gone() {
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let mut client = Client::start(&[]);
    client.ask("initialize", json!({"processId": gone.id(), "capabilities": pulling()}));
    client.notify("initialized", json!({}));
    client.assert_alive();
    client.close_input();
    assert_eq!(client.exit().code(), Some(1), "the end of the input tells");
}

#[test]
fn a_length_that_is_a_lie_is_answered_and_not_waited_for() {
    let mut client = Client::with(pulling(), &[]);
    for length in ["268435457", "99999999999", "18446744073709551615", "99999999999999999999999"] {
        client.raw(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        let answer = client.wait("an error", |message| message.get("error").is_some());
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{length}");
        client.raw(&[b'x'; 100_000]);
        client.assert_alive();
    }
    client.finish();
}

#[test]
fn requests_outside_the_session_are_refused() {
    let mut client = Client::start(&[]);
    let params = json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}});
    let id = client.request("textDocument/hover", params.clone());
    assert_eq!(client.response(id)["error"]["code"], -32002, "before initialize");
    let id = client.request("no/such", Value::Null);
    assert_eq!(client.response(id)["error"]["code"], -32002, "a method that there is not, before initialize");
    client.initialize(json!({}), &[]);
    let id = client.request("initialize", json!({"capabilities": {}}));
    assert_eq!(client.response(id)["error"]["code"], -32600, "twice");
    client.ask("shutdown", Value::Null);
    let id = client.request("textDocument/hover", params);
    assert_eq!(client.response(id)["error"]["code"], -32600, "after shutdown");
    client.notify("exit", Value::Null);
    assert_eq!(client.exit().code(), Some(0));
}

#[test]
fn malformed_messages_get_the_protocols_errors_and_the_server_lives() {
    let mut client = Client::with(pulling(), &[]);
    let body = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes();
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let cases: [(Vec<u8>, Value, i64); 14] = [
        (body("{\"jsonrpc\":\"2.0\","), Value::Null, -32700),
        (body("nonsense"), Value::Null, -32700),
        (body(""), Value::Null, -32700),
        (body(&deep), Value::Null, -32700),
        (b"Content-Length: 3\r\n\r\n\xff\xfe\0".to_vec(), Value::Null, -32700),
        (b"Content-Length: many\r\n\r\n".to_vec(), Value::Null, -32700),
        (b"X-Something: 1\r\n\r\n".to_vec(), Value::Null, -32700),
        (body("[]"), Value::Null, -32600),
        (body("{}"), Value::Null, -32600),
        (body("{\"jsonrpc\":\"1.0\",\"id\":77,\"method\":\"shutdown\"}"), json!(77), -32600),
        (body("{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"shutdown\"}"), Value::Null, -32600),
        (body("{\"jsonrpc\":\"2.0\",\"id\":78,\"method\":\"no/such\"}"), json!(78), -32601),
        (
            body("{\"jsonrpc\":\"2.0\",\"id\":79,\"method\":\"textDocument/hover\",\"params\":{\"a\":1}}"),
            json!(79),
            -32602,
        ),
        (body("{\"jsonrpc\":\"2.0\",\"id\":\"80\",\"method\":\"textDocument/hover\"}"), json!("80"), -32602),
    ];
    for (bytes, id, code) in cases {
        client.raw(&bytes);
        let answer = client.wait("an error", |message| message.get("error").is_some());
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
    }
    // These get no answer, and do no harm either.
    client.raw(b"garbage without a frame\r\n");
    client.raw(b"\r\n\r\n");
    client.notify("no/such", json!({}));
    client.notify("$/no/such", json!({}));
    client.notify("textDocument/didOpen", json!({"textDocument": 1}));
    client.notify("textDocument/didChange", json!([]));
    client.send(&json!({"jsonrpc": "2.0", "id": 12345, "result": null}));
    client.raw(b"garbage before one");
    client.assert_alive();
    client.finish();
}

#[test]
fn headers_are_read_in_any_case() {
    let mut client = Client::with(pulling(), &[]);
    let body = "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"shutdown\"}";
    let header = format!("content-type: application/vscode-jsonrpc\r\nX: y\r\nCONTENT-length:{}\r\n\r\n", body.len());
    client.raw(format!("{header}{body}").as_bytes());
    client.wait("an answer", |message| message["id"] == "x" && message.get("result").is_some());
}

#[test]
fn slow_requests_do_not_stall_cancellation() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "slowly")]);
    client.initialize(pulling(), &[]);
    client.open("untitled:slow", "// slowly\n");
    let params = json!({"textDocument": {"uri": "untitled:slow"}, "position": {"line": 0, "character": 0}});
    let slow: Vec<i64> = (0..200).map(|_| client.request("textDocument/hover", params.clone())).collect();
    for id in slow.iter().rev() {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    for id in &slow {
        assert_eq!(client.response(*id)["error"]["code"], -32800);
    }
    client.assert_alive();
    client.finish();
}

#[test]
fn an_edit_ends_what_takes_too_long() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_SLOW", "slowly")]);
    client.initialize(pulling(), &[]);
    client.open("untitled:slow", "// slowly\n");
    let params = json!({"textDocument": {"uri": "untitled:slow"}, "position": {"line": 0, "character": 0}});
    let slow: Vec<i64> = (0..40).map(|_| client.request("textDocument/hover", params.clone())).collect();
    client.change("untitled:slow", 2, "pattern P { reads Swift }\n");
    assert!(messages(&client.pulled("untitled:slow")).contains("Swift"));
    for id in slow {
        assert_eq!(client.response(id)["error"]["code"], -32801);
    }
    client.finish();
}

#[test]
fn a_fault_in_the_analysis_fails_one_request_and_is_told_once() {
    let mut client = Client::start(&[("KEYWRIGHT_TEST_PANIC", "kaboom")]);
    let mut capabilities = pulling();
    capabilities["textDocument"]["publishDiagnostics"] = json!({});
    client.initialize(capabilities, &[]);
    client.open("untitled:a", "// kaboom\n");
    let params = json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}});
    for _ in 0..10 {
        let id = client.request("textDocument/hover", params.clone());
        assert_eq!(client.response(id)["error"]["code"], -32603);
        let id = client.request("textDocument/diagnostic", params.clone());
        assert_eq!(client.response(id)["error"]["code"], -32603);
    }
    let told = client.next("window/logMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("a test asked for this"), "{told}");
    client.assert_alive();
    client.change("untitled:a", 2, "pattern P { reads Nobody }\n");
    assert!(messages(&client.pulled("untitled:a")).contains("Nobody"), "the file itself works again");
    assert_eq!(client.seen("window/logMessage"), 0, "once is enough");
    client.finish();
}

#[test]
fn requests_to_the_client_that_it_never_answers_block_nothing() {
    let mut client = Client::start(&[]);
    client.answers = false;
    let mut capabilities = able();
    capabilities["textDocument"]["diagnostic"] = json!({});
    client.initialize(capabilities, &[]);
    client.next("client/registerCapability");
    client.open("untitled:a", "pattern P { reads Nobody }\n");
    let folder = Folder::new(&[("a.dynamo", "entity A { id: string @id }\n")]);
    client.open(&folder.uri("a.dynamo"), "entity A { id: string @id }\n");
    let argument = json!([{"uri": folder.uri("a.dynamo"), "kind": "requirement"}]);
    let commands: Vec<i64> = (0..150)
        .map(|_| {
            let params = json!({"command": "keywright.generateDocument", "arguments": argument});
            client.request("workspace/executeCommand", params)
        })
        .collect();
    for id in commands {
        client.response(id);
    }
    assert!(messages(&client.pulled("untitled:a")).contains("Nobody"));
    client.finish();
}
