//! Pairs of related entities, how often they are read together, and where they
//! are kept.

use super::check::Cx;
use super::finding::Place;
use crate::capacity::facts::Declared;
use crate::capacity::prices::prices;
use crate::capacity::related_reads::{reads_by, together_by};
use crate::capacity::shared_reads::{SharedReads, read_together, shared_reads};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, placements};
use crate::model::lower::decl_name;
use crate::model::names::table_def;
use crate::model::pairs::{Pair, argued_pairs, first_relationships, holders, pairs, unordered};
use crate::model::unique::is_guard_of_other;
use crate::syntax::TextRange;
use std::collections::BTreeSet;

/// A pair of related entities of which rules on keeping them together have a say.
pub struct Couple<'d> {
    pub pair: Pair<'d>,
    /// The patterns that read both.
    pub together: Vec<Decl>,
    decls: (Decl, Decl),
    /// Where the two are related several times: by what, this one and the others.
    ways: Option<(&'d str, BTreeSet<String>)>,
    parent_tables: Vec<Decl>,
    child_tables: Vec<Decl>,
}

/// The pairs of the relationship under judgement that somebody reads, each where
/// it is related first. Not those of which an aggregate gives its reason, and not
/// the guard of a unique attribute with what it guards.
pub fn couples<'d>(cx: &Cx<'_>, def: &'d RelationshipDef) -> Vec<Couple<'d>> {
    let couples = pairs(def).into_iter().filter_map(|pair| couple(cx, pair));
    couples.collect()
}

/// The same of two entities, whatever relates them.
pub fn couple<'d>(cx: &Cx<'_>, pair: Pair<'d>) -> Option<Couple<'d>> {
    let both = unordered(pair.parent, pair.child);
    let first = first_relationships(cx.db, cx.root).get(&both);
    if first != Some(&cx.decl)
        || argued_pairs(cx.db, cx.root).contains(&both)
        || is_guard_of_other(cx.db, cx.root, pair.parent, pair.child)
    {
        return None;
    }
    let (parent, child) = (cx.names().entity(pair.parent)?, cx.names().entity(pair.child)?);
    let tables = |name: &str| placements(cx.db, cx.root).get(name).cloned().unwrap_or_default();
    let holders = holders(cx.db, cx.root, pair.parent, pair.child);
    let by = pair.by.filter(|_| holders.len() > 1);
    Some(Couple {
        together: match by {
            Some(by) => together_by(cx.db, cx.root, (parent, child), by, &holders),
            None => read_together(cx.db, cx.root, parent, child),
        },
        decls: (parent, child),
        ways: by.map(|by| (by, holders.into_iter().map(str::to_owned).collect())),
        parent_tables: tables(pair.parent),
        child_tables: tables(pair.child),
        pair,
    })
}

impl<'d> Couple<'d> {
    /// How often the two are read. Rates change often: what can be told without
    /// them is to be told first.
    pub fn reads(&self, cx: &Cx<'_>) -> SharedReads {
        match &self.ways {
            Some((by, holders)) => {
                let holders = holders.iter().map(String::as_str).collect();
                reads_by(cx.db, cx.root, self.decls, by, &holders).reads
            }
            None => shared_reads(cx.db, cx.root, self.decls.0, self.decls.1),
        }
    }

    /// Whether certainly more than this share of the reads of either read both.
    pub fn is_read_together(&self, cx: &Cx<'_>, least: f64) -> bool {
        !self.together.is_empty() && self.reads(cx).share().is_some_and(|share| share.low() > least)
    }

    /// A table that holds or embeds both.
    pub fn shared_table<'db>(&self, cx: &Cx<'db>) -> Option<&'db TableLayout> {
        let shared = self.parent_tables.iter().find(|table| self.child_tables.contains(table))?;
        cx.layout(*shared)
    }

    /// Whether both have a table, and none has both.
    pub fn is_apart(&self) -> bool {
        !self.parent_tables.is_empty()
            && !self.child_tables.is_empty()
            && self.parent_tables.iter().all(|table| !self.child_tables.contains(table))
    }

    /// The items of the parent and of the child, where each has its own.
    pub fn items<'db>(&self, cx: &Cx<'db>) -> Option<[(&'db TableLayout, &'db ItemLayout); 2]> {
        let item = |tables: &[Decl], name: &str| {
            let mut layouts = tables.iter().filter_map(|table| cx.layout(*table));
            layouts.find_map(|layout| Some((layout, layout.items.iter().find(|item| item.entity == name)?)))
        };
        Some([item(&self.parent_tables, self.pair.parent)?, item(&self.child_tables, self.pair.child)?])
    }

    /// Whether one is embedded in the other somewhere.
    pub fn is_embedded(&self, cx: &Cx<'_>) -> bool {
        let Pair { parent, child, .. } = self.pair;
        let embeds = |item: &ItemLayout, a: &str, b: &str| item.entity == a && item.entity != b && item.holds(b);
        let tables = self.parent_tables.iter().chain(&self.child_tables);
        let mut items = tables.filter_map(|table| cx.layout(*table)).flat_map(|layout| &layout.items);
        items.any(|item| embeds(item, parent, child) || embeds(item, child, parent))
    }

    /// Where the patterns stand that read both.
    pub fn readers(&self, cx: &Cx<'_>) -> Vec<Place> {
        self.together.iter().filter_map(|pattern| cx.name_place(*pattern)).take(5).collect()
    }

    /// `90 % of the reads of either read both (`AccountPage`: 60 of 67 calls a
    /// second)`: the share that is certain, with what it is made of.
    pub fn share_told(&self, cx: &Cx<'_>) -> String {
        let reads = self.reads(cx);
        let share = reads.share();
        let share = share.as_ref().map_or_else(String::new, |share| show::figure(share, show::percent));
        let names: Vec<String> =
            self.together.iter().filter_map(|p| decl_name(cx.db, *p).as_ref()).map(|n| format!("`{n}`")).collect();
        let by = match names.as_slice() {
            [] => {
                let either = show::figure(&reads.either(), show::number);
                return format!("no pattern reads both ({either} calls a second read either)");
            }
            [one] => one.clone(),
            [one, rest @ ..] => format!("{one} and {} more", rest.len()),
        };
        let (both, either) = (&reads.both, reads.either());
        let rates = match (both.value(), either.value()) {
            (Some(both), Some(either)) => {
                format!(": {} of {} calls a second", show::number(both), show::number(either))
            }
            _ => String::new(),
        };
        format!("{share} of the reads of either read both ({by}{rates})")
    }
}

/// The two ends of a relationship as they are written.
pub fn name_pair(def: &RelationshipDef) -> Option<TextRange> {
    Some(def.left.as_ref()?.range.cover(def.right.as_ref()?.range))
}

/// The numbers that the model declares.
pub fn facts<'db>(cx: &Cx<'db>) -> Declared<'db> {
    Declared { db: cx.db, root: cx.root }
}

/// ` (its price needs a `region` …)`: why what a table does has no price; nothing
/// where it has one.
pub fn price_note(cx: &Cx<'_>, table: Decl) -> String {
    let why = table_def(cx.db, table).and_then(|table| prices(cx.db, cx.root, table).err());
    why.map_or_else(String::new, |why| format!(" ({why})"))
}
