//! What is shown in and beside the text.

use super::{Asked, Checked};
use crate::session::text::{offset, offsets, splits};
use serde_json::Value;

impl Asked<'_> {
    pub(super) fn folds(&self, result: &Value) -> Checked {
        let lines = crate::session::text::lines(self.text()?).len() as u64;
        for fold in result.as_array().into_iter().flatten() {
            let (start, end) =
                (fold["startLine"].as_u64().unwrap_or(u64::MAX), fold["endLine"].as_u64().unwrap_or(u64::MAX));
            if start >= end || end >= lines {
                return Err(format!("{fold} of {lines} lines"));
            }
        }
        Ok(())
    }

    pub(super) fn selections(&self, result: &Value) -> Checked {
        let text = self.text()?;
        let positions = self.pending.params["positions"].as_array().cloned().unwrap_or_default();
        let Some(selections) = result.as_array() else { return Ok(()) };
        if selections.len() != positions.len() {
            return Err(format!("{} selections for {} positions", selections.len(), positions.len()));
        }
        for (selection, position) in selections.iter().zip(&positions) {
            let at = offset(text, position, self.encoding());
            let (mut inner, mut within) = (selection, at.map(|at| (at, at)));
            while !inner.is_null() {
                let range = offsets(text, &inner["range"], self.encoding()).ok_or("no range")?;
                if within.is_some_and(|within| within.0 < range.0 || within.1 > range.1) {
                    return Err(format!("{inner} does not hold {within:?}"));
                }
                (within, inner) = (Some(range), &inner["parent"]);
            }
        }
        Ok(())
    }

    pub(super) fn hints(&self, result: &Value) -> Checked {
        let text = self.text()?;
        let (from, to) = offsets(text, &self.pending.params["range"], self.encoding()).ok_or("no range")?;
        for hint in result.as_array().into_iter().flatten() {
            match offset(text, &hint["position"], self.encoding()) {
                Some(at) if (from..=to).contains(&at) && !splits(text, at) => {}
                at => return Err(format!("{hint} at {at:?} is not in {from}..{to}")),
            }
        }
        Ok(())
    }
}

pub(super) fn signatures(result: &Value) -> Checked {
    let signatures = result["signatures"].as_array().cloned().unwrap_or_default();
    if result.is_null() {
        return Ok(());
    }
    let active = result["activeSignature"].as_u64().unwrap_or(0) as usize;
    let Some(signature) = signatures.get(active) else { return Err("the active signature is none".to_owned()) };
    for parameter in signature["parameters"].as_array().into_iter().flatten() {
        let label = signature["label"].as_str().unwrap_or_default();
        let units = label.encode_utf16().count() as u64;
        let is_there = match &parameter["label"] {
            Value::String(name) => label.contains(name.as_str()),
            Value::Array(ends) => ends.iter().all(|end| end.as_u64().is_some_and(|end| end <= units)),
            _ => false,
        };
        if !is_there {
            return Err(format!("{parameter} is not in {label}"));
        }
    }
    Ok(())
}

pub(super) fn symbols(result: &Value) -> Checked {
    for symbol in result.as_array().into_iter().flatten() {
        let (Some(whole), Some(name)) = (symbol.get("range"), symbol.get("selectionRange")) else { continue };
        let order = |place: &Value| (place["line"].as_u64(), place["character"].as_u64());
        let inside = order(&whole["start"]) <= order(&name["start"]) && order(&name["end"]) <= order(&whole["end"]);
        if !inside || symbol["name"].as_str().is_none_or(str::is_empty) {
            return Err(format!("{symbol}"));
        }
        symbols(&symbol["children"])?;
    }
    Ok(())
}
