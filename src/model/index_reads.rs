//! What the patterns of a model read from an index.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::layout::{IndexLayout, ItemLayout, Source};
use super::names::{entity_def, is_whole, pattern_def};
use super::resolve::{Step, patterns_of_table, steps};
use std::collections::BTreeSet;

/// What patterns read from an index, besides the keys that every entry has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexReads {
    /// Every attribute: a query or scan says nowhere which it needs.
    All,
    Only(BTreeSet<String>),
}

/// What the patterns read from an index: what `project`, `filter`, `where` and the
/// lists of `reads` name; where a pattern says none of these, what the index has. What another step of the same pattern reads from the table is asked
/// of the index only as far as that has it. `None` where no pattern reads the index,
/// and where one cannot be read itself.
pub fn index_reads(db: &dyn Db, root: SourceFile, source: Source<'_>) -> Option<IndexReads> {
    let mut read = BTreeSet::new();
    let mut is_read = false;
    for decl in patterns_of_table(db, root, source.layout.decl) {
        if !is_whole(db, *decl) {
            return None;
        }
        let pattern = pattern_def(db, *decl)?;
        let all: Vec<Step<'_>> = steps(db, root, *decl).collect();
        for step in all.iter().filter(|step| is_aimed_at(step, source)) {
            is_read = true;
            if !step_reads(pattern, &all, step, source, &mut read) {
                return Some(IndexReads::All);
            }
        }
    }
    is_read.then_some(IndexReads::Only(read))
}

/// What the filter of a query tests and the index does not hold of the items that the
/// query reaches: DynamoDB refuses such a query, of a local index too. Its fetch from
/// the table is for what is returned, not for what is tested.
pub fn tested_unseen<'db>(db: &'db dyn Db, step: &Step<'db>) -> Vec<&'db str> {
    let (Some(source), OpDef::Query { options, .. }) = (step.source, &step.step.op) else { return Vec::new() };
    let filter = options.filter.as_ref().and_then(|filter| filter.conditions.as_ref());
    let names = filter.map(ConditionsDef::leaves).unwrap_or_default().into_iter().filter_map(Term::attribute);
    let unseen = names.filter(|name| {
        let mut reached = source.items().filter(|item| step.resolved.reached.contains(&item.entity));
        reached.any(|item| {
            let entity = item.entity_decl.and_then(|decl| entity_def(db, decl));
            let has = entity.is_some_and(|entity| entity.attribute(&name.text).is_some())
                || item.embeds.iter().any(|embed| embed.list.as_ref() == Some(&name.text))
                || item.keys.contains_key(&name.text);
            has && source.projected(item).is_some_and(|projected| !projected.contains(&name.text))
        })
    });
    let mut unseen: Vec<&str> = unseen.map(|name| name.text.as_str()).collect();
    unseen.dedup();
    unseen
}

/// Why there is no request for such a query.
pub fn refused_filter(db: &dyn Db, step: &Step<'_>) -> Option<String> {
    let unseen = tested_unseen(db, step);
    let label = step.source.map(|source| source.label()).unwrap_or_default();
    let names = unseen.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let refused =
        || format!("DynamoDB refuses a query that filters by what its index does not project: {names} in `{label}`");
    (!unseen.is_empty()).then(refused)
}

fn is_aimed_at(step: &Step<'_>, source: Source<'_>) -> bool {
    let own = step.source.filter(|own| own.layout.decl == source.layout.decl).and_then(|own| own.index);
    step.step.op.reads() && own.is_some_and(|own| source.index.is_some_and(|index| index.name == own.name))
}

