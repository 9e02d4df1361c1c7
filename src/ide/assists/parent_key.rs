//! Keys the items of a child by its parent's id and its own, in the place of a
//! global index that finds them by the parent's id.

use super::follow::{Used, all_steps, comparisons, is_settled, table_at};
use super::trial::offered;
use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{IndexLayout, TableLayout};
use crate::model::names::find_entity;
use crate::model::replaceable::{Replaceable, replaceable};
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::{insert_after, listed, with_docs};
use crate::syntax::strings::{quote_name, quote_string};
use crate::syntax::{TextRange, strings};
use std::collections::BTreeSet;

/// Offers to key the table by (parent, child), at the index that it makes
/// needless.
pub(super) fn key_by_parent(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

/// The table, the index that goes, and what it found.
struct Asked<'db> {
    table: &'db TableDef,
    layout: &'db TableLayout,
    index: &'db IndexLayout,
    index_def: &'db IndexDef,
    item: &'db ItemDef,
    found: Replaceable<'db>,
    /// The child's ids that are not its parent's.
    ids: BTreeSet<&'db str>,
}

/// What a query of the index asks of the table instead.
struct Instead<'db> {
    partition: &'db str,
    /// The sort key where it has the values of the index's.
    sort: Option<&'db str>,
    /// What tells the children from the other items under the partition value.
    only: Option<String>,
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let (table, layout) = table_at(cx)?;
    let index_def = table.indexes.iter().find(|index| cx.is_at(index.range))?;
    let index = layout.index(&index_def.name.as_ref()?.text)?;
    let found = replaceable(cx.db, cx.root, layout, index).filter(|_| is_settled(cx))?;
    let item = table.items.iter().find(|item| item.entity.as_ref().is_some_and(|e| e.text == found.child.entity))?;
    let entity = find_entity(cx.db, cx.root, &found.child.entity)?;
    // An id that nobody generates was unique by the key that goes.
    let generated = |id: &AttributeDef| matches!(id.ty, Type::Uuid | Type::Ulid | Type::Ksuid);
    if !entity.ids().all(|id| id.name.text == found.by || generated(id)) {
        return None;
    }
    let ids = entity.ids().map(|id| id.name.text.as_str()).filter(|id| *id != found.by).collect();
    let asked = Asked { table, layout, index, index_def, item, found, ids };
    let (mut edits, instead) = match layout.sort.as_slice() {
        [] => natural(cx, &asked)?,
        [_] => shared(cx, &asked)?,
        _ => return None,
    };
    edits.push(Edit::RemoveLines { place: cx.place(with_docs(cx.text(), index_def.range)) });
    for used in all_steps(cx) {
        if used.table == Some(cx.decl) && used.index == Some(index.name.text.as_str()) {
            edits.extend(query_edits(&used, &asked, &instead)?);
        }
    }
    let keys: Vec<&str> = [asked.found.by].into_iter().chain(asked.ids.iter().copied()).collect();
    let title = format!("Key `{}` by {} and drop `{}`", asked.found.child.entity, listed(&keys), asked.index.name.text);
    offered(cx, CodeActionKind::RefactorRewrite, title, edits)
}

/// A table of the children alone, keyed by their id: the index's partition key
/// becomes the table's, whose own becomes the sort key.
fn natural<'db>(cx: &AssistCx<'_>, asked: &Asked<'db>) -> Option<(Vec<Edit>, Instead<'db>)> {
    let text = cx.text();
    let clause = asked.table.partition.as_ref()?;
    let ([own], [parent]) = (clause.parts.as_slice(), asked.index_def.partition.as_ref()?.parts.as_slice()) else {
        return None;
    };
    if asked.layout.items.len() != 1 || own.name.text == parent.name.text {
        return None;
    }
    let end = clause.range.end as usize;
    let rest = &text[own.range.end as usize..end];
    if rest.contains("//") || !is_ids(asked, &asked.found.child.keys.get(&own.name.text)?.value) {
        return None;
    }
    let because = asked.index_def.partition.as_ref().and_then(|key| key.because.as_ref());
    let because = because.map(|because| format!(" because {}", quote_string(&because.value))).unwrap_or_default();
    let place = cx.place(TextRange::new(own.range.start as usize, end));
    let mut edits = vec![
        Edit::Replace { place, text: format!("{}{because}", &text[parent.range.indices()]) },
        insert_after(text, cx.place(clause.range), &format!("sort key {}{rest}", &text[own.range.indices()])),
    ];
    let sort = match asked.index.sort.as_slice() {
        [sort] if sort.name == own.name.text => Some(own.name.text.as_str()),
        _ => None,
    };
    let kept = [own.name.text.as_str(), parent.name.text.as_str()];
    edits.extend(freed(cx, asked, &kept));
    Some((edits, Instead { partition: &parent.name.text, sort, only: None }))
}

