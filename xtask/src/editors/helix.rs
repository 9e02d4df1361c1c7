//! Real Helixes, driven by their keys in a terminal: set up as the README says,
//! with the server that was just built.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::debian::{self, Root};
use crate::{ansi, project::Project, tools};

const TIME_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The newest Helix that Debian has.
pub fn test(project: &Project) -> Result<(), String> {
    let newest = debian::forky(project)?;
    run(project, "test.py", "helix", &newest, &[])
}

/// The oldest that the configuration is for.
pub fn test_old(project: &Project) -> Result<(), String> {
    let oldest = debian::trixie(project)?;
    run(project, "test.py", "helix-25.01", &oldest, &[])
}

/// Takes the picture of the README.
pub fn picture(project: &Project, folder: &Path) -> Result<(), String> {
    let screen = project.target.join("xtask").join("helix-screen");
    run(project, "picture.py", "helix-picture", &debian::forky(project)?, &[&screen])?;
    let shown = fs::read_to_string(&screen).map_err(|error| format!("cannot read {}: {error}", screen.display()))?;
    let path = folder.join("helix.svg");
    fs::write(&path, ansi::screen_to_svg("shop.dynamo in Helix", &shown))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn run(project: &Project, script: &str, name: &str, root: &Root, more: &[&PathBuf]) -> Result<(), String> {
    project.build()?;
    let mut command = Command::new(tools::python()?);
    command.arg(project.root.join("tests/editors/helix").join(script)).arg(&project.root);
    // The folder stays: what the editor wrote into its log is in it.
    command.arg(project.scratch(name)?).arg(root.program("hx"));
    command.arg(debian::trixie(project)?.program("tmux")).arg(project.keywright()).args(more);
    project.run_for(TIME_LIMIT, &mut command)
}
