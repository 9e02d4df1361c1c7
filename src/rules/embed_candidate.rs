//! Entities that are nearly always read together and would make one item.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::plural;
use super::kept_together::{Couple, couples, facts, name_pair, price_note};
use super::rule::{Group, Rule};
use super::threshold::Threshold;
use crate::capacity::embedding::{Bill, Embedding, were_embedded};
use crate::capacity::embedding_whole::{WholeBill, whole_bill};
use crate::capacity::figure::Figure;
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, item_bytes};
use crate::config::Bounds;
use crate::model::defs::*;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};
use crate::syntax::{Quantity, TextRange, Unit};

pub static RULE: Rule = Rule {
    name: "embed-candidate",
    group: Group::Design,
    level: Level::Info,
    summary: "two related entities are nearly always read together, and one small item could hold both for less",
    thresholds: &[SHARE, ITEM],
    check: Check::Declaration(check),
};

/// The share of the reads from which two are nearly always read together.
pub const SHARE: Threshold = Threshold {
    name: "read_share",
    default: Quantity { value: 0.9, unit: Unit::Percent },
    bounds: Bounds::NONE,
    summary: "the share of the reads of either that read both, above which the two belong in one item",
};

/// The size that one item of both must stay below.
pub const ITEM: Threshold = Threshold {
    name: "item",
    default: Quantity { value: 102_400.0, unit: Unit::Size },
    bounds: Bounds::NONE,
    summary: "the size that the parent with its children at their maximum must stay below",
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Relationship(def) = &lowered.def else { return };
    // How many children there are may be what cannot be read.
    let Some(range) = name_pair(def).filter(|_| !cx.is_broken()) else { return };
    for couple in couples(cx, def) {
        if let Some(candidate) = candidate(cx, &couple) {
            report(cx, range, &couple, &candidate);
        }
    }
}

/// Whether the two would make one item.
pub fn is_candidate(cx: &Cx<'_>, couple: &Couple<'_>) -> bool {
    let own = Cx { db: cx.db, root: cx.root, decl: cx.decl, rule: &RULE, findings: Vec::new() };
    candidate(&own, couple).is_some()
}

/// A pair that would make one item.
struct Candidate<'db> {
    most: f64,
    /// Bytes of both together at their maximum.
    bytes: f64,
    embedding: Embedding,
    /// What touches either, in all.
    whole: WholeBill,
    items: [(&'db TableLayout, &'db ItemLayout); 2],
    list: String,
}

fn candidate<'db>(cx: &Cx<'db>, couple: &Couple<'_>) -> Option<Candidate<'db>> {
    let most = couple.pair.most?;
    if couple.together.is_empty() || couple.is_embedded(cx) {
        return None;
    }
    let items = couple.items(cx)?;
    let [(table, parent), (_, child)] = items;
    let embed = EmbedLayout {
        entity: child.entity.clone(),
        entity_decl: child.entity_decl,
        list: Some(list_name(&child.entity)),
        by: None,
    };
    let mut whole = parent.clone();
    whole.embeds.push(embed.clone());
    let bytes = item_bytes(&facts(cx), &whole, Bound::Max, Presence::Share).high()?;
    // What the child itself embeds would have to go somewhere as well.
    if bytes >= cx.threshold(&ITEM) || !child.embeds.is_empty() {
        return None;
    }
    if !couple.is_read_together(cx, cx.threshold(&SHARE)) {
        return None;
    }
    let embedding = were_embedded(cx.db, cx.root, table, parent, &embed, child);
    if !embedding.pays() {
        return None;
    }
    // What reads or writes the parent alone carries the children as well.
    let whole = whole_bill(cx.db, cx.root, table, parent, &embed, child);
    let list = list_name(&child.entity);
    (!whole.saves_nothing()).then_some(Candidate { most, bytes, embedding, whole, items, list })
}

/// `OrderLine` as `orderlines`.
fn list_name(entity: &str) -> String {
    plural(entity).to_lowercase()
}

fn report(cx: &mut Cx<'_>, range: TextRange, couple: &Couple<'_>, candidate: &Candidate<'_>) {
    let (parent, child) = (couple.pair.parent, couple.pair.child);
    let message = format!(
        "{}, and one `{parent}` with all its `{child}`, {} at most, takes no more than {}: one item would answer with one \
         `get`; {}; let `item {parent} embeds {child} as {}`, or give an `aggregate` of them that says why not",
        couple.share_told(cx),
        show::count(candidate.most),
        show::bytes(candidate.bytes),
        bills(&candidate.embedding, &candidate.whole) + &price_note(cx, candidate.items[0].0.decl),
        candidate.list,
    );
    let places = candidate.items.map(|(layout, item)| {
        (Place { decl: layout.decl, range: item.range }, format!("`{}` is kept here", item.entity))
    });
    let readers = couple.readers(cx);
    let finding = cx.report(range, message);
    for (place, message) in places {
        finding.relate(place, message);
    }
    for place in readers {
        finding.relate(place, "reads both");
    }
}

/// What reads and writes take either way, in dollars where they have a price.
fn bills(embedding: &Embedding, whole: &WholeBill) -> String {
    let bill = |bill: &Bill| match (bill.embedded.value(), bill.apart.value()) {
        (Some(embedded), Some(apart)) => {
            let (embedded, apart) = (show::dollars(embedded), show::dollars(apart));
            match embedded == apart {
                true => format!("{embedded} a month either way"),
                false => format!("{embedded} instead of {apart} a month"),
            }
        }
        _ => {
            let units = |figure: &Figure| show::figure(figure, show::number);
            format!("{} instead of {} units a second", units(&bill.embedded_units), units(&bill.apart_units))
        }
    };
    let reads = format!("the reads of both would cost {}", bill(&embedding.reading));
    let parts = match embedding.updates.is_empty() {
        true => reads,
        false => format!("{reads}, the writes of the children {}", bill(&embedding.writes)),
    };
    // The two that are compared may be all that there is.
    let (embedded, apart) = whole.dollars();
    match (embedded.value(), apart.value()) {
        (Some(embedded), Some(apart)) => format!(
            "{parts}, and all that reads or writes either {} instead of {}",
            show::dollars(embedded),
            show::dollars(apart)
        ),
        _ => format!(
            "{parts}, and all that reads or writes either {} instead of {} read units and {} instead of {} write units \
             a second",
            show::figure(&whole.reads.embedded_units, show::number),
            show::figure(&whole.reads.apart_units, show::number),
            show::figure(&whole.writes.embedded_units, show::number),
            show::figure(&whole.writes.apart_units, show::number),
        ),
    }
}
