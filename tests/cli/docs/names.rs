//! Whose a document is, and under which name it stands.

use super::{
    DATA_MODEL, LATER, MODEL, REQUIREMENT, all, changes_nothing, documented, edit, folder, keywright, names, read,
};

#[test]
fn a_document_says_which_model_it_is_of() {
    let folder = documented();
    let here = folder.path();
    for name in [REQUIREMENT, DATA_MODEL] {
        assert!(read(here, name).contains("\nMade by Keywright from [m.dynamo](m.dynamo).\n"));
    }
    assert_eq!(keywright(here, &["docs", ".", "--out", "o p"]).status, 0);
    assert!(
        read(here, &format!("o p/{DATA_MODEL}")).contains("\nMade by Keywright from [../m.dynamo](../m.dynamo).\n")
    );
}

#[test]
fn a_file_that_declares_nothing_is_no_model_that_would_change_names() {
    let folder = documented();
    let here = folder.path();
    let before = read(here, REQUIREMENT);
    for text in ["", "// notes, not a model\n", "ent"] {
        std::fs::write(here.join("notes.dynamo"), text).unwrap();
        for arguments in [&["docs", "."][..], &["docs", ".", "--check"], &["docs", "m.dynamo", "--check"]] {
            let run = keywright(here, arguments);
            assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{text:?}: {}", run.stdout);
        }
        assert_eq!(read(here, REQUIREMENT), before);
        assert_eq!(names(here).len(), 4, "{text:?}");
    }
}

#[test]
fn a_document_follows_the_name_that_it_has_in_its_folder() {
    let folder = documented();
    let here = folder.path();
    let note = "\nours, between the parts\n";
    std::fs::write(here.join(REQUIREMENT), read(here, REQUIREMENT) + note).unwrap();
    // Another model comes into the folder.
    std::fs::write(here.join("tram.dynamo"), LATER).unwrap();
    let check = changes_nothing(here, &["docs", "m.dynamo", "--check"]);
    assert_eq!(check.status, 1);
    let says = |old: &str| format!("m.{old} is missing: {old} stands there, which is its former name");
    assert!([REQUIREMENT, DATA_MODEL].iter().all(|old| check.stdout.contains(&says(old))), "{}", check.stdout);
    let run = keywright(here, &["docs", "."]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains(&format!("{REQUIREMENT} is m.{REQUIREMENT} now\n")), "{}", run.stdout);
    let documents = [format!("m.{DATA_MODEL}"), format!("m.{REQUIREMENT}")];
    let others = [format!("tram.{DATA_MODEL}"), format!("tram.{REQUIREMENT}")];
    let models = ["m.dynamo".to_owned(), "tram.dynamo".to_owned()];
    let mut expected: Vec<String> = documents.into_iter().chain(others).chain(models).collect();
    expected.sort();
    assert_eq!(names(here), expected);
    assert!(read(here, &format!("m.{REQUIREMENT}")).ends_with(note));
    // It goes again, and its documents too.
    for name in ["tram.dynamo".to_owned(), format!("tram.{DATA_MODEL}"), format!("tram.{REQUIREMENT}")] {
        std::fs::remove_file(here.join(name)).unwrap();
    }
    assert_eq!(keywright(here, &["docs", "."]).status, 0);
    assert_eq!(names(here), [DATA_MODEL, REQUIREMENT, "m.dynamo"]);
    assert!(read(here, REQUIREMENT).ends_with(note));
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
}

#[test]
fn a_document_that_stands_twice_is_told_until_one_is_deleted() {
    let folder = documented();
    let here = folder.path();
    std::fs::copy(here.join(REQUIREMENT), here.join(format!("m.{REQUIREMENT}"))).unwrap();
    for arguments in [&["docs", "."][..], &["docs", ".", "--check"]] {
        let run = changes_nothing(here, arguments);
        assert_eq!(run.status, 1);
        let says = format!("m.{REQUIREMENT} stands beside {REQUIREMENT}, which is the same document");
        assert!(run.stderr.contains(&says), "{}", run.stderr);
    }
    std::fs::remove_file(here.join(format!("m.{REQUIREMENT}"))).unwrap();
    assert_eq!(changes_nothing(here, &["docs", ".", "--check"]).status, 0);
    // What somebody wrote under such a name is theirs.
    std::fs::write(here.join(format!("m.{REQUIREMENT}")), "mine\n").unwrap();
    let run = changes_nothing(here, &["docs", "."]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn the_documents_of_one_model_do_not_become_those_of_another() {
    let folder = folder(&[("a/m.dynamo", MODEL.as_bytes()), ("b/m.dynamo", LATER.as_bytes())]);
    let here = folder.path();
    let out = here.join("o");
    assert_eq!(keywright(here, &["docs", "a", "--out", "o"]).status, 0);
    let before = all(&out);
    for more in [&[][..], &["--check"], &["--force"]] {
        let run = keywright(here, &[&["docs", "b", "--out", "o"], more].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{more:?}");
        assert!(run.stderr.contains("it is the document of a/m.dynamo and is left as it is"), "{}", run.stderr);
        assert_eq!(all(&out), before, "{more:?}");
    }
    // A model that was renamed is the same.
    std::fs::rename(here.join("a/m.dynamo"), here.join("a/shop.dynamo")).unwrap();
    assert_eq!(keywright(here, &["docs", "a", "--out", "o"]).status, 0);
    assert!(read(&out, REQUIREMENT).contains("(../a/shop.dynamo)"));
}

#[test]
fn documents_made_together_are_renewed_one_by_one() {
    let folder = folder(&[("a/shop.dynamo", MODEL.as_bytes()), ("b/tram.dynamo", LATER.as_bytes())]);
    let here = folder.path();
    assert_eq!(keywright(here, &["docs", ".", "--out", "o"]).status, 0);
    let before = names(&here.join("o"));
    assert_eq!(changes_nothing(&here.join("o"), &["docs", "../a", "--out", ".", "--check"]).status, 0);
    edit(here, "a/shop.dynamo", "bicycles", "scooters");
    let run = keywright(here, &["docs", "a", "--out", "o"]);
    assert_eq!((run.status, names(&here.join("o"))), (0, before), "{}", run.stdout);
    assert!(read(&here.join("o"), &format!("shop.{REQUIREMENT}")).contains("scooters"));
    // Made alone first, one gets its model's name when the other comes.
    assert_eq!(keywright(here, &["docs", "a", "--out", "p"]).status, 0);
    assert_eq!(keywright(here, &["docs", ".", "--out", "p"]).status, 0);
    assert_eq!(names(&here.join("p")), names(&here.join("o")));
}
