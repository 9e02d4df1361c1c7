//! The command line as a process.

use std::path::Path;
use std::process::{Command, Stdio};

/// What a command did.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the command in a folder; `timeout` ends what hangs (status 124).
pub fn keywright(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new("timeout")
        .arg("120")
        .arg(env!("CARGO_BIN_EXE_keywright"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    let status = output.status.code().expect("it ends by itself, not by a signal");
    let run = Run {
        status,
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(status <= 2, "{arguments:?}: status {status}\n{}\n{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    run
}

/// A folder with these files, gone at the end.
pub fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}
