//! What a model declares of its entities, as the arithmetic needs it: numbers
//! without the places where they stand, so that moving a line computes nothing
//! again. A population that was really written has the same shape with its own
//! numbers.

use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::{entity_def, names, relationships_of};
use crate::syntax::Unit;
use std::collections::{BTreeMap, HashMap};

/// An entity's numbers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EntityFacts {
    pub name: String,
    pub attributes: Vec<AttributeFacts>,
    /// Where each attribute stands, by its name: sizes ask for every one of them.
    places: HashMap<String, usize>,
    /// Items there are.
    pub count: Option<f64>,
    /// New items a second.
    pub growing: Option<f64>,
    /// Whether a `size` is declared, be it only one of the two.
    pub sized: bool,
    /// Bytes of an item, on average.
    pub size_avg: Option<f64>,
    /// Bytes of the largest item.
    pub size_max: Option<f64>,
    /// Seconds that an item stays useful.
    pub lifetime: Option<f64>,
}

impl EntityFacts {
    /// The attribute of this name; the first where there are several.
    pub fn attribute(&self, name: &str) -> Option<&AttributeFacts> {
        self.attributes.get(*self.places.get(name)?)
    }

    /// The attributes that make up the identity.
    pub fn ids(&self) -> impl Iterator<Item = &AttributeFacts> {
        self.attributes.iter().filter(|attribute| attribute.id)
    }

    /// The attributes that hold the id of another entity.
    pub fn holders(&self, of: &str) -> impl Iterator<Item = &AttributeFacts> {
        self.attributes.iter().filter(move |attribute| attribute.of.as_deref() == Some(of))
    }

    /// The one attribute that is the identity; `None` where several are.
    pub fn only_id(&self) -> Option<&AttributeFacts> {
        let mut ids = self.ids();
        ids.next().filter(|_| ids.next().is_none())
    }
}

/// An attribute's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeFacts {
    pub name: String,
    pub kind: Kind,
    /// Absent on some items.
    pub optional: bool,
    pub id: bool,
    /// No two items of the entity share a value, whatever the scope.
    pub unique: bool,
    pub immutable: bool,
    /// Bytes of the value, on average.
    pub size_avg: Option<f64>,
    /// Bytes of the longest value.
    pub size_max: Option<f64>,
    /// How many values there are.
    pub distinct: Option<f64>,
    /// The share of the most popular value, from 0 to 1.
    pub hottest: Option<f64>,
    /// The share of the items that have the attribute, from 0 to 1.
    pub present: Option<f64>,
    /// The entity whose id it holds.
    pub of: Option<String>,
}

/// The type of an attribute, free of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    String,
    Number,
    Binary,
    Boolean,
    Timestamp,
    Epoch,
    Uuid,
    Ulid,
    Ksuid,
    Enum(Vec<String>),
    List,
    Set,
    Map,
    Missing,
}

/// A relationship's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    pub parent: String,
    pub child: String,
    pub cardinality: Cardinality,
    /// The entity that is the edge of an N:M.
    pub through: Option<String>,
    /// The child's attribute that holds the parent's id.
    pub by: Option<String>,
    /// Children of one parent.
    pub children_avg: Option<f64>,
    pub children_max: Option<f64>,
    /// Parents of one child.
    pub parents_avg: Option<f64>,
    pub parents_max: Option<f64>,
    pub identifying: bool,
}

/// What an entity is tied to.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Linked {
    /// The relationships that it takes part in, be it as their edge.
    pub relations: Vec<Relation>,
    /// The entities that its `@of` name, by name.
    pub targets: BTreeMap<String, Decl>,
}

/// Where the numbers of entities come from: what the model declares, or what a
/// population that was written really is.
pub trait Facts {
    /// The entity of a declaration; `None` where that declares none.
    fn entity(&self, decl: Decl) -> Option<&EntityFacts>;
    /// What the entity of a declaration is tied to.
    fn linked(&self, decl: Decl) -> &Linked;
}

/// The numbers that the model with this root declares.
#[derive(Clone, Copy)]
pub struct Declared<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
}

impl Facts for Declared<'_> {
    fn entity(&self, decl: Decl) -> Option<&EntityFacts> {
        entity_facts(self.db, decl).as_ref()
    }

    fn linked(&self, decl: Decl) -> &Linked {
        linked(self.db, self.root, decl)
    }
}

/// The numbers of the entity of a declaration.
#[salsa::tracked(returns(ref))]
pub fn entity_facts(db: &dyn Db, decl: Decl) -> Option<EntityFacts> {
    let def = entity_def(db, decl)?;
    // What is below zero is a fault that is reported where it stands.
    let get = |value: &Option<Value>, unit| value.as_ref().and_then(|value| value.get(unit)).filter(|v| *v >= 0.0);
    Some(EntityFacts {
        name: decl_name(db, decl).clone().unwrap_or_default(),
        // The first of a name counts.
        places: def.attributes.iter().enumerate().rev().map(|(at, a)| (a.name.text.clone(), at)).collect(),
        attributes: def.attributes.iter().map(attribute_facts).collect(),
        count: get(&def.count, Unit::Number),
        growing: get(&def.growing, Unit::Rate),
        sized: def.size.is_some(),
        size_avg: def.size.as_ref().and_then(|size| size.avg(Unit::Size)),
        size_max: def.size.as_ref().and_then(|size| size.max(Unit::Size)),
        lifetime: get(&def.lifetime, Unit::Duration),
    })
}

