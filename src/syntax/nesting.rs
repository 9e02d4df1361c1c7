//! How deep a text nests, before anything is parsed.

use super::lines::line_end;
use super::strings::{backticks_end, string_end};

/// No model nests so deep; a text that does is hostile or no model.
pub const DEEPEST: usize = 200;

/// The beginning of a declaration up to where it nests deeper than
/// [`DEEPEST`]; nearly always all of it.
pub fn shallow_prefix(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    // `not not not …` nests without a bracket.
    let mut negations = 0usize;
    let mut word = "";
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'`' => at = backticks_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(text, at),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                while bytes.get(at).is_some_and(|b| *b == b'_' || b.is_ascii_alphanumeric()) {
                    at += 1;
                }
                word = &text[start..at];
                negations = if word == "not" { negations + 1 } else { 0 };
            }
            b'(' | b'{' => {
                depth += 1;
                at += 1;
            }
            // Elsewhere it is a comparison and opens nothing.
            b'<' if matches!(word, "list" | "set") => {
                depth += 1;
                at += 1;
            }
            b')' | b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'>' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            _ => at += 1,
        }
        if depth + negations > DEEPEST {
            return &text[..start];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_are_read_whole() {
        let comparisons = "a < 1 and b > 2 and ".repeat(500);
        for text in [&*comparisons, "\"((((", "// ((((\n", "list<set<string>>"] {
            assert_eq!(shallow_prefix(text), text);
        }
        let strings = format!("\"{}\"", "(".repeat(1000));
        assert_eq!(shallow_prefix(&strings), strings);
    }

    #[test]
    fn every_way_to_nest_is_cut() {
        for open in ["(", "{", "list<", "not ", "(not "] {
            let text = open.repeat(1000);
            assert!(shallow_prefix(&text).len() <= open.len() * (DEEPEST + 1), "{open}");
        }
    }

    /// A string ends with its line whatever stands there, and a quote or a comment
    /// in backticks opens nothing.
    #[test]
    fn nothing_hides_what_nests() {
        for hiding in ["\"\\\n", "\"\\\r\n", "`\"` ", "`//` ", "`\n"] {
            let text = format!("{hiding}{}", "(".repeat(1000));
            assert!(shallow_prefix(&text).len() <= hiding.len() + DEEPEST, "{hiding:?}");
        }
        assert_eq!(shallow_prefix(&"`(` ".repeat(1000)).len(), 4000, "a name nests nothing");
    }
}
