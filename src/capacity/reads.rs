//! What a read reads and what that costs in units (numbers Q4–Q10).

use super::classes::{CallClass, call_classes, cut_apart, weighed};
use super::facts::Facts;
use super::figure::{Figure, Input};
use super::limit::{bytes_of, on_a_page, taken};
use super::select::{Selection, Start, pinned, select};
use super::sizes::{Bound, Presence, entry_bytes, item_bytes, members};
use super::units::{Consistency, PAGE, read, read_pages};
use crate::model::db::Db;
use crate::model::defs::*;
use crate::model::key::KeyPiece;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, Source};
use crate::syntax::Unit;

/// What one call of a read does.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadNumbers {
    pub how: ReadKind,
    /// The kinds of items that it meets, in the order in which a limit takes them.
    pub kinds: Vec<KindRead>,
    pub limit: Option<f64>,
    /// `returning avg`.
    pub returning: Option<f64>,
    /// `pages avg`.
    pub pages: Option<f64>,
    pub consistency: Consistency,
    /// A limit takes the kinds in proportion: nothing orders them.
    pub mixed: bool,
    /// The calls apart by what they meet, where a limit or a page bounds them
    /// differently: those for the hottest value, and the others. Else empty.
    pub classes: Vec<CallClass>,
    /// Items of one page, or of all pages where `pages` is not given.
    pub items: Figure,
    /// Their bytes.
    pub bytes: Figure,
    /// Units for fetching from the table what an LSI does not hold (Q10), pages
    /// included.
    pub fetch: Option<Figure>,
    /// Read units of one call, pages and fetches included, `times` not.
    pub units: Figure,
    /// The same for the hottest value of the partition key.
    pub hot_units: Figure,
}

impl ReadNumbers {
    /// Items and bytes of one call, all its pages together (Q7).
    pub fn call(&self) -> (Figure, Figure) {
        let (mut items, mut bytes) = (self.paged(&self.items), self.paged(&self.bytes));
        // What `returning` says is there, whatever is derived.
        if self.returning.is_none() && self.pages.is_some() {
            items = items.min(&self.kinds.iter().map(|kind| &kind.there).sum());
            bytes = bytes.min(&self.kinds.iter().map(|kind| kind.there.times(&kind.each)).sum());
        }
        (items, bytes)
    }

    /// Whether its limit ends it before any item of an entity that it would come to.
    pub fn cuts_off(&self, entity: &str) -> bool {
        let mut own = self.kinds.iter().filter(|kind| kind.entity == entity).peekable();
        self.limit.is_some()
            && own.peek().is_some()
            && own.all(|kind| kind.taken == Figure::ZERO && kind.there != Figure::ZERO)
    }

    /// Items of one kind that one call reads.
    pub fn of_kind(&self, kind: &KindRead) -> Figure {
        let taken = self.paged(&kind.taken);
        let is_bounded = self.returning.is_none() && self.pages.is_some();
        if is_bounded { taken.min(&kind.there) } else { taken }
    }

    /// So much of what one page would take, on all pages: none has more than 1 MB.
    fn paged(&self, of_page: &Figure) -> Figure {
        let Some(pages) = self.pages else { return of_page.clone() };
        // More than fits on a page is what `returning` says of the call.
        if self.returning.is_some() && self.bytes.low() > PAGE {
            return of_page.clone();
        }
        let part = self.bytes.inverse().scaled(PAGE).min(&Figure::known(1.0));
        of_page.times(&part).scaled(pages)
    }
}

/// The operation that reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    Get,
    Query,
    Scan,
}

/// The items of one kind that a read meets.
#[derive(Clone, Debug, PartialEq)]
pub struct KindRead {
    pub entity: String,
    /// How many there are to read, before any limit; of a query.
    pub selection: Option<Selection>,
    /// The same in one number.
    pub there: Figure,
    /// How many one page takes.
    pub taken: Figure,
    /// The same on the hottest value of the partition key.
    pub hot_taken: Figure,
    /// Bytes of one: of the item, or of its entry.
    pub each: Figure,
    /// Bytes of the whole item, where it is fetched from the table (Q10).
    pub fetched: Option<Figure>,
}

/// Everything that the numbers of a step need to know.
pub struct StepInput<'a> {
    pub db: &'a dyn Db,
    pub facts: &'a dyn Facts,
    pub pattern: &'a PatternDef,
    pub pattern_name: &'a str,
    pub group: Option<&'a Group>,
    pub source: Source<'a>,
}

