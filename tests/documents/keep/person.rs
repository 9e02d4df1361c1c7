//! Somebody who edits documents, without regard for marks or anything else.

use proptest::prelude::*;
use std::ops::Range;

/// Something that is done to a text. Numbers are places: parts of 65,536 of it.
#[derive(Clone, Debug)]
pub enum Deed {
    Write {
        at: Spot,
        text: String,
    },
    Delete {
        from: u16,
        bytes: usize,
    },
    Replace {
        from: u16,
        bytes: usize,
        text: String,
    },
    /// Lines that end up somewhere else, or also there.
    Take {
        from: Spot,
        lines: usize,
        to: Spot,
        is_copy: bool,
    },
    LineEnds {
        crlf: bool,
    },
    /// A mark of the document is taken out, or loses a character, or gets one.
    DropMark(u16),
    Damage {
        mark: u16,
        at: u16,
    },
    /// A part is moved or copied with both its marks.
    Part {
        from: u16,
        to: Spot,
        is_copy: bool,
    },
    CutEnd,
    /// Lines become two versions that were not merged: as they are, and as somebody
    /// else has them; or both as they are.
    Unmerged {
        from: Spot,
        lines: usize,
        other: Option<String>,
    },
}

/// A place in a text.
#[derive(Clone, Debug)]
pub enum Spot {
    Anywhere(u16),
    /// Before the line of a mark, or behind it.
    BesideMark {
        mark: u16,
        behind: bool,
    },
    Beginning,
    End,
}

/// What nobody but this person writes: every line of it is told by the character.
pub const OWN: char = '✍';

fn text() -> impl Strategy<Value = String> {
    let words = "[a-zé🙂|`#<>* -]{0,12}";
    prop_oneof![
        4 => (words, words).prop_map(|(a, b)| format!("{a}{OWN}{b}")),
        2 => (words, "\r?\n\t?").prop_map(|(a, end)| format!("{OWN}{a}{end}")),
        2 => words.prop_map(|a| format!("\n\n## {OWN} {a}\n\n| a |\n|---|\n| {OWN} |\n\n")),
        1 => words.prop_map(|a| format!("\n<!-- keywright:begin {OWN} -->\n{OWN}{a}\n")),
        1 => Just(format!("\n<!-- keywright:end {OWN} 0123456789abcdef -->\n")),
        1 => Just(format!("{OWN}\0\u{b}\r")),
    ]
}

fn spot() -> impl Strategy<Value = Spot> {
    prop_oneof![
        3 => any::<u16>().prop_map(Spot::Anywhere),
        4 => (any::<u16>(), any::<bool>()).prop_map(|(mark, behind)| Spot::BesideMark { mark, behind }),
        1 => Just(Spot::Beginning),
        1 => Just(Spot::End),
    ]
}

pub fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        6 => (spot(), text()).prop_map(|(at, text)| Deed::Write { at, text }),
        2 => (any::<u16>(), 1usize..400).prop_map(|(from, bytes)| Deed::Delete { from, bytes }),
        2 => (any::<u16>(), 1usize..40, text()).prop_map(|(from, bytes, text)| Deed::Replace { from, bytes, text }),
        2 => (spot(), 1usize..20, spot(), any::<bool>())
            .prop_map(|(from, lines, to, is_copy)| Deed::Take { from, lines, to, is_copy }),
        1 => any::<bool>().prop_map(|crlf| Deed::LineEnds { crlf }),
        1 => any::<u16>().prop_map(Deed::DropMark),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(mark, at)| Deed::Damage { mark, at }),
        2 => (any::<u16>(), spot(), any::<bool>()).prop_map(|(from, to, is_copy)| Deed::Part { from, to, is_copy }),
        1 => Just(Deed::CutEnd),
        2 => (spot(), 0usize..20, proptest::option::of(text()))
            .prop_map(|(from, lines, other)| Deed::Unmerged { from, lines, other }),
    ];
    proptest::collection::vec(deed, 0..6)
}

