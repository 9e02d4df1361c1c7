//! Embeds children in their parent's item.

use super::{Followed, Following, Home, Pair, also, cuts, has_comment, kept_options, retargeted};
use crate::ide::CodeActionKind;
use crate::ide::assists::follow::{Used, all_steps, comparisons, is_settled};
use crate::ide::assists::index_key::read::{End, Value, read};
use crate::ide::assists::trial::offered_where;
use crate::ide::assists::{Assist, AssistCx};
use crate::model::defs::*;
use crate::model::layout::table_attributes;
use crate::rules::finding::{Edit, Place};
use crate::rules::fixes::{CaseStyle, free_name, pascal, plural, upper_snake, with_docs};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

/// Offers to embed the children whose item, or whose parent's item, or whose relationship
/// the cursor is on.
pub(in crate::ide::assists) fn embed(cx: &AssistCx<'_>) -> Vec<Assist> {
    let is_one = |pair: &Pair<'_>, entity: &str| entity == pair.child || entity == pair.parent;
    let is_at_item = |item: &ItemDef| cx.is_at(item.range);
    let is_asked = |pair: &Pair<'_>| match &cx.lowered().def {
        Def::Relationship(_) => pair.decl == cx.decl,
        Def::Table(table) => table
            .items
            .iter()
            .any(|item| is_at_item(item) && item.entity.as_ref().is_some_and(|entity| is_one(pair, &entity.text))),
        _ => false,
    };
    let pairs: Vec<Pair<'_>> = Pair::all(cx).into_iter().filter(is_asked).collect();
    if pairs.is_empty() || !is_settled(cx) {
        return Vec::new();
    }
    pairs.into_iter().filter_map(|pair| offer(cx, pair)).collect()
}

fn offer<'db>(cx: &AssistCx<'db>, pair: Pair<'db>) -> Option<Assist> {
    let (parent, child) = (Home::of(cx, pair.parent)?, Home::of(cx, pair.child)?);
    if !child.def.embeds.is_empty() || loses_more(pair, parent, child) {
        return None;
    }
    let made = parent.item.made_from(parent.layout.primary_key());
    let known: BTreeSet<&str> = made.iter().map(|attribute| pair.mapped(attribute)).collect::<Option<_>>()?;
    let list = list_name(cx, pair, parent);
    let steps = all_steps(cx);
    let joining = Joining { pair, parent, child, known, steps: &steps };
    let following = Following::of(cx, &steps, &[parent.decl, child.decl], |used| joining.follow(cx, used))?;
    let mut edits = following.edits.clone();
    let end = parent.def.embeds.last().map_or(parent.item.range, |embed| embed.range).end as usize;
    let text = format!(" embeds {} as {}", quote_name(pair.child), quote_name(&list));
    edits.push(Edit::Replace { place: parent.place(TextRange::empty(end)), text });
    edits.extend(removed(cx, child));
    let title = format!("Embed `{}` in the items of `{}` as `{list}`", pair.child, pair.parent);
    offered_where(cx, CodeActionKind::RefactorInline, title, edits, |trial| following.holds(trial))
}

/// Whether a table does something for the children that the parent's does not:
/// lets them expire, streams them, keeps their past.
fn loses_more(pair: Pair<'_>, parent: Home<'_>, child: Home<'_>) -> bool {
    let ttl = child.table.ttl.as_ref().and_then(|ttl| ttl.attribute.as_ref());
    let expire = ttl.is_some_and(|attribute| pair.child_def.attribute(&attribute.text).is_some());
    let elsewhere = parent.decl != child.decl;
    let kept = child.table.point_in_time_recovery && !parent.table.point_in_time_recovery;
    expire || (elsewhere && (child.table.stream.is_some() || kept))
}

/// `lines` for the `OrderLine`s of an `Order`, spelled as its attributes are.
fn list_name(cx: &AssistCx<'_>, pair: Pair<'_>, parent: Home<'_>) -> String {
    let rest = pair.child.strip_prefix(pair.parent).filter(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    let snake = plural(&upper_snake(rest.unwrap_or(pair.child)).to_lowercase());
    let name = match CaseStyle::of(pair.parent_def) {
        CaseStyle::Snake => snake,
        CaseStyle::Pascal => pascal(&snake),
        CaseStyle::Camel => {
            let name = pascal(&snake);
            let first = name.chars().next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
            format!("{first}{}", name.chars().skip(1).collect::<String>())
        }
    };
    let taken = table_attributes(cx.db, cx.root, parent.decl);
    free_name(&name, |name| taken.contains(name) || pair.parent_def.attribute(name).is_some())
}

/// Takes the children's item away, with the indexes that hold nothing else, or
/// with its table.
fn removed(cx: &AssistCx<'_>, child: Home<'_>) -> Vec<Edit> {
    if child.layout.items.len() == 1 {
        return vec![Edit::RemoveDeclarations { first: child.decl, last: child.decl }];
    }
    let text = child.text(cx);
    let emptied = child.table.indexes.iter().filter(|index| {
        let own = index.name.as_ref().and_then(|name| child.layout.index(&name.text));
        own.is_some_and(|own| child.layout.of_index(own).items().all(|item| item.entity == child.item.entity))
    });
    let ranges = emptied.map(|index| index.range).chain([child.def.range]);
    ranges.map(|range| Edit::RemoveLines { place: child.place(with_docs(text, range)) }).collect()
}

struct Joining<'s, 'db> {
    pair: Pair<'db>,
    parent: Home<'db>,
    child: Home<'db>,
    /// The child's attributes from which the parent's primary key is made.
    known: BTreeSet<&'db str>,
    steps: &'s [Used<'db>],
}

