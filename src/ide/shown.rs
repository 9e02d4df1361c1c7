//! What the answers are made of: plain structs, with bytes for places.

use crate::model::files::FileKey;
use crate::rules::finding::{Level, Tag};
use crate::syntax::{TextEdit, TextRange};

/// A finding as it is shown: the place is absolute.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub rule: &'static str,
    pub level: Level,
    pub message: String,
    pub range: FileRange,
    pub related: Vec<RelatedPlace>,
    pub tags: Vec<Tag>,
    pub fixable: bool,
}

/// Where something is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRange {
    /// Bytes of the file's text.
    Bytes(TextRange),
    /// A line and column from zero, the column in Unicode scalar values: in
    /// files that are no text, where bytes mean nothing.
    Point { line: u32, column: u32 },
}

/// Another place that takes part in a finding, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedPlace {
    pub file: FileKey,
    pub range: TextRange,
    pub message: String,
}

/// Markdown about the range that it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Hover {
    pub range: TextRange,
    pub markdown: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: FileKey,
    /// The whole declaration.
    pub range: TextRange,
    /// Its name.
    pub selection: TextRange,
}

/// A symbol of a file, with those inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    pub name: String,
    pub detail: String,
    pub kind: SymbolKind,
    pub range: TextRange,
    /// Always inside `range`.
    pub selection: TextRange,
    pub children: Vec<Symbol>,
}

/// What a symbol is, in the words of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Application,
    Entity,
    Attribute,
    Relationship,
    Aggregate,
    Table,
    Key,
    Item,
    Index,
    Pattern,
    Operation,
    Workflow,
    Note,
    Import,
}

/// Edits of files that are there, files to make and files to delete.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SourceChange {
    /// No two edits of a file overlap; they are sorted.
    pub edits: Vec<(FileKey, Vec<TextEdit>)>,
    pub creates: Vec<(FileKey, String)>,
    pub deletes: Vec<FileKey>,
}

impl SourceChange {
    /// Every file that it changes, makes or deletes.
    pub fn files(&self) -> impl Iterator<Item = &FileKey> {
        let edited = self.edits.iter().map(|(key, _)| key);
        edited.chain(self.creates.iter().map(|(key, _)| key)).chain(&self.deletes)
    }
}

/// A fix of a finding: what it does, and the change that it is.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedFix {
    pub title: String,
    pub change: SourceChange,
}

/// An entry of the editor's menu.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeAction {
    pub title: String,
    pub kind: CodeActionKind,
    pub preferred: bool,
    pub change: SourceChange,
    /// The finding that it mends: its rule and its range.
    pub mends: Option<(&'static str, FileRange)>,
}

/// What an entry of the menu does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeActionKind {
    QuickFix,
    /// Takes something out of its place.
    RefactorExtract,
    /// Puts something where it is used.
    RefactorInline,
    /// Says the same, or more, in another way.
    RefactorRewrite,
}

/// A number shown in the text, as a label that no one typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// In bytes of the file: never at the beginning of a line.
    pub offset: usize,
    pub kind: HintKind,
    pub label: String,
    /// Markdown: how the number comes about, and what is missing.
    pub tooltip: String,
}

/// What a hint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// Units and dollars of an operation.
    Operation,
    /// The computed size of an entity.
    Size,
    /// The load on a key.
    Key,
}

/// Which hints are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintKinds {
    pub operations: bool,
    pub sizes: bool,
    pub keys: bool,
}

impl Default for HintKinds {
    fn default() -> Self {
        Self { operations: true, sizes: true, keys: true }
    }
}

/// A line above a declaration: what it says is asked for apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLens {
    /// The name that it is about, in bytes of the file.
    pub range: TextRange,
    pub subject: LensSubject,
}

/// What a lens is about, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LensSubject {
    Table(String),
    Index { table: String, index: String },
    Entity(String),
}

/// Which lenses are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LensKinds {
    /// On tables and their indexes.
    pub tables: bool,
    pub entities: bool,
}

impl Default for LensKinds {
    fn default() -> Self {
        Self { tables: true, entities: true }
    }
}

pub use super::cost::{CostReport, HotRow, PatternRow, TableRow};
pub use super::fix_all::{FixAll, Fixed};
pub use crate::deliverables::{DocumentKind, Part};

/// A generated document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub kind: DocumentKind,
    /// The root of the model that it describes.
    pub root: FileKey,
    /// Where it belongs: beside the model's root, its name beginning with the
    /// root's stem where the folder holds more than one model.
    pub file: FileKey,
    /// What it consists of, in order.
    pub parts: Vec<Part>,
    /// As it is made where there is none.
    pub text: String,
}
