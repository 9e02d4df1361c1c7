//! A table and its indexes as the data model document shows them.

use super::attributes::{AttributeRow, attributes};
use super::markdown::{code, codes, inline, prose, sentence};
use super::numbers::measure;
use super::outline::{Entry, Outline, said, shown};
use super::patterns::Pattern;
use super::spell;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, KeyAttribute, Source, TableLayout, layout};
use crate::model::resolve::Step;
use crate::syntax::Unit;

/// A table of the data model document.
pub(super) struct TableView {
    pub name: String,
    pub purpose: Option<String>,
    pub boundary: Option<String>,
    pub partition: String,
    pub sort: String,
    pub taxonomy: Vec<String>,
    pub items: Option<Grid>,
    pub attributes: Vec<AttributeRow>,
    /// TTL, stream and recovery, each a line of its own.
    pub settings: Vec<String>,
    pub bounds: Vec<String>,
    pub served: String,
    pub capacity: String,
    pub indexes: Vec<IndexView>,
}

/// An index of the data model document.
pub(super) struct IndexView {
    pub name: String,
    pub kind: &'static str,
    pub purpose: Option<String>,
    pub partition: String,
    pub sort: String,
    pub multi: Option<String>,
    pub items: Option<Grid>,
    pub projection: String,
    pub projected: Vec<String>,
    pub sparse: String,
    pub served: String,
}

/// A table whose columns depend on the model.
pub(super) struct Grid {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// Fills the view of a table.
pub(super) fn table_view(outline: &Outline<'_>, table: &Entry<'_, TableDef>, patterns: &[Pattern<'_>]) -> TableView {
    let def = table.def;
    // A table without a name has no layout; its clauses are shown all the same.
    let layout = layout(outline.db, outline.root, table.decl).as_ref();
    let keys = |of: fn(&TableLayout) -> &[KeyAttribute]| layout.map(of).unwrap_or_default();
    let source = layout.map(TableLayout::table);
    TableView {
        name: shown(table.name),
        purpose: table.doc.map(prose),
        boundary: def.boundary.as_ref().and_then(said).map(inline),
        partition: key(def.partition.as_ref(), keys(|layout| &layout.partition)),
        sort: key(def.sort.as_ref(), keys(|layout| &layout.sort)),
        taxonomy: layout.map(taxonomy).unwrap_or_default(),
        items: source.and_then(items),
        attributes: layout.map(|layout| attributes(outline, layout)).unwrap_or_default(),
        settings: settings(def),
        bounds: bounds(table, patterns),
        served: served(table, None, patterns),
        capacity: capacity(outline, def),
        indexes: def.indexes.iter().map(|index| index_view(table, index, layout, patterns)).collect(),
    }
}

/// A key clause with the types of its parts and its reason.
fn key(def: Option<&KeyDef>, layout: &[KeyAttribute]) -> String {
    let Some(def) = def.filter(|def| !def.parts.is_empty()) else {
        return match layout.is_empty() {
            true => String::from("none"),
            // A local index has the partition key of its table.
            false => format!("{} (that of the table)", codes(layout.iter().map(|part| part.name.as_str()))),
        };
    };
    let parts: Vec<String> = def
        .parts
        .iter()
        .map(|part| {
            let known = layout.iter().find(|attribute| attribute.name == part.name.text);
            match part.ty.or_else(|| known.and_then(|attribute| attribute.ty)) {
                Some(ty) => format!("{} ({}, {})", code(&part.name.text), ty.word(), ty.letter()),
                None => format!("{} (type not declared)", code(&part.name.text)),
            }
        })
        .collect();
    let because = def.because.as_ref().and_then(said).map(|because| format!(". {}", inline(because)));
    format!("{}{}", parts.join(", "), because.unwrap_or_default())
}

/// The forms of the sort key and the entities that have them.
fn taxonomy(layout: &TableLayout) -> Vec<String> {
    let mut lines = Vec::new();
    if layout.sort.is_empty() {
        return lines;
    }
    for item in &layout.items {
        let value = spell::key_of(item, layout.sort.iter());
        lines.push(format!("{}: {}", code(&value), inline(&item.entity)));
    }
    lines
}

/// The items of a table or index with the values of its key attributes.
fn items(source: Source<'_>) -> Option<Grid> {
    let mut header = vec![String::from("Item")];
    header.extend(source.key().map(|attribute| code(&attribute.name)));
    let embeds = source.index.is_none() && source.layout.items.iter().any(|item| !item.embeds.is_empty());
    if embeds {
        header.push(String::from("Embeds"));
    }
    let rows: Vec<Vec<String>> = source
        .items()
        .map(|item| {
            let mut row = vec![inline(&item.entity)];
            row.extend(source.key().map(|attribute| match item.keys.get(&attribute.name) {
                Some(value) => code(&spell::key_value(&value.value)),
                None => String::from("missing"),
            }));
            if embeds {
                let embeds = item.embeds.iter().map(|embed| match &embed.list {
                    Some(list) => format!("{} as {}", inline(&embed.entity), code(list)),
                    None => inline(&embed.entity),
                });
                let embeds: Vec<String> = embeds.collect();
                row.push(if embeds.is_empty() { String::from("–") } else { embeds.join(", ") });
            }
            row
        })
        .collect();
    if rows.is_empty() { None } else { Some(Grid { header, rows }) }
}

fn settings(def: &TableDef) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(attribute) = def.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref()) {
        lines.push(format!("**TTL**: {}", code(&attribute.text)));
    }
    if let Some(view) = &def.stream {
        lines.push(format!("**Stream**: {}", code(&view.value)));
    }
    if def.point_in_time_recovery {
        lines.push(String::from("**Point-in-Time Recovery**: on"));
    }
    lines
}

