//! Expressions of DynamoDB's API. A name stands in them as it is unless DynamoDB
//! reserves it or cannot read it; a value always stands behind a placeholder.

use super::origin::{Body, Operand, Origin, Placed};
use super::wire::to_json;
use crate::capacity::values::{Item, Value};
use crate::model::expression_name::{stands_bare, word};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// The placeholders of one request.
#[derive(Default)]
pub struct Placeholders {
    /// Alias and name.
    names: Vec<(String, String)>,
    /// Placeholder and what it stands for.
    values: Vec<(String, Operand)>,
    /// What parameters and conditions are going to be called.
    kept: BTreeSet<String>,
}

impl Placeholders {
    /// Placeholders of which some are spoken for: what is set besides is called
    /// otherwise.
    pub fn keeping<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        Self { kept: names.map(word).collect(), ..Self::default() }
    }

    /// The name as it is, or its alias.
    pub fn name(&mut self, name: &str) -> String {
        if stands_bare(name) {
            return name.to_owned();
        }
        if let Some((alias, _)) = self.names.iter().find(|(_, known)| known == name) {
            return alias.clone();
        }
        let alias = free(&format!("#{}", word(name)), |alias| self.names.iter().any(|(known, _)| known == alias));
        self.names.push((alias.clone(), name.to_owned()));
        alias
    }

    /// The placeholder of a value: a parameter under its own name, another value
    /// under the one that is wished for.
    pub fn value(&mut self, wish: &str, operand: &Operand) -> String {
        let wish = match &operand.origin {
            Origin::Parameter(name) => name,
            _ => wish,
        };
        let wish = format!(":{}", word(wish));
        let known = |name: &str| self.values.iter().find(|(known, _)| known == name);
        if known(&wish).is_some_and(|(_, known)| known == operand) {
            return wish;
        }
        let name = free(&wish, |name| known(name).is_some());
        self.values.push((name.clone(), operand.clone()));
        name
    }

    /// The placeholder of what an attribute is set to.
    fn set(&mut self, name: &str, operand: &Operand) -> String {
        let wish = if self.kept.contains(&word(name)) { format!("new_{name}") } else { name.to_owned() };
        self.value(&wish, operand)
    }

    /// Names joined by commas, as a projection has them.
    pub fn list<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> String {
        names.map(|name| self.name(name)).collect::<Vec<_>>().join(", ")
    }

    /// Adds what stands behind the placeholders to a request.
    pub fn give(self, body: &mut Body) {
        if !self.names.is_empty() {
            let names = self.names.into_iter().map(|(alias, name)| (alias, Json::String(name)));
            body.insert("ExpressionAttributeNames", Json::Object(names.collect()));
        }
        if !self.values.is_empty() {
            let values: Map<String, Json> =
                self.values.iter().map(|(name, operand)| (name.clone(), to_json(&operand.value))).collect();
            body.insert("ExpressionAttributeValues", Json::Object(values));
            body.values.extend(self.values.into_iter().map(|(name, operand)| Placed {
                path: vec!["ExpressionAttributeValues".to_owned(), name],
                value: operand.value,
                origin: operand.origin,
                owner: None,
            }));
        }
    }
}

