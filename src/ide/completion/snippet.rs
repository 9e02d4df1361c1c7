//! Texts with places to fill in, in LSP's own notation: `$1`, `${2:name}`, `$0`.

/// Stands for the name of a rule: which one, nobody can propose.
pub(super) const RULE_NAME: &str = "rule-name";

/// What of a snippet stands by itself, for clients without places to fill in: names
/// stay as they are proposed, and where something has to be filled in that nobody can
/// propose, the text ends.
pub(super) fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find(['$', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(escaped) = rest.strip_prefix('\\') {
            let c = escaped.chars().next();
            out.extend(c);
            rest = &escaped[c.map_or(0, char::len_utf8)..];
        } else if let Some(stop) = rest.strip_prefix("${") {
            let close = stop.match_indices('}').map(|(at, _)| at).find(|at| !stop[..*at].ends_with('\\'));
            let (stop, behind) = stop.split_at(close.unwrap_or(stop.len()));
            let proposed = stop.split_once(':').map_or("", |(_, proposed)| proposed);
            if proposed == RULE_NAME {
                return out.trim_end().to_owned();
            }
            out.push_str(&plain(proposed));
            rest = behind.strip_prefix('}').unwrap_or(behind);
        } else {
            rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
            let between_quotes = out.ends_with('"') && rest.starts_with('"');
            let at_end = out.ends_with(|c: char| !matches!(c, ' ' | '(' | '<'));
            if !between_quotes && !at_end {
                return out.trim_end_matches([' ', '\n', '(', '<', '{']).to_owned();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether there is anything to fill in.
pub(super) fn has_stops(snippet: &str) -> bool {
    snippet.replace("\\$", "").contains('$')
}

/// A text as part of a snippet: nothing in it is a place to fill in.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_without_its_places() {
        assert_eq!(plain("count $0"), "count");
        assert_eq!(plain("@size($0)"), "@size");
        assert_eq!(plain("batch get {\n  $0\n}"), "batch get");
        assert_eq!(plain("because \"$0\""), "because \"\"");
        assert_eq!(plain("external \"$1\" because \"$0\""), "external \"\" because \"\"");
        assert_eq!(plain("entity ${1:Name} {\n  ${2:id}: uuid @id$0\n}"), "entity Name {\n  id: uuid @id\n}");
        assert_eq!(plain("allow ${1:rule-name} because \"$0\""), "allow");
        assert_eq!(plain("a\\$b \\}"), "a$b }");
        assert_eq!(plain(&escaped("`a$b}`")), "`a$b}`");
        assert_eq!(plain(&format!("get ${{1:{}}} from", escaped("`a$b}`"))), "get `a$b}` from");
        assert!(has_stops("a$0") && !has_stops("a\\$b"));
    }
}
