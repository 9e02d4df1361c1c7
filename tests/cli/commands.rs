//! The command line, as a process: exit status, output, and what it does with
//! input that is no model.

use crate::support::process;

use process::{folder, keywright};
use std::path::Path;
use std::process::{Command, Stdio};

/// The findings of `check --format json` as "file:line:column rule".
fn findings(folder: &Path, arguments: &[&str]) -> (i32, Vec<String>) {
    let mut all = vec!["check", "--format", "json"];
    all.extend(arguments);
    let run = keywright(folder, &all);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stdout));
    assert_eq!(json["version"], 1);
    let list = json["findings"].as_array().unwrap();
    let levels = |level: &str| list.iter().filter(|f| f["level"] == level).count();
    for (level, key) in [("error", "errors"), ("warning", "warnings"), ("info", "infos"), ("hint", "hints")] {
        assert_eq!(json["summary"][key], levels(level), "{key}");
    }
    let line = |f: &serde_json::Value| {
        let start = &f["range"]["start"];
        format!("{}:{}:{} {}", f["file"].as_str().unwrap(), start["line"], start["column"], f["rule"].as_str().unwrap())
    };
    (run.status, list.iter().map(line).collect())
}

const GOOD: &[u8] = b"application A { domain \"d\" scale \"s\" }\n";

#[test]
fn the_examples_say_what_they_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let serious = |name: &str| -> Vec<String> {
        let run = keywright(root, &["check", "--format", "json", &format!("examples/{name}.dynamo")]);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let list = json["findings"].as_array().unwrap().iter();
        let serious = list.filter(|f| f["level"] == "error" || f["level"] == "warning");
        serious.map(|f| format!("{} {}", f["level"].as_str().unwrap(), f["rule"].as_str().unwrap())).collect()
    };
    assert_eq!(serious("shop"), [""; 0]);
    assert_eq!(serious("blog"), [""; 0]);
    assert_eq!(serious("school"), ["error unique-not-enforced", "warning scan-pattern"]);
}

#[test]
fn the_exit_status_follows_the_level_asked_for() {
    let folder = folder(&[
        ("warning.dynamo", b"application A { domain \"d\" scale \"s\" }\nallow scan-pattern because \"x\"\n"),
        ("error.dynamo", b"table T {\n"),
        ("good.dynamo", GOOD),
    ]);
    let status = |arguments: &[&str]| keywright(folder.path(), arguments).status;
    assert_eq!(status(&["check", "good.dynamo"]), 0);
    assert_eq!(status(&["check", "warning.dynamo"]), 0);
    assert_eq!(status(&["check", "--fail-on", "warning", "warning.dynamo"]), 1);
    assert_eq!(status(&["check", "error.dynamo"]), 1);
    assert_eq!(status(&["check", "."]), 1);
    for wrong in [&["check"][..], &["check", "none.dynamo"], &["check", "--format", "xml", "."], &["frobnicate"], &[]] {
        let run = keywright(folder.path(), wrong);
        assert_eq!(run.status, 2, "{wrong:?}");
        assert!(!run.stderr.is_empty(), "{wrong:?} says why");
    }
    assert_eq!(status(&["--help"]), 0);
    assert_eq!(status(&["--version"]), 0);
}

#[test]
fn what_cannot_be_had_silences_nothing_else() {
    let folder = folder(&[("error.dynamo", b"table T {\n"), ("empty/readme.md", b"")]);
    for missing in ["none.dynamo", "/dev/zero", "empty"] {
        let (status, found) = findings(folder.path(), &["error.dynamo", missing]);
        assert_eq!(status, 2, "{missing}");
        assert!(found.contains(&"error.dynamo:1:9 syntax-error".to_owned()), "{missing}: {found:?}");
    }
}

#[test]
fn columns_count_characters_from_one() {
    let folder = folder(&[("a.dynamo", "consideration \"é🙂\" table Tab {\n".as_bytes())]);
    assert_eq!(findings(folder.path(), &["a.dynamo"]).1[0], "a.dynamo:1:30 syntax-error");
}

