//! Completion between quotes: only where the text means something.

use super::candidates::Candidates;
use super::context::Context;
use super::cursor::Word;
use super::operands::Comparing;
use super::probe::{Landing, Probe, field};
use super::{CompletionItem, imports, regions, template};
use tree_sitter::Node;

/// A string that the cursor stands in.
#[derive(Clone, Copy)]
pub(super) struct Quoted {
    /// Behind its first quote.
    pub start: usize,
    /// Before its last quote; behind the word at the cursor, where there is none.
    pub end: usize,
    pub closed: bool,
}

impl Quoted {
    fn new(cx: &Context<'_>, open: usize) -> Self {
        let start = open + 1;
        let mut escaped = false;
        let closing = cx.cursor.after().char_indices().find(|(_, c)| {
            let is_it = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            is_it
        });
        match closing {
            Some((at, _)) => Self { start, end: cx.cursor.offset + at, closed: true },
            None => Self { start, end: cx.cursor.word().end, closed: false },
        }
    }

    /// The quote that is missing.
    pub fn closing(self) -> &'static str {
        if self.closed { "" } else { "\"" }
    }

    /// The whole content, as a word.
    pub fn word(self) -> Word {
        Word { start: self.start, end: self.end, quoted: false }
    }
}

/// What may stand inside the string whose quote opens there.
pub(super) fn inside(cx: &mut Context<'_>, open: usize) -> Candidates {
    let quoted = Quoted::new(cx, open);
    let typed = &cx.cursor.text[open..cx.cursor.offset];
    let probe = cx.probe(open, &format!("{typed}\""));
    let nothing = Candidates::new(quoted.word());
    let Some(string) = landed(cx, &probe) else { return nothing };
    let Some(parent) = string.parent.parent() else { return nothing };
    match (parent.kind(), field(parent, string.parent)) {
        ("import", _) => whole(quoted, imports::paths(cx)),
        ("region_clause", _) => whole(quoted, regions::regions()),
        ("key_value", _) => template::value(cx, quoted, &probe, parent),
        ("comparison", Some("operand")) => match Comparing::new(cx, &probe, &string) {
            Some(comparing) => template::operand(cx, quoted, &comparing),
            None => nothing,
        },
        _ => nothing,
    }
}

/// The same where the quotes are not there yet: each proposal brings its own.
pub(super) fn bare(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    let probe = cx.probe(word.start, "\"\"");
    let Some(string) = landed(cx, &probe) else { return };
    let items = match string.parent.parent().map_or("", |parent: Node<'_>| parent.kind()) {
        "import" => imports::paths(cx),
        "region_clause" => regions::regions(),
        _ => return,
    };
    for item in items {
        let text = format!("\"{}\"", item.text);
        found.add(CompletionItem { label: text.clone(), text, ..item });
    }
}

/// The string that a trial has put at the cursor: where its first quote has landed.
fn landed<'p>(cx: &Context<'_>, probe: &'p Probe) -> Option<Landing<'p>> {
    cx.landing(probe, 1).filter(|landing| matches!(landing.parent.kind(), "string" | "template"))
}

/// Proposals that are the whole text.
fn whole(quoted: Quoted, items: Vec<CompletionItem>) -> Candidates {
    let mut found = Candidates::new(quoted.word());
    for item in items {
        let text = format!("{}{}", item.text, quoted.closing());
        found.add(CompletionItem { text, ..item });
    }
    found
}
