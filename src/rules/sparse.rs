//! The sparse index that would do the work of a filter: what it would cost, and
//! what to write for it.

use super::attribute_column::add_attributes;
use super::check::{Cx, StepCx};
use super::finding::{Edit, Place};
use super::fixes::{CaseStyle, free_name, pascal, plural};
use crate::capacity::design::{Drawn, all_laid_out};
use crate::capacity::facts::{Declared, EntityFacts, Facts, Linked};
use crate::capacity::figure::Figure;
use crate::capacity::kept::Kept;
use crate::capacity::operations::Work;
use crate::capacity::prices::{GB, STORED_BESIDES};
use crate::capacity::reads::ReadNumbers;
use crate::capacity::sizes::{Bound, Presence, entry_bytes, members};
use crate::capacity::units::{Consistency, read_pages};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::{KeySource, KeyValue};
use crate::model::layout::{IndexLayout, KeyAttribute, Source, TableLayout, table_attributes};
use crate::model::names::{entity_def, pattern_def, table_def};
use crate::model::resolve::patterns_of_table;
use crate::syntax::TextRange;
use crate::syntax::strings::{quote_name, quote_string};
use std::collections::{BTreeSet, HashMap};

/// No name of a model has a line break.
const SPARSE: &str = "\n";

/// Write units a second, on average, that one value of an index key takes with room
/// for peaks.
const COOL: f64 = 50.0;

/// What a sparse index in the place of a filter would cost.
pub(super) struct Sparse {
    /// Read units of a call of the pattern: of the kept items alone.
    pub reads: Figure,
    /// Its writes and its storage.
    pub upkeep: Drawn,
}

/// What a sparse index that holds just what a filter keeps would cost.
pub(super) fn sparse_index(
    cx: &Cx<'_>,
    source: Source<'_>,
    read: &ReadNumbers,
    kept: &Kept,
    filter: &FilterDef,
    times: f64,
) -> Sparse {
    Sparse { reads: reads_of_kept(read, kept, times), upkeep: sparse_upkeep(cx, source, read, kept, filter) }
}

/// What an index over what a filter tests would cost that holds every item with it.
pub(super) fn full_index(
    cx: &Cx<'_>,
    source: Source<'_>,
    read: &ReadNumbers,
    kept: &Kept,
    filter: &FilterDef,
    times: f64,
) -> Sparse {
    let facts = Declared { db: cx.db, root: cx.root };
    let upkeep = upkeep(cx, source, read, filter, &facts, |_| Figure::known(1.0));
    Sparse { reads: reads_of_kept(read, kept, times), upkeep }
}

/// Read units of a call that reads just what a filter keeps.
fn reads_of_kept(read: &ReadNumbers, kept: &Kept, times: f64) -> Figure {
    let bytes = read.call().1.times(&kept.share);
    bytes.map(|bytes| read_pages(bytes, Consistency::Eventual)).scaled(times)
}

/// The patterns that update what a filter tests: there an item begins or ceases to be
/// wanted.
pub(super) fn updaters(cx: &Cx<'_>, source: Source<'_>, filter: &FilterDef) -> Vec<Decl> {
    let tested: Vec<&str> = tested(filter).into_iter().map(|name| name.text.as_str()).collect();
    let has = |entity: &str| source.items().any(|item| item.entity == entity);
    let updates = |op: &OpDef| match op {
        OpDef::Update { subject: Some(subject), set, remove, .. } => {
            let mut changed = set.iter().chain(remove);
            has(&subject.entity.text) && changed.any(|name| tested.contains(&name.text.as_str()))
        }
        _ => false,
    };
    let patterns = patterns_of_table(cx.db, cx.root, source.layout.decl).iter().copied();
    patterns
        .filter(|decl| pattern_def(cx.db, *decl).is_some_and(|def| def.steps().any(|(_, step)| updates(&step.op))))
        .collect()
}

