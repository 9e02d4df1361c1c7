//! A key of a shape that DynamoDB does not have.

use super::check::{Check, Cx};
use super::finding::Level;
use super::rule::{Group, Rule};
use crate::model::defs::{IndexDef, IndexKind, KeyDef, KeyPart, TableDef};
use crate::model::layout::TableLayout;
use crate::model::names::table_def;

pub static RULE: Rule = Rule {
    name: "key-shape-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a key lacks its partition key, has too many parts, or an LSI does not fit its table",
    thresholds: &[],
    check: Check::Table(check),
};

/// The attributes that a partition key or a sort key of a GSI may have (M1).
const MOST_PARTS: usize = 4;

fn check(cx: &mut Cx<'_>, _: &TableLayout) {
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    if table.partition.is_none() && !cx.is_broken() {
        let message = "this table has no partition key, and DynamoDB creates none without: it decides where an item is \
                       stored; add `partition key` with an attribute that every item has";
        cx.report(cx.name_range(), message);
    }
    check_parts(cx, table.partition.as_ref(), table.sort.as_ref(), None);
    for index in &table.indexes {
        match index.kind {
            IndexKind::Global => check_global(cx, index),
            IndexKind::Local => check_local(cx, table, index),
        }
    }
}

fn check_global(cx: &mut Cx<'_>, index: &IndexDef) {
    if let (None, Some(name), false) = (&index.partition, &index.name, cx.is_broken()) {
        let message = format!(
            "GSI `{name}` has no partition key, and DynamoDB creates none without: every query of the index gives its \
             value; add `partition key`",
            name = name.text
        );
        cx.report(name.range, message);
    }
    check_parts(cx, index.partition.as_ref(), index.sort.as_ref(), Some(index));
}

fn check_local(cx: &mut Cx<'_>, table: &TableDef, index: &IndexDef) {
    let Some(name) = &index.name else { return };
    let table_key = table.partition.as_ref();
    // Its partition key is the table's, said again or not.
    let own = index.partition.as_ref();
    if let (Some(own), Some(shared)) =
        (own.and_then(|key| key.parts.first()), table_key.and_then(|key| key.parts.first()))
        && own.name.text != shared.name.text
    {
        let message = format!(
            "LSI `{}` has the partition key `{}`, and the table's is `{}`: a local index sorts the items of one partition \
             value anew, it cannot regroup them; take the clause away, or make it a `gsi`",
            name.text, own.name.text, shared.name.text
        );
        let place = cx.place(shared.name.range);
        cx.report(own.name.range, message).relate(place, "the table's partition key");
        return;
    }
    let table_sort = table.sort.as_ref().and_then(|key| key.parts.first());
    let sort = index.sort.as_ref().and_then(|key| key.parts.first());
    match (table_sort, sort) {
        (None, _) if table_key.is_some() && !cx.is_broken() => {
            let message = format!(
                "LSI `{}` is on a table without a sort key, where every partition value has one item and there is \
                 nothing to sort: DynamoDB refuses it; give the table a `sort key`, or make this a `gsi`",
                name.text
            );
            let place = table_key.and_then(|key| key.parts.first()).map(|part| cx.place(part.name.range));
            let finding = cx.report(name.range, message);
            if let Some(place) = place {
                finding.relate(place, "the table's whole key");
            }
            return;
        }
        (Some(_), None) if !cx.is_broken() => {
            let message = format!(
                "LSI `{}` has no sort key, and that is all that a local index adds to its table: DynamoDB refuses it; \
                 add `sort key`",
                name.text
            );
            cx.report(name.range, message);
            return;
        }
        (Some(shared), Some(own)) if shared.name.text == own.name.text => {
            let message = format!(
                "LSI `{}` sorts by `{}` as the table does: it would hold the same items in the same order, and \
                 DynamoDB refuses it; sort by another attribute, or remove the index",
                name.text, own.name.text
            );
            let place = cx.place(shared.name.range);
            cx.report(own.name.range, message).relate(place, "the table's sort key");
            return;
        }
        _ => {}
    }
    check_parts(cx, own.or(table_key), index.sort.as_ref(), Some(index));
}

/// Attributes that stand twice in a key, and more of them than it may have. One
/// finding a clause: the first part that is too many.
fn check_parts(cx: &mut Cx<'_>, partition: Option<&KeyDef>, sort: Option<&KeyDef>, index: Option<&IndexDef>) {
    let mut seen: Vec<&KeyPart> = Vec::new();
    let global = index.is_some_and(|index| index.kind == IndexKind::Global);
    let most = if global { MOST_PARTS } else { 1 };
    for (word, key) in [("partition", partition), ("sort", sort)] {
        // A local index shows the table's own key as its own.
        let inherited = index.is_some_and(|index| word == "partition" && index.partition.is_none());
        let parts = key.map(|key| key.parts.as_slice()).unwrap_or_default();
        let mut too_many = false;
        for (position, part) in parts.iter().enumerate() {
            let twice =
                seen.iter().find(|earlier| earlier.name.text == part.name.text).map(|earlier| earlier.name.range);
            seen.push(part);
            if inherited {
                continue;
            }
            if let Some(earlier) = twice {
                let message = format!(
                    "`{}` stands twice in one key: the second time it tells no two items apart, and DynamoDB refuses \
                     it; take one away",
                    part.name.text
                );
                let place = cx.place(earlier);
                cx.report(part.name.range, message).relate(place, "the first time");
            } else if position >= most && !too_many {
                too_many = true;
                let (count, first) = (parts.len(), cx.place(parts[0].name.range));
                cx.report(part.name.range, parts_message(index, word, count)).relate(first, "the key begins here");
            }
        }
    }
}

fn parts_message(index: Option<&IndexDef>, word: &str, count: usize) -> String {
    match index.map(|index| index.kind) {
        Some(IndexKind::Global) => format!(
            "this {word} key has {count} attributes, and a GSI takes at most {MOST_PARTS}: DynamoDB refuses the index; \
             join some of them in one key template"
        ),
        kind => format!(
            "this {word} key has {count} attributes, and {} takes one: multi-attribute keys are for GSIs only; join them \
             in one key template such as `\"{{a}}#{{b}}\"`",
            if kind.is_some() { "that of an LSI" } else { "that of a table" }
        ),
    }
}
