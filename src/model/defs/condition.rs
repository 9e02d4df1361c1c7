//! Conditions: what `where`, `filter` and `if` ask of items.

use super::{Name, Value};
use crate::syntax::TextRange;
use crate::syntax::template::Template;

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

    /// Whether they hold where there is no item at all: then no attribute is there, and
    /// of what is compared with one only `<>` is true. `and` binds before `or`.
    pub fn holds_for_nothing(&self) -> bool {
        let (mut any, mut all) = (false, !self.terms.is_empty());
        for (index, term) in self.terms.iter().enumerate() {
            if index > 0 && self.operators.get(index - 1).is_some_and(|(or, _)| *or) {
                any |= all;
                all = true;
            }
            all &= term.holds_for_nothing();
        }
        any || all
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
    fn holds_for_nothing(&self) -> bool {
        match self {
            Term::Comparison(comparison) => comparison.operator == Operator::NotEqual,
            Term::Existence { exists, .. } => !exists,
            Term::Not { term, .. } => !term.holds_for_nothing(),
            Term::Group { conditions, .. } => conditions.holds_for_nothing(),
        }
    }

    /// The attribute that it tests; `None` for what holds other terms.
    pub fn attribute(&self) -> Option<&Name> {
        match self {
            Term::Comparison(comparison) => Some(&comparison.attribute),
            Term::Existence { attribute, .. } => Some(attribute),
            Term::Not { .. } | Term::Group { .. } => None,
        }
    }

    /// The whole term.
    pub fn range(&self) -> TextRange {
        match self {
            Term::Comparison(c) => c.range,
            Term::Existence { range, .. } | Term::Not { range, .. } | Term::Group { range, .. } => *range,
        }
    }

    /// Whether it is a comparison or an existence test of this attribute.
    pub fn names(&self, name: &str) -> bool {
        self.attribute().is_some_and(|attribute| attribute.text == name)
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

    /// Whether it selects a stretch of a sort key, which one value does not name.
    pub fn is_range(self) -> bool {
        matches!(
            self,
            Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual
                | Operator::Between
                | Operator::BeginsWith
        )
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
