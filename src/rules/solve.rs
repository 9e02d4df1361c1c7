//! The operations that would answer a pattern which has none yet, with what has to
//! be made first.

use super::counterpart::puts;
use super::finding::{Edit, Place};
use super::fixes::{insert_after, listed, one_line};
use super::new_index::indexes;
use super::projection::include;
use crate::model::answers::{Answer, answers, is_known, tables_of};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::{find_entity, is_whole, table_def};
use crate::syntax::strings::quote_name;

/// An operation that would answer a pattern.
pub(crate) struct Solution {
    /// As it is written in the pattern, without indentation of its own.
    pub operation: String,
    /// The table that it reads or writes.
    pub table: Decl,
    /// What has to be made before it answers.
    pub first: Option<Preparation>,
}

/// What has to be made before an operation answers a pattern.
pub(crate) struct Preparation {
    /// What is made, for a menu: "Add index `OrdersByStatus`".
    pub title: String,
    /// The same for a message, up to the operation: "no key is made for it, and with a
    /// new index".
    pub advice: String,
    /// The index that is made or changed.
    pub index: Option<String>,
    pub edits: Vec<Edit>,
}

impl Solution {
    /// What it does, for a menu.
    pub fn title(&self) -> String {
        let operation = one_line(&self.operation);
        match &self.first {
            None => format!("Answer with `{operation}`"),
            Some(first) => format!("{} and answer with `{operation}`", first.title),
        }
    }

    /// The edits that make it, in the pattern of this declaration; `None` where the
    /// pattern has no requirement that it could stand behind.
    pub fn edits(&self, text: &str, pattern: Decl, def: &PatternDef) -> Option<Vec<Edit>> {
        let last = Place { decl: pattern, range: def.requirements.last()?.range };
        let own = insert_after(text, last, &self.operation);
        let first = self.first.iter().flat_map(|first| first.edits.iter().cloned());
        Some(std::iter::once(own).chain(first).collect())
    }
}

/// What would answer a pattern, the best first: for reads gets, then queries of
/// tables, then queries of indexes; where there is none, a query of an index that
/// would have to project more, that the entity would have to be in, and of a new one. For writes updates, where it says
/// of which attributes, then puts and deletes.
pub(crate) fn solutions(db: &dyn Db, root: SourceFile, pattern: &PatternDef) -> Vec<Solution> {
    let mut all = all_solutions(db, root, pattern);
    // What cannot be read in a table may be what answers.
    all.retain(|solution| is_whole(db, solution.table));
    all
}

fn all_solutions(db: &dyn Db, root: SourceFile, pattern: &PatternDef) -> Vec<Solution> {
    // One requirement is answered by one operation; how several belong together is
    // for the author to say.
    let [requirement] = pattern.requirements.as_slice() else { return Vec::new() };
    // What nothing has is a fault of its own, and no index could hold it.
    if !requirement.uses.iter().all(|one| has_all(db, root, one)) {
        return Vec::new();
    }
    if requirement.writes {
        return writes(db, root, requirement);
    }
    let (ready, lacking): (Vec<Answer<'_>>, Vec<Answer<'_>>) =
        answers(db, root, requirement).into_iter().partition(|answer| answer.lacking.is_empty());
    if !ready.is_empty() {
        return ready.into_iter().map(of_answer).collect();
    }
    let widened: Vec<Solution> = lacking.into_iter().filter_map(|answer| widened(db, answer)).collect();
    // Beside an index that only has to project more, a new one would be its double.
    if widened.is_empty() { indexes(db, root, requirement) } else { widened }
}

/// Whether an entity, or an item of it, has all the attributes and lists that are named.
fn has_all(db: &dyn Db, root: SourceFile, one: &EntityUse) -> bool {
    let Some(entity) = find_entity(db, root, &one.entity.text) else { return false };
    let tables = tables_of(db, root, &one.entity.text);
    one.attributes.iter().all(|name| {
        let mut items = tables.iter().flat_map(|layout| &layout.items).filter(|item| item.entity == one.entity.text);
        entity.attribute(&name.text).is_some()
            || items.any(|item| {
                item.keys.contains_key(&name.text)
                    || item.embeds.iter().any(|embed| embed.list.as_ref() == Some(&name.text))
            })
    })
}

fn of_answer(answer: Answer<'_>) -> Solution {
    Solution { operation: answer.operation, table: answer.source.layout.decl, first: None }
}

