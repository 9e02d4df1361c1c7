//! Text in, tree out: the rope and its edits, the division of a file into
//! declarations, one syntax tree a declaration, and the readers of the small
//! notations (quantities, names, strings, key templates).
//!
//! Nothing here knows what a declaration means.

pub mod edit;
pub mod errors;
mod expected;
pub mod invisible;
pub mod leaves;
pub mod lines;
pub mod near;
mod nesting;
pub mod parse;
pub mod quantity;
pub mod range;
mod shape;
pub mod split;
pub mod strings;
pub mod template;
pub mod text;
pub mod view;

pub use edit::{TextEdit, apply, compose};
pub use errors::SyntaxError;
pub use parse::{Chunk, FileParse, PlacedChunk};
pub use quantity::{Quantity, Unit};
pub use range::TextRange;
pub use split::ChunkKind;
pub use text::{Encoding, Position, Text};
