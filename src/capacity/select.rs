//! How many items of a kind a query's key condition selects (numbers Q2, Q3).

use super::distinct::{Owner, Reason, Spread, hole_spread, values_of};
use super::facts::{Facts, Kind};
use super::figure::{Figure, Input};
use super::sizes::{members, share_where};
use crate::model::db::Db;
use crate::model::defs::{Comparison, OpDef, Operator};
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, KeyAttribute, Source};
use crate::model::resolve::operand_value;
use crate::syntax::template::Format;
use std::collections::VecDeque;

/// What of a key a condition gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub hole: KeyHole,
    pub how: How,
}

/// How a hole of a key is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By a value that the caller supplies.
    Value,
    /// By this text.
    Literal(String),
    /// By its beginning only: by this text, or by a shorter part of a time.
    Beginning(Option<String>),
}

/// The items of one kind that a key condition selects, before any limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    pub start: Start,
    /// The number that the factors narrow.
    pub from: Figure,
    pub factors: Vec<Factor>,
    /// Items on the average of the calls.
    pub mean: Figure,
    /// Items on the hottest value of the partition key.
    pub hot: Figure,
}

impl Selection {
    /// Items under one value of the key, where each value counts once, however many
    /// calls ask for it: a hottest value draws calls, and says nothing of how many
    /// items the others hold.
    pub fn of_a_value(&self) -> Figure {
        let one = Figure::known(1.0);
        let share = |factor: &Factor| match factor.reason {
            Reason::Beginning(_) => factor.spread.mean.clone(),
            _ => factor.values.inverse().min(&one),
        };
        self.factors.iter().fold(self.from.clone(), |product, factor| product.times(&share(factor)))
    }
}

/// What a selection is counted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The whole primary key is given: one item.
    PrimaryKey,
    /// These attributes identify the item: one, where it is in the index.
    Identity(Vec<String>),
    /// The children of one parent whose id this attribute holds. `own`: they are counted
    /// by this attribute, so that all of them have it, optional or not.
    Children { parent: String, attribute: String, own: bool },
    /// All items of the kind in the table or index.
    Members,
}

/// What one given hole leaves of the items.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// As it is written in a template: `{status}`.
    pub hole: String,
    /// Its distinct values, and why so many.
    pub values: Figure,
    pub reason: Reason,
    pub hottest: Option<f64>,
    pub spread: Spread,
}

/// What the condition gives of the key, the partition key before the sort key.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pinned {
    pub partition: Vec<Given>,
    pub sort: Vec<Given>,
    /// Every attribute of the key is held against one value.
    pub whole: bool,
}

/// What `comparisons` give of the key of this kind of item.
pub fn pinned(db: &dyn Db, source: Source<'_>, item: &ItemLayout, comparisons: &[&Comparison]) -> Pinned {
    let mut pinned = Pinned { whole: true, ..Pinned::default() };
    let find = |key: &KeyAttribute| comparisons.iter().copied().find(|c| c.attribute.text == key.name);
    let value = |comparison: &Comparison| {
        comparison.operands.first().map(|operand| operand_value(db, source.layout, item, operand))
    };
    for key in source.partition() {
        let (Some(comparison), Some(stored)) = (find(key), item.keys.get(&key.name)) else {
            pinned.whole = false;
            continue;
        };
        match (comparison.operator, value(comparison)) {
            (Operator::Equal, Some(operand)) => pinned.partition.extend(equal(&operand, &stored.value)),
            _ => pinned.whole = false,
        }
    }
    let mut open = false;
    for key in source.sort() {
        let comparison = find(key).filter(|_| !open);
        let (Some(comparison), Some(stored)) = (comparison, item.keys.get(&key.name)) else {
            pinned.whole = false;
            continue;
        };
        match (comparison.operator, value(comparison)) {
            (Operator::Equal, Some(operand)) => pinned.sort.extend(equal(&operand, &stored.value)),
            (Operator::BeginsWith, Some(operand)) => {
                pinned.sort.extend(aligned(&operand, &stored.value, false));
                (pinned.whole, open) = (false, true);
            }
            // A range selects everything (Q3).
            _ => (pinned.whole, open) = (false, true),
        }
    }
    pinned
}

/// The attributes of an item's key that the key condition of a query gives as a whole.
pub fn given_whole(db: &dyn Db, source: Source<'_>, item: &ItemLayout, op: &OpDef) -> Vec<String> {
    let OpDef::Query { conditions: Some(conditions), .. } = op else { return Vec::new() };
    let pinned = pinned(db, source, item, &conjuncts(conditions));
    let given = pinned.partition.iter().chain(&pinned.sort).filter(|given| is_full(given));
    given.map(|given| given.hole.name.clone()).collect()
}

