//! The command line: one file a subcommand.

mod check;
mod cost;
mod docs;
#[cfg(feature = "endpoint")]
mod endpoint;
mod explain;
mod fault;
mod fix;
mod fmt;
mod github;
mod human;
mod json;
mod load;
mod markdown;
mod place;
mod rules;
mod sarif;
mod verify;
mod verify_json;
mod write;

use crate::rules::finding::Safety;
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

/// Checks, formats and documents DynamoDB data models, and serves editors.
#[derive(Parser)]
#[command(
    name = "keywright",
    version,
    about,
    after_help = "Exit status: 0 nothing to complain about, 1 something, 2 the command could not run."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Report what is wrong in models.
    Check {
        /// Files, or folders that hold `.dynamo` files.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// How to print the findings.
        #[arg(long, value_enum, default_value_t = check::Format::Human)]
        format: check::Format,
        /// The lowest level that makes the exit status 1.
        #[arg(long, value_enum, default_value_t = FailOn::Error)]
        fail_on: FailOn,
        /// First fix what can be fixed without a change of what the models mean.
        #[arg(long)]
        fix: bool,
        /// With --fix: fix as well what nearly everybody would, though it changes
        /// the models.
        #[arg(long, requires = "fix")]
        r#unsafe: bool,
    },
    /// Format models: white space only.
    Fmt {
        /// Change nothing; name the files that are not formatted and exit with 1.
        #[arg(long)]
        check: bool,
        /// Files, or folders that hold `.dynamo` files; `-` formats standard input
        /// to standard output.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Print the page of a rule or a concept; without a name, what there is.
    Explain {
        /// `missing-key-value`, `gsi`, `sparse index`, …
        #[arg(value_name = "NAME")]
        name: Vec<String>,
    },
    /// List the rules: what each reports, at which level, and what can be set.
    Rules {
        /// How to print them.
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Write `dynamodb_requirement.md` and `dynamodb_data_model.md`, or renew them
    /// around what people wrote into them.
    Docs {
        /// A model, or a folder that holds models.
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// The folder to write into; without it, each document lies beside its model.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Only this document.
        #[arg(long, value_enum)]
        only: Option<docs::Only>,
        /// Change nothing; name the documents that are missing, out of date or
        /// edited, and exit with 1.
        #[arg(long)]
        check: bool,
        /// Replace what somebody edited, after putting a copy (`.orig`) beside it.
        #[arg(long, conflicts_with = "check")]
        force: bool,
    },
    /// Show what a model costs: units, dollars a month, storage, hottest keys.
    Cost {
        /// A model: a file, or a folder that holds one.
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// How to print the numbers.
        #[arg(long, value_enum, default_value_t = cost::Format::Human)]
        format: cost::Format,
    },
    /// Run every operation of a model on an embedded DynamoDB, and compare what it returns and costs.
    Verify {
        /// A model: a file, or a folder that holds one.
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// How to print the result.
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        /// Run it there, on DynamoDB Local or in an AWS account: in tables with a
        /// name of their own that are deleted at the end.
        #[arg(long, value_name = "URL")]
        endpoint: Option<String>,
    },
    /// Serve an editor over standard input and output.
    #[command(after_help = include_str!("lsp_help.txt"))]
    Lsp {
        /// Accepted for the editors that pass it: it is the only way to talk.
        #[arg(long)]
        stdio: bool,
    },
}

/// How a result is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, in colour where the terminal has colours.
    Human,
    /// One object on standard output.
    Json,
}

/// The levels that `--fail-on` takes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Info,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Nothing to complain about.
    Clean,
    /// Something at or above the level that was asked for.
    Found,
    /// The command could not do, or not wholly do, what it was asked.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(outcome as u8)
    }
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, not errors; clap tells which is which.
            let code = if error.use_stderr() { Outcome::Failed } else { Outcome::Clean };
            note(error.print());
            return code.max(said()).into();
        }
    };
    let outcome = match arguments.command {
        Command::Check { paths, format, fail_on, fix, r#unsafe } => {
            let least = if r#unsafe { Safety::Preferred } else { Safety::Tidy };
            check::run(&paths, format, fail_on, fix.then_some(least))
        }
        Command::Fmt { check, paths } => fmt::run(&paths, check),
        Command::Explain { name } if name.is_empty() => explain::list(),
        Command::Explain { name } => explain::run(&name.join(" ")),
        Command::Rules { format } => rules::run(format),
        Command::Docs { path, out, only, check, force } => {
            let task = match (check, force) {
                (true, _) => docs::Task::Check,
                (false, true) => docs::Task::Force,
                (false, false) => docs::Task::Renew,
            };
            docs::run(&path, &docs::Wanted { out, only, task })
        }
        Command::Cost { path, format } => cost::run(&path, format),
        Command::Verify { path, format, endpoint } => verify::run(&path, format, endpoint.as_deref()),
        Command::Lsp { stdio: _ } => return crate::server::run(),
    };
    outcome.max(said()).into()
}

/// Why something could not be printed: the first reason.
static UNSAID: OnceLock<std::io::Error> = OnceLock::new();

/// Keeps what printing met. A reader that has gone (`| head`) is no error.
fn note(printed: std::io::Result<()>) {
    if let Err(error) = printed
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        let _ = UNSAID.set(error);
    }
}

/// Whether all that was printed has been written.
fn said() -> Outcome {
    use std::io::Write;
    note(std::io::stdout().flush());
    match UNSAID.get() {
        Some(error) => {
            complain(format!("standard output: {error}"));
            Outcome::Failed
        }
        None => Outcome::Clean,
    }
}

/// Prints a message for people on standard error.
fn complain(message: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(anstream::stderr(), "keywright: {message}");
}

/// Prints on standard output.
fn print(text: impl std::fmt::Display) {
    use std::io::Write;
    note(write!(anstream::stdout(), "{text}"));
}

/// Prints a text on standard output as it is, byte for byte.
fn print_text(text: &str) {
    use std::io::Write;
    note(std::io::stdout().write_all(text.as_bytes()));
}
