//! `keywright docs` as a process: what it writes, what it leaves alone, and what it
//! says of both.

mod faults;
mod names;

use crate::support::process;

use process::{Run, folder, keywright};
use std::path::Path;

const MODEL: &str = "application A { domain \"bicycles\" scale \"s\" }
entity Bike { id: uuid @id }
table Bikes { partition key id
  item Bike }
pattern GetBike { get Bike from Bikes  rate avg 1/s, peak 2/s }
";

/// The same model after somebody worked on it.
const LATER: &str = "application A { domain \"bicycles and trams\" scale \"s\" }
entity Bike { id: uuid @id }
table Bikes { partition key id
  item Bike }
table Trams { partition key id
  item Bike }
pattern GetBike { get Bike from Bikes  rate avg 1/s, peak 2/s }
";

const REQUIREMENT: &str = "dynamodb_requirement.md";
const DATA_MODEL: &str = "dynamodb_data_model.md";

/// A folder with a model and its documents.
fn documented() -> tempfile::TempDir {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes())]);
    let run = keywright(folder.path(), &["docs", "m.dynamo"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, format!("{DATA_MODEL} written\n{REQUIREMENT} written\n"));
    folder
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Changes a file as somebody does who opens it.
fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let text = read(folder, name);
    assert!(text.contains(from), "{from:?} is in {text}");
    std::fs::write(folder.join(name), text.replacen(from, to, 1)).unwrap();
}

/// All files of a folder with what is in them: what a command changed.
fn all(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    let named =
        files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()));
    let mut all: Vec<_> = named.collect();
    all.sort();
    all
}

fn names(folder: &Path) -> Vec<String> {
    all(folder).into_iter().map(|(name, _)| name).collect()
}

/// Runs a command and asserts that it changes no file.
fn changes_nothing(folder: &Path, arguments: &[&str]) -> Run {
    let before = all(folder);
    let run = keywright(folder, arguments);
    assert_eq!(all(folder), before, "{arguments:?}");
    run
}

#[test]
fn documents_are_made_once_and_then_renewed() {
    let folder = documented();
    let here = folder.path();
    assert!(read(here, REQUIREMENT).contains("\n# DynamoDB Modeling Session\n"));
    assert!(read(here, DATA_MODEL).contains("\n# DynamoDB Data Model\n"));
    let run = changes_nothing(here, &["docs", "m.dynamo"]);
    assert_eq!((run.status, run.stdout), (0, format!("{DATA_MODEL} is up to date\n{REQUIREMENT} is up to date\n")));
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    let run = keywright(here, &["docs", "."]);
    assert_eq!((run.status, run.stdout), (0, format!("{DATA_MODEL} renewed\n{REQUIREMENT} renewed\n")));
    assert!(
        read(here, REQUIREMENT).contains("bicycles and trams") && read(here, DATA_MODEL).contains("### Trams Table")
    );
    let again = documented_with(LATER);
    for name in [REQUIREMENT, DATA_MODEL] {
        assert_eq!(read(here, name), read(again.path(), name), "as if it were made anew");
    }
    assert_eq!(names(here), [DATA_MODEL, REQUIREMENT, "m.dynamo"], "and nothing else is left");
}

fn documented_with(model: &str) -> tempfile::TempDir {
    let folder = folder(&[("m.dynamo", model.as_bytes())]);
    assert_eq!(keywright(folder.path(), &["docs", "."]).status, 0);
    folder
}

#[test]
fn what_people_write_between_the_parts_stays() {
    let folder = documented();
    let here = folder.path();
    let own = "Ask *Ada* first.\t\u{0}é🙂  \n";
    edit(here, REQUIREMENT, "<!-- keywright:begin title", &format!("{own}\n<!-- keywright:begin title"));
    std::fs::write(here.join(DATA_MODEL), format!("{}\nthe end, without a line end", read(here, DATA_MODEL))).unwrap();
    assert_eq!(changes_nothing(here, &["docs", "."]).status, 0);
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    let requirement = read(here, REQUIREMENT);
    assert!(requirement.starts_with(own) && requirement.contains("bicycles and trams"), "{requirement}");
    assert!(read(here, DATA_MODEL).ends_with("\nthe end, without a line end"));
    assert!(read(here, DATA_MODEL).contains("### Trams Table"));
}

