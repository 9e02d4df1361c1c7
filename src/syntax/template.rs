//! Key templates: the strings that compute a key value,
//! `"ORDER#{placed_at:day}#{order_id}"`.

use super::range::TextRange;
use super::strings::string_chars;

/// A key template: literal text and holes in turn. Ranges are relative to the
/// string literal's first quote.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Template {
    pub parts: Vec<Part>,
    pub faults: Vec<TemplateFault>,
}

/// One piece of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Text that every value holds; never empty.
    Literal(String, TextRange),
    Hole(Hole),
}

/// A place that an attribute or a parameter fills.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hole {
    /// The attribute's or the parameter's name.
    pub name: String,
    /// True for `{:name}`: a value that the caller supplies.
    pub parameter: bool,
    pub format: Format,
    /// The whole hole with its braces.
    pub range: TextRange,
    /// The name inside it.
    pub name_range: TextRange,
}

/// How a hole writes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// As it is.
    Plain,
    /// Zero-padded to so many digits.
    Padded(u32),
    /// The first so many characters of a timestamp: `{at:day}`.
    Time(TimePart),
    Lower,
    Upper,
    /// `{shard(a, n)}`: a hash of the attribute modulo n.
    Shard(u32),
}

/// How much of a timestamp a hole keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimePart {
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

impl TimePart {
    /// Characters of an ISO 8601 timestamp up to this part (numbers.md, S3).
    pub fn length(self) -> usize {
        match self {
            TimePart::Year => 4,
            TimePart::Month => 7,
            TimePart::Day => 10,
            TimePart::Hour => 13,
            TimePart::Minute => 16,
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "year" => TimePart::Year,
            "month" => TimePart::Month,
            "day" => TimePart::Day,
            "hour" => TimePart::Hour,
            "minute" => TimePart::Minute,
            _ => return None,
        })
    }

    /// The word by which a template asks for it.
    pub fn word(self) -> &'static str {
        match self {
            TimePart::Year => "year",
            TimePart::Month => "month",
            TimePart::Day => "day",
            TimePart::Hour => "hour",
            TimePart::Minute => "minute",
        }
    }
}

/// Something in a template that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TemplateFault {
    pub message: String,
    pub range: TextRange,
}

impl Hole {
    /// The hole as it is written in a template.
    pub fn spelling(&self) -> String {
        let name = super::strings::quote_name(&self.name);
        let colon = if self.parameter { ":" } else { "" };
        match self.format {
            Format::Plain => format!("{{{colon}{name}}}"),
            Format::Padded(width) => format!("{{{colon}{name}:{width}}}"),
            Format::Time(part) => format!("{{{colon}{name}:{}}}", part.word()),
            Format::Lower => format!("{{{colon}{name}:lower}}"),
            Format::Upper => format!("{{{colon}{name}:upper}}"),
            Format::Shard(n) => format!("{{shard({name}, {n})}}"),
        }
    }
}

impl Template {
    /// Reads a string literal, quotes included, as a template. What cannot be
    /// read becomes a fault; the parts around it stay.
    pub fn parse(written: &str) -> Self {
        let (chars, escape_faults) = string_chars(written);
        let mut template = Template::default();
        for range in escape_faults {
            template.fault("unknown escape; known are \\\" \\\\ \\n \\t and \\u{…}", range.start, range.end);
        }
        let mut literal = String::new();
        let mut literal_start = 0;
        let mut literal_end = 0;
        let mut at = 0;
        while let Some((c, range)) = chars.get(at) {
            let next = chars.get(at + 1).map(|(c, _)| *c);
            let doubled = matches!(c, '{' | '}') && next == Some(*c);
            if *c == '{' && !doubled {
                if !literal.is_empty() {
                    let text = std::mem::take(&mut literal);
                    template.parts.push(Part::Literal(text, TextRange::new(literal_start, literal_end)));
                }
                at = template.hole(&chars, at);
                continue;
            }
            if *c == '}' && !doubled {
                template.fault("`}` without `{`; a literal brace is written `}}`", range.start, range.end);
            }
            if literal.is_empty() {
                literal_start = range.start;
            }
            literal.push(*c);
            at += if doubled { 2 } else { 1 };
            literal_end = chars[at - 1].1.end;
        }
        if !literal.is_empty() {
            template.parts.push(Part::Literal(literal, TextRange::new(literal_start, literal_end)));
        }
        template
    }

