//! Sizes of items and index entries, and how many items there are
//! (numbers.md, S1–S6).

use super::estimate::{Estimate, Input, all, both, sum};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::layout::{EmbedLayout, ItemLayout, Source};
use crate::model::names::{entity_def, relationships};
use crate::syntax::Unit;
use crate::syntax::template::Format;
use std::collections::BTreeSet;

/// Bytes of a list or map besides its entries (facts 3.1).
const CONTAINER: f64 = 3.0;
/// Bytes of an entry of a list or map besides its value and name (facts 3.1).
const ENTRY: f64 = 1.0;

/// Average bytes of an item of a table: what its entity declares (S1), else the
/// sum over its attributes and computed keys (S2); embedded children come on
/// top (S5).
pub fn item_bytes(db: &dyn Db, root: SourceFile, item: &ItemLayout) -> Estimate<f64> {
    let (entity, name) = entity(db, item)?;
    let own = match &entity.size {
        Some(size) => size.avg(Unit::Size).ok_or_else(|| Input::Size(name.to_owned()).into()),
        None => sum(stored(item, entity).into_iter().map(|attribute| stored_bytes(item, entity, attribute, true))),
    };
    let embedded = sum(item.embeds.iter().map(|embed| list_bytes(db, root, item, embed)));
    both(own, embedded).map(|(own, embedded)| own + embedded)
}

/// Average bytes of an item's entry in an index: the whole item where all is
/// projected, else the keys of table and index and what is included, each once,
/// never more than the item (S6). In a table: the item.
pub fn entry_bytes(db: &dyn Db, root: SourceFile, source: Source<'_>, item: &ItemLayout) -> Estimate<f64> {
    let whole = item_bytes(db, root, item);
    let Some(index) = source.index.filter(|index| index.projection != ProjectionKind::All) else { return whole };
    let (entity, _) = entity(db, item)?;
    let keys: BTreeSet<&str> =
        source.layout.primary_key().chain(source.key()).map(|attribute| attribute.name.as_str()).collect();
    let included = index.included.iter().map(String::as_str).filter(|name| !keys.contains(name));
    let included = included.collect::<BTreeSet<_>>().into_iter().map(|name| {
        let embed = item.embeds.iter().find(|embed| embed.list.as_deref() == Some(name));
        match embed {
            Some(embed) => list_bytes(db, root, item, embed),
            None => stored_bytes(item, entity, name, true),
        }
    });
    // An entry is there only where all its keys are: they count in full.
    let keys = keys.iter().map(|name| stored_bytes(item, entity, name, false));
    let entry = sum(keys.chain(included))?;
    Ok(whole.map_or(entry, |whole| entry.min(whole)))
}

/// How many items of this kind are in a table or index: the entity's count
/// times its share there (S4).
pub fn members(db: &dyn Db, source: Source<'_>, item: &ItemLayout) -> Estimate<f64> {
    let (entity, name) = entity(db, item)?;
    let count = entity.count.as_ref().and_then(|count| count.get(Unit::Number));
    let count = count.ok_or_else(|| Input::Count(name.to_owned()).into());
    both(count, share(source, item, entity)).map(|(count, share)| count * share)
}

/// The share of an entity's items that an index holds: the product of
/// `@present` over the optional attributes that its keys use, each once; none
/// where the item has no value for a key (S4). A table holds all.
fn share(source: Source<'_>, item: &ItemLayout, entity: &EntityDef) -> Estimate<f64> {
    if source.index.is_none() {
        return Ok(1.0);
    }
    if source.key().any(|attribute| !item.keys.contains_key(&attribute.name)) {
        return Ok(0.0);
    }
    let optional = item.made_from(source.key()).into_iter().filter_map(|name| entity.attribute(name));
    let present = optional.filter(|attribute| attribute.optional).map(|attribute| {
        let present = attribute.present.as_ref().and_then(|present| present.get(Unit::Percent));
        let input = || Input::Present { entity: item.entity.clone(), attribute: attribute.name.text.clone() };
        present.ok_or_else(|| input().into())
    });
    all(present).map(|shares| shares.iter().product())
}

/// The entity of an item, with its name.
fn entity<'db, 'l>(db: &'db dyn Db, item: &'l ItemLayout) -> Estimate<(&'db EntityDef, &'l str)> {
    let entity = item.entity_decl.and_then(|decl| entity_def(db, decl));
    entity.map(|entity| (entity, item.entity.as_str())).ok_or_else(|| Input::Entity(item.entity.clone()).into())
}

