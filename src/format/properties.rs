//! What holds of formatting whatever the text.

use super::token::{Kind, Token, is_white};
use super::{begin, format, shape, tokens_of};
use crate::syntax::{FileParse, apply};
use proptest::prelude::*;

pub(super) const EXAMPLES: [&str; 3] = [
    include_str!("../../examples/shop.dynamo"),
    include_str!("../../examples/blog.dynamo"),
    include_str!("../../examples/school.dynamo"),
];

/// Formats a text and holds what must be true of every text.
fn format_checked(text: &str) -> String {
    let parse = FileParse::new(text);
    let edits = format(&parse);
    let mut at = 0;
    for edit in &edits {
        let range = edit.range.indices();
        assert!(at == 0 || at < range.start, "edits are sorted and apart");
        assert_ne!(text[range.clone()], edit.text, "an edit changes something");
        assert!(text[range.clone()].chars().chain(edit.text.chars()).all(is_white), "only white space is edited");
        at = range.end;
    }
    let out = apply(text, &edits);
    let again = FileParse::new(&out);
    assert_eq!(format(&again), [], "formatted again, after {out:?}");
    assert_eq!(parse.chunks.len(), again.chunks.len(), "the declarations of {text:?}");
    for (before, after) in parse.chunks.iter().zip(&again.chunks) {
        assert!(shape::same_tree(&before.chunk, &after.chunk), "{:?}\n{:?}", before.chunk.text, after.chunk.text);
    }
    let (before, after) = (lines(text), lines(&out));
    assert_eq!(before.iter().zip(&after).find(|(before, after)| before != after), None, "what stands on each line");
    assert_eq!(before.len(), after.len(), "lines that are not blank");
    assert_eq!(gaps(text), gaps(&out), "which lines stand apart in {text:?}");
    out
}

/// The lines that are not blank, behind a byte order mark at the start, without the white space outside strings,
/// comments and backticks; read without the parser, so that this cannot share
/// the parser's faults.
fn lines(text: &str) -> Vec<String> {
    text[begin(text)..].split(['\n', '\r']).map(pieces).filter(|line| !line.is_empty()).collect()
}

/// Whether a blank line stands between each two lines that are not: it decides
/// what a doc comment describes.
fn gaps(text: &str) -> Vec<bool> {
    let lines = text[begin(text)..].replace("\r\n", "\n");
    let mut gaps = Vec::new();
    let mut is_apart = false;
    for line in lines.split(['\n', '\r']) {
        if pieces(line).is_empty() {
            is_apart = true;
        } else {
            gaps.push(is_apart && !gaps.is_empty());
            is_apart = false;
        }
    }
    gaps
}

fn pieces(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '"' || c == '`' || (c == '/' && chars.peek() == Some(&'/')) {
            out.push(c);
            while let Some(inner) = chars.next() {
                out.push(inner);
                if inner == c && c != '/' {
                    break;
                }
                if inner == '\\' && c == '"' {
                    out.extend(chars.next());
                }
            }
            if c == '/' {
                // Blanks at the end of a comment belong to the end of the line.
                out.truncate(out.trim_end_matches([' ', '\t']).len());
            }
        } else if !is_white(c) {
            out.push(c);
        }
    }
    out
}

/// What stands before a gap.
#[derive(PartialEq)]
enum Before {
    /// A comment: blanks behind it are part of it.
    Comment,
    /// A letter, as stands behind the gap: something has to keep them apart.
    Word,
    Other,
    /// Nothing: the file begins.
    Start,
}

/// The text with every gap passed through `change`.
fn mangled(text: &str, mut change: impl FnMut(&str, Before) -> String) -> String {
    let mut out = String::new();
    let mut at = 0;
    let mut left: Option<Token> = None;
    let parse = FileParse::new(text);
    for token in tokens_of(&parse, 0..parse.chunks.len()) {
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let glued = word(text[..at].chars().next_back()) && word(text[token.start..].chars().next());
        let before = match &left {
            None => Before::Start,
            Some(left) if left.kind == Kind::Comment => Before::Comment,
            _ if glued => Before::Word,
            _ => Before::Other,
        };
        out.push_str(&change(&text[at..token.start], before));
        out.push_str(&text[token.start..token.end]);
        at = token.end;
        left = Some(token);
    }
    out.push_str(&change(&text[at..], Before::Other));
    out
}

