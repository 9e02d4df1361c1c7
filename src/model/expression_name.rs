//! Names in expressions of DynamoDB's API: which stand there as they are, and
//! what stands in the place of the others.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The words that DynamoDB reserves, in capitals (S22).
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("reserved_words.txt").lines().collect());

/// Whether DynamoDB reserves a name, in capitals or not.
pub fn is_reserved(name: &str) -> bool {
    WORDS.contains(name.to_ascii_uppercase().as_str())
}

/// Whether a character can stand in a name or placeholder of an expression.
pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a name stands in expressions as it is. One that begins with `_` would
/// do in some of them; an alias does in all.
pub fn stands_bare(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word) && !is_reserved(name)
}

/// A name as the word of a placeholder: what cannot stand there becomes `_`.
pub fn word(name: &str) -> String {
    let word: String = name.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        assert_eq!(WORDS.len(), 573);
        assert!(WORDS.iter().all(|word| word.chars().all(|c| c.is_ascii_uppercase() || c == '_')));
        assert!(["STATUS", "name", "TTL", "Items"].iter().all(|word| is_reserved(word)));
        assert!(["ID", "EMAIL", "TITLE", "PRICE"].iter().all(|word| !is_reserved(word)));
    }

    #[test]
    fn what_is_reserved_or_odd_stands_behind_an_alias() {
        let bare = ["user_id", "a1", "Amount", "status", "_x", "2fa", "user-id", "Größe", ""].map(stands_bare);
        assert_eq!(bare, [true, true, true, false, false, false, false, false, false]);
        assert_eq!(["user-id", "status", "a b.c", "Größe", ""].map(word), ["user_id", "status", "a_b_c", "Gr__e", "_"]);
    }
}
