//! An import of a file that cannot be had.

use super::check::{Check, Cx};
use super::finding::{Edit, Level};
use super::rule::{Group, Rule};
use crate::model::db::Workspace;
use crate::model::defs::{Def, Lowered};
use crate::model::files::{Absent, FileContent, names_folder};

pub static RULE: Rule = Rule {
    name: "import-not-found",
    group: Group::Language,
    level: Level::Error,
    summary: "the imported file does not exist, is a folder, or cannot be read",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let Def::Import(import) = &lowered.def else { return };
    let Some(path) = &import.path else { return };
    let Some(key) = cx.decl.file(cx.db).key(cx.db).join(&path.value) else {
        let why = match path.value.as_str() {
            "" => "the path is empty",
            folder if names_folder(folder) => "it is a folder; name one file in it",
            _ => "this file has no folder yet: save it first",
        };
        cx.report(path.range, format!("cannot import `{}`: {why}", path.value));
        return;
    };
    let files = Workspace::get(cx.db).files(cx.db);
    let absent = match files.get(&key).map(|file| file.content(cx.db)) {
        Some(FileContent::Absent(absent)) => absent,
        None => &Absent::NotFound,
        Some(FileContent::Parsed(_) | FileContent::Unreadable(_)) => return,
    };
    let why = match absent {
        Absent::NotFound => "there is no such file".to_owned(),
        Absent::Folder => "it is a folder; name one file in it".to_owned(),
        Absent::NotAFile => "it is a device or a pipe, not a file".to_owned(),
        Absent::Denied(words) => format!("it cannot be read ({words})"),
    };
    let message = format!("cannot import `{}`: {why}; what it would declare is unknown to this model", path.value);
    let importer = cx.decl.file(cx.db).key(cx.db).file_name().to_owned();
    let finding = cx.report(path.range, message);
    if *absent == Absent::NotFound {
        let title = format!("Create `{}`", path.value);
        finding.fix(title, vec![Edit::CreateFile { file: key, text: format!("// Imported by {importer}.\n") }]);
    }
}
