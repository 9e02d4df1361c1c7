//! What the pages of the Language rules cannot show: states of files.

use keywright::ide::{Analysis, Diagnostic, FileRange};
use keywright::model::db::Host;
use keywright::model::files::{Absent, FileContent, FileKey};
use keywright::syntax::TextRange;

fn analysis(files: &[(&str, FileContent)]) -> Analysis {
    let mut host = Host::default();
    for (name, content) in files {
        host.set(FileKey::new(name), content.clone());
    }
    Analysis::new(host.snapshot())
}

fn diagnostics(analysis: &Analysis, file: &str, rule: &str) -> Vec<Diagnostic> {
    let all = analysis.diagnostics(&FileKey::new(file)).expect("nothing changes meanwhile");
    all.into_iter().filter(|diagnostic| diagnostic.rule == rule).collect()
}

fn text(text: &str) -> FileContent {
    FileContent::from_bytes(text.as_bytes())
}

#[test]
fn what_is_there_but_no_file_is_not_created() {
    for (absent, words) in [
        (Absent::Folder, "a folder"),
        (Absent::NotAFile, "a device"),
        (Absent::Denied("permission denied".to_owned()), "permission denied"),
    ] {
        let main = text("import \"shared\"\n");
        let analysis = analysis(&[("/m/main.dynamo", main), ("/m/shared", FileContent::Absent(absent))]);
        let found = diagnostics(&analysis, "/m/main.dynamo", "import-not-found");
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains(words), "{}", found[0].message);
        assert!(!found[0].fixable);
    }
}

#[test]
fn a_path_that_ends_as_a_folder_does_names_no_file() {
    for path in ["b.dynamo/", "b.dynamo/.", "b.dynamo\\\\", "./", "/"] {
        let main = text(&format!("import \"{path}\"\n"));
        let analysis = analysis(&[("/m/main.dynamo", main), ("/m/b.dynamo", text("// There.\n"))]);
        let found = diagnostics(&analysis, "/m/main.dynamo", "import-not-found");
        assert_eq!(found.len(), 1, "{path}");
        assert!(found[0].message.contains("it is a folder"), "{path}: {}", found[0].message);
        assert!(!found[0].fixable, "{path}");
    }
}

#[test]
fn an_unsaved_file_has_no_folder_to_import_from() {
    let analysis = analysis(&[("untitled:Untitled-1", text("import \"a.dynamo\"\n"))]);
    let found = diagnostics(&analysis, "untitled:Untitled-1", "import-not-found");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("save it first"), "{}", found[0].message);
}

#[test]
fn an_unreadable_import_is_reported_where_it_is() {
    let main = text("import \"big.dynamo\"\n");
    let big = FileContent::too_large(40 * 1024 * 1024);
    let analysis = analysis(&[("/m/main.dynamo", main), ("/m/big.dynamo", big)]);
    assert!(diagnostics(&analysis, "/m/main.dynamo", "import-not-found").is_empty());
    let found = diagnostics(&analysis, "/m/big.dynamo", "unreadable-file");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("40 MB"), "{}", found[0].message);
}

/// What does not parse may hide the finding that an `allow` is for.
#[test]
fn an_allow_waits_until_its_block_parses() {
    let table = "table Tab {\n  allow missing-key-value because \"x\"\n  partition key pk: string\n  item A\n  %\n}\n";
    let whole = format!("entity A {{ a: uuid @id }}\n{table}");
    let broken = analysis(&[("/m/a.dynamo", text(&whole))]);
    assert!(diagnostics(&broken, "/m/a.dynamo", "unused-allow").is_empty());
    let mended = analysis(&[("/m/a.dynamo", text(&whole.replace("  %\n", "").replace("pk: string", "a")))]);
    let found = diagnostics(&mended, "/m/a.dynamo", "unused-allow");
    assert_eq!(found.len(), 1);
    assert!(matches!(found[0].range, FileRange::Bytes(TextRange { .. })));
}

#[test]
fn no_name_is_suggested_for_itself() {
    // The block sets a key that the table no longer has.
    let model = "entity A { a: uuid @id }\n\
                 table T { partition key a sort key Sort: string item A { sort = \"A\" } }\n\
                 pattern P { query T where a = :a and sort = \"A\" rate 1/s }\n";
    let analysis = analysis(&[("/m/main.dynamo", text(model))]);
    let found = diagnostics(&analysis, "/m/main.dynamo", "unknown-name");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.ends_with("did you mean `Sort`?"), "{}", found[0].message);
}

