//! What DynamoDB takes as a key condition, and what in a query's `where` it
//! does not take (S1, S2, S3).

use super::defs::*;
use super::layout::{KeyAttribute, Source};
use crate::syntax::TextRange;
use std::collections::HashMap;

/// A part of a `where` that is no key condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported<'c> {
    pub why: Why<'c>,
    /// The narrowest place that shows it.
    pub range: TextRange,
    /// Which term of the whole condition it is, where it is a whole one of them.
    pub term: Option<usize>,
}

/// Why DynamoDB refuses it.
#[derive(Clone, Debug, PartialEq)]
pub enum Why<'c> {
    /// Terms joined by `or`.
    Or,
    Not,
    /// `exists(a)`, `not_exists(a)`.
    Existence,
    /// The attribute is no key of the table or index.
    NotKey(&'c Name),
    /// A partition key takes `=` alone.
    PartitionOperator(&'c Comparison),
    /// `<>`, `in`, `contains` on a sort key.
    SortOperator(&'c Comparison),
    /// `begins_with` on a number.
    PrefixOfNumber(&'c Name),
    /// A second condition on one key attribute, and the first.
    Second(&'c Comparison, &'c Comparison),
}

impl<'c> Why<'c> {
    /// The attribute that it is about, where it is about one.
    pub fn attribute(&self) -> Option<&'c str> {
        match self {
            Why::NotKey(name) | Why::PrefixOfNumber(name) => Some(&name.text),
            Why::PartitionOperator(comparison) | Why::SortOperator(comparison) | Why::Second(comparison, _) => {
                Some(&comparison.attribute.text)
            }
            Why::Or | Why::Not | Why::Existence => None,
        }
    }
}

/// The comparisons of a condition that must all hold, groups opened; none where
/// `or` joins them, for then none of them must.
pub fn conjuncts(conditions: &ConditionsDef) -> Vec<&Comparison> {
    let comparisons = conjunct_terms(conditions).filter_map(|term| match term {
        Term::Comparison(comparison) => Some(comparison),
        _ => None,
    });
    comparisons.collect()
}

/// The terms of a condition that must all hold, groups opened; none where `or`
/// joins them.
pub fn conjunct_terms(conditions: &ConditionsDef) -> impl Iterator<Item = &Term> {
    flat(conditions).into_iter().map(|(_, term)| term)
}

/// Everything in a condition that is no key condition of the table or index.
pub fn unsupported<'c>(source: Source<'_>, conditions: &'c ConditionsDef) -> Vec<Unsupported<'c>> {
    let mut found = Vec::new();
    if let Some(range) = first_or(conditions) {
        return vec![Unsupported { why: Why::Or, range, term: None }];
    }
    let mut first: HashMap<&str, &Comparison> = HashMap::new();
    for (term_index, term) in flat(conditions) {
        let mut fault = |why, range| found.push(Unsupported { why, range, term: term_index });
        match term {
            Term::Not { range, .. } => fault(Why::Not, *range),
            Term::Existence { range, .. } => fault(Why::Existence, *range),
            Term::Group { conditions, range } => fault(Why::Or, first_or(conditions).unwrap_or(*range)),
            Term::Comparison(comparison) => {
                let name = comparison.attribute.text.as_str();
                let operator = comparison.operator;
                let named = |key: &[KeyAttribute]| key.iter().find(|k| k.name == name).cloned();
                if named(source.partition()).is_some() {
                    if operator != Operator::Equal {
                        fault(Why::PartitionOperator(comparison), comparison.operator_range);
                        continue;
                    }
                } else if let Some(key) = named(source.sort()) {
                    if matches!(operator, Operator::NotEqual | Operator::In | Operator::Contains) {
                        fault(Why::SortOperator(comparison), comparison.operator_range);
                        continue;
                    }
                    if operator == Operator::BeginsWith && key.ty == Some(KeyType::Number) {
                        fault(Why::PrefixOfNumber(&comparison.attribute), comparison.operator_range);
                        continue;
                    }
                } else {
                    fault(Why::NotKey(&comparison.attribute), comparison.attribute.range);
                    continue;
                }
                match first.get(name) {
                    Some(earlier) => fault(Why::Second(comparison, earlier), comparison.range),
                    None => {
                        first.insert(name, comparison);
                    }
                }
            }
        }
    }
    found
}

/// A fault in how a query uses the attributes of a sort key of several (M5).
#[derive(Clone, Debug, PartialEq)]
pub enum OrderFault<'c, 'l> {
    /// The attribute is used, and these before it are not.
    Gap { used: &'c Comparison, missing: Vec<&'l KeyAttribute> },
    /// A range on an attribute, and those behind it that are used all the same.
    Range { range: &'c Comparison, behind: Vec<&'c Comparison> },
}

/// What is wrong with the order in which a query uses the attributes of its sort
/// key: they are to be used from the first on, without a gap, and a range on none
/// but the last that is used (M5). An attribute has one fault at most.
pub fn order_faults<'c, 'l>(source: Source<'l>, comparisons: &[&'c Comparison]) -> Vec<OrderFault<'c, 'l>> {
    let used_by = |key: &KeyAttribute| comparisons.iter().copied().find(|c| c.attribute.text == key.name);
    let used: Vec<(&'l KeyAttribute, Option<&'c Comparison>)> =
        source.sort().iter().map(|key| (key, used_by(key))).collect();
    let mut faults = Vec::new();
    let mut missing: Vec<&'l KeyAttribute> = Vec::new();
    let mut told = false;
    for (position, (key, comparison)) in used.iter().enumerate() {
        let Some(comparison) = *comparison else {
            missing.push(key);
            continue;
        };
        // What stands behind a gap is behind the same one.
        if !missing.is_empty() && !told {
            told = true;
            faults.push(OrderFault::Gap { used: comparison, missing: missing.clone() });
            continue;
        }
        let behind: Vec<&'c Comparison> =
            used[position + 1..].iter().filter_map(|(_, comparison)| *comparison).collect();
        if comparison.operator.is_range() && !behind.is_empty() {
            faults.push(OrderFault::Range { range: comparison, behind });
        }
    }
    faults
}

/// Whether a query asks for what DynamoDB takes as a key condition: a value of
/// every attribute of a sound partition key, and nothing unsupported. What reads too
/// much where it does not, does so because of that fault.
pub fn is_sound(source: Source<'_>, conditions: &ConditionsDef) -> bool {
    let all = conjuncts(conditions);
    let given = |name: &str| all.iter().any(|c| c.attribute.text == name && c.operator == Operator::Equal);
    source.has_sound_partition()
        && source.partition().iter().all(|key| given(&key.name))
        && unsupported(source, conditions).is_empty()
}

/// Whether a filter names a key attribute of what is queried, which DynamoDB refuses
/// (S5); a scan's filter may.
pub fn filters_on_key(source: Source<'_>, op: &OpDef) -> bool {
    let OpDef::Query { options, .. } = op else { return false };
    let conditions = options.filter.as_ref().and_then(|filter| filter.conditions.as_ref());
    let mut leaves = conditions.into_iter().flat_map(ConditionsDef::leaves);
    leaves.any(|leaf| match leaf {
        Term::Comparison(Comparison { attribute, .. }) | Term::Existence { attribute, .. } => {
            source.key().any(|key| key.name == attribute.text)
        }
        Term::Not { .. } | Term::Group { .. } => false,
    })
}

/// The terms that must all hold, with the number of each that is a term of the
/// whole condition. A group without `or` is opened: parentheses alone change
/// nothing.
fn flat(conditions: &ConditionsDef) -> Vec<(Option<usize>, &Term)> {
    let mut terms = Vec::new();
    if first_or(conditions).is_some() {
        return terms;
    }
    let mut stack: Vec<(Option<usize>, &Term)> =
        conditions.terms.iter().enumerate().rev().map(|(index, term)| (Some(index), term)).collect();
    while let Some((index, term)) = stack.pop() {
        match term {
            Term::Group { conditions, .. } if first_or(conditions).is_none() => {
                stack.extend(conditions.terms.iter().rev().map(|term| (None, term)));
            }
            _ => terms.push((index, term)),
        }
    }
    terms
}

fn first_or(conditions: &ConditionsDef) -> Option<TextRange> {
    conditions.operators.iter().find(|(or, _)| *or).map(|(_, range)| *range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::db::{Host, Workspace};
    use crate::model::files::{FileContent, FileKey};
    use crate::model::names::pattern_def;

    #[test]
    fn parentheses_alone_change_nothing_and_alternatives_need_not_hold() {
        let text = "pattern P { query T where (a = :a and (b = :b)) and (c = :c or d = :d) and not e = :e }";
        let key = FileKey::new("/model.dynamo");
        let mut host = Host::default();
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        let db = host.db();
        let file = Workspace::get(db).files(db)[&key];
        let pattern = pattern_def(db, file.decls(db)[0]).expect("it is a pattern");
        let OpDef::Query { conditions: Some(conditions), .. } = &pattern.operations[0].steps[0].op else { panic!() };
        let names: Vec<&str> = conjuncts(conditions).iter().map(|c| c.attribute.text.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
