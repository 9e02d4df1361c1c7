//! A key of the single table that is named for what it holds in one entity.

use super::check::{Check, Cx};
use super::finding::Level;
use super::fixes::upper_snake;
use super::renames::{named, rename};
use super::rule::{Group, Rule};
use super::school::follows;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::layout::{KeyAttribute, TableLayout, table_attributes};
use crate::model::names::entity_def;
use crate::model::refs::What;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "natural-key-name",
    group: Group::Design,
    level: Level::Info,
    summary: "a key of a model in the single-table style is not named PK, SK, GSI1PK, GSI1SK and the like",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if !follows(cx, Style::SingleTable) {
        return;
    }
    let mut taken: BTreeSet<String> = table_attributes(cx.db, cx.root, cx.decl).clone();
    let mut seen = BTreeSet::new();
    for key in natural_keys(layout, &taken.clone()) {
        // A key of several indexes is told once.
        if seen.insert(&key.attribute.name) {
            report(cx, layout, &key, taken.insert(key.better.clone()));
        }
    }
}

/// A key part whose name is not the school's, and the one that would be.
struct NaturalKey<'l> {
    attribute: &'l KeyAttribute,
    /// What it is a key of, for the message.
    of: String,
    better: String,
}

/// The keys of one attribute that are named otherwise. One of several attributes
/// takes them as they are: that is its purpose.
fn natural_keys<'l>(layout: &'l TableLayout, taken: &BTreeSet<String>) -> Vec<NaturalKey<'l>> {
    let mut found = Vec::new();
    for (keys, word, better) in [(&layout.partition, "partition", "PK"), (&layout.sort, "sort", "SK")] {
        let [attribute] = keys.as_slice() else { continue };
        if !matches!(attribute.name.as_str(), "PK" | "SK") {
            let of = format!("the {word} key of the table");
            found.push(NaturalKey { attribute, of, better: better.to_owned() });
        }
    }
    for (at, index) in layout.indexes.iter().enumerate() {
        let (prefix, number) = (index.kind.short(), number(layout, at, taken));
        for (keys, word, suffix) in [(&index.partition, "partition", "PK"), (&index.sort, "sort", "SK")] {
            let [attribute] = keys.as_slice() else { continue };
            if !is_custom(&attribute.name) {
                let of = format!("the {word} key of `{}`", index.name.text);
                found.push(NaturalKey { attribute, of, better: format!("{prefix}{number}{suffix}") });
            }
        }
    }
    found
}

/// `GSI1PK`, `LSI2SK` and their like; and a key of the table, which an index may
/// turn round.
fn is_custom(name: &str) -> bool {
    matches!(name, "PK" | "SK") || number_in(name).is_some_and(|(_, rest)| matches!(rest, "PK" | "SK"))
}

/// The number behind `GSI` or `LSI`, and what follows it.
fn number_in(name: &str) -> Option<(u32, &str)> {
    let rest = name.strip_prefix("GSI").or_else(|| name.strip_prefix("LSI"))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((rest[..end].parse().ok()?, &rest[end..]))
}

/// The number of an index: as its name or its other key says, else the first that
/// no key bears.
fn number(layout: &TableLayout, at: usize, taken: &BTreeSet<String>) -> u32 {
    let index = &layout.indexes[at];
    let own = number_in(&index.name.text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number);
    let mut keys = index.partition.iter().chain(&index.sort);
    if let Some(number) = own.or_else(|| keys.find_map(|key| Some(number_in(&key.name)?.0))) {
        return number;
    }
    let kind = index.kind;
    let ordinal = layout.indexes[..at].iter().filter(|index| index.kind == kind).count() as u32 + 1;
    let is_free = |number: &u32| {
        let name = |suffix: &str| format!("{}{number}{suffix}", kind.short());
        !taken.contains(&name("PK")) && !taken.contains(&name("SK"))
    };
    (ordinal..).find(is_free).unwrap_or(ordinal)
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, key: &NaturalKey<'_>, fix: bool) {
    let name = &key.attribute.name;
    let holders = layout.items.iter().filter(|item| item.keys.contains_key(name)).count();
    // An attribute of an entity is its own: the key is another one, computed from it.
    let example = layout.items.iter().find_map(|item| {
        let entity = entity_def(cx.db, item.entity_decl?)?;
        entity.attribute(name).map(|_| format!(" = \"{}#{{{}}}\"", upper_snake(&item.entity), quote_name(name)))
    });
    let advice = match &example {
        Some(example) => format!("name it `{0}` and let the items compute it, `{0}{example}`", key.better),
        None => format!("name it `{}`", key.better),
    };
    let held = match holders {
        1 => "1 entity has a value".to_owned(),
        _ => format!("{} entities have values", show::count(holders as f64)),
    };
    let message = format!(
        "{} is named `{name}`, and {held} for it: in a table that all entities share, a key holds another \
         thing for each of them, and a name of its own says what it is for one at most; {advice}, or let the application \
         say `style aggregate`",
        key.of,
    );
    let own = cx.place(key.attribute.range);
    let places =
        if fix && example.is_none() && !cx.is_broken() { named(cx, layout, name, What::Key) } else { Vec::new() };
    let finding = cx.report(key.attribute.range, message);
    if !places.is_empty() {
        let (title, edits) = rename(name, &key.better, own, places);
        finding.suggest(title, edits);
    }
}
