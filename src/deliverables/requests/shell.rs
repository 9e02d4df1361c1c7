//! A request as a command line of the AWS CLI.

use super::call::{Call, Pages, ordered};
use serde_json::Value as Json;

/// JSON that is wider than this stands on several lines.
const ONE_LINE: usize = 90;

/// The command, an option a line, for a POSIX shell.
pub(super) fn command(request: &Call<'_>) -> String {
    let mut lines = vec![format!("aws dynamodb {}", kebab(request.operation))];
    for (key, value) in ordered(request.body) {
        let option = kebab(key);
        lines.extend(
            match (value, key, request.pages) {
                // With a page size, the command follows the pages itself.
                (Json::Number(limit), "Limit", Some(pages)) => {
                    let most = match (pages, limit.as_u64()) {
                        (Pages::AtMost(pages), Some(limit)) => {
                            Some(format!("--max-items {}", pages.saturating_mul(limit)))
                        }
                        _ => None,
                    };
                    [Some(format!("--page-size {limit}")), most]
                }
                (Json::Bool(true), ..) => [Some(format!("--{option}")), None],
                (Json::Bool(false), ..) => [Some(format!("--no-{option}")), None],
                (Json::String(text), ..) => [Some(argument(&option, text)), None],
                (other, ..) => [Some(argument(&option, &json(other, 1))), None],
            }
            .into_iter()
            .flatten(),
        );
    }
    lines.join(" \\\n  ")
}

/// `GetItem` as `get-item`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// An option with its value. A value that looks like an option is tied to its
/// own.
fn argument(option: &str, value: &str) -> String {
    let tie = if value.starts_with('-') { '=' } else { ' ' };
    format!("--{option}{tie}{}", quoted(value))
}

/// A word of a POSIX shell, in single quotes unless it is plain.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// JSON on one line where it is short, else an entry a line.
fn json(value: &Json, depth: usize) -> String {
    let (brackets, parts): ([&str; 2], Vec<String>) = match value {
        Json::Object(entries) => {
            let entry =
                |(name, value): (&str, &Json)| format!("{}: {}", Json::String(name.to_owned()), json(value, depth + 1));
            (["{", "}"], ordered(entries).into_iter().map(entry).collect())
        }
        Json::Array(values) => (["[", "]"], values.iter().map(|value| json(value, depth + 1)).collect()),
        other => return ascii_controls(&other.to_string()),
    };
    let [open, close] = brackets;
    let line = format!("{open}{}{close}", parts.join(", "));
    if !line.contains('\n') && line.chars().count() + 2 * depth <= ONE_LINE {
        return line;
    }
    let indent = "  ".repeat(depth);
    format!("{open}\n{indent}  {}\n{indent}{close}", parts.join(&format!(",\n{indent}  ")))
}

/// Marks that turn the direction of the text around, by number.
pub(super) fn ascii_controls(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{7f}'..='\u{9f}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn printed(operation: &'static str, body: Json, pages: Option<Pages>) -> String {
        let body = body.as_object().expect("a body is an object");
        let mut call = Call::new(operation, body, &[]);
        call.pages = pages;
        command(&call)
    }

    #[test]
    fn a_command_has_an_option_a_line() {
        let body = json!({
            "TableName": "UserOrders",
            "KeyConditionExpression": "user_id = :user_id AND begins_with(sk, :sk)",
            "ExpressionAttributeValues": { ":user_id": { "S": "u1" }, ":sk": { "S": "ORDER#" } },
            "ScanIndexForward": false,
            "ConsistentRead": true,
            "Limit": 20,
        });
        assert_eq!(
            printed("Query", body.clone(), None),
            "aws dynamodb query \\\n  --table-name UserOrders \\\n  \
             --key-condition-expression 'user_id = :user_id AND begins_with(sk, :sk)' \\\n  \
             --expression-attribute-values '{\":sk\": {\"S\": \"ORDER#\"}, \":user_id\": {\"S\": \"u1\"}}' \\\n  \
             --consistent-read \\\n  --no-scan-index-forward \\\n  --limit 20"
        );
        assert!(
            printed("Query", body.clone(), Some(Pages::AtMost(3))).ends_with("--page-size 20 \\\n  --max-items 60")
        );
        assert!(printed("Query", body, Some(Pages::All)).ends_with("--page-size 20"));
    }

    #[test]
    fn a_shell_reads_what_was_meant() {
        let body = json!({ "TableName": "-odd", "Key": { "it's": { "S": "$(rm) `x` \"y\" \\ !\n'" } } });
        assert_eq!(
            printed("GetItem", body, None),
            "aws dynamodb get-item \\\n  --table-name=-odd \\\n  \
             --key '{\"it'\\''s\": {\"S\": \"$(rm) `x` \\\"y\\\" \\\\ !\\n'\\''\"}}'"
        );
        assert_eq!(quoted(""), "''");
    }
}
