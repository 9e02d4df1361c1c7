//! What could stand at the cursor: keywords, names, units, texts.
//!
//! The text before the cursor decides. Its declaration is parsed up to there with
//! one more word behind it (`probe.rs`), and where that word lands in the tree is
//! what may stand there: a name (`names.rs`), an operand (`operands.rs`), a number
//! (`quantities.rs`), a rule (`rules.rs`). A keyword is proposed where the grammar
//! takes it as one (`keywords.rs`). Inside quotes it is the string that says what it
//! is read as (`strings.rs`). So half a block above, a fault below, or the end of
//! the file make no difference.

mod attributes;
mod behind;
mod blocks;
mod brackets;
mod candidates;
mod clauses;
mod context;
mod cursor;
mod imports;
mod keywords;
mod names;
mod operands;
mod probe;
mod quantities;
mod regions;
mod rules;
mod snippet;
mod strings;
mod template;
mod topic;
mod words;

pub use topic::Topic;

use super::{Analysis, Answer};
use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use crate::syntax::TextRange;
use candidates::Candidates;
use context::Context;
use cursor::{Around, Cursor};

/// What could stand at a place.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CompletionList {
    /// What is typed of it so far: up to the cursor, on its line.
    pub insert: TextRange,
    /// The same with what stands behind the cursor and belongs to it.
    pub replace: TextRange,
    /// The best first.
    pub items: Vec<CompletionItem>,
    /// One more letter gives others.
    pub incomplete: bool,
}

/// One thing that could stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// What it is, in short: a type, the keys of a table.
    pub detail: String,
    /// What it belongs to, where several have one like it.
    pub owner: Option<String>,
    /// What is put in the place of what is typed.
    pub text: String,
    /// The same with places to fill in, where there are any.
    pub snippet: Option<String>,
    /// What the typed text is held against, where it is not the label.
    pub filter: Option<String>,
    /// Characters that take it when they are typed.
    pub commit: &'static [&'static str],
    /// What its documentation is about.
    pub topic: Option<Topic>,
}

/// What kind of thing a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Keyword,
    /// A whole block or clause with places to fill in.
    Snippet,
    Entity,
    Attribute,
    Key,
    Table,
    Index,
    Pattern,
    Rule,
    Parameter,
    Operator,
    EnumValue,
    Type,
    Modifier,
    Unit,
    /// A string, or a piece of one.
    Text,
    File,
}

impl Analysis {
    /// What could stand at a place of a file. Where it is asked because a character was
    /// typed, that must mean something there: who opens a block and goes to the next
    /// line wants no proposal in the way.
    pub fn completion(&self, file: &FileKey, offset: usize, typed: Option<char>) -> Answer<CompletionList> {
        self.ask(file, |db, file| completion(db, file, offset, typed))
    }

    /// The documentation of what a completion proposes, in Markdown, as the model of
    /// this file has it.
    pub fn completion_documentation(&self, file: &FileKey, topic: &Topic) -> Answer<Option<String>> {
        self.ask(file, |db, file| topic.documentation(db, file))
    }
}

fn completion(db: &dyn Db, file: SourceFile, offset: usize, typed: Option<char>) -> CompletionList {
    let Some(parse) = file.content(db).parse() else { return CompletionList::default() };
    let cursor = Cursor::new(&parse.text, offset);
    let mut cx = Context::new(db, file, parse, cursor);
    let mut found = match cx.cursor.around() {
        Around::Comment => Candidates::new(cx.cursor.word()),
        Around::Text { open } => strings::inside(&mut cx, open),
        Around::Code if typed.is_some_and(|typed| !begins_in_code(&cx, typed)) => Candidates::new(cx.cursor.word()),
        Around::Code => code(&mut cx),
    };
    found.end_lines_as(&parse.text);
    found.into_list(cx.cursor)
}

/// Whether a character that was typed outside strings begins something.
fn begins_in_code(cx: &Context<'_>, typed: char) -> bool {
    match typed {
        '{' | '#' | '"' => false,
        '/' => cx.cursor.number().is_some(),
        _ => true,
    }
}

/// The characters that begin something besides names: an index, a string, a hole and
/// its format, a parameter, a type, a modifier, a list, the next part of a key or of a
/// path, the time of a rate, the type of an element. A space is none: at the end of
/// every word proposals would come that nobody asked for.
pub const TRIGGERS: &[&str] = &[".", "\"", "{", ":", "@", "(", "#", "/", "<"];

/// What could stand outside strings and comments.
fn code(cx: &mut Context<'_>) -> Candidates {
    if let Some(rules) = rules::rules(cx) {
        return rules;
    }
    if let Some(cardinalities) = keywords::cardinalities(cx) {
        return cardinalities;
    }
    if let Some(number) = cx.cursor.number() {
        return quantities::units(cx, number);
    }
    if let Some(parameter) = cx.cursor.parameter() {
        let operands = operands::operands(cx, parameter);
        if let Some(operands) = operands {
            return operands;
        }
    }
    if let Some(modifier) = cx.cursor.modifier() {
        return keywords::modifiers(cx, modifier);
    }
    let word = cx.cursor.word();
    let mut found = Candidates::new(word);
    names::names(cx, word, &mut found);
    if found.is_empty() {
        operands::bare(cx, word, &mut found);
        strings::bare(cx, word, &mut found);
    }
    if !word.quoted {
        keywords::keywords(cx, word, &mut found);
        blocks::declarations(cx, word, &mut found);
    }
    found
}
