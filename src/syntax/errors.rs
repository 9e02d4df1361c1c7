//! What does not parse, and what was expected there.

use super::expected::{closed_choice, describe, expected, expected_after, give_up, previous_leaf, stand_in};
use super::invisible::{self, is_blank, visible};
use super::range::TextRange;
use super::split::ChunkKind;
use super::template::Template;
use tree_sitter::{Language, Node, Tree, TreeCursor};

/// A place that does not parse. The range is relative to its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub range: TextRange,
    /// What follows on the line is read as it is meant all the same.
    pub alone: bool,
}

impl SyntaxError {
    fn new(message: impl Into<String>, range: TextRange) -> Self {
        Self { message: message.into(), range, alone: false }
    }
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
    let mut errors = match kind {
        ChunkKind::Junk => junk(text).into_iter().collect(),
        _ => of_tree(text, tree),
    };
    let unseen = invisible::faults(text).into_iter();
    errors.extend(unseen.map(|(range, message)| SyntaxError { message, range, alone: true }));
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    errors.truncate(MOST);
    errors
}

/// Text that starts no declaration.
fn junk(text: &str) -> Option<SyntaxError> {
    let start = text.find(|c: char| !is_blank(c))?;
    let message = format!(
        "expected a declaration, found {}; declarations begin with application, entity, relationship, table, \
         aggregate, pattern, workflow, consideration, tradeoff, import or allow",
        found(text)
    );
    Some(SyntaxError::new(message, first_line(text, start, text.len())))
}