/// An example with other white space in some of the gaps on its lines.
fn torn(text: &str, choices: &[u8], rarely: usize) -> String {
    const GAPS: [&str; 8] = ["\n", "\r\n", "\n\n\n", " \n \t", "\r\n\r\n \r\n", "   ", "\t", "\n        "];
    let mut count = 0;
    let torn = mangled(text, |gap, _| {
        count += 1;
        let choice = usize::from(choices[count % choices.len()]);
        if (count + choice).is_multiple_of(rarely) && !gap.contains('\n') {
            GAPS[choice % 8].to_owned()
        } else {
            gap.to_owned()
        }
    });
    if choices[0].is_multiple_of(4) { torn.replace("\r\n", "\n").replace('\n', "\r\n") } else { torn }
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 64..257)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Blanks put in and taken out between words, and lines left blank, are
    /// all mended: what comes out is the example itself.
    #[test]
    fn mangled_blanks_come_out_as_they_were(example in 0..3usize, choices in choices()) {
        const BLANKS: [&str; 8] = ["", " ", "  ", "\t", " \t ", "     ", "\u{b}", "\u{c} "];
        let mut next = choices.iter().cycle().copied().zip(1u8..=255).map(|(a, b)| a.wrapping_mul(b | 1));
        let mut pick = || BLANKS[usize::from(next.next().unwrap_or(1)) % BLANKS.len()];
        let text = EXAMPLES[example];
        let bad = mangled(text, |gap, before| {
            // Blanks of other kinds are junk between declarations.
            let blank = |pick: &mut dyn FnMut() -> &'static str| pick().replace(['\u{b}', '\u{c}'], " ");
            let lines = gap.matches('\n').count();
            match before {
                Before::Start => return blank(&mut pick),
                Before::Word if lines == 0 => return " ".to_owned() + pick(),
                _ if lines == 0 => return pick().to_owned(),
                _ => {}
            }
            let mut out = if before == Before::Comment { String::new() } else { blank(&mut pick) };
            out += "\n";
            out += &blank(&mut pick);
            if lines > 1 {
                out += "\n";
                out += &blank(&mut pick);
                out += ["", "\n", " \n\n"][out.len() % 3];
                out += &blank(&mut pick);
            }
            out
        });
        let out = format_checked(&bad);
        let differing = out.lines().zip(text.lines()).find(|(out, text)| out != text);
        prop_assert!(out == text, "{differing:?} in {bad:?}");
    }

    /// Blanks and line breaks put in anywhere, in any style.
    #[test]
    fn broken_lines_are_laid_out_for_good(example in 0..3usize, choices in choices(), rarely in 2..40usize) {
        format_checked(&torn(EXAMPLES[example], &choices, rarely));
    }

    /// Edits anywhere, also such as break the text.
    #[test]
    fn edited_examples_are_laid_out_for_good(
        example in 0..3usize,
        choices in choices(),
        rarely in 2..400usize,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..12usize, piece()), 1..8),
    ) {
        let mut text = torn(EXAMPLES[example], &choices, rarely);
        for (place, length, piece) in edits {
            let boundary = |mut at: usize| { while !text.is_char_boundary(at) { at -= 1 } at };
            let start = boundary(place.index(text.len() + 1));
            let end = boundary((start + length).min(text.len()));
            text.replace_range(start..end.max(start), &piece);
        }
        format_checked(&text);
    }

    /// Quotes and their like, where they hurt most.
    #[test]
    fn odd_quotes_are_laid_out_for_good(
        example in 0..3usize,
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..5usize, quote()), 1..8),
    ) {
        const TEXTS: [&str; 3] = [
            "entity A {\n  a:  string @without( \"x  {  y\" )  // \"c  d\" \n  `b  c`  :  uuid?\n  count  5\n}\n",
            "table T {\n item  A {\n    K  =  \"A#{ b }  {{  \"\n L= \"{`x  y`}\"  }\n  partition  key  a  because  \"x  y\"\n}\n",
            "pattern P {\n  allow  a-b  because  \"x  y\"\n  query  T  where  a  =  \"{ :b }\"  and  ( b  =  \"c  d\" )\n}\ntradeoff  \"a  b\"\n",
        ];
        let mut text = TEXTS[example].to_owned();
        for (place, length, piece) in edits {
            let start = place.index(text.len() + 1);
            text.replace_range(start..(start + length).min(text.len()), piece);
        }
        format_checked(&text);
    }

    /// Pieces of the language in any order.
    #[test]
    fn any_text_is_laid_out_for_good(pieces in proptest::collection::vec(piece(), 0..60)) {
        format_checked(&pieces.concat());
    }
}

fn quote() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\"", "\"", "\"  \"", "`", "`  `", "\\", "\n", "\r", "{", "}", "  ", "//", "  //  ", "///", "%", ")", "(", ":",
        "\0", "x", "  y  ", "=", "/", "5/", "because", "\\u{",
    ])
}

fn piece() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let fixed = prop::sample::select(vec![
        "", " ", "  ", "\n", "\r\n", "\r", "\n\n", "\t", "\u{a0}", "\u{feff}", "{", "}", "(", ")", ",", ":", "=",
        "\"", "`", "//", "///", "@", "?", ".", "<", ">", "é", "\0", "%", "-5", "2KB", "10/s", "1:N", "table",
        "\ntable T {", "\nentity A {\n", "pattern P { ", "item A {", "gsi G {", "a: string\n", "because \"x\"",
        "// c\n", "/// d\n", "allow a-b because \"c\"", "relationship A 1:N B", "\nimport \"x\"", "PK = \"A#{b}\"",
        "filter (a = 1", "transact write {", "count 5", "\"{", "N:M", "and", "sort key", "workflow W { A, B",
        "application X {\n", "domain \"d\"\n", "reads A by", "set", "not", " B ", " a ", "\u{2028}", "🙂",
    ]);
    prop_oneof![9 => fixed.prop_map(str::to_owned), 1 => "[ -~\n]{0,6}"]
}
