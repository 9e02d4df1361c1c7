//! Lists with comments between their entries: each comment is about an entry, and goes
//! with that one only.

use super::fixes::list_entry;
use crate::model::defs::Name;
use crate::syntax::TextRange;
use crate::syntax::lines::line_end;

/// An entry of a list with what goes with it.
struct Entry<'t> {
    /// What stands before its name: blanks, and comments on lines of their own.
    lead: &'t str,
    name: &'t str,
    /// What stands between its name and its comma.
    gap: &'t str,
    comma: bool,
    /// The comment behind it on its line.
    behind: &'t str,
}

/// Whether a list holds comments.
pub(crate) fn has_comments(text: &str, list: TextRange) -> bool {
    text[list.indices()].contains("//")
}

/// What stands between the parentheses of a list, by the range of the first name in it
/// and where the last one ends; `None` where they are not there.
pub(crate) fn in_parentheses(text: &str, first: TextRange, last: TextRange) -> Option<TextRange> {
    let open = text[..first.start as usize].rfind('(')?;
    let end = outside_comments(&text[last.end as usize..], ')')?;
    Some(TextRange::new(open + 1, last.end as usize + end))
}

/// The text of a list (`list` is all of it, `names` the entries) with the entries that
/// are kept, and others behind them.
pub(crate) fn relisted(
    text: &str,
    list: TextRange,
    names: &[TextRange],
    keeps: impl Fn(usize) -> bool,
    added: &[String],
) -> String {
    let (entries, tail) = entries(text, list, names);
    let indent = entries.iter().find_map(|entry| entry.lead.rfind(['\n', '\r']).map(|at| &entry.lead[at + 1..]));
    let ends_with_comma = entries.last().is_some_and(|entry| entry.comma);
    let kept: Vec<&Entry<'_>> =
        entries.iter().enumerate().filter(|(at, _)| keeps(*at)).map(|(_, entry)| entry).collect();
    let lead = indent.map_or(" ".to_owned(), |indent| format!("\n{indent}"));
    let new = added.iter().map(|name| Entry { lead: &lead, name, gap: "", comma: false, behind: "" });
    let all: Vec<Entry<'_>> = kept.into_iter().map(Entry::clone).chain(new).collect();
    let mut out = String::new();
    for (at, entry) in all.iter().enumerate() {
        put(&mut out, entry.lead, indent, at == 0);
        out.push_str(entry.name);
        let comma = if at + 1 < all.len() || ends_with_comma { "," } else { "" };
        // A comment between the two would swallow a comma behind it.
        if entry.comma && !comma.is_empty() {
            out.push_str(entry.gap);
            out.push_str(comma);
        } else {
            out.push_str(comma);
            out.push_str(entry.gap);
        }
        out.push_str(entry.behind);
    }
    put(&mut out, tail, None, false);
    out
}

impl Entry<'_> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

/// Puts what stands before an entry or the end, on a new line where a comment comes
/// before it. Before the first there are no blanks.
fn put(out: &mut String, lead: &str, indent: Option<&str>, first: bool) {
    let bare = lead.trim_start_matches([' ', '\t']);
    let breaks = bare.starts_with(['\n', '\r']);
    let last_line = out.rsplit(['\n', '\r']).next().unwrap_or(out);
    if last_line.contains("//") && !breaks {
        out.push('\n');
        out.push_str(indent.unwrap_or(""));
        out.push_str(bare);
    } else if first && !breaks {
        out.push_str(bare);
    } else {
        out.push_str(lead);
    }
}

/// The edit that takes an entry out of a list that no parentheses enclose, with the comma
/// that goes with it.
pub(crate) fn without_entry(text: &str, names: &[Name], index: usize) -> (TextRange, String) {
    let ranges: Vec<TextRange> = names.iter().map(|name| name.range).collect();
    let list = ranges[0].cover(ranges[ranges.len() - 1]);
    if has_comments(text, list) {
        (list, relisted(text, list, &ranges, |at| at != index, &[]))
    } else {
        (list_entry(names, index), String::new())
    }
}

/// The entries, and what stands behind the last.
fn entries<'t>(text: &'t str, list: TextRange, names: &[TextRange]) -> (Vec<Entry<'t>>, &'t str) {
    let (mut at, end) = (list.start as usize, list.end as usize);
    let mut entries = Vec::new();
    for (position, name) in names.iter().enumerate() {
        let lead = &text[at..name.start as usize];
        let from = name.end as usize;
        let to = names.get(position + 1).map_or(end, |next| next.start as usize);
        let comma = outside_comments(&text[from..to], ',');
        let gap = &text[from..from + comma.unwrap_or(0)];
        at = from + comma.map_or(0, |comma| comma + 1);
        let line = &text[at..line_end(text, at).min(to)];
        let behind = if line.trim_start().starts_with("//") { line } else { "" };
        at += behind.len();
        entries.push(Entry { lead, name: &text[name.indices()], gap, comma: comma.is_some(), behind });
    }
    (entries, &text[at..end])
}

/// Where a character stands first, comments apart.
fn outside_comments(text: &str, wanted: char) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at = line_end(text, at);
            continue;
        }
        let c = rest.chars().next()?;
        if c == wanted {
            return Some(at);
        }
        at += c.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(list: &str, gone: &[&str], added: &[&str]) -> String {
        let text = format!("include({list})");
        let names: Vec<TextRange> = ["sender", "body", "kind"]
            .iter()
            .filter_map(|name| text.find(name).map(|at| TextRange::new(at, at + name.len())))
            .collect();
        let inside = in_parentheses(&text, names[0], names[names.len() - 1]).unwrap();
        let keeps = |at: usize| !gone.contains(&&text[names[at].indices()]);
        let added: Vec<String> = added.iter().map(|name| (*name).to_owned()).collect();
        relisted(&text, inside, &names, keeps, &added)
    }

    #[test]
    fn a_comment_goes_with_its_entry_only() {
        for (list, gone, expected) in [
            ("sender, // who\n body,", "body", "sender, // who\n"),
            ("sender, // who\n body", "sender", "\n body"),
            ("sender, body, kind // what\n", "body", "sender, kind // what\n"),
            (
                "\n  sender, // who\n  body, // what\n  kind, // which\n",
                "body",
                "\n  sender, // who\n  kind, // which\n",
            ),
            ("\n  sender,\n  // what\n  body,\n  kind\n", "body", "\n  sender,\n  kind\n"),
            ("\n  sender,\n  // which :)\n  kind\n", "sender", "\n  // which :)\n  kind\n"),
            ("\n  sender, // who\n  kind // which, or none\n", "kind", "\n  sender // who\n"),
            ("sender, // who\n body, kind", "body", "sender, // who\n kind"),
            ("sender // who\n , body", "body", "sender // who\n "),
        ] {
            assert_eq!(kept(list, &[gone], &[]), expected, "{list}");
        }
        assert_eq!(kept("sender, // who\n  body", &[], &["kind"]), "sender, // who\n  body,\n  kind");
        assert_eq!(kept("\n  sender // who\n", &[], &["kind"]), "\n  sender, // who\n  kind\n");
    }
}
