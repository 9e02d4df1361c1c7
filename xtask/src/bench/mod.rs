//! `cargo xtask bench`: how long `keywright` takes beside the servers of other
//! schema languages, and beside what it is held to.

mod bars;
mod client;
mod endurance;
mod figures;
mod models;
mod peers;
mod report;
mod script;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use crate::project::Project;
use figures::{Figures, Times, millis};
use models::Model;
use script::Often;

/// What `keywright` is tried on: how many lines, in how many files.
const SIZES: [(usize, usize); 4] = [(200, 1), (5_000, 1), (100_000, 200), (100_000, 1)];

/// What the others are tried on: most take minutes for the rest.
const PEERS_SIZES: [usize; 2] = [200, 5_000];

/// How often each thing is done, so that a percentile says something.
const OFTEN: Often = Often { starts: 20, opens: 10, edits: 200, requests: 50 };
const QUICK: Often = Often { starts: 3, opens: 2, edits: 20, requests: 8 };

/// How often a whole check is run.
const CHECKS: usize = 10;

/// One server on one model.
pub struct Row {
    pub server: String,
    pub lines: usize,
    pub files: usize,
    pub figures: Figures,
    /// A whole check from the command line; none where there is none.
    pub check: Times,
    pub is_ours: bool,
}

pub fn bench(project: &Project, options: &[&str]) -> Result<(), String> {
    let mut server = None;
    let mut flags = Vec::new();
    let mut words = options.iter();
    while let Some(option) = words.next() {
        match *option {
            "--server" => server = Some(PathBuf::from(words.next().ok_or("`--server` wants a program")?)),
            "--alone" | "--quick" | "--small" | "--write" => flags.push(*option),
            unknown => return Err(format!("`bench` has no option `{unknown}`")),
        }
    }
    let has = |option: &str| flags.contains(&option);
    let often = if has("--quick") { QUICK } else { OFTEN };
    let keywright = server.map_or_else(|| peers::keywright(project), Ok)?;
    let peers = if has("--alone") { Vec::new() } else { peers::install(project)? };
    let mut rows = Vec::new();
    for (lines, files) in SIZES.into_iter().filter(|(lines, _)| !has("--small") || *lines <= 5_000) {
        let mut model = if files == 1 { models::dynamo(lines) } else { models::dynamo_in_files(lines, files) };
        let folder = project.scratch(&format!("bench/keywright-{lines}-{files}"))?;
        script::write(&folder, &model)?;
        if files > 1 {
            model.findings = Some(findings(&keywright, &folder, &model)?);
        }
        let command = || {
            let mut command = Command::new(&keywright);
            command.arg("lsp");
            command
        };
        eprintln!("keywright, {lines} lines in {files} files");
        let figures = script::run(command, &folder, &model, "dynamo", often)?;
        eprintln!(
            "  an edit in {} ms, {} ms at most of 95 in 100",
            millis(figures.edit.p50()),
            millis(figures.edit.p95())
        );
        let check = checks(&keywright, &folder)?;
        rows.push(Row { server: "keywright".to_owned(), lines, files, figures, check, is_ours: true });
    }
    for lines in PEERS_SIZES {
        for peer in &peers {
            eprintln!("{}, {lines} lines", peer.name);
            let folder = project.scratch(&format!("bench/{}-{lines}", peer.language))?;
            let model = peer.model(lines);
            script::write(&folder, &model)?;
            let server = peer.name.clone();
            match script::run(|| peer.command(), &folder, &model, peer.language, often) {
                Ok(figures) => {
                    rows.push(Row { server, lines, files: 1, figures, check: Times::default(), is_ours: false });
                }
                // One that does not run leaves the others.
                Err(error) => eprintln!("{server}: {error}"),
            }
        }
    }
    let endurance = endurance::run(project, &keywright, if has("--quick") { 500 } else { 10_000 })?;
    let text = report::text(&rows, &endurance);
    println!("{text}");
    if has("--write") {
        report::write(project, &text)?;
    }
    Ok(())
}

/// How many findings the open file has, as the command line tells.
fn findings(keywright: &Path, folder: &Path, model: &Model) -> Result<usize, String> {
    let output = Command::new(keywright)
        .args(["check", "--format", "json"])
        .arg(folder)
        .output()
        .map_err(|error| format!("cannot check: {error}"))?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let all = json["findings"].as_array().ok_or("there are no findings")?;
    let of_file = |finding: &&serde_json::Value| {
        finding["file"].as_str().is_some_and(|file| Path::new(file).ends_with(&model.open.name))
    };
    Ok(all.iter().filter(of_file).count())
}

/// How long a whole check takes, from start to end.
fn checks(keywright: &Path, folder: &Path) -> Result<Times, String> {
    let mut times = Times::default();
    for _ in 0..CHECKS {
        let mut command = Command::new(keywright);
        let command = command.arg("check").arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status().map_err(|error| format!("cannot check: {error}"))?;
        times.add(begun.elapsed());
        if !status.success() {
            return Err(format!("the model of the bench is not sound: {status}"));
        }
    }
    Ok(times)
}
