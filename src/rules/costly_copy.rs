//! A copy that costs more to keep than it saves.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use super::users::together;
use crate::capacity::copying::{CopyCost, copy_costs};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::names::entity_def;

pub static RULE: Rule = Rule {
    name: "costly-copy",
    group: Group::Cost,
    level: Level::Info,
    summary: "keeping a copy costs more a month than the reads that it saves",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let own = cx.lowered().name.as_ref().and_then(|name| cx.names().entity(&name.text));
    if cx.is_broken() || own != Some(cx.decl) {
        return;
    }
    for copy in copy_costs(cx.db, cx.root, cx.decl) {
        // Unknown is neither dear nor cheap.
        let Some(saved) = copy.saves.high().filter(|saved| copy.costs.low() > *saved) else { continue };
        let attribute = entity.attribute(&copy.attribute);
        let Some(from) = attribute.and_then(|attribute| attribute.copied_from.as_ref()) else { continue };
        report(cx, copy, from, saved);
    }
}

fn report(cx: &mut Cx<'_>, copy: &CopyCost, from: &CopiedFrom, saved: f64) {
    let source = &from.entity.text;
    let (read, save) = if copy.readers.len() == 1 { ("reads", "saves") } else { ("read", "save") };
    let most = if copy.is_most() { "at most " } else { "" };
    let readers = match copy.readers.is_empty() {
        true => "no pattern reads it: drop the copy, and with it the writes that keep it".to_owned(),
        false if copy.saves_nothing() => format!(
            "{} that {read} it {read} `{source}` as well, and {save} nothing: drop the copy, and with it the writes that \
             keep it",
            together(cx, &copy.readers)
        ),
        false => format!(
            "{} that {read} it {save} {most}{} a month with it: a read of `{source}` beside would be cheaper; drop the copy, \
             or copy it only where it is read often",
            together(cx, &copy.readers),
            show::dollars(saved)
        ),
    };
    let message = format!(
        "keeping `{}` in step with `{source}.{}` costs {} a month, and {readers}",
        copy.attribute,
        from.attribute.as_ref().map_or("?", |name| &name.text),
        show::dollars(copy.costs.low()),
    );
    let mut places: Vec<(Place, &str)> = Vec::new();
    let original = cx.names().entity(source).and_then(|decl| {
        let name = &from.attribute.as_ref()?.text;
        Some(Place { decl, range: entity_def(cx.db, decl)?.attribute(name)?.name.range })
    });
    places.extend(original.map(|place| (place, "what it is a copy of")));
    places.extend(copy.keepers.iter().filter_map(|decl| Some((cx.name_place(*decl)?, "keeps the copies"))));
    let finding = cx.report(from.range, message);
    for (place, what) in places {
        finding.relate(place, what);
    }
}
