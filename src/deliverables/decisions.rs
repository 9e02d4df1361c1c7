//! What is decided about two related entities: one item, one item collection, or
//! apart. The thresholds are those of the rules that speak about the same, so that
//! a team that sets one sets it in both places; here they are put into words.

use crate::capacity::figure::{Figure, list};
use crate::capacity::load::{exceeds, reaches};
use crate::capacity::show;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::{Decision, Style};
use crate::rules::{collection_candidate, embed_candidate, loose_collection};

use super::markdown::prose;

/// How much of the monthly cost keeping two together must save, where nothing else
/// decides.
pub(super) const SAVING: f64 = 0.1;

/// The numbers that a decision is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thresholds {
    /// Above this share of the reads two belong in one item.
    pub one_item: f64,
    /// Bytes that the one item must stay below.
    pub item: f64,
    /// From this share on two belong in one item collection.
    pub collection: f64,
    /// Below this share two belong apart.
    pub apart: f64,
}

impl Thresholds {
    /// The thresholds that hold in the model with this root.
    pub fn of(db: &dyn Db, root: SourceFile) -> Self {
        Self {
            one_item: embed_candidate::SHARE.value(db, root, &embed_candidate::RULE),
            item: embed_candidate::ITEM.value(db, root, &embed_candidate::RULE),
            collection: collection_candidate::SHARE.value(db, root, &collection_candidate::RULE),
            apart: loose_collection::SHARE.value(db, root, &loose_collection::RULE),
        }
    }

    /// What decides, as entries of a list. Where a team has set one above the next,
    /// nothing lies between the two.
    pub fn printed(&self) -> Vec<String> {
        let least = self.collection.min(self.one_item);
        let seldom = self.apart.min(least);
        let (one, collection, apart) = (show::percent(self.one_item), show::percent(least), show::percent(seldom));
        let is_between = |low: f64, high: f64| exceeds(high, low);
        let mut lines = vec![format!(
            "Over {one} of the reads of either read both: one item where the children are bounded and one item of all \
             stays below {}, else one item collection.",
            show::bytes(self.item)
        )];
        if is_between(least, self.one_item) {
            lines.push(format!("From {collection} to {one}: one item collection."));
        }
        lines.push(match is_between(seldom, least) {
            true => format!("Below {apart}: apart, unless the relationship is identifying."),
            false => String::from("Below that: apart, unless the relationship is identifying."),
        });
        if is_between(seldom, least) {
            lines.push(format!(
                "From {apart} to {collection}: together where the relationship is identifying, or where the monthly cost \
                 together is lower by more than {}; else apart.",
                show::percent(SAVING)
            ));
        }
        lines.push(format!(
            "What is kept together below {collection} is one item where that is bounded, below {} and no dearer, else \
             one item collection.",
            show::bytes(self.item)
        ));
        let set = [("collection-candidate", self.collection, self.one_item), ("loose-collection", self.apart, least)];
        let above = set.into_iter().filter(|(_, share, next)| exceeds(*share, *next));
        lines.extend(above.map(|(rule, share, next)| {
            format!(
                "The {} that is set for `{rule}` is above {}, and decides nothing.",
                show::percent(share),
                show::percent(next)
            )
        }));
        lines
    }

    fn band(&self, share: f64) -> Band {
        match share {
            share if exceeds(share, self.one_item) => Band::Nearly,
            share if reaches(share, self.collection) => Band::Mostly,
            share if reaches(share, self.apart) => Band::Between,
            _ => Band::Seldom,
        }
    }
}

/// How often two are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Band {
    Seldom,
    Between,
    Mostly,
    Nearly,
}

impl Band {
    const ALL: [Band; 4] = [Band::Seldom, Band::Between, Band::Mostly, Band::Nearly];
}

/// Why the children of a pair cannot be in their parent's item, whatever its size.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Whole {
    /// Bytes of one parent with all its children at the maximum.
    Bytes(Figure),
    /// Nothing bounds how many children there are.
    Unbounded,
    /// The child itself embeds others: a list in a list.
    Nested,
    /// Both are of one entity.
    OwnKind,
}

