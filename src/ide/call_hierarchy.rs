//! Who uses what: workflows, their patterns, and the tables and indexes behind them.

use super::diagnostics::absolute;
use super::implementation::target;
use super::lookup::{location, meanings, models};
use super::{Analysis, Answer, Location, SymbolKind};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileKey;
use crate::model::imports::{decl_kind, model_decls};
use crate::model::lower::{decl_name, lowered};
use crate::model::names::{names, table_def};
use crate::model::refs::{Declared, What};
use crate::model::resolve::{patterns_of_table, steps};
use crate::rules::finding::Place;
use crate::syntax::{ChunkKind, TextRange};

/// A workflow, pattern, table or index, as one that uses or is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    pub id: CallId,
    /// The name as it is declared.
    pub name: String,
    /// What it is, and of an index its table.
    pub detail: String,
    pub place: Location,
}

/// What an item is found again by, whatever was edited above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallId {
    pub kind: SymbolKind,
    /// The name of the declaration: of an index, its table's.
    pub name: String,
    /// The name of the index.
    pub index: Option<String>,
    /// Which of the indexes of that name in its table, from 0.
    pub nth_index: usize,
    /// Which of the declarations of that kind and name in its file, from 0.
    pub nth: usize,
}

/// A use: what is at its other end, and the places that say so, in bytes of the
/// file of whoever uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub item: CallItem,
    pub ranges: Vec<TextRange>,
}

impl Analysis {
    /// The workflow, pattern, table or index that the place names.
    pub fn prepare_calls(&self, file: &FileKey, offset: usize) -> Answer<Vec<CallItem>> {
        self.ask(file, |db, file| {
            meanings(db, file, offset).into_iter().filter_map(|declared| item(db, declared)).collect()
        })
    }

    /// Who uses an item of a file, by file and place: workflows a pattern, patterns
    /// a table or an index. None where the item is gone.
    pub fn incoming_calls(&self, file: &FileKey, id: &CallId) -> Answer<Vec<Call>> {
        self.ask(file, |db, file| {
            let Some(used) = find(db, file, id) else { return Vec::new() };
            let mut calls = Vec::new();
            for root in models(db, file) {
                for user in users(db, root, used) {
                    let uses = uses(db, root, user).into_iter().filter(|(target, _)| *target == used);
                    uses.for_each(|(_, at)| add(&mut calls, user, place_of(db, user, at)));
                }
            }
            let mut calls = finish(db, calls);
            calls.sort_by(|a, b| {
                let place = |call: &Call| call.item.place.selection;
                a.item.place.file.cmp(&b.item.place.file).then_with(|| place(a).cmp(&place(b)))
            });
            calls
        })
    }

    /// What an item of a file uses, in the order of its text. None where the item is
    /// gone.
    pub fn outgoing_calls(&self, file: &FileKey, id: &CallId) -> Answer<Vec<Call>> {
        self.ask(file, |db, file| {
            let Some(user) = find(db, file, id) else { return Vec::new() };
            let mut calls = Vec::new();
            for root in models(db, file) {
                for (used, at) in uses(db, root, user) {
                    add(&mut calls, used, place_of(db, user, at));
                }
            }
            let mut calls = finish(db, calls);
            calls.sort_by_key(|call| call.ranges.first().copied());
            calls
        })
    }
}

/// What is at the other end of uses, with their places.
type Found = Vec<(Declared, Vec<TextRange>)>;

fn add(calls: &mut Found, item: Declared, at: Option<TextRange>) {
    let Some(at) = at else { return };
    match calls.iter_mut().find(|(known, _)| *known == item) {
        Some((_, ranges)) => ranges.push(at),
        None => calls.push((item, vec![at])),
    }
}

fn place_of(db: &dyn Db, user: Declared, at: TextRange) -> Option<TextRange> {
    absolute(db, Place { decl: user.decl, range: at }).map(|(_, range)| range)
}

fn finish(db: &dyn Db, calls: Found) -> Vec<Call> {
    let call = |(declared, mut ranges): (Declared, Vec<TextRange>)| {
        ranges.sort();
        ranges.dedup();
        Some(Call { item: item(db, declared)?, ranges })
    };
    calls.into_iter().filter_map(call).collect()
}

