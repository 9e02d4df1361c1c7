//! What programs read: SARIF, workflow commands, the list of rules; and what
//! `check --fix` and `source.fixAll` write.

use crate::support::client::*;
use crate::support::json_schema;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

fn keywright(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env_remove("CLICOLOR_FORCE");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("it ends by itself");
    Run { status, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// An `allow` for nothing (safe to remove), a misspelt key (what nearly everybody
/// would mend), and characters of two and four bytes before both.
const FAULTY: &str = "allow get-on-index because \"é🙂 for later\"

entity Station { station_id: uuid @id name: string @size(20B) count 100 size 60B }

table Stations { partition key station_id sort key kind: string item Station { kinf = \"S\" } }

pattern AddStation { put Station into Stations rate avg 1/s, peak 2/s }

pattern Show { get Station from Stations rate avg 1/s, peak 2/s }
";

/// The log of SARIF that a check prints, valid by the schema.
fn sarif(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["check", "--format", "sarif"];
    all.extend(arguments);
    let run = keywright(folder, &all);
    let log: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    let schema: Value = serde_json::from_str(include_str!("../data/sarif-2.1.0-rtm.5.json")).unwrap();
    let errors = json_schema::errors(&schema, &log);
    assert!(errors.is_empty(), "{errors:#?}\n{log:#}");
    (run.status, log)
}

#[test]
fn sarif_is_valid_and_its_columns_count_characters() {
    let text = FAULTY;
    let line = "consideration \"é🙂\" table T {\n";
    let folder = Folder::new(&[("sub dir/ä#1.dynamo", text), ("wide.dynamo", line)]);
    let (status, log) = sarif(&folder.path(""), &["."]);
    assert_eq!(status, 1);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().unwrap();
    let of = |rule: &str| {
        results.iter().find(|result| result["ruleId"] == rule).unwrap_or_else(|| panic!("{rule}: {log:#}"))
    };
    let place = |result: &Value| result["locations"][0]["physicalLocation"].clone();
    let syntax = place(of("syntax-error"));
    assert_eq!(syntax["artifactLocation"], json!({"uri": "wide.dynamo", "uriBaseId": "%SRCROOT%"}));
    assert_eq!(syntax["region"], json!({"startLine": 1, "startColumn": 28, "endLine": 1, "endColumn": 29}));
    let unknown = of("missing-key-value");
    assert_eq!(unknown["level"], "error");
    let at = place(unknown);
    assert_eq!(at["artifactLocation"]["uri"], "sub%20dir/%C3%A4%231.dynamo");
    let base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"].as_str().unwrap();
    assert!(base.starts_with("file:///") && base.ends_with('/'), "{base}");
    // The rule comes with its page, and is where the index says.
    let rule = &run["tool"]["driver"]["rules"][unknown["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!((&rule["id"], &rule["defaultConfiguration"]["level"]), (&json!("missing-key-value"), &json!("error")));
    assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# missing-key-value"));
    // Applied by its own lines and columns, the fix mends the finding.
    let change = &unknown["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"], at["artifactLocation"]);
    let replacement = &change["replacements"][0];
    let offset = |line: &Value, column: &Value| {
        let (line, column) = (line.as_u64().unwrap() as usize, column.as_u64().unwrap() as usize);
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        start + text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>()
    };
    let region = &replacement["deletedRegion"];
    let (from, to) =
        (offset(&region["startLine"], &region["startColumn"]), offset(&region["endLine"], &region["endColumn"]));
    assert_eq!(&text[from..to], "kinf");
    assert_eq!(replacement["insertedContent"]["text"], "kind");
    let unused = &of("unused-allow")["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"];
    assert_eq!((&unused["startLine"], &unused["startColumn"]), (&json!(1), &json!(1)));
    // Levels: what is worth a look is a note.
    for result in results {
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()), "{result}");
    }
}

#[test]
fn sarif_of_the_examples_is_valid_and_names_other_places() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, log) = sarif(root, &["examples"]);
    assert_eq!(status, 1);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let related = results.iter().filter(|result| result["relatedLocations"].is_array()).count();
    assert!(results.len() > 1 && related > 0, "{} {related}", results.len());
    let folder = Folder::new(&[("good.dynamo", "")]);
    let (status, log) = sarif(&folder.path(""), &["good.dynamo", "none.dynamo"]);
    assert_eq!((status, &log["runs"][0]["invocations"][0]["executionSuccessful"]), (2, &json!(false)));
    let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(told.as_str().unwrap().contains("none.dynamo"), "{log:#}");
    // Outside the folder that the command runs in an address is whole.
    let model = folder.path("good.dynamo");
    std::fs::write(&model, "table T {\n").unwrap();
    let (_, log) = sarif(root, &[model.to_str().unwrap()]);
    let artifact = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(artifact["uri"].as_str().unwrap(), folder.uri("good.dynamo"));
    assert!(artifact["uriBaseId"].is_null());
}

#[test]
fn workflow_commands_name_the_place_and_are_escaped() {
    let folder = Folder::new(&[("a,b: 100%.dynamo", FAULTY), ("open.dynamo", "consideration \"é🙂\" table T {\n")]);
    let run = keywright(&folder.path(""), &["check", "--format", "github", "."]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let command =
        |rule: &str| run.stdout.lines().find(|line| line.contains(&format!("title={rule}::"))).unwrap_or_default();
    let unknown = command("missing-key-value");
    assert!(unknown.starts_with("::error file=a%2Cb%3A 100%25.dynamo,line=5,endLine=5,col="), "{}", run.stdout);
    let open = command("syntax-error");
    assert!(open.starts_with("::error file=open.dynamo,line=1,endLine=1,col=28,endColumn=29,"), "{}", run.stdout);
    assert!(command("unused-allow").starts_with("::warning "), "{}", run.stdout);
    let last = run.stdout.lines().last().unwrap();
    assert!(last.contains("error") && !last.starts_with("::"), "{last}");
}

#[test]
fn the_rules_are_listed_with_what_can_be_set() {
    let folder = Folder::new(&[
        (
            "keywright.toml",
            "[levels]\ncost = \"off\"\nhot-partition-key = \"error\"\n[thresholds.unbounded-item]\nsize = \"250KB\"\n",
        ),
        ("sub/readme", ""),
    ]);
    let run = keywright(&folder.path("sub"), &["rules", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let rules = json["rules"].as_array().unwrap();
    assert!(rules.len() > 100, "{}", rules.len());
    let rule = |name: &str| rules.iter().find(|rule| rule["name"] == name).unwrap();
    let hot = rule("hot-partition-key");
    assert_eq!(
        (&hot["level"], &hot["default"], &hot["group"]),
        (&json!("error"), &json!("warning"), &json!("capacity"))
    );
    assert_eq!(hot["thresholds"][0]["name"], "load");
    assert_eq!((&hot["thresholds"][0]["default"], &hot["thresholds"][0]["value"]), (&json!("80%"), &json!("80%")));
    let size = &rule("unbounded-item")["thresholds"][0];
    assert_eq!((&size["default"], &size["value"]), (&json!("300KB"), &json!("250KB")));
    assert_eq!(rule("unknown-name")["fixable"], true);
    assert_eq!(rule("generic-key-name")["style"], "aggregate");
    let off = rules.iter().filter(|rule| rule["level"] == "off");
    assert!(off.clone().count() > 3 && off.clone().all(|rule| rule["group"] == "cost"), "{}", run.stdout);
    let human = keywright(&folder.path("sub"), &["rules"]);
    let line = human.stdout.lines().find(|line| line.starts_with("hot-partition-key ")).unwrap();
    assert!(line.contains("error (not warning)") && line.contains("load = 80%"), "{line}");
    assert!(human.stdout.contains("size = 250KB (not 300KB)"), "{}", human.stdout);
    folder.write("keywright.toml", "style = \"aggregate\"\nnonsense = 1\n");
    for format in ["json", "human"] {
        let run = keywright(&folder.path("sub"), &["rules", "--format", format]);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains("keywright.toml:2:1: there is no setting `nonsense`"), "{}", run.stderr);
        if format == "json" {
            let json: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(json["faults"][0]["range"]["start"], json!({"line": 2, "column": 1}));
        }
    }
}

#[test]
fn a_fault_of_the_settings_reaches_every_format() {
    let folder =
        Folder::new(&[("m.dynamo", FAULTY), ("keywright.toml", "style = \"aggregate\"\n\"é\" = 1\nregion = 7\n")]);
    let json = keywright(&folder.path(""), &["check", "--format", "json", "."]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let fault = &report["faults"][1];
    assert_eq!((json.status, &fault["file"]), (2, &json!("keywright.toml")));
    assert_eq!(fault["range"], json!({"start": {"line": 3, "column": 10}, "end": {"line": 3, "column": 11}}));
    assert!(fault["message"].as_str().unwrap().contains("`region` is a number"), "{fault}");
    let github = keywright(&folder.path(""), &["check", "--format", "github", "."]);
    let wanted = "::error file=keywright.toml,line=3,col=10,title=keywright::`region` is a number";
    assert!(github.status == 2 && github.stdout.lines().any(|line| line.starts_with(wanted)), "{}", github.stdout);
    let (status, log) = sarif(&folder.path(""), &["."]);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!((status, &invocation["executionSuccessful"]), (2, &json!(false)));
    let place = &invocation["toolExecutionNotifications"][1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"], json!({"uri": "keywright.toml", "uriBaseId": "%SRCROOT%"}));
    assert_eq!(place["region"], json!({"startLine": 3, "startColumn": 10, "endLine": 3, "endColumn": 11}));
    // Rules say what they are about in a paragraph.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let full =
        |rule: &Value| rule["fullDescription"]["text"].as_str().map(|text| text.len() > 40 && !text.contains('\n'));
    assert!(rules.iter().all(|rule| full(rule) == Some(true)), "{rules:#?}");
    // Of sound settings there is nothing to say.
    folder.write("keywright.toml", "");
    let json = keywright(&folder.path(""), &["check", "--format", "json", "."]);
    assert_eq!(serde_json::from_str::<Value>(&json.stdout).unwrap()["faults"], json!([]));
}

#[test]
fn annotations_name_files_from_the_root_of_what_was_checked_out() {
    let folder = Folder::new(&[("models/m.dynamo", FAULTY), ("models/keywright.toml", "region = 7\n")]);
    let run = |root: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
        command.args(["check", "--format", "github", "."]).current_dir(folder.path("models"));
        let output = command.env("GITHUB_WORKSPACE", root).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let root = folder.path("");
    for (workspace, file, toml) in [
        (root.to_str().unwrap(), "models/m.dynamo", "models/keywright.toml"),
        ("/somewhere/else", "m.dynamo", "keywright.toml"),
        ("", "m.dynamo", "keywright.toml"),
    ] {
        let out = run(workspace);
        assert!(out.contains(&format!("::error file={file},line=5")), "{workspace}: {out}");
        assert!(out.contains(&format!("::error file={toml},line=1,col=10")), "{workspace}: {out}");
    }
}

/// What a fix does must not depend on the order in which a program makes edits that
/// begin at one place.
#[test]
fn no_two_edits_of_a_fix_touch() {
    let model = "entity Station { station_id: uuid @id name: string @size(20B) count 100 size 60B }\n\n\
                 table Stations { partition key station_id item Station }\n\n\
                 pattern AddStation { put Station into Stations rate avg 1/s, peak 2/s }\n\n\
                 pattern Show { query Stations filter station_id = :station_id rate avg 1/s, peak 2/s }\n";
    let folder = Folder::new(&[("m.dynamo", model), ("n.dynamo", FAULTY)]);
    let (_, log) = sarif(&folder.path(""), &["."]);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "filter-on-key" && result["fixes"].is_array()), "{log:#}");
    let changes = results.iter().flat_map(|result| result["fixes"].as_array().into_iter().flatten());
    for change in changes.flat_map(|fix| fix["artifactChanges"].as_array().unwrap()) {
        let replacements = change["replacements"].as_array().unwrap();
        let place = |one: &Value, line: &str, column: &str| {
            (one["deletedRegion"][line].as_u64().unwrap(), one["deletedRegion"][column].as_u64().unwrap())
        };
        for pair in replacements.windows(2) {
            assert!(
                place(&pair[0], "endLine", "endColumn") < place(&pair[1], "startLine", "startColumn"),
                "{change:#}"
            );
        }
    }
}

#[test]
fn a_page_is_laid_out_for_people_and_left_as_it_is_for_programs() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(here.join("docs/rules/hot-partition-key.md")).unwrap();
    assert_eq!(keywright(here, &["explain", "hot-partition-key"]).stdout, page);
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    command.args(["explain", "hot-partition-key"]).env("CLICOLOR_FORCE", "1").stdin(Stdio::null());
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(shown.contains("\u{1b}[") && !shown.contains("```") && !shown.contains("## "), "{shown}");
}

#[test]
fn fix_makes_what_is_safe_and_unsafe_what_nearly_everybody_would() {
    for line_break in ["\n", "\r\n"] {
        let text = FAULTY.replace('\n', line_break);
        let folder = Folder::new(&[("a.dynamo", &text), ("b.dynamo", "// nothing\n")]);
        let read = || std::fs::read_to_string(folder.path("a.dynamo")).unwrap();
        let run = keywright(&folder.path(""), &["check", "--fix", "a.dynamo", "b.dynamo"]);
        assert_eq!(run.status, 1, "the name is still wrong: {}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.starts_with("a.dynamo: 1 fixed\n  unused-allow: Remove `allow get-on-index`\n"),
            "{}",
            run.stdout
        );
        let rest = text.split_once(&line_break.repeat(2)).unwrap().1;
        assert_eq!(read(), rest, "nothing else is touched");
        let run = keywright(&folder.path(""), &["check", "--fix", "--unsafe", "--format", "json", "."]);
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((run.status, json["summary"]["errors"].as_u64()), (0, Some(0)), "{}", run.stdout);
        assert_eq!(json["fixed"].as_array().unwrap().len(), 1, "{}", run.stdout);
        assert_eq!(json["fixed"][0]["rule"], "missing-key-value");
        assert_eq!(read(), rest.replace("kinf", "kind"));
        assert_eq!(std::fs::read_to_string(folder.path("b.dynamo")).unwrap(), "// nothing\n");
        let left: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().collect();
        assert_eq!(left.len(), 2, "no draft is left: {left:?}");
    }
    let folder = Folder::new(&[("a.dynamo", FAULTY)]);
    assert_eq!(keywright(&folder.path(""), &["check", "--unsafe", "a.dynamo"]).status, 2, "it belongs to --fix");
}

#[test]
fn fixes_that_meet_are_made_one_after_the_other() {
    // Four names of one list, of which the second is used.
    let rules = "get-on-index, scan-pattern, hot-index-key, partial-key-update";
    let text = format!(
        "allow {rules} because \"once\"\n\n{}\npattern All {{ scan Stations rate avg 1/h, peak 1/h }}\n",
        FAULTY.replace("kinf", "kind").split_once("\n\n").unwrap().1
    );
    let folder = Folder::new(&[("a.dynamo", &text)]);
    let run = keywright(&folder.path(""), &["check", "--fix", "a.dynamo"]);
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!(run.stdout.starts_with("a.dynamo: 3 fixed\n"), "{}", run.stdout);
    let fixed = std::fs::read_to_string(folder.path("a.dynamo")).unwrap();
    assert_eq!(fixed, text.replace(rules, "scan-pattern"));
}

#[test]
fn fix_changes_only_what_was_asked_for() {
    let shared =
        format!("allow get-on-index because \"x\"\n{}", "entity Line { line_id: uuid @id count 10 size 60B }\n");
    let import = format!("import \"../lib/shared.dynamo\"\n{}", FAULTY);
    let folder = Folder::new(&[("m/a.dynamo", &import), ("lib/shared.dynamo", &shared), ("m/bad.dynamo", "a\0b")]);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let run = keywright(&folder.path(""), &["check", "--fix", "--unsafe", "m"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert_eq!(read("lib/shared.dynamo"), shared, "a file that is only imported");
    assert_eq!(read("m/bad.dynamo"), "a\0b", "what cannot be read is not written");
    assert!(!read("m/a.dynamo").contains("allow") && !read("m/a.dynamo").contains("kinf"));
    // A byte order mark stays.
    let marked = format!("\u{feff}{}", FAULTY);
    std::fs::write(folder.path("m/a.dynamo"), &marked).unwrap();
    keywright(&folder.path(""), &["check", "--fix", "m/a.dynamo"]);
    assert_eq!(read("m/a.dynamo"), format!("\u{feff}{}", FAULTY.split_once("\n\n").unwrap().1));
}

#[test]
fn a_file_is_made_below_what_was_asked_for_and_nowhere_else() {
    let far = "import \"sub/new.dynamo\"\nimport \"../outside.dynamo\"\n";
    let folder = Folder::new(&[("m/a.dynamo", far)]);
    keywright(&folder.path(""), &["check", "--fix", "m"]);
    assert!(!folder.path("m/sub").exists(), "that is not safe to do unasked");
    let run = keywright(&folder.path(""), &["check", "--fix", "--unsafe", "m"]);
    assert_eq!(run.status, 1, "the other is still not there: {}", run.stdout);
    assert!(run.stdout.starts_with("m/sub/new.dynamo created\n"), "{}", run.stdout);
    assert_eq!(std::fs::read_to_string(folder.path("m/sub/new.dynamo")).unwrap(), "// Imported by a.dynamo.\n");
    assert!(!folder.path("outside.dynamo").exists());
    assert_eq!(std::fs::read_to_string(folder.path("m/a.dynamo")).unwrap(), far);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_told_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("a.dynamo", FAULTY)]);
    std::fs::set_permissions(folder.path("a.dynamo"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let run = keywright(&folder.path(""), &["check", "--fix", "a.dynamo"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("a.dynamo: permission denied"), "{}", run.stderr);
    assert!(run.stdout.contains("unused-allow"), "it is reported as it is: {}", run.stdout);
    assert_eq!(std::fs::read_to_string(folder.path("a.dynamo")).unwrap(), FAULTY);
}

#[test]
fn an_editor_fixes_everything_that_is_safe_in_one_edit() {
    let text = format!("{}\nallow hot-index-key because \"not yet\"\n", FAULTY);
    let folder = Folder::new(&[("a.dynamo", &text)]);
    let uri = folder.uri("a.dynamo");
    let mut client = Client::start(&[]);
    let said = client.initialize(able(), &[&folder.root()]);
    let kinds = &said["capabilities"]["codeActionProvider"]["codeActionKinds"];
    assert!(kinds.as_array().unwrap().contains(&json!("source.fixAll.keywright")), "{said}");
    client.open(&uri, &text);
    let mut actions = |only: Value| {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        let context = json!({"diagnostics": [], "only": only});
        let asked = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        client.ask("textDocument/codeAction", asked).as_array().unwrap().clone()
    };
    for only in ["source.fixAll", "source.fixAll.keywright", "source"] {
        let found = actions(json!([only]));
        let all: Vec<&Value> = found.iter().filter(|one| one["kind"] == "source.fixAll.keywright").collect();
        assert_eq!(all.len(), 1, "{only}: {found:?}");
        assert_eq!(all[0]["title"], "Fix what is safe to fix (2 findings)");
        let changes = &all[0]["edit"]["documentChanges"];
        assert_eq!(changes.as_array().unwrap().len(), 1, "{changes}");
        assert_eq!(changes[0]["edits"].as_array().unwrap().len(), 2, "the name is not safe: {changes}");
        assert_eq!(changes[0]["textDocument"]["version"], 1);
    }
    for only in ["source.fixAll.eslint", "quickfix", "source.organizeImports"] {
        let found = actions(json!([only]));
        assert!(found.iter().all(|one| one["kind"] != "source.fixAll.keywright"), "{only}: {found:?}");
    }
    client.finish();
}
