//! The boxes about tables and indexes.

use super::Design;
use crate::capacity::facts::Declared;
use crate::capacity::largest::{ITEM_LIMIT, too_large};
use crate::capacity::show;
use crate::capacity::sizes::Bound;
use crate::capacity::stock::stocks;
use crate::deliverables::asked::About;
use crate::deliverables::checklist::{Check, Found, Missing};
use crate::deliverables::data_model::tables::{lasting, purpose_of_index};
use crate::deliverables::figures::needs;
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::outline::shown;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::KeyPiece;
use crate::model::layout::layout;
use crate::model::resolve::patterns_of_table;

/// The rule that asks for the reason of a key or an index.
const JUSTIFIED: &str = "missing-justification";

impl Design<'_, '_> {
    /// The boxes about tables and indexes.
    pub(super) fn of_tables(&self) -> Vec<Check> {
        let tables = |question, rules: &[&str], more: Found| self.rules(About::Tables, question, rules, more);
        vec![
            self.checked(About::Tables, "DynamoDB takes the design: no error stands", self.errors()),
            tables("Every table is justified", &[], self.unjustified_tables()),
            tables(
                "Every index is justified, and none is needless",
                &["unused-index", "redundant-index", "replaceable-gsi", "small-collection-index"],
                self.unjustified_indexes(),
            ),
            tables(
                "Projections are considered",
                &["attribute-not-projected", "over-projection", "projection-invalid", "lsi-fetch"],
                self.undeclared_projections().into(),
            ),
            tables("Sparse indexes are considered", &["low-selectivity-filter"], self.undeclared_sparseness().into()),
            tables(
                "Multi-attribute keys are considered",
                &["multi-attribute-key-order", "partial-key-update"],
                self.joined_keys().into(),
            ),
            tables(
                "Items and collections stay within their limits",
                &["unbounded-item", "oversized-aggregate", "lsi-collection-size"],
                Found::from(self.oversized_items()).and(self.unmeasured_items()),
            ),
            tables("What grows is taken away again", &["unbounded-growth", "lifetime-without-ttl"], Found::default()),
            tables(
                "What is unique is kept unique",
                &["unique-not-enforced", "guard-not-maintained", "create-without-condition"],
                // Two spellings of one value are two keys of a table.
                self.in_indexes("case-sensitive-key", false).and(self.unique_for_a_time()),
            ),
        ]
    }

    /// What is kept unique by a guard that expires: for how long is what the box says.
    fn unique_for_a_time(&self) -> Found {
        let mut found = Found::default();
        for entity in &self.outline.entities {
            let Some(name) = entity.name else { continue };
            for attribute in entity.def.attributes.iter().filter(|attribute| attribute.unique.is_some()) {
                let own = &attribute.name;
                let Some(lasting) = lasting(self.outline, &(name.to_owned(), own.text.clone())) else { continue };
                let words = format!("{}.{}: {lasting}", inline(name), code(&own.text));
                found.assumed.push(Missing::at(self.outline, entity.decl, Some(own.range), words));
            }
        }
        found
    }

    /// The indexes of the model with their tables' declarations.
    fn indexes(&self) -> impl Iterator<Item = (Decl, &IndexDef)> {
        self.outline.tables.iter().flat_map(|table| table.def.indexes.iter().map(|index| (table.decl, index)))
    }

    fn at_index(&self, table: Decl, index: &IndexDef, words: &str) -> Missing {
        let name = shown(index.name.as_ref().map(|name| name.text.as_str()));
        let range = index.name.as_ref().map_or(index.range, |name| name.range);
        Missing::at(self.outline, table, Some(range), format!("{} {name} {words}", index.kind.short()))
    }

    /// Tables of whose key nobody says why, those of which nobody says what they are for,
    /// and those that nothing uses.
    fn unjustified_tables(&self) -> Found {
        let unused = self
            .outline
            .tables
            .iter()
            .filter(|table| patterns_of_table(self.outline.db, self.outline.root, table.decl).is_empty());
        let unused = unused.map(|table| {
            let words = format!("no pattern uses {}", shown(table.name));
            Missing::at(self.outline, table.decl, None, words)
        });
        let silent = self.outline.tables.iter().filter(|table| table.doc.is_none());
        let silent = silent.map(|table| {
            let words = format!("the purpose of {} is not declared: a `///` above it says it", shown(table.name));
            Missing::at(self.outline, table.decl, None, words)
        });
        self.in_indexes(JUSTIFIED, false).and(unused.chain(silent).collect::<Vec<_>>())
    }

