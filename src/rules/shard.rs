//! The fix of a hot key: shard it, in the items and in the queries.

use super::check::{Cx, StepCx};
use super::finding::{Edit, Place};
use super::fixes::{CaseStyle, free_name, set_key_values};
use super::heat::Hot;
use super::heat_show::item_def;
use crate::capacity::distinct::{Owner, attribute_values, hole_spread};
use crate::capacity::facts::{Declared, Kind};
use crate::capacity::heat::{holds_one, items_of, sharded};
use crate::capacity::load::{Contribution, partition_holes, reaches};
use crate::capacity::select::{Given, Pinned, is_full, pinned};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::KeyHole;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, KeyAttribute, Source, table_attributes};
use crate::model::lower::decl_name;
use crate::model::names::entity_def;
use crate::model::resolve::patterns_of_table;
use crate::syntax::TextRange;
use crate::syntax::Unit;
use crate::syntax::strings::quote_name;
use crate::syntax::template::{Format, Hole, Template};

/// Attributes that a partition key may have in a global index (M1).
const MOST_PARTS: usize = 4;

/// Values for each shard that an attribute should have: fewer hash unevenly.
const ENOUGH: f64 = 10.0;

/// How a key takes its shard.
enum Way<'l> {
    /// The value of this key gets it at its end.
    InValue(&'l KeyAttribute),
    /// The key of a global index gets an attribute of this name besides.
    NewPart(String),
    /// The value of this key has so many shards, and gets more.
    More(&'l KeyAttribute, u32),
}

/// Why no fix shards a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NoFix {
    /// One value of the attribute that would spread it has more of the load than a
    /// shard may have (H1).
    Uneven { attribute: String, share: f64 },
    /// The reason in half a sentence.
    Because(String),
}

/// An item to be sharded, with the attribute that spreads it.
pub(super) struct Sharded<'l> {
    pub item: &'l ItemLayout,
    pub by: String,
}

/// The title and the edits that shard a hot key over `n` values: each item whose
/// value is meant, and each query of it, which then runs `n` times unless it gives
/// what the shard is made of. No fix where no attribute would spread the items, where
/// a query reads what is sharded together with what is not, or where the load would
/// stay.
pub(super) fn shard_fix(cx: &Cx<'_>, source: Source<'_>, hot: &Hot, n: u32) -> Result<(String, Vec<Edit>), NoFix> {
    let facts = Declared { db: cx.db, root: cx.root };
    let because = |why: &str| NoFix::Because(why.to_owned());
    let family = hot.family.contributions.first().map_or("", |load| &load.family);
    let mut items: Vec<Sharded<'_>> = Vec::new();
    let mut uneven = None;
    for item in items_of(&facts, source, family).filter(|item| !holds_one(&facts, source, item)) {
        let by =
            if hot.shards().is_some() { sharded_by(&facts, source, item, n) } else { spreads(cx, source, item, n) };
        match by {
            Some(by) => items.push(Sharded { item, by }),
            None => uneven = uneven.or_else(|| too_popular(&facts, source, item, n)),
        }
    }
    let is_sharded = |entity: &str| items.iter().any(|sharded| sharded.item.entity == entity);
    let (moved, kept): (Vec<&Contribution>, Vec<&Contribution>) =
        hot.family.contributions.iter().partition(|load| is_sharded(&load.entity));
    let times = f64::from(n) * hot.shard_share();
    if !hot.is_cool(sharded(cx.db, cx.root, &moved, times)) || !hot.is_cool(sharded(cx.db, cx.root, &kept, 1.0)) {
        return Err(uneven.unwrap_or_else(|| because("no attribute is known to spread what stays hot")));
    }
    shard_items(cx, source, &items, hot.shards(), n)
}