/// The name, or the first numbered one that is free.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{name}{n}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// What makes `after` of `before`: the attributes that are `named` and all others that
/// differ, the primary key apart; `None` where nothing is to be done. What is `removed`
/// is, also from an item that has it not; what is `counted` becomes one more.
pub fn update(
    placeholders: &mut Placeholders,
    (before, after): (&Item, &Item),
    removed: &[&str],
    named: impl Fn(&str) -> bool,
    key: impl Fn(&str) -> bool,
    origin: impl Fn(&str) -> Origin,
    counted: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut sets = Vec::new();
    let mut removes = Vec::new();
    for (name, value) in after.iter().filter(|(name, _)| !key(name)) {
        if named(name) || before.get(name) != Some(value) {
            if counted(name) {
                let (one, name) = (Operand::constant(Value::N("1".to_owned())), placeholders.name(name));
                sets.push(format!("{name} = {name} + {}", placeholders.value("one", &one)));
                continue;
            }
            let operand = Operand { value: Value::clone(value), origin: origin(name) };
            let value = placeholders.set(name, &operand);
            sets.push(format!("{} = {value}", placeholders.name(name)));
        }
    }
    let gone: BTreeSet<&str> = before.keys().map(String::as_str).chain(removed.iter().copied()).collect();
    for name in gone.into_iter().filter(|name| !key(name) && !after.contains_key(*name)) {
        removes.push(placeholders.name(name));
    }
    let mut clauses = Vec::new();
    if !sets.is_empty() {
        clauses.push(format!("SET {}", sets.join(", ")));
    }
    if !removes.is_empty() {
        clauses.push(format!("REMOVE {}", removes.join(", ")));
    }
    (!clauses.is_empty()).then(|| clauses.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: &str) -> Value {
        Value::N(number.to_owned())
    }

    #[test]
    fn names_stand_bare_but_for_reserved_and_odd_ones() {
        let mut all = Placeholders::default();
        let list = all.list(["amount", "status", "user-id", "user.id", "status"].into_iter());
        assert_eq!(list, "amount, #status, #user_id, #user_id2, #status");
        let mut body = Body::default();
        all.give(&mut body);
        let names = &body.json["ExpressionAttributeNames"];
        assert_eq!(names["#user_id2"], "user.id");
        assert_eq!(names.as_object().map(Map::len), Some(3));
    }

    #[test]
    fn values_are_called_after_what_they_are_compared_with_or_as_the_model_calls_them() {
        let mut all = Placeholders::default();
        let parameter = Operand::parameter("low", number("1"));
        assert_eq!(all.value("price_from", &parameter), ":low");
        assert_eq!(all.value("price_to", &Operand::constant(number("2"))), ":price_to");
        // The same value is given once, another one under a name of its own.
        assert_eq!(all.value("price_from", &parameter), ":low");
        assert_eq!(all.value("price_to", &Operand::constant(number("3"))), ":price_to2");
        assert_eq!(all.value("größe", &Operand::constant(number("3"))), ":gr__e");
    }

    #[test]
    fn what_is_removed_is_so_from_an_item_that_has_it_not() {
        let item = Item::from([("amount".to_owned(), number("1")), ("note".to_owned(), number("2"))]);
        let after = Item::from([("amount".to_owned(), number("1"))]);
        let mut all = Placeholders::default();
        let no = |_: &str| false;
        let words = update(&mut all, (&item, &after), &["due"], no, no, |_| Origin::Constant, no);
        assert_eq!(words.as_deref(), Some("REMOVE due, note"));
        // A key is not removed.
        let words = update(&mut all, (&item, &item), &["id"], no, |name| name == "id", |_| Origin::Constant, no);
        assert_eq!(words, None);
    }

    #[test]
    fn what_is_set_makes_room_for_what_is_compared() {
        let mut all = Placeholders::keeping(["version"].into_iter());
        let item = |version: &str| {
            Item::from([("version".to_owned(), number(version)), ("amount".to_owned(), number(version))])
        };
        let (before, after) = (item("1"), item("2"));
        let no = |_: &str| false;
        let origin = |name: &str| Origin::Attribute(name.to_owned());
        let words = update(&mut all, (&before, &after), &[], no, no, origin, no);
        assert_eq!(words.as_deref(), Some("SET amount = :amount, version = :new_version"));
        assert_eq!(all.value("version", &Operand::parameter("version", number("1"))), ":version");
    }

    #[test]
    fn what_is_counted_becomes_one_more() {
        let mut all = Placeholders::default();
        let (before, after) =
            (Item::from([("size".to_owned(), number("1"))]), Item::from([("size".to_owned(), number("2"))]));
        let no = |_: &str| false;
        let words = update(&mut all, (&before, &after), &[], no, no, |_| Origin::Constant, |_| true);
        assert_eq!(words.as_deref(), Some("SET #size = #size + :one"));
    }
}
