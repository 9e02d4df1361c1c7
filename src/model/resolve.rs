//! What an operation touches: its table or index, the items it names, and the
//! items that a query can reach.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::key::{KeyPiece, KeyValue};
use super::key_condition::conjuncts;
use super::key_format::format_match;
use super::layout::{ItemLayout, Source, TableLayout, layout};
use super::lower::decl_name;
use super::mentions::{all_mentions, by_entity};
use super::names::{entity_def, is_whole, names, pattern_def};
use super::unify::{Meet, meet};
use crate::syntax::Unit;
use crate::syntax::template::{Part, Template};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A pattern's steps with what they touch, in the order of the text.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ResolvedPattern {
    pub steps: Vec<ResolvedStep>,
}

/// A step with what it touches.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedStep {
    /// Which operation and which of its steps, counted from 0.
    pub operation: usize,
    pub step: usize,
    pub table: Option<Decl>,
    /// The name of the index, where the step names one that there is.
    pub index: Option<String>,
    /// Whether the step names an index that there is not.
    pub unknown_index: bool,
    /// The entities whose items it touches; of a query, those that its key
    /// condition can match. Embedded entities are not listed.
    pub reached: Vec<String>,
}

/// Resolves the pattern of a declaration.
#[salsa::tracked(returns(ref))]
pub fn resolved(db: &dyn Db, root: SourceFile, decl: Decl) -> ResolvedPattern {
    let mut resolved = ResolvedPattern::default();
    let Some(pattern) = pattern_def(db, decl) else { return resolved };
    let all = names(db, root);
    for (operation_index, operation) in pattern.operations.iter().enumerate() {
        for (step_index, step) in operation.steps.iter().enumerate() {
            let table = step.op.table().and_then(|name| all.table(&name.text));
            let layout = table.and_then(|table| layout(db, root, table).as_ref());
            let index_name = step.op.index();
            let index = index_name.and_then(|name| layout?.index(&name.text));
            let unknown_index = index_name.is_some() && index.is_none();
            let source = layout.filter(|_| !unknown_index).map(|layout| Source { layout, index });
            resolved.steps.push(ResolvedStep {
                operation: operation_index,
                step: step_index,
                table,
                index: index.map(|index| index.name.text.clone()),
                unknown_index,
                reached: source.map(|source| reach(db, source, &step.op)).unwrap_or_default(),
            });
        }
    }
    resolved
}

/// A step of a pattern with all that is known of it.
#[derive(Clone, Copy)]
pub struct Step<'db> {
    pub operation: &'db OperationDef,
    pub step: &'db StepDef,
    pub resolved: &'db ResolvedStep,
    /// The table or index that it touches; `None` where a name is unknown.
    pub source: Option<Source<'db>>,
}

/// The steps of the pattern of a declaration, in the order of the text; none
/// where it declares no pattern.
pub fn steps(db: &dyn Db, root: SourceFile, decl: Decl) -> impl Iterator<Item = Step<'_>> {
    let pattern = pattern_def(db, decl);
    resolved(db, root, decl).steps.iter().filter_map(move |resolved| {
        let operation = pattern?.operations.get(resolved.operation)?;
        let step = operation.steps.get(resolved.step)?;
        let layout = resolved.table.and_then(|table| layout(db, root, table).as_ref());
        let source = layout
            .filter(|_| !resolved.unknown_index)
            .map(|layout| Source { layout, index: resolved.index.as_ref().and_then(|name| layout.index(name)) });
        Some(Step { operation, step, resolved, source })
    })
}

/// The entities that an operation touches in its table or index.
fn reach(db: &dyn Db, source: Source<'_>, op: &OpDef) -> Vec<String> {
    match op {
        OpDef::Query { conditions: None, .. } => source.items().map(|item| item.entity.clone()).collect(),
        OpDef::Query { conditions: Some(conditions), .. } => {
            let matching = source.items().filter(|item| item_matches(db, source, item, conditions));
            let reached: Vec<String> = matching.map(|item| item.entity.clone()).collect();
            if !reached.is_empty() {
                return reached;
            }
            // In a wrong format it finds nothing, and is meant for these.
            let comparisons = conjuncts(conditions);
            let meant = |item: &&ItemLayout| comparisons.iter().all(|c| comparison_can_mean(db, source, item, c));
            source.items().filter(meant).map(|item| item.entity.clone()).collect()
        }
        OpDef::Scan { .. } => source.items().map(|item| item.entity.clone()).collect(),
        _ => {
            let item = op.subject().and_then(|subject| source.layout.item_of(&subject.entity.text));
            item.map(|item| item.entity.clone()).into_iter().collect()
        }
    }
}