/// The title and the edits that shard items which have `now` shards over `n`: their
/// values, and the queries of them.
pub(super) fn shard_items(
    cx: &Cx<'_>,
    source: Source<'_>,
    items: &[Sharded<'_>],
    now: Option<u32>,
    n: u32,
) -> Result<(String, Vec<Edit>), NoFix> {
    let because = |why: &str| NoFix::Because(why.to_owned());
    let is_sharded = |entity: &str| items.iter().any(|sharded| sharded.item.entity == entity);
    let way = way(cx, source, items, now).map_err(because)?;
    let mut edits = Vec::new();
    let item_edits: Option<Vec<Edit>> = items.iter().map(|sharded| item_edit(cx, sharded, &way, n)).collect();
    edits.extend(item_edits.ok_or_else(|| because("what an item gives the key cannot be made one of its shards"))?);
    if let (Way::NewPart(name), Some(last)) = (&way, source.partition().last()) {
        edits.push(insert(cx.place(last.range), format!(", {}: string", quote_name(name))));
    }
    for pattern in patterns_of_table(cx.db, cx.root, cx.decl) {
        for step in cx.steps_of(*pattern) {
            let Some(reads) = queried(source, &step) else { continue };
            if !reads.iter().any(|entity| is_sharded(entity)) {
                continue;
            }
            let queries = |why: &str| {
                let name = decl_name(cx.db, *pattern).as_deref().unwrap_or("?");
                NoFix::Because(format!("`{name}` {why}"))
            };
            if !cx.is_whole(*pattern) || step.operation.group.is_some() {
                return Err(queries("is not a query that can be told to read each shard"));
            }
            if !reads.iter().all(|entity| is_sharded(entity)) {
                return Err(queries("reads what would be sharded together with what would not"));
            }
            let own: Vec<&Sharded<'_>> = items.iter().filter(|sharded| reads.contains(&sharded.item.entity)).collect();
            let Some(by) = own.first().map(|sharded| sharded.by.as_str()) else { continue };
            let one = own.iter().all(|sharded| gives(cx, source, &step, sharded));
            let asked = query_edits(source, &step, *pattern, &way, by, n, one);
            edits.extend(asked.ok_or_else(|| queries("cannot be told to read each shard"))?);
        }
    }
    let key = match &way {
        Way::InValue(key) | Way::More(key, _) => key.name.clone(),
        Way::NewPart(_) => source.index.map_or_else(String::new, |index| index.name.text.clone()),
    };
    let by: Vec<&str> = items.iter().map(|sharded| sharded.by.as_str()).collect();
    let mut distinct = by.clone();
    distinct.dedup();
    let title =
        format!("Shard `{key}` over {} values by {}", show::count(f64::from(n)), super::fixes::listed(&distinct));
    Ok((title, edits))
}

/// Whether a query gives the whole of what the shard of an item is made of, so that
/// the caller knows the one shard to ask.
fn gives(cx: &Cx<'_>, source: Source<'_>, step: &StepCx<'_>, sharded: &Sharded<'_>) -> bool {
    let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { return false };
    let Some(read) = step.source.filter(|read| read.layout.decl == source.layout.decl) else { return false };
    let Pinned { sort, .. } = pinned(cx.db, read, sharded.item, &conjuncts(conditions));
    // In other letters it may hash to another shard.
    let kept = |given: &Given| !matches!(given.hole.format, Format::Lower | Format::Upper);
    sort.iter().any(|given| given.hole.name == sharded.by && is_full(given) && kept(given))
}

/// The attribute that would spread an item, were it not that one of its values has
/// more of the load than a shard may have.
fn too_popular(facts: &Declared<'_>, source: Source<'_>, item: &ItemLayout, n: u32) -> Option<NoFix> {
    let owner = Owner::of(facts, item)?;
    let holes = partition_holes(source, item);
    let is_shard =
        |name: &str| holes.iter().any(|given| given.hole.name == name && matches!(given.hole.format, Format::Shard(_)));
    let in_key = |name: &str| holes.iter().any(|given| given.hole.name == name) && !is_shard(name);
    let existing = holes.iter().map(|given| given.hole.name.as_str()).filter(|name| is_shard(name));
    let ids = owner.entity.ids().map(|id| id.name.as_str());
    existing.chain(ids).filter(|name| !in_key(name)).find_map(|name| {
        let hole = KeyHole {
            name: name.to_owned(),
            parameter: false,
            format: Format::Shard(n),
            ty: None,
            without: Vec::new(),
        };
        let share = hole_spread(owner, &hole, &[]).hot.low();
        exceeds_share(share, n).then(|| NoFix::Uneven { attribute: name.to_owned(), share })
    })
}

fn shard(by: &str, n: u32) -> String {
    format!("{{shard({}, {n})}}", quote_name(by))
}

fn insert(place: Place, text: String) -> Edit {
    Edit::Replace { place: Place { range: TextRange::empty(place.range.end as usize), ..place }, text }
}

/// The attribute that spreads the items of one value: an id that is no part of
/// the key. Where nobody asks for the items one by one, another attribute that
/// never changes does as well. No time, which all writes of a moment share, and
/// nothing of few values.
pub(super) fn spreads(cx: &Cx<'_>, source: Source<'_>, item: &ItemLayout, n: u32) -> Option<String> {
    let facts = Declared { db: cx.db, root: cx.root };
    let owner = Owner::of(&facts, item)?;
    let holes = partition_holes(source, item);
    let names: Vec<&str> = holes.iter().map(|given| given.hole.name.as_str()).collect();
    let fits = |name: &str| {
        let Some(attribute) = owner.entity.attribute(name) else { return false };
        let collection = matches!(attribute.kind, Kind::List | Kind::Set | Kind::Map | Kind::Missing);
        let time = matches!(attribute.kind, Kind::Timestamp | Kind::Epoch);
        let few = attribute_values(owner, name).value().is_some_and(|values| values < ENOUGH * f64::from(n));
        if names.contains(&name) || attribute.optional || collection || time || few {
            return false;
        }
        let hole = KeyHole {
            name: name.to_owned(),
            parameter: false,
            format: Format::Shard(n),
            ty: None,
            without: Vec::new(),
        };
        !exceeds_share(hole_spread(owner, &hole, &names).hot.low(), n)
    };
    let ids = owner.entity.ids().map(|id| id.name.as_str()).find(|name| fits(name));
    let others = || {
        let known = owner.entity.attributes.iter().filter(|attribute| attribute.unique || attribute.distinct.is_some());
        known.map(|attribute| attribute.name.as_str()).find(|name| fits(name) && !is_set(cx, item, name))
    };
    let found = ids.or_else(|| if source.index.is_some() || !is_asked_for(cx, item) { others() } else { None });
    found.map(str::to_owned)
}

/// The attribute that an item is sharded by already, where it spreads more shards
/// as well.
fn sharded_by(facts: &Declared<'_>, source: Source<'_>, item: &ItemLayout, n: u32) -> Option<String> {
    let owner = Owner::of(facts, item)?;
    let holes = partition_holes(source, item);
    let mut shards = holes.iter().map(|given| &given.hole).filter(|hole| matches!(hole.format, Format::Shard(_)));
    let (Some(hole), None) = (shards.next(), shards.next()) else { return None };
    let more = KeyHole { format: Format::Shard(n), ..hole.clone() };
    (!exceeds_share(hole_spread(owner, &more, &[]).hot.low(), n)).then(|| hole.name.clone())
}

/// Whether the hottest shard takes more than its part.
fn exceeds_share(hot: f64, n: u32) -> bool {
    !reaches(1.0 / f64::from(n), hot)
}

/// Whether an operation finds single items of the entity by their key.
fn is_asked_for(cx: &Cx<'_>, item: &ItemLayout) -> bool {
    steps_on(cx).iter().any(|step| {
        !matches!(step.step.op, OpDef::Put { .. })
            && step.step.op.subject().is_some_and(|subject| item.holds(&subject.entity.text))
    })
}

/// Whether some pattern changes the attribute.
fn is_set(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> bool {
    steps_on(cx).iter().any(|step| match &step.step.op {
        OpDef::Update { subject: Some(subject), set, remove, .. } => {
            subject.entity.text == item.entity && set.iter().chain(remove).any(|changed| changed.text == name)
        }
        _ => false,
    })
}

fn steps_on<'db>(cx: &Cx<'db>) -> Vec<StepCx<'db>> {
    patterns_of_table(cx.db, cx.root, cx.decl).iter().flat_map(|pattern| cx.steps_of(*pattern)).collect()
}

