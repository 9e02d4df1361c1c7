//! Whole sessions over the real process: everything that an editor does, in an
//! order that chance makes, as three editors really announce themselves. Every
//! answer is held against the text that it is for, and now and then all that is
//! shown against what a fresh server says.
//!
//! A failure names its seed: `KEYWRIGHT_SEED` runs that session again, and
//! `KEYWRIGHT_STEPS` makes sessions longer or shorter.

mod answers;
mod clients;
mod editor;
mod random;
mod requests;
mod steps;
mod text;
mod truth;
mod typing;
mod wire;

use crate::support::shapes::shapes;
use clients::Habits;
use editor::{Editor, uri_of_path};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// So many steps are made between two comparisons with a fresh server.
const BETWEEN: usize = 100;

/// What is held is looked at after so many steps. It rises by 5 % from the first
/// times to the last of twenty thousand steps, and levels off.
const A_PART: usize = 2_500;

const SEED: u64 = 20_260_105;

/// The files of every session: a model in three files with everything at once in
/// it, one with the ends of lines of another system, one with a name that has to
/// be encoded, and one that stands outside the workspace.
fn files(base: &Path) -> Vec<(String, String)> {
    let files = [
        ("w/school.dynamo", include_str!("../../../examples/school.dynamo").to_owned()),
        ("w/sub folder/é 🙂.dynamo", include_str!("../../../examples/blog.dynamo").replace('\n', "\r\n")),
        (
            "w/sub/d.dynamo",
            "import \"../b.dynamo\"\nimport \"none.dynamo\"\nentity Own { own_id: string @id }\n\
             // é 🙂\npattern Mine { reads Own, Student, Nobody\n  rate 1/s }\n"
                .to_owned(),
        ),
        ("w/keywright.toml", "[levels]\nmissing-latency = \"off\"\n".to_owned()),
        ("w/sub/keywright.toml", "[levels]\nno-such-rule = \"off\"\n".to_owned()),
        (
            "other/e.dynamo",
            "import \"../w/a.dynamo\"\nentity Far { far_id: string @id }\npattern P { reads Far, Nobody }\n".to_owned(),
        ),
    ];
    let shapes = shapes(include_str!("../../../examples/gallery/arcade.dynamo"));
    let (_, three) = shapes.iter().find(|(name, _)| *name == "in three files, all at once").expect("it has that shape");
    let three = three.texts.iter().map(|(key, text)| (format!("w/{}", key.file_name()), text.clone()));
    files
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text))
        .chain(three)
        .map(|(name, text)| (uri_of_path(&base.join(name)), text))
        .collect()
}

/// A number from the environment.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}

fn session(habits: Habits, steps: usize) {
    // Of a program that is not in the system's cache less is mapped at first.
    std::fs::read(env!("CARGO_BIN_EXE_keywright")).expect("the program can be read");
    let seed = number("KEYWRIGHT_SEED").unwrap_or(SEED);
    let steps = number("KEYWRIGHT_STEPS").map_or(steps, |steps| steps as usize);
    eprintln!("{}: KEYWRIGHT_SEED={seed} KEYWRIGHT_STEPS={steps}", habits.name);
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().canonicalize().expect("it is there");
    let initial = files(&base);
    for (uri, text) in &initial {
        let path = editor::path_of(uri);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    }
    let folders = vec![uri_of_path(&base.join("w"))];
    let mut editor = Editor::start(habits, &base, folders, seed);
    editor.disk = initial.iter().map(|(uri, text)| (uri.clone(), text.as_str().into())).collect();

    let mut sizes = Vec::new();
    let parts = (steps / A_PART).max(4);
    for part in 1..=parts {
        for step in 0..steps / parts {
            editor.go(&initial);
            if step % BETWEEN == BETWEEN - 1 {
                editor.settle();
            }
        }
        let size = at_rest(&mut editor, &initial);
        eprintln!("{} kB and {} threads after part {part}", size.0, size.1);
        assert!(size.1 <= MOST_THREADS, "{} threads", size.1);
        sizes.push(size.0);
    }
    // How much of a page is in use is chance, and one look may find a tenth more than
    // the next: what leaks is there at every look, so that the least of each half counts.
    let least = |sizes: &[u64]| sizes.iter().copied().min().expect("there are parts");
    let (early, late) = sizes.split_at(parts / 2);
    let (early, late) = (least(early), least(late));
    // What a session holds depends on where it is, and not on how long it is. The
    // first part of a short one is still filling what is filled once.
    let more = if steps / parts >= A_PART { early / 8 } else { early / 4 + 8_192 };
    assert!(late <= early + more, "{early} kB became {late} kB: {sizes:?}");
    eprintln!("{:#?}", editor.said);
    editor.finish();
}

/// Two that do the work, those that wait for input, output and the queue, and
/// those that answer.
const MOST_THREADS: usize = 2 + 4 + 16;

/// What the process holds when all is as it was in the beginning.
fn at_rest(editor: &mut Editor, initial: &[(String, String)]) -> (u64, usize) {
    for uri in editor.buffers.keys().cloned().collect::<Vec<_>>() {
        editor.close(&uri);
    }
    for uri in editor.disk.keys().cloned().collect::<Vec<_>>() {
        if !initial.iter().any(|(other, _)| *other == uri) {
            editor.delete(&uri, true);
        }
    }
    for (uri, text) in initial {
        editor.write(uri, text, true);
    }
    for (uri, text) in initial.iter().filter(|(uri, _)| uri.ends_with(".dynamo")) {
        editor.open(uri, text);
    }
    editor.settle();
    // Who has nothing to do for a second gives memory back.
    std::thread::sleep(Duration::from_millis(1_500));
    let size = editor.size();
    let (first, others) = initial.split_first().expect("there are files");
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": first.0}}));
    for (uri, _) in others.iter().filter(|(uri, _)| uri.ends_with(".dynamo")) {
        editor.close(uri);
    }
    size
}

impl Editor {
    #[cfg(target_os = "linux")]
    fn size(&self) -> (u64, usize) {
        self.wire.size()
    }

    #[cfg(not(target_os = "linux"))]
    fn size(&self) -> (u64, usize) {
        (0, 0)
    }
}

#[test]
fn a_session_as_visual_studio_code() {
    session(Habits::vscode(), 400);
}

#[test]
fn a_session_as_neovim() {
    session(Habits::neovim(), 400);
}

#[test]
fn a_session_as_helix() {
    session(Habits::helix(), 400);
}

#[test]
#[ignore = "takes long without optimisation"]
fn twenty_thousand_steps_as_visual_studio_code() {
    session(Habits::vscode(), 20_000);
}

#[test]
#[ignore = "takes long without optimisation"]
fn twenty_thousand_steps_as_neovim() {
    session(Habits::neovim(), 20_000);
}

#[test]
#[ignore = "takes long without optimisation"]
fn twenty_thousand_steps_as_helix() {
    session(Habits::helix(), 20_000);
}
