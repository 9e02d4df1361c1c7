use std::process::ExitCode;

fn main() -> ExitCode {
    keywright::server::run()
}