/// All that a decision depends on.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The share of the reads of either that read both; `None` where nothing reads
    /// either.
    pub share: Option<Figure>,
    /// Why there is no share, where there is none.
    pub unread: &'static str,
    pub whole: Whole,
    pub identifying: bool,
    /// Dollars a month together and apart; `None` where no table holds the two yet.
    pub monthly: Option<(Figure, Figure)>,
    /// One query instead of two certainly saves nothing, whatever the prices are.
    pub saves_nothing: bool,
    /// Children in their parent's item certainly cost no more than they save.
    pub embedding_pays: bool,
    /// One is the guard of a unique value of the other.
    pub guard: bool,
}

/// What the thresholds decide, and why. `None`: that is open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    pub decision: Option<Decision>,
    /// Why, or what is missing, as Markdown without a full stop.
    pub why: String,
}

/// Decides about a pair.
pub(super) fn decide(thresholds: &Thresholds, evidence: &Evidence) -> Verdict {
    let open = |why: String| Verdict { decision: None, why };
    if evidence.guard {
        let why = "one is the guard of a unique value of the other: it is found by the value, which is its key";
        return Verdict { decision: Some(Decision::SeparateTables), why: why.to_owned() };
    }
    let Some(share) = &evidence.share else {
        return open(format!("{}, so nothing says whether they are read together", evidence.unread));
    };
    let (low, high) = (thresholds.band(share.low()), thresholds.band(share.high().unwrap_or(1.0)));
    let possible = Band::ALL.iter().filter(|band| (low..=high).contains(*band));
    let verdicts: Vec<Verdict> = possible.map(|band| in_band(thresholds, evidence, *band)).collect();
    let first = verdicts.first().map(|verdict| verdict.decision);
    match verdicts.as_slice() {
        [only] => only.clone(),
        // Whatever the share turns out to be, it comes to the same.
        all if first.is_some_and(|first| first.is_some() && all.iter().all(|other| other.decision == first)) => {
            let how = show::figure(share, show::percent);
            let why = format!("the share of the reads is not known ({how}), and changes nothing: {}", all[0].why);
            Verdict { decision: all[0].decision, why }
        }
        _ => open(format!("the share of the reads needs {}", needs(share))),
    }
}

fn in_band(thresholds: &Thresholds, evidence: &Evidence, band: Band) -> Verdict {
    let verdict = |decision, why: String| Verdict { decision: Some(decision), why };
    match band {
        Band::Nearly => nearly(thresholds, evidence),
        Band::Mostly => verdict(
            Decision::ItemCollection,
            format!(
                "{} or more of the reads of either read both",
                show::percent(thresholds.collection.min(thresholds.one_item))
            ),
        ),
        Band::Seldom | Band::Between if evidence.identifying => {
            together(thresholds, evidence, "the child is nothing without its parent (the relationship is identifying)")
        }
        Band::Between => by_cost(thresholds, evidence),
        Band::Seldom => verdict(
            Decision::SeparateTables,
            format!(
                "less than {} of the reads of either read both, and the relationship is not identifying",
                show::percent(thresholds.apart.min(thresholds.collection).min(thresholds.one_item))
            ),
        ),
    }
}

/// Two that are nearly always read together: one item, if it can be one.
fn nearly(thresholds: &Thresholds, evidence: &Evidence) -> Verdict {
    let read = format!("more than {} of the reads of either read both", show::percent(thresholds.one_item));
    let verdict = |decision, why: String| Verdict { decision: Some(decision), why: format!("{read}, {why}") };
    match &evidence.whole {
        Whole::Nested => verdict(
            Decision::ItemCollection,
            String::from("but the child embeds others, and no list holds lists of items"),
        ),
        Whole::OwnKind => {
            verdict(Decision::ItemCollection, String::from("but an item holds no others of its own kind"))
        }
        Whole::Unbounded => {
            verdict(Decision::ItemCollection, String::from("but nothing declares how many children there are at most"))
        }
        Whole::Bytes(bytes) => match bytes.high() {
            Some(high) if high < thresholds.item => verdict(
                Decision::SingleItem,
                format!("and one item of both stays below {}", show::bytes(thresholds.item)),
            ),
            _ if bytes.low() >= thresholds.item => verdict(
                Decision::ItemCollection,
                format!("but one item of both can reach {} or more", show::bytes(thresholds.item)),
            ),
            _ => Verdict { decision: None, why: format!("the size of one item of both needs {}", needs(bytes)) },
        },
    }
}