/// A table of generic keys: the child's block gives them the values that the
/// index had, or, as the sort key, its own id.
fn shared<'db>(cx: &AssistCx<'_>, asked: &Asked<'db>) -> Option<(Vec<Edit>, Instead<'db>)> {
    let text = cx.text();
    let ([partition], [sort]) = (asked.layout.partition.as_slice(), asked.layout.sort.as_slice()) else {
        return None;
    };
    let ([by], ids) = (asked.index.partition.as_slice(), asked.index.sort.as_slice()) else { return None };
    let set = |key: &str| {
        let value = asked.item.values.iter().find(|value| value.key.text == key)?;
        Some((value.value.as_ref()?.range(), &asked.found.child.keys.get(key)?.value))
    };
    let ((own, own_value), (second, second_value)) = (set(&partition.name)?, set(&sort.name)?);
    // An attribute that is the index's key gives its name.
    let written = |key: &str| set(key).map_or_else(|| quote_name(key), |(range, _)| text[range.indices()].to_owned());
    let by_ids = match ids {
        [ids] => Some(ids)
            .filter(|ids| asked.found.child.keys.get(&ids.name).is_some_and(|source| is_ids(asked, &source.value))),
        _ => None,
    };
    let mut edits = vec![Edit::Replace { place: cx.place(own), text: written(&by.name) }];
    let value = match by_ids {
        Some(ids) => {
            edits.push(Edit::Replace { place: cx.place(second), text: written(&ids.name) });
            &asked.found.child.keys.get(&ids.name)?.value
        }
        None if is_ids(asked, second_value) => second_value,
        None if is_ids(asked, own_value) => {
            edits.push(Edit::Replace { place: cx.place(second), text: text[own.indices()].to_owned() });
            own_value
        }
        None => return None,
    };
    edits.extend(freed(cx, asked, &[&partition.name, &sort.name]));
    let start = asked.found.child.keys.get(&by.name)?.value.leading_literal();
    let mut others = asked.layout.items.iter().filter(|item| item.entity != asked.found.child.entity);
    let meets = others.any(|item| {
        item.keys.get(&partition.name).is_none_or(|source| {
            let other = source.value.leading_literal();
            other.starts_with(start) || start.starts_with(other)
        })
    });
    let prefix = value.leading_literal();
    let only = (meets && !prefix.is_empty()).then(|| {
        let prefix = strings::quote_string(&prefix.replace('{', "{{").replace('}', "}}"));
        format!("{} begins_with {prefix}", quote_name(&sort.name))
    });
    let sort = by_ids.map(|_| sort.name.as_str());
    Some((edits, Instead { partition: &partition.name, sort, only }))
}

/// Whether a key value is made of the child's own ids, all of them and nothing
/// else that a caller would have to know.
fn is_ids(asked: &Asked<'_>, value: &KeyValue) -> bool {
    let made: BTreeSet<&str> = value.attributes().into_iter().filter(|name| *name != asked.found.by).collect();
    made == asked.ids
}

/// Takes the values away that the child's block gives to keys of the index alone.
fn freed(cx: &AssistCx<'_>, asked: &Asked<'_>, kept: &[&str]) -> Vec<Edit> {
    let others = asked.layout.sources().filter(|source| source.index.map(|i| &i.name) != Some(&asked.index.name));
    let needed: BTreeSet<&str> =
        others.flat_map(|source| source.key()).map(|key| key.name.as_str()).chain(kept.iter().copied()).collect();
    let own = asked.layout.of_index(asked.index).key().map(|key| key.name.as_str());
    let gone: BTreeSet<&str> = own.filter(|name| !needed.contains(name)).collect();
    let values = asked.item.values.iter().filter(|value| gone.contains(value.key.text.as_str()));
    values.map(|value| Edit::RemoveLines { place: cx.place(value.range) }).collect()
}

/// The edits of a step that reads the index; `None` where it cannot follow.
fn query_edits(used: &Used<'_>, asked: &Asked<'_>, instead: &Instead<'_>) -> Option<Vec<Edit>> {
    let place = |range| Place { decl: used.pattern, range };
    let (OpDef::Query { target, .. } | OpDef::Scan { target, .. }) = &used.step.op else { return None };
    let table = quote_name(&asked.layout.name.text);
    let mut edits = vec![Edit::Replace { place: place(target.range), text: table }];
    let sorted = asked.index.sort.first();
    // Another sort key is another order.
    if sorted.is_some() && instead.sort.is_none() && used.is_ordered() {
        return None;
    }
    let Some((conditions, _)) = used.query() else { return Some(edits) };
    let mut has_sort = false;
    let comparisons = comparisons(conditions)?;
    for comparison in &comparisons {
        let name = &comparison.attribute;
        let new = if asked.index.partition.iter().any(|key| key.name == name.text) {
            instead.partition
        } else if sorted.is_some_and(|key| key.name == name.text) {
            has_sort = true;
            instead.sort?
        } else {
            return None;
        };
        if new != name.text {
            edits.push(Edit::Replace { place: place(name.range), text: quote_name(new) });
        }
    }
    if let (Some(only), Some(last), false) = (&instead.only, comparisons.last(), has_sort) {
        let end = place(TextRange::empty(last.range.end as usize));
        edits.push(Edit::Replace { place: end, text: format!(" and {only}") });
    }
    Some(edits)
}
