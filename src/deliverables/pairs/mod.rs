//! The pairs of related entities of a model, and what is known of each: how often
//! the two are read together, how large they are, how the tables keep them, and
//! what the thresholds decide.

mod exclusive;
mod placed;
mod related;

use super::decisions::{Evidence, Thresholds, Verdict, decide};
use super::hundred::hundred;
use super::outline::Outline;
use crate::capacity::embedding::Embedding;
use crate::capacity::embedding_whole::WholeBill;
use crate::capacity::figure::Figure;
use crate::capacity::gathered::Gathered;
use crate::capacity::related_reads::{RelatedReads, own_reads, reads_by, reads_of_both};
use crate::capacity::shared_reads::{SharedReads, readers_of};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::names::{find_entity, names};
use crate::model::unique::is_guard_of_other;
use crate::rules::kept::Kept;
use placed::{Placed, whole};
use related::related;

pub(super) use related::{Related, ends_of_edge};

/// What the two cost together and apart.
pub(super) enum Costs {
    /// The children are in their parent's item, or would be (C3).
    Embedded(Box<Embedding>),
    /// They are items of their own.
    Gathered(Box<Gathered>),
}

impl Costs {
    /// Dollars a month together, and apart.
    pub fn monthly(&self) -> (Figure, Figure) {
        match self {
            Costs::Embedded(embedding) => (
                embedding.writes.embedded.plus(&embedding.reading.embedded),
                embedding.writes.apart.plus(&embedding.reading.apart),
            ),
            Costs::Gathered(gathered) => gathered.dollars(),
        }
    }

    fn saves_nothing(&self) -> bool {
        match self {
            Costs::Embedded(_) => false,
            Costs::Gathered(gathered) => gathered.saves_nothing(),
        }
    }
}

/// All that is known of a related pair.
pub(super) struct Analysis<'db> {
    pub pair: Related<'db>,
    /// The declarations of both; `None` where one is not declared.
    pub ends: Option<(Decl, Decl)>,
    /// How often the two are read, alone and together.
    pub reads: Option<SharedReads>,
    /// The patterns that read both.
    pub together: Vec<Decl>,
    /// Those of them of which nothing says by which relationship they do.
    pub untold: Vec<Decl>,
    /// How the tables keep them; `None` where one is in no table.
    pub kept: Option<Kept<'db>>,
    /// What they take together and apart; `None` where no table holds both kinds.
    pub costs: Option<Costs>,
    /// By what children are written that their parent's item embeds, with it.
    pub written: Option<String>,
    /// The children were they in their parent's item; `None` where they are, or
    /// where they have no item of their own.
    pub were_embedded: Option<Embedding>,
    /// All that touches either then.
    pub in_one_item: Option<WholeBill>,
    pub evidence: Evidence,
    pub verdict: Verdict,
    /// The other pair that decides this one as well; its verdict is that then.
    pub settled: Option<Settled>,
}

/// A pair that is settled by another, which it excludes.
pub(super) struct Settled {
    /// The name of the other.
    pub by: String,
}

impl Analysis<'_> {
    /// The decision that stands: the declared one, else that of the thresholds.
    pub fn decision(&self) -> Option<Decision> {
        self.pair.declared().map(|(decision, _)| decision).or(self.verdict.decision)
    }

    /// The share of the reads of either that read both, with the digits that it has
    /// beside those of the others; `None` where nothing reads either.
    pub fn share(&self) -> Option<String> {
        let share = self.evidence.share.as_ref()?;
        let parts = self.reads.as_ref().and_then(SharedReads::parts).and_then(hundred);
        Some(parts.map_or_else(|| show::figure(share, show::percent), |[.., both]| both))
    }

    /// Whether the tables keep the two as a decision says; `None` where one is in no
    /// table. In a model of one table, and of items of one entity, apart means that
    /// they share no partition key.
    pub fn is_carried_out(&self, decision: Decision, style: Style) -> Option<bool> {
        let kept = self.kept.as_ref()?;
        Some(match (decision, self.style(style)) {
            (Decision::SeparateTables, Style::SingleTable) => kept.embedded.is_none() && kept.collection.is_none(),
            _ => kept.carries_out(decision),
        })
    }

    /// Whether the model decides otherwise than the thresholds.
    pub fn is_against_thresholds(&self) -> bool {
        let declared = self.pair.declared().map(|(decision, _)| decision);
        declared.zip(self.verdict.decision).is_some_and(|(declared, computed)| declared != computed)
    }

    /// In what style the two are kept: one entity has one table, and a child that lies
    /// with another parent may share a table with this one.
    pub fn style(&self, style: Style) -> Style {
        if self.pair.is_of_one() || self.settled.is_some() { Style::SingleTable } else { style }
    }
}