/// Two that belong together, though not for being read together: one item where
/// that is small, bounded and no dearer, else one item collection.
fn together(thresholds: &Thresholds, evidence: &Evidence, why: &str) -> Verdict {
    let is_small = match &evidence.whole {
        Whole::Bytes(bytes) => bytes.high().is_some_and(|high| high < thresholds.item),
        Whole::Unbounded | Whole::Nested | Whole::OwnKind => false,
    };
    match is_small && evidence.embedding_pays {
        true => Verdict {
            decision: Some(Decision::SingleItem),
            why: format!("{why}, and one item of both stays below {} and costs no more", show::bytes(thresholds.item)),
        },
        false => Verdict { decision: Some(Decision::ItemCollection), why: why.to_owned() },
    }
}

/// Two of which neither the share nor the relationship decides: the cheaper way.
fn by_cost(thresholds: &Thresholds, evidence: &Evidence) -> Verdict {
    let tenth = show::percent(SAVING);
    let apart = || Verdict {
        decision: Some(Decision::SeparateTables),
        why: format!(
            "together they do not cost less by more than {tenth} a month, and the relationship is not identifying"
        ),
    };
    let Some((joint, other)) = &evidence.monthly else {
        let why = match evidence.whole {
            Whole::OwnKind => {
                "between the thresholds the monthly cost decides, and of items of one entity none is compared"
            }
            _ => "between the thresholds the monthly cost decides, and no table holds the two yet",
        };
        return Verdict { decision: None, why: why.to_owned() };
    };
    let bound = 1.0 - SAVING;
    match (joint.high(), other.high()) {
        _ if evidence.saves_nothing => apart(),
        // Both are known well enough.
        (Some(most), _) if most < other.low() * bound && !reaches(most, other.low() * bound) => {
            together(thresholds, evidence, &format!("together they cost less by more than {tenth} a month"))
        }
        (_, Some(high)) if reaches(joint.low(), high * bound) => apart(),
        _ => {
            let missing = joint.missing().iter().chain(other.missing()).collect::<std::collections::BTreeSet<_>>();
            Verdict { decision: None, why: format!("the monthly cost needs {}", prose(&list(missing))) }
        }
    }
}

/// What a figure lacks, as Markdown.
pub(super) fn needs(figure: &Figure) -> String {
    prose(&list(figure.missing()))
}

/// A decision in words. In a model of one table nothing has a table of its own.
pub(super) fn word(decision: Decision, style: Style) -> &'static str {
    match (decision, style) {
        (Decision::SingleItem, _) => "one item",
        (Decision::ItemCollection, _) => "item collection",
        (Decision::SeparateTables, Style::Aggregate) => "separate tables",
        (Decision::SeparateTables, Style::SingleTable) => "apart, each under partition keys of its own",
    }
}

