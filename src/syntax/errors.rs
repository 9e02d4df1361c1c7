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
mod tests {
    use super::SOMETHING;
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

    #[test]
    fn closed_choices_are_named_whole() {
        let of = |text: &str| errors(text).join("; ");
        let table = |clause: &str| of(&format!("table T {{\n  {clause}\n}}\n"));
        let pattern = |clause: &str| of(&format!("pattern P {{\n  {clause}\n}}\n"));
        let application = |clause: &str| of(&format!("application A {{\n  {clause}\n}}\n"));
        for word in ["", " x", " singletable", " foo {"] {
            for (message, choice) in [
                (application(&format!("style{word}")), "expected `aggregate` or `single_table`"),
                (application(&format!("capacity{word}")), "expected `on_demand` or `provisioned`"),
                (application(&format!("class{word}")), "expected `standard` or `standard_infrequent_access`"),
                (
                    of(&format!("aggregate A, B {{\n  decision{word}\n}}\n")),
                    "expected `single_item`, `item_collection` or `separate_tables`",
                ),
                (
                    table(&format!("stream{word}")),
                    "expected `keys_only`, `new_image`, `old_image` or `new_and_old_images`",
                ),
                (table(&format!("gsi G {{\n projection{word}\n}}")), "expected `all`, `keys_only` or `include`"),
                (table(&format!("partition key k:{word}")), "expected `string`, `number` or `binary`"),
                (pattern(&format!("transact{word}")), "expected `write` or `get`"),
                (pattern(&format!("batch{word}")), "expected `write` or `get`"),
            ] {
                assert!(message.contains(choice), "{word:?}: {message}, not {choice}");
            }
        }
        assert!(pattern("transact { put A into T }").contains("expected `write` or `get`"));
    }

    #[test]
    fn what_is_missing_is_said_in_words() {
        for (text, message) in [
            ("entity A { a: @id }", "expected a type"),
            ("entity A { a: set<> }", "expected the type of the elements, found `<>`"),
            ("entity A {\n  a: set<>\n}", "expected the type of the elements, found `<>`"),
            ("entity A {\n  a\n}", "expected `:`"),
            ("entity A {\n  a string\n}", "expected `:`"),
            ("table T {\n  item A {\n    k\n  }\n}", "expected `=`"),
            ("entity A { a: enum() }", "expected the values of the enum"),
            ("pattern P { query T where a = filter a = 1 }", "expected a value such as"),
            ("pattern P {\n  query T where a between 1 filter b = 1\n}", "expected `and`, found `filter`"),
            ("pattern P {\n  query T where\n  rate avg 1/s\n}", "expected a condition such as"),
            ("table T { partition key }", "expected a name"),
            ("entity A { a: string @unique() }", "expected the attributes within whose values it is unique"),
            ("table T { gsi G { sparse because } }", "expected a string in quotes"),
            ("tradeoff \"a\" because", "expected a string in quotes"),
            ("allow because \"x\"", "expected the name of a rule, found `because`"),
            ("table T { gsi G { projection include() } }", "expected the attributes to include"),
            ("pattern P { reads }", "expected a name"),
            ("import", "expected a string in quotes"),
            ("allow", "expected the name of a rule"),
            ("allow a-b", "expected `,` or `because`"),
            ("allow a-b because", "expected a string in quotes"),
            ("workflow W { }", "expected the name of a pattern: a workflow runs at least one"),
            ("aggregate X { }", "expected `,` and the name of another entity"),
            ("aggregate X", "`{`"),
            ("aggregate { }", "expected the names of two entities or more"),
            ("pattern P { transact write { } }", "expected an operation"),
            ("pattern P { batch get { // none\n } }", "expected an operation"),
        ] {
            let errors = errors(text);
            assert!(errors.len() == 1 && errors[0].contains(message), "{text}: {errors:?}, not {message}");
        }
    }