impl StepInput<'_> {
    fn is_transaction(&self) -> bool {
        self.group.is_some_and(|group| group.kind == GroupKind::Transact)
    }

    /// Pages of one call; where only their greatest number is declared, from one to
    /// that many.
    fn pages(&self) -> Option<Figure> {
        let pages = self.pattern.pages.as_ref()?;
        match (pages.avg(Unit::Number), pages.max(Unit::Number)) {
            (Some(avg), _) => Some(Figure::known(avg)),
            (None, Some(max)) => Some(Figure::between(1.0, max.max(1.0), Input::Pages(self.pattern_name.to_owned()))),
            (None, None) => None,
        }
    }

    /// How consistent a read of the source is: an index of its own partitions is
    /// read eventually consistent whatever is asked (Q8, facts 3.3).
    fn consistency(&self, options: &ReadOptions) -> Consistency {
        let global = self.source.index.is_some_and(|index| index.kind == IndexKind::Global);
        match (self.is_transaction(), options.consistent) {
            (true, _) => Consistency::Transactional,
            (_, Some(_)) if !global => Consistency::Strong,
            _ => Consistency::Eventual,
        }
    }
}

/// A `get`: one item, embedded entities by their parent's, rounded alone also
/// in a batch (Q8).
pub fn get(input: &StepInput<'_>, item: &ItemLayout, options: &ReadOptions) -> ReadNumbers {
    let each = item_bytes(input.facts, item, Bound::Avg, Presence::Share);
    let consistency = input.consistency(options);
    let units = each.map(|bytes| read(bytes, consistency));
    let one = Figure::known(1.0);
    ReadNumbers {
        how: ReadKind::Get,
        kinds: vec![KindRead {
            entity: item.entity.clone(),
            selection: None,
            there: one.clone(),
            taken: one.clone(),
            hot_taken: one.clone(),
            each: each.clone(),
            fetched: None,
        }],
        limit: None,
        returning: None,
        pages: None,
        consistency,
        mixed: false,
        classes: Vec::new(),
        items: one,
        bytes: each,
        fetch: None,
        hot_units: units.clone(),
        units,
    }
}

/// A `query`: the items of each kind that its key condition can reach (Q2–Q5),
/// page by page (Q7), with fetches from the table where an LSI is asked for what
/// it does not hold (Q10).
pub fn query(
    input: &StepInput<'_>,
    items: &[&ItemLayout],
    conditions: Option<&ConditionsDef>,
    options: &ReadOptions,
) -> ReadNumbers {
    let comparisons = conditions.map(conjuncts).unwrap_or_default();
    let mut kinds: Vec<(KindRead, &ItemLayout)> = Vec::new();
    for item in in_order(input.source, items, options.descending.is_some()) {
        let pinned = pinned(input.db, input.source, item, &comparisons);
        let selection = select(input.facts, input.source, item, &pinned);
        kinds.push((kind(input, item, selection.mean.clone(), Some(selection), options), item));
    }
    finish(input, ReadKind::Query, kinds, options)
}

/// A `scan`: everything in its table or index; with a limit, that many items of
/// the mean size (Q6).
pub fn scan(input: &StepInput<'_>, options: &ReadOptions) -> ReadNumbers {
    let source = input.source;
    let there = |item: &ItemLayout| members(input.facts, source, item);
    let kinds = source.items().map(|item| (kind(input, item, there(item), None, options), item));
    finish(input, ReadKind::Scan, kinds.collect(), options)
}

fn kind(
    input: &StepInput<'_>,
    item: &ItemLayout,
    there: Figure,
    selection: Option<Selection>,
    options: &ReadOptions,
) -> KindRead {
    let each = entry_bytes(input.facts, input.source, item, Bound::Avg, Presence::Share);
    let local = input.source.index.is_some_and(|index| index.kind == IndexKind::Local);
    let fetched =
        (local && fetches(input, item, options)).then(|| item_bytes(input.facts, item, Bound::Avg, Presence::Share));
    let (taken, hot_taken) = (there.clone(), there.clone());
    KindRead { entity: item.entity.clone(), selection, taken, hot_taken, there, each, fetched }
}

