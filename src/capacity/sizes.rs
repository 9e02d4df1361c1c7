//! Sizes of items and index entries, and how many items there are
//! (numbers S1–S6).

use super::facts::{AttributeFacts, EntityFacts, Facts, Kind, Linked, Relation};
use super::figure::{Figure, Input};
use crate::model::defs::{KSUID_LENGTH, ProjectionKind, TIMESTAMP_LENGTH, ULID_LENGTH, UUID_LENGTH};
use crate::model::key::{KeyHole, KeyPiece, KeySource};
use crate::model::layout::{EmbedLayout, ItemLayout, Source};
use crate::syntax::template::Format;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a list or map besides its entries (facts 3.1).
pub const CONTAINER: f64 = 3.0;
/// Bytes of an entry of a list or map besides its value and name (facts 3.1).
pub const ENTRY: f64 = 1.0;

/// Which size is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Avg,
    Max,
}

/// Which optional attributes an item has.
#[derive(Clone, Copy)]
pub enum Presence<'p> {
    /// Those of an average item: each for the share of the items that have it.
    Share,
    /// Just these (`with a, b`).
    Only(&'p [String]),
}

/// A stored attribute with its size: name and value, weighed by how many items
/// have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: String,
    /// Bytes of the value.
    pub value: Figure,
    /// The share of the items that have it, from 0 to 1.
    pub weight: f64,
    /// The type, the template, or what else the value is.
    pub what: String,
}

impl Part {
    /// Its bytes in an item: (name + value) × weight (S2).
    pub fn bytes(&self) -> Figure {
        self.value.plus(&Figure::known(self.name.len() as f64)).scaled(self.weight)
    }
}

/// Bytes of an item of a table: what its entity declares (S1), else the sum over
/// its attributes and computed keys (S2); embedded children come on top (S5).
pub fn item_bytes(facts: &dyn Facts, item: &ItemLayout, bound: Bound, presence: Presence<'_>) -> Figure {
    let embedded: Figure = item.embeds.iter().map(|embed| list_bytes(facts, item, embed, bound)).sum();
    own_bytes(facts, item, bound, presence).plus(&embedded)
}

/// The same without what is embedded in it.
pub fn own_bytes(facts: &dyn Facts, item: &ItemLayout, bound: Bound, presence: Presence<'_>) -> Figure {
    let Some(entity) = entity(facts, item) else { return Figure::unknown(Input::Entity(item.entity.clone())) };
    declared_bytes(entity, bound).unwrap_or_else(|| {
        let parts: Figure = parts(facts, item, bound, presence).iter().map(Part::bytes).sum();
        parts.computed_from(&item.entity)
    })
}

/// What the entity itself says of its size (S1); `None` where it says nothing, so
/// that it has to be computed. An average that is left out is at most the
/// largest; a largest size that is left out is not known.
pub fn declared_bytes(entity: &EntityFacts, bound: Bound) -> Option<Figure> {
    let name = || entity.name.clone();
    match bound {
        _ if !entity.sized => None,
        Bound::Max => Some(Figure::declared(entity.size_max, || Input::MaxSize(name()))),
        Bound::Avg => Some(match (entity.size_avg, entity.size_max) {
            (Some(avg), _) => Figure::known(avg),
            (None, Some(max)) => Figure::known(max).at_most(Input::Size(name())),
            (None, None) => Figure::unknown(Input::Size(name())),
        }),
    }
}

/// What an item stores of its own, each attribute and computed key once, in the
/// order of the names (S2).
pub fn parts(facts: &dyn Facts, item: &ItemLayout, bound: Bound, presence: Presence<'_>) -> Vec<Part> {
    let Some(entity) = entity(facts, item) else { return Vec::new() };
    let names: BTreeSet<&str> =
        entity.attributes.iter().map(|a| a.name.as_str()).chain(item.keys.keys().map(String::as_str)).collect();
    let weighted = bound == Bound::Avg || matches!(presence, Presence::Only(_));
    names.into_iter().map(|name| part(item, entity, name, bound, weighted.then_some(presence))).collect()
}

