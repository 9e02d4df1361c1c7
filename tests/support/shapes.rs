//! One model in many shapes: what holds in one file must hold with other line
//! ends, behind other characters, beside faults, and over three files.

use super::editor::{Fixture, fixture};

/// The shapes of a marked text, with their names. A text of several files keeps
/// them; one file is also divided into three that import each other.
pub fn shapes(text: &str) -> Vec<(&'static str, Fixture)> {
    let text = text.trim_start_matches('\n');
    let is_one = !text.starts_with("//- ");
    let mut shapes = vec![
        ("as it is", fixture(text)),
        ("with CRLF", fixture(&crlf(text))),
        ("behind other characters", fixture(&foreign(text))),
        ("between faults", fixture(&faulty(text))),
        ("all at once", fixture(&crlf(&faulty(&foreign(text))))),
    ];
    if is_one {
        let three = in_three_files(text);
        shapes.push(("in three files", fixture(&three)));
        shapes.push(("in three files, all at once", fixture(&crlf(&faulty(&foreign(&three))))));
    }
    shapes
}

/// Runs a check on every shape; a failure names the shape.
#[track_caller]
pub fn in_all_shapes(text: &str, check: impl Fn(&Fixture)) {
    for (name, shape) in shapes(text) {
        eprintln!("{name}");
        check(&shape);
    }
}

/// The lines that begin a file stay as they are.
fn crlf(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| if line.starts_with("//- ") { line.to_owned() } else { line.replace('\n', "\r\n") })
        .collect()
}

fn each_file(text: &str, change: impl Fn(&str) -> String) -> String {
    if !text.starts_with("//- ") {
        return change(text);
    }
    let files = text.split("//- ").skip(1).map(|file| {
        let (name, body) = file.split_once('\n').expect("a file has a name and a text");
        format!("//- {name}\n{}", change(body))
    });
    files.collect()
}

/// Characters of two, three and four bytes above everything, and above each
/// declaration.
fn foreign(text: &str) -> String {
    each_file(text, |body| {
        let mut out = String::from("// é 🙂 語 ünï\n\n");
        for line in body.split_inclusive('\n') {
            if begins(line) {
                out.push_str("// 🙂é\n");
            }
            out.push_str(line);
        }
        out
    })
}

/// A declaration that stops short above, and two below.
fn faulty(text: &str) -> String {
    each_file(text, |body| {
        format!("entity {{\n  broken_: \n\n{body}\npattern Half_ {{ query \n\ntable Wrong_ {{\n  partition key \n")
    })
}

/// Whether a line begins a declaration at the margin.
fn begins(line: &str) -> bool {
    const KEYWORDS: [&str; 10] = [
        "import",
        "application",
        "entity",
        "relationship",
        "aggregate",
        "table",
        "pattern",
        "workflow",
        "consideration",
        "tradeoff",
    ];
    KEYWORDS.iter().any(|keyword| line.strip_prefix(keyword).is_some_and(|rest| rest.starts_with([' ', '$', '«'])))
}

/// The declarations dealt out to three files: the first imports the second, the
/// second the third. Comments go with what follows them.
fn in_three_files(text: &str) -> String {
    let mut files = [String::from("import \"b.dynamo\"\n"), String::from("import \"c.dynamo\"\n"), String::new()];
    let mut at = 0;
    let mut above = String::new();
    let mut depth = 0_i32;
    for line in text.split_inclusive('\n') {
        if begins(line) && depth == 0 {
            at += 1;
        } else if depth == 0 && (line.starts_with("//") || line.trim().is_empty()) {
            above.push_str(line);
            continue;
        }
        let file = &mut files[at % 3];
        file.push_str(&std::mem::take(&mut above));
        file.push_str(line);
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
    }
    files[at % 3].push_str(&above);
    let [a, b, c] = files;
    format!("//- a.dynamo\n{a}//- b.dynamo\n{b}//- c.dynamo\n{c}")
}
