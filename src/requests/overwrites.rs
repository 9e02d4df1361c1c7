//! Updates of which two at once may undo each other.

use crate::model::defs::*;
use crate::population::items::Population;

/// An attribute of which two calls at once may overwrite each other's value.
pub struct Overwrite {
    pub attribute: String,
    /// What would count instead.
    pub counting: String,
    /// The version that other updates of the entity compare.
    pub version: Option<String>,
}

/// What an update sets after it has compared it with a bound, or what other updates
/// set under a version; none where it compares something with a value that the caller
/// has read.
pub fn overwrites(op: &OpDef, population: &Population<'_>) -> Vec<Overwrite> {
    let OpDef::Update { subject: Some(subject), set, condition, .. } = op else { return Vec::new() };
    let conditions = condition.as_ref().and_then(|condition| match &condition.kind {
        WriteConditionKind::Conditions(conditions) => Some(conditions),
        _ => None,
    });
    let leaves = conditions.map(|conditions| conditions.leaves()).unwrap_or_default();
    let compared = leaves.into_iter().filter_map(|leaf| match leaf {
        Term::Comparison(comparison) => match comparison.operands.as_slice() {
            [OperandDef::Parameter(parameter)] => Some((comparison, parameter)),
            _ => None,
        },
        _ => None,
    });
    let compared: Vec<(&Comparison, &Name)> = compared.collect();
    if compared.iter().any(|(comparison, _)| comparison.operator == Operator::Equal) {
        return Vec::new();
    }
    let is_set = |name: &str| set.iter().any(|own| own.text == name);
    let bounds = compared.into_iter().filter(|(comparison, _)| {
        let operators = [Operator::Less, Operator::LessOrEqual, Operator::Greater, Operator::GreaterOrEqual];
        operators.contains(&comparison.operator) && is_set(&comparison.attribute.text)
    });
    let counting = |(comparison, parameter): (&Comparison, &Name)| {
        let name = &comparison.attribute.text;
        // What has to be there is taken; what has room gets more.
        let by = match comparison.operator {
            Operator::Greater | Operator::GreaterOrEqual => format!("- :{}", parameter.text),
            _ => String::from("+ :more"),
        };
        Overwrite { attribute: name.clone(), counting: format!("{name} = {name} {by}"), version: None }
    };
    let mut all: Vec<Overwrite> = bounds.map(counting).collect();
    let guarded = population.arrangement.said(&subject.entity.text).map(|said| &said.guarded);
    for name in set.iter().map(|name| &name.text) {
        let Some(version) = guarded.and_then(|guarded| guarded.get(name.as_str())).filter(|own| *own != name) else {
            continue;
        };
        match all.iter_mut().find(|own| own.attribute == *name) {
            Some(known) => known.version = Some((*version).to_owned()),
            None => all.push(Overwrite {
                attribute: name.clone(),
                counting: format!("{name} = {name} + :more"),
                version: Some((*version).to_owned()),
            }),
        }
    }
    all
}
