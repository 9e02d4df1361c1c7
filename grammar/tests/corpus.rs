//! The corpus of `tree-sitter test`, without the command line tool:
//! `UPDATE_CORPUS=1 cargo test -p tree-sitter-dynamo --test corpus` writes the
//! trees that the grammar gives, for the reader of the diff to judge.

use std::{env, fs, path::Path};

use tree_sitter::{Parser, Tree};

#[test]
fn the_corpus_gives_its_trees() {
    let update = env::var_os("UPDATE_CORPUS").is_some();
    let mut failures = Vec::new();
    let mut broken = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let cases = read(&fs::read_to_string(&path).unwrap());
        for case in &cases {
            let actual = format_tree(&parse(&case.input).root_node().to_sexp());
            broken += usize::from(file.starts_with("broken_"));
            if words(&actual) != words(&case.tree) {
                failures.push(format!("{file}: {}\n{}\n{actual}", case.name, case.input));
            }
        }
        if update {
            fs::write(&path, write(&cases)).unwrap();
        }
    }
    assert!(update || failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(broken >= 30);
}

#[test]
fn what_is_no_fault_has_none() {
    const FAULTS: [&str; 7] =
        ["ERROR", "MISSING", "incomplete", "unexpected", "unknown_clause", "unknown_modifier", "unknown_type"];
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("test/corpus")).unwrap() {
        let path = entry.unwrap().path();
        let broken = path.file_name().unwrap().to_string_lossy().starts_with("broken_");
        for case in read(&fs::read_to_string(&path).unwrap()) {
            let faulty = FAULTS.iter().any(|fault| case.tree.contains(fault));
            // A brace or a quote that is missing is for the analysis to see.
            let unclosed = case.name.contains("brace") || case.name.contains("workflow");
            assert!(faulty == broken || broken && unclosed, "{}: {}", path.display(), case.name);
        }
    }
}

/// Here, and not in the corpus, where tools would touch them.
#[test]
fn line_ends_and_byte_order_marks() {
    let clean =
        "entity E {\n  // comment\n  a: string\n}\ntradeoff \"x\" because \"y\"\nentity F {\n  a:\n  b: uuid\n}\n";
    let expected = parse(clean).root_node().to_sexp();
    assert!(expected.contains("incomplete"));
    for text in [clean.replace('\n', "\r\n"), clean.replace('\n', "\r"), format!("\u{feff}{clean}")] {
        assert_eq!(parse(&text).root_node().to_sexp(), expected, "{text:?}");
    }

    // No carriage return belongs to a comment or to a string.
    let tree = parse("// a\r\nimport \"b\r\n");
    let comment = tree.root_node().named_child(0).unwrap();
    assert_eq!(comment.byte_range(), 0..4);
    let import = tree.root_node().named_child(1).unwrap();
    assert_eq!(import.byte_range(), 6..15);

    // The mark is no node's text.
    let tree = parse("\u{feff}import \"b\"");
    assert_eq!(tree.root_node().named_child(0).unwrap().start_byte(), 3);
}

struct Case {
    name: String,
    input: String,
    tree: String,
}

const BAR: &str = "================================================================================";
const RULE: &str = "--------------------------------------------------------------------------------";

fn read(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let bar = format!("{BAR}\n");
    let mut parts = text.split(&bar).skip(1);
    while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
        let (input, tree) = rest.split_once(&format!("\n{RULE}\n")).unwrap();
        cases.push(Case {
            name: name.trim_end().to_owned(),
            input: input.strip_prefix('\n').unwrap_or(input).strip_suffix('\n').unwrap_or(input).to_owned(),
            tree: tree.trim().to_owned(),
        });
    }
    cases
}

fn write(cases: &[Case]) -> String {
    let cases: Vec<String> = cases
        .iter()
        .map(|case| {
            let tree = format_tree(&parse(&case.input).root_node().to_sexp());
            format!("{BAR}\n{}\n{BAR}\n\n{}\n\n{RULE}\n\n{tree}\n", case.name, case.input)
        })
        .collect();
    cases.join("\n")
}

/// One node a line.
fn format_tree(sexp: &str) -> String {
    let mut formatted = String::new();
    let mut depth = 0;
    for word in words(sexp) {
        let starts_node = word.starts_with('(') && !formatted.ends_with(": ");
        if !formatted.is_empty() && (starts_node || word.ends_with(':')) {
            formatted.push('\n');
            formatted.push_str(&"  ".repeat(depth));
        } else if !formatted.is_empty() && !formatted.ends_with(": ") {
            formatted.push(' ');
        }
        formatted.push_str(word);
        if word.ends_with(':') {
            formatted.push(' ');
        }
        depth += usize::from(word.starts_with('('));
        depth -= word.bytes().rev().take_while(|byte| *byte == b')').count();
    }
    formatted
}

fn words(sexp: &str) -> Vec<&str> {
    sexp.split_whitespace().collect()
}

fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}
