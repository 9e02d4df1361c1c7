//! What a run found. Data alone: who shows it decides how.

use std::collections::BTreeMap;

/// What a run found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The engine, in its own words.
    pub engine: String,
    /// Findings for which the model was not run, each with its rule. Nothing else
    /// is there then but the engine.
    pub refused: Vec<String>,
    /// What the engine did not do although nothing in the model speaks against
    /// it, outside of any operation: a table not created, an item not written.
    pub faults: Vec<String>,
    /// What became of the counts and shares of the model.
    pub entities: Vec<EntityReport>,
    /// What each table and index held.
    pub members: Vec<MembersReport>,
    /// What the analysis expects of what tables and indexes hold.
    pub stocks: Vec<ExpectationReport>,
    /// What was assumed or left out, in sentences.
    pub notes: Vec<String>,
    pub patterns: Vec<PatternReport>,
    pub documents: DocumentsReport,
}

/// What became of the requests that the documents print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentsReport {
    /// How many were sent.
    pub requests: usize,
    /// How many of them were accepted, and returned what they should.
    pub accepted: usize,
    /// Which were not, and why; and what stood in their way.
    pub problems: Vec<String>,
    /// Operations of which the documents print no request, and why.
    pub not_made: Vec<String>,
}

/// How many items of an entity there were.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityReport {
    pub name: String,
    /// The `count` of the model.
    pub declared: Option<f64>,
    /// Things of this entity in the run, stored as items or embedded.
    pub items: usize,
    pub optional: Vec<OptionalReport>,
    /// Distinct values of the attributes that keys are made of.
    pub distinct: Vec<(String, usize)>,
    /// Parent, items of this entity for one of it on average, and what the model
    /// says of that.
    pub per_parent: Vec<(String, f64, Option<f64>)>,
}

/// The items of one entity in a table or index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MembersReport {
    /// `Table` or `Table.Index`.
    pub source: String,
    pub entity: String,
    pub items: usize,
    /// Bytes of all of them, or of their entries.
    pub bytes: u64,
    /// Bytes of the largest.
    pub largest: u64,
}

/// The share of an entity's items that have an optional attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionalReport {
    pub attribute: String,
    /// From 0 to 1.
    pub present: f64,
}

/// What a run found of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternReport {
    pub name: String,
    pub operations: Vec<OperationReport>,
    /// Why nothing of it was run.
    pub skipped: Option<String>,
}

/// What a run found of one operation: a step alone, or a transaction or batch.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationReport {
    /// Which operation of the pattern, counted from 0.
    pub operation: usize,
    /// `query Orders.ByDay`.
    pub text: String,
    /// How often it was called, pages not counted.
    pub calls: usize,
    /// Items that the analysis expects, by entity, over all calls. Of a write: the
    /// items that it touches.
    pub expected: BTreeMap<String, u64>,
    /// The items that came back; of a write, those that the engine accepted.
    pub returned: BTreeMap<String, u64>,
    pub units: Vec<UnitsReport>,
    pub steps: Vec<StepReport>,
    /// What the analysis expects of one call on average over the population.
    pub expectations: Vec<ExpectationReport>,
    /// The keys that it was called with.
    pub keys: Vec<String>,
    pub notes: Vec<String>,
    pub verdict: Verdict,
}

/// Capacity units over all calls of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitsReport {
    /// `Table` or `Table.Index`.
    pub target: String,
    pub predicted: f64,
    pub measured: f64,
}

/// What one call of a step does on average over the population, as predicted
/// from the items that are there. The `times` of a step in a transaction or
/// batch is in it, that of a step alone is not.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Which step of the operation, counted from 0.
    pub step: usize,
    /// Items read before a filter, or written.
    pub items: f64,
    /// Capacity units by `Table` or `Table.Index`.
    pub units: BTreeMap<String, f64>,
    /// Whether it wrote over items that were there: a `put` with a condition that
    /// only such items meet.
    pub replaces: bool,
    /// How many different results its calls had, in items and units.
    pub outcomes: usize,
    /// The engine departs in what it charges for it.
    pub quirk: bool,
}

/// A number that the analysis computes from what the population really is, and
/// what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationReport {
    /// `units of Orders.ByDay`.
    pub of: String,
    /// What is expected at least.
    pub expected_low: f64,
    /// What is expected at most; `None` where nothing bounds it.
    pub expected_high: Option<f64>,
    /// The mean over all calls, or the sum over all items.
    pub measured: f64,
    pub outcome: Agreement,
}

/// How an expectation turned out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is the number.
    Exact,
    /// What the analysis only bounds is within its bounds.
    Within,
    /// Items or counts vary among the calls, so that the mean of what was rounded
    /// is not the mean that was rounded; it is as near as rounding allows.
    Rounded,
    /// Why it was not compared.
    NotCompared(String),
    Differs,
}

impl ExpectationReport {
    /// In words, for where it differs.
    pub fn words(&self) -> String {
        let expected = match self.expected_high {
            Some(high) if high == self.expected_low => format!("{high}"),
            Some(high) => format!("{} to {high}", self.expected_low),
            None => format!("at least {}", self.expected_low),
        };
        format!("{}: the analysis expects {expected} on average, measured {}", self.of, self.measured)
    }
}

/// Whether engine and analysis agree.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Agrees,
    /// In which calls they did not, and how: the first few of them.
    Disagrees(Vec<String>),
    /// Why it was not run.
    Skipped(String),
}

impl Report {
    /// Whether something was run, and nothing disagreed.
    pub fn agrees(&self) -> bool {
        let operations = self.patterns.iter().flat_map(|pattern| &pattern.operations);
        let disagrees = |operation: &OperationReport| matches!(operation.verdict, Verdict::Disagrees(_));
        let stocks = self.stocks.iter().any(|stock| stock.outcome == Agreement::Differs);
        self.refused.is_empty()
            && self.faults.is_empty()
            && self.documents.problems.is_empty()
            && !stocks
            && !operations.into_iter().any(disagrees)
    }
}
