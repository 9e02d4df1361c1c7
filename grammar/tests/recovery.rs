//! A file under the cursor is never a dead end: whatever is half-typed, the
//! rest of the file parses as if the fault were not there.

use std::{
    fs,
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

#[test]
fn examples_parse_cleanly() {
    for (name, text) in examples() {
        let tree = parse(&text);
        assert!(faults(tree.root_node()).is_empty(), "{name}");
    }
}

/// A declaration loses everything behind one of its blanks; the others stay as
/// they are, and what is left of it is still a declaration of its kind.
#[test]
fn a_declaration_cut_short_leaves_the_others_intact() {
    for Excerpt { text, index } in excerpts() {
        let tree = parse(&text);
        let declarations = declarations(&tree);
        let cut = declarations[index];
        for blank in blanks(&text, cut.byte_range()) {
            let edit = Edit::new(blank..cut.end_byte(), "");
            let broken = edit.apply(&text);
            let broken_tree = parse(&broken);
            for other in &declarations {
                assert!(
                    other.id() == cut.id() || is_intact(*other, &edit, &broken_tree),
                    "{:?} loses {:?}",
                    &text[cut.start_byte()..blank],
                    &text[other.byte_range()],
                );
            }
            assert!(
                named_children(broken_tree.root_node())
                    .iter()
                    .any(|node| node.start_byte() == cut.start_byte() && node.kind() == cut.kind()),
                "{:?} is no {} any more",
                &text[cut.start_byte()..blank],
                cut.kind(),
            );
        }
    }
}

/// A clause loses everything behind one of its characters; its siblings stay.
#[test]
fn a_clause_cut_short_leaves_its_siblings_intact() {
    for Excerpt { text, index } in excerpts() {
        let tree = parse(&text);
        for body in bodies(declarations(&tree)[index]) {
            let clauses = named_children(body);
            for cut in clauses.iter().filter(|node| !node.kind().ends_with("comment")) {
                for end in cut.byte_range().skip(1).filter(|end| text.is_char_boundary(*end)) {
                    let left = &text[cut.start_byte()..end];
                    // In an index, this is a read option at the wrong place.
                    if left == "project" {
                        continue;
                    }
                    let edit = Edit::new(end..cut.end_byte(), "");
                    let broken_tree = parse(&edit.apply(&text));
                    for other in &clauses {
                        assert!(
                            other.id() == cut.id() || is_intact(*other, &edit, &broken_tree),
                            "{left:?} loses {:?}",
                            &text[other.byte_range()],
                        );
                    }
                }
            }
        }
    }
}

/// Newlines do not separate: any blank may be one, and the other way round.
#[test]
fn a_clause_may_be_broken_into_lines() {
    let is_blank = |text: &str, tree: &Tree, at: usize| {
        let node = tree.root_node().descendant_for_byte_range(at, at + 1).unwrap();
        text.as_bytes()[at] == b' ' && !node.kind().ends_with("comment") && !node.kind().ends_with("content")
    };

    for Excerpt { text, index } in excerpts() {
        let tree = parse(&text);
        let range = declarations(&tree)[index].byte_range();
        for at in range.filter(|at| is_blank(&text, &tree, *at)) {
            let broken = Edit::new(at..at + 1, "\n").apply(&text);
            assert_same_shape(&tree, &parse(&broken), &broken);
        }
    }

    for (name, text) in examples() {
        let tree = parse(&text);
        let mut broken = text.clone();
        for at in (0..text.len()).filter(|at| is_blank(&text, &tree, *at)) {
            broken.replace_range(at..at + 1, "\n");
        }
        assert_same_shape(&tree, &parse(&broken), &name);

        let mut lines: Vec<&str> = text.lines().collect();
        lines.retain(|line| !line.trim_start().starts_with("//"));
        let tree = parse(&lines.join("\n"));
        assert_same_shape(&tree, &parse(&lines.join(" ")), &name);
    }
}

/// Something that does not belong there takes a token's place. No other
/// declaration minds, and few of the clauses beside it do.
#[test]
fn a_token_gone_wrong_stays_where_it_is() {
    const REPLACEMENTS: [&str; 8] = ["", "§", "foo", "12KB", "\"", "{", "(", "because"];

    let mut total = 0;
    let mut spread = 0;
    for Excerpt { text, index } in excerpts() {
        let tree = parse(&text);
        let declarations = declarations(&tree);
        for token in leaves(declarations[index]) {
            for replacement in REPLACEMENTS {
                let edit = Edit::new(token.byte_range(), replacement);
                let broken_tree = parse(&edit.apply(&text));
                for (i, other) in declarations.iter().enumerate() {
                    assert!(
                        i == index || is_intact(*other, &edit, &broken_tree),
                        "{replacement:?} for {:?} in {:?} loses {:?}",
                        &text[token.byte_range()],
                        &text[token.parent().unwrap().byte_range()],
                        &text[other.byte_range()],
                    );
                }

                let is_brace = |text: &str| text == "{" || text == "}";
                if is_brace(replacement) || is_brace(token.kind()) {
                    continue;
                }
                if let Some((body, clause)) = clause_of(token) {
                    total += 1;
                    spread += usize::from(
                        named_children(body)
                            .iter()
                            .any(|other| other.id() != clause.id() && !is_intact(*other, &edit, &broken_tree)),
                    );
                }
            }
        }
    }
    println!("{spread} of {total} faults spread to another clause");
    assert!(spread * 100 < total * 4);
}

/// The tree after an edit is the one that a parse of the new text gives.
#[test]
fn an_edit_gives_the_tree_of_the_new_text() {
    const EDITS: [(usize, &str); 8] =
        [(1, ""), (7, ""), (0, "x"), (0, "\n"), (0, "\""), (0, "{"), (0, "}"), (0, " because ")];

    let mut parser = parser();
    let (_, text) = examples().swap_remove(1);
    let tree = parse(&text);
    for at in (0..text.len()).step_by(3) {
        for (length, inserted) in EDITS {
            let end = (at + length).min(text.len());
            if !text.is_char_boundary(at) || !text.is_char_boundary(end) {
                continue;
            }
            let edit = Edit::new(at..end, inserted);
            let new = edit.apply(&text);
            let mut old = tree.clone();
            old.edit(&InputEdit {
                start_byte: at,
                old_end_byte: end,
                new_end_byte: at + inserted.len(),
                start_position: position(&text, at),
                old_end_position: position(&text, end),
                new_end_position: position(&new, at + inserted.len()),
            });
            let edited = parser.parse(&new, Some(&old)).unwrap();
            assert_same_shape(&parse(&new), &edited, &format!("{edit:?}"));
        }
    }
}

#[test]
fn every_prefix_of_a_file_keeps_the_declarations_before_its_end() {
    for (name, text) in examples() {
        let tree = parse(&text);
        let declarations = declarations(&tree);
        for end in (0..text.len()).step_by(5).filter(|end| text.is_char_boundary(*end)) {
            let edit = Edit::new(end..text.len(), "");
            let broken_tree = parse(&text[..end]);
            for whole in declarations.iter().filter(|node| node.end_byte() <= end) {
                assert!(is_intact(*whole, &edit, &broken_tree), "{name} up to {end}: {:?}", &text[whole.byte_range()]);
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

/// A declaration of an example, with the one before it and the one behind it:
/// quicker to parse a thousand times than the whole file.
struct Excerpt {
    text: String,
    index: usize,
}

fn excerpts() -> Vec<Excerpt> {
    let mut excerpts = Vec::new();
    for (_, text) in examples() {
        let tree = parse(&text);
        let declarations = declarations(&tree);
        for i in 0..declarations.len() {
            let first = i.saturating_sub(1);
            let last = (i + 1).min(declarations.len() - 1);
            excerpts.push(Excerpt {
                text: text[declarations[first].start_byte()..declarations[last].end_byte()].to_owned(),
                index: i - first,
            });
        }
    }
    excerpts
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).unwrap();
    parser
}

fn parse(text: &str) -> Tree {
    parser().parse(text, None).unwrap()
}

fn position(text: &str, at: usize) -> Point {
    let before = &text[..at];
    let row = before.matches('\n').count();
    let column = at - before.rfind('\n').map_or(0, |newline| newline + 1);
    Point { row, column }
}

/// A range of a text and what takes its place.
#[derive(Debug)]
struct Edit<'text> {
    range: Range<usize>,
    inserted: &'text str,
}

impl<'text> Edit<'text> {
    fn new(range: Range<usize>, inserted: &'text str) -> Edit<'text> {
        Edit { range, inserted }
    }

    fn apply(&self, text: &str) -> String {
        let mut edited = text.to_owned();
        edited.replace_range(self.range.clone(), self.inserted);
        edited
    }

    /// Where a node outside the range stands after the edit.
    fn moved(&self, node: Node) -> Range<usize> {
        let moved = |at: usize| {
            if at < self.range.end {
                at
            } else {
                at - self.range.len() + self.inserted.len()
            }
        };
        moved(node.start_byte())..moved(node.end_byte())
    }
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

fn leaves<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    if node.child_count() == 0 {
        return vec![node];
    }
    node.children(&mut node.walk()).flat_map(leaves).collect()
}

/// The clause that a node is part of, and the body around it.
fn clause_of<'tree>(node: Node<'tree>) -> Option<(Node<'tree>, Node<'tree>)> {
    let mut clause = node;
    while let Some(parent) = clause.parent() {
        if parent.kind().ends_with("_body") {
            return Some((parent, clause));
        }
        clause = parent;
    }
    None
}

/// All that is wrong below a node.
fn faults<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    const KINDS: [&str; 5] = ["incomplete", "unexpected", "unknown_clause", "unknown_modifier", "unknown_type"];
    let mut found = Vec::new();
    if node.is_error() || node.is_missing() || KINDS.contains(&node.kind()) {
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

/// Whether the tree of the edited text has the node, without a fault in it.
fn is_intact(node: Node, edit: &Edit, edited: &Tree) -> bool {
    let range = edit.moved(node);
    let mut found = edited.root_node().descendant_for_byte_range(range.start, range.end);
    while let Some(candidate) = found {
        if candidate.byte_range() != range {
            return false;
        }
        if candidate.kind() == node.kind() {
            return faults(candidate).is_empty();
        }
        found = candidate.parent();
    }
    false
}
