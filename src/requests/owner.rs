//! Whose a value of a request is, where several items take part in it.

use crate::model::defs::{AttributeDef, Type};
use crate::model::kind_names::says_kind;
use crate::population::items::Stored;
use std::collections::BTreeSet;

/// An item that takes part in a request of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub entity: String,
    /// The same, or the role that it plays.
    pub role: String,
    /// Which of the request's items it is.
    pub item: usize,
    /// What it may share with another item of its entity by chance only, attributes and
    /// parameters.
    pub own: BTreeSet<String>,
    /// The attributes that tell it from others.
    pub ids: BTreeSet<String>,
    /// The entities to which its attributes refer.
    pub parents: BTreeSet<String>,
    /// The numbers that an update of it sets: no other item has them.
    pub counters: BTreeSet<String>,
}

impl Owner {
    /// An item that is called by the name of its entity, or by a role.
    pub fn of(stored: &Stored<'_>, role: &str, item: usize) -> Self {
        let partition = stored.kind.made_from(stored.layout.partition.iter());
        let refers = |a: &AttributeDef| a.of.is_some() || a.copied_from.is_some();
        // What few values are shared by tells kinds of items, not one of them.
        let is_kind = |a: &AttributeDef| a.distinct.is_some() || says_kind(&a.name.text);
        let is_own = |a: &AttributeDef| match a.ty {
            Type::Enum(_) | Type::Boolean => false,
            Type::Timestamp | Type::Epoch => a.id,
            Type::Number => true,
            _ => a.id || !is_kind(a),
        };
        let name = |a: &AttributeDef| a.name.text.clone();
        let all = || stored.def.attributes.iter().filter(|a| !refers(a));
        Self {
            entity: stored.kind.entity.clone(),
            role: role.to_owned(),
            item,
            own: all().filter(|a| is_own(a) && !partition.contains(a.name.text.as_str())).map(name).collect(),
            ids: all().filter(|a| a.id).map(name).collect(),
            parents: stored.def.attributes.iter().filter_map(|a| Some(a.of.as_ref()?.text.clone())).collect(),
            counters: BTreeSet::new(),
        }
    }
}
