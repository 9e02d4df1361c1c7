//! Conditions of filters and writes: with operands, as an expression, and
//! whether an item meets them.

use super::express::Placeholders;
use super::template::hole_text;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeyValue};
use crate::syntax::Unit;
use std::cmp::Ordering;

/// A condition whose operands are values.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Compare {
        path: Path,
        operator: Operator,
        operands: Vec<Value>,
    },
    Exists {
        path: Path,
        exists: bool,
    },
    Not(Box<Condition>),
    /// Joined by `and`, groups of them by `or`.
    AnyOf(Vec<Vec<Condition>>),
}

/// An attribute of an item, or of an element of a list in it.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub name: String,
    pub element: Option<(String, usize)>,
}

/// What operands are chosen from.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    /// The item that the condition is to hold for.
    pub item: &'a Item,
    /// The attributes that the holes of a template name.
    pub attributes: &'a Item,
    /// A list with an element to which the names belong that the item has not.
    pub element: Option<(&'a str, usize)>,
    /// Whether a name is that of a key: its operands are templates then.
    pub is_key: &'a dyn Fn(&str) -> bool,
}

impl Chosen<'_> {
    /// Chooses operands so that the condition holds (`want`) or does not, as far
    /// as operands decide it.
    pub fn conditions(&self, conditions: &ConditionsDef, want: bool) -> Condition {
        let mut groups = vec![Vec::new()];
        for (index, term) in conditions.terms.iter().enumerate() {
            if index > 0 && conditions.operators.get(index - 1).is_some_and(|(or, _)| *or) {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(self.term(term, want));
            }
        }
        Condition::AnyOf(groups)
    }

    fn term(&self, term: &Term, want: bool) -> Condition {
        match term {
            Term::Not { term, .. } => Condition::Not(Box::new(self.term(term, !want))),
            Term::Group { conditions, .. } => self.conditions(conditions, want),
            Term::Existence { exists, attribute, .. } => {
                Condition::Exists { path: self.path(&attribute.text), exists: *exists }
            }
            Term::Comparison(comparison) => {
                let path = self.path(&comparison.attribute.text);
                let operands = comparison.operands.iter().enumerate();
                let operands = operands.map(|(place, operand)| self.operand(&path, comparison, place, operand, want));
                let operands = operands.collect();
                Condition::Compare { path, operator: comparison.operator, operands }
            }
        }
    }

    fn path(&self, name: &str) -> Path {
        let element = self.element.filter(|_| !self.item.contains_key(name));
        Path { name: name.to_owned(), element: element.map(|(list, index)| (list.to_owned(), index)) }
    }

    fn operand(&self, path: &Path, comparison: &Comparison, place: usize, operand: &OperandDef, want: bool) -> Value {
        let held = path.find(self.item);
        match operand {
            OperandDef::Boolean { value, .. } => Value::Bool(*value),
            OperandDef::Number(value) => Value::N(number(value)),
            OperandDef::String { value, template, .. } => match (self.is_key)(&path.name) {
                true => Value::S(self.filled(&KeyValue::of_template(template, |_| None))),
                false => Value::S(value.clone()),
            },
            OperandDef::Parameter(_) => {
                let held = held.cloned().unwrap_or_else(|| Value::S("x".to_owned()));
                supplied(comparison.operator, place, &held, want)
            }
        }
    }

    fn filled(&self, value: &KeyValue) -> String {
        let parts = value.parts.iter().map(|part| match part {
            KeyPiece::Literal(text) => text.clone(),
            KeyPiece::Hole(hole) => {
                let value = self.attributes.get(&hole.name).filter(|_| !hole.parameter);
                value.map(|value| hole_text(hole, value)).unwrap_or_default()
            }
        });
        parts.collect()
    }
}

/// What a caller supplies for a comparison with this value to hold, or not.
fn supplied(operator: Operator, place: usize, held: &Value, want: bool) -> Value {
    match (operator, want) {
        (Operator::Equal | Operator::LessOrEqual | Operator::GreaterOrEqual, true) => held.clone(),
        (Operator::NotEqual | Operator::Less | Operator::Greater, false) => held.clone(),
        (Operator::In | Operator::Between, true) => held.clone(),
        (Operator::Less, true) | (Operator::GreaterOrEqual, false) => above(held),
        (Operator::Greater, true) | (Operator::LessOrEqual, false) => below(held),
        (Operator::NotEqual, true) | (Operator::Equal | Operator::In | Operator::Between, false) => above(held),
        (Operator::BeginsWith, true) => match held {
            Value::S(text) => Value::S(text.chars().take(1).collect()),
            Value::B(bytes) => Value::B(bytes.iter().take(1).copied().collect()),
            other => other.clone(),
        },
        (Operator::Contains, true) => match held {
            Value::Ss(texts) => Value::S(texts.first().cloned().unwrap_or_default()),
            Value::Ns(numbers) => Value::N(numbers.first().cloned().unwrap_or_default()),
            Value::Bs(values) => Value::B(values.first().cloned().unwrap_or_default()),
            Value::L(values) => values.get(place).or_else(|| values.first()).cloned().unwrap_or(Value::Null),
            other => other.clone(),
        },
        (Operator::BeginsWith | Operator::Contains, false) => above(held),
    }
}