/// All holes of a stored value that is held against an operand by equality:
/// those in whose place the operand has text, and the others.
fn equal(operand: &KeyValue, stored: &KeyValue) -> Vec<Given> {
    let mut given = aligned(operand, stored, true);
    for hole in stored.holes() {
        if !given.iter().any(|given| given.hole == *hole) {
            given.push(Given { hole: hole.clone(), how: How::Value });
        }
    }
    given
}

/// The holes of a stored value that an operand gives, from the left as far as
/// the two run alike.
fn aligned(operand: &KeyValue, stored: &KeyValue, whole: bool) -> Vec<Given> {
    let mut given: Vec<Given> = Vec::new();
    let mut rest: VecDeque<KeyPiece> = operand.parts.iter().cloned().collect();
    let mut parts = stored.parts.iter().peekable();
    while let Some(part) = parts.next() {
        let Some(front) = rest.pop_front() else { break };
        match (part, front) {
            (KeyPiece::Literal(held), KeyPiece::Literal(asked)) => match asked.strip_prefix(held.as_str()) {
                Some("") => {}
                Some(more) => rest.push_front(KeyPiece::Literal(more.to_owned())),
                // It stops inside the text, or differs.
                None => break,
            },
            // A value of the caller's that covers more than one part.
            (KeyPiece::Literal(_), KeyPiece::Hole(_)) => break,
            (KeyPiece::Hole(hole), KeyPiece::Hole(asked)) => {
                let last = rest.is_empty() && !whole;
                let shorter = matches!(asked.format, Format::Time(_)) && asked.format != hole.format;
                let how = match () {
                    // The caller's own prefix narrows by who knows what.
                    () if last && asked.parameter => break,
                    () if last && shorter => How::Beginning(None),
                    () => How::Value,
                };
                given.push(Given { hole: hole.clone(), how });
            }
            (KeyPiece::Hole(hole), KeyPiece::Literal(asked)) => {
                let next = parts.peek().and_then(|part| match part {
                    KeyPiece::Literal(text) => asked.find(text.as_str()),
                    KeyPiece::Hole(_) => None,
                });
                let how = match next {
                    Some(at) => {
                        rest.push_front(KeyPiece::Literal(asked[at..].to_owned()));
                        How::Literal(asked[..at].to_owned())
                    }
                    None if whole && rest.is_empty() && parts.peek().is_none() => How::Literal(asked),
                    None if rest.is_empty() => How::Beginning(Some(asked)),
                    None => How::Beginning(None),
                };
                let ends = matches!(how, How::Beginning(_));
                given.push(Given { hole: hole.clone(), how });
                if ends {
                    break;
                }
            }
        }
    }
    given
}

/// How many items of one kind the condition selects (Q2, Q3).
///
/// The whole primary key given reads one item; the attributes that identify an
/// item read that item, whatever else is given with them. Else what is given
/// divides: the children of one parent where a given attribute holds the
/// parent's id and a relationship says how many there are, else the items of
/// that kind; times the share of each other hole that is given.
pub fn select(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout, pinned: &Pinned) -> Selection {
    let whole =
        |start, from: Figure| Selection { start, factors: Vec::new(), mean: from.clone(), hot: from.clone(), from };
    if source.index.is_none() && pinned.whole {
        return whole(Start::PrimaryKey, Figure::known(1.0));
    }
    let Some(owner) = Owner::of(facts, item) else {
        return whole(Start::Members, Figure::unknown(Input::Entity(item.entity.clone())));
    };
    let all: Vec<&Given> = pinned.partition.iter().chain(&pinned.sort).collect();
    let full: Vec<&str> = all.iter().filter(|given| is_full(given)).map(|given| given.hole.name.as_str()).collect();
    if let Some(identity) = identity(owner, &full) {
        // Who asks by an optional attribute asks for items that have it.
        let known = |name: &str| identity.contains(&name).then_some(1.0);
        let from = share_where(facts, source, item, known);
        return whole(Start::Identity(identity.into_iter().map(str::to_owned).collect()), from);
    }
    let holes = narrowing(&all);
    let names: Vec<&str> = all.iter().filter(|g| !is_shard(&g.hole)).map(|given| given.hole.name.as_str()).collect();
    let children = holes.iter().find_map(|given| children(owner, given));
    let (start, from) = match &children {
        Some(Counted { parent, attribute, avg, own }) => {
            // Who is counted by an optional attribute has it: its share is in the count.
            let known = |name: &str| (*own && name == attribute).then_some(1.0);
            (
                Start::Children { parent: parent.clone(), attribute: attribute.clone(), own: *own },
                share_where(facts, source, item, known).scaled(*avg),
            )
        }
        None => (Start::Members, members(facts, source, item)),
    };
    let rest = holes.iter().filter(|given| {
        let counted = children.as_ref().is_some_and(|counted| counted.attribute == given.hole.name);
        !counted || is_shard(&given.hole)
    });
    let factors: Vec<Factor> = rest.map(|given| factor(owner, given, &names)).collect();
    let product = |of: fn(&Factor) -> &Figure| factors.iter().fold(from.clone(), |product, f| product.times(of(f)));
    Selection { mean: product(|f| &f.spread.mean), hot: product(|f| &f.spread.hot), start, from, factors }
}

