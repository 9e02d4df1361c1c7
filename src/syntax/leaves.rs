//! The leaves of a tree: its tokens, in the order of the text.

use tree_sitter::{Node, Tree};

/// A token with the node that it is a part of.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'t> {
    pub node: Node<'t>,
    pub parent: Option<Node<'t>>,
    /// The field of the parent that the token is in.
    pub field: Option<&'t str>,
}

/// What to do with a node on the way to the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Its own leaves are wanted.
    Enter,
    /// It is wanted in one piece.
    Whole,
}

/// The leaves that hold any text. `visit` is told of every node that has children,
/// with the nodes around it, the outermost first.
///
/// The walk is one with an explicit stack: nesting may be deep, and a node that is
/// asked for its parent looks for it from the root down.
pub fn leaves<'t>(tree: &'t Tree, visit: impl Fn(Node<'t>, &[Node<'t>]) -> Visit) -> Vec<Leaf<'t>> {
    let mut leaves = Vec::new();
    let mut around: Vec<Node<'t>> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.child_count() > 0 && visit(node, &around) == Visit::Enter && cursor.goto_first_child() {
            around.push(node);
            continue;
        }
        if !node.byte_range().is_empty() {
            leaves.push(Leaf { node, parent: around.last().copied(), field: cursor.field_name() });
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return leaves;
            }
            around.pop();
        }
    }
}

/// The leaves with every string in one piece.
pub fn tokens(tree: &Tree) -> Vec<Leaf<'_>> {
    leaves(tree, |node, _| match node.kind() {
        "string" | "template" => Visit::Whole,
        _ => Visit::Enter,
    })
}
