//! What the caller of a request supplies, each value under one name.

use super::origin::{Origin, Placed, TemplatePart};
use super::owner::Owner;
use crate::capacity::values::Value;
use crate::model::expression_name::word;
use std::collections::BTreeSet;

/// A value that the caller supplies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The attribute or parameter, told apart where two items take part: letters,
    /// digits and `_`.
    pub name: String,
    pub value: Value,
}

/// Names the inputs of a request, and lets its origins use these names. The same
/// value of the same attribute is one input, unless it is of two items of an entity
/// that may share it by chance only. Of two, that of another entity or role is called
/// after it.
pub fn named(values: &mut [Placed]) -> Vec<Input> {
    let parameters = values.iter().filter_map(|placed| match &placed.origin {
        Origin::Parameter(name) => Some(plain(name)),
        _ => None,
    });
    let parameters = parameters.collect();
    let items: BTreeSet<(String, usize)> = values
        .iter()
        .filter_map(|placed| Some((placed.owner.as_ref()?.entity.clone(), placed.owner.as_ref()?.item)))
        .collect();
    let mut entities: Vec<&str> = items.iter().map(|(entity, _)| entity.as_str()).collect();
    let all = entities.clone();
    entities.retain(|entity| all.iter().filter(|other| other == &entity).count() == 1);
    let single = entities.into_iter().map(str::to_owned).collect();
    let mut inputs = Inputs { parameters, single, known: Vec::new() };
    for placed in values {
        let owner = placed.owner.as_deref();
        let is_set = placed.path.iter().any(|member| member == "ExpressionAttributeValues");
        match &mut placed.origin {
            Origin::Constant => {}
            Origin::Attribute(name) => {
                *name = inputs.name(Wish { name, owner, value: &placed.value, is_set });
            }
            Origin::Parameter(name) => {
                *name = inputs.name(Wish { name, owner, value: &placed.value, is_set: false });
            }
            Origin::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Hole { name, value, .. } = part {
                        *name = inputs.name(Wish { name, owner, value, is_set: false });
                    }
                }
            }
        }
    }
    inputs.known.into_iter().map(|known| known.input).collect()
}

/// A value that wants a name.
struct Wish<'w> {
    name: &'w str,
    owner: Option<&'w Owner>,
    value: &'w Value,
    /// It is what an attribute is set to or compared with.
    is_set: bool,
}

struct Known {
    wish: String,
    /// The items that it is of.
    users: Vec<Owner>,
    input: Input,
}

impl Known {
    /// Whether a value of the same name is the same by more than chance.
    fn is(&self, wish: &Wish<'_>, single: &BTreeSet<String>) -> bool {
        let Some(owner) = wish.owner else { return true };
        // What belongs to one item of the request has it from there.
        let is_parent = |user: &Owner| owner.parents.contains(&user.entity) && single.contains(&user.entity);
        if self.users.iter().any(|user| user.entity != owner.entity && is_parent(user)) {
            return true;
        }
        let others = || self.users.iter().filter(|user| user.item != owner.item);
        let counts = |owner: &Owner| owner.counters.contains(&self.wish);
        let is_own = owner.own.contains(&self.wish) && others().any(|user| user.entity == owner.entity);
        let is_counted = counts(owner) && others().any(counts);
        !is_own && !is_counted
    }
}

struct Inputs {
    /// What parameters are called.
    parameters: BTreeSet<String>,
    /// The entities of which one item takes part.
    single: BTreeSet<String>,
    known: Vec<Known>,
}

impl Inputs {
    fn name(&mut self, wish: Wish<'_>) -> String {
        let single = &self.single;
        let same =
            |known: &&mut Known| known.wish == wish.name && known.input.value == *wish.value && known.is(&wish, single);
        if let Some(known) = self.known.iter_mut().find(same) {
            known.users.extend(wish.owner.cloned());
            return known.input.name.clone();
        }
        let name = self.free(&wish);
        let input = Input { name: name.clone(), value: wish.value.clone() };
        let users = wish.owner.cloned().into_iter().collect();
        self.known.push(Known { wish: wish.name.to_owned(), users, input });
        name
    }

