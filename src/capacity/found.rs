//! What a write finds, as far as its condition says: which optional attributes all
//! the items that it touches have, and which none of them has (numbers W2–W4).

use super::facts::EntityFacts;
use crate::model::defs::{WriteCondition, WriteConditionKind};
use crate::model::layout::{ItemLayout, Source, TableLayout};
use crate::model::unique::refuses_existing;
use std::collections::{BTreeMap, BTreeSet};

/// The state of the items before a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The attributes that they all have, or that none of them has.
    attributes: BTreeMap<String, bool>,
    /// The key attributes that none of them has, whichever of several attributes
    /// is missing for them.
    absent_keys: BTreeSet<String>,
    /// There is no item yet.
    nothing: bool,
}

impl Found {
    /// What the condition of a write of `item` says. Of an embedded entity (`element`)
    /// a name is its own where it has it, and says nothing of the item; a key is the
    /// item's in any case.
    pub fn by(
        condition: Option<&WriteCondition>,
        table: &TableLayout,
        item: &ItemLayout,
        entity: &EntityFacts,
        element: Option<&EntityFacts>,
        embedded: bool,
    ) -> Self {
        let mut found = Self::default();
        let Some(condition) = condition.map(|condition| &condition.kind) else { return found };
        found.nothing = !embedded && refuses_existing(condition, table);
        let WriteConditionKind::Conditions(conditions) = condition else { return found };
        let implied = conditions.implied();
        let uses = |name: &str| item.keys.get(name).map(|key| key.value.attributes());
        for (name, there) in &implied {
            match uses(name) {
                Some(uses) if *there => found.attributes.extend(uses.into_iter().map(|name| (name.to_owned(), true))),
                None if element.is_none_or(|element| element.attribute(name).is_none()) => {
                    found.attributes.insert((*name).to_owned(), *there);
                }
                _ => {}
            }
        }
        // A key is not there for want of one of its optional attributes: where but one of
        // them may be missing, of that.
        for name in implied.into_iter().filter(|(_, there)| !there).map(|(name, _)| name) {
            let Some(uses) = uses(name) else { continue };
            let may_be_missing = |name: &&str| {
                entity.attribute(name).is_some_and(|attribute| attribute.optional) && found.share(name) != Some(1.0)
            };
            let missing: Vec<&str> = uses.into_iter().filter(may_be_missing).collect();
            if let [missing] = missing.as_slice() {
                found.attributes.insert((*missing).to_owned(), false);
            }
            found.absent_keys.insert(name.to_owned());
        }
        found
    }

    /// Whether every item that is found has this optional attribute (1), or none of them
    /// (0); `None` where the condition says nothing of it.
    pub fn share(&self, attribute: &str) -> Option<f64> {
        match self.nothing {
            true => Some(0.0),
            false => self.attributes.get(attribute).map(|there| f64::from(u8::from(*there))),
        }
    }

    /// Whether none of the items is in an index before the write, whatever its optional
    /// attributes are.
    pub fn is_outside(&self, index: Source<'_>) -> bool {
        self.nothing || index.key().any(|key| self.absent_keys.contains(&key.name))
    }
}
