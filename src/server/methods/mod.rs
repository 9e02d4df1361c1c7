//! What becomes of each method of LSP 3.17: `docs/lsp.md` is made of this
//! table, and the tests hold the running server against it.

mod table;

use super::capabilities::ClientFlags;
use serde_json::Value;
use std::collections::HashSet;
pub use table::SECTIONS;
use tower_lsp::ls_types::ServerCapabilities;

/// A part of the table.
pub struct Section {
    pub title: &'static str,
    pub methods: &'static [Method],
}

/// A method of the protocol.
pub struct Method {
    pub name: &'static str,
    pub sender: Sender,
    pub kind: Kind,
    pub verdict: Verdict,
    /// Where the server says that it answers: the way into its capabilities, or
    /// the request by which it registers. A method that is not answered names
    /// the place where nothing may stand.
    pub advertised: Option<&'static str>,
    pub needs: Needs,
    /// What the answer is, or why there is none.
    pub about: &'static str,
}

/// Who sends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sender {
    Client,
    Server,
    Both,
}

/// Whether it wants an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Request,
    Notification,
}

/// Whether the server answers it, acts on it, or sends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Yes,
    No,
}

/// What the client has to announce: ways into its capabilities. Without that
/// the method is not advertised, and not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Nothing,
    All(&'static [&'static str]),
    Any(&'static [&'static str]),
}

impl Needs {
    pub fn capabilities(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[],
            Self::All(needs) | Self::Any(needs) => needs,
        }
    }
}

impl Method {
    pub fn is_answered(&self) -> bool {
        self.verdict == Verdict::Yes
    }

    /// Whether it is a request that the server has to answer.
    pub fn is_asked(&self) -> bool {
        self.sender == Sender::Client && self.kind == Kind::Request
    }
}

/// The request by which the server registers for a notification.
pub const REGISTRATION: &str = "client/registerCapability";

/// Every method of the protocol.
pub fn all() -> impl Iterator<Item = &'static Method> {
    SECTIONS.iter().flat_map(|section| section.methods)
}

/// The requests that are not answered to this client, as the server does not say to
/// it that they are. Who knows how to ask for findings may do so even where they are
/// published to it: Neovim is one that does.
pub fn refused(server: &ServerCapabilities, client: &ClientFlags) -> HashSet<&'static str> {
    let server = serde_json::to_value(server).unwrap_or_default();
    let is_refused = |method: &&Method| {
        let is_advertised = method.advertised.is_none_or(|way| says_yes(&server, way));
        let is_known = method.name == PULL && client.knows_pulling;
        method.is_asked() && !is_advertised && !is_known
    };
    all().filter(is_refused).map(|method| method.name).collect()
}

/// The request for the findings of one file.
const PULL: &str = "textDocument/diagnostic";

/// Whether what stands at the end of a way into capabilities means yes.
fn says_yes(capabilities: &Value, way: &str) -> bool {
    let end = way.split('.').try_fold(capabilities, |value, name| value.get(name));
    !matches!(end, None | Some(Value::Null | Value::Bool(false)))
}
