//! The names that could stand at the cursor, the likeliest first.

use super::attributes;
use super::candidates::Candidates;
use super::context::{Context, step_at};
use super::cursor::Word;
use super::probe::{Landing, ancestor};
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, KeyAttribute, TableLayout, placements};
use crate::model::lower::lowered;
use crate::model::names::relationships;
use crate::syntax::strings::quote_name;
use crate::syntax::view::View;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Adds the names that may stand at a word; none where no name may.
pub(super) fn names(cx: &Context<'_>, word: Word, found: &mut Candidates) {
    let probe = cx.name(word.start);
    let Some(landing) = cx.landing(&probe, super::probe::NAME.len()) else { return };
    let unfinished = landing.after_cut && !cx.cursor.begins_line(word.start);
    if landing.leaf.kind() != "name" || unfinished {
        return;
    }
    let (Some(chunk), Some(lowered)) = (probe.chunk(), probe.lowered()) else { return };
    let there = Place { cx, word, landing: &landing, text: &chunk.text, lowered: &lowered };
    match (landing.parent.kind(), landing.field.unwrap_or("")) {
        ("item", "entity") => there.item_entity(found),
        ("embeds", "entity") => there.embedded(found),
        ("relationship", "by") => attributes::of_child(&there, found),
        ("relationship", _) => there.related(found),
        ("aggregate", "entity") => there.unlisted(there.all_entities(), "entity", found),
        ("of_modifier", _) => there.add_entities(there.all_entities(), &[")"], found),
        ("copied_from_modifier", "entity") => there.add_entities(there.all_entities(), &["."], found),
        ("entity_use", "entity") => there.used(found),
        ("subject", "entity") => there.subject(found),
        ("index_ref", "table") => there.source(found),
        ("put_operation" | "update_operation" | "delete_operation" | "check_operation", "table") => {
            there.holding(found);
        }
        ("index_ref", "index") => there.indexes(found),
        ("workflow_body", _) => there.patterns(found),
        ("key_value", "key") => attributes::unset_keys(&there, found),
        _ => attributes::attributes(&there, found),
    }
}

/// Where a name has landed, with what is known there.
pub(super) struct Place<'p, 'a> {
    pub cx: &'p Context<'a>,
    pub word: Word,
    pub landing: &'p Landing<'p>,
    text: &'p str,
    /// What the declaration says, the name with it.
    pub lowered: &'p Lowered,
}

impl<'p, 'a> Place<'p, 'a> {
    /// The names in a field of a node, the one at the cursor left out.
    pub fn listed(&self, node: Node<'p>, field: &str) -> BTreeSet<&'p str> {
        let own = self.landing.leaf;
        let fields = View::new(node, self.text).fields(field);
        fields.into_iter().filter(|view| view.node != own).map(View::name).collect()
    }

    /// The name in a field of the nearest node of a kind.
    pub fn near(&self, kind: &str, field: &str) -> Option<&'p str> {
        let node = ancestor(self.landing.leaf, kind)?;
        View::new(node, self.text).field(field).filter(|view| view.node != self.landing.leaf).map(View::name)
    }