#[test]
fn check_says_which_documents_are_current_and_changes_nothing() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes())]);
    let here = folder.path();
    let check = || changes_nothing(here, &["docs", "m.dynamo", "--check"]);
    let missing = check();
    let says = |name: &str| format!("{name} is missing: `keywright docs` makes it\n");
    assert_eq!((missing.status, missing.stdout), (1, says(DATA_MODEL) + &says(REQUIREMENT)));
    assert_eq!(keywright(here, &["docs", "m.dynamo"]).status, 0);
    let current = check();
    assert_eq!((current.status, current.stdout.as_str(), current.stderr.as_str()), (0, "", ""));
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    let stale = check();
    let says = |name: &str| format!("{name} is out of date: `keywright docs` renews it\n");
    assert_eq!((stale.status, stale.stdout), (1, says(DATA_MODEL) + &says(REQUIREMENT)));
    std::fs::write(here.join("m.dynamo"), MODEL).unwrap();
    edit(here, DATA_MODEL, "# DynamoDB Data Model", "# My Data Model");
    let edited = check();
    assert_eq!(edited.status, 1);
    assert!(edited.stdout.starts_with(&format!("{DATA_MODEL}:1: part `title` was edited")), "{}", edited.stdout);
    let one = changes_nothing(here, &["docs", "m.dynamo", "--check", "--only", "requirement"]);
    assert_eq!((one.status, one.stdout.as_str()), (0, ""));
    // Nor is a folder made for what is only looked at.
    assert_eq!(changes_nothing(here, &["docs", ".", "--check", "--out", "none"]).status, 1);
    assert!(!here.join("none").exists());
    assert_eq!(keywright(here, &["docs", ".", "--check", "--force"]).status, 2);
}

#[test]
fn an_edited_part_is_listed_and_stays_and_the_others_are_renewed() {
    let folder = documented();
    let here = folder.path();
    edit(here, REQUIREMENT, "# DynamoDB Modeling Session\n", "# Our Session\n\nwith a line\n");
    edit(here, REQUIREMENT, "<!-- keywright:begin title", "top\n\n<!-- keywright:begin title");
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains(&format!("{REQUIREMENT} renewed\n{REQUIREMENT}:3: part `title` was edited")),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("--force"), "{}", run.stderr);
    let text = read(here, REQUIREMENT);
    assert!(text.contains("\n# Our Session\n\nwith a line\n") && text.contains("bicycles and trams"), "{text}");
    let again = changes_nothing(here, &["docs", "."]);
    assert_eq!(again.status, 1, "until somebody decides");
    assert!(!again.stdout.contains(&format!("{REQUIREMENT} is up to date")), "{}", again.stdout);
    // What it says to write is what keeps the text.
    let kept = again.stdout.split("end it with `").nth(1).unwrap().split('`').next().unwrap();
    let end = text.lines().find(|line| line.contains("keywright:end title")).unwrap();
    edit(here, REQUIREMENT, end, kept);
    let run = changes_nothing(here, &["docs", "."]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains(&format!("{REQUIREMENT} is up to date")));
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
}

#[test]
fn a_part_of_what_the_model_no_longer_has_goes_unless_somebody_edited_it() {
    let folder = documented_with(LATER);
    let here = folder.path();
    std::fs::write(here.join("m.dynamo"), MODEL).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert!(!read(here, DATA_MODEL).contains("Trams"));
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    edit(here, DATA_MODEL, "### Trams Table\n", "### Trams Table\n\nmine\n");
    std::fs::write(here.join("m.dynamo"), MODEL).unwrap();
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("the model no longer has part `"), "{}", run.stdout);
    assert!(read(here, DATA_MODEL).contains("### Trams Table\n\nmine\n"));
}

