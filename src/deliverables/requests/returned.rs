//! What a request takes of the items that those before it returned: of one item, or of
//! each of a list.

use super::call::{Call, below};
use super::literals::{key, string};
use super::typescript::Writer;
use serde_json::{Map, Value as Json};

/// An input that a request takes from what one before it returned.
#[derive(Clone, PartialEq)]
pub(super) struct Taken {
    pub input: String,
    pub entity: String,
    /// It is sent for each of them.
    pub each: bool,
}

/// An item that a read has returned.
pub(super) struct Returned {
    /// What it is called; of one of a list, from when on it is used.
    name: Option<String>,
    /// Where it comes from: `item`, `items[0]`.
    from: String,
    /// The list that it is in.
    list: Option<String>,
    entity: String,
    /// Its attributes, written out.
    attributes: Map<String, Json>,
    guarded: bool,
}

impl Returned {
    /// The item that a read of one item has returned under this name.
    pub fn one(name: &str, entity: &str, attributes: Map<String, Json>) -> Self {
        let own = name.to_owned();
        Self { name: Some(own.clone()), from: own, list: None, entity: entity.to_owned(), attributes, guarded: false }
    }

    /// The item at a place of a list of this name.
    pub fn of_list(list: &str, place: usize, entity: &str, attributes: Map<String, Json>) -> Self {
        Self {
            name: None,
            from: format!("{list}[{place}]"),
            list: Some(list.to_owned()),
            entity: entity.to_owned(),
            attributes,
            guarded: false,
        }
    }
}

/// What is done for each item of a list.
#[derive(Default)]
pub(super) struct Loop {
    /// What an item is called, and the list; `None` where nothing is taken of one.
    pub list: Option<(String, String)>,
    /// The attributes that are taken of each.
    taken: Vec<String>,
    /// What holds the keys that are made of them.
    pub keys: Option<String>,
}

impl Loop {
    /// What an item is called, and its list.
    pub fn of_list(&self) -> Option<(String, String)> {
        self.list.clone()
    }
}

impl Writer {
    /// What the caller supplies: an attribute of an item that was read before, where
    /// one has it, else a constant.
    pub(super) fn supplied(&mut self, input: &str, value: &Json) -> String {
        let written = self.literal(value, 0);
        let is_known = self.constants.iter().any(|constant| constant.input == input && constant.value == written);
        let from = self.returned.iter().position(|returned| returned.attributes.get(input) == Some(value));
        let Some(from) = from.filter(|_| !is_known) else { return self.constant(input, written, None) };
        let name = self.of_loop(from, input).unwrap_or_else(|| self.one(from, input));
        match key(input) {
            input if input.starts_with('"') => format!("{name}[{input}]"),
            input => format!("{name}.{input}"),
        }
    }

    /// What the items of a list are called, where the call is made for each of them.
    fn of_loop(&mut self, from: usize, input: &str) -> Option<String> {
        let list = self.returned[from].list.clone()?;
        let looped = self.looped.as_mut()?;
        if looped.list.as_ref().is_some_and(|(_, own)| *own != list) {
            return None;
        }
        let name = match &looped.list {
            Some((name, _)) => name.clone(),
            None => self.identifiers.result("item"),
        };
        looped.list = Some((name.clone(), list));
        if !looped.taken.iter().any(|known| known == input) {
            looped.taken.push(input.to_owned());
        }
        self.take(from, input, true);
        Some(name)
    }

    /// The item itself, which has to be there.
    fn one(&mut self, from: usize, input: &str) -> String {
        self.take(from, input, false);
        let returned = &mut self.returned[from];
        let name = match &returned.name {
            Some(name) => name.clone(),
            None => {
                let name = self.identifiers.result("item");
                self.guards.push(format!("const {name}: Record<string, any> | undefined = {};\n", returned.from));
                name
            }
        };
        if !returned.guarded {
            let what = string(&format!("There is no such {}.", returned.entity));
            self.guards.push(format!("if (!{name}) throw new Error({what});\n"));
            returned.guarded = true;
        }
        returned.name = Some(name.clone());
        name
    }

    fn take(&mut self, from: usize, input: &str, each: bool) {
        let taken = Taken { input: input.to_owned(), entity: self.returned[from].entity.clone(), each };
        if !self.taken.contains(&taken) {
            self.taken.push(taken);
        }
    }

    /// The keys of a batch of the items that a list refers to, none of them twice, which
    /// DynamoDB refuses; `None` where they are not those of a list.
    pub(super) fn of_each(&mut self, request: &Call<'_>, keys: &[Json], pointer: &str) -> Option<String> {
        let is_one_table = request.body.get("RequestItems").and_then(Json::as_object).is_some_and(|all| all.len() == 1);
        let first = keys.first().and_then(Json::as_object).filter(|_| request.is_of_many && is_one_table)?;
        self.looped = Some(Loop::default());
        let made = self.attributes(request, first, &below(pointer, "0"), 0);
        let looped = self.looped.take().filter(|looped| looped.list.is_some())?;
        let (item, list) = looped.of_list()?;
        let name = self.identifiers.result("keys");
        let all = match looped.taken.as_slice() {
            [only] => {
                let value = self.identifiers.like(only);
                let path = match key(only) {
                    quoted if quoted.starts_with('"') => format!("{item}[{quoted}]"),
                    plain => format!("{item}.{plain}"),
                };
                let made = made.replace(&path, &value);
                format!(
                    "[...new Set({list}.map(({item}: Record<string, any>) => {path}))]\n  .map(({value}) => ({made}))"
                )
            }
            _ => format!("{list}.map(({item}: Record<string, any>) => ({made}))"),
        };
        self.guards.push(format!("const {name} = {all};\n"));
        self.looped = Some(Loop { keys: Some(name.clone()), ..looped });
        Some(format!("{name}.slice(start, start + 100)"))
    }
}
