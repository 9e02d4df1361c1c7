//! Completion at every place of the examples: each proposal can be read.
//!
//! A place is an offset in an example, once in the whole text and once with the rest
//! of its line cut off, as it is while the line is typed. Each proposal is put in for
//! what it replaces, and then the text *parses at least as far as before*:
//!
//! - as it is typed, with nothing of its declaration behind the cursor, no syntax error
//!   begins before the end of what was put in, but for those that were there before, at
//!   the same place and with the same words, and what was opened before and is not
//!   closed yet;
//! - as it stands, with what is behind, the declaration is still one of its kind that
//!   begins where it did, and every other that was whole is where it was, with the same
//!   text. How much of what is behind fits the proposal is the author's affair.
//!
//! And the other way round: what stands in the examples is proposed where it stands,
//! and a keyword of which only two letters are left becomes itself again, with nothing
//! added to what stands behind it.

use keywright::ide::{Analysis, CompletionItem, CompletionList};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::lower::keyword_start;
use keywright::model::occurrences::{Form, occurrences};
use keywright::syntax::{FileParse, PlacedChunk, Text};
use std::sync::Arc;

/// Which places and proposals are tried: each that many.
#[derive(Clone, Copy)]
struct Stride {
    places: usize,
    items: usize,
}

/// A text at which proposals are asked for, and tried.
struct Trial {
    host: Host,
    key: FileKey,
    tried: usize,
    empty: usize,
}

impl Trial {
    fn new() -> Self {
        Self { host: Host::default(), key: FileKey::new("/m/tried.dynamo"), tried: 0, empty: 0 }
    }

    fn at(&mut self, parse: &FileParse, offset: usize, stride: usize, turn: usize) {
        self.host.set(self.key.clone(), FileContent::Parsed(Arc::new(parse.clone())));
        let list = Analysis::new(self.host.snapshot()).completion(&self.key, offset, None).unwrap();
        let place = || format!("{}⟦{}⟧", tail(&parse.text[..offset]), head(&parse.text[offset..]));
        assert!(list.insert.start == list.replace.start && list.replace.touches(offset), "{}: {list:?}", place());
        assert!(list.insert.end as usize == offset || list.insert == list.replace, "{}: {list:?}", place());
        let replaced = &parse.text[list.replace.indices()];
        assert!(!replaced.contains(['\n', '\r']), "{}: an edit is of one line", place());
        self.empty += usize::from(list.items.is_empty());
        for item in list.items.iter().skip(turn % stride).step_by(stride) {
            self.tried += 1;
            if let Err(fault) = parses_as_far(parse, &list, item) {
                panic!("{}\nwith {:?}: {fault}", place(), item.text);
            }
        }
    }
}

fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(120);
    let start = (start..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    &text[start..]
}

