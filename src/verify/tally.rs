//! What the calls of one operation add up to.

use super::engine::EngineFault;
use super::report::{OperationReport, StepReport, UnitsReport, Verdict};
use std::collections::BTreeMap;

/// So many disagreements of an operation are told in words.
const TOLD: usize = 5;

/// Capacity units by `Table` or `Table.Index`; no zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Units(pub BTreeMap<String, f64>);

impl Units {
    /// Adds units of a table or index.
    pub fn add(&mut self, target: &str, units: f64) {
        if units != 0.0 {
            *self.0.entry(target.to_owned()).or_default() += units;
        }
    }

    /// Adds all units of others.
    pub fn extend(&mut self, others: &Units) {
        for (target, units) in &others.0 {
            self.add(target, *units);
        }
    }

    fn spelled(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(|(target, units)| format!("{units} on {target}")).collect();
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    }
}

/// The calls of one operation so far.
pub(super) struct Tally {
    operation: usize,
    text: String,
    calls: usize,
    expected: BTreeMap<String, u64>,
    returned: BTreeMap<String, u64>,
    predicted: Units,
    measured: Units,
    steps: Vec<StepSum>,
    keys: Vec<String>,
    notes: Vec<String>,
    problems: Vec<String>,
    told: usize,
    pub skipped: Option<String>,
}

#[derive(Clone, Default)]
struct StepSum {
    items: u64,
    units: Units,
    replaces: bool,
}

impl Tally {
    /// Of an operation of so many steps.
    pub fn new(operation: usize, text: String, steps: usize) -> Self {
        Self {
            operation,
            text,
            calls: 0,
            expected: BTreeMap::new(),
            returned: BTreeMap::new(),
            predicted: Units::default(),
            measured: Units::default(),
            steps: vec![StepSum::default(); steps],
            keys: Vec::new(),
            notes: Vec::new(),
            problems: Vec::new(),
            told: 0,
            skipped: None,
        }
    }

    /// Another call, with what the caller supplies for it.
    pub fn call(&mut self, key: String) {
        self.calls += 1;
        self.keys.push(key);
    }

    /// What the call is expected to return or touch, and to cost, of one step.
    pub fn expect<'n>(&mut self, step: usize, entities: impl Iterator<Item = &'n str>, read: u64, units: &Units) {
        for entity in entities {
            *self.expected.entry(entity.to_owned()).or_default() += 1;
        }
        if let Some(sum) = self.steps.get_mut(step) {
            sum.items += read;
            sum.units.extend(units);
        }
    }

    /// What came back.
    pub fn returned<'n>(&mut self, entities: impl Iterator<Item = &'n str>) {
        for entity in entities {
            *self.returned.entry(entity.to_owned()).or_default() += 1;
        }
    }

    /// Holds what a call consumed against what it should have.
    pub fn units(&mut self, predicted: &Units, measured: &Units) {
        if predicted != measured {
            self.problem(format!("expected {}, measured {}", predicted.spelled(), measured.spelled()));
        }
        self.predicted.extend(predicted);
        self.measured.extend(measured);
    }

    /// The engine did not accept the call.
    pub fn refused(&mut self, fault: &EngineFault) {
        self.problem(format!("not accepted: {}: {}", fault.code, fault.message));
    }

    /// Something that disagrees in the latest call.
    pub fn problem(&mut self, words: String) {
        self.told += 1;
        if self.problems.len() < TOLD {
            let key = self.keys.last().map_or("", String::as_str);
            self.problems.push(if key.is_empty() { words } else { format!("{key}: {words}") });
        }
    }

    /// Something to know about the operation, said once.
    pub fn note(&mut self, words: &str) {
        if !self.notes.iter().any(|note| note == words) {
            self.notes.push(words.to_owned());
        }
    }

    /// A step wrote over items that were there.
    pub fn replaces(&mut self, step: usize) {
        if let Some(sum) = self.steps.get_mut(step) {
            sum.replaces = true;
        }
    }

    /// The sum of all.
    pub fn report(mut self) -> OperationReport {
        let calls = self.calls.max(1) as f64;
        let targets: Vec<String> = self.predicted.0.keys().chain(self.measured.0.keys()).cloned().collect();
        let mut units: Vec<UnitsReport> = Vec::new();
        for target in targets {
            if units.iter().all(|known| known.target != target) {
                let of = |units: &Units| units.0.get(&target).copied().unwrap_or(0.0);
                let (predicted, measured) = (of(&self.predicted), of(&self.measured));
                units.push(UnitsReport { target, predicted, measured });
            }
        }
        units.sort_by(|a, b| a.target.cmp(&b.target));
        let steps = self.steps.into_iter().enumerate().map(|(step, sum)| StepReport {
            step,
            items: sum.items as f64 / calls,
            units: sum.units.0.into_iter().map(|(target, units)| (target, units / calls)).collect(),
            replaces: sum.replaces,
        });
        if self.told > self.problems.len() {
            self.problems.push(format!("and {} more", self.told - self.problems.len()));
        }
        let verdict = match self.skipped {
            Some(why) if self.problems.is_empty() => Verdict::Skipped(why),
            _ if self.problems.is_empty() => Verdict::Agrees,
            _ => Verdict::Disagrees(self.problems),
        };
        OperationReport {
            operation: self.operation,
            text: self.text,
            calls: self.calls,
            expected: self.expected,
            returned: self.returned,
            units,
            steps: steps.collect(),
            keys: self.keys,
            notes: self.notes,
            verdict,
        }
    }
}
