//! Access patterns: what the application needs, and the operations that answer.

use super::{Measure, Name, Text, Value};
use crate::syntax::TextRange;
use crate::syntax::template::Template;

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

/// What the steps of a group do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupMode {
    Write,
    Get,
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

/// Terms joined by `and` and `or`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionsDef {
    pub terms: Vec<Term>,
    /// The words between the terms; true for `or`.
    pub operators: Vec<(bool, TextRange)>,
    pub range: TextRange,
}

impl ConditionsDef {
    /// Every comparison and existence test, in order, however deep.
    pub fn leaves(&self) -> Vec<&Term> {
        let mut leaves = Vec::new();
        let mut stack: Vec<&Term> = self.terms.iter().rev().collect();
        while let Some(term) = stack.pop() {
            match term {
                Term::Comparison(_) | Term::Existence { .. } => leaves.push(term),
                Term::Not { term, .. } => stack.push(term),
                Term::Group { conditions, .. } => stack.extend(conditions.terms.iter().rev()),
            }
        }
        leaves
    }
}

/// A part of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    Comparison(Comparison),
    /// `exists(a)`, `not_exists(a)`.
    Existence {
        exists: bool,
        attribute: Name,
        range: TextRange,
    },
    Not {
        term: Box<Term>,
        range: TextRange,
    },
    Group {
        conditions: Box<ConditionsDef>,
        range: TextRange,
    },
}

impl Term {
    /// The whole term.
    pub fn range(&self) -> TextRange {
        match self {
            Term::Comparison(c) => c.range,
            Term::Existence { range, .. } | Term::Not { range, .. } | Term::Group { range, .. } => *range,
        }
    }
}

/// `attribute operator operands`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub attribute: Name,
    pub operator: Operator,
    pub operator_range: TextRange,
    pub operands: Vec<OperandDef>,
    pub range: TextRange,
}

/// An operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BeginsWith,
    Contains,
    Between,
    In,
}

impl Operator {
    /// The operator that is written so; `None` for none.
    pub fn parse(written: &str) -> Option<Self> {
        Some(match written {
            "=" => Operator::Equal,
            "<>" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            "begins_with" => Operator::BeginsWith,
            "contains" => Operator::Contains,
            "between" => Operator::Between,
            "in" => Operator::In,
            _ => return None,
        })
    }

    /// The operator as it is written.
    pub fn written(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "<>",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::BeginsWith => "begins_with",
            Operator::Contains => "contains",
            Operator::Between => "between",
            Operator::In => "in",
        }
    }
}

/// What an attribute is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandDef {
    /// A string; in a key condition a key template. `range` is that of the
    /// literal; ranges in the template are relative to its start.
    String {
        value: String,
        template: Template,
        range: TextRange,
    },
    Number(Value),
    Parameter(Name),
    Boolean {
        value: bool,
        range: TextRange,
    },
}

impl OperandDef {
    /// The whole operand.
    pub fn range(&self) -> TextRange {
        match self {
            OperandDef::String { range, .. } | OperandDef::Boolean { range, .. } => *range,
            OperandDef::Number(value) => value.range,
            OperandDef::Parameter(name) => name.range,
        }
    }
}

/// `if exists`, `if not_exists`, `if stock >= :n`.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteCondition {
    pub kind: WriteConditionKind,
    pub range: TextRange,
}

/// What must hold for a write to be carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteConditionKind {
    Exists,
    NotExists,
    Conditions(ConditionsDef),
    Missing,
}
