//! A fixed script over the analysis, its instructions counted: what a change costs
//! shows in every run, however busy the machine is.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    project::{Project, cargo},
    tools,
};

/// The edits of the script, and the lines of its model.
const SCRIPT: [&str; 2] = ["10", "5000"];

/// What was counted when somebody last looked, with the reason for the change.
const BASELINE: &str = "benches/instructions.txt";

/// How much more there may be, in hundredths.
const MORE: u64 = 10;

/// Counts, and fails where that is more than the baseline allows.
pub fn test(project: &Project) -> Result<(), String> {
    let counted = count(project)?;
    let baseline = baseline(project)?;
    project.note(&format!("{counted} instructions, {baseline} in {BASELINE}"));
    if counted > baseline + baseline * MORE / 100 {
        return Err(format!(
            "the script of benches/script.rs takes {counted} instructions, {} more than the {baseline} of {BASELINE}; \
             look for what costs them (`valgrind --tool=callgrind`), or write the new number with its reason: \
             `cargo xtask instructions --write`",
            counted - baseline
        ));
    }
    Ok(())
}

/// Counts, and says so.
pub fn show(project: &Project) -> Result<(), String> {
    let (counted, baseline) = (count(project)?, baseline(project)?);
    println!("{counted} instructions, {baseline} in {BASELINE}");
    Ok(())
}

/// Counts, and makes that the baseline. The reason is the writer's to add.
pub fn write(project: &Project) -> Result<(), String> {
    let counted = count(project)?;
    let path = project.root.join(BASELINE);
    let old = fs::read_to_string(&path).unwrap_or_default();
    let reasons = old.split_once('\n').map_or("", |(_, rest)| rest);
    fs::write(&path, format!("{counted}\n{reasons}")).map_err(|error| format!("cannot write {BASELINE}: {error}"))
}

fn baseline(project: &Project) -> Result<u64, String> {
    let text =
        fs::read_to_string(project.root.join(BASELINE)).map_err(|error| format!("cannot read {BASELINE}: {error}"))?;
    let number = text.lines().next().and_then(|line| line.trim().parse().ok());
    number.ok_or_else(|| format!("{BASELINE} does not begin with a number"))
}

fn count(project: &Project) -> Result<u64, String> {
    valgrind(project)?;
    let script = built(project)?;
    let out = project.scratch("instructions")?.join("callgrind.out");
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", out.display()));
    project.run(command.arg(script).args(SCRIPT))?;
    let text = fs::read_to_string(&out).map_err(|error| format!("cannot read {}: {error}", out.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:")));
    total
        .and_then(|total| total.split_whitespace().next()?.parse().ok())
        .ok_or_else(|| "callgrind has written no sum".to_owned())
}

/// The script as the optimised tests are built: nothing but it is built for this.
fn built(project: &Project) -> Result<PathBuf, String> {
    let mut command = cargo(&project.root);
    command.args(["build", "--locked", "--workspace", "--bench", "script"]);
    command.args(["--config", "profile.dev.package.keywright.opt-level=2", "--message-format=json"]);
    // An incremental build is divided otherwise, and takes other instructions.
    command.env("CARGO_INCREMENTAL", "0");
    let (status, text) = project.read(&mut command)?;
    if !status.success() {
        return Err(format!("the script is not built: {status}"));
    }
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let own = |message: &serde_json::Value| message["target"]["name"] == "script";
    let mut programs = messages.filter(own).filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?)));
    programs.next().ok_or_else(|| "cargo does not say where the script is".to_owned())
}

fn valgrind(project: &Project) -> Result<(), String> {
    let is_there = || Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if is_there() {
        return Ok(());
    }
    tools::apt(project, &["valgrind"])
}