/// Of a sparse index the kept share of the items is there.
fn sparse_upkeep(cx: &Cx<'_>, source: Source<'_>, read: &ReadNumbers, kept: &Kept, filter: &FilterDef) -> Drawn {
    let share = |entity: &str| {
        let at = read.kinds.iter().position(|kind| kind.entity == entity);
        at.and_then(|at| kept.kinds.get(at)).cloned().unwrap_or(Figure::ZERO)
    };
    let tested: Vec<&str> = tested(filter).into_iter().map(|name| name.text.as_str()).collect();
    upkeep(cx, source, read, filter, &Always::of(cx, source.layout, &tested), share)
}

/// An index is written where an item comes, goes or changes: in full by the arithmetic
/// of an index keyed by what the filter tests, of which a share is there.
fn upkeep(
    cx: &Cx<'_>,
    source: Source<'_>,
    read: &ReadNumbers,
    filter: &FilterDef,
    facts: &dyn Facts,
    share: impl Fn(&str) -> Figure,
) -> Drawn {
    let tested: Vec<&str> = tested(filter).into_iter().map(|name| name.text.as_str()).collect();
    let layout = with_index(source.layout, read, &tested);
    let Some(index) = layout.index(SPARSE) else { return Drawn::NOTHING };
    let mut drawn = Drawn::NOTHING;
    let patterns = patterns_of_table(cx.db, cx.root, layout.decl).iter().copied();
    for (_, numbers) in all_laid_out(cx.db, cx.root, facts, &layout, patterns) {
        for step in numbers.steps.iter().filter(|step| step.table == Some(layout.decl)) {
            let Work::Write(write) = &step.work else { continue };
            for own in write.indexes.iter().filter(|own| own.index == SPARSE) {
                let units = own.units.scaled(step.times).times(&share(&write.entity));
                drawn.writes = drawn.writes.plus(&numbers.rate.times(&units));
            }
        }
    }
    let own = layout.of_index(index);
    for item in own.items() {
        let each = entry_bytes(facts, own, item, Bound::Avg, Presence::Share);
        let stored = members(facts, own, item).times(&each.plus(&Figure::known(STORED_BESIDES)));
        drawn.storage_gb = drawn.storage_gb.plus(&stored.times(&share(&item.entity)).scaled(1.0 / GB));
    }
    drawn
}

/// The attributes that a filter tests.
fn tested(filter: &FilterDef) -> Vec<&Name> {
    let leaves = filter.conditions.iter().flat_map(ConditionsDef::leaves);
    let names = leaves.filter_map(|leaf| match leaf {
        Term::Comparison(Comparison { attribute, .. }) | Term::Existence { attribute, .. } => Some(attribute),
        Term::Not { .. } | Term::Group { .. } => None,
    });
    names.collect()
}

/// The table with an index over what the filter tests, for the items that the read
/// meets.
fn with_index(layout: &TableLayout, read: &ReadNumbers, tested: &[&str]) -> TableLayout {
    let mut layout = layout.clone();
    for item in layout.items.iter_mut().filter(|item| read.kinds.iter().any(|kind| kind.entity == item.entity)) {
        let parts = tested.iter().flat_map(|name| match item.keys.get(*name) {
            Some(key) => key.value.parts.clone(),
            None => KeyValue::of_attribute(name, None).parts,
        });
        let value = KeyValue { parts: parts.collect() };
        item.keys.insert(SPARSE.to_owned(), KeySource { value, optional: false, template: true });
    }
    let key = KeyAttribute { name: SPARSE.to_owned(), range: TextRange::default(), ty: Some(KeyType::String) };
    layout.indexes.push(IndexLayout {
        kind: IndexKind::Global,
        name: Name { text: SPARSE.to_owned(), range: TextRange::default() },
        partition: vec![key],
        sort: Vec::new(),
        projection: ProjectionKind::All,
        included: Vec::new(),
    });
    layout
}

