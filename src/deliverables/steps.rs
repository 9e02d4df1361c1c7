//! The operations of a pattern in words.

use super::markdown::{code, codes};
use super::numbers::declared;
use super::outline::shown;
use super::spell;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::ItemLayout;
use crate::model::resolve::Step;
use crate::syntax::Unit;

/// What the documents say of a step.
impl<'db> Step<'db> {
    fn group(&self) -> Option<(GroupKind, GroupMode)> {
        self.operation.group.as_ref().map(|group| (group.kind, group.mode))
    }

    /// The operation of DynamoDB's API that carries the step out.
    pub(super) fn api(&self) -> &'static str {
        match self.group() {
            Some((GroupKind::Transact, GroupMode::Write)) => "TransactWriteItems",
            Some((GroupKind::Transact, GroupMode::Get)) => "TransactGetItems",
            Some((GroupKind::Batch, GroupMode::Write)) => "BatchWriteItem",
            Some((GroupKind::Batch, GroupMode::Get)) => "BatchGetItem",
            None => match self.step.op {
                OpDef::Get { .. } => "GetItem",
                OpDef::Query { .. } => "Query",
                OpDef::Scan { .. } => "Scan",
                OpDef::Put { .. } => "PutItem",
                OpDef::Update { .. } => "UpdateItem",
                OpDef::Delete { .. } => "DeleteItem",
                OpDef::Check { .. } => "ConditionCheck",
            },
        }
    }

    /// Whether there is an item that it can touch: every name of it is known, and
    /// some item can meet its condition.
    pub(super) fn answers(&self) -> bool {
        self.source.is_some() && !self.resolved.reached.is_empty()
    }

    /// The items that it touches, as far as they are known.
    pub(super) fn items(&self) -> Vec<&'db ItemLayout> {
        let Some(source) = self.source else { return Vec::new() };
        let reached = |item: &&ItemLayout| self.resolved.reached.contains(&item.entity);
        source.layout.items.iter().filter(reached).collect()
    }

    /// Whether it reads this table, or this index of it.
    pub(super) fn uses(&self, table: Decl, index: Option<&str>) -> bool {
        self.resolved.table == Some(table) && !self.resolved.unknown_index && self.resolved.index.as_deref() == index
    }

    /// `Table` or `Table.Index`, as it is written where it is unknown.
    pub(super) fn target(&self) -> Option<String> {
        let op = &self.step.op;
        match (op.table(), op.index()) {
            (Some(table), Some(index)) => Some(format!("{}.{}", table.text, index.text)),
            (Some(table), None) => Some(table.text.clone()),
            (None, _) => None,
        }
    }

    /// The request with its key: ``GetItem User: `user_id`, `sk = "PROFILE"` ``.
    pub(super) fn request(&self) -> String {
        let op = &self.step.op;
        let verb = match (self.group(), op) {
            // Inside a group each step is an entry of one request.
            (Some(_), OpDef::Get { .. }) => "Get",
            (Some(_), OpDef::Put { .. }) => "Put",
            (Some(_), OpDef::Update { .. }) => "Update",
            (Some(_), OpDef::Delete { .. }) => "Delete",
            (Some(_), OpDef::Check { .. }) => "ConditionCheck",
            (Some(_), OpDef::Query { .. }) => "Query",
            (Some(_), OpDef::Scan { .. }) => "Scan",
            (None, _) => self.api(),
        };
        let what = match op {
            OpDef::Query { conditions, .. } => match conditions {
                Some(conditions) => format!(" where {}", code(&spell::conditions(conditions))),
                None => String::from(" without a key condition"),
            },
            OpDef::Scan { .. } => String::from(" everything"),
            _ => {
                let subject = op.subject().map(|subject| subject.entity.text.as_str());
                let entity = shown(subject);
                match self.key() {
                    Some(key) if !key.is_empty() => format!(" {entity}: {}", code(&key)),
                    _ => format!(" {entity}"),
                }
            }
        };
        let target = match self.group() {
            Some(_) => self.target().map(|target| format!(" in {}", code(&target))).unwrap_or_default(),
            None => String::new(),
        };
        let times = self.times().map(|times| format!(" × {times}")).unwrap_or_default();
        format!("{verb}{what}{target}{times}")
    }

    fn key(&self) -> Option<String> {
        let source = self.source.filter(|source| source.index.is_none())?;
        let item = source.layout.item_of(&self.step.op.subject()?.entity.text)?;
        Some(spell::key_of(item, source.layout.primary_key()))
    }

    /// How often one call runs it, where the model says so.
    fn times(&self) -> Option<String> {
        self.step.times.as_ref().and_then(|value| declared(value, Unit::Number))
    }

    /// What an implementer has to know besides the key.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match &self.step.op {
            OpDef::Put { with: Some(with), .. } if with.attributes.is_empty() => {
                notes.push(String::from("sets no optional attribute"));
            }
            OpDef::Put { with: Some(with), .. } => {
                notes.push(format!("optional attributes set: {}", list(&with.attributes)));
            }
            OpDef::Update { set, remove, .. } => {
                if !set.is_empty() {
                    notes.push(format!("sets {}", list(set)));
                }
                if !remove.is_empty() {
                    notes.push(format!("removes {}", list(remove)));
                }
            }
            _ => {}
        }
        if let Some(condition) = self.step.op.condition().and_then(spell::write_condition) {
            notes.push(format!("condition {}", code(&condition)));
        }
        if let Some(list) = self.embedded() {
            notes.push(list);
        }
        if let Some(options) = self.step.op.options() {
            self.read_notes(options, &mut notes);
        }
        notes
    }

    fn read_notes(&self, options: &ReadOptions, notes: &mut Vec<String>) {
        if options.consistent.is_some() {
            notes.push(String::from("consistent read"));
        }
        if options.descending.is_some() {
            notes.push(String::from("descending"));
        }
        if let Some(limit) = options.limit.as_ref().and_then(|limit| declared(limit, Unit::Number)) {
            notes.push(format!("limit {limit}"));
        }
        if let Some(filter) = &options.filter {
            let conditions = filter.conditions.as_ref().map(|c| code(&spell::conditions(c)));
            let keeping = filter.keeping.as_ref().and_then(|keeping| declared(keeping, Unit::Percent));
            let keeping = keeping.map(|keeping| format!(" (keeps {keeping})")).unwrap_or_default();
            notes.push(format!("filter {}{keeping}", conditions.unwrap_or_default()));
        }
        if !options.project.is_empty() {
            notes.push(format!("projects {}", list(&options.project)));
        }
    }

    /// The list that the subject is kept in, where it has no item of its own.
    fn embedded(&self) -> Option<String> {
        let subject = &self.step.op.subject()?.entity.text;
        let item = self.source?.layout.item_of(subject)?;
        if item.entity == *subject {
            return None;
        }
        let list = item.embeds.iter().find(|embed| embed.entity == *subject)?.list.as_deref()?;
        Some(format!("{} is kept in the list {} of the item", shown(Some(subject)), code(list)))
    }
}

fn list(names: &[Name]) -> String {
    codes(names.iter().map(|name| name.text.as_str()))
}
