//! Views of syntax nodes: what lowering and the editor features ask of a node.

use super::range::TextRange;
use super::strings::unquote_name;
use tree_sitter::Node;

/// A node together with the text that it was parsed from.
#[derive(Clone, Copy)]
pub struct View<'t> {
    pub node: Node<'t>,
    pub text: &'t str,
}

impl<'t> View<'t> {
    /// A node of the tree that `text` was parsed to.
    pub fn new(node: Node<'t>, text: &'t str) -> Self {
        Self { node, text }
    }

    /// The node's kind, as the grammar names it.
    pub fn kind(self) -> &'t str {
        self.node.kind()
    }

    /// The bytes of the node in the text.
    pub fn range(self) -> TextRange {
        TextRange::of(self.node)
    }

    /// The text of the node.
    pub fn source(self) -> &'t str {
        self.text.get(self.node.byte_range()).unwrap_or("")
    }

    /// The name that a `name` node spells.
    pub fn name(self) -> &'t str {
        unquote_name(self.source())
    }

    /// The child in a field; none where the parser had to invent it.
    pub fn field(self, name: &str) -> Option<View<'t>> {
        let mut cursor = self.node.walk();
        let found = self.node.children_by_field_name(name, &mut cursor).find(|n| !n.is_missing());
        found.map(|node| View::new(node, self.text))
    }

    /// All children in a field, in order. Separators that the grammar put into
    /// the field with them are left out.
    pub fn fields(self, name: &str) -> Vec<View<'t>> {
        let mut cursor = self.node.walk();
        self.node
            .children_by_field_name(name, &mut cursor)
            .filter(|n| n.is_named() && !n.is_missing())
            .map(|node| View::new(node, self.text))
            .collect()
    }

    /// The named children that are no comments.
    pub fn children(self) -> Vec<View<'t>> {
        let mut cursor = self.node.walk();
        self.node.named_children(&mut cursor).filter(|n| !n.is_extra()).map(|node| View::new(node, self.text)).collect()
    }

    /// The first token with this text among the children: a keyword's place.
    pub fn token(self, text: &str) -> Option<TextRange> {
        let mut cursor = self.node.walk();
        let found = self.node.children(&mut cursor).find(|n| n.kind() == text);
        found.map(TextRange::of)
    }
}
