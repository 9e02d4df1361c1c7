//! Editors as Debian has them, whatever this machine runs: their packages are
//! fetched with apt and unpacked below the target folder. Nothing is installed
//! in the system, nothing is mounted, and no root is needed.
//!
//! The programs run on the libraries that came with them, through their own
//! loader. What they start, the server above all, runs on the machine's own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::project::Project;

/// A release of Debian, and what is taken from it.
struct Suite {
    name: &'static str,
    packages: &'static [&'static str],
    /// Programs by the name that they are run under here: where they lie, and
    /// what `--version` has to begin with.
    programs: &'static [(&'static str, &'static str, &'static str)],
}

/// Debian 13, whose editors are older than what their projects publish.
const TRIXIE: Suite = Suite {
    name: "trixie",
    packages: &["neovim", "hx", "emacs-nox", "tmux", "ncurses-base"],
    programs: &[
        ("nvim", "usr/bin/nvim", "NVIM v0.10.4"),
        ("hx", "usr/lib/hx/hx", "helix 25.01"),
        ("emacs", "usr/bin/emacs-nox", "GNU Emacs 30.1"),
        ("tmux", "usr/bin/tmux", ""),
    ],
};

/// What Debian 14 is made of. It moves until it is released.
const FORKY: Suite = Suite {
    name: "forky",
    packages: &["neovim", "hx"],
    programs: &[("nvim", "usr/bin/nvim", "NVIM v0."), ("hx", "usr/lib/hx/hx", "helix ")],
};

/// Where packages come from, if apt does not name a mirror.
const MIRROR: &str = "http://deb.debian.org/debian";

/// What signs Debian's archive.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// What nobody reads here and half of the files are.
const LEFT_OUT: [&str; 3] = ["usr/share/doc", "usr/share/locale", "usr/share/man"];

/// Unpacked packages of Debian.
pub struct Root {
    folder: PathBuf,
}

/// Neovim 0.10 (`nvim`), Helix 25.01 (`hx`), Emacs 30 (`emacs`) and `tmux`,
/// unpacked if they are not there.
pub fn trixie(project: &Project) -> Result<Root, String> {
    unpacked(project, &TRIXIE)
}

/// The newest Neovim (`nvim`) and Helix (`hx`) that Debian has, unpacked if they are
/// not there.
pub fn forky(project: &Project) -> Result<Root, String> {
    unpacked(project, &FORKY)
}

impl Root {
    /// One of the programs, ready to be run with any arguments.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }
}

fn unpacked(project: &Project, suite: &Suite) -> Result<Root, String> {
    let folder = project.target.join("tools").join("debian").join(suite.name);
    let root = Root { folder: folder.clone() };
    // The folder's own place stands in the scripts.
    let wanted = format!("{}\n{}\n", folder.display(), suite.packages.join(" "));
    let mark = folder.join("installed");
    if fs::read_to_string(&mark).is_ok_and(|text| text == wanted) {
        return Ok(root);
    }
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    let (libraries, loader) = machine()?;
    possible()?;
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("bin")).map_err(cannot)?;
    for package in download(project, &folder, suite)? {
        project.run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&folder))?;
    }
    for name in LEFT_OUT.iter().chain(&["apt"]) {
        _ = fs::remove_dir_all(folder.join(name));
    }
    // Programs look for their files beside the executable that runs, and that
    // is the loader.
    fs::copy(folder.join(libraries).join(loader), folder.join("usr/bin/ld.so")).map_err(cannot)?;
    for (name, program, version) in suite.programs {
        let script = root.program(name);
        fs::write(&script, script_of(&folder, libraries, name, program)?).map_err(cannot)?;
        project.run(Command::new("chmod").arg("755").arg(&script))?;
        runs(project, &script, version)?;
    }
    // Written last: what broke off halfway is installed again.
    fs::write(&mark, wanted).map_err(cannot)?;
    Ok(root)
}

/// The archives of the packages and of all that they need.
fn download(project: &Project, folder: &Path, suite: &Suite) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| format!("cannot install into {}: {error}", folder.display());
    let apt = folder.join("apt");
    for name in ["lists/partial", "archives/partial", "none"] {
        fs::create_dir_all(apt.join(name)).map_err(cannot)?;
    }
    // Nothing is installed already, so that everything comes along.
    fs::write(apt.join("status"), "").map_err(cannot)?;
    let source = format!("deb [signed-by={KEYRING}] {} {} main\n", mirror(), suite.name);
    fs::write(apt.join("sources.list"), source).map_err(cannot)?;
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        for (option, path) in [
            ("Dir::Etc::SourceList", "sources.list"),
            ("Dir::Etc::SourceParts", "none"),
            ("Dir::Etc::Preferences", "preferences"),
            ("Dir::Etc::PreferencesParts", "none"),
            ("Dir::State::Lists", "lists"),
            ("Dir::State::Status", "status"),
            ("Dir::State::Extended_States", "extended_states"),
            ("Dir::Cache", ""),
            ("Dir::Cache::Archives", "archives"),
        ] {
            command.arg("-o").arg(format!("{option}={}", apt.join(path).display()));
        }
        for option in [
            "Acquire::Check-Valid-Until=false",
            "Acquire::Languages=none",
            "Acquire::Retries=3",
            "APT::Install-Recommends=false",
            "APT::Sandbox::User=root",
            "APT::Update::Post-Invoke::=",
            "Debug::NoLocking=true",
            "pkgCacheGen::Essential=none",
        ] {
            command.args(["-o", option]);
        }
        project.run(command.arg("--quiet=2").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt_get(&["update"])?;
    apt_get(&[&["install", "--yes", "--download-only"], suite.packages].concat())?;
    let files = fs::read_dir(apt.join("archives")).map_err(cannot)?;
    let mut archives: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    archives.retain(|path| path.extension().is_some_and(|extension| extension == "deb"));
    archives.sort();
    Ok(archives)
}

