//! Settings that come and change while the server runs.

use super::analyst::Job;
use super::settings::{SECTION, Settings, of_models};
use super::state::State;
use crate::config;
use serde_json::Value;
use std::collections::BTreeSet;
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

#[derive(Default)]
struct Layers {
    /// What `initialize` set: what the configuration leaves open stays so.
    initial: Settings,
    now: Settings,
    /// The same of what the analysis reads.
    initial_of_models: config::Settings,
    of_models: Arc<config::Settings>,
    /// The faults that the client has been told: it sends all settings again
    /// with every change of one.
    told: BTreeSet<String>,
    /// Faults of what `initialize` set: the log begins with other words.
    unsaid: Vec<String>,
}

impl Layers {
    /// The faults that are news.
    fn news(&mut self, faults: Vec<String>) -> Vec<String> {
        let before = std::mem::take(&mut self.told);
        let news = faults.iter().filter(|fault| !before.contains(*fault)).cloned().collect();
        self.told = faults.into_iter().collect();
        news
    }
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
        let (initial, mut faults) = Settings::default().with(options);
        let (of_models, more) = of_models(options);
        faults.extend(more);
        let mut layers = self.configuration.layers();
        (layers.initial, layers.now) = (initial, initial);
        if initial.shows_documents {
            self.given.are_shown();
        }
        layers.initial_of_models = of_models.clone();
        let news = layers.news(faults);
        layers.unsaid = news;
        self.set_settings_of_models(&mut layers, of_models);
    }

    /// Tells what is wrong with the options of `initialize`.
    pub fn tell_initial_faults(&self) {
        let faults = std::mem::take(&mut self.configuration.layers().unsaid);
        self.tell_faults(faults);
    }

    /// Takes a configuration, and has the client ask again for what it changes.
    pub fn set_configuration(&self, sent: &Value) {
        let (of_models, more) = of_models(sent);
        let mut layers = self.configuration.layers();
        let (new, mut faults) = layers.initial.with(sent);
        let before = std::mem::replace(&mut layers.now, new);
        faults.extend(more);
        let news = layers.news(faults);
        let of_models = of_models.over(&layers.initial_of_models);
        self.set_settings_of_models(&mut layers, of_models);
        drop(layers);
        if new.shows_documents {
            self.given.are_shown();
        }
        self.tell_faults(news);
        if before.inlay_hints != new.inlay_hints {
            self.refresh_hints();
        }
        if before.code_lens != new.code_lens {
            self.refresh_lenses();
        }
    }

    /// Gives the analyst what it reads, in the order in which it came: the layers
    /// are locked meanwhile.
    fn set_settings_of_models(&self, layers: &mut Layers, settings: config::Settings) {
        if *layers.of_models != settings {
            layers.of_models = Arc::new(settings);
            self.analyst.put(Job::Settings(Arc::clone(&layers.of_models)));
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
