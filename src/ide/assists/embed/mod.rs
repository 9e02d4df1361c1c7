//! Children in a list of their parent's item, or as items of their own; each as
//! the other, with every pattern that reads or writes them.

mod join;
mod keys;
mod part;

pub(super) use join::embed;
pub(super) use part::take_out;

use super::AssistCx;
use super::follow::Used;
use super::trial::Trial;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, layout, placements};
use crate::model::lower::decl_name;
use crate::model::names::{find_entity, relationships, table_def};
use crate::rules::finding::{Edit, Place};
use crate::syntax::lines::line_start;
use crate::syntax::{TextRange, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// A parent and its children, as a relationship ties them.
#[derive(Clone, Copy)]
struct Pair<'db> {
    parent: &'db str,
    parent_def: &'db EntityDef,
    child: &'db str,
    child_def: &'db EntityDef,
    /// The child's attribute that holds the parent's id.
    by: &'db str,
    relationship: &'db RelationshipDef,
    decl: Decl,
}

impl<'db> Pair<'db> {
    /// Every 1:N and 1:1 relationship of the model whose child says which parent it has.
    fn all(cx: &AssistCx<'db>) -> Vec<Self> {
        let of = |(decl, relationship): (Decl, &'db RelationshipDef)| {
            let (parent, child) = (&relationship.left.as_ref()?.text, &relationship.right.as_ref()?.text);
            let (parent_def, child_def) = (find_entity(cx.db, cx.root, parent)?, find_entity(cx.db, cx.root, child)?);
            let holds_id = |attribute: &&AttributeDef| attribute.of.as_ref().is_some_and(|of| of.text == *parent);
            let mut holders = child_def.attributes.iter().filter(holds_id);
            let by = match &relationship.by {
                Some(by) => child_def.attribute(&by.text).filter(holds_id)?,
                None => holders.next().filter(|_| holders.next().is_none())?,
            };
            let owns = matches!(relationship.cardinality, Some(Cardinality::OneToMany | Cardinality::OneToOne));
            (owns && parent != child && !by.optional).then_some(Self {
                parent,
                parent_def,
                child,
                child_def,
                by: &by.name.text,
                relationship,
                decl,
            })
        };
        relationships(cx.db, cx.root).filter_map(of).collect()
    }

    /// How many children a parent has at most, where the relationship says so.
    fn most(&self) -> Option<f64> {
        if self.relationship.cardinality == Some(Cardinality::OneToOne) {
            return Some(1.0);
        }
        self.relationship.children.as_ref()?.max(Unit::Number)
    }

    /// How many a parent has on average, where the relationship says so.
    fn usual(&self) -> Option<f64> {
        if self.relationship.cardinality == Some(Cardinality::OneToOne) {
            return Some(1.0);
        }
        self.relationship.children.as_ref()?.avg(Unit::Number)
    }

    /// The child's attribute that has the value of one of the parent's: of its
    /// id, or one of the same name that holds the id of the same entity.
    fn mapped(&self, attribute: &str) -> Option<&'db str> {
        let mut ids = self.parent_def.ids();
        let only_id = ids.next().filter(|_| ids.next().is_none());
        if only_id.is_some_and(|id| id.name.text == attribute) {
            return Some(self.by);
        }
        let of = |def: &'db EntityDef| def.attribute(attribute)?.of.as_ref().map(|of| of.text.as_str());
        let own = self.child_def.attribute(attribute)?;
        (of(self.parent_def).is_some() && of(self.parent_def) == of(self.child_def)).then_some(own.name.text.as_str())
    }
}

/// Where an entity has items of its own.
#[derive(Clone, Copy)]
struct Home<'db> {
    decl: Decl,
    table: &'db TableDef,
    layout: &'db TableLayout,
    def: &'db ItemDef,
    item: &'db ItemLayout,
}

impl<'db> Home<'db> {
    /// The only table with items of the entity, and nothing embeds it.
    fn of(cx: &AssistCx<'db>, entity: &str) -> Option<Self> {
        let [decl] = placements(cx.db, cx.root).get(entity)?.as_slice() else { return None };
        let (table, layout) = (table_def(cx.db, *decl)?, layout(cx.db, cx.root, *decl).as_ref()?);
        let mut holders = layout.items.iter().filter(|item| item.holds(entity));
        let item = holders.next().filter(|item| item.entity == entity && holders.next().is_none())?;
        let def = table.items.iter().find(|def| def.entity.as_ref().is_some_and(|name| name.range == item.range))?;
        Some(Self { decl: *decl, table, layout, def, item })
    }

