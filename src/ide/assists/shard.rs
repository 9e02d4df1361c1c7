//! Sharding a partition key that may get hot, before it is.

use super::trial::would_hold;
use super::{Assist, AssistCx};
use crate::capacity::distinct::Owner;
use crate::capacity::facts::Declared;
use crate::capacity::load::{key_loads, template};
use crate::ide::CodeActionKind;
use crate::ide::price::{Changed, priced};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source, TableLayout, layout};
use crate::rules::shard_unasked::shard_unasked;

/// Offered on a partition key of a table or global index, on the name of such an index, for the items with the
/// heaviest load there, and on what an item gives such a key, for its like.
pub(super) fn shard(cx: &AssistCx<'_>) -> Vec<Assist> {
    assist(cx).into_iter().collect()
}

fn assist(cx: &AssistCx<'_>) -> Option<Assist> {
    let Def::Table(table) = &cx.lowered().def else { return None };
    let layout = layout(cx.db, cx.root, cx.decl).as_ref()?;
    let (source, family) = of_key(cx, layout).or_else(|| of_value(cx, table, layout))?;
    let (title, edits) = shard_unasked(cx.db, cx.root, source, &family)?;
    if !would_hold(cx, &edits, &["unused-allow", "throughput-quota"]) {
        return None;
    }
    // All shards are read, each with its own half unit.
    let changed = Changed::by(cx.db, cx.root, &edits);
    let price = changed.and_then(|changed| changed.monthly([layout.name.text.as_str()]));
    Some(Assist { kind: CodeActionKind::RefactorRewrite, title: priced(title, price), edits })
}

/// The table and its global indexes: a local index has its table's partition key.
fn sources(layout: &TableLayout) -> impl Iterator<Item = Source<'_>> {
    layout.sources().filter(|source| source.index.is_none_or(|index| index.kind == IndexKind::Global))
}

/// The key under the cursor, and the family of its values with the heaviest load; of
/// one without load that of its first item.
fn of_key<'db>(cx: &AssistCx<'db>, layout: &'db TableLayout) -> Option<(Source<'db>, String)> {
    let is_at = |source: &Source<'_>| {
        let name = source.index.map(|index| index.name.range);
        source.partition().iter().map(|key| key.range).chain(name).any(|range| cx.is_at(range))
    };
    let source = sources(layout).find(is_at)?;
    let index = source.index.map(|index| &index.name.text);
    let loads = key_loads(cx.db, cx.root, cx.decl).iter().find(|load| load.index.as_ref() == index);
    let heaviest = loads.and_then(|load| load.families.first()?.contributions.first());
    let family = heaviest.map(|load| load.family.clone());
    Some((source, family.or_else(|| family_of(cx, source, source.items().next()?))?))
}

/// The key that a value under the cursor is for, and the family of that value.
fn of_value<'db>(cx: &AssistCx<'db>, table: &TableDef, layout: &'db TableLayout) -> Option<(Source<'db>, String)> {
    let values = table.items.iter().flat_map(|item| item.values.iter().map(move |value| (item, value)));
    let (def, value) = values.into_iter().find(|(_, value)| cx.is_at(value.range))?;
    let item = layout.items.iter().find(|item| def.entity.as_ref().is_some_and(|name| name.range == item.range))?;
    let is_key = |source: &Source<'_>| source.partition().iter().any(|key| key.name == value.key.text);
    let source = sources(layout).find(is_key)?;
    Some((source, family_of(cx, source, item)?))
}

fn family_of(cx: &AssistCx<'_>, source: Source<'_>, item: &ItemLayout) -> Option<String> {
    let facts = Declared { db: cx.db, root: cx.root };
    Some(template(Owner::of(&facts, item)?, source, item).0)
}
