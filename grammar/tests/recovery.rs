//! A file under the cursor is never a dead end: whatever is half-typed, the
//! rest of the file parses as if the fault were not there.

use std::{
    fs,
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use tree_sitter::{Node, Parser, Tree};

#[test]
fn examples_parse_cleanly() {
    for (name, text) in examples() {
        let tree = parse(&text);
        assert!(faults(tree.root_node()).is_empty(), "{name}");
    }
}

/// The declaration loses everything behind one of its blanks; the file's other
/// declarations stay as they are.
#[test]
fn a_declaration_cut_short_leaves_the_others_intact() {
    let mut lost = 0;
    let mut total = 0;
    for (name, text) in examples() {
        let tree = parse(&text);
        for cut in declarations(&tree) {
            for blank in blanks(&text, cut.byte_range()) {
                let broken = format!("{}{}", &text[..blank], &text[cut.end_byte()..]);
                let shift = cut.end_byte() - blank;
                let broken_tree = parse(&broken);
                for other in declarations(&tree) {
                    if other.id() == cut.id() {
                        continue;
                    }
                    let mut range = other.byte_range();
                    if range.start > cut.start_byte() {
                        range = range.start - shift..range.end - shift;
                    }
                    assert!(
                        has_intact(broken_tree.root_node(), other.kind(), &range),
                        "{name}: {:?} cut at {:?} loses {:?}\n{}",
                        cut.kind(),
                        &text[cut.start_byte()..blank],
                        &broken[range],
                        broken_tree.root_node().to_sexp(),
                    );
                }
                total += 1;
                let start = cut.start_byte();
                let found = declarations(&broken_tree)
                    .iter()
                    .any(|node| node.start_byte() == start && node.kind() == cut.kind());
                if !found {
                    lost += 1;
                    println!("{name}: lost {:?}", &text[start..blank]);
                }
            }
        }
    }
    println!("{lost} of {total} cut declarations are no longer nodes of their kind");
    assert_eq!(lost, 0);
}

/// A clause loses everything behind one of its characters; its siblings stay.
#[test]
fn a_clause_cut_short_leaves_its_siblings_intact() {
    let mut lost = Vec::new();
    let mut total = 0;
    for (name, text) in examples() {
        let tree = parse(&text);
        for body in bodies(tree.root_node()) {
            for cut in named_children(body) {
                if cut.kind().ends_with("comment") {
                    continue;
                }
                for end in cut.byte_range().skip(1) {
                    if !text.is_char_boundary(end) {
                        continue;
                    }
                    total += 1;
                    let broken = format!("{}{}", &text[..end], &text[cut.end_byte()..]);
                    let broken_tree = parse(&broken);
                    for other in named_children(body) {
                        if other.id() == cut.id() {
                            continue;
                        }
                        let mut range = other.byte_range();
                        if range.start > cut.start_byte() {
                            let shift = cut.end_byte() - end;
                            range = range.start - shift..range.end - shift;
                        }
                        if !has_intact(broken_tree.root_node(), other.kind(), &range) {
                            lost.push(format!(
                                "{name}: {:?} cut at {:?} loses {:?}",
                                cut.kind(),
                                &text[cut.start_byte()..end],
                                &broken[range],
                            ));
                            break;
                        }
                    }
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} of {total}\n{}", lost.len(), lost.join("\n"));
}

/// Newlines do not separate: any blank may be one, and the other way round.
#[test]
fn a_clause_may_be_broken_into_lines() {
    for (name, text) in examples() {
        let tree = parse(&text);
        let blanks: Vec<usize> = (0..text.len())
            .filter(|at| text.as_bytes()[*at] == b' ')
            .filter(|at| {
                let node = tree.root_node().descendant_for_byte_range(*at, *at + 1);
                !["comment", "content"].iter().any(|kind| node.unwrap().kind().ends_with(kind))
            })
            .collect();
        for blank in &blanks {
            let mut broken = text.clone();
            broken.replace_range(*blank..*blank + 1, "\n");
            let context = &text[blank.saturating_sub(30)..*blank];
            assert_same_shape(&tree, &parse(&broken), &format!("{name}: after {context:?}"));
        }

        let mut broken = text.clone();
        for blank in &blanks {
            broken.replace_range(*blank..*blank + 1, "\n");
        }
        assert_same_shape(&tree, &parse(&broken), &name);

        let uncommented: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let broken = uncommented.join(" ");
        let tree = parse(&uncommented.join("\n"));
        assert_same_shape(&tree, &parse(&broken), &name);
    }
}

#[test]
fn every_prefix_of_a_file_keeps_the_declarations_before_its_end() {
    for (name, text) in examples() {
        let tree = parse(&text);
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let broken_tree = parse(&text[..end]);
            for whole in declarations(&tree) {
                if whole.end_byte() <= end {
                    assert!(
                        has_intact(broken_tree.root_node(), whole.kind(), &whole.byte_range()),
                        "{name} up to {end}: {:?}",
                        &text[whole.byte_range()],
                    );
                }
            }
        }
    }
}

#[test]
fn deep_nesting_is_quick() {
    for text in [
        "(".repeat(100_000),
        "{".repeat(100_000),
        format!("pattern P {{ query T where {}", "(".repeat(100_000)),
        format!("pattern P {{ query T where {}", "not (".repeat(100_000)),
        format!("pattern P {{ query T where {} a = 1 {} }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("entity E {{ a: {}", "list<".repeat(100_000)),
        format!("table T {{ {}", "item A {".repeat(100_000)),
        format!("entity E {}", "{".repeat(100_000)),
        format!("table T {{ item I {{ a = \"{}", "{".repeat(100_000)),
        format!("{}\nentity E {{ a: string }}", "}".repeat(100_000)),
        "\"".repeat(100_000),
        "entity ".repeat(100_000),
        "entity E {\n".repeat(20_000),
        "[{\"a\": 1}, ".repeat(20_000),
    ] {
        let start = Instant::now();
        let _tree = parse(&text);
        let spent = start.elapsed();
        println!("{:?} {spent:?}", &text[..text.len().min(40)]);
        assert!(spent < Duration::from_secs(5), "{:?}: {spent:?}", &text[..40]);
    }
}

// ---------------------------------------------------------------------------

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut examples: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dynamo"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    examples.sort();
    assert!(!examples.is_empty());
    examples
}

fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}

fn named_children<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    node.named_children(&mut node.walk()).collect()
}

fn declarations(tree: &Tree) -> Vec<Node<'_>> {
    let mut nodes = named_children(tree.root_node());
    nodes.retain(|node| !node.kind().ends_with("comment") && !node.is_error());
    nodes
}

fn bodies<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    let mut found = Vec::new();
    for child in named_children(node) {
        if child.kind().ends_with("_body") {
            found.push(child);
        }
        found.extend(bodies(child));
    }
    found
}

/// The errors, the missing tokens and the cuts below a node.
fn faults<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    let mut found = Vec::new();
    if node.is_error() || node.is_missing() || node.kind() == "incomplete" {
        found.push(node);
    }
    for child in node.children(&mut node.walk()) {
        found.extend(faults(child));
    }
    found
}

fn blanks(text: &str, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    range.filter(|at| text.as_bytes()[*at].is_ascii_whitespace())
}

fn assert_same_shape(expected: &Tree, actual: &Tree, context: &str) {
    let expected = expected.root_node().to_sexp();
    let actual = actual.root_node().to_sexp();
    assert!(expected == actual, "{context}: {actual}");
}

/// Whether a faultless node of the kind covers the range.
fn has_intact(root: Node, kind: &str, range: &Range<usize>) -> bool {
    let mut node = root.descendant_for_byte_range(range.start, range.end);
    while let Some(candidate) = node {
        if candidate.byte_range() != *range {
            return false;
        }
        if candidate.kind() == kind {
            return faults(candidate).is_empty();
        }
        node = candidate.parent();
    }
    false
}
