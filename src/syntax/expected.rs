//! Where the parser gave up, and what it would have taken there, in words.

use std::collections::BTreeSet;
use std::fmt;
use tree_sitter::{Language, Node};

/// So many tokens of an error node are followed from the state before it.
const MOST_FOLLOWED: usize = 16;

/// Where a name may stand, so may most keywords: more than this many words
/// beside it are all of them, and a list of all says nothing.
const MOST_BESIDES_NAMES: usize = 8;

/// A longer list of what could stand somewhere helps nobody.
const MOST_WORDS: usize = 14;

/// What could stand somewhere: what one can type, in words.
pub(super) struct Expected(Vec<String>);

impl Expected {
    fn of(words: &[&str]) -> Self {
        Self(words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// Leaves out the sign that stands behind a name in blocks of another kind
    /// than the one around a node: the states of the parser are often the same.
    pub fn fitting(mut self, node: Node<'_>) -> Self {
        let mut at = Some(node);
        while let Some(block) = at.filter(|block| !block.kind().ends_with("_body")) {
            at = block.parent();
        }
        let foreign = match at.map(|block| block.kind()) {
            Some("entity_body") => "`=`",
            Some("item_body") => "`:`",
            _ => return self,
        };
        if self.0.len() > 1 {
            self.0.retain(|word| word != foreign);
        }
        self
    }

    /// Whether a token, in backticks, is one of them. Then it is not what is
    /// wrong, and the state of the parser was not what it seems.
    pub fn takes(&self, token: &str) -> bool {
        let bare = token.trim_matches('`');
        self.0.iter().any(|word| word == token || (word == OPERATOR && OPERATORS.contains(&bare)))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.split_last() {
            Some((last, rest)) if !rest.is_empty() => write!(f, "{} or {last}", rest.join(", ")),
            _ => f.write_str(&self.0.concat()),
        }
    }
}

/// Where the parser gave up inside an error node.
pub(super) struct GivenUp<'t> {
    /// Its state there; `None` where only the last token is known.
    pub state: Option<u16>,
    /// The last token that it understood.
    pub last: Option<Node<'t>>,
    /// The token that it could not take.
    pub token: Option<Node<'t>>,
}

/// Where the parser gave up inside an error node. Some tokens of the node may
/// still have been understood; they are followed from the state before it.
pub(super) fn give_up<'t>(
    language: &Language,
    text: &str,
    error: Node<'t>,
    before: Option<Node<'t>>,
) -> Option<GivenUp<'t>> {
    let first = error.child(0);
    let state = before.map(|n| n.next_parse_state()).filter(|s| *s != 0);
    let mut state = state.or_else(|| first.map(|n| n.parse_state())).filter(|s| *s != 0)?;
    let mut token = first;
    let mut last = before;
    for _ in 0..MOST_FOLLOWED {
        let Some(child) = token.filter(|child| !child.is_error()) else { break };
        if !child.is_extra() {
            match language.next_state(state, child.grammar_id()) {
                // The parser would first have taken what it has for a whole. Where
                // that leads cannot be told; the token itself tells something.
                0 if accepts(language, state, child) => {
                    let (last, token) = follow_signs(child, text);
                    return Some(GivenUp { state: None, last: Some(last), token });
                }
                0 => break,
                next => state = next,
            }
            last = Some(child);
        }
        token = child.next_sibling();
    }
    // Where all of them were understood, it is what follows the node that was not.
    Some(GivenUp { state: Some(state), last, token })
}

fn accepts(language: &Language, state: u16, token: Node<'_>) -> bool {
    let kind = token.grammar_name();
    language.lookahead_iterator(state).is_some_and(|mut symbols| symbols.iter_names().any(|symbol| symbol == kind))
}

/// Behind a token: the last one up to which the text says by itself what comes
/// next, and the token behind that.
fn follow_signs<'t>(token: Node<'t>, text: &str) -> (Node<'t>, Option<Node<'t>>) {
    let next = |node: Node<'t>| {
        let mut next = node.next_sibling();
        while let Some(extra) = next.filter(|next| next.is_extra()) {
            next = extra.next_sibling();
        }
        next
    };
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    let after = next(token);
    match after {
        // `a: set<>`
        Some(base) if written(token) == ":" && matches!(written(base), "set" | "list" | "enum") => (base, next(base)),
        _ => (token, after),
    }
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

/// What may follow a keyword behind which only a few words stand. A word that is
/// the keyword of a clause in one place is a name in another: the state of the
/// parser behind it tells, or, for a clause that is read, its node.
pub(super) fn closed_choice(leaf: Node<'_>, text: &str, state: u16, language: &Language) -> Option<Expected> {
    let word = text.get(leaf.byte_range())?;
    let parent = leaf.parent().map_or("", |parent| parent.kind());
    let (clause, words): (&str, &[&str]) = match word {
        "style" => ("style_clause", &["`aggregate`", "`single_table`"]),
        "capacity" => ("capacity_clause", &["`on_demand`", "`provisioned`"]),
        "utilization" => ("capacity_clause", &["a percentage such as `70%`"]),
        "class" => ("class_clause", &["`standard`", "`standard_infrequent_access`"]),
        "decision" => ("decision_clause", &["`single_item`", "`item_collection`", "`separate_tables`"]),
        "stream" => ("stream_clause", &["`keys_only`", "`new_image`", "`old_image`", "`new_and_old_images`"]),
        "projection" => ("projection_clause", &["`all`", "`keys_only`", "`include`"]),
        "include" => ("projection_clause", &["attributes in parentheses"]),
        "transact" | "batch" => ("transaction", &["`write`", "`get`"]),
        ":" => ("key_part", &["`string`", "`number`", "`binary`"]),
        _ => return None,
    };
    if parent == clause {
        return Some(Expected::of(words));
    }
    let first = words[0].trim_matches('`');
    let valid = |symbol: &str| symbol == first || symbol == "keyword_value";
    let known = parent == "ERROR" && word != ":" && state != 0;
    let stands = known && language.lookahead_iterator(state)?.iter_names().any(valid);
    stands.then(|| Expected::of(words))
}

