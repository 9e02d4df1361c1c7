//! What the caller of a request supplies, each value under one name.

use super::origin::{Origin, Placed, TemplatePart};
use crate::capacity::values::Value;
use crate::model::expression_name::word;

/// A value that the caller supplies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The attribute or parameter, told apart where two items take part: letters,
    /// digits and `_`.
    pub name: String,
    pub value: Value,
}

/// Names the inputs of a request, and lets its origins use these names. The same
/// value of the same attribute is one input; of two, that of another entity or
/// role is called after it.
pub fn named(values: &mut [Placed]) -> Vec<Input> {
    let mut known: Vec<Known> = Vec::new();
    for placed in values {
        let owner = placed.owner.clone();
        match &mut placed.origin {
            Origin::Constant => {}
            Origin::Attribute(name) | Origin::Parameter(name) => {
                *name = name_of(&mut known, name, &owner, &placed.value)
            }
            Origin::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Hole { name, value, .. } = part {
                        *name = name_of(&mut known, name, &owner, value);
                    }
                }
            }
        }
    }
    known.into_iter().map(|known| known.input).collect()
}

struct Known {
    wish: String,
    owner: String,
    input: Input,
}

fn name_of(known: &mut Vec<Known>, wish: &str, owner: &str, value: &Value) -> String {
    if let Some(same) = known.iter().find(|known| known.wish == wish && known.input.value == *value) {
        return same.input.name.clone();
    }
    let plain = word(wish);
    let holder = |name: &str| known.iter().find(|known| known.input.name == name);
    let is_other = holder(&plain).is_some_and(|known| known.owner != owner && !owner.is_empty());
    let base = if is_other { format!("{}_{plain}", snake(owner)) } else { plain };
    let numbered = (2..).map(|n| format!("{base}{n}"));
    let name = std::iter::once(base.clone()).chain(numbered).find(|name| holder(name).is_none()).unwrap_or_default();
    let input = Input { name: name.clone(), value: value.clone() };
    known.push(Known { wish: wish.to_owned(), owner: owner.to_owned(), input });
    name
}

/// `OrderLine` as `order_line`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in word(name).chars() {
        if c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_is_one_input_and_another_is_told_apart_by_whose_it_is() {
        let placed = |name: &str, text: &str, owner: &str| Placed {
            path: Vec::new(),
            value: Value::S(text.to_owned()),
            origin: Origin::Attribute(name.to_owned()),
            owner: owner.to_owned(),
        };
        let mut all = [
            placed("user_id", "1", "Order"),
            placed("user_id", "1", "User"),
            placed("user_id", "2", "PaidBy"),
            placed("sku", "a", "Product"),
            placed("sku", "b", "Product"),
            placed("user-id", "1", ""),
        ];
        let names: Vec<String> = named(&mut all).into_iter().map(|input| input.name).collect();
        assert_eq!(names, ["user_id", "paid_by_user_id", "sku", "sku2", "user_id2"]);
        let uses = all.iter().map(|placed| match &placed.origin {
            Origin::Attribute(name) => name.as_str(),
            _ => "",
        });
        assert_eq!(uses.collect::<Vec<_>>(), ["user_id", "user_id", "paid_by_user_id", "sku", "sku2", "user_id2"]);
    }
}
