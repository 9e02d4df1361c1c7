//! What stands before the cursor.

use crate::ide::lookup::model;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::{Source, TableLayout, layout};
use crate::model::names::names;
use crate::syntax::leaves::{Leaf, tokens};
use crate::syntax::lines::line_start;
use crate::syntax::strings::{string_end, unquote_name};

/// The words that begin an operation.
pub(super) const OPERATIONS: [&str; 7] = ["get", "query", "scan", "put", "update", "delete", "check"];

/// The name of a table, or of an index as `Table.Index`, that is being written.
#[derive(Default)]
pub(super) struct TypedTarget {
    /// Up to the cursor.
    pub before: String,
    /// With what follows the cursor in the same word.
    pub whole: String,
}

/// The cursor in a declaration, with the tokens that begin before it.
pub(super) struct Context<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
    pub decl: Decl,
    pub text: &'db str,
    /// Comments are left out.
    pub tokens: Vec<Leaf<'db>>,
    /// Relative to the declaration; behind its end where blanks follow it.
    pub at: usize,
    in_comment: bool,
}

impl<'db> Context<'db> {
    /// The declaration that holds `offset`, or ends before it on the same line: the
    /// blanks behind a half-written one are none of its text.
    pub fn new(db: &'db dyn Db, file: SourceFile, offset: usize) -> Option<Self> {
        let whole = &*file.content(db).parse()?.text;
        let mut offset = offset.min(whole.len());
        while !whole.is_char_boundary(offset) {
            offset -= 1;
        }
        let starts = file.starts(db);
        let index = starts.partition_point(|start| (*start as usize) < offset).checked_sub(1)?;
        let decl = *file.decls(db).get(index)?;
        let chunk = decl.chunk(db);
        let start = *starts.get(index)? as usize;
        let behind = whole.get((start + chunk.text.len()).min(offset)..offset)?;
        if !behind.chars().all(|c| c == ' ' || c == '\t') {
            return None;
        }
        let at = offset - start;
        let mut before = tokens(&chunk.tree);
        before.retain(|leaf| leaf.node.start_byte() < at);
        let is_comment = |leaf: &Leaf<'_>| matches!(leaf.node.kind(), "comment" | "doc_comment");
        let in_comment = before.last().is_some_and(|leaf| is_comment(leaf) && at <= leaf.node.end_byte());
        before.retain(|leaf| !is_comment(leaf));
        Some(Self { db, root: model(db, file), decl, text: &chunk.text, tokens: before, at, in_comment })
    }

    /// Whether the cursor stands in a comment, or at the end of one.
    pub fn is_in_comment(&self) -> bool {
        self.in_comment
    }

