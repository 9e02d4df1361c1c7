//! The scripted real Neovim: the plugin in `editors/neovim`, the server that
//! was just built, and nothing of the user's own configuration.

use std::{fs, process::Command, time::Duration};

use crate::{
    project::{Project, path_with},
    tools,
};

const TIME_LIMIT: Duration = Duration::from_secs(5 * 60);

pub fn test(project: &Project) -> Result<(), String> {
    project.cargo(["build", "--locked"])?;
    let neovim = tools::neovim(project)?;
    let home = project.scratch("neovim")?;
    let model = home.join("shop").join("shop.dynamo");
    fs::create_dir_all(model.parent().expect("the model has a folder"))
        .and_then(|()| fs::copy(project.root.join("examples/shop.dynamo"), &model))
        .map_err(|error| format!("cannot copy examples/shop.dynamo: {error}"))?;

    let scripts = project.root.join("tests/editors/neovim");
    let mut command = Command::new(neovim);
    command
        .args(["--headless", "-u"])
        .arg(scripts.join("init.lua"))
        .arg("-l")
        .arg(scripts.join("test.lua"))
        .arg(&model);
    command.current_dir(&project.root).env("KEYWRIGHT_ROOT", &project.root);
    command.env("PATH", path_with(project.keywright().parent().expect("the binary has a folder")));
    command.env("HOME", &home).env("NVIM_LOG_FILE", home.join("nvim.log"));
    for (name, folder) in [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
    ] {
        let folder = home.join(folder);
        fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        command.env(name, folder);
    }
    project.run_for(TIME_LIMIT, &mut command)
}
