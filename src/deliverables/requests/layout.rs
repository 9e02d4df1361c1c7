//! Objects and lists of TypeScript: on one line where that is short.

use super::literals::key;

/// The width at which they are broken into lines.
const WIDTH: usize = 90;

/// An object, an entry a line where it is wide, or where `always` says so.
pub(super) fn object(entries: Vec<(&str, String)>, depth: usize, always: bool) -> String {
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(name, value)| match key(name) {
            // `{ sku }` says what `{ sku: sku }` does, where that is a constant.
            key if key == value && !["true", "false", "null"].contains(&key.as_str()) => key,
            key => format!("{key}: {value}"),
        })
        .collect();
    broken(entries, ["{ ", " }", "{", "}"], depth, always)
}

/// A list.
pub(super) fn list(values: Vec<String>, depth: usize) -> String {
    broken(values, ["[", "]", "[", "]"], depth, false)
}

/// A set of what a list holds.
pub(super) fn set(values: Vec<String>, depth: usize) -> String {
    broken(values, ["new Set([", "])", "new Set([", "])"], depth, false)
}

fn broken(parts: Vec<String>, brackets: [&str; 4], depth: usize, always: bool) -> String {
    let [open, close, begin, end] = brackets;
    if parts.is_empty() {
        return format!("{begin}{end}");
    }
    let line = format!("{open}{}{close}", parts.join(", "));
    if !always && !line.contains('\n') && line.chars().count() + 2 * depth <= WIDTH {
        return line;
    }
    let indent = "  ".repeat(depth);
    let parts: Vec<String> = parts.into_iter().map(|part| format!("{indent}  {part},\n")).collect();
    format!("{begin}\n{}{indent}{end}", parts.concat())
}