    fn text(&self, cx: &AssistCx<'db>) -> &'db str {
        &self.decl.chunk(cx.db).text
    }

    fn place(&self, range: TextRange) -> Place {
        Place { decl: self.decl, range }
    }
}

/// How a step follows, and which entities' items it touches then.
struct Followed {
    edits: Vec<Edit>,
    reached: Vec<String>,
}

impl Followed {
    /// It stays as it is.
    fn same(used: &Used<'_>) -> Self {
        Self { edits: Vec::new(), reached: used.reached.to_vec() }
    }

    /// It goes.
    fn gone(used: &Used<'_>) -> Self {
        let alone = used.operation.steps.len() == 1;
        let range = if alone { used.operation.range } else { used.step.range };
        let edits = vec![Edit::RemoveLines { place: Place { decl: used.pattern, range } }];
        Self { edits, reached: Vec::new() }
    }
}

/// The entities that each pattern touches, as its steps follow one by one.
#[derive(Default)]
struct Following {
    edits: Vec<Edit>,
    reached: BTreeMap<String, BTreeSet<String>>,
}

impl Following {
    /// Lets every step follow; `None` where one cannot, and where one finds nothing
    /// in a table that changes: nobody knows what it is meant to find.
    fn of<'db>(
        cx: &AssistCx<'db>,
        steps: &[Used<'db>],
        tables: &[Decl],
        follow: impl Fn(&Used<'db>) -> Option<Followed>,
    ) -> Option<Self> {
        let mut all = Self::default();
        for used in steps {
            if used.reached.is_empty() && used.table.is_some_and(|table| tables.contains(&table)) {
                return None;
            }
            let followed = follow(used)?;
            all.edits.extend(followed.edits);
            let name = decl_name(cx.db, used.pattern).clone()?;
            all.reached.entry(name).or_default().extend(followed.reached);
        }
        Some(all)
    }

    /// Whether the patterns of the model as it would be touch just these.
    fn holds(&self, trial: &Trial<'_>) -> bool {
        let mut reached = trial.reached_by_patterns();
        reached.retain(|name, _| self.reached.contains_key(name));
        reached == self.reached
    }
}

/// The edit that lets a step name another table.
fn retargeted(used: &Used<'_>, table: &str) -> Vec<Edit> {
    let range = match &used.step.op {
        OpDef::Get { target, .. } | OpDef::Query { target, .. } | OpDef::Scan { target, .. } => Some(target.range),
        op => op.table().map(|name| name.range),
    };
    let place = |range| Place { decl: used.pattern, range };
    let text = crate::syntax::strings::quote_name(table);
    range.map(|range| Edit::Replace { place: place(range), text }).into_iter().collect()
}

/// What a get or a query keeps of its options and of `times` when it becomes the
/// other; `None` where it has more.
///
/// A limit that is not less than what there may be at most (`most`) cuts nothing off.
fn kept_options(step: &StepDef, most: Option<f64>) -> Option<String> {
    let options = step.op.options()?;
    let more = options.filter.is_some()
        || cuts(options, most)
        || options.descending.is_some()
        || options.project_range.is_some();
    let consistent = if options.consistent.is_some() { " consistent" } else { "" };
    let times = step.times.as_ref().map(|times| format!(" times {}", times.written)).unwrap_or_default();
    (!more).then(|| format!("{consistent}{times}"))
}

/// Whether a limit may cut off some of what there is, which is this many at most.
fn cuts(options: &ReadOptions, most: Option<f64>) -> bool {
    let limit = options.limit.as_ref().and_then(|limit| limit.get(Unit::Number));
    options.limit_range.is_some() && !limit.zip(most).is_some_and(|(limit, most)| limit >= most)
}

/// Whether a step of the pattern does the same to the items of another entity.
fn also<'db>(steps: &[Used<'db>], used: &Used<'db>, entity: &str) -> bool {
    let same = |other: &&Used<'db>| {
        other.pattern == used.pattern
            && other.step.op.word() == used.step.op.word()
            && other.step.op.subject().is_some_and(|subject| subject.entity.text == entity && subject.role.is_none())
    };
    steps.iter().any(|other| same(&other))
}

/// Whether a text of a declaration holds a comment, which no edit may lose.
fn has_comment(cx: &AssistCx<'_>, decl: Decl, range: TextRange) -> bool {
    decl.chunk(cx.db).text[range.indices()].contains("//")
}

/// The white space that a clause's line begins with; `None` where something else
/// stands before it.
fn indent(text: &str, at: usize) -> Option<&str> {
    let before = &text[line_start(text, at)..at];
    before.trim().is_empty().then_some(before)
}

/// A value that a parameter gives whole.
fn whole() -> super::index_key::read::Reading {
    super::index_key::read::Reading { values: Vec::new(), end: super::index_key::read::End::Whole }
}
