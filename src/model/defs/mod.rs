//! Lowered declarations: what a declaration says, free of its spelling. All
//! ranges are relative to the declaration's chunk; everything that the text may
//! leave out, or that a half-typed text has not got yet, is optional.

mod condition;
mod entity;
mod implied;
mod pattern;
mod table;

pub use condition::*;
pub use entity::*;
pub use pattern::*;
pub use table::*;

use crate::syntax::{Quantity, TextRange, Unit};

/// A name where it stands, without backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub range: TextRange,
}

/// A string literal's value where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub value: String,
    pub range: TextRange,
}

/// A quantity where it stands; `quantity` is `None` where its unit is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub quantity: Option<Quantity>,
    pub written: String,
    pub range: TextRange,
}

impl Value {
    /// The value in its base unit, if it is of the wanted kind.
    pub fn get(&self, unit: Unit) -> Option<f64> {
        self.quantity.filter(|q| q.unit == unit).map(|q| q.value)
    }
}

/// `avg 1KB, max 4KB`, or one value that is both.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Measure {
    pub avg: Option<Value>,
    /// `max` or `peak`.
    pub max: Option<Value>,
    pub range: TextRange,
}

impl Measure {
    /// Whether the average is above the greatest value, where both are of one
    /// kind.
    pub fn is_inverted(&self) -> bool {
        let quantity = |value: &Option<Value>| value.as_ref().and_then(|v| v.quantity);
        match (quantity(&self.avg), quantity(&self.max)) {
            (Some(avg), Some(max)) => avg.unit == max.unit && avg.value > max.value,
            _ => false,
        }
    }

    /// The average in its base unit, if it is there and of the wanted kind.
    pub fn avg(&self, unit: Unit) -> Option<f64> {
        self.avg.as_ref().and_then(|v| v.get(unit))
    }

    /// The greatest value in its base unit, if it is there and of the wanted kind.
    pub fn max(&self, unit: Unit) -> Option<f64> {
        self.max.as_ref().and_then(|v| v.get(unit))
    }
}

/// A lowered declaration with everything that rules judge uniformly.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// The name of the declaration, where its kind has one and it is there.
    pub name: Option<Name>,
    /// The doc comment, Markdown.
    pub doc: Option<String>,
    pub def: Def,
    pub facts: Facts,
}

/// A declaration by its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Def {
    Import(ImportDef),
    /// An `allow` at the top of a file; it is in [`Facts::allows`].
    Allow,
    Application(ApplicationDef),
    Entity(EntityDef),
    Relationship(RelationshipDef),
    Table(TableDef),
    Aggregate(AggregateDef),
    Pattern(PatternDef),
    Workflow(WorkflowDef),
    Consideration(Option<Text>),
    Tradeoff {
        text: Option<Text>,
        because: Option<Text>,
    },
    /// Text that starts no declaration.
    Junk,
}

/// `import "other.dynamo"`.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportDef {
    pub path: Option<Text>,
}

/// The `application`: what the model is for, and what holds for all its tables.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ApplicationDef {
    pub domain: Option<Text>,
    pub context: Option<Text>,
    pub scale: Option<Text>,
    pub region: Option<Text>,
    pub style: Option<Style>,
    pub capacity: Option<Capacity>,
    pub class: Option<TableClass>,
}

/// The school of table design that a model follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    #[default]
    Aggregate,
    SingleTable,
}

/// How throughput is paid for.
#[derive(Clone, Debug, PartialEq)]
pub enum Capacity {
    OnDemand,
    Provisioned { utilization: Option<Value> },
}

/// The class that a table's storage and requests are priced in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableClass {
    Standard,
    InfrequentAccess,
}

/// How many of one entity belong to how many of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    OneToOne,
    OneToMany,
    ManyToMany,
}

impl Cardinality {
    /// The cardinality as it is written.
    pub fn written(self) -> &'static str {
        match self {
            Cardinality::OneToOne => "1:1",
            Cardinality::OneToMany => "1:N",
            Cardinality::ManyToMany => "N:M",
        }
    }
}

/// `relationship User 1:N Order { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationshipDef {
    pub left: Option<Name>,
    pub cardinality: Option<Cardinality>,
    pub right: Option<Name>,
    /// The entity that is the edge of an N:M.
    pub through: Option<Name>,
    /// The child's attribute that holds the parent's id.
    pub by: Option<Name>,
    /// Children per parent, a plain number.
    pub children: Option<Measure>,
    pub parents: Option<Measure>,
    pub identifying: Option<TextRange>,
    pub because: Option<Text>,
}

