//! `[quotas]`: what an account gets where AWS has raised it.

use super::entries::{Faults, quantity, shown};
use super::node::{Entry, Value};
use crate::syntax::{Quantity, Unit};
use std::collections::BTreeMap;

/// A limit that AWS raises when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quota {
    GlobalIndexes,
    TableReads,
    TableWrites,
    LaunchReads,
    LaunchWrites,
}

/// Above this a quota is none.
const MOST: f64 = 1e12;

impl Quota {
    /// All of them, in the order in which they are documented.
    pub const ALL: [Quota; 5] =
        [Quota::GlobalIndexes, Quota::TableReads, Quota::TableWrites, Quota::LaunchReads, Quota::LaunchWrites];

    /// Its name in `[quotas]`.
    pub fn name(self) -> &'static str {
        match self {
            Quota::GlobalIndexes => "global_indexes",
            Quota::TableReads => "table_read_units",
            Quota::TableWrites => "table_write_units",
            Quota::LaunchReads => "launch_read_units",
            Quota::LaunchWrites => "launch_write_units",
        }
    }

    /// What an account gets unasked (Q01, Q03, Q06).
    pub fn default(self) -> f64 {
        match self {
            Quota::GlobalIndexes => 20.0,
            Quota::TableReads | Quota::TableWrites => 40_000.0,
            Quota::LaunchReads => 12_000.0,
            Quota::LaunchWrites => 4_000.0,
        }
    }

    /// What it bounds, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Quota::GlobalIndexes => "global secondary indexes of a table",
            Quota::TableReads => "read units a second of a table or a global index",
            Quota::TableWrites => "write units a second of a table or a global index",
            Quota::LaunchReads => "read units a second that a new on-demand table or index serves at once",
            Quota::LaunchWrites => "write units a second that a new on-demand table or index serves at once",
        }
    }
}

/// Reads `[quotas]`.
pub fn read(table: &[Entry], faults: &mut Faults) -> BTreeMap<Quota, f64> {
    let mut quotas = BTreeMap::new();
    for entry in table {
        match Quota::ALL.into_iter().find(|quota| quota.name() == entry.name) {
            Some(quota) => quotas.extend(value(quota, entry, faults).map(|value| (quota, value))),
            None => faults.unknown(entry, "quota", &Quota::ALL.map(Quota::name)),
        }
    }
    quotas
}

/// A number, which may be written as in the language: `"80k"`.
fn value(quota: Quota, entry: &Entry, faults: &mut Faults) -> Option<f64> {
    let number = match &entry.node.value {
        Value::Number(number) => *number,
        Value::Text(text) => match quantity(text) {
            Some(Quantity { value, unit: Unit::Number }) => Some(value),
            _ => {
                let (name, text) = (shown(&entry.name), shown(text));
                let fault = format!("`{name}` is `{text}`; it must be a number such as {}", quota.default());
                faults.add(entry.node.place, fault);
                return None;
            }
        },
        _ => return entry.wrong(&format!("a number such as {}", quota.default()), faults),
    };
    let number = entry.bounded(number, MOST, "is more than any account gets", faults)?;
    if number < 1.0 {
        faults.add(entry.node.place, format!("`{}` must be at least 1", shown(&entry.name)));
        return None;
    }
    if number.fract() != 0.0 {
        faults.add(entry.node.place, format!("`{}` must be a whole number", shown(&entry.name)));
        return None;
    }
    Some(number)
}
