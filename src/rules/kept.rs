//! How the tables keep a pair of entities: in one item, in one item collection, or
//! apart.

use super::finding::Place;
use super::fixes::listed;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{Decision, Name};
use crate::model::identity::{share_owner, share_partition, shares_by, shares_with_own_kind};
use crate::model::layout::{ItemLayout, Source, TableLayout, layout, placements};
use crate::model::names::{names, relationships_of};
use crate::syntax::TextRange;

/// How the tables keep a pair of entities.
pub struct Kept<'db> {
    /// Both, as they were asked for; one entity twice is a parent and a child of one
    /// kind.
    pub names: [String; 2],
    /// A table in whose items one embeds the other.
    pub embedded: Option<&'db TableLayout>,
    /// Where the two lie under one value of the partition key.
    pub collection: Option<Collection>,
    /// A table that has both.
    pub shared: Option<&'db TableLayout>,
    /// The tables of each.
    pub tables: [Vec<&'db TableLayout>; 2],
    /// The attribute by which the children were asked for.
    by: Option<String>,
}

/// An item collection that holds both of a pair.
pub struct Collection {
    /// The table or index.
    pub label: String,
    /// The entity in whose items each is: its own, or the one that embeds it.
    pub hosts: [String; 2],
}

impl<'db> Kept<'db> {
    /// How a pair is kept; `None` where one is in no table, which is said elsewhere.
    pub fn of(db: &'db dyn Db, root: SourceFile, a: &str, b: &str) -> Option<Self> {
        Self::by(db, root, a, b, None)
    }

    /// The same of a parent and of those children that hold its id in this attribute:
    /// a child that has several parents of one kind lies with one of them.
    pub fn by(db: &'db dyn Db, root: SourceFile, a: &str, b: &str, by: Option<&str>) -> Option<Self> {
        let tables = |name: &str| -> Vec<&'db TableLayout> {
            let decls = placements(db, root).get(name).map(Vec::as_slice).unwrap_or_default();
            decls.iter().filter_map(|table| layout(db, root, *table).as_ref()).collect()
        };
        let tables = [tables(a), tables(b)];
        if tables.iter().any(Vec::is_empty)
            || names(db, root).entity(a).is_none()
            || names(db, root).entity(b).is_none()
        {
            return None;
        }
        let of_both: Vec<&TableLayout> =
            tables[0].iter().filter(|one| tables[1].iter().any(|other| other.decl == one.decl)).copied().collect();
        let embeds = |item: &ItemLayout| a != b && item.holds(a) && item.holds(b);
        let is_listed = by.is_none_or(|by| lists_by(db, root, a, b).is_none_or(|own| own == by));
        let embedded = of_both.iter().find(|layout| is_listed && layout.items.iter().any(embeds)).copied();
        let collection = of_both.iter().find_map(|layout| match a == b {
            true => collection_of_one(db, root, layout, a, by),
            false => collection(db, root, layout, a, b, by),
        });
        Some(Kept {
            names: [a.to_owned(), b.to_owned()],
            embedded,
            collection,
            shared: of_both.first().copied(),
            tables,
            by: by.map(str::to_owned),
        })
    }

    /// Whether they keep it as a decision says.
    pub fn carries_out(&self, decision: Decision) -> bool {
        match decision {
            Decision::SingleItem => self.embedded.is_some(),
            Decision::ItemCollection => self.collection.is_some(),
            Decision::SeparateTables => self.shared.is_none(),
        }
    }

    /// How they keep it, as a clause: "an item of `Order` in `Orders` embeds its
    /// `OrderLine`".
    pub fn told(&self) -> String {
        let [a, b] = &self.names;
        match (self.embedded, &self.collection, self.shared) {
            (Some(layout), ..) => {
                let item = layout.items.iter().find(|item| item.holds(a) && item.holds(b));
                let outer = item.map_or(a, |item| &item.entity);
                let inner: Vec<String> =
                    [a, b].into_iter().filter(|name| *name != outer).map(|n| format!("`{n}`")).collect();
                format!("an item of `{outer}` in `{}` embeds its {}", layout.name.text, inner.join(" and its "))
            }
            (_, Some(collection), _) => collection.told([a, b]),
            (_, _, Some(layout)) if a == b => {
                format!("a `{a}` and the `{a}` above it share no partition key of `{}`", layout.name.text)
            }
            (_, _, Some(layout)) => match &self.by {
                Some(by) => {
                    format!("no partition key of `{}` holds a `{b}` with the `{a}` of its `{by}`", layout.name.text)
                }
                None => format!("`{a}` and `{b}` have partition keys of their own in `{}`", layout.name.text),
            },
            _ => format!("`{a}` is kept in {} and `{b}` in {}", labels(&self.tables[0]), labels(&self.tables[1])),
        }
    }

    /// The items that take part.
    pub fn places(&self) -> Vec<(Place, String)> {
        let mut places = Vec::new();
        for (name, tables) in self.names.iter().zip(&self.tables) {
            for layout in tables {
                let items = layout.items.iter().filter(|item| item.holds(name));
                places.extend(items.map(|item| (place(layout.decl, item.range), format!("`{name}` is kept here"))));
            }
        }
        places
    }
}

