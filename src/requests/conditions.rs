//! Conditions of filters and writes: with operands, as an expression, and
//! whether an item meets them.

use super::express::Placeholders;
use super::nearby;
use super::origin::{Operand, TemplatePart, of_parts, part_text};
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeyValue};
use crate::population::is_called;
use crate::population::literals::number;
use crate::population::spell::Spelling;
use std::cmp::Ordering;

/// A condition whose operands are values.
#[derive(Clone, Debug)]
pub enum Condition {
    Compare {
        path: Path,
        operator: Operator,
        operands: Vec<Operand>,
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
pub struct Path {
    pub name: String,
    pub element: Option<(String, usize)>,
}

/// What operands are chosen from.
#[derive(Clone, Copy)]
pub struct Chosen<'a> {
    /// The item that the condition is to hold for.
    pub item: &'a Item,
    /// The attributes that the holes of a template name.
    pub attributes: &'a Item,
    /// A list with an element to which the names belong that it has, or the item has
    /// not. A key is the item's in any case.
    pub element: Option<(&'a str, usize)>,
    /// Whether a name is that of a key: its operands are templates then.
    pub is_key: &'a dyn Fn(&str) -> bool,
    /// Numbers of what is written in the same call, by their names.
    pub told: &'a Item,
    /// What parameters of the pattern are already, by their names.
    pub given: &'a Item,
    pub spelling: Spelling,
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
        let of_element = |element: &(&str, usize)| {
            let path = Path { name: name.to_owned(), element: Some((element.0.to_owned(), element.1)) };
            path.find(self.item).is_some() || !self.item.contains_key(name)
        };
        let element = self.element.filter(|element| !(self.is_key)(name) && of_element(element));
        Path { name: name.to_owned(), element: element.map(|(list, index)| (list.to_owned(), index)) }
    }

    fn operand(&self, path: &Path, comparison: &Comparison, place: usize, operand: &OperandDef, want: bool) -> Operand {
        match operand {
            OperandDef::Boolean { value, .. } => Operand::constant(Value::Bool(*value)),
            OperandDef::Number(value) => Operand::constant(Value::N(number(value))),
            OperandDef::String { value, template, .. } => match (self.is_key)(&path.name) {
                true => self.filled(&KeyValue::of_template(template, |_| None)),
                false => Operand::constant(Value::S(value.clone())),
            },
            OperandDef::Parameter(name) => {
                let held = path.find(self.item).cloned().unwrap_or_else(|| Value::S("x".to_owned()));
                // A name of a parameter is one value, whoever it is compared with.
                let given = self.given.get(&name.text).filter(|_| !comparison.operator.is_range());
                if let Some(given) = given {
                    return Operand::parameter(&name.text, given.clone());
                }
                let parameter = Parameter { name: &name.text, attribute: &path.name, place };
                let value = parameter.value(self.spelling, comparison.operator, &held, want, self.told);
                Operand::parameter(&name.text, value)
            }
        }
    }

    fn filled(&self, value: &KeyValue) -> Operand {
        let parts = value.parts.iter().filter_map(|part| match part {
            KeyPiece::Literal(text) => Some(TemplatePart::Text(text.clone())),
            KeyPiece::Hole(hole) => {
                let value = self.attributes.get(&hole.name).filter(|_| !hole.parameter)?.clone();
                Some(TemplatePart::Hole { name: hole.name.clone(), format: hole.format, value })
            }
        });
        let parts: Vec<TemplatePart> = parts.collect();
        let text = parts.iter().map(part_text).collect();
        Operand { value: Value::S(text), origin: of_parts(parts) }
    }
}

/// A parameter in a comparison.
pub(super) struct Parameter<'a> {
    pub name: &'a str,
    /// What it is compared with.
    pub attribute: &'a str,
    /// Which of the operands it is.
    pub place: usize,
}

