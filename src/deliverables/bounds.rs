//! What bounds the answer of a pattern: how many items at most, and how large each
//! can be. Whether a read is bounded is judged here once, for the tables, for the
//! patterns and for the boxes.

use super::decisions::needs;
use super::outline::Outline;
use super::patterns::Pattern;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::most::Most;
use crate::capacity::select::{pinned, select_most};
use crate::capacity::show;
use crate::capacity::sizes::{Bound, Presence, entry_bytes, members, own_bytes};
use crate::capacity::units::PAGE;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::ItemLayout;
use crate::model::names::names;
use crate::model::resolve::Step;
use crate::model::uses::items_of;
use crate::syntax::{TextRange, Unit};
use std::collections::BTreeMap;

/// The bands of item sizes, by their largest item in bytes: one write unit, one
/// read unit, what is still quick to read, and what DynamoDB takes.
pub(super) const BANDS: [f64; 4] = [1_024.0, 4_096.0, 65_536.0, 409_600.0];

/// The bands in words: `up to 1 KB, 4 KB, 64 KB and 400 KB`.
pub(super) fn bands() -> String {
    let [first, second, third, last] = BANDS.map(show::bytes);
    format!("up to {first}, {second}, {third} and {last}")
}

/// The band that an item of so many bytes falls into.
pub(super) fn band(bytes: f64) -> String {
    match BANDS.iter().find(|most| bytes <= **most) {
        Some(most) => format!("up to {}", show::bytes(*most)),
        None => format!("over {}", show::bytes(BANDS[BANDS.len() - 1])),
    }
}

/// How many items one call of a reading step returns at most.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ResultBound {
    /// So many on a page, of so many requests.
    Limit(f64, f64),
    /// So many in all, by the key or by what is declared.
    Items(Figure),
}

impl ResultBound {
    /// The bound in words; `None` where nothing bounds the result.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Limit(items, times) if *times == 1.0 => Some(format!("{} a page", items_told(*items))),
            Self::Limit(items, times) => {
                Some(format!("{} a page of each of {} requests", items_told(*items), show::count(*times)))
            }
            Self::Items(items) => items.high().map(items_told),
        }
    }
}