/// Why a key takes no shard.
const SHARED: &str = "another key uses the attribute too";
const UNCLEAR: &str = "what the items give the key is not clear";

/// How the key takes the shard. Where the value is computed, or is the text of
/// the table's own key, at its end; a key of a global index that is made of plain
/// attributes gets one more, so that they stay as they are. Else why it can not.
fn way<'l>(cx: &Cx<'_>, source: Source<'l>, items: &[Sharded<'_>], now: Option<u32>) -> Result<Way<'l>, &'static str> {
    let sharded = |key: &&KeyAttribute| {
        let values = items.iter().map(|sharded| sharded.item.keys.get(&key.name));
        values.flatten().any(|key| key.value.holes().any(|hole| matches!(hole.format, Format::Shard(_))))
    };
    if let Some(now) = now {
        let key = source.partition().iter().find(sharded).ok_or(UNCLEAR)?;
        return if is_shared(source, key) { Err(SHARED) } else { Ok(Way::More(key, now)) };
    }
    let defs: Option<Vec<&ItemDef>> = items.iter().map(|sharded| item_def(cx, sharded.item)).collect();
    let defs = defs.ok_or(UNCLEAR)?;
    let computed = |key: &KeyAttribute| {
        defs.iter().all(|def| def.values.iter().any(|value| value.key.text == key.name && value.value.is_some()))
    };
    if let [key] = source.partition()
        && (source.index.is_none() || computed(key))
    {
        return match key.ty {
            _ if items.is_empty() => Err(UNCLEAR),
            Some(KeyType::String) if is_shared(source, key) => Err(SHARED),
            Some(KeyType::String) => Ok(Way::InValue(key)),
            Some(KeyType::Number) => Err("the key is a number"),
            _ => Err("the key is no text"),
        };
    }
    // An item without the new attribute would drop out of the index.
    let all = source.items().all(|item| items.iter().any(|sharded| sharded.item.entity == item.entity));
    if source.partition().len() >= MOST_PARTS {
        return Err("the key takes no further part");
    }
    if source.index.is_none() || !all {
        return Err("not every item with the key would get a shard, and one without it would drop out of the index");
    }
    let entity = items.first().and_then(|sharded| entity_def(cx.db, sharded.item.entity_decl?)).ok_or(UNCLEAR)?;
    let stem = source.partition().first().ok_or(UNCLEAR)?.name.as_str();
    let taken = table_attributes(cx.db, cx.root, cx.decl);
    Ok(Way::NewPart(free_name(&CaseStyle::of(entity).join(stem, "shard"), |name| taken.contains(name))))
}

