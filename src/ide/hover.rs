//! What is worth knowing about a place: of a name its declaration and what
//! follows from it, of a keyword its concept, of a finding its rule.

use super::describe;
use super::diagnostics::{findings, range};
use super::lookup::{Spot, model, name_at, spot};
use super::{FileRange, Hover};
use crate::derive::{self, Cx};
use crate::model::db::{Db, SourceFile};
use crate::model::layout::keys_of;
use crate::model::names::{pattern_def, table_def};
use crate::model::refs::{Declared, What};
use crate::pages;
use crate::syntax::TextRange;
use tree_sitter::Node;

/// The hover at `offset` of a file.
pub(super) fn hover(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Hover> {
    let spot = spot(db, file, offset)?;
    let root = model(db, file);
    let mut parts: Vec<String> = Vec::new();
    let mut place: Option<TextRange> = None;
    if let Some(name) = name_at(db, root, spot) {
        let text = if name.rule {
            rule(&name.text)
        } else {
            name.declared.first().and_then(|declared| describe::declared(db, root, *declared))
        };
        // A key is more than the attribute whose name it bears.
        let key = key_at(db, spot).and_then(|key| describe::declared(db, root, key));
        let key = key.filter(|key| text.as_ref() != Some(key));
        for text in key.into_iter().chain(text) {
            parts.push(text);
            place = Some(name.range);
        }
    }
    if parts.is_empty() {
        let numbers = operation(db, root, spot);
        for (text, range) in numbers.into_iter().chain(keyword(db, spot)) {
            parts.push(text);
            place.get_or_insert(range.shifted(spot.start));
        }
    }
    for finding in findings(db, file) {
        let FileRange::Bytes(bytes) = range(db, finding.place) else { continue };
        if bytes.touches(offset) {
            place.get_or_insert(bytes);
            let page = rule(finding.rule.name).unwrap_or_default();
            if !parts.contains(&page) {
                parts.push(page);
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() {
        return None;
    }
    Some(Hover { range: place?, markdown: parts.join("\n\n---\n\n") })
}

/// The page of a rule.
fn rule(name: &str) -> Option<String> {
    pages::rule(name).map(str::to_owned)
}

/// The key part whose name is at a spot of its table.
fn key_at(db: &dyn Db, spot: Spot) -> Option<Declared> {
    let parts = keys_of(table_def(db, spot.decl)?).flat_map(|key| &key.parts);
    let name = parts.map(|part| &part.name).find(|name| name.range.touches(spot.offset))?;
    Some(Declared { decl: spot.decl, range: name.range, what: What::Key })
}

/// The numbers of the step, or of the transaction or batch, whose first word is at
/// a spot.
fn operation(db: &dyn Db, root: SourceFile, spot: Spot) -> Option<(String, TextRange)> {
    let pattern = pattern_def(db, spot.decl)?;
    let cx = Cx::new(db, root);
    for (at, operation) in pattern.operations.iter().enumerate() {
        if let Some(group) = operation.group.as_ref().filter(|group| group.range.touches(spot.offset)) {
            return Some((derive::group(cx, spot.decl, at)?, group.range));
        }
        for (which, step) in operation.steps.iter().enumerate() {
            let start = step.range.start as usize;
            let word = TextRange::new(start, start + step.op.word().len());
            if word.touches(spot.offset) {
                return Some((derive::step(cx, spot.decl, at, which)?, word));
            }
        }
    }
    None
}

/// The concept behind the keyword at a spot.
fn keyword(db: &dyn Db, spot: Spot) -> Option<(String, TextRange)> {
    let chunk = spot.decl.chunk(db);
    let root = chunk.tree.root_node();
    // Between two tokens the cursor belongs to the word before it as well.
    let at = |offset: usize| root.descendant_for_byte_range(offset, (offset + 1).min(chunk.text.len()));
    let before = spot.offset.checked_sub(1);
    [Some(spot.offset), before].into_iter().flatten().find_map(|offset| {
        let node = at(offset)?;
        let text = &chunk.text;
        let concept = words(node, text).into_iter().find_map(|word| pages::keyword(&word))?;
        let mut markdown = format!("**{}**\n\n{}", concept.title, concept.summary());
        if let Some(facts) = concept.facts() {
            markdown.push_str("\n\n");
            markdown.push_str(facts);
        }
        Some((markdown, TextRange::of(node)))
    })
}

/// What a token may be explained as, the most special first: `batch write`
/// before `batch`, `@unique` before `unique`.
fn words(node: Node<'_>, text: &str) -> Vec<String> {
    let source = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("").to_owned();
    let kind = node.kind();
    // Names, numbers and texts explain themselves; so does punctuation.
    let is_value =
        matches!(kind, "name" | "quantity" | "string" | "template" | "comment" | "doc_comment" | "rule_name");
    if is_value || node.is_error() || node.child_count() > 0 {
        return Vec::new();
    }
    let own = source(node);
    let mut words = Vec::new();
    let parent = node.parent();
    let modifier = parent.is_some_and(|parent| parent.kind().ends_with("_modifier"));
    if modifier {
        let word = parent.and_then(|parent| parent.child(1)).map(source).unwrap_or_default();
        words.push(format!("@{word}"));
    }
    if own.is_empty() || !own.starts_with(|c: char| c.is_alphanumeric()) {
        return words;
    }
    if let Some(sibling) = parent.and_then(|parent| parent.child(0)).filter(|first| first.id() != node.id()) {
        words.push(format!("{} {own}", source(sibling)));
    }
    if let Some(next) = node.next_sibling().filter(|next| next.child_count() == 0) {
        words.push(format!("{own} {}", source(next)));
    }
    words.push(own);
    words
}