    fn fault(&mut self, message: impl Into<String>, start: usize, end: usize) {
        self.faults.push(TemplateFault { message: message.into(), range: TextRange::new(start, end) });
    }

    /// Reads the hole that opens at `open`; returns the index behind it.
    fn hole(&mut self, chars: &[(char, std::ops::Range<usize>)], open: usize) -> usize {
        let start = chars[open].1.start;
        let Some(length) = chars[open..].iter().position(|(c, _)| *c == '}') else {
            let end = chars.last().map_or(start, |(_, r)| r.end);
            self.fault("a hole is not closed: `}` is missing", start, end);
            return chars.len();
        };
        let close = open + length;
        let end = chars[close].1.end;
        let inner = &chars[open + 1..close];
        let text: String = inner.iter().map(|(c, _)| *c).collect();
        let range = TextRange::new(start, end);
        let place = |from: usize, to: usize| {
            // Counted in characters of `inner`; both ends may lie behind the last one.
            let at = |i: usize| inner.get(i).map_or(chars[close].1.start, |(_, r)| r.start);
            TextRange::new(at(from), at(to))
        };
        match read_hole(&text) {
            Ok((name, name_at, parameter, format)) => {
                let name_range = place(name_at.start, name_at.end);
                self.parts.push(Part::Hole(Hole { name, parameter, format, range, name_range }));
            }
            Err(message) => self.fault(message, start, end),
        }
        close + 1
    }

    /// The holes in order.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole(hole) => Some(hole),
            Part::Literal(..) => None,
        })
    }

    /// The value of a template without holes.
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Literal(text, _)] => Some(text),
            _ => None,
        }
    }

    /// The template as it is written, in quotes.
    pub fn spelling(&self) -> String {
        let mut out = String::from("\"");
        for part in &self.parts {
            match part {
                Part::Literal(text, _) => {
                    let quoted = super::strings::quote_string(&text.replace('{', "{{").replace('}', "}}"));
                    out.push_str(&quoted[1..quoted.len() - 1]);
                }
                Part::Hole(hole) => out.push_str(&hole.spelling()),
            }
        }
        out.push('"');
        out
    }
}

type ReadHole = (String, std::ops::Range<usize>, bool, Format);

/// Reads the inside of a hole; offsets are in characters.
fn read_hole(text: &str) -> Result<ReadHole, String> {
    let trimmed = text.trim_start();
    let lead = text.chars().count() - trimmed.chars().count();
    if let Some(arguments) = trimmed.strip_prefix("shard").map(str::trim_start).filter(|r| r.starts_with('(')) {
        let skipped = trimmed.chars().count() - arguments.chars().count() + 1;
        let inner = arguments[1..].trim_end();
        let inner = inner.strip_suffix(')').ok_or("`shard(attribute, n)` is not closed: `)` is missing")?;
        let (attribute, count) =
            inner.split_once(',').ok_or("shard takes an attribute and a number: `shard(order_id, 20)`")?;
        let (name, at) = read_name(attribute, lead + skipped)?;
        let n: u32 =
            count.trim().replace('_', "").parse().ok().filter(|n| *n > 0).ok_or_else(|| {
                format!("the number of shards must be a whole number above 0, not `{}`", count.trim())
            })?;
        return Ok((name, at, false, Format::Shard(n)));
    }
    let (parameter, rest, lead) = match trimmed.strip_prefix(':') {
        Some(rest) => (true, rest, lead + 1),
        None => (false, trimmed, lead),
    };
    let (name_part, format) = split_format(rest);
    let (name, at) = read_name(name_part, lead)?;
    let format = match format.map(str::trim) {
        None => Format::Plain,
        Some("lower") => Format::Lower,
        Some("upper") => Format::Upper,
        Some(word) => match TimePart::parse(word) {
            Some(part) => Format::Time(part),
            None => match word.parse::<u32>() {
                Ok(width @ 1..=38) => Format::Padded(width),
                _ => {
                    return Err(format!(
                        "`{word}` is no format; known are a number of digits, year, month, day, hour, minute, lower and upper"
                    ));
                }
            },
        },
    };
    Ok((name, at, parameter, format))
}

