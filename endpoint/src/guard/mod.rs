//! Keeps a run to the tables that it created itself, and deletes them.

mod names;
mod sweep;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, Hasher, RandomState},
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::call::{Call, Fault, code};
pub use sweep::{Leftover, Sweeper};

/// A prefix that no table has yet: 64 random bits in it.
pub fn random_prefix() -> String {
    // The standard library's hashers start from what the system gives as random.
    format!("keywright-verify-{:016x}-", RandomState::new().build_hasher().finish())
}

/// How long the guard waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a created table and its indexes to become `ACTIVE`.
    pub active: Duration,
    /// For all tables of the run to accept their deletion.
    pub deletion: Duration,
    /// How long a table that was asked for and never seen is looked for when the
    /// tables are deleted: its creation may have been carried out all the same.
    pub doubt: Duration,
    /// Between two looks, at first; doubled up to a second.
    pub step: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            active: Duration::from_secs(120),
            deletion: Duration::from_secs(120),
            doubt: Duration::from_secs(5),
            step: Duration::from_millis(20),
        }
    }
}

impl Patience {
    /// The times to wait between looks.
    fn steps(self) -> impl Iterator<Item = Duration> {
        let longest = Duration::from_secs(1).max(self.step);
        std::iter::successors(Some(self.step), move |step| Some((*step * 2).min(longest)))
    }
}

/// An engine in which a run sees nothing but its own tables.
///
/// - A table gets the run's prefix in front of its name. Requests and responses
///   bear the names without it, so that whoever calls needs not know.
/// - A request to any table that this run did not create is refused with
///   [`code::FOREIGN_TABLE`] and not sent, as is an operation that is not known
///   to name its tables. A name that is taken is not created, even where the
///   engine would let it pass.
/// - `CreateTable` returns when the table and its indexes are `ACTIVE`.
/// - [`finish`](Owned::finish) deletes the tables and says what it could not
///   delete; being dropped, also by a panic, does the same and says so on
///   standard error. A [`Sweeper`] does it from another thread.
///
/// What stops the program without letting it do anything (SIGKILL, a power cut)
/// leaves the tables where they are; their names begin with the prefix.
pub struct Owned<C: Call> {
    shared: Arc<Shared<C>>,
    finished: bool,
}

struct Shared<C> {
    engine: C,
    prefix: String,
    patience: Patience,
    state: Mutex<State>,
    /// Held while a table is being asked for, so that whoever deletes knows of
    /// every table.
    creating: Mutex<()>,
    /// Held while tables are deleted: two at a time would report each other's.
    sweeping: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The run has ended: nothing is let through any more.
    ended: bool,
    /// The run's tables under their full names, and whether each has been seen.
    tables: BTreeMap<String, bool>,
}

/// A panic elsewhere leaves nothing half done in what the locks protect.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl<C: Call> Owned<C> {
    /// A run on `engine` whose tables begin with `prefix`.
    ///
    /// # Errors
    /// Where the prefix is too short to keep runs apart (8 characters), so long
    /// that it leaves no room for names, or has characters that the name of a
    /// table must not have (facts L15).
    pub fn new(engine: C, prefix: &str) -> Result<Owned<C>, String> {
        Owned::with_patience(engine, prefix, Patience::default())
    }

    /// The same, with another patience.
    ///
    /// # Errors
    /// As [`new`](Owned::new).
    pub fn with_patience(engine: C, prefix: &str, patience: Patience) -> Result<Owned<C>, String> {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if !(8..=128).contains(&prefix.len()) || !prefix.chars().all(legal) {
            return Err(format!("`{prefix}` cannot begin the names of tables"));
        }
        let shared = Shared {
            engine,
            prefix: prefix.to_owned(),
            patience,
            state: Mutex::default(),
            creating: Mutex::default(),
            sweeping: Mutex::default(),
        };
        Ok(Owned { shared: Arc::new(shared), finished: false })
    }

    /// Something that ends the run and deletes its tables from another thread.
    pub fn sweeper(&self) -> Sweeper<C> {
        Sweeper { shared: Arc::clone(&self.shared) }
    }

    /// Ends the run and deletes its tables.
    ///
    /// # Errors
    /// The tables that could not be deleted, and why.
    pub fn finish(mut self) -> Result<(), Vec<Leftover>> {
        self.finished = true;
        let left = self.shared.sweep();
        if left.is_empty() { Ok(()) } else { Err(left) }
    }
}

impl<C: Call> Call for Owned<C> {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        self.shared.call(operation, request)
    }
}

impl<C: Call> Drop for Owned<C> {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        // Where a panic brought us here, a second one would end the program
        // before the tables are deleted.
        let sweep = std::panic::AssertUnwindSafe(|| self.shared.sweep());
        for leftover in std::panic::catch_unwind(sweep).unwrap_or_default() {
            use std::io::Write as _;
            _ = writeln!(std::io::stderr(), "keywright: {leftover}");
        }
    }
}