#[test]
fn force_replaces_what_was_edited_and_keeps_it_beside() {
    let folder = documented();
    let here = folder.path();
    let made = read(here, DATA_MODEL);
    for copy in ["dynamodb_data_model.md.orig", "dynamodb_data_model.md.orig.2"] {
        edit(here, DATA_MODEL, "# DynamoDB Data Model", &format!("# {copy}"));
        let text = format!("{}\nbetween\n", read(here, DATA_MODEL));
        std::fs::write(here.join(DATA_MODEL), &text).unwrap();
        let run = keywright(here, &["docs", ".", "--force"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let says = format!("{DATA_MODEL} replaced; what stood there is in {copy}\n{REQUIREMENT} is up to date\n");
        assert_eq!(run.stdout, says);
        assert_eq!(read(here, DATA_MODEL), format!("{made}\nbetween\n"));
        assert_eq!(read(here, copy), text);
        std::fs::write(here.join(DATA_MODEL), &made).unwrap();
    }
    let run = changes_nothing(here, &["docs", ".", "--force"]);
    assert_eq!(run.status, 0, "where nothing was edited there is nothing to keep");
    assert_eq!(names(here).len(), 5);
}

#[test]
fn a_document_that_was_written_by_hand_is_never_written_over() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes()), (DATA_MODEL, b"mine\n"), (REQUIREMENT, b"")]);
    let here = folder.path();
    for arguments in [&["docs", "."][..], &["docs", ".", "--check"]] {
        let run = keywright(here, arguments);
        assert_eq!(run.status, 1);
        assert!(run.stdout.contains(&format!("{DATA_MODEL}:1: it holds a text without the marks")), "{}", run.stdout);
        assert_eq!(read(here, DATA_MODEL), "mine\n");
    }
    assert!(read(here, REQUIREMENT).contains("bicycles"), "an empty one is what an editor leaves, and filled");
    assert_eq!(keywright(here, &["docs", ".", "--force"]).status, 0);
    assert!(read(here, DATA_MODEL).contains("### Bikes Table"));
    assert_eq!(read(here, "dynamodb_data_model.md.orig"), "mine\n");
    assert_eq!(names(here).len(), 4);
}

/// It was emptied by mistake, or is not written yet.
#[test]
fn a_model_that_declares_nothing_takes_no_document_away() {
    let folder = documented();
    for text in ["", "// what comes\n"] {
        std::fs::write(folder.path().join("m.dynamo"), text).unwrap();
        let before = all(folder.path());
        for arguments in [&["docs", "."][..], &["docs", "m.dynamo"], &["docs", "--check", "."]] {
            let run = changes_nothing(folder.path(), arguments);
            assert_eq!(run.status, 1, "{arguments:?}");
            assert!(run.stderr.contains("m.dynamo declares nothing"), "{}", run.stderr);
        }
        assert_eq!(all(folder.path()), before);
    }
}

#[test]
fn only_one_of_the_documents() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes())]);
    assert_eq!(keywright(folder.path(), &["docs", ".", "--only", "data-model"]).status, 0);
    assert_eq!(names(folder.path()), [DATA_MODEL, "m.dynamo"]);
    assert_eq!(keywright(folder.path(), &["docs", ".", "--only", "requirement"]).status, 0);
    assert_eq!(names(folder.path()).len(), 3);
    assert_eq!(changes_nothing(folder.path(), &["docs", ".", "--only", "both"]).status, 2);
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let folder = documented();
    let here = folder.path();
    let text = format!("\u{feff}{}", read(here, DATA_MODEL).replace('\n', "\r\n"));
    std::fs::write(here.join(DATA_MODEL), text.trim_end()).unwrap();
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    let new = read(here, DATA_MODEL);
    assert!(new.starts_with('\u{feff}') && !new.ends_with('\n') && new.contains("### Trams Table"));
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
}