#[test]
fn what_is_no_text_is_a_finding_and_the_rest_is_still_judged() {
    let large = vec![b' '; 50 * 1024 * 1024];
    let folder = folder(&[
        ("utf8.dynamo", b"// \xc3\xa9\n// \xff\ntable T {\n"),
        ("nul.dynamo", b"ab\0c"),
        ("large.dynamo", &large),
        ("other.dynamo", b"table T {\n"),
    ]);
    let (status, found) = findings(folder.path(), &["."]);
    assert_eq!(status, 1);
    for expected in [
        "utf8.dynamo:2:4 unreadable-file",
        "nul.dynamo:1:3 unreadable-file",
        "large.dynamo:1:1 unreadable-file",
        "other.dynamo:1:9 syntax-error",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
    }
    let human = keywright(folder.path(), &["check", "."]);
    assert_eq!(human.status, 1);
    assert!(human.stdout.contains("unreadable-file") && human.stdout.contains("utf8.dynamo:2:4"), "{}", human.stdout);
}

#[test]
fn a_byte_order_mark_and_crlf_are_accepted() {
    let folder = folder(&[("a.dynamo", b"\xef\xbb\xbfapplication A {\r\n  domain \"d\"\r\n  scale  \"s\"\r\n}\r\n")]);
    assert_eq!(findings(folder.path(), &["a.dynamo"]), (0, vec![]));
}

#[test]
fn deep_nesting_neither_crashes_nor_hangs() {
    let parens = "(".repeat(100_000);
    let texts = [
        format!("pattern P {{ query T where {parens}"),
        format!("pattern P {{ query T where a = :a filter {parens}b = 1{} rate 1/s }}", ")".repeat(100_000)),
        format!("entity E {{ a: {}", "list<".repeat(100_000)),
        "{".repeat(100_000),
        format!("table T {}", "{".repeat(100_000)),
        parens,
        "\"{".repeat(100_000),
        format!("table T {{ item I {{ k = \"{}\" }} }}", "{a}".repeat(100_000)),
        "entity ".repeat(50_000),
        "/// x\n".repeat(100_000),
    ];
    for text in texts {
        let folder = folder(&[("a.dynamo", text.as_bytes()), ("b.dynamo", b"table T2 {\n")]);
        for command in [&["check", "."][..], &["fmt", "."], &["docs", "."]] {
            keywright(folder.path(), command);
        }
        assert!(findings(folder.path(), &["b.dynamo"]).1.contains(&"b.dynamo:1:10 syntax-error".to_owned()));
    }
}