/// A shell script that runs a program on the libraries it came with.
fn script_of(folder: &Path, libraries: &str, name: &str, program: &str) -> Result<String, String> {
    let mut script = format!("#!/bin/sh\nroot='{}'\n", folder.display().to_string().replace('\'', "'\\''"));
    let mut options = String::new();
    match name {
        "hx" => script.push_str("export HELIX_RUNTIME=\"${HELIX_RUNTIME:-$root/usr/lib/hx/runtime}\"\n"),
        "tmux" => script.push_str("export TERMINFO_DIRS=\"$root/usr/share/terminfo:\"\n"),
        // Emacs looks for its own where it was built for.
        "emacs" => {
            let data = only(&folder.join("usr/share/emacs"), |name| name.starts_with(char::is_numeric))?;
            let code = only(&only(&folder.join("usr/libexec/emacs"), |_| true)?, |_| true)?;
            let image = only(&code, |name| name.ends_with(".pdmp"))?;
            let mut lisp = Vec::new();
            folders_below(&data.join("lisp"), &mut lisp);
            let lisp = lisp.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(":");
            for (variable, value) in [
                ("EMACSLOADPATH", lisp),
                ("EMACSDATA", data.join("etc").display().to_string()),
                ("EMACSDOC", data.join("etc").display().to_string()),
                ("EMACSPATH", code.display().to_string()),
            ] {
                script.push_str(&format!("export {variable}='{}'\n", value.replace('\'', "'\\''")));
            }
            options = format!(" --dump-file='{}'", image.display().to_string().replace('\'', "'\\''"));
        }
        _ => {}
    }
    script.push_str(&format!(
        "exec \"$root/usr/bin/ld.so\" --library-path \"$root/{libraries}\" \"$root/{program}\"{options} \"$@\"\n"
    ));
    Ok(script)
}

/// The one entry of a folder that has such a name.
fn only(folder: &Path, has: impl Fn(&str) -> bool) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&has));
    match found.len() {
        1 => Ok(found.remove(0)),
        number => Err(format!("{} should hold one such thing and holds {number}", folder.display())),
    }
}

/// A folder and all below it.
fn folders_below(folder: &Path, all: &mut Vec<PathBuf>) {
    all.push(folder.to_path_buf());
    let mut below: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    below.retain(|path| path.is_dir());
    below.sort();
    for folder in below {
        folders_below(&folder, all);
    }
}

fn runs(project: &Project, program: &Path, version: &str) -> Result<(), String> {
    let question = if program.ends_with("tmux") { "-V" } else { "--version" };
    let (status, text) = project.read(Command::new(program).arg(question))?;
    if status.success() && text.starts_with(version) {
        return Ok(());
    }
    Err(format!("{} should say `{version}…` and says `{}`", program.display(), text.lines().next().unwrap_or_default()))
}

/// Where the libraries of this machine's kind lie, and the loader among them.
fn machine() -> Result<(&'static str, &'static str), String> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Ok(("usr/lib/x86_64-linux-gnu", "ld-linux-x86-64.so.2")),
        ("linux", "aarch64") => Ok(("usr/lib/aarch64-linux-gnu", "ld-linux-aarch64.so.1")),
        (system, machine) => Err(format!(
            "Helix, Emacs and the older Neovim are tried as Debian has them, \
             on Linux on x86-64 or ARM64; this is {system} on {machine}"
        )),
    }
}

/// Fails unless packages of Debian can be fetched and unpacked here.
fn possible() -> Result<(), String> {
    let why = "Helix, Emacs and the older Neovim come from Debian's packages";
    for program in ["apt-get", "dpkg-deb"] {
        if Command::new(program).arg("--version").output().is_err() {
            return Err(format!("{why}: `{program}` is needed and not there (any Debian or Ubuntu has it; no root)"));
        }
    }
    if Path::new(KEYRING).is_file() {
        return Ok(());
    }
    Err(format!("{why}, whose signatures {KEYRING} checks: install debian-archive-keyring"))
}

/// The mirror of Debian that apt is set up with.
fn mirror() -> String {
    let output = Command::new("apt-get")
        .args(["indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"])
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mirrors = text.lines().filter_map(|line| line.strip_prefix("Debian "));
    let main = mirrors.map(|mirror| mirror.trim_end_matches('/')).find(|mirror| !mirror.ends_with("-security"));
    main.unwrap_or(MIRROR).to_string()
}
