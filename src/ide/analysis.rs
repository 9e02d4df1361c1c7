//! The door: a snapshot of everything that is known, and what can be asked of it.

use super::{
    assists, changes, code_lenses, cost, definition, diagnostics, documents, fix_all, hover, inlay_hints, symbols,
};
use crate::model::db::{Database, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::rules::finding::{Level, Safety, Tag};
use crate::syntax::{TextEdit, TextRange};
use std::collections::HashSet;

/// A view of the state at one moment. Cheap to make, meant for another thread.
/// Every question may be answered by [`Cancelled`], when the state has changed
/// underneath: who asked then asks again on a new snapshot.
pub struct Analysis {
    pub(super) db: Database,
}

/// The state changed while the answer was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// An answer, unless the state changed.
pub type Answer<T> = Result<T, Cancelled>;

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
pub use crate::deliverables::DocumentKind;

/// A generated document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub kind: DocumentKind,
    /// Where it belongs: beside the model's root, its name beginning with the
    /// root's stem where the folder holds more than one model.
    pub file: FileKey,
    pub text: String,
}

impl Analysis {
    /// Asks this snapshot.
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    /// Answers a question about a file: nothing for one that is not known, and
    /// [`Cancelled`] when the state changes meanwhile.
    fn ask<T: Default>(&self, file: &FileKey, question: impl FnOnce(&Database, SourceFile) -> T) -> Answer<T> {
        let answer = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| {
            let file = Workspace::get(&self.db).files(&self.db).get(file).copied();
            file.map(|file| question(&self.db, file)).unwrap_or_default()
        }));
        answer.map_err(|_| Cancelled)
    }

    /// The findings of a file, from every model that it belongs to, sorted by
    /// place; empty for a file that is not known.
    pub fn diagnostics(&self, file: &FileKey) -> Answer<Vec<Diagnostic>> {
        self.ask(file, |db, file| diagnostics::diagnostics(db, file))
    }

    /// What is worth knowing about the place.
    pub fn hover(&self, file: &FileKey, offset: usize) -> Answer<Option<Hover>> {
        self.ask(file, |db, file| hover::hover(db, file, offset))
    }

    /// The numbers to show in a range of a file's text, in the order of the text.
    pub fn inlay_hints(&self, file: &FileKey, range: TextRange, kinds: HintKinds) -> Answer<Vec<InlayHint>> {
        self.ask(file, |db, file| inlay_hints::inlay_hints(db, file, range, kinds))
    }

    /// The lenses of a file, in the order of the text.
    pub fn code_lenses(&self, file: &FileKey, kinds: LensKinds) -> Answer<Vec<CodeLens>> {
        self.ask(file, |db, file| code_lenses::code_lenses(db, file, kinds))
    }

    /// What a lens of a file says; nothing where what it is about is gone.
    pub fn code_lens_title(&self, file: &FileKey, subject: &LensSubject) -> Answer<Option<String>> {
        self.ask(file, |db, file| code_lenses::title(db, file, subject))
    }

    /// The symbols of a file, as a tree, in the order of the text.
    pub fn symbols(&self, file: &FileKey) -> Answer<Vec<Symbol>> {
        self.ask(file, |db, file| symbols::symbols(db, file))
    }

    /// Where the name at the place is declared.
    pub fn definition(&self, file: &FileKey, offset: usize) -> Answer<Vec<Location>> {
        self.ask(file, |db, file| definition::definition(db, file, offset))
    }

    /// The edits, of white space only, that format a file.
    pub fn formatting(&self, file: &FileKey) -> Answer<Vec<TextEdit>> {
        self.ask(file, |db, file| {
            file.content(db).parse().map(|parse| crate::format::format(parse)).unwrap_or_default()
        })
    }

    /// The fixes of the findings that a range touches.
    pub fn code_actions(&self, file: &FileKey, range: TextRange) -> Answer<Vec<CodeAction>> {
        self.ask(file, |db, file| changes::code_actions(db, file, range))
    }

    /// Everything in a file that can be fixed at once without a change of what its
    /// models mean, and without a change of another file.
    pub fn fix_all(&self, file: &FileKey) -> Answer<FixAll> {
        self.ask(file, |db, file| fix_all::fix_all(db, &[file], Safety::Tidy, &HashSet::new(), &|_| false))
    }

    /// The fixes of these files that are as safe as wanted and can be made at once.
    /// They change no other file, and make only those that are wanted; what is fixed
    /// `already` is not fixed again.
    pub fn fixes_of(
        &self,
        files: &[FileKey],
        least: Safety,
        already: &HashSet<Fixed>,
        may_create: &dyn Fn(&FileKey) -> bool,
    ) -> Answer<FixAll> {
        let answer = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| {
            let known = Workspace::get(&self.db).files(&self.db);
            let files: Vec<SourceFile> = files.iter().filter_map(|key| known.get(key).copied()).collect();
            fix_all::fix_all(&self.db, &files, least, already, may_create)
        }));
        answer.map_err(|_| Cancelled)
    }

    /// The findings of a file, as [`Analysis::diagnostics`] has them, each with its
    /// fixes.
    pub fn mended_diagnostics(&self, file: &FileKey) -> Answer<Vec<(Diagnostic, Vec<OfferedFix>)>> {
        self.ask(file, |db, file| diagnostics::mended(db, file))
    }

    /// The refactorings that can be done at a range.
    pub fn assists(&self, file: &FileKey, range: TextRange) -> Answer<Vec<CodeAction>> {
        self.ask(file, |db, file| assists::assists(db, file, range))
    }

    /// The documents of the models that a file belongs to.
    pub fn documents(&self, file: &FileKey, kind: DocumentKind) -> Answer<Vec<Document>> {
        self.ask(file, |db, file| documents::documents(db, file, kind))
    }

    /// What the models that a file belongs to cost.
    pub fn costs(&self, file: &FileKey) -> Answer<Vec<CostReport>> {
        self.ask(file, |db, file| cost::costs(db, file))
    }
}
