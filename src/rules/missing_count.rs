//! How many there are: a number needs it, and nobody declares it.

use super::check::{Check, Cx};
use super::finding::Level;
use super::lacking::relate_needs;
use super::rule::{Group, Rule};
use crate::capacity::figure::Input;
use crate::capacity::lacks::{Need, entity_lacks, needs_list};
use crate::model::defs::*;
use crate::model::lower::lowered;
use crate::model::names::relationships;
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "missing-count",
    group: Group::Requirements,
    level: Level::Info,
    summary: "a number needs how many items, values or children there are, and the model does not say",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    if cx.is_broken() {
        return;
    }
    for (input, needs) in entity_lacks(cx.db, cx.root, cx.decl) {
        if let Some((range, message)) = ask(cx, entity, input, needs) {
            let at = cx.findings.len();
            cx.report(range, message);
            relate_needs(cx, at, needs);
        }
    }
}

/// Where the finding stands and what it says; `None` where something else is at
/// fault: what is written, and wrong, is a finding of its own.
fn ask(cx: &Cx<'_>, entity: &EntityDef, input: &Input, needs: &BTreeSet<Need>) -> Option<(TextRange, String)> {
    let needed = needs_list(needs);
    match input {
        Input::Count(name) if entity.count.is_none() => Some((
            cx.name_range(),
            format!(
                "`{name}` has no `count`: {needed} cannot be told without it; declare `count …`, and `, growing …` \
                 where it grows"
            ),
        )),
        Input::Distinct { entity: owner, attribute } => {
            let def = entity.attribute(attribute).filter(|attribute| attribute.distinct.is_none())?;
            let message = format!(
                "nothing says how many values `{owner}.{attribute}` has: {needed} can only be told with it; declare \
                 `@distinct(…)`, and `@hottest(…%)` where one value draws more than its share"
            );
            Some((def.name.range, message))
        }
        Input::Present { entity: owner, attribute } => {
            let def = entity.attribute(attribute).filter(|attribute| attribute.present.is_none())?;
            let message = format!(
                "`{owner}.{attribute}` is absent on some items, and nothing says on how many: {needed} can only be told \
                 with it; declare `@present(…%)`"
            );
            Some((def.name.range, message))
        }
        Input::Children { parent, child } if !children_unclear(cx, parent, child) => Some((
            cx.name_range(),
            format!(
                "nothing says how many `{child}` one `{parent}` has on average: {needed} cannot be told without it; {}",
                declare(cx, parent, child)
            ),
        )),
        Input::MaxChildren { parent, child } if !children_unclear(cx, parent, child) => {
            // Of what is embedded, `unbounded-item` asks; of what a query reads,
            // `unbounded-read`.
            let limited = needs.iter().filter(|need| matches!(need, Need::Collection { .. }));
            let limited: Vec<&Need> = limited.collect();
            let needed = Some(needs_list(limited)).filter(|needed| !needed.is_empty())?;
            let message = format!(
                "nothing says how many `{child}` one `{parent}` has at most: {needed} cannot be held against the limit \
                 of 10 GB; {}",
                declare(cx, parent, child)
            );
            Some((cx.name_range(), message))
        }
        _ => None,
    }
}

/// The clause to add that says how many children there are: to the relationship,
/// where there is one.
pub fn declare(cx: &Cx<'_>, parent: &str, child: &str) -> String {
    let known = between(cx, parent, child).next().is_some();
    match known {
        true => format!("declare `children avg …, max …` in the relationship of `{parent}` and `{child}`"),
        false => format!("declare `relationship {parent} 1:N {child} {{ children avg …, max … }}`"),
    }
}

/// Whether a relationship of the two says how many children there are in words
/// that are a finding of their own: of the wrong kind, or behind a syntax error.
pub fn children_unclear(cx: &Cx<'_>, parent: &str, child: &str) -> bool {
    between(cx, parent, child).any(|(decl, _)| {
        !cx.is_whole(decl) || lowered(cx.db, decl).facts.quantities.iter().any(|quantity| quantity.fault().is_some())
    })
}

/// The relationships of a parent with a child, be it as the edge of an N:M.
fn between<'db>(
    cx: &Cx<'db>,
    parent: &str,
    child: &str,
) -> impl Iterator<Item = (crate::model::db::Decl, &'db RelationshipDef)> {
    relationships(cx.db, cx.root).filter(move |(_, def)| {
        let named = |name: &Option<Name>, is: &str| name.as_ref().is_some_and(|name| name.text == is);
        let ends = [&def.left, &def.right, &def.through];
        ends.iter().any(|end| named(end, parent)) && ends.iter().any(|end| named(end, child))
    })
}
