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
