//! An attribute whose name no expression can hold as it is.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::expression_name::{is_reserved, is_word, word};
use crate::model::layout::{keys_of, layout};
use crate::model::names::entity_def;
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "reserved-word",
    group: Group::Names,
    level: Level::Hint,
    summary: "an attribute has a name that expressions can only use through an alias",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let names = match &lowered.def {
        Def::Entity(entity) => entity.attributes.iter().map(|attribute| &attribute.name).collect(),
        Def::Table(table) => own_names(cx, table),
        _ => return,
    };
    let mut aliases: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let found: Vec<(TextRange, String)> = names
        .into_iter()
        .filter(|name| seen.insert(&name.text))
        .filter_map(|name| Some((name.range, message(name, &mut aliases)?)))
        .collect();
    for (range, message) in found {
        cx.report(range, message);
    }
}

/// The attributes that only the table gives its items: computed keys and embedded
/// lists. What an entity has is named there.
fn own_names<'d>(cx: &Cx<'_>, table: &'d TableDef) -> Vec<&'d Name> {
    let layout = layout(cx.db, cx.root, cx.decl).as_ref();
    let entities: Vec<&EntityDef> = layout
        .into_iter()
        .flat_map(|layout| &layout.items)
        .filter_map(|item| entity_def(cx.db, item.entity_decl?))
        .collect();
    let keys = keys_of(table).flat_map(|key| &key.parts).map(|part| &part.name);
    let keys = keys.filter(|name| entities.iter().all(|entity| entity.attribute(&name.text).is_none()));
    let lists = table.items.iter().flat_map(|item| &item.embeds).filter_map(|embed| embed.list.as_ref());
    keys.chain(lists).collect()
}

/// What is to be said of a name; `None` of one that expressions take as it is.
fn message(name: &Name, aliases: &mut BTreeSet<String>) -> Option<String> {
    let own = &name.text;
    let why = if is_reserved(own) {
        format!("`{own}` is one of the 573 words that DynamoDB reserves, and an expression that names it is refused")
    } else {
        format!("`{own}` {}, and an expression that names it is refused or read as something else", unfit(own)?)
    };
    let alias = alias(own, aliases);
    let written = crate::syntax::strings::quote_string(own);
    Some(format!(
        "{why}; write `{alias}` in expressions, with `\"{alias}\": {written}` in ExpressionAttributeNames, or choose \
         another name"
    ))
}

/// What an expression cannot read of a name; `None` where it reads all of it.
fn unfit(name: &str) -> Option<String> {
    let first = name.chars().next()?;
    if first.is_ascii_digit() {
        return Some("begins with a digit".to_owned());
    }
    let mut wrong: Vec<char> = Vec::new();
    for c in name.chars().filter(|c| !is_word(*c)) {
        if !wrong.contains(&c) {
            wrong.push(c);
        }
    }
    let shown = |c: &char| match c {
        ' ' => "a space".to_owned(),
        c => format!("`{c}`"),
    };
    match wrong.as_slice() {
        [] => None,
        ['.'] => Some("holds `.`, the step into a map".to_owned()),
        wrong => Some(format!("holds {}", wrong.iter().map(shown).collect::<Vec<_>>().join(", "))),
    }
}

/// The alias of a name, which no earlier one has.
fn alias(name: &str, aliases: &mut BTreeSet<String>) -> String {
    let alias = super::fixes::free_name(&format!("#{}", word(name)), |alias| aliases.contains(alias));
    aliases.insert(alias.clone());
    alias
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_tokenizer_does_not_take_needs_an_alias() {
        let fits = ["user_id", "_x", "a1", "Größe", "2fa", "user-id", "a.b"].map(|name| unfit(name).is_none());
        assert_eq!(fits, [true, true, true, false, false, false, false]);
    }

    #[test]
    fn each_name_has_its_own_alias() {
        let mut aliases = BTreeSet::new();
        let all = ["user-id", "user.id", "status"].map(|name| alias(name, &mut aliases));
        assert_eq!(all, ["#user_id", "#user_id2", "#status"]);
    }
}
