//! What the numbers of a model lack: the inputs that nobody declares, each with
//! the numbers that need it. An input that no number needs is not listed, and
//! one that cannot change a number is none that it needs.

use super::collection::collections;
use super::distinct::Owner;
use super::facts::Declared;
use super::figure::{Figure, Input};
use super::load::{is_now, partition_holes, pattern_loads};
use super::operations::pattern_numbers;
use super::sizes::{Bound, entity, key_bytes};
use super::stock::stocks;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::layout::layout;
use crate::model::lower::decl_name;
use crate::model::names::names;
use crate::syntax::template::Format;
use std::collections::{BTreeMap, BTreeSet};

/// A number that needs an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// Units of a call of a pattern, and so what it costs.
    Units { pattern: String },
    /// The load on the hottest value of a key.
    Load { table: String, index: Option<String> },
    /// What a table or index stores, and what that costs.
    Storage { table: String, index: Option<String> },
    /// How large the collections of a table with local indexes become.
    Collection { table: String },
    /// How long the value of a key becomes.
    KeyLength { table: String, index: Option<String> },
    /// How large an item or an entry becomes.
    Largest { table: String, index: Option<String> },
}

impl Need {
    /// What of it is not known: "the storage of".
    fn words(&self) -> &'static str {
        match self {
            Need::Units { .. } => "the units and cost of",
            Need::Load { .. } => "the load on the key of",
            Need::Storage { .. } => "the storage of",
            Need::Collection { .. } => "the size of the collections of",
            Need::KeyLength { .. } => "the length of the key of",
            Need::Largest { index: None, .. } => "the largest item of",
            Need::Largest { .. } => "the largest entry of",
        }
    }

    /// The number: "the storage of `T`".
    pub fn one(&self) -> String {
        format!("{} {}", self.words(), self.label())
    }

    /// The pattern, the table, or `Table.Index`.
    fn label(&self) -> String {
        match self {
            Need::Units { pattern } => format!("`{pattern}`"),
            Need::Collection { table } => format!("`{table}`"),
            Need::Load { table, index }
            | Need::Storage { table, index }
            | Need::KeyLength { table, index }
            | Need::Largest { table, index } => match index {
                Some(index) => format!("`{table}.{index}`"),
                None => format!("`{table}`"),
            },
        }
    }
}

/// So many of one kind are named before the rest is only counted.
const NAMED: usize = 3;

/// Numbers as a list: "the units and cost of `A` and `B`, and the storage of `T`".
pub fn needs_list<'n>(needs: impl IntoIterator<Item = &'n Need>) -> String {
    let mut groups: Vec<(&'static str, Vec<String>)> = Vec::new();
    for need in needs {
        match groups.iter_mut().find(|(words, _)| *words == need.words()) {
            Some((_, labels)) => labels.push(need.label()),
            None => groups.push((need.words(), vec![need.label()])),
        }
    }
    let groups: Vec<String> = groups
        .into_iter()
        .map(|(words, mut labels)| {
            let more = labels.len().saturating_sub(NAMED);
            labels.truncate(NAMED);
            if more > 0 {
                labels.push(format!("{more} more"));
            }
            format!("{words} {}", joined(&labels, " and "))
        })
        .collect();
    joined(&groups, ", and ")
}

fn joined(parts: &[String], last: &str) -> String {
    match parts.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
        None => String::new(),
    }
}

/// Inputs that are missing, each with the numbers that need it.
pub type Lacks = BTreeMap<Input, BTreeSet<Need>>;

fn add(lacks: &mut Lacks, figure: &Figure, need: &Need) {
    for input in figure.missing().iter().filter(|input| input.of_entity().is_some()) {
        lacks.entry(input.clone()).or_default().insert(need.clone());
    }
}

/// What the numbers of a table and its indexes lack of their entities: what
/// they store, the lengths of their keys, and the sizes of their collections
/// where those have a limit (L12).
#[salsa::tracked(returns(ref))]
fn table_lacks(db: &dyn Db, root: SourceFile, table: Decl) -> Lacks {
    let mut lacks = Lacks::new();
    let Some(layout) = layout(db, root, table) else { return lacks };
    let name = || layout.name.text.clone();
    for stock in stocks(db, root, table) {
        let index = stock.index.as_ref().map(|(index, _)| index.clone());
        add(&mut lacks, &stock.storage_gb, &Need::Storage { table: name(), index: index.clone() });
        let largest = Need::Largest { table: name(), index };
        for kind in &stock.kinds {
            add(&mut lacks, &kind.largest, &largest);
        }
    }
    for collection in collections(db, root, table) {
        add(&mut lacks, &collection.bytes, &Need::Collection { table: name() });
    }
    let facts = Declared { db, root };
    for source in layout.sources() {
        let need = Need::KeyLength { table: name(), index: source.index.map(|index| index.name.text.clone()) };
        for item in source.items() {
            let Some(entity) = entity(&facts, item) else { continue };
            for key in source.key().filter_map(|key| item.keys.get(&key.name)) {
                add(&mut lacks, &key_bytes(entity, key, Bound::Max), &need);
            }
        }
    }
    lacks
}

