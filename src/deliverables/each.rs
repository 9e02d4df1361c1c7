//! Of the items that one call of a pattern gets, updates or deletes one after the other,
//! or gets all at one moment: which ids tell them apart, where a caller has these from,
//! and how many there may be.

use super::markdown::{code, codes, inline};
use super::outline::Outline;
use super::patterns::{Pattern, Status};
use crate::capacity::facts::{Children, Declared, Facts};
use crate::capacity::select::given_whole;
use crate::capacity::show;
use crate::model::copies::updated;
use crate::model::defs::*;
use crate::model::identity::hold_one_id;
use crate::model::layout::ItemLayout;
use crate::model::lists::{given_back, gives_list};
use crate::model::names::find_entity;
use crate::model::resolve::Step;
use std::collections::BTreeSet;

/// So many patterns are named that find the items.
const NAMED: usize = 2;

/// What an implementer has to know of a step that gets, updates or deletes several items a
/// call: ``the `order_id` of each: 5 OrderHistory finds them by `user_id`; each User has
/// 20 of them on average``. `None` where it touches one, or makes new ones. Of one item
/// that is read at the same moment as what holds its id, that this cannot give it.
pub(super) fn told<'db>(
    outline: &Outline<'db>,
    patterns: &[Pattern<'db>],
    pattern: &Pattern<'db>,
    step: &Step<'db>,
) -> Option<String> {
    let is_get = matches!(step.step.op, OpDef::Get { .. });
    let is_kind = is_get || matches!(step.step.op, OpDef::Update { .. } | OpDef::Delete { .. });
    let is_many = is_kind && step.step.times() > 1.0;
    let is_at_once = is_get && step.operation.group.is_some();
    let is_copy = keeps_copies(outline, pattern, step);
    let entity = step.step.op.subject().filter(|_| is_many || is_at_once || is_copy)?.entity.text.as_str();
    let layout = step.source?.layout;
    let item = layout.item_of(entity).filter(|item| item.entity == entity)?;
    let many = Many { outline, pattern, step, entity, known: known(outline, pattern, step, entity) };
    let key = item.made_from(layout.primary_key());
    let differ: Vec<&str> = key.iter().copied().filter(|name| !many.is_known(name)).collect();
    if differ.is_empty() {
        return None;
    }
    let beside = is_at_once.then(|| many.held_beside(&differ)).flatten();
    if !is_many && !is_copy {
        return beside.map(|beside| format!("the {}: {}", codes(differ), beside.told));
    }
    let found = many
        .read_before(&key)
        .or_else(|| many.held_before(&differ))
        .or(beside)
        .or_else(|| many.put_beside(&differ))
        .or_else(|| many.found_by(patterns, &key));
    let Source { told, by } = found.unwrap_or_else(|| Source {
        told: String::from("the caller supplies them, no pattern finds them by what this call is given"),
        by: many.known.clone(),
    });
    let counted = many.counted(&by).map(|counted| format!("; {counted}")).unwrap_or_default();
    let behind = if is_copy { many.left_behind(&by) } else { String::new() };
    Some(format!("the {} of each: {told}{counted}{behind}", codes(differ)))
}

/// Whether an update brings copies up to date with what the same pattern sets.
fn keeps_copies(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> bool {
    let OpDef::Update { subject: Some(subject), set, .. } = &step.step.op else { return false };
    let Some(def) = find_entity(outline.db, outline.root, &subject.entity.text) else { return false };
    let sets = |entity: &str, attribute: &str| {
        let mut updates = pattern.steps.iter().flat_map(|other| updated(&other.step.op));
        updates.any(|(own, name)| own == entity && name.text == attribute)
    };
    set.iter()
        .filter_map(|name| def.attribute(&name.text)?.copied_from.as_ref())
        .any(|source| source.attribute.as_ref().is_some_and(|attribute| sets(&source.entity.text, &attribute.text)))
}

/// Where a caller has the ids from.
struct Source {
    told: String,
    /// The attributes by which the items are found there: whose they are, so many there are.
    by: BTreeSet<String>,
}

/// A step that runs several times a call.
struct Many<'a, 'db> {
    outline: &'a Outline<'db>,
    pattern: &'a Pattern<'db>,
    step: &'a Step<'db>,
    entity: &'a str,
    known: BTreeSet<String>,
}

/// The attributes of an entity whose values one call knows: they hold the id of what it
/// touches once or an id in what it puts, or a query of the same call is given them.
fn known<'db>(outline: &Outline<'db>, pattern: &Pattern<'db>, step: &Step<'db>, entity: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let Some(def) = find_entity(outline.db, outline.root, entity) else { return known };
    let once = pattern.steps.iter().filter(|other| !is_same(other, step) && other.step.times() <= 1.0);
    for other in once {
        let Some(source) = other.source else { continue };
        for item in other.items().into_iter().filter(|item| item.entity == entity) {
            known.extend(given_whole(outline.db, source, item, &other.step.op));
        }
        let Some(subject) = other.step.op.subject() else { continue };
        let Some(item) = source.layout.item_of(&subject.entity.text) else { continue };
        let mut held = item.made_from(source.layout.primary_key());
        // Who puts an item knows all of it.
        if let (OpDef::Put { .. }, Some(put)) = (&other.step.op, find_entity(outline.db, outline.root, &item.entity)) {
            held.extend(put.attributes.iter().map(|own| own.name.text.as_str()));
        }
        for key in held {
            let holds = |own: &&AttributeDef| {
                hold_one_id(outline.db, outline.root, (entity, &own.name.text), (item.entity.as_str(), key))
            };
            known.extend(def.attributes.iter().filter(holds).map(|own| own.name.text.clone()));
        }
    }
    known
}

