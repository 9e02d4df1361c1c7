//! Takes embedded children out of their parent's item.

use super::keys::{NewHome, new_home};
use super::{Followed, Following, Home, Pair, also, has_comment, indent, kept_options, retargeted};
use crate::ide::CodeActionKind;
use crate::ide::assists::follow::{Used, all_steps, comparisons, is_settled, table_at};
use crate::ide::assists::trial::offered_where;
use crate::ide::assists::{Assist, AssistCx};
use crate::model::defs::*;
use crate::model::layout::placements;
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::insert_after;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

/// Offers to take the embedded children at the cursor out of their parent's
/// item.
pub(in crate::ide::assists) fn take_out(cx: &AssistCx<'_>) -> Vec<Assist> {
    offer(cx).into_iter().collect()
}

fn offer(cx: &AssistCx<'_>) -> Option<Assist> {
    let Asked { parent, index } = asked(cx)?;
    let def = parent.def;
    let embed = &def.embeds[index];
    let list = embed.list.as_ref()?;
    let is_pair = |pair: &Pair<'_>| pair.parent == parent.item.entity && pair.child == embed.entity.text;
    let mut pairs = Pair::all(cx).into_iter().filter(is_pair);
    let pair = pairs.next().filter(|_| pairs.next().is_none() && is_settled(cx))?;
    let tables = placements(cx.db, cx.root).get(pair.child)?;
    let holders = parent.layout.items.iter().filter(|item| item.holds(pair.child)).count();
    if tables.len() != 1 || holders != 1 || expires(pair, parent) || is_named(parent, list) {
        return None;
    }
    let home = new_home(cx, pair, parent)?;
    let steps = all_steps(cx);
    let puts_apart = steps.iter().any(|used| {
        matches!(used.step.op, OpDef::Put { .. }) && used.step.op.subject().is_some_and(|s| s.entity.text == pair.child)
    });
    let parting = Parting { pair, parent, list: &list.text, home: &home, steps: &steps, puts_apart };
    let following = Following::of(cx, &steps, &[parent.decl], |used| parting.follow(cx, used))?;
    let mut edits = following.edits.clone();
    let before = index.checked_sub(1).map_or(parent.item.range, |before| def.embeds[before].range);
    let gone = TextRange::new(before.end as usize, embed.range.end as usize);
    if has_comment(cx, parent.decl, gone) {
        return None;
    }
    edits.push(Edit::Replace { place: parent.place(gone), text: String::new() });
    edits.push(home.edit.clone());
    let place = if home.shared { "items of its own".to_owned() } else { format!("table `{}`", home.table) };
    let title = format!("Take `{}` out of the items of `{}`, to {place}", pair.child, pair.parent);
    offered_where(cx, CodeActionKind::RefactorExtract, title, edits, |trial| following.holds(trial))
}

/// Embedded children: the item that holds them, and which of its `embeds` they are.
struct Asked<'db> {
    parent: Home<'db>,
    index: usize,
}

/// The children at the cursor: those of an `embeds`, of the names of a relationship, or
/// of the name of their entity.
fn asked<'db>(cx: &AssistCx<'db>) -> Option<Asked<'db>> {
    if let Some((table, _)) = table_at(cx) {
        let at = |item: &ItemDef| item.embeds.iter().position(|embed| cx.is_at(embed.range));
        let (def, index) = table.items.iter().find_map(|item| Some((item, at(item)?)))?;
        let parent = Home::of(cx, &def.entity.as_ref()?.text).filter(|parent| parent.def.range == def.range)?;
        return Some(Asked { parent, index });
    }
    let mut children = Pair::all(cx).into_iter().filter(|pair| match &cx.lowered().def {
        Def::Relationship(def) => {
            let mut names = def.left.iter().chain(&def.right);
            pair.decl == cx.decl && names.any(|name| cx.is_at(name.range))
        }
        Def::Entity(_) => {
            let name = cx.lowered().name.as_ref();
            name.is_some_and(|name| name.text == pair.child && cx.is_at(name.range))
        }
        _ => false,
    });
    let pair = children.next().filter(|_| children.next().is_none())?;
    let parent = Home::of(cx, pair.parent)?;
    let index = parent.def.embeds.iter().position(|embed| embed.entity.text == pair.child)?;
    Some(Asked { parent, index })
}

