//! A copy that costs more to keep than it saves.

use super::check::{Check, Cx, StepCx};
use super::copying::{only_copies, updaters};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::cost::{step_costs, step_parts};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{StepNumbers, Work, pattern_numbers};
use crate::capacity::reads::{StepInput, get};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::names::{entity_def, pattern_def};
use crate::model::uses::items_of;

pub static RULE: Rule = Rule {
    name: "costly-copy",
    group: Group::Cost,
    level: Level::Info,
    summary: "keeping a copy costs more a month than the reads that it saves",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    if cx.is_broken() || cx.names().entity(&name) != Some(cx.decl) {
        return;
    }
    for attribute in &entity.attributes {
        let Some(from) = &attribute.copied_from else { continue };
        let (source, Some(source_attribute)) = (&from.entity.text, &from.attribute) else { continue };
        let keepers = updaters(cx.db, cx.root).get(&(name.clone(), attribute.name.text.clone()));
        let Some(keepers) = keepers else { continue };
        let costs: Figure = keepers.iter().map(|pattern| keeping(cx, *pattern, &name, &attribute.name.text)).sum();
        let (saves, readers) = saved(cx, &name, &attribute.name.text, source);
        // Unknown is neither dear nor cheap.
        let Some(saved) = saves.high().filter(|saved| costs.low() > *saved) else { continue };
        let readers = match readers.len() {
            0 => "no pattern reads it".to_owned(),
            many => format!(
                "{} that read it at {}/s save {} a month with it",
                show::count_of(many as f64, "pattern"),
                show::number(readers.iter().map(|(_, rate)| rate).sum()),
                show::dollars(saved)
            ),
        };
        let message = format!(
            "keeping `{}` in step with `{source}.{}` costs {} a month, and {readers}: a read of `{source}` beside would \
             be cheaper; drop the copy, or copy it only where it is read often",
            attribute.name.text,
            source_attribute.text,
            show::dollars(costs.low()),
        );
        let mut places: Vec<(Place, &str)> = Vec::new();
        if let Some(decl) = cx.names().entity(source)
            && let Some(def) = entity_def(cx.db, decl).and_then(|def| def.attribute(&source_attribute.text))
        {
            places.push((Place { decl, range: def.name.range }, "what it is a copy of"));
        }
        places.extend(keepers.iter().filter_map(|decl| Some((cx.name_place(*decl)?, "keeps the copies"))));
        let finding = cx.report(from.range, message);
        for (place, what) in places {
            finding.relate(place, what);
        }
    }
}

/// Dollars a month for the steps of a pattern that are there for the copies alone
/// (numbers C2).
fn keeping(cx: &Cx<'_>, pattern: Decl, entity: &str, attribute: &str) -> Figure {
    let Some(numbers) = pattern_numbers(cx.db, cx.root, pattern) else { return Figure::ZERO };
    let costs = step_costs(cx.db, cx.root, pattern);
    let own = only_copies(cx, pattern, entity, attribute);
    let is_own = |step: &StepNumbers| {
        own.iter().any(|own| (own.resolved.operation, own.resolved.step) == (step.operation, step.step))
    };
    numbers.steps.iter().zip(costs).filter(|(step, _)| is_own(step)).map(|(_, cost)| cost).sum()
}

/// Dollars a month that the reads of the copy save, each one read of the source's
/// item (numbers C2), and the patterns that read it with their rates.
fn saved(cx: &Cx<'_>, entity: &str, attribute: &str, source: &str) -> (Figure, Vec<(Decl, f64)>) {
    let mut sum = Figure::ZERO;
    let mut readers = Vec::new();
    let Some((layout, item)) = items_of(cx.db, cx.root, source).next() else { return (sum, readers) };
    for decl in cx.names().all_patterns() {
        let (Some(pattern), Some(numbers)) = (pattern_def(cx.db, decl), pattern_numbers(cx.db, cx.root, decl)) else {
            continue;
        };
        if !uses_copy(cx, decl, pattern, entity, attribute) {
            continue;
        }
        let facts = Declared { db: cx.db, root: cx.root };
        let input = StepInput {
            db: cx.db,
            facts: &facts,
            pattern,
            pattern_name: &numbers.name,
            group: None,
            source: layout.table(),
        };
        let read = StepNumbers {
            operation: 0,
            step: 0,
            table: Some(layout.decl),
            table_name: layout.name.text.clone(),
            index: None,
            times: 1.0,
            work: Work::Read(Box::new(get(&input, item, &ReadOptions::default()))),
        };
        let parts = step_parts(cx.db, cx.root, &numbers.rate, &read);
        sum = sum.plus(&parts.into_iter().map(|part| part.monthly).sum());
        readers.push((decl, numbers.rate.low()));
    }
    (sum, readers)
}

/// Whether a pattern reads the copy: its `reads` lists it, or lists no attributes
/// and reaches it (numbers C2).
fn uses_copy(cx: &Cx<'_>, decl: Decl, pattern: &PatternDef, entity: &str, attribute: &str) -> bool {
    let mut uses = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses).peekable();
    if uses.peek().is_some() {
        let mut own = uses.filter(|used| used.entity.text == entity).peekable();
        return own.peek().is_some()
            && own.any(|used| used.attributes.is_empty() || used.attributes.iter().any(|name| name.text == attribute))
            && cx.steps_of(decl).iter().any(|step| reaches(step, entity, attribute));
    }
    cx.steps_of(decl).iter().any(|step| reaches(step, entity, attribute))
}

fn reaches(step: &StepCx<'_>, entity: &str, attribute: &str) -> bool {
    let Some(source) = step.source.filter(|_| step.step.op.reads()) else { return false };
    let items = source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity));
    let holds = items.clone().any(|item| item.holds(entity));
    let list = items.flat_map(|item| &item.embeds).find(|embed| embed.entity == entity);
    let stored = list.and_then(|embed| embed.list.as_deref()).unwrap_or(attribute);
    let projected = source.index.is_none_or(|index| match index.projection {
        ProjectionKind::All => true,
        ProjectionKind::KeysOnly => source.key().any(|key| key.name == stored),
        ProjectionKind::Include => {
            index.included.iter().any(|name| name == stored) || source.key().any(|key| key.name == stored)
        }
    });
    let asked = step
        .step
        .op
        .options()
        .is_none_or(|options| options.project.is_empty() || options.project.iter().any(|name| name.text == stored));
    holds && projected && asked
}
