//! Access patterns: what the application needs, and the operations that answer.

use super::{ConditionsDef, Measure, Name, Text, Value, WriteCondition};
use crate::syntax::TextRange;

/// A `pattern`: what the application needs, how often, and what answers it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PatternDef {
    pub requirements: Vec<RequirementDef>,
    pub operations: Vec<OperationDef>,
    /// Calls a second.
    pub rate: Option<Measure>,
    pub latency: Option<Value>,
    pub pages: Option<Measure>,
    pub no_write: Option<ReasonDef>,
    pub no_read: Option<ReasonDef>,
    pub external: Option<ExternalDef>,
    /// The block, braces included.
    pub body: Option<TextRange>,
}

impl PatternDef {
    /// Every step, those of transactions and batches included.
    pub fn steps(&self) -> impl Iterator<Item = (&OperationDef, &StepDef)> {
        self.operations.iter().flat_map(|op| op.steps.iter().map(move |step| (op, step)))
    }
}

/// `no_write because "…"` and `no_read because "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReasonDef {
    pub because: Option<Text>,
    pub range: TextRange,
}

/// `external "…" because "…"`: another store answers the pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalDef {
    pub service: Option<Text>,
    pub because: Option<Text>,
    pub range: TextRange,
}

/// A `reads` or `writes` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct RequirementDef {
    pub writes: bool,
    pub uses: Vec<EntityUse>,
    pub by: Vec<Name>,
    pub order: Option<Name>,
    pub descending: bool,
    pub range: TextRange,
}

/// An entity that a requirement names: `Order(total, status)`.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityUse {
    pub entity: Name,
    /// The attributes that the caller needs; empty: nothing is claimed.
    pub attributes: Vec<Name>,
    pub range: TextRange,
}

/// One operation: a step alone, or a transaction or batch of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationDef {
    pub group: Option<Group>,
    pub steps: Vec<StepDef>,
    pub range: TextRange,
}

/// What `transact write { … }` and its like say.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub kind: GroupKind,
    pub mode: GroupMode,
    /// `transact write`.
    pub range: TextRange,
    /// The block, braces included.
    pub body: Option<TextRange>,
}

/// Whether a group succeeds or fails as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    Transact,
    Batch,
}

impl GroupKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            GroupKind::Transact => "transact",
            GroupKind::Batch => "batch",
        }
    }
}

/// What the steps of a group do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupMode {
    Write,
    Get,
}

impl GroupMode {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            GroupMode::Write => "write",
            GroupMode::Get => "get",
        }
    }
}

/// One request, or one entry of a transaction or batch.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDef {
    pub op: OpDef,
    pub times: Option<Value>,
    pub range: TextRange,
}

impl StepDef {
    /// How often one call of the pattern runs the step.
    pub fn times(&self) -> f64 {
        self.times.as_ref().and_then(|v| v.get(crate::syntax::Unit::Number)).unwrap_or(1.0)
    }
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum OpDef {
    Get {
        subject: Option<Subject>,
        target: TargetDef,
        options: ReadOptions,
    },
    Query {
        target: TargetDef,
        conditions: Option<ConditionsDef>,
        options: ReadOptions,
    },
    Scan {
        target: TargetDef,
        options: ReadOptions,
    },
    Put {
        subject: Option<Subject>,
        table: Option<Name>,
        with: Option<With>,
        condition: Option<WriteCondition>,
    },
    Update {
        subject: Option<Subject>,
        table: Option<Name>,
        set: Vec<Name>,
        remove: Vec<Name>,
        condition: Option<WriteCondition>,
    },
    Delete {
        subject: Option<Subject>,
        table: Option<Name>,
        condition: Option<WriteCondition>,
    },
    Check {
        subject: Option<Subject>,
        table: Option<Name>,
        condition: Option<WriteCondition>,
    },
}

impl OpDef {
    /// The keyword.
    pub fn word(&self) -> &'static str {
        match self {
            OpDef::Get { .. } => "get",
            OpDef::Query { .. } => "query",
            OpDef::Scan { .. } => "scan",
            OpDef::Put { .. } => "put",
            OpDef::Update { .. } => "update",
            OpDef::Delete { .. } => "delete",
            OpDef::Check { .. } => "check",
        }
    }

    /// The entity that it names.
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            OpDef::Get { subject, .. }
            | OpDef::Put { subject, .. }
            | OpDef::Update { subject, .. }
            | OpDef::Delete { subject, .. }
            | OpDef::Check { subject, .. } => subject.as_ref(),
            OpDef::Query { .. } | OpDef::Scan { .. } => None,
        }
    }

    /// The table that it names.
    pub fn table(&self) -> Option<&Name> {
        match self {
            OpDef::Get { target, .. } | OpDef::Query { target, .. } | OpDef::Scan { target, .. } => {
                target.table.as_ref()
            }
            OpDef::Put { table, .. }
            | OpDef::Update { table, .. }
            | OpDef::Delete { table, .. }
            | OpDef::Check { table, .. } => table.as_ref(),
        }
    }

    /// The index that it names.
    pub fn index(&self) -> Option<&Name> {
        match self {
            OpDef::Get { target, .. } | OpDef::Query { target, .. } | OpDef::Scan { target, .. } => {
                target.index.as_ref()
            }
            _ => None,
        }
    }

    /// The options of a read; `None` for a write.
    pub fn options(&self) -> Option<&ReadOptions> {
        match self {
            OpDef::Get { options, .. } | OpDef::Query { options, .. } | OpDef::Scan { options, .. } => Some(options),
            _ => None,
        }
    }

    /// The condition of a write; `None` for a read, and for a write without one.
    pub fn condition(&self) -> Option<&WriteCondition> {
        match self {
            OpDef::Put { condition, .. }
            | OpDef::Update { condition, .. }
            | OpDef::Delete { condition, .. }
            | OpDef::Check { condition, .. } => condition.as_ref(),
            _ => None,
        }
    }

    /// Whether it reads what a caller gets back.
    pub fn reads(&self) -> bool {
        matches!(self, OpDef::Get { .. } | OpDef::Query { .. } | OpDef::Scan { .. })
    }

    /// Whether it changes items; a check does not.
    pub fn writes(&self) -> bool {
        matches!(self, OpDef::Put { .. } | OpDef::Update { .. } | OpDef::Delete { .. })
    }
}

/// The entity whose item a step touches, and the role it plays there.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub entity: Name,
    pub role: Option<Name>,
}

/// `Table` or `Table.Index`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TargetDef {
    pub table: Option<Name>,
    pub index: Option<Name>,
    pub range: TextRange,
}

/// The optional attributes that a put sets.
#[derive(Clone, Debug, PartialEq)]
pub struct With {
    /// Empty for `with none`.
    pub attributes: Vec<Name>,
}

/// What a read says besides its table and its key.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReadOptions {
    pub filter: Option<FilterDef>,
    pub limit: Option<Value>,
    pub limit_range: Option<TextRange>,
    pub descending: Option<TextRange>,
    pub consistent: Option<TextRange>,
    pub project: Vec<Name>,
    pub project_range: Option<TextRange>,
    pub returning: Option<Measure>,
    pub returning_range: Option<TextRange>,
}

/// `filter status = "open" keeping 20%`.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterDef {
    pub conditions: Option<ConditionsDef>,
    pub keeping: Option<Value>,
    pub range: TextRange,
}
