//! Which name was meant by one that nothing has, and how sure that is.

use super::check::Cx;
use super::fixes::nearest;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::imports::{decl_kind, model_decls};
use crate::model::layout::keys_of;
use crate::model::lower::decl_name;
use crate::model::names::table_def;
use crate::syntax::near::is_slip;
use crate::syntax::{ChunkKind, TextRange};

/// A name that something has.
pub(super) struct Meant<'c> {
    pub name: &'c str,
    /// Nearly everybody would say so: few letters differ, nothing else is as near, and what
    /// is meant is not on its way, declared with a name that is not there yet.
    pub is_sure: bool,
}

/// The candidate that a reference means, if any is near.
pub(super) fn meant<'c>(cx: &Cx<'_>, reference: &Reference, candidates: &'c [String]) -> Option<Meant<'c>> {
    let (own, there) = (&reference.name, listed_beside(&cx.lowered().def, reference.name.range));
    let open = || candidates.iter().map(String::as_str).filter(|name| !there.contains(name));
    let name = nearest(&own.text, open())?;
    let mut slips = open().filter(|candidate| is_slip(&own.text, candidate));
    let is_only = slips.next() == Some(name) && slips.next().is_none();
    let is_sure = is_only && !is_on_its_way(cx, &reference.target);
    Some(Meant { name, is_sure })
}

/// Whether something that such a name may be the name of has none that can be read.
fn is_on_its_way(cx: &Cx<'_>, target: &Target) -> bool {
    let nameless = |kind| {
        let mut all = model_decls(cx.db, cx.root).iter();
        all.any(|decl| decl_kind(cx.db, *decl) == kind && decl_name(cx.db, *decl).is_none())
    };
    // A line of a block that cannot be read may be the one that has the name.
    let is_broken = |decl: Option<Decl>| decl.is_some_and(|decl| !cx.is_whole(decl));
    let of_entity = |name: &String| is_broken(cx.names().entity(name));
    let of_table = |name: &String| {
        let Some(decl) = cx.names().table(name) else { return false };
        let items = table_def(cx.db, decl).into_iter().flat_map(|table| &table.items);
        let entities = items.flat_map(|item| item.entity.iter().chain(item.embeds.iter().map(|embed| &embed.entity)));
        is_broken(Some(decl)) || entities.into_iter().any(|entity| of_entity(&entity.text))
    };
    match target {
        Target::Entity => nameless(ChunkKind::Entity),
        Target::Table => nameless(ChunkKind::Table),
        Target::Pattern => nameless(ChunkKind::Pattern),
        Target::Index { table } => is_broken(cx.names().table(table)),
        Target::EntityAttribute { entities } => entities.iter().any(of_entity),
        Target::ItemAttribute { entity, table } => of_entity(entity) || of_table(table),
        Target::TableAttribute { table } | Target::Key { table } | Target::UntypedKey { table } => of_table(table),
        // Any entity may have it.
        Target::AnyAttribute { .. } => {
            let all = cx.names();
            let entities = all.entities.values().flatten().copied();
            entities.chain(all.all_tables()).any(|decl| is_broken(Some(decl)))
        }
        Target::Rule => false,
    }
}

/// The names that stand beside one in its list or block, where each stands once: there
/// once more, one would be a duplicate, or an item a part of itself.
fn listed_beside(def: &Def, own: TextRange) -> Vec<&str> {
    let mut lists: Vec<Vec<&Name>> = Vec::new();
    match def {
        Def::Table(table) => {
            lists.push(table.items.iter().filter_map(|item| item.entity.as_ref()).collect());
            let embeds = table.items.iter().flat_map(|item| item.embeds.iter().map(move |embed| (item, embed)));
            lists.extend(embeds.map(|(item, embed)| item.entity.iter().chain([&embed.entity]).collect()));
            lists.extend(keys_of(table).map(|key| key.parts.iter().map(|part| &part.name).collect()));
            let projections = table.indexes.iter().filter_map(|index| index.projection.as_ref());
            lists.extend(projections.map(|projection| projection.attributes.iter().collect()));
        }
        Def::Pattern(pattern) => {
            for requirement in &pattern.requirements {
                lists.extend(requirement.uses.iter().map(|one| one.attributes.iter().collect()));
                lists.push(requirement.by.iter().collect());
            }
            for (_, step) in pattern.steps() {
                match &step.op {
                    OpDef::Put { with: Some(with), .. } => lists.push(with.attributes.iter().collect()),
                    OpDef::Update { set, remove, .. } => lists.push(set.iter().chain(remove).collect()),
                    op => lists.extend(op.options().map(|options| options.project.iter().collect())),
                }
            }
        }
        Def::Aggregate(aggregate) => lists.push(aggregate.entities.iter().collect()),
        _ => {}
    }
    let around = lists.into_iter().filter(|names| names.iter().any(|name| name.range == own));
    around.flatten().filter(|name| name.range != own).map(|name| name.text.as_str()).collect()
}