#[test]
fn what_is_no_text_is_left_alone_and_the_other_document_is_made() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes()), (DATA_MODEL, b"<!-- keywright:begin title -->\n\xff\n")]);
    let here = folder.path();
    for arguments in [&["docs", "."][..], &["docs", ".", "--check"], &["docs", ".", "--force"]] {
        let run = keywright(here, arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(&format!("{DATA_MODEL}: it is not valid UTF-8")), "{}", run.stderr);
        assert_eq!(std::fs::read(here.join(DATA_MODEL)).unwrap(), b"<!-- keywright:begin title -->\n\xff\n");
    }
    assert!(read(here, REQUIREMENT).contains("bicycles"));
    std::fs::remove_file(here.join(DATA_MODEL)).unwrap();
    std::fs::create_dir(here.join(DATA_MODEL)).unwrap();
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("it is a folder"), "{}", run.stderr);
}

#[test]
fn damaged_marks_are_told_and_what_they_enclose_stays() {
    let folder = documented();
    let here = folder.path();
    edit(here, REQUIREMENT, "<!-- keywright:begin title -->", "<!-- keywright:begin \u{1b}[31mred -->");
    edit(here, REQUIREMENT, "# DynamoDB Modeling Session", "# My Session");
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 1, "somebody has to mend them");
    assert!(run.stderr.contains("part `title` ends here without a beginning"), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'));
    let text = read(here, REQUIREMENT);
    assert!(text.contains("# My Session") && text.contains("# DynamoDB Modeling Session"), "{text}");
    let run = changes_nothing(here, &["docs", ".", "--check"]);
    assert_eq!(run.status, 1, "an old text may stand beside the new one: {}{}", run.stdout, run.stderr);
}

#[test]
fn versions_that_were_not_merged_are_not_current() {
    let folder = documented();
    let here = folder.path();
    let text = read(here, REQUIREMENT);
    let end = text.lines().find(|line| line.contains("keywright:end title")).unwrap();
    // Both branches made the part again: only the hash differs.
    let both = "<<<<<<< HEAD\n<!-- keywright:end title 0123456789abcdef -->\n=======\n<!-- keywright:end title fedcba9876543210 -->\n>>>>>>> other branch";
    edit(here, REQUIREMENT, end, both);
    assert_eq!(keywright(here, &["docs", ".", "--check"]).status, 1);
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert_eq!(read(here, REQUIREMENT), text, "the text is what the model says");
    // With another text it is not known whose it is.
    edit(here, REQUIREMENT, end, both);
    edit(here, REQUIREMENT, "# DynamoDB Modeling Session", "# A Session");
    assert_eq!(keywright(here, &["docs", "."]).status, 1);
    assert_eq!(keywright(here, &["docs", ".", "--force"]).status, 0);
    assert_eq!(read(here, REQUIREMENT), text);
    // Two versions of what stands between the parts are their reader's to merge.
    edit(here, REQUIREMENT, end, &format!("{end}\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other"));
    let run = changes_nothing(here, &["docs", ".", "--check"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("two versions that were not merged"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("m.dynamo", MODEL.as_bytes()), ("shared/aim.md", b"")]);
    let here = folder.path();
    symlink("shared/aim.md", here.join(DATA_MODEL)).unwrap();
    symlink("nowhere.md", here.join(REQUIREMENT)).unwrap();
    let mode = |name: &str| std::fs::metadata(here.join(name)).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(here.join("shared/aim.md"), std::fs::Permissions::from_mode(0o640)).unwrap();
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains(&format!("{REQUIREMENT}: it is a link that leads nowhere")), "{}", run.stderr);
    assert!(!here.join("nowhere.md").exists());
    assert!(here.join(DATA_MODEL).is_symlink() && read(here, "shared/aim.md").contains("### Bikes Table"));
    assert_eq!(mode("shared/aim.md"), 0o640);
    edit(here, "shared/aim.md", "# DynamoDB Data Model", "# Mine");
    assert_eq!(keywright(here, &["docs", ".", "--force", "--only", "data-model"]).status, 0);
    assert!(here.join(DATA_MODEL).is_symlink() && !read(here, "shared/aim.md").contains("# Mine"));
    let copy = format!("{DATA_MODEL}.orig");
    assert!(read(here, &copy).contains("# Mine"));
    assert_eq!((mode("shared/aim.md"), mode(&copy)), (0o640, 0o640), "who could not read it cannot read the copy");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_told_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = documented();
    let here = folder.path();
    let allow =
        |name: &str, mode| std::fs::set_permissions(here.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    std::fs::write(here.join("m.dynamo"), LATER).unwrap();
    allow(DATA_MODEL, 0o444);
    let before = read(here, DATA_MODEL);
    let run = keywright(here, &["docs", "."]);
    assert_eq!((run.status, run.stdout), (2, format!("{REQUIREMENT} renewed\n")));
    assert!(run.stderr.contains(&format!("{DATA_MODEL}: permission denied")), "{}", run.stderr);
    assert_eq!(read(here, DATA_MODEL), before);
    allow(DATA_MODEL, 0o644);
    // Who may do everything is not stopped by permissions.
    allow(".", 0o555);
    if std::fs::write(here.join("probe"), "").is_err() {
        let run = changes_nothing(here, &["docs", "."]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("permission denied"), "{}", run.stderr);
    }
    allow(".", 0o755);
    #[cfg(target_os = "linux")]
    {
        let run = keywright(here, &["docs", ".", "--out", "/proc"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(&format!("/proc/{DATA_MODEL}")), "{}", run.stderr);
    }
}

#[test]
fn a_file_is_no_folder_to_write_into() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes()), ("file", b"mine")]);
    for out in ["file", "file/below"] {
        for arguments in [&["docs", ".", "--out", out][..], &["docs", ".", "--out", out, "--check"]] {
            let run = changes_nothing(folder.path(), arguments);
            assert_eq!(run.stdout.lines().filter(|line| !line.contains("is missing")).count(), 0);
            assert_ne!(run.status, 0, "{arguments:?}");
            assert!(run.stderr.contains("is not a folder") || out == "file/below" && run.status == 1, "{}", run.stderr);
        }
    }
    assert_eq!(keywright(folder.path(), &["docs", ".", "--out", "new/below"]).status, 0);
    assert!(read(folder.path(), "new/below/dynamodb_requirement.md").contains("bicycles"));
    assert_eq!(names(folder.path()), ["file", "m.dynamo"]);
}

