//! The names of a model: what is declared, and under which name.

use super::db::{Db, Decl, Presence, SourceFile};
use super::defs::*;
use super::files::FileKey;
use super::imports::{decl_kind, model_decls, model_files};
use super::lower::{decl_name, keyword_start, lowered};
use super::places::{line_at, start_of};
use crate::syntax::ChunkKind;
use std::collections::{BTreeMap, HashMap};

/// The declarations of a model by kind and name. Where a name is declared
/// twice, the first declaration is what the name means.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Names {
    pub entities: BTreeMap<String, Vec<Decl>>,
    pub tables: BTreeMap<String, Vec<Decl>>,
    pub patterns: BTreeMap<String, Vec<Decl>>,
    pub workflows: BTreeMap<String, Vec<Decl>>,
    pub applications: Vec<Decl>,
    pub relationships: Vec<Decl>,
    pub aggregates: Vec<Decl>,
}

impl Names {
    /// The declaration that an entity's name means.
    pub fn entity(&self, name: &str) -> Option<Decl> {
        first(&self.entities, name)
    }

    /// The declaration that a table's name means.
    pub fn table(&self, name: &str) -> Option<Decl> {
        first(&self.tables, name)
    }

    /// The declaration that a pattern's name means.
    pub fn pattern(&self, name: &str) -> Option<Decl> {
        first(&self.patterns, name)
    }

    /// The tables in the order of their names, each once.
    pub fn all_tables(&self) -> impl Iterator<Item = Decl> {
        self.tables.values().filter_map(|decls| decls.first().copied())
    }

    /// The same in the order of the text, file by file.
    pub fn tables_in_order(&self, db: &dyn Db, root: SourceFile) -> Vec<Decl> {
        let own = |decl: &Decl| decl_name(db, *decl).as_ref().is_some_and(|name| self.table(name) == Some(*decl));
        model_decls(db, root).iter().copied().filter(|d| decl_kind(db, *d) == ChunkKind::Table && own(d)).collect()
    }

    /// Every pattern in the order of the names, repeated names included.
    pub fn all_patterns(&self) -> impl Iterator<Item = Decl> {
        self.patterns.values().flatten().copied()
    }
}

fn first(map: &BTreeMap<String, Vec<Decl>>, name: &str) -> Option<Decl> {
    map.get(name).and_then(|decls| decls.first().copied())
}

/// The names of the model with this root.
#[salsa::tracked(returns(ref))]
pub fn names(db: &dyn Db, root: SourceFile) -> Names {
    let mut names = Names::default();
    for decl in model_decls(db, root) {
        let named = match decl_kind(db, *decl) {
            ChunkKind::Application => {
                names.applications.push(*decl);
                continue;
            }
            ChunkKind::Relationship => {
                names.relationships.push(*decl);
                continue;
            }
            ChunkKind::Aggregate => {
                names.aggregates.push(*decl);
                continue;
            }
            ChunkKind::Entity => &mut names.entities,
            ChunkKind::Table => &mut names.tables,
            ChunkKind::Pattern => &mut names.patterns,
            ChunkKind::Workflow => &mut names.workflows,
            ChunkKind::Import | ChunkKind::Allow | ChunkKind::Consideration | ChunkKind::Tradeoff | ChunkKind::Junk => {
                continue;
            }
        };
        if let Some(name) = decl_name(db, *decl) {
            named.entry(name.clone()).or_default().push(*decl);
        }
    }
    names
}

/// The school of design that the model follows (its own, else
/// that of its settings, else `aggregate`).
#[salsa::tracked(returns(copy))]
pub fn style(db: &dyn Db, root: SourceFile) -> Style {
    let own = application(db, root).and_then(|application| application.style);
    own.or_else(|| super::settings::set_style(db, root)).unwrap_or_default()
}

/// The model's application.
pub fn application(db: &dyn Db, root: SourceFile) -> Option<&ApplicationDef> {
    let decl = names(db, root).applications.first()?;
    match &lowered(db, *decl).def {
        Def::Application(application) => Some(application),
        _ => None,
    }
}

/// The entity of a declaration.
pub fn entity_def(db: &dyn Db, decl: Decl) -> Option<&EntityDef> {
    match &lowered(db, decl).def {
        Def::Entity(entity) => Some(entity),
        _ => None,
    }
}

/// The entity with this name.
pub fn find_entity<'db>(db: &'db dyn Db, root: SourceFile, name: &str) -> Option<&'db EntityDef> {
    entity_def(db, names(db, root).entity(name)?)
}

/// The table of a declaration.
pub fn table_def(db: &dyn Db, decl: Decl) -> Option<&TableDef> {
    match &lowered(db, decl).def {
        Def::Table(table) => Some(table),
        _ => None,
    }
}

/// The pattern of a declaration.
pub fn pattern_def(db: &dyn Db, decl: Decl) -> Option<&PatternDef> {
    match &lowered(db, decl).def {
        Def::Pattern(pattern) => Some(pattern),
        _ => None,
    }
}

/// Whether a declaration was read without a syntax error.
#[salsa::tracked(returns(copy))]
pub fn is_whole(db: &dyn Db, decl: Decl) -> bool {
    decl.chunk(db).is_whole()
}

/// What of a model was not read, since it does not parse: each file and the line, from
/// one.
#[salsa::tracked(returns(ref))]
pub fn unparsed(db: &dyn Db, root: SourceFile) -> Vec<(FileKey, u32)> {
    let mut places = Vec::new();
    for file in model_files(db, root) {
        if file.presence(db) != Presence::Text {
            places.push((file.key(db).clone(), 1));
        }
        for decl in file.decls(db).iter().filter(|decl| !is_whole(db, **decl)) {
            let start = start_of(db, *decl).unwrap_or_default() as usize;
            let inside = keyword_start(&decl.chunk(db).text);
            places.push((file.key(db).clone(), line_at(db, *file, start + inside)));
        }
    }
    places
}

/// The relationships of a model, with their declarations.
pub fn relationships(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = (Decl, &RelationshipDef)> {
    names(db, root).relationships.iter().filter_map(move |decl| match &lowered(db, *decl).def {
        Def::Relationship(relationship) => Some((*decl, relationship)),
        _ => None,
    })
}

/// The relationships that name an entity, as an end or as the edge, with their
/// declarations.
pub fn relationships_of<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    entity: &str,
) -> impl Iterator<Item = (Decl, &'db RelationshipDef)> {
    let own = relationships_by_entity(db, root).get(entity).map(Vec::as_slice).unwrap_or_default();
    own.iter().filter_map(move |decl| match &lowered(db, *decl).def {
        Def::Relationship(relationship) => Some((*decl, relationship)),
        _ => None,
    })
}

/// The relationships by the entities that they name: whoever asks for those of each
/// entity would look through all of them as often as there are entities.
#[salsa::tracked(returns(ref))]
fn relationships_by_entity(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Decl>> {
    let mut all: HashMap<String, Vec<Decl>> = HashMap::new();
    for (decl, def) in relationships(db, root) {
        for name in [&def.left, &def.right, &def.through].into_iter().flatten() {
            let own = all.entry(name.text.clone()).or_default();
            if own.last() != Some(&decl) {
                own.push(decl);
            }
        }
    }
    all
}
