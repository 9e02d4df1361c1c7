//! Ten thousand edits of one file: memory, threads and rest afterwards.

use std::{path::Path, process::Command, thread, time::Duration};

use super::{figures::Figures, models, script};
use crate::project::Project;

/// What a long session needed.
pub struct Endurance {
    pub edits: usize,
    /// Kilobytes after a tenth of the edits, and after all.
    pub early: u64,
    pub late: u64,
    /// Threads, likewise.
    pub threads: (u64, u64),
    /// Seconds that it computed in the second second after the last edit.
    pub at_rest: f64,
}

/// The lines of the file that is edited.
const LINES: usize = 5_000;

pub fn run(project: &Project, keywright: &Path, edits: usize) -> Result<Endurance, String> {
    eprintln!("{edits} edits of {LINES} lines");
    let model = models::dynamo(LINES);
    let folder = project.scratch("bench/endurance")?;
    script::write(&folder, &model)?;
    let mut figures = Figures::default();
    let mut command = Command::new(keywright);
    let mut session = script::opened(command.arg("lsp"), &folder, &model, "dynamo", &mut figures)?;
    let mut type_on = |session: &mut script::Session, edits: usize| -> Result<(u64, u64), String> {
        for _ in 0..edits / 2 {
            session.edit(&model.open.breaks, true, &mut figures)?;
            session.edit(&model.open.breaks, false, &mut figures)?;
        }
        // Who has nothing to do for a second gives memory back.
        thread::sleep(Duration::from_millis(1_500));
        let client = session.client();
        client.resident().zip(client.threads()).ok_or_else(|| "the system does not say what it holds".to_owned())
    };
    let first = type_on(&mut session, edits / 10)?;
    let last = type_on(&mut session, edits - edits / 10)?;
    let computed = |session: &script::Session| session.client().computed().unwrap_or(0.0);
    session.edit(&model.open.breaks, true, &mut figures)?;
    session.edit(&model.open.breaks, false, &mut figures)?;
    thread::sleep(Duration::from_secs(1));
    let before = computed(&session);
    thread::sleep(Duration::from_secs(1));
    let at_rest = computed(&session) - before;
    session.finish();
    Ok(Endurance { edits, early: first.0, late: last.0, threads: (first.1, last.1), at_rest })
}