/// The related pairs of a model with what is known of each.
pub(super) fn analyses<'db>(outline: &Outline<'db>) -> Vec<Analysis<'db>> {
    let thresholds = Thresholds::of(outline.db, outline.root);
    let mut all: Vec<Analysis<'db>> =
        related(outline).into_iter().map(|pair| analysis(outline, &thresholds, pair)).collect();
    exclusive::settle(outline, &mut all);
    all
}

fn analysis<'db>(outline: &Outline<'db>, thresholds: &Thresholds, pair: Related<'db>) -> Analysis<'db> {
    let (db, root) = (outline.db, outline.root);
    let all = names(db, root);
    let ends = all.entity(pair.parent).zip(all.entity(pair.child));
    let own = ends.map(|(parent, child)| match pair.by.filter(|_| pair.among) {
        _ if pair.is_of_one() => own_reads(db, root, parent, pair.by),
        Some(by) => reads_by(db, root, (parent, child), by, &pair.holders),
        None => reads_of_both(db, root, parent, child),
    });
    let reads = own.as_ref().map(|own| own.reads.clone());
    let RelatedReads { together, untold, .. } = own.unwrap_or_default();
    let kept = Kept::by(db, root, pair.parent, pair.child, pair.by.filter(|_| pair.among || pair.is_of_one()));
    let placed = kept.as_ref().map(|kept| Placed::of(kept, &pair));
    let costs = placed.as_ref().and_then(|placed| placed.costs(outline, &pair, ends?, &together));
    let written = placed.as_ref().and_then(|placed| placed.written(outline));
    let hypothetical = placed.as_ref().and_then(|placed| placed.hypothetical(outline, &pair));
    let evidence = Evidence {
        share: reads.as_ref().and_then(SharedReads::share),
        unread: unread(outline, &pair, ends),
        whole: whole(outline, &pair, ends, placed.as_ref()),
        identifying: pair.is_identifying(),
        monthly: costs.as_ref().map(Costs::monthly),
        saves_nothing: costs.as_ref().is_some_and(Costs::saves_nothing),
        embedding_pays: match (&costs, &hypothetical) {
            (Some(Costs::Embedded(embedding)), _) => embedding.pays(),
            (_, Some((embedding, whole))) => embedding.pays() && !whole.saves_nothing(),
            _ => false,
        },
        guard: is_guard_of_other(db, root, pair.parent, pair.child),
    };
    let verdict = match ends {
        Some(_) => decide(thresholds, &evidence),
        None => Verdict { decision: None, why: undeclared(outline, &pair) },
    };
    let (were_embedded, in_one_item) = hypothetical.unzip();
    Analysis {
        pair,
        ends,
        reads,
        together,
        untold,
        kept,
        costs,
        written,
        were_embedded,
        in_one_item,
        evidence,
        verdict,
        settled: None,
    }
}

fn undeclared(outline: &Outline<'_>, pair: &Related<'_>) -> String {
    let missing =
        [pair.parent, pair.child].into_iter().filter(|name| find_entity(outline.db, outline.root, name).is_none());
    let missing: Vec<String> = missing.map(super::markdown::code).collect();
    format!("the model does not declare {}", missing.join(" and "))
}

/// Why no read of either counts: nothing reads them, nobody calls what does, or it is
/// answered elsewhere.
fn unread(outline: &Outline<'_>, pair: &Related<'_>, ends: Option<(Decl, Decl)>) -> &'static str {
    let (db, root) = (outline.db, outline.root);
    let mut ends = ends.into_iter().flat_map(|(parent, child)| [parent, child]);
    let asks = |def: &PatternDef| {
        let mut asked = def.requirements.iter().filter(|requirement| !requirement.writes).flat_map(|r| &r.uses);
        def.external.is_some() && asked.any(|used| [pair.parent, pair.child].contains(&used.entity.text.as_str()))
    };
    if ends.any(|end| !readers_of(db, root, end).is_empty()) {
        "the patterns that read either are called 0 times a second"
    } else if outline.patterns.iter().any(|pattern| asks(pattern.def)) {
        "only patterns that are answered outside DynamoDB read either"
    } else {
        "no pattern reads either"
    }
}
