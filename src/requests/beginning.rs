//! What a new item begins with, to a reader: the first of its states, the first version,
//! a flag that conditions want as it is.

use super::together::Call;
use crate::capacity::values::{Item, Value};
use crate::model::defs::*;
use crate::population::belonging::Adopted;
use crate::population::items::{Population, Stored};
use crate::population::spell::Spelling;

/// Gives a new item what it begins with.
pub(super) fn begin(population: &Population<'_>, new: &mut Stored<'_>) {
    if new.spelling() != Spelling::Plausible {
        return;
    }
    let (entity, def) = (new.kind.entity.as_str(), new.def);
    let said = population.arrangement.said(entity);
    for attribute in def.attributes.iter().filter(|attribute| !attribute.id) {
        let name = attribute.name.text.as_str();
        let value = match &attribute.ty {
            Type::Enum(_) => said.and_then(|said| said.begins.get(name)).map(|first| Value::S((*first).to_owned())),
            Type::Boolean => match attribute.example.as_ref().map(|example| example.value.trim()) {
                Some("true") => Some(Value::Bool(true)),
                Some("false") => Some(Value::Bool(false)),
                _ => population.arrangement.wants(entity, name).map(Value::Bool),
            },
            Type::Number if said.is_some_and(|said| said.is_version(name)) => Some(Value::N(String::from("1"))),
            _ => None,
        };
        if let (Some(value), Some(own)) = (value, new.instance.values.get_mut(name)) {
            *own = value;
        }
    }
}

impl<'db> Call<'_, 'db> {
    /// The version of a new parent, as far as what belongs to it has the same: the first
    /// version of a text is that of the text.
    pub(super) fn begun_above(&self, own: &str, adopted: &[Adopted<'db>]) -> Item {
        let Some((_, plan)) = self.plan(own) else { return Item::new() };
        let is_new = |parent: &str, attribute: &str| {
            self.new.contains_key(parent) && adopted.iter().any(|own| own.attribute == attribute && own.new)
        };
        let parents = plan.parents.iter().filter(|parent| is_new(parent.entity, parent.attribute));
        let versions = parents.filter_map(|parent| {
            let said = self.population.arrangement.said(parent.entity)?;
            let first = self.first.get(parent.entity)?;
            let numbers = plan.def.attributes.iter().filter(|own| own.ty == Type::Number && own.of.is_none());
            let shared = numbers.filter(|own| said.is_version(&own.name.text));
            Some(shared.filter_map(|own| Some((own.name.text.clone(), first.get(&own.name.text)?.clone()))))
        });
        versions.flatten().collect()
    }
}