#[test]
fn what_cannot_be_read_may_be_what_is_missed() {
    let found = |model: &str, rule: &str| {
        let analysis = analysis(&[("/m/main.dynamo", text(model))]);
        diagnostics(&analysis, "/m/main.dynamo", rule).len()
    };
    let rest = "table T { partition key a item A gsi G { partition key r } gsi H { partition key r } }\n\
                pattern P { query T.G where r = :r query T.H where r = :x rate 1/s }\n";
    let whole = format!("entity A {{ a: uuid @id r: string }}\n{rest}");
    for rule in ["syntax-error", "unknown-name", "unused-index"] {
        assert_eq!(found(&whole, rule), 0, "{rule}");
    }
    // An entity without its brace has no attributes that could be found.
    let headless = whole.replace("A { a", "A a");
    assert!(found(&headless, "syntax-error") > 0);
    assert_eq!(found(&headless, "unknown-name"), 0);
    assert_eq!(found(&whole.replace("r: string", "q: string"), "unknown-name"), 2, "a part of a word is no name");
    // Items of what nobody declares, tables and indexes that there are not.
    let unplaced = format!("{whole}pattern Q {{ put A into T rate 1/s }}\n").replace("item A", "item Aa");
    assert_eq!((found(&unplaced, "unknown-name"), found(&unplaced, "entity-not-in-table")), (1, 0));
    for wrong in ["Tt.H", "T.Zzz"] {
        let lost = whole.replace("T.H", wrong);
        assert_eq!((found(&lost, "unknown-name"), found(&lost, "unused-index")), (1, 0), "{wrong}");
    }
    // An application that cannot be read may say another style.
    let styles = "application X { style singletable }\n";
    let generic = whole.replace("gsi H", "gsi GSI1").replace("T.H", "T.GSI1");
    assert_eq!(found(&generic, "generic-key-name"), 1);
    assert_eq!(found(&format!("{styles}{generic}"), "generic-key-name"), 0);
}

/// Names in backticks may hold anything; a message shows all of it.
#[test]
fn what_nobody_sees_in_a_name_is_shown_by_its_code_point() {
    for (c, point) in [('\u{200b}', "<U+200B>"), ('\u{202e}', "<U+202E>"), ('\u{feff}', "<U+FEFF>")] {
        let model = format!(
            "entity A {{ id: uuid @id }}
entity `B{c}` {{ id: uuid @id  of: uuid @of(`A{c}`) }}
entity `B{c}` {{ id: uuid @id }}
table T {{ partition key `k{c}` item `B{c}` }}
pattern P {{ get `B{c}` from `T{c}` filter `x{c}` = 1 }}
workflow W {{ `P{c}` }}
"
        );
        let analysis = analysis(&[("/m/m.dynamo", text(&model))]);
        let all = analysis.diagnostics(&FileKey::new("/m/m.dynamo")).expect("nothing changes meanwhile");
        assert!(all.len() > 5 && all.iter().any(|diagnostic| diagnostic.message.contains(point)), "{all:?}");
        for diagnostic in &all {
            assert!(!diagnostic.message.contains(c), "{:?}", diagnostic.message);
            assert!(diagnostic.related.iter().all(|related| !related.message.contains(c)), "{diagnostic:?}");
        }
    }
}

/// A character that is no white space is one error, and hides none.
#[test]
fn what_is_no_white_space_hides_no_finding() {
    let findings = |blank: char| {
        let model = format!(
            "application A {{ domain \"d\" scale \"s\" }}\nentity A {{ id: uuid @id }}{blank}\nentity B {{\n{blank} id:{blank}uuid @of(C)\n}}\n"
        );
        let analysis = analysis(&[("/m/m.dynamo", text(&model))]);
        let all = analysis.diagnostics(&FileKey::new("/m/m.dynamo")).expect("nothing changes meanwhile");
        let rules = all.into_iter().map(|diagnostic| diagnostic.rule.to_string());
        rules.partition::<Vec<String>, _>(|rule| rule == "syntax-error")
    };
    let (none, rest) = findings(' ');
    assert!(none.is_empty() && rest.iter().any(|rule| rule == "unknown-name"), "{rest:?}");
    for c in ['\u{a0}', '\u{feff}', '\u{2028}', '\u{85}', '\u{200b}'] {
        let (errors, others) = findings(c);
        assert_eq!((errors.len(), others), (3, rest.clone()), "{c:?}");
    }
}

