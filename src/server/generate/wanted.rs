//! What a code action or command asks for, as the client carries it.

use crate::deliverables::keep::{Conflict, Way};
use crate::ide::DocumentKind;
use crate::model::files::FileKey;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use tower_lsp::ls_types::Uri;

/// Documents to make or refresh.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wanted {
    /// A file of their models.
    pub uri: Uri,
    pub kind: WantedKind,
    /// The only document that is meant, by its key; nothing for those of all models
    /// of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// What somebody has decided already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// What becomes of all other texts of people where the model says something else;
    /// nothing to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<WantedWay>,
    /// Whether somebody said that nothing of the documents is unsaved, which only they
    /// know where the client does not show what it has open.
    #[serde(default, rename = "isSaved", skip_serializing_if = "std::ops::Not::not")]
    pub is_saved: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WantedKind {
    Requirement,
    DataModel,
}

/// What somebody has decided about a text of theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The document, by its key.
    pub document: String,
    pub part: String,
    /// A digest of the text: should it be another by then, nothing was decided.
    pub mine: String,
    pub way: WantedWay,
}

/// A way out of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WantedWay {
    Mine,
    New,
    Both,
}

impl Wanted {
    pub fn new(uri: Uri, kind: DocumentKind) -> Self {
        Self { uri, kind: kind.into(), document: None, choices: Vec::new(), conflicts: None, is_saved: false }
    }

    /// What was decided about a text in a document.
    pub fn way(&self, document: &FileKey, conflict: &Conflict) -> Option<Way> {
        let is_it = |choice: &&Choice| {
            choice.document == document.as_str()
                && choice.part == conflict.name
                && choice.mine == digest(&conflict.mine)
        };
        let chosen = self.choices.iter().find(is_it).map(|choice| choice.way);
        chosen.or(self.conflicts).map(Way::from)
    }

    /// The choices that are for none of these texts: what they were about is another
    /// by now.
    pub fn is_outdated(&self, document: &FileKey, conflicts: &[Conflict]) -> bool {
        let own = self.choices.iter().filter(|choice| choice.document == document.as_str());
        let is_about = |choice: &Choice, conflict: &Conflict| {
            choice.part == conflict.name && choice.mine == digest(&conflict.mine)
        };
        own.into_iter().any(|choice| !conflicts.iter().any(|conflict| is_about(choice, conflict)))
    }
}

/// What tells a text from others, for as long as a session lasts.
pub fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl WantedWay {
    /// All ways, in the order in which they are offered: what loses nothing first.
    pub const ALL: [WantedWay; 3] = [WantedWay::Mine, WantedWay::New, WantedWay::Both];

    /// The same for a part that the model no longer has: there is no second text to
    /// show.
    pub const OF_GONE: [WantedWay; 2] = [WantedWay::Mine, WantedWay::New];

    /// The ways out for a part that the model has, or has no longer.
    pub fn all(is_gone: bool) -> &'static [WantedWay] {
        if is_gone { &Self::OF_GONE } else { &Self::ALL }
    }

    /// The way in the words of a menu, behind a colon.
    pub fn words(self, is_gone: bool) -> &'static str {
        match self {
            WantedWay::Mine if is_gone => "keep it as mine",
            WantedWay::New if is_gone => "remove it",
            WantedWay::Mine => "keep mine",
            WantedWay::New => "take the new one",
            WantedWay::Both => "show both",
        }
    }

    /// The same on a button.
    pub fn button(self, is_gone: bool) -> &'static str {
        match self {
            WantedWay::Mine if is_gone => "Keep it as mine",
            WantedWay::New if is_gone => "Remove it",
            WantedWay::Mine => "Keep mine",
            WantedWay::New => "Take the new one",
            WantedWay::Both => "Show both",
        }
    }
}

impl From<WantedWay> for Way {
    fn from(way: WantedWay) -> Self {
        match way {
            WantedWay::Mine => Way::Mine,
            WantedWay::New => Way::New,
            WantedWay::Both => Way::Both,
        }
    }
}

impl From<WantedKind> for DocumentKind {
    fn from(kind: WantedKind) -> Self {
        match kind {
            WantedKind::Requirement => DocumentKind::Requirement,
            WantedKind::DataModel => DocumentKind::DataModel,
        }
    }
}

impl From<DocumentKind> for WantedKind {
    fn from(kind: DocumentKind) -> Self {
        match kind {
            DocumentKind::Requirement => WantedKind::Requirement,
            DocumentKind::DataModel => WantedKind::DataModel,
        }
    }
}
