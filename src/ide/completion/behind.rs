//! What stands behind the cursor already: a proposal does not bring it a second time.

use super::cursor::is_name;
use super::{CompletionItem, CompletionKind};

/// A proposal without what follows it on its line; `None` where the line already says
/// something else than the proposal does.
pub(super) fn fitted(item: CompletionItem, behind: &str) -> Option<CompletionItem> {
    let behind = behind.trim_start();
    // Two strings never stand side by side.
    if item.text.starts_with('"') && behind.starts_with('"') {
        return None;
    }
    if !matches!(item.kind, CompletionKind::Keyword | CompletionKind::Snippet | CompletionKind::Type)
        && item.kind != CompletionKind::Modifier
        && item.kind != CompletionKind::Operator
    {
        return Some(item);
    }
    let written = item.snippet.as_ref().unwrap_or(&item.text);
    let Some(arguments) = written.strip_prefix(item.label.as_str()) else {
        // One of several skeletons of the same declaration: the plain one is its keyword.
        let keyword = item.label.split(' ').next().unwrap_or("");
        let other = written.strip_prefix(keyword).is_some_and(|arguments| follows(arguments, behind));
        return (!other).then_some(item);
    };
    if let Some((kept, word)) = item.label.rsplit_once(' ') {
        let next = first_word(behind);
        if next == word {
            let kept = kept.to_owned();
            return Some(bare(item, kept));
        }
        // `transact write` in the place of the first word of `transact get`.
        let is_mode = |word: &str| matches!(word, "write" | "get");
        if is_mode(word) && is_mode(next) && behind[next.len()..].trim_start().starts_with('{') {
            return None;
        }
    }
    if follows(arguments, behind) {
        let label = item.label.clone();
        return Some(bare(item, label));
    }
    Some(item)
}

fn bare(item: CompletionItem, text: String) -> CompletionItem {
    CompletionItem { snippet: None, text, ..item }
}

/// Whether a text begins with such arguments as a snippet has behind its keyword.
fn follows(arguments: &str, behind: &str) -> bool {
    let arguments = arguments.trim_start();
    let next = first_word(behind);
    let is_label = |word: &str| matches!(word, "avg" | "max" | "peak");
    match arguments.chars().next() {
        Some(sign @ ('(' | '<' | '"' | '{')) => behind.starts_with(sign),
        // A name to fill in.
        Some('$') if arguments.starts_with("${") => {
            !next.is_empty() || behind.starts_with('`') || behind.starts_with('{')
        }
        // A number to fill in, with its label or without.
        Some('$') => behind.starts_with(|c: char| c.is_ascii_digit()) || is_label(next),
        Some(_) => {
            let own = first_word(arguments);
            let numbers = is_label(own) && (is_label(next) || behind.starts_with(|c: char| c.is_ascii_digit()));
            !own.is_empty() && (own == next || numbers)
        }
        None => false,
    }
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}
