//! Files and folders that get other names, and the imports that follow them.

use crate::support::editor::fixture;
use keywright::ide::apply;
use keywright::model::files::FileKey;

/// The lines that change, as `file: line`, when these files are renamed.
fn renamed(text: &str, moves: &[(&str, &str)]) -> Vec<String> {
    let fixture = fixture(text);
    let key = |name: &&str| FileKey::new(&format!("/model/{name}"));
    let moves: Vec<(FileKey, FileKey)> = moves.iter().map(|(old, new)| (key(old), key(new))).collect();
    let change = fixture.analysis.rename_files(&moves).unwrap();
    assert!(change.creates.is_empty() && change.deletes.is_empty());
    let mut lines = Vec::new();
    for (file, edits) in &change.edits {
        let (before, after) = (fixture.text(file), apply(fixture.text(file), edits));
        let both = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
        lines.extend(both.map(|(_, after)| format!("{}: {after}", &file.as_str()["/model/".len()..])));
    }
    lines
}

const FILES: &str = r#"
//- main.dynamo
import "lib/user.dynamo" // 🙂
import "./lib/order.dynamo"
entity A { id: uuid @id }
//- lib/user.dynamo
import "order.dynamo"
import "../main.dynamo"
//- lib/order.dynamo
entity B { id: uuid @id }
"#;

#[test]
fn a_file_with_another_name_is_imported_by_it() {
    assert_eq!(
        renamed(FILES, &[("lib/order.dynamo", "lib/orders.dynamo")]),
        ["lib/user.dynamo: import \"orders.dynamo\"", "main.dynamo: import \"./lib/orders.dynamo\""]
    );
}

#[test]
fn a_file_that_moves_imports_from_where_it_is() {
    assert_eq!(
        renamed(FILES, &[("lib/user.dynamo", "user.dynamo")]),
        [
            "lib/user.dynamo: import \"lib/order.dynamo\"",
            "lib/user.dynamo: import \"main.dynamo\"",
            "main.dynamo: import \"user.dynamo\" // 🙂"
        ]
    );
    assert_eq!(
        renamed(FILES, &[("main.dynamo", "app/deep/main.dynamo")]),
        [
            "lib/user.dynamo: import \"../app/deep/main.dynamo\"",
            "main.dynamo: import \"../../lib/user.dynamo\" // 🙂",
            "main.dynamo: import \"../../lib/order.dynamo\""
        ]
    );
}

#[test]
fn files_that_move_together_keep_what_is_between_them() {
    let moves = [("lib/user.dynamo", "x/user.dynamo"), ("lib/order.dynamo", "x/order.dynamo")];
    let wanted = ["main.dynamo: import \"x/user.dynamo\" // 🙂", "main.dynamo: import \"./x/order.dynamo\""];
    assert_eq!(renamed(FILES, &moves), wanted);
    assert_eq!(renamed(FILES, &[("lib", "x")]), wanted, "as a folder");
    assert_eq!(renamed(FILES, &[("", "/elsewhere")]), [""; 0], "the folder of all of them");
}

#[test]
fn a_file_in_a_folder_that_moves_may_have_a_name_of_its_own() {
    assert_eq!(
        renamed(FILES, &[("lib", "x"), ("lib/order.dynamo", "x/o.dynamo")]),
        [
            "lib/user.dynamo: import \"o.dynamo\"",
            "main.dynamo: import \"x/user.dynamo\" // 🙂",
            "main.dynamo: import \"./x/o.dynamo\""
        ]
    );
}

#[test]
fn only_what_would_mean_another_file_is_edited() {
    assert_eq!(renamed(FILES, &[("lib/none.dynamo", "lib/other.dynamo")]), [""; 0]);
    assert_eq!(renamed(FILES, &[("lib/order.dynamo", "lib/order.dynamo")]), [""; 0]);
    // A folder's name is no part of a longer one.
    assert_eq!(renamed(FILES, &[("li", "x")]), [""; 0]);
    // What is not there may be where the file goes to.
    let text = "//- a.dynamo\nimport \"none.dynamo\"\n";
    assert_eq!(renamed(text, &[("a.dynamo", "x/a.dynamo")]), [""; 0]);
    assert_eq!(renamed(text, &[("none.dynamo", "some.dynamo")]), ["a.dynamo: import \"some.dynamo\""]);
}

#[test]
fn paths_are_written_as_they_were() {
    let text =
        "//- a.dynamo\nimport \"/model/b.dynamo\"\nimport \".\\\\b.dynamo\"\nimport \"b\\u{2e}dynamo\"\n//- b.dynamo\n";
    assert_eq!(
        renamed(text, &[("b.dynamo", "x/c \"d\".dynamo")]),
        [
            "a.dynamo: import \"/model/x/c \\\"d\\\".dynamo\"",
            "a.dynamo: import \"./x/c \\\"d\\\".dynamo\"",
            "a.dynamo: import \"x/c \\\"d\\\".dynamo\""
        ]
    );
}

#[test]
fn an_import_without_a_path_is_left_alone() {
    let text = "//- a.dynamo\nimport\nimport \"\"\nimport \"b.dynamo\n//- b.dynamo\n";
    assert_eq!(renamed(text, &[("b.dynamo", "c.dynamo")]), ["a.dynamo: import \"c.dynamo\""]);
}
