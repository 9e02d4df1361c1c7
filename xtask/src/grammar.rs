//! The generated parser: made, and checked to be what the grammar makes.

use std::{fs, path::Path, process::Command};

use crate::{editors::queries, project::Project, tools};

/// What `tree-sitter generate` writes, all of it committed.
const GENERATED: [&str; 6] = [
    "src/grammar.json",
    "src/node-types.json",
    "src/parser.c",
    "src/tree_sitter/alloc.h",
    "src/tree_sitter/array.h",
    "src/tree_sitter/parser.h",
];

pub fn generate(project: &Project) -> Result<(), String> {
    generate_in(project, &project.root.join("grammar"))?;
    queries::generate(project)
}

/// Generates the parser in a copy and compares it byte by byte.
pub fn check_current(project: &Project) -> Result<(), String> {
    let grammar = project.root.join("grammar");
    let copy = project.scratch("grammar")?;
    for file in ["grammar.js", "tree-sitter.json"] {
        fs::copy(grammar.join(file), copy.join(file))
            .map_err(|error| format!("cannot copy grammar/{file}: {error}"))?;
    }
    generate_in(project, &copy)?;
    for file in GENERATED {
        let fresh = fs::read(copy.join(file)).map_err(|error| format!("tree-sitter made no {file}: {error}"))?;
        if fs::read(grammar.join(file)).ok().as_deref() != Some(fresh.as_slice()) {
            return Err(format!("grammar/{file} is not what grammar/grammar.js makes; run `cargo xtask generate`"));
        }
    }
    queries::check_current(project)
}

/// Runs the corpus, and compiles every query.
pub fn test_corpus(project: &Project) -> Result<(), String> {
    // Without a corpus tree-sitter passes, having tested nothing.
    if !project.root.join("grammar/test/corpus").is_dir() {
        return Err("grammar/test/corpus is missing".to_string());
    }
    let mut command = Command::new(tools::tree_sitter(project)?);
    command.arg("test").current_dir(project.root.join("grammar"));
    // The compiled parser and the settings stay with the project.
    let own = project.scratch("tree-sitter")?;
    project.run(command.env("TREE_SITTER_LIBDIR", &own).env("TREE_SITTER_DIR", &own))
}

fn generate_in(project: &Project, folder: &Path) -> Result<(), String> {
    let tree_sitter = tools::tree_sitter(project)?;
    project
        .run(Command::new(tree_sitter).args(["generate", "--js-runtime", "native", "--abi", "15"]).current_dir(folder))
}