/// Bytes of an item's entry in an index: the whole item where all is projected,
/// else the keys of table and index and what is included, each once, never more
/// than the item (S6). In a table: the item.
pub fn entry_bytes(
    facts: &dyn Facts,
    source: Source<'_>,
    item: &ItemLayout,
    bound: Bound,
    presence: Presence<'_>,
) -> Figure {
    let whole = item_bytes(facts, item, bound, presence);
    if source.index.is_none_or(|index| index.projection == ProjectionKind::All) {
        return whole;
    }
    let lists: Figure = entry_lists(source, item).map(|embed| list_bytes(facts, item, embed, bound)).sum();
    let parts: Figure = entry_parts(facts, source, item, bound, presence).iter().map(Part::bytes).sum();
    parts.plus(&lists).min(&whole)
}

/// The attributes of an entry that does not project everything: keys and what
/// is included, without embedded lists.
pub fn entry_parts(
    facts: &dyn Facts,
    source: Source<'_>,
    item: &ItemLayout,
    bound: Bound,
    presence: Presence<'_>,
) -> Vec<Part> {
    let (Some(entity), Some(index)) = (entity(facts, item), source.index) else { return Vec::new() };
    let keys = entry_keys(source);
    let weighted = bound == Bound::Avg || matches!(presence, Presence::Only(_));
    let included: BTreeSet<&str> = index.included.iter().map(String::as_str).collect();
    let included = included.into_iter().filter(|name| !keys.contains(name) && embed_of(item, name).is_none());
    // An entry is there only where all its keys are: they count in full.
    let keys = keys.iter().map(|name| part(item, entity, name, bound, None));
    let included = included.map(|name| part(item, entity, name, bound, weighted.then_some(presence)));
    // What nothing gives a value is not stored.
    keys.chain(included).filter(|part| stores(item, entity, &part.name)).collect()
}

/// The embedded lists that an index includes.
pub fn entry_lists<'l>(source: Source<'l>, item: &'l ItemLayout) -> impl Iterator<Item = &'l EmbedLayout> {
    let keys = entry_keys(source);
    let included: BTreeSet<&str> = source.index.iter().flat_map(|index| &index.included).map(String::as_str).collect();
    included.into_iter().filter(move |name| !keys.contains(name)).filter_map(|name| embed_of(item, name))
}

fn entry_keys(source: Source<'_>) -> BTreeSet<&str> {
    source.layout.primary_key().chain(source.key()).map(|attribute| attribute.name.as_str()).collect()
}

fn embed_of<'l>(item: &'l ItemLayout, list: &str) -> Option<&'l EmbedLayout> {
    item.embeds.iter().find(|embed| embed.list.as_deref() == Some(list))
}

fn stores(item: &ItemLayout, entity: &EntityFacts, name: &str) -> bool {
    item.keys.contains_key(name) || entity.attribute(name).is_some()
}

/// How many items of this kind are in a table or index: the entity's count
/// times its share there (S4).
pub fn members(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout) -> Figure {
    count(facts, item).times(&share(facts, source, item))
}

/// How many items of this kind there are.
pub fn count(facts: &dyn Facts, item: &ItemLayout) -> Figure {
    let count = entity(facts, item).and_then(|entity| entity.count);
    Figure::declared(count, || Input::Count(item.entity.clone()))
}

/// The share of an entity's items that an index holds: the product of
/// `@present` over the optional attributes that its keys use, each once; none
/// where the item has no value for a key (S4). A table holds all.
pub fn share(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout) -> Figure {
    share_where(facts, source, item, |_| None)
}

/// The same where `known` says of some attributes how many of the items have
/// them.
pub fn share_where(
    facts: &dyn Facts,
    source: Source<'_>,
    item: &ItemLayout,
    known: impl Fn(&str) -> Option<f64>,
) -> Figure {
    if source.index.is_none() {
        return Figure::known(1.0);
    }
    if source.key().any(|attribute| !item.keys.contains_key(&attribute.name)) {
        return Figure::ZERO;
    }
    if entity(facts, item).is_none() {
        return Figure::unknown(Input::Entity(item.entity.clone()));
    }
    let factors = share_factors(facts, source, item, known);
    factors.iter().fold(Figure::known(1.0), |product, (_, share)| product.times(share))
}

