//! Semantic tokens.

use super::{Asked, Checked};
use crate::session::text::offset;
use serde_json::Value;

/// The numbers of tokens: those of a full answer, or of those before with the
/// edits of an answer.
pub fn tokens(result: &Value, before: Vec<u32>) -> Vec<u32> {
    let numbers = |value: &Value| -> Vec<u32> {
        value.as_array().into_iter().flatten().filter_map(|number| Some(number.as_u64()? as u32)).collect()
    };
    let Some(edits) = result["edits"].as_array() else { return numbers(&result["data"]) };
    let mut edits: Vec<(usize, usize, Vec<u32>)> = edits
        .iter()
        .map(|edit| {
            let number = |name: &str| edit[name].as_u64().unwrap_or(u64::MAX) as usize;
            (number("start"), number("deleteCount"), numbers(&edit["data"]))
        })
        .collect();
    // All of them are made for the numbers before.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.0));
    let mut data = before;
    for (start, count, new) in edits {
        let end = start.saturating_add(count).min(data.len());
        data.splice(start.min(end)..end, new);
    }
    data
}

impl Asked<'_> {
    pub(super) fn delta(&self, result: &Value) -> Checked {
        let before = self.editor.buffers.get(&self.uri).and_then(|buffer| buffer.tokens.clone());
        let Some((id, before)) = before else { return Ok(()) };
        if self.pending.params["previousResultId"] != id.as_str() {
            // Another answer has come in between: these edits are for none we have.
            return Ok(());
        }
        if let Some(edits) = result["edits"].as_array() {
            for edit in edits {
                let number = |name: &str| edit[name].as_u64().unwrap_or(u64::MAX);
                if number("start").saturating_add(number("deleteCount")) > before.len() as u64 {
                    return Err(format!("{edit} is for more than the {} numbers", before.len()));
                }
            }
        }
        self.tokens(&tokens(result, before))
    }

    /// Tokens lie in the text, one after the other, each in its line.
    pub(super) fn tokens(&self, numbers: &[u32]) -> Checked {
        let text = self.text()?;
        let legend = &self.editor.server["semanticTokensProvider"]["legend"];
        let known = |name: &str| legend[name].as_array().map_or(0, Vec::len);
        let (kinds, modifiers) = (known("tokenTypes"), known("tokenModifiers"));
        if !numbers.len().is_multiple_of(5) {
            return Err(format!("{} numbers", numbers.len()));
        }
        let (mut line, mut column, mut end) = (0, 0, 0);
        for token in numbers.chunks_exact(5) {
            let &[lines, columns, length, kind, bits] = token else { return Err("five numbers".to_owned()) };
            (line, column) = if lines > 0 { (line + lines, columns) } else { (line, column + columns) };
            let place = |column: u32| serde_json::json!({"line": line, "character": column});
            let start = offset(text, &place(column), self.encoding());
            let stop = offset(text, &place(column + length), self.encoding());
            let (Some(start), Some(stop)) = (start, stop) else {
                return Err(format!("a token at {line}:{column} of length {length} is not in the text"));
            };
            if start < end || stop <= start || kind as usize >= kinds || u64::from(bits) >> modifiers != 0 {
                return Err(format!("a token at {line}:{column}: {token:?}"));
            }
            end = stop;
        }
        Ok(())
    }
}