#[test]
fn several_models_in_a_folder_have_documents_of_their_own() {
    let folder = folder(&[("shop.dynamo", MODEL.as_bytes()), ("tram.dynamo", LATER.as_bytes())]);
    let here = folder.path();
    assert_eq!(keywright(here, &["docs", "tram.dynamo"]).status, 0);
    assert_eq!(
        names(here)[..],
        ["shop.dynamo", "tram.dynamo", "tram.dynamodb_data_model.md", "tram.dynamodb_requirement.md"]
    );
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert!(read(here, "shop.dynamodb_data_model.md").contains("### Bikes Table"));
    assert!(!read(here, "shop.dynamodb_data_model.md").contains("Trams"));
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
    assert_eq!(changes_nothing(here, &["docs", "none"]).status, 2);
}

#[test]
fn documents_of_models_in_many_folders_do_not_meet_in_one() {
    let apart = folder(&[("a/shop.dynamo", MODEL.as_bytes()), ("b/tram.dynamo", LATER.as_bytes())]);
    assert_eq!(keywright(apart.path(), &["docs", ".", "--out", "out"]).status, 0);
    assert!(!read(apart.path(), "out/shop.dynamodb_data_model.md").contains("Trams"));
    assert!(read(apart.path(), "out/tram.dynamodb_data_model.md").contains("Trams"));
    assert_eq!(changes_nothing(apart.path(), &["docs", ".", "--out", "out", "--check"]).status, 0);
    let same =
        folder(&[("a/m.dynamo", MODEL.as_bytes()), ("b/m.dynamo", LATER.as_bytes()), ("c/n.dynamo", MODEL.as_bytes())]);
    let run = keywright(same.path(), &["docs", ".", "--out", "out"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("several models would have this name: a/m.dynamo, b/m.dynamo"), "{}", run.stderr);
    assert_eq!(names(&same.path().join("out")), ["n.dynamodb_data_model.md", "n.dynamodb_requirement.md"]);
}

/// Where the links of a text lead, as they are written, without the line.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()?.split_once("#L"));
    targets.map(|(path, _)| path).collect()
}

