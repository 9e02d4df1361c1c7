//! The values that patterns themselves compare attributes with: items have them,
//! or a query of one would find nothing.

use crate::capacity::values::Value;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::{Comparison, ConditionsDef, OpDef, OperandDef, Operator, Term, WriteConditionKind};
use crate::model::layout::{ItemLayout, Source};
use crate::model::names::names;
use crate::model::resolve::steps;
use crate::syntax::Unit;
use std::collections::BTreeMap;

/// By entity and attribute.
pub type Literals = BTreeMap<(String, String), Vec<Value>>;

/// All literals that a model's conditions hold attributes equal to.
pub fn literals(db: &dyn Db, root: SourceFile) -> Literals {
    let mut found = Literals::new();
    for pattern in names(db, root).all_patterns() {
        for step in steps(db, root, pattern) {
            let Some(source) = step.source else { continue };
            for conditions in conditions(&step.step.op) {
                for leaf in conditions.leaves() {
                    if let Term::Comparison(comparison) = leaf {
                        collect(source, &step.step.op, comparison, &mut found);
                    }
                }
            }
        }
    }
    found
}

/// A number of the model as DynamoDB takes it: `1_000` and `1k` are 1000.
pub fn number(value: &crate::model::defs::Value) -> String {
    value.get(Unit::Number).map_or_else(|| "0".to_owned(), |number| number.to_string())
}

fn conditions(op: &OpDef) -> impl Iterator<Item = &ConditionsDef> {
    let query = match op {
        OpDef::Query { conditions, .. } => conditions.as_ref(),
        _ => None,
    };
    let filter = op.options().and_then(|options| options.filter.as_ref()?.conditions.as_ref());
    let condition = op.condition().and_then(|condition| match &condition.kind {
        WriteConditionKind::Conditions(conditions) => Some(conditions),
        _ => None,
    });
    query.into_iter().chain(filter).chain(condition)
}

fn collect(source: Source<'_>, op: &OpDef, comparison: &Comparison, found: &mut Literals) {
    if !matches!(comparison.operator, Operator::Equal | Operator::In) {
        return;
    }
    let name = comparison.attribute.text.as_str();
    let subject = op.subject().map(|subject| subject.entity.text.as_str());
    for item in source.items() {
        let entity = match subject {
            Some(subject) if item.holds(subject) => subject,
            Some(_) => continue,
            None => item.entity.as_str(),
        };
        let Some(attribute) = attribute(item, name) else { continue };
        let known = found.entry((entity.to_owned(), attribute.to_owned())).or_default();
        for operand in &comparison.operands {
            let value = match operand {
                OperandDef::String { template, .. } => template.as_literal().map(|text| Value::S(text.to_owned())),
                OperandDef::Number(value) => Some(Value::N(number(value))),
                OperandDef::Parameter(_) | OperandDef::Boolean { .. } => None,
            };
            if let Some(value) = value.filter(|value| !known.contains(value)) {
                known.push(value);
            }
        }
    }
}

/// The attribute of the entity that a name of a condition means; `None` where it
/// is a key that a template computes.
fn attribute<'i>(item: &'i ItemLayout, name: &'i str) -> Option<&'i str> {
    match item.keys.get(name) {
        Some(source) => source.value.whole_attribute().filter(|_| !source.template),
        None => Some(name),
    }
}
