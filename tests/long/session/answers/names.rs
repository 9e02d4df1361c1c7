//! Answers about the name at a place.

use super::{Asked, Checked};
use crate::session::text::{edited, name_at, offsets};
use serde_json::Value;

impl Asked<'_> {
    pub(super) fn holds_cursor(&self, range: &Value) -> Checked {
        if range.is_null() {
            return Ok(());
        }
        let text = self.text()?;
        let (start, end) = offsets(text, range, self.encoding()).ok_or("no range")?;
        match self.cursor() {
            Some(cursor) if (start..=end).contains(&cursor) => Ok(()),
            cursor => Err(format!("{start}..{end} is not at {cursor:?}")),
        }
    }

    /// The places of an answer are those of the name that was asked about.
    pub(super) fn same_names(&self, result: &Value, may_be_other: bool) -> Checked {
        let text = self.text()?;
        let Some(name) = self.cursor().and_then(|cursor| name_at(text, cursor)) else { return Ok(()) };
        for place in result.as_array().into_iter().flatten() {
            let uri = place["targetUri"].as_str().or_else(|| place["uri"].as_str()).unwrap_or(&self.uri);
            let range = if place.get("targetSelectionRange").is_some() {
                &place["targetSelectionRange"]
            } else {
                &place["range"]
            };
            let texts = self.texts(uri);
            let mut found = texts.iter().filter_map(|text| {
                let (start, end) = offsets(text, range, self.encoding())?;
                Some(text[start..end].trim_matches(['`', '"']).to_owned())
            });
            // The answer says itself which part of a broken word it takes for the name.
            let origin = offsets(text, &place["originSelectionRange"], self.encoding());
            let name = origin.map_or(name, |(start, end)| text[start..end].trim_matches(['`', '"']));
            let is_it = |found: &str| found == name || may_be_other && found.is_empty() || !is_plain(found);
            if !texts.is_empty() && !found.any(|found| is_it(&found)) {
                return Err(format!("{place} is not `{name}`"));
            }
        }
        Ok(())
    }

    pub(super) fn renames(&self, edit: &Value) -> Checked {
        if edit.is_null() {
            return Ok(());
        }
        let text = self.text()?;
        let Some(name) = self.cursor().and_then(|cursor| name_at(text, cursor)) else { return Ok(()) };
        super::edits::each_document(edit, |uri, edits| {
            for edit in edits {
                let texts = self.texts(uri);
                let mut found = texts.iter().filter_map(|text| {
                    let (start, end) = offsets(text, &edit["range"], self.encoding())?;
                    Some(text[start..end].trim_matches('`').to_owned())
                });
                if !found.any(|found| found == name || !is_plain(&found)) {
                    return Err(format!("{edit} in {uri} does not replace `{name}`"));
                }
            }
            // A closed file is what it was when it was read.
            match self.pending.open.get(uri) {
                Some((_, text)) => edited(text, edits, self.encoding()).map(drop),
                None => Ok(()),
            }
        })
    }
}

/// Whether a text is a name as it is written without backticks.
fn is_plain(text: &str) -> bool {
    text.chars().all(|character| character.is_alphanumeric() || character == '_')
}
