//! What people type, in a key that compares bytes.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::set_key_values;
use super::key_uses::{items, key_uses, written};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::held::held;
use crate::model::key::KeyHole;
use crate::model::layout::{ItemLayout, KeyAttribute, TableLayout};
use crate::model::names::entity_def;
use crate::model::resolve::{patterns_of_tables, steps};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, Template};

pub static RULE: Rule = Rule {
    name: "case-sensitive-key",
    group: Group::Names,
    level: Level::Hint,
    summary: "a name that people type in any case, such as an email address, is in a key without `:lower`",
    thresholds: &[],
    check: Check::Table(check),
};

/// Names of what is the same in capitals and in small letters, each with two
/// spellings of one value.
const FOLDED: &[(&str, &str, &str)] = &[
    ("email", "Ana@example.com", "ana@example.com"),
    ("username", "Ana", "ana"),
    ("login", "Ana", "ana"),
    ("handle", "Ana", "ana"),
    ("slug", "Hello-World", "hello-world"),
    ("domain", "Example.com", "example.com"),
    ("hostname", "Host1.example.com", "host1.example.com"),
];

/// An attribute that goes into a key as it was typed.
struct Typed<'l> {
    item: &'l ItemLayout,
    decl: Decl,
    key: &'l KeyAttribute,
    hole: &'l KeyHole,
    spellings: (&'static str, &'static str),
    /// The hole or the name in the item's block; `None` where the attribute has
    /// the name of the key.
    written: Option<TextRange>,
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let mut keys: Vec<&KeyAttribute> = Vec::new();
    for part in key_uses(layout) {
        if !keys.iter().any(|key| key.name == part.key.name) {
            keys.push(part.key);
        }
    }
    for key in keys {
        let mut on_part = false;
        for (item, def) in items(cx, layout) {
            let Some(typed) = typed(item, def, key) else { continue };
            // The part is one place for all items that have the attribute.
            if typed.written.is_none() && std::mem::replace(&mut on_part, true) {
                continue;
            }
            report(cx, layout, &typed);
        }
    }
}

fn typed<'l>(item: &'l ItemLayout, def: &ItemDef, key: &'l KeyAttribute) -> Option<Typed<'l>> {
    let decl = item.entity_decl?;
    let source = item.keys.get(&key.name)?;
    let mut holes = source.value.holes().filter(|hole| is_as_typed(hole));
    let (hole, spellings) = holes.find_map(|hole| Some((hole, spellings(&hole.name)?)))?;
    let written = written(def, &key.name).map(|value| match value {
        KeyExpr::Attribute(name) => name.range,
        KeyExpr::Template { template, range } => {
            plain_hole(template, &hole.name).map_or(*range, |hole| hole.range.shifted(range.start))
        }
    });
    Some(Typed { item, decl, key, hole, spellings, written })
}

/// Whether a hole holds a string in the case that it was typed in.
fn is_as_typed(hole: &KeyHole) -> bool {
    hole.format == Format::Plain && !hole.parameter && hole.ty == Some(Type::String)
}

fn plain_hole<'t>(template: &'t Template, name: &str) -> Option<&'t crate::syntax::template::Hole> {
    template.holes().find(|hole| !hole.parameter && hole.format == Format::Plain && hole.name == name)
}

/// Two spellings of one value, where the name is that of something that has no
/// case: `Email`, `user_email`, `customerEmail`, `user_name`.
fn spellings(name: &str) -> Option<(&'static str, &'static str)> {
    let words = words(name);
    let folded = FOLDED.iter().find(|(folded, ..)| {
        let ends = |from: usize| words[from..].concat() == *folded;
        (0..words.len()).any(ends)
    });
    folded.map(|(_, typed, asked)| (*typed, *asked))
}

