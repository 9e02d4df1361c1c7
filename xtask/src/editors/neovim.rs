//! Real Neovims, new and old: the plugin in `editors/neovim`, the server that was
//! just built, and nothing of the user's own configuration.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime},
};

use super::debian;
use crate::{
    ansi,
    project::{Project, path_with},
    tools,
};

const TIME_LIMIT: Duration = Duration::from_secs(5 * 60);

/// How long Neovim may take to leave when it is told to, with the server.
const LEAVING: Duration = Duration::from_secs(20);

/// The scripts in `tests/editors/neovim`, each run in a Neovim of its own. The
/// first finds no parser, the second builds it for those that follow.
const SCRIPTS: [&str; 6] = ["missing", "highlight", "indent", "server", "documents", "plugin"];

/// The Neovim that most have.
pub fn test(project: &Project) -> Result<(), String> {
    run(project, &tools::neovim(project)?, "neovim")
}

/// The oldest Neovim that the plugin is for.
pub fn test_old(project: &Project) -> Result<(), String> {
    run(project, &debian::trixie(project)?.program("nvim"), "neovim-0.10")
}

/// The newest Neovim that there is.
pub fn test_new(project: &Project) -> Result<(), String> {
    run(project, &debian::forky(project)?.program("nvim"), "neovim-new")
}

fn run(project: &Project, program: &Path, name: &str) -> Result<(), String> {
    project.build()?;
    let home = Home::new(project, name)?;
    for script in SCRIPTS {
        home.copy_of_shop(project)?;
        let mut command = home.command(project, program);
        command.args(["-n", "--headless", "-u"]).arg(home.scripts.join("init.lua"));
        command.arg("-S").arg(home.scripts.join(format!("{script}.lua")));
        project.run_for(TIME_LIMIT, &mut command)?;
        left_in_time(&home.folder.join("leaving"))?;
    }
    Ok(())
}

/// Takes the picture of the README: what Neovim shows in a terminal.
pub fn picture(project: &Project, folder: &Path) -> Result<(), String> {
    project.build()?;
    let (neovim, tmux) = (tools::neovim(project)?, debian::trixie(project)?.program("tmux"));
    let home = Home::new(project, "neovim-picture")?;
    home.copy_of_shop(project)?;
    let screen = home.folder.join("screen");
    let mut command = home.command(project, Path::new(tools::python()?));
    command.arg(home.scripts.join("picture.py")).arg(tmux).arg(neovim);
    project.run_for(TIME_LIMIT, command.arg(home.folder.join("shop/shop.dynamo")).arg(&screen))?;
    let shown = fs::read_to_string(&screen).map_err(|error| format!("cannot read {}: {error}", screen.display()))?;
    let path = folder.join("neovim.svg");
    fs::write(&path, ansi::screen_to_svg("shop.dynamo in Neovim", &shown))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether Neovim, which has just ended, wrote this file not long ago: it does so
/// before it leaves.
fn left_in_time(mark: &Path) -> Result<(), String> {
    let written = fs::metadata(mark).and_then(|data| data.modified());
    let written = written.map_err(|error| format!("the script did not come to its end: {error}"))?;
    _ = fs::remove_file(mark);
    let took = SystemTime::now().duration_since(written).unwrap_or_default();
    if took < LEAVING { Ok(()) } else { Err(format!("Neovim took {} s to leave", took.as_secs())) }
}

/// The folders of a user who has nothing but the plugin.
struct Home {
    folder: PathBuf,
    scripts: PathBuf,
}

impl Home {
    fn new(project: &Project, name: &str) -> Result<Home, String> {
        let folder = project.scratch(name)?;
        // Where models lie in a repository, that is where the server works.
        for name in ["config", "data", "state", "cache", ".git"] {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        }
        Ok(Home { folder, scripts: project.root.join("tests/editors/neovim") })
    }

    /// A folder `shop` with the example as it is, and nothing else.
    fn copy_of_shop(&self, project: &Project) -> Result<(), String> {
        let shop = self.folder.join("shop");
        _ = fs::remove_dir_all(&shop);
        fs::create_dir_all(&shop)
            .and_then(|()| fs::copy(project.root.join("examples/shop.dynamo"), shop.join("shop.dynamo")))
            .map_err(|error| format!("cannot copy examples/shop.dynamo: {error}"))?;
        Ok(())
    }

    /// A program with this home.
    fn command(&self, project: &Project, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("KEYWRIGHT_ROOT", &project.root).env("KEYWRIGHT_SCRATCH", &self.folder);
        command.env("PATH", path_with(project.keywright().parent().expect("the binary has a folder")));
        command.env("HOME", &self.folder).env("NVIM_LOG_FILE", self.folder.join("nvim.log"));
        for (name, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(name, self.folder.join(folder));
        }
        // What a Neovim around this one would say, or a user's own settings.
        for name in ["NVIM", "VIM", "VIMRUNTIME", "VIMINIT", "NVIM_APPNAME", "CC"] {
            command.env_remove(name);
        }
        command
    }
}
