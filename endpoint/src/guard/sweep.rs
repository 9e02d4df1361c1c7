//! Deletes what a run created.

use std::{fmt, sync::Arc, thread, time::Instant};

use serde_json::json;

use super::{NOT_FOUND, Shared, lock};
use crate::call::{Call, Fault, code};

/// A table that the run created and could not delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Its name in the account, prefix included.
    pub table: String,
    /// Why it could not be deleted.
    pub fault: Fault,
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the table `{}` could not be deleted ({}): please delete it", self.table, self.fault)
    }
}

/// Ends a run and deletes its tables, from whichever thread: the way out for
/// whoever handles Ctrl-C (see [`on_interrupt`](crate::on_interrupt)).
pub struct Sweeper<C> {
    pub(super) shared: Arc<Shared<C>>,
}

impl<C: Call> Sweeper<C> {
    /// Ends the run: every call from now on is refused with
    /// [`code::ENDED`]. Waits for the creation of a table that is under way,
    /// deletes the tables, and gives those that could not be deleted.
    pub fn sweep(&self) -> Vec<Leftover> {
        self.shared.sweep()
    }
}

impl<C: Call> Shared<C> {
    pub(super) fn sweep(&self) -> Vec<Leftover> {
        lock(&self.state).ended = true;
        let _creating = lock(&self.creating);
        let _sweeping = lock(&self.sweeping);
        let mut left = Vec::new();
        let begin = Instant::now();
        for step in self.patience.steps() {
            // In rounds: none waits for another that is slow.
            let tables = lock(&self.state).tables.clone();
            let mut waiting = Vec::new();
            for (table, seen) in tables {
                if left.iter().any(|leftover: &Leftover| leftover.table == table) {
                    continue;
                }
                match self.engine.call("DeleteTable", &json!({ "TableName": table })) {
                    Ok(_) => self.forget(&table),
                    Err(fault) if fault.code == NOT_FOUND => {
                        if seen || begin.elapsed() >= self.patience.doubt {
                            self.forget(&table);
                        } else {
                            waiting.push(Leftover { table, fault });
                        }
                    }
                    Err(fault) if may_pass(&fault) => waiting.push(Leftover { table, fault }),
                    Err(fault) => left.push(Leftover { table, fault }),
                }
            }
            if waiting.is_empty() || begin.elapsed() >= self.patience.deletion {
                left.append(&mut waiting);
                break;
            }
            thread::sleep(step);
        }
        left
    }

    fn forget(&self, table: &str) {
        lock(&self.state).tables.remove(table);
    }
}

/// Whether asking again can help: the table is still being made (DynamoDB
/// deletes none before), too much is asked at once, or the answer got lost.
fn may_pass(fault: &Fault) -> bool {
    [
        "ResourceInUseException",
        "LimitExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "InternalServerError",
        "ServiceUnavailable",
        code::TIMEOUT,
        code::UNREACHABLE,
    ]
    .contains(&fault.code.as_str())
}
