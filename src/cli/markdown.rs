//! Markdown for a terminal: headings, lists, code and tables as they are meant,
//! paragraphs as wide as there is room.

use anstyle::Style;
use comfy_table::{ContentArrangement, Table, presets};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr;

const BOLD: Style = Style::new().bold();
const TITLE: Style = Style::new().bold().underline();
const DIM: Style = Style::new().dimmed();

/// Characters that code stands behind the text around it.
const CODE_INDENT: &str = "    ";

/// A page for a terminal of so many columns.
pub(super) fn render(page: &str, width: usize) -> String {
    let mut renderer = Renderer { width, ..Renderer::default() };
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        renderer.event(event);
    }
    let mut out = renderer.out.trim_end().to_owned();
    out.push('\n');
    out
}

/// Words of one style; blanks and line breaks are kept between them.
struct Piece {
    text: String,
    style: Style,
}

#[derive(Default)]
struct Renderer {
    width: usize,
    out: String,
    /// The text of the block that is being read.
    pieces: Vec<Piece>,
    styles: Vec<Style>,
    /// For every list around: its next number, or none for bullets.
    lists: Vec<Option<u64>>,
    /// What stands before the first line of the next block of an item.
    bullet: Option<String>,
    quotes: usize,
    /// The words behind the fence of the code that is being read.
    code: Option<String>,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
}

impl Renderer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.push(&text, self.style()),
            Event::Code(text) => self.push(&text, self.style().fg_color(Some(anstyle::AnsiColor::Cyan.into()))),
            Event::SoftBreak => self.push(" ", self.style()),
            Event::HardBreak => self.push("\n", self.style()),
            Event::Rule => {
                self.gap();
                let line = "─".repeat(self.width.min(40));
                self.out.push_str(&format!("{DIM}{line}{DIM:#}\n"));
            }
            Event::Html(text) | Event::InlineHtml(text) => self.push(&text, self.style()),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.push(&text, self.style());
            }
            Event::TaskListMarker(done) => self.push(if done { "[x] " } else { "[ ] " }, self.style()),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.styles.push(self.style().bold()),
            Tag::Emphasis => self.styles.push(self.style().italic()),
            Tag::Heading { level, .. } => {
                self.gap();
                self.styles.push(if level == HeadingLevel::H1 { TITLE } else { BOLD });
            }
            Tag::Paragraph if self.bullet.is_none() => self.gap(),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::CodeBlock(kind) => {
                self.flush();
                self.gap();
                self.code = Some(match kind {
                    CodeBlockKind::Fenced(words) => words.to_string(),
                    CodeBlockKind::Indented => String::new(),
                });
            }
            Tag::List(number) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(number);
            }
            Tag::Item => {
                let bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.bullet = Some(bullet);
            }
            Tag::Table(_) => {
                self.gap();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis => drop(self.styles.pop()),
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::HtmlBlock => self.flush(),
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.pieces).into_iter().map(|piece| piece.text).collect();
                self.row.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => self.rows.push(std::mem::take(&mut self.row)),
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn push(&mut self, text: &str, style: Style) {
        self.pieces.push(Piece { text: text.to_owned(), style });
    }

    /// An empty line before what follows.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// What stands before every line of the block.
    fn indent(&self) -> String {
        "│ ".repeat(self.quotes) + &"  ".repeat(self.lists.len())
    }

    /// Writes the block that was read, wrapped.
    fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        if pieces.iter().all(|piece| piece.text.trim().is_empty()) {
            return;
        }
        let indent = self.indent();
        let first = match self.bullet.take() {
            // A bullet stands in the indentation of its item.
            Some(bullet) => {
                let outer = &indent[..indent.len().saturating_sub(2)];
                format!("{outer}{bullet}")
            }
            None => indent.clone(),
        };
        let rest = format!("{indent}{}", " ".repeat(first.width().saturating_sub(indent.width())));
        wrap(&mut self.out, &pieces, &first, &rest, self.width);
    }

    fn end_code(&mut self) {
        let words = self.code.take().unwrap_or_default();
        let text: String = std::mem::take(&mut self.pieces).into_iter().map(|piece| piece.text).collect();
        let indent = format!("{}{CODE_INDENT}", self.indent());
        // Of the blocks of a rule's page the last word says what they show.
        if let Some(kind) = words.split_whitespace().nth(1) {
            self.out.push_str(&format!("{indent}{BOLD}{kind}:{BOLD:#}\n"));
        }
        for line in text.lines() {
            match line.trim().is_empty() {
                true => self.out.push('\n'),
                false => self.out.push_str(&format!("{indent}{DIM}{line}{DIM:#}\n")),
            }
        }
    }

    fn end_table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(self.width).unwrap_or(u16::MAX));
        if let Some(head) = rows.next() {
            table.set_header(head);
        }
        for row in rows {
            table.add_row(row);
        }
        for line in table.lines() {
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
    }
}

