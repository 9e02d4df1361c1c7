//! The symbols of a file.

use super::{Symbol, SymbolKind};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::lower::{keyword_start, lowered};
use crate::syntax::TextRange;

/// The symbols of a file in the order of its text.
pub(super) fn symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    let placed = file.decls(db).iter().zip(file.starts(db));
    placed
        .filter_map(|(decl, start)| {
            let text = &decl.chunk(db).text;
            let whole = TextRange::new(keyword_start(text), text.len());
            let mut symbol = symbol(lowered(db, *decl), whole)?;
            shift(&mut symbol, *start);
            Some(symbol)
        })
        .collect()
}

fn shift(symbol: &mut Symbol, by: u32) {
    symbol.range = symbol.range.shifted(by);
    symbol.selection = symbol.selection.shifted(by);
    for child in &mut symbol.children {
        shift(child, by);
    }
}

fn new(
    kind: SymbolKind,
    name: impl Into<String>,
    detail: impl Into<String>,
    range: TextRange,
    selection: TextRange,
) -> Symbol {
    // Clients refuse a selection outside the range, and a name without a letter.
    let name = Some(name.into()).filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "?".to_owned());
    let selection = if range.contains(selection) { selection } else { TextRange::empty(range.start as usize) };
    Symbol { name, detail: detail.into(), kind, range, selection, children: Vec::new() }
}

fn symbol(lowered: &Lowered, whole: TextRange) -> Option<Symbol> {
    let name = lowered.name.as_ref();
    let named = |kind, detail: &str| {
        let selection = name.map_or(TextRange::empty(whole.start as usize), |name| name.range);
        new(kind, name.map_or("", |name| &name.text), detail, whole, selection)
    };
    let note = |text: &Option<Text>, detail: &str| {
        let selection = text.as_ref().map_or(TextRange::empty(whole.start as usize), |text| text.range);
        new(SymbolKind::Note, text.as_ref().map_or("", |text| &text.value), detail, whole, selection)
    };
    Some(match &lowered.def {
        Def::Application(_) => named(SymbolKind::Application, "application"),
        Def::Entity(entity) => {
            let mut symbol = named(SymbolKind::Entity, "entity");
            symbol.children = entity.attributes.iter().map(attribute).collect();
            symbol
        }
        Def::Relationship(relationship) => {
            let end = |name: &Option<Name>| name.as_ref().map_or("?", |name| &name.text).to_owned();
            let card = relationship.cardinality.map_or("?", Cardinality::written);
            let title = format!("{} {card} {}", end(&relationship.left), end(&relationship.right));
            let first = relationship.left.as_ref().map(|name| name.range);
            let ends = first.map(|left| relationship.right.as_ref().map_or(left, |right| left.cover(right.range)));
            new(SymbolKind::Relationship, title, "relationship", whole, ends.unwrap_or_default())
        }
        Def::Aggregate(aggregate) => {
            let names: Vec<&str> = aggregate.entities.iter().map(|name| name.text.as_str()).collect();
            let selection = aggregate.entities.first().map(|name| name.range).unwrap_or_default();
            new(SymbolKind::Aggregate, names.join(", "), "aggregate", whole, selection)
        }
        Def::Table(table) => {
            let mut symbol = named(SymbolKind::Table, "table");
            symbol.children = table_children(table);
            symbol
        }
        Def::Pattern(pattern) => {
            let mut symbol = named(SymbolKind::Pattern, "pattern");
            symbol.children = pattern.operations.iter().flat_map(operations).collect();
            symbol
        }
        Def::Workflow(workflow) => {
            let names: Vec<&str> = workflow.patterns.iter().map(|name| name.text.as_str()).collect();
            named(SymbolKind::Workflow, &names.join(" → "))
        }
        Def::Consideration(text) => note(text, "consideration"),
        Def::Tradeoff { text, .. } => note(text, "tradeoff"),
        Def::Import(import) => {
            let path = import.path.as_ref();
            let selection = path.map(|path| path.range).unwrap_or_default();
            new(SymbolKind::Import, path.map_or("", |path| &path.value), "import", whole, selection)
        }
        Def::Allow | Def::Junk => return None,
    })
}

fn attribute(attribute: &AttributeDef) -> Symbol {
    let optional = if attribute.optional { "?" } else { "" };
    let id = if attribute.id { " @id" } else { "" };
    let detail = format!("{}{optional}{id}", attribute.ty.spelling());
    new(SymbolKind::Attribute, &attribute.name.text, detail, attribute.range, attribute.name.range)
}

fn table_children(table: &TableDef) -> Vec<Symbol> {
    let mut children = keys(&table.partition, &table.sort);
    for item in &table.items {
        let selection = item.entity.as_ref().map(|name| name.range).unwrap_or(item.range);
        let name = item.entity.as_ref().map_or("", |name| &name.text);
        let embeds: Vec<&str> = item.embeds.iter().map(|embed| embed.entity.text.as_str()).collect();
        let detail = if embeds.is_empty() { "item".to_owned() } else { format!("item, embeds {}", embeds.join(", ")) };
        let mut symbol = new(SymbolKind::Item, name, detail, item.range, selection);
        let lists = item.embeds.iter().filter_map(|embed| Some((embed, embed.list.as_ref()?)));
        let list = |(embed, list): (&EmbedDef, &Name)| {
            let detail = format!("list of {}", embed.entity.text);
            new(SymbolKind::Attribute, &list.text, detail, embed.range, list.range)
        };
        symbol.children = lists.map(list).collect();
        children.push(symbol);
    }
    for index in &table.indexes {
        let selection = index.name.as_ref().map(|name| name.range).unwrap_or_default();
        let name = index.name.as_ref().map_or("", |name| &name.text);
        let mut symbol = new(SymbolKind::Index, name, index.kind.short(), index.range, selection);
        symbol.children = keys(&index.partition, &index.sort);
        children.push(symbol);
    }
    children.sort_by_key(|child| child.range.start);
    children
}

fn keys(partition: &Option<KeyDef>, sort: &Option<KeyDef>) -> Vec<Symbol> {
    let both = [(partition, "partition key"), (sort, "sort key")];
    let parts =
        both.into_iter().flat_map(|(key, detail)| key.iter().flat_map(|key| &key.parts).map(move |p| (p, detail)));
    parts.map(|(part, detail)| new(SymbolKind::Key, &part.name.text, detail, part.range, part.name.range)).collect()
}

/// A step alone, or a transaction or batch with its steps inside.
fn operations(operation: &OperationDef) -> Vec<Symbol> {
    let steps = operation.steps.iter().map(step);
    let Some(group) = &operation.group else { return steps.collect() };
    let name = format!("{} {}", group.kind.word(), group.mode.word());
    let mut symbol = new(SymbolKind::Operation, name, "", operation.range, group.range);
    symbol.children = steps.collect();
    vec![symbol]
}

fn step(step: &StepDef) -> Symbol {
    let subject = step.op.subject().map(|subject| format!(" {}", subject.entity.text)).unwrap_or_default();
    let table = step.op.table().map_or("?", |name| &name.text);
    let index = step.op.index().map(|name| format!(".{}", name.text)).unwrap_or_default();
    let detail = format!("{table}{index}");
    let selection = TextRange::new(step.range.start as usize, step.range.start as usize + step.op.word().len());
    new(SymbolKind::Operation, format!("{}{subject}", step.op.word()), detail, step.range, selection)
}
