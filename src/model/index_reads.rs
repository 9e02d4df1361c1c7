//! What the patterns of a model read from an index.

use super::db::{Db, SourceFile};
use super::defs::*;
use super::layout::{ItemLayout, Source};
use super::names::{is_whole, pattern_def};
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
