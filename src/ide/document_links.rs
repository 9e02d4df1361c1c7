//! What can be opened from a file: imports, and the documents that it generates.

use super::diagnostics::absolute;
use super::documents::place;
use super::{Analysis, Answer, DocumentKind};
use crate::model::db::{Db, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports::{imports, models_of};
use crate::model::lower::{keyword_start, lowered};
use crate::rules::finding::Place;
use crate::syntax::{ChunkKind, TextRange};

/// A text that leads to another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// In bytes of the file.
    pub range: TextRange,
    pub file: FileKey,
    pub target: LinkTarget,
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A file of the model, which is there.
    Import,
    /// A document of the model: whether it was ever made is not known here.
    Document(DocumentKind),
}

impl Analysis {
    /// The links of a file, in the order of the text: the paths of its imports, as far
    /// as there is such a file; the word `application` to the data model, and the
    /// application's name to the requirement.
    pub fn document_links(&self, file: &FileKey) -> Answer<Vec<DocumentLink>> {
        self.ask(file, |db, file| {
            let mut links: Vec<DocumentLink> = import_links(db, file).chain(application_links(db, file)).collect();
            links.sort_by_key(|link| link.range);
            links
        })
    }
}

fn import_links(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = DocumentLink> + '_ {
    let known = Workspace::get(db).files(db);
    let is_there =
        |key: &FileKey| known.get(key).is_some_and(|file| !matches!(file.content(db), FileContent::Absent(_)));
    imports(db, file).iter().filter_map(move |import| {
        let key = import.key.clone().filter(|key| is_there(key))?;
        let path = import.path.as_ref()?.range;
        // The quotes are no part of the path.
        let inside = TextRange::new(path.start as usize + 1, (path.end as usize).saturating_sub(1));
        let (_, range) = absolute(db, Place { decl: import.decl, range: inside })?;
        Some(DocumentLink { range, file: key, target: LinkTarget::Import })
    })
}

/// A document is one model's: of a file that several models share, the first's.
fn application_links(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = DocumentLink> + '_ {
    let root = models_of(db, file).first().copied().filter(|root| root.key(db).is_path());
    let applications = file.decls(db).iter().zip(file.starts(db));
    let applications = applications.filter(|(decl, _)| decl.chunk(db).kind == ChunkKind::Application);
    applications.flat_map(move |(decl, start)| {
        let link = |range: TextRange, kind: DocumentKind| {
            let file = place(db, root?, kind);
            Some(DocumentLink { range: range.shifted(*start), file, target: LinkTarget::Document(kind) })
        };
        let own = lowered(db, *decl);
        let keyword = keyword_start(&decl.chunk(db).text);
        let keyword = TextRange::new(keyword, keyword + "application".len());
        let name = own.name.as_ref().map(|name| name.range);
        let links =
            [link(keyword, DocumentKind::DataModel), name.and_then(|name| link(name, DocumentKind::Requirement))];
        links.into_iter().flatten()
    })
}
