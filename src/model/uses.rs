//! Who reads and who writes each entity, and where its items are.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::layout::{ItemLayout, TableLayout, layout, placements};
use super::lists::{gives_list, listed_in};
use super::lower::decl_name;
use super::mentions::all_mentions;
use super::names::{entity_def, names, pattern_def, table_def};
use super::resolve::steps;
use std::collections::{BTreeSet, HashMap};

/// The patterns that use an entity, in the order of their names.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EntityUses {
    /// They read it: their `reads` lists it or, where they list nothing, their
    /// operations reach it, embedded in another item or not (numbers C5).
    pub reads: Vec<Decl>,
    /// They get its item, or read one that it is embedded in, and ask for others.
    pub reads_beside: Vec<Decl>,
    /// A condition of theirs looks at it.
    pub checks: Vec<Decl>,
    /// They put, update or delete it, or set the list that it is kept in, or are to.
    pub writes: Vec<Decl>,
    /// They write an item that it is embedded in.
    pub writes_parent: Vec<Decl>,
    pub deletes: Vec<Decl>,
    /// One that reads it says why nothing here writes it (`no_write`).
    pub no_write: bool,
    /// One that writes it says why nothing here reads it (`no_read`).
    pub no_read: bool,
}

/// How one pattern uses entities.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PatternUses {
    reads: BTreeSet<String>,
    reads_beside: BTreeSet<String>,
    checks: BTreeSet<String>,
    writes: BTreeSet<String>,
    writes_parent: BTreeSet<String>,
    deletes: BTreeSet<String>,
    no_write: bool,
    no_read: bool,
    meant: BTreeSet<String>,
    lost_read: bool,
}

/// The uses of all entities of a model.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Uses {
    entities: HashMap<String, EntityUses>,
    /// Entities that a read may be meant for which reaches nothing as it stands:
    /// that is a fault of its own.
    meant: BTreeSet<String>,
    /// A read names a table or index that there is not: it may be meant for any.
    lost_read: bool,
}

impl Uses {
    fn of_mut(&mut self, entity: &str) -> &mut EntityUses {
        if !self.entities.contains_key(entity) {
            self.entities.insert(entity.to_owned(), EntityUses::default());
        }
        self.entities.get_mut(entity).expect("it was put in")
    }

    /// Adds what a pattern does.
    fn add(&mut self, pattern: Decl, own: &PatternUses) {
        type List = fn(&mut EntityUses) -> &mut Vec<Decl>;
        let lists: [(&BTreeSet<String>, List); 6] = [
            (&own.reads, |uses| &mut uses.reads),
            (&own.reads_beside, |uses| &mut uses.reads_beside),
            (&own.checks, |uses| &mut uses.checks),
            (&own.writes, |uses| &mut uses.writes),
            (&own.writes_parent, |uses| &mut uses.writes_parent),
            (&own.deletes, |uses| &mut uses.deletes),
        ];
        for (entities, list) in lists {
            for entity in entities {
                list(self.of_mut(entity)).push(pattern);
            }
        }
        for entity in own.reads.iter().filter(|_| own.no_write) {
            self.of_mut(entity).no_write = true;
        }
        for entity in own.writes.iter().filter(|_| own.no_read) {
            self.of_mut(entity).no_read = true;
        }
        self.meant.extend(own.meant.iter().cloned());
        self.lost_read |= own.lost_read;
    }

    /// Whether a read that is at fault may be meant to read the entity.
    fn may_be_read(&self, entity: &str) -> bool {
        self.lost_read || self.meant.contains(entity)
    }
}

/// The uses of a declared entity: apart from those of the others, so that a change
/// of theirs is none of this one's.
pub fn uses_of<'db>(db: &'db dyn Db, root: SourceFile, entity: &str) -> Option<&'db EntityUses> {
    match names(db, root).entity(entity) {
        Some(decl) => uses_of_declared(db, root, decl).as_ref(),
        None => uses(db, root).entities.get(entity),
    }
}

#[salsa::tracked(returns(ref))]
fn uses_of_declared(db: &dyn Db, root: SourceFile, entity: Decl) -> Option<EntityUses> {
    uses(db, root).entities.get(decl_name(db, entity).as_ref()?).cloned()
}

/// Whether a read that is at fault may be meant to read a declared entity.
#[salsa::tracked(returns(copy))]
pub fn may_be_read(db: &dyn Db, root: SourceFile, entity: Decl) -> bool {
    decl_name(db, entity).as_ref().is_some_and(|name| uses(db, root).may_be_read(name))
}

/// Who uses the entities of a model.
#[salsa::tracked(returns(ref))]
fn uses(db: &dyn Db, root: SourceFile) -> Uses {
    let mut uses = Uses::default();
    for (pattern, mentions) in all_mentions(db, root) {
        uses.add(pattern, &mentions.uses);
    }
    uses
}

/// How a pattern uses entities.
pub(super) fn uses_in(db: &dyn Db, root: SourceFile, decl: Decl) -> PatternUses {
    let mut uses = PatternUses::default();
    if let Some(pattern) = pattern_def(db, decl) {
        read_by(db, root, decl, pattern, &mut uses);
        written_by(db, root, pattern, &mut uses);
    }
    uses
}

