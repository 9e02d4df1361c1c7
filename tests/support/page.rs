//! The examples of documentation pages, run.
//!
//! A block is fenced as ```` ```dynamo bad ````. In it, a comment line of `^`
//! marks the range above it: `// ^^^`; `// ^ at 1:1` marks the first character of
//! the file, which no comment can stand under. A line `//- other.dynamo` begins another
//! file of the same model (the first is `main.dynamo`). In a block tagged
//! `escaped` as well, `\xff` and `\0` stand for bytes.

use keywright::ide::{Analysis, CodeActionKind, Diagnostic, FileRange, apply};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::finding::Level;
use keywright::syntax::{Encoding, Text, TextRange};

#[derive(Debug)]
pub struct Block {
    pub tag: String,
    pub line: usize,
    pub files: Vec<File>,
}

#[derive(Debug)]
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Line, column and length in characters, from zero.
    pub marks: Vec<(usize, usize, usize)>,
}

/// The tagged blocks of a page.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```dynamo") else { continue };
        let mut content = Vec::new();
        for (_, line) in lines.by_ref() {
            if line.starts_with("```") {
                break;
            }
            content.push(line);
        }
        let words: Vec<&str> = info.split_whitespace().collect();
        if let Some(tag) = words.first() {
            let escaped = words.contains(&"escaped");
            blocks.push(Block { tag: (*tag).to_owned(), line: number + 1, files: files(&content, escaped) });
        }
    }
    blocks
}

fn files(lines: &[&str], escaped: bool) -> Vec<File> {
    let mut files = vec![(String::from("main.dynamo"), Vec::new(), Vec::new())];
    for line in lines {
        if let Some(name) = line.strip_prefix("//- ") {
            files.push((name.trim().to_owned(), Vec::new(), Vec::new()));
            continue;
        }
        let (_, kept, marks) = files.last_mut().expect("there is one from the start");
        let comment = line.trim_start().strip_prefix("//").map(str::trim);
        match comment {
            Some("^ at 1:1") => marks.push((0, 0, 1)),
            Some(mark) if !mark.is_empty() && mark.chars().all(|c| c == '^' || c == ' ') => {
                let above: usize = kept.len() - 1;
                let chars: Vec<char> = line.chars().collect();
                let mut at = 0;
                while at < chars.len() {
                    let length = chars[at..].iter().take_while(|c| **c == '^').count();
                    if length > 0 {
                        marks.push((above, at, length));
                    }
                    at += length.max(1);
                }
            }
            _ => kept.push(*line),
        }
    }
    files
        .into_iter()
        .filter(|(_, lines, _)| !lines.is_empty())
        .map(|(name, lines, marks)| {
            let mut text = lines.join("\n");
            text.push('\n');
            let bytes = if escaped { unescape(&text) } else { text.into_bytes() };
            File { name, bytes, marks }
        })
        .collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("\\0") {
            bytes.push(0);
            rest = after;
        } else if let Some(hex) = rest.strip_prefix("\\x").and_then(|r| r.get(..2)) {
            bytes.push(u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
            rest = &rest[4..];
        } else {
            let c = rest.chars().next().expect("it is not empty");
            bytes.extend(c.to_string().bytes());
            rest = &rest[c.len_utf8()..];
        }
    }
    bytes
}

pub fn key(name: &str) -> FileKey {
    FileKey::new(&format!("/model/{name}"))
}

pub fn analyse(files: &[File]) -> Analysis {
    let mut host = Host::default();
    for file in files {
        host.set(key(&file.name), FileContent::from_bytes(&file.bytes));
    }
    Analysis::new(host.snapshot())
}

/// A model of one file, `main.dynamo`.
pub fn model(text: &str) -> Vec<File> {
    vec![File { name: "main.dynamo".to_owned(), bytes: text.as_bytes().to_vec(), marks: Vec::new() }]
}

/// The findings of a rule in a model of one file.
pub fn findings(text: &str, rule: &str) -> Vec<Diagnostic> {
    let all = analyse(&model(text)).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile");
    all.into_iter().filter(|diagnostic| diagnostic.rule == rule).collect()
}

fn diagnostics(block: &Block) -> Vec<(String, Diagnostic)> {
    let analysis = analyse(&block.files);
    let of = |file: &File| analysis.diagnostics(&key(&file.name)).expect("nothing changes meanwhile");
    block.files.iter().flat_map(|file| of(file).into_iter().map(|d| (file.name.clone(), d))).collect()
}