/// Whether another key uses the attribute, so that its value has to stay. A local
/// index shares the table's partition key on purpose.
fn is_shared(source: Source<'_>, key: &KeyAttribute) -> bool {
    let layout = source.layout;
    let sources = layout.sources().filter(|other| other.label() != source.label());
    let mut others = sources.flat_map(|other| {
        let local = other.index.is_some_and(|index| index.kind == IndexKind::Local);
        let shares = local && source.index.is_none();
        let partition = if shares { &[][..] } else { other.partition() };
        partition.iter().chain(other.sort())
    });
    others.any(|other| other.name == key.name) || source.sort().iter().any(|other| other.name == key.name)
}

fn item_edit(cx: &Cx<'_>, sharded: &Sharded<'_>, way: &Way<'_>, n: u32) -> Option<Edit> {
    let def = item_def(cx, sharded.item)?;
    let shard = shard(&sharded.by, n);
    let set = |value: String| set_key_values(&cx.chunk().text, cx.decl, def, &[value]);
    let key = match way {
        Way::NewPart(name) => return Some(set(format!("{} = \"{shard}\"", quote_name(name)))),
        Way::InValue(key) => key,
        Way::More(key, now) => {
            let value = def.values.iter().rev().find(|value| value.key.text == key.name)?;
            let Some(KeyExpr::Template { template, range }) = &value.value else { return None };
            return more(cx.place(*range), template, *now, n);
        }
    };
    match def.values.iter().rev().find(|value| value.key.text == key.name).map(|value| value.value.as_ref()) {
        Some(Some(KeyExpr::Template { range, .. })) => Some(at_end(cx.place(*range), &shard)),
        Some(Some(KeyExpr::Attribute(name))) => {
            let text = format!("\"{{{}}}#{shard}\"", quote_name(&name.text));
            Some(Edit::Replace { place: cx.place(name.range), text })
        }
        Some(None) => None,
        None => {
            let name = quote_name(&key.name);
            Some(set(format!("{name} = \"{{{name}}}#{shard}\"")))
        }
    }
}

