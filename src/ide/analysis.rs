//! The door: a snapshot of everything that is known, and what can be asked of it.
//! Features add their own questions to it, each in its file.

use super::*;
use crate::model::db::{Database, SourceFile, Workspace};
use crate::model::files::FileKey;
use crate::rules::finding::Safety;
use crate::syntax::TextRange;
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

impl Analysis {
    /// Asks this snapshot.
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    /// Answers a question about a file: nothing for one that is not known, and
    /// [`Cancelled`] when the state changes meanwhile.
    pub(super) fn ask<T: Default>(
        &self,
        file: &FileKey,
        question: impl FnOnce(&Database, SourceFile) -> T,
    ) -> Answer<T> {
        let answer = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| {
            let file = Workspace::get(&self.db).files(&self.db).get(file).copied();
            file.map(|file| question(&self.db, file)).unwrap_or_default()
        }));
        answer.map_err(|_| Cancelled)
    }

    /// Answers a question about all files that are known, and [`Cancelled`] when the
    /// state changes meanwhile.
    pub(super) fn ask_of_all<T>(&self, question: impl FnOnce(&Database) -> T) -> Answer<T> {
        salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| question(&self.db))).map_err(|_| Cancelled)
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

    /// What the models that a file belongs to cost.
    pub fn costs(&self, file: &FileKey) -> Answer<Vec<CostReport>> {
        self.ask(file, |db, file| cost::costs(db, file))
    }
}
