//! What a first page can end before.

use super::markdown::inline;
use super::outline::Outline;
use crate::capacity::most::{KindMost, Most};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::key::KeyPiece;
use crate::model::layout::ItemLayout;
use crate::model::resolve::Step;
use crate::syntax::Unit;

/// A page that can be full before all kinds of items that its query reaches are in it:
/// what sorts first can fill it (Q5).
pub(super) struct FirstPage<'l> {
    limit: f64,
    /// The kinds that fill it.
    before: Vec<String>,
    /// The kinds that may not be in it.
    pub hidden: Vec<&'l ItemLayout>,
}

impl<'l> FirstPage<'l> {
    /// The first page of a query; `None` where it has no limit, or holds something of
    /// every kind.
    pub fn of(outline: &Outline<'_>, step: &Step<'l>) -> Option<Self> {
        let OpDef::Query { options, .. } = &step.step.op else { return None };
        let limit = options.limit.as_ref().and_then(|limit| limit.get(Unit::Number))?;
        let most = Most::of(outline.db, outline.root, step)?;
        let mut kinds: Vec<&KindMost<'l>> = most.kinds.iter().collect();
        let literals = |kind: &KindMost<'_>| {
            let values = most.source.sort().iter().filter_map(|key| kind.item.keys.get(&key.name));
            let first = values.map(|source| match source.value.parts.first() {
                Some(KeyPiece::Literal(text)) => text.clone(),
                _ => String::new(),
            });
            first.collect::<Vec<_>>()
        };
        kinds.sort_by_key(|kind| literals(kind));
        if options.descending.is_some() {
            kinds.reverse();
        }
        // Nothing orders kinds that begin alike.
        let first = kinds.first().map(|kind| literals(kind))?;
        if kinds.iter().all(|kind| literals(kind) == first) {
            return None;
        }
        let (mut read, mut before, mut hidden) = (Some(0.0), Vec::new(), Vec::new());
        for kind in kinds {
            if read.is_none_or(|read| read >= limit) {
                hidden.push(kind.item);
            } else {
                before.push(inline(&kind.item.entity));
            }
            read = read.zip(kind.items.high()).map(|(read, items)| read + items);
        }
        (!hidden.is_empty()).then_some(Self { limit, before, hidden })
    }

    /// What can be missing, and what fills the page.
    pub fn words(&self) -> String {
        let hidden: Vec<String> = self.hidden.iter().map(|item| inline(&item.entity)).collect();
        format!(
            "a first page of {} can end before any {}: {} may fill it",
            show::count(self.limit),
            hidden.join(" or "),
            self.before.join(" and ")
        )
    }
}
