//! A real Emacs with Eglot, in batch: the mode in `editors/emacs`, the server
//! that was just built, and nothing of the user's own configuration.

use std::{fs, path::Path, process::Command, time::Duration};

use super::debian;
use crate::{
    ansi,
    project::{Project, path_with},
    tools,
};

const TIME_LIMIT: Duration = Duration::from_secs(10 * 60);

pub fn test(project: &Project) -> Result<(), String> {
    project.build()?;
    let scratch = project.scratch("emacs")?;
    let home = scratch.join("home");
    fs::create_dir_all(&home).map_err(|error| format!("cannot create {}: {error}", home.display()))?;
    let mut command = Command::new(debian::trixie(project)?.program("emacs"));
    command.args(["-Q", "--batch", "-l"]).arg(project.root.join("tests/editors/emacs/test.el"));
    command.current_dir(&scratch).env("HOME", &home).env("LC_ALL", "C.UTF-8");
    command.env("KEYWRIGHT_ROOT", &project.root).env("KEYWRIGHT_SCRATCH", &scratch);
    command.env("PATH", path_with(project.keywright().parent().expect("the binary has a folder")));
    project.run_for(TIME_LIMIT, &mut command)
}

/// Takes the picture of the README, in a terminal.
pub fn picture(project: &Project, folder: &Path) -> Result<(), String> {
    project.build()?;
    let root = debian::trixie(project)?;
    let screen = project.target.join("xtask").join("emacs-screen");
    let mut command = Command::new(tools::python()?);
    command.arg(project.root.join("tests/editors/emacs/picture.py")).arg(&project.root);
    command.arg(project.scratch("emacs-picture")?).arg(root.program("emacs")).arg(root.program("tmux"));
    project.run_for(TIME_LIMIT, command.arg(project.keywright()).arg(&screen))?;
    let shown = fs::read_to_string(&screen).map_err(|error| format!("cannot read {}: {error}", screen.display()))?;
    let path = folder.join("emacs.svg");
    fs::write(&path, ansi::screen_to_svg("shop.dynamo in Emacs", &shown))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