    fn unjustified_indexes(&self) -> Found {
        let nameless = self.indexes().filter(|(_, index)| index.name.is_none());
        let nameless =
            nameless.map(|(table, index)| self.at_index(table, index, "has no name, and nothing can be said of it"));
        let silent = self.indexes().filter(|(_, index)| index.name.is_some() && purpose_of_index(index).is_none());
        let silent = silent.map(|(table, index)| self.at_index(table, index, "has no declared `purpose`"));
        self.in_indexes(JUSTIFIED, true).and(nameless.chain(silent).collect::<Vec<_>>())
    }

    fn undeclared_projections(&self) -> Vec<Missing> {
        let silent = self.indexes().filter(|(_, index)| index.projection.as_ref().and_then(|own| own.kind).is_none());
        silent.map(|(table, index)| self.at_index(table, index, "declares no projection")).collect()
    }

    /// Indexes that hold some of the items only, and do not say that this is meant.
    fn undeclared_sparseness(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (table, def) in self.indexes().filter(|(_, def)| def.sparse.is_none()) {
            let Some(layout) = layout(self.outline.db, self.outline.root, table) else { continue };
            let index = def.name.as_ref().and_then(|name| layout.index(&name.text));
            let Some(index) = index else { continue };
            let source = layout.of_index(index);
            let optional = source.items().find_map(|item| {
                let key = source.key().find(|key| item.keys.get(&key.name).is_some_and(|key| key.optional))?;
                Some((item, key))
            });
            if let Some((item, key)) = optional {
                let words = format!(
                    "holds only the {} items that have {}, and is not declared `sparse`",
                    inline(&item.entity),
                    code(&key.name)
                );
                missing.push(self.at_index(table, def, &words));
            }
        }
        missing
    }

    /// Index keys that join several attributes in one text, without a word why.
    fn joined_keys(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (table, def) in self.indexes().filter(|(_, def)| def.kind == IndexKind::Global) {
            let reasoned = [&def.partition, &def.sort].into_iter().flatten().any(|key| key.because.is_some());
            if reasoned || def.purpose.is_some() {
                continue;
            }
            let Some(layout) = layout(self.outline.db, self.outline.root, table) else { continue };
            let Some(index) = def.name.as_ref().and_then(|name| layout.index(&name.text)) else { continue };
            let source = layout.of_index(index);
            let joined = source.key().find(|key| {
                source
                    .items()
                    .filter_map(|item| item.keys.get(&key.name))
                    .any(|own| own.value.parts.iter().filter(|part| matches!(part, KeyPiece::Hole(_))).count() > 1)
            });
            if let Some(key) = joined {
                let words = format!(
                    "joins several attributes in {}, and neither `purpose` nor `because` says why they are no attributes of a multi-attribute key",
                    code(&key.name)
                );
                missing.push(self.at_index(table, def, &words));
            }
        }
        missing
    }

    /// The kinds of items that DynamoDB refuses, whatever the model accepts.
    fn oversized_items(&self) -> Vec<Missing> {
        let facts = Declared { db: self.outline.db, root: self.outline.root };
        let mut missing = Vec::new();
        for table in &self.outline.tables {
            let Some(layout) = layout(self.outline.db, self.outline.root, table.decl) else { continue };
            for item in &layout.items {
                let Some((largest, bound)) = too_large(&facts, layout, item) else { continue };
                let reach = if bound == Bound::Max { "can reach" } else { "has on average" };
                let accepted = self.accepted("item-too-large", table.decl, Some(item.range));
                let accepted = accepted.map(|reason| format!("; an `allow` accepts it, because {reason}"));
                let words = format!(
                    "an item of {} in {} {reach} {}, and DynamoDB takes {}{}",
                    inline(&item.entity),
                    shown(table.name),
                    show::bytes_beside(largest.bytes.low(), &[ITEM_LIMIT]),
                    show::bytes(ITEM_LIMIT),
                    accepted.unwrap_or_default()
                );
                missing.push(Missing::at(self.outline, table.decl, Some(item.range), words));
            }
        }
        missing
    }

    /// The kinds of items of which nothing says how large they can be.
    fn unmeasured_items(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for table in &self.outline.tables {
            let stock = stocks(self.outline.db, self.outline.root, table.decl).first();
            for kind in stock.iter().flat_map(|stock| &stock.kinds).filter(|kind| kind.largest.high().is_none()) {
                let words = format!(
                    "how large the items of {} in {} can be is not known{}",
                    inline(&kind.entity),
                    shown(table.name),
                    needs(&kind.largest)
                );
                missing.push(Missing::at(self.outline, table.decl, None, words));
            }
        }
        missing
    }
}
