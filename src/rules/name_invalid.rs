//! A name that DynamoDB does not take.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::free_name;
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::imports::model_decls;
use crate::model::layout::{TableLayout, keys_of};
use crate::model::lower::lowered;
use crate::model::names::table_def;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "name-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a table, an index, a key attribute or an included attribute has a name that DynamoDB does not take",
    thresholds: &[],
    check: Check::Table(check),
};

/// Characters of the shortest name of a table or index (L15).
const SHORTEST: usize = 3;
/// Characters of the longest one (L15).
const LONGEST: usize = 255;
/// Bytes of the longest name of a key attribute and of an included one (L16).
pub const LONGEST_ATTRIBUTE: usize = 255;

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    check_name(cx, "table", &layout.name, None);
    for index in &layout.indexes {
        check_name(cx, "index", &index.name, Some(layout));
    }
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    let parts = keys_of(table).flat_map(|key| &key.parts).map(|part| ("key attribute", &part.name));
    let included = table.indexes.iter().filter_map(|index| index.projection.as_ref());
    let included =
        included.flat_map(|projection| &projection.attributes).map(|name| ("attribute that an index includes", name));
    let mut seen = BTreeSet::new();
    for (what, name) in parts.chain(included) {
        let bytes = name.text.len();
        // However many keys it is in, the name is one.
        if bytes <= LONGEST_ATTRIBUTE || !seen.insert(&name.text) {
            continue;
        }
        let message = format!(
            "the name of this {what} has {}, and DynamoDB takes {LONGEST_ATTRIBUTE}: it refuses the table; give the \
             attribute a shorter name, which makes every item smaller as well",
            show::count_of(bytes as f64, "byte")
        );
        cx.report(name.range, message);
    }
}

/// What is wrong with the name of a table or index: `` has `/` in it, and DynamoDB
/// takes … ``. `None` where nothing is.
pub fn fault_of(name: &str) -> Option<String> {
    let mut wrong: Vec<char> = name.chars().filter(|c| !is_allowed(*c)).collect();
    wrong.sort_unstable();
    wrong.dedup();
    let length = name.chars().count();
    let fault = match wrong.as_slice() {
        [] if (SHORTEST..=LONGEST).contains(&length) => return None,
        [] => format!("has {}", show::count_of(length as f64, "character")),
        [' '] => "has a space in it".to_owned(),
        wrong => {
            let quoted: Vec<String> = wrong.iter().map(|c| format!("`{c}`")).collect();
            format!("has {} in it", quoted.join(", "))
        }
    };
    Some(format!(
        "{fault}, and DynamoDB takes names of {SHORTEST} to {LONGEST} of the characters A–Z, a–z, 0–9, `_`, `-` and `.`"
    ))
}

/// The name of a table, or of an index of `owner`.
fn check_name(cx: &mut Cx<'_>, what: &str, name: &Name, owner: Option<&TableLayout>) {
    let Some(fault) = fault_of(&name.text) else { return };
    let length = name.text.chars().count();
    let better = (!name.text.chars().all(is_allowed)).then(|| better(cx, &name.text, owner)).flatten();
    let message = format!(
        "{what} `{}` {fault}: it refuses the table; {}",
        name.text,
        match &better {
            Some(better) => format!("call it `{better}`"),
            None if length < SHORTEST => "give it a longer one that says what it holds".to_owned(),
            None if length > LONGEST => "give it a shorter one".to_owned(),
            None => "give it another".to_owned(),
        }
    );
    let edits = better.map(|better| {
        let places = places(cx, name, owner);
        (format!("Rename `{}` to `{better}`", name.text), rename(places, &better))
    });
    let finding = cx.report(name.range, message);
    if let Some((title, edits)) = edits {
        finding.suggest(title, edits);
    }
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The name with `_` for what may not stand in it, if that is one.
fn better(cx: &Cx<'_>, name: &str, owner: Option<&TableLayout>) -> Option<String> {
    let mut better = String::new();
    for c in name.chars() {
        if is_allowed(c) {
            better.push(c);
        } else if !better.ends_with('_') {
            better.push('_');
        }
    }
    let better = better.trim_matches('_');
    let taken = |name: &str| match owner {
        Some(layout) => layout.index(name).is_some(),
        None => cx.names().table(name).is_some(),
    };
    let better = free_name(better, taken);
    (SHORTEST..=LONGEST).contains(&better.len()).then_some(better)
}

/// Every place that names the table, or the index of `owner`.
fn places(cx: &Cx<'_>, name: &Name, owner: Option<&TableLayout>) -> Vec<Place> {
    let mut places = vec![cx.place(name.range)];
    for decl in model_decls(cx.db, cx.root) {
        let references = lowered(cx.db, *decl).facts.references.iter().filter(|found| found.name.text == name.text);
        let own = references.filter(|found| match (&found.target, owner) {
            (Target::Table, None) => true,
            (Target::Index { table }, Some(layout)) => *table == layout.name.text,
            _ => false,
        });
        places.extend(own.map(|found| Place { decl: *decl, range: found.name.range }));
    }
    places
}

fn rename(places: Vec<Place>, name: &str) -> Vec<Edit> {
    let text = quote_name(name);
    places.into_iter().map(|place| Edit::Replace { place, text: text.clone() }).collect()
}