/// The declared facts, with what the filter tests on every item: the share that it
/// keeps says already on how many that is.
struct Always<'db> {
    declared: Declared<'db>,
    changed: HashMap<Decl, EntityFacts>,
}

impl<'db> Always<'db> {
    fn of(cx: &Cx<'db>, layout: &TableLayout, tested: &[&str]) -> Self {
        let declared = Declared { db: cx.db, root: cx.root };
        let mut changed = HashMap::new();
        for decl in layout.items.iter().filter_map(|item| item.entity_decl) {
            let Some(mut entity) = declared.entity(decl).cloned() else { continue };
            for attribute in entity.attributes.iter_mut().filter(|a| tested.contains(&a.name.as_str())) {
                attribute.optional = false;
            }
            changed.insert(decl, entity);
        }
        Self { declared, changed }
    }
}

impl Facts for Always<'_> {
    fn entity(&self, decl: Decl) -> Option<&EntityFacts> {
        self.changed.get(&decl).or_else(|| self.declared.entity(decl))
    }

    fn linked(&self, decl: Decl) -> &Linked {
        self.declared.linked(decl)
    }
}

/// The title and the edits of a sparse index for a filter that wants one value of one
/// attribute: a new optional attribute that only those items have, an index keyed by
/// it, and a query in the place of the filter. The writes that set and remove the new
/// attribute are the author's.
pub(super) fn sparse_fix(
    cx: &Cx<'_>,
    step: StepCx<'_>,
    source: Source<'_>,
    filter: &FilterDef,
    (read, kept): (&ReadNumbers, &Kept),
    sparse: &Sparse,
) -> Option<(String, Vec<Edit>)> {
    let [Term::Comparison(Comparison { attribute, operator: Operator::Equal, operands, .. })] =
        filter.conditions.as_ref()?.terms.as_slice()
    else {
        return None;
    };
    let table = table_def(cx.db, source.layout.decl).filter(|_| cx.is_whole(source.layout.decl))?;
    let word = word(operands.first()?)?;
    // A key that tells the items apart is a fault of the model's keys, not of a filter.
    let mut owners = source.items().filter(|item| {
        let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
        entity.is_some_and(|entity| entity.attribute(&attribute.text).is_some())
    });
    let owner = owners.next().filter(|_| owners.next().is_none())?;
    // Of the other kinds of items the filter keeps none.
    let at = read.kinds.iter().position(|kind| kind.entity == owner.entity)?;
    let share = kept.kinds.get(at)?.value().filter(|share| *share > 0.0)?;
    // The new attribute would have to follow every update of the old one.
    if !updaters(cx, source, filter).is_empty() {
        return None;
    }
    let decl = owner.entity_decl.filter(|decl| cx.is_whole(*decl) && !cx.is_broken())?;
    let entity = entity_def(cx.db, decl)?;
    // Of a scan all entries would have one key value: not where that would be hot.
    let scans = matches!(step.step.op, OpDef::Scan { .. });
    if scans && sparse.upkeep.writes.high().is_none_or(|writes| writes > COOL) {
        return None;
    }
    if source.index.is_some() || owner.keys.contains_key(&attribute.text) {
        return None;
    }
    let taken = table_attributes(cx.db, cx.root, source.layout.decl);
    let marker = CaseStyle::of(entity).join(&word.to_lowercase(), &attribute.text.to_lowercase());
    let marker = free_name(&marker, |name| taken.contains(name));
    let used: BTreeSet<&str> = source.layout.indexes.iter().map(|index| index.name.text.as_str()).collect();
    let index = free_name(&format!("{}{}", pascal(&word), plural(&owner.entity)), |name| used.contains(name));
    let text = &decl.chunk(cx.db).text;
    let percent = crate::capacity::show::number(share * 100.0);
    let ty = format!("enum({})? @present({percent}%)", quote_name(&word));
    let mut edits = add_attributes(text, decl, entity, &[(quote_name(&marker), ty)])?;
    let (partition, sort) = match &step.step.op {
        OpDef::Scan { .. } => (quote_name(&marker), None),
        _ => {
            let own = source.partition().iter().map(|key| quote_name(&key.name));
            let all: Vec<String> = own.chain([quote_name(&marker)]).collect();
            (all.join(", "), source.sort().first().map(|key| quote_name(&key.name)))
        }
    };
    let sort = sort.map(|sort| format!("  sort key {sort}\n")).unwrap_or_default();
    let clause =
        format!("\ngsi {} {{\n  partition key {partition}\n{sort}  projection all\n  sparse\n}}", quote_name(&index));
    let block = Place { decl: source.layout.decl, range: table.body? };
    let index_edit = Edit::AppendToBlock { block, lines: clause };
    edits.push(index_edit);
    edits.extend(allows_to_remove(cx)?);
    edits.extend(query_edits(cx, step, filter, &index, &marker, &word)?);
    Some((format!("Sparse index `{index}` on a new attribute `{marker}`"), edits))
}

