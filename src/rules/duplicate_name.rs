//! Two of a kind under one name.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::lower::lowered;
use crate::model::names::entity_def;
use std::collections::HashMap;

pub static RULE: Rule = Rule {
    name: "duplicate-name",
    group: Group::Language,
    level: Level::Error,
    summary: "two declarations of a kind, two attributes, two indexes, two places of an entity or two clauses share a name",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    declarations(cx, lowered);
    clauses(cx, &lowered.facts);
    match &lowered.def {
        Def::Entity(entity) => {
            let names = entity.attributes.iter().map(|attribute| &attribute.name);
            once_each(cx, names, |name| format!("attribute `{name}`"));
        }
        Def::Table(table) => {
            let indexes = table.indexes.iter().filter_map(|index| index.name.as_ref());
            once_each(cx, indexes, |name| format!("index `{name}`"));
            let entities = table.items.iter().filter_map(|item| item.entity.as_ref());
            once_each(cx, entities, |name| format!("item `{name}`"));
            for item in &table.items {
                let lists = item.embeds.iter().filter_map(|embed| embed.list.as_ref());
                once_each(cx, lists, |name| format!("list `{name}`"));
                lists_and_attributes(cx, item);
                once_each(cx, item.values.iter().map(|value| &value.key), |name| format!("value of key `{name}`"));
            }
        }
        _ => {}
    }
}

/// The second and later of declarations with one name, and of applications.
fn declarations(cx: &mut Cx<'_>, own: &Lowered) {
    let names = cx.names();
    let (kind, namesakes) = match &own.def {
        Def::Application(_) => ("application", Some(&names.applications)),
        _ => {
            let Some(name) = &own.name else { return };
            match &own.def {
                Def::Entity(_) => ("entity", names.entities.get(&name.text)),
                Def::Table(_) => ("table", names.tables.get(&name.text)),
                Def::Pattern(_) => ("pattern", names.patterns.get(&name.text)),
                Def::Workflow(_) => ("workflow", names.workflows.get(&name.text)),
                _ => return,
            }
        }
    };
    let Some(first) = namesakes.and_then(|all| all.first().copied()).filter(|first| *first != cx.decl) else { return };
    let range = cx.name_range();
    let message = match &own.def {
        Def::Application(_) => {
            "a model has one application, and this is another: the first counts; merge them".to_owned()
        }
        _ => format!(
            "{kind} `{}` is declared more than once, and what names it means the first; rename or remove one",
            own.name.as_ref().map_or("", |n| &n.text)
        ),
    };
    let place =
        Place { decl: first, range: lowered(cx.db, first).name.as_ref().map_or_else(Default::default, |n| n.range) };
    cx.report(range, message).relate(place, format!("the first {kind}"));
}

/// Embedded lists that bear the name of an attribute of the entity: the stored
/// item has room for one of them.
fn lists_and_attributes(cx: &mut Cx<'_>, item: &ItemDef) {
    let Some(decl) = item.entity.as_ref().and_then(|entity| cx.names().entity(&entity.text)) else { return };
    for list in item.embeds.iter().filter_map(|embed| embed.list.as_ref()) {
        let Some(attribute) = entity_def(cx.db, decl).and_then(|entity| entity.attribute(&list.text)) else { continue };
        let place = Place { decl, range: attribute.name.range };
        let message = format!(
            "list `{}` has the name of an attribute of the item that it is embedded in, and an item has one value a \
             name; rename one",
            list.text
        );
        cx.report(list.range, message).relate(place, "the attribute");
    }
}

fn clauses(cx: &mut Cx<'_>, facts: &Facts) {
    let mut first: HashMap<_, &ClauseUse> = HashMap::new();
    for clause in &facts.clauses {
        match first.get(&(clause.block, clause.what)) {
            Some(earlier) => {
                let place = cx.place(earlier.range);
                cx.report(clause.range, format!("`{}` is given twice, and the first counts; remove one", clause.what))
                    .relate(place, "the first");
            }
            None => {
                first.insert((clause.block, clause.what), clause);
            }
        }
    }
}

fn once_each<'n>(cx: &mut Cx<'_>, names: impl Iterator<Item = &'n Name>, what: impl Fn(&str) -> String) {
    let mut first: HashMap<&str, &Name> = HashMap::new();
    for name in names {
        match first.get(name.text.as_str()) {
            Some(earlier) => {
                let place = cx.place(earlier.range);
                cx.report(
                    name.range,
                    format!("{} is there twice, and the first counts; rename or remove one", what(&name.text)),
                )
                .relate(place, "the first");
            }
            None => {
                first.insert(&name.text, name);
            }
        }
    }
}