    #[test]
    fn what_nobody_sees_is_named_and_hides_nothing() {
        for (c, point) in [
            ('\u{2028}', "U+2028"),
            ('\u{2029}', "U+2029"),
            ('\u{85}', "U+0085"),
            ('\u{a0}', "U+00A0"),
            ('\u{feff}', "U+FEFF"),
            ('\u{200b}', "U+200B"),
            ('\u{202e}', "U+202E"),
            ('\u{61c}', "U+061C"),
            ('\u{7}', "U+0007"),
        ] {
            for text in [
                format!("entity A {{ a: string }}{c}entity B {{ b: string }}"),
                format!("entity A {{\n{c}  a: string{c}\n}}\n"),
                format!("{c}{c}table T {{ partition key a }}"),
                format!("pattern P {{\n  query T where a{c}= 1{c}filter{c}b = 2\n}}\n"),
                format!("entity A {{ a: string {c}%%\n}}"),
            ] {
                let text = format!("// \n{text}");
                let errors = errors(&text);
                assert!(errors.iter().any(|error| error.contains(point)), "{text:?}: {errors:?}");
                assert!(!errors.iter().any(|error| error.contains(c)), "{text:?}: {errors:?}");
                if !text.contains('%') && point != "U+061C" {
                    assert!(errors.iter().all(|error| error.starts_with(point)), "{text:?}: {errors:?}");
                }
            }
        }
        let two = errors("entity A { a: string }\u{2028}entity B { b: strin }");
        assert_eq!(two.len(), 2, "{two:?}");
    }

    /// Each example with a token cut off or replaced, and what is said of it.
    #[test]
    fn no_message_speaks_of_the_grammar() {
        use std::collections::BTreeSet;
        let grammar = std::fs::read_to_string(format!("{}/grammar/grammar.js", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let lists = grammar.split_once("const CONTEXTUAL").unwrap().1.split_once("/** Letters outside").unwrap().0;
        let mut words: BTreeSet<&str> = lists.split('\'').skip(1).step_by(2).collect();
        words.extend(["and", "or", "not", "none", "true", "false"]);
        let is_part = |c: char| c == '_' || c.is_alphanumeric();
        let check = |text: &str, before: &str| {
            for message in errors(text) {
                let (wanted, what) = message.split_once(", found ").unwrap_or((&message, ""));
                for word in wanted.split(|c: char| !is_part(c)).filter(|word| word.contains('_')) {
                    let known =
                        words.contains(word) || word == "user_id" || text.contains(word) || before.contains(word);
                    assert!(known && !word.starts_with('_'), "`{word}` in {message:?} of {text}");
                }
                let quoted: Vec<&str> = wanted.split('`').skip(1).step_by(2).collect();
                if message.starts_with("expected") && !message.starts_with("expected a declaration") {
                    for word in quoted.iter().filter(|word| word.chars().all(is_part) && **word != "5") {
                        assert!(words.contains(word), "`{word}` in {message:?} of {text}");
                    }
                }
                let what = what.trim_matches('`');
                assert!(what.is_empty() || !quoted.contains(&what), "{message:?} of {text}");
                assert!(message != SOMETHING, "{message:?} of {text}");
            }
        };
        for example in ["shop", "blog", "school"] {
            let path = format!("{}/examples/{example}.dynamo", env!("CARGO_MANIFEST_DIR"));
            let parse = FileParse::new(&std::fs::read_to_string(path).unwrap());
            for placed in &parse.chunks {
                let text = &*placed.chunk.text;
                let mut at = 0;
                while at < text.len() {
                    let length = super::token_length(&text[at..]);
                    let (before, after) = (&text[..at], &text[at + length..]);
                    at += length;
                    if text[before.len()..at].trim().is_empty()
                        || before.rsplit('\n').next().unwrap_or("").contains("//")
                    {
                        continue;
                    }
                    check(before, text);
                    for junk in ["", "%%", "xyz", "5", "=", "{", "\"s\"", "where"] {
                        check(&format!("{before}{junk}{after}"), text);
                    }
                }
            }
        }
    }
}
