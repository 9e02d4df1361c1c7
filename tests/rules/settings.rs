//! `keywright.toml` as people meet it: on the command line, in the editor, and
//! in what an edit of it costs.

use crate::support::client::*;
use crate::support::json_schema;
use keywright::capacity::prices::{Priced, monthly, price_list, storage_monthly};
use keywright::config::{ConfigFile, schema};
use keywright::ide::Analysis;
use keywright::model::db::{Database, Host};
use keywright::model::defs::TableClass;
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::vocabulary::vocabulary;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// A scan of 7.5 read units, once a second: 19,440,000 units a month.
const MODEL: &str = "entity E { id: uuid @id count 1000 size 60B }
table Things { partition key id item E }
pattern Put { put E into Things rate 1/s }
pattern All { scan Things rate avg 1/s, peak 2/s }
";

/// Settings of Ireland at so many dollars a million reads.
fn ireland(read: &str) -> String {
    format!(
        "region = \"eu-west-1\"\n[prices.eu-west-1.standard]\ntaken = 2026-11-01\nsource = \"a page\"\n\
         on_demand_read_per_million = {read}\n"
    )
}

struct Run {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    command.arg("check").args(arguments).args(["--format", "json"]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// What `scan-pattern` says.
fn scan(findings: &[Value]) -> &str {
    let found = findings.iter().find(|finding| finding["rule"] == "scan-pattern" || finding["code"] == "scan-pattern");
    found.map_or("", |finding| finding["message"].as_str().unwrap())
}

fn scan_of(run: &Run) -> String {
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    scan(json["findings"].as_array().unwrap()).to_owned()
}

#[test]
fn check_prices_by_the_nearest_settings_upwards() {
    let folder = Folder::new(&[
        ("a/b/m.dynamo", MODEL),
        ("a/keywright.toml", &ireland("0.2")),
        ("keywright.toml", "region = \"us-east-1\"\n"),
        ("m.dynamo", MODEL),
        ("own/m.dynamo", &format!("application A {{ region \"us-east-1\" }}\n{MODEL}")),
        ("own/keywright.toml", &ireland("0.2")),
        ("own/eu/m.dynamo", &format!("application A {{ region \"us-west-2\" }}\n{MODEL}")),
        ("own/eu/keywright.toml", "region = \"us-east-1\""),
    ]);
    let root = folder.path("");
    let units = |run: &Run| {
        let scan = scan_of(run);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{scan}");
        scan.split("; ").nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(units(&check(&root, &["a/b/m.dynamo"])), "$0.0000015 a call and $3.89 a month at 1/s in eu-west-1");
    assert_eq!(units(&check(&root, &["m.dynamo"])), "$0.00000094 a call and $2.43 a month at 1/s in us-east-1");
    assert_eq!(units(&check(&root, &["own/m.dynamo"])), "$0.00000094 a call and $2.43 a month at 1/s in us-east-1");
    assert_eq!(units(&check(&root, &["own/eu/m.dynamo"])), "no prices of `us-west-2` are known");
    // In which folder the command runs changes nothing.
    assert!(units(&check(&folder.path("a/b"), &["m.dynamo"])).ends_with("in eu-west-1"));
}

#[test]
fn a_fault_is_told_with_its_place_and_makes_the_command_fail() {
    let toml =
        ireland("0.2").replace("on_demand_read_per_million", "storage_gb_month = -1\non_demand_read_per_million");
    let folder = Folder::new(&[("sub/m.dynamo", MODEL), ("keywright.toml", &toml), ("other/m.dynamo", MODEL)]);
    folder.write("other/keywright.toml", "nonsense = 1\n");
    let run = check(&folder.path(""), &["sub/m.dynamo"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert_eq!(run.stderr, "keywright: keywright.toml:5:20: `storage_gb_month` must not be negative\n");
    assert!(scan_of(&run).contains("$3.89 a month"), "what is sound is used: {}", run.stdout);
    // Above a folder of models counts what holds for each; each fault once.
    let run = check(&folder.path(""), &["."]);
    assert_eq!((run.status, run.stderr.lines().count()), (Some(2), 2), "{}", run.stderr);
    assert!(run.stderr.contains("other/keywright.toml:1:1: there is no setting `nonsense`"), "{}", run.stderr);
    // Formatting asks for no settings.
    let fmt = Command::new(env!("CARGO_BIN_EXE_keywright")).arg("fmt").arg(folder.path("sub")).output().unwrap();
    assert_eq!(fmt.status.code(), Some(0));
}

fn event(uri: &str, kind: u8) -> Value {
    json!({"changes": [{"uri": uri, "type": kind}]})
}

#[test]
fn a_changed_price_changes_the_finding_without_a_restart() {
    let folder = Folder::new(&[("a/m.dynamo", MODEL)]);
    let (model, toml) = (folder.uri("a/m.dynamo"), folder.uri("keywright.toml"));
    let mut client = Client::with(able(), &[&folder.root()]);
    let registration = client.next("client/registerCapability");
    let watchers = &registration["params"]["registrations"][0]["registerOptions"]["watchers"];
    assert!(watchers.as_array().unwrap().iter().any(|watcher| watcher["globPattern"] == "**/keywright.toml"));
    client.open(&model, MODEL);
    client.published_until(&model, "no region", |found| scan(found).contains("needs a `region`"));
    for (read, kind, month) in [("0.2", 1, "$3.89"), ("0.4", 2, "$7.78")] {
        folder.write("keywright.toml", &ireland(read));
        client.notify("workspace/didChangeWatchedFiles", event(&toml, kind));
        client.published_until(&model, month, |found| scan(found).contains(&format!("{month} a month")));
    }
    // One that is nearer holds alone.
    folder.write("a/keywright.toml", "region = \"us-east-1\"\n");
    client.notify("workspace/didChangeWatchedFiles", event(&folder.uri("a/keywright.toml"), 1));
    client.published_until(&model, "us-east-1", |found| scan(found).contains("us-east-1"));
    for name in ["a/keywright.toml", "keywright.toml"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    client.notify("workspace/didChangeWatchedFiles", event(&toml, 3));
    client.notify("workspace/didChangeWatchedFiles", event(&folder.uri("a/keywright.toml"), 3));
    client.published_until(&model, "no region", |found| scan(found).contains("needs a `region`"));
    client.finish();
}

#[test]
fn an_open_buffer_of_the_settings_wins_over_the_disk() {
    let folder = Folder::new(&[("m.dynamo", MODEL), ("keywright.toml", &ireland("0.2"))]);
    let (model, toml) = (folder.uri("m.dynamo"), folder.uri("keywright.toml"));
    let mut client = Client::with(pushed(), &[&folder.root()]);
    client.open(&model, MODEL);
    client.published_until(&model, "the disk's price", |found| scan(found).contains("$3.89"));
    client.open(&toml, &ireland("0.4"));
    client.published_until(&model, "the buffer's price", |found| scan(found).contains("$7.78"));
    client.change(&toml, 2, &format!("# é🙂\n{}", ireland("-1")));
    let faults = client.published_until(&toml, "a fault", |found| !found.is_empty());
    assert_eq!(messages(&faults), "`on_demand_read_per_million` must not be negative");
    assert_eq!(faults[0]["range"]["start"], json!({"line": 5, "character": 29}));
    assert_eq!((&faults[0]["severity"], &faults[0]["source"]), (&json!(1), &json!("keywright")));
    client.published_until(&model, "no price", |found| scan(found).contains("no price of on-demand reads"));
    client.close(&toml);
    client.published_until(&toml, "no fault", |found| found.is_empty());
    client.published_until(&model, "the disk's price", |found| scan(found).contains("$3.89"));
    client.finish();
}

#[test]
fn a_client_that_pulls_is_told_of_settings_that_it_has_not_opened() {
    let folder = Folder::new(&[("m.dynamo", MODEL), ("keywright.toml", "region = 1\n")]);
    let (model, toml) = (folder.uri("m.dynamo"), folder.uri("keywright.toml"));
    let mut client = Client::with(pulling(), &[&folder.root()]);
    client.open(&model, MODEL);
    let faults = client.published_until(&toml, "a fault", |found| !found.is_empty());
    assert!(messages(&faults).contains("must be a text"), "{faults:?}");
    // Opened, it is asked for like every document, and not shown twice.
    client.open(&toml, "region = 1\n");
    client.published_until(&toml, "nothing", |found| found.is_empty());
    assert_eq!(messages(&client.pulled(&toml)), messages(&faults));
    client.change(&toml, 2, &ireland("0.2"));
    assert_eq!(client.pulled(&toml), [] as [Value; 0]);
    assert!(scan(&client.pulled(&model)).contains("$3.89"));
    client.finish();
}

#[test]
fn where_nobody_watches_saving_is_a_moment_to_look() {
    let folder = Folder::new(&[("m.dynamo", MODEL), ("keywright.toml", &ireland("0.2"))]);
    let model = folder.uri("m.dynamo");
    let mut client = Client::with(pushed(), &[]);
    client.open(&model, MODEL);
    client.published_until(&model, "its price", |found| scan(found).contains("$3.89"));
    folder.write("keywright.toml", &ireland("0.45"));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": model}}));
    client.published_until(&model, "the new price", |found| scan(found).contains("$8.75"));
    client.finish();
}

#[test]
fn settings_above_the_workspace_are_looked_at_when_a_model_is_opened() {
    let folder = Folder::new(&[("a/m.dynamo", MODEL), ("a/n.dynamo", MODEL), ("keywright.toml", &ireland("0.2"))]);
    let mut client = Client::with(able(), &[&folder.uri("a")]);
    let model = folder.uri("a/m.dynamo");
    client.open(&model, MODEL);
    client.published_until(&model, "its price", |found| scan(found).contains("$3.89"));
    folder.write("keywright.toml", &ireland("0.45"));
    client.open(&folder.uri("a/n.dynamo"), MODEL);
    client.published_until(&model, "the new price", |found| scan(found).contains("$8.75"));
    client.finish();
}

#[test]
fn the_settings_that_the_documentation_shows_are_sound() {
    let page = include_str!("../../docs/concepts/prices.md");
    let toml = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let file = ConfigFile::of_text(toml, vocabulary());
    assert_eq!((file.faults.as_slice(), file.settings.region.as_deref()), ([].as_slice(), Some("eu-west-1")));
    let prices = price_list("eu-west-1", TableClass::Standard, &file.settings.prices).unwrap();
    let usd = |what| prices.get(what).unwrap().usd;
    for (dollars, said) in [
        (monthly(3.0, 1.0, usd(Priced::OnDemandWrite)), "$5.48"),
        (monthly(12.0, 0.5, usd(Priced::OnDemandRead)), "$2.20"),
        (storage_monthly(7e6, 300.0, usd(Priced::StorageGbMonth)), "$0.74"),
    ] {
        assert!(page.contains(said) && said == format!("${dollars:.2}"), "{said} is {dollars}");
    }
}

#[test]
fn faults_go_with_the_last_file_that_they_matter_to() {
    let folder = Folder::new(&[("m.dynamo", MODEL), ("keywright.toml", "region = 1\n")]);
    let (model, toml) = (folder.uri("m.dynamo"), folder.uri("keywright.toml"));
    for capabilities in [pushed(), pulling()] {
        let mut client = Client::with(capabilities, &[&folder.root()]);
        client.open(&model, MODEL);
        client.published_until(&toml, "a fault", |found| !found.is_empty());
        client.close(&model);
        client.published_until(&toml, "nothing", |found| found.is_empty());
        client.finish();
    }
}

#[test]
fn a_change_of_the_settings_computes_only_what_reads_it() {
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let sink = Arc::clone(&log);
    let mut host = Host::new(Database::watched(move |query| sink.lock().unwrap().push(query)));
    let model = FileKey::new("/m.dynamo");
    host.set(model.clone(), FileContent::from_bytes(MODEL.as_bytes()));
    let mut computed = |toml: &str| {
        host.set_config(FileKey::new("/keywright.toml"), Some(Arc::new(ConfigFile::of_text(toml, vocabulary()))));
        log.lock().unwrap().clear();
        let found = Analysis::new(host.snapshot()).diagnostics(&model).unwrap();
        let scan = found.into_iter().find(|finding| finding.rule == "scan-pattern").unwrap();
        (scan.message, std::mem::take(&mut *log.lock().unwrap()))
    };
    let count = |log: &[String], query: &str| log.iter().filter(|e| e.starts_with(&format!("{query}("))).count();
    assert!(computed(&ireland("0.2")).0.contains("$3.89"));
    let (message, log) = computed(&ireland("0.4"));
    assert!(message.contains("$7.78"), "{message}");
    assert_eq!(count(&log, "findings"), 1, "of the one pattern that is priced: {log:#?}");
    for query in ["lowered", "names", "layout", "resolved", "config_of"] {
        assert_eq!(count(&log, query), 0, "{query}: {log:#?}");
    }
    // A comment more changes no setting, and a price elsewhere changes none here.
    let comment = format!("# a comment\n{}", ireland("0.4"));
    assert_eq!(computed(&comment).1, [] as [String; 0]);
    let elsewhere = format!(
        "{comment}[prices.eu-north-1.standard]\ntaken = \"2026-11-01\"\nsource = \"s\"\nstorage_gb_month = 1\n"
    );
    assert_eq!(count(&computed(&elsewhere).1, "findings"), 0);
}

/// A hot key: 600 of the 1,000 write units a second that a partition takes.
const WARM: &str = "entity E { id: uuid @id count 1M size 60B }
table Things { partition key pk: string sort key id item E { pk = \"ALL\" } }
pattern Put { put E into Things rate avg 100/s, peak 600/s }
pattern Get { get E from Things rate avg 1/s, peak 2/s }
";

/// "rule level" of each finding of one of these rules.
fn levels(run: &Run, rules: &[&str]) -> Vec<String> {
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    let findings = json["findings"].as_array().unwrap().iter();
    let named = findings.map(|finding| (finding["rule"].as_str().unwrap(), finding["level"].as_str().unwrap()));
    named.filter(|(rule, _)| rules.contains(rule)).map(|(rule, level)| format!("{rule} {level}")).collect()
}

#[test]
fn a_team_sets_levels_thresholds_quotas_and_the_style() {
    let broken = format!("{WARM}pattern Broken {{\n");
    let big = WARM.replace("600/s", "50k/s");
    let generic = WARM.replace("pk", "PK");
    let cases: [(&str, &str, &str, &[&str]); 16] = [
        (WARM, "", "hot-partition-key", &[]),
        (WARM, "[thresholds.hot-partition-key]\nload = \"50%\"\n", "hot-partition-key", &["warning"]),
        (WARM, "[thresholds.hot-partition-key]\nload = \"70%\"\n", "hot-partition-key", &[]),
        (WARM, "[thresholds.hot-index-key]\nload = \"50%\"\n", "hot-partition-key", &[]),
        (MODEL, "", "scan-pattern", &["warning"]),
        (MODEL, "[levels]\nscan-pattern = \"error\"\n", "scan-pattern", &["error"]),
        (MODEL, "[levels]\nscan-pattern = \"off\"\n", "scan-pattern", &[]),
        (MODEL, "[levels]\ncost = \"off\"\ncapacity = \"off\"\ndesign = \"off\"\n", "scan-pattern", &[]),
        (&broken, "[levels]\nsyntax-error = \"off\"\n", "syntax-error", &["error"]),
        (&big, "", "throughput-quota", &["warning"]),
        (&big, "[quotas]\ntable_write_units = \"60k\"\n", "throughput-quota", &[]),
        (&big, "[quotas]\ntable_read_units = \"60k\"\n", "throughput-quota", &["warning"]),
        (&generic, "", "generic-key-name", &["warning"]),
        (&generic, "style = \"single_table\"\n", "generic-key-name", &[]),
        (&big, "[levels]\nhot-partition-key = \"info\"\n", "hot-partition-key", &["info"]),
        (&big, "[levels]\nhot-partition-key = \"error\"\n", "hot-partition-key", &["error"]),
    ];
    for (model, toml, rule, expected) in cases {
        let folder = Folder::new(&[("m.dynamo", model), ("keywright.toml", toml)]);
        let expected: Vec<String> = expected.iter().map(|level| format!("{rule} {level}")).collect();
        assert_eq!(levels(&check(&folder.path(""), &["m.dynamo"]), &[rule]), expected, "{toml}{model}");
    }
}

#[test]
fn the_model_says_its_style_and_the_settings_only_where_it_does_not() {
    let model = format!("application A {{ domain \"d\" scale \"s\" style aggregate }}\n{}", WARM.replace("pk", "PK"));
    let folder = Folder::new(&[("m.dynamo", &model), ("keywright.toml", "style = \"single_table\"\n")]);
    let run = check(&folder.path(""), &["m.dynamo"]);
    assert_eq!(levels(&run, &["generic-key-name"]), ["generic-key-name warning"]);
}

#[test]
fn a_level_takes_the_place_of_the_rules_own_and_keeps_the_order_of_its_findings() {
    // Over the limit in a table with a local index: an error of a rule whose own
    // level is warning.
    let split = WARM.replace("600/s", "1500/s");
    let unsplit = split.replace("item E {", "lsi L { sort key n: number projection keys_only } item E {");
    let unsplit = unsplit.replace("id: uuid @id", "id: uuid @id n: number");
    let rule = "hot-partition-key";
    for (set, expected) in [
        ("", ["warning", "error"]),
        ("info", ["info", "error"]),
        ("error", ["error", "error"]),
        ("warning", ["warning", "error"]),
    ] {
        let toml = if set.is_empty() { String::new() } else { format!("[levels]\n{rule} = \"{set}\"\n") };
        let found = [&split, &unsplit].map(|model| {
            let folder = Folder::new(&[("m.dynamo", model), ("keywright.toml", &toml)]);
            levels(&check(&folder.path(""), &["m.dynamo"]), &[rule]).concat()
        });
        assert_eq!(found, expected.map(|level| format!("{rule} {level}")), "{set}");
    }
}

#[test]
fn an_allow_of_a_rule_that_is_off_is_no_fault() {
    let model = format!("allow scan-pattern because \"a report\"\n{MODEL}");
    let unused = format!("allow hot-index-key because \"for later\"\n{MODEL}");
    for (model, toml, expected) in [
        (&model, "", 0),
        (&model, "[levels]\nscan-pattern = \"off\"\n", 0),
        (&unused, "", 1),
        (&unused, "[levels]\nhot-index-key = \"off\"\n", 0),
        (&unused, "[levels]\nscan-pattern = \"off\"\n", 1),
    ] {
        let folder = Folder::new(&[("m.dynamo", model), ("keywright.toml", toml)]);
        let run = check(&folder.path(""), &["m.dynamo"]);
        assert_eq!(levels(&run, &["unused-allow"]).len(), expected, "{toml}{model}");
    }
}

#[test]
fn a_level_or_threshold_computes_only_what_reads_it() {
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let sink = Arc::clone(&log);
    let mut host = Host::new(Database::watched(move |query| sink.lock().unwrap().push(query)));
    let model = FileKey::new("/m.dynamo");
    host.set(model.clone(), FileContent::from_bytes(WARM.as_bytes()));
    let mut computed = |toml: &str| {
        let file = Arc::new(ConfigFile::of_text(toml, vocabulary()));
        assert_eq!(file.faults, []);
        host.set_config(FileKey::new("/keywright.toml"), Some(file));
        log.lock().unwrap().clear();
        let found = Analysis::new(host.snapshot()).diagnostics(&model).unwrap();
        let hot = found.iter().find(|finding| finding.rule == "hot-partition-key").map(|finding| finding.level.word());
        (hot, std::mem::take(&mut *log.lock().unwrap()))
    };
    let count = |log: &[String], query: &str| log.iter().filter(|e| e.starts_with(&format!("{query}("))).count();
    let half = "[thresholds.hot-partition-key]\nload = \"50%\"\n";
    assert_eq!(computed("# nothing\n").0, None);
    let (level, log) = computed(half);
    assert_eq!(level, Some("warning"));
    assert_eq!((count(&log, "findings"), count(&log, "heat")), (1, 1), "of the one table: {log:#?}");
    // A level computes no rule again.
    let (level, log) = computed(&format!("{half}[levels]\nhot-partition-key = \"info\"\n"));
    assert_eq!(level, Some("info"));
    assert_eq!((count(&log, "findings"), count(&log, "judged")), (0, 1), "{log:#?}");
    // What this model asks nothing of computes nothing in it.
    let (_, log) = computed(&format!("{half}[levels]\nhot-partition-key = \"info\"\nscan-pattern = \"off\"\n"));
    assert_eq!((count(&log, "findings"), count(&log, "judged")), (0, 0), "{log:#?}");
}

#[test]
fn the_clients_configuration_lies_over_the_file() {
    let toml = format!("[levels]\nscan-pattern = \"warning\"\n{}", "[thresholds.hot-partition-key]\nload = \"50%\"\n");
    let folder = Folder::new(&[("m.dynamo", MODEL), ("keywright.toml", &toml)]);
    let model = folder.uri("m.dynamo");
    let mut client = Client::with(pushed(), &[&folder.root()]);
    client.open(&model, MODEL);
    let severity =
        |found: &[Value]| found.iter().find(|one| one["code"] == "scan-pattern").map(|one| one["severity"].clone());
    client.published_until(&model, "the file's level", |found| severity(found) == Some(json!(2)));
    let configure = |client: &mut Client, settings: Value| {
        client.notify("workspace/didChangeConfiguration", json!({"settings": {"keywright": settings}}));
    };
    configure(&mut client, json!({"levels": {"scan-pattern": "error"}}));
    client.published_until(&model, "the client's level", |found| severity(found) == Some(json!(1)));
    configure(&mut client, json!({"levels.scan-pattern": "off", "region": "us-east-1"}));
    client.published_until(&model, "none", |found| severity(found).is_none());
    configure(&mut client, json!({"region": "us-east-1"}));
    client.published_until(&model, "a region", |found| scan(found).contains("in us-east-1"));
    // What cannot be meant is told once, and the rest is used.
    let wrong = json!({"levels": {"scan-pattern": "info", "scan-patern": "off"}});
    configure(&mut client, wrong.clone());
    client.published_until(&model, "what is sound", |found| severity(found) == Some(json!(3)));
    let told = client.next("window/logMessage");
    let told = told["params"]["message"].as_str().unwrap();
    assert!(told.contains("`keywright.levels.scan-patern`") && told.contains("did you mean `scan-pattern`?"), "{told}");
    configure(&mut client, wrong);
    configure(&mut client, json!({"levels": {"scan-pattern": "error"}}));
    client.published_until(&model, "the new level", |found| severity(found) == Some(json!(1)));
    assert_eq!(client.seen("window/logMessage"), 0, "once is enough");
    client.finish();
}

#[test]
fn the_schema_is_that_of_the_code_and_accepts_what_is_sound() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keywright.schema.json");
    let made = schema(vocabulary());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        made,
        "UPDATE_EXPECT=1 cargo test --test rules settings makes it anew"
    );
    let schema: Value = serde_json::from_str(&made).unwrap();
    // What the documentation shows is sound, by the schema and for the program.
    let mut shown = 0;
    for page in [
        include_str!("../../README.md"),
        include_str!("../../docs/concepts/prices.md"),
        include_str!("../../docs/concepts/settings.md"),
    ] {
        for toml in page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
            let file = ConfigFile::of_text(toml, vocabulary());
            assert_eq!(file.faults, [], "{toml}");
            assert_eq!(errors(&schema, toml), [""; 0], "{toml}");
            shown += 1;
        }
    }
    assert!(shown >= 2, "{shown}");
    // Every default may be written out.
    for rule in &vocabulary().rules {
        let mut toml = String::new();
        if rule.group != "language" {
            toml.push_str(&format!("[levels]\n{} = \"{}\"\n", rule.name, rule.level));
        }
        if !rule.thresholds.is_empty() {
            toml.push_str(&format!("[thresholds.{}]\n", rule.name));
        }
        for threshold in &rule.thresholds {
            toml.push_str(&format!("{} = \"{}\"\n", threshold.name, threshold.default));
        }
        let file = ConfigFile::of_text(&toml, vocabulary());
        assert_eq!((file.faults.len(), errors(&schema, &toml).len()), (0, 0), "{toml}{:?}", file.faults);
    }
    // What is at fault for the program is at fault by the schema.
    for wrong in [
        "regions = \"x\"\n",
        "region = 1\n",
        "style = \"single-table\"\n",
        "[levels]\nscan-pattern = \"warn\"\n",
        "[levels]\nscan-patern = \"off\"\n",
        "[levels]\nsyntax-error = \"off\"\n",
        "[levels]\nlanguage = \"off\"\n",
        "[thresholds.hot-partition-key]\nload = 0.9\n",
        "[thresholds.hot-partition-key]\nload = \"90KB\"\n",
        "[thresholds.hot-partition-key]\nloud = \"90%\"\n",
        "[thresholds.scan-pattern]\nload = \"90%\"\n",
        "\"$schema\" = 1\n",
        "region = \"US-EAST-1\"\n",
        "[prices.\"x y\".standard]\ntaken = \"2026-11-01\"\nsource = \"s\"\n",
        "[prices.eu-north-1.standard]\ntaken = \"yesterday\"\nsource = \"s\"\n",
        "[prices.eu-north-1.standard]\ntaken = \"2026-13-01\"\nsource = \"s\"\n",
        "[prices.eu-north-1.standard]\ntaken = 10:00:00\nsource = \"s\"\n",
        "[thresholds.hot-partition-key]\nload = \"110%\"\n",
        "[thresholds.hot-partition-key]\nload = \" 60%\"\n",
        "[thresholds.hot-partition-key]\nload = \"+60%\"\n",
        "[thresholds.hot-partition-key]\nload = \".5%\"\n",
        "[thresholds.hot-partition-key]\nload = \"5.%\"\n",
        "[thresholds.growth-disagrees]\nfactor = 1\n",
        "[thresholds.growth-disagrees]\nfactor = 0.5\n",
        "[quotas]\nglobal_indexes = 1.5\n",
        "[quotas]\nglobal_indexes = \"1.5\"\n",
        "[quotas]\nglobal_indexes = 0\n",
        "[quotas]\nglobal_indexes = \"20KB\"\n",
        "[quotas]\nindexes = 20\n",
        "[prices.eu-north-1.standard]\nstorage_gb_month = 1\n",
        "[prices.eu-north-1.standard]\ntaken = \"2026-11-01\"\nsource = \"s\"\nstorage_gb_month = -1\n",
        "[prices.eu-north-1.express]\ntaken = \"2026-11-01\"\nsource = \"s\"\n",
    ] {
        assert!(!ConfigFile::of_text(wrong, vocabulary()).faults.is_empty(), "{wrong}");
        assert!(!errors(&schema, wrong).is_empty(), "{wrong}");
    }
}

/// What a schema has against a text of TOML.
fn errors(schema: &Value, toml: &str) -> Vec<String> {
    let (table, faults) = toml::de::DeTable::parse_recoverable(toml);
    assert!(faults.is_empty(), "{faults:?}: {toml}");
    json_schema::errors(schema, &json_of(table.get_ref()))
}

/// TOML as the editors see it that check it by a schema of JSON: a date is a text.
fn json_of(table: &toml::de::DeTable<'_>) -> Value {
    use toml::de::DeValue;
    fn value(one: &DeValue<'_>) -> Value {
        match one {
            DeValue::String(text) => json!(text),
            DeValue::Integer(number) => json!(number.as_str().replace('_', "").parse::<i64>().unwrap()),
            DeValue::Float(number) => json!(number.as_str().parse::<f64>().unwrap()),
            DeValue::Boolean(truth) => json!(truth),
            DeValue::Datetime(date) => json!(date.to_string()),
            DeValue::Array(list) => list.iter().map(|one| value(one.get_ref())).collect(),
            DeValue::Table(table) => json_of(table),
        }
    }
    Value::Object(table.iter().map(|(name, one)| (name.get_ref().to_string(), value(one.get_ref()))).collect())
}

#[test]
fn every_threshold_stands_on_the_page_of_its_rule() {
    for rule in &vocabulary().rules {
        let page = keywright::pages::rule(rule.name).unwrap_or_default();
        assert_eq!(page.contains("## Thresholds"), !rule.thresholds.is_empty(), "{}", rule.name);
        for threshold in &rule.thresholds {
            assert!(page.contains(&format!("`{}`", threshold.name)), "{}: {}", rule.name, threshold.name);
        }
    }
}

#[test]
fn a_level_that_a_team_sets_changes_nothing_of_what_dynamodb_takes() {
    let refused = MODEL.replace("partition key id", "partition key id sort key flag: boolean");
    for (model, level, status) in [(MODEL, "scan-pattern = \"error\"", 0), (&refused, "correctness = \"off\"", 2)] {
        let folder = Folder::new(&[("m.dynamo", model), ("keywright.toml", &format!("[levels]\n{level}\n"))]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
        let output = command.args(["verify", "m.dynamo"]).current_dir(folder.path("")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{level}: {said}");
    }
}