/// A value of the same type that sorts after the held one.
pub(super) fn above(held: &Value) -> Value {
    match held {
        Value::N(_) => Value::N("9".repeat(38)),
        Value::S(text) => Value::S(format!("{text}~")),
        Value::B(bytes) => Value::B([bytes.as_slice(), &[255]].concat()),
        Value::Bool(value) => Value::Bool(!value),
        other => other.clone(),
    }
}

/// A value of the same type that sorts before the held one.
pub(super) fn below(held: &Value) -> Value {
    match held {
        Value::N(_) => Value::N(format!("-{}", "9".repeat(38))),
        Value::S(_) => Value::S(" ".to_owned()),
        Value::B(_) => Value::B(vec![0]),
        other => above(other),
    }
}

/// A number of the model as DynamoDB takes it: `1_000` and `1k` are 1000.
pub(super) fn number(value: &crate::model::defs::Value) -> String {
    value.get(Unit::Number).map_or_else(|| "0".to_owned(), |number| number.to_string())
}

impl Path {
    fn find<'i>(&self, item: &'i Item) -> Option<&'i Value> {
        let Some((list, index)) = &self.element else { return item.get(&self.name) };
        let Some(Value::L(elements)) = item.get(list) else { return None };
        match elements.get(*index) {
            Some(Value::M(map)) => map.get(&self.name),
            _ => None,
        }
    }

    fn express(&self, placeholders: &mut Placeholders) -> String {
        match &self.element {
            None => placeholders.name(&self.name),
            Some((list, index)) => {
                let list = placeholders.name(list);
                format!("{list}[{index}].{}", placeholders.name(&self.name))
            }
        }
    }
}

impl Condition {
    /// Whether an item meets it (facts 7: a comparison with an attribute that is
    /// not there is false, but for `<>`).
    pub fn holds(&self, item: &Item) -> bool {
        match self {
            Condition::Not(condition) => !condition.holds(item),
            Condition::AnyOf(groups) => groups.iter().any(|group| group.iter().all(|one| one.holds(item))),
            Condition::Exists { path, exists } => path.find(item).is_some() == *exists,
            Condition::Compare { path, operator, operands } => match path.find(item) {
                Some(value) => compares(value, *operator, operands),
                None => *operator == Operator::NotEqual,
            },
        }
    }

    /// What is left of groups of one term.
    fn only(&self) -> &Condition {
        let mut condition = self;
        while let Condition::AnyOf(groups) = condition
            && let [group] = groups.as_slice()
            && let [only] = group.as_slice()
        {
            condition = only;
        }
        condition
    }

    /// The condition as an expression.
    pub fn express(&self, placeholders: &mut Placeholders) -> String {
        match self {
            Condition::Not(condition) => {
                let words = condition.express(placeholders);
                // Redundant parentheses are refused.
                match condition.only() {
                    Condition::AnyOf(groups) if groups.len() > 1 => format!("NOT {words}"),
                    _ => format!("NOT ({words})"),
                }
            }
            Condition::AnyOf(groups) => {
                let groups: Vec<String> = groups
                    .iter()
                    .map(|group| {
                        let terms: Vec<String> = group.iter().map(|one| one.express(placeholders)).collect();
                        terms.join(" AND ")
                    })
                    .collect();
                match groups.as_slice() {
                    [only] => only.clone(),
                    _ => format!("({})", groups.join(" OR ")),
                }
            }
            Condition::Exists { path, exists } => {
                let function = if *exists { "attribute_exists" } else { "attribute_not_exists" };
                format!("{function}({})", path.express(placeholders))
            }
            Condition::Compare { path, operator, operands } => {
                let path = path.express(placeholders);
                let operands: Vec<String> = operands.iter().map(|operand| placeholders.value(operand)).collect();
                let first = operands.first().cloned().unwrap_or_default();
                match operator {
                    Operator::BeginsWith => format!("begins_with({path}, {first})"),
                    Operator::Contains => format!("contains({path}, {first})"),
                    Operator::Between => format!("{path} BETWEEN {}", operands.join(" AND ")),
                    Operator::In => format!("{path} IN ({})", operands.join(", ")),
                    _ => format!("{path} {} {first}", operator.written()),
                }
            }
        }
    }
}

