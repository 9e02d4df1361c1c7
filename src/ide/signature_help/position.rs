//! Which part of an operation is being written.

use super::context::Context;
use crate::model::layout::Source;
use crate::model::step_options::StepOption;

/// A part of an operation, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Subject,
    Target,
    /// The condition on this attribute of the key.
    Key(String),
    Option(StepOption),
}

impl Slot {
    /// The part that a keyword begins.
    fn of_keyword(word: &str) -> Option<Self> {
        let option = if word == "keeping" { Some(StepOption::Filter) } else { StepOption::of_keyword(word) };
        option.map(Slot::Option)
    }
}

/// Where the tokens behind the keyword of an operation have led to.
enum Reading {
    Subject,
    /// The subject is written: what follows is the place.
    BehindSubject,
    Target,
    BehindTarget,
    Where,
    In(Slot),
}

/// The part of an operation that the cursor is in.
pub(super) fn slot(cx: &Context<'_>, operation: usize, source: Option<Source<'_>>) -> Slot {
    let word = cx.kind(operation);
    let mut reading = if matches!(word, "query" | "scan") { Reading::Target } else { Reading::Subject };
    let mut compared = Compared::default();
    for index in operation + 1..cx.tokens.len() {
        let (kind, done) = (cx.kind(index), cx.is_done(index));
        let written = if matches!(kind, "name" | "keyword_value" | "template") { "" } else { cx.source(index) };
        reading = match (reading, written) {
            (reading, _) if kind == "name" => match reading {
                Reading::Subject if done => Reading::BehindSubject,
                Reading::Target if done => Reading::BehindTarget,
                Reading::Where => {
                    compared.name(cx.name(index).unwrap_or(""));
                    Reading::Where
                }
                reading => reading,
            },
            (Reading::Subject | Reading::BehindSubject, "as") => Reading::Subject,
            (Reading::Subject | Reading::BehindSubject, "from" | "into" | "in") => Reading::Target,
            (Reading::BehindTarget, ".") => Reading::Target,
            (Reading::Target | Reading::BehindTarget, "where") => Reading::Where,
            (Reading::Where, "(" | "not") => Reading::Where,
            (Reading::Where, _) if kind == "keyword_value" => {
                compared.next();
                Reading::Where
            }
            (reading, word) => match Slot::of_keyword(word) {
                Some(slot) if !matches!(reading, Reading::Subject | Reading::Target) => Reading::In(slot),
                _ => reading,
            },
        };
    }
    match reading {
        Reading::Subject => Slot::Subject,
        Reading::BehindSubject | Reading::Target => Slot::Target,
        Reading::In(slot) => slot,
        Reading::Where => compared.slot(source),
        Reading::BehindTarget => match word {
            "query" => compared.slot(source),
            // The first that the operation has.
            _ => Slot::Option(StepOption::Filter),
        },
    }
}

/// The attributes that the key condition compares.
#[derive(Default)]
struct Compared<'a> {
    before: Vec<&'a str>,
    now: Option<&'a str>,
}

impl<'a> Compared<'a> {
    fn name(&mut self, name: &'a str) {
        self.now = self.now.or(Some(name));
    }

    fn next(&mut self) {
        self.before.extend(self.now.take());
    }

    /// The attribute that is being compared, or that is the next to be.
    fn slot(&self, source: Option<Source<'_>>) -> Slot {
        let key: Vec<&str> = source.map(|source| source.key().map(|key| &*key.name).collect()).unwrap_or_default();
        let now = self.now.filter(|now| key.contains(now));
        let next = || key.iter().copied().find(|name| !self.before.contains(name));
        let name = now.or_else(next).or(key.last().copied());
        match (name, self.before.is_empty()) {
            (Some(name), _) => Slot::Key(name.to_owned()),
            // Of a table that nobody knows: first the one key, then the other.
            (None, true) => Slot::Key("partition_key".to_owned()),
            (None, false) => Slot::Key("sort_key".to_owned()),
        }
    }
}
