//! What may follow in an operation, a function or a modifier, with the names of the
//! model in it, and which of its parts is being written.
//!
//! What is being written is mostly not whole yet: what it is, is read from the
//! tokens before the cursor, which are there whatever the tree around them is.

mod call;
mod context;
mod hole;
mod operation;
mod position;
mod proposals;
mod signature;

use self::context::Context;
use super::{Analysis, Answer};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::syntax::TextRange;

/// Signatures that fit what is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// There is at least one.
    pub signatures: Vec<Signature>,
    /// The one that fits best.
    pub active: usize,
}

/// One way to write something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    /// Markdown.
    pub documentation: String,
    /// In the order of the label.
    pub parameters: Vec<SignatureParameter>,
    /// The parameter that is being written.
    pub active: usize,
}

/// A part of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureParameter {
    /// In bytes of the label.
    pub range: TextRange,
    /// Markdown.
    pub documentation: String,
}

impl Analysis {
    /// The signatures of what is being written at the place.
    pub fn signature_help(&self, file: &FileKey, offset: usize) -> Answer<Option<SignatureHelp>> {
        self.ask(file, |db, file| signature_help(db, file, offset))
    }
}

fn signature_help(db: &dyn Db, file: SourceFile, offset: usize) -> Option<SignatureHelp> {
    let cx = Context::new(db, file, offset)?;
    if cx.is_in_comment() {
        return None;
    }
    if let Some(written) = cx.string_before_cursor() {
        let hole = hole::help(&cx, written);
        if hole.is_some() || !cx.is_in_operand() {
            return hole.or_else(|| call::help(&cx));
        }
    }
    call::help(&cx).or_else(|| operation::help(&cx))
}
