//! The declarations of a model in the order of its text, as the documents go
//! through them.

use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::files::FileKey;
use crate::model::imports::{model_decls, model_files};
use crate::model::lower::lowered;
use crate::model::pairs::unordered;
use std::collections::BTreeSet;
use std::ops::Deref;

use super::markdown::{code, inline};

/// A declaration with its name and its doc comment.
pub(super) struct Entry<'db, D> {
    pub decl: Decl,
    pub name: Option<&'db str>,
    pub doc: Option<&'db str>,
    pub def: &'db D,
}

/// A declaration that is known by what it relates, not by a name of its own.
pub(super) struct Declared<'db, D> {
    pub decl: Decl,
    pub def: &'db D,
}

impl<D> Deref for Declared<'_, D> {
    type Target = D;

    fn deref(&self) -> &D {
        self.def
    }
}

/// What tells two relationships of the same entities apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark<'r> {
    /// The attribute that holds the parent's id.
    By(&'r str),
    /// The entity that is the edge.
    Through(&'r str),
}

/// What a model declares. A name that is declared twice stands here once, with
/// the first declaration, which is what the name means everywhere else; the
/// second one is a finding.
pub(super) struct Outline<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
    /// Where the document stands: links are relative to it.
    pub at: FileKey,
    pub application: Option<Entry<'db, ApplicationDef>>,
    pub entities: Vec<Entry<'db, EntityDef>>,
    pub relationships: Vec<Declared<'db, RelationshipDef>>,
    pub aggregates: Vec<Declared<'db, AggregateDef>>,
    pub tables: Vec<Entry<'db, TableDef>>,
    pub patterns: Vec<Entry<'db, PatternDef>>,
    pub workflows: Vec<Entry<'db, WorkflowDef>>,
    pub considerations: Vec<&'db str>,
    pub tradeoffs: Vec<(&'db str, Option<&'db str>)>,
    /// Every `allow`, with the declaration that it stands in.
    pub allows: Vec<(Decl, &'db AllowUse)>,
    /// The model has several files.
    pub imports: bool,
}

impl<'db> Outline<'db> {
    /// What the model with this root declares, for a document that stands there.
    pub fn new(db: &'db dyn Db, root: SourceFile, at: &FileKey) -> Self {
        let mut outline = Self {
            db,
            root,
            at: at.clone(),
            application: None,
            entities: Vec::new(),
            relationships: Vec::new(),
            aggregates: Vec::new(),
            tables: Vec::new(),
            patterns: Vec::new(),
            workflows: Vec::new(),
            considerations: Vec::new(),
            tradeoffs: Vec::new(),
            allows: Vec::new(),
            imports: model_files(db, root).len() > 1,
        };
        let mut seen = BTreeSet::new();
        for decl in model_decls(db, root) {
            outline.add(*decl, &mut seen);
        }
        outline
    }

    fn add(&mut self, decl: Decl, seen: &mut BTreeSet<(&'static str, &'db str)>) {
        let lowered = lowered(self.db, decl);
        self.allows.extend(lowered.facts.allows.iter().map(|allow| (decl, allow)));
        let name = lowered.name.as_ref().map(|name| name.text.as_str());
        let doc = lowered.doc.as_deref().filter(|doc| !doc.trim().is_empty());
        // Declarations without a name yet are no repeats of each other.
        let mut first = |kind| name.is_none_or(|name| seen.insert((kind, name)));
        match &lowered.def {
            Def::Application(def) if self.application.is_none() => {
                self.application = Some(Entry { decl, name, doc, def });
            }
            Def::Entity(def) if first("entity") => self.entities.push(Entry { decl, name, doc, def }),
            Def::Table(def) if first("table") => self.tables.push(Entry { decl, name, doc, def }),
            Def::Pattern(def) if first("pattern") => self.patterns.push(Entry { decl, name, doc, def }),
            Def::Workflow(def) if first("workflow") => self.workflows.push(Entry { decl, name, doc, def }),
            Def::Relationship(def) => self.relationships.push(Declared { decl, def }),
            Def::Aggregate(def) => self.aggregates.push(Declared { decl, def }),
            Def::Consideration(text) => self.considerations.extend(text.as_ref().and_then(said)),
            Def::Tradeoff { text: Some(text), because } => {
                self.tradeoffs.extend(said(text).map(|text| (text, because.as_ref().and_then(said))));
            }
            _ => {}
        }
    }

    /// A declaration in words: `pattern AddComment`, with its file where the
    /// model has several.
    pub fn label(&self, decl: Decl) -> String {
        let kind = decl.chunk(self.db).kind.keyword().unwrap_or("text");
        let lowered = lowered(self.db, decl);
        let name = match &lowered.def {
            Def::Relationship(relationship) => Some(self.told(relationship)),
            Def::Aggregate(aggregate) => Some(names(&aggregate.entities)),
            _ => lowered.name.as_ref().map(|name| inline(&name.text)),
        };
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        match self.imports {
            true => format!("{kind}{name} in {}", self.file(decl.file(self.db))),
            false => format!("{kind}{name}"),
        }
    }

    /// A relationship by its ends: `User 1:N Order`, and, where others are of the same
    /// two entities, by what tells it from them: ``Singer 1:N Casting by `understudy` ``.
    pub fn told(&self, relationship: &RelationshipDef) -> String {
        match self.mark(relationship) {
            Some(Mark::By(name)) => format!("{} by {}", pair(relationship), code(name)),
            Some(Mark::Through(name)) => format!("{} through {}", pair(relationship), inline(name)),
            None => pair(relationship),
        }
    }

    /// What tells a relationship from others of the same two entities; `None` where there
    /// are none, or where it says nothing more than they do.
    pub fn mark<'r>(&self, relationship: &'r RelationshipDef) -> Option<Mark<'r>> {
        let ends = |relationship: &RelationshipDef| {
            let (left, right) = (relationship.left.as_ref()?, relationship.right.as_ref()?);
            Some(unordered(&left.text, &right.text))
        };
        let own = ends(relationship)?;
        let same = self.relationships.iter().filter(|other| ends(other).as_ref() == Some(&own));
        if same.count() < 2 {
            return None;
        }
        let by = relationship.by.as_ref().map(|by| Mark::By(&by.text));
        by.or_else(|| relationship.through.as_ref().map(|through| Mark::Through(&through.text)))
    }

    /// The name of a file. Folders are left out: the document must not depend on
    /// where a model is checked out.
    pub fn file(&self, file: SourceFile) -> String {
        code(file.key(self.db).file_name())
    }
}

/// What a string says, unless it says nothing: a string that is still empty is
/// as good as missing.
pub(super) fn said(text: &Text) -> Option<&str> {
    Some(text.value.as_str()).filter(|text| text.chars().any(|c| !c.is_whitespace() && !c.is_control()))
}

/// A name as it is shown, or that there is none yet.
pub(super) fn shown(name: Option<&str>) -> String {
    name.map_or_else(|| String::from("(no name yet)"), inline)
}

/// Names in a row.
pub(super) fn names(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(|name| inline(&name.text)).collect();
    names.join(", ")
}

/// `User 1:N Order`; what is not typed yet shows as `?`.
pub(super) fn pair(relationship: &RelationshipDef) -> String {
    let side = |name: &Option<Name>| name.as_ref().map_or_else(|| String::from("?"), |name| inline(&name.text));
    let cardinality = relationship.cardinality.map_or("?", Cardinality::written);
    format!("{} {cardinality} {}", side(&relationship.left), side(&relationship.right))
}
