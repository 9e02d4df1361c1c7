//! *Hot Partition Analysis*: the hottest value of each key at the peak, against
//! what one value takes, and what the design does about it.

use super::even::{even_by_entity, even_of};
use super::headroom::{Headroom, headroom};
use crate::capacity::even::{is_in_transaction, on_one_value, transactions_on_one};
use crate::capacity::figure::Figure;
use crate::capacity::heat::{Unsplit, unsplit};
use crate::capacity::load::{Contribution, Family, KeyLoad, READ_LIMIT, WRITE_LIMIT, Why, exceeds, key_loads};
use crate::capacity::show;
use crate::deliverables::figures::{Footnotes, mark, number};
use crate::deliverables::findings::open;
use crate::deliverables::heat::LOAD;
use crate::deliverables::markdown::{code, codes, inline, prose};
use crate::deliverables::numbers::things;
use crate::deliverables::outline::Outline;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::{Pattern, accepted};
use crate::model::db::Decl;
use crate::model::defs::{AllowUse, IndexKind};
use crate::model::layout::{Source, TableLayout, layout};
use crate::model::lower::lowered;
use crate::model::names::table_def;
use crate::rules::finding::{Finding, FindingPlace};
use crate::rules::heat::LOAD as HEADROOM;
use crate::rules::judge::silenced;
use crate::rules::{hot_index_key, hot_partition_key, transaction_contention};
use askama::Template;

#[derive(Template)]
#[template(path = "data_model/hot.md", escape = "none")]
struct Hot {
    read_limit: String,
    write_limit: String,
    headroom: String,
    rows: Vec<Row>,
    /// Whether keys that transactions write come first.
    is_ranked: bool,
    /// Whether a key has more than one row.
    has_forms: bool,
    limits: Headroom,
    computed: Option<String>,
    missing: Vec<String>,
    findings: Vec<String>,
    accepted: Vec<String>,
}

/// The hottest value of a key, in one of the forms that its values have.
struct Row {
    key: String,
    value: String,
    reads: String,
    read_share: String,
    writes: String,
    write_share: String,
    by: String,
    design: String,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Part {
    let mut notes = Footnotes::default();
    let mut rows = Vec::new();
    let mut has_forms = false;
    for table in &outline.tables {
        let Some(layout) = layout(outline.db, outline.root, table.decl) else { continue };
        let loads = key_loads(outline.db, outline.root, table.decl);
        for load in loads {
            let rank = rank(outline, load);
            if load.families.is_empty() {
                rows.push((rank, unused(layout, load)));
            }
            let forms: Vec<&Family> = forms(outline, load).collect();
            has_forms |= forms.len() > 1;
            rows.extend(
                forms.into_iter().map(|family| (rank, row(outline, patterns, &mut notes, layout, load, family))),
            );
        }
        let local = layout.indexes.iter().filter(|index| index.kind == IndexKind::Local);
        let of_table_key = loads.first().map_or(0.0, |load| rank(outline, load));
        rows.extend(local.map(|index| (of_table_key, of_table(layout.of_index(index).label()))));
    }
    rows.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let is_ranked = rows.first().is_some_and(|(rank, _)| *rank > 0.0);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    let limits = headroom(outline, &mut notes);
    let is_about = |finding: &&Finding| LOAD.contains(&finding.rule.name);
    let findings = open(outline).into_iter().filter(is_about).map(|finding| line(outline, finding));
    Part::new(
        "hot-partitions",
        &Hot {
            read_limit: show::count(READ_LIMIT),
            write_limit: show::count(WRITE_LIMIT),
            headroom: match [false, true].map(|index| show::percent(headroom_of(outline, index))) {
                [table, index] if table == index => table,
                [table, index] => format!("{table} (in an index {index})"),
            },
            rows,
            is_ranked,
            has_forms,
            limits,
            computed: notes.computed(),
            missing: notes.missing(),
            findings: findings.collect(),
            accepted: outline
                .allows
                .iter()
                .filter(|(_, allow)| allow.rules.iter().any(|rule| LOAD.contains(&rule.text.as_str())))
                .map(|(decl, allow)| format!("{}: {}", outline.label(*decl), accepted(allow)))
                .collect(),
        },
    )
}

fn line(outline: &Outline<'_>, finding: &Finding) -> String {
    let place = match finding.place {
        FindingPlace::In(place) => outline.label(place.decl),
        FindingPlace::File { file, .. } => outline.file(file),
    };
    format!("{} {} ({place}): {}", finding.level.word(), code(finding.rule.name), prose(&finding.message))
}

/// A local index: it has the partition key of its table.
fn of_table(label: String) -> Row {
    let none = || String::from("–");
    Row {
        key: format!("{} LSI", code(&label)),
        value: String::from("that of the table"),
        reads: none(),
        read_share: none(),
        writes: none(),
        write_share: none(),
        by: none(),
        design: String::from("counted with its table"),
    }
}

/// The forms of a key's values that are told of: each whose load comes near a limit, or
/// would if all that is taken as even met on one value, the worst first; and the one with
/// the heaviest load, in any case.
fn forms<'l>(outline: &Outline<'_>, load: &'l KeyLoad) -> impl Iterator<Item = &'l Family> + use<'l> {
    let bound = headroom_of(outline, load.index.is_some());
    let worst = |family: &Family| family.known_share().max(share_on_one(outline, family));
    let families = load.families.iter().enumerate().map(|(at, family)| (at, worst(family), family));
    let mut told: Vec<(usize, f64, &Family)> = families.filter(|(at, worst, _)| *at == 0 || *worst >= bound).collect();
    told.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
    told.into_iter().map(|(_, _, family)| family)
}