/// Whether the children expire with their parent, and would no more.
fn expires(pair: Pair<'_>, parent: Home<'_>) -> bool {
    let ttl = parent.table.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref());
    ttl.is_some_and(|attribute| pair.parent_def.attribute(&attribute.text).is_some())
}

/// Whether an index asks for the list by its name.
fn is_named(parent: Home<'_>, list: &Name) -> bool {
    parent.layout.indexes.iter().any(|index| index.included.contains(&list.text))
}

struct Parting<'s, 'db> {
    pair: Pair<'db>,
    parent: Home<'db>,
    list: &'s str,
    home: &'s NewHome,
    steps: &'s [Used<'db>],
    /// Children are written one by one somewhere: a new parent has none yet.
    puts_apart: bool,
}

impl<'db> Parting<'_, 'db> {
    fn follow(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        if used.table == Some(self.parent.decl) && self.names_list(&used.step.op) {
            return None;
        }
        let subject = used.step.op.subject();
        if let Some(subject) = subject.filter(|subject| subject.entity.text == self.pair.child) {
            return if subject.role.is_some() { None } else { self.follow_child(cx, used) };
        }
        if !used.reached.iter().any(|entity| entity == self.pair.parent) {
            return Some(Followed::same(used));
        }
        match (&used.step.op, subject) {
            (OpDef::Get { .. }, Some(_)) => self.follow_get(cx, used),
            (OpDef::Put { .. }, Some(subject)) if !self.puts_apart => {
                if subject.role.is_some() {
                    None
                } else {
                    self.with_children(cx, used)
                }
            }
            (OpDef::Delete { .. }, Some(subject)) => {
                if subject.role.is_some() {
                    None
                } else {
                    self.with_children(cx, used)
                }
            }
            (_, Some(_)) => Some(Followed::same(used)),
            (_, None) => self.follow_query(used),
        }
    }

    /// Whether a step says the name of the list.
    fn names_list(&self, op: &OpDef) -> bool {
        let conditions = op.options().and_then(|options| options.filter.as_ref()).and_then(|f| f.conditions.as_ref());
        let written = match op.condition().map(|condition| &condition.kind) {
            Some(WriteConditionKind::Conditions(conditions)) => Some(conditions),
            _ => None,
        };
        let tested = conditions.into_iter().chain(written).flat_map(ConditionsDef::leaves).filter_map(Term::attribute);
        let projected = op.options().into_iter().flat_map(|options| &options.project);
        let set: Vec<&Name> = match op {
            OpDef::Update { set, remove, .. } => set.iter().chain(remove).collect(),
            OpDef::Put { with: Some(with), .. } => with.attributes.iter().collect(),
            _ => Vec::new(),
        };
        tested.chain(projected).chain(set).any(|name| name.text == self.list)
    }

    /// Whether the pattern wants the children that it reads with their parents: it
    /// says so, or does not say what it wants.
    fn wants_children(&self, used: &Used<'db>) -> bool {
        let reads = used.def.requirements.iter().filter(|requirement| !requirement.writes);
        self.asks_for_children(used) || reads.flat_map(|requirement| &requirement.uses).next().is_none()
    }

    /// Whether the pattern says that it wants the children.
    fn asks_for_children(&self, used: &Used<'db>) -> bool {
        let reads = used.def.requirements.iter().filter(|requirement| !requirement.writes);
        reads.flat_map(|requirement| &requirement.uses).any(|used| used.entity.text == self.pair.child)
    }

    /// A step on an embedded child.
    fn follow_child(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        let op = &used.step.op;
        let reached = vec![self.pair.child.to_owned()];
        match op {
            OpDef::Get { .. } => {
                let options = kept_options(used.step, None)?;
                let in_group = used.operation.group.is_some();
                if in_group || has_comment(cx, used.pattern, used.step.range) {
                    return None;
                }
                let place = Place { decl: used.pattern, range: used.step.range };
                let text = format!("{}{options}", self.query());
                Some(Followed { edits: vec![Edit::Replace { place, text }], reached })
            }
            // What it tests is the parent's item.
            _ if op.condition().is_some() => None,
            _ => Some(Followed { edits: retargeted(used, &self.home.table), reached }),
        }
    }

    fn query(&self) -> String {
        format!("query {} where {}", quote_name(&self.home.table), self.home.condition)
    }

    /// A get of the parent: where its children are wanted, a query of them
    /// follows.
    fn follow_get(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        if !self.wants_children(used) || also(self.steps, used, self.pair.child) {
            return Some(Followed::same(used));
        }
        let options = kept_options(used.step, None)?;
        let text = &used.pattern.chunk(cx.db).text;
        let place = Place { decl: used.pattern, range: used.operation.range };
        let edits = vec![insert_after(text, place, &format!("{}{options}", self.query()))];
        let reached = used.reached.iter().cloned().chain([self.pair.child.to_owned()]).collect();
        Some(Followed { edits, reached })
    }

    /// A put or a delete of the parent is one of its children too, all or nothing.
    fn with_children(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        if also(self.steps, used, self.pair.child) {
            return Some(Followed::same(used));
        }
        let children = self.pair.usual()?;
        let times = (children * used.step.times()).ceil();
        let (word, to) = match &used.step.op {
            OpDef::Put { .. } => ("put", "into"),
            _ => ("delete", "from"),
        };
        let (child, table) = (quote_name(self.pair.child), quote_name(&self.home.table));
        let times = if times > 1.0 { format!(" times {times}") } else { String::new() };
        let more = format!("{word} {child} {to} {table}{times}");
        let text = &used.pattern.chunk(cx.db).text;
        let range = used.step.range;
        let place = Place { decl: used.pattern, range };
        let edit = match &used.operation.group {
            Some(_) => insert_after(text, place, &more),
            None => {
                let step = &text[range.indices()];
                let new = match indent(text, range.start as usize) {
                    Some(indent) => {
                        format!("transact write {{\n{indent}  {step}\n{indent}  {more}\n{indent}}}")
                    }
                    None => format!("transact write {{ {step} {more} }}"),
                };
                if has_comment(cx, used.pattern, range) {
                    return None;
                }
                Edit::Replace { place, text: new }
            }
        };
        let reached = used.reached.iter().cloned().chain([self.pair.child.to_owned()]).collect();
        Some(Followed { edits: vec![edit], reached })
    }

    /// A query or scan that finds the parent: right where it wants no children,
    /// or finds those of the one partition value as well.
    fn follow_query(&self, used: &Used<'db>) -> Option<Followed> {
        let index = used.index.and_then(|index| self.parent.layout.index(index));
        let projects = index.is_none_or(|index| index.projection == ProjectionKind::All);
        if !projects {
            return (!self.asks_for_children(used)).then(|| Followed::same(used));
        }
        let options = used.step.op.options()?;
        let all = options.filter.is_none() && options.limit_range.is_none() && options.project_range.is_none();
        let finds_both = self.home.shared && index.is_none() && all && self.asks_partition_alone(used);
        if finds_both {
            let reached = used.reached.iter().cloned().chain([self.pair.child.to_owned()]).collect();
            return Some(Followed { edits: Vec::new(), reached });
        }
        (!self.wants_children(used)).then(|| Followed::same(used))
    }

    fn asks_partition_alone(&self, used: &Used<'db>) -> bool {
        let Some((conditions, _)) = used.query() else { return matches!(used.step.op, OpDef::Scan { .. }) };
        let partition = &self.parent.layout.partition;
        let is_partition = |comparison: &&Comparison| partition.iter().any(|key| key.name == comparison.attribute.text);
        comparisons(conditions).is_some_and(|comparisons| comparisons.iter().all(is_partition))
    }
}
