//! Model and findings in, the two documents of a design review out. A document
//! is a view, filled from the model, and a template that puts it into words.
//!
//! Whatever the model does not say is said to be missing or left out; nothing
//! is assumed, and nothing is called solved that was not looked at.

mod asked;
mod bounds;
mod checklist;
mod cloudformation;
mod data_model;
mod decisions;
mod diagrams;
mod each;
mod figures;
mod findings;
mod first_page;
mod heat;
mod hundred;
pub mod keep;
mod links;
mod lost;
mod markdown;
mod most_actions;
mod numbers;
mod origin;
mod outline;
mod pairs;
mod parts;
mod patterns;
mod requests;
mod requirement;
mod spell;
mod steps;
mod written;

use crate::model::db::{Db, SourceFile};
use crate::model::files::FileKey;
use outline::Outline;

pub use origin::{Owner, former_name, is_former, origin};
pub use parts::Part;

/// One of the two documents that design reviews ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    Requirement,
    DataModel,
}

impl DocumentKind {
    /// The name of the file: `dynamodb_requirement.md`.
    pub fn file_name(self) -> &'static str {
        match self {
            DocumentKind::Requirement => "dynamodb_requirement.md",
            DocumentKind::DataModel => "dynamodb_data_model.md",
        }
    }
}

/// Which document a file of this name is: `shop.dynamodb_data_model.md` is one of a
/// folder with several models. `None` for all other files.
pub fn kind_of_name(name: &str) -> Option<DocumentKind> {
    [DocumentKind::Requirement, DocumentKind::DataModel].into_iter().find(|kind| {
        let stem = name.strip_suffix(kind.file_name());
        stem.is_some_and(|stem| stem.is_empty() || stem.ends_with('.'))
    })
}

/// The name of a document of the model whose root file has this stem. Where a
/// folder holds several models, the stem keeps their documents apart.
pub fn file_name(kind: DocumentKind, stem: &str, several: bool) -> String {
    if several { format!("{stem}.{}", kind.file_name()) } else { kind.file_name().to_owned() }
}

/// The parts of a document of the model with this root, in order. The same model
/// gives the same bytes. Links lead from a document beside the root.
pub fn parts(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> Vec<Part> {
    parts_at(db, root, kind, root.key(db))
}

/// The same for a document that is written elsewhere: what `at` names is the
/// document, or any other file of its folder.
pub fn parts_at(db: &dyn Db, root: SourceFile, kind: DocumentKind, at: &FileKey) -> Vec<Part> {
    let outline = Outline::new(db, root, at);
    match kind {
        DocumentKind::Requirement => requirement::parts(&outline),
        DocumentKind::DataModel => data_model::parts(&outline),
    }
}

/// A document as it is made where there is none: Markdown with `\n` at the end
/// of each line, each part between its marks.
pub fn document(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> String {
    keep::fresh(&parts(db, root, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_several_models_in_a_folder_have_names_of_their_own() {
        assert_eq!(file_name(DocumentKind::Requirement, "shop", false), "dynamodb_requirement.md");
        assert_eq!(file_name(DocumentKind::DataModel, "shop", true), "shop.dynamodb_data_model.md");
    }

    #[test]
    fn documents_are_known_by_their_names() {
        for (name, kind) in [
            ("dynamodb_requirement.md", Some(DocumentKind::Requirement)),
            ("a.b.dynamodb_data_model.md", Some(DocumentKind::DataModel)),
            ("my_dynamodb_data_model.md", None),
            ("dynamodb_requirement.2.md", None),
            ("dynamodb_requirement.md.orig", None),
        ] {
            assert_eq!(kind_of_name(name), kind, "{name}");
        }
    }
}
