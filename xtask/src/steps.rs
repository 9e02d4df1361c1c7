//! What `cargo xtask test` runs, in this order: the quick before the slow.

use std::{fs, path::Path, process::Command};

use crate::{
    documents, dynamodb, editors, grammar, instructions, pictures,
    project::{Project, cargo},
    runner::Step,
    tools,
};

/// Test programs (`tests/NAME.rs`, `tests/NAME/main.rs`) that run optimised as
/// well, with what is `#[ignore]`d in them included: the long property suites.
const OPTIMISED_TESTS: &[&str] = &["long", "memory"];

pub const STEPS: &[Step] = &[
    Step { name: "format", about: "the Rust code is formatted", run: format },
    Step { name: "lint", about: "clippy finds nothing", run: lint },
    Step {
        name: "editor-pictures",
        about: "the pictures of editors that texts show are there",
        run: editors::pictures::check,
    },
    Step { name: "editor-files", about: "the editors' files are well-formed and know the language", run: editor_files },
    Step {
        name: "install-tree-sitter",
        about: "tree-sitter is there",
        run: |project| tools::tree_sitter(project).map(drop),
    },
    Step { name: "grammar-current", about: "the committed parser is the grammar's", run: grammar::check_current },
    Step { name: "grammar-corpus", about: "the grammar's corpus and queries", run: grammar::test_corpus },
    Step { name: "test", about: "unit, integration and documentation tests", run: test },
    Step { name: "test-optimised", about: "the property suites at full length", run: test_optimised },
    Step {
        name: "instructions",
        about: "a fixed script takes no more instructions than before",
        run: instructions::test,
    },
    Step { name: "examples", about: "check and fmt on examples/, as the README shows them", run: examples },
    Step { name: "pictures", about: "the pictures show what the program prints", run: pictures::check },
    Step {
        name: "install-dynamodb-local",
        about: "AWS DynamoDB Local and a Java to run it are there",
        run: |project| tools::dynamodb_local(project).map(drop),
    },
    Step { name: "dynamodb-local", about: "the endpoint against AWS DynamoDB Local", run: dynamodb::test },
    Step {
        name: "install-documents",
        about: "Mermaid, TypeScript, the AWS SDK and CLI, cfn-lint are there",
        run: |project| tools::documents(project).map(drop),
    },
    Step { name: "documents", about: "what the documents hold, tried with the tools it is for", run: documents::test },
    Step { name: "install-neovim", about: "Neovim is there", run: |project| tools::neovim(project).map(drop) },
    Step { name: "neovim", about: "a real Neovim with the real server", run: editors::neovim::test },
    Step {
        name: "install-debian",
        about: "Helix, Emacs and other Neovims are there, as Debian has them",
        run: |project| {
            editors::debian::trixie(project)?;
            editors::debian::forky(project).map(drop)
        },
    },
    Step { name: "neovim-0.10", about: "the oldest Neovim that the plugin is for", run: editors::neovim::test_old },
    Step { name: "neovim-new", about: "the newest Neovim", run: editors::neovim::test_new },
    Step { name: "helix", about: "a real Helix with the real server", run: editors::helix::test },
    Step {
        name: "helix-25.01",
        about: "the oldest Helix that the configuration is for",
        run: editors::helix::test_old,
    },
    Step { name: "emacs", about: "a real Emacs with Eglot and the real server", run: editors::emacs::test },
    Step {
        name: "install-vscode",
        about: "VS Code (code-server), Chromium and Playwright are there",
        run: |project| editors::vscode::install(project).map(drop),
    },
    Step { name: "vscode-unit", about: "types and unit tests of VS Code's extension", run: editors::vscode::unit },
    Step { name: "vscode", about: "a real VS Code with the extension and the real server", run: editors::vscode::test },
];

fn format(project: &Project) -> Result<(), String> {
    project.cargo(["fmt", "--all", "--check"]).map_err(|error| format!("{error}\nMend it with `cargo fmt --all`"))
}

fn lint(project: &Project) -> Result<(), String> {
    project.cargo(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    // The features change nothing in the tests.
    project.cargo([
        "clippy",
        "--workspace",
        "--no-default-features",
        "--lib",
        "--bins",
        "--locked",
        "--",
        "-D",
        "warnings",
    ])
}

fn editor_files(project: &Project) -> Result<(), String> {
    project.run(Command::new(tools::python()?).arg("tests/editors/files.py").current_dir(&project.root))
}

fn test(project: &Project) -> Result<(), String> {
    project.cargo(["test", "--workspace", "--locked"])
}

/// Only the project's own crates are built anew: their dependencies are
/// optimised in every build.
fn test_optimised(project: &Project) -> Result<(), String> {
    no_forgotten_test(project)?;
    let mut command = cargo(&project.root);
    command.args(["test", "--locked", "--workspace"]);
    command.args(["--config", "profile.dev.package.keywright.opt-level=2"]);
    for name in OPTIMISED_TESTS {
        command.args(["--test", name]);
    }
    // The step `instructions` uses the same build.
    command.env("CARGO_INCREMENTAL", "0");
    project.run(command.args(["--", "--include-ignored"]))
}

/// A test that is ignored in the ordinary run has to run here, or it never runs.
fn no_forgotten_test(project: &Project) -> Result<(), String> {
    let Ok(programs) = fs::read_dir(project.root.join("tests")) else { return Ok(()) };
    for program in programs.flatten().map(|entry| entry.path()) {
        let name = program.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if !OPTIMISED_TESTS.contains(&name) && ignores(&program) {
            return Err(format!(
                "tests/{name} ignores a test, but OPTIMISED_TESTS in xtask/src/steps.rs lacks `{name}`"
            ));
        }
    }
    Ok(())
}

/// Whether a test is ignored in a file, or in any file below a folder.
fn ignores(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(files) => files.flatten().any(|file| ignores(&file.path())),
        Err(_) => fs::read_to_string(path).is_ok_and(|text| text.contains("#[ignore")),
    }
}

/// What a newcomer is told to try has to be what they see.
fn examples(project: &Project) -> Result<(), String> {
    project.build()?;
    let keywright = || {
        let mut command = Command::new(project.keywright());
        command.current_dir(&project.root);
        command
    };
    project.run(keywright().args([
        "check",
        "--fail-on",
        "warning",
        "examples/shop.dynamo",
        "examples/blog.dynamo",
        "examples/large",
    ]))?;

    let (status, json) = project.read(keywright().args(["check", "--format", "json", "examples"]))?;
    if status.code() != Some(1) {
        return Err(format!("`keywright check examples` has to exit with 1, for school.dynamo; it did with {status}"));
    }
    let json: String = json.split_whitespace().collect();
    let counts = ["\"files\":20", "\"errors\":1", "\"warnings\":1", "\"unique-not-enforced\"", "\"scan-pattern\""];
    if let Some(missing) = counts.into_iter().find(|part| !json.contains(part)) {
        return Err(format!(
            "`keywright check examples` has to report one error (unique-not-enforced) and one warning \
             (scan-pattern), both in school.dynamo; its JSON lacks `{missing}`"
        ));
    }

    project.run(keywright().args(["fmt", "--check", "examples"]))
}
