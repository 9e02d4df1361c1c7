//! The table of methods (`docs/lsp.md`) over the real process: what is
//! advertised answers, what answers is advertised, and nothing is used that the
//! client did not announce.

use crate::support::client::*;
use crate::support::protocol::{Asked, everything, everything_without, is_met, is_so, value};
use keywright::server::methods::{self, Kind, Method, REGISTRATION, Sender};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The error of the protocol for a method that there is not.
const METHOD_NOT_FOUND: i64 = -32601;

/// What the server says of itself to a client with these capabilities, and for
/// which notifications it registers.
struct Server {
    client: Client,
    capabilities: Value,
    registered: BTreeSet<String>,
}

impl Server {
    fn new(capabilities: Value, folders: &[&str]) -> Self {
        let mut client = Client::start(&[]);
        let answer = client.initialize(capabilities.clone(), folders);
        let advertised = answer["capabilities"].clone();
        let mut server = Self { client, capabilities: advertised, registered: BTreeSet::new() };
        let due = |method: &&Method| method.advertised == Some(REGISTRATION) && is_met(method.needs, &capabilities);
        for method in methods::all().filter(due) {
            while !server.registered.contains(method.name) {
                server.hear_registration();
            }
        }
        server.client.assert_alive_somehow();
        while server.client.seen(REGISTRATION) > 0 {
            server.hear_registration();
        }
        server
    }

    fn hear_registration(&mut self) {
        let request = self.client.next(REGISTRATION);
        let methods = request["params"]["registrations"].as_array().unwrap().iter();
        self.registered.extend(methods.map(|one| one["method"].as_str().unwrap().to_owned()));
    }

    fn advertises(&self, method: &Method) -> bool {
        match method.advertised {
            None => false,
            Some(REGISTRATION) => self.registered.contains(method.name),
            Some(way) => is_so(value(&self.capabilities, way)),
        }
    }
}

/// What clients have to announce for one method or another.
fn needed() -> BTreeSet<&'static str> {
    let asked = methods::all().filter(|method| method.sender == Sender::Client);
    asked.flat_map(|method| method.needs.capabilities().iter().copied()).collect()
}

/// Holds what is advertised to a client against the table.
fn assert_advertised_as_listed(capabilities: &Value) -> Server {
    let server = Server::new(capabilities.clone(), &[]);
    let differs = |method: &&Method| {
        let is_due = method.is_answered() && is_met(method.needs, capabilities);
        method.advertised.is_some() && server.advertises(method) != is_due
    };
    let wrong: Vec<&str> = methods::all().filter(differs).map(|method| method.name).collect();
    assert!(wrong.is_empty(), "not as the table says: {wrong:#?} in {:#}", server.capabilities);
    server
}

#[test]
fn a_client_that_can_do_everything_is_told_of_all_that_is_answered() {
    assert_advertised_as_listed(&everything()).client.finish();
}

#[test]
fn a_client_that_can_do_nothing_is_told_of_what_needs_nothing() {
    let server = assert_advertised_as_listed(&json!({}));
    for method in methods::all().filter(|method| method.sender == Sender::Server && method.kind == Kind::Request) {
        assert_eq!(server.client.seen(method.name), 0, "{}", method.name);
    }
    server.client.finish();
}

#[test]
fn what_needs_a_capability_is_not_advertised_without_it() {
    for way in needed() {
        assert_advertised_as_listed(&everything_without(&[way])).client.finish();
    }
}

/// The table names every capability that the server has: one that it does not
/// name would be advertised unseen.
#[test]
fn every_capability_of_the_server_is_in_the_table() {
    let server = Server::new(everything(), &[]);
    let ways: Vec<&str> = methods::all().filter_map(|method| method.advertised).collect();
    for (name, value) in server.capabilities.as_object().unwrap() {
        if name == "positionEncoding" || !is_so(value) {
            continue;
        }
        let listed = |way: &str| {
            ways.iter().any(|other| other.split('.').eq(way.split('.')) || other.starts_with(&format!("{way}.")))
        };
        assert!(listed(name), "{name}");
        let nested = if name == "workspace" { value.as_object() } else { None };
        for (inner, value) in nested.into_iter().flatten() {
            assert!(listed(&format!("{name}.{inner}")), "{name}.{inner}");
            for operation in value.as_object().into_iter().flatten().filter(|_| inner == "fileOperations") {
                assert!(listed(&format!("{name}.{inner}.{}", operation.0)), "{operation:?}");
            }
        }
    }
    server.client.finish();
}

