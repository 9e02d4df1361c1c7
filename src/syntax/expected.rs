//! Where the parser gave up, and what it would have taken there, in words.

use tree_sitter::{Language, Node};

/// So many tokens of an error node are followed from the state before it.
const MOST_FOLLOWED: usize = 16;

/// Where a name may stand, so may most keywords: more than this many words
/// beside it are all of them, and a list of all says nothing.
const MOST_BESIDES_NAMES: usize = 8;

/// A longer list of what could stand somewhere helps nobody.
const MOST_WORDS: usize = 14;

/// Where the parser gave up inside an error node: its state there, and the
/// token that it could not take. Some tokens of the node may still have been
/// understood; they are followed from the state before it.
pub(super) fn give_up<'t>(
    language: &Language,
    error: Node<'t>,
    before: Option<Node<'t>>,
) -> Option<(u16, Option<Node<'t>>)> {
    let first = error.child(0);
    let state = before.map(|n| n.next_parse_state()).filter(|s| *s != 0);
    let mut state = state.or_else(|| first.map(|n| n.parse_state())).filter(|s| *s != 0)?;
    let mut token = first;
    for _ in 0..MOST_FOLLOWED {
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
pub(super) fn previous_leaf(node: Node<'_>) -> Option<Node<'_>> {
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
pub(super) fn expected(language: &Language, state: u16) -> Option<String> {
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
    if names && words.len() > MOST_BESIDES_NAMES {
        return Some("a name".to_owned());
    }
    if names {
        words.insert(0, "a name".to_owned());
    }
    if words.is_empty() || words.len() > MOST_WORDS {
        return None;
    }
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) })
}

const OPERATOR: &str = "an operator such as `=`";

/// A grammar symbol, in words.
pub(super) fn describe(symbol: &str) -> String {
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
