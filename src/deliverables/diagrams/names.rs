//! Names in a diagram: those that Mermaid refuses stand behind an alias, and
//! the true name is what is shown.

use std::collections::{BTreeMap, BTreeSet};

/// Words that Mermaid's grammars keep to themselves, in lower case, and those
/// that its tables of nodes trip over.
const RESERVED: &[&str] = &[
    "accdescr",
    "acctitle",
    "call",
    "class",
    "classdef",
    "click",
    "constructor",
    "default",
    "direction",
    "end",
    "erdiagram",
    "fk",
    "flowchart",
    "graph",
    "href",
    "linkstyle",
    "many",
    "o",
    "one",
    "only",
    "optionally",
    "pk",
    "prototype",
    "style",
    "subgraph",
    "title",
    "to",
    "u",
    "uk",
    "x",
    "zero",
    "__proto__",
];

/// The longest name that stands for itself, and the longest text of a label: a
/// diagram is there to be seen at a glance.
const LONGEST_NAME: usize = 60;
pub(super) const LONGEST_LABEL: usize = 80;

/// What each of some names is called in a diagram: itself where Mermaid takes
/// it, else an alias that no other name has.
pub(super) struct Aliases<'n> {
    by_name: BTreeMap<&'n str, String>,
}

impl<'n> Aliases<'n> {
    /// The aliases of all names of a diagram. A name that needs none never gives
    /// way to an alias.
    pub fn new(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut odd: Vec<&str> = Vec::new();
        let mut by_name = BTreeMap::new();
        for name in names {
            match is_plain(name) {
                true => _ = by_name.insert(name, name.to_owned()),
                false => odd.push(name),
            }
        }
        let mut taken: BTreeSet<String> = by_name.values().cloned().collect();
        for name in odd {
            if by_name.contains_key(name) {
                continue;
            }
            let base = plain(name);
            let numbered = (2_usize..).map(|number| format!("{base}_{number}"));
            let alias = std::iter::once(base.clone()).chain(numbered).find(|alias| !taken.contains(alias));
            let alias = alias.unwrap_or(base);
            taken.insert(alias.clone());
            by_name.insert(name, alias);
        }
        Self { by_name }
    }

    /// What a name is called, and whether that is an alias.
    pub fn of(&self, name: &'n str) -> (&str, bool) {
        let alias = self.by_name.get(name).map_or(name, String::as_str);
        (alias, alias != name)
    }
}

fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&name.to_ascii_lowercase().as_str())
}

/// The nearest to a name that Mermaid takes.
fn plain(name: &str) -> String {
    let start = name.chars().take(LONGEST_NAME / 2);
    let kept: String = start.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let kept = kept.trim_matches('_');
    match is_plain(kept) {
        true => kept.to_owned(),
        false => format!("n_{kept}").trim_end_matches('_').to_owned(),
    }
}

/// A text in quotes, which shows as it is: all that Mermaid, its Markdown or
/// HTML would act on is written as a character reference.
pub(super) fn label(text: &str) -> String {
    let mut chars: Vec<char> =
        text.chars().take(LONGEST_LABEL + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.len() > LONGEST_LABEL {
        chars.truncate(LONGEST_LABEL);
        chars.push('…');
    }
    let mut out = String::from("\"");
    for (at, c) in chars.iter().copied().enumerate() {
        let between = |inside: fn(&char) -> bool| {
            at.checked_sub(1).and_then(|before| chars.get(before)).is_some_and(inside)
                && chars.get(at + 1).is_some_and(inside)
        };
        let shown = match c {
            ' ' => at > 0 && at + 1 < chars.len(),
            // Between letters an underscore emphasises nothing.
            '_' => between(|c| c.is_alphanumeric()),
            // The first of a line would begin a list.
            '-' | '.' => between(|c| c.is_alphanumeric() || *c == ' ') && chars.get(at + 1) != Some(&' '),
            ',' | '/' | '(' | ')' | '?' => true,
            _ if c.is_ascii() => c.is_ascii_alphanumeric(),
            _ => true,
        };
        match shown {
            true => out.push(c),
            false => out.push_str(&format!("#{};", u32::from(c))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_mermaid_takes_is_its_own() {
        let names = ["User", "order_line", "endpoint", "One2"];
        let aliases = Aliases::new(names);
        for name in names {
            assert_eq!(aliases.of(name), (name, false));
        }
    }

    #[test]
    fn other_names_have_an_alias_of_their_own() {
        let names = ["end", "END", "PK", "user-id", "user id", "user_id", "🦀", "é", "1st", "a\"b", "_et", "", "n_end"];
        let aliases = Aliases::new(names);
        let all: BTreeSet<&str> = names.iter().map(|name| aliases.of(name).0).collect();
        assert_eq!(all.len(), names.len(), "{all:?}");
        assert!(all.iter().all(|alias| is_plain(alias)), "{all:?}");
        assert_eq!(aliases.of("end"), ("n_end_2", true));
        assert_eq!(aliases.of("n_end"), ("n_end", false), "whoever needs no alias keeps the name");
        assert_eq!(aliases.of("user-id"), ("user_id_2", true));
        assert_eq!(aliases.of("user_id"), ("user_id", false));
    }

    #[test]
    fn a_label_shows_what_it_is() {
        assert_eq!(label("OrderLine"), "\"OrderLine\"");
        assert_eq!(label("say \"hi\"; #1"), "\"say #34;hi#34;#59; #35;1\"");
        assert_eq!(label("<b>&amp;%%"), "\"#60;b#62;#38;amp#59;#37;#37;\"");
        assert_eq!(label("`x` **y** __z__ a_b"), "\"#96;x#96; #42;#42;y#42;#42; #95;#95;z#95;#95; a_b\"");
        assert_eq!(label("- x"), "\"#45; x\"");
        assert_eq!(label("1. x"), "\"1#46; x\"");
        assert_eq!(label("user-id 🦀"), "\"user-id 🦀\"");
    }
}
