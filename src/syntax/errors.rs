//! What does not parse, and what was expected there.

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
        let before = previous_leaf(node);
        let start = node.start_byte();
        let (range, what) = if text[start..node.end_byte()].trim().is_empty() {
            let at = before.map_or(start, |n| n.end_byte());
            (TextRange::empty(at), "nothing".to_owned())
        } else {
            (first_line(text, start, node.end_byte()), found(&text[start..]))
        };
        let given_up = give_up(language, node, before);
        let (what, range) = match given_up.and_then(|(_, token)| token) {
            Some(token) => {
                let start = token.start_byte();
                (found(&text[start..]), first_line(text, start, node.end_byte()))
            }
            // All of it was understood: what follows was not.
            None if given_up.is_some() && !text[node.end_byte()..].trim_start().is_empty() => {
                let rest = &text[node.end_byte()..];
                let start = text.len() - rest.trim_start().len();
                (found(rest), TextRange::new(start, start + token_length(rest.trim_start())))
            }
            None => (what, range),
        };
        let state = given_up.map(|(state, _)| state);
        let message = match state.and_then(|state| expected(language, state)) {
            Some(expected) => format!("expected {expected}, found {what}"),
            None => format!("{what} is not expected here"),
        };
        errors.push(SyntaxError { message, range });
        return false;
    }
    if node.is_missing() {
        let at = previous_leaf(node).map_or(node.start_byte(), |n| n.end_byte());
        errors
            .push(SyntaxError { message: format!("expected {}", describe(node.kind())), range: TextRange::empty(at) });
        return false;
    }
    match node.kind() {
        "incomplete" => {
            let before = previous_leaf(node);
            let at = before.map_or(node.start_byte(), |n| n.end_byte());
            let states = [Some(node.parse_state()), before.map(|n| n.next_parse_state())];
            let message = match states.into_iter().flatten().find_map(|state| expected(language, state)) {
                Some(expected) => format!("expected {expected}"),
                None => "something is missing here".to_owned(),
            };
            errors.push(SyntaxError { message, range: TextRange::empty(at) });
            false
        }
        "unexpected" => {
            let what = found(&text[node.start_byte()..]);
            let message = match what.chars().nth(1).is_some_and(char::is_alphabetic) && !what.is_ascii() {
                true => format!("{what} has letters outside A–Z, a–z: as a name it must be in backticks"),
                false => format!("{what} is not expected here"),
            };
            errors.push(SyntaxError { message, range: first_line(text, node.start_byte(), node.end_byte()) });
            false
        }
        "unknown_clause" => {
            let block = node.parent().map(block_name).unwrap_or_default();
            let word = found(&text[node.start_byte()..]);
            errors.push(SyntaxError {
                message: format!("no clause of {} {block} begins with {word}", article(&block)),
                range: first_line(text, node.start_byte(), node.end_byte()),
            });
            false
        }
        "unknown_type" => {
            errors.push(SyntaxError {
                message: format!(
                    "{} is no type; types are string, number, binary, boolean, timestamp, epoch, uuid, ulid, ksuid, \
                     enum(…), list<…>, set<…> and map",
                    found(&text[node.start_byte()..])
                ),
                range: TextRange::of(node),
            });
            false
        }
        "unknown_modifier" => {
            errors.push(SyntaxError {
                message: "expected a modifier: @id, @unique, @without, @immutable, @size, @distinct, @hottest, @of, \
                          @copied_from, @present or @example"
                    .to_owned(),
                range: TextRange::of(node),
            });
            false
        }
        "string" => {
            string(node, text, errors);
            false
        }
        "template" => {
            let base = node.start_byte() as u32;
            let written = text.get(node.byte_range()).unwrap_or("");
            if !closed(written) || plain_operand(node) {
                string(node, text, errors);
            } else {
                errors.extend(
                    Template::parse(written)
                        .faults
                        .into_iter()
                        .map(|fault| SyntaxError { message: fault.message, range: fault.range.shifted(base) }),
                );
            }
            false
        }
        kind if kind.ends_with("_body") => {
            let last = node.child_count().checked_sub(1).and_then(|i| node.child(i));
            if last.is_none_or(|n| n.kind() != "}") {
                errors.push(SyntaxError {
                    message: format!("`{{` is not closed: expected `}}` at the end of the {}", block_name(node)),
                    range: TextRange::new(node.start_byte(), (node.start_byte() + 1).min(text.len())),
                });
            }
            true
        }
        "name" => {
            let written = text.get(node.byte_range()).unwrap_or("");
            if written.starts_with('`') && (written.len() < 3 || !written.ends_with('`')) {
                errors.push(SyntaxError {
                    message: "a name in backticks is empty or not closed".to_owned(),
                    range: TextRange::of(node),
                });
            }
            false
        }
        _ => true,
    }
}

