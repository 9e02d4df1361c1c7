//! The tree-sitter grammar of Keywright's DynamoDB data models (`.dynamo`).
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("entity User { id: uuid @id }", None).unwrap();
//! assert!(!tree.root_node().has_error());
//! ```

use tree_sitter_language::LanguageFn;

extern "C" {
    fn tree_sitter_dynamo() -> *const ();
}

/// The language itself, for [`Parser::set_language`].
///
/// [`Parser::set_language`]: https://docs.rs/tree-sitter/*/tree_sitter/struct.Parser.html#method.set_language
// SAFETY: the generated parser exports this function, and it returns a pointer
// to a static `TSLanguage`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_dynamo) };

/// The node types of the grammar, as tree-sitter's `node-types.json`.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// The query for syntax highlighting.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The query for embedded languages: the Markdown of doc comments.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");

/// The query for scopes, definitions and references.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// The query for foldable ranges.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// The query for indentation.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// The query for code navigation.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");
