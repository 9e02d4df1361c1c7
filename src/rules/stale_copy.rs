//! An update of something that is copied, and nothing that updates the copies.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::capacity::figure::Figure;
use crate::capacity::operations::pattern_numbers;
use crate::capacity::show;
use crate::model::copies::{Copied, copies, updated, updaters};
use crate::model::defs::*;
use crate::model::names::entity_def;
use crate::model::uses::items_of;

pub static RULE: Rule = Rule {
    name: "stale-copy",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a pattern updates the source of a `@copied_from` attribute, and no pattern updates the copies",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    if cx.is_broken() {
        return;
    }
    for (_, step) in pattern.steps() {
        for (entity, attribute) in updated(&step.op) {
            let all = copies(cx.db, cx.root).get(&(entity.to_owned(), attribute.text.clone()));
            let kept = updaters(cx.db, cx.root);
            let stale: Vec<&Copied> = all
                .into_iter()
                .flatten()
                // What is frozen keeps the old value on purpose.
                .filter(|copy| {
                    !copy.frozen
                        && !is_in_key(cx, copy)
                        && !kept.contains_key(&(copy.entity.clone(), copy.attribute.clone()))
                })
                .collect();
            if !stale.is_empty() {
                report(cx, entity, attribute, &stale);
            }
        }
    }
}

/// Whether the copy makes the primary key of its items: no update can set it, and
/// who moves the item moves the copy.
fn is_in_key(cx: &Cx<'_>, copy: &Copied) -> bool {
    let mut items = items_of(cx.db, cx.root, &copy.entity);
    items.any(|(layout, item)| {
        item.entity == copy.entity && item.made_from(layout.primary_key()).contains(copy.attribute.as_str())
    })
}

fn report(cx: &mut Cx<'_>, entity: &str, attribute: &Name, stale: &[&Copied]) {
    let names: Vec<String> = stale.iter().map(|copy| format!("{}.{}", copy.entity, copy.attribute)).collect();
    let rate = pattern_numbers(cx.db, cx.root, cx.decl).as_ref().map_or(Figure::ZERO, |numbers| numbers.rate.clone());
    let often = match rate.value() {
        Some(rate) if rate > 0.0 => format!("{} times a day", show::number(rate * 86_400.0)),
        _ => "each time".to_owned(),
    };
    let one = stale.len() == 1;
    let message = format!(
        "`{entity}.{}` changes here, {often}, and {} {}: no pattern updates {}, and whoever reads {} sees the old value \
         for good; update {} in the pattern that changes the source or in one that follows its stream, or declare {} \
         `@immutable` where the old value is meant",
        attribute.text,
        listed(&names),
        if one { "does not follow" } else { "do not follow" },
        if one { "it" } else { "them" },
        if one { "it" } else { "them" },
        if one { "it" } else { "them" },
        if one { "it" } else { "them" },
    );
    let places: Vec<Place> = stale
        .iter()
        .filter_map(|copy| {
            let range = entity_def(cx.db, copy.decl)?.attribute(&copy.attribute)?.name.range;
            Some(Place { decl: copy.decl, range })
        })
        .collect();
    let finding = cx.report(attribute.range, message);
    for place in places {
        finding.relate(place, "the copy");
        finding.about(place);
    }
}
