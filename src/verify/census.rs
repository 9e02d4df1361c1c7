//! What a population is made of, for the report.

use super::report::{EntityReport, MembersReport, OptionalReport};
use crate::population::arrange::{Instance, Presence, Who, of_keys};
use crate::population::images::entries;
use crate::population::items::Population;
use std::collections::BTreeSet;

/// How many items of which entity each table and index holds.
pub(super) fn members(population: &Population<'_>) -> Vec<MembersReport> {
    let mut members: Vec<MembersReport> = Vec::new();
    for source in population.arrangement.plan.tables.iter().flat_map(|layout| layout.sources()) {
        for entry in entries(source, population.items(&source.layout.name.text)) {
            let entity = &entry.stored.kind.entity;
            let label = source.label();
            match members.iter_mut().find(|known| known.source == label && known.entity == *entity) {
                Some(known) => {
                    known.items += 1;
                    known.bytes += entry.bytes;
                    known.largest = known.largest.max(entry.bytes);
                }
                None => members.push(MembersReport {
                    source: label,
                    entity: entity.clone(),
                    items: 1,
                    bytes: entry.bytes,
                    largest: entry.bytes,
                }),
            }
        }
    }
    members
}

/// What became of the counts and shares of the model.
pub(super) fn entities(population: &Population<'_>) -> Vec<EntityReport> {
    let mut reports = Vec::new();
    for (name, plan) in &population.arrangement.plan.entities {
        let all: Vec<Instance> = (0..plan.count)
            .filter_map(|i| population.arrangement.instance(name, Who::of_population(i), Presence::AsPlaced))
            .collect();
        let optional = plan.def.attributes.iter().filter(|attribute| attribute.optional).map(|attribute| {
            let with = all.iter().filter(|one| one.values.contains_key(&attribute.name.text)).count();
            OptionalReport { attribute: attribute.name.text.clone(), present: with as f64 / all.len().max(1) as f64 }
        });
        let distinct = of_keys(&population.arrangement.plan, name).into_iter().map(|attribute| {
            let values = all.iter().filter_map(|one| one.values.get(attribute));
            let values: BTreeSet<String> = values.map(|value| format!("{value:?}")).collect();
            (attribute.to_owned(), values.len())
        });
        let parents = plan.parents.iter().filter(|parent| parent.entity != *name).map(|parent| {
            let parents = population.arrangement.entity(parent.entity).map_or(1, |parent| parent.count.max(1));
            (parent.entity.to_owned(), plan.count as f64 / parents as f64, parent.declared)
        });
        reports.push(EntityReport {
            name: (*name).to_owned(),
            declared: plan.declared,
            items: plan.count,
            optional: optional.collect(),
            distinct: distinct.collect(),
            per_parent: parents.collect(),
        });
    }
    reports
}
