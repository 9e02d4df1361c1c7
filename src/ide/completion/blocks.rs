//! Whole declarations, as skeletons whose names are those of the model where they can
//! be.

use super::candidates::Candidates;
use super::context::Context;
use super::cursor::Word;
use super::snippet::{escaped, plain};
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::db::Decl;
use crate::model::layout::placements;
use crate::model::lower::keyword_start;
use crate::syntax::ChunkKind;
use crate::syntax::strings::quote_name;

/// A skeleton.
struct Block {
    label: &'static str,
    kind: ChunkKind,
    about: &'static str,
    snippet: String,
}

/// Adds the declarations, where one may begin at a word.
pub(super) fn declarations(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    if !may_begin(cx, word) {
        return;
    }
    let mut blocks = blocks(cx);
    // A model has one application. Where there is nothing yet, it begins with it.
    let names = cx.names();
    let here = cx.file.decls(cx.db);
    let starts = cx.file.starts(cx.db);
    let own = here.iter().zip(starts).filter(|(decl, start)| {
        let keyword = **start as usize + keyword_start(&decl.chunk(cx.db).text);
        keyword == word.start
    });
    let own: Vec<Decl> = own.map(|(decl, _)| *decl).collect();
    if names.applications.iter().any(|decl| !own.contains(decl)) {
        blocks.retain(|block| block.kind != ChunkKind::Application);
    } else if names.entities.is_empty() {
        blocks.sort_by_key(|block| !matches!(block.kind, ChunkKind::Application | ChunkKind::Entity));
        let first = blocks.iter().position(|block| block.kind == ChunkKind::Application);
        blocks[..=first.unwrap_or(0)].rotate_right(1);
    }
    for block in blocks {
        if !cx.probe(word.start, &plain(&block.snippet)).begins(block.kind) {
            continue;
        }
        let item = CompletionItem::new(CompletionKind::Snippet, block.label).detail(block.about);
        let keyword = block.kind.keyword().unwrap_or(block.label).to_owned();
        found.add(item.snippet(block.snippet).topic(Topic::Keyword(keyword)));
    }
}

/// A declaration begins outside all others. At the margin it also begins where a block
/// above was never closed, if nothing of that block can follow.
fn may_begin(cx: &Context<'_>, word: Word) -> bool {
    if !cx.cursor.begins_line(word.start) {
        return false;
    }
    if cx.name(word.start).is_outside() {
        return true;
    }
    let Some(placed) = cx.placed(word.start) else { return true };
    let rest = cx.cursor.text.get(word.end..placed.range().end as usize).unwrap_or("");
    cx.cursor.at_margin(word.start) && rest.trim().is_empty()
}

fn blocks(cx: &Context<'_>) -> Vec<Block> {
    let names = cx.names();
    let placed = placements(cx.db, cx.root);
    let entities: Vec<&String> = names.entities.keys().collect();
    let entity = |nth: usize, otherwise: &str| proposed(entities.get(nth).map(|name| name.as_str()), otherwise);
    let table = cx.tables().next();
    let table_name = proposed(table.map(|table| table.name.text.as_str()), "Table");
    let held = table.and_then(|table| table.items.first());
    let held_name = proposed(held.map(|item| item.entity.as_str()), "Entity");
    let key = table.and_then(|table| table.partition.first()).map(|part| part.name.as_str());
    let key_name = proposed(key, "key");
    let parameter = key.filter(|key| quote_name(key) == **key).unwrap_or("value");
    // What has no place yet is what a new table is for.
    let homeless = entities.iter().find(|name| !placed.contains_key(**name)).or_else(|| entities.first());
    let homeless_name = proposed(homeless.map(|name| name.as_str()), "Entity");
    let id = homeless.and_then(|name| cx.entity(name)).and_then(|entity| entity.ids().next());
    let id_name = proposed(id.map(|id| id.name.text.as_str()), "id");
    let pattern = proposed(names.patterns.keys().next().map(String::as_str), "Pattern");
    let (left, right) = (entity(0, "Parent"), entity(1, "Child"));
    let block = |label, kind, about, snippet| Block { label, kind, about, snippet };
    vec![
        block(
            "entity",
            ChunkKind::Entity,
            "a kind of thing that is stored",
            "entity ${1:Name} {\n  ${2:id}: ${3:uuid} @id$0\n}".to_owned(),
        ),
        block(
            "table",
            ChunkKind::Table,
            "items under one primary key",
            format!("table ${{1:Name}} {{\n  partition key ${{2:{id_name}}}\n\n  item ${{3:{homeless_name}}}$0\n}}"),
        ),
        block(
            "pattern",
            ChunkKind::Pattern,
            "what the application asks: one item by its key",
            format!("pattern ${{1:Name}} {{\n  get ${{2:{held_name}}} from ${{3:{table_name}}}$0\n}}"),
        ),
        block(
            "pattern query",
            ChunkKind::Pattern,
            "what the application asks: a range of one collection",
            format!(
                "pattern ${{1:Name}} {{\n  query ${{2:{table_name}}} where ${{3:{key_name}}} = :${{4:{parameter}}}$0\n}}"
            ),
        ),
        block(
            "pattern put",
            ChunkKind::Pattern,
            "what the application writes: one item",
            format!("pattern ${{1:Name}} {{\n  put ${{2:{held_name}}} into ${{3:{table_name}}}$0\n}}"),
        ),
        block(
            "pattern transact write",
            ChunkKind::Pattern,
            "what the application writes: several items, or none",
            format!(
                "pattern ${{1:Name}} {{\n  transact write {{\n    put ${{2:{held_name}}} into ${{3:{table_name}}}$0\n  \
                 }}\n}}"
            ),
        ),
        block(
            "relationship",
            ChunkKind::Relationship,
            "how many of one entity belong to another",
            format!("relationship ${{1:{left}}} ${{2:1:N}} ${{3:{right}}}$0"),
        ),
        block(
            "aggregate",
            ChunkKind::Aggregate,
            "entities that belong together, and how they are stored",
            format!(
                "aggregate ${{1:{left}}}, ${{2:{right}}} {{\n  decision ${{3:item_collection}}\n  because \"$0\"\n}}"
            ),
        ),
        block(
            "workflow",
            ChunkKind::Workflow,
            "patterns that one journey runs, in order",
            format!("workflow ${{1:Name}} {{ ${{2:{pattern}}}$0 }}"),
        ),
        block(
            "application",
            ChunkKind::Application,
            "what the model is for",
            "application ${1:Name} {\n  domain \"$2\"\n  region \"${3:us-east-1}\"$0\n}".to_owned(),
        ),
        block("import", ChunkKind::Import, "another file of the model", "import \"$0\"".to_owned()),
        block(
            "allow",
            ChunkKind::Allow,
            "silences a rule in this file",
            "allow ${1:rule-name} because \"$0\"".to_owned(),
        ),
        block("consideration", ChunkKind::Consideration, "a line of the scratchpad", "consideration \"$0\"".to_owned()),
        block(
            "tradeoff",
            ChunkKind::Tradeoff,
            "what was given up, and why",
            "tradeoff \"$1\" because \"$0\"".to_owned(),
        ),
    ]
}

/// A name as a place to fill in has it.
fn proposed(name: Option<&str>, otherwise: &str) -> String {
    escaped(&name.map_or_else(|| otherwise.to_owned(), quote_name))
}
