//! Model and findings in, the two documents of a design review out. A document
//! is a view, filled from the model, and a template that puts it into words.
//!
//! Whatever the model does not say is said to be missing or left out; nothing
//! is assumed, and nothing is called solved that was not looked at.

mod attributes;
mod data_model;
mod findings;
mod markdown;
mod numbers;
mod outline;
mod patterns;
mod requirement;
mod spell;
mod steps;
mod tables;

use crate::model::db::{Db, SourceFile};

pub use data_model::data_model;
pub use requirement::requirement;

/// One of the two documents that design reviews ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The name of a document of the model whose root file has this stem. Where a
/// folder holds several models, the stem keeps their documents apart.
pub fn file_name(kind: DocumentKind, stem: &str, several: bool) -> String {
    if several { format!("{stem}.{}", kind.file_name()) } else { kind.file_name().to_owned() }
}

/// A document of the model with this root: Markdown with `\n` at the end of
/// each line. The same model gives the same bytes.
pub fn document(db: &dyn Db, root: SourceFile, kind: DocumentKind) -> String {
    match kind {
        DocumentKind::Requirement => requirement(db, root),
        DocumentKind::DataModel => data_model(db, root),
    }
}

/// Renders a view. The templates end where their last block does; the final
/// newline is set here, so that there is exactly one. Blanks that a text without
/// content leaves at the end of a line go.
fn render(view: &impl askama::Template) -> String {
    let rendered = view.render().expect("writing strings and numbers into a string does not fail");
    let mut text = String::with_capacity(rendered.len());
    for line in rendered.trim_end().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_several_models_in_a_folder_have_names_of_their_own() {
        assert_eq!(file_name(DocumentKind::Requirement, "shop", false), "dynamodb_requirement.md");
        assert_eq!(file_name(DocumentKind::DataModel, "shop", true), "shop.dynamodb_data_model.md");
    }
}