/// Whether a template stands in a filter or an `if`, where braces are text
/// unless it is held against a key; the analysis judges those.
fn plain_operand(node: Node<'_>) -> bool {
    let mut at = node.parent();
    for _ in 0..64 {
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
    let token: String = text[..length].chars().take(40).collect();
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

/// Where the parser gave up inside an error node: its state there, and the
/// token that it could not take. Some tokens of the node may still have been
/// understood; they are followed from the state before it.
fn give_up<'t>(language: &Language, error: Node<'t>, before: Option<Node<'t>>) -> Option<(u16, Option<Node<'t>>)> {
    let first = error.child(0);
    let state = before.map(|n| n.next_parse_state()).filter(|s| *s != 0);
    let mut state = state.or_else(|| first.map(|n| n.parse_state())).filter(|s| *s != 0)?;
    let mut token = first;
    for _ in 0..16 {
        let Some(child) = token.filter(|child| !child.is_error()) else { break };
        if !child.is_extra() {
            match language.next_state(state, child.grammar_id()) {
                0 => break,
                next => state = next,
            }
        }
        token = child.next_sibling();
    }
    // Where all of them were understood, it is what follows the node that was not.
    Some((state, token))
}

/// The last token before a node, comments left out.
fn previous_leaf(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    let mut sibling = loop {
        match at.prev_sibling() {
            Some(sibling) if sibling.is_extra() => at = sibling,
            Some(sibling) => break sibling,
            None => at = at.parent()?,
        }
    };
    while let Some(last) = sibling.child_count().checked_sub(1).and_then(|i| sibling.child(i)) {
        sibling = last;
    }
    Some(sibling)
}

/// What the parser would have taken in a state, in words.
fn expected(language: &Language, state: u16) -> Option<String> {
    if state == 0 {
        return None;
    }
    let mut iterator = language.lookahead_iterator(state)?;
    let mut words: Vec<String> = Vec::new();
    let mut names = false;
    let mut condition = false;
    let mut types = false;
    for symbol in iterator.iter_names() {
        match symbol {
            // What the grammar builds of tokens, or stands in for one that is missing.
            "ERROR" | "end" | "comment" | "doc_comment" | "incomplete" | "unexpected" | "unknown_clause"
            | "unknown_type" | "unknown_modifier" | "keyword_value" | "conditions" | "existence" | "group"
            | "not_condition" | "primitive_type" | "enum_type" | "list_type" | "set_type" => {}
            "comparison" => condition = true,
            "type" => types = true,
            s if s.starts_with('_') => {}
            "identifier" | "name" | "backticked_name" => names = true,
            s => words.push(describe(s)),
        }
    }
    if condition {
        return Some("a condition such as `user_id = :user_id`".to_owned());
    }
    if types {
        return Some("a type".to_owned());
    }
    words.sort();
    words.dedup();
    if words.iter().any(|word| word == OPERATOR) {
        // The signs that operators begin with are tokens of their own.
        words.retain(|word| !matches!(word.as_str(), "`<`" | "`=`" | "`>`" | "`in`"));
    }
    if names && words.len() > 8 {
        // Every contextual keyword may be a name: a list of all says nothing.
        return Some("a name".to_owned());
    }
    if names {
        words.insert(0, "a name".to_owned());
    }
    if words.is_empty() || words.len() > 14 {
        return None;
    }
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) })
}

const OPERATOR: &str = "an operator such as `=`";

/// A grammar symbol, in words.
fn describe(symbol: &str) -> String {
    match symbol {
        "name" | "identifier" => "a name".to_owned(),
        "quantity" => "a number with its unit".to_owned(),
        "string" | "\"" => "a string in quotes".to_owned(),
        "template" => "a key template in quotes".to_owned(),
        "cardinality" => "1:1, 1:N or N:M".to_owned(),
        "parameter" => "a parameter such as `:name`".to_owned(),
        "rule_name" => "the name of a rule".to_owned(),
        "operand" => "a value".to_owned(),
        "operator" => OPERATOR.to_owned(),
        "}" => "`}`".to_owned(),
        other => format!("`{other}`"),
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