fn of_tree(text: &str, tree: &Tree) -> Vec<SyntaxError> {
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
    // Characters that nobody sees are reported by themselves.
    let unseen = || !node.byte_range().is_empty() && text[node.byte_range()].chars().all(is_blank);
    if (node.is_error() || node.kind() == "unexpected") && unseen() {
        return false;
    }
    if node.is_error() {
        errors.push(not_read(node, text, language));
        return false;
    }
    if node.is_missing() {
        let message = match describe(node.kind(), node.is_named()) {
            Some(what) => format!("expected {what}"),
            None => SOMETHING.to_owned(),
        };
        errors.push(SyntaxError::new(message, TextRange::empty(end_before(node))));
        return false;
    }
    match node.kind() {
        "incomplete" => errors.push(incomplete(node, text, language)),
        "unexpected" => errors.push(unexpected(node, text)),
        "unknown_clause" => errors.push(unknown_clause(node, text)),
        "unknown_type" => errors.push(SyntaxError::new(
            format!(
                "{} is no type; types are string, number, binary, boolean, timestamp, epoch, uuid, ulid, ksuid, \
                 enum(…), list<…>, set<…> and map",
                found(&text[node.start_byte()..])
            ),
            TextRange::of(node),
        )),
        "unknown_modifier" => errors.push(SyntaxError::new(
            "expected a modifier: @id, @unique, @without, @immutable, @size, @distinct, @hottest, @of, @copied_from, \
             @present or @example",
            TextRange::of(node),
        )),
        "string" => string(node, text, errors),
        "template" => template(node, text, errors),
        "name" => errors.extend(name(node, text)),
        "aggregate" => {
            errors.extend(lone_entity(node));
            return true;
        }
        kind if kind.ends_with("_body") => {
            errors.extend(open_block(node, text).or_else(|| empty_block(node)));
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
    let given_up = give_up(language, text, node, previous_leaf(node));
    let (what, range) = match given_up.as_ref().and_then(|given_up| given_up.token) {
        Some(token) => {
            let start = token.start_byte();
            (found(&text[start..]), first_line(text, start, end))
        }
        // All of it was understood: what follows was not.
        None if given_up.is_some() && !text[end..].trim_start_matches(is_blank).is_empty() => {
            let rest = text[end..].trim_start_matches(is_blank);
            let start = text.len() - rest.len();
            (found(rest), TextRange::new(start, start + token_length(rest)))
        }
        None if text[start..end].trim().is_empty() => ("nothing".to_owned(), TextRange::empty(end_before(node))),
        None => (found(&text[start..]), first_line(text, start, end)),
    };
    let wanted = given_up.and_then(|given_up| match (given_up.last, given_up.state) {
        (Some(last), Some(state)) => closed_choice(last, text, state, language).or_else(|| expected(language, state)),
        (None, Some(state)) => expected(language, state),
        (Some(last), None) => expected_after(last, text),
        (None, None) => None,
    });
    let wanted = wanted.map(|wanted| wanted.fitting(node));
    let message = match wanted.filter(|wanted| !wanted.takes(&what)) {
        Some(wanted) => format!("expected {wanted}, found {what}"),
        None => format!("{what} is not expected here"),
    };
    SyntaxError::new(message, range)
}

const SOMETHING: &str = "something is missing here";

/// A clause that stops short.
fn incomplete(node: Node<'_>, text: &str, language: &Language) -> SyntaxError {
    let last = previous_leaf(node);
    let before = last.map(|leaf| leaf.next_parse_state());
    let mut states = [Some(node.parse_state()), before].into_iter().flatten();
    let choice = last.and_then(|last| closed_choice(last, text, 0, language));
    let choice = choice.or_else(|| stand_in(node, last?, text));
    let wanted = choice.or_else(|| states.find_map(|state| expected(language, state)));
    let message = match wanted.map(|wanted| wanted.fitting(node)) {
        Some(wanted) => format!("expected {wanted}"),
        None => SOMETHING.to_owned(),
    };
    SyntaxError::new(message, TextRange::empty(end_before(node)))
}

/// A token that nothing can take.
fn unexpected(node: Node<'_>, text: &str) -> SyntaxError {
    let hidden = text[node.byte_range()].find(|c: char| !is_blank(c)).unwrap_or(0);
    let start = node.start_byte() + hidden;
    let what = found(&text[start..]);
    let message = match what.chars().nth(1).is_some_and(char::is_alphabetic) && !what.is_ascii() {
        true => format!("{what} has letters outside A–Z, a–z: as a name it must be in backticks"),
        false => format!("{what} is not expected here"),
    };
    SyntaxError::new(message, first_line(text, start, node.end_byte()))
}

fn unknown_clause(node: Node<'_>, text: &str) -> SyntaxError {
    let block = node.parent().map(block_name).unwrap_or_default();
    let word = found(&text[node.start_byte()..]);
    SyntaxError::new(
        format!("no clause of {} {block} begins with {word}", article(&block)),
        first_line(text, node.start_byte(), node.end_byte()),
    )
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
    errors
        .extend(faults.map(|fault| SyntaxError::new(visible(&fault.message).into_owned(), fault.range.shifted(base))));
}

/// A block that is not closed.
fn open_block(body: Node<'_>, text: &str) -> Option<SyntaxError> {
    let last = body.child_count().checked_sub(1).and_then(|i| body.child(i));
    if last.is_some_and(|last| last.kind() == "}") {
        return None;
    }
    Some(SyntaxError::new(
        format!("`{{` is not closed: expected `}}` at the end of the {}", block_name(body)),
        TextRange::new(body.start_byte(), (body.start_byte() + 1).min(text.len())),
    ))
}

/// A block that says nothing where something has to be said.
fn empty_block(body: Node<'_>) -> Option<SyntaxError> {
    let message = match body.kind() {
        "workflow_body" => "expected the name of a pattern: a workflow runs at least one",
        "transaction_body" => "expected an operation: DynamoDB refuses a transaction or a batch of none",
        _ => return None,
    };
    let mut cursor = body.walk();
    // What is there and not read has an error of its own.
    let empty = body.named_children(&mut cursor).all(|child| matches!(child.kind(), "comment" | "doc_comment"));
    empty.then(|| SyntaxError::new(message, TextRange::of(body)))
}

/// An aggregate of one entity.
fn lone_entity(aggregate: Node<'_>) -> Option<SyntaxError> {
    let mut cursor = aggregate.walk();
    let broken = aggregate.children(&mut cursor).any(|child| child.is_error() || child.kind() == "incomplete");
    let mut cursor = aggregate.walk();
    let mut entities = aggregate.children_by_field_name("entity", &mut cursor);
    let (only, None) = (entities.next()?, entities.next()) else { return None };
    let message = "expected `,` and the name of another entity: an aggregate is of at least two";
    (!broken).then(|| SyntaxError::new(message, TextRange::of(only)))
}

/// A name in backticks that is empty or not closed.
fn name(node: Node<'_>, text: &str) -> Option<SyntaxError> {
    let written = text.get(node.byte_range()).unwrap_or("");
    let broken = written.starts_with('`') && (written.len() < 3 || !written.ends_with('`'));
    let message = "a name in backticks is empty or not closed".to_owned();
    broken.then(|| SyntaxError::new(message, TextRange::of(node)))
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
        let message = "a string is not closed: expected `\"` before the end of the line";
        errors.push(SyntaxError::new(message, TextRange::of(node)));
    }
    for fault in super::strings::string_chars(written).1 {
        let message = "unknown escape; known are \\\" \\\\ \\n \\t and \\u{…}";
        let range = TextRange::new(node.start_byte() + fault.start, node.start_byte() + fault.end);
        errors.push(SyntaxError::new(message, range));
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
    TextRange::new(start, start + slice[..length].trim_end_matches(is_blank).len())
}

/// The first token of `text`, quoted for a message.
fn found(text: &str) -> String {
    let text = text.trim_start_matches(is_blank);
    if text.is_empty() {
        return "the end".to_owned();
    }
    let length = token_length(text);
    let token: String = text[..length].chars().take(MOST_SHOWN).collect();
    format!("`{}`", visible(&token))
}

/// The length of the word or sign that a text begins with.
fn token_length(text: &str) -> usize {
    match text.chars().next() {
        Some('<' | '>') if text[1..].starts_with(['=', '>']) => 2,
        Some(c) if c == '_' || c.is_alphanumeric() => {
            text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len())
        }
        first => first.map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests;
