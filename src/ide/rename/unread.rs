//! Where a name stands in text that cannot be read: what it means there nobody can
//! tell, so that it stays, and whoever renames is told.

use super::class::Class;
use crate::ide::diagnostics::absolute;
use crate::model::db::{Db, Decl};
use crate::model::files::FileKey;
use crate::model::imports::model_decls;
use crate::model::names::is_whole;
use crate::model::occurrences::occurrences;
use crate::rules::finding::Place;
use crate::syntax::TextRange;
use tree_sitter::Node;

/// At most so many are told: whoever has more has other work to do first.
const MOST: usize = 20;

/// The places of the name in the models of a class that could not be read.
pub(super) fn unread(db: &dyn Db, class: &Class, name: &str) -> Vec<(FileKey, TextRange)> {
    let mut found = Vec::new();
    for root in &class.roots {
        for decl in model_decls(db, *root).iter().filter(|decl| !is_whole(db, **decl)) {
            let known = occurrences(db, *root, *decl);
            for range in words(db, *decl, name) {
                let is_read = known.iter().any(|occurrence| occurrence.range.overlaps(range));
                let place =
                    absolute(db, Place { decl: *decl, range }).map(|(file, range)| (file.key(db).clone(), range));
                let Some(place) = place.filter(|place| !is_read && !found.contains(place)) else { continue };
                found.push(place);
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// The words of a declaration that are this name and stand amid an error.
fn words(db: &dyn Db, decl: Decl, name: &str) -> Vec<TextRange> {
    let chunk = decl.chunk(db);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: usize| !chunk.text[..at].ends_with(is_word) && !chunk.text[at + name.len()..].starts_with(is_word);
    let words = chunk.text.match_indices(name).map(|(at, _)| at).filter(|at| whole(*at));
    words
        .filter(|at| {
            let leaf = chunk.tree.root_node().descendant_for_byte_range(*at, at + name.len());
            leaf.is_some_and(|leaf| !is_prose(leaf, &chunk.text) && is_amid_error(leaf))
        })
        .map(|at| TextRange::new(at, at + name.len()))
        .collect()
}

/// Whether a node is a comment, or text in quotes, which may stand where it is not
/// expected.
fn is_prose(node: Node<'_>, text: &str) -> bool {
    matches!(node.kind(), "string_content" | "template_content")
        || text.get(node.byte_range()).is_some_and(|text| text.trim_start().starts_with(['"', '/']))
}

fn is_amid_error(node: Node<'_>) -> bool {
    let is_fault =
        |node: Node<'_>| node.is_error() || node.kind().starts_with("unexpected") || node.kind().starts_with("unknown");
    std::iter::successors(Some(node), Node::parent).any(is_fault)
}
