//! A TTL attribute that DynamoDB does not read.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::model::defs::{KeyType, Type};
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::{entity_def, table_def};

pub static RULE: Rule = Rule {
    name: "ttl-type",
    group: Group::Correctness,
    level: Level::Error,
    summary: "the `ttl` attribute is not `epoch` or `number` on some item that has it",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let Some(ttl) = table_def(cx.db, cx.decl).and_then(|table| table.ttl.as_ref()) else { return };
    let Some(attribute) = &ttl.attribute else { return };
    let wrong: Vec<(String, String, Place)> = layout
        .items
        .iter()
        .filter_map(|item| {
            let (ty, place) = type_on(cx, item, &attribute.text)?;
            Some((item.entity.clone(), ty, place))
        })
        .collect();
    let Some((entity, ty, _)) = wrong.first() else { return };
    let others = if wrong.len() > 1 { format!(" (and on {} more)", wrong.len() - 1) } else { String::new() };
    let message = format!(
        "`ttl {0}` deletes nothing of `{entity}`: `{0}` is `{ty}` there{others}, and DynamoDB reads a Number of seconds \
         since 1970 only and ignores everything else, so that the items stay and are paid for; declare `{0}` as `epoch`",
        attribute.text
    );
    let finding = cx.report(ttl.range, message);
    for (entity, ty, place) in wrong {
        finding.relate(place, format!("`{}` is `{ty}` on `{entity}`", attribute.text));
    }
}

/// What the attribute is on an item, where that is no number, and where it says
/// so. A key that the item's block computes is what the block makes of it.
fn type_on(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> Option<(String, Place)> {
    let decl = item.entity_decl?;
    let entity = entity_def(cx.db, decl)?;
    let source = match item.keys.get(name) {
        Some(key) => match key.value.whole_attribute().filter(|_| !key.template) {
            Some(whole) => whole,
            None => return Some((KeyType::String.word().to_owned(), cx.place(item.range))),
        },
        None => name,
    };
    if let Some(attribute) = entity.attribute(source) {
        let place = Place { decl, range: attribute.name.range };
        let read = matches!(attribute.ty, Type::Epoch | Type::Number | Type::Missing);
        return (!read).then(|| (attribute.ty.spelling(), place));
    }
    let listed = item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name));
    listed.then(|| ("list".to_owned(), cx.place(item.range)))
}