/// Splits `name:format` at the colon behind the name, which may be in backticks.
fn split_format(text: &str) -> (&str, Option<&str>) {
    let quoted = text.strip_prefix('`');
    let from = quoted.map_or(0, |inner| inner.find('`').map_or(text.len(), |i| i + 2));
    match text[from..].find(':') {
        Some(i) => (&text[..from + i], Some(&text[from + i + 1..])),
        None => (text, None),
    }
}

/// Reads a name that stands alone in `text`; `base` is where `text` starts.
fn read_name(text: &str, base: usize) -> Result<(String, std::ops::Range<usize>), String> {
    let trimmed = text.trim();
    let lead = text.chars().take_while(|c| c.is_whitespace()).count();
    let at = base + lead..base + lead + trimmed.chars().count();
    if let Some(inner) = trimmed.strip_prefix('`') {
        let name = inner.strip_suffix('`').ok_or("a name in backticks is not closed")?;
        if name.is_empty() {
            return Err("a hole needs the name of an attribute".to_owned());
        }
        return Ok((name.to_owned(), at));
    }
    let mut chars = trimmed.chars();
    match chars.next() {
        None => return Err("a hole needs the name of an attribute".to_owned()),
        Some(c) if c == '_' || c.is_ascii_alphabetic() => {}
        Some(_) => return Err(format!("`{trimmed}` is no name")),
    }
    if chars.all(|c| c == '_' || c.is_ascii_alphanumeric()) {
        Ok((trimmed.to_owned(), at))
    } else {
        Err(format!("`{trimmed}` is no name; a name with other characters goes in backticks"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_hole_is_read_and_written_back() {
        let text =
            r##""A#{a}#{:p}#{:p:7}#{n:12}{t:year}{t:minute}{e:lower}{e:upper}#{shard(a, 20)}{`user-id`:lower}{{x}}""##;
        let template = Template::parse(text);
        assert_eq!(template.faults, []);
        assert_eq!(template.spelling(), text);
        let first = template.holes().next().unwrap();
        assert_eq!(&text[first.name_range.indices()], "a");
        let last = template.holes().last().unwrap();
        assert_eq!(&text[last.name_range.indices()], "`user-id`");
        let shard = template.holes().find(|h| h.format == Format::Shard(20)).unwrap();
        assert_eq!(&text[shard.name_range.indices()], "a");
    }

    #[test]
    fn what_cannot_be_read_is_a_fault_and_the_rest_stays() {
        for (text, message) in [
            (r#""A#{a"#, "not closed"),
            (r#""A#{}""#, "needs the name"),
            (r#""A}""#, "without `{`"),
            (r#""{a:week}""#, "no format"),
            (r#""{shard(a)}""#, "attribute and a number"),
            (r#""{shard(a, 0)}""#, "above 0"),
            (r#""{a b}""#, "no name"),
            (r#""{9}""#, "no name"),
            (r#""\q{a}""#, "escape"),
        ] {
            let template = Template::parse(text);
            assert_eq!(template.faults.len(), 1, "{text}: {template:?}");
            assert!(template.faults[0].message.contains(message), "{text}: {template:?}");
        }
    }
}
