//! What answers a pattern: the tables and indexes of its operations. And where the
//! items of an entity are kept.

use super::lookup::{in_order, readings, stretch};
use super::{Analysis, Answer, Location, lookup};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileKey;
use crate::model::layout::placements;
use crate::model::lower::{decl_name, lowered};
use crate::model::names::{names, table_def};
use crate::model::refs::{Declared, What};
use crate::model::resolve::{Step, steps};

impl Analysis {
    /// What the name at the place comes to in the tables: of a pattern the tables
    /// and indexes of its operations, of a workflow those of its patterns, of an
    /// entity its places in tables.
    pub fn implementation(&self, file: &FileKey, offset: usize) -> Answer<Vec<Location>> {
        self.ask(file, |db, file| {
            let mut found = Vec::new();
            for reading in readings(db, file, offset) {
                for declared in &reading.occurrence.declared {
                    match declared.what {
                        What::Pattern => found.extend(answers(db, reading.root, declared.decl)),
                        What::Workflow => found.extend(answers_of_workflow(db, reading.root, declared.decl)),
                        What::Entity => found.extend(items(db, reading.root, declared.decl)),
                        _ => {}
                    }
                }
            }
            in_order(found)
        })
    }
}

fn answers(db: &dyn Db, root: SourceFile, pattern: Decl) -> Vec<Location> {
    let targets = steps(db, root, pattern).filter_map(|step| target(db, &step));
    targets.filter_map(|declared| lookup::location(db, declared)).collect()
}

fn answers_of_workflow(db: &dyn Db, root: SourceFile, workflow: Decl) -> Vec<Location> {
    let Def::Workflow(workflow) = &lowered(db, workflow).def else { return Vec::new() };
    let patterns = workflow.patterns.iter().filter_map(|name| names(db, root).pattern(&name.text));
    patterns.flat_map(|pattern| answers(db, root, pattern)).collect()
}

/// What a step touches: the index that it names, else its table. Of an index that
/// there is not, the table is known all the same.
pub(super) fn target(db: &dyn Db, step: &Step<'_>) -> Option<Declared> {
    let decl = step.resolved.table?;
    let named =
        |name: &str| table_def(db, decl)?.indexes.iter().filter_map(|i| i.name.as_ref()).find(|n| n.text == name);
    match step.resolved.index.as_deref().and_then(named) {
        Some(name) => Some(Declared { decl, range: name.range, what: What::Index }),
        None => Some(Declared { decl, range: lowered(db, decl).name.as_ref()?.range, what: What::Table }),
    }
}

/// The places of an entity in the tables of a model, embedded ones included.
fn items(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Location> {
    let Some(name) = decl_name(db, entity) else { return Vec::new() };
    if names(db, root).entity(name) != Some(entity) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for table in placements(db, root).get(name).into_iter().flatten() {
        for item in table_def(db, *table).into_iter().flat_map(|table| &table.items) {
            let own = item.entity.iter().map(|name| (name, item.range));
            let embedded = item.embeds.iter().map(|embed| (&embed.entity, embed.range));
            let places = own.chain(embedded).filter(|(entity, _)| entity.text == *name);
            found.extend(places.filter_map(|(entity, whole)| stretch(db, *table, whole, entity.range)));
        }
    }
    found
}
