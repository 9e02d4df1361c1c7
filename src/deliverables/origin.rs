//! Which model a document is of. Its title says it, for its readers and for whoever
//! makes documents again: two models may have documents in one folder, and none may
//! become the other's.

use super::keep;
use super::links::{decoded, encoded};
use super::markdown::{code, inline};
use super::outline::Outline;
use super::parts::Part;
use super::{DocumentKind, file_name};
use crate::model::files::FileKey;

/// The part that the title stands in.
const TITLE: &str = "title";

/// What the line begins with that names the model.
const MADE_FROM: &str = "Made by Keywright from ";

/// The title of a document, and what it is made from.
pub(super) fn part(outline: &Outline<'_>, title: &str) -> Part {
    let key = outline.root.key(outline.db);
    let model = match outline.at.path_to(key) {
        Some(path) => format!("[{}]({})", inline(&path), encoded(&path)),
        None => code(key.file_name()),
    };
    Part::of_text(TITLE, &format!("# {title}\n\n{MADE_FROM}{model}."))
}

/// The root of the model that a document says it was made from; `None` where it says
/// nothing that can be followed. `at` is where it stands.
pub fn origin(text: &str, at: &FileKey) -> Option<FileKey> {
    let existing = keep::read(text);
    let title = existing.parts.iter().find(|part| part.name == TITLE)?;
    let line = text[title.inner.clone()].lines().find_map(|line| line.strip_prefix(MADE_FROM))?;
    let (_, target) = line.strip_suffix(").")?.rsplit_once("](")?;
    let mut folder = at.folder();
    let mut path = target;
    while let Some(rest) = path.strip_prefix("../") {
        folder = folder.rfind('/').map_or("", |at| &folder[..at]);
        path = rest;
    }
    at.is_path().then(|| FileKey::new(&format!("{folder}/{}", decoded(path))))
}

/// Whose a document is that stands where one of a model may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It says so.
    Own,
    /// It does not say, or its model is gone or has another name by now.
    Unknown,
    /// Another model with this root, which is there.
    Other(FileKey),
}

impl Owner {
    /// Whose this text is, that stands at `at`, for the model with this root.
    pub fn of(text: &str, at: &FileKey, root: &FileKey, is_there: impl FnOnce(&FileKey) -> bool) -> Self {
        match origin(text, at) {
            Some(origin) if origin == *root => Owner::Own,
            Some(origin) if is_there(&origin) => Owner::Other(origin),
            _ => Owner::Unknown,
        }
    }
}

/// The name that a document of a model had while its folder held one model only, or
/// several, whichever it is that this is not.
pub fn former_name(kind: DocumentKind, root: &FileKey, name: &str) -> String {
    file_name(kind, root.stem(), name == kind.file_name())
}

/// Whether what stands under the former name of a document is that document: it has
/// parts, and says that it is of the model or has the model's name.
pub fn is_former(kind: DocumentKind, text: &str, name: &str, owner: &Owner) -> bool {
    let is_ours = match owner {
        Owner::Own => true,
        Owner::Unknown => name != kind.file_name(),
        Owner::Other(_) => false,
    };
    is_ours && !keep::read(text).parts.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_which_model_it_is_of() {
        let at = FileKey::new("/here/docs/d.md");
        let text =
            |line: &str| format!("<!-- keywright:begin title -->\n\n# T\n\n{line}\n\n<!-- keywright:end title -->\n");
        for (path, root) in [
            ("m.dynamo", "/here/docs/m.dynamo"),
            ("../a%20b/m%28%29.dynamo", "/here/a b/m().dynamo"),
            ("../../m%5Cn.dynamo", "/m\\n.dynamo"),
            ("../../../../m.dynamo", "/m.dynamo"),
        ] {
            let text = text(&format!("{MADE_FROM}[m](x](m)]({path})."));
            assert_eq!(origin(&text, &at), Some(FileKey::new(root)), "{path}");
            let owner = |other: &str, is_there| Owner::of(&text, &at, &FileKey::new(other), |_| is_there);
            assert_eq!(owner(root, false), Owner::Own);
            assert_eq!(owner("/other.dynamo", true), Owner::Other(FileKey::new(root)));
            assert_eq!(owner("/other.dynamo", false), Owner::Unknown);
        }
        for line in ["", "Made by Keywright from `m.dynamo`.", "Made by Keywright from [m](m.dynamo)"] {
            assert_eq!(origin(&text(line), &at), None, "{line}");
        }
        assert_eq!(
            origin("Made by Keywright from [m](m.dynamo).\n", &at),
            None,
            "outside of the part it is a reader's"
        );
    }

    #[test]
    fn a_former_name_is_the_other_one() {
        let (kind, root) = (DocumentKind::DataModel, FileKey::new("/a/shop.dynamo"));
        let (alone, beside) = ("dynamodb_data_model.md", "shop.dynamodb_data_model.md");
        assert_eq!(former_name(kind, &root, alone), beside);
        assert_eq!(former_name(kind, &root, beside), alone);
        let text = keep::fresh(&[Part::of_text("title", "# T")]);
        assert!(is_former(kind, &text, alone, &Owner::Own) && is_former(kind, &text, beside, &Owner::Unknown));
        assert!(!is_former(kind, &text, alone, &Owner::Unknown), "it may be of any model of the folder");
        assert!(!is_former(kind, "mine\n", alone, &Owner::Own), "nor is one that somebody wrote");
    }
}
