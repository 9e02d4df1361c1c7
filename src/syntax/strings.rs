//! Names and strings as they are written.

use std::ops::Range;

/// The name that a `name` node spells: without backticks.
pub fn unquote_name(written: &str) -> &str {
    let inner = written.strip_prefix('`').unwrap_or(written);
    inner.strip_suffix('`').unwrap_or(inner)
}

/// A name as it must be written: in backticks unless it is an identifier that
/// is none of the six words reserved by the language.
pub fn quote_name(name: &str) -> String {
    let reserved = matches!(name, "and" | "or" | "not" | "none" | "true" | "false");
    let mut chars = name.chars();
    let identifier = chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric());
    if identifier && !reserved { name.to_owned() } else { format!("`{name}`") }
}

/// A character and the bytes that spell it.
pub type PlacedChar = (char, Range<usize>);

/// The characters of a string literal, each with the byte range of its
/// spelling relative to `written`. Quotes are left out; a wrong escape yields
/// the escaped character itself and is reported in the second value.
pub fn string_chars(written: &str) -> (Vec<PlacedChar>, Vec<Range<usize>>) {
    let mut chars = Vec::new();
    let mut faults = Vec::new();
    let bytes = written.as_bytes();
    let mut at = usize::from(bytes.first() == Some(&b'"'));
    while let Some(c) = written[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        match c {
            '"' => break,
            '\\' => match written[at..].chars().next() {
                Some('n') => {
                    at += 1;
                    chars.push(('\n', start..at));
                }
                Some('t') => {
                    at += 1;
                    chars.push(('\t', start..at));
                }
                Some(plain @ ('"' | '\\')) => {
                    at += 1;
                    chars.push((plain, start..at));
                }
                Some('u') => {
                    let rest = &written[at + 1..];
                    let parsed = rest.strip_prefix('{').and_then(|r| r.find('}').map(|end| &r[..end]));
                    let value = parsed.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
                    match (parsed, value) {
                        (Some(hex), Some(value)) => {
                            at += hex.len() + 3;
                            chars.push((value, start..at));
                        }
                        _ => {
                            at += 1;
                            faults.push(start..at);
                            chars.push(('u', start..at));
                        }
                    }
                }
                Some(other) => {
                    at += other.len_utf8();
                    faults.push(start..at);
                    chars.push((other, start..at));
                }
                None => faults.push(start..at),
            },
            c => chars.push((c, start..at)),
        }
    }
    (chars, faults)
}

/// The value of a string literal.
pub fn unquote_string(written: &str) -> String {
    string_chars(written).0.into_iter().map(|(c, _)| c).collect()
}

/// A string literal that spells `value`.
pub fn quote_string(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The end of the name in backticks that opens at `start`: behind its second
/// backtick, or the line's end.
pub fn backticks_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while !matches!(bytes.get(at), None | Some(b'\n' | b'\r' | b'`')) {
        at += 1;
    }
    if bytes.get(at) == Some(&b'`') { at + 1 } else { at }
}

/// The end of the string that opens at `start`: behind its quote, or the line's end.
pub fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            None | Some(b'\n' | b'\r') => return at,
            Some(b'"') => return at + 1,
            Some(b'\\') if !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_quoting_and_unquoting() {
        for value in ["", "a \"b\" \\ \n\t", "é🙂", "\u{1}{x}"] {
            assert_eq!(unquote_string(&quote_string(value)), value);
        }
        assert_eq!(unquote_string(r#""\u{e9}\q"#), "éq");
        assert_eq!(string_chars(r#""\q\u{zz}""#).1.len(), 2);
    }

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        assert_eq!(quote_name("size"), "size");
        assert_eq!(quote_name("user-id"), "`user-id`");
        assert_eq!(quote_name("and"), "`and`");
        assert_eq!(unquote_name("`user-id`"), "user-id");
    }
}
