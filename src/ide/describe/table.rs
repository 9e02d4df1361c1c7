//! Tables, indexes, keys and embedded lists.

use super::{Description, code_list, decl_name, key_values, or_nothing};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{KeyAttribute, Source, keys_of, layout};
use crate::model::lower::lowered;
use crate::model::names::{names, table_def};
use crate::model::refs::Declared;
use crate::model::resolve::{patterns_of_tables, resolved};
use crate::syntax::strings::quote_name;

pub(super) fn table(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let own = lowered(db, decl);
    let def = table_def(db, decl)?;
    let layout = layout(db, root, decl).as_ref()?;
    out.code = format!("table {}", quote_name(&layout.name.text));
    out.doc(&own.doc);
    out.prose.extend(def.boundary.as_ref().map(|boundary| boundary.value.clone()));
    keys(layout.table(), out);
    for item in &layout.items {
        let embeds = code_list(item.embeds.iter().map(|embed| &embed.entity));
        let embeds = if embeds.is_empty() { embeds } else { format!(", embeds {embeds}") };
        out.line(format!("Item `{}`: {}{embeds}", item.entity, key_values(item, layout.primary_key())));
    }
    for index in &layout.indexes {
        let source = layout.of_index(index);
        let members = code_list(source.items().map(|item| &item.entity));
        out.line(format!(
            "{} `{}`: {} → {}",
            index.kind.short(),
            index.name.text,
            key_names(source),
            or_nothing(members)
        ));
    }
    let patterns = patterns_of_tables(db, root).get(&decl).map(Vec::as_slice).unwrap_or_default();
    out.line(format!("Patterns: {}", or_nothing(code_list(patterns.iter().map(|p| decl_name(db, *p))))));
    Some(())
}

fn keys(source: Source<'_>, out: &mut Description) {
    if !source.partition().is_empty() {
        out.line(format!("Partition key: {}", key_line(source.partition())));
    }
    if !source.sort().is_empty() {
        out.line(format!("Sort key: {}", key_line(source.sort())));
    }
}

fn key_line(key: &[KeyAttribute]) -> String {
    let parts = key.iter().map(|k| match k.ty {
        Some(ty) => format!("`{}` ({})", k.name, ty.letter()),
        None => format!("`{}`", k.name),
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn key_names(source: Source<'_>) -> String {
    code_list(source.key().map(|k| &k.name))
}

pub(super) fn index(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    let named = |index: &&IndexDef| index.name.as_ref().is_some_and(|name| name.range == declared.range);
    let def = table.indexes.iter().find(named)?;
    let layout = layout(db, root, declared.decl).as_ref()?;
    let index = layout.indexes.iter().find(|index| index.name.range == declared.range)?;
    let source = layout.of_index(index);
    let word = if index.kind == IndexKind::Global { "gsi" } else { "lsi" };
    out.code = format!("{word} {}  // of table {}", quote_name(&index.name.text), layout.name.text);
    out.doc(&def.doc);
    out.prose.extend(def.purpose.as_ref().map(|purpose| purpose.value.clone()));
    keys(source, out);
    let projected = match index.projection {
        ProjectionKind::All => "every attribute".to_owned(),
        ProjectionKind::KeysOnly => "keys only".to_owned(),
        ProjectionKind::Include => format!("keys and {}", code_list(&index.included)),
    };
    out.line(format!("Projection: {projected}"));
    for item in source.items() {
        let optional = source.key().any(|k| item.keys.get(&k.name).is_some_and(|value| value.optional));
        let which = if optional { "those that have every key attribute" } else { "all of them" };
        out.line(format!("Holds `{}`, {which}: {}", item.entity, key_values(item, source.key())));
    }
    if source.items().next().is_none() {
        out.line("Holds no item: no entity of the table has a value for every key");
    }
    out.line(format!("Read by: {}", or_nothing(code_list(readers(db, root, declared.decl, &index.name.text)))));
    Some(())
}

/// The patterns that read an index.
fn readers(db: &dyn Db, root: SourceFile, table: Decl, index: &str) -> Vec<String> {
    let reads = |decl: &Decl| {
        let steps = &resolved(db, root, *decl).steps;
        steps.iter().any(|step| step.table == Some(table) && step.index.as_deref() == Some(index))
    };
    names(db, root).all_patterns().filter(reads).map(|decl| decl_name(db, decl)).collect()
}

pub(super) fn key(db: &dyn Db, root: SourceFile, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    let layout = layout(db, root, declared.decl).as_ref()?;
    let written = keys_of(table).flat_map(|key| &key.parts).map(|part| &part.name);
    let set = table.items.iter().flat_map(|item| &item.values).map(|value| &value.key);
    let name = written.chain(set).find(|name| name.range == declared.range)?;
    let mut ty = None;
    for source in layout.sources() {
        for (part, kind) in
            source.partition().iter().map(|k| (k, "Partition")).chain(source.sort().iter().map(|k| (k, "Sort")))
        {
            if part.name == name.text {
                ty = ty.or(part.ty);
                out.line(format!("{kind} key of `{}`", source.label()));
            }
        }
    }
    out.code = match ty {
        Some(ty) => format!("{}: {}  // key in table {}", quote_name(&name.text), ty.word(), layout.name.text),
        None => format!("{}  // key in table {}", quote_name(&name.text), layout.name.text),
    };
    for item in &layout.items {
        match item.keys.get(&name.text) {
            Some(source) => out.line(format!("`{}`: `{}`", item.entity, source.value.spelling())),
            None => out.line(format!("`{}`: no value", item.entity)),
        }
    }
    Some(())
}

pub(super) fn embedded(db: &dyn Db, declared: Declared, out: &mut Description) -> Option<()> {
    let table = table_def(db, declared.decl)?;
    for item in &table.items {
        let owner = item.entity.as_ref().map_or("?", |name| &name.text);
        for embed in &item.embeds {
            if let Some(list) = embed.list.as_ref().filter(|list| list.range == declared.range) {
                out.code = format!("{}: list  // of {} items", quote_name(&list.text), owner);
                out.line(format!("All `{}` of one `{owner}`, stored in its item", embed.entity.text));
                return Some(());
            }
        }
    }
    None
}
