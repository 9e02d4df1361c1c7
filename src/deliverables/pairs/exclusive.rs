//! Pairs that exclude each other: an item lies in one place, so that a child of several
//! parents is kept with one of them, and is found from the others by an index. What is
//! settled for one of such pairs settles the others.

use super::{Analysis, Settled};
use crate::deliverables::decisions::{Verdict, word};
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::outline::Outline;
use crate::model::defs::{Decision, Style};
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::{find_entity, style};
use std::cmp::Ordering;

/// What speaks for keeping a child with the parent of a pair, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Support {
    /// The child is found by a unique value that it guards: it lies with nobody else.
    Guard,
    /// The model decides it.
    Declared,
    /// The tables keep the two together.
    Kept,
    /// The partition key of the child holds the id of this parent.
    Keyed,
    /// The thresholds say so, and nothing else.
    Read,
}

/// Settles the pairs that others exclude: first those whose items cannot make the key
/// under which one of the two lies already, then those whose child is kept with another
/// parent.
pub(super) fn settle(outline: &Outline<'_>, analyses: &mut [Analysis<'_>]) {
    let style = style(outline.db, outline.root);
    for by in [settled_by_key, settled_by_child] {
        let settled: Vec<Option<(Settled, Verdict)>> =
            (0..analyses.len()).map(|own| by(outline, style, analyses, own)).collect();
        for (analysis, settled) in analyses.iter_mut().zip(settled) {
            if let Some((by, verdict)) = settled {
                analysis.settled = Some(by);
                analysis.verdict = verdict;
            }
        }
    }
}

/// Whether a pair is to be kept together, or open, without a word of the model or of the
/// tables.
fn is_free(analysis: &Analysis<'_>) -> bool {
    analysis.pair.declared().is_none()
        && !analysis.evidence.guard
        && !analysis.pair.is_of_one()
        && analysis.verdict.decision != Some(Decision::SeparateTables)
        && !is_kept_together(analysis)
}

/// The pair that has one of these two under a partition key that the other, or what lies
/// there as well, cannot make: an attribute of it is missing.
fn settled_by_key(
    outline: &Outline<'_>,
    style: Style,
    analyses: &[Analysis<'_>],
    own: usize,
) -> Option<(Settled, Verdict)> {
    let loser = &analyses[own];
    if !is_free(loser) {
        return None;
    }
    let stands = |other: &&Analysis<'_>| {
        let is_collection =
            other.kept.as_ref().is_some_and(|kept| kept.embedded.is_none() && kept.collection.is_some());
        is_collection
            && match support(outline, other) {
                Some(Support::Declared) => true,
                Some(Support::Kept) => more_read(other, loser) != Ordering::Greater,
                _ => false,
            }
    };
    let found = analyses.iter().filter(stands).find_map(|other| Some((other, unmade(outline, loser, other)?)));
    let (winner, unmade) = found?;
    let how = match winner.pair.declared() {
        Some(_) => "as the model decides",
        None => "as the tables keep it",
    };
    let (above, below) = (inline(winner.pair.parent), inline(winner.pair.child));
    let settled = format!("{below} lies with its {above}, {how}, {unmade}");
    Some((Settled { by: winner.pair.name() }, apart(style, loser, &settled, found_by(outline, loser))))
}

/// Why two cannot lie under one partition key beside another pair that does; `None` where
/// they can.
fn unmade(outline: &Outline<'_>, loser: &Analysis<'_>, other: &Analysis<'_>) -> Option<String> {
    let lacks = |entity: &str, name: &str| {
        find_entity(outline.db, outline.root, entity).is_some_and(|entity| entity.attribute(name).is_none())
    };
    if other.pair.child == loser.pair.parent {
        let tables = other.kept.iter().flat_map(|kept| &kept.tables[1]);
        let mut items = tables.flat_map(|layout| layout.items.iter().map(move |item| (layout, item)));
        let (layout, item) = items.find(|(_, item)| item.entity == loser.pair.parent)?;
        let held = item.made_from(layout.partition.iter());
        let missing = held.into_iter().find(|name| lacks(loser.pair.child, name))?;
        return Some(format!("under a key of {}, which {} does not hold", code(missing), inline(loser.pair.child)));
    }
    if other.pair.parent == loser.pair.child {
        let by = held_by(outline, loser).filter(|by| lacks(other.pair.child, by))?;
        let above = inline(loser.pair.parent);
        return Some(format!("and does not hold {}, by which all would lie with their {above}", code(by)));
    }
    None
}