/// What that share is the product of: each optional attribute that the keys use,
/// with the share of the items that have it (S4). None in a table.
pub fn share_factors<'l>(
    facts: &dyn Facts,
    source: Source<'l>,
    item: &'l ItemLayout,
    known: impl Fn(&str) -> Option<f64>,
) -> Vec<(&'l str, Figure)> {
    let (Some(entity), Some(_)) = (entity(facts, item), source.index) else { return Vec::new() };
    let used = item.made_from(source.key()).into_iter();
    let optional = used.filter(|name| entity.attribute(name).is_some_and(|attribute| attribute.optional));
    let factors = optional.map(|name| {
        let declared = || entity.attribute(name).and_then(|attribute| attribute.present);
        let share = match known(name).or_else(declared) {
            Some(share) => Figure::known(share),
            None => Figure::between(0.0, 1.0, present_input(&item.entity, name)),
        };
        (name, share)
    });
    factors.collect()
}

/// The missing `@present` of an attribute.
pub fn present_input(entity: &str, attribute: &str) -> Input {
    Input::Present { entity: entity.to_owned(), attribute: attribute.to_owned() }
}

/// The entity of an item; `None` where nobody declares it.
pub fn entity<'f>(facts: &'f dyn Facts, item: &ItemLayout) -> Option<&'f EntityFacts> {
    facts.entity(item.entity_decl?)
}

/// One stored attribute: a computed key replaces the attribute whose name it
/// bears (S2). `presence`: what is optional counts for the items that have it, in
/// full where that is not said; `None` counts it in full.
fn part(item: &ItemLayout, entity: &EntityFacts, name: &str, bound: Bound, presence: Option<Presence<'_>>) -> Part {
    let attribute = entity.attribute(name);
    let (value, uses, what): (_, Vec<&str>, _) = match (item.keys.get(name), attribute) {
        (Some(key), _) => match key.value.whole_attribute() {
            Some(whole) if whole == name && !key.template => {
                (key_bytes(entity, key, bound), vec![whole], kind_of(entity, whole))
            }
            _ => (key_bytes(entity, key, bound), key.value.attributes(), format!("`{}`", key.value.spelling())),
        },
        (None, Some(attribute)) => (value_bytes(entity, attribute, bound), vec![name], kind_of(entity, name)),
        (None, None) => (Figure::ZERO, Vec::new(), String::new()),
    };
    let present = |name: &str| {
        let optional = entity.attribute(name).filter(|attribute| attribute.optional);
        match (optional, presence) {
            (None, _) | (_, None) => 1.0,
            (Some(attribute), Some(Presence::Share)) => attribute.present.unwrap_or(1.0),
            (Some(_), Some(Presence::Only(set))) => f64::from(u8::from(set.iter().any(|set| set == name))),
        }
    };
    // What nothing gives a value is not stored.
    let weight = if stores(item, entity, name) { uses.into_iter().map(present).product() } else { 0.0 };
    Part { name: name.to_owned(), value, weight, what }
}

fn kind_of(entity: &EntityFacts, name: &str) -> String {
    entity.attribute(name).map_or_else(String::new, |attribute| attribute.kind.word().to_owned())
}

/// Bytes of a key value: an attribute as it is, else its text (S3).
pub fn key_bytes(entity: &EntityFacts, key: &KeySource, bound: Bound) -> Figure {
    key_pieces(entity, key, bound).iter().sum()
}

