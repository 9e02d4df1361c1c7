//! Texts and positions as a client has them, computed apart from the server's
//! own code.

use serde_json::{Value, json};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    fn columns(self, text: &str) -> usize {
        text.chars().map(|character| self.width(character)).sum()
    }
}

/// Where the lines of a text begin and end; the ends are before the breaks.
pub fn lines(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let length = match bytes[at] {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
            b'\r' | b'\n' => 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push((start, at));
        at += length;
        start = at;
    }
    lines.push((start, at));
    lines
}

/// The position of an offset; one inside a line break is before it.
pub fn position(text: &str, offset: usize, encoding: Encoding) -> Value {
    let lines = lines(text);
    let line = lines.partition_point(|(start, _)| *start <= offset) - 1;
    let (start, end) = lines[line];
    json!({"line": line, "character": encoding.columns(&text[start..offset.min(end)])})
}

pub fn range(text: &str, start: usize, end: usize, encoding: Encoding) -> Value {
    json!({"start": position(text, start, encoding), "end": position(text, end, encoding)})
}

/// The offset of a position, if the text has it.
pub fn offset(text: &str, position: &Value, encoding: Encoding) -> Option<usize> {
    let line = usize::try_from(position["line"].as_u64()?).ok()?;
    let column = usize::try_from(position["character"].as_u64()?).ok()?;
    let (start, end) = *lines(text).get(line)?;
    let mut columns = 0;
    for (at, character) in text[start..end].char_indices() {
        if columns == column {
            return Some(start + at);
        }
        columns += encoding.width(character);
    }
    (columns == column).then_some(end)
}

/// The offsets of a range, if the text has it and it does not run backwards.
pub fn offsets(text: &str, range: &Value, encoding: Encoding) -> Option<(usize, usize)> {
    let (start, end) = (offset(text, &range["start"], encoding)?, offset(text, &range["end"], encoding)?);
    (start <= end).then_some((start, end))
}

/// A text after edits that were all made for it, in no order; or what is wrong
/// with them.
pub fn edited(text: &str, edits: &[Value], encoding: Encoding) -> Result<String, String> {
    let mut placed = Vec::new();
    for edit in edits {
        let place = offsets(text, &edit["range"], encoding).ok_or_else(|| format!("no such range: {edit}"))?;
        let new = edit["newText"].as_str().ok_or_else(|| format!("no text: {edit}"))?;
        placed.push((place, new));
    }
    placed.sort_by_key(|(place, _)| *place);
    if let Some(two) = placed.windows(2).find(|two| two[0].0.1 > two[1].0.0) {
        return Err(format!("edits overlap: {two:?}"));
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for ((start, end), new) in placed {
        out.push_str(&text[done..start]);
        out.push_str(new);
        done = end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The name around or before an offset, without its backticks.
pub fn name_at(text: &str, offset: usize) -> Option<&str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let start = text[..offset]
        .rfind(|character| !is_part(character))
        .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let end = text[offset..].find(|character| !is_part(character)).map_or(text.len(), |at| offset + at);
    Some(&text[start..end]).filter(|name| !name.is_empty())
}

/// What two texts share at both ends, as one edit: where, and what is new.
pub fn difference<'n>(old: &str, new: &'n str) -> (usize, usize, &'n str) {
    let mut start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) || splits(old, start) || splits(new, start) {
        start -= 1;
    }
    let most = (old.len() - start).min(new.len() - start);
    let mut end = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    let bad = |text: &str, end: usize| !text.is_char_boundary(text.len() - end) || splits(text, text.len() - end);
    while bad(old, end) || bad(new, end) {
        end -= 1;
    }
    (start, old.len() - end, &new[start..new.len() - end])
}

/// Whether an offset stands inside a line break, where no position is.
pub fn splits(text: &str, offset: usize) -> bool {
    let bytes = text.as_bytes();
    offset > 0 && bytes.get(offset) == Some(&b'\n') && bytes[offset - 1] == b'\r'
}
