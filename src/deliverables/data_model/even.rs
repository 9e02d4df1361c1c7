//! Which values of a key are taken to be met alike, since no `@hottest` says which is the
//! most popular.

use crate::capacity::even::{attribute_of, even_holes};
use crate::capacity::load::Family;
use crate::deliverables::markdown::{codes, inline};
use crate::deliverables::outline::Outline;

/// The holes of one form of a key whose values are taken to be met alike, since nothing
/// says which is the most popular.
pub(super) fn even_of(outline: &Outline<'_>, family: &Family) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for hole in family.contributions.iter().flat_map(|load| even_holes(outline.db, outline.root, load)) {
        let shown = shown(&hole.hole);
        if !all.iter().any(|other| other == shown) {
            all.push(shown.to_owned());
        }
    }
    all
}

/// Those of one form of an index's key, with the entities whose attributes they are: an index does not say by its name
/// what it holds.
pub(super) fn even_by_entity(outline: &Outline<'_>, family: &Family) -> String {
    let mut all: Vec<(&str, Vec<String>)> = Vec::new();
    for load in &family.contributions {
        for hole in even_holes(outline.db, outline.root, load).into_iter().map(|hole| shown(&hole.hole)) {
            match all.iter_mut().find(|(entity, _)| *entity == load.entity) {
                Some((_, holes)) if holes.iter().any(|own| own == hole) => {}
                Some((_, holes)) => holes.push(hole.to_owned()),
                None => all.push((&load.entity, vec![hole.to_owned()])),
            }
        }
    }
    let of = |(entity, holes): &(&str, Vec<String>)| {
        format!("{} of {}", codes(holes.iter().map(String::as_str)), inline(entity))
    };
    all.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// A hole as it is told of: a part of a time as it is written, else its attribute.
fn shown(hole: &str) -> &str {
    if hole.contains(':') { hole } else { attribute_of(hole) }
}