fn attribute_facts(attribute: &AttributeDef) -> AttributeFacts {
    let get = |value: &Option<Value>, unit| value.as_ref().and_then(|value| value.get(unit));
    let share = |value: &Option<Value>| get(value, Unit::Percent).filter(|share| (0.0..=1.0).contains(share));
    AttributeFacts {
        name: attribute.name.text.clone(),
        kind: kind(&attribute.ty),
        optional: attribute.optional,
        id: attribute.id,
        unique: attribute.unique.as_ref().is_some_and(|unique| unique.scope.is_empty()),
        immutable: attribute.immutable.is_some(),
        size_avg: attribute.size.as_ref().and_then(|size| size.avg(Unit::Size)),
        size_max: attribute.size.as_ref().and_then(|size| size.max(Unit::Size)),
        // Fewer than one value is a fault that is reported where it stands.
        distinct: get(&attribute.distinct, Unit::Number).filter(|distinct| *distinct >= 1.0),
        hottest: share(&attribute.hottest),
        present: share(&attribute.present),
        of: attribute.of.as_ref().map(|of| of.text.clone()),
    }
}

fn kind(ty: &Type) -> Kind {
    match ty {
        Type::String => Kind::String,
        Type::Number => Kind::Number,
        Type::Binary => Kind::Binary,
        Type::Boolean => Kind::Boolean,
        Type::Timestamp => Kind::Timestamp,
        Type::Epoch => Kind::Epoch,
        Type::Uuid => Kind::Uuid,
        Type::Ulid => Kind::Ulid,
        Type::Ksuid => Kind::Ksuid,
        Type::Enum(names) => Kind::Enum(names.iter().map(|name| name.text.clone()).collect()),
        Type::List(_) => Kind::List,
        Type::Set(_) => Kind::Set,
        Type::Map => Kind::Map,
        Type::Missing => Kind::Missing,
    }
}

/// What the entity of a declaration is tied to in the model with this root.
#[salsa::tracked(returns(ref))]
pub fn linked(db: &dyn Db, root: SourceFile, decl: Decl) -> Linked {
    let (Some(entity), Some(name)) = (entity_def(db, decl), decl_name(db, decl)) else { return Linked::default() };
    let all = names(db, root);
    let targets = entity.attributes.iter().filter_map(|attribute| attribute.of.as_ref());
    let targets = targets.filter_map(|of| Some((of.text.clone(), all.entity(&of.text)?)));
    let relations = relationships_of(db, root, name).filter_map(|(_, relationship)| {
        let mut relation = relation(relationship)?;
        relation.by = relation.by.take().or_else(|| first_end(db, root, &relation));
        Some(relation)
    });
    Linked { relations: relations.collect(), targets: targets.collect() }
}

/// The edge's attribute for the first end where both ends of an N:M are one entity
/// and no `by` names it: the first of the edge that holds an id of that entity.
/// Without it the numbers of the one end would stand for those of the other.
fn first_end(db: &dyn Db, root: SourceFile, relation: &Relation) -> Option<String> {
    let edge = relation
        .through
        .as_ref()
        .filter(|_| relation.cardinality == Cardinality::ManyToMany && relation.parent == relation.child)?;
    let edge = entity_def(db, names(db, root).entity(edge)?)?;
    let holds = |attribute: &&AttributeDef| attribute.of.as_ref().is_some_and(|of| of.text == relation.parent);
    edge.attributes.iter().find(holds).map(|attribute| attribute.name.text.clone())
}

fn relation(def: &RelationshipDef) -> Option<Relation> {
    let text = |name: &Option<Name>| name.as_ref().map(|name| name.text.clone());
    let avg = |measure: &Option<Measure>| measure.as_ref().and_then(|measure| measure.avg(Unit::Number));
    let max = |measure: &Option<Measure>| measure.as_ref().and_then(|measure| measure.max(Unit::Number));
    let cardinality = def.cardinality?;
    // One of one is one, whether it is said or not.
    let one = (cardinality == Cardinality::OneToOne).then_some(1.0);
    Some(Relation {
        parent: text(&def.left)?,
        child: text(&def.right)?,
        cardinality,
        through: text(&def.through),
        by: text(&def.by),
        children_avg: avg(&def.children).or(one),
        children_max: max(&def.children).or(one),
        parents_avg: avg(&def.parents),
        parents_max: max(&def.parents),
        identifying: def.identifying.is_some(),
    })
}

/// How many of an entity belong to one of another: averages and greatest
/// numbers, each where it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Children {
    pub avg: Option<f64>,
    pub max: Option<f64>,
    /// Their relationship names the attribute by which they are counted.
    pub named: bool,
}

impl Linked {
    /// How many items of `child` hold one `parent`'s id in `attribute`: `children`
    /// of the relationship between the two, or `parents` from the other end of an
    /// N:M, also where the child is the edge of an N:M (Q2). `None` where no
    /// relationship says so; what it leaves open is `None` inside.
    pub fn children(&self, parent: &str, child: &str, attribute: Option<&str>) -> Option<Children> {
        self.relations.iter().find_map(|relation| {
            let by = relation.by.as_deref().zip(attribute).map(|(by, attribute)| by == attribute);
            let named = by == Some(true);
            let children = Children { avg: relation.children_avg, max: relation.children_max, named };
            // Of an edge between items of one entity the attribute that is not named is the other end's.
            let named = named || relation.parent == relation.child;
            let parents = Children { avg: relation.parents_avg, max: relation.parents_max, named };
            if relation.cardinality == Cardinality::ManyToMany {
                let edge = relation.through.as_deref().unwrap_or(&relation.child) == child;
                let back = relation.through.as_deref().unwrap_or(&relation.parent) == child;
                // Where both ends are one entity, `by` names the edge's attribute for the first.
                if edge && relation.parent == parent && by != Some(false) {
                    return Some(children);
                }
                return (back && relation.child == parent && (relation.parent != parent || by == Some(false)))
                    .then_some(parents);
            }
            (relation.parent == parent && relation.child == child && by != Some(false)).then_some(children)
        })
    }
}
