//! Transactions and batches: what may stand in them, and which of their steps
//! aim at one item (L22, L23, L24).

use super::db::Decl;
use super::defs::*;
use super::layout::{ItemLayout, TableLayout};
use super::resolve::Step;

/// Whether an operation may stand in such a group, its condition apart.
pub fn belongs(kind: GroupKind, mode: GroupMode, op: &OpDef) -> bool {
    takes(kind, mode, op.word())
}

/// Whether such a group takes the operation of this keyword: gets where the group
/// gets; puts and deletes in a batch of writes; in a transaction updates and checks
/// as well.
pub fn takes(kind: GroupKind, mode: GroupMode, operation: &str) -> bool {
    match (kind, mode) {
        (_, GroupMode::Get) => operation == "get",
        (GroupKind::Batch, GroupMode::Write) => matches!(operation, "put" | "delete"),
        (GroupKind::Transact, GroupMode::Write) => matches!(operation, "put" | "update" | "delete" | "check"),
    }
}

/// The most items that one call of such a group takes (L22, L23, L24).
pub fn most_items(kind: GroupKind, mode: GroupMode) -> f64 {
    match (kind, mode) {
        (GroupKind::Batch, GroupMode::Write) => 25.0,
        (GroupKind::Batch, GroupMode::Get) | (GroupKind::Transact, _) => 100.0,
    }
}

/// The most bytes that the items of one call of such a group have (L22, L23, L24).
pub fn most_bytes(kind: GroupKind) -> f64 {
    const MB: f64 = 1_048_576.0;
    match kind {
        GroupKind::Batch => 16.0 * MB,
        GroupKind::Transact => 4.0 * MB,
    }
}

/// The name of the call that a group is.
pub fn call(kind: GroupKind, mode: GroupMode) -> &'static str {
    match (kind, mode) {
        (GroupKind::Batch, GroupMode::Write) => "BatchWriteItem",
        (GroupKind::Batch, GroupMode::Get) => "BatchGetItem",
        (GroupKind::Transact, GroupMode::Write) => "TransactWriteItems",
        (GroupKind::Transact, GroupMode::Get) => "TransactGetItems",
    }
}

/// A step that aims at an item which a step of the same group aims at already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twice {
    /// Which of the steps it is; the later of the two.
    pub later: usize,
    /// The earlier one; the same where one step runs several times on one item.
    pub earlier: usize,
    /// The key has no hole: there is only one such item.
    pub only_one: bool,
}

/// The steps of one such group that aim at an item for the second time: the same
/// entity in the same table, in the same role, or with a key of literals only. A
/// delete and a put are a move to another key, where the key has holes. Each step
/// is told once; those that do not belong are faults of their own.
pub fn twice(kind: GroupKind, mode: GroupMode, steps: &[Step<'_>]) -> Vec<Twice> {
    let aims: Vec<Option<Aim<'_>>> =
        steps.iter().map(|step| Aim::of(step).filter(|_| belongs(kind, mode, &step.step.op))).collect();
    let mut found = Vec::new();
    for (later, aim) in aims.iter().enumerate() {
        let Some(own) = aim else { continue };
        let meets =
            |(earlier, aim): (usize, &Option<Aim<'_>>)| aim.as_ref().is_some_and(|a| a.meets(own)).then_some(earlier);
        let earlier = aims[..later].iter().enumerate().find_map(meets);
        let repeated = (own.only_one && steps[later].step.times() > 1.0).then_some(later);
        if let Some(earlier) = earlier.or(repeated) {
            found.push(Twice { later, earlier, only_one: own.only_one });
        }
    }
    found
}

/// The item that a step aims at.
struct Aim<'s> {
    table: Decl,
    entity: &'s str,
    role: Option<&'s str>,
    only_one: bool,
    deletes: bool,
    puts: bool,
}

impl<'s> Aim<'s> {
    /// `None` where the step names no one item, or none that its table holds.
    fn of(step: &Step<'s>) -> Option<Self> {
        let layout = step.source.filter(|source| source.index.is_none())?.layout;
        let subject = step.step.op.subject()?;
        let item = layout.item_of(&subject.entity.text)?;
        Some(Self {
            table: layout.decl,
            entity: &subject.entity.text,
            role: subject.role.as_ref().map(|role| role.text.as_str()),
            only_one: is_only_one(layout, item),
            deletes: matches!(step.step.op, OpDef::Delete { .. }),
            puts: matches!(step.step.op, OpDef::Put { .. }),
        })
    }

    fn meets(&self, other: &Aim<'_>) -> bool {
        let moves = (self.deletes && other.puts || self.puts && other.deletes) && !self.only_one;
        self.table == other.table && self.entity == other.entity && !moves && (self.only_one || self.role == other.role)
    }
}

/// Whether the primary key of an item has no hole, so that there is one item of
/// the kind.
fn is_only_one(layout: &TableLayout, item: &ItemLayout) -> bool {
    let literal = |key: &super::layout::KeyAttribute| {
        item.keys.get(&key.name).is_some_and(|source| source.value.as_literal().is_some())
    };
    !layout.partition.is_empty() && layout.primary_key().all(literal)
}