/// The most items of one kind that the condition can select: where the children
/// of one parent are what is counted, `children max`, or at least the average
/// where no maximum is declared; else as many as on the hottest value.
///
/// What else is given may fit all of the children; but a shard holds its part of
/// them, and of those of one time nothing says how many there are.
pub fn select_most(facts: &dyn Facts, source: Source<'_>, item: &ItemLayout, pinned: &Pinned) -> Figure {
    let selection = select(facts, source, item, pinned);
    let all: Vec<&Given> = pinned.partition.iter().chain(&pinned.sort).collect();
    let owner = Owner::of(facts, item).filter(|_| !matches!(selection.start, Start::PrimaryKey | Start::Identity(_)));
    let holes = narrowing(&all);
    let found = owner.and_then(|owner| {
        let (at, most) = holes.iter().enumerate().find_map(|(at, given)| Some((at, most_children(owner, given)?)))?;
        Some((owner, at, most))
    });
    let Some((owner, parent, most)) = found else { return selection.hot };
    let names: Vec<&str> = all.iter().filter(|g| !is_shard(&g.hole)).map(|given| given.hole.name.as_str()).collect();
    let others = holes.iter().enumerate().filter(|(at, _)| *at != parent).map(|(_, given)| given);
    let most = others.fold(most, |most, given| match given.hole.format {
        Format::Shard(_) => most.times(&hole_spread(owner, &given.hole, &names).hot),
        _ if is_time(owner, given) => {
            most.at_most(Input::Times { entity: owner.entity.name.clone(), hole: given.hole.spelling() })
        }
        _ => most,
    });
    if most.value().is_some() { most } else { most.max(&selection.hot) }
}

/// The greatest number of children of the parent whose id a given attribute
/// holds; `None` where no relationship speaks of them.
fn most_children(owner: Owner<'_>, given: &Given) -> Option<Figure> {
    let attribute = owner.entity.attribute(&given.hole.name).filter(|_| is_full(given))?;
    let parent = attribute.of.as_ref()?;
    let child = &owner.entity.name;
    let children = owner.facts.linked(owner.decl).children(parent, child, Some(&attribute.name))?;
    let asked = || Input::MaxChildren { parent: parent.clone(), child: child.clone() };
    Some(Figure::declared(children.max, asked))
}

/// Whether a time, or a part of one, is given.
fn is_time(owner: Owner<'_>, given: &Given) -> bool {
    let kind = owner.entity.attribute(&given.hole.name).map(|attribute| &attribute.kind);
    matches!(given.hole.format, Format::Time(_)) || matches!(kind, Some(Kind::Timestamp | Kind::Epoch))
}

fn is_shard(hole: &KeyHole) -> bool {
    matches!(hole.format, Format::Shard(_))
}

/// Whether the attribute is given as a whole.
pub fn is_full(given: &Given) -> bool {
    !matches!(given.how, How::Beginning(_)) && !matches!(given.hole.format, Format::Time(_) | Format::Shard(_))
}

/// The given attributes that identify an item: a unique one, or all that make up
/// the identity.
pub(super) fn identity<'g>(owner: Owner<'_>, full: &[&'g str]) -> Option<Vec<&'g str>> {
    let unique = full.iter().find(|name| owner.entity.attribute(name).is_some_and(|attribute| attribute.unique));
    if let Some(name) = unique {
        return Some(vec![name]);
    }
    let ids: Vec<&str> = owner.entity.ids().map(|id| id.name.as_str()).collect();
    if ids.is_empty() {
        return None;
    }
    ids.iter().map(|id| full.iter().find(|name| *name == id).copied()).collect()
}

/// The given holes that narrow each for itself: of several of one attribute the
/// one that says most; a shard of an attribute that is given too says nothing.
pub(super) fn narrowing<'g>(all: &[&'g Given]) -> Vec<&'g Given> {
    let weight = |given: &Given| match (is_full(given), &given.how, given.hole.format) {
        (true, ..) => u32::MAX,
        (_, How::Beginning(_), _) => 0,
        (_, _, Format::Time(part)) => part.length() as u32,
        _ => 1,
    };
    let mut holes: Vec<&Given> = Vec::new();
    for given in all {
        let same =
            |other: &&&Given| other.hole.name == given.hole.name && is_shard(&other.hole) == is_shard(&given.hole);
        match holes.iter().position(|other| same(&other)) {
            Some(at) if weight(given) > weight(holes[at]) => holes[at] = given,
            Some(_) => {}
            None => holes.push(given),
        }
    }
    holes
}

