//! Whether two descriptions of strings have a string in common.
//!
//! Key templates describe sets of strings: literal text, and holes whose type
//! says which characters and how many. Two of them are compared by walking
//! both as automata, side by side, over the pairs of states that a common
//! string could reach.

use std::collections::HashSet;

/// A set of characters: ASCII one by one, all others together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharSet {
    ascii: u128,
    other: bool,
}

impl CharSet {
    /// Every character.
    pub fn all() -> Self {
        Self { ascii: u128::MAX, other: true }
    }

    /// These characters; one beyond ASCII stands for all of those.
    pub fn of(chars: &str) -> Self {
        let mut set = Self { ascii: 0, other: false };
        for c in chars.chars() {
            match c.is_ascii() {
                true => set.ascii |= 1 << c as u32,
                false => set.other = true,
            }
        }
        set
    }

    /// `0` to `9`.
    pub fn digits() -> Self {
        Self::of("0123456789")
    }

    /// ASCII letters and digits.
    pub fn alphanumeric() -> Self {
        let mut set = Self::digits();
        for c in ('a'..='z').chain('A'..='Z') {
            set.ascii |= 1 << c as u32;
        }
        set
    }

    /// Takes a character out; one beyond ASCII stays, as the others of its kind do.
    pub fn remove(&mut self, c: char) {
        if c.is_ascii() {
            self.ascii &= !(1 << c as u32);
        }
    }

    /// Takes the characters from `from` to `to` out.
    pub fn remove_range(&mut self, from: char, to: char) {
        for c in from..=to {
            self.remove(c);
        }
    }

    fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0 || (self.other && other.other)
    }
}

/// A piece of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    OneOf(Vec<String>),
    /// From `min` to `max` characters of a set; no `max`: any number.
    Repeat {
        set: CharSet,
        min: usize,
        max: Option<usize>,
    },
}

impl Piece {
    /// From `min` to `max` characters of a set; no `max`: any number.
    pub fn repeat(set: CharSet, min: usize, max: Option<usize>) -> Self {
        Piece::Repeat { set, min, max }
    }
}

/// How the two must meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meet {
    /// Some string is described by both.
    Whole,
    /// Some string of the second begins with a string of the first.
    Prefix,
}

/// Whether `a` and `b` meet.
pub fn meet(a: &[Piece], b: &[Piece], how: Meet) -> bool {
    let a = Automaton::new(a);
    let b = Automaton::new(b);
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    let mut push = |pair: (usize, usize), open: &mut Vec<(usize, usize)>| {
        if seen.insert(pair) {
            open.push(pair);
        }
    };
    push((0, 0), &mut open);
    while let Some((i, j)) = open.pop() {
        // Every state of an automaton leads to its end, so a prefix that is
        // whole can always be completed.
        if i == a.end && (j == b.end || how == Meet::Prefix) {
            return true;
        }
        for next in &a.silent[i] {
            push((*next, j), &mut open);
        }
        for next in &b.silent[j] {
            push((i, *next), &mut open);
        }
        for (set, next) in &a.steps[i] {
            for (other, after) in &b.steps[j] {
                if set.meets(*other) {
                    push((*next, *after), &mut open);
                }
            }
        }
    }
    false
}

/// States with the steps that read a character and those that read none.
struct Automaton {
    steps: Vec<Vec<(CharSet, usize)>>,
    silent: Vec<Vec<usize>>,
    end: usize,
}

