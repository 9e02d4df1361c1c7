//! For readers: the total of an item is the sum of the lines in it.

use super::items::Embedded;
use super::plan::Plan;
use super::plausible::words;
use crate::capacity::values::{Item, Value};
use crate::model::defs::{AttributeDef, EntityDef, Type};

const TOTALS: &[&str] = &["total", "sum", "amount"];
const PRICES: &[&str] = &["price"];
const QUANTITIES: &[&str] = &["quantity", "qty", "pieces", "count", "units"];
const CENTS: &[&str] = &["cents", "cent", "pence"];

/// Sets the numbers of an item that are called a total to what its embedded lines come
/// to, each its price times its quantity. One with an `@example`, or that others copy, is
/// what the model says.
pub(super) fn add_up(plan: &Plan<'_>, (entity, def): (&str, &EntityDef), values: &mut Item, lists: &[Embedded<'_>]) {
    let Some((sum, is_cents)) = lists.iter().find_map(sum_of) else { return };
    let is_copied = |name: &str| {
        let mut all = plan.entities.values().flat_map(|plan| &plan.def.attributes);
        all.any(|attribute| {
            let source = attribute.copied_from.as_ref();
            source.is_some_and(|source| {
                let copied = source.attribute.as_ref().map_or(&attribute.name.text, |name| &name.text);
                source.entity.text == entity && copied == name
            })
        })
    };
    let mut totals = def.attributes.iter().filter(|attribute| {
        is_number(attribute, TOTALS) && has(attribute, CENTS) == is_cents && attribute.example.is_none()
    });
    if let Some(total) = totals.next().filter(|total| !is_copied(&total.name.text))
        && let Some(held) = values.get_mut(&total.name.text)
    {
        *held = sum;
    }
}

/// What the lines of a list come to, and whether in cents; `None` where they have no
/// price and quantity, or there are none.
fn sum_of(list: &Embedded<'_>) -> Option<(Value, bool)> {
    let find = |names| list.def.attributes.iter().find(|attribute| is_number(attribute, names));
    let (price, quantity) = (find(PRICES)?, find(QUANTITIES)?);
    let products = list.elements.iter().map(|line| {
        let of = |attribute: &AttributeDef| fixed(line.values.get(&attribute.name.text)?);
        of(price)?.checked_mul(of(quantity)?)
    });
    let products = products.collect::<Option<Vec<i128>>>().filter(|all| !all.is_empty())?;
    let sum = products.into_iter().try_fold(0i128, i128::checked_add)?;
    Some((spelled(sum), has(price, CENTS)))
}

fn is_number(attribute: &AttributeDef, names: &[&str]) -> bool {
    attribute.ty == Type::Number && !attribute.id && attribute.of.is_none() && has(attribute, names)
}

fn has(attribute: &AttributeDef, names: &[&str]) -> bool {
    words(&attribute.name.text).iter().any(|word| names.contains(&word.as_str()))
}

/// Digits behind the point of one factor.
const PLACES: usize = 6;

/// A number that is written in plain digits, in millionths.
fn fixed(value: &Value) -> Option<i128> {
    let Value::N(number) = value else { return None };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fits = fraction.len() <= PLACES && whole.len() <= 12;
    fits.then(|| format!("{whole}{fraction:0<PLACES$}").parse().ok())?
}

/// A product of two such numbers.
fn spelled(product: i128) -> Value {
    const BOTH: usize = 2 * PLACES;
    let digits = format!("{:0>width$}", product.unsigned_abs(), width = BOTH + 1);
    let (whole, fraction) = digits.split_at(digits.len() - BOTH);
    let text = format!("{}{whole}.{fraction}", if product < 0 { "-" } else { "" });
    Value::N(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact_to_the_last_place() {
        let number = |text: &str| fixed(&Value::N(text.to_owned()));
        let product = |one: &str, other: &str| Some(spelled(number(one)?.checked_mul(number(other)?)?));
        let is = |text: &str| Some(Value::N(text.to_owned()));
        assert_eq!(product("12.9", "3"), is("38.7"));
        assert_eq!(product("20.35", "2"), is("40.7"));
        assert_eq!(product("1290", "10"), is("12900"));
        assert_eq!((product("-0.5", "3"), product("0", "7")), (is("-1.5"), is("0")));
        assert_eq!((product("1E5", "1"), product("0.1234567", "1")), (None, None));
    }
}