/// The words of a name in small letters: `customerEmail`, `customer_email` and
/// `CUSTOMER-EMAIL` have the same two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for c in name.chars() {
        let begins = before.is_none_or(|before: char| {
            !before.is_alphanumeric() || (c.is_uppercase() && (before.is_lowercase() || before.is_numeric()))
        });
        before = Some(c);
        if !c.is_alphanumeric() {
            continue;
        }
        match words.last_mut() {
            Some(word) if !begins => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

fn report(cx: &mut Cx<'_>, layout: &TableLayout, typed: &Typed<'_>) {
    let Typed { item, decl, key, hole, spellings: (one, other), written } = typed;
    let lower = lowered(hole);
    let message = format!(
        "`{}` of `{}` goes into the key `{}` as it was typed, and a key compares bytes: `{one}` and `{other}` are 2 values, \
         a look-up in the other spelling finds nothing, and one name can be taken twice; write `{lower}`, and keep the \
         attribute for display",
        hole.name, item.entity, key.name
    );
    let attribute = entity_def(cx.db, *decl).and_then(|entity| entity.attribute(&hole.name));
    let attribute = attribute.map(|attribute| Place { decl: *decl, range: attribute.name.range });
    let part = cx.place(key.range);
    let edits = lower_case(cx, layout, typed);
    let finding = cx.report(written.unwrap_or(key.range), message);
    if let Some(place) = attribute {
        finding.relate(place, format!("`{}` is declared here", hole.name));
    }
    if written.is_some() {
        finding.relate(part, format!("the key `{}`", key.name));
    }
    if let Some(edits) = edits {
        finding.suggest(format!("Key by `{lower}`"), edits);
    }
}

fn lowered(hole: &KeyHole) -> String {
    KeyHole { format: Format::Lower, ..hole.clone() }.spelling()
}

/// The edits that write the attribute in small letters: in the key of every item
/// that has it there, and in what the operations of the table hold against it.
/// `None` where an index would then lack the attribute that it is read for.
fn lower_case(cx: &Cx<'_>, layout: &TableLayout, typed: &Typed<'_>) -> Option<Vec<Edit>> {
    let (key, name) = (&typed.key.name, &typed.hole.name);
    let loses = layout.indexes.iter().any(|index| {
        index.projection != ProjectionKind::All
            && index.partition.iter().chain(&index.sort).any(|part| part.name == *key)
            && key != name
            && !index.included.contains(name)
    });
    if loses || cx.is_broken() {
        return None;
    }
    let mut edits = Vec::new();
    for (item, def) in items(cx, layout) {
        let Some(source) = item.keys.get(key) else { continue };
        if !source.value.holes().any(|hole| is_as_typed(hole) && hole.name == *name) {
            continue;
        }
        edits.extend(in_item(cx, def, key, name));
    }
    for pattern in patterns_of_tables(cx.db, cx.root).get(&cx.decl).map(Vec::as_slice).unwrap_or_default() {
        for step in steps(cx.db, cx.root, *pattern) {
            let Some(source) = step.source.filter(|source| source.layout.decl == cx.decl) else { continue };
            let held = held(cx.db, cx.root, source, &step.step.op);
            let of_key = held.iter().filter(|held| held.comparison.attribute.text == *key);
            for operand in of_key.flat_map(|held| &held.comparison.operands) {
                if let OperandDef::String { template, range, .. } = operand {
                    edits.extend(in_template(*pattern, template, *range, name));
                }
            }
        }
    }
    Some(edits)
}

fn in_item(cx: &Cx<'_>, item: &ItemDef, key: &str, name: &str) -> Vec<Edit> {
    let value = || format!("\"{{{}:lower}}\"", quote_name(name));
    match written(item, key) {
        Some(KeyExpr::Template { template, range }) => in_template(cx.decl, template, *range, name),
        Some(KeyExpr::Attribute(own)) => vec![Edit::Replace { place: cx.place(own.range), text: value() }],
        None => {
            let text = &cx.chunk().text;
            let values = [format!("{} = {}", quote_name(key), value())];
            vec![set_key_values(text, cx.decl, item, &values)]
        }
    }
}

/// `:lower` behind each plain hole of the attribute.
fn in_template(decl: Decl, template: &Template, range: TextRange, name: &str) -> Vec<Edit> {
    let holes = template.holes();
    let holes = holes.filter(|hole| !hole.parameter && hole.format == Format::Plain && hole.name == name);
    let ends = holes.map(|hole| hole.name_range.shifted(range.start).end as usize);
    let edit = |end| Edit::Replace { place: Place { decl, range: TextRange::empty(end) }, text: ":lower".to_owned() };
    ends.map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case_and_behind_any_prefix() {
        let known = ["email", "EMAIL", "Email", "user_email", "customerEmail", "ownerEMAIL", "user-email", "e_mail"];
        assert!(
            known.iter().all(|name| spellings(name).is_some()),
            "{:?}",
            known.map(|name| spellings(name).is_some())
        );
        let known = ["username", "userName", "user_name", "hostName", "login", "Handle", "post_slug", "mailDomain"];
        assert!(
            known.iter().all(|name| spellings(name).is_some()),
            "{:?}",
            known.map(|name| spellings(name).is_some())
        );
        let unknown = ["email_id", "emailHash", "panhandle", "name", "domains", "slug_count", "login_at"];
        assert!(unknown.iter().all(|name| spellings(name).is_none()));
    }
}