fn head(text: &str) -> &str {
    let end = text.len().min(60);
    let end = (0..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

fn errors(parse: &FileParse) -> Vec<(usize, &str)> {
    let all = parse.chunks.iter().flat_map(|placed| {
        let start = placed.start as usize;
        placed.chunk.errors.iter().map(move |error| (start + error.range.start as usize, error.message.as_str()))
    });
    all.collect()
}

/// The text with something else in the place of what a list replaces.
fn put(before: &FileParse, list: &CompletionList, text: &str) -> FileParse {
    let mut rope = before.rope.clone();
    rope.replace(list.replace.start as usize, list.replace.end as usize, text);
    before.edited(rope)
}

fn parses_as_far(before: &FileParse, list: &CompletionList, item: &CompletionItem) -> Result<(), String> {
    let (start, end) = (list.replace.start as usize, list.replace.end as usize);
    let put_in = start + item.text.trim_end().len();
    let after = put(before, list, &item.text);
    let known = errors(before);
    let begins = |placed: &PlacedChunk| placed.start as usize + keyword_start(&placed.chunk.text);
    let decl = before.chunks.iter().rfind(|placed| begins(placed) < start);
    let behind = decl.map_or(end, |placed| (placed.range().end as usize).max(end));
    let typed = format!("{}{}\n{}", &before.text[..start], item.text, &before.text[behind..]);
    for error in errors(&before.edited(Text::new(&typed))) {
        let opened_before = error.0 < start && error.1.contains("is not closed");
        let block = error.1.starts_with("`{` is not closed") && error.0 < put_in && !item.text.contains('}');
        if error.0 < put_in && !opened_before && !block && !known.contains(&error) {
            return Err(format!("{error:?} is new"));
        }
    }
    if let Some(decl) = decl {
        let same = |other: &PlacedChunk| other.start == decl.start && other.chunk.kind == decl.chunk.kind;
        if !after.chunks.iter().any(same) {
            return Err(format!("{:?} is no {:?} any more", head(&decl.chunk.text), decl.chunk.kind));
        }
    }
    for placed in before.chunks.iter().filter(|placed| placed.chunk.errors.is_empty()) {
        let range = placed.range();
        let moved = match range.start as usize > end {
            true => range.start as usize + item.text.len() - (end - start),
            false if (range.end as usize) < start => range.start as usize,
            false => continue,
        };
        // Whose keyword is replaced becomes another.
        if begins(placed) == start {
            continue;
        }
        let is_it = |other: &PlacedChunk| {
            other.start as usize == moved
                && other.chunk.kind == placed.chunk.kind
                && other.chunk.text == placed.chunk.text
        };
        // What goes on with a declaration makes it longer.
        let goes_on = |other: &PlacedChunk| {
            (range.end as usize) < start && other.start as usize == moved && other.range().touches(put_in)
        };
        if !after.chunks.iter().any(|other| is_it(other) || goes_on(other)) {
            return Err(format!("{:?} is lost", head(&placed.chunk.text)));
        }
    }
    Ok(())
}

/// The same text without what stands between an offset and the end of its line.
fn cut(text: &str, offset: usize) -> String {
    let rest = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    format!("{}{}", &text[..offset], &text[rest..])
}

fn everywhere(name: &str, stride: Stride) {
    let text = std::fs::read_to_string(format!("{}/examples/{name}.dynamo", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let whole = FileParse::new(&text);
    let mut trial = Trial::new();
    let offsets = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    let mut places = 0;
    for (turn, offset) in offsets.step_by(stride.places).enumerate() {
        trial.at(&whole, offset, stride.items, turn);
        let half = whole.edited(Text::new(&cut(&text, offset)));
        trial.at(&half, offset, stride.items, turn);
        places += 2;
    }
    eprintln!("{name}: {places} places, {} proposals, nothing at {}", trial.tried, trial.empty);
    assert!(trial.tried > places / 2, "{name}: {} proposals at {places} places", trial.tried);
    assert!(trial.empty < places * 2 / 3, "{name}: nothing at {} of {places} places", trial.empty);
}

/// What a label has to be for what stands somewhere to be proposed.
fn is_proposed(list: &CompletionList, written: &str) -> bool {
    list.items.iter().any(|item| item.label == written || item.label.split(' ').any(|word| word == written))
}

/// A model, with where each of its words ends and what the proposal for it says.
struct Known {
    key: FileKey,
    host: Host,
    text: String,
    words: Vec<(usize, String)>,
}

fn known(name: &str) -> Known {
    let text = std::fs::read_to_string(format!("{}/examples/{name}.dynamo", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let key = FileKey::new("/m/known.dynamo");
    let mut host = Host::default();
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let file = *Workspace::get(db).files(db).get(&key).unwrap();
    let mut words: Vec<(usize, String)> = Vec::new();
    for (decl, start) in file.decls(db).iter().zip(file.starts(db)) {
        for used in occurrences(db, file, *decl).iter().filter(|used| !used.declares) {
            let colon = if used.form == Form::Parameter { ":" } else { "" };
            words.push(((start + used.range.end) as usize, format!("{colon}{}", used.text)));
        }
        let chunk = decl.chunk(db);
        let mut cursor = chunk.tree.walk();
        'walk: loop {
            let node = cursor.node();
            let word = &chunk.text[node.byte_range()];
            let keyword = !node.is_named() || matches!(node.kind(), "keyword_value" | "primitive_type" | "operator");
            if node.child_count() == 0 && keyword && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                words.push((*start as usize + node.end_byte(), word.to_owned()));
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
    }
    assert!(words.len() > 50, "{name}: {}", words.len());
    Known { key, host, text, words }
}

fn recalls(name: &str, stride: usize) {
    let Known { key, host, text, words } = known(name);
    let analysis = Analysis::new(host.snapshot());
    for (end, word) in words.iter().step_by(stride) {
        // A modifier is proposed with its sign.
        let modifier = text[..end - word.trim_start_matches(':').len()].ends_with('@');
        let written = if modifier { format!("@{word}") } else { word.clone() };
        let list = analysis.completion(&key, *end, None).unwrap();
        let labels = || list.items.iter().map(|item| item.label.as_str()).collect::<Vec<_>>();
        assert!(is_proposed(&list, &written), "{written} is not proposed at {}⟦⟧: {:?}", tail(&text[..*end]), labels());
    }
}

/// Each keyword is cut to its first two letters, and its proposal taken.
fn mends(name: &str, stride: usize) {
    let Known { key, mut host, text, words } = known(name);
    let whole = FileParse::new(&text);
    let mut mended = 0;
    for (end, word) in words.iter().step_by(stride) {
        let typed = end - word.len() + 2;
        if word.len() < 3 || !word.starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let half = format!("{}{}", &text[..typed], &text[*end..]);
        host.set(key.clone(), FileContent::Parsed(Arc::new(whole.edited(Text::new(&half)))));
        let list = Analysis::new(host.snapshot()).completion(&key, typed, None).unwrap();
        let next = |label: &str| text[*end - word.len()..].starts_with(label);
        let bare = |label: &str| label.trim_start_matches('@').split(' ').next() == Some(word);
        let is_it = |item: &&CompletionItem| bare(&item.label) && next(item.label.trim_start_matches('@'));
        let Some(item) = list.items.iter().find(is_it) else { continue };
        mended += 1;
        for put in [Some(&item.text), item.snippet.as_ref()].into_iter().flatten() {
            let put = format!("{}{put}{}", &half[..list.replace.start as usize], &half[list.replace.end as usize..]);
            assert_eq!(put, text, "{word} at {}⟦⟧{}", tail(&text[..typed]), head(&text[*end..]));
        }
    }
    eprintln!("{name}: {mended} words mended");
    assert!(mended > words.len() / stride / 4, "{name}: {mended} of {}", words.len() / stride);
}

#[test]
fn half_a_word_of_the_examples_becomes_whole_again() {
    for name in ["shop", "blog", "school"] {
        mends(name, 7);
    }
}

#[test]
fn what_stands_in_the_examples_is_proposed_there() {
    for name in ["shop", "blog", "school"] {
        recalls(name, 1);
    }
}

/// Apart by a prime, so that all kinds of places are met.
const SOME: Stride = Stride { places: 23, items: 5 };
const EVERY: Stride = Stride { places: 1, items: 1 };

#[test]
fn proposals_in_the_shop_can_be_read() {
    everywhere("shop", SOME);
}

#[test]
fn proposals_in_the_blog_can_be_read() {
    everywhere("blog", SOME);
}

#[test]
fn proposals_in_the_school_can_be_read() {
    everywhere("school", SOME);
}

#[test]
#[ignore = "takes long unless it is optimised: `cargo xtask test` does so"]
fn every_proposal_in_the_shop_can_be_read() {
    everywhere("shop", EVERY);
}

#[test]
#[ignore = "takes long unless it is optimised: `cargo xtask test` does so"]
fn every_proposal_in_the_blog_can_be_read() {
    everywhere("blog", EVERY);
}

#[test]
#[ignore = "takes long unless it is optimised: `cargo xtask test` does so"]
fn every_proposal_in_the_school_can_be_read() {
    everywhere("school", EVERY);
}
