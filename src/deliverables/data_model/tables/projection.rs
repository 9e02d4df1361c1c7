//! What an index projects, who asks for it, and what it costs beside the other
//! projections.

use super::keys::figure;
use crate::capacity::design::{all_laid_out, drawing_on, drawn};
use crate::capacity::facts::Declared;
use crate::capacity::prices::{GB, Mode, mode};
use crate::capacity::show;
use crate::capacity::stock::stock;
use crate::deliverables::markdown::{codes, inline};
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::index_reads::{asks_for, copied, stored};
use crate::model::layout::{IndexLayout, ItemLayout, Source, TableLayout};
use crate::model::resolve::Step;

/// The projection as it is declared, with its reason.
pub(super) fn projection(def: &IndexDef, source: Option<Source<'_>>) -> String {
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

/// A step of a pattern that reads an index, and what it asks of the items.
struct Reader<'p, 'db> {
    pattern: &'p Pattern<'db>,
    step: Step<'db>,
}

/// An index that has nothing but its keys and those of its table.
fn bare(index: &IndexLayout) -> IndexLayout {
    IndexLayout { projection: ProjectionKind::KeysOnly, included: Vec::new(), ..index.clone() }
}

/// The steps that read an index.
fn readers<'p, 'db>(patterns: &'p [Pattern<'db>], source: Source<'_>) -> Vec<Reader<'p, 'db>> {
    let index = source.index.map(|index| index.name.text.as_str());
    let of = |pattern: &'p Pattern<'db>| {
        let reads = |step: &&Step<'db>| step.step.op.reads() && step.uses(source.layout.decl, index);
        pattern.steps.iter().filter(reads).map(move |step| Reader { pattern, step: *step })
    };
    patterns.iter().flat_map(of).collect()
}

/// What a step asks of the items of an index: attributes by name, or all that it has.
enum Asked {
    /// It says nowhere what it needs.
    Whatever,
    Named(Vec<String>),
}

impl Reader<'_, '_> {
    fn items<'l>(&self, source: Source<'l>) -> impl Iterator<Item = &'l ItemLayout> {
        let reached = &self.step.resolved.reached;
        source.items().filter(|item| reached.contains(&item.entity)).collect::<Vec<_>>().into_iter()
    }

    /// What it asks for, in the order of the items' attributes, keys apart.
    fn asks(&self, outline: &Outline<'_>, source: Source<'_>) -> Asked {
        let lists = |requirement: &RequirementDef| !requirement.writes && !requirement.uses.is_empty();
        let projects = self.step.step.op.options().is_some_and(|options| !options.project.is_empty());
        let is_named = projects || self.pattern.def.requirements.iter().any(lists);
        let mut named: Vec<String> = Vec::new();
        let mut whole = !is_named;
        let bare = source.index.map(bare);
        let keys = Source { layout: source.layout, index: bare.as_ref() };
        for item in self.items(source) {
            let all = stored(outline.db, item);
            let asked: Vec<&String> =
                all.iter().filter(|name| asks_for(outline.db, self.pattern.decl, &self.step, source, name)).collect();
            // Who lists an entity without its attributes takes what there is of it.
            let is_listed = |used: &EntityUse| used.entity.text == item.entity && used.attributes.is_empty();
            whole |=
                !projects && self.pattern.def.requirements.iter().any(|r| !r.writes && r.uses.iter().any(is_listed));
            // What every entry holds of itself need not be projected.
            let keys = keys.projected(item).unwrap_or_default();
            for name in asked.into_iter().filter(|name| !keys.contains(*name)) {
                if !named.contains(name) {
                    named.push(name.clone());
                }
            }
        }
        if whole { Asked::Whatever } else { Asked::Named(named) }
    }

    /// The attributes that it asks for by name and an index does not have.
    fn lacks(&self, outline: &Outline<'_>, source: Source<'_>) -> Vec<String> {
        let Asked::Named(named) = self.asks(outline, source) else { return Vec::new() };
        let lacking = |name: &&String| {
            self.items(source).any(|item| {
                let has = stored(outline.db, item).contains(name);
                has && source.projected(item).is_some_and(|projected| !projected.contains(name.as_str()))
            })
        };
        named.iter().filter(lacking).cloned().collect()
    }
}

