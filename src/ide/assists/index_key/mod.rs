//! Keys of global indexes: one string that holds several attributes, or the
//! attributes themselves, up to four (M1 to M5); each as the other.

mod compose;
pub(super) mod read;
mod split;

pub(super) use compose::compose;
pub(super) use split::split;

use super::AssistCx;
use super::follow::{is_settled, table_at};
use crate::model::defs::*;
use crate::model::key::KeyValue;
use crate::model::layout::{IndexLayout, KeyAttribute, TableLayout};
use crate::syntax::TextRange;

/// The global index that the cursor is in.
struct Asked<'db> {
    table: &'db TableDef,
    layout: &'db TableLayout,
    def: &'db IndexDef,
    index: &'db IndexLayout,
}

/// A key clause of an index with its attributes.
#[derive(Clone, Copy)]
struct Clause<'db> {
    def: &'db KeyDef,
    attributes: &'db [KeyAttribute],
    sort: bool,
}

impl<'db> Asked<'db> {
    fn at(cx: &AssistCx<'db>) -> Option<Self> {
        let (table, layout) = table_at(cx)?;
        let def = table.indexes.iter().find(|index| cx.is_at(index.range))?;
        let index = layout.index(&def.name.as_ref()?.text)?;
        let global = def.kind == IndexKind::Global && index.name.range == def.name.as_ref()?.range;
        (global && is_settled(cx)).then_some(Self { table, layout, def, index })
    }

    /// The key clauses that the cursor is in; both where it is in neither.
    fn clauses(&self, cx: &AssistCx<'_>) -> Vec<Clause<'db>> {
        let partition = self.def.partition.as_ref().map(|def| (def, self.index.partition.as_slice(), false));
        let sort = self.def.sort.as_ref().map(|def| (def, self.index.sort.as_slice(), true));
        let all: Vec<Clause<'db>> =
            partition.into_iter().chain(sort).map(|(def, attributes, sort)| Clause { def, attributes, sort }).collect();
        let at: Vec<Clause<'db>> = all.iter().copied().filter(|clause| cx.is_at(clause.def.range)).collect();
        if at.is_empty() { all } else { at }
    }

    /// The value that a key attribute has in every item of the index; `None` where
    /// the items differ in it, and where there are none.
    fn shared_value(&self, key: &str) -> Option<&'db KeyValue> {
        let mut values = self.layout.of_index(self.index).items().map(|item| item.keys.get(key));
        let first = values.next()??;
        values.all(|other| other.is_some_and(|other| other.value == first.value)).then_some(&first.value)
    }

    /// Whether a key attribute serves this index alone.
    fn is_own_key(&self, name: &str) -> bool {
        let others =
            self.layout.sources().filter(|source| source.index.map(|index| &index.name) != Some(&self.index.name));
        let mut keys = others.flat_map(|source| source.key());
        keys.all(|key| key.name != name)
    }

    /// How many items of which entities the index holds must not change.
    fn entities(&self) -> Vec<&'db str> {
        self.layout.of_index(self.index).items().map(|item| item.entity.as_str()).collect()
    }
}

/// Whether the index holds the items of the same entities after a change.
fn holds_the_same(trial: &super::trial::Trial<'_>, table: &str, index: &str, entities: &[&str]) -> bool {
    use crate::model::layout::layout;
    use crate::model::names::names;
    let held = || {
        let (db, root) = trial.model();
        let layout = layout(db, root, names(db, root).table(table)?).as_ref()?;
        let items = layout.of_index(layout.index(index)?).items();
        Some(items.map(|item| item.entity.clone()).collect::<Vec<_>>())
    };
    held().is_some_and(|held| held == entities)
}

/// The edit of a projection that includes these attributes no more, as they are
/// keys now: its range and its text. `Err` where a comment would be lost.
fn projected_without(text: &str, projection: &ProjectionDef, gone: &[&str]) -> Result<Option<(TextRange, String)>, ()> {
    let (out, kept): (Vec<&Name>, Vec<&Name>) =
        projection.attributes.iter().partition(|name| gone.contains(&name.text.as_str()));
    let Some(last) = projection.attributes.last().filter(|_| !out.is_empty()) else { return Ok(None) };
    let start = projection.kind_range.start as usize;
    let close = text[last.range.end as usize..].find(')').ok_or(())?;
    let range = TextRange::new(start, last.range.end as usize + close + 1);
    if text[range.indices()].contains("//") {
        return Err(());
    }
    let kept: Vec<&str> = kept.iter().map(|name| &text[name.range.indices()]).collect();
    let new = if kept.is_empty() { "keys_only".to_owned() } else { format!("include({})", kept.join(", ")) };
    Ok(Some((range, new)))
}
