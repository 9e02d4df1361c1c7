//! Edits of a text, in bytes.

use super::range::TextRange;

/// A piece of text to replace; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// Bytes of the text as it is before any edit.
    pub range: TextRange,
    /// What stands there instead.
    pub text: String,
}

/// The text with the edits made; they are sorted and do not overlap.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.range.indices();
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The edits that do at once what two rounds of edits do one after the other:
/// `then` counts in the text that `first` leaves.
pub fn compose(text: &str, first: &[TextEdit], then: &[TextEdit]) -> Vec<TextEdit> {
    let mut middle = Pieces::default();
    let mut at = 0;
    for edit in first {
        middle.keep(at, edit.range.start as usize);
        middle.put(&edit.text);
        at = edit.range.end as usize;
    }
    middle.keep(at, text.len());
    let mut rest = middle.0.into();
    let mut done = Pieces::default();
    let mut at = 0;
    for edit in then {
        done.0.extend(taken(&mut rest, edit.range.start as usize - at));
        drop(taken(&mut rest, edit.range.len()));
        done.put(&edit.text);
        at = edit.range.end as usize;
    }
    done.0.extend(rest);
    done.edits(text.len())
}

/// A text as pieces of an older one and what is new.
#[derive(Default)]
struct Pieces<'t>(Vec<Piece<'t>>);

enum Piece<'t> {
    Kept(TextRange),
    New(&'t str),
}

impl<'t> Pieces<'t> {
    fn keep(&mut self, start: usize, end: usize) {
        if start < end {
            self.0.push(Piece::Kept(TextRange::new(start, end)));
        }
    }

    fn put(&mut self, text: &'t str) {
        if !text.is_empty() {
            self.0.push(Piece::New(text));
        }
    }

    /// The edits that make them of the older text, of so many bytes.
    fn edits(&self, length: usize) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let (mut at, mut new) = (0, String::new());
        let end = TextRange::empty(length);
        for piece in self.0.iter().chain([&Piece::Kept(end)]) {
            match piece {
                Piece::New(text) => new.push_str(text),
                Piece::Kept(range) => {
                    if at < range.start as usize || !new.is_empty() {
                        let range = TextRange::new(at, range.start as usize);
                        edits.push(TextEdit { range, text: std::mem::take(&mut new) });
                    }
                    at = range.end as usize;
                }
            }
        }
        edits
    }
}

/// Takes so many bytes from the front.
fn taken<'t>(rest: &mut std::collections::VecDeque<Piece<'t>>, length: usize) -> Vec<Piece<'t>> {
    let mut out = Vec::new();
    let mut left = length;
    while left > 0 {
        let Some(piece) = rest.pop_front() else { break };
        let (size, cut) = match &piece {
            Piece::Kept(range) => (range.len(), left.min(range.len())),
            Piece::New(text) => (text.len(), left.min(text.len())),
        };
        left -= cut;
        if cut == size {
            out.push(piece);
            continue;
        }
        let (front, back) = match piece {
            Piece::Kept(range) => {
                let middle = range.start as usize + cut;
                let (start, end) = (range.start as usize, range.end as usize);
                (Piece::Kept(TextRange::new(start, middle)), Piece::Kept(TextRange::new(middle, end)))
            }
            Piece::New(text) => (Piece::New(&text[..cut]), Piece::New(&text[cut..])),
        };
        out.push(front);
        rest.push_front(back);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rounds_of_edits_are_one() {
        let edit = |start, end, text: &str| TextEdit { range: TextRange::new(start, end), text: text.to_owned() };
        let text = "abcdefgh";
        let first = [edit(0, 0, "12"), edit(2, 4, "345"), edit(6, 7, "")];
        let middle = apply(text, &first);
        assert_eq!(middle, "12ab345efh");
        for then in [
            vec![edit(1, 3, "-")],
            vec![edit(0, 0, "x"), edit(5, 9, ""), edit(10, 10, "y")],
            vec![edit(4, 5, "z"), edit(5, 6, "")],
            vec![],
        ] {
            let both = compose(text, &first, &then);
            assert_eq!(apply(text, &both), apply(&middle, &then));
            assert!(both.windows(2).all(|pair| pair[0].range.end < pair[1].range.start), "{both:?}");
        }
        assert_eq!(compose(text, &[], &[]), []);
    }

    #[test]
    fn edits_count_in_the_text_before_all_of_them() {
        let edit = |start, end, text: &str| TextEdit { range: TextRange::new(start, end), text: text.to_owned() };
        assert_eq!(apply("abcd", &[edit(0, 1, "xyz"), edit(2, 2, "-"), edit(3, 4, "")]), "xyzb-c");
        assert_eq!(apply("abcd", &[]), "abcd");
    }
}
