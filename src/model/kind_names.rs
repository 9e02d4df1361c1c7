//! What an attribute is called that says which entity an item is.

/// `EntityType`, `entity_type`, `type`, `_type`, `__typename`, `kind` and
/// `itemType`, in letters alone.
const NAMES: [&str; 5] = ["entitytype", "type", "typename", "kind", "itemtype"];

/// Whether an attribute of this name says which entity an item is.
pub fn says_kind(name: &str) -> bool {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES.contains(&letters.as_str())
}
