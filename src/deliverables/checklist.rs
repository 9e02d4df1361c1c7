//! Checklists: a box is ticked only if the check behind it passed. An open one
//! says what is missing, and where in the model; a ticked one says what it was
//! ticked in spite of. What is too long for a box stands in full below all boxes.

use super::numbers::{count, number};
use super::outline::Outline;
use crate::model::db::Decl;
use crate::rules::finding::Finding;
use crate::syntax::TextRange;

/// What a box lists before it only counts, and leaves the others to the list in full.
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

    /// What it is, and where.
    pub fn told(&self) -> String {
        format!("{} ({})", self.words, self.link)
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
    /// say, else one more for each thing. `full` is what the list of all of them is
    /// called.
    fn lines(&self, full: &str) -> Vec<String> {
        let Found { missing, accepted, assumed } = &self.found;
        let question = &self.question;
        let told = |start: String, all: &[Missing]| told(start, all, full);
        let listed = |label: &str, all: &[Missing]| listed(label, all, full);
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

    /// All that is said of a box that only counts some of it; `None` where it lists all.
    fn in_full(&self, heading: &str) -> Option<String> {
        let Found { missing, accepted, assumed } = &self.found;
        let kinds = [("", missing), ("accepted: ", accepted), ("assumed: ", assumed)];
        if kinds.iter().all(|(_, all)| all.len() <= MOST_LISTED) {
            return None;
        }
        let lines =
            kinds.iter().flat_map(|(label, all)| all.iter().map(move |one| format!("- {label}{}", told_of(one))));
        let lines: Vec<String> = lines.collect();
        Some(format!("<a id=\"{}\"></a>**{heading}** ({}):\n\n{}", anchor(heading), self.question, lines.join("\n")))
    }
}

fn told_of(missing: &Missing) -> String {
    format!("{} ({})", missing.words, missing.link)
}

/// One thing on the line that it begins, several below it.
fn told(start: String, all: &[Missing], full: &str) -> Vec<String> {
    match all {
        [only] => vec![format!("{start}{}", told_of(only))],
        all => {
            let mut lines = vec![format!("{start}{}", count(all.len(), "thing", "things"))];
            lines.extend(listed("", all, full));
            lines
        }
    }
}

/// Each thing on a line of its own, as many as are listed; the others are counted, with
/// a link to where they are.
fn listed(label: &str, all: &[Missing], full: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        all.iter().take(MOST_LISTED).map(|missing| format!("  - {label}{}", told_of(missing))).collect();
    if let Some(more) = all.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        let (more, all) = (number(more as f64), number(all.len() as f64));
        lines.push(format!("  - {label}and {more} more: [all {all}](#{})", anchor(full)));
    }
    lines
}

/// What a list in full is called in a link. It has no heading, as those of a document are
/// fixed.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// The checklists of a document, one after the other, and what their boxes leave to a
/// list in full.
#[derive(Default)]
pub(super) struct Checklists {
    boxes: usize,
    full: Vec<String>,
}

impl Checklists {
    /// A checklist as Markdown, its boxes in order.
    pub fn markdown(&mut self, checks: &[Check]) -> String {
        let mut lines = Vec::new();
        for check in checks {
            self.boxes += 1;
            let heading = format!("All of Box {}", self.boxes);
            lines.extend(check.lines(&heading));
            self.full.extend(check.in_full(&heading));
        }
        lines.join("\n")
    }

    /// What is too long for a box, a list for each; nothing where each box has all.
    pub fn in_full(self) -> String {
        self.full.into_iter().map(|full| format!("\n{full}\n")).collect()
    }
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

    fn markdown(checks: &[Check]) -> String {
        Checklists::default().markdown(checks)
    }

    fn lines(check: &Check) -> Vec<String> {
        check.lines("All of Box 1")
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
            super::tests::lines(&Check::new("All is there", found))
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
    fn the_first_ten_are_listed_and_the_others_stand_in_full_below() {
        assert_eq!(lines(&check(10)).len(), 11);
        let twelve = lines(&check(12));
        assert_eq!(twelve.len(), 12);
        assert_eq!(twelve[11], "  - and 2 more: [all 12](#all-of-box-1)");
        assert_eq!(summary(&[check(0), check(12), check(1)]), "1 of 3 boxes is ticked.");
        // Boxes are counted through all checklists of a document.
        let mut lists = Checklists::default();
        assert!(!lists.markdown(&[check(10), check(1)]).contains("more"));
        assert!(lists.markdown(&[check(11)]).contains("and 1 more: [all 11](#all-of-box-3)"));
        let full = lists.in_full();
        assert!(
            full.starts_with("\n<a id=\"all-of-box-3\"></a>**All of Box 3** (All is there):\n\n- no 1 ([m:1](m#L1))\n"),
            "{full}"
        );
        assert!(full.ends_with("\n- no 11 ([m:11](m#L11))\n"), "{full}");
        assert_eq!(full.matches("- no ").count(), 11);
    }
}