/// The names of what an item stores: its attributes and its keys, each once.
fn stored<'l>(item: &'l ItemLayout, entity: &'l EntityDef) -> BTreeSet<&'l str> {
    entity.attributes.iter().map(|a| a.name.text.as_str()).chain(item.keys.keys().map(String::as_str)).collect()
}

/// Bytes of one stored attribute, its name included: a computed key replaces
/// the attribute whose name it bears (S2). `weighted`: what is optional counts
/// for the share of the items that have it, in full where that is not said.
fn stored_bytes(item: &ItemLayout, entity: &EntityDef, name: &str, weighted: bool) -> Estimate<f64> {
    let find = |name: &str| entity.attribute(name);
    let (value, uses): (_, Vec<&str>) = match (item.keys.get(name), find(name)) {
        (Some(key), _) => (key_bytes(&item.entity, &key.value, find), key.value.attributes()),
        (None, Some(attribute)) => (value_bytes(&item.entity, attribute), vec![name]),
        // What nothing gives a value is not stored.
        (None, None) => return Ok(0.0),
    };
    let present = |name: &str| {
        let optional = find(name).filter(|attribute| attribute.optional);
        optional.and_then(|attribute| attribute.present.as_ref()?.get(Unit::Percent)).unwrap_or(1.0)
    };
    let weight: f64 = if weighted { uses.into_iter().map(present).product() } else { 1.0 };
    value.map(|value| (name.len() as f64 + value) * weight)
}

/// Bytes of a key value: an attribute as it is, else its text (S3).
fn key_bytes<'e>(
    entity: &str,
    value: &KeyValue,
    find: impl Fn(&str) -> Option<&'e AttributeDef> + Copy,
) -> Estimate<f64> {
    if let Some(attribute) = value.whole_attribute().and_then(find) {
        return value_bytes(entity, attribute);
    }
    sum(value.parts.iter().map(|part| match part {
        KeyPiece::Literal(text) => Ok(text.len() as f64),
        KeyPiece::Hole(hole) => hole_bytes(entity, hole, find(&hole.name)),
    }))
}

/// Bytes that a hole writes into a template (S3).
fn hole_bytes(entity: &str, hole: &KeyHole, attribute: Option<&AttributeDef>) -> Estimate<f64> {
    match hole.format {
        Format::Padded(width) => Ok(f64::from(width)),
        Format::Time(part) => Ok(part.length() as f64),
        Format::Shard(n) => Ok(n.saturating_sub(1).to_string().len() as f64),
        Format::Plain | Format::Lower | Format::Upper => match attribute {
            // Written as text, an epoch has ten digits.
            Some(attribute) if attribute.ty == Type::Epoch && attribute.size.is_none() => Ok(10.0),
            Some(attribute) => value_bytes(entity, attribute),
            None => Err(Input::Type { entity: entity.to_owned(), attribute: hole.name.clone() }.into()),
        },
    }
}

/// Bytes of an attribute's value (S2, facts 3.1).
fn value_bytes(entity: &str, attribute: &AttributeDef) -> Estimate<f64> {
    let names = || (entity.to_owned(), attribute.name.text.clone());
    let size = || {
        let (entity, attribute) = names();
        Input::AttributeSize { entity, attribute }
    };
    if let Some(measure) = &attribute.size {
        return measure.avg(Unit::Size).ok_or_else(|| size().into());
    }
    Ok(match &attribute.ty {
        Type::Uuid => UUID_LENGTH as f64,
        Type::Ulid => ULID_LENGTH as f64,
        Type::Ksuid => KSUID_LENGTH as f64,
        Type::Timestamp => TIMESTAMP_LENGTH as f64,
        Type::Epoch => 6.0,
        Type::Boolean => 1.0,
        Type::Number => 8.0,
        Type::Enum(names) => names.iter().map(|name| name.text.len()).max().unwrap_or(0) as f64,
        Type::Missing => {
            let (entity, attribute) = names();
            return Err(Input::Type { entity, attribute }.into());
        }
        Type::String | Type::Binary | Type::List(_) | Type::Set(_) | Type::Map => return Err(size().into()),
    })
}

