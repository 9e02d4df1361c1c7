//! What an editor shows, protocol-free: byte ranges in, plain structs out.
//! One file a feature; [`Analysis`] is the door to all of them.

mod analysis;
mod assists;
mod changes;
mod code_lenses;
mod cost;
mod declarations;
mod definition;
mod derive;
mod describe;
mod diagnostics;
mod documents;
mod figures;
mod fix_all;
mod hover;
mod inlay_hints;
mod lookup;
mod price;
mod symbols;

pub use crate::syntax::{TextEdit, apply};
pub use analysis::*;
