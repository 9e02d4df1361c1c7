//! Edits that answers consist of: they can be made, and make no more than they
//! should.

use super::{Asked, Checked};
use crate::session::text::{edited, offsets};
use serde_json::Value;

impl Asked<'_> {
    /// Formatting touches nothing but white space.
    pub(super) fn only_space(&self, result: &Value) -> Checked {
        let text = self.text()?;
        let Some(edits) = result.as_array() else { return Ok(()) };
        let new = edited(text, edits, self.encoding())?;
        let bare = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
        if bare(text) == bare(&new) { Ok(()) } else { Err(format!("more than white space became another: {new}")) }
    }

    pub(super) fn proposals(&self, result: &Value) -> Checked {
        let text = self.text()?;
        let items = result.as_array().or_else(|| result["items"].as_array());
        let defaults = &result["itemDefaults"]["editRange"];
        for item in items.into_iter().flatten() {
            if item["label"].as_str().is_none_or(str::is_empty) {
                return Err(format!("no label: {item}"));
            }
            let edit = &item["textEdit"];
            for range in
                [&edit["range"], &edit["insert"], &edit["replace"], defaults, &defaults["insert"], &defaults["replace"]]
            {
                if !range.is_object() || range.get("start").is_none() {
                    continue;
                }
                if range["start"]["line"] != range["end"]["line"] {
                    return Err(format!("over several lines: {item}"));
                }
                let (start, end) = offsets(text, range, self.encoding()).ok_or("no range")?;
                if !self.cursor().is_some_and(|cursor| (start..=end).contains(&cursor)) {
                    return Err(format!("not at the cursor: {item}"));
                }
            }
        }
        Ok(())
    }

    /// Edits of actions can be made, each by itself.
    pub(super) fn actions(&self, result: &Value) -> Checked {
        for action in result.as_array().into_iter().flatten() {
            each_document(&action["edit"], |uri, edits| {
                let texts = self.texts(uri);
                let mut made = texts.iter().map(|text| edited(text, edits, self.encoding()));
                // What the action creates itself has no text yet.
                if texts.is_empty() || made.any(|made| made.is_ok()) {
                    return Ok(());
                }
                Err(format!("the edits of {uri} cannot be made: {action}"))
            })?;
        }
        Ok(())
    }
}

/// Each document of a workspace edit, with its edits.
pub(super) fn each_document(edit: &Value, mut each: impl FnMut(&str, &[Value]) -> Checked) -> Checked {
    for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
        each(uri, edits.as_array().map(Vec::as_slice).unwrap_or_default())?;
    }
    for change in edit["documentChanges"].as_array().into_iter().flatten() {
        if let Some(edits) = change["edits"].as_array() {
            each(change["textDocument"]["uri"].as_str().unwrap_or_default(), edits)?;
        }
    }
    Ok(())
}
