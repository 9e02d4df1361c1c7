//! Checklists: a box is ticked only if the check behind it passed. An open one
//! says what is missing, and where in the model; a ticked one says what it was
//! ticked in spite of.

use super::numbers::{count, number};
use super::outline::Outline;
use crate::model::db::Decl;
use crate::rules::finding::Finding;
use crate::syntax::TextRange;

/// What an open box lists before it only counts.
const MOST_LISTED: usize = 10;

/// A box: what a review asks, and what there is to say against a yes.
pub(super) struct Check {
    question: String,
    found: Found,
}

/// What there is to say against a box.
#[derive(Clone, Default)]
pub(super) struct Found {
    /// What keeps it open.
    pub missing: Vec<Missing>,
    /// What an `allow` accepts with its reason: the box is ticked in spite of it,
    /// and says so.
    pub accepted: Vec<Missing>,
    /// What had to be assumed, since the model does not say it.
    pub assumed: Vec<Missing>,
}

impl Found {
    /// This and something else; what both have found is said once.
    pub fn and(mut self, other: impl Into<Found>) -> Self {
        let other = other.into();
        for (own, others) in [
            (&mut self.missing, other.missing),
            (&mut self.accepted, other.accepted),
            (&mut self.assumed, other.assumed),
        ] {
            for one in others {
                if !own.contains(&one) {
                    own.push(one);
                }
            }
        }
        self
    }
}

impl From<Vec<Missing>> for Found {
    fn from(missing: Vec<Missing>) -> Self {
        Self { missing, ..Self::default() }
    }
}

/// Something that keeps a box open, or that it is ticked in spite of, and the line
/// of the model where it stands.
#[derive(Clone, PartialEq)]
pub(super) struct Missing {
    words: String,
    link: String,
}

impl Missing {
    /// Something in a declaration: at this range of it, else at its name. The words
    /// are Markdown: what a user wrote has been escaped.
    pub fn at(outline: &Outline<'_>, decl: Decl, range: Option<TextRange>, words: impl Into<String>) -> Self {
        Self { words: words.into(), link: outline.link(decl, range) }
    }

    /// Something that the model has nowhere.
    pub fn in_model(outline: &Outline<'_>, words: impl Into<String>) -> Self {
        Self { words: words.into(), link: outline.link_to_model() }
    }

    /// Something that a finding stands for.
    pub fn found(outline: &Outline<'_>, finding: &Finding, words: impl Into<String>) -> Self {
        Self { words: words.into(), link: outline.link_to(finding.place) }
    }
}

impl Check {
    /// A box that is ticked if nothing is missing. The question is a statement that
    /// is true of a model whose box is ticked, but for what the box itself names;
    /// without a mark at its end.
    pub fn new(question: impl Into<String>, found: impl Into<Found>) -> Self {
        Self { question: question.into(), found: found.into() }
    }

    /// A box that stays open: there is nothing yet that it could be asked of, or no
    /// way to ask.
    pub fn open(outline: &Outline<'_>, question: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(question, vec![Missing::in_model(outline, why)])
    }

    /// Whether the box is ticked.
    pub fn is_ticked(&self) -> bool {
        self.found.missing.is_empty()
    }

    /// The box as entries of a list: one line where there is at most one thing to
    /// say, else one more for each thing.
    pub fn lines(&self) -> Vec<String> {
        let Found { missing, accepted, assumed } = &self.found;
        let question = &self.question;
        if !self.is_ticked() {
            let mut lines = told(format!("- [ ] {question}: "), missing);
            lines.extend(listed("accepted: ", accepted));
            lines.extend(listed("assumed: ", assumed));
            return lines;
        }
        match (accepted.is_empty(), assumed.is_empty()) {
            (true, true) => vec![format!("- [x] {question}")],
            (false, true) => told(format!("- [x] {question}, but what is accepted: "), accepted),
            (true, false) => told(format!("- [x] {question}, as far as it is assumed: "), assumed),
            (false, false) => {
                let things = count(accepted.len() + assumed.len(), "thing", "things");
                let mut lines = vec![format!("- [x] {question}, but what is accepted or assumed: {things}")];
                lines.extend(listed("accepted: ", accepted));
                lines.extend(listed("assumed: ", assumed));
                lines
            }
        }
    }
}