    /// The step that the name stands in.
    pub fn step(&self) -> Option<&'p StepDef> {
        step_at(self.lowered, self.landing)
    }

    fn all_entities(&self) -> Vec<&'a str> {
        self.cx.names().entities.keys().map(String::as_str).collect()
    }

    fn add_entities<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
        commit: &'static [&'static str],
        found: &mut Candidates,
    ) {
        for name in names {
            found.add(entity(self.cx, name).commit(commit));
        }
    }

    /// The entities, those last that the list names already.
    fn unlisted(&self, names: Vec<&'a str>, field: &str, found: &mut Candidates) {
        let listed = self.listed(self.landing.parent, field);
        let (twice, new): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| listed.contains(name));
        self.add_entities(new.into_iter().chain(twice), &[","], found);
    }

    /// `item E`: what no table holds first, then what this one does not.
    fn item_entity(&self, found: &mut Candidates) {
        let here = self.cx.decl(self.word.start);
        let placed = placements(self.cx.db, self.cx.root);
        let rank = |name: &&str| match placed.get(*name) {
            // What is typed of this very name is in no table.
            None => 0,
            Some(tables) if here.is_some_and(|here| tables.contains(&here)) => 2,
            Some(_) => 1,
        };
        let mut names = self.all_entities();
        names.sort_by_key(rank);
        self.add_entities(names, &[], found);
    }

    /// `embeds E`: the children of the item's entity first.
    fn embedded(&self, found: &mut Candidates) {
        let parent = self.near("item", "entity");
        let mut children = BTreeSet::new();
        for (_, relationship) in relationships(self.cx.db, self.cx.root) {
            let left = relationship.left.as_ref().map(|name| name.text.as_str());
            if let (Some(right), true) = (&relationship.right, left == parent) {
                children.insert(right.text.as_str());
            }
        }
        let mut names = self.all_entities();
        names.sort_by_key(|name| (Some(*name) == parent, !children.contains(name)));
        self.add_entities(names, &[], found);
    }

    /// The ends of a relationship: what is named already comes last.
    fn related(&self, found: &mut Candidates) {
        let ends = ["left", "right", "through"].into_iter();
        let named: BTreeSet<&str> = ends.flat_map(|field| self.listed(self.landing.parent, field)).collect();
        let mut names = self.all_entities();
        names.sort_by_key(|name| named.contains(name));
        self.add_entities(names, &[], found);
    }

    /// `reads E`: those first that the clause does not name.
    fn used(&self, found: &mut Candidates) {
        let clause = self.landing.parent.parent();
        let uses = clause.map(|clause| View::new(clause, self.text).fields("use")).unwrap_or_default();
        let own = self.landing.parent;
        let others = uses.into_iter().filter(|view| view.node != own);
        let listed: BTreeSet<&str> = others.filter_map(|view| view.field("entity")).map(View::name).collect();
        let mut names = self.all_entities();
        names.sort_by_key(|name| listed.contains(name));
        self.add_entities(names, &[",", "("], found);
    }

    /// The entity of an operation: those that some table holds first.
    fn subject(&self, found: &mut Candidates) {
        let placed = placements(self.cx.db, self.cx.root);
        let mut names = self.all_entities();
        names.sort_by_key(|name| !placed.contains_key(*name));
        self.add_entities(names, &[], found);
    }

    /// What a read reads: of a get the tables that hold its entity, else every table
    /// with its indexes behind it.
    fn source(&self, found: &mut Candidates) {
        if ancestor(self.landing.leaf, "get_operation").is_some() {
            return self.holding(found);
        }
        for layout in self.cx.tables() {
            found.add(table(layout).commit(&["."]));
            // An index that is there stays.
            if self.cx.cursor.text[self.word.end..].starts_with('.') {
                continue;
            }
            for index in &layout.indexes {
                let label = format!("{}.{}", quote_name(&layout.name.text), quote_name(&index.name.text));
                let item = CompletionItem::new(CompletionKind::Index, label).detail(index_detail(index));
                found.add(item.topic(index_topic(layout, index)));
            }
        }
    }

    /// The tables that hold the entity of the operation; all, where none does.
    fn holding(&self, found: &mut Candidates) {
        let subject = self.step().and_then(|step| step.op.subject()).map(|subject| subject.entity.text.as_str());
        let placed = placements(self.cx.db, self.cx.root);
        let holds: &[Decl] = subject.and_then(|subject| placed.get(subject)).map(Vec::as_slice).unwrap_or_default();
        for layout in self.cx.tables().filter(|layout| holds.is_empty() || holds.contains(&layout.decl)) {
            found.add(table(layout));
        }
    }

    fn indexes(&self, found: &mut Candidates) {
        let Some(layout) = self.near("index_ref", "table").and_then(|table| self.cx.table(table)) else { return };
        for index in &layout.indexes {
            let item = CompletionItem::name(CompletionKind::Index, &index.name.text).detail(index_detail(index));
            found.add(item.owner(&layout.name.text).topic(index_topic(layout, index)));
        }
    }

    /// `workflow W { P }`: the patterns that it does not run yet first.
    fn patterns(&self, found: &mut Candidates) {
        let listed = self.listed(self.landing.parent, "pattern");
        let all = &self.cx.names().patterns;
        let mut names: Vec<(&String, Decl)> =
            all.iter().filter_map(|(name, decls)| Some((name, *decls.first()?))).collect();
        names.sort_by_key(|(name, _)| listed.contains(name.as_str()));
        for (name, decl) in names {
            let doc = lowered(self.cx.db, decl).doc.as_deref().and_then(|doc| doc.lines().next()).unwrap_or("");
            let item = CompletionItem::name(CompletionKind::Pattern, name).detail(doc);
            found.add(item.commit(&[","]).topic(Topic::Pattern(name.clone())));
        }
    }
}

/// An entity, with what identifies it.
pub(super) fn entity(cx: &Context<'_>, name: &str) -> CompletionItem {
    let ids = cx.entity(name).into_iter().flat_map(EntityDef::ids).map(|id| id.name.text.as_str());
    let ids = ids.collect::<Vec<_>>().join(", ");
    let detail = if ids.is_empty() { "entity".to_owned() } else { format!("entity, id {ids}") };
    CompletionItem::name(CompletionKind::Entity, name).detail(detail).topic(Topic::Entity(name.to_owned()))
}

/// A table, with its keys.
fn table(layout: &TableLayout) -> CompletionItem {
    let detail = keys(&layout.partition, &layout.sort);
    let name = &layout.name.text;
    CompletionItem::name(CompletionKind::Table, name).detail(detail).topic(Topic::Table(name.clone()))
}

fn index_detail(index: &IndexLayout) -> String {
    format!("{} {}", index.kind.short(), keys(&index.partition, &index.sort))
}

fn index_topic(layout: &TableLayout, index: &IndexLayout) -> Topic {
    Topic::Index { table: layout.name.text.clone(), name: index.name.text.clone() }
}

/// `user_id / sk`: the partition key, then the sort key.
fn keys(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> String {
    let list = |key: &[KeyAttribute]| key.iter().map(|part| part.name.clone()).collect::<Vec<_>>().join(", ");
    if sort.is_empty() { list(partition) } else { format!("{} / {}", list(partition), list(sort)) }
}
