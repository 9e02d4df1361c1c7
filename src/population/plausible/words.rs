//! The words of a name: `customerName` and `customer_name` are of the same two.

/// The words of a name in small letters.
pub(in crate::population) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = (c.is_uppercase() && (before.is_lowercase() || before.is_numeric())) || !c.is_alphanumeric();
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether one of the words is one of these.
pub(super) fn has(words: &[String], any: &[&str]) -> bool {
    words.iter().any(|word| any.contains(&word.as_str()))
}

/// Whether the last of the words is one of these.
pub(super) fn ends(words: &[String], any: &[&str]) -> bool {
    words.last().is_some_and(|word| any.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words_however_they_are_written() {
        for name in ["customer_name", "customerName", "CustomerName", "customer-name", "customer name_"] {
            assert_eq!(words(name), ["customer", "name"], "{name}");
        }
        assert_eq!(words("SKU"), ["sku"]);
        assert_eq!(words("line2Total"), ["line2", "total"]);
        assert_eq!(words("__"), Vec::<String>::new());
    }
}
