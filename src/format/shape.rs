//! Whether two texts parse alike.

use crate::syntax::{Chunk, FileParse};
use tree_sitter::{Node, TreeCursor};

/// Whether `text` parses to the one declaration `chunk`, and to the same nodes
/// with the same tokens.
pub(super) fn parses_alike(chunk: &Chunk, text: &str) -> bool {
    let parse = FileParse::new(text);
    let [placed] = parse.chunks.as_slice() else { return false };
    placed.chunk.kind == chunk.kind && same_tree(chunk, &placed.chunk)
}

/// Whether the trees of two declarations differ in nothing but positions.
pub(super) fn same_tree(a: &Chunk, b: &Chunk) -> bool {
    let (mut left, mut right) = (a.tree.walk(), b.tree.walk());
    loop {
        let (x, y) = (left.node(), right.node());
        if x.kind_id() != y.kind_id() || x.is_missing() != y.is_missing() {
            return false;
        }
        let down = left.goto_first_child();
        if down != right.goto_first_child() {
            return false;
        }
        if down {
            continue;
        }
        if leaf_text(x, &a.text) != leaf_text(y, &b.text) {
            return false;
        }
        match (advance(&mut left), advance(&mut right)) {
            (Some(up), Some(same)) if up == same => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// The text of a token; blanks at the end of a comment are no part of it.
fn leaf_text<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    let text = text.get(node.byte_range()).unwrap_or("");
    if node.kind().ends_with("comment") { text.trim_end_matches([' ', '\t']) } else { text }
}

/// Goes to the next node that is not below this one; says how far up the way led.
pub(super) fn advance(cursor: &mut TreeCursor<'_>) -> Option<usize> {
    let mut up = 0;
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return None;
        }
        up += 1;
    }
    Some(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_makes_no_difference_and_all_else_does() {
        let chunk = &FileParse::new("entity A { a: string %% }").chunks[0].chunk;
        assert!(parses_alike(chunk, "entity A {\n  a:  string\n  %%\n}\n"));
        for other in
            ["entity A { b: string %% }", "entity A { a: string }", "entity A { a: string %%", "table A {}", ""]
        {
            assert!(!parses_alike(chunk, other), "{other}");
        }
    }
}