/// What the numbers of a pattern lack of its entities: units of every step, and
/// its load on keys. One that is answered elsewhere, or not yet, needs nothing.
#[salsa::tracked(returns(ref))]
fn pattern_lacks(db: &dyn Db, root: SourceFile, pattern: Decl) -> Lacks {
    let mut lacks = Lacks::new();
    let Some(numbers) = pattern_numbers(db, root, pattern) else { return lacks };
    let units = Need::Units { pattern: numbers.name.clone() };
    for step in &numbers.steps {
        add(&mut lacks, &step.read_units(), &units);
        add(&mut lacks, &step.write_units(), &units);
        for (_, _, writes) in step.index_writes() {
            add(&mut lacks, &writes, &units);
        }
    }
    for load in pattern_loads(db, root, pattern) {
        let step = numbers.steps.iter().find(|step| (step.operation, step.step) == (load.operation, load.step));
        let Some(step) = step else { continue };
        let need = Need::Load { table: step.table_name.clone(), index: load.index.clone() };
        add(&mut lacks, &load.reads(), &need);
        add(&mut lacks, &load.writes(), &need);
    }
    lacks
}

/// What the numbers of a model lack of its entities.
#[salsa::tracked(returns(ref))]
fn lacks(db: &dyn Db, root: SourceFile) -> Lacks {
    let all = names(db, root);
    let patterns = all.all_patterns().map(|pattern| pattern_lacks(db, root, pattern));
    let tables = all.all_tables().map(|table| table_lacks(db, root, table));
    let mut lacks = Lacks::new();
    for (input, needs) in patterns.chain(tables).flatten() {
        lacks.entry(input.clone()).or_default().extend(needs.iter().cloned());
    }
    lacks
}

/// Whether an attribute stands for the moment of the write in a partition key. A
/// number of its values would turn it into one that spreads writes.
fn is_moment(db: &dyn Db, root: SourceFile, entity: Decl, attribute: &str) -> bool {
    let facts = Declared { db, root };
    let layouts = names(db, root).all_tables().filter_map(|table| layout(db, root, table).as_ref());
    layouts.flat_map(|layout| layout.sources()).any(|source| {
        source.items().filter(|item| item.entity_decl == Some(entity)).any(|item| {
            let owner = Owner::of(&facts, item);
            let holes = partition_holes(source, item);
            let mut own = holes.iter().map(|given| &given.hole).filter(|hole| hole.name == attribute);
            owner.is_some_and(|owner| own.any(|hole| !matches!(hole.format, Format::Shard(_)) && is_now(owner, hole)))
        })
    })
}

/// What the numbers of a model lack of one entity; nothing where the
/// declaration is not what its name means.
#[salsa::tracked(returns(ref))]
pub fn entity_lacks(db: &dyn Db, root: SourceFile, decl: Decl) -> Lacks {
    let Some(name) = decl_name(db, decl) else { return Lacks::new() };
    if names(db, root).entity(name) != Some(decl) {
        return Lacks::new();
    }
    let asks = |input: &Input| match input {
        Input::Distinct { attribute, .. } => !is_moment(db, root, decl, attribute),
        _ => true,
    };
    let own = lacks(db, root).iter().filter(|(input, _)| input.of_entity() == Some(name) && asks(input));
    own.map(|(input, needs)| (input.clone(), needs.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_of_a_kind_share_their_words() {
        let units = |name: &str| Need::Units { pattern: name.to_owned() };
        let storage = Need::Storage { table: "T".to_owned(), index: Some("I".to_owned()) };
        assert_eq!(needs_list([&units("A")]), "the units and cost of `A`");
        assert_eq!(
            needs_list([&units("A"), &units("B"), &storage]),
            "the units and cost of `A` and `B`, and the storage of `T.I`"
        );
        let all = ["A", "B", "C", "D", "E"].map(units);
        assert_eq!(needs_list(&all), "the units and cost of `A`, `B`, `C` and 2 more");
    }
}
