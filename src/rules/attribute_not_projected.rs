//! A read of a global index for an attribute that it does not project.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "attribute-not-projected",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a pattern reads from a global index an attribute that the index does not project",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// An attribute that an index lacks, and the places that ask for it: the first
/// in a `project` or `filter` of the step, where one stands there.
struct Missing<'p> {
    attribute: &'p str,
    in_step: Option<TextRange>,
    elsewhere: Vec<TextRange>,
}

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let steps = cx.steps();
    let mut claimed: Vec<TextRange> = Vec::new();
    for step in &steps {
        let Some(source) = global_index(step) else { continue };
        // A projection that cannot be read may hold what is missed.
        if !cx.is_whole(source.layout.decl) {
            continue;
        }
        let items: Vec<&ItemLayout> =
            source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity)).collect();
        let mut missing: Vec<Missing<'_>> = Vec::new();
        for name in names_in(step.step) {
            if items.iter().any(|item| has(cx, item, &name.text) && lacks(source, item, &name.text)) {
                match missing.iter_mut().find(|known| known.attribute == name.text) {
                    Some(known) => known.elsewhere.push(name.range),
                    None => missing.push(Missing {
                        attribute: &name.text,
                        in_step: Some(name.range),
                        elsewhere: Vec::new(),
                    }),
                }
            }
        }
        for (used, name) in claims(pattern) {
            let lacked = items.iter().find_map(|item| wanted(item, used, name).filter(|own| lacks(source, item, own)));
            let Some(attribute) = lacked else { continue };
            if let Some(known) = missing.iter_mut().find(|known| known.attribute == attribute) {
                known.elsewhere.push(name.range);
                claimed.push(name.range);
            } else if !claimed.contains(&name.range) && !steps.iter().any(|other| gives(other, used, name)) {
                missing.push(Missing { attribute, in_step: None, elsewhere: vec![name.range] });
                claimed.push(name.range);
            }
        }
        report(cx, step, source, &missing);
    }
}

/// The global index that a step queries or scans. In a transaction or batch
/// neither may stand, and a `get` reads no index: faults of other kinds.
fn global_index<'db>(step: &StepCx<'db>) -> Option<Source<'db>> {
    let reads = matches!(step.step.op, OpDef::Query { .. } | OpDef::Scan { .. }) && step.operation.group.is_none();
    step.source.filter(|source| reads && source.index.is_some_and(|index| index.kind == IndexKind::Global))
}

/// The attributes that a step's own options name, `project` first.
fn names_in(step: &StepDef) -> Vec<&Name> {
    let Some(options) = step.op.options() else { return Vec::new() };
    let filter = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
    let tested = filter.flat_map(ConditionsDef::leaves).filter_map(|leaf| match leaf {
        Term::Comparison(comparison) => Some(&comparison.attribute),
        Term::Existence { attribute, .. } => Some(attribute),
        Term::Not { .. } | Term::Group { .. } => None,
    });
    options.project.iter().chain(tested).collect()
}

/// The attributes that `reads` lists, with their entities.
fn claims(pattern: &PatternDef) -> impl Iterator<Item = (&EntityUse, &Name)> {
    let reads = pattern.requirements.iter().filter(|requirement| !requirement.writes);
    reads.flat_map(|reads| &reads.uses).flat_map(|used| used.attributes.iter().map(move |name| (used, name)))
}

/// The attribute of an item that holds what `reads` claims: of an embedded
/// entity it is the list that holds it.
fn wanted<'p>(item: &'p ItemLayout, used: &EntityUse, name: &'p Name) -> Option<&'p str> {
    if item.entity == used.entity.text {
        return Some(&name.text);
    }
    item.embeds.iter().find(|embed| embed.entity == used.entity.text)?.list.as_deref()
}

/// Whether items of this kind can have the attribute, the list or the key.
fn has(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> bool {
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    entity.is_some_and(|entity| entity.attribute(name).is_some())
        || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
        || item.keys.contains_key(name)
}

fn lacks(source: Source<'_>, item: &ItemLayout, attribute: &str) -> bool {
    source.projected(item).is_some_and(|projected| !projected.contains(attribute))
}

/// Whether another step of the pattern brings what `reads` claims: a table has
/// every attribute, and from a local index DynamoDB fetches what is not there.
fn gives(step: &StepCx<'_>, used: &EntityUse, name: &Name) -> bool {
    let Some(source) = step.source.filter(|_| step.step.op.reads()) else { return false };
    let mut reached = source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity));
    reached.any(|item| {
        wanted(item, used, name).is_some_and(|own| global_index(step).is_none_or(|index| !lacks(index, item, own)))
    })
}

fn report(cx: &mut Cx<'_>, step: &StepCx<'_>, source: Source<'_>, missing: &[Missing<'_>]) {
    // What only `reads` asks for is one fault of the step.
    let (named, claimed): (Vec<&Missing<'_>>, Vec<&Missing<'_>>) = missing.iter().partition(|m| m.in_step.is_some());
    for missing in named {
        report_at(cx, source, missing.in_step.unwrap_or(step.step.range), &[missing]);
    }
    if !claimed.is_empty() {
        report_at(cx, source, step.step.range, &claimed);
    }
}

fn report_at(cx: &mut Cx<'_>, source: Source<'_>, range: TextRange, missing: &[&Missing<'_>]) {
    let Some(index) = source.index else { return };
    let attributes: Vec<&str> = missing.iter().map(|missing| missing.attribute).collect();
    let names = listed(&attributes);
    let table = table_def(cx.db, source.layout.decl);
    let def = table.and_then(|table| table.indexes.iter().find(|def| def.name.as_ref() == Some(&index.name)));
    let projection = def.and_then(|def| def.projection.as_ref());
    let message = format!(
        "`{}` does not project {names}, and from a global index DynamoDB returns and tests what it projects only; \
         include {}, or read the items from table `{}` in a further step",
        source.label(),
        if attributes.len() == 1 { "it" } else { "them" },
        source.layout.name.text
    );
    let elsewhere: Vec<_> =
        missing.iter().flat_map(|m| m.elsewhere.iter().map(|range| (cx.place(*range), m.attribute))).collect();
    let finding = cx.report(range, message);
    if let Some(projection) = projection {
        let place = Place { decl: source.layout.decl, range: projection.range };
        finding.relate(place, "what the index projects");
    }
    for (place, attribute) in elsewhere {
        finding.relate(place, format!("`{attribute}` is asked for here"));
    }
    if let Some(edit) = projection.and_then(|projection| include(source, projection, &attributes)) {
        finding.suggest(format!("Include {names} in `{}`", index.name.text), vec![edit]);
    }
}

/// Adds attributes to what an index projects.
pub(super) fn include(source: Source<'_>, projection: &ProjectionDef, attributes: &[&str]) -> Option<Edit> {
    let mut names: Vec<String> = attributes.iter().map(|name| quote_name(name)).collect();
    names.dedup();
    let names = names.join(", ");
    let (range, text) = match (projection.kind?, projection.attributes.last()) {
        (ProjectionKind::KeysOnly, _) => (projection.kind_range, format!("include({names})")),
        (ProjectionKind::Include, Some(last)) => (TextRange::empty(last.range.end as usize), format!(", {names}")),
        _ => return None,
    };
    Some(Edit::Replace { place: Place { decl: source.layout.decl, range }, text })
}
