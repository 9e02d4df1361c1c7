//! The open findings of a model.

use super::numbers::count;
use super::outline::Outline;
use crate::model::imports::model_files;
use crate::rules::finding::{Finding, FindingPlace, Level};
use crate::rules::judge::file_findings;

/// Every open finding of the model, file by file in the order of the text.
pub(super) fn open<'db>(outline: &Outline<'db>) -> Vec<&'db Finding> {
    let files = model_files(outline.db, outline.root).iter();
    files.flat_map(|file| file_findings(outline.db, outline.root, *file)).map(|finding| &**finding).collect()
}

/// What a finding is about: the declaration that it stands in, else its file.
pub(super) fn about(outline: &Outline<'_>, finding: &Finding) -> String {
    match finding.place {
        FindingPlace::In(place) => outline.label(place.decl),
        FindingPlace::File { file, .. } => outline.file(file),
    }
}

/// How many findings of each level are open: `1 error, 2 warnings`. `None`
/// where there are none.
pub(super) fn summary(outline: &Outline<'_>) -> Option<String> {
    let open = open(outline);
    let levels = [
        (Level::Error, "error", "errors"),
        (Level::Warning, "warning", "warnings"),
        (Level::Info, "info", "infos"),
        (Level::Hint, "hint", "hints"),
    ];
    let parts: Vec<String> = levels
        .into_iter()
        .map(|(level, one, many)| (open.iter().filter(|finding| finding.level == level).count(), one, many))
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(number, one, many))
        .collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}
