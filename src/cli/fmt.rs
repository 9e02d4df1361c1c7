//! `keywright fmt`. Editors pipe a text through it: the path `-` is standard input.

use super::load::{self, Around, Loaded, plain, shown};
use super::write::replace;
use super::{Outcome, complain, print, print_text};
use crate::format::format;
use crate::ide::{Analysis, apply};
use crate::model::files::{FileContent, FileKey, MOST_BYTES};
use crate::vfs::path_of;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The path that means standard input.
const STDIN: &str = "-";

pub(super) fn run(paths: &[PathBuf], check: bool) -> Outcome {
    if paths.iter().any(|path| path == Path::new(STDIN)) {
        if paths.len() > 1 {
            complain("`-` is standard input and cannot be formatted together with files");
            return Outcome::Failed;
        }
        return format_input(check);
    }
    let loaded = load::load(paths, Around::Nothing);
    let mut outcome = Outcome::Clean;
    for file in &loaded.asked {
        outcome = outcome.max(format_file(&loaded, file, check));
    }
    for fault in &loaded.faults {
        complain(fault);
        outcome = Outcome::Failed;
    }
    outcome
}

fn format_file(loaded: &Loaded, file: &FileKey, check: bool) -> Outcome {
    let text = match loaded.host.content(file) {
        Some(FileContent::Parsed(parse)) => &parse.text,
        Some(FileContent::Unreadable(fault)) => {
            complain(format!("{}: {}", shown(file), fault.reason));
            return Outcome::Failed;
        }
        Some(FileContent::Absent(_)) | None => return Outcome::Failed,
    };
    let analysis = Analysis::new(loaded.host.snapshot());
    let edits = analysis.formatting(file).expect("nothing changes while the command runs");
    if edits.is_empty() {
        return Outcome::Clean;
    }
    if check {
        print(format!("{} is not formatted\n", shown(file)));
        return Outcome::Found;
    }
    match path_of(file).map(|path| replace(&path, &apply(text, &edits))) {
        Some(Ok(())) => {
            print(format!("{} formatted\n", shown(file)));
            Outcome::Clean
        }
        Some(Err(error)) => {
            complain(format!("{}: {}", shown(file), plain(&error)));
            Outcome::Failed
        }
        None => Outcome::Failed,
    }
}

/// Formats standard input to standard output. Nothing is written of a text that
/// cannot be read: who pipes through this keeps what it has.
fn format_input(check: bool) -> Outcome {
    let mut bytes = Vec::new();
    // One byte more than is allowed tells an input without end.
    if let Err(error) = std::io::stdin().lock().take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes) {
        complain(format!("standard input: {}", plain(&error)));
        return Outcome::Failed;
    }
    let content = FileContent::from_bytes(&bytes);
    let parse = match &content {
        FileContent::Parsed(parse) => parse,
        FileContent::Unreadable(fault) => {
            complain(format!("standard input: {}", fault.reason));
            return Outcome::Failed;
        }
        FileContent::Absent(_) => return Outcome::Failed,
    };
    let edits = format(parse);
    if !check {
        print_text(&apply(&parse.text, &edits));
        Outcome::Clean
    } else if edits.is_empty() {
        Outcome::Clean
    } else {
        print("standard input is not formatted\n");
        Outcome::Found
    }
}