/// An `aggregate`: entities that belong together, and how they are to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateDef {
    pub entities: Vec<Name>,
    pub decision: Option<(Decision, TextRange)>,
    pub because: Option<Text>,
}

/// How the entities of an aggregate are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    SingleItem,
    ItemCollection,
    SeparateTables,
}

/// A `workflow`: patterns that one journey runs in this order.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowDef {
    pub patterns: Vec<Name>,
}

/// What lowering notes about a declaration besides its meaning.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Facts {
    /// Every quantity with what its place asks of it.
    pub quantities: Vec<QuantityUse>,
    /// Every measure, for the order of its two values.
    pub measures: Vec<Measure>,
    /// Every clause that may stand once in its block.
    pub clauses: Vec<ClauseUse>,
    pub allows: Vec<AllowUse>,
    /// Every name that refers to something.
    pub references: Vec<Reference>,
}

/// A quantity and what is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityUse {
    pub value: Value,
    pub expected: Unit,
    pub bound: Bound,
    /// What it is, for messages: `` `limit` ``, `` `rate` ``.
    pub role: &'static str,
    pub label: Option<Name>,
    /// The labels that may stand before it here.
    pub labels: &'static [&'static str],
}

/// What values a quantity may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A whole number from 1.
    Whole,
    /// Above zero.
    Positive,
    /// Zero or more.
    NotNegative,
    /// From 0 % to 100 %.
    Percent,
    /// Above 0 % and up to 100 %: what something is divided by.
    Share,
    /// Whatever number it is, negative ones included.
    Any,
}

/// What is wrong with a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityFault {
    UnknownUnit,
    /// It is of this kind, and another one is asked for.
    WrongKind(Unit),
    /// Its label means nothing here.
    Label,
    OutOfRange,
}

impl QuantityUse {
    /// The first thing that is wrong with it: what stands behind a fault can
    /// only be judged once that is mended.
    pub fn fault(&self) -> Option<QuantityFault> {
        let Some(quantity) = self.value.quantity else { return Some(QuantityFault::UnknownUnit) };
        if quantity.unit != self.expected {
            return Some(QuantityFault::WrongKind(quantity.unit));
        }
        if self.label.as_ref().is_some_and(|label| !self.labels.contains(&label.text.as_str())) {
            return Some(QuantityFault::Label);
        }
        (!self.bound.takes(quantity.value)).then_some(QuantityFault::OutOfRange)
    }
}

impl Bound {
    /// Whether a value in its base unit lies within the bound.
    pub fn takes(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Bound::Whole => value >= 1.0 && value.fract() == 0.0,
                Bound::Positive => value > 0.0,
                Bound::NotNegative => value >= 0.0,
                Bound::Percent => (0.0..=1.0).contains(&value),
                Bound::Share => value > 0.0 && value <= 1.0,
                Bound::Any => true,
            }
    }
}

/// One clause of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseUse {
    /// What may stand once: `rate`, `partition key`.
    pub what: &'static str,
    /// The block it stands in, so that two indexes may both have a `sort key`.
    pub block: TextRange,
    /// The clause's keyword.
    pub range: TextRange,
}

/// An `allow … because "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct AllowUse {
    pub rules: Vec<Name>,
    pub because: Option<Text>,
    /// The block that it silences the rules in; `None` at the top of a file.
    pub block: Option<TextRange>,
    /// The whole clause.
    pub range: TextRange,
}

/// A name that refers to something, with where to look for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub name: Name,
    pub target: Target,
}

/// What a reference may name. Scopes are given by name, so that lowering needs
/// nothing but the declaration itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Entity,
    Table,
    Pattern,
    Rule,
    Index {
        table: String,
    },
    /// An attribute of one of these entities, or the name of a list embedded in
    /// their items.
    EntityAttribute {
        entities: Vec<String>,
    },
    /// An attribute of an entity, or a key of the table it is stored in.
    ItemAttribute {
        entity: String,
        table: String,
    },
    /// An attribute of any entity in the table, or any key of the table or of its
    /// indexes.
    TableAttribute {
        table: String,
    },
    /// A key that an item block sets.
    Key {
        table: String,
    },
    /// A key part that declares no type: an attribute of an item or a key that
    /// an item block sets.
    UntypedKey {
        table: String,
    },
    /// What `by` and `ordered by` name: an attribute of these entities, those that
    /// the clause is about; where none of them has it, an attribute of any entity.
    AnyAttribute {
        entities: Vec<String>,
    },
}
