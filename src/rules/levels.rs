//! Levels that a team has set, put on findings.

use super::finding::{Finding, Level};
use super::rule::Rule;
use crate::config::SetLevel;
use crate::model::db::{Db, SourceFile};
use crate::model::settings::set_level;
use std::sync::Arc;

/// A finding at the level that is set for its rule; `None` where the rule is
/// off. What is set takes the place of the rule's own level. A finding that the
/// rule gives another level keeps it, but is never above (or below) one of the
/// rule's own level that it was below (or above).
pub fn at_set_level(db: &dyn Db, root: SourceFile, finding: &Arc<Finding>) -> Option<Arc<Finding>> {
    let Some(set) = set_level(db, root, finding.rule.name) else { return Some(Arc::clone(finding)) };
    let set = match set {
        SetLevel::Off => return None,
        SetLevel::Hint => Level::Hint,
        SetLevel::Info => Level::Info,
        SetLevel::Warning => Level::Warning,
        SetLevel::Error => Level::Error,
    };
    let level = match finding.level.cmp(&finding.rule.level) {
        std::cmp::Ordering::Less => finding.level.min(set),
        std::cmp::Ordering::Equal => set,
        std::cmp::Ordering::Greater => finding.level.max(set),
    };
    Some(Arc::new(Finding { level, ..Finding::clone(finding) }))
}

/// Whether a rule is switched off.
pub fn is_off(db: &dyn Db, root: SourceFile, rule: &'static Rule) -> bool {
    set_level(db, root, rule.name) == Some(SetLevel::Off)
}
