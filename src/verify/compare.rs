//! Whether a read returned what it should have.

use super::tally::Tally;
use crate::capacity::values::Item;
use crate::population::images::Entry;
use crate::population::items::spelled;
use crate::requests::shape::Shape;
use std::collections::BTreeMap;

/// Holds what came back against what was expected, item by item and in order,
/// and counts it by entity.
pub(super) fn compare(
    expected: &[(&str, Item)],
    came: &[Item],
    there: &[&Entry<'_, '_>],
    shape: &Shape,
    tally: &mut Tally,
) {
    let names: Vec<&str> = came
        .iter()
        .enumerate()
        .map(|(index, item)| match expected.get(index) {
            Some((entity, image)) if image == item => *entity,
            _ => {
                let known = there.iter().find(|entry| shape.of(&entry.image) == *item);
                known.map_or("an unknown item", |entry| entry.stored.kind.entity.as_str())
            }
        })
        .collect();
    tally.returned(names.iter().copied());
    let counted = |names: &[&str]| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
        let words: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    };
    let wanted: Vec<&str> = expected.iter().map(|(entity, _)| *entity).collect();
    if counted(&wanted) != counted(&names) {
        tally.problem(format!("expected {}, returned {}", counted(&wanted), counted(&names)));
    } else if let Some(index) = expected.iter().zip(came).position(|((_, image), item)| image != item) {
        let key = spelled(&came[index].iter().take(3).map(|(n, v)| (n.clone(), v.clone())).collect());
        tally.problem(format!("item {} is another one, or in another order, than expected: {key}", index + 1));
    }
}
