//! What somebody types, or does to a text at one go.

use crate::session::random::Random;
use crate::session::text::splits;

/// What is typed, or pasted: whole, half, and none of the language.
const SNIPPETS: &[&str] = &[
    " ",
    "\n",
    "\r\n",
    "{",
    "}",
    "\"",
    "`",
    "//",
    "é",
    "🙂",
    "e\u{301}",
    "\u{FEFF}",
    "\t",
    ":",
    "@",
    ",",
    "(",
    ")",
    "=",
    "#{",
    "{id}",
    "\\",
    "\nentity New { new_id: string @id }\n",
    "\nentity Half {\n  half_id: ",
    "\npattern Ask { reads New\n  rate 1/s\n  get New from ",
    "\npattern {",
    "query ",
    " where ",
    "begins_with \"",
    "\nimport \"b.dynamo\"\n",
    "\nimport \"none.dynamo\"\n",
    "import \"",
    "\ntable T {\n  partition key pk = \"NEW#{new_id}\"\n  item New\n}\n",
    "allow scan-pattern \"because\"\n",
    "{\"TableName\": \"x\", \"KeySchema\": [{\"AttributeName\": \"pk\"}]}",
    "12KB",
    "9999999999999999999999999",
    "/// documented 🙂\n",
    "entity entity entity",
    "}}}}",
    "{{{{",
];

/// One replacement in a text: where, and by what.
pub fn edit(random: &mut Random, text: &str) -> (usize, usize, String) {
    let at = place(random, text);
    match random.below(10) {
        0..=3 => (at, at, (*random.pick(SNIPPETS)).to_owned()),
        // A few characters go.
        4 | 5 => (at, boundary(text, at + 1 + random.below(8)), String::new()),
        // A stretch goes, or another comes in its place.
        6 => {
            let end = boundary(text, at + random.below(200));
            let new = if random.chance(50) { String::new() } else { (*random.pick(SNIPPETS)).to_owned() };
            (at, end, new)
        }
        // A name becomes one that is somewhere else.
        7 | 8 => match (name(random, text), name(random, text)) {
            (Some((start, end)), Some((from, to))) => (start, end, text[from..to].to_owned()),
            _ => (at, at, "name".to_owned()),
        },
        // Lines are put in once more.
        _ => {
            let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let end = boundary(text, start + random.below(300));
            (start, start, text[start..end].to_owned())
        }
    }
}

/// What is typed letter by letter.
pub fn phrase(random: &mut Random) -> &'static str {
    const PHRASES: &[&str] = &[
        "\nentity Typed {\n  typed_id: ulid @id\n}\n",
        "\npattern Typed { reads Student }\n",
        "  query Post where ",
        "@of(",
        "begins_with \"POST#",
        "import \"c.dynamo\"\n",
        "// 🙂 é\n",
        "  rate 10/s avg\n",
    ];
    let picked: &&str = random.pick(PHRASES);
    picked
}

/// Some place in a text that a position can name.
pub fn place(random: &mut Random, text: &str) -> usize {
    // Most things happen at names.
    match name(random, text).filter(|_| random.chance(60)) {
        Some((start, end)) => boundary(text, start + random.below(end - start + 1)),
        None => boundary(text, random.below(text.len() + 1)),
    }
}

/// The next place that a position can name.
pub fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) || splits(text, at) {
        at += 1;
    }
    at
}

/// Some name of a text.
pub fn name(random: &mut Random, text: &str) -> Option<(usize, usize)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let from = random.below(bytes.len());
    let start = (from..bytes.len()).find(|at| is_part(bytes[*at]))?;
    let end = (start..bytes.len()).find(|at| !is_part(bytes[*at])).unwrap_or(bytes.len());
    Some((start, end))
}
