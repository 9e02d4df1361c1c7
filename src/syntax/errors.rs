//! What does not parse, and what was expected there.

use super::expected::{describe, expected, give_up, previous_leaf};
use super::range::TextRange;
use super::split::ChunkKind;
use super::template::Template;
use tree_sitter::{Language, Node, Tree, TreeCursor};

/// A place that does not parse. The range is relative to its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub range: TextRange,
}

/// At most so many errors are kept of one declaration: text that is no model at
/// all would otherwise bury everything else.
const MOST: usize = 50;

/// So many characters of a token are quoted in a message.
const MOST_SHOWN: usize = 40;

/// The walk from an operand up to its clause ends after so many levels of
/// parentheses.
const MOST_PARENTS: usize = 64;

/// Collects the errors of a parsed declaration.
pub fn collect(kind: ChunkKind, text: &str, tree: &Tree) -> Vec<SyntaxError> {
    if kind == ChunkKind::Junk {
        return vec![SyntaxError {
            message: format!(
                "expected a declaration, found {}; declarations begin with application, entity, relationship, table, \
                 aggregate, pattern, workflow, consideration, tradeoff, import or allow",
                found(text)
            ),
            range: first_line(text, 0, text.len()),
        }];
    }
    let mut errors = Vec::new();
    let language = tree.language().to_owned();
    let mut cursor = tree.walk();
    // An explicit walk: a recursive one would end the process on deep nesting.
    loop {
        let node = cursor.node();
        let descend = visit(node, text, &language, &mut errors);
        if errors.len() >= MOST {
            break;
        }
        if descend && cursor.goto_first_child() {
            continue;
        }
        if !advance(&mut cursor) {
            break;
        }
    }
    errors.sort_by_key(|e| (e.range.start, e.range.end));
    // What follows a fault on its line is mostly its consequence. A brace that
    // is not closed is a fault of its own.
    let line = |e: &SyntaxError| text[..e.range.start as usize].matches('\n').count();
    errors.dedup_by(|later, first| {
        let brace = |e: &SyntaxError| e.message.starts_with("`{`");
        brace(later) == brace(first) && line(later) == line(first)
    });
    errors
}