/// Whether a comparison of a value holds (facts 7, S1–S4, S7).
pub(super) fn compares(value: &Value, operator: Operator, operands: &[Value]) -> bool {
    let Some(first) = operands.first() else { return false };
    let is = |wanted: &[Ordering]| value.order(first).is_some_and(|order| wanted.contains(&order));
    match operator {
        Operator::Equal => value.same(first),
        Operator::NotEqual => !value.same(first),
        Operator::Less => is(&[Ordering::Less]),
        Operator::LessOrEqual => is(&[Ordering::Less, Ordering::Equal]),
        Operator::Greater => is(&[Ordering::Greater]),
        Operator::GreaterOrEqual => is(&[Ordering::Greater, Ordering::Equal]),
        Operator::In => operands.iter().any(|operand| value.same(operand)),
        Operator::Between => {
            is(&[Ordering::Greater, Ordering::Equal])
                && operands.get(1).and_then(|high| value.order(high)).is_some_and(|order| order != Ordering::Greater)
        }
        Operator::BeginsWith => match (value, first) {
            (Value::S(text), Value::S(prefix)) => text.starts_with(prefix.as_str()),
            (Value::B(bytes), Value::B(prefix)) => bytes.starts_with(prefix),
            _ => false,
        },
        Operator::Contains => match (value, first) {
            (Value::S(text), Value::S(part)) => text.contains(part.as_str()),
            (Value::B(bytes), Value::B(part)) => {
                part.is_empty() || bytes.windows(part.len().max(1)).any(|window| window == part.as_slice())
            }
            (Value::Ss(texts), Value::S(text)) => texts.contains(text),
            (Value::Ns(numbers), Value::N(_)) => numbers.iter().any(|number| Value::N(number.clone()).same(first)),
            (Value::Bs(values), Value::B(bytes)) => values.contains(bytes),
            (Value::L(values), one) => values.iter().any(|value| value.same(one)),
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(name: &str, operator: Operator, operands: &[&str]) -> Condition {
        let operands = operands.iter().map(|number| Value::N((*number).to_owned())).collect();
        Condition::Compare { path: Path { name: name.to_owned(), element: None }, operator, operands }
    }

    #[test]
    fn what_a_caller_supplies_makes_a_comparison_hold_or_fail_as_wanted() {
        let held = [Value::N("5".into()), Value::S("abc".into()), Value::B(vec![1, 2])];
        let ordered = [
            Operator::Equal,
            Operator::NotEqual,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
            Operator::In,
        ];
        for value in held {
            for operator in ordered {
                for want in [true, false] {
                    let operand = supplied(operator, 0, &value, want);
                    assert_eq!(compares(&value, operator, &[operand]), want, "{value:?} {operator:?}");
                }
            }
            let bounds = [0, 1].map(|place| supplied(Operator::Between, place, &value, true));
            assert!(compares(&value, Operator::Between, &bounds));
        }
        let text = Value::S("abc".into());
        for operator in [Operator::BeginsWith, Operator::Contains] {
            assert!(compares(&text, operator, &[supplied(operator, 0, &text, true)]));
            assert!(!compares(&text, operator, &[supplied(operator, 0, &text, false)]));
        }
    }

    #[test]
    fn an_absent_attribute_is_unlike_everything_and_meets_nothing_else() {
        let item = Item::new();
        assert!(compare("a", Operator::NotEqual, &["1"]).holds(&item));
        assert!(!compare("a", Operator::LessOrEqual, &["1"]).holds(&item));
        assert!(Condition::Not(Box::new(compare("a", Operator::Less, &["1"]))).holds(&item));
    }

    #[test]
    fn and_binds_closer_than_or_and_no_parentheses_are_redundant() {
        let [a, b, c] = ["a", "b", "c"].map(|name| compare(name, Operator::Equal, &["1"]));
        let either = Condition::AnyOf(vec![vec![a.clone(), b], vec![c]]);
        let words = |condition: &Condition| condition.express(&mut Placeholders::default());
        assert_eq!(words(&either), "(#n0 = :v0 AND #n1 = :v1 OR #n2 = :v2)");
        let grouped = Condition::AnyOf(vec![vec![either]]);
        assert_eq!(words(&Condition::Not(Box::new(grouped))), "NOT (#n0 = :v0 AND #n1 = :v1 OR #n2 = :v2)");
        assert_eq!(words(&Condition::Not(Box::new(a))), "NOT (#n0 = :v0)");
    }
}
