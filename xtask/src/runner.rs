//! Runs steps one after the other and tells how it went.

use std::{
    fs,
    io::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use crate::project::Project;

pub struct Step {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(&Project) -> Result<(), String>,
}

pub fn list(steps: &[Step]) {
    for step in steps {
        println!("{:<20} {}", step.name, step.about);
    }
}

/// Runs the steps up to the first that fails. The last line printed is
/// `N passed, N failed`.
pub fn run(project: &Project, steps: &[Step], only: &[&str]) -> Result<(), String> {
    if let Some(unknown) = only.iter().find(|name| !steps.iter().any(|step| step.name == **name)) {
        return Err(format!("no step is called `{unknown}`; `cargo xtask test --list` names them"));
    }
    let chosen: Vec<&Step> = steps.iter().filter(|step| only.is_empty() || only.contains(&step.name)).collect();
    let logs = project.scratch("logs")?;
    let begin = Instant::now();
    let mut done = Vec::new();
    let mut failure = None;
    for step in &chosen {
        print!("{:<20} ", step.name);
        _ = std::io::stdout().flush();
        let log = logs.join(format!("{}.log", step.name));
        let start = Instant::now();
        let result = (step.run)(&project.logging_to(log.clone()));
        let time = start.elapsed();
        println!("{} {}", if result.is_ok() { "passed" } else { "FAILED" }, seconds(time));
        done.push((step, result.is_ok(), time));
        if let Err(message) = result {
            show(&log, &message);
            failure = Some(step.name);
            break;
        }
    }

    println!("\nSummary, {} in all:", seconds(begin.elapsed()).trim_start());
    for (step, passed, time) in &done {
        println!("  {:<20} {} {}", step.name, if *passed { "passed" } else { "FAILED" }, seconds(*time));
    }
    for step in &chosen[done.len()..] {
        println!("  {:<20} not run", step.name);
    }
    if let Some(name) = failure {
        println!("Again after mending: cargo xtask test --only {name}");
    }
    let failed = usize::from(failure.is_some());
    println!("{} passed, {failed} failed", done.len() - failed);
    // The cause has been printed already.
    if failure.is_some() { Err(String::new()) } else { Ok(()) }
}

fn show(log: &Path, message: &str) {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    println!("\n{}\n{message}", text.trim_end());
}

fn seconds(time: Duration) -> String {
    format!("{:>7.1} s", time.as_secs_f64())
}