/// What a decision asks of the tables, in such a model.
pub(super) fn meaning(decision: Decision, style: Style) -> &'static str {
    match (decision, style) {
        (Decision::SeparateTables, Style::SingleTable) => "no partition key with both",
        _ => crate::rules::kept::meaning(decision),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::figure::Input;

    const THRESHOLDS: Thresholds = Thresholds { one_item: 0.9, item: 102_400.0, collection: 0.5, apart: 0.3 };

    fn evidence(share: f64) -> Evidence {
        Evidence {
            share: Some(Figure::known(share)),
            unread: "no pattern reads either",
            whole: Whole::Bytes(Figure::known(1_000.0)),
            identifying: false,
            monthly: Some((Figure::known(100.0), Figure::known(100.0))),
            saves_nothing: false,
            embedding_pays: false,
            guard: false,
        }
    }

    fn decided(evidence: &Evidence) -> Option<Decision> {
        decide(&THRESHOLDS, evidence).decision
    }

    const ITEM: Option<Decision> = Some(Decision::SingleItem);
    const COLLECTION: Option<Decision> = Some(Decision::ItemCollection);
    const APART: Option<Decision> = Some(Decision::SeparateTables);

    #[test]
    fn each_threshold_decides_on_its_two_sides() {
        let shares = [1.0, 0.9001, 0.9, 0.89, 0.5, 0.4999, 0.3, 0.2999, 0.0];
        let alone = shares.map(|share| decided(&evidence(share)));
        assert_eq!(alone, [ITEM, ITEM, COLLECTION, COLLECTION, COLLECTION, APART, APART, APART, APART]);
        // An identifying relationship keeps the two together wherever that is open.
        let identifying = shares.map(|share| decided(&Evidence { identifying: true, ..evidence(share) }));
        let [one, ..] = identifying;
        assert_eq!(one, ITEM);
        assert!(identifying[2..].iter().all(|decision| *decision == COLLECTION), "{identifying:?}");
    }

    #[test]
    fn one_item_has_to_be_bounded_and_small() {
        let of = |whole: Whole| decided(&Evidence { whole, ..evidence(0.95) });
        assert_eq!(of(Whole::Bytes(Figure::known(102_399.0))), ITEM);
        assert_eq!(of(Whole::Bytes(Figure::known(102_400.0))), COLLECTION);
        assert_eq!(of(Whole::Unbounded), COLLECTION);
        assert_eq!(of(Whole::Nested), COLLECTION);
        // What is not known is not small.
        let unknown = Figure::unknown(Input::MaxSize(String::from("Order")));
        assert_eq!(of(Whole::Bytes(unknown.clone())), None);
        assert_eq!(of(Whole::Bytes(unknown.plus(&Figure::known(102_400.0)))), COLLECTION);
        let why = decide(&THRESHOLDS, &Evidence { whole: Whole::Bytes(unknown), ..evidence(0.95) }).why;
        assert!(why.contains("`Order`"), "{why}");
    }

    #[test]
    fn between_the_thresholds_a_tenth_of_the_cost_decides() {
        let of =
            |together: Figure, apart: Figure| decided(&Evidence { monthly: Some((together, apart)), ..evidence(0.4) });
        let known = Figure::known;
        assert_eq!(of(known(89.9), known(100.0)), COLLECTION);
        assert_eq!(of(known(90.0), known(100.0)), APART);
        assert_eq!(of(known(110.0), known(100.0)), APART);
        assert_eq!(of(known(0.0), known(0.0)), APART);
        let unknown = || Figure::unknown(Input::Region);
        assert_eq!(of(unknown(), unknown()), None);
        let nothing = Evidence { monthly: Some((unknown(), unknown())), saves_nothing: true, ..evidence(0.4) };
        assert_eq!(decided(&nothing), APART);
        assert_eq!(decided(&Evidence { monthly: None, ..evidence(0.4) }), None);
    }

    #[test]
    fn what_is_kept_together_all_the_same_is_one_item_where_that_pays() {
        let of =
            |embedding_pays, whole| decided(&Evidence { identifying: true, embedding_pays, whole, ..evidence(0.1) });
        let small = || Whole::Bytes(Figure::known(1_000.0));
        assert_eq!(of(true, small()), ITEM);
        assert_eq!(of(false, small()), COLLECTION);
        assert_eq!(of(true, Whole::Unbounded), COLLECTION);
        assert_eq!(of(true, Whole::Bytes(Figure::known(102_400.0))), COLLECTION);
        // From half on they are a collection, whatever it costs.
        assert_eq!(decided(&Evidence { embedding_pays: true, ..evidence(0.6) }), COLLECTION);
    }

    #[test]
    fn a_share_that_is_not_known_leaves_open_what_hangs_on_it() {
        let between = |low: f64, high: f64| Figure::between(low, high, Input::Rate(String::from("Page")));
        let of = |low, high, identifying| Evidence { share: Some(between(low, high)), identifying, ..evidence(0.0) };
        assert_eq!(decided(&of(0.0, 1.0, false)), None);
        assert_eq!(decided(&of(0.6, 0.8, false)), COLLECTION);
        assert_eq!(decided(&of(0.0, 0.45, true)), COLLECTION, "identifying: it comes to the same");
        assert_eq!(decided(&of(0.1, 0.4, false)), APART, "not cheaper: it comes to the same");
        assert_eq!(decided(&of(0.45, 0.8, false)), None);
        let none = Evidence { share: None, ..evidence(0.0) };
        assert_eq!(decided(&none), None);
        assert_eq!(decided(&Evidence { guard: true, ..none }), APART);
    }
}