/// The item of something that is declared; `None` of what neither uses nor is used.
fn item(db: &dyn Db, declared: Declared) -> Option<CallItem> {
    let own = lowered(db, declared.decl).name.as_ref()?.text.clone();
    let table = table_def(db, declared.decl);
    let mut nth_index = 0;
    let (kind, detail, index) = match declared.what {
        What::Workflow => (SymbolKind::Workflow, "workflow".to_owned(), None),
        What::Pattern => (SymbolKind::Pattern, "pattern".to_owned(), None),
        What::Table => (SymbolKind::Table, "table".to_owned(), None),
        What::Index => {
            let index = table?.indexes.iter().find(|index| is_at(index, declared.range))?;
            nth_index =
                indexes_called(table?, &index.name.as_ref()?.text).position(|name| name.range == declared.range)?;
            (SymbolKind::Index, format!("{} of {own}", index.kind.short()), index.name.as_ref().map(|n| n.text.clone()))
        }
        _ => return None,
    };
    let name = index.clone().unwrap_or_else(|| own.clone());
    let nth = namesakes(db, declared.decl.file(db), declaration_kind(kind)?, &own).position(|d| d == declared.decl)?;
    Some(CallItem {
        id: CallId { kind, name: own, index, nth_index, nth },
        name,
        detail,
        place: location(db, declared)?,
    })
}

fn is_at(index: &IndexDef, range: TextRange) -> bool {
    index.name.as_ref().is_some_and(|name| name.range == range)
}

/// The names of the indexes of a table that are called so.
fn indexes_called<'t>(table: &'t TableDef, wanted: &str) -> impl Iterator<Item = &'t Name> {
    table.indexes.iter().filter_map(|index| index.name.as_ref()).filter(move |name| name.text == wanted)
}

/// The declaration that holds an item of this kind.
fn declaration_kind(kind: SymbolKind) -> Option<ChunkKind> {
    match kind {
        SymbolKind::Workflow => Some(ChunkKind::Workflow),
        SymbolKind::Pattern => Some(ChunkKind::Pattern),
        SymbolKind::Table | SymbolKind::Index => Some(ChunkKind::Table),
        _ => None,
    }
}

/// The declarations of a kind and name in a file.
fn namesakes<'d>(db: &'d dyn Db, file: SourceFile, kind: ChunkKind, name: &'d str) -> impl Iterator<Item = Decl> + 'd {
    let is_one = move |decl: &Decl| decl_kind(db, *decl) == kind && decl_name(db, *decl).as_deref() == Some(name);
    file.decls(db).iter().copied().filter(is_one)
}

fn find(db: &dyn Db, file: SourceFile, id: &CallId) -> Option<Declared> {
    let decl = namesakes(db, file, declaration_kind(id.kind)?, &id.name).nth(id.nth)?;
    match id.kind {
        SymbolKind::Index => {
            let wanted = id.index.as_deref()?;
            let name = indexes_called(table_def(db, decl)?, wanted).nth(id.nth_index)?;
            Some(Declared { decl, range: name.range, what: What::Index })
        }
        kind => named(db, decl, kind),
    }
}

fn named(db: &dyn Db, decl: Decl, kind: SymbolKind) -> Option<Declared> {
    let what = match kind {
        SymbolKind::Workflow => What::Workflow,
        SymbolKind::Pattern => What::Pattern,
        SymbolKind::Table => What::Table,
        _ => return None,
    };
    Some(Declared { decl, range: lowered(db, decl).name.as_ref()?.range, what })
}

/// Who may use something in a model.
fn users(db: &dyn Db, root: SourceFile, used: Declared) -> Vec<Declared> {
    match used.what {
        What::Pattern => {
            let workflows = model_decls(db, root).iter().filter(|decl| decl_kind(db, **decl) == ChunkKind::Workflow);
            workflows.filter_map(|decl| named(db, *decl, SymbolKind::Workflow)).collect()
        }
        What::Table | What::Index => {
            let patterns = patterns_of_table(db, root, used.decl).iter();
            patterns.filter_map(|decl| named(db, *decl, SymbolKind::Pattern)).collect()
        }
        _ => Vec::new(),
    }
}

/// What a workflow or pattern uses in a model, and where it says so, relative to its
/// declaration.
fn uses(db: &dyn Db, root: SourceFile, user: Declared) -> Vec<(Declared, TextRange)> {
    match &lowered(db, user.decl).def {
        Def::Workflow(workflow) => {
            let pattern = |name: &Name| named(db, names(db, root).pattern(&name.text)?, SymbolKind::Pattern);
            workflow.patterns.iter().filter_map(|name| Some((pattern(name)?, name.range))).collect()
        }
        Def::Pattern(_) => {
            let steps = steps(db, root, user.decl);
            steps.filter_map(|step| Some((target(db, &step)?, written(&step.step.op)?))).collect()
        }
        _ => Vec::new(),
    }
}

/// Where a step says what it touches.
fn written(op: &OpDef) -> Option<TextRange> {
    let table = op.table()?.range;
    Some(op.index().map_or(table, |index| table.cover(index.range)))
}