/// Whether items of this kind can satisfy a key condition: every comparison of
/// a key attribute can hold. Conditions joined by `or` do not narrow.
pub fn item_matches(db: &dyn Db, source: Source<'_>, item: &ItemLayout, conditions: &ConditionsDef) -> bool {
    conjuncts(conditions).into_iter().all(|comparison| comparison_can_hold(db, source, item, comparison))
}

/// Whether a comparison of a key attribute can hold for items of this kind.
pub fn comparison_can_hold(db: &dyn Db, source: Source<'_>, item: &ItemLayout, comparison: &Comparison) -> bool {
    if !source.key().any(|attribute| attribute.name == comparison.attribute.text) {
        return true;
    }
    let Some(stored) = item.keys.get(&comparison.attribute.text) else { return true };
    if begins_otherwise(comparison, &stored.value) {
        return false;
    }
    let operands: Vec<KeyValue> =
        comparison.operands.iter().map(|operand| operand_value(db, source.layout, item, operand)).collect();
    let Some(first) = operands.first() else { return true };
    if bounds_inverted(comparison, &operands) {
        return false;
    }
    match comparison.operator {
        Operator::Equal => meet(&first.pieces(), &stored.value.pieces(), Meet::Whole),
        Operator::BeginsWith => meet(&first.pieces(), &stored.value.pieces(), Meet::Prefix),
        Operator::Less => !certainly_below(first, &stored.value) && !begins_with_all(&stored.value, first),
        Operator::LessOrEqual => can_reach_down_to(&stored.value, first),
        Operator::Greater => !certainly_below(&stored.value, first) && !is_literally(&stored.value, first),
        Operator::GreaterOrEqual => !certainly_below(&stored.value, first),
        Operator::Between => {
            !certainly_below(&stored.value, first)
                && operands.get(1).is_none_or(|high| can_reach_down_to(&stored.value, high))
        }
        Operator::NotEqual | Operator::Contains | Operator::In => true,
    }
}

/// Whether a `between` runs from its higher bound to its lower one: DynamoDB
/// refuses it, and nothing would lie between the two.
pub fn is_inverted(db: &dyn Db, source: Source<'_>, comparison: &Comparison) -> bool {
    source.layout.items.first().is_some_and(|item| {
        let operands = comparison.operands.iter();
        let operands: Vec<KeyValue> = operands.map(|operand| operand_value(db, source.layout, item, operand)).collect();
        bounds_inverted(comparison, &operands)
    })
}

fn bounds_inverted(comparison: &Comparison, values: &[KeyValue]) -> bool {
    if comparison.operator != Operator::Between {
        return false;
    }
    match (comparison.operands.as_slice(), values) {
        ([OperandDef::Number(low), OperandDef::Number(high)], _) => {
            matches!((low.get(Unit::Number), high.get(Unit::Number)), (Some(low), Some(high)) if low > high)
        }
        ([OperandDef::String { .. }, OperandDef::String { .. }], [low, high]) => certainly_below(high, low),
        _ => false,
    }
}

/// Whether all values begin with the operand, so that none sorts before it.
fn begins_with_all(stored: &KeyValue, operand: &KeyValue) -> bool {
    operand.as_literal().is_some_and(|text| stored.leading_literal().starts_with(text))
}

/// Whether some value sorts before the operand or is it.
fn can_reach_down_to(stored: &KeyValue, operand: &KeyValue) -> bool {
    !certainly_below(operand, stored) && (!begins_with_all(stored, operand) || is_literally(stored, operand))
}

fn is_literally(stored: &KeyValue, operand: &KeyValue) -> bool {
    operand.as_literal().is_some_and(|text| stored.as_literal() == Some(text))
}