#[test]
fn imports_that_lead_nowhere_or_in_circles_are_clear_findings() {
    let outside = folder(&[("far.dynamo", b"entity Far { id: uuid @id }\ntable F {\n")]);
    let far = outside.path().join("far.dynamo");
    let folder = folder(&[
        ("itself.dynamo", b"import \"itself.dynamo\"\ntable T1 {\n"),
        ("folder.dynamo", b"import \"sub\"\nimport \"none.dynamo\"\nimport \"/dev/zero\"\nimport \"\"\ntable T2 {\n"),
        ("sub/x.dynamo", b"import \"y.dynamo\"\nentity X { y: uuid @of(Y) }\n"),
        ("sub/y.dynamo", b"import \"x.dynamo\"\nentity Y { x: uuid @of(X) }\n"),
        ("far.dynamo", format!("import \"{}\"\nentity Near {{ f: uuid @of(Far) }}\n", far.display()).as_bytes()),
    ]);
    let (_, found) = findings(folder.path(), &["itself.dynamo"]);
    assert!(found.contains(&"itself.dynamo:2:10 syntax-error".to_owned()), "{found:?}");
    let (_, found) = findings(folder.path(), &["folder.dynamo"]);
    let missing: Vec<&String> = found.iter().filter(|f| f.ends_with("import-not-found")).collect();
    assert_eq!(missing.len(), 4, "{found:?}");
    assert!(found.contains(&"folder.dynamo:5:10 syntax-error".to_owned()), "{found:?}");
    let (_, found) = findings(folder.path(), &["sub"]);
    assert!(!found.iter().any(|f| f.contains("unknown-name") || f.contains("import")), "a circle is fine: {found:?}");
    let (_, found) = findings(folder.path(), &["far.dynamo"]);
    assert!(!found.iter().any(|f| f.contains("unknown-name")), "{found:?}");
    assert!(
        found.iter().any(|f| f.contains("far.dynamo:2:9 syntax-error")),
        "a model is all that it imports: {found:?}"
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_files_without_permission_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("a.dynamo", b"import \"pipe\"\ntable T {\n"), ("locked.dynamo", GOOD)]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let (_, found) = findings(folder.path(), &["a.dynamo"]);
    assert!(found.contains(&"a.dynamo:1:8 import-not-found".to_owned()), "{found:?}");
    assert_eq!(keywright(folder.path(), &["check", "pipe"]).status, 2);
    let locked = folder.path().join("locked.dynamo");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything; for everybody else the file is refused.
    let expected = if std::fs::read(&locked).is_ok() { 0 } else { 2 };
    assert_eq!(keywright(folder.path(), &["check", "locked.dynamo"]).status, expected);
    // Found in a folder as well: what was not opened was not checked.
    for arguments in [
        &["check", "."][..],
        &["check", "--fix", "."],
        &["check", "--format", "json", "."],
        &["check", "--format", "sarif", "."],
        &["check", "--format", "github", "."],
        &["fmt", "--check", "."],
        &["cost", "."],
    ] {
        let run = keywright(folder.path(), arguments);
        let told = run.stderr.contains("locked.dynamo: ");
        assert!(told == (expected == 2) && (!told || run.status == 2), "{arguments:?}: {} {}", run.status, run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn what_has_the_name_of_a_model_and_cannot_be_one_is_told() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let folder = folder(&[("a.dynamo", GOOD), ("plain/readme", b"")]);
    let at = |name: &str| folder.path().join(name);
    symlink("nowhere", at("dangling.dynamo")).unwrap();
    symlink("loop.dynamo", at("loop.dynamo")).unwrap();
    // Links to folders are not followed, whatever their name.
    symlink("plain", at("folder.dynamo")).unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    let has_odd = std::fs::create_dir(&odd).and_then(|()| std::fs::write(odd.join("b.dynamo"), GOOD)).is_ok();
    for arguments in [&["check", "."][..], &["fmt", "--check", "."], &["check", "--format", "json", "."]] {
        let run = keywright(folder.path(), arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        let mut told: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("keywright: ./")).collect();
        told.sort_unstable();
        assert_eq!(told[0], "keywright: ./dangling.dynamo: it is a link that leads nowhere");
        assert!(told[1].starts_with("keywright: ./loop.dynamo: "), "{told:?}");
        assert!(!has_odd || told[2].ends_with("the path is not valid UTF-8"), "{told:?}");
        assert_eq!(told.len(), 2 + usize::from(has_odd), "{told:?}");
        let counted = ["1 file", "\"files\":1,"].iter().any(|words| run.stdout.contains(words));
        assert!(counted || arguments[0] != "check", "what is sound is judged: {}", run.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_asked_for_once() {
    use std::os::unix::fs::symlink;
    let text = b"allow get-on-index because \"later\"\n\ntable T {\n".as_slice();
    for link in ["a.dynamo", "zz.dynamo"] {
        let folder = folder(&[("m.dynamo", text)]);
        symlink("m.dynamo", folder.path().join(link)).unwrap();
        for paths in [&["."][..], &[".", link, "m.dynamo"]] {
            let (_, found) = findings(folder.path(), paths);
            assert!(!found.is_empty() && found.iter().all(|found| found.starts_with("m.dynamo:")), "{found:?}");
        }
        // Alone it is asked for by the name that was given.
        assert!(findings(folder.path(), &[link]).1.iter().all(|found| found.starts_with(link)));
        let run = keywright(folder.path(), &["check", "--fix", "--unsafe", "."]);
        assert!(run.status == 1 && run.stderr.is_empty(), "{}", run.stderr);
    }
}

#[test]
fn settings_are_no_model() {
    let folder = folder(&[("keywright.toml", b"style = \"aggregate\"\n"), ("a.dynamo", GOOD)]);
    for command in ["check", "fmt", "cost", "docs", "verify"] {
        let run = keywright(folder.path(), &[command, "keywright.toml"]);
        assert_eq!(run.status, 2, "{command}");
        assert!(run.stderr.contains("it holds settings and is no model"), "{command}: {}", run.stderr);
    }
}

#[test]
fn a_name_of_a_rule_is_never_guessed_and_a_pointer_is_given() {
    let text = b"allow hot because \"for now\"\n\napplication A { domain \"d\" scale \"s\" }\n";
    let folder = folder(&[("a.dynamo", text), ("b.dynamo", b"allow xyzzy because \"for now\"\n")]);
    let run = keywright(folder.path(), &["check", "--fix", "--unsafe", "."]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("`keywright rules` lists them") && !run.stdout.contains("declare it"),
        "{}",
        run.stdout
    );
    assert_eq!(std::fs::read(folder.path().join("a.dynamo")).unwrap(), text);
}

#[test]
fn a_shared_file_is_judged_in_the_models_that_use_it() {
    let folder = folder(&[
        ("keywright.toml", b""),
        ("models/a.dynamo", b"import \"../lib/shared.dynamo\"\nentity Owner { id: uuid @id }\n"),
        ("lib/shared.dynamo", b"entity Thing { owner: uuid @of(Owner) }\n"),
    ]);
    let (_, found) = findings(folder.path(), &["lib/shared.dynamo"]);
    assert!(!found.iter().any(|f| f.ends_with("unknown-name")), "{found:?}");
}

#[test]
fn fmt_changes_white_space_and_says_what_it_did() {
    let folder = folder(&[("a.dynamo", b"entity A{\n id:   uuid @id\n name: string // n\n}"), ("bad.dynamo", b"a\0b")]);
    let check = keywright(folder.path(), &["fmt", "--check", "a.dynamo"]);
    assert_eq!((check.status, check.stdout.contains("a.dynamo")), (1, true));
    let read = || std::fs::read_to_string(folder.path().join("a.dynamo")).unwrap();
    assert_eq!(read(), "entity A{\n id:   uuid @id\n name: string // n\n}", "--check changes nothing");
    assert_eq!(keywright(folder.path(), &["fmt", "a.dynamo"]).status, 0);
    assert_eq!(read(), "entity A {\n  id:   uuid @id\n  name: string // n\n}\n");
    assert_eq!(keywright(folder.path(), &["fmt", "--check", "a.dynamo"]).status, 0);
    assert_eq!(keywright(folder.path(), &["fmt", "bad.dynamo"]).status, 2);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "no draft is left: {left:?}");
}

/// Runs `fmt` on standard input.
fn piped(arguments: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    use std::io::Write;
    let mut child = Command::new("timeout")
        .arg("120")
        .arg(env!("CARGO_BIN_EXE_keywright"))
        .arg("fmt")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // It may refuse to read on.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn fmt_formats_what_is_piped_through_it() {
    let bad = "\u{feff}// \u{1b}[31m é🙂\r\nentity A{\r\n id:   uuid @id\r\n  b: %%  x\r\n}";
    let good = "\u{feff}// \u{1b}[31m é🙂\r\nentity A {\r\n  id: uuid @id\r\n  b: %%  x\r\n}\r\n";
    let out = |text: &str| (0, text.as_bytes().to_vec(), String::new());
    assert_eq!(piped(&["-"], bad.as_bytes()), out(good));
    assert_eq!(piped(&["-"], good.as_bytes()), out(good));
    assert_eq!(piped(&["-"], b""), out(""));
    let long = "entity A { a:  string }\n".repeat(50_000);
    let (status, stdout, _) = piped(&["-"], long.as_bytes());
    assert!(status == 0 && stdout == long.replace("  ", " ").as_bytes(), "more than a pipe holds");
    assert_eq!(piped(&["--check", "-"], good.as_bytes()), out(""));
    assert_eq!(
        piped(&["--check", "-"], bad.as_bytes()),
        (1, b"standard input is not formatted\n".to_vec(), String::new())
    );
    for unreadable in [&b"entity A\xff{ }"[..], b"a\0b"] {
        let (status, stdout, stderr) = piped(&["-"], unreadable);
        assert_eq!((status, stdout.len()), (2, 0), "nothing is written in its place");
        assert!(stderr.starts_with("keywright: standard input: it "), "{stderr}");
    }
    let (status, stdout, stderr) = piped(&["-", "a.dynamo"], b"entity A { }");
    assert_eq!((status, stdout.len()), (2, 0));
    assert!(stderr.contains("`-` is standard input"), "{stderr}");
}

#[test]
fn explain_prints_pages_and_suggests() {
    for words in ["settings", "configuration", "thresholds", "quotas", "levels", "keywright.toml"] {
        let run = keywright(Path::new("."), &["explain", words]);
        assert!(run.status == 0 && run.stdout.starts_with("# Settings"), "{words}: {}", run.stderr);
    }
    let here = Path::new(".");
    for name in ["missing-key-value", "gsi", "sparse index"] {
        let run = keywright(here, &["explain", name]);
        assert_eq!(run.status, 0, "{name}");
        assert!(run.stdout.len() > 400, "{name}");
    }
    let run = keywright(here, &["explain", "mising-key-value"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("missing-key-value"), "{}", run.stderr);
}

#[test]
fn explain_suggests_a_page_once_and_lists_them_all() {
    let here = Path::new(".");
    let mut suggested = 0;
    for wrong in ["scal", "scna", "quer", "index", "gsii", "partition", "sort", "tabl", "entit", "transact"] {
        let run = keywright(here, &["explain", wrong]);
        let names = run.stderr.split_once("did you mean ").map_or("", |(_, names)| names.trim().trim_end_matches('?'));
        let pages: Vec<String> = names
            .split(", ")
            .filter(|name| !name.is_empty())
            .map(|name| keywright(here, &["explain", name]).stdout)
            .collect();
        let mut unique = pages.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), pages.len(), "{wrong}: {names}");
        suggested += pages.len();
    }
    assert!(suggested > 10, "{suggested}");

    let run = keywright(here, &["explain"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = 0;
    for folder in ["docs/rules", "docs/concepts"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().to_str().unwrap().strip_suffix(".md").unwrap().to_owned();
            let lines = run.stdout.lines().filter(|line| line.split_whitespace().next() == Some(&name)).count();
            assert_eq!(lines, usize::from(name != "README"), "{name}: {}", run.stdout);
            pages += lines;
        }
    }
    assert!(pages > 50, "{pages}");
}

/// A full disk behind the standard output is a fault, a reader that has gone is
/// none.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    let folder = folder(&[("a.dynamo", b"table T {\n"), ("b.dynamo", b"entity A{}")]);
    let commands: [&[&str]; 8] = [
        &["check", "a.dynamo"],
        &["check", "--format", "json", "a.dynamo"],
        &["fmt", "--check", "b.dynamo"],
        &["docs", "b.dynamo"],
        &["explain", "gsi"],
        &["explain"],
        &["--help"],
        &["--version"],
    ];
    for arguments in commands {
        let run = |stdout: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
            command.args(arguments).current_dir(folder.path()).stdin(Stdio::null()).stdout(stdout);
            let output = command.output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (status, said) = run(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into());
        assert_eq!(status, Some(2), "{arguments:?}");
        assert!(said.contains("standard output"), "{arguments:?}: {said}");
        let usual = run(Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(writer.into()), usual, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn of_what_cannot_be_read_there_is_no_summary() {
    let folder = folder(&[("empty/readme.md", b""), ("good.dynamo", GOOD)]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("nowhere", folder.path().join("dangling.dynamo")).unwrap();
    for nothing in ["pipe", "dangling.dynamo", "none.dynamo", "empty", "/dev/zero"] {
        let run = keywright(folder.path(), &["check", nothing]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{nothing}");
        assert!(run.stderr.contains(nothing), "{nothing}: {}", run.stderr);
        assert_eq!(findings(folder.path(), &[nothing]), (2, vec![]), "programs get their object");
        let run = keywright(folder.path(), &["check", nothing, "good.dynamo"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, "no findings in 1 file\n"), "{nothing}");
    }
}

#[test]
fn the_readmes_model_is_sound_and_formatted() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> = readme.split("```dynamo\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let folder = folder(&[("notes.dynamo", block.as_bytes())]);
        assert_eq!(findings(folder.path(), &["--fail-on", "warning", "notes.dynamo"]), (0, vec![]));
        let run = keywright(folder.path(), &["fmt", "--check", "notes.dynamo"]);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""));
        let wrong = block.replace("user_id = :user_id", "note_id = :note_id");
        assert_ne!(wrong, block, "the README proposes this change");
        std::fs::write(folder.path().join("notes.dynamo"), wrong).unwrap();
        assert_eq!(keywright(folder.path(), &["check", "notes.dynamo"]).status, 1);
    }
}

/// Whoever connects an editor has the program, and perhaps nothing else.
#[test]
fn the_help_of_lsp_says_what_a_client_needs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = keywright(root, &["lsp", "--help"]);
    assert_eq!(run.status, 0);
    for needed in ["standard input and output", "*.dynamo", "language id `dynamo`", "Root", "`keywright`", "UTF-8"] {
        assert!(run.stdout.contains(needed), "it lacks {needed}:\n{}", run.stdout);
    }
    let page = std::fs::read_to_string(root.join("docs/clients.md")).unwrap();
    assert!(run.stdout.contains("docs/clients.md"), "{}", run.stdout);
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("### `")).collect();
    assert!(commands.len() > 3, "the page names the commands");
    for command in commands.iter().map(|line| line.trim_end_matches('`')) {
        assert!(run.stdout.contains(command), "it lacks {command}:\n{}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 88), "{}", run.stdout);
}