/// Puts a shard at the end of a string, before its closing quote.
fn at_end(string: Place, shard: &str) -> Edit {
    let range = TextRange::empty(string.range.end as usize - 1);
    Edit::Replace { place: Place { range, ..string }, text: format!("#{shard}") }
}

/// Raises the number of shards in a key template; `None` where it has none.
fn more(string: Place, template: &Template, now: u32, n: u32) -> Option<Edit> {
    let hole = template.holes().find(|hole| hole.format == Format::Shard(now))?;
    let range = hole.range.shifted(string.range.start);
    let text = Hole { format: Format::Shard(n), ..hole.clone() }.spelling();
    Some(Edit::Replace { place: Place { range, ..string }, text })
}

/// The entities that a step reads by a query of this partition key; `None` for
/// any other step.
fn queried<'s>(source: Source<'_>, step: &StepCx<'s>) -> Option<&'s [String]> {
    let OpDef::Query { .. } = &step.step.op else { return None };
    let read = step.source.filter(|read| read.layout.decl == source.layout.decl)?;
    let local = read.index.is_none_or(|index| index.kind == IndexKind::Local);
    let same = match source.index {
        None => local,
        Some(index) => read.index.is_some_and(|other| other.name.text == index.name.text),
    };
    same.then_some(step.resolved.reached.as_slice())
}

/// Lets a query ask for one shard, and run once for each, unless it is meant for
/// one that the caller knows.
fn query_edits(
    source: Source<'_>,
    step: &StepCx<'_>,
    pattern: Decl,
    way: &Way<'_>,
    by: &str,
    n: u32,
    one: bool,
) -> Option<Vec<Edit>> {
    let shard = &shard(by, n);
    let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return None };
    let place = |range: TextRange| Place { decl: pattern, range };
    let comparisons = conjuncts(conditions);
    let of = |key: &KeyAttribute| {
        comparisons.iter().find(|c| c.attribute.text == key.name && c.operator == Operator::Equal).copied()
    };
    let mut edits = Vec::new();
    match way {
        Way::InValue(key) => edits.push(match of(key)?.operands.first()? {
            OperandDef::String { range, .. } => at_end(place(*range), shard),
            OperandDef::Parameter(name) => {
                let text = format!("\"{{:{}}}#{shard}\"", quote_name(&name.text));
                Edit::Replace { place: place(name.range), text }
            }
            OperandDef::Number(_) | OperandDef::Boolean { .. } => return None,
        }),
        Way::NewPart(name) => {
            let last = of(source.partition().last()?)?;
            edits.push(insert(place(last.range), format!(" and {} = \"{shard}\"", quote_name(name))));
        }
        Way::More(key, now) => match of(key)?.operands.first()? {
            OperandDef::String { template, range, .. } => edits.push(more(place(*range), template, *now, n)?),
            _ => return None,
        },
    }
    if one {
        return Some(edits);
    }
    // How many times as many queries there are.
    let n = match way {
        Way::More(_, now) => f64::from(n) / f64::from(*now),
        Way::InValue(_) | Way::NewPart(_) => f64::from(n),
    };
    let times = step.step.times() * n;
    if (times - times.round()).abs() > 1e-6 {
        return None;
    }
    if let Some(returning) = &options.returning {
        for value in [&returning.avg, &returning.max].into_iter().flatten() {
            let each = (value.get(Unit::Number)? / n).ceil();
            edits.push(Edit::Replace { place: place(value.range), text: format!("{each}") });
        }
        edits.dedup();
    }
    edits.push(match &step.step.times {
        Some(written) => Edit::Replace { place: place(written.range), text: format!("{}", times.round()) },
        None => insert(place(step.step.range), format!(" times {}", times.round())),
    });
    Some(edits)
}