    fn free(&self, wish: &Wish<'_>) -> String {
        let holder = |name: &str| self.known.iter().find(|known| known.input.name == name);
        let bare = word(wish.name);
        let is_after = |owner: &&Owner| {
            let has_role = owner.role != owner.entity;
            let tells = owner.own.contains(wish.name) || owner.ids.contains(wish.name);
            let is_other = |known: &Known| known.users.iter().all(|user| user.role != owner.role);
            (has_role && tells && !self.parameters.contains(&plain(wish.name))) || holder(&bare).is_some_and(is_other)
        };
        let base = match wish.owner.filter(is_after) {
            Some(owner) => format!("{}_{bare}", snake(&owner.role)),
            None => bare,
        };
        // The new value of what is compared with a parameter of that name.
        let base = match wish.is_set && self.parameters.contains(&plain(&base)) {
            true => format!("new_{base}"),
            false => base,
        };
        let numbered = (2..).map(|n| format!("{base}{n}"));
        std::iter::once(base.clone()).chain(numbered).find(|name| holder(name).is_none()).unwrap_or_default()
    }
}

/// A name without what spellings differ in: `new_version` and `newVersion` are one
/// identifier.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
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
    use std::sync::Arc;

    fn owner(role: &str, entity: &str, item: usize) -> Option<Arc<Owner>> {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (own, ids, counters) = (names(&["stock", "sku"]), names(&["sku"]), names(&["stock"]));
        let (entity, role) = (entity.to_owned(), role.to_owned());
        Some(Arc::new(Owner { entity, role, item, own, ids, parents: names(&["Product"]), counters }))
    }

    fn placed(name: &str, text: &str, owner: Option<Arc<Owner>>) -> Placed {
        let value = Value::S(text.to_owned());
        Placed { path: Vec::new(), value, origin: Origin::Attribute(name.to_owned()), owner }
    }

    fn names(all: &mut [Placed]) -> Vec<String> {
        named(all);
        let uses = all.iter().map(|placed| match &placed.origin {
            Origin::Attribute(name) | Origin::Parameter(name) => name.clone(),
            _ => String::new(),
        });
        uses.collect()
    }

    #[test]
    fn the_same_value_is_one_input_and_another_is_told_apart_by_whose_it_is() {
        let mut all = [
            placed("user_id", "1", owner("Order", "Order", 0)),
            placed("user_id", "1", owner("User", "User", 1)),
            placed("user_id", "2", owner("PaidBy", "User", 2)),
            placed("sku", "a", owner("Product", "Product", 3)),
            placed("sku", "b", owner("Product", "Product", 4)),
            placed("user-id", "1", None),
        ];
        assert_eq!(names(&mut all), ["user_id", "user_id", "paid_by_user_id", "sku", "sku2", "user_id2"]);
    }

    #[test]
    fn what_two_items_share_by_chance_has_two_names() {
        let mut all = [
            placed("stock", "7", owner("Product", "Product", 0)),
            placed("stock", "7", owner("Product", "Product", 1)),
            // A line that holds what its product is set to is of that product.
            placed("stock", "7", owner("Line", "Line", 2)),
            placed("stock", "7", owner("Line", "Line", 3)),
            placed("day", "7", owner("Line", "Line", 2)),
            placed("day", "7", owner("Line", "Line", 3)),
        ];
        for line in &mut all[2..] {
            let own = line.owner.as_ref().expect("an owner");
            line.owner = Some(Arc::new(Owner { counters: BTreeSet::new(), ..Owner::clone(own) }));
        }
        assert_eq!(names(&mut all), ["stock", "stock2", "stock", "stock2", "day", "day"]);
    }

    #[test]
    fn what_two_items_have_from_one_that_they_belong_to_has_one_name() {
        let mut all = [
            placed("stock", "7", owner("Product", "Product", 0)),
            placed("stock", "7", owner("Line", "Line", 1)),
            placed("stock", "7", owner("Line", "Line", 2)),
        ];
        all[0].owner =
            owner("Product", "Product", 0).map(|own| Arc::new(Owner { counters: BTreeSet::new(), ..(*own).clone() }));
        assert_eq!(names(&mut all), ["stock", "stock", "stock"]);
    }

    #[test]
    fn what_a_role_has_is_called_after_it_beside_the_parameters() {
        let mut all = [
            placed("sku", "a", owner("giver", "Product", 0)),
            placed("sku", "b", owner("taker", "Product", 1)),
            placed("stock", "7", owner("taker", "Product", 1)),
            placed("taker_stock", "6", owner("taker", "Product", 1)),
        ];
        all[2].path = vec!["ExpressionAttributeValues".to_owned()];
        all[3].origin = Origin::Parameter("taker_stock".to_owned());
        assert_eq!(names(&mut all), ["giver_sku", "taker_sku", "new_taker_stock", "taker_stock"]);
    }
}