fn read_by(db: &dyn Db, root: SourceFile, decl: Decl, pattern: &PatternDef, uses: &mut PatternUses) {
    let listed = pattern.requirements.iter().filter(|requirement| !requirement.writes).flat_map(|r| &r.uses);
    let mut read = BTreeSet::new();
    for used in listed {
        read.insert(used.entity.text.clone());
        read.extend(listed_in(db, root, &used.entity.text, &used.attributes));
    }
    let lists = !read.is_empty();
    let (mut beside, mut got) = (BTreeSet::new(), BTreeSet::new());
    for step in steps(db, root, decl).filter(|step| step.step.op.reads()) {
        let Some(source) = step.source else {
            uses.lost_read |= step.step.op.subject().is_none();
            continue;
        };
        if step.resolved.reached.is_empty() {
            uses.meant.extend(source.layout.items.iter().flat_map(ItemLayout::kinds).map(str::to_owned));
        }
        let reached = source.layout.items.iter().filter(|item| step.resolved.reached.contains(&item.entity));
        // A list that the index or the projection leaves out is not given back.
        let kinds = reached.flat_map(|item| {
            let lists = item.embeds.iter().filter(|embed| gives_list(&step, source, item, embed));
            std::iter::once(&item.entity).chain(lists.map(|embed| &embed.entity)).cloned()
        });
        let subject = step.step.op.subject().map(|subject| subject.entity.text.clone());
        if lists {
            got.extend(subject);
            beside.extend(kinds);
        } else {
            read.extend(kinds.chain(subject));
        }
    }
    // Who asks for the parent gets what is embedded in it.
    for entity in &read {
        beside.extend(embedded_in(db, root, entity));
    }
    beside.retain(|entity| is_embedded(db, root, entity));
    uses.reads_beside = got.union(&beside).filter(|entity| !read.contains(*entity)).cloned().collect();
    uses.reads = read;
    uses.no_write = pattern.no_write.is_some();
}

fn written_by(db: &dyn Db, root: SourceFile, pattern: &PatternDef, uses: &mut PatternUses) {
    let mut written: BTreeSet<String> = BTreeSet::new();
    let wanted = pattern.requirements.iter().filter(|requirement| requirement.writes).flat_map(|r| &r.uses);
    for used in wanted {
        let entity = used.entity.text.as_str();
        written.insert(entity.to_owned());
        written.extend(listed_in(db, root, entity, &used.attributes));
    }
    for (_, step) in pattern.steps() {
        let Some(subject) = step.op.subject() else { continue };
        let entity = subject.entity.text.as_str();
        if step.op.writes() {
            written.insert(entity.to_owned());
            if let OpDef::Update { set, remove, .. } = &step.op {
                let named: Vec<Name> = set.iter().chain(remove).cloned().collect();
                written.extend(listed_in(db, root, entity, &named));
            }
        }
        match step.op {
            OpDef::Delete { .. } => _ = uses.deletes.insert(entity.to_owned()),
            OpDef::Check { .. } => _ = uses.checks.insert(entity.to_owned()),
            _ => {}
        }
    }
    uses.writes_parent = written.iter().flat_map(|entity| embedded_in(db, root, entity)).collect();
    uses.writes = written;
    uses.no_read = pattern.no_read.is_some();
}

/// The items of an entity, with the tables that hold them.
pub fn items_of<'db>(
    db: &'db dyn Db,
    root: SourceFile,
    entity: &str,
) -> impl Iterator<Item = (&'db TableLayout, &'db ItemLayout)> {
    let tables = placements(db, root).get(entity).map(Vec::as_slice).unwrap_or_default();
    let layouts = tables.iter().filter_map(move |table| layout(db, root, *table).as_ref());
    layouts.flat_map(move |layout| {
        let own = layout.items.iter().filter(|item| item.kinds().any(|kind| kind == entity));
        own.map(move |item| (layout, item)).collect::<Vec<_>>()
    })
}

/// The entities that the items of an entity embed.
fn embedded_in(db: &dyn Db, root: SourceFile, entity: &str) -> BTreeSet<String> {
    let items = items_of(db, root, entity).filter(|(_, item)| item.entity == entity);
    items.flat_map(|(_, item)| &item.embeds).map(|embed| embed.entity.clone()).collect()
}

fn is_embedded(db: &dyn Db, root: SourceFile, entity: &str) -> bool {
    items_of(db, root, entity).any(|(_, item)| item.entity != entity)
}

/// The attribute by which items of a kind expire in a table: the table's `ttl`,
/// where they have it. `None` where they do not expire.
pub fn expires_by<'db>(db: &'db dyn Db, layout: &TableLayout, item: &ItemLayout) -> Option<&'db str> {
    let name = table_def(db, layout.decl)?.ttl.as_ref()?.attribute.as_ref()?.text.as_str();
    let own = item.entity_decl.and_then(|decl| entity_def(db, decl)?.attribute(name)).is_some();
    (own || item.keys.contains_key(name)).then_some(name)
}