fn one(missing: &Missing) -> String {
    format!("{} ({})", missing.words, missing.link)
}

/// One thing on the line that it begins, several below it.
fn told(start: String, all: &[Missing]) -> Vec<String> {
    match all {
        [only] => vec![format!("{start}{}", one(only))],
        all => {
            let mut lines = vec![format!("{start}{}", count(all.len(), "thing", "things"))];
            lines.extend(listed("", all));
            lines
        }
    }
}

/// Each thing on a line of its own, as many as are listed; the others are counted.
fn listed(label: &str, all: &[Missing]) -> Vec<String> {
    let mut lines: Vec<String> =
        all.iter().take(MOST_LISTED).map(|missing| format!("  - {label}{}", one(missing))).collect();
    if let Some(more) = all.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        lines.push(format!("  - {label}and {} more", number(more as f64)));
    }
    lines
}

/// A checklist as Markdown, its boxes in order.
pub(super) fn markdown(checks: &[Check]) -> String {
    let lines: Vec<String> = checks.iter().flat_map(Check::lines).collect();
    lines.join("\n")
}

/// How many of the boxes are ticked: `3 of 12 boxes are ticked.`
pub(super) fn summary<'c>(checks: impl IntoIterator<Item = &'c Check>) -> String {
    let (mut all, mut ticked) = (0, 0);
    for check in checks {
        all += 1;
        ticked += usize::from(check.is_ticked());
    }
    let are = if ticked == 1 { "is" } else { "are" };
    format!("{ticked} of {} {are} ticked.", count(all, "box", "boxes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(number: usize) -> Vec<Missing> {
        let thing = |n| Missing { words: format!("no {n}"), link: format!("[m:{n}](m#L{n})") };
        (1..=number).map(thing).collect()
    }

    fn check(missing: usize) -> Check {
        Check::new("All is there", things(missing))
    }

    #[test]
    fn a_box_is_ticked_only_where_nothing_is_missing() {
        assert_eq!(markdown(&[check(0)]), "- [x] All is there");
        assert_eq!(markdown(&[check(1)]), "- [ ] All is there: no 1 ([m:1](m#L1))");
        let expected = "- [ ] All is there: 2 things\n  - no 1 ([m:1](m#L1))\n  - no 2 ([m:2](m#L2))".to_owned();
        assert_eq!(markdown(&[check(2)]), expected);
    }

    #[test]
    fn a_ticked_box_says_what_it_is_ticked_in_spite_of() {
        let lines = |missing, accepted, assumed| {
            let found = Found { missing: things(missing), accepted: things(accepted), assumed: things(assumed) };
            Check::new("All is there", found).lines()
        };
        assert_eq!(lines(0, 1, 0), ["- [x] All is there, but what is accepted: no 1 ([m:1](m#L1))"]);
        assert_eq!(lines(0, 0, 1), ["- [x] All is there, as far as it is assumed: no 1 ([m:1](m#L1))"]);
        let both = [
            "- [x] All is there, but what is accepted or assumed: 2 things",
            "  - accepted: no 1 ([m:1](m#L1))",
            "  - assumed: no 1 ([m:1](m#L1))",
        ];
        assert_eq!(lines(0, 1, 1), both);
        // What is accepted does not close what is open.
        let open = ["- [ ] All is there: no 1 ([m:1](m#L1))", "  - accepted: no 1 ([m:1](m#L1))"];
        assert_eq!(lines(1, 1, 0), open);
        assert_eq!(lines(0, 2, 0).len(), 3);
    }

    #[test]
    fn what_is_found_twice_is_said_once() {
        let all = Found::from(things(2)).and(things(3)).and(Found { accepted: things(1), ..Found::default() });
        assert_eq!((all.missing.len(), all.accepted.len()), (3, 1));
    }

    #[test]
    fn the_first_ten_are_listed_and_the_others_counted() {
        assert_eq!(check(10).lines().len(), 11);
        let twelve = check(12).lines();
        assert_eq!(twelve.len(), 12);
        assert_eq!(twelve[11], "  - and 2 more");
        assert_eq!(summary(&[check(0), check(12), check(1)]), "1 of 3 boxes is ticked.");
    }
}