fn show(found: &[(String, Diagnostic)]) -> String {
    let lines: Vec<String> = found
        .iter()
        .map(|(file, d)| format!("  {file} {:?} {} {}: {}", d.range, d.level.word(), d.rule, d.message))
        .collect();
    lines.join("\n")
}

/// The range in lines and characters; an empty range counts as one character.
fn mark_of(text: &str, range: FileRange) -> (usize, usize, usize) {
    match range {
        FileRange::Point { line, column } => (line as usize, column as usize, 1),
        FileRange::Bytes(TextRange { start, end }) => {
            let rope = Text::new(text);
            let position = rope.position(start as usize, Encoding::Utf32);
            let slice = &text[start as usize..end as usize];
            let first = slice.split('\n').next().unwrap_or("");
            (position.line as usize, position.column as usize, first.trim_end_matches('\r').chars().count().max(1))
        }
    }
}

/// The rule speaks at every mark and nowhere else, and no other error or
/// warning does.
pub fn check_bad(rule: &str, block: &Block) -> Result<(), String> {
    let found = diagnostics(block);
    for file in &block.files {
        let text = String::from_utf8_lossy(&file.bytes);
        let mut expected = file.marks.clone();
        expected.sort();
        let own = found.iter().filter(|(name, d)| *name == file.name && d.rule == rule);
        let mut actual: Vec<_> = own.map(|(_, d)| mark_of(&text, d.range)).collect();
        actual.sort();
        if actual != expected {
            return Err(format!(
                "{}: expected {rule} at {expected:?} (line, column, length from 0), found it at {actual:?}\n{}",
                file.name,
                show(&found)
            ));
        }
    }
    let others: Vec<_> = found.into_iter().filter(|(_, d)| d.rule != rule && d.level >= Level::Warning).collect();
    if !others.is_empty() {
        return Err(format!("other findings in a bad block:\n{}", show(&others)));
    }
    if block.files.iter().all(|file| file.marks.is_empty()) {
        return Err("a bad block without a mark".to_owned());
    }
    Ok(())
}

/// The rule keeps silent, and nothing else is wrong.
pub fn check_good(rule: &str, block: &Block) -> Result<(), String> {
    let found: Vec<_> =
        diagnostics(block).into_iter().filter(|(_, d)| d.rule == rule || d.level >= Level::Warning).collect();
    if found.is_empty() { Ok(()) } else { Err(format!("findings in a good block:\n{}", show(&found))) }
}

/// The first fix of the first finding turns `bad` into `fixed`, which is good.
pub fn check_fixed(rule: &str, bad: &Block, fixed: &Block) -> Result<(), String> {
    check_good(rule, fixed)?;
    let analysis = analyse(&bad.files);
    for file in &bad.files {
        let text = String::from_utf8_lossy(&file.bytes);
        let all = TextRange::new(0, text.len());
        let actions = analysis.code_actions(&key(&file.name), all).expect("nothing changes meanwhile");
        let fix = actions.into_iter().find(|action| {
            action.kind == CodeActionKind::QuickFix && action.mends.is_some_and(|(name, _)| name == rule)
        });
        let Some(fix) = fix else { continue };
        for expected in &fixed.files {
            let before = bad.files.iter().find(|file| file.name == expected.name);
            let before = before.map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
            let edits = fix.change.edits.iter().find(|(name, _)| *name == key(&expected.name));
            let created = fix.change.creates.iter().find(|(name, _)| *name == key(&expected.name));
            let after = match (before, edits, created) {
                (Some(before), Some((_, edits)), _) => apply(&before, edits),
                (Some(before), None, _) => before,
                (None, _, Some((_, text))) => text.clone(),
                (None, _, None) => return Err(format!("the fix does not make {}", expected.name)),
            };
            let expected = String::from_utf8_lossy(&expected.bytes);
            if after != expected {
                return Err(format!("`{}` gives\n{after}\nbut the page says\n{expected}", fix.title));
            }
        }
        return Ok(());
    }
    Err("no fix is offered".to_owned())
}

/// The levels of a rule's findings in a model.
pub fn levels(rule: &str, model: &str) -> Vec<&'static str> {
    findings(model, rule).iter().map(|found| found.level.word()).collect()
}

pub fn message(rule: &str, model: &str) -> String {
    let mut all = findings(model, rule);
    assert_eq!(all.len(), 1, "one {rule} in {model}");
    all.remove(0).message
}