fn advance(cursor: &mut TreeCursor<'_>) -> bool {
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Reports what is wrong with one node; says whether to look inside it.
fn visit(node: Node<'_>, text: &str, language: &Language, errors: &mut Vec<SyntaxError>) -> bool {
    if node.is_error() {
        errors.push(not_read(node, text, language));
        return false;
    }
    if node.is_missing() {
        let message = format!("expected {}", describe(node.kind()));
        errors.push(SyntaxError { message, range: TextRange::empty(end_before(node)) });
        return false;
    }
    match node.kind() {
        "incomplete" => errors.push(incomplete(node, language)),
        "unexpected" => errors.push(unexpected(node, text)),
        "unknown_clause" => errors.push(unknown_clause(node, text)),
        "unknown_type" => errors.push(SyntaxError {
            message: format!(
                "{} is no type; types are string, number, binary, boolean, timestamp, epoch, uuid, ulid, ksuid, \
                 enum(…), list<…>, set<…> and map",
                found(&text[node.start_byte()..])
            ),
            range: TextRange::of(node),
        }),
        "unknown_modifier" => errors.push(SyntaxError {
            message: "expected a modifier: @id, @unique, @without, @immutable, @size, @distinct, @hottest, @of, \
                      @copied_from, @present or @example"
                .to_owned(),
            range: TextRange::of(node),
        }),
        "string" => string(node, text, errors),
        "template" => template(node, text, errors),
        "name" => errors.extend(name(node, text)),
        kind if kind.ends_with("_body") => {
            errors.extend(open_block(node, text));
            return true;
        }
        _ => return true,
    }
    false
}

/// Where the token before a node ends; the node's own start where there is none.
fn end_before(node: Node<'_>) -> usize {
    previous_leaf(node).map_or(node.start_byte(), |leaf| leaf.end_byte())
}

/// Text that the parser could not read: the first token that it did not take.
fn not_read(node: Node<'_>, text: &str, language: &Language) -> SyntaxError {
    let (start, end) = (node.start_byte(), node.end_byte());
    let given_up = give_up(language, node, previous_leaf(node));
    let (what, range) = match given_up.and_then(|(_, token)| token) {
        Some(token) => {
            let start = token.start_byte();
            (found(&text[start..]), first_line(text, start, end))
        }
        // All of it was understood: what follows was not.
        None if given_up.is_some() && !text[end..].trim_start().is_empty() => {
            let rest = text[end..].trim_start();
            let start = text.len() - rest.len();
            (found(rest), TextRange::new(start, start + token_length(rest)))
        }
        None if text[start..end].trim().is_empty() => ("nothing".to_owned(), TextRange::empty(end_before(node))),
        None => (found(&text[start..]), first_line(text, start, end)),
    };
    let message = match given_up.and_then(|(state, _)| expected(language, state)) {
        Some(expected) => format!("expected {expected}, found {what}"),
        None => format!("{what} is not expected here"),
    };
    SyntaxError { message, range }
}

/// A clause that stops short.
fn incomplete(node: Node<'_>, language: &Language) -> SyntaxError {
    let before = previous_leaf(node).map(|leaf| leaf.next_parse_state());
    let states = [Some(node.parse_state()), before];
    let message = match states.into_iter().flatten().find_map(|state| expected(language, state)) {
        Some(expected) => format!("expected {expected}"),
        None => "something is missing here".to_owned(),
    };
    SyntaxError { message, range: TextRange::empty(end_before(node)) }
}

/// A token that nothing can take.
fn unexpected(node: Node<'_>, text: &str) -> SyntaxError {
    let what = found(&text[node.start_byte()..]);
    let message = match what.chars().nth(1).is_some_and(char::is_alphabetic) && !what.is_ascii() {
        true => format!("{what} has letters outside A–Z, a–z: as a name it must be in backticks"),
        false => format!("{what} is not expected here"),
    };
    SyntaxError { message, range: first_line(text, node.start_byte(), node.end_byte()) }
}

fn unknown_clause(node: Node<'_>, text: &str) -> SyntaxError {
    let block = node.parent().map(block_name).unwrap_or_default();
    let word = found(&text[node.start_byte()..]);
    SyntaxError {
        message: format!("no clause of {} {block} begins with {word}", article(&block)),
        range: first_line(text, node.start_byte(), node.end_byte()),
    }
}

/// A key template, or a string where braces are text.
fn template(node: Node<'_>, text: &str, errors: &mut Vec<SyntaxError>) {
    let base = node.start_byte() as u32;
    let written = text.get(node.byte_range()).unwrap_or("");
    if !closed(written) || plain_operand(node) {
        string(node, text, errors);
        return;
    }
    let faults = Template::parse(written).faults.into_iter();
    errors.extend(faults.map(|fault| SyntaxError { message: fault.message, range: fault.range.shifted(base) }));
}

/// A block that is not closed.
fn open_block(body: Node<'_>, text: &str) -> Option<SyntaxError> {
    let last = body.child_count().checked_sub(1).and_then(|i| body.child(i));
    if last.is_some_and(|last| last.kind() == "}") {
        return None;
    }
    Some(SyntaxError {
        message: format!("`{{` is not closed: expected `}}` at the end of the {}", block_name(body)),
        range: TextRange::new(body.start_byte(), (body.start_byte() + 1).min(text.len())),
    })
}

/// A name in backticks that is empty or not closed.
fn name(node: Node<'_>, text: &str) -> Option<SyntaxError> {
    let written = text.get(node.byte_range()).unwrap_or("");
    let broken = written.starts_with('`') && (written.len() < 3 || !written.ends_with('`'));
    let message = "a name in backticks is empty or not closed".to_owned();
    broken.then(|| SyntaxError { message, range: TextRange::of(node) })
}

/// Whether a template stands in a filter or an `if`, where braces are text
/// unless it is held against a key; the analysis judges those.
fn plain_operand(node: Node<'_>) -> bool {
    let mut at = node.parent();
    for _ in 0..MOST_PARENTS {
        match at.map(|n| n.kind()) {
            Some("filter_option" | "if_condition") => return true,
            Some("comparison" | "group" | "not_condition" | "conditions") => at = at.and_then(|n| n.parent()),
            _ => return false,
        }
    }
    false
}

fn string(node: Node<'_>, text: &str, errors: &mut Vec<SyntaxError>) {
    let written = text.get(node.byte_range()).unwrap_or("");
    if !closed(written) {
        errors.push(SyntaxError {
            message: "a string is not closed: expected `\"` before the end of the line".to_owned(),
            range: TextRange::of(node),
        });
    }
    for fault in super::strings::string_chars(written).1 {
        errors.push(SyntaxError {
            message: "unknown escape; known are \\\" \\\\ \\n \\t and \\u{…}".to_owned(),
            range: TextRange::new(node.start_byte() + fault.start, node.start_byte() + fault.end),
        });
    }
}

/// Whether a string literal ends with its own quote.
fn closed(written: &str) -> bool {
    let mut chars = written.chars();
    chars.next();
    while let Some(c) = chars.next() {
        match c {
            '"' => return true,
            // Recovery may carry a string over its line; the language does not.
            '\n' | '\r' => return false,
            '\\' => {
                chars.next();
            }
            _ => {}
        }
    }
    false
}

fn block_name(body: Node<'_>) -> String {
    body.kind().trim_end_matches("_body").replace('_', " ")
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn first_line(text: &str, start: usize, end: usize) -> TextRange {
    let slice = &text[start..end];
    let length = slice.find(['\n', '\r']).unwrap_or(slice.len());
    TextRange::new(start, start + slice[..length].trim_end().len())
}

/// The first token of `text`, quoted for a message.
fn found(text: &str) -> String {
    let text = text.trim_start();
    if text.is_empty() {
        return "the end".to_owned();
    }
    let length = token_length(text);
    let token: String = text[..length].chars().take(MOST_SHOWN).collect();
    format!("`{token}`")
}

/// The length of the word or sign that a text begins with.
fn token_length(text: &str) -> usize {
    match text.chars().next() {
        Some(c) if c == '_' || c.is_alphanumeric() => {
            text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len())
        }
        first => first.map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::FileParse;

    fn errors(text: &str) -> Vec<String> {
        let parse = FileParse::new(text);
        parse.chunks.iter().flat_map(|placed| &placed.chunk.errors).map(|error| error.message.clone()).collect()
    }

    #[test]
    fn what_is_expected_is_something_that_one_can_type() {
        let errors = errors("pattern P {\n  rate avg 1/s, peak\n}\n");
        assert_eq!(errors, ["expected a number with its unit"]);
    }

    #[test]
    fn an_escape_is_read_in_a_filter_too() {
        let errors = errors("pattern P {\n  scan T filter a = \"x\\q{\"\n}\n");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains("unknown escape"), "{errors:?}");
    }

    #[test]
    fn a_string_never_runs_over_its_line() {
        let errors = errors("table T {\n  item X { a = \"x{b}\n{ c }\" b = \"y\" }\n}\n");
        assert!(errors.iter().any(|error| error.contains("not closed")), "{errors:?}");
    }

    #[test]
    fn a_name_with_other_letters_is_told_to_wear_backticks() {
        let errors = errors("entity A {\n  preço: number\n}\n");
        assert!(errors.len() == 1 && errors[0].contains("backticks"), "{errors:?}");
    }
}
