//! Derivations: each number of a hover with what it is made of, so that a person
//! can compute it again. Every line is Markdown that stands in a list; what is
//! rounded is told by `≈`, what is bounded by `≤` or “at least”.

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

pub(super) use cost::{of_pattern, pattern_prices};
pub(super) use load::{by_key, family, values};
pub(super) use reads::collection;
pub(super) use sizes::item;
pub(super) use step::{dollars_in_short, group, in_short, limit_in_short, step, units_of, work};
pub(super) use stock::{held, holding, storage};
pub(super) use text::{Unit, add_new, below, computed, equation, list, missing, operand};
pub(super) use traffic::{rate, rates, traffic_lines, usage};

use crate::capacity::facts::Declared;
use crate::model::db::{Db, SourceFile};

/// The model that a derivation is about.
#[derive(Clone, Copy)]
pub(super) struct Cx<'db> {
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