/// The children of one parent, as a relationship counts them.
struct Counted {
    parent: String,
    attribute: String,
    avg: f64,
    /// They are counted by this attribute and no other.
    own: bool,
}

/// The parent whose id a given attribute holds, with the average number of its
/// children. A hottest value says more: then the traffic is not even.
fn children(owner: Owner<'_>, given: &Given) -> Option<Counted> {
    if !is_full(given) {
        return None;
    }
    let attribute = owner.entity.attribute(&given.hole.name).filter(|attribute| attribute.hottest.is_none())?;
    let parent = attribute.of.as_ref()?;
    let children = owner.facts.linked(owner.decl).children(parent, &owner.entity.name, Some(&attribute.name))?;
    let own = children.named || owner.entity.holders(parent).nth(1).is_none();
    Some(Counted { parent: parent.clone(), attribute: attribute.name.clone(), avg: children.avg?, own })
}

fn factor(owner: Owner<'_>, given: &Given, names: &[&str]) -> Factor {
    let (values, reason) = values_of(owner, &given.hole, names);
    let hottest = owner.entity.attribute(&given.hole.name).and_then(|attribute| attribute.hottest);
    let (spread, reason) = match &given.how {
        How::Beginning(text) => beginning(owner, &given.hole, text.as_deref()),
        _ => (hole_spread(owner, &given.hole, names), reason),
    };
    Factor { hole: given.hole.spelling(), values, reason, hottest, spread }
}

/// What the beginning of a value leaves: of an enum the names that begin so, of
/// anything else who knows what.
fn beginning(owner: Owner<'_>, hole: &KeyHole, text: Option<&str>) -> (Spread, Reason) {
    let names = owner.entity.attribute(&hole.name).map(|attribute| &attribute.kind);
    let (share, of) = match (names, text) {
        (Some(Kind::Enum(names)), Some(text)) if !names.is_empty() => {
            let fitting = names.iter().filter(|name| name.starts_with(text)).count();
            (Figure::known(fitting as f64 / names.len() as f64), Some((fitting, names.len())))
        }
        _ => {
            let entity = owner.entity.name.clone();
            (Figure::between(0.0, 1.0, Input::Times { entity, hole: hole.spelling() }), None)
        }
    };
    (Spread { mean: share.clone(), hot: share }, Reason::Beginning(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::template::Template;

    fn value(text: &str) -> KeyValue {
        KeyValue::of_template(&Template::parse(&format!("\"{text}\"")), |_| None)
    }

    fn given(operand: &str, stored: &str) -> Vec<String> {
        let given = aligned(&value(operand), &value(stored), false);
        given.iter().map(|given| format!("{} {:?}", given.hole.name, given.how)).collect()
    }

    #[test]
    fn a_prefix_gives_the_holes_that_it_runs_through() {
        assert_eq!(given("ORDER#", "ORDER#{id}"), Vec::<String>::new());
        assert_eq!(given("ORDER#{id}", "ORDER#{id}#{line}"), ["id Value"]);
        assert_eq!(given("ORDER#{:prefix}", "ORDER#{id}"), Vec::<String>::new());
        assert_eq!(given("C#{:course}#", "C#{course_id}#{at}"), ["course_id Value"]);
        assert_eq!(given("{at:day}", "{at}#{id}"), ["at Beginning(None)"]);
        assert_eq!(given("S#open#", "S#{status}#{at}"), ["status Literal(\"open\")"]);
        assert_eq!(given("S#op", "S#{status}#{at}"), ["status Beginning(Some(\"op\"))"]);
        assert_eq!(given("OTHER#", "ORDER#{id}"), Vec::<String>::new());
    }

    #[test]
    fn equality_gives_every_hole() {
        let given = |operand: &str, stored: &str| -> Vec<String> {
            equal(&value(operand), &value(stored)).iter().map(|g| format!("{} {:?}", g.hole.name, g.how)).collect()
        };
        assert_eq!(given("{:key}", "A#{a}#{b}"), ["a Value", "b Value"]);
        assert_eq!(given("A#x#{b}", "A#{a}#{b}"), ["a Literal(\"x\")", "b Value"]);
        assert_eq!(given("open", "{status}"), ["status Literal(\"open\")"]);
    }
}