/// Asks everything that a client can ask.
fn assert_answered_as_listed(capabilities: Value) {
    let asked = Asked::default();
    let mut server = Server::new(capabilities.clone(), &[&asked.folder.root()]);
    let client = &mut server.client;
    asked.open(client);
    let mut wrong = Vec::new();
    for method in methods::all().filter(|method| method.is_asked()) {
        if ["initialize", "shutdown"].contains(&method.name) {
            continue;
        }
        let question = asked.question(client, method.name);
        let id = client.request(method.name, question.clone());
        let response = client.response(id);
        let result = &response["result"];
        let says_nothing = result.is_null() || result.as_array().is_some_and(Vec::is_empty);
        // Who is published to, and knows of asking, may ask all the same.
        let may_ask = method.name == "textDocument/diagnostic" && is_so(&capabilities["textDocument"]["diagnostic"]);
        let is_right = if method.is_answered() && (is_met(method.needs, &capabilities) || may_ask) {
            // The document of the command comes as an edit of its own.
            response.get("error").is_none() && (!says_nothing || method.name == "workspace/executeCommand")
        } else {
            response["error"]["code"] == METHOD_NOT_FOUND
        };
        if !is_right {
            wrong.push(format!("{}: {response} to {question}", method.name));
        }
    }
    assert!(wrong.is_empty(), "not as the table says:\n{}", wrong.join("\n"));
    client.assert_alive_somehow();
    server.client.finish();
}

#[test]
fn what_is_listed_as_answered_answers_and_the_rest_is_not_found() {
    assert_answered_as_listed(everything());
}

#[test]
fn a_client_that_announces_nothing_is_answered_what_needs_nothing() {
    assert_answered_as_listed(json!({}));
}

#[test]
fn what_needs_a_capability_is_not_found_without_it() {
    for way in needed() {
        assert_answered_as_listed(everything_without(&[way]));
    }
}

/// Whoever asks gets an answer, also where the method is one that there will never
/// be, or a notification that has an id by mistake.
#[test]
fn a_request_of_a_method_that_there_is_not_is_always_answered() {
    let mut server = Server::new(everything(), &[]);
    for method in ["$/foo", "$/cancelRequest", "$/progress", "foo", "textDocument/foo", "textDocument/didSave"] {
        let id = server.client.request(method, json!({"value": "off"}));
        let response = server.client.response(id);
        let code = &response["error"]["code"];
        assert!(["-32601", "-32600", "-32602"].contains(&code.to_string().as_str()), "{method}: {response}");
    }
    for method in ["$/foo", "foo", "textDocument/foo"] {
        let id = server.client.request(method, json!({}));
        assert_eq!(server.client.response(id)["error"]["code"], METHOD_NOT_FOUND, "{method}");
        server.client.notify(method, json!({}));
    }
    server.client.assert_alive_somehow();
    assert_eq!(server.client.unanswerable(), 0, "a notification is not answered");
    server.client.finish();
}

#[test]
fn notifications_of_every_kind_end_no_session_and_get_no_answer() {
    let asked = Asked::default();
    let mut server = Server::new(everything(), &[&asked.folder.root()]);
    let client = &mut server.client;
    asked.open(client);
    let document = json!({"uri": asked.uri(), "version": 2});
    let notebook = json!({"uri": "untitled:notebook", "version": 1, "notebookType": "x", "cells": []});
    let files = json!([{"uri": asked.uri(), "oldUri": asked.uri(), "newUri": asked.folder.uri("new.dynamo")}]);
    for method in methods::all().filter(|method| method.sender != Sender::Server && method.kind == Kind::Notification) {
        let params = match method.name {
            "exit" | "initialized" => continue,
            "$/setTrace" => json!({"value": "verbose"}),
            "$/cancelRequest" => json!({"id": 9_999}),
            "$/progress" => json!({"token": "nobody's", "value": {"kind": "end"}}),
            "window/workDoneProgress/cancel" => json!({"token": "nobody's"}),
            "textDocument/didChange" => json!({"textDocument": document, "contentChanges": []}),
            "textDocument/willSave" => json!({"textDocument": document, "reason": 1}),
            "notebookDocument/didOpen" => json!({"notebookDocument": notebook, "cellTextDocuments": []}),
            "notebookDocument/didChange" => json!({"notebookDocument": notebook, "change": {}}),
            "notebookDocument/didSave" => json!({"notebookDocument": notebook}),
            "notebookDocument/didClose" => json!({"notebookDocument": notebook, "cellTextDocuments": []}),
            "workspace/didChangeWorkspaceFolders" => json!({"event": {"added": [], "removed": []}}),
            "workspace/didChangeConfiguration" => json!({"settings": {}}),
            "workspace/didChangeWatchedFiles" => json!({"changes": []}),
            "workspace/didCreateFiles" | "workspace/didRenameFiles" | "workspace/didDeleteFiles" => {
                json!({"files": files})
            }
            _ => json!({"textDocument": {"uri": "untitled:n", "languageId": "dynamo", "version": 1, "text": ""}}),
        };
        client.notify(method.name, params);
        client.assert_alive_somehow();
    }
    assert_eq!(client.unanswerable(), 0, "a notification is not answered");
    server.client.finish();
}
