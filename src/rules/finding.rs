//! What a rule reports.

use super::rule::Rule;
use crate::model::db::{Decl, SourceFile};
use crate::model::files::FileKey;
use crate::syntax::TextRange;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A good habit.
    Hint,
    /// Worth a look, priced or argued.
    Info,
    /// It will hurt in production.
    Warning,
    /// DynamoDB refuses it, loses data, or answers wrongly.
    Error,
}

impl Level {
    /// The level as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Level::Hint => "hint",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// A place: a declaration and bytes relative to it, so that it stays right when
/// text above moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub decl: Decl,
    pub range: TextRange,
}

/// Something that a rule has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    pub level: Level,
    /// What is wrong with its number, why it matters, what to do.
    pub message: String,
    pub place: FindingPlace,
    /// The other places that take part.
    pub related: Vec<Related>,
    /// The declaration or block that the finding is about, where its place is
    /// another: an `allow` there silences it as well.
    pub about: Vec<Place>,
    pub tags: Vec<Tag>,
    /// Edits that mend it, the best first.
    pub fixes: Vec<Fix>,
}

/// Where a finding shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingPlace {
    In(Place),
    /// In a file that has no declarations to stand in: line and column from
    /// zero, the column in Unicode scalar values.
    File {
        file: SourceFile,
        line: u32,
        column: u32,
    },
}

/// Another place that takes part in a finding, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    pub place: Place,
    pub message: String,
}

/// What an editor may show about a finding besides its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Not needed: shown faded.
    Unnecessary,
    Deprecated,
}

/// A change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for a menu: "Include `total` in the projection".
    pub title: String,
    pub safety: Safety,
    pub edits: Vec<Edit>,
}

/// How much thought a fix needs before it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// One of several answers, or one that leaves something to fill in: taken
    /// from the menu, by somebody who chose it.
    Choice,
    /// What nearly everybody wants, though it changes what the model says:
    /// preferred in the menu, and applied by `check --fix --unsafe`.
    Preferred,
    /// It cannot change what the model means: applied by `source.fixAll` and
    /// `check --fix` as well.
    Tidy,
}

/// One edit of a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces a range of a declaration; an empty range inserts.
    Replace {
        place: Place,
        text: String,
    },
    /// Puts a new declaration behind this one, a blank line between them.
    DeclarationAfter {
        decl: Decl,
        text: String,
    },
    /// Takes a whole declaration or clause away together with its line, where
    /// nothing else stands on it.
    RemoveLines {
        place: Place,
    },
    /// Takes declarations that follow each other away, from the comments that
    /// stand right above the first one to the one behind the last.
    RemoveDeclarations {
        first: Decl,
        last: Decl,
    },
    /// Imports another file: behind the last import, else before all
    /// declarations.
    Import {
        file: SourceFile,
        path: String,
    },
    /// Puts `lines` (without indentation of their own) at the end of the block
    /// with these braces, indented as its content is.
    AppendToBlock {
        block: Place,
        lines: String,
    },
    /// Puts a text at the end of a file, behind a blank line.
    Append {
        file: SourceFile,
        text: String,
    },
    CreateFile {
        file: FileKey,
        text: String,
    },
    DeleteFile {
        file: FileKey,
    },
}
