//! The `keywright` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    keywright::cli::run()
}
