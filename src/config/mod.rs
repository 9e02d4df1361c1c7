//! `keywright.toml`: its text in, settings and faults out.
//!
//! One file a table of the format: `prices.rs` reads `[prices]`; levels,
//! thresholds and quotas get a file each beside it, a field of [`Settings`] and
//! an arm in [`read`]. Which file holds for a model, and where it lies on disk,
//! is decided elsewhere.

mod document;
mod entries;
mod prices;

pub use prices::{GivenPrices, RegionPrices};

use crate::syntax::TextRange;
use entries::{Faults, entries};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::de::DeTable;

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
    /// Prices by Region (numbers C1).
    pub prices: BTreeMap<String, RegionPrices>,
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
#[derive(Clone, Debug, PartialEq)]
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
    pub fn of_text(text: &str) -> Self {
        if text.len() > MOST_BYTES {
            return Self::too_large();
        }
        let document = document::parse(text);
        let mut faults = document.faults;
        let settings = read(&document.root, &mut faults);
        Self { text: text.into(), settings: Arc::new(settings), faults: faults.in_order() }
    }

    /// Reads bytes, which must be UTF-8.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::of_text(text),
            Err(error) => Self::unreadable(&format!("it is not valid UTF-8 (byte {})", error.valid_up_to())),
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

/// Names of the first level that are tolerated, though nothing reads them yet:
/// the levels of rules, their thresholds, quotas, the style of models that name
/// none, and the schema that an editor checks the file by.
const PLANNED: [&str; 5] = ["levels", "thresholds", "quotas", "style", "$schema"];

fn read(root: &DeTable<'_>, faults: &mut Faults) -> Settings {
    let mut settings = Settings::default();
    for entry in entries(root) {
        match entry.name {
            "region" => settings.region = entry.text(faults),
            "prices" => {
                settings.prices = entry.table(faults).map(|table| prices::read(table, faults)).unwrap_or_default()
            }
            planned if PLANNED.contains(&planned) => {}
            _ => faults.unknown(&entry, "setting", &["region", "prices"]),
        }
    }
    settings
}

#[cfg(test)]
mod tests;
