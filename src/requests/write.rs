//! Writes of one item, alone or as a part of a transaction or batch.

use super::origin::Body;
use super::owner::Owner;
use crate::capacity::values::Item;
use crate::model::layout::TableLayout;
use crate::population::arrange::Who;

/// A write of one item.
#[derive(Clone)]
pub struct Write<'db> {
    pub layout: &'db TableLayout,
    /// The entity that the step names.
    pub entity: &'db str,
    /// The item among the others of a call.
    pub owner: Owner,
    pub action: Action,
    /// Which item of the population's making it is.
    pub who: Who,
    pub key: Item,
    /// The item of the population that has this key.
    pub original: Option<Item>,
    /// The same when the write comes, where a condition asks for another value.
    pub before: Option<Item>,
    pub after: Option<Item>,
    /// The request, or what stands for it in a transaction.
    pub body: Body,
}

/// What a write does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Put,
    Update,
    Delete,
    Check,
}

impl Action {
    /// Its name in a transaction.
    pub fn in_transaction(self) -> &'static str {
        match self {
            Action::Put => "Put",
            Action::Update => "Update",
            Action::Delete => "Delete",
            Action::Check => "ConditionCheck",
        }
    }

    /// The operation that does it alone; `None` for a check, which stands in a
    /// transaction only.
    pub fn alone(self) -> Option<&'static str> {
        match self {
            Action::Put => Some("PutItem"),
            Action::Update => Some("UpdateItem"),
            Action::Delete => Some("DeleteItem"),
            Action::Check => None,
        }
    }
}

impl Write<'_> {
    /// The table that it writes to.
    pub fn table(&self) -> &str {
        &self.layout.name.text
    }

    /// Whether a put finds an item there.
    pub fn replaces(&self) -> bool {
        self.action == Action::Put && self.before.is_some()
    }
}
