//! Words and separators in the text of keys, for rules about prefixes.

use crate::syntax::strings::quote_string;

/// The text up to its first separator, that included; all of it where it has none.
pub(super) fn word_end(text: &str) -> &str {
    let separator = text.char_indices().find(|(_, c)| !is_word(*c));
    separator.map_or(text, |(at, c)| &text[..at + c.len_utf8()])
}

/// Whether a character continues a word of a key value. `_` does: entities of
/// two words are written with it, `ORDER_ITEM#`.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Text as it is written between the quotes of a key template.
pub(super) fn in_template(text: &str) -> String {
    let written = quote_string(&text.replace('{', "{{").replace('}', "}}"));
    written[1..written.len() - 1].to_owned()
}
