//! `keywright.toml`: its text in, settings and faults out.
//!
//! One file a table of the format: `prices.rs` reads `[prices]`, `levels.rs`
//! `[levels]`, and so on; each is a field of [`Settings`] and an arm in `read`.
//! Which file holds for a model, and where it lies on disk, is decided
//! elsewhere; which rules there are is told from above, as a [`Vocabulary`].

mod document;
mod entries;
mod json;
mod levels;
mod node;
mod prices;
mod quotas;
mod schema;
mod thresholds;
mod vocabulary;

pub use json::of_json;
pub use levels::SetLevel;
pub use prices::{GivenPrices, RegionPrices};
pub use quotas::Quota;
pub use schema::schema;
pub use thresholds::Thresholds;
pub use vocabulary::{Bounds, GroupWords, RuleWords, ThresholdWords, Vocabulary};

use crate::syntax::TextRange;
use entries::Faults;
use node::{Entry, of_toml};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the file is called, in whichever folder it lies.
pub const FILE_NAME: &str = "keywright.toml";

/// Files above this are refused: 1 MB. Settings that people write are a
/// thousandth of it.
pub const MOST_BYTES: usize = 1024 * 1024;

/// What is written in a `keywright.toml`, as far as it is sound. It holds no
/// places of the text: a comment more changes nothing that is computed from it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Settings {
    /// The AWS Region of models that name none themselves (`us-east-1`).
    pub region: Option<String>,
    /// The school of design of models that name none.
    pub style: Option<SetStyle>,
    /// Prices by Region (numbers C1).
    pub prices: BTreeMap<String, RegionPrices>,
    /// The levels that are set, by rule.
    pub levels: BTreeMap<String, SetLevel>,
    /// The thresholds that are set.
    pub thresholds: Thresholds,
    /// The quotas that are set.
    pub quotas: BTreeMap<Quota, f64>,
}

/// A school of design, as it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetStyle {
    Aggregate,
    SingleTable,
}

impl Settings {
    /// These settings where they say something, else those below. Each rule,
    /// threshold, quota and table class is a setting of its own.
    pub fn over(&self, below: &Settings) -> Settings {
        let mut settings = below.clone();
        settings.region = self.region.clone().or(settings.region);
        settings.style = self.style.or(settings.style);
        for (region, classes) in &self.prices {
            let known = settings.prices.entry(region.clone()).or_default();
            known.standard = classes.standard.clone().or(known.standard.take());
            known.infrequent_access = classes.infrequent_access.clone().or(known.infrequent_access.take());
        }
        settings.levels.extend(self.levels.iter().map(|(rule, level)| (rule.clone(), *level)));
        for (rule, own) in &self.thresholds {
            let known = settings.thresholds.entry(rule.clone()).or_default();
            known.extend(own.iter().map(|(name, value)| (name.clone(), *value)));
        }
        settings.quotas.extend(&self.quotas);
        settings
    }
}

/// Something in a `keywright.toml` that is not used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFault {
    /// Bytes of the file's text.
    pub range: TextRange,
    /// What is wrong and what would be right, for people.
    pub message: String,
}

/// A `keywright.toml` that was read.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ConfigFile {
    /// The text that the faults have their places in.
    pub text: Arc<str>,
    pub settings: Arc<Settings>,
    /// In the order of the text.
    pub faults: Vec<ConfigFault>,
}

impl ConfigFile {
    /// Reads a text. What is sound is used, whatever else is at fault; of a text
    /// that is no TOML, that is what stands above the first line that is none.
    pub fn of_text(text: &str, vocabulary: &Vocabulary) -> Self {
        if text.len() > MOST_BYTES {
            return Self::too_large();
        }
        let document = document::parse(text);
        let mut faults = document.faults;
        let settings = read(&of_toml(&document.root), vocabulary, &mut faults);
        Self { text: text.into(), settings: Arc::new(settings), faults: faults.in_order() }
    }

    /// Reads bytes, which must be UTF-8.
    pub fn from_bytes(bytes: &[u8], vocabulary: &Vocabulary) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::of_text(text, vocabulary),
            Err(error) => {
                let end = error.valid_up_to();
                let mut file = Self::unreadable(&format!("it is not valid UTF-8 (byte {end})"));
                file.text = std::str::from_utf8(&bytes[..end]).unwrap_or_default().into();
                file.faults.iter_mut().for_each(|fault| fault.range = TextRange::empty(end));
                file
            }
        }
    }

    /// A file over [`MOST_BYTES`].
    pub fn too_large() -> Self {
        Self::unreadable("it has over 1 MB, which no settings have")
    }

    /// A file that is there and cannot be read: no settings, and one fault.
    pub fn unreadable(reason: &str) -> Self {
        let fault = ConfigFault { range: TextRange::default(), message: format!("it cannot be read: {reason}") };
        Self { text: "".into(), settings: Arc::default(), faults: vec![fault] }
    }
}

/// The settings that there are, by their names on the first level.
pub const SETTINGS: [&str; 6] = ["region", "style", "levels", "thresholds", "quotas", "prices"];

/// The styles, as they are written.
const STYLES: [(&str, SetStyle); 2] = [("aggregate", SetStyle::Aggregate), ("single_table", SetStyle::SingleTable)];

fn read(root: &[Entry], vocabulary: &Vocabulary, faults: &mut Faults) -> Settings {
    let mut settings = Settings::default();
    for entry in root {
        match entry.name.as_str() {
            "region" => settings.region = region(entry, faults),
            "style" => settings.style = entry.word(&STYLES, faults),
            "prices" => settings.prices = table(entry, faults, prices::read),
            "levels" => settings.levels = table(entry, faults, |table, faults| levels::read(table, vocabulary, faults)),
            "thresholds" => {
                settings.thresholds = table(entry, faults, |table, faults| thresholds::read(table, vocabulary, faults));
            }
            "quotas" => settings.quotas = table(entry, faults, quotas::read),
            // What an editor checks the file by.
            "$schema" => drop(entry.text(faults)),
            _ => faults.unknown(entry, "setting", &SETTINGS),
        }
    }
    settings
}

fn region(entry: &Entry, faults: &mut Faults) -> Option<String> {
    let text = entry.text(faults)?;
    if !is_region(text) {
        faults.add(entry.node.place, no_region(text));
        return None;
    }
    Some(text.to_owned())
}

/// The pattern of the names of Regions.
const REGION: &str = "^[a-z]+(-[a-z]+)+-[0-9]+$";

/// Whether a name is formed as those of Regions are: `us-gov-west-1`.
fn is_region(name: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let Some((words, number)) = name.rsplit_once('-') else { return false };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && words.contains('-') && words.split('-').all(is_word)
}

/// What is said of a name that no Region can have.
fn no_region(name: &str) -> String {
    format!("no AWS Region is called `{}`; it must be a name such as `us-east-1`", entries::shown(name))
}

fn table<T: Default>(entry: &Entry, faults: &mut Faults, read: impl FnOnce(&[Entry], &mut Faults) -> T) -> T {
    entry.table(faults).map(|table| read(table, faults)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
