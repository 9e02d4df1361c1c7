//! The project's chores. `cargo xtask` alone says what there is.

mod ansi;
mod bench;
mod documents;
mod dynamodb;
mod editors;
mod grammar;
mod instructions;
mod pictures;
mod project;
mod runner;
mod steps;
mod tools;

use std::process::ExitCode;

use project::Project;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test               Install what the tests need, then run every step
  test --list        Name the steps
  test --only NAME   Run one step (may be given more than once)
  generate           Make the parser in grammar/src, and queries in editors/
  pictures           Remake the pictures of the README
  pictures --editors Take the pictures of the editors anew, in the editors
  instructions       Count the instructions of a fixed script (with valgrind)
  instructions --write Make that the baseline of the test
  bench              Time keywright beside the servers of other languages
  bench --alone      Without the others
  bench --quick      A tenth of the work: for trying the bench itself
  bench --small      Without the models of 100,000 lines
  bench --server BIN Time this program, and not a release build
  bench --write      Put the table into docs/performance.md
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", options @ ..] => test(options),
        ["bench", options @ ..] => Project::find().and_then(|project| bench::bench(&project, options)),
        ["instructions"] => Project::find().and_then(|project| instructions::show(&project)),
        ["instructions", "--write"] => Project::find().and_then(|project| instructions::write(&project)),
        ["generate"] => Project::find().and_then(|project| grammar::generate(&project)),
        ["pictures"] => Project::find().and_then(|project| pictures::remake(&project)),
        ["pictures", "--editors"] => Project::find().and_then(|project| editors::pictures::remake(&project)),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => {
            eprint!("unknown arguments: {}\n\n{USAGE}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn test(options: &[&str]) -> Result<(), String> {
    let mut only = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--list" => {
                runner::list(steps::STEPS);
                return Ok(());
            }
            "--only" => only.push(*options.next().ok_or("`--only` wants the name of a step")?),
            other => return Err(format!("`test` has no option `{other}`\n\n{USAGE}")),
        }
    }
    runner::run(&Project::find()?, steps::STEPS, &only)
}