/// The kinds in the order of their sort-key literals, the other way round where
/// the query descends (Q5).
fn in_order<'l>(source: Source<'_>, items: &[&'l ItemLayout], descending: bool) -> Vec<&'l ItemLayout> {
    let mut ordered = items.to_vec();
    ordered.sort_by(|a, b| literals(source, a).cmp(&literals(source, b)));
    if descending {
        ordered.reverse();
    }
    ordered
}

/// The text that each part of an item's sort key begins with.
fn literals<'l>(source: Source<'_>, item: &'l ItemLayout) -> Vec<&'l str> {
    let values = source.sort().iter().map(|key| item.keys.get(&key.name));
    values
        .map(|source| match source.and_then(|source| source.value.parts.first()) {
            Some(KeyPiece::Literal(text)) => text.as_str(),
            _ => "",
        })
        .collect()
}

fn finish(
    input: &StepInput<'_>,
    how: ReadKind,
    mut kinds: Vec<(KindRead, &ItemLayout)>,
    options: &ReadOptions,
) -> ReadNumbers {
    // No page takes fewer than one; a limit of none is reported where it stands.
    let limit = options.limit.as_ref().and_then(|limit| limit.get(Unit::Number)).filter(|limit| *limit >= 1.0);
    let returning = options.returning.as_ref().and_then(|returning| returning.avg(Unit::Number));
    // Who says only how many come back at most has bounded them (Q4).
    let at_most = options.returning.as_ref().filter(|_| returning.is_none()).and_then(|r| r.max(Unit::Number));
    let pages = input.pages();
    let consistency = input.consistency(options);
    let there: Vec<Figure> = kinds.iter().map(|(kind, _)| kind.there.clone()).collect();
    let hot: Vec<Figure> = kinds
        .iter()
        .map(|(kind, _)| kind.selection.as_ref().map_or_else(|| kind.there.clone(), |selection| selection.hot.clone()))
        .collect();
    // The whole primary key is given: one item, of whichever kind (Q3).
    let one_item = |(kind, _): &(KindRead, &ItemLayout)| {
        kind.selection.as_ref().is_some_and(|selection| selection.start == Start::PrimaryKey)
    };
    let one = kinds.len() > 1 && kinds.iter().all(one_item);
    let limit = if one { Some(1.0) } else { limit };
    let mixed = one || how == ReadKind::Scan || all_alike(input.source, &kinds);
    let bounded = |there: &Figure| match at_most {
        Some(most) => there.min(&Figure::known(most)).at_most(Input::Returning(input.pattern_name.to_owned())),
        None => there.clone(),
    };
    let cut = |there: &[Figure]| taken(&there.iter().map(bounded).collect::<Vec<_>>(), limit, returning, mixed);
    // A bound holds for each call: it leaves another mean than it would of the mean.
    let each: Vec<&Figure> = kinds.iter().map(|(kind, _)| &kind.each).collect();
    let most = limit.or(at_most);
    let of_page = |there: &[Figure]| match pages {
        Some(_) => on_a_page(cut(there), &each, most),
        None => cut(there),
    };
    let own: Vec<&KindRead> = kinds.iter().map(|(kind, _)| kind).collect();
    let is_bounded = returning.is_none() && (most.is_some() || pages.is_some());
    let classes = if is_bounded { cut_apart(call_classes(&own), of_page) } else { None };
    let mut units_of = |counts: Vec<Figure>| {
        for ((kind, _), count) in kinds.iter_mut().zip(counts) {
            kind.taken = count;
        }
        page_units(&kinds, limit.or(returning).or(at_most), &pages, consistency)
    };
    let hot_taken = cut(&hot);
    let hot_units = units_of(hot_taken.clone()).units;
    let Page { items, bytes, fetch, units } = units_of(match &classes {
        Some(classes) => weighed(classes),
        None => cut(&there),
    });
    let hottest = |((kind, _), hot_taken): ((KindRead, _), Figure)| KindRead { hot_taken, ..kind };
    ReadNumbers {
        how,
        kinds: kinds.into_iter().zip(hot_taken).map(hottest).collect(),
        limit,
        returning,
        pages: pages.as_ref().and_then(Figure::value),
        consistency,
        mixed,
        classes: classes.unwrap_or_default(),
        items,
        bytes,
        fetch,
        units,
        hot_units,
    }
}

/// Whether nothing orders the kinds, so that a limit takes a mixture.
fn all_alike(source: Source<'_>, kinds: &[(KindRead, &ItemLayout)]) -> bool {
    let mut literals = kinds.iter().map(|(_, item)| literals(source, item));
    let first = literals.next();
    literals.all(|other| Some(&other) == first.as_ref())
}

struct Page {
    items: Figure,
    bytes: Figure,
    fetch: Option<Figure>,
    units: Figure,
}

/// Units of one call: of one page of at most 1 MB × `pages` where they are given,
/// else of all pages that it takes (Q7).
fn page_units(
    kinds: &[(KindRead, &ItemLayout)],
    most: Option<f64>,
    pages: &Option<Figure>,
    consistency: Consistency,
) -> Page {
    let factor = pages.clone().unwrap_or_else(|| Figure::known(1.0));
    if kinds.is_empty() {
        let units = Figure::known(read(0.0, consistency)).times(&factor);
        return Page { items: Figure::ZERO, bytes: Figure::ZERO, fetch: None, units };
    }
    let items: Figure = kinds.iter().map(|(kind, _)| &kind.taken).sum();
    let items = most.map_or(items.clone(), |most| items.min(&Figure::known(most)));
    let bytes = bytes_of(kinds.iter().map(|(kind, _)| (&kind.taken, &kind.each)), most);
    let fetch = fetch_units(kinds, consistency).map(|fetch| fetch.times(&factor));
    let read = match pages {
        Some(pages) => bytes.map(|bytes| read(bytes.min(PAGE), consistency)).times(pages),
        None => bytes.map(|bytes| read_pages(bytes, consistency)),
    };
    // A page is never larger than 1 MB, whatever is not known of it.
    let read = match pages {
        Some(pages) => read.min(&pages.scaled(read_pages(PAGE, consistency))),
        None => read,
    };
    let units = fetch.as_ref().map_or_else(|| read.clone(), |fetch| read.plus(fetch));
    Page { items, bytes, fetch, units }
}

/// Units of fetching from the table, item by item, what an LSI does not hold and
/// `project` or `reads` asks for (Q10); `None` where nothing is fetched.
fn fetch_units(kinds: &[(KindRead, &ItemLayout)], consistency: Consistency) -> Option<Figure> {
    let fetches = kinds.iter().filter_map(|(kind, _)| {
        let whole = kind.fetched.as_ref()?;
        Some(kind.taken.times(&whole.map(|bytes| read(bytes, consistency))))
    });
    let fetches: Vec<Figure> = fetches.collect();
    (!fetches.is_empty()).then(|| fetches.iter().sum())
}

/// Whether a read asks for an attribute of these items that its LSI does not
/// project.
pub fn fetches(input: &StepInput<'_>, item: &ItemLayout, options: &ReadOptions) -> bool {
    let Some(projected) = input.source.projected(item) else { return false };
    let has = |name: &str| {
        let attribute = item.entity_decl.and_then(|decl| input.facts.entity(decl)?.attribute(name));
        attribute.is_some() || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
    };
    let uses = input.pattern.requirements.iter().filter(|requirement| !requirement.writes).flat_map(|r| &r.uses);
    let read = uses.filter(|used| used.entity.text == item.entity).flat_map(|used| &used.attributes);
    options.project.iter().chain(read).any(|name| has(&name.text) && !projected.contains(&name.text))
}

/// What is in a table or index: items and their bytes (Q6, C1).
pub fn contents(facts: &dyn Facts, source: Source<'_>) -> (Figure, Figure) {
    let mut items = source.items().peekable();
    if items.peek().is_none() {
        // An index that no item has the keys of is empty; of a table without an item
        // nobody has said yet what it holds.
        if source.index.is_some() && !source.layout.items.is_empty() {
            return (Figure::ZERO, Figure::ZERO);
        }
        let nothing = Figure::unknown(Input::Items(source.layout.name.text.clone()));
        return (nothing.clone(), nothing);
    }
    let kinds: Vec<(Figure, Figure)> = items
        .map(|item| {
            let members = members(facts, source, item);
            let bytes = members.times(&entry_bytes(facts, source, item, Bound::Avg, Presence::Share));
            (members, bytes)
        })
        .collect();
    (kinds.iter().map(|(count, _)| count).sum(), kinds.iter().map(|(_, bytes)| bytes).sum())
}