impl Parameter<'_> {
    /// What the caller supplies for the comparison with a value to hold, or not: what
    /// else is written in the same call under its name, where that will do.
    pub fn value(&self, spelling: Spelling, operator: Operator, held: &Value, want: bool, told: &Item) -> Value {
        let holds = |value: &Value| compares(held, operator, &[Operand::constant(value.clone())]) == want;
        let called = told.iter().filter(|(name, _)| operator.is_range() && is_called(self.name, name));
        let told = told.get(self.name).filter(|_| operator.is_range());
        let mut told = told.into_iter().chain(called.map(|(_, value)| value));
        let other = Some(self.name).filter(|name| *name != self.attribute);
        match told.find(|value| other.is_some() && operator != Operator::Between && holds(value)) {
            Some(value) => value.clone(),
            None => nearby::chosen(spelling, operator, self.place, held, want, other),
        }
    }
}

/// What a caller supplies for a comparison with this value to hold, or not.
pub(super) fn supplied(operator: Operator, place: usize, held: &Value, want: bool) -> Value {
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
pub fn below(held: &Value) -> Value {
    match held {
        Value::N(_) => Value::N(format!("-{}", "9".repeat(38))),
        Value::S(_) => Value::S(" ".to_owned()),
        Value::B(_) => Value::B(vec![0]),
        other => above(other),
    }
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
                let wish = |place: usize| match operator {
                    Operator::BeginsWith => format!("{}_prefix", path.name),
                    Operator::Less | Operator::LessOrEqual => format!("{}_to", path.name),
                    Operator::Greater | Operator::GreaterOrEqual => format!("{}_from", path.name),
                    Operator::Between if place == 0 => format!("{}_from", path.name),
                    Operator::Between => format!("{}_to", path.name),
                    _ => path.name.clone(),
                };
                let operands: Vec<String> = operands
                    .iter()
                    .enumerate()
                    .map(|(place, operand)| placeholders.value(&wish(place), operand))
                    .collect();
                let path = path.express(placeholders);
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
pub fn compares(value: &Value, operator: Operator, operands: &[Operand]) -> bool {
    let Some(first) = operands.first().map(|operand| &operand.value) else { return false };
    let is = |wanted: &[Ordering]| value.order(first).is_some_and(|order| wanted.contains(&order));
    match operator {
        Operator::Equal => value.same(first),
        Operator::NotEqual => !value.same(first),
        Operator::Less => is(&[Ordering::Less]),
        Operator::LessOrEqual => is(&[Ordering::Less, Ordering::Equal]),
        Operator::Greater => is(&[Ordering::Greater]),
        Operator::GreaterOrEqual => is(&[Ordering::Greater, Ordering::Equal]),
        Operator::In => operands.iter().any(|operand| value.same(&operand.value)),
        Operator::Between => {
            is(&[Ordering::Greater, Ordering::Equal])
                && operands
                    .get(1)
                    .and_then(|high| value.order(&high.value))
                    .is_some_and(|order| order != Ordering::Greater)
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
        let operands = operands.iter().map(|number| Operand::constant(Value::N((*number).to_owned()))).collect();
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
                    assert_eq!(
                        compares(&value, operator, &[Operand::constant(operand)]),
                        want,
                        "{value:?} {operator:?}"
                    );
                }
            }
            let bounds = [0, 1].map(|place| Operand::constant(supplied(Operator::Between, place, &value, true)));
            assert!(compares(&value, Operator::Between, &bounds));
        }
        let text = Value::S("abc".into());
        for operator in [Operator::BeginsWith, Operator::Contains] {
            let operand = |want| [Operand::constant(supplied(operator, 0, &text, want))];
            assert!(compares(&text, operator, &operand(true)));
            assert!(!compares(&text, operator, &operand(false)));
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
        assert_eq!(words(&either), "(a = :a AND b = :b OR c = :c)");
        let grouped = Condition::AnyOf(vec![vec![either]]);
        assert_eq!(words(&Condition::Not(Box::new(grouped))), "NOT (a = :a AND b = :b OR c = :c)");
        assert_eq!(words(&Condition::Not(Box::new(a))), "NOT (a = :a)");
    }
}
