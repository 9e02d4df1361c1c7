//! The pictures of the editors in the READMEs: taken by the editors' tests, from
//! the editors themselves.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{emacs, helix, neovim, vscode};
use crate::project::Project;

/// Where they are kept.
const FOLDER: &str = "docs/images/editors";

pub fn remake(project: &Project) -> Result<(), String> {
    let folder = project.root.join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    neovim::picture(project, &folder)?;
    helix::picture(project, &folder)?;
    emacs::picture(project, &folder)?;
    vscode::pictures(project, &folder)
}

/// Pictures are not compared, since no two machines draw the same; but what a text
/// shows has to be there, and what is there has to be shown.
pub fn check(project: &Project) -> Result<(), String> {
    let mut texts = Vec::new();
    texts_below(&project.root, &mut texts);
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    let shown: BTreeSet<String> = texts.iter().flat_map(|path| pictures_in(&read(path))).collect();
    let files = fs::read_dir(project.root.join(FOLDER)).into_iter().flatten().flatten();
    let kept: BTreeSet<String> = files
        .filter(|entry| entry.metadata().is_ok_and(|data| data.len() > 0))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let list = |names: Vec<&String>| names.into_iter().map(|name| format!("{FOLDER}/{name}")).collect::<Vec<_>>();
    let missing = list(shown.difference(&kept).collect());
    if !missing.is_empty() {
        return Err(format!(
            "a text shows {} and it is not there; `cargo xtask pictures --editors`",
            missing.join(", ")
        ));
    }
    let unused = list(kept.difference(&shown).collect());
    if unused.is_empty() { Ok(()) } else { Err(format!("no text shows {}", unused.join(", "))) }
}

/// The Markdown files that are the project's own.
fn texts_below(folder: &Path, texts: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !["node_modules", "target"].contains(&name.as_str()) {
                texts_below(&path, texts);
            }
        } else if name.ends_with(".md") {
            texts.push(path);
        }
    }
}

/// The names of the editors' pictures that a text shows.
fn pictures_in(markdown: &str) -> Vec<String> {
    let after = markdown.split("images/editors/").skip(1);
    let names = after.map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(rest.len());
        rest[..end].to_string()
    });
    names.filter(|name| name.ends_with(".png") || name.ends_with(".svg")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_however_they_are_linked() {
        let text = "![a](../../docs/images/editors/vscode-hover.png) <img src=\"docs/images/editors/helix.svg\">\n\
                    They lie in docs/images/editors/.";
        assert_eq!(pictures_in(text), ["vscode-hover.png", "helix.svg"]);
    }
}