fn place(decl: Decl, range: TextRange) -> Place {
    Place { decl, range }
}

fn labels(tables: &[&TableLayout]) -> String {
    let names: Vec<&str> = tables.iter().map(|layout| layout.name.text.as_str()).collect();
    listed(&names)
}

impl Collection {
    /// `A` and `B` as items under one partition key, or within such items.
    fn told(&self, names: [&String; 2]) -> String {
        let [a, b] = &self.hosts;
        if names[0] == names[1] {
            return format!("a `{a}` and the `{a}` above it are items under one partition key of `{}`", self.label);
        }
        let mut told = format!("`{a}` and `{b}` are items under one partition key of `{}`", self.label);
        for (name, host) in names.into_iter().zip(&self.hosts).filter(|(name, host)| name != host) {
            told.push_str(&format!(", and an item of `{host}` embeds its `{name}`"));
        }
        told
    }
}

/// A table or index under whose partition key both are, with one value where their
/// ids are the same: as items of their own, or embedded in others. In an index an
/// attribute of one name is not enough: items of one `status` have nothing else to do
/// with each other, so that its key has to hold the id of one entity.
fn collection(
    db: &dyn Db,
    root: SourceFile,
    layout: &TableLayout,
    a: &str,
    b: &str,
    by: Option<&str>,
) -> Option<Collection> {
    let hosts = |source: Source<'_>| {
        let of = |name: &str, other: &str| -> Vec<&ItemLayout> {
            source.items().filter(|item| item.holds(name) && !item.holds(other)).collect()
        };
        let (ones, others) = (of(a, b), of(b, a));
        let is_by = |child: &ItemLayout| child.entity != b || by.is_none_or(|by| shares_by(db, source, a, child, by));
        let shares = |one: &ItemLayout, other: &ItemLayout| {
            let is_shared = match source.index {
                Some(_) => share_owner(db, root, source, one, other),
                None => share_partition(db, root, source, one, other),
            };
            is_shared && is_by(other)
        };
        let pair = ones.iter().find_map(|one| Some((one, others.iter().find(|other| shares(one, other))?)));
        pair.map(|(one, other)| [one.entity.clone(), other.entity.clone()])
    };
    layout.sources().find_map(|source| Some(Collection { label: source.label(), hosts: hosts(source)? }))
}

/// A table or index that keeps the items of one entity with those of its kind that are
/// above them. An index has to keep them by whose they are, as with two entities.
fn collection_of_one(
    db: &dyn Db,
    root: SourceFile,
    layout: &TableLayout,
    entity: &str,
    by: Option<&str>,
) -> Option<Collection> {
    let shares = |source: &Source<'_>| {
        let mut own = source.items().filter(|item| item.entity == entity);
        let is_owned = |item: &ItemLayout| source.index.is_none() || share_owner(db, root, *source, item, item);
        own.any(|item| is_owned(item) && shares_with_own_kind(db, *source, item, by))
    };
    let source = layout.sources().find(shares)?;
    Some(Collection { label: source.label(), hosts: [entity.to_owned(), entity.to_owned()] })
}

/// The attribute by which the children in a list of their parent belong to it: that of
/// the first relationship of the two, which is where their number comes from.
fn lists_by(db: &dyn Db, root: SourceFile, parent: &str, child: &str) -> Option<String> {
    let of = |name: &Option<Name>, wanted: &str| name.as_ref().is_some_and(|name| name.text == wanted);
    let mut own = relationships_of(db, root, parent)
        .map(|(_, def)| def)
        .filter(|def| of(&def.left, parent) && of(&def.right, child));
    own.next()?.by.as_ref().map(|by| by.text.clone())
}

/// A decision as it is written.
pub fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "single_item",
        Decision::ItemCollection => "item_collection",
        Decision::SeparateTables => "separate_tables",
    }
}

/// What a decision asks of the tables.
pub fn meaning(decision: Decision) -> &'static str {
    match decision {
        Decision::SingleItem => "one item that holds both",
        Decision::ItemCollection => "items under one value of a partition key",
        Decision::SeparateTables => "no table with both",
    }
}
