//! Where the tables have the two of a pair, what that costs, and how large one item
//! of both is.

use super::Costs;
use super::related::Related;
use crate::capacity::embedding::{Embedding, embedded, were_embedded};
use crate::capacity::embedding_whole::{WholeBill, whole_bill};
use crate::capacity::facts::Declared;
use crate::capacity::gathered::{Ends, gathered};
use crate::capacity::sizes::{Bound, Presence, item_bytes};
use crate::deliverables::bounds::bare_item;
use crate::deliverables::decisions::Whole;
use crate::deliverables::outline::Outline;
use crate::deliverables::written;
use crate::model::db::Decl;
use crate::model::layout::{EmbedLayout, ItemLayout, TableLayout};
use crate::rules::kept::Kept;

/// Where the tables have the two.
pub(super) struct Placed<'db> {
    parent: Option<(&'db TableLayout, &'db ItemLayout)>,
    child: Option<(&'db TableLayout, &'db ItemLayout)>,
    /// The item that embeds the child in the parent.
    embedding: Option<(&'db TableLayout, &'db ItemLayout, &'db EmbedLayout)>,
}

impl<'db> Placed<'db> {
    /// Where the tables have the two of a pair.
    pub fn of(kept: &Kept<'db>, pair: &Related<'_>) -> Self {
        let item = |tables: &[&'db TableLayout], name: &str| {
            tables.iter().find_map(|layout| Some((*layout, layout.items.iter().find(|item| item.entity == name)?)))
        };
        let [of_parent, of_child] = &kept.tables;
        let embedding =
            kept.embedded.is_some().then_some(of_parent).into_iter().flatten().find_map(|layout| {
                layout.items.iter().filter(|item| item.entity == pair.parent).find_map(|item| {
                    Some((*layout, item, item.embeds.iter().find(|embed| embed.entity == pair.child)?))
                })
            });
        Self { parent: item(of_parent, pair.parent), child: item(of_child, pair.child), embedding }
    }

    /// What the two take together and apart, with the patterns that read both. Items of
    /// one entity are what they are.
    pub fn costs(
        &self,
        outline: &Outline<'_>,
        pair: &Related<'_>,
        (parent, child): (Decl, Decl),
        together: &[Decl],
    ) -> Option<Costs> {
        let (db, root) = (outline.db, outline.root);
        if let Some((layout, item, embed)) = self.embedding {
            return Some(Costs::Embedded(Box::new(embedded(db, root, layout, item, embed))));
        }
        let (table, _) = self.parent.filter(|_| !pair.is_of_one())?;
        self.child?;
        let ends = Ends { parent: (parent, pair.parent), child: (child, pair.child) };
        Some(Costs::Gathered(Box::new(gathered(db, root, table.decl, ends, together))))
    }

    /// By what children are written that their parent's item embeds, with it.
    pub fn written(&self, outline: &Outline<'_>) -> Option<String> {
        let (layout, item, embed) = self.embedding?;
        written::told(outline, layout, item, embed)
    }

    /// The children were they in their parent's item, and all that touches either
    /// then.
    pub fn hypothetical(&self, outline: &Outline<'_>, pair: &Related<'_>) -> Option<(Embedding, WholeBill)> {
        let ((table, parent), (_, child)) = (self.parent?, self.child?);
        if self.embedding.is_some() || !child.embeds.is_empty() || pair.is_of_one() {
            return None;
        }
        let (db, root) = (outline.db, outline.root);
        let embed = as_list(&child.entity, child.entity_decl, pair.by);
        let embedding = were_embedded(db, root, table, parent, &embed, child);
        Some((embedding, whole_bill(db, root, table, parent, &embed, child)))
    }
}

/// A list that holds an entity in its parent's item, by the name that the rules
/// propose for it.
fn as_list(entity: &str, decl: Option<Decl>, by: Option<&str>) -> EmbedLayout {
    let list = crate::rules::fixes::plural(entity).to_lowercase();
    EmbedLayout { entity: entity.to_owned(), entity_decl: decl, list: Some(list), by: by.map(str::to_owned) }
}

/// Bytes of one parent with all its children in its item, at their maximum.
pub(super) fn whole(
    outline: &Outline<'_>,
    pair: &Related<'_>,
    ends: Option<(Decl, Decl)>,
    placed: Option<&Placed<'_>>,
) -> Whole {
    if pair.is_of_one() {
        return Whole::OwnKind;
    }
    let child = placed.and_then(|placed| placed.child);
    if child.is_some_and(|(_, child)| !child.embeds.is_empty()) {
        return Whole::Nested;
    }
    if pair.most.is_none() {
        return Whole::Unbounded;
    }
    let facts = Declared { db: outline.db, root: outline.root };
    let bytes = |item: &ItemLayout| Whole::Bytes(item_bytes(&facts, item, Bound::Max, Presence::Share));
    if let Some((_, item, _)) = placed.and_then(|placed| placed.embedding) {
        return bytes(item);
    }
    // Before there is a table, an item is its attributes without any key.
    let mut item = match placed.and_then(|placed| placed.parent) {
        Some((_, item)) => item.clone(),
        None => bare_item(pair.parent, ends.map(|(parent, _)| parent)),
    };
    item.embeds.push(as_list(pair.child, ends.map(|(_, child)| child), pair.by));
    bytes(&item)
}
