//! Where things are, and how a program is run and its output kept.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long one program may run. Nothing here takes nearly as long; a program
/// that hangs must not hang the whole run.
const TIME_LIMIT: Duration = Duration::from_secs(30 * 60);

pub struct Project {
    /// The workspace's folder.
    pub root: PathBuf,
    /// Cargo's target folder, wherever the user has put it.
    pub target: PathBuf,
    /// Where output goes; none while a chore runs in front of a person.
    log: Option<PathBuf>,
}

impl Project {
    pub fn find() -> Result<Project, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_path_buf();
        let output = cargo(&root)
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .map_err(|error| format!("cannot run cargo: {error}"))?;
        let metadata = String::from_utf8_lossy(&output.stdout);
        let target = metadata
            .split_once("\"target_directory\":\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(path, _)| PathBuf::from(path.replace("\\\\", "\\")))
            .ok_or_else(|| format!("`cargo metadata` failed:\n{}", String::from_utf8_lossy(&output.stderr)))?;
        Ok(Project { root, target, log: None })
    }

    /// The same project, with all output of programs going to `log`.
    pub fn logging_to(&self, log: PathBuf) -> Project {
        Project { root: self.root.clone(), target: self.target.clone(), log: Some(log) }
    }

    /// The binary that `cargo build` makes.
    pub fn keywright(&self) -> PathBuf {
        self.target.join("debug").join(format!("keywright{}", env::consts::EXE_SUFFIX))
    }

    /// A folder for passing things, empty.
    pub fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.target.join("xtask").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
        }
        fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// Builds the binary. The whole workspace is named, here and where tests are
    /// run: for some of it alone, Cargo would compile dependencies again with
    /// fewer of their features, the AWS SDK among them.
    pub fn build(&self) -> Result<(), String> {
        self.cargo(["build", "--workspace", "--locked"])
    }

    pub fn cargo<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<(), String> {
        self.run(cargo(&self.root).args(arguments))
    }

    /// Runs a program that must succeed.
    pub fn run(&self, command: &mut Command) -> Result<(), String> {
        self.run_for(TIME_LIMIT, command)
    }

    /// Runs a program that must succeed within a time.
    pub fn run_for(&self, limit: Duration, command: &mut Command) -> Result<(), String> {
        let status = self.status(limit, command)?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", line(command))) }
    }

    /// Runs a program and gives its exit status and what it wrote to standard output.
    pub fn read(&self, command: &mut Command) -> Result<(ExitStatus, String), String> {
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_run(command, &error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        self.note(&format!("$ {}\n{text}", line(command)));
        Ok((output.status, text))
    }

    /// Adds a line to the log.
    pub fn note(&self, text: &str) {
        match self.log_file() {
            Some(mut file) => _ = writeln!(file, "{text}"),
            None => println!("{text}"),
        }
    }

    /// Starts a program and does not wait for it.
    pub fn spawn(&self, command: &mut Command) -> Result<Child, String> {
        self.note(&format!("$ {}", line(command)));
        command.stdin(Stdio::null());
        if let Some(file) = self.log_file() {
            command.stderr(file.try_clone().map_err(|error| format!("cannot write the log: {error}"))?).stdout(file);
        }
        command.spawn().map_err(|error| cannot_run(command, &error))
    }

    fn status(&self, limit: Duration, command: &mut Command) -> Result<ExitStatus, String> {
        let mut child = self.spawn(command)?;
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if start.elapsed() > limit => {
                    _ = child.kill();
                    _ = child.wait();
                    return Err(format!("`{}` was stopped after {} s", line(command), limit.as_secs()));
                }
                Ok(None) => thread::sleep(Duration::from_millis(20)),
                Err(error) => return Err(cannot_run(command, &error)),
            }
        }
    }

    fn log_file(&self) -> Option<File> {
        OpenOptions::new().append(true).create(true).open(self.log.as_ref()?).ok()
    }
}

/// Cargo in the workspace, without what `cargo run` told this program about its
/// own package: build scripts would take it for a change and run again.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    for (name, _) in env::vars_os() {
        let own =
            name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if own {
            command.env_remove(name);
        }
    }
    command
}

/// `PATH` with a folder in front.
pub fn path_with(folder: &Path) -> std::ffi::OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(env::split_paths(&rest));
    env::join_paths(folders).unwrap_or(rest)
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program()).to_string_lossy();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run `{}`: {error}", line(command))
}
