//! Derivations: each number with what it is made of, so that a person can compute
//! it again. Every line is Markdown that stands in a list; what is rounded is told
//! by `≈`, what is bounded by `≤` or “at least”. Hovers and documents show the same
//! lines.

mod classes;
mod cost;
mod load;
mod reads;
mod shown;
mod sizes;
mod step;
mod stock;
mod text;
mod traffic;
mod writes;

pub use cost::{of_pattern, pattern_prices};
pub use load::{by_key, family, values};
pub use reads::{collection, weighted_items};
pub use sizes::item;
pub use step::{dollars_in_short, group, in_short, limit_in_short, step, units_of, work};
pub use stock::{held, holding, storage};
pub use text::{Unit, add_new, below, computed, equation, list, missing, operand};
pub use traffic::{rate, rates, traffic_lines, usage};

use crate::capacity::facts::Declared;
use crate::model::db::{Db, SourceFile};

/// The model that a derivation is about.
#[derive(Clone, Copy)]
pub struct Cx<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
    pub facts: Declared<'db>,
}

impl<'db> Cx<'db> {
    /// The model with this root.
    pub fn new(db: &'db dyn Db, root: SourceFile) -> Self {
        Self { db, root, facts: Declared { db, root } }
    }
}