    /// The kind of a token as the grammar names it; empty for one that is not there.
    pub fn kind(&self, index: usize) -> &'db str {
        self.tokens.get(index).map_or("", |leaf| leaf.node.kind())
    }

    /// A bracket at the cursor, which is read as an operator where its counterpart
    /// follows at once: `set<>`.
    pub fn bracket(&self, index: usize) -> &'db str {
        let is_split = |leaf: &Leaf<'_>| leaf.node.start_byte() + 1 == self.at;
        match self.source(index) {
            "<>" if self.tokens.get(index).is_some_and(is_split) => "<",
            _ => self.kind(index),
        }
    }

    /// The kind of the node that a token is a part of.
    pub fn parent(&self, index: usize) -> &'db str {
        self.tokens.get(index).and_then(|leaf| leaf.parent).map_or("", |parent| parent.kind())
    }

    /// The text of a token.
    pub fn source(&self, index: usize) -> &'db str {
        self.tokens.get(index).and_then(|leaf| self.text.get(leaf.node.byte_range())).unwrap_or("")
    }

    /// The name that a token spells, if it is one.
    pub fn name(&self, index: usize) -> Option<&'db str> {
        (self.kind(index) == "name").then(|| unquote_name(self.source(index)))
    }

    /// Whether something follows the token before the cursor: it is written.
    pub fn is_done(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|leaf| leaf.node.end_byte() < self.at)
    }

    /// Whether a line ends between a token and the next, or the cursor.
    pub fn line_ends_behind(&self, index: usize) -> bool {
        let Some(leaf) = self.tokens.get(index) else { return false };
        let next = self.tokens.get(index + 1).map_or(self.at, |next| next.node.start_byte());
        let gap = self.text.get(leaf.node.end_byte()..next.min(self.text.len()));
        gap.is_some_and(|gap| gap.contains(['\n', '\r']))
    }

    /// The string that the cursor stands in, from its first quote up to the cursor.
    pub fn string_before_cursor(&self) -> Option<&'db str> {
        let last = self.tokens.last()?;
        if !matches!(last.node.kind(), "string" | "template") {
            return None;
        }
        let start = last.node.start_byte();
        let end = string_end(self.text.as_bytes(), start);
        let is_closed = end > start + 1 && self.text.get(..end)?.ends_with('"');
        // A lost parser may find the end of a string anywhere.
        let on_line = line_start(self.text, self.at.min(self.text.len())) <= start;
        let inside = self.at < end || (self.at == end && !is_closed);
        (on_line && inside).then(|| self.text.get(start..self.at)).flatten()
    }

    /// Whether the string that the cursor stands in is compared with something.
    pub fn is_in_operand(&self) -> bool {
        let last = self.tokens.len().saturating_sub(1);
        self.parent(last) == "comparison" || (self.parent(last) == "ERROR" && self.kind(last) == "template")
    }

    /// The operation that the cursor is in: the place of its keyword.
    pub fn operation(&self) -> Option<usize> {
        for index in (0..self.tokens.len()).rev() {
            let kind = self.kind(index);
            let parent = self.parent(index);
            if OPERATIONS.contains(&kind) && (parent.ends_with("_operation") || parent == "ERROR") {
                return Some(index);
            }
            // The blocks around it, and any clause of another kind.
            let ends = matches!(kind, "{" | "}" | "unknown_clause" | "because");
            if ends || (parent.ends_with("_clause") && !self.tokens[index].node.is_named()) {
                return None;
            }
        }
        None
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&'db TableLayout> {
        layout(self.db, self.root, names(self.db, self.root).table(name)?).as_ref()
    }

    /// What the operation at a token reads or writes, as far as it is named.
    pub fn target(&self, operation: usize) -> Option<Source<'db>> {
        let (table, index) = self.target_names(operation);
        let table = self.table(table?)?;
        match index {
            Some(index) => table.index(index).map(|index| table.of_index(index)),
            None => Some(table.table()),
        }
    }

    /// The names of the table and the index that an operation names.
    fn target_names(&self, operation: usize) -> (Option<&'db str>, Option<&'db str>) {
        let Some(at) = self.target_start(operation) else { return (None, None) };
        let index = (self.kind(at + 1) == ".").then(|| self.name(at + 2)).flatten();
        (self.name(at), index)
    }

    /// Where the name of the table stands, or is to stand.
    fn target_start(&self, operation: usize) -> Option<usize> {
        if matches!(self.kind(operation), "query" | "scan") {
            return Some(operation + 1);
        }
        let preposition = |index: &usize| matches!(self.kind(*index), "from" | "into" | "in");
        (operation + 1..self.tokens.len()).find(preposition).map(|found| found + 1)
    }

    /// What is written as the place of an operation while it is being named, of an
    /// index only where it may name one.
    pub fn typed_target(&self, operation: usize, with_index: bool) -> TypedTarget {
        let Some(start) = self.target_start(operation) else { return TypedTarget::default() };
        let last = if with_index && self.kind(start + 1) == "." { start + 2 } else { start };
        let table = if last > start { format!("{}.", unquote_name(self.source(start))) } else { String::new() };
        let range = self.tokens.get(last).map(|leaf| leaf.node.start_byte()..leaf.node.end_byte().min(self.at));
        let before = range.and_then(|range| self.text.get(range)).unwrap_or("");
        TypedTarget {
            before: format!("{table}{}", unquote_name(before)),
            whole: format!("{table}{}", unquote_name(self.source(last))),
        }
    }

    /// The transaction or batch whose braces hold what stands before a token: the
    /// place of its first word.
    pub fn group_around(&self, before: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut indexes = (0..before.min(self.tokens.len())).rev();
        let brace = indexes.find(|index| match self.kind(*index) {
            "}" => {
                depth += 1;
                false
            }
            "{" if depth > 0 => {
                depth -= 1;
                false
            }
            kind => kind == "{",
        })?;
        brace.checked_sub(2).filter(|head| self.is_group_head(*head))
    }

    /// Whether a token is the `transact` or `batch` that a group begins with.
    pub fn is_group_head(&self, index: usize) -> bool {
        self.kind(index) == "keyword_value" && matches!(self.source(index), "transact" | "batch")
    }

    /// The entity that an operation names.
    pub fn subject(&self, operation: usize) -> Option<&'db str> {
        match self.kind(operation) {
            "query" | "scan" => None,
            _ => self.name(operation + 1),
        }
    }

    /// The entity of the item block that the cursor is in.
    pub fn item(&self) -> Option<&'db str> {
        let mut depth = 0_i32;
        for index in (0..self.tokens.len()).rev() {
            match self.kind(index) {
                "}" => depth += 1,
                "{" => depth -= 1,
                "item" if depth < 0 => return self.name(index + 1),
                "gsi" | "lsi" | "table" if depth < 0 => return None,
                _ => {}
            }
        }
        None
    }
}