/// The same part by part: of each literal text and each hole (S3).
pub fn key_pieces(entity: &EntityFacts, key: &KeySource, bound: Bound) -> Vec<Figure> {
    let value = &key.value;
    // A template of one hole is text: of an epoch its ten digits.
    let whole = value.whole_attribute().filter(|_| !key.template);
    if let Some(attribute) = whole.and_then(|name| entity.attribute(name)) {
        return vec![value_bytes(entity, attribute, bound)];
    }
    let pieces = value.parts.iter().map(|part| match part {
        KeyPiece::Literal(text) => Figure::known(text.len() as f64),
        KeyPiece::Hole(hole) => hole_bytes(entity, hole, bound),
    });
    pieces.collect()
}

/// Bytes that a hole writes into a template (S3).
fn hole_bytes(entity: &EntityFacts, hole: &KeyHole, bound: Bound) -> Figure {
    match hole.format {
        Format::Padded(width) => Figure::known(f64::from(width)),
        Format::Time(part) => Figure::known(part.length() as f64),
        Format::Shard(n) => Figure::known(n.saturating_sub(1).to_string().len() as f64),
        Format::Plain | Format::Lower | Format::Upper => match entity.attribute(&hole.name) {
            // Written as text, an epoch has ten digits.
            Some(attribute) if attribute.kind == Kind::Epoch && attribute.size_avg.is_none() => Figure::known(10.0),
            Some(attribute) => value_bytes(entity, attribute, bound),
            None => Figure::unknown(Input::Type { entity: entity.name.clone(), attribute: hole.name.clone() }),
        },
    }
}

/// Bytes of an attribute's value (S2, facts 3.1).
pub fn value_bytes(entity: &EntityFacts, attribute: &AttributeFacts, bound: Bound) -> Figure {
    let declared = match bound {
        Bound::Avg => attribute.size_avg,
        Bound::Max => attribute.size_max,
    };
    let names = || (entity.name.clone(), attribute.name.clone());
    let asked = || {
        let (entity, attribute) = names();
        Input::AttributeSize { entity, attribute }
    };
    match (bound, declared, attribute.size_max) {
        (_, Some(declared), _) => return Figure::known(declared),
        (Bound::Avg, None, Some(max)) => return Figure::known(max).at_most(asked()),
        (Bound::Max, None, _) if attribute.size_avg.is_some() => return Figure::unknown(asked()),
        _ => {}
    }
    match &attribute.kind {
        Kind::Uuid => Figure::known(UUID_LENGTH as f64),
        Kind::Ulid => Figure::known(ULID_LENGTH as f64),
        Kind::Ksuid => Figure::known(KSUID_LENGTH as f64),
        Kind::Timestamp => Figure::known(TIMESTAMP_LENGTH as f64),
        Kind::Epoch => Figure::known(6.0),
        Kind::Boolean => Figure::known(1.0),
        Kind::Number => Figure::known(8.0),
        Kind::Enum(names) => Figure::known(names.iter().map(String::len).max().unwrap_or(0) as f64),
        Kind::Missing => {
            let (entity, attribute) = names();
            Figure::unknown(Input::Type { entity, attribute })
        }
        Kind::String | Kind::Binary | Kind::List | Kind::Set | Kind::Map => Figure::unknown(asked()),
    }
}

impl Kind {
    /// The word of the language.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Number => "number",
            Kind::Binary => "binary",
            Kind::Boolean => "boolean",
            Kind::Timestamp => "timestamp",
            Kind::Epoch => "epoch",
            Kind::Uuid => "uuid",
            Kind::Ulid => "ulid",
            Kind::Ksuid => "ksuid",
            Kind::Enum(_) => "enum",
            Kind::List => "list",
            Kind::Set => "set",
            Kind::Map => "map",
            Kind::Missing => "untyped",
        }
    }
}

/// What an embedded list is made of: bytes = name + 3 + children × (1 + element)
/// (S5).
#[derive(Clone, Debug, PartialEq)]
pub struct ListSize {
    pub list: String,
    pub child: String,
    pub children: Figure,
    pub element: Figure,
}

