//! A fault in one declaration hides no finding of another: each example, cut
//! off inside one declaration at every blank, keeps all its other declarations.

use keywright::model::defs::Lowered;
use keywright::model::lower::{keyword_start, lower};
use keywright::syntax::{ChunkKind, FileParse};

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/examples/{name}.dynamo", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn lowered(text: &str) -> Vec<(ChunkKind, Lowered, bool)> {
    let parse = FileParse::new(text);
    parse
        .chunks
        .iter()
        .map(|placed| (placed.chunk.kind, lower(&placed.chunk), placed.chunk.errors.is_empty()))
        .collect()
}

fn check(name: &str) {
    let text = example(name);
    let parse = FileParse::new(&text);
    let whole = lowered(&text);
    assert!(whole.iter().all(|(_, _, clean)| *clean), "{name} parses without an error");
    let mut cuts = 0;
    for (index, placed) in parse.chunks.iter().enumerate() {
        let range = placed.range();
        let chunk = &placed.chunk.text;
        let keyword = keyword_start(chunk);
        let blanks = chunk.char_indices().filter(|(at, c)| *at > keyword && c.is_whitespace());
        for (blank, _) in blanks {
            let cut = format!("{}\n\n{}", &text[..range.start as usize + blank], &text[range.end as usize..]);
            let after = lowered(&cut);
            let mut rest = after.iter();
            for other in whole.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, d)| d) {
                let found = rest.any(|candidate| candidate == other);
                assert!(found, "{name}: cut after {:?} lost {:?}", &chunk[..blank], other.1.name);
            }
            cuts += 1;
        }
    }
    assert!(cuts > 100, "{name}: {cuts}");
}

#[test]
fn shop_keeps_its_other_declarations() {
    check("shop");
}

#[test]
fn blog_keeps_its_other_declarations() {
    check("blog");
}

#[test]
fn school_keeps_its_other_declarations() {
    check("school");
}

/// The kinds and texts of the declarations that the grammar sees in a whole file.
fn seen_by_the_grammar(text: &str) -> Vec<(String, String)> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_dynamo::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let root = tree.root_node();
    let mut cursor = root.walk();
    let children = root.named_children(&mut cursor).filter(|node| !node.is_extra() && !node.is_error());
    children.map(|node| (node.kind().to_owned(), text[node.byte_range()].to_owned())).collect()
}

fn seen_by_the_splitter(text: &str) -> Vec<(String, String)> {
    let chunks = FileParse::new(text).chunks;
    let kept = chunks.iter().filter(|placed| placed.chunk.kind != ChunkKind::Junk);
    kept.map(|placed| {
        let text = &placed.chunk.text;
        (format!("{:?}", placed.chunk.kind).to_lowercase(), text[keyword_start(text)..].to_owned())
    })
    .collect()
}

#[test]
fn splitter_and_grammar_divide_a_file_alike() {
    for name in ["shop", "blog", "school"] {
        let text = example(name);
        assert_eq!(seen_by_the_splitter(&text), seen_by_the_grammar(&text), "{name}");
        // All on one line, comments left out: newlines do not separate.
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
        let one_line = lines.collect::<Vec<_>>().join(" ");
        assert_eq!(seen_by_the_splitter(&one_line), seen_by_the_grammar(&one_line), "{name} on one line");
    }
}

#[test]
fn splitter_and_grammar_agree_on_what_a_cut_leaves() {
    let text = example("shop");
    let parse = FileParse::new(&text);
    let mut disagreements = Vec::new();
    for placed in &parse.chunks {
        let range = placed.range();
        let blanks = placed.chunk.text.char_indices().filter(|(_, c)| *c == '\n');
        for (blank, _) in blanks.filter(|(at, _)| *at > keyword_start(&placed.chunk.text)) {
            let cut = format!("{}\n\n{}", &text[..range.start as usize + blank], &text[range.end as usize..]);
            let names = |seen: Vec<(String, String)>| -> Vec<String> {
                seen.into_iter().map(|(kind, text)| format!("{kind} {}", text.lines().next().unwrap_or(""))).collect()
            };
            if names(seen_by_the_splitter(&cut)) != names(seen_by_the_grammar(&cut)) {
                disagreements.push(placed.chunk.text[..blank].to_owned());
            }
        }
    }
    assert!(disagreements.is_empty(), "{disagreements:#?}");
}