/// How far each query and scan of a table and its indexes is bounded.
fn bounds(table: &Entry<'_, TableDef>, patterns: &[Pattern<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for pattern in patterns {
        for step in pattern.steps.iter().filter(|step| step.resolved.table == Some(table.decl)) {
            let Some(bound) = step.bound() else { continue };
            let pages = pattern.def.pages.as_ref().and_then(|pages| measure(pages, Unit::Number));
            let pages = pages.map(|pages| format!("; pages: {pages}")).unwrap_or_default();
            lines.push(format!("{}: {} with {bound}{pages}", pattern.reference(), step.step.op.word()));
        }
    }
    lines
}

/// The patterns that use a table itself, or one of its indexes.
fn served(table: &Entry<'_, TableDef>, index: Option<&str>, patterns: &[Pattern<'_>]) -> String {
    let users: Vec<String> = patterns
        .iter()
        .filter(|pattern| pattern.steps.iter().any(|step| step.uses(table.decl, index)))
        .map(Pattern::reference)
        .collect();
    if users.is_empty() { String::from("none") } else { users.join(", ") }
}

fn capacity(outline: &Outline<'_>, def: &TableDef) -> String {
    let application = outline.application.as_ref().map(|application| application.def);
    let mode = def.capacity.as_ref().or(application.and_then(|application| application.capacity.as_ref()));
    let class = def.class.or(application.and_then(|application| application.class));
    format!("{}; table class {}", spell::capacity(mode), spell::class(class))
}