fn is_same(one: &Step<'_>, other: &Step<'_>) -> bool {
    (one.resolved.operation, one.resolved.step) == (other.resolved.operation, other.resolved.step)
}

impl<'db> Many<'_, 'db> {
    fn is_known(&self, attribute: &str) -> bool {
        self.known.contains(attribute)
    }

    /// A read of the same pattern that runs before and returns the items.
    fn read_before(&self, key: &BTreeSet<&str>) -> Option<Source> {
        let before = self.pattern.steps.iter().take_while(|other| !is_same(other, self.step));
        let mut reads = before.filter(|other| other.step.op.reads());
        let returns = |other: &&Step<'db>| {
            given_back(self.outline.db, other).iter().any(|item: &&ItemLayout| item.entity == self.entity)
        };
        let read = reads.find(returns)?;
        let target = read.target().map(|target| format!(" of {}", code(&target))).unwrap_or_default();
        let told = format!("those of the items that the {}{target} before returns", code(read.step.op.word()));
        Some(Source {
            told,
            by: self.given(read).unwrap_or_else(|| key.iter().map(|name| (*name).to_owned()).collect()),
        })
    }

    /// A read of the same pattern that runs before and returns what holds the ids: in
    /// itself, or in a list.
    fn held_before(&self, differ: &[&str]) -> Option<Source> {
        let before =
            self.pattern.steps.iter().take_while(|other| other.resolved.operation != self.step.resolved.operation);
        let mut reads = before.filter(|other| other.step.op.reads());
        let (read, holder) = reads.find_map(|read| Some((read, self.holder(read, differ)?)))?;
        let target = read.target().map(|target| format!(" of {}", code(&target))).unwrap_or_default();
        let told =
            format!("those in each {} that the {}{target} before returns", inline(holder), code(read.step.op.word()));
        Some(Source { told, by: BTreeSet::new() })
    }

    /// What is read in the same call and holds the ids: too late to ask by them.
    fn held_beside(&self, differ: &[&str]) -> Option<Source> {
        let is_beside =
            |other: &&Step<'db>| other.resolved.operation == self.step.resolved.operation && !is_same(other, self.step);
        let mut others = self.pattern.steps.iter().filter(is_beside);
        let (read, holder) = others.find_map(|other| Some((other, self.holder(other, differ)?)))?;
        let subject = read.step.op.subject().map_or(holder, |subject| subject.entity.text.as_str());
        let whose = if subject == holder { String::new() } else { format!(", in its {}", inline(holder)) };
        let told = format!(
            "the caller supplies them; the {} of the same call holds them{whose}, and no call asks by what it reads \
             itself: read that before",
            inline(subject)
        );
        Some(Source { told, by: BTreeSet::new() })
    }

    /// The entity of what a read returns that holds all of these ids.
    fn holder(&self, read: &Step<'db>, differ: &[&str]) -> Option<&'db str> {
        let (db, root) = (self.outline.db, self.outline.root);
        let source = read.source?;
        let holds = |kind: &str, names: Option<&BTreeSet<String>>| {
            let attributes = find_entity(db, root, kind).into_iter().flat_map(|def| &def.attributes);
            let given = attributes.filter(|own| names.is_none_or(|names| names.contains(&own.name.text)));
            let given: Vec<&str> = given.map(|own| own.name.text.as_str()).collect();
            let is_held = |id: &&str| given.iter().any(|own| hold_one_id(db, root, (kind, own), (self.entity, id)));
            differ.iter().all(is_held)
        };
        given_back(db, read).into_iter().filter(|item| item.entity != self.entity).find_map(|item| {
            let projected = source.projected(item);
            if holds(&item.entity, projected.as_ref()) {
                return Some(item.entity.as_str());
            }
            let mut lists = item.embeds.iter().filter(|embed| gives_list(read, source, item, embed));
            lists.find(|embed| holds(&embed.entity, None)).map(|embed| embed.entity.as_str())
        })
    }

    /// What the same call puts, itself or in a list, and what there names the items.
    fn put_beside(&self, differ: &[&str]) -> Option<Source> {
        let puts = self.pattern.steps.iter().filter(|other| matches!(other.step.op, OpDef::Put { .. }));
        for other in puts {
            let Some(subject) = other.step.op.subject() else { continue };
            let item = other.source.and_then(|source| source.layout.item_of(&subject.entity.text));
            let lists =
                item.into_iter().filter(|item| item.entity == subject.entity.text).flat_map(|item| &item.embeds);
            for put in std::iter::once(subject.entity.text.as_str()).chain(lists.map(|embed| embed.entity.as_str())) {
                let def = find_entity(self.outline.db, self.outline.root, put);
                let names = |own: &&AttributeDef| {
                    let (db, root) = (self.outline.db, self.outline.root);
                    differ.iter().any(|id| hold_one_id(db, root, (put, &own.name.text), (self.entity, id)))
                };
                if let Some(own) = def.filter(|_| put != self.entity).and_then(|def| def.attributes.iter().find(names))
                {
                    let told = format!("the {} of each {} that the call puts", code(&own.name.text), inline(put));
                    return Some(Source { told, by: BTreeSet::new() });
                }
            }
        }
        None
    }

    /// Other patterns that find the items by what the call knows.
    fn found_by(&self, patterns: &[Pattern<'db>], key: &BTreeSet<&str>) -> Option<Source> {
        let others =
            patterns.iter().filter(|other| other.decl != self.pattern.decl && other.status() == Status::Solved);
        // Where the key says whose the items are, who finds them by another finds others.
        let in_key: BTreeSet<&str> = key.iter().copied().filter(|name| self.is_known(name)).collect();
        let is_meant = |by: &String| self.is_known(by) && (in_key.is_empty() || in_key.contains(by.as_str()));
        let found = others.filter_map(|other| {
            let mut ways = other.steps.iter().filter_map(|step| self.given(step));
            let by = ways.find(|by| by.iter().all(is_meant))?;
            Some((other.reference(), by))
        });
        let found: Vec<(String, BTreeSet<String>)> = found.take(NAMED).collect();
        let told =
            found.iter().map(|(name, by)| format!("{name} finds them by {}", codes(by.iter().map(String::as_str))));
        let told: Vec<String> = told.collect();
        let by = found.first()?.1.clone();
        let told = match self.step.step.op.reads() {
            true => told.join(", "),
            false => format!("this pattern does not read them, {}", told.join(", ")),
        };
        Some(Source { told, by })
    }

    /// The attributes by which a query finds the items; `None` where it finds others, or
    /// all.
    fn given(&self, step: &Step<'db>) -> Option<BTreeSet<String>> {
        let source = step.source.filter(|_| matches!(step.step.op, OpDef::Query { .. }))?;
        let item = given_back(self.outline.db, step).into_iter().find(|item| item.entity == self.entity)?;
        let given = given_whole(self.outline.db, source, item, &step.step.op);
        (!given.is_empty()).then(|| given.into_iter().collect())
    }

    /// That there can be more copies than a call brings up to date.
    fn left_behind(&self, by: &BTreeSet<String>) -> String {
        let times = self.step.step.times();
        let most = self.children(by).and_then(|(_, children)| children.max);
        if most.is_some_and(|most| most <= times) {
            return String::new();
        }
        let times = show::count(times);
        format!(
            "; all of them are to be updated, of which `times` counts {times} a call: those left out keep what they had"
        )
    }

    /// How many of them there are for one whose id they are found by, where a relationship
    /// says so.
    fn counted(&self, by: &BTreeSet<String>) -> Option<String> {
        let (parent, children) = self.children(by)?;
        let (parent, count) = (inline(parent), show::count);
        Some(match (children.avg, children.max) {
            (Some(avg), Some(max)) => {
                format!("each {parent} has {} of them on average, {} at most", count(avg), count(max))
            }
            (Some(avg), None) => {
                format!("each {parent} has {} of them on average; how many at most is not declared", count(avg))
            }
            (None, Some(max)) => format!("each {parent} has at most {} of them", count(max)),
            (None, None) => format!("how many of them each {parent} has is not declared"),
        })
    }

    /// Whose they are, and how many each of these has.
    fn children(&self, by: &BTreeSet<String>) -> Option<(&'db str, Children)> {
        let facts = Declared { db: self.outline.db, root: self.outline.root };
        let def = find_entity(self.outline.db, self.outline.root, self.entity)?;
        let decl = self.outline.entities.iter().find(|entity| entity.name == Some(self.entity))?.decl;
        let parents = def.attributes.iter().filter(|own| by.contains(&own.name.text) && self.is_known(&own.name.text));
        let mut counted = parents.filter_map(|own| {
            let parent = own.of.as_ref()?.text.as_str();
            let children = facts.linked(decl).children(parent, self.entity, Some(&own.name.text))?;
            Some((parent, children))
        });
        counted.next()
    }
}
