//! An update of some of the attributes that an index key is made of.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::entity_def;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "partial-key-update",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an update changes some of the attributes that an index key is made of, and does not know the others",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// Keys that the change of one attribute changes, and what they are made of besides.
struct Partial<'l> {
    keys: Vec<&'l KeyAttribute>,
    changed: &'l Name,
    missing: Vec<&'l str>,
}

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    // A name that cannot be read may be the one that is missed.
    if cx.is_broken() {
        return;
    }
    for step in cx.steps() {
        let OpDef::Update { subject: Some(subject), table: Some(table), set, remove, .. } = &step.step.op else {
            continue;
        };
        let Some(layout) = step.source.map(|source| source.layout) else { continue };
        // An update of an embedded entity changes a list of its parent, no key.
        let Some(item) = layout.items.iter().find(|item| item.entity == subject.entity.text) else { continue };
        let changed: Vec<&Name> = set.iter().chain(remove).collect();
        let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
        let is_frozen =
            |name: &Name| entity.and_then(|def| def.attribute(&name.text)).is_some_and(|a| a.immutable.is_some());
        for partial in partials(layout, item, &changed, is_frozen) {
            let at = set.last().map_or(table.range.end, |last| last.range.end) as usize;
            report(cx, step, layout, item, &partial, TextRange::empty(at));
        }
    }
}

/// The keys that an update changes in part. That an attribute must not be changed
/// at all is a fault of its own.
fn partials<'l>(
    layout: &'l TableLayout,
    item: &'l ItemLayout,
    changed: &[&'l Name],
    is_frozen: impl Fn(&Name) -> bool,
) -> Vec<Partial<'l>> {
    // A caller of `update` has the primary key, and so what it is made of.
    let known = item.made_from(layout.primary_key());
    let own: BTreeSet<&str> = layout.primary_key().map(|key| key.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut found: Vec<Partial<'l>> = Vec::new();
    for key in layout.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort)) {
        if own.contains(key.name.as_str()) || !seen.insert(key.name.as_str()) {
            continue;
        }
        let Some(source) = item.keys.get(&key.name) else { continue };
        let attributes = source.value.attributes();
        // A change of what the primary key is made of is a fault of its own.
        let changes =
            |name: &&&'l Name| attributes.contains(&name.text.as_str()) && !known.contains(name.text.as_str());
        let Some(first) = changed.iter().find(changes).filter(|first| !is_frozen(first)) else { continue };
        let is_given = |attribute: &str| known.contains(attribute) || changed.iter().any(|name| name.text == attribute);
        let missing: Vec<&str> = attributes.iter().copied().filter(|attribute| !is_given(attribute)).collect();
        match found.iter_mut().find(|partial| partial.changed == *first) {
            _ if missing.is_empty() => {}
            Some(same) => {
                same.keys.push(key);
                let more: Vec<&str> = missing.into_iter().filter(|name| !same.missing.contains(name)).collect();
                same.missing.extend(more);
            }
            None => found.push(Partial { keys: vec![key], changed: first, missing }),
        }
    }
    found
}

fn report(
    cx: &mut Cx<'_>,
    step: StepCx<'_>,
    layout: &TableLayout,
    item: &ItemLayout,
    partial: &Partial<'_>,
    at: TextRange,
) {
    let values: Vec<String> = partial
        .keys
        .iter()
        .filter_map(|key| Some(format!("{} = {}", key.name, item.keys.get(&key.name)?.value.spelling())))
        .collect();
    let missing = listed(&partial.missing);
    // What must not be set cannot be the advice.
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    let frozen = |name: &&str| entity.and_then(|def| def.attribute(name)).is_some_and(|a| a.immutable.is_some());
    let is_frozen = partial.missing.iter().any(frozen);
    let is_removed = matches!(&step.step.op, OpDef::Update { remove, .. } if remove.contains(partial.changed));
    let advice = match (is_frozen, is_removed) {
        (_, true) => "the stored key has to be removed with it, or read and written anew".to_owned(),
        (false, _) => format!("set {missing} as well"),
        (true, _) => format!(
            "{missing} may not be set: key the index by the attributes themselves (a GSI takes up to four a key), or put \
             into its template only what stands in the primary key"
        ),
    };
    let message = format!(
        "the index {} of `{}` {} made of more than `{}`, and this update does not know {missing}: without reading the \
         item first it cannot write the new key, and the old one would stay; {advice}",
        if values.len() == 1 { "key" } else { "keys" },
        item.entity,
        format_args!("({}) {}", listed(&values), if values.len() == 1 { "is" } else { "are" }),
        partial.changed.text,
    );
    let names: Vec<String> = partial.missing.iter().map(|name| quote_name(name)).collect();
    let has_set = matches!(&step.step.op, OpDef::Update { set, .. } if !set.is_empty());
    let text = format!("{}{}", if has_set { ", " } else { " set " }, names.join(", "));
    let place = cx.place(at);
    let finding = cx.report(partial.changed.range, message);
    for key in &partial.keys {
        let place = Place { decl: layout.decl, range: key.range };
        finding.relate(place, format!("the index key `{}`", key.name));
    }
    if is_frozen || is_removed {
        return;
    }
    finding.suggest(format!("Set {missing} as well"), vec![Edit::Replace { place, text }]);
}