/// What ends a reading step.
pub(super) enum End<'l> {
    /// The whole primary key: one item.
    Item,
    /// Its limit.
    Limit,
    /// The caller, who fetches so many pages at most.
    Pages(f64, Option<Most<'l>>),
    /// The data: the model says how many items there are at most.
    Data(Most<'l>),
    /// Nothing: it reads a whole table or index.
    Scan,
    /// Nothing that DynamoDB takes.
    Unkeyed,
    /// There is no item that it could read.
    Nothing,
    /// A page, before all is read.
    OverPage(Most<'l>),
    /// The data, or nothing: that is not known.
    Unknown(Most<'l>),
    /// Nothing: it reads as many as there happen to be.
    Unsaid(Most<'l>),
}

/// What ends a reading step of a pattern.
pub(super) fn end<'l>(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'l>) -> End<'l> {
    let limit = step.step.op.options().and_then(|options| options.limit.as_ref());
    if matches!(step.step.op, OpDef::Get { .. }) {
        return End::Item;
    }
    if limit.is_some_and(|limit| limit.get(Unit::Number).is_some()) {
        return End::Limit;
    }
    let most = Most::of(outline.db, outline.root, step);
    if let Some(pages) = pattern.def.pages.as_ref().and_then(|pages| pages.max(Unit::Number)) {
        return End::Pages(pages, most);
    }
    if matches!(step.step.op, OpDef::Scan { .. }) {
        return End::Scan;
    }
    let Some(most) = most else { return End::Unkeyed };
    if most.returning.is_none() && most.kinds.is_empty() {
        return End::Nothing;
    }
    let counted = most.returning.is_some() || most.kinds.iter().all(|kind| kind.items.high().is_some());
    match most.is_maximum() {
        _ if most.bytes.low() > PAGE => End::OverPage(most),
        true if counted => End::Data(most),
        false if most.bytes.high().is_some() => End::Unsaid(most),
        _ => End::Unknown(most),
    }
}

/// The bound of a reading step in words, else why there is none.
pub(super) fn bounded(outline: &Outline<'_>, pattern: &Pattern<'_>, step: &Step<'_>) -> Result<String, String> {
    let Some(bound) = result_bound(outline, step) else {
        return Err(String::from("an operation names something that is not declared"));
    };
    let words = || bound.words().unwrap_or_else(|| String::from("bounded"));
    match end(outline, pattern, step) {
        End::Item | End::Limit | End::Data(_) | End::Nothing => Ok(words()),
        End::Pages(_, Some(most)) if most.is_maximum() && bound.words().is_some() => Ok(words()),
        End::Pages(pages, _) => Ok(format!("at most {}", show::count_of(pages, "page"))),
        End::Scan => Err(String::from("not bounded: it reads everything")),
        End::Unkeyed => Err(String::from("not bounded: it has no key condition that DynamoDB takes")),
        End::OverPage(most) => Err(format!(
            "not bounded by the request: it can read {}, and a page ends at 1 MB",
            show::bytes(most.bytes.low())
        )),
        End::Unknown(most) => {
            let unknown = match &bound {
                ResultBound::Items(items) if items.high().is_none() => items,
                _ => &most.bytes,
            };
            Err(format!("not bounded (needs {}, or a `limit`)", needs(unknown)))
        }
        End::Unsaid(_) => Err(String::from(
            "not bounded: nothing says how many there are at most (`limit`, `pages` or `returning max`)",
        )),
    }
}

fn items_told(items: f64) -> String {
    if items == 1.0 { String::from("1 item") } else { format!("at most {} items", show::count(items)) }
}

/// The bound of a step; `None` for one that reads nothing, or that names something
/// that there is not.
pub(super) fn result_bound(outline: &Outline<'_>, step: &Step<'_>) -> Option<ResultBound> {
    let source = step.source?;
    let options = step.step.op.options()?;
    let times = step.step.times();
    let number = |value: &Option<Value>| value.as_ref().and_then(|value| value.get(Unit::Number));
    if matches!(step.step.op, OpDef::Get { .. }) {
        return Some(ResultBound::Items(Figure::known(times)));
    }
    if let Some(items) = number(&options.limit) {
        return Some(ResultBound::Limit(items, times));
    }
    if let Some(items) = options.returning.as_ref().and_then(|returning| returning.max(Unit::Number)) {
        return Some(ResultBound::Items(Figure::known(items * times)));
    }
    let facts = Declared { db: outline.db, root: outline.root };
    let most = |item: &&ItemLayout| match &step.step.op {
        OpDef::Query { conditions: Some(conditions), .. } => {
            select_most(&facts, source, item, &pinned(outline.db, source, item, &conjuncts(conditions)))
        }
        _ => members(&facts, source, item),
    };
    let items: Figure = step.items().iter().map(most).sum();
    Some(ResultBound::Items(items.scaled(times)))
}

/// The largest item of each entity that a pattern touches, by the entity's name: of
/// its entry where it reads an index, else of the item with all that it embeds.
/// Before there is an operation, of what its requirements name: in their table, if
/// there is one.
pub(super) fn largest_items(outline: &Outline<'_>, pattern: &Pattern<'_>) -> BTreeMap<String, Figure> {
    let facts = Declared { db: outline.db, root: outline.root };
    let mut largest: BTreeMap<String, Figure> = BTreeMap::new();
    let mut add = |entity: &str, bytes: Figure| {
        let other = largest.remove(entity);
        let bytes = other.map_or_else(|| bytes.clone(), |other| other.max(&bytes));
        largest.insert(entity.to_owned(), bytes);
    };
    for step in &pattern.steps {
        let Some(source) = step.source else { continue };
        for item in step.items() {
            add(&item.entity, entry_bytes(&facts, source, item, Bound::Max, Presence::Share));
        }
    }
    if pattern.steps.is_empty() {
        for used in pattern.def.requirements.iter().flat_map(|requirement| &requirement.uses) {
            let name = used.entity.text.as_str();
            let Some(decl) = names(outline.db, outline.root).entity(name) else { continue };
            let own = items_of(outline.db, outline.root, name).find(|(_, item)| item.entity == name);
            let bytes =
                own.map(|(layout, item)| entry_bytes(&facts, layout.table(), item, Bound::Max, Presence::Share));
            add(name, bytes.unwrap_or_else(|| entity_bytes(&facts, decl, name, Bound::Max)));
        }
    }
    largest
}

/// Bytes of an item of an entity before there is a table for it: its attributes
/// without any key.
pub(super) fn entity_bytes(facts: &Declared<'_>, decl: Decl, name: &str, bound: Bound) -> Figure {
    own_bytes(facts, &bare_item(name, Some(decl)), bound, Presence::Share)
}

/// An item of an entity without any key.
pub(super) fn bare_item(entity: &str, decl: Option<Decl>) -> ItemLayout {
    ItemLayout {
        entity: entity.to_owned(),
        entity_decl: decl,
        range: TextRange::default(),
        embeds: Vec::new(),
        keys: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_falls_into_the_first_band_that_holds_it() {
        let shown = [1.0, 1_024.0, 1_025.0, 4_096.0, 65_536.0, 65_537.0, 409_600.0, 409_601.0].map(band);
        let expected =
            ["1 KB", "1 KB", "4 KB", "4 KB", "64 KB", "400 KB", "400 KB"].map(|most| format!("up to {most}"));
        assert_eq!(shown[..7], expected);
        assert_eq!(shown[7], "over 400 KB");
        assert_eq!(bands(), "up to 1 KB, 4 KB, 64 KB and 400 KB");
    }

    #[test]
    fn a_bound_says_whether_it_is_of_a_page_or_of_all() {
        let limit = |items, times| ResultBound::Limit(items, times).words();
        assert_eq!(limit(20.0, 1.0).as_deref(), Some("at most 20 items a page"));
        assert_eq!(limit(20.0, 3.0).as_deref(), Some("at most 20 items a page of each of 3 requests"));
        let items = |figure: Figure| ResultBound::Items(figure).words();
        assert_eq!(items(Figure::known(1.0)).as_deref(), Some("1 item"));
        let unknown = Figure::unknown(crate::capacity::figure::Input::Count(String::from("User")));
        assert_eq!(items(unknown), None);
    }
}
