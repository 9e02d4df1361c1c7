//! What is known about the place of the cursor.

use super::cursor::Cursor;
use super::probe::{Before, Landing, NAME, PARAMETER, Probe};
use crate::ide::lookup::model;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{Source, TableLayout, layout};
use crate::model::lower::{keyword_start, lowered};
use crate::model::names::{Names, entity_def, names};
use crate::syntax::{ChunkKind, FileParse, PlacedChunk};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The cursor, and the model around it.
pub(super) struct Context<'a> {
    pub db: &'a dyn Db,
    pub root: SourceFile,
    pub file: SourceFile,
    pub cursor: Cursor<'a>,
    pub parse: &'a FileParse,
    /// What is known of the text before the places that were asked about.
    before: RefCell<HashMap<usize, Rc<Before>>>,
}

impl<'a> Context<'a> {
    /// A cursor in a file, as the first model of that file sees it.
    pub fn new(db: &'a dyn Db, file: SourceFile, parse: &'a FileParse, cursor: Cursor<'a>) -> Self {
        Self { db, root: model(db, file), file, cursor, parse, before: RefCell::default() }
    }

    /// The declaration that goes on at `start` unless another begins there: its place
    /// among those of the file.
    fn index(&self, start: usize) -> Option<usize> {
        let last = self.parse.chunks.partition_point(|placed| (placed.start as usize) < start).checked_sub(1)?;
        // Above its keyword a declaration has not begun.
        let placed = &self.parse.chunks[last];
        let begun = placed.start as usize + keyword_start(&placed.chunk.text) < start;
        if begun { Some(last) } else { last.checked_sub(1) }
    }

    /// The same, as it stands in the text.
    pub fn placed(&self, start: usize) -> Option<&'a PlacedChunk> {
        self.parse.chunks.get(self.index(start)?)
    }

    /// The same, as the model knows it.
    pub fn decl(&self, start: usize) -> Option<Decl> {
        self.file.decls(self.db).get(self.index(start)?).copied()
    }

    /// The kind of the declaration that goes on at `start`.
    pub fn kind(&self, start: usize) -> Option<ChunkKind> {
        self.placed(start).map(|placed| placed.chunk.kind)
    }

    /// The text from the start of that declaration up to `start`.
    pub fn before(&self, start: usize) -> &'a str {
        let from = self.placed(start).map_or(start, |placed| placed.start as usize);
        &self.cursor.text[from..start]
    }

    /// The text of the declaration behind the word at the cursor.
    fn behind(&self) -> &'a str {
        let start = self.cursor.word().end.max(self.cursor.offset);
        let end = self.placed(self.cursor.offset).map_or(start, |placed| placed.range().end as usize);
        self.cursor.text.get(start..end).unwrap_or("")
    }

    /// What a word would be at `start`.
    pub fn probe(&self, start: usize, word: &str) -> Probe {
        Probe::new(self.before(start), word)
    }

    /// Where the first `length` bytes of a probe's word have landed.
    pub fn landing<'p>(&self, probe: &'p Probe, length: usize) -> Option<Landing<'p>> {
        let known = self.before.borrow().get(&probe.at).cloned();
        let before = known.unwrap_or_else(|| {
            let before = Rc::new(probe.before(self.behind()));
            self.before.borrow_mut().insert(probe.at, Rc::clone(&before));
            before
        });
        probe.landing(&before, length)
    }

    /// What a name would be there.
    pub fn name(&self, start: usize) -> Probe {
        self.probe(start, NAME)
    }

    /// What a parameter would be there.
    pub fn parameter(&self, start: usize) -> Probe {
        self.probe(start, PARAMETER)
    }

    /// The names of the model.
    pub fn names(&self) -> &'a Names {
        names(self.db, self.root)
    }

    /// The entity of this name.
    pub fn entity(&self, name: &str) -> Option<&'a EntityDef> {
        entity_def(self.db, self.names().entity(name)?)
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&'a TableLayout> {
        layout(self.db, self.root, self.names().table(name)?).as_ref()
    }

    /// Every table, in the order of the names.
    pub fn tables(&self) -> impl Iterator<Item = &'a TableLayout> {
        let (db, root) = (self.db, self.root);
        self.names().all_tables().filter_map(move |decl| layout(db, root, decl).as_ref())
    }

    /// What an operation reads or writes.
    pub fn source(&self, op: &OpDef) -> Option<Source<'a>> {
        let table = self.table(&op.table()?.text)?;
        match op.index() {
            Some(index) => table.index(&index.text).map(|index| table.of_index(index)),
            None => Some(table.table()),
        }
    }

    /// What the declaration at `start` says as it stands in the text.
    pub fn lowered(&self, start: usize) -> Option<&'a Lowered> {
        self.decl(start).map(|decl| lowered(self.db, decl))
    }
}

/// The step of a pattern that a word has landed in.
pub(super) fn step_at<'l>(lowered: &'l Lowered, landing: &Landing<'_>) -> Option<&'l StepDef> {
    let Def::Pattern(pattern) = &lowered.def else { return None };
    pattern.steps().map(|(_, step)| step).find(|step| step.range.touches(landing.at))
}