impl<C: Call> Shared<C> {
    fn call(&self, operation: &str, request: &Value) -> Result<Value, Fault> {
        let mut request = request.clone();
        if operation == "CreateTable" {
            names::prefix(operation, &mut request, |name| Ok(format!("{}{name}", self.prefix)))?;
            return self.create(&request);
        }
        names::prefix(operation, &mut request, |name| self.own(name))?;
        self.going_on()?;
        let mut response = self.engine.call(operation, &request)?;
        if operation == "DeleteTable"
            && let Some(name) = request["TableName"].as_str()
        {
            lock(&self.state).tables.remove(name);
        }
        names::strip(&mut response, &self.prefix);
        Ok(response)
    }

    /// Lets nothing through once the run has ended.
    fn going_on(&self) -> Result<(), Fault> {
        if lock(&self.state).ended {
            return Err(Fault::new(code::ENDED, "the run has ended and its tables are being deleted"));
        }
        Ok(())
    }

    /// The full name of a table of this run.
    fn own(&self, name: &str) -> Result<String, Fault> {
        let full = format!("{}{name}", self.prefix);
        if lock(&self.state).tables.contains_key(&full) {
            return Ok(full);
        }
        Err(Fault::new(code::FOREIGN_TABLE, format!("this run did not create a table `{name}`")))
    }

    fn create(&self, request: &Value) -> Result<Value, Fault> {
        let Some(name) = request["TableName"].as_str() else {
            return Err(Fault::new(code::INVALID_REQUEST, "TableName is missing"));
        };
        if request["DeletionProtectionEnabled"] == true {
            return Err(Fault::new(code::INVALID_REQUEST, "a table that is protected could not be deleted afterwards"));
        }
        {
            let _creating = lock(&self.creating);
            self.going_on()?;
            if lock(&self.state).tables.contains_key(name) {
                return Err(Fault::new("ResourceInUseException", format!("this run has a table `{name}` already")));
            }
            match self.engine.call("DescribeTable", &json!({ "TableName": name })) {
                Err(fault) if fault.code == NOT_FOUND => {}
                Err(fault) => return Err(fault),
                Ok(_) => return Err(Fault::new(code::FOREIGN_TABLE, format!("there is a table `{name}` already"))),
            }
            // Noted before it is asked for: whatever happens from here on, the
            // table may be there.
            lock(&self.state).tables.insert(name.to_owned(), false);
            if let Err(fault) = self.engine.call("CreateTable", request) {
                if REFUSED.contains(&fault.code.as_str()) {
                    lock(&self.state).tables.remove(name);
                }
                return Err(fault);
            }
        }
        let mut table = self.wait_until_active(name)?;
        names::strip(&mut table, &self.prefix);
        Ok(json!({ "TableDescription": table["Table"] }))
    }

    /// Looks at a table until it can be used. Right after its creation DynamoDB
    /// may not find it yet.
    fn wait_until_active(&self, name: &str) -> Result<Value, Fault> {
        let begin = Instant::now();
        for step in self.patience.steps() {
            self.going_on()?;
            match self.engine.call("DescribeTable", &json!({ "TableName": name })) {
                Ok(answer) => {
                    if let Some(seen) = lock(&self.state).tables.get_mut(name) {
                        *seen = true;
                    }
                    if is_active(&answer["Table"]) {
                        return Ok(answer);
                    }
                }
                Err(fault) if fault.code == NOT_FOUND => {}
                Err(fault) => return Err(fault),
            }
            if begin.elapsed() >= self.patience.active {
                break;
            }
            thread::sleep(step);
        }
        let waited = self.patience.active.as_secs();
        Err(Fault::new(code::TIMEOUT, format!("the table `{name}` was not ready after {waited} s")))
    }
}

/// Answers to `CreateTable` by which it created nothing; a table of that name
/// would be somebody else's. After any other the table is looked for.
const REFUSED: [&str; 9] = [
    "ResourceInUseException",
    "ValidationException",
    "LimitExceededException",
    "ThrottlingException",
    "AccessDeniedException",
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "ExpiredTokenException",
    code::INVALID_REQUEST,
];

/// What DynamoDB says where there is no such table.
const NOT_FOUND: &str = "ResourceNotFoundException";

/// Whether a table and its global indexes can be used. Engines that create
/// indexes at once give them no state.
fn is_active(table: &Value) -> bool {
    let ready = |state: &Value| state.is_null() || state == "ACTIVE";
    let indexes = table["GlobalSecondaryIndexes"].as_array();
    table["TableStatus"] == "ACTIVE" && indexes.into_iter().flatten().all(|index| ready(&index["IndexStatus"]))
}