fn index_view(
    table: &Entry<'_, TableDef>,
    def: &IndexDef,
    layout: Option<&TableLayout>,
    patterns: &[Pattern<'_>],
) -> IndexView {
    let name = def.name.as_ref().map(|name| name.text.as_str());
    let index = layout.zip(name).and_then(|(layout, name)| layout.index(name));
    let source = layout.zip(index).map(|(layout, index)| layout.of_index(index));
    let keys = |of: fn(&IndexLayout) -> &[KeyAttribute]| index.map(of).unwrap_or_default();
    let purpose = def.purpose.as_ref().and_then(said).map(inline);
    // An index that has no name yet is used by no pattern.
    let users = || patterns.iter().filter(|_| name.is_some());
    let used = |step: &Step<'_>| step.uses(table.decl, name);
    IndexView {
        name: shown(name),
        kind: def.kind.short(),
        purpose: def
            .doc
            .as_deref()
            .map(prose)
            .into_iter()
            .chain(purpose)
            .reduce(|a, b| format!("{} {b}", sentence(&a))),
        partition: key(def.partition.as_ref(), keys(|index| &index.partition)),
        sort: key(def.sort.as_ref(), keys(|index| &index.sort)),
        multi: multi(def),
        items: source.and_then(items),
        projection: projection(def, source),
        projected: users()
            .filter(|pattern| pattern.steps.iter().any(used))
            .map(|pattern| format!("{}: {}", pattern.reference(), pattern.attributes()))
            .collect(),
        sparse: sparse(def, source),
        served: if name.is_some() { served(table, name, patterns) } else { String::from("none") },
    }
}

/// Which keys are made of several attributes, in which order.
fn multi(def: &IndexDef) -> Option<String> {
    let keys = [("partition key", &def.partition), ("sort key", &def.sort)];
    let several: Vec<String> = keys
        .into_iter()
        .filter_map(|(what, key)| Some((what, key.as_ref().filter(|key| key.parts.len() > 1)?)))
        .map(|(what, key)| format!("{what} of {}", codes(key.parts.iter().map(|part| part.name.text.as_str()))))
        .collect();
    if several.is_empty() { None } else { Some(several.join("; ")) }
}

fn projection(def: &IndexDef, source: Option<Source<'_>>) -> String {
    let kind = def.projection.as_ref().and_then(|projection| projection.kind);
    let included = || codes(def.projection.iter().flat_map(|p| &p.attributes).map(|name| name.text.as_str()));
    let mut text = match kind {
        None => String::from("all (none declared)"),
        Some(ProjectionKind::All) => String::from("all"),
        Some(ProjectionKind::KeysOnly) => String::from("keys only"),
        Some(ProjectionKind::Include) => format!("include {}", included()),
    };
    let narrow = matches!(kind, Some(ProjectionKind::KeysOnly | ProjectionKind::Include));
    if let Some(source) = source.filter(|_| narrow) {
        let mut names: Vec<&str> = Vec::new();
        for key in source.layout.primary_key().chain(source.key()) {
            if !names.contains(&key.name.as_str()) {
                names.push(&key.name);
            }
        }
        let keys = codes(names);
        text = match kind {
            Some(ProjectionKind::KeysOnly) => format!("{text}: {keys}"),
            _ => format!("{text}, besides the keys {keys}"),
        };
    }
    let because = def.projection.as_ref().and_then(|projection| projection.because.as_ref()).and_then(said);
    match because {
        Some(because) => format!("{text}. {}", inline(because)),
        None => text,
    }
}

/// Which items of the table are in the index, and whether that is asserted.
fn sparse(def: &IndexDef, source: Option<Source<'_>>) -> String {
    let mut parts = Vec::new();
    if let Some(sparse) = &def.sparse {
        parts.push(match sparse.because.as_ref().and_then(said) {
            Some(because) => format!("declared sparse: {}", inline(because).trim_end_matches('.')),
            None => String::from("declared sparse"),
        });
    }
    for item in source.iter().flat_map(|source| &source.layout.items) {
        let source = source.expect("its items are gone through");
        let entity = inline(&item.entity);
        parts.push(match membership(source, item) {
            Membership::All => format!("every {entity} is in it"),
            Membership::Some(attributes) => format!("only {entity} items that have {}", codes(attributes)),
            Membership::None(attributes) => format!("no {entity}: it has no value for {}", codes(attributes)),
        });
    }
    if parts.is_empty() { String::from("not known") } else { parts.join("; ") }
}

/// Which items of an entity an index holds.
enum Membership<'l> {
    All,
    /// Those with a value for these key attributes.
    Some(Vec<&'l str>),
    /// None: these key attributes have no value.
    None(Vec<&'l str>),
}

fn membership<'l>(source: Source<'l>, item: &'l ItemLayout) -> Membership<'l> {
    let names = |wanted: &dyn Fn(&str) -> bool| -> Vec<&'l str> {
        source.key().map(|key| key.name.as_str()).filter(|name| wanted(name)).collect()
    };
    let missing = names(&|name| !item.keys.contains_key(name));
    let optional = names(&|name| item.keys.get(name).is_some_and(|source| source.optional));
    match (missing.is_empty(), optional.is_empty()) {
        (false, _) => Membership::None(missing),
        (true, false) => Membership::Some(optional),
        (true, true) => Membership::All,
    }
}