/// Adds what a step reads; false where it is everything.
fn step_reads(
    pattern: &PatternDef,
    all: &[Step<'_>],
    step: &Step<'_>,
    source: Source<'_>,
    read: &mut BTreeSet<String>,
) -> bool {
    let Some(options) = step.step.op.options() else { return true };
    read.extend(options.project.iter().map(|name| name.text.clone()));
    let filter = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
    // What a key condition names and no key takes belongs into a filter.
    let keys = match &step.step.op {
        OpDef::Query { conditions, .. } => conditions.as_ref(),
        _ => None,
    };
    read.extend(filter.chain(keys).flat_map(ConditionsDef::leaves).filter_map(|leaf| match leaf {
        Term::Comparison(comparison) => Some(comparison.attribute.text.clone()),
        Term::Existence { attribute, .. } => Some(attribute.text.clone()),
        Term::Not { .. } | Term::Group { .. } => None,
    }));
    let uses: Vec<&EntityUse> = pattern.requirements.iter().filter(|r| !r.writes).flat_map(|r| &r.uses).collect();
    for item in source.items().filter(|item| step.resolved.reached.contains(&item.entity)) {
        let projected = source.projected(item);
        let elsewhere = is_given(all, item);
        let mut add = |name: &str| {
            if !elsewhere || projected.as_ref().is_none_or(|projected| projected.contains(name)) {
                read.insert(name.to_owned());
            }
        };
        let mut whole = uses.is_empty() && options.project.is_empty();
        for one in &uses {
            match item.embeds.iter().find(|embed| embed.entity == one.entity.text) {
                _ if item.entity == one.entity.text => {
                    whole |= one.attributes.is_empty() && options.project.is_empty();
                    one.attributes.iter().for_each(|name| add(&name.text));
                }
                Some(embed) => embed.list.iter().for_each(|list| add(list)),
                None => {}
            }
        }
        // Who claims nothing takes what there is.
        match source.index {
            Some(index) if whole && index.projection == ProjectionKind::All => return false,
            Some(index) if whole => read.extend(index.included.iter().cloned()),
            _ => {}
        }
    }
    true
}

/// Whether a step of the pattern reads items of this kind from the table itself.
fn is_given(all: &[Step<'_>], item: &ItemLayout) -> bool {
    all.iter().any(|other| {
        other.step.op.reads()
            && other.source.is_some_and(|source| source.index.is_none())
            && other.resolved.reached.contains(&item.entity)
    })
}

/// What an index copies besides its keys and those of its table, and besides what
/// they hold whole: attributes in the order of the text, then embedded lists.
pub fn copied(db: &dyn Db, source: Source<'_>) -> Vec<String> {
    let Some(index) = source.index else { return Vec::new() };
    let bare = IndexLayout { projection: ProjectionKind::KeysOnly, included: Vec::new(), ..index.clone() };
    let mut names: Vec<String> = Vec::new();
    for item in source.items() {
        let keys = source.layout.of_index(&bare).projected(item).unwrap_or_default();
        for name in stored(db, item) {
            let copied = index.projection == ProjectionKind::All || index.included.contains(&name);
            if copied && !keys.contains(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The attributes of an item and the lists in it.
pub fn stored(db: &dyn Db, item: &ItemLayout) -> Vec<String> {
    let entity = item.entity_decl.and_then(|decl| entity_def(db, decl));
    let attributes = entity.into_iter().flat_map(|entity| &entity.attributes).map(|a| a.name.text.clone());
    attributes.chain(item.embeds.iter().filter_map(|embed| embed.list.clone())).collect()
}

/// Whether a step of a pattern asks for an attribute of the items that it reads. A
/// filter reads what it tests; what `project` and `reads` both leave out is not
/// read, and without the two everything is.
pub fn asks_for(db: &dyn Db, pattern: Decl, step: &Step<'_>, source: Source<'_>, name: &str) -> bool {
    let (Some(def), Some(options)) = (pattern_def(db, pattern), step.step.op.options()) else { return true };
    let filter = options.filter.iter().filter_map(|filter| filter.conditions.as_ref());
    // What a key condition names and no key takes belongs into a filter.
    let keys = match &step.step.op {
        OpDef::Query { conditions, .. } => conditions.as_ref(),
        _ => None,
    };
    let tested = filter.chain(keys).flat_map(ConditionsDef::leaves).any(|leaf| match leaf {
        Term::Comparison(Comparison { attribute, .. }) | Term::Existence { attribute, .. } => attribute.text == name,
        Term::Not { .. } | Term::Group { .. } => false,
    });
    if tested || options.project.iter().any(|project| project.text == name) {
        return true;
    }
    let uses: Vec<&EntityUse> = def.requirements.iter().filter(|r| !r.writes).flat_map(|reads| &reads.uses).collect();
    if uses.is_empty() {
        return options.project.is_empty();
    }
    let reached = source.items().filter(|item| step.resolved.reached.contains(&item.entity));
    reached.filter(|item| stored(db, item).iter().any(|own| own == name)).any(|item| {
        let list = |entity: &str| {
            let embed = item.embeds.iter().find(|embed| embed.entity == entity);
            embed.is_some_and(|embed| embed.list.as_deref() == Some(name))
        };
        uses.iter().any(|used| match used.entity.text == item.entity {
            // Without a list, `project` says what is wanted of it.
            true if used.attributes.is_empty() => options.project.is_empty(),
            true => used.attributes.iter().any(|own| own.text == name),
            false => list(&used.entity.text) && (options.project.is_empty() || !used.attributes.is_empty()),
        })
    })
}
