//! What a table, an index or an entity is to the model, above its declaration.
//! Where lenses stand follows from the text alone; what they say is asked for one
//! by one.

use super::figures::{first_few, limit, marked, monthly};
use super::inlay_hints::hottest;
use super::lookup::model;
use super::{CodeLens, LensKinds, LensSubject};
use crate::capacity::cost::{SourceCost, source_costs};
use crate::capacity::figure::Figure;
use crate::capacity::load::key_loads;
use crate::capacity::show;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{Def, IndexKind};
use crate::model::layout::{ItemLayout, Source, layout, placements};
use crate::model::lower::{decl_name, lowered};
use crate::model::names::names;
use crate::model::resolve::{patterns_of_entity, patterns_of_table, resolved};
use std::collections::BTreeSet;

/// Patterns that a lens names.
const MOST_PATTERNS: usize = 4;

/// The lenses of these kinds in a file, in the order of the text, each on the
/// name that it is about.
pub(super) fn code_lenses(db: &dyn Db, file: SourceFile, kinds: LensKinds) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for (decl, start) in file.decls(db).iter().zip(file.starts(db)) {
        let own = lowered(db, *decl);
        let Some(name) = &own.name else { continue };
        let range = name.range.shifted(*start);
        match &own.def {
            Def::Entity(_) if kinds.entities => {
                lenses.push(CodeLens { range, subject: LensSubject::Entity(name.text.clone()) });
            }
            Def::Table(table) if kinds.tables => {
                lenses.push(CodeLens { range, subject: LensSubject::Table(name.text.clone()) });
                let indexes = table.indexes.iter().filter_map(|index| index.name.as_ref());
                lenses.extend(indexes.map(|index| CodeLens {
                    range: index.range.shifted(*start),
                    subject: LensSubject::Index { table: name.text.clone(), index: index.text.clone() },
                }));
            }
            _ => {}
        }
    }
    lenses.sort_by_key(|lens| lens.range);
    lenses
}

/// What a lens of a file says; `None` where its subject is gone. Of several that
/// bear one name it is about the first, which is what the name means.
pub(super) fn title(db: &dyn Db, file: SourceFile, subject: &LensSubject) -> Option<String> {
    let root = model(db, file);
    let names = names(db, root);
    match subject {
        LensSubject::Table(name) => table(db, root, names.table(name)?),
        LensSubject::Index { table, index: name } => {
            // The first may lack an index that another of its name has.
            let tables = names.tables.get(table)?;
            tables.iter().find_map(|table| index(db, root, *table, name))
        }
        LensSubject::Entity(name) => names.entity(name).map(|_| entity(db, root, name)),
    }
}

/// `3 patterns · $900/mo + $330/mo in indexes · hottest key {user_id}: 0.8 % of limit`.
fn table(db: &dyn Db, root: SourceFile, decl: Decl) -> Option<String> {
    let costs = source_costs(db, root, decl);
    let own = costs.first()?.total();
    let mut parts = vec![counted(patterns_of_table(db, root, decl).len()), monthly(&own)];
    let mut figures = vec![own];
    let indexes = costs.get(1..).unwrap_or_default();
    if !indexes.is_empty() {
        let sum: Figure = indexes.iter().map(SourceCost::total).sum();
        parts[1].push_str(&format!(" + {} in indexes", monthly(&sum)));
        figures.push(sum);
    }
    parts.extend(hottest_key(db, root, decl, None, &mut figures));
    Some(marked(parts.join(" · "), &figures))
}

/// The same of an index: only what reads it counts as served.
fn index(db: &dyn Db, root: SourceFile, decl: Decl, name: &str) -> Option<String> {
    let costs = source_costs(db, root, decl);
    let cost = costs.iter().find(|cost| cost.index.as_ref().is_some_and(|(index, _)| index == name))?;
    let local = cost.index.as_ref().is_some_and(|(_, kind)| *kind == IndexKind::Local);
    let reads = |pattern: &&Decl| {
        let steps = &resolved(db, root, **pattern).steps;
        steps.iter().any(|step| step.table == Some(decl) && step.index.as_deref() == Some(name))
    };
    let served = patterns_of_table(db, root, decl).iter().filter(reads).count();
    let mut figures = vec![cost.total()];
    // A local index draws on its table's units, and its load is on its table's key.
    let of = if local { " of storage" } else { "" };
    let mut parts = vec![counted(served), format!("{}{of}", monthly(&figures[0]))];
    if !local {
        parts.extend(hottest_key(db, root, decl, Some(name), &mut figures));
    }
    Some(marked(parts.join(" · "), &figures))
}

fn counted(patterns: usize) -> String {
    if patterns == 0 { "no pattern".to_owned() } else { show::count_of(patterns as f64, "pattern") }
}

fn hottest_key(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    index: Option<&str>,
    figures: &mut Vec<Figure>,
) -> Option<String> {
    let load = key_loads(db, root, decl).iter().find(|load| load.index.as_deref() == index)?;
    let share = hottest(load)?;
    let value = &load.families.first()?.value;
    let text = format!("hottest key {value}: {} of limit", limit(&share));
    figures.push(share);
    Some(text)
}

/// `in UserOrders and its index OpenOrders · 2 patterns: PlaceOrder, ShipOrder`.
fn entity(db: &dyn Db, root: SourceFile, name: &str) -> String {
    let tables = placements(db, root).get(name).map(Vec::as_slice).unwrap_or_default();
    let mut places: Vec<String> = Vec::new();
    let touching = |entity: &str| {
        let patterns = patterns_of_entity(db, root, entity);
        patterns.iter().filter_map(|pattern| decl_name(db, *pattern).clone())
    };
    let mut patterns: BTreeSet<String> = touching(name).collect();
    for layout in tables.iter().filter_map(|table| layout(db, root, *table).as_ref()) {
        for item in &layout.items {
            if item.entity == name {
                places.push(format!("in {}{}", layout.name.text, indexes_of(layout.of_indexes(), item)));
            }
            let embedded: Vec<_> = item.embeds.iter().filter(|embed| embed.entity == name).collect();
            // What is embedded is read and written with the item that it is in.
            if !embedded.is_empty() {
                patterns.extend(touching(&item.entity));
            }
            places.extend(embedded.iter().map(|embed| {
                let list = embed.list.as_ref().map(|list| format!(" as {list}")).unwrap_or_default();
                format!("embedded in {}{list}, in {}", item.entity, layout.name.text)
            }));
        }
    }
    if places.is_empty() {
        places.push("in no table".to_owned());
    }
    let patterns: Vec<String> = patterns.into_iter().collect();
    let named = match patterns.is_empty() {
        true => counted(0),
        false => format!("{}: {}", counted(patterns.len()), first_few(&patterns, MOST_PATTERNS)),
    };
    format!("{} · {named}", places.join("; "))
}

fn indexes_of<'l>(indexes: impl Iterator<Item = Source<'l>>, item: &ItemLayout) -> String {
    let holds = |source: &Source<'_>| source.items().any(|member| member.entity == item.entity);
    let names: Vec<&str> = indexes.filter(holds).filter_map(|s| Some(s.index?.name.text.as_str())).collect();
    match names.len() {
        0 => String::new(),
        1 => format!(" and its index {}", names[0]),
        _ => format!(" and its indexes {}", names.join(", ")),
    }
}
