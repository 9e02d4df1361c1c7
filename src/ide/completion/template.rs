//! Completion in key templates: the text that keys begin with, and in the holes the
//! attributes, the parameters and the formats.

use super::attributes::{attribute, key_rank};
use super::candidates::Candidates;
use super::context::Context;
use super::cursor::{Word, is_name};
use super::operands::{Comparing, Text, parameters};
use super::probe::{Probe, ancestor};
use super::snippet::escaped;
use super::strings::Quoted;
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::defs::*;
use crate::syntax::strings::quote_name;
use crate::syntax::view::View;
use tree_sitter::Node;

/// What the holes of a template may hold.
struct Holes<'a> {
    /// The attributes, each with its entity, the likeliest first.
    attributes: Vec<(&'a str, &'a AttributeDef)>,
    /// The parameters; `None` where a template has none.
    parameters: Option<Vec<String>>,
}

/// What of a template the cursor stands in.
enum Part {
    /// Plain text, which begins there.
    Text(usize),
    /// A hole, which opens there.
    Hole(usize),
}

/// The value of a key in an item block.
pub(super) fn value(cx: &Context<'_>, quoted: Quoted, probe: &Probe, key_value: Node<'_>) -> Candidates {
    let text = probe.chunk().map_or("", |chunk| &chunk.text);
    let item = ancestor(key_value, "item").and_then(|item| View::new(item, text).field("entity"));
    let entity = item.map_or("", View::name);
    // The name as the model has it lives as long as the model.
    let known = cx.names().entities.get_key_value(entity).map(|(name, _)| name.as_str());
    let holes = Holes { attributes: known.map(|name| key_attributes(cx, name)).unwrap_or_default(), parameters: None };
    inside(cx, quoted, &holes, Vec::new())
}

/// The operand of a comparison.
pub(super) fn operand(cx: &Context<'_>, quoted: Quoted, comparing: &Comparing<'_>) -> Candidates {
    let texts = comparing.texts();
    if !comparing.key {
        let mut found = Candidates::new(quoted.word());
        for text in texts {
            let item = CompletionItem::new(text.kind, text.content.clone()).detail(text.detail);
            found.add(item.text(format!("{}{}", text.content, quoted.closing())));
        }
        return found;
    }
    // What the keys themselves are made of comes first.
    let values = comparing.values();
    let made: Vec<&str> = values.iter().flat_map(|(_, value)| value.attributes()).collect();
    let mut attributes: Vec<(&str, &AttributeDef)> =
        comparing.items().flat_map(|item| key_attributes(cx, &item.entity)).collect();
    attributes.sort_by_key(|(_, own)| !made.contains(&own.name.text.as_str()));
    let parameters = parameters(cx, quoted.word(), None);
    let parameters = if parameters.is_empty() { vec![comparing.attribute.clone()] } else { parameters };
    inside(cx, quoted, &Holes { attributes, parameters: Some(parameters) }, texts)
}

/// The attributes of an entity that a key can be made of.
fn key_attributes<'a>(cx: &Context<'a>, name: &'a str) -> Vec<(&'a str, &'a AttributeDef)> {
    let all = cx.entity(name).into_iter().flat_map(|entity| &entity.attributes);
    let mut ranked: Vec<(u8, &AttributeDef)> = all.filter_map(|own| Some((key_rank(own)?, own))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, own)| (name, own)).collect()
}

fn inside(cx: &Context<'_>, quoted: Quoted, holes: &Holes<'_>, texts: Vec<Text>) -> Candidates {
    match part(&cx.cursor.text[quoted.start..cx.cursor.offset]) {
        Part::Text(start) => literal(cx, quoted, quoted.start + start, holes, texts),
        Part::Hole(open) => hole(cx, quoted, quoted.start + open + 1, holes),
    }
}

/// What the end of a template's text is in. Doubled braces are text.
fn part(typed: &str) -> Part {
    let mut part = Part::Text(0);
    let mut chars = typed.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let doubled = chars.peek().is_some_and(|(_, next)| *next == c);
        match (&part, c) {
            (Part::Text(_), '\\') => {
                chars.next();
            }
            (Part::Text(_), '{') if doubled => {
                chars.next();
            }
            (Part::Text(_), '{') => part = Part::Hole(at),
            (Part::Hole(_), '}') => part = Part::Text(at + 1),
            _ => {}
        }
    }
    part
}

/// Between holes: the whole texts that begin so, then a hole more.
fn literal(cx: &Context<'_>, quoted: Quoted, start: usize, holes: &Holes<'_>, texts: Vec<Text>) -> Candidates {
    let rest = &cx.cursor.text[cx.cursor.offset..quoted.end];
    let hole_follows = rest.find('{');
    let end = hole_follows.map_or(quoted.end, |at| cx.cursor.offset + at);
    let mut found = Candidates::new(Word { start, end, quoted: false });
    // Behind the text of a key other holes are likelier than at its start.
    found.incomplete = true;
    let closing = if hole_follows.is_none() { quoted.closing() } else { "" };
    for text in texts.iter().filter(|_| start == quoted.start) {
        // A hole that follows stays: what brings its own would double it.
        let content = match hole_follows {
            Some(_) => text.content.split('{').next().unwrap_or(""),
            None => &text.content,
        };
        if !content.is_empty() {
            let item = CompletionItem::new(text.kind, content).detail(&text.detail);
            found.add(item.text(format!("{content}{closing}")));
        }
    }
    let typed = &cx.cursor.text[start..cx.cursor.offset];
    let follows_word = typed.ends_with(is_name);
    if !follows_word {
        // The text that stands before a hole is part of what is replaced, so that all
        // proposals are for the same place.
        let behind = &cx.cursor.text[cx.cursor.offset..end];
        for (entity, own) in &holes.attributes {
            let spelled = format!("{{{}}}", quote_name(&own.name.text));
            let item = attribute(entity, own);
            let item = CompletionItem { label: spelled.clone(), ..item };
            let text = format!("{typed}{spelled}{}{closing}", if quoted.closed { behind } else { "" });
            found.add(item.text(text).filter(format!("{typed}{spelled}")));
        }
    }
    found
}