/// The kind of an index behind its name: ` GSI`.
fn kind(layout: &TableLayout, load: &KeyLoad) -> String {
    let index = load.index.as_deref().and_then(|index| layout.index(index));
    index.map(|index| format!(" {}", index.kind.short())).unwrap_or_default()
}

/// A key that nothing loads.
fn unused(layout: &TableLayout, load: &KeyLoad) -> Row {
    let none = || String::from("–");
    Row {
        key: format!("{}{}", code(&load.label), kind(layout, load)),
        value: none(),
        reads: none(),
        read_share: none(),
        writes: none(),
        write_share: none(),
        by: String::from("no pattern reads or writes by this key"),
        design: none(),
    }
}

fn row(
    outline: &Outline<'_>,
    patterns: &[Pattern<'_>],
    notes: &mut Footnotes,
    layout: &TableLayout,
    load: &KeyLoad,
    family: &Family,
) -> Row {
    let source = Source { layout, index: load.index.as_deref().and_then(|index| layout.index(index)) };
    let kind = kind(layout, load);
    let figures = [&family.reads, &family.writes];
    notes.add(figures);
    Row {
        key: format!("{}{kind}{}", code(&load.label), mark(figures)),
        value: code(&family.value),
        reads: number(&family.reads),
        read_share: show::part(&family.read_share()),
        writes: number(&family.writes),
        write_share: show::part(&family.write_share()),
        by: heaviest(patterns, family),
        design: design(outline, source, family),
    }
}

/// The pattern that makes most of the load, with its part of it.
fn heaviest(patterns: &[Pattern<'_>], family: &Family) -> String {
    let mut by_pattern: Vec<(Decl, &str, Figure, Figure)> = Vec::new();
    for load in &family.contributions {
        let known = by_pattern.iter_mut().find(|(decl, ..)| *decl == load.pattern_decl);
        match known {
            Some((_, _, reads, writes)) => {
                (*reads, *writes) = (reads.plus(&load.reads()), writes.plus(&load.writes()));
            }
            None => by_pattern.push((load.pattern_decl, &load.pattern, load.reads(), load.writes())),
        }
    }
    let weight = |reads: &Figure, writes: &Figure| reads.low() / READ_LIMIT + writes.low() / WRITE_LIMIT;
    // Of two that weigh the same the first in the order of the text.
    let mut most: Option<(Decl, &str, Figure, Figure)> = None;
    for one in by_pattern {
        if most.as_ref().is_none_or(|other| weight(&one.2, &one.3) > weight(&other.2, &other.3)) {
            most = Some(one);
        }
    }
    let Some((decl, name, reads, writes)) = most else { return String::from("–") };
    let name = patterns.iter().find(|pattern| pattern.decl == decl).map_or_else(|| inline(name), Pattern::reference);
    let units: Vec<String> = [(&reads, "read unit"), (&writes, "write unit")]
        .into_iter()
        .filter(|(units, _)| **units != Figure::ZERO)
        .map(|(units, what)| things(units, what))
        .collect();
    if units.is_empty() { name } else { format!("{name}: {}", units.join(", ")) }
}

/// What the design does about the load on a key's hottest value.
fn design(outline: &Outline<'_>, source: Source<'_>, family: &Family) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut add = |part: String| {
        if !parts.contains(&part) {
            parts.push(part);
        }
    };
    for part in family.contributions.iter().flat_map(shards) {
        add(part);
    }
    let even = even_of(outline, family);
    if !even.is_empty() {
        let even = match source.index {
            Some(_) => even_by_entity(outline, family),
            None => codes(even.iter().map(String::as_str)),
        };
        let most = if_on_one(outline, family).map_or_else(String::new, |most| format!(", {most}"));
        add(format!("{even} taken as even, no `@hottest` is declared: the load of the mean value{most}"));
    }
    add(nearness(outline, source, family));
    for (finding, allow) in silenced(outline.db, outline.root, source.layout.decl) {
        if LOAD.contains(&finding.rule.name) && is_of(outline, source, &finding) {
            let allow: Option<&AllowUse> = lowered(outline.db, allow.decl).facts.allows.get(allow.allow);
            if let Some(allow) = allow {
                add(accepted(allow));
            }
        }
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('.')).collect();
    parts.join("; ")
}

/// What one value takes where all that is taken as even meets there; `None` where that is
/// not known.
fn if_on_one(outline: &Outline<'_>, family: &Family) -> Option<String> {
    let loads: Vec<&Contribution> = family.contributions.iter().collect();
    let (reads, writes) = on_one_value(outline.db, outline.root, &loads)?;
    let units = [(&reads, "read unit"), (&writes, "write unit")];
    let units = units.into_iter().filter(|(units, _)| **units != Figure::ZERO && units.high().is_some());
    let units: Vec<String> = units.map(|(units, what)| things(units, what)).collect();
    (!units.is_empty()).then(|| format!("if all meet on one {}", units.join(" and ")))
}

/// Where a key stands in the list. The load of the mean value says least of what
/// transactions change, as a balance: all of them may touch one item. Of those the one
/// that would take most of its limit comes first; all others follow in the order of the
/// text.
fn rank(outline: &Outline<'_>, load: &KeyLoad) -> f64 {
    let of_form = |family: &Family| {
        let is_changed = family.contributions.iter().any(|load| is_in_transaction(outline.db, outline.root, load));
        if is_changed { share_on_one(outline, family) } else { 0.0 }
    };
    forms(outline, load).map(of_form).fold(0.0, f64::max)
}

/// The share of a limit that one value takes where all that is taken as even meets there;
/// 0 where nothing is.
fn share_on_one(outline: &Outline<'_>, family: &Family) -> f64 {
    let loads: Vec<&Contribution> = family.contributions.iter().collect();
    on_one_value(outline.db, outline.root, &loads)
        .map_or(0.0, |(reads, writes)| (reads.low() / READ_LIMIT).max(writes.low() / WRITE_LIMIT))
}

/// Whether a finding on a table is about this index of it, or about its own key: it
/// stands in the index, or at the value that an item has for its partition key.
fn is_of(outline: &Outline<'_>, source: Source<'_>, finding: &Finding) -> bool {
    let (FindingPlace::In(place), Some(def)) = (finding.place, table_def(outline.db, source.layout.decl)) else {
        return false;
    };
    let mut values = def.items.iter().flat_map(|item| &item.values);
    if let Some(value) = values.find(|value| value.range.contains(place.range)) {
        return source.partition().iter().any(|key| key.name == value.key.text);
    }
    let within = def.indexes.iter().find(|index| index.range.contains(place.range));
    let within = within.and_then(|index| index.name.as_ref()).map(|name| name.text.as_str());
    within == source.index.map(|index| index.name.text.as_str())
}

fn shards(load: &Contribution) -> impl Iterator<Item = String> + '_ {
    load.holes.iter().filter_map(|hole| match &hole.why {
        Why::Shard(n) => Some(format!("spread over {n} shards by {}", code(&hole.hole))),
        Why::UselessShard => {
            Some(format!("{} spreads nothing: it follows from what the key holds anyway", code(&hole.hole)))
        }
        _ => None,
    })
}

