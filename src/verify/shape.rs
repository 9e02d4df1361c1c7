//! What a read asks of its items, and whether it got it.

use super::express::Placeholders;
use super::images::Entry;
use super::population::spelled;
use super::tally::Tally;
use crate::capacity::units::Consistency;
use crate::capacity::values::Item;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::resolve::Step;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a read asks of its items.
pub(super) struct Shape {
    /// The attributes that come back; all where `None`.
    pub project: Option<Vec<String>>,
    pub consistency: Consistency,
    /// Whether it asks for attributes that its local index does not project.
    pub fetches: bool,
}

impl Shape {
    /// Of a read of a table or index.
    pub fn new(pattern: &PatternDef, step: &Step<'_>, source: Source<'_>) -> Self {
        let options = step.step.op.options();
        let named = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
        let mut project = options.filter(|o| o.project_range.is_some()).map(|o| named(&o.project));
        let mut fetches = false;
        if source.index.is_some_and(|index| index.kind == IndexKind::Local) {
            let claimed = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses);
            let missing = |entity: &str, name: &str| {
                let item = source.items().find(|item| item.entity == entity);
                item.and_then(|item| source.projected(item)).is_some_and(|projected| !projected.contains(name))
            };
            let wanted: Vec<(&str, &str)> = match &project {
                Some(names) => {
                    let pairs =
                        step.resolved.reached.iter().flat_map(|e| names.iter().map(move |n| (e.as_str(), n.as_str())));
                    pairs.collect()
                }
                None => claimed
                    .flat_map(|u| u.attributes.iter().map(|a| (u.entity.text.as_str(), a.text.as_str())))
                    .collect(),
            };
            fetches = wanted.iter().any(|(entity, name)| missing(entity, name));
            if fetches && project.is_none() {
                let keys = source.layout.primary_key().chain(source.key()).map(|key| key.name.clone());
                let names: BTreeSet<String> = wanted.iter().map(|(_, name)| (*name).to_owned()).chain(keys).collect();
                project = Some(names.into_iter().collect());
            }
        }
        let consistency = match options.is_some_and(|options| options.consistent.is_some()) {
            true => Consistency::Strong,
            false => Consistency::Eventual,
        };
        Self { project, consistency, fetches }
    }

    /// What comes back of an item.
    pub fn of(&self, image: &Item) -> Item {
        match &self.project {
            Some(names) => names.iter().filter_map(|name| Some((name.clone(), image.get(name)?.clone()))).collect(),
            None => image.clone(),
        }
    }

    /// Says it in a request.
    pub fn ask(&self, request: &mut Map<String, Json>, placeholders: &mut Placeholders) {
        if let Some(names) = &self.project {
            let list = placeholders.list(names.iter().map(String::as_str));
            request.insert("ProjectionExpression".to_owned(), json!(list));
        }
        if self.consistency == Consistency::Strong {
            request.insert("ConsistentRead".to_owned(), json!(true));
        }
    }
}

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