impl Automaton {
    fn new(pieces: &[Piece]) -> Self {
        let mut automaton = Self { steps: vec![Vec::new()], silent: vec![Vec::new()], end: 0 };
        for piece in pieces {
            match piece {
                Piece::Text(text) => automaton.text(text),
                Piece::OneOf(texts) => {
                    let start = automaton.end;
                    let mut ends = Vec::new();
                    for text in texts {
                        automaton.end = automaton.state();
                        automaton.silent[start].push(automaton.end);
                        automaton.text(text);
                        ends.push(automaton.end);
                    }
                    automaton.end = automaton.state();
                    for end in ends {
                        automaton.silent[end].push(automaton.end);
                    }
                    if texts.is_empty() {
                        automaton.silent[start].push(automaton.end);
                    }
                }
                Piece::Repeat { set, min, max } => {
                    for _ in 0..*min {
                        automaton.step(*set);
                    }
                    match max {
                        None => {
                            let end = automaton.end;
                            automaton.steps[end].push((*set, end));
                            // What follows must not run through the loop's state.
                            automaton.end = automaton.state();
                            automaton.silent[end].push(automaton.end);
                        }
                        Some(max) => {
                            let mut skips = vec![automaton.end];
                            for _ in *min..*max {
                                automaton.step(*set);
                                skips.push(automaton.end);
                            }
                            let end = automaton.end;
                            for skip in skips.into_iter().filter(|skip| *skip != end) {
                                automaton.silent[skip].push(end);
                            }
                        }
                    }
                }
            }
        }
        automaton
    }

    fn state(&mut self) -> usize {
        self.steps.push(Vec::new());
        self.silent.push(Vec::new());
        self.steps.len() - 1
    }

    fn step(&mut self, set: CharSet) {
        let next = self.state();
        self.steps[self.end].push((set, next));
        self.end = next;
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            // Characters outside ASCII are told apart by nothing finer than
            // "other": a comparison may then see a match too many, never one too few.
            self.step(CharSet::of(c.encode_utf8(&mut [0; 4])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn any() -> Piece {
        Piece::repeat(CharSet::all(), 1, None)
    }

    fn ulid() -> Piece {
        Piece::repeat(CharSet::alphanumeric(), 26, Some(26))
    }

    #[test]
    fn literals_and_holes_meet_where_a_string_fits_both() {
        assert!(meet(&[text("A#"), any()], &[text("A#"), any()], Meet::Whole));
        assert!(meet(&[any()], &[text("PROFILE")], Meet::Whole));
        assert!(!meet(&[text("A#"), any()], &[text("B#"), any()], Meet::Whole));
        assert!(!meet(&[text("A#"), any()], &[text("A#")], Meet::Whole), "a hole holds a character at least");
        assert!(meet(&[any(), text("#x")], &[text("a#"), any()], Meet::Whole));
    }

    #[test]
    fn types_tell_values_apart() {
        let uuid = [
            Piece::repeat(CharSet::of("0123456789abcdef"), 8, Some(8)),
            text("-"),
            Piece::repeat(CharSet::of("0123456789abcdef-"), 27, Some(27)),
        ];
        assert!(!meet(&uuid, &[ulid()], Meet::Whole));
        let number = |width| Piece::repeat(CharSet::digits(), width, Some(width));
        assert!(!meet(&[number(4)], &[number(6)], Meet::Whole));
        let state = Piece::OneOf(vec!["open".into(), "paid".into()]);
        assert!(meet(std::slice::from_ref(&state), &[text("paid")], Meet::Whole));
        assert!(!meet(&[state], &[text("pai")], Meet::Whole));
        let optional = Piece::repeat(CharSet::digits(), 1, Some(3));
        assert!(meet(&[optional.clone(), text("x")], &[text("12x")], Meet::Whole));
        assert!(!meet(&[optional], &[text("1234")], Meet::Whole));
    }

    #[test]
    fn a_prefix_meets_what_begins_with_it() {
        assert!(meet(&[text("ORDER")], &[text("ORDERITEM#"), ulid()], Meet::Prefix));
        assert!(meet(&[text("ORDER#"), any()], &[text("ORDER#"), ulid()], Meet::Prefix));
        assert!(!meet(&[text("ORDER#")], &[text("ORDERITEM#"), ulid()], Meet::Prefix));
        assert!(!meet(&[text("ORDERS")], &[text("ORDER")], Meet::Prefix));
    }
}
