//! A decision about an aggregate that the tables do not carry out.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::kept::{Kept, meaning, word};
use super::rule::{Group, Rule};
use crate::capacity::shared_reads::shared_reads;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::names::relationships_of;
use crate::model::pairs::{pairs, unordered};
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "decision-contradicted",
    group: Group::Design,
    level: Level::Warning,
    summary: "the tables do not keep the entities of an aggregate as its decision says",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Aggregate(def) = &lowered.def else { return };
    let Some((decision, clause)) = def.decision.filter(|_| !cx.is_broken()) else { return };
    let pairs = related_pairs(cx, def);
    let kept: Vec<Kept<'_>> = pairs.iter().filter_map(|(a, b)| Kept::of(cx.db, cx.root, a, b)).collect();
    let wrong: Vec<&Kept<'_>> = kept.iter().filter(|kept| !kept.carries_out(decision)).collect();
    if wrong.is_empty() || (decision != Decision::SeparateTables && may_be_unread(cx, &wrong)) {
        return;
    }
    let told: Vec<String> = wrong.iter().map(|kept| kept.told()).collect();
    let message = format!(
        "the aggregate decides for `{}`, {}, but {}{}; whoever trusts the decision plans reads that the tables do not \
         answer so: {}, or declare what they do",
        word(decision),
        meaning(decision),
        told.join(", and "),
        share_told(cx, &wrong),
        remedy(decision),
    );
    let mut places: Vec<(Place, String)> = Vec::new();
    for place in wrong.iter().flat_map(|kept| kept.places()) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let other = [Decision::SingleItem, Decision::ItemCollection, Decision::SeparateTables]
        .into_iter()
        .find(|other| *other != decision && kept.iter().all(|kept| kept.carries_out(*other)));
    let range = word_range(&cx.chunk().text, clause).unwrap_or(clause);
    let place = cx.place(range);
    let finding = cx.report(range, message);
    for (place, message) in places.into_iter().take(6) {
        finding.relate(place, message);
    }
    if let Some(other) = other {
        let edit = Edit::Replace { place, text: word(other).to_owned() };
        finding.suggest(format!("Declare `decision {}`", word(other)), vec![edit]);
    }
}

/// How often the pair is read together, where it is one and that is known: it says
/// which of the two, decision or tables, is to be mended.
fn share_told(cx: &Cx<'_>, wrong: &[&Kept<'_>]) -> String {
    let [Kept { names: [a, b], .. }] = wrong else { return String::new() };
    let (Some(a), Some(b)) = (cx.names().entity(a), cx.names().entity(b)) else { return String::new() };
    let share = shared_reads(cx.db, cx.root, a, b).share().and_then(|share| share.value());
    share.map_or_else(String::new, |share| format!(", and {} of the reads of either read both", show::percent(share)))
}

/// The pairs of the aggregate's entities that a relationship joins. The edge of an
/// N:M is joined with each of its ends.
fn related_pairs(cx: &Cx<'_>, def: &AggregateDef) -> BTreeSet<(String, String)> {
    let own = |name: &str| def.entities.iter().any(|entity| entity.text == name);
    let mut joined = BTreeSet::new();
    let near = def.entities.iter().flat_map(|entity| relationships_of(cx.db, cx.root, &entity.text));
    for (_, relationship) in near {
        let direct = match (&relationship.left, &relationship.right, &relationship.through) {
            (Some(left), Some(right), None) => Some((left.text.as_str(), right.text.as_str())),
            _ => None,
        };
        let pairs = pairs(relationship).into_iter().map(|pair| (pair.parent, pair.child)).chain(direct);
        let own = pairs.filter(|(a, b)| a != b && own(a) && own(b));
        joined.extend(own.map(|(a, b)| unordered(a, b)));
    }
    joined
}

/// Whether a table that does not parse may hold what seems to be missing.
fn may_be_unread(cx: &Cx<'_>, wrong: &[&Kept<'_>]) -> bool {
    let names = || wrong.iter().flat_map(|kept| &kept.names);
    cx.names().tables.values().flatten().any(|table| {
        let chunk = table.chunk(cx.db);
        !chunk.is_whole() && names().any(|name| chunk.text.contains(name.as_str()))
    })
}

fn remedy(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "let the item of the one embed the other",
        Decision::ItemCollection => "give both the same partition key in one table",
        Decision::SeparateTables => "give each a table of its own",
    }
}

/// The word behind `decision`.
fn word_range(text: &str, clause: TextRange) -> Option<TextRange> {
    let written = text.get(clause.indices())?.trim_end();
    let start = written.rfind(|c: char| !(c.is_alphanumeric() || c == '_'))? + 1;
    Some(TextRange::new(clause.start as usize + start, clause.start as usize + written.len()))
}