/// What a token says of what comes next, where no state of the parser is known.
pub(super) fn expected_after(leaf: Node<'_>, text: &str) -> Option<Expected> {
    Some(Expected::of(match text.get(leaf.byte_range())? {
        ":" if leaf.parent().is_some_and(|parent| parent.kind() == "key_part") => &["`string`", "`number`", "`binary`"],
        ":" => &["a type"],
        "set" | "list" => &["the type of the elements"],
        "enum" => &["values in parentheses"],
        word if OPERATORS.contains(&word) => &[VALUE],
        _ => return None,
    }))
}

/// What an empty node stands in for, where it and the token before it tell.
pub(super) fn stand_in(node: Node<'_>, last: Node<'_>, text: &str) -> Option<Expected> {
    let word = text.get(last.byte_range())?;
    Some(Expected::of(match (node.parent()?.kind(), word) {
        (body, _) if body.ends_with("_body") && node.prev_sibling().is_none() => &["`{`"],
        ("aggregate", "aggregate") => &["the names of two entities or more"],
        ("attribute", ":") => &["a type"],
        ("measure", ",") => &["`avg`", "`max`", "`peak`"],
        ("enum_type", "(") => &["the values of the enum"],
        ("set_type" | "list_type", "<") => &["the type of the elements"],
        ("unique_modifier", "(") => &["the attributes within whose values it is unique"],
        ("projection_clause", "(") => &["the attributes to include"],
        ("existence", "(") => &["the name of an attribute"],
        ("of_modifier" | "copied_from_modifier", "(") => &["the name of an entity"],
        ("without_modifier", "(") => &["a string in quotes"],
        ("comparison", "(") => &[VALUE],
        ("group", "(") => &[CONDITION],
        ("not_condition" | "filter_option" | "conditions", "not" | "filter" | "and" | "or") => &[CONDITION],
        _ => return None,
    }))
}

/// What the parser would have taken in a state, in words.
pub(super) fn expected(language: &Language, state: u16) -> Option<Expected> {
    if state == 0 {
        return None;
    }
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut names = false;
    for symbol in language.lookahead_iterator(state)? {
        if !language.node_kind_is_visible(symbol) {
            continue;
        }
        let named = language.node_kind_is_named(symbol);
        match language.node_kind_for_id(symbol) {
            None | Some("end" | "ERROR") => {}
            Some("comparison") => return Some(Expected::of(&[CONDITION])),
            Some("type") => return Some(Expected::of(&["a type"])),
            Some("parameter") => return Some(Expected::of(&[VALUE])),
            Some("identifier" | "name") => names = true,
            Some(kind) => words.extend(describe(kind, named)),
        }
    }
    if words.contains(OPERATOR) {
        // The signs that operators begin with are tokens of their own.
        words.retain(|word| !OPERATORS.contains(&word.trim_matches('`')));
    }
    if names && words.len() > MOST_BESIDES_NAMES {
        return Some(Expected::of(&[NAME]));
    }
    if words.len() > MOST_WORDS {
        return None;
    }
    let words: Vec<String> = names.then(|| NAME.to_owned()).into_iter().chain(words).collect();
    (!words.is_empty()).then_some(Expected(words))
}

const NAME: &str = "a name";
const VALUE: &str = "a value such as `:name`, `\"text\"` or `5`";
const OPERATOR: &str = "an operator such as `=`";
const CONDITION: &str = "a condition such as `user_id = :user_id`";
const CARDINALITY: &str = "1:1, 1:N or N:M";

const OPERATORS: &[&str] = &["=", "<>", "<", "<=", ">", ">=", "begins_with", "contains", "between", "in"];

/// A symbol of the grammar, in words; `None` where it says nothing to a reader.
/// What is written as it is called is no named symbol.
pub(super) fn describe(symbol: &str, named: bool) -> Option<String> {
    let words = match symbol {
        "name" | "identifier" => NAME,
        "quantity" => "a number with its unit",
        "string" | "\"" if named || symbol == "\"" => "a string in quotes",
        "template" => "a key template in quotes",
        "cardinality" => CARDINALITY,
        "parameter" => VALUE,
        "rule_name" => "the name of a rule",
        "operator" => OPERATOR,
        "unknown_type" | "primitive_type" | "type" => "a type",
        "comparison" | "conditions" => CONDITION,
        _ if named => return None,
        word => return Some(format!("`{word}`")),
    };
    Some(words.to_owned())
}
