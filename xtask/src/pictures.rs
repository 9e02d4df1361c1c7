//! The README's picture of the program at work: its real output, as SVG.

use std::{fs, process::Command};

use crate::{ansi, project::Project};

pub fn remake(project: &Project) -> Result<(), String> {
    let svg = render(project)?;
    let path = project.root.join("docs/images/check.svg");
    fs::write(&path, svg).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

pub fn check(project: &Project) -> Result<(), String> {
    let committed = fs::read_to_string(project.root.join("docs/images/check.svg")).unwrap_or_default();
    if committed.replace("\r\n", "\n") == render(project)? {
        return Ok(());
    }
    Err("docs/images/check.svg is not what `keywright check` prints; run `cargo xtask pictures`".to_string())
}

fn render(project: &Project) -> Result<String, String> {
    project.build()?;
    let (status, output) = project.read(
        Command::new(project.keywright())
            .args(["check", "demo.dynamo"])
            .current_dir(project.root.join("docs/images"))
            .env_remove("NO_COLOR")
            .env("CLICOLOR_FORCE", "1")
            .env("TERM", "xterm-256color")
            .env("COLUMNS", ansi::COLUMNS.to_string()),
    )?;
    // The model is there to show findings.
    if status.code() != Some(1) || output.trim().is_empty() {
        return Err(format!("`keywright check demo.dynamo` has to find errors; it ended with {status}"));
    }
    Ok(ansi::to_svg("keywright check demo.dynamo", &output))
}
