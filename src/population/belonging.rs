//! For readers: what an item takes from those that it belongs to.

use super::arrange::{Arrangement, AskedFor, Instance, Who, same_type};
use super::plan::{EntityPlan, Parent};
use crate::capacity::values::Value;
use crate::model::defs::{AttributeDef, Type};

impl<'db> Arrangement<'db> {
    /// The value that an attribute copies from another entity's; `None` where it
    /// copies none, or nothing tells from which item.
    pub(super) fn copied(&self, asked: AskedFor<'_, 'db>) -> Option<Value> {
        let AskedFor { entity, plan, attribute, who, .. } = asked;
        let own = attribute.name.text.as_str();
        let (source, name) = match &attribute.copied_from {
            Some(copied) => (copied.entity.text.as_str(), copied.attribute.as_ref().map_or(own, |name| &name.text)),
            // Who is one with a parent has its unique values: a claim of an email is
            // that of its user.
            None => {
                let is_unique = |parent: &&Parent<'db>| {
                    let same = self.entity(parent.entity).and_then(|parent| parent.def.attribute(own));
                    parent.one && same.is_some_and(|same| same.unique.is_some() && same_type(&same.ty, &attribute.ty))
                };
                (plan.parents.iter().find(is_unique)?.entity, own)
            }
        };
        let (source, of) = self.plan.entities.get_key_value(source)?;
        let index = self.ancestor(entity, plan, source, own, who, 0)?;
        let copied = of.def.attribute(name).filter(|copied| same_type(&copied.ty, &attribute.ty))?;
        let who = Who::of_population(index);
        Some(self.value(AskedFor { entity: source, plan: of, attribute: copied, who, ..asked }))
    }

    /// Which item of another entity an item belongs to, over however many parents.
    /// Of two of the same entity, that whose attribute is named most alike.
    fn ancestor(
        &self,
        entity: &str,
        plan: &EntityPlan<'db>,
        wanted: &str,
        name: &str,
        who: Who,
        depth: usize,
    ) -> Option<usize> {
        if let Some(parent) = plan.parents_of(wanted).max_by_key(|parent| parent.named_alike(name)) {
            return Some(self.parent_index(parent, who, 0, entity));
        }
        let others = plan.parents.iter().filter(|parent| parent.entity != entity && depth < 4);
        others.into_iter().find_map(|parent| {
            let index = self.parent_index(parent, who, 0, entity);
            self.ancestor(
                parent.entity,
                self.entity(parent.entity)?,
                wanted,
                name,
                Who::of_population(index),
                depth + 1,
            )
        })
    }

    /// Makes an item a child of this item of a parent: its id, what is copied from
    /// it, and, of what has the same name in both, numbers, and instants where both
    /// are new. Only attributes that `may` be changed are.
    pub fn adopt(&self, entity: &str, instance: &mut Instance, adopted: &Adopted<'_>, may: impl Fn(&str) -> bool) {
        let Some((_, plan)) = self.plan.entities.get_key_value(entity) else { return };
        let Some(own) = plan.parents.iter().find(|own| own.attribute == adopted.attribute) else { return };
        let Some((parent, above)) = self.plan.entities.get_key_value(own.entity) else { return };
        let who = Who::of_population(adopted.index);
        for attribute in &plan.def.attributes {
            let name = attribute.name.text.as_str();
            if !may(name) || !instance.values.contains_key(name) {
                continue;
            }
            let value = if name == own.attribute {
                self.id(parent, attribute, adopted.index, 1)
            } else if plan.parents_of(parent).any(|other| other.named_alike(name) > own.named_alike(name)) {
                None
            } else {
                let copied = attribute.copied_from.as_ref().filter(|copied| copied.entity.text == *parent);
                let copied_name = copied.map(|copied| copied.attribute.as_ref().map_or(name, |of| &of.text));
                let of = above.def.attribute(copied_name.unwrap_or(name));
                let of = of.filter(|of| same_type(&of.ty, &attribute.ty));
                let is_shared = |of: &&AttributeDef| {
                    copied.is_some() || (own.one && of.unique.is_some()) || agrees(of, attribute, adopted.new)
                };
                of.filter(is_shared).map(|of| {
                    self.value(AskedFor { entity: parent, plan: above, attribute: of, who, version: 0, depth: 1 })
                })
            };
            if let Some(value) = value {
                instance.values.insert(name.to_owned(), value);
            }
        }
    }
}

/// A parent that an item of a request gets.
#[derive(Clone, Debug)]
pub struct Adopted<'a> {
    /// The attribute that holds the parent's id.
    pub attribute: &'a str,
    /// Which item of the parent.
    pub index: usize,
    /// Whether the parent is written in the same request.
    pub new: bool,
}

/// Whether attributes of the same name in a parent and its child, of which the
/// child is written now, would hold the same.
pub fn agrees(one: &AttributeDef, other: &AttributeDef, both_new: bool) -> bool {
    let is_plain = |attribute: &AttributeDef| !attribute.id && attribute.of.is_none() && attribute.unique.is_none();
    match one.ty {
        Type::Number => is_plain(one) && is_plain(other),
        Type::Timestamp | Type::Epoch => both_new && !other.id,
        _ => false,
    }
}
