//! `docs/lsp.md`: every method of LSP 3.17 with what becomes of it.
//! `tests/server_methods.rs` holds the running server against the same table.

use expect_test::expect_file;
use keywright::server::methods::{self, Kind, Method, SECTIONS, Sender};
use std::collections::BTreeSet;
use std::path::Path;

/// Name, sender and kind of every method, as the protocol has them.
const PROTOCOL: &str = include_str!("../data/lsp-3.17-methods.txt");

#[test]
fn the_table_has_every_method_of_the_protocol_once() {
    let mut listed: Vec<String> = methods::all()
        .map(|method| {
            let sender = match method.sender {
                Sender::Client => "client",
                Sender::Server => "server",
                Sender::Both => "both",
            };
            let kind = if method.kind == Kind::Request { "request" } else { "notification" };
            format!("{} {sender} {kind}", method.name)
        })
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, PROTOCOL.lines().collect::<Vec<_>>());
}

/// The methods that the files of `src/server/handlers/` say they are for.
fn handled() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/handlers");
    let files = std::fs::read_dir(folder).expect("there are handlers").flatten().map(|entry| entry.path());
    files
        .filter(|path| path.file_name().is_some_and(|name| name != "mod.rs"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source is text");
            let name = text.strip_prefix("//! `").and_then(|rest| rest.split('`').next());
            name.unwrap_or_else(|| panic!("{} begins with its method", path.display())).to_owned()
        })
        .collect()
}

#[test]
fn what_has_a_handler_is_answered_and_what_is_answered_has_a_handler() {
    let answered: BTreeSet<String> = methods::all()
        .filter(|method| method.sender == Sender::Client && method.is_answered())
        .map(|method| method.name.to_owned())
        // The end of the session is the transport's, and needs no file.
        .filter(|name| !["shutdown", "exit"].contains(&name.as_str()))
        .collect();
    assert_eq!(handled(), answered);
}

#[test]
fn every_row_says_what_or_why() {
    for method in methods::all() {
        assert!(method.about.ends_with('.') && !method.about.contains('|'), "{}", method.name);
        if method.is_asked() && !["initialize", "shutdown"].contains(&method.name) {
            assert!(method.advertised.is_some(), "{} has a place among the capabilities", method.name);
        }
    }
}

/// The page is written by this test: `UPDATE_EXPECT=1 cargo test --test server protocol_table`.
#[test]
fn the_page_is_the_table() {
    let answered = methods::all().filter(|method| method.is_answered()).count();
    let mut page = format!(
        "# The protocol\n\n\
         Every method of the [Language Server Protocol 3.17](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/), \
         and what Keywright makes of it: *yes*, it answers a request of the client, acts on a notification, or sends its own; or *no*, and why. \
         {answered} of {} are *yes*. A request that is *no* gets the error `MethodNotFound`, as the protocol has it, and a notification is ignored.\n\n\
         *Advertised by* names the place in the server's capabilities, or the request by which the server registers. \
         *Needs* names what the client has to announce: without that the method is not advertised, and not sent. \
         [Clients](clients.md) tells about settings and commands.\n\n\
         This page is made from the table in `src/server/methods/`, which the tests hold the running server against.\n",
        methods::all().count()
    );
    for section in SECTIONS {
        page.push_str(&format!("\n## {}\n\n", section.title));
        page.push_str("| method | from | | advertised by | needs | what, or why not |\n|---|---|---|---|---|---|\n");
        for method in section.methods {
            page.push_str(&row(method));
        }
    }
    expect_file!["../../docs/lsp.md"].assert_eq(&page);
}

fn row(method: &Method) -> String {
    let from = match method.sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both => "both",
    };
    let verdict = if method.is_answered() { "**yes**" } else { "no" };
    // Where a capability would stand says nothing about what is not answered.
    let advertised = method.advertised.filter(|_| method.is_answered()).map(code).unwrap_or_default();
    let between = if matches!(method.needs, methods::Needs::Any(_)) { " or " } else { ", " };
    let needs = method.needs.capabilities().iter().map(|name| code(name)).collect::<Vec<_>>().join(between);
    let Method { name, about, .. } = method;
    format!("| `{name}` | {from} | {verdict} | {advertised} | {needs} | {about} |\n")
}

fn code(name: &str) -> String {
    format!("`{name}`")
}
