//! Every query compiles, and finds something wherever it says that it would.

use std::{collections::HashSet, fs, path::Path};

use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator, Tree};
use tree_sitter_dynamo::{
    FOLDS_QUERY, HIGHLIGHTS_QUERY, INDENTS_QUERY, INJECTIONS_QUERY, LANGUAGE, LOCALS_QUERY, TAGS_QUERY,
};

const QUERIES: [(&str, &str); 6] = [
    ("highlights", HIGHLIGHTS_QUERY),
    ("injections", INJECTIONS_QUERY),
    ("locals", LOCALS_QUERY),
    ("folds", FOLDS_QUERY),
    ("indents", INDENTS_QUERY),
    ("tags", TAGS_QUERY),
];

/// The grammar's own queries, and those that editors have of their own.
fn all_queries() -> Vec<(String, String)> {
    let mut all: Vec<_> = QUERIES.map(|(name, query)| (name.to_owned(), query.to_owned())).into();
    let editors = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors")).unwrap();
    for editor in editors.map(|editor| editor.unwrap().path()) {
        for file in fs::read_dir(editor.join("queries/dynamo")).into_iter().flatten() {
            let path = file.unwrap().path();
            all.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
        }
    }
    assert!(all.len() > QUERIES.len(), "no editor has queries");
    all
}

#[test]
fn every_query_finds_something_in_the_examples() {
    let texts = texts("../examples", "dynamo");
    for (name, query) in all_queries() {
        let query = compile(&name, &query);
        for text in &texts {
            assert!(!matched_patterns(&query, text).is_empty(), "{name}");
        }
    }
}

#[test]
fn every_pattern_finds_something_in_the_examples_and_the_corpus() {
    let mut texts = texts("../examples", "dynamo");
    for corpus in self::texts("test/corpus", "txt") {
        let bar = "=".repeat(80);
        let rule = "-".repeat(80);
        for case in corpus.split(&bar).skip(2).step_by(2) {
            texts.push(case.split(&rule).next().unwrap().to_owned());
        }
    }
    for (name, source) in all_queries() {
        let query = compile(&name, &source);
        let mut unmatched: HashSet<usize> = (0..query.pattern_count()).collect();
        for text in &texts {
            for pattern in matched_patterns(&query, text) {
                unmatched.remove(&pattern);
            }
        }
        let unmatched: Vec<&str> = unmatched
            .into_iter()
            .map(|pattern| &source[query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern)])
            .collect();
        assert!(unmatched.is_empty(), "{name}: nothing matches {}", unmatched.join("\n"));
    }
}

/// No token of the examples is left without a colour, and none has two.
#[test]
fn highlights_cover_every_token_once() {
    let query = compile("highlights", HIGHLIGHTS_QUERY);
    for text in texts("../examples", "dynamo") {
        let tree = parse(&text);
        let mut captured = Vec::new();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
        while let Some(found) = matches.next() {
            captured.extend(found.captures().iter().map(|capture| capture.node.id()));
        }
        for token in tokens(tree.root_node()) {
            let count = captured.iter().filter(|id| **id == token.id()).count();
            let parent = token.parent().unwrap();
            let by_parent = captured.contains(&parent.id());
            assert_eq!(
                count + usize::from(by_parent),
                1,
                "{:?} in {} is captured {count} times",
                &text[token.byte_range()],
                parent.kind(),
            );
        }
    }
}

fn compile(name: &str, source: &str) -> Query {
    Query::new(&LANGUAGE.into(), source).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn matched_patterns(query: &Query, text: &str) -> HashSet<usize> {
    let tree = parse(text);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    let mut patterns = HashSet::new();
    while let Some(found) = matches.next() {
        patterns.insert(found.pattern_index);
    }
    patterns
}

fn tokens<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    if node.child_count() == 0 {
        return vec![node];
    }
    node.children(&mut node.walk()).flat_map(tokens).collect()
}

fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}

/// The texts of a folder's files with the extension.
fn texts(folder: &str, extension: &str) -> Vec<String> {
    let mut paths: Vec<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|actual| actual == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}
