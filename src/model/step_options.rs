//! Which options a step takes: DynamoDB gives a read or a write other ones in a
//! transaction, in a batch, and on a global index.

use super::defs::{Group, GroupKind, GroupMode, IndexKind};
use super::groups;

/// A part of a step that may be left out, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepOption {
    Filter,
    Limit,
    Descending,
    Consistent,
    Project,
    Returning,
    With,
    Set,
    Remove,
    Condition,
    Times,
}

impl StepOption {
    /// The option that a keyword begins.
    pub fn of_keyword(word: &str) -> Option<Self> {
        Some(match word {
            "filter" => StepOption::Filter,
            "limit" => StepOption::Limit,
            "descending" => StepOption::Descending,
            "consistent" => StepOption::Consistent,
            "project" => StepOption::Project,
            "returning" => StepOption::Returning,
            "with" => StepOption::With,
            "set" => StepOption::Set,
            "remove" => StepOption::Remove,
            "if" => StepOption::Condition,
            "times" => StepOption::Times,
            _ => return None,
        })
    }
}

/// A step, as far as its options depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKind<'a> {
    /// The keyword: `get`, `query`, …
    pub operation: &'a str,
    /// The transaction or batch that it stands in.
    pub group: Option<(GroupKind, GroupMode)>,
    /// The kind of the index that it reads, where it reads one.
    pub index: Option<IndexKind>,
}

impl<'a> StepKind<'a> {
    /// A step of a table, in a group or by itself.
    pub fn of_table(operation: &'a str, group: Option<&Group>) -> Self {
        Self { operation, group: group.map(|group| (group.kind, group.mode)), index: None }
    }

    /// Whether DynamoDB gives such a step this option. A step that does not belong
    /// in its group is judged as one by itself: there it would go.
    pub fn takes(self, option: StepOption) -> bool {
        let group = self.group.filter(|(kind, mode)| groups::takes(*kind, *mode, self.operation));
        let is_in = |wanted: GroupKind| group.is_some_and(|(kind, _)| kind == wanted);
        match (option, self.operation) {
            (StepOption::Filter | StepOption::Limit | StepOption::Returning, op) => matches!(op, "query" | "scan"),
            // A scan has no order to turn round.
            (StepOption::Descending, op) => op == "query",
            // TransactGetItems has no ConsistentRead; a global index follows its table.
            (StepOption::Consistent, "get") => !is_in(GroupKind::Transact),
            (StepOption::Consistent, "query" | "scan") => self.index != Some(IndexKind::Global),
            (StepOption::Consistent, _) => false,
            (StepOption::Project, op) => matches!(op, "get" | "query" | "scan"),
            (StepOption::With, op) => op == "put",
            (StepOption::Set | StepOption::Remove, op) => op == "update",
            // BatchWriteItem carries out all that it is given.
            (StepOption::Condition, "put" | "update" | "delete" | "check") => !is_in(GroupKind::Batch),
            (StepOption::Condition, _) => false,
            (StepOption::Times, _) => true,
        }
    }
}
