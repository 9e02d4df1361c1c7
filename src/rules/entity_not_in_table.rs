//! An operation on an entity in a table that does not hold it.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::placements;
use crate::model::names::table_def;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "entity-not-in-table",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an operation names an entity that its table neither holds nor embeds",
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let op = &step.step.op;
    let (Some(subject), Some(table), Some(decl)) = (op.subject(), op.table(), step.resolved.table) else { return };
    let entity = &subject.entity.text;
    let Some(layout) = cx.layout(decl) else { return };
    // An item clause that cannot be read may be the one that is missed.
    if cx.names().entity(entity).is_none() || !cx.is_whole(decl) || layout.item_of(entity).is_some() {
        return;
    }
    let homes: Vec<Decl> = placements(cx.db, cx.root).get(entity).cloned().unwrap_or_default();
    let names: Vec<&str> = homes.iter().filter_map(|home| Some(cx.layout(*home)?.name.text.as_str())).collect();
    let (advice, instead) = match names.as_slice() {
        [] => ("no table holds it yet".to_owned(), format!("declare `item {}` in a table", quote_name(entity))),
        _ => (format!("it is kept in {}", listed(&names)), "aim there, or declare the item here".to_owned()),
    };
    let message = format!(
        "table `{}` neither holds nor embeds `{entity}`, so this `{}` has no key to use: {advice}; {instead}",
        table.text,
        op.word()
    );
    let place = cx.place(table.range);
    let related: Vec<Place> = homes
        .iter()
        .filter_map(|home| Some(Place { decl: *home, range: cx.layout(*home)?.item_of(entity)?.range }))
        .collect();
    let body = table_def(cx.db, decl).and_then(|table| table.body);
    let own = cx.name_place(decl);
    let finding = cx.report(table.range, message);
    if let Some(own) = own {
        finding.relate(own, "the table");
    }
    for place in related {
        finding.relate(place, format!("`{entity}` is here"));
    }
    for name in names {
        let edit = Edit::Replace { place, text: quote_name(name) };
        finding.suggest(format!("Aim at table `{name}`"), vec![edit]);
    }
    if let Some(body) = body {
        let lines = format!("item {}", quote_name(entity));
        let edit = Edit::AppendToBlock { block: Place { decl, range: body }, lines };
        finding.suggest(format!("Declare `{entity}` in table `{}`", table.text), vec![edit]);
    }
}
