//! What a rule is.

use super::check::Check;
use super::finding::Level;
use super::threshold::Threshold;

/// A rule of the catalogue.
pub struct Rule {
    /// Its name: the `code` of its findings, what `allow` and `explain` take.
    pub name: &'static str,
    pub group: Group,
    /// The level that its findings have unless it says otherwise.
    pub level: Level,
    /// One line: when it fires.
    pub summary: &'static str,
    /// The numbers that it compares with, where a team may set them.
    pub thresholds: &'static [Threshold],
    pub check: Check,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A group of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Faults of the text itself; they cannot be silenced.
    Language,
    Correctness,
    Capacity,
    Cost,
    Design,
    Requirements,
    Names,
}

impl Group {
    /// All groups, in the order of the catalogue.
    pub const ALL: [Group; 7] = [
        Group::Language,
        Group::Correctness,
        Group::Capacity,
        Group::Cost,
        Group::Design,
        Group::Requirements,
        Group::Names,
    ];

    /// The group as settings name it.
    pub fn name(self) -> &'static str {
        match self {
            Group::Language => "language",
            Group::Correctness => "correctness",
            Group::Capacity => "capacity",
            Group::Cost => "cost",
            Group::Design => "design",
            Group::Requirements => "requirements",
            Group::Names => "names",
        }
    }
}
