//! Two holes of a key whose border cannot be told from the text.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::heat_show::item_def;
use super::key_operands::item_template;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::entity_def;
use crate::syntax::strings::quote_string;

pub static RULE: Rule = Rule {
    name: "ambiguous-separator",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "two holes of a key touch, or the text between them may stand in the first: different pairs give one key",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A hole that cannot be read may stand between the two.
    if cx.is_broken() {
        return;
    }
    for item in &layout.items {
        for (key, stored) in item.keys.iter().filter(|(_, stored)| stored.template) {
            let all = ambiguous(&stored.value);
            if !all.is_empty() && is_key(layout, key) {
                report(cx, item, key, &all);
            }
        }
    }
}

/// Whether the table or one of its indexes has this key attribute.
fn is_key(layout: &TableLayout, name: &str) -> bool {
    layout.sources().any(|source| source.key().any(|key| key.name == name))
}

/// Two holes whose border cannot be told.
struct Ambiguous<'k> {
    first: &'k KeyHole,
    second: &'k KeyHole,
    /// What stands between; nothing where they touch.
    between: &'k str,
}

fn ambiguous(value: &KeyValue) -> Vec<Ambiguous<'_>> {
    let mut found = Vec::new();
    for pair in value.parts.windows(2) {
        if let [KeyPiece::Hole(first), KeyPiece::Hole(second)] = pair
            && first.name != second.name
            && first.is_open()
            && second.is_open()
        {
            found.push(Ambiguous { first, second, between: "" });
        }
    }
    for three in value.parts.windows(3) {
        if let [KeyPiece::Hole(first), KeyPiece::Literal(between), KeyPiece::Hole(second)] = three
            && first.name != second.name
            && second.is_free()
            && first.may_contain(between)
        {
            found.push(Ambiguous { first, second, between });
        }
    }
    found
}

fn report(cx: &mut Cx<'_>, item: &ItemLayout, key: &str, all: &[Ambiguous<'_>]) {
    let Some(worst) = all.first() else { return };
    let Some(def) = item_def(cx, item) else { return };
    let Some((_, range)) = item_template(def, key) else { return };
    let (one, other) = example(worst);
    let more = match all.len() {
        1 => String::new(),
        n => format!(" (and {} more such borders)", n - 1),
    };
    let (why, advice) = match worst.between {
        "" => (
            format!("nothing stands between `{}` and `{}`", worst.first.spelling(), worst.second.spelling()),
            "put a separator between them, or give one a fixed length".to_owned(),
        ),
        between => (
            format!("`{}` may contain the {} behind it", worst.first.spelling(), quote_string(between)),
            format!(
                "say `@without({})` of `{}` where it never does, or keep the two apart by a hole of fixed length",
                quote_string(separator(between)),
                worst.first.name
            ),
        ),
    };
    let message = format!(
        "{why} in the `{key}` of `{}`{more}: {one} and {other} give the same key, so that one stands for the other; \
         {advice}",
        item.entity
    );
    let edits = without(cx, item, all);
    let finding = cx.report(range, message);
    if let Some((title, edits)) = edits {
        finding.suggest(title, edits);
    }
}

/// Two pairs of values that give one key.
fn example(pair: &Ambiguous<'_>) -> (String, String) {
    let show = |a: &str, b: &str| format!("(`{a}`, `{b}`)");
    let texts = |hole: &KeyHole| matches!(hole.ty, Some(Type::String));
    if pair.between.is_empty() {
        return match (texts(pair.first), texts(pair.second)) {
            (false, false) => (show("1", "11"), show("11", "1")),
            _ => (show("a", "bc"), show("ab", "c")),
        };
    }
    let sep = pair.between;
    (show("a", &format!("b{sep}c")), show(&format!("a{sep}b"), "c"))
}

/// The separator in the text between two holes: its first character that is no
/// letter or digit, else all of it.
fn separator(between: &str) -> &str {
    let at = between.char_indices().find(|(_, c)| !c.is_alphanumeric());
    at.map_or(between, |(at, c)| &between[at..at + c.len_utf8()])
}

/// Says of each first hole that it never contains what follows it; `None` where
/// that would not mend all of them.
fn without(cx: &Cx<'_>, item: &ItemLayout, all: &[Ambiguous<'_>]) -> Option<(String, Vec<Edit>)> {
    let decl = item.entity_decl.filter(|decl| cx.is_whole(*decl))?;
    let entity = entity_def(cx.db, decl)?;
    let mut edits = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for pair in all {
        if pair.between.is_empty() {
            return None;
        }
        if names.contains(&pair.first.name.as_str()) {
            continue;
        }
        let attribute = entity.attribute(&pair.first.name)?;
        let text = format!(" @without({})", quote_string(separator(pair.between)));
        let range = crate::syntax::TextRange::empty(attribute.range.end as usize);
        edits.push(Edit::Replace { place: Place { decl, range }, text });
        names.push(&attribute.name.text);
    }
    let title = format!("Say that {} never contains it", super::fixes::listed(&names));
    Some((title, edits))
}
