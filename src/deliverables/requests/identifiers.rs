//! Names of constants in TypeScript.

use std::collections::BTreeSet;

/// Words that no constant can be called, and those that mean something else in
/// what is printed around it.
const TAKEN: &[&str] = &[
    "abstract",
    "any",
    "arguments",
    "as",
    "async",
    "await",
    "bigint",
    "boolean",
    "break",
    "Buffer",
    "case",
    "catch",
    "class",
    "client",
    "const",
    "continue",
    "debugger",
    "declare",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "is",
    "item",
    "items",
    "keyof",
    "let",
    "module",
    "namespace",
    "never",
    "new",
    "null",
    "number",
    "Number",
    "object",
    "Object",
    "of",
    "package",
    "page",
    "pages",
    "private",
    "protected",
    "public",
    "Record",
    "readonly",
    "require",
    "return",
    "self",
    "set",
    "Set",
    "static",
    "string",
    "String",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unique",
    "unknown",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Hands out names, each once.
#[derive(Default)]
pub(super) struct Identifiers {
    given: BTreeSet<String>,
}

impl Identifiers {
    /// A name like this one: `user_id` becomes `userId`, and where that is taken,
    /// `userId2`.
    pub fn like(&mut self, name: &str) -> String {
        let mut base = camel(name);
        if TAKEN.contains(&base.as_str()) {
            base.push_str("Value");
        }
        self.first_free(&base)
    }

    /// The name of a result: this one, or with a number behind it.
    pub fn result(&mut self, name: &str) -> String {
        self.first_free(name)
    }

    fn first_free(&mut self, base: &str) -> String {
        let numbered = (2_usize..).map(|number| format!("{base}{number}"));
        let mut names = std::iter::once(base.to_owned()).chain(numbered);
        let own = names.find(|name| !self.given.contains(name)).unwrap_or_default();
        self.given.insert(own.clone());
        own
    }
}

/// `user_id` as `userId`: ASCII letters and digits, a small letter first.
fn camel(name: &str) -> String {
    let mut out = String::new();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    for word in words {
        let (first, rest) = word.split_at(1);
        match out.is_empty() {
            // `PK` and `SKU` are small as a whole, `OrderId` keeps its hump.
            true if word.chars().all(|c| !c.is_ascii_lowercase()) => out.push_str(&word.to_ascii_lowercase()),
            true => out.push_str(&format!("{}{rest}", first.to_ascii_lowercase())),
            false => out.push_str(&format!("{}{rest}", first.to_ascii_uppercase())),
        }
    }
    out.truncate(60);
    match out.chars().next() {
        None => String::from("value"),
        Some(c) if c.is_ascii_digit() => format!("value{out}"),
        Some(_) => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_typescript_and_given_once() {
        let mut identifiers = Identifiers::default();
        let names =
            ["user_id", "user-id", "PK", "GSI1PK", "OrderId", "class", "class", "🦀", "1st", "client", "class_value"];
        let given: Vec<String> = names.iter().map(|name| identifiers.like(name)).collect();
        assert_eq!(
            given,
            [
                "userId",
                "userId2",
                "pk",
                "gsi1pk",
                "orderId",
                "classValue",
                "classValue2",
                "value",
                "value1st",
                "clientValue",
                "classValue3"
            ]
        );
    }
}
