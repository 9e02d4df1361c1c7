//! User text in Markdown: whatever a model holds, it shows as it is written
//! and changes nothing around it.

/// Text on one line, for prose, list entries and table cells alike. White
/// space of all kinds becomes one space; what Markdown or HTML would act on is
/// escaped, a pipe also where no table asks for it.
pub(super) fn inline(text: &str) -> String {
    let text = one_line(text);
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let number_ends = chars.iter().position(|c| !c.is_ascii_digit()).unwrap_or(0);
    for (at, c) in chars.iter().copied().enumerate() {
        let inside = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| c.is_alphanumeric());
        let escaped = match c {
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' => true,
            // Between two letters an underscore emphasises nothing.
            '_' => !(inside(at.checked_sub(1)) && inside(Some(at + 1))),
            // These begin a block where they are the first of a line.
            '#' | '>' | '+' | '-' | '=' | ':' => at == 0,
            '.' | ')' => at > 0 && at == number_ends,
            _ => false,
        };
        match c {
            '<' => out.push_str("&lt;"),
            '&' if begins_entity(&chars[at + 1..]) => out.push_str("&amp;"),
            _ => {
                if escaped {
                    out.push('\\');
                }
                out.push(c);
            }
        }
    }
    out
}

/// A name or a piece of the language as code.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::from("(empty)");
    }
    // A pipe and a backtick cannot be escaped inside a code span, and what looks
    // like a tag should not depend on the reader's parser.
    let tag = text.split('<').skip(1).any(|rest| rest.starts_with(|c: char| c.is_alphabetic() || "/!?".contains(c)));
    if tag || text.contains(['`', '|']) { format!("<code>{}</code>", inline(&text)) } else { format!("`{text}`") }
}

/// A list of names as code.
pub(super) fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(code).collect();
    names.join(", ")
}

/// So many things of one line are named; of more, how many there are.
const MOST_NAMED: usize = 12;

/// Things in a row; of many the first, and how many more there are. One more is named.
pub(super) fn some(mut things: Vec<String>, between: &str) -> String {
    let more = things.len().saturating_sub(MOST_NAMED);
    if more > 1 {
        things.truncate(MOST_NAMED);
        things.push(format!("and {more} more"));
    }
    things.join(between)
}

/// A doc comment or a finding's message on one line: code spans stay code, all
/// else is plain text.
pub(super) fn prose(text: &str) -> String {
    let text = one_line(text);
    let pieces: Vec<&str> = text.split('`').collect();
    // A span without an end, or one fenced by several backticks, is text.
    if pieces.len().is_multiple_of(2) || pieces.iter().skip(1).step_by(2).any(|span| span.is_empty()) {
        return inline(&text);
    }
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match index {
            // Only the first piece stands at the beginning of a line, and inner
            // white space at the ends of a piece has to stay.
            _ if index % 2 == 1 => out.push_str(&code(piece)),
            0 => out.push_str(&keep_ends(piece, inline)),
            _ => out.push_str(&keep_ends(piece, |piece| inline(&format!("x{piece}"))[1..].to_owned())),
        }
    }
    out
}

/// A sentence ended by a full stop, unless it ends in some mark already.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.ends_with(['.', '!', '?', ':', ';', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// Applies `escape` to the text between its outer blanks.
fn keep_ends(text: &str, escape: impl Fn(&str) -> String) -> String {
    let inner = text.trim();
    if inner.is_empty() {
        return text.to_owned();
    }
    let start = text.len() - text.trim_start().len();
    format!("{}{}{}", &text[..start], escape(inner), &text[start + inner.len()..])
}

/// White space and control characters, line ends among them, become single
/// spaces; marks that would turn the direction of the text around are dropped.
fn one_line(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether what follows a `&` makes it an HTML character reference.
fn begins_entity(rest: &[char]) -> bool {
    let length = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '#').count();
    length > 0 && rest.get(length) == Some(&';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(inline("a|b\r\n# c\u{0}d"), "a\\|b # c d");
        assert_eq!(inline("<script>alert(1)</script>"), "&lt;script>alert(1)&lt;/script>");
        assert_eq!(inline("# no heading"), "\\# no heading");
        assert_eq!(inline("12. no list, 2.5 a number"), "12\\. no list, 2.5 a number");
        assert_eq!(inline("- [x] no box"), "\\- \\[x\\] no box");
        assert_eq!(inline("`code` *b* _c_ snake_case"), "\\`code\\` \\*b\\* \\_c\\_ snake_case");
        assert_eq!(inline("R&D &lt; \\|"), "R&D &amp;lt; \\\\\\|");
        assert_eq!(inline("ab\u{202e}cd"), "abcd");
    }

    #[test]
    fn code_stays_code_where_a_span_can_hold_it() {
        assert_eq!(code("\"ORDER#{order_id}\""), "`\"ORDER#{order_id}\"`");
        assert_eq!(code("price < :price"), "`price < :price`");
        assert_eq!(code("a|b"), "<code>a\\|b</code>");
        assert_eq!(code("x`<b>"), "<code>x\\`&lt;b></code>");
        assert_eq!(code(" \n"), "(empty)");
    }

    #[test]
    fn prose_keeps_its_code_spans() {
        assert_eq!(prose("Set `a_b` *now*"), "Set `a_b` \\*now\\*");
        assert_eq!(prose("an odd ` one"), "an odd \\` one");
        assert_eq!(prose("``two`` |"), "\\`\\`two\\`\\` \\|");
        assert_eq!(prose("`a|b` - c"), "<code>a\\|b</code> - c");
        let things = |count: usize| some((1..=count).map(|n| n.to_string()).collect(), " ");
        assert!(things(13).ends_with(" 12 13") && things(14).ends_with(" 12 and 2 more"));
        assert_eq!(sentence("done"), "done.");
        assert_eq!(sentence("done?"), "done?");
    }
}
