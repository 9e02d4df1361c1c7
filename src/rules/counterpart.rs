//! The pattern that an entity lacks: one that writes what is only read, and one that
//! reads what is only written, to be filled in.

use super::finding::Edit;
use super::fixes::{free_name, pascal};
use super::guard::{Guard, Guarded, guards};
use crate::model::answers::tables_of;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::imports::{decl_kind, model_decls};
use crate::model::layout::TableLayout;
use crate::model::names::{entity_def, names};
use crate::model::resolve::patterns_of_entity;
use crate::model::unique::unique_values;
use crate::syntax::ChunkKind;
use crate::syntax::strings::quote_name;

/// A pattern to fill in: its rate is for the author to say.
pub(crate) struct Counterpart {
    pub name: String,
    pub edits: Vec<Edit>,
}

/// What puts items of entities, together with what keeps their values unique.
pub(crate) struct Puts {
    /// The steps, one a table and guard.
    pub steps: Vec<String>,
    /// The first table that is written.
    pub table: Decl,
    /// The guards that there are not yet, and the edits that make them.
    pub guards: Vec<String>,
    pub edits: Vec<Edit>,
}

impl Puts {
    /// The operation: the step, or a transaction of several.
    pub fn operation(&self) -> String {
        match self.steps.as_slice() {
            [only] => only.clone(),
            steps => {
                let lines: String = steps.iter().map(|step| format!("  {step}\n")).collect();
                format!("transact write {{\n{lines}}}")
            }
        }
    }
}

/// A pattern that writes an entity, in every table that holds it; `None` where none
/// does.
pub(crate) fn write_pattern(db: &dyn Db, root: SourceFile, entity: &str) -> Option<Counterpart> {
    let puts = puts(db, root, &[entity])?;
    let mut made = pattern(db, root, entity, "Create", &puts.operation(), puts.table);
    made.edits.extend(puts.edits);
    Some(made)
}

/// A pattern that reads one item of an entity; `None` where no table holds it.
pub(crate) fn read_pattern(db: &dyn Db, root: SourceFile, entity: &str) -> Option<Counterpart> {
    let table = holders(db, root, entity).into_iter().next()?;
    let operation = format!("get {} from {}", quote_name(entity), quote_name(&table.name.text));
    Some(pattern(db, root, entity, "Get", &operation, table.decl))
}

/// What puts items of these entities; `None` where no table holds one of them.
pub(crate) fn puts(db: &dyn Db, root: SourceFile, entities: &[&str]) -> Option<Puts> {
    let mut steps: Vec<String> = Vec::new();
    let mut edits = Vec::new();
    let mut new = Vec::new();
    let mut first: Option<Decl> = None;
    for entity in entities {
        let tables = holders(db, root, entity);
        first = first.or(Some(tables.first()?.decl));
        for table in &tables {
            let own = table.items.iter().any(|item| item.entity == **entity);
            // Of what is embedded the item is there before.
            let condition = if own { " if not_exists" } else { "" };
            steps.push(format!("put {} into {}{condition}", quote_name(entity), quote_name(&table.name.text)));
        }
        let (made, guards) = unguarded(db, root, entity, tables.first()?)?;
        // Guards that there are already need no edit.
        new.extend(guards.iter().filter(|_| !made.is_empty()).map(|guard| guard.entity.clone()));
        steps.extend(guards.iter().map(Guard::put));
        edits.extend(made);
    }
    let mut seen = std::collections::BTreeSet::new();
    steps.retain(|step| seen.insert(step.clone()));
    Some(Puts { steps, table: first?, guards: new, edits })
}

/// The guards of the entity's unique values that are not the key of its items, with
/// the edits that make those that there are not.
fn unguarded(db: &dyn Db, root: SourceFile, name: &str, layout: &TableLayout) -> Option<(Vec<Edit>, Vec<Guard>)> {
    let decl = names(db, root).entity(name)?;
    let entity = entity_def(db, decl)?;
    let item = layout.item_of(name)?;
    let open: Vec<_> = unique_values(name, entity).filter(|value| !value.is_own_key(layout, item)).collect();
    if open.is_empty() {
        return Some((Vec::new(), Vec::new()));
    }
    guards(&Guarded { db, root, name, entity, decl, layout }, &open)
}

/// The tables that hold an entity as items of its own, in the order of the text;
/// where none does, the first that embeds it.
pub(crate) fn holders<'db>(db: &'db dyn Db, root: SourceFile, entity: &str) -> Vec<&'db TableLayout> {
    let layouts = tables_of(db, root, entity);
    let own = |layout: &&&TableLayout| layout.items.iter().any(|item| item.entity == entity);
    let holding: Vec<&TableLayout> = layouts.iter().filter(own).copied().collect();
    if holding.is_empty() {
        return layouts.into_iter().take(1).collect();
    }
    holding
}

/// A pattern with this operation, behind the last one that is about the entity.
fn pattern(db: &dyn Db, root: SourceFile, entity: &str, verb: &str, operation: &str, table: Decl) -> Counterpart {
    let name = free_name(&format!("{verb}{}", pascal(entity)), |name| names(db, root).pattern(name).is_some());
    let about = patterns_of_entity(db, root, entity);
    let patterns = || model_decls(db, root).iter().copied().filter(|d| decl_kind(db, *d) == ChunkKind::Pattern);
    let behind = patterns().filter(|decl| about.contains(decl)).last().or_else(|| patterns().last()).unwrap_or(table);
    let lines: String = operation.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("pattern {} {{\n{lines}}}", quote_name(&name));
    Counterpart { name, edits: vec![Edit::DeclarationAfter { decl: behind, text }] }
}