/// The holes of a table's keys and of those of its global indexes whose values are
/// taken to be met alike, since nothing says which is the most popular, and whose key
/// would be hot if all met on one value.
pub(in crate::deliverables) fn even_and_near(outline: &Outline<'_>, table: Decl) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for load in key_loads(outline.db, outline.root, table) {
        let bound = headroom_of(outline, load.index.is_some());
        for family in load.families.iter().filter(|family| share_on_one(outline, family) >= bound) {
            for hole in even_of(outline, family) {
                if !all.contains(&hole) {
                    all.push(hole);
                }
            }
        }
    }
    all
}

/// The share of a limit that a key is to stay below, as the rules have it.
pub(in crate::deliverables) fn headroom_of(outline: &Outline<'_>, index: bool) -> f64 {
    let rule = if index { &hot_index_key::RULE } else { &hot_partition_key::RULE };
    HEADROOM.value(outline.db, outline.root, rule)
}

/// How near the load comes to its limits, and whether DynamoDB can split it.
fn nearness(outline: &Outline<'_>, source: Source<'_>, family: &Family) -> String {
    let bound = headroom_of(outline, source.index.is_some());
    let shares = [family.read_share(), family.write_share()];
    let most = shares.iter().map(|share| share.high().unwrap_or(f64::INFINITY)).fold(0.0, f64::max);
    if most < bound {
        let below = format!("below {} of both limits", show::percent(bound));
        let ask = "`@hottest` would say whether there is something to do";
        let loads: Vec<&Contribution> = family.contributions.iter().collect();
        let meet = transactions_on_one(outline.db, outline.root, &loads).low();
        let often = transaction_contention::RATE.value(outline.db, outline.root, &transaction_contention::RULE);
        return match (share_on_one(outline, family) < bound, meet < often) {
            (true, true) => format!("nothing to do: {below}"),
            (false, true) => format!("{below} as far as it is even: {ask}"),
            (_, false) => format!(
                "{below} as far as it is even, but up to {} transactions a second may change one item, and from {} they \
                 get into each other's way (`{}`): {ask}",
                show::count(meet),
                show::count(often),
                transaction_contention::RULE.name
            ),
        };
    }
    let known = family.known_share();
    if !exceeds(known, 1.0) {
        return match known >= bound {
            true => String::from("near the limit"),
            false => String::from("not known whether it stays below the limits"),
        };
    }
    match unsplit(source, family) {
        Some(Unsplit::OneItem(entity)) => {
            format!("over the limit, and one {} item alone takes it: DynamoDB cannot split it", inline(&entity))
        }
        Some(Unsplit::LocalIndex(index)) => {
            format!("over the limit, and the local index {} keeps DynamoDB from splitting it", code(&index))
        }
        Some(Unsplit::Rising(entity)) => {
            format!("over the limit at the end of the sort key of {}, which only grows", inline(&entity))
        }
        None => {
            String::from("over the limit; DynamoDB can split the value by its sort key, after a time of throttling")
        }
    }
}