#[test]
fn links_lead_to_the_model_from_wherever_the_document_stands() {
    let model = format!("import \"parts/more.dynamo\"\n{MODEL}");
    // Without a rate or a size there is something to link to.
    let more = "entity Tram { no: number @id }\npattern GetTram { get Bike from Bikes }\n";
    let folder = folder(&[("a/m.dynamo", model.as_bytes()), ("a/parts/more.dynamo", more.as_bytes())]);
    let here = folder.path();
    for (out, expected) in [
        ("a", ["m.dynamo", "parts/more.dynamo"]),
        ("out/below", ["../../a/m.dynamo", "../../a/parts/more.dynamo"]),
        ("a/parts", ["../m.dynamo", "more.dynamo"]),
    ] {
        assert_eq!(keywright(here, &["docs", "a/m.dynamo", "--out", out]).status, 0);
        for name in [REQUIREMENT, DATA_MODEL] {
            let text = read(&here.join(out), name);
            let found = links(&text);
            for link in &found {
                assert!(here.join(out).join(link).is_file(), "{out}: {link} leads nowhere");
            }
            for link in expected {
                assert!(found.contains(&link), "{out}/{name}: no link to {link} in {found:?}");
            }
        }
        assert_eq!(changes_nothing(here, &["docs", "a/m.dynamo", "--out", out, "--check"]).status, 0);
    }
    assert_eq!(keywright(here, &["docs", "a/m.dynamo"]).stdout.matches("up to date").count(), 2, "as beside it");
}

#[cfg(unix)]
#[test]
fn hostile_names_stay_in_their_place() {
    let long = format!("{}.dynamo", "l".repeat(228));
    for name in ["back\\slash.dynamo", "..\\up.dynamo", "-dash.dynamo", "a b\n🙂.dynamo", &long] {
        let below = format!("o/{name}");
        let folder = folder(&[(&below, MODEL.as_bytes()), ("o/other.dynamo", MODEL.as_bytes())]);
        let here = folder.path();
        assert_eq!(keywright(here, &["docs", "o"]).status, 0, "{name}");
        let stem = name.strip_suffix(".dynamo").unwrap();
        let document = format!("o/{stem}.{DATA_MODEL}");
        assert!(read(here, &document).contains("### Bikes Table"));
        assert_eq!(names(&here.join("o")).len(), 6, "{name}");
        std::fs::write(here.join(&below), LATER).unwrap();
        assert_eq!(keywright(here, &["docs", "o"]).status, 0, "{name}");
        assert!(read(here, &document).contains("### Trams Table"), "a name may be as long as names can be");
        assert_eq!(names(&here.join("o")).len(), 6, "{name}");
        assert_eq!(std::fs::read_dir(here).unwrap().count(), 1, "{name}");
    }
    let too_long = format!("{}.dynamo", "l".repeat(245));
    let folder = folder(&[(&too_long, MODEL.as_bytes()), ("other.dynamo", MODEL.as_bytes())]);
    let run = keywright(folder.path(), &["docs", &too_long]);
    assert_eq!(run.status, 2);
    assert_eq!(names(folder.path()).len(), 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_opened() {
    let folder = folder(&[("m.dynamo", MODEL.as_bytes())]);
    let here = folder.path();
    let pipe = std::process::Command::new("mkfifo").arg(here.join(DATA_MODEL)).status().unwrap();
    assert!(pipe.success());
    std::os::unix::fs::symlink("/dev/zero", here.join(REQUIREMENT)).unwrap();
    for arguments in [&["docs", "."][..], &["docs", ".", "--check"], &["docs", ".", "--force"]] {
        let run = keywright(here, arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert_eq!(run.stderr.matches("it is a device or a pipe, not a file").count(), 2, "{}", run.stderr);
    }
}
