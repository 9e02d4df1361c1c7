//! `keywright fmt`.

use super::load::{self, Around, Loaded, plain, shown};
use super::write::replace;
use super::{Outcome, complain, print};
use crate::ide::{Analysis, apply};
use crate::model::files::{FileContent, FileKey};
use crate::vfs::path_of;
use std::path::PathBuf;

pub(super) fn run(paths: &[PathBuf], check: bool) -> Outcome {
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
