//! Markdown as text without marks, for a client that does not show Markdown: it
//! would show its people fences and asterisks.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tower_lsp::ls_types::{MarkupContent, MarkupKind};

/// A text in Markdown, as this client reads it.
pub fn markup(text: String, markdown: bool) -> MarkupContent {
    match markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: text },
        false => MarkupContent { kind: MarkupKind::PlainText, value: plain(&text) },
    }
}

/// What a text says, with one empty line between its blocks.
pub fn plain(text: &str) -> String {
    let mut writer = Writer::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        writer.event(event);
    }
    writer.out.truncate(writer.out.trim_end().len());
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    /// For every list around: its next number, or none for bullets.
    lists: Vec<Option<u64>>,
    /// Whether a block begins where its bullet stands.
    is_behind_bullet: bool,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => self.line(),
            Event::End(TagEnd::List(_)) => drop(self.lists.pop()),
            // Cells stand apart; the last one of a row ends in a line.
            Event::End(TagEnd::TableCell) => self.out.push_str("  "),
            Event::End(_) => {}
            Event::Text(text)
            | Event::Code(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.out.push_str(&text),
            Event::SoftBreak | Event::HardBreak => {
                self.out.push('\n');
                self.indent();
            }
            Event::Rule => self.block(),
            Event::TaskListMarker(done) => self.out.push_str(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Table(_) | Tag::HtmlBlock => self.block(),
            Tag::List(number) => {
                if self.lists.is_empty() {
                    self.block();
                }
                self.lists.push(*number);
            }
            Tag::Item => {
                self.line();
                let depth = self.lists.len().saturating_sub(1);
                self.out.push_str(&"  ".repeat(depth));
                match self.lists.last_mut() {
                    Some(Some(number)) => {
                        self.out.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    _ => self.out.push_str("- "),
                }
                self.is_behind_bullet = true;
            }
            _ => {}
        }
    }

    /// Begins a block: behind its bullet, or after an empty line.
    fn block(&mut self) {
        if std::mem::take(&mut self.is_behind_bullet) && self.out.ends_with([' ']) {
            return;
        }
        self.line();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.indent();
    }

    /// Ends a line that is begun.
    fn line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn indent(&mut self) {
        self.out.push_str(&"  ".repeat(self.lists.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_what_is_said_stays() {
        let text = "**What** `it` _is_,\non two lines \\*.\n\n---\n\n```dynamo\nentity *A* {\n  id: string\n}\n```\n\n\
                    # Why\n\n- one\n- [two](https://example.com)\n  - inner\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| `x` | 🙂 |\n\n> said\n";
        let expected = "What it is,\non two lines *.\n\nentity *A* {\n  id: string\n}\n\nWhy\n\n- one\n- two\n  - inner\n\n\
                        1. first\n2. second\n\na  b\nx  🙂\n\nsaid";
        assert_eq!(plain(text), expected);
        assert_eq!(plain(""), "");
        assert_eq!(plain("a\r\nb"), "a\nb");
    }

    #[test]
    fn every_page_loses_its_marks_and_no_word() {
        let pages = crate::rules::registry::all().filter_map(|rule| crate::pages::rule(rule.name));
        for page in pages.chain(crate::pages::concepts().iter().map(|concept| concept.body)) {
            let shown = plain(page);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            // The targets of links are left out, and the words behind fences.
            assert!(letters(&shown) * 10 > letters(page) * 8, "{page}");
            assert!(!shown.contains("**") && !shown.contains("```"), "{shown}");
        }
    }
}
