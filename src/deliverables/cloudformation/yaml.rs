//! YAML, as much of it as a template needs.

/// A value of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Yaml {
    Text(String),
    Whole(u64),
    Bool(bool),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
    /// `!Ref Name`: the value of a parameter.
    Ref(String),
}

impl Yaml {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Yaml::Text(text.into())
    }

    /// A map with these entries, in this order.
    pub fn map<const N: usize>(entries: [(&str, Yaml); N]) -> Self {
        Yaml::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The document with a newline at its end.
    pub fn document(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    /// Writes the value as lines, each indented by so many steps. A template nests
    /// no deeper than it is built here.
    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Yaml::Map(entries) if !entries.is_empty() => {
                for (key, value) in entries {
                    indent(out, depth);
                    entry(out, key, value, depth);
                }
            }
            Yaml::List(values) if !values.is_empty() => {
                for value in values {
                    indent(out, depth);
                    out.push_str("- ");
                    match value {
                        // The first entry stands behind the dash.
                        Yaml::Map(entries) if !entries.is_empty() => {
                            for (at, (key, value)) in entries.iter().enumerate() {
                                if at > 0 {
                                    indent(out, depth + 1);
                                }
                                entry(out, key, value, depth + 1);
                            }
                        }
                        value => line(out, value),
                    }
                }
            }
            value => line(out, value),
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

fn entry(out: &mut String, key: &str, value: &Yaml, depth: usize) {
    out.push_str(&scalar(key));
    match value {
        Yaml::Map(entries) if !entries.is_empty() => {
            out.push_str(":\n");
            value.write(out, depth + 1);
        }
        Yaml::List(values) if !values.is_empty() => {
            out.push_str(":\n");
            value.write(out, depth + 1);
        }
        value => {
            out.push_str(": ");
            line(out, value);
        }
    }
}

/// What stands on one line, with its end.
fn line(out: &mut String, value: &Yaml) {
    out.push_str(&match value {
        Yaml::Text(text) => scalar(text),
        Yaml::Whole(number) => number.to_string(),
        Yaml::Bool(value) => value.to_string(),
        Yaml::Ref(name) => format!("!Ref {name}"),
        Yaml::List(_) => String::from("[]"),
        Yaml::Map(_) => String::from("{}"),
    });
    out.push('\n');
}

/// A text as a scalar that every YAML parser, of version 1.1 or 1.2, reads as
/// this text and not as a number, a date, a truth or nothing.
pub(super) fn scalar(text: &str) -> String {
    const WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c))
        && !text.ends_with(':')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if is_shown(c) => out.push(c),
            c if u32::from(c) > 0xffff => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Whether a character may stand in YAML as it is; line ends and marks that turn
/// the direction of the text around are written by number.
fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        && (u32::from(c) & 0xfffe != 0xfffe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_a_text() {
        for plain in ["user_id", "Orders", "us-east-1", "AWS::DynamoDB::Table"] {
            assert_eq!(scalar(plain), plain);
        }
        for (text, written) in [
            ("no", "\"no\""),
            ("NULL", "\"NULL\""),
            ("12", "\"12\""),
            ("2010-09-09", "\"2010-09-09\""),
            ("", "\"\""),
            ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""),
            ("*x", "\"*x\""),
            ("say \"hi\" \\", "\"say \\\"hi\\\" \\\\\""),
            ("🦀 é", "\"🦀 é\""),
            ("a\nb\u{85}\u{2028}", "\"a\\u000ab\\u0085\\u2028\""),
            ("a:", "\"a:\""),
        ] {
            assert_eq!(scalar(text), written);
        }
    }

    #[test]
    fn lists_and_maps_nest() {
        let keys = Yaml::List(vec![Yaml::map([("A", Yaml::Whole(1)), ("B", Yaml::Bool(true))]), Yaml::text("no")]);
        let document = Yaml::map([
            ("Keys", keys),
            ("Empty", Yaml::List(Vec::new())),
            ("Sum", Yaml::Ref(String::from("X"))),
            ("In", Yaml::map([("x y", Yaml::text("z"))])),
        ]);
        assert_eq!(
            document.document(),
            "Keys:\n  - A: 1\n    B: true\n  - \"no\"\nEmpty: []\nSum: !Ref X\nIn:\n  \"x y\": z\n"
        );
    }
}