/// A query of an index that projects what is read once it is told to.
fn widened(db: &dyn Db, answer: Answer<'_>) -> Option<Solution> {
    let index = answer.source.index?;
    let table = table_def(db, answer.source.layout.decl)?;
    let def = table.indexes.iter().find(|def| def.name.as_ref() == Some(&index.name))?;
    let names: Vec<&str> = answer.lacking.iter().map(String::as_str).collect();
    let edit = include(answer.source.layout.decl, def.projection.as_ref()?, &names)?;
    let title = format!("Include {} in index `{}`", listed(&names), index.name.text);
    let index = index.name.text.clone();
    let advice = format!("index `{index}` lacks {}, and with that", listed(&names));
    let first = Preparation { title, advice, index: Some(index), edits: vec![edit] };
    Some(Solution { first: Some(first), ..of_answer(answer) })
}

/// What carries out a `writes`: an update of the attributes that it lists, or what puts
/// the entities, and of one entity what deletes it. What is there already is written
/// where `by` names all that its primary key is made of.
fn writes(db: &dyn Db, root: SourceFile, requirement: &RequirementDef) -> Vec<Solution> {
    // What is written by nothing is new.
    let is_new = requirement.by.is_empty();
    let mut all = Vec::new();
    if let [one] = requirement.uses.as_slice()
        && !one.attributes.is_empty()
        && !is_new
    {
        return addressed(db, root, requirement, one)
            .filter_map(|(layout, item)| update(db, root, layout, item, one))
            .collect();
    }
    let names: Vec<&str> = requirement.uses.iter().map(|one| one.entity.text.as_str()).collect();
    if let Some(puts) = puts(db, root, &names) {
        let prepared = (!puts.edits.is_empty()).then(|| Preparation {
            title: format!("Add {}", listed(&puts.guards)),
            advice: format!("with {} to guard what is unique", listed(&puts.guards)),
            index: None,
            edits: puts.edits.clone(),
        });
        all.push(Solution { operation: puts.operation(), table: puts.table, first: prepared });
    }
    if let [one] = requirement.uses.as_slice()
        && !is_new
    {
        all.extend(addressed(db, root, requirement, one).map(|(layout, _)| {
            let (entity, table) = (quote_name(&one.entity.text), quote_name(&layout.name.text));
            let operation = format!("delete {entity} from {table}");
            Solution { operation, table: layout.decl, first: None }
        }));
    }
    all
}

/// The tables that hold an entity as items of its own, each under a primary key that is
/// made of what `by` names alone.
fn addressed<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    requirement: &RequirementDef,
    one: &EntityUse,
) -> impl Iterator<Item = (&'db TableLayout, &'db ItemLayout)> {
    tables_of(db, root, &one.entity.text).into_iter().filter_map(move |layout| {
        let item = layout.items.iter().find(|item| item.entity == one.entity.text)?;
        let mut key = layout.primary_key();
        key.all(|key| item.keys.get(&key.name).is_some_and(|source| is_known(&source.value, requirement)))
            .then_some((layout, item))
    })
}

/// An update of the listed attributes, where they may be set: they are no part of the
/// primary key, and of an index key all parts are known.
fn update(db: &dyn Db, root: SourceFile, layout: &TableLayout, item: &ItemLayout, one: &EntityUse) -> Option<Solution> {
    let name = one.entity.text.as_str();
    let entity = find_entity(db, root, name)?;
    let primary = item.made_from(layout.primary_key());
    let settable = |name: &Name| {
        let attribute = entity.attribute(&name.text);
        attribute.is_some_and(|attribute| attribute.immutable.is_none() && !primary.contains(name.text.as_str()))
    };
    if !one.attributes.iter().all(settable) || !sets_whole_keys(item, &primary, &one.attributes) {
        return None;
    }
    let set: Vec<String> = one.attributes.iter().map(|name| quote_name(&name.text)).collect();
    let (entity, table) = (quote_name(name), quote_name(&layout.name.text));
    let operation = format!("update {entity} in {table} set {} if exists", set.join(", "));
    Some(Solution { operation, table: layout.decl, first: None })
}

/// Whether every key value that these attributes are in can be made of them and of
/// the primary key.
fn sets_whole_keys(item: &ItemLayout, primary: &std::collections::BTreeSet<&str>, set: &[Name]) -> bool {
    let is_set = |name: &str| set.iter().any(|set| set.text == name);
    item.keys.values().all(|key| {
        let made_of = key.value.attributes();
        !made_of.iter().any(|name| is_set(name)) || made_of.iter().all(|name| is_set(name) || primary.contains(name))
    })
}