/// Whether every value of `low` sorts before every value of `high`, as far as
/// the text that they begin with tells.
fn certainly_below(low: &KeyValue, high: &KeyValue) -> bool {
    if let (Some(low), Some(high)) = (low.as_literal(), high.as_literal()) {
        return low < high;
    }
    let (a, b) = (low.leading_literal().as_bytes(), high.leading_literal().as_bytes());
    let difference = a.iter().zip(b).find(|(a, b)| a != b);
    difference.is_some_and(|(a, b)| a < b)
}

/// Whether an equality or a prefix begins with other text than the stored value:
/// the cheap answer for most items of a table that many entities share.
fn begins_otherwise(comparison: &Comparison, stored: &KeyValue) -> bool {
    match (comparison.operator, comparison.operands.as_slice()) {
        (Operator::Equal | Operator::BeginsWith, [OperandDef::String { template, .. }]) => {
            begins_apart(template, stored)
        }
        _ => false,
    }
}

/// Whether a template and a stored value begin with text that differs.
pub(super) fn begins_apart(template: &Template, stored: &KeyValue) -> bool {
    let (Some(Part::Literal(asked, _)), Some(KeyPiece::Literal(held))) = (template.parts.first(), stored.parts.first())
    else {
        return false;
    };
    asked.bytes().zip(held.bytes()).any(|(asked, held)| asked != held)
}

/// Whether a comparison of a key attribute can hold for items of this kind, or
/// could in the format of their key: what differs in its format alone is a fault
/// of its own, and says which items are meant.
pub fn comparison_can_mean(db: &dyn Db, source: Source<'_>, item: &ItemLayout, comparison: &Comparison) -> bool {
    if comparison_can_hold(db, source, item, comparison) {
        return true;
    }
    let Some(stored) = item.keys.get(&comparison.attribute.text) else { return false };
    let in_format = |(position, operand): (usize, &OperandDef)| {
        let operand = operand_value(db, source.layout, item, operand);
        format_match(comparison.operator, position, &operand, &stored.value).is_difference()
    };
    !begins_otherwise(comparison, &stored.value) && comparison.operands.iter().enumerate().any(in_format)
}

/// The values of an operand of a key condition. Its holes name attributes of
/// the item's entity, or of any other entity of the table.
pub fn operand_value(db: &dyn Db, layout: &TableLayout, item: &ItemLayout, operand: &OperandDef) -> KeyValue {
    match operand {
        OperandDef::String { template, .. } => {
            let attribute = |decl, name: &str| entity_def(db, decl)?.attribute(name);
            // The others are asked only for what the item's own entity has not:
            // this runs for every item of a table under every query of it.
            KeyValue::of_template(template, |name| {
                let own = item.entity_decl.and_then(|decl| attribute(decl, name));
                let mut others = layout.items.iter().filter_map(|item| item.entity_decl);
                own.or_else(|| others.find_map(|decl| attribute(decl, name)))
            })
        }
        // `1_000` and `1k` are one number; a size or a rate is none, and nothing is
        // known of the number that was meant.
        OperandDef::Number(value) => match value.get(Unit::Number) {
            Some(number) => KeyValue::literal(&number.to_string()),
            None => KeyValue::parameter(&value.written),
        },
        OperandDef::Parameter(name) => KeyValue::parameter(&name.text),
        OperandDef::Boolean { value, .. } => KeyValue::literal(if *value { "true" } else { "false" }),
    }
}

/// How much of an item's literal a prefix leaves over: the text behind the
/// place where the operand stops inside a literal of the stored value. `None`
/// where the operand stops elsewhere.
pub fn rest_of_literal(operand: &KeyValue, stored: &KeyValue) -> Option<String> {
    let (last, before) = operand.parts.split_last()?;
    let KeyPiece::Literal(end) = last else { return None };
    let (head, tail) = stored.parts.split_at_checked(before.len())?;
    let same = before.iter().zip(head).all(|pair| match pair {
        (KeyPiece::Literal(a), KeyPiece::Literal(b)) => a == b,
        (KeyPiece::Hole(_), KeyPiece::Hole(_)) => true,
        _ => false,
    });
    match tail.first() {
        Some(KeyPiece::Literal(text)) if same => text.strip_prefix(end.as_str()).map(str::to_owned),
        _ => None,
    }
}

