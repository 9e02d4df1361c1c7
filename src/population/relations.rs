//! Whose children an entity's items are, and how many there are of them.

use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::names::relationships;
use crate::syntax::Unit;

/// What a relationship says of a parent and its children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relation<'db> {
    /// Children of one parent.
    pub children: Option<f64>,
    pub identifying: bool,
    /// One child at most.
    pub one: bool,
    /// The child's attribute that holds the parent's id, where one is named.
    pub by: Option<&'db str>,
}

/// The relationship between two entities, read from the child: a 1:1, a 1:N, or
/// an N:M whose edge the child is. `None` where none is declared.
pub fn relation<'db>(db: &'db dyn Db, root: SourceFile, parent: &str, child: &str) -> Option<Relation<'db>> {
    let is = |name: &Option<Name>, wanted: &str| name.as_ref().is_some_and(|name| name.text == wanted);
    let avg = |measure: &Option<Measure>| measure.as_ref().and_then(|measure| measure.avg(Unit::Number));
    relationships(db, root).find_map(|(_, r)| {
        let children = match r.cardinality {
            _ if is(&r.through, child) && is(&r.left, parent) => avg(&r.children),
            _ if is(&r.through, child) && is(&r.right, parent) => avg(&r.parents),
            Some(Cardinality::OneToOne) if is(&r.left, parent) && is(&r.right, child) => Some(1.0),
            Some(Cardinality::OneToMany) if is(&r.left, parent) && is(&r.right, child) => avg(&r.children),
            Some(Cardinality::ManyToMany) if is(&r.left, parent) && is(&r.right, child) => avg(&r.children),
            _ => return None,
        };
        Some(Relation {
            children,
            identifying: r.identifying.is_some(),
            one: r.cardinality == Some(Cardinality::OneToOne),
            by: r.by.as_ref().map(|name| name.text.as_str()),
        })
    })
}

/// Whether some table keeps the children in their parent's item.
pub fn embeds(tables: &[&TableLayout], parent: &str, child: &str) -> bool {
    let mut items = tables.iter().flat_map(|table| &table.items).filter(|item| item.entity == parent);
    items.any(|item| item.embeds.iter().any(|embed| embed.entity == child))
}

/// The attributes that the primary keys of an entity's items are made of.
pub fn key_attributes<'l>(tables: &[&'l TableLayout], entity: &str) -> Vec<&'l str> {
    let mut names = Vec::new();
    for table in tables {
        for item in table.items.iter().filter(|item| item.entity == entity) {
            names.extend(item.made_from(table.primary_key()));
        }
    }
    names
}

/// Whether the key of some index over an entity's items is made of both attributes.
pub fn share_a_key(tables: &[&TableLayout], entity: &str, one: &str, other: &str) -> bool {
    let made = |table: &TableLayout, item: &ItemLayout| {
        let mut keys = table.of_indexes().map(|source| item.made_from(source.key()));
        keys.any(|made| made.contains(one) && made.contains(other))
    };
    tables.iter().any(|table| table.items.iter().any(|item| item.entity == entity && made(table, item)))
}

/// The attributes that the keys of the indexes over an entity's items are made of.
pub fn index_attributes<'l>(tables: &[&'l TableLayout], entity: &str) -> Vec<&'l str> {
    let mut names = Vec::new();
    for table in tables {
        for item in table.items.iter().filter(|item| item.entity == entity) {
            names.extend(table.of_indexes().flat_map(|source| item.made_from(source.key())));
        }
    }
    names
}