/// The rules that have nothing to say of the pattern any more.
const GONE: [&str; 3] = ["scan-pattern", "limit-with-filter", "low-selectivity-filter"];

/// Edits that take away what the pattern allows and will not need; `None` where it
/// stands in one clause with something else.
fn allows_to_remove(cx: &Cx<'_>) -> Option<Vec<Edit>> {
    let is_gone = |name: &Name| GONE.contains(&name.text.as_str());
    let allows = cx.lowered().facts.allows.iter().filter(|allow| allow.rules.iter().any(is_gone));
    let edits = allows.map(|allow| {
        let all = allow.rules.iter().all(is_gone);
        all.then(|| Edit::RemoveLines { place: cx.place(allow.range) })
    });
    edits.collect()
}

/// A literal as the name of an enum.
fn word(operand: &OperandDef) -> Option<String> {
    let word = match operand {
        OperandDef::String { value, .. } => value.clone(),
        OperandDef::Boolean { value, .. } => if *value { "yes" } else { "no" }.to_owned(),
        OperandDef::Number(_) | OperandDef::Parameter(_) => return None,
    };
    let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(word)
}

/// Turns the read into a query of the index, without the filter.
fn query_edits(
    cx: &Cx<'_>,
    step: StepCx<'_>,
    filter: &FilterDef,
    index: &str,
    marker: &str,
    word: &str,
) -> Option<Vec<Edit>> {
    let text = &cx.chunk().text;
    let condition = format!("{} = {}", quote_name(marker), quote_string(word));
    let replace = |range: TextRange, text: String| Edit::Replace { place: cx.place(range), text };
    // The blanks before the filter go with it.
    let start = text[..filter.range.start as usize].trim_end().len();
    let without = replace(TextRange::new(start, filter.range.end as usize), String::new());
    match &step.step.op {
        OpDef::Scan { target, options } if options.consistent.is_none() => {
            let table = quote_name(&target.table.as_ref()?.text);
            let range = TextRange::new(step.step.range.start as usize, filter.range.end as usize);
            let between = text[target.range.end as usize..start].trim();
            // Other options may stand before the filter.
            let query = format!("query {table}.{} where {condition}", quote_name(index));
            let query = if between.is_empty() { query } else { format!("{query} {between}") };
            Some(vec![replace(range, query)])
        }
        OpDef::Query { target, conditions: Some(conditions), options } if options.consistent.is_none() => {
            let table = quote_name(&target.table.as_ref()?.text);
            let target = replace(target.range, format!("{table}.{}", quote_name(index)));
            let more = replace(TextRange::empty(conditions.range.end as usize), format!(" and {condition}"));
            // What touches is one edit.
            match start == conditions.range.end as usize {
                true => {
                    let range = TextRange::new(start, filter.range.end as usize);
                    Some(vec![target, replace(range, format!(" and {condition}"))])
                }
                false => Some(vec![target, more, without]),
            }
        }
        _ => None,
    }
}
