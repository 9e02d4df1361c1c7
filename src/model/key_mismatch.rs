//! Queries whose operands are in other formats than the keys that they ask for.

use super::db::Db;
use super::defs::*;
use super::key::KeyValue;
use super::key_condition::conjuncts;
use super::key_format::{FormatMatch, format_match};
use super::layout::{ItemLayout, Source};
use super::resolve::{begins_apart, comparison_can_mean, operand_value};
use crate::syntax::TextRange;
use crate::syntax::template::Template;

/// An operand that is in the format of none of the items that it may be meant for.
pub struct Mismatch<'c, 'l> {
    pub comparison: &'c Comparison,
    /// Which of its operands, counted from 0.
    pub position: usize,
    pub template: &'c Template,
    /// The string literal.
    pub range: TextRange,
    /// The items whose keys have another format, and how it differs.
    pub items: Vec<Differing<'l>>,
}

/// An item whose key has another format than the operand.
pub struct Differing<'l> {
    pub item: &'l ItemLayout,
    pub how: FormatMatch,
    /// What the operand means for this item.
    pub operand: KeyValue,
    pub stored: &'l KeyValue,
}

/// The operands of a key condition that are in the format of none of the items
/// which the rest of the condition lets in.
pub fn mismatches<'c, 'l>(db: &dyn Db, source: Source<'l>, conditions: &'c ConditionsDef) -> Vec<Mismatch<'c, 'l>> {
    let all = conjuncts(conditions);
    let mut found = Vec::new();
    for (at, comparison) in all.iter().enumerate() {
        let key = source.key().find(|key| key.name == comparison.attribute.text);
        // What is no string has no format.
        if key.is_none_or(|key| key.ty.is_some_and(|ty| ty != KeyType::String)) {
            continue;
        }
        for (position, operand) in comparison.operands.iter().enumerate() {
            let OperandDef::String { template, range, .. } = operand else { continue };
            if !template.faults.is_empty() {
                continue;
            }
            let begins_alike = |item: &&ItemLayout| {
                let stored = item.keys.get(&comparison.attribute.text);
                stored.is_some_and(|stored| !begins_apart(template, &stored.value))
            };
            let let_in = |item: &&ItemLayout| {
                let others = all.iter().enumerate().filter(|(other, _)| *other != at);
                item.entity_decl.is_some()
                    && others.clone().all(|(_, other)| comparison_can_mean(db, source, item, other))
            };
            let items: Vec<Differing<'l>> = source
                .items()
                .filter(begins_alike)
                .filter(let_in)
                .filter_map(|item| {
                    let stored = &item.keys.get(&comparison.attribute.text)?.value;
                    let operand = operand_value(db, source.layout, item, operand);
                    let how = format_match(comparison.operator, position, &operand, stored);
                    Some(Differing { item, how, operand, stored })
                })
                .filter(|item| item.how != FormatMatch::Unlike)
                .collect();
            if !items.is_empty() && items.iter().all(|item| item.how.is_difference()) {
                found.push(Mismatch { comparison, position, template, range: *range, items });
            }
        }
    }
    found
}