/// For each pattern that reads an index: what it asks for, and whether that is
/// projected; and what is projected for nobody.
pub(super) fn per_pattern(outline: &Outline<'_>, source: Source<'_>, patterns: &[Pattern<'_>]) -> Vec<String> {
    let readers = readers(patterns, source);
    if readers.is_empty() {
        return vec![String::from("No pattern reads the index.")];
    }
    let is_local = source.index.is_some_and(|index| index.kind == IndexKind::Local);
    let mut lines: Vec<String> = Vec::new();
    for reader in &readers {
        let start = format!("{}: ", reader.pattern.reference());
        let text = match reader.asks(outline, source) {
            Asked::Whatever => String::from("lists no attributes, and takes what the index has"),
            Asked::Named(named) if named.is_empty() => String::from("needs the keys alone"),
            Asked::Named(named) => {
                let lacking = reader.lacks(outline, source);
                let there: Vec<&str> =
                    named.iter().filter(|name| !lacking.contains(name)).map(String::as_str).collect();
                let needs = format!("needs {}", codes(named.iter().map(String::as_str)));
                let lacking = codes(lacking.iter().map(String::as_str));
                match (lacking.is_empty(), there.is_empty(), is_local) {
                    (true, ..) => format!("{needs}; all of it is projected"),
                    (false, _, true) => format!("{needs}; {lacking} is fetched from the table, item by item"),
                    (false, true, false) => format!("{needs}; nothing of it is projected: {lacking} is missing"),
                    (false, false, false) => format!("{needs}; {lacking} is not projected, and missing"),
                }
            }
        };
        let line = format!("{start}{text}");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let unread: Vec<String> = unread(outline, source, &readers);
    if !unread.is_empty() {
        lines.push(format!("Projected, and asked for by none of them: {}", codes(unread.iter().map(String::as_str))));
    }
    lines
}

/// What is copied and no reader asks for; nothing where one takes what there is.
fn unread(outline: &Outline<'_>, source: Source<'_>, readers: &[Reader<'_, '_>]) -> Vec<String> {
    let mut copied = copied(outline.db, source);
    copied.retain(|name| {
        readers.iter().all(|reader| !asks_for(outline.db, reader.pattern.decl, &reader.step, source, name))
    });
    copied
}

/// A projection beside others.
pub(super) struct Alternative {
    pub name: String,
    pub entry: String,
    pub storage: String,
    pub writes: String,
    pub monthly: String,
    pub enough: String,
}

/// What the projection of an index costs beside `all`, `keys_only` and what its
/// readers ask for.
pub(super) fn alternatives(outline: &Outline<'_>, source: Source<'_>, patterns: &[Pattern<'_>]) -> Vec<Alternative> {
    let Some(index) = source.index.filter(|_| source.items().next().is_some()) else { return Vec::new() };
    let readers = readers(patterns, source);
    let mut choices: Vec<(String, ProjectionKind, Vec<String>)> = Vec::new();
    let mut add = |what: &str, kind: ProjectionKind, included: Vec<String>| {
        let is_known = |(_, known, names): &(String, ProjectionKind, Vec<String>)| {
            *known == kind && (kind != ProjectionKind::Include || same(names, &included))
        };
        if !choices.iter().any(is_known) {
            choices.push((what.to_owned(), kind, included));
        }
    };
    let written = |kind: ProjectionKind, included: &[String]| match kind {
        ProjectionKind::All => String::from("all"),
        ProjectionKind::KeysOnly => String::from("keys only"),
        ProjectionKind::Include => format!("include {}", codes(included.iter().map(String::as_str))),
    };
    let own = format!("**{}** (declared)", written(index.projection, &index.included));
    add(&own, index.projection, index.included.clone());
    let mut asked: Vec<String> = Vec::new();
    let mut whatever = readers.is_empty();
    for reader in &readers {
        match reader.asks(outline, source) {
            Asked::Whatever => whatever = true,
            Asked::Named(named) => asked.extend(named),
        }
    }
    asked.sort();
    asked.dedup();
    if !whatever && !asked.is_empty() {
        let what = format!("{}: what is asked for", written(ProjectionKind::Include, &asked));
        add(&what, ProjectionKind::Include, asked);
    }
    add("all", ProjectionKind::All, Vec::new());
    add("keys only", ProjectionKind::KeysOnly, Vec::new());
    choices
        .into_iter()
        .filter_map(|(name, kind, included)| of(outline, source, &readers, name, kind, included))
        .collect()
}

fn same(a: &[String], b: &[String]) -> bool {
    a.iter().all(|name| b.contains(name)) && b.iter().all(|name| a.contains(name))
}

fn of(
    outline: &Outline<'_>,
    source: Source<'_>,
    readers: &[Reader<'_, '_>],
    name: String,
    kind: ProjectionKind,
    included: Vec<String>,
) -> Option<Alternative> {
    let (db, root, table) = (outline.db, outline.root, source.layout.decl);
    let index = source.index?;
    let facts = Declared { db, root };
    let mut layout: TableLayout = source.layout.clone();
    let place = layout.indexes.iter().position(|own| own.name.range == index.name.range)?;
    layout.indexes[place].projection = kind;
    layout.indexes[place].included = included;
    let other = &layout.indexes[place];
    let patterns = drawing_on(db, root, table, &index.name.text).map(|(decl, _)| decl);
    let numbers = all_laid_out(db, root, &facts, &layout, patterns);
    let drawn = drawn(&facts, &layout, other, numbers.iter().map(|(_, numbers)| numbers));
    let stock = stock(&facts, layout.of_index(other));
    let entry: Vec<String> = stock
        .kinds
        .iter()
        .map(|kind| {
            let bytes = figure(&kind.each, show::bytes, "unknown");
            if stock.kinds.len() > 1 { format!("{}: {bytes}", inline(&kind.entity)) } else { bytes }
        })
        .collect();
    let lacking: Vec<String> = readers
        .iter()
        .filter_map(|reader| {
            let lacks = reader.lacks(outline, layout.of_index(other));
            let lacks = codes(lacks.iter().map(String::as_str));
            let line = match index.kind {
                IndexKind::Global => format!("{} lacks {lacks}", reader.pattern.reference()),
                IndexKind::Local => format!("{} fetches {lacks} from the table", reader.pattern.reference()),
            };
            (!lacks.is_empty()).then_some(line)
        })
        .collect();
    let whatever = readers.iter().filter(|reader| matches!(reader.asks(outline, source), Asked::Whatever));
    let whatever: Vec<String> = whatever.map(|reader| reader.pattern.reference()).collect();
    let enough = match (readers.is_empty(), lacking.is_empty()) {
        (true, _) => String::from("no pattern reads it"),
        (false, false) => lacking.join("; "),
        (false, true) if !whatever.is_empty() && kind != ProjectionKind::All => {
            let lists = if whatever.len() == 1 { "lists" } else { "list" };
            format!("not known: {} {lists} no attributes, and would get no others", whatever.join(", "))
        }
        (false, true) => String::from("all of its patterns"),
    };
    Some(Alternative {
        name,
        entry: entry.join("; "),
        storage: show::figure(&drawn.storage_gb, |gb| show::bytes(gb * GB)),
        writes: show::figure(&drawn.writes, show::number),
        monthly: show::figure(&drawn.monthly(db, root, table), show::dollars),
        enough,
    })
}

/// What has to be known of the numbers of [`alternatives`]. DynamoDB fetches from the
/// table by itself what a local index does not hold, at the price of the table's items.
pub(super) fn alternatives_note(outline: &Outline<'_>, def: &TableDef, kind: IndexKind) -> String {
    let fetched = match kind {
        IndexKind::Global => "what a pattern would have to fetch from the table is not in them",
        IndexKind::Local => "what DynamoDB fetches from the table for a pattern is in them",
    };
    let provisioned = match mode(outline.db, outline.root, def) {
        Mode::OnDemand => "",
        Mode::Provisioned { .. } => ", with units provisioned for nothing else",
    };
    format!(
        "Storage, units and dollars are those of the index alone, on average rates, its reads included{provisioned}; \
         {fetched}."
    )
}
