//! `keywright verify` from outside: what it prints, and how it ends.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn verify(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    command.current_dir(folder).arg("verify").args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

const MODEL: &str = "entity User { id: uuid @id name: string @size(20B) age: number }
table Users { partition key id item User }
pattern Read { get User from Users }
pattern Find { scan Users filter age in (AGES) }
pattern Search { external \"a search engine\" because \"full text\" }
";

fn model(ages: usize) -> String {
    let ages: Vec<String> = (0..ages).map(|age| age.to_string()).collect();
    MODEL.replace("AGES", &ages.join(", "))
}

#[test]
fn a_model_that_agrees_ends_with_0_and_says_what_was_run() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.dynamo"), model(3)).unwrap();
    for path in ["m.dynamo", "."] {
        let output = verify(folder.path(), &[path]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        for part in [
            "m.dynamo on dynoxide",
            "✓ get User Users: 12 calls",
            "12 User",
            "Users: 6 units",
            "- Search: not run",
            "requests of the documents: 2 of 2 accepted",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(shown.ends_with("2 operations as predicted\n"), "{shown}");
        assert_eq!(text(&output.stderr), "", "a progress bar is for terminals");
    }
}

#[test]
fn json_holds_the_whole_report() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.dynamo"), model(3)).unwrap();
    let output = verify(folder.path(), &["m.dynamo", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (&report["version"], &report["model"], &report["agrees"]),
        (&1.into(), &"m.dynamo".into(), &true.into())
    );
    let read = &report["patterns"][0]["operations"][0];
    assert_eq!((&read["verdict"], &read["calls"]), (&"agrees".into(), &12.into()));
    assert_eq!((&read["expected"]["User"], &read["returned"]["User"]), (&12.into(), &12.into()));
    assert_eq!((&read["units"][0]["predicted"], &read["units"][0]["measured"]), (&6.0.into(), &6.0.into()));
    assert_eq!((&read["steps"][0]["items"], &read["steps"][0]["units"]["Users"]), (&1.0.into(), &0.5.into()));
    assert_eq!(report["entities"][0]["items"], 12);
    assert_eq!(report["members"][0]["bytes"], 12 * (2 + 36 + 4 + 20 + 3 + 8));
    assert_eq!(report["patterns"][2]["skipped"], "it is answered outside DynamoDB");
}

#[test]
fn a_disagreement_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    // An expression of more than 4 KB is refused (L19), and no rule speaks of it.
    std::fs::write(folder.path().join("m.dynamo"), model(700)).unwrap();
    let output = verify(folder.path(), &["m.dynamo"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(shown.contains("✗ scan Users") && shown.contains("not accepted: ValidationException"), "{shown}");
    assert!(shown.ends_with("1 operation as predicted, 1 otherwise\n"), "{shown}");
}

#[test]
fn what_cannot_be_run_ends_with_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.dynamo"), model(3)).unwrap();
    std::fs::write(folder.path().join("b.dynamo"), model(3).replace("from Users", "from Usrs")).unwrap();
    for (arguments, words) in [
        (["."].as_slice(), "holds several models; name one: a.dynamo, b.dynamo"),
        (&["none.dynamo"], "none.dynamo"),
        (&["b.dynamo"], "unknown-name"),
    ] {
        let output = verify(folder.path(), arguments);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}