/// The indexes that some pattern reads, as (table, index).
#[salsa::tracked(returns(ref))]
pub fn used_indexes(db: &dyn Db, root: SourceFile) -> BTreeSet<(String, String)> {
    all_mentions(db, root).flat_map(|(_, mentions)| &mentions.indexes).cloned().collect()
}

/// The indexes that a pattern reads, as (table, index).
pub(super) fn indexes_in(db: &dyn Db, pattern: Decl) -> BTreeSet<(String, String)> {
    let steps = pattern_def(db, pattern).into_iter().flat_map(PatternDef::steps);
    steps.filter_map(|(_, step)| Some((step.op.table()?.text.clone(), step.op.index()?.text.clone()))).collect()
}

/// The steps that read each index of a table, by its name: the pattern, and which of
/// its operations and steps.
#[salsa::tracked(returns(ref))]
pub fn index_readers(db: &dyn Db, root: SourceFile, table: Decl) -> BTreeMap<String, Vec<(Decl, usize, usize)>> {
    let mut readers: BTreeMap<String, Vec<(Decl, usize, usize)>> = BTreeMap::new();
    for pattern in patterns_of_table(db, root, table) {
        for step in resolved(db, root, *pattern).steps.iter().filter(|step| step.table == Some(table)) {
            if let Some(index) = &step.index {
                readers.entry(index.clone()).or_default().push((*pattern, step.operation, step.step));
            }
        }
    }
    readers
}

/// The patterns that could not be read as a whole: what they ask for is not known.
#[salsa::tracked(returns(ref))]
pub fn unreadable_patterns(db: &dyn Db, root: SourceFile) -> Vec<Decl> {
    names(db, root).all_patterns().filter(|decl| !is_whole(db, *decl)).collect()
}

/// The patterns that touch each table, by its declaration.
#[salsa::tracked(returns(ref))]
pub fn patterns_of_tables(db: &dyn Db, root: SourceFile) -> HashMap<Decl, Vec<Decl>> {
    let mut map: HashMap<Decl, Vec<Decl>> = HashMap::new();
    for pattern in names(db, root).all_patterns() {
        for table in resolved(db, root, pattern).steps.iter().filter_map(|step| step.table) {
            let patterns = map.entry(table).or_default();
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    map
}

/// The patterns that touch each entity, by its name: that name it in what they
/// read and write, or whose operations reach its items.
#[salsa::tracked(returns(ref))]
fn patterns_of_entities(db: &dyn Db, root: SourceFile) -> HashMap<String, Vec<Decl>> {
    by_entity(db, root, |mentions| &mentions.touched)
}

/// The entities that a pattern touches.
pub(super) fn touched_in(db: &dyn Db, root: SourceFile, decl: Decl) -> BTreeSet<String> {
    let Some(pattern) = pattern_def(db, decl) else { return BTreeSet::new() };
    let used = pattern.requirements.iter().flat_map(|r| &r.uses).map(|used| &used.entity.text);
    let subjects = pattern.steps().filter_map(|(_, step)| Some(&step.op.subject()?.entity.text));
    let reached = resolved(db, root, decl).steps.iter().flat_map(|step| &step.reached);
    used.chain(subjects).chain(reached).cloned().collect()
}

/// The patterns that touch an entity, in the order of their names: apart from those
/// of the others, so that a change of theirs is none of this one's.
pub fn patterns_of_entity<'db>(db: &'db dyn Db, root: SourceFile, entity: &str) -> &'db [Decl] {
    match names(db, root).entity(entity) {
        Some(decl) => patterns_of_declared(db, root, decl),
        None => patterns_of_entities(db, root).get(entity).map(Vec::as_slice).unwrap_or_default(),
    }
}

#[salsa::tracked(returns(ref))]
fn patterns_of_declared(db: &dyn Db, root: SourceFile, entity: Decl) -> Vec<Decl> {
    let name = decl_name(db, entity).as_ref();
    name.and_then(|name| patterns_of_entities(db, root).get(name)).cloned().unwrap_or_default()
}

/// The patterns that touch one table: apart from the others, so that a change
/// of another table's patterns is none of this one's.
#[salsa::tracked(returns(ref))]
pub fn patterns_of_table(db: &dyn Db, root: SourceFile, table: Decl) -> Vec<Decl> {
    patterns_of_tables(db, root).get(&table).cloned().unwrap_or_default()
}
