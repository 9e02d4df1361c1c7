//! The numbers that rules compare with.

use crate::syntax::Quantity;

/// A number that a rule compares with and a team may set.
#[derive(Debug)]
pub struct Threshold {
    /// Its name in `[thresholds.RULE]`, words joined by `_`.
    pub name: &'static str,
    /// What holds where nothing is set; its unit is the kind of the setting.
    pub default: Quantity,
    /// One line: what it bounds.
    pub summary: &'static str,
}
