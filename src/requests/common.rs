//! What the items of one call have in common: the instant, and what one of them is set to
//! or has that another refers to.

use super::amounts::bounds;
use super::together::{Call, sets};
use super::write::Write;
use crate::capacity::values::Item;
use crate::model::defs::*;
use crate::model::resolve::Step;
use crate::population::belonging::{Adopted, agrees};
use crate::population::items::Stored;

impl<'db> Call<'_, 'db> {
    /// The instant of a transaction, for a further item of an entity.
    pub(super) fn at_once(&self, own: &str) -> Item {
        let (Some((_, plan)), Some(first), GroupKind::Transact) = (self.plan(own), self.first.get(own), self.kind)
        else {
            return Item::new();
        };
        let instants = plan.def.attributes.iter().filter(|own| own.ty == Type::Timestamp && !own.id);
        let names = instants.map(|attribute| &attribute.name.text);
        names.filter_map(|name| Some((name.clone(), first.get(name)?.clone()))).collect()
    }

    /// What an update makes of an item; of numbers that it counts nothing is known yet.
    pub(super) fn note_changed(&mut self, stored: &Stored<'db>, step: &Step<'db>, write: &Write<'db>) {
        let Some((entity, plan)) = self.plan(&stored.kind.entity) else { return };
        let (Some(after), true) = (&write.after, bounds(&step.step.op).is_empty()) else { return };
        let is_set = |attribute: &&AttributeDef| sets(step, &attribute.name.text);
        let set = plan.def.attributes.iter().filter(is_set).map(|attribute| &attribute.name.text);
        let set = set.filter_map(|name| Some((name.clone(), after.get(name)?.clone())));
        self.changed.push((entity, stored.instance.who.like, set.collect()));
    }

    /// What the parents of a new item are set to in the same call, as far as it has the
    /// same: a version of a text is that of now.
    pub(super) fn set_above(&self, own: &str, adopted: &[Adopted<'db>]) -> Item {
        let Some((_, plan)) = self.plan(own) else { return Item::new() };
        let parents = plan.parents.iter().filter_map(|parent| {
            let adopted = adopted.iter().find(|adopted| adopted.attribute == parent.attribute && !adopted.new)?;
            let is_it = |(entity, index, _): &&(&str, usize, Item)| *entity == parent.entity && *index == adopted.index;
            Some((self.plan(parent.entity)?.1.def, &self.changed.iter().find(is_it)?.2))
        });
        let set = parents.flat_map(|(def, set)| {
            set.iter().filter(|(name, _)| {
                let (one, other) = (def.attribute(name), plan.def.attribute(name).filter(|own| own.of.is_none()));
                one.zip(other).is_some_and(|(one, other)| one.ty.spelling() == other.ty.spelling())
            })
        });
        set.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// What an item and the new one to which it refers both have.
pub(super) fn in_common(stored: &Stored<'_>, def: &EntityDef) -> Item {
    let shared = def.attributes.iter().filter_map(|attribute| {
        let name = &attribute.name.text;
        let held = stored.instance.values.get(name)?;
        let own = stored.def.attribute(name).filter(|own| own.ty.spelling() == attribute.ty.spelling())?;
        agrees(own, attribute, true).then(|| (name.clone(), held.clone()))
    });
    shared.collect()
}
