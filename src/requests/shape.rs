//! What a read asks of its items, and whether it got it.

use super::express::Placeholders;
use super::origin::Body;
use crate::capacity::units::Consistency;
use crate::capacity::values::Item;
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::model::resolve::Step;
use std::collections::BTreeSet;

/// What a read asks of its items.
pub struct Shape {
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
    pub fn ask(&self, request: &mut Body, placeholders: &mut Placeholders) {
        if let Some(names) = &self.project {
            let list = placeholders.list(names.iter().map(String::as_str));
            request.insert("ProjectionExpression", list);
        }
        if self.consistency == Consistency::Strong {
            request.insert("ConsistentRead", true);
        }
    }
}
