//! The numbers that rules compare with.

use super::rule::Rule;
use crate::config::Bounds;
use crate::model::db::{Db, SourceFile};
use crate::model::settings::set_threshold;
use crate::syntax::Quantity;

/// A number that a rule compares with and a team may set.
#[derive(Debug)]
pub struct Threshold {
    /// Its name in `[thresholds.RULE]`, words joined by `_`.
    pub name: &'static str,
    /// What holds where nothing is set; its unit is the kind of the setting.
    pub default: Quantity,
    /// What it may be set to.
    pub bounds: Bounds,
    /// One line: what it bounds.
    pub summary: &'static str,
}

impl Threshold {
    /// Its value in the model with this root, in the base unit of its kind: what
    /// is set for the rule, else the default.
    pub fn value(&self, db: &dyn Db, root: SourceFile, rule: &'static Rule) -> f64 {
        set_threshold(db, root, rule.name, self.name).unwrap_or(self.default.value)
    }
}