/// The text after somebody did something to it.
pub fn done(text: &str, deed: &Deed) -> String {
    let mut out = text.to_owned();
    match deed {
        Deed::Write { at, text: own } => out.insert_str(place(text, at), own),
        Deed::Delete { from, bytes } => out.replace_range(piece(text, *from, *bytes), ""),
        Deed::Replace { from, bytes, text: own } => out.replace_range(piece(text, *from, *bytes), own),
        Deed::Take { from, lines, to, is_copy } => {
            out = taken(text, whole_lines(text, from, *lines), to, *is_copy);
        }
        Deed::LineEnds { crlf: true } => out = text.replace("\r\n", "\n").replace('\n', "\r\n"),
        Deed::LineEnds { crlf: false } => out = text.replace("\r\n", "\n"),
        Deed::DropMark(mark) => out.replace_range(nth(&marks(text), *mark), ""),
        Deed::Damage { mark, at } => {
            let mark = nth(&marks(text), *mark);
            let at = floor(text, mark.start + mark.len() * usize::from(*at) / 65_536);
            let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            out.replace_range(at..next.min(mark.end).max(at), "");
        }
        Deed::Part { from, to, is_copy } => {
            let marks = marks(text);
            let begins: Vec<Range<usize>> =
                marks.iter().filter(|mark| text[(*mark).clone()].contains("begin")).cloned().collect();
            let begin = nth(&begins, *from);
            let end = marks.iter().find(|mark| mark.start >= begin.end).map_or(begin.end, |mark| mark.end);
            out = taken(text, begin.start..end, to, *is_copy);
        }
        Deed::CutEnd => out.truncate(text.trim_end().len()),
        Deed::Unmerged { from, lines, other } => {
            let range = whole_lines(text, from, *lines);
            let (own, other) = (&text[range.clone()], other.as_deref().unwrap_or(&text[range.clone()]));
            let end = |text: &str| if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let (first, second) = (end(own), end(other));
            let both = format!("<<<<<<< HEAD\n{own}{first}=======\n{other}{second}>>>>>>> other\n");
            out.replace_range(range, &both);
        }
    }
    out
}

/// Some lines from the one that a place is in.
fn whole_lines(text: &str, from: &Spot, lines: usize) -> Range<usize> {
    let start = text[..place(text, from)].rfind('\n').map_or(0, |at| at + 1);
    start..start + text[start..].split_inclusive('\n').take(lines).map(str::len).sum::<usize>()
}

/// The text with a piece of it put somewhere else, or there as well.
fn taken(text: &str, range: Range<usize>, to: &Spot, is_copy: bool) -> String {
    let piece = text[range.clone()].to_owned();
    let mut out = text.to_owned();
    if !is_copy {
        out.replace_range(range, "");
    }
    let at = place(&out, to);
    out.insert_str(at, &piece);
    out
}

/// The lines of marks, with their line ends.
fn marks(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        at - line.len()..at
    });
    lines.filter(|line| text[line.clone()].contains("<!-- keywright:")).collect()
}

fn nth(ranges: &[Range<usize>], place: u16) -> Range<usize> {
    ranges.get(ranges.len() * usize::from(place) / 65_536).cloned().unwrap_or(0..0)
}

fn place(text: &str, spot: &Spot) -> usize {
    match spot {
        Spot::Anywhere(place) => floor(text, text.len() * usize::from(*place) / 65_536),
        Spot::BesideMark { mark, behind } => {
            let mark = nth(&marks(text), *mark);
            if *behind { mark.end } else { mark.start }
        }
        Spot::Beginning => 0,
        Spot::End => text.len(),
    }
}

fn piece(text: &str, from: u16, bytes: usize) -> Range<usize> {
    let from = floor(text, text.len() * usize::from(from) / 65_536);
    from..floor(text, (from + bytes).min(text.len()))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