/// Writes words in lines of at most so many columns. A word that is wider has a
/// line of its own.
fn wrap(out: &mut String, pieces: &[Piece], first: &str, rest: &str, width: usize) {
    out.push_str(first);
    let mut column = first.width();
    let start = column;
    let mut is_start = true;
    let mut blank = false;
    for word in words(pieces) {
        match word {
            Word::Break => {
                out.push('\n');
                out.push_str(rest);
                (column, is_start, blank) = (rest.width(), true, false);
            }
            Word::Blank => blank = !is_start,
            Word::Text(parts) => {
                let own: usize = parts.iter().map(|(text, _)| text.width()).sum();
                if !is_start && column + usize::from(blank) + own > width.max(start + 1) {
                    out.push('\n');
                    out.push_str(rest);
                    column = rest.width();
                } else if blank {
                    out.push(' ');
                    column += 1;
                }
                for (text, style) in parts {
                    out.push_str(&format!("{style}{text}{style:#}"));
                }
                column += own;
                (is_start, blank) = (false, false);
            }
        }
    }
    out.push('\n');
}

/// A word, which may have parts of several styles, or what stands between two.
enum Word<'p> {
    Text(Vec<(&'p str, Style)>),
    Blank,
    Break,
}

fn words(pieces: &[Piece]) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    for Piece { text, style } in pieces {
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| *c == ' ' || *c == '\n') {
            add(&mut words, &text[from..at], *style);
            words.push(if c == ' ' { Word::Blank } else { Word::Break });
            from = at + 1;
        }
        add(&mut words, &text[from..], *style);
    }
    words
}

/// Adds a part to the word that it continues, or begins one.
fn add<'p>(words: &mut Vec<Word<'p>>, part: &'p str, style: Style) {
    match words.last_mut() {
        _ if part.is_empty() => {}
        Some(Word::Text(parts)) => parts.push((part, style)),
        _ => words.push(Word::Text(vec![(part, style)])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(page: &str, width: usize) -> String {
        console::strip_ansi_codes(&render(page, width)).into_owned()
    }

    #[test]
    fn a_page_is_laid_out() {
        let page = "# a-rule\n\nWhat it **says** about `code`, and\nwhy.\n\n## Bad\n\n- one\n  two\n- three\n  - inner\n\n1. first\n\n\
                    ```dynamo bad\nentity E {\n\n  id: uuid @id\n}\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| `x` | y |\n";
        let expected = "a-rule\n\nWhat it says about code, and\nwhy.\n\nBad\n\n• one two\n• three\n  • inner\n\n1. first\n\n    \
                        bad:\n    entity E {\n\n      id: uuid @id\n    }\n\n│ quoted\n\n| a | b |\n|---|---|\n| x | y |\n";
        assert_eq!(plain(page, 28), expected);
        assert!(render(page, 28).contains("\u{1b}["), "it has styles");
    }

    #[test]
    fn lines_are_as_wide_as_there_is_room_for_words() {
        let page = "é🙂 words and `some code` **bold**, and averyveryverylongwordindeed at the end of it.\n\n- a list item that is long as well\n";
        for width in [20, 40, 60] {
            for line in plain(page, width).lines() {
                assert!(line.width() <= width || !line.trim().contains(' '), "{width}: {line}");
            }
        }
        assert_eq!(plain("a\n", 1), "a\n");
        assert!(plain("see `a`, `b`.\n", 80).contains("see a, b."), "no blank before a comma");
    }

    #[test]
    fn every_page_is_laid_out_and_loses_no_word() {
        let pages = crate::rules::registry::all().filter_map(|rule| crate::pages::rule(rule.name));
        let concepts = crate::pages::concepts().iter().map(|concept| concept.body);
        for page in pages.chain(concepts) {
            let shown = plain(page, 80);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            // The targets of links are left out, and the words behind fences.
            assert!(letters(&shown) * 10 > letters(page) * 8, "{page}");
            assert!(!shown.contains("**") && !shown.contains("```"), "{shown}");
        }
    }
}