/// Bytes that an embedded list adds to its parent's item: name + 3 + children ×
/// (1 + element), where the child's `@of(parent)` is not stored (S5).
fn list_bytes(db: &dyn Db, root: SourceFile, parent: &ItemLayout, embed: &EmbedLayout) -> Estimate<f64> {
    let child = embed.entity_decl.and_then(|decl| entity_def(db, decl));
    let child = child.ok_or_else(|| Input::Entity(embed.entity.clone()))?;
    let element = match &child.size {
        Some(size) => size.avg(Unit::Size).ok_or_else(|| Input::Size(embed.entity.clone()).into()),
        None => {
            let kept = child.attributes.iter().filter(|a| a.of.as_ref().is_none_or(|of| of.text != parent.entity));
            let bytes = kept.map(|attribute| {
                value_bytes(&embed.entity, attribute).map(|value| {
                    let present = attribute.present.as_ref().filter(|_| attribute.optional);
                    let present = present.and_then(|present| present.get(Unit::Percent)).unwrap_or(1.0);
                    (ENTRY + attribute.name.text.len() as f64 + value) * present
                })
            });
            sum(bytes).map(|bytes| CONTAINER + bytes)
        }
    };
    let list = embed.list.as_ref().map_or(0, String::len) as f64;
    both(children(db, root, &parent.entity, &embed.entity), element)
        .map(|(children, element)| list + CONTAINER + children * (ENTRY + element))
}

/// The average number of children of one parent, from their relationship.
fn children(db: &dyn Db, root: SourceFile, parent: &str, child: &str) -> Estimate<f64> {
    let is = |name: &Option<Name>, wanted: &str| name.as_ref().is_some_and(|name| name.text == wanted);
    let average = relationships(db, root).filter(|(_, r)| is(&r.left, parent) && is(&r.right, child)).find_map(
        |(_, relationship)| match relationship.cardinality {
            Some(Cardinality::OneToOne) => Some(1.0),
            _ => relationship.children.as_ref()?.avg(Unit::Number),
        },
    );
    average.ok_or_else(|| Input::Children { parent: parent.to_owned(), child: child.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::db::Host;
    use crate::model::files::{FileContent, FileKey};
    use crate::model::layout::layout;
    use crate::model::names::names;

    /// (bytes of an item, bytes of its entry in the first index, members of that)
    fn sizes(model: &str) -> (Estimate<f64>, Estimate<f64>, Estimate<f64>) {
        let mut host = Host::default();
        let key = FileKey::new("/m.dynamo");
        host.set(key.clone(), FileContent::from_bytes(model.as_bytes()));
        let db = host.db();
        let root = crate::model::db::Workspace::get(db).files(db)[&key];
        let table = names(db, root).all_tables().next().expect("a table");
        let layout = layout(db, root, table).as_ref().expect("a layout");
        let (source, item) = (Source { layout, index: layout.indexes.first() }, &layout.items[0]);
        (item_bytes(db, root, item), entry_bytes(db, root, source, item), members(db, source, item))
    }

    const FLAT: &str = "entity Flat {
  flat_id: uuid @id
  district: string @size(10B) @distinct(200)
  address: string @size(70B)
  rent: number
  vacant_from: timestamp? @present(1%)
  count 300k
}
table Flats {
  partition key flat_id
  item Flat
  gsi Vacant { partition key district sort key vacant_from projection include(rent) sparse }
}";

    #[test]
    fn sizes_are_sums_and_entries_have_their_keys_in_full() {
        let (item, entry, members) = sizes(FLAT);
        assert!((item.unwrap() - 150.31).abs() < 1e-9);
        assert_eq!((entry.unwrap(), members.unwrap()), (104.0, 3_000.0));
    }

    #[test]
    fn what_is_not_declared_is_asked_for() {
        let unknown = FLAT.replace(" @size(10B)", "").replace(" @present(1%)", "").replace("count 300k", "");
        let (item, entry, members) = sizes(&unknown);
        assert_eq!(item.unwrap_err().to_string(), "`@size` of `Flat.district`");
        assert_eq!(entry.unwrap_err().to_string(), "`@size` of `Flat.district`");
        assert_eq!(members.unwrap_err().to_string(), "`count` of `Flat` and `@present` of `Flat.vacant_from`");
    }

    #[test]
    fn computed_keys_replace_the_attribute_of_their_name_and_lists_add_their_elements() {
        let (item, ..) = sizes(
            "entity User { email: string @id @size(20B) n: number at: epoch }
entity Line { line: number @id user: string @size(20B) @of(User) }
relationship User 1:N Line { children avg 4 }
table T {
  partition key email
  sort key sk: string
  item User embeds Line as lines { email = \"E#{email:lower}\" sk = \"{at}#{n:6}#{shard(n, 20)}\" }
}",
        );
        let own = (5 + 22) + (1 + 8) + (2 + 6) + (2 + 10 + 1 + 6 + 1 + 2);
        let lines = 5 + 3 + 4 * (1 + 3 + (1 + 4 + 8));
        assert_eq!(item.unwrap(), f64::from(own + lines));
    }
}