impl<'db> Joining<'_, 'db> {
    fn follow(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        let subject = used.step.op.subject();
        if subject.is_some_and(|subject| subject.entity.text == self.pair.child) {
            return self.follow_one(used);
        }
        // A condition of the parent's put sees the same item as before.
        if subject.is_some() || !used.reached.iter().any(|entity| entity == self.pair.child) {
            return Some(Followed::same(used));
        }
        if used.reached == [self.pair.child] {
            return self.follow_query(cx, used);
        }
        // Who reads the parent as well finds the children in it.
        let options = used.step.op.options()?;
        // The parent is one item more.
        let cuts = cuts(options, self.pair.most().map(|most| most + 1.0));
        let all = options.filter.is_none() && !cuts;
        let is = |entity: &String| entity == self.pair.parent;
        if !all || !used.reached.iter().any(is) || used.index.is_some() {
            return None;
        }
        let reached = used.reached.iter().filter(|entity| *entity != self.pair.child).cloned().collect();
        Some(Followed { edits: Vec::new(), reached })
    }

    /// A step on one child.
    fn follow_one(&self, used: &Used<'db>) -> Option<Followed> {
        let op = &used.step.op;
        let role = op.subject().and_then(|subject| subject.role.as_ref());
        if role.is_some() || op.condition().is_some() || matches!(op, OpDef::Check { .. }) || used.index.is_some() {
            return None;
        }
        // Another parent would be another item, and the list does not store which.
        if let OpDef::Update { set, remove, .. } = op
            && set.iter().chain(remove).any(|name| name.text == self.pair.by)
        {
            return None;
        }
        // The parent's own write, or read, is that of its children.
        let whole = matches!(op, OpDef::Put { .. } | OpDef::Delete { .. } | OpDef::Get { .. });
        if whole && also(self.steps, used, self.pair.parent) {
            return Some(Followed::gone(used));
        }
        let in_batch = used.operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Batch);
        if in_batch && op.writes() || op.options().is_some_and(|options| options.project_range.is_some()) {
            return None;
        }
        if !matches!(op, OpDef::Put { .. }) && !self.knows_parent(used) {
            return None;
        }
        Some(Followed {
            edits: retargeted(used, &self.parent.layout.name.text),
            reached: vec![self.pair.parent.to_owned()],
        })
    }

    /// Whether who names one child can name its parent.
    fn knows_parent(&self, used: &Used<'db>) -> bool {
        let own = self.child.item.made_from(self.child.layout.primary_key());
        let mut ids = self.pair.parent_def.ids();
        let parent_id = ids.next().filter(|_| ids.next().is_none()).map(|id| id.name.text.as_str());
        let says = |name: &str| used.def.requirements.iter().flat_map(|r| &r.by).any(|by| by.text == name);
        self.known
            .iter()
            .all(|name| own.contains(name) || says(name) || (*name == self.pair.by && parent_id.is_some_and(says)))
    }

    /// A query of the children of one parent, or of one of them, becomes a get.
    fn follow_query(&self, cx: &AssistCx<'db>, used: &Used<'db>) -> Option<Followed> {
        let (conditions, _) = used.query()?;
        if !self.asks_one_parent(used, &comparisons(conditions)?)? || has_comment(cx, used.pattern, used.step.range) {
            return None;
        }
        let options = kept_options(used.step, self.pair.most())?;
        let gets_parent = |other: &&Used<'db>| {
            let subject = other.step.op.subject();
            other.pattern == used.pattern
                && matches!(other.step.op, OpDef::Get { .. })
                && subject.is_some_and(|s| s.entity.text == self.pair.parent && s.role.is_none())
        };
        if self.steps.iter().any(|other| gets_parent(&other)) {
            return Some(Followed::gone(used));
        }
        let (child, table) = (quote_name(self.pair.child), quote_name(&self.parent.layout.name.text));
        let text = format!("get {child} from {table}{options}");
        let place = Place { decl: used.pattern, range: used.step.range };
        Some(Followed { edits: vec![Edit::Replace { place, text }], reached: vec![self.pair.parent.to_owned()] })
    }

    /// Whether a key condition asks for the children of one parent and says just
    /// what its key is made of; the sort key may be asked for one of them, or for
    /// all.
    fn asks_one_parent(&self, used: &Used<'db>, comparisons: &[&Comparison]) -> Option<bool> {
        let layout = self.child.layout;
        let source = match used.index {
            Some(index) => layout.of_index(layout.index(index)?),
            None => layout.table(),
        };
        let mut given: BTreeSet<&str> = BTreeSet::new();
        for comparison in comparisons {
            let name = &comparison.attribute.text;
            let value = &self.child.item.keys.get(name)?.value;
            let reading = match comparison.operands.first()? {
                OperandDef::String { template, .. } => read(value, template)?,
                OperandDef::Parameter(_) if value.whole_attribute().is_some() => super::whole(),
                _ => return None,
            };
            let is_hole = |value: &Value| matches!(value, Value::Hole { .. }) && value.is_plain();
            let partition = source.partition().iter().any(|key| key.name == *name);
            match comparison.operator {
                Operator::Equal if reading.end == End::Whole && reading.values.iter().all(is_hole) => {
                    if partition {
                        given.extend(value.attributes());
                    }
                }
                Operator::BeginsWith if !partition && reading.values.is_empty() => {}
                // `LINE#{order}#`: all of one parent's, where the parent is said again.
                Operator::BeginsWith if !partition && reading.end == End::AtLiteral => {
                    if !reading.values.iter().all(is_hole) {
                        return None;
                    }
                    given.extend(value.attributes().into_iter().take(reading.values.len()));
                }
                _ => return None,
            }
        }
        Some(given == self.known)
    }
}
