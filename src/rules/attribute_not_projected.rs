//! A read of a global index for an attribute that it does not project.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::projection::{Lacking, Missing, include, lacking, projection_of};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::Source;
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "attribute-not-projected",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a pattern reads from a global index an attribute that the index does not project",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    for Lacking { step, source, missing } in lacking(cx, pattern, IndexKind::Global) {
        // What only `reads` asks for is one fault of the step.
        let (named, claimed): (Vec<&Missing<'_>>, Vec<&Missing<'_>>) =
            missing.iter().partition(|m| m.in_step.is_some());
        for missing in named {
            report_at(cx, source, missing.in_step.unwrap_or(step.step.range), &[missing]);
        }
        if !claimed.is_empty() {
            report_at(cx, source, step.step.range, &claimed);
        }
    }
}

fn report_at(cx: &mut Cx<'_>, source: Source<'_>, range: TextRange, missing: &[&Missing<'_>]) {
    let Some(index) = source.index else { return };
    let attributes: Vec<&str> = missing.iter().map(|missing| missing.attribute).collect();
    let names = listed(&attributes);
    let projection = projection_of(cx, source);
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
    if let Some(edit) = projection.and_then(|projection| include(source.layout.decl, projection, &attributes)) {
        finding.suggest(format!("Include {names} in `{}`", index.name.text), vec![edit]);
    }
}