/// By which other pair one is settled; `None` where nothing excludes it, where the model
/// or the tables have it so, or where nothing speaks for the other more than for this.
fn settled_by_child(
    outline: &Outline<'_>,
    style: Style,
    analyses: &[Analysis<'_>],
    own: usize,
) -> Option<(Settled, Verdict)> {
    let loser = &analyses[own];
    if !is_free(loser) {
        return None;
    }
    let others = analyses.iter().enumerate().filter(|(at, other)| *at != own && excludes(analyses, loser, other));
    let (winner, support) = others
        .filter_map(|(_, other)| Some((other, support(outline, other)?)))
        .min_by(|(one, a), (two, b)| a.cmp(b).then_with(|| more_read(one, two)))?;
    let own_support = support_of_key(outline, loser);
    let is_better = support < own_support || (support == own_support && more_read(winner, loser) == Ordering::Less);
    is_better.then(|| (Settled { by: winner.pair.name() }, why(outline, style, winner, support, loser)))
}

/// Whether the child of one pair can be kept as the other says only where it is not kept
/// as this one says. Who has the parent of one below the parent of the other has both.
fn excludes(analyses: &[Analysis<'_>], own: &Analysis<'_>, other: &Analysis<'_>) -> bool {
    let is_nested = || {
        is_above(analyses, own.pair.parent, other.pair.parent) || is_above(analyses, other.pair.parent, own.pair.parent)
    };
    other.pair.child == own.pair.child && !other.pair.is_of_one() && (other.evidence.guard || !is_nested())
}

/// Whether an entity is kept below another, or below what is kept below that, or is to
/// be before there are tables.
fn is_above(analyses: &[Analysis<'_>], above: &str, below: &str) -> bool {
    let mut seen = vec![above];
    let mut at = 0;
    while at < seen.len() {
        let of = seen[at];
        at += 1;
        for analysis in analyses.iter().filter(|analysis| analysis.pair.parent == of && is_below(analysis)) {
            if analysis.pair.child == below {
                return true;
            }
            if !seen.contains(&analysis.pair.child) {
                seen.push(analysis.pair.child);
            }
        }
    }
    false
}

fn is_below(analysis: &Analysis<'_>) -> bool {
    is_together(analysis) && (analysis.kept.is_none() || is_kept_together(analysis))
}

fn is_together(analysis: &Analysis<'_>) -> bool {
    matches!(analysis.decision(), Some(Decision::SingleItem | Decision::ItemCollection))
}

fn is_kept_together(analysis: &Analysis<'_>) -> bool {
    analysis.kept.as_ref().is_some_and(|kept| kept.embedded.is_some() || kept.collection.is_some())
}

/// What speaks for a pair that is kept together, or that is to be; `None` for one that is
/// apart.
fn support(outline: &Outline<'_>, analysis: &Analysis<'_>) -> Option<Support> {
    match () {
        () if analysis.evidence.guard => Some(Support::Guard),
        () if !is_together(analysis) => None,
        () if analysis.pair.declared().is_some() => Some(Support::Declared),
        () if is_kept_together(analysis) => Some(Support::Kept),
        () => Some(support_of_key(outline, analysis)),
    }
}

/// What the key of the child says.
fn support_of_key(outline: &Outline<'_>, analysis: &Analysis<'_>) -> Support {
    let pair = &analysis.pair;
    let tables = analysis.kept.iter().flat_map(|kept| &kept.tables[1]);
    let mut items = tables.flat_map(|layout| layout.items.iter().map(move |item| (layout, item)));
    let is_keyed = items.any(|(layout, item)| {
        item.entity == pair.child
            && held_by(outline, analysis).is_some_and(|by| finds(outline, layout.table(), item, by))
    });
    if is_keyed { Support::Keyed } else { Support::Read }
}

/// Whether an attribute that holds the id of a parent is what the partition key of an
/// item is about: it holds no other id.
fn finds(outline: &Outline<'_>, source: Source<'_>, item: &ItemLayout, by: &str) -> bool {
    let held = item.made_from(source.partition().iter());
    let entity = find_entity(outline.db, outline.root, &item.entity);
    let is_id = |name: &&str| {
        let attribute = entity.and_then(|entity| entity.attribute(name));
        attribute.is_some_and(|attribute| attribute.id || attribute.of.is_some())
    };
    held.contains(by) && !held.iter().filter(|name| **name != by).any(is_id)
}

/// The attribute of the child that holds the id of the parent.
fn held_by<'db>(outline: &Outline<'db>, analysis: &Analysis<'db>) -> Option<&'db str> {
    let pair = &analysis.pair;
    pair.by.or_else(|| super::related::only_holder(outline, pair.parent, pair.child))
}

/// Which of two pairs is read together more often, where both shares are known.
fn more_read(one: &Analysis<'_>, two: &Analysis<'_>) -> Ordering {
    let share = |analysis: &Analysis<'_>| analysis.evidence.share.as_ref().and_then(|share| share.value());
    share(one).zip(share(two)).map_or(Ordering::Equal, |(one, two)| two.total_cmp(&one))
}

fn why(outline: &Outline<'_>, style: Style, winner: &Analysis<'_>, support: Support, loser: &Analysis<'_>) -> Verdict {
    let (child, parent) = (inline(loser.pair.child), inline(winner.pair.parent));
    let with = match winner.pair.by.filter(|_| winner.pair.among) {
        Some(by) => format!("the {parent} of its {}", code(by)),
        None => format!("its {parent}"),
    };
    let settled = match support {
        Support::Guard => {
            format!("{child} guards a unique value of {with}: it is found by the value, which is its key")
        }
        Support::Declared => format!("{child} lies with {with}, as the model decides"),
        Support::Kept => format!("{child} lies with {with}, as the tables keep it"),
        Support::Keyed => format!("{child} lies with {with}, whose id is in its partition key"),
        Support::Read => format!(
            "{child} lies with {with}, with which it is read more often ({} of the reads of either against {})",
            winner.share().unwrap_or_default(),
            loser.share().unwrap_or_default()
        ),
    };
    let found = found_by(outline, loser).filter(|_| support != Support::Guard);
    apart(style, loser, &settled, found)
}

/// The verdict about a pair that is settled so.
fn apart(style: Style, loser: &Analysis<'_>, settled: &str, found: Option<String>) -> Verdict {
    let alone = match loser.verdict.decision {
        Some(decision) => {
            format!("alone, the thresholds would say {}: {}", word(decision, style), loser.verdict.why)
        }
        None => format!("alone, it would be open: {}", loser.verdict.why),
    };
    let found = found.map(|found| format!("; {found}")).unwrap_or_default();
    let why = format!("{settled}, and an item lies in one place only{found}; {alone}");
    Verdict { decision: Some(Decision::SeparateTables), why }
}

/// By what the child is found from the parent that it does not lie with: by a key of its
/// own in that table, or by an index.
fn found_by(outline: &Outline<'_>, loser: &Analysis<'_>) -> Option<String> {
    let by = held_by(outline, loser)?;
    let parent = inline(loser.pair.parent);
    let mut sources = loser.kept.iter().flat_map(|kept| &kept.tables[1]).flat_map(|layout| layout.sources());
    let found = sources.find(|source| {
        let mut items = source.items().filter(|item| item.entity == loser.pair.child);
        items.any(|item| finds(outline, *source, item, by))
    });
    Some(match found {
        Some(source) if source.index.is_none() => {
            format!("from the {parent} it is found by its key in {}", code(&source.label()))
        }
        Some(source) => format!("from the {parent} it is found by {}", code(&source.label())),
        None => format!("from the {parent} an index by {} would find it", code(by)),
    })
}
