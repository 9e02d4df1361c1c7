//! Sharding a key that is not hot, because somebody wants to.

use super::check::Cx;
use super::finding::Edit;
use super::heat::Hot;
use super::hot_key::{Remedy, remedy};
use super::shard::{Sharded, shard_items, spreads};
use crate::capacity::facts::Declared;
use crate::capacity::heat::{holds_one, items_of};
use crate::capacity::load::{Family, HEADROOM, key_loads, partition_holes};
use crate::model::db::{Db, SourceFile};
use crate::model::layout::{ItemLayout, Source};
use crate::syntax::template::Format;

/// Shards where the load asks for no number of them.
const USUAL: u32 = 10;

/// The title and the edits that shard the partition key of these items over as many
/// values as their load asks for, or 10 where it asks for none or is not known; though
/// it is not hot. None where the items are sharded already, are single items, or are
/// not spread by any attribute.
pub(crate) fn shard_unasked(
    db: &dyn Db,
    root: SourceFile,
    source: Source<'_>,
    family: &str,
) -> Option<(String, Vec<Edit>)> {
    let decl = source.layout.decl;
    let cx = &Cx { db, root, decl, rule: &super::hot_partition_key::RULE, findings: Vec::new() };
    let facts = Declared { db, root };
    let index = source.index.map(|index| index.name.text.clone());
    let load = key_loads(db, root, decl).iter().find(|load| load.index == index);
    let is_it = |own: &&Family| own.contributions.first().is_some_and(|load| load.family == family);
    let load = load.and_then(|load| load.families.iter().find(is_it));
    let of_family = |family: &Family| Hot {
        index,
        family: family.clone(),
        reads: true,
        writes: true,
        unsplit: None,
        headroom: HEADROOM,
    };
    let hot = load.map(of_family);
    let n = match hot.map(|hot| remedy(cx, source, &hot)) {
        Some(Remedy::Shards(n)) if n > 1 => n,
        Some(Remedy::Shards(_)) | None => USUAL,
        // Shards would not do.
        Some(Remedy::Items(_) | Remedy::Copies(_)) => return None,
    };
    let is_sharded = |item: &ItemLayout| {
        partition_holes(source, item).iter().any(|given| matches!(given.hole.format, Format::Shard(_)))
    };
    let mut items = Vec::new();
    for item in items_of(&facts, source, family).filter(|item| !holds_one(&facts, source, item)) {
        if is_sharded(item) {
            return None;
        }
        items.push(Sharded { item, by: spreads(cx, source, item, n)? });
    }
    if items.is_empty() { None } else { shard_items(cx, source, &items, None, n).ok() }
}
