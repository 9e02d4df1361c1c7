//! Settings that come and change while the server runs.

use super::settings::{SECTION, Settings};
use super::state::State;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tower_lsp::ls_types::{ConfigurationItem, MessageType};

/// The settings that hold, and where they come from.
#[derive(Default)]
pub struct Configuration {
    layers: Mutex<Layers>,
    /// How often the client was asked: only the newest answer counts.
    asked: AtomicU64,
}

#[derive(Clone, Copy, Default)]
struct Layers {
    /// What `initialize` set: what the configuration leaves open stays so.
    initial: Settings,
    now: Settings,
}

impl Configuration {
    fn layers(&self) -> std::sync::MutexGuard<'_, Layers> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The settings that hold now.
    pub fn settings(&self) -> Settings {
        self.configuration.layers().now
    }

    /// Takes the options of `initialize`.
    pub fn set_initial_settings(&self, options: &Value) {
        let (initial, faults) = Settings::default().with(options);
        *self.configuration.layers() = Layers { initial, now: initial };
        self.tell_faults(faults);
    }

    /// Takes a configuration, and has the client ask again for what it changes.
    pub fn set_configuration(&self, sent: &Value) {
        let mut layers = self.configuration.layers();
        let (new, faults) = layers.initial.with(sent);
        let before = std::mem::replace(&mut layers.now, new);
        drop(layers);
        self.tell_faults(faults);
        if before.inlay_hints != new.inlay_hints {
            self.refresh_hints();
        }
        if before.code_lens != new.code_lens {
            self.refresh_lenses();
        }
    }

    /// Asks the client for its configuration; `pushed` is what holds where it
    /// has none.
    pub fn pull_configuration(self: &Arc<Self>, pushed: Value) {
        let number = self.configuration.asked.fetch_add(1, Ordering::AcqRel) + 1;
        let state = Arc::clone(self);
        self.outbox.ask(move |client| async move {
            let section = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let answer = client.configuration(vec![section]).await;
            if state.configuration.asked.load(Ordering::Acquire) != number {
                return;
            }
            let pulled = answer.map(|values| values.into_iter().next().unwrap_or_default());
            let pulled = pulled.unwrap_or_else(|error| {
                state.outbox.log(MessageType::WARNING, format!("the client's configuration is not known: {error}"));
                Value::Null
            });
            state.set_configuration(if pulled.is_null() { &pushed } else { &pulled });
        });
    }

    fn tell_faults(&self, faults: Vec<String>) {
        for fault in faults {
            self.outbox.log(MessageType::WARNING, fault);
        }
    }
}