/// Inside a hole: a name, a parameter, or behind its colon a format.
fn hole(cx: &Context<'_>, quoted: Quoted, start: usize, holes: &Holes<'_>) -> Candidates {
    let typed = &cx.cursor.text[start..cx.cursor.offset];
    let ticks = typed.matches('`').count() % 2 == 1;
    let word = if ticks { cx.cursor.word() } else { cx.cursor.run(is_name) };
    let before = &cx.cursor.text[start..word.start];
    let behind = &cx.cursor.text[word.end..quoted.end.max(word.end)];
    let closed = behind.find('}').is_some_and(|at| !behind[..at].contains('{'));
    let closing = if closed { String::new() } else { format!("}}{}", quoted.closing()) };
    let in_shard = before.trim_start().starts_with("shard(");
    let has_format = behind.trim_start().starts_with(':');
    let mut found = Candidates::new(Word { quoted: false, ..word });
    if in_shard {
        if !before.contains(',') {
            add_attributes(holes, "", ticks, &[","], &mut found);
        }
        return found;
    }
    let named = before.trim_start();
    match named.strip_prefix(':') {
        // `{:parameter:7}`
        Some(rest) if rest.contains(':') => add_widths(&closing, &mut found),
        Some(_) => add_parameters(holes, "", &closing, &mut found),
        None => match named.rsplit_once(':') {
            Some((name, _)) => add_formats(holes, name.trim().trim_matches('`'), &closing, &mut found),
            None => {
                let closing = if has_format { "" } else { closing.as_str() };
                let commit: &'static [&'static str] = if closing.is_empty() { &["}", ":"] } else { &[] };
                add_attributes(holes, closing, ticks, commit, &mut found);
                if !ticks && named.is_empty() {
                    add_parameters(holes, ":", closing, &mut found);
                    let shard = CompletionItem::new(CompletionKind::Snippet, "shard").detail("spreads one busy value");
                    let shard = shard.snippet(shard_of(holes, closing));
                    found.add(shard.topic(Topic::Keyword("shard".to_owned())));
                }
            }
        },
    }
    found
}

/// A shard by the likeliest attribute, over as many as a key that is somewhat too hot needs: a
/// proposal that parses where the client knows no places to fill in.
fn shard_of(holes: &Holes<'_>, closing: &str) -> String {
    let by = holes.attributes.first().map_or_else(|| "attribute".to_owned(), |(_, own)| quote_name(&own.name.text));
    format!("shard(${{1:{}}}, ${{2:10}}){}", escaped(&by), escaped(closing))
}

fn add_attributes(
    holes: &Holes<'_>,
    closing: &str,
    ticks: bool,
    commit: &'static [&'static str],
    found: &mut Candidates,
) {
    for (entity, own) in &holes.attributes {
        let name = &own.name.text;
        let spelled = if ticks { format!("`{name}`") } else { quote_name(name) };
        let item = attribute(entity, own).text(format!("{spelled}{closing}")).commit(commit);
        found.add(if ticks { item.filter(spelled) } else { item });
    }
}

fn add_parameters(holes: &Holes<'_>, colon: &str, closing: &str, found: &mut Candidates) {
    for name in holes.parameters.iter().flatten() {
        let item = CompletionItem::new(CompletionKind::Parameter, format!("{colon}{name}"));
        found.add(item.text(format!("{colon}{name}{closing}")).detail("a value that the caller supplies"));
    }
}

/// The formats that fit the type of the attribute.
fn add_formats(holes: &Holes<'_>, name: &str, closing: &str, found: &mut Candidates) {
    let Some((_, own)) = holes.attributes.iter().find(|(_, own)| own.name.text == name) else { return };
    let formats: &[(&str, &str)] = match own.ty {
        Type::Timestamp => &[
            ("day", "2026-11-29"),
            ("month", "2026-11"),
            ("year", "2026"),
            ("hour", "2026-11-29T12"),
            ("minute", "2026-11-29T12:44"),
        ],
        Type::String | Type::Enum(_) => &[("lower", "in lower case"), ("upper", "in upper case")],
        Type::Number => return add_widths(closing, found),
        _ => &[],
    };
    for (format, detail) in formats {
        let item = CompletionItem::new(CompletionKind::Keyword, *format).detail(*detail);
        found.add(item.text(format!("{format}{closing}")).topic(Topic::Keyword((*format).to_owned())));
    }
}

/// Numbers of digits: as text, numbers are in order only where all have as many.
fn add_widths(closing: &str, found: &mut Candidates) {
    for width in ["4", "6", "8", "10", "12", "20"] {
        let item = CompletionItem::new(CompletionKind::Unit, width).detail("digits, with zeros before the number");
        found.add(item.text(format!("{width}{closing}")));
    }
}