impl ListSize {
    /// Bytes that the list adds to its parent's item (S5).
    pub fn bytes(&self) -> Figure {
        let entry = self.element.plus(&Figure::known(ENTRY));
        Figure::known(self.list.len() as f64 + CONTAINER).plus(&self.children.times(&entry))
    }
}

/// An embedded list with what it is made of. The child's `@of(parent)` is not
/// stored (S5).
pub fn list_size(facts: &dyn Facts, parent: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> ListSize {
    ListSize {
        list: embed.list.clone().unwrap_or_default(),
        child: embed.entity.clone(),
        children: children(facts, parent, embed, bound),
        element: element_bytes(facts, parent, embed, bound),
    }
}

fn list_bytes(facts: &dyn Facts, parent: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> Figure {
    list_size(facts, parent, embed, bound).bytes()
}

fn element_bytes(facts: &dyn Facts, parent: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> Figure {
    let Some(child) = embed.entity_decl.and_then(|decl| facts.entity(decl)) else {
        return Figure::unknown(Input::Entity(embed.entity.clone()));
    };
    declared_bytes(child, bound).unwrap_or_else(|| {
        let parts = element_parts(facts, parent, embed, child, bound);
        let attributes: Figure = parts.iter().map(|part| part.bytes().plus(&Figure::known(part.weight * ENTRY))).sum();
        attributes.plus(&Figure::known(CONTAINER)).computed_from(&embed.entity)
    })
}

static NOTHING: Linked = Linked { relations: Vec::new(), targets: BTreeMap::new() };

/// Whether an attribute of an embedded entity holds the id of the parent that it
/// is stored in, so that it is not stored itself (S5): where the list or the
/// relationship says `by`, that one alone.
fn is_parents_id(
    linked: &Linked,
    parent: &str,
    embed: &EmbedLayout,
    child: &EntityFacts,
    attribute: &AttributeFacts,
) -> bool {
    let of = |relation: &&Relation| relation.parent == parent && relation.child == child.name;
    let related = || linked.relations.iter().find(of).and_then(|relation| relation.by.as_deref());
    let by = embed.by.as_deref().or_else(related);
    attribute.of.as_deref() == Some(parent) && by.is_none_or(|by| by == attribute.name)
}

/// The attributes of an embedded entity, as an element of its parent's list
/// stores them: element = 3 + Σ(1 + name + value) (S5).
pub fn element_parts(
    facts: &dyn Facts,
    parent: &ItemLayout,
    embed: &EmbedLayout,
    child: &EntityFacts,
    bound: Bound,
) -> Vec<Part> {
    let linked = embed.entity_decl.map(|decl| facts.linked(decl)).unwrap_or(&NOTHING);
    let kept =
        child.attributes.iter().filter(|attribute| !is_parents_id(linked, &parent.entity, embed, child, attribute));
    let parts = kept.map(|attribute| {
        let weighted = attribute.optional && bound == Bound::Avg;
        Part {
            name: attribute.name.clone(),
            value: value_bytes(child, attribute, bound),
            weight: if weighted { attribute.present.unwrap_or(1.0) } else { 1.0 },
            what: attribute.kind.word().to_owned(),
        }
    });
    parts.collect()
}

/// How many children one parent embeds, from their relationship.
fn children(facts: &dyn Facts, parent: &ItemLayout, embed: &EmbedLayout, bound: Bound) -> Figure {
    let (parent_name, child) = (parent.entity.clone(), embed.entity.clone());
    let linked = parent.entity_decl.map(|decl| facts.linked(decl));
    let children =
        linked.and_then(|linked| linked.children(&parent_name, &child, embed.by.as_deref())).unwrap_or_default();
    match bound {
        Bound::Avg => match (children.avg, children.max) {
            (None, Some(max)) => Figure::known(max).at_most(Input::Children { parent: parent_name, child }),
            (avg, _) => Figure::declared(avg, || Input::Children { parent: parent_name, child }),
        },
        Bound::Max => Figure::declared(children.max, || Input::MaxChildren { parent: parent_name, child }),
    }
}

#[cfg(test)]
#[path = "sizes_tests.rs"]
mod tests;
