//! What a read reads where a limit or a page bounds the calls for the hottest value
//! otherwise than the others (numbers Q2 with Q4 and Q7).

use super::Cx;
use super::reads::{Calls, HOTTEST, items};
use super::text::{Unit, code, equation, number, operand};
use crate::capacity::classes::CallClass;
use crate::capacity::figure::Figure;
use crate::capacity::limit::{bytes_of, limited};
use crate::capacity::reads::{KindRead, ReadNumbers};
use crate::capacity::units::PAGE;
use crate::model::layout::{ItemLayout, Source};

/// The items of the calls that a limit or a page bounds differently, with which calls
/// they are.
pub(super) fn by_class(
    cx: Cx<'_>,
    source: Source<'_>,
    numbers: &ReadNumbers,
    kinds: &[(&KindRead, &ItemLayout)],
) -> Vec<(String, Vec<String>)> {
    let of = |class: &CallClass| {
        let mut lines = items(cx, source, numbers, kinds, Calls::Class(class));
        lines.extend(within(numbers, kinds, class));
        (format!("For {} ({} of the calls):", which(class), share_of(class)), lines)
    };
    numbers.classes.iter().map(of).collect()
}

/// `the hottest value of `{city}``, or `the other values`.
fn which(class: &CallClass) -> String {
    let mut holes: Vec<String> = class.hottest.iter().flatten().map(|hole| code(hole)).collect();
    holes.dedup();
    match holes.is_empty() {
        true => "the other values".to_owned(),
        false => format!("{HOTTEST} of {}", holes.join(" and ")),
    }
}

fn share_of(class: &CallClass) -> String {
    operand(&Figure::known(class.share), Unit::Percent)
}

/// What `returning max` and a page of 1 MB leave of the items of a class, where they do.
fn within(numbers: &ReadNumbers, kinds: &[(&KindRead, &ItemLayout)], class: &CallClass) -> Vec<String> {
    let left = numbers.limit.map_or_else(|| class.there.clone(), |limit| limited(&class.there, limit, numbers.mixed));
    let bytes = bytes_of(left.iter().zip(kinds.iter().map(|(kind, _)| &kind.each)), numbers.limit);
    let cut = kinds.iter().zip(left.iter().zip(&class.taken)).filter(|(_, (left, taken))| left != taken);
    cut.map(|((kind, _), (left, taken))| {
        let page = format!("{} × {} ÷ {}", operand(left, Unit::Number), number(PAGE), operand(&bytes, Unit::Number));
        match numbers.pages {
            Some(_) if taken.value().is_some() && bytes.value().is_some() => {
                format!("`{}`, on a page of at most 1 MB: {}", kind.entity, equation(&page, taken, Unit::Of("item")))
            }
            _ => format!("`{}`, within what is read at most: {}", kind.entity, operand(taken, Unit::Of("item"))),
        }
    })
    .collect()
}

/// The items of the calls of all classes together, each weighted by its share of the
/// calls.
pub(super) fn on_average(numbers: &ReadNumbers, kinds: &[(&KindRead, &ItemLayout)]) -> Vec<String> {
    if numbers.classes.is_empty() {
        return Vec::new();
    }
    let one = |(at, (kind, _)): (usize, &(&KindRead, &ItemLayout))| {
        let term = |class: &CallClass| format!("{} × {}", share_of(class), operand(&class.taken[at], Unit::Number));
        let terms: Vec<String> = numbers.classes.iter().map(term).collect();
        let mean = equation(&terms.join(" + "), &kind.taken, Unit::Of("item"));
        format!("`{}`, on average over the calls: {mean}", kind.entity)
    };
    kinds.iter().enumerate().map(one).collect()
}