/// A guard repeats attributes of its entity, which have to be read first.
#[test]
fn no_guard_is_made_of_what_cannot_be_read() {
    let fixable = |entity: &str| {
        let model = format!(
            "entity U {{ {entity} }}\ntable T {{ partition key id item U }}\npattern P {{ put U into T if not_exists }}\n"
        );
        let analysis = analysis(&[("/m/m.dynamo", text(&model))]);
        let found = diagnostics(&analysis, "/m/m.dynamo", "unique-not-enforced");
        found.first().map(|found| found.fixable)
    };
    assert_eq!(fixable("id: uuid @id email: string @unique"), Some(true));
    for faulty in [
        "id: uui@idd @id email: string @unique",
        "id: @id email: string @unique",
        "id: set @id email: string @unique",
        "id: uuid @id email: strin @unique",
        "id: uuid @id email: string @unique(tenant)",
        "id: uuid @id tenant: @immutable email: string @unique(tenant)",
    ] {
        assert_ne!(fixable(faulty), Some(true), "{faulty}");
    }
}

/// An `allow` is not unused while a fault of the text, or an error beside it, may
/// hide what it is for: a reason is not taken away for a misspelt name.
#[test]
fn a_reason_outlives_a_misspelt_name() {
    let model = "application Log { domain \"d\" scale \"s\" }
entity Line { day: string @id @size(10B) @distinct(30) line_id: ulid @id count 1k size 100B }
table Lines { partition key day sort key line_id item Line }
pattern Add { put Line into Lines rate avg 1/s, peak 2/s }
pattern Read { get Line from Lines rate avg 1/s, peak 2/s allow scan-pattern because \"agreed\" }
";
    let unused =
        |model: &str| diagnostics(&analysis(&[("/m/m.dynamo", text(model))]), "/m/m.dynamo", "unused-allow").len();
    assert_eq!(unused(model), 1);
    for (sound, faulty) in [
        ("get Line from Lines", "scan Linez"),
        ("item Line", "item Lime"),
        ("sort key line_id", "sort kye line_id"),
        ("sort key line_id", "sort key line_idd"),
        ("count 1k", "count 0"),
        ("size 100B", "size 100/s"),
        ("get Line from Lines", "query Lines where line_id = :l"),
        ("application Log", "import \"nowhere.dynamo\" application Log"),
        ("entity Line {", "entity Line { day: string"),
    ] {
        assert!(model.contains(sound));
        assert_eq!(unused(&model.replacen(sound, faulty, 1)), 0, "{faulty}");
    }
}

/// What follows from a wrong word is not told besides.
#[test]
fn one_wrong_word_is_one_finding() {
    let model = "application Log { domain \"d\" scale \"s\" }
entity Line { line_id: ulid @id text: string @size(20B) count 1k size 100B }
entity Note { note_id: ulid @id body: string @size(20B) count 1k size 100B }
table Lines { partition key line_id item Line }
table Notes { partition key note_id item Note }
pattern Add { put Line into Lines put Note into Notes rate avg 1/s, peak 2/s }
pattern Read { get Line from Lines get Note from Notes rate avg 1/s, peak 2/s }
";
    let errors = |step: &str| {
        let model = model.replacen("get Line from Lines get Note", &format!("{step} get Note"), 1);
        let all = analysis(&[("/m/m.dynamo", text(&model))]);
        let all = all.diagnostics(&FileKey::new("/m/m.dynamo")).expect("nothing changes meanwhile");
        let errors = all.into_iter().filter(|diagnostic| diagnostic.level.word() == "error");
        errors.map(|diagnostic| diagnostic.rule).collect::<Vec<_>>()
    };
    assert_eq!(errors("get Line from Lines"), [""; 0]);
    assert_eq!(errors("get Line from Lines where line_id = :l"), ["syntax-error"]);
    assert_eq!(errors("get Line from Notes project text"), ["entity-not-in-table"]);
    assert_eq!(errors("scan Notes filter text = :t get Line from Lines"), ["unknown-name"]);
}

#[test]
fn a_condition_on_an_embedded_entity_may_speak_of_its_parent() {
    let model = "
entity Order { order_id: ulid @id  status: string }
entity Line { line_no: number @id  order_id: ulid @of(Order)  quantity: number }
relationship Order 1:N Line { children avg 3, max 9 identifying }
table Orders { partition key order_id  item Order embeds Line as lines }
";
    let unknown = |condition: &str| {
        let pattern = format!("pattern P {{ transact write {{ put Line into Orders if {condition} }} }}\n");
        let analysis = analysis(&[("/m/main.dynamo", text(&format!("{model}{pattern}")))]);
        let found = diagnostics(&analysis, "/m/main.dynamo", "unknown-name");
        found.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>()
    };
    for condition in ["status = :open", "exists(status)", "quantity > 0 and status = \"open\"", "not_exists(lines)"] {
        assert_eq!(unknown(condition), Vec::<String>::new(), "{condition}");
    }
    // A name that neither has is unknown, and what is nearest may be the parent's.
    let found = unknown("stattus = :open");
    assert!(found.len() == 1 && found[0].contains("`status`"), "{found:?}");
}
