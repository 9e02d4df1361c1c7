//! What is wrong with a model or a document, and what is said of it.

use super::{DATA_MODEL, LATER, MODEL, REQUIREMENT, changes_nothing, documented, edit, folder, keywright, names, read};

#[test]
fn a_model_that_does_not_parse_makes_no_documents() {
    let folder = documented();
    let here = folder.path();
    let model = read(here, "m.dynamo");
    std::fs::write(here.join("m.dynamo"), model.replace("table Bikes {", "tabl Bikes {")).unwrap();
    for (arguments, says) in [
        (&["docs", "."][..], "the documents of m.dynamo would lack it and are left as they are; `--force`"),
        (&["docs", ".", "--check"], "whether the documents of m.dynamo are current cannot be told"),
    ] {
        let run = changes_nothing(here, arguments);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(run.stderr.contains(&format!("m.dynamo:3: this does not parse: {says}")), "{}", run.stderr);
    }
    let run = keywright(here, &["docs", ".", "--force"]);
    assert_eq!(run.status, 1, "what was asked for is done, and is not whole");
    assert!(run.stdout.contains(&format!("{DATA_MODEL} renewed")), "{}", run.stdout);
    assert!(!read(here, DATA_MODEL).contains("### Bikes Table"));
    std::fs::write(here.join("m.dynamo"), model).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
}

#[test]
fn what_does_not_parse_in_an_imported_file_or_another_model_is_told_of_its_own_model() {
    let importing = format!("import \"parts/more.dynamo\"\n{MODEL}");
    let folder = folder(&[
        ("m.dynamo", importing.as_bytes()),
        ("parts/more.dynamo", b"\nentity Tram { no: }\n"),
        ("n.dynamo", LATER.as_bytes()),
    ]);
    let here = folder.path();
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.contains("parts/more.dynamo:2: this does not parse: the documents of m.dynamo"),
        "{}",
        run.stderr
    );
    let made = [format!("n.{DATA_MODEL}"), format!("n.{REQUIREMENT}")];
    assert_eq!(names(here)[2..], made, "the other model has its documents");
}

#[test]
fn faults_of_marks_that_are_left_end_with_one() {
    let folder = documented();
    let here = folder.path();
    edit(here, REQUIREMENT, "<!-- keywright:begin title -->", "");
    for arguments in [&["docs", "."][..], &["docs", ".", "--force"], &["docs", ".", "--check"]] {
        let run = keywright(here, arguments);
        assert_eq!(run.status, 1, "{arguments:?}");
        assert!(run.stderr.contains("part `title` ends here without a beginning"), "{}", run.stderr);
    }
}

#[test]
fn two_branches_that_both_made_the_documents_are_merged_by_making_them() {
    let (ours, theirs) = (documented_of("trams"), documented_of("boats"));
    let folder = documented_of("trams and boats");
    let here = folder.path();
    let made = [REQUIREMENT, DATA_MODEL].map(|name| read(here, name));
    // All of both versions stand there, as of a file that both branches added.
    for name in [REQUIREMENT, DATA_MODEL] {
        let (ours, theirs) = (read(ours.path(), name), read(theirs.path(), name));
        std::fs::write(here.join(name), format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")).unwrap();
    }
    assert_eq!(keywright(here, &["docs", ".", "--check"]).status, 1);
    let run = keywright(here, &["docs", "."]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert_eq!([REQUIREMENT, DATA_MODEL].map(|name| read(here, name)), made);
}

fn documented_of(domain: &str) -> tempfile::TempDir {
    super::documented_with(&MODEL.replace("bicycles", domain))
}

/// A document links to lines of its model.
#[test]
fn a_comment_in_the_model_makes_no_document_stale() {
    // Without a latency there is something to link to.
    let folder = documented();
    let here = folder.path();
    let link = |line: usize| format!("(m.dynamo#L{line})");
    assert!(read(here, REQUIREMENT).contains(&link(5)), "{}", read(here, REQUIREMENT));
    edit(here, "m.dynamo", "entity Bike", "// A comment.\nentity Bike");
    let check = changes_nothing(here, &["docs", ".", "--check"]);
    assert_eq!((check.status, check.stdout.as_str(), check.stderr.as_str()), (0, "", ""));
    let stale = keywright(here, &["check", ".", "--format", "json"]);
    assert!(!stale.stdout.contains("stale-document"), "{}", stale.stdout);
    let run = keywright(here, &["docs", "."]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("is up to date; the lines that it links to were renewed"), "{}", run.stdout);
    assert!(read(here, REQUIREMENT).contains(&link(6)) && !read(here, REQUIREMENT).contains(&link(5)));
    assert_eq!(changes_nothing(here, &["docs", "."]).status, 0);
}

#[test]
fn an_edited_part_is_told_with_both_ways_out() {
    let folder = documented();
    let here = folder.path();
    edit(here, DATA_MODEL, "# DynamoDB Data Model", "# My Data Model");
    for arguments in [&["docs", ".", "--check"][..], &["docs", "."]] {
        let run = changes_nothing(here, arguments);
        assert_eq!(run.status, 1);
        assert!(run.stdout.contains("to keep it, end it with `<!-- keywright:end title "), "{}", run.stdout);
        assert!(run.stdout.contains("to take what the model says, delete it with both its marks"), "{}", run.stdout);
    }
    let text = read(here, DATA_MODEL);
    let end = text.lines().find(|line| line.contains("keywright:end title")).unwrap();
    let (_, rest) = text.split_once(end).unwrap();
    std::fs::write(here.join(DATA_MODEL), rest).unwrap();
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
    assert!(read(here, DATA_MODEL).contains("# DynamoDB Data Model"));
}

#[cfg(unix)]
#[test]
fn no_copy_is_left_of_what_could_not_be_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = documented();
    let here = folder.path();
    edit(here, DATA_MODEL, "# DynamoDB Data Model", "# My Data Model");
    std::fs::set_permissions(here.join(DATA_MODEL), std::fs::Permissions::from_mode(0o444)).unwrap();
    let run = changes_nothing(here, &["docs", ".", "--force"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("permission denied"), "{}", run.stderr);
}
