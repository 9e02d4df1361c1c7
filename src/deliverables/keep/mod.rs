//! How a document lives with the people who write into it.
//!
//! Each generated part stands between two marks, each on a line of its own:
//!
//! ```text
//! <!-- keywright:begin NAME -->
//!
//! ## Cost Estimates
//! …
//!
//! <!-- keywright:end NAME HASH -->
//! ```
//!
//! HASH is the first 16 hex digits of the SHA-256 of what stands between the two
//! lines, each line of it ended by LF. As long as it fits, nobody has touched the
//! part, and it is made again when the model changes. All else in the file is the
//! reader's and keeps its bytes and its place.
//!
//! A part that somebody edited is never overwritten. It is a [`Conflict`] until
//! they choose a [`Way`] out of it. *Keep mine* is written down in the end mark:
//! in `<!-- keywright:end NAME HASH kept -->` HASH is that of the text that was
//! turned down, so that the question is asked again only when the model has
//! something else to say. Whoever writes by hand may leave HASH out: `kept` alone
//! turns down what the model says at the next run. A part that nobody wants is
//! emptied and kept.
//!
//! Where the marks of a part are damaged, nobody can tell where it ends: all of it
//! counts as written by a person, and the part is made anew beside it.

mod lines;
mod made;
mod marks;
mod merge;
mod names;
mod read;
mod settle;
mod unmerged;

pub use lines::LineNumbers;
pub use merge::{Cause, Conflict, Merged, merge};
pub use read::{Existing, MarkFault, Standing, State, Trouble, read};
pub use settle::{Way, forced, settle};

use super::parts::Part;
use lines::LF;
use made::made;

/// A document as it is made where there is none. Blank lines stand around every
/// mark: Markdown needs them where a heading or a table is next to a comment.
pub fn fresh(parts: &[Part]) -> String {
    fresh_with(parts, LF)
}

/// The same with another line end.
fn fresh_with(parts: &[Part], end: &str) -> String {
    let mut text = made::blocks(&made(parts), end);
    if !text.is_empty() {
        text.push_str(end);
    }
    text
}
