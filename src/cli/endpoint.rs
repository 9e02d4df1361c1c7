//! The engine at an endpoint: DynamoDB Local, or DynamoDB itself.

use super::complain;
use crate::verify::{Engine, EngineFault, Quirk, quirks};
use keywright_endpoint::{Call, Endpoint, Owned, on_interrupt, random_prefix};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// The run has been ended from outside.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// An endpoint that is let touch the tables of one run only.
pub(super) struct Remote {
    owned: Owned<Endpoint>,
    url: String,
    quirks: Vec<Quirk>,
}

impl Remote {
    /// Connects, and finds out what is there. From here on Ctrl-C deletes the
    /// tables of the run before it ends the program.
    ///
    /// # Errors
    /// Why there is no engine there, in a sentence.
    pub fn open(url: &str) -> Result<Self, String> {
        let owned = Owned::new(Endpoint::open(url)?, &random_prefix())?;
        let sweeper = owned.sweeper();
        on_interrupt(move || {
            INTERRUPTED.store(true, Ordering::SeqCst);
            sweeper.sweep().iter().for_each(complain);
        })
        .map_err(|error| format!("nothing would delete the tables on Ctrl-C: {error}"))?;
        let mut remote = Self { owned, url: url.to_owned(), quirks: Vec::new() };
        remote.quirks = quirks(&remote, "").map_err(|fault| format!("{url}: {}: {}", fault.code, fault.message))?;
        Ok(remote)
    }

    /// Deletes the tables of the run, and complains about what could not be
    /// deleted; true where everything was.
    pub fn finish(self) -> bool {
        // Whoever ended the run deletes its tables and ends the program: what the run
        // saw of that is no result.
        while INTERRUPTED.load(Ordering::SeqCst) {
            std::thread::park();
        }
        match self.owned.finish() {
            Ok(()) => true,
            Err(left) => {
                left.iter().for_each(complain);
                false
            }
        }
    }
}

impl Engine for Remote {
    fn name(&self) -> String {
        self.url.clone()
    }

    fn call(&self, operation: &str, request: &Value) -> Result<Value, EngineFault> {
        let answer = self.owned.call(operation, request);
        answer.map_err(|fault| EngineFault { code: fault.code, message: fault.message })
    }

    fn quirks(&self) -> &[Quirk] {
        &self.quirks
    }
}
