//! The keywords that the grammar takes at the cursor.

use super::candidates::Candidates;
use super::clauses;
use super::context::Context;
use super::cursor::Word;
use super::probe::Landing;
use super::words::{ARGUMENT, Keyword, MODIFIERS, keywords as words};
use super::{CompletionItem, CompletionKind, Topic};
use crate::syntax::ChunkKind;

/// Adds the keywords that may stand at a word: those that begin a clause first on a
/// line of their own, else those that go on with what stands before.
pub(super) fn keywords(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    let Some(kind) = cx.kind(word.start) else { return };
    // What ends with a sign needs a blank before a keyword, and an attribute's name
    // that has its type is no clause.
    let touches = cx.cursor.text[..word.start].ends_with([')', '>', '"', '`', '?', '}']);
    let is_named = kind == ChunkKind::Entity
        && cx.cursor.begins_line(word.start)
        && cx.cursor.text[word.end..].trim_start_matches([' ', '\t']).starts_with(':');
    if touches || is_named {
        return;
    }
    let begins_line = cx.cursor.begins_line(word.start);
    let (mut begin, mut go_on, mut after_cut) = (Vec::new(), Vec::new(), Vec::new());
    for keyword in words(kind) {
        let probe = cx.probe(word.start, &format!("{}{}", keyword.word, keyword.tail));
        let Some(landing) = cx.landing(&probe, keyword.first().len()) else { continue };
        if !is_keyword(&landing, keyword) || !clauses::fits(cx, word, &probe, &landing, keyword.word) {
            continue;
        }
        let list = match (landing.after_cut, begins_clause(&landing)) {
            (true, _) => &mut after_cut,
            (false, true) => &mut begin,
            (false, false) => &mut go_on,
        };
        let item = item(keyword, &landing);
        list.push(if keyword.tail == ARGUMENT { with_argument(cx, word, keyword, item) } else { item });
    }
    if begins_line {
        // What is missing above comes before what leaves it out.
        [begin, go_on, after_cut].into_iter().flatten().for_each(|item| found.add(item));
    } else {
        go_on.into_iter().for_each(|item| found.add(item));
        // On a line of its own a modifier is rare, and an attribute's name likely.
        if kind == ChunkKind::Entity {
            add_modifiers(cx, word, found);
        }
        begin.into_iter().for_each(|item| found.add(item));
    }
}

/// The modifiers that may stand at a word which begins with `@`.
pub(super) fn modifiers(cx: &Context<'_>, word: Word) -> Candidates {
    let mut found = Candidates::new(word);
    add_modifiers(cx, word, &mut found);
    found
}

fn add_modifiers(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    for modifier in MODIFIERS {
        let probe = cx.probe(word.start, modifier.word);
        let Some(landing) = cx.landing(&probe, 1).filter(|landing| !landing.after_cut) else { continue };
        let kind = landing.parent.kind();
        let own = &modifier.word[1..];
        if kind.strip_suffix("_modifier") != Some(own) {
            continue;
        }
        // Said once, it need not be said again; other texts may be ruled out as well.
        let mut cursor = landing.parent.walk();
        let attribute = landing.parent.parent();
        let same = attribute.into_iter().flat_map(|attribute| attribute.children(&mut cursor).collect::<Vec<_>>());
        if own != "without" && same.filter(|other| other.kind() == kind).count() > 1 {
            continue;
        }
        found.add(with_text(CompletionItem::new(CompletionKind::Modifier, modifier.word), modifier));
    }
}

/// The cardinalities, where one may stand.
pub(super) fn cardinalities(cx: &Context<'_>) -> Option<Candidates> {
    let word = cx.cursor.run(|c| c == ':' || c.is_ascii_alphanumeric());
    if cx.kind(word.start) != Some(ChunkKind::Relationship) {
        return None;
    }
    let probe = cx.probe(word.start, "1:N");
    cx.landing(&probe, 3).filter(|landing| landing.leaf.kind() == "cardinality")?;
    let mut found = Candidates::new(word);
    for (cardinality, about) in [
        ("1:N", "each left one has many right ones"),
        ("1:1", "each left one has one right one"),
        ("N:M", "each has many of the other"),
    ] {
        let item = CompletionItem::new(CompletionKind::Keyword, cardinality).detail(about);
        found.add(item.topic(Topic::Keyword(cardinality.to_owned())));
    }
    Some(found)
}

/// Whether the grammar has taken a word as a keyword and not as a name.
fn is_keyword(landing: &Landing<'_>, keyword: &Keyword) -> bool {
    let kind = landing.leaf.kind();
    kind == keyword.first() || matches!(kind, "keyword_value" | "primitive_type" | "operator" | "boolean")
}

/// Whether a word is the first of a clause in a block.
fn begins_clause(landing: &Landing<'_>) -> bool {
    let mut node = landing.leaf;
    while let Some(parent) = node.parent().filter(|parent| !parent.kind().ends_with("_body")) {
        if parent.start_byte() != node.start_byte() {
            return false;
        }
        node = parent;
    }
    true
}

fn item(keyword: &Keyword, landing: &Landing<'_>) -> CompletionItem {
    let kind = match landing.leaf.kind() {
        "operator" => CompletionKind::Operator,
        "primitive_type" => CompletionKind::Type,
        _ if landing.parent.kind().ends_with("_type") => CompletionKind::Type,
        _ if keyword.snippet.contains('\n') => CompletionKind::Snippet,
        _ => CompletionKind::Keyword,
    };
    with_text(CompletionItem::new(kind, keyword.word), keyword)
}

/// Behind `if` the words for what is there stand alone; elsewhere they ask about an
/// attribute.
fn with_argument(cx: &Context<'_>, word: Word, keyword: &Keyword, item: CompletionItem) -> CompletionItem {
    let alone = cx.probe(word.start, keyword.word);
    let stands = cx.landing(&alone, keyword.word.len()).is_some_and(|landing| is_keyword(&landing, keyword));
    if stands {
        return item;
    }
    let open = format!("{}(", keyword.word);
    CompletionItem { text: open.clone(), ..item.snippet(format!("{open}$0)")) }
}

fn with_text(item: CompletionItem, keyword: &Keyword) -> CompletionItem {
    let item = item.detail(keyword.about).topic(Topic::Keyword(keyword.word.to_owned()));
    if keyword.snippet.is_empty() { item } else { item.snippet(keyword.snippet) }
}
