//! What a read reads, in items, bytes and units (numbers Q1–Q10).

use super::Cx;
use super::classes::{by_class, on_average};
use super::sizes::{GIVEN, entry, item as item_size, share_factors_beside, share_factors_text};
use super::text::{self, Unit, add_new, below, blocks, code, computed, equation, number, operand, product};
use crate::capacity::classes::{CallClass, shares};
use crate::capacity::distinct::Reason;
use crate::capacity::facts::Facts;
use crate::capacity::figure::Figure;
use crate::capacity::limit::{bytes_of, fullest, limited, rest, returned};
use crate::capacity::reads::{KindRead, ReadKind, ReadNumbers};
use crate::capacity::select::{Factor, Selection, Start};
use crate::capacity::sizes::{Bound, Presence};
use crate::capacity::stock::KindStock;
use crate::capacity::units::{Consistency, PAGE, read, read_pages};
use crate::model::layout::{ItemLayout, Source};

/// The share of a value that more of the traffic goes to than to any other.
pub(super) const HOTTEST: &str = "the hottest value";

/// Which calls are meant.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Calls<'c> {
    /// All, on average.
    Average,
    /// Those for the hottest value of the partition key.
    Hottest,
    /// Those of one class.
    Class(&'c CallClass),
}

/// The items, bytes and units of one call of a read, `times` apart.
pub(super) fn lines(cx: Cx<'_>, source: Source<'_>, numbers: &ReadNumbers) -> Vec<String> {
    let mut lines = Vec::new();
    let kinds = kinds(source, numbers);
    if kinds.is_empty() {
        lines.push("No item: nothing that is stored there fits".to_owned());
    }
    if numbers.classes.is_empty() {
        lines.extend(items(cx, source, numbers, &kinds, Calls::Average));
    }
    for (of, own) in by_class(cx, source, numbers, &kinds) {
        lines.push(of);
        lines.extend(below(own));
    }
    lines.extend(on_average(numbers, &kinds));
    for (kind, item) in &kinds {
        let sizes = match numbers.how {
            ReadKind::Get => item_size(cx, item, Bound::Avg, Presence::Share),
            ReadKind::Query | ReadKind::Scan => entry(cx, source, item, Bound::Avg, Presence::Share),
        };
        add_new(&mut lines, sizes);
        if kind.fetched.is_some() {
            add_new(&mut lines, item_size(cx, item, Bound::Avg, Presence::Share));
        }
    }
    lines.extend(units(numbers, &kinds, Calls::Average));
    if numbers.hot_units != numbers.units {
        lines.push("For the hottest value of the partition key:".to_owned());
        lines.extend(below(items(cx, source, numbers, &kinds, Calls::Hottest)));
        lines.extend(below(units(numbers, &kinds, Calls::Hottest)));
    }
    lines
}

/// The kinds of items that a read meets, with their layouts.
fn kinds<'k>(source: Source<'k>, numbers: &'k ReadNumbers) -> Vec<(&'k KindRead, &'k ItemLayout)> {
    let layout = |kind: &KindRead| source.layout.items.iter().find(|item| item.entity == kind.entity);
    numbers.kinds.iter().filter_map(|kind| Some((kind, layout(kind)?))).collect()
}

/// How many items there are to read, and how many of them are read.
pub(super) fn items(
    cx: Cx<'_>,
    source: Source<'_>,
    numbers: &ReadNumbers,
    kinds: &[(&KindRead, &ItemLayout)],
    calls: Calls<'_>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, (kind, item)) in kinds.iter().enumerate() {
        match &kind.selection {
            Some(selection) => lines.extend(selected(cx, source, item, selection, (calls, at))),
            None if numbers.how == ReadKind::Scan => lines.push(members(cx, source, item, &kind.there)),
            None => {}
        }
    }
    let there: Vec<Figure> = kinds
        .iter()
        .enumerate()
        .map(|(at, (kind, _))| match (&kind.selection, calls) {
            (Some(selection), Calls::Hottest) => selection.hot.clone(),
            (_, Calls::Class(class)) => class.there[at].clone(),
            _ => kind.there.clone(),
        })
        .collect();
    let after = returned(&there, numbers.returning);
    if let Some(returning) = numbers.returning {
        lines.extend(returning_lines(kinds, &there, &after, returning));
    }
    if let Some(limit) = numbers.limit {
        lines.extend(limit_lines(kinds, &after, limit, numbers.mixed));
    }
    lines
}

/// All items of a kind in a table or index.
pub(super) fn members(cx: Cx<'_>, source: Source<'_>, item: &ItemLayout, there: &Figure) -> String {
    let count = crate::capacity::sizes::count(&cx.facts, item);
    let share = share_factors_text(cx, source, item, |_| None);
    let all = format!("{} (`count`){share}", operand(&count, Unit::Number));
    format!("`{}`: {}", item.entity, if share.is_empty() { all } else { equation(&all, there, Unit::Of("item")) })
}

/// How many items of a kind share a value of the partition key, on average and at
/// most.
pub fn collection(cx: Cx<'_>, source: Source<'_>, item: &ItemLayout, kind: &KindStock) -> Vec<String> {
    let mut lines = selected(cx, source, item, &kind.collection, (Calls::Average, 0));
    if kind.most != kind.collection.hot {
        lines.push(format!(
            "`{}`, for one value: {} at most (`children max`)",
            item.entity,
            operand(&kind.most, Unit::Number)
        ));
    } else if kind.collection.hot != kind.collection.mean {
        lines.push("For the hottest value:".to_owned());
        lines.extend(below(selected(cx, source, item, &kind.collection, (Calls::Hottest, 0))));
    }
    lines
}

/// How many items of a kind the condition selects.
fn selected(
    cx: Cx<'_>,
    source: Source<'_>,
    item: &ItemLayout,
    selection: &Selection,
    (calls, kind): (Calls<'_>, usize),
) -> Vec<String> {
    let name = format!("`{}`", item.entity);
    let counted = match calls {
        Calls::Average => &selection.mean,
        Calls::Hottest => &selection.hot,
        Calls::Class(class) => &class.there[kind],
    };
    let mut lines = Vec::new();
    let start = match &selection.start {
        Start::PrimaryKey => return vec![format!("{name}: 1 item, for the whole primary key is given")],
        Start::Identity(attributes) => {
            let given = |name: &str| attributes.iter().any(|attribute| attribute == name).then_some((1.0, GIVEN));
            let share = share_factors_text(cx, source, item, given);
            let which: Vec<String> = attributes.iter().map(|attribute| format!("`{attribute}`")).collect();
            let one = product("1".to_owned(), &share, counted, Unit::Of("item"));
            return vec![format!("{name}, identified by {}: {one}", which.join(" and "))];
        }
        Start::Children { parent, attribute, .. } => {
            let linked = item.entity_decl.map(|decl| cx.facts.linked(decl));
            let children = linked.and_then(|linked| linked.children(parent, &item.entity, Some(attribute)));
            let avg = children.and_then(|children| children.avg).unwrap_or_default();
            format!("{} (for each `{parent}`, by their relationship)", number(avg))
        }
        Start::Members => {
            let count = crate::capacity::sizes::count(&cx.facts, item);
            format!("{} (`count`)", operand(&count, Unit::Number))
        }
    };
    let share = match &selection.start {
        Start::Children { attribute, own: true, .. } => share_factors_beside(cx, source, item, attribute),
        _ => share_factors_text(cx, source, item, |_| None),
    };
    let factors: String = selection
        .factors
        .iter()
        .map(|factor| {
            if let Some(weighted) = weighted(factor).filter(|_| calls == Calls::Average) {
                return format!(" × {weighted}");
            }
            if let Calls::Class(class) = calls
                && let Some(shares) = shares(factor)
            {
                let is_hottest = class.hottest[kind].contains(&factor.hole);
                let (which, whose) = if is_hottest { (0, HOTTEST) } else { (1, "each other value") };
                return format!(" × {} ({}: {whose})", operand(&shares[which].1, Unit::Percent), code(&factor.hole));
            }
            let share = if calls == Calls::Hottest { &factor.spread.hot } else { &factor.spread.mean };
            let uneven = if calls == Calls::Hottest { HOTTEST } else { "weighted by traffic" };
            format!(" {}", by_share(&factor.hole, share, &factor.values, &factor.reason, uneven))
        })
        .collect();
    lines.push(match share.is_empty() && factors.is_empty() {
        true => format!("{name}: {start}"),
        false => format!("{name}: {}", equation(&format!("{start}{share}{factors}"), counted, Unit::Of("item"))),
    });
    lines
}

/// The share of the items that calls meet on average where one value is the hottest: that
/// of each value, weighted by its share of the traffic.
fn weighted(factor: &Factor) -> Option<String> {
    let (hottest, values) = (factor.hottest?, factor.values.value()?);
    let h = hottest.max(1.0 / values);
    let mean = h * h + (1.0 - h) * (1.0 - h) / (values - 1.0);
    factor.spread.mean.value().filter(|own| values > 1.0 && *own != 1.0 / values && (own - mean).abs() < 1e-12)?;
    let [h, rest] = [h, 1.0 - h].map(|share| operand(&Figure::known(share), Unit::Percent));
    let others = format!("({} − 1)", number(values));
    let hole = code(&factor.hole);
    Some(format!("({h} × {h} + {rest} × {rest} ÷ {others}) ({hole}: weighted by traffic, `@hottest` and the others)"))
}

/// How the number of items that a call reads on average comes about, in one line, where it
/// is weighted by traffic; `None` where it is not.
pub fn weighted_items(cx: Cx<'_>, source: Source<'_>, numbers: &ReadNumbers) -> Option<String> {
    let kinds = kinds(source, numbers);
    let factors = kinds.iter().filter_map(|(kind, _)| kind.selection.as_ref()).flat_map(|chosen| &chosen.factors);
    factors.into_iter().find_map(weighted)?;
    if !numbers.classes.is_empty() {
        let classes = by_class(cx, source, numbers, &kinds).into_iter();
        let classes = classes.map(|(of, own)| format!("{} {}", of.replacen("For ", "for ", 1), own.join("; ")));
        return Some(classes.chain(on_average(numbers, &kinds)).collect::<Vec<_>>().join("; "));
    }
    let mut lines = items(cx, source, numbers, &kinds, Calls::Average);
    let (of_call, _) = numbers.call();
    if let [(kind, _)] = kinds.as_slice()
        && numbers.pages == Some(1.0)
        && numbers.bytes.low() > PAGE
    {
        let quotient = format!("{} ÷ {}", number(PAGE), operand(&kind.each, Unit::Number));
        lines.push(format!("a page is at most 1 MB: {}", equation(&quotient, &of_call, Unit::Of("item"))));
    }
    Some(lines.join("; "))
}

/// `÷ 2,000,000 (…)` where a share is one of so many values, else `× 20% (…)`.
///
/// `uneven` says what share it is where the values are not alike.
pub(super) fn by_share(hole: &str, share: &Figure, values: &Figure, reason: &Reason, uneven: &str) -> String {
    let (why, hole) = (why(reason), code(hole));
    if let Reason::Beginning(Some((fitting, names))) = reason {
        return format!("× {fitting} ÷ {names} ({hole}: {why})");
    }
    let even = values.value().zip(share.value()).filter(|(values, share)| (share * values - 1.0).abs() < 1e-9);
    match (even, reason) {
        (Some((values, _)), Reason::Own { present: Some(present), .. }) if *present > 0.0 && values > 1.0 => {
            let share = operand(&Figure::known(*present), Unit::Percent);
            format!("÷ ({} × {share}) ({hole}: {why})", number(values / present))
        }
        (Some((values, _)), _) => format!("÷ {} ({hole}: {why})", number(values)),
        (None, Reason::SameShard) => format!("× {} ({hole}: {why})", operand(share, Unit::Percent)),
        (None, _) if share.value().is_some() => {
            format!("× {} ({hole}: {uneven})", operand(share, Unit::Percent))
        }
        (None, _) => format!("× {} ({hole}: {why})", operand(share, Unit::Percent)),
    }
}

pub(super) fn why(reason: &Reason) -> String {
    match reason {
        Reason::Declared => "`@distinct`".to_owned(),
        Reason::Own { entity, present: None } => format!("one for each `{entity}`"),
        Reason::Own { entity, present: Some(_) } => format!("one for each `{entity}` that has it"),
        Reason::Of(entity) => format!("one for each `{entity}`"),
        Reason::Names => "the names of the enum".to_owned(),
        Reason::Boolean => "true and false".to_owned(),
        Reason::Shards(_) => "shards".to_owned(),
        Reason::SameShard => "the shard follows from what the key holds anyway".to_owned(),
        Reason::Beginning(Some(_)) => "the names that begin so".to_owned(),
        Reason::Beginning(None) => "only the beginning is given".to_owned(),
        Reason::Undeclared => "nothing says how many values there are".to_owned(),
    }
}

fn returning_lines(
    kinds: &[(&KindRead, &ItemLayout)],
    there: &[Figure],
    after: &[Figure],
    returning: f64,
) -> Vec<String> {
    let say = number(returning);
    let total: Figure = there.iter().sum();
    let each = kinds.iter().zip(there).zip(after).map(|(((kind, _), there), after)| {
        let expression = match (kinds.len(), total.value().filter(|total| *total > 0.0)) {
            (1, _) => return format!("`{}`: {} (`returning`)", kind.entity, operand(after, Unit::Of("item"))),
            (_, Some(total)) => format!("{} × {say} ÷ {}", operand(there, Unit::Number), number(total)),
            (_, None) => {
                return format!("`{}`, a part of `returning` {say}: {}", kind.entity, operand(after, Unit::Of("item")));
            }
        };
        format!("`{}`, of `returning` {say}: {}", kind.entity, equation(&expression, after, Unit::Of("item")))
    });
    each.collect()
}

fn limit_lines(kinds: &[(&KindRead, &ItemLayout)], there: &[Figure], limit: f64, mixed: bool) -> Vec<String> {
    let taken = limited(there, limit, mixed);
    let total: Figure = there.iter().sum();
    let say = number(limit);
    let mut before = Figure::ZERO;
    let mut lines = Vec::new();
    for (((kind, _), there), taken) in kinds.iter().zip(there).zip(&taken) {
        let own = operand(there, Unit::Number);
        let left = rest(limit, &before);
        let expression = match (mixed, total.value()) {
            (true, Some(total)) if total > limit && kinds.len() > 1 => format!("{own} × {say} ÷ {}", number(total)),
            (true, Some(_)) => format!("min({own}, {say})"),
            (true, None) if kinds.len() == 1 => format!("min({own}, {say})"),
            (true, None) => {
                let amount = operand(taken, Unit::Of("item"));
                lines.push(format!("`{}`, a part of `limit` {say}: {amount}", kind.entity));
                continue;
            }
            (false, _) if before == Figure::ZERO => format!("min({own}, {say})"),
            (false, _) => match before.value().filter(|before| *before <= limit) {
                Some(before) => format!("min({own}, {say} − {})", number(before)),
                None => format!("min({own}, {})", operand(&left, Unit::Number)),
            },
        };
        lines.push(format!(
            "`{}`, within `limit` {say}: {}",
            kind.entity,
            equation(&expression, taken, Unit::Of("item"))
        ));
        before = before.plus(there);
    }
    lines
}

/// Bytes and units of a call.
fn units(numbers: &ReadNumbers, kinds: &[(&KindRead, &ItemLayout)], calls: Calls<'_>) -> Vec<String> {
    let hottest = calls == Calls::Hottest;
    let taken = |kind: &KindRead| if hottest { kind.hot_taken.clone() } else { kind.taken.clone() };
    let most = numbers.limit.or(numbers.returning);
    let hot_bytes = bytes_of(numbers.kinds.iter().map(|kind| (&kind.hot_taken, &kind.each)), most);
    let (bytes, units) = match hottest {
        true => (&hot_bytes, &numbers.hot_units),
        false => (&numbers.bytes, &numbers.units),
    };
    let mut lines = Vec::new();
    let sum: Figure = kinds.iter().map(|(kind, _)| taken(kind).times(&kind.each)).sum();
    let one = matches!(kinds, [(kind, _)] if taken(kind).value() == Some(1.0));
    if !one && !kinds.is_empty() {
        let term = |(kind, _): &(&KindRead, _)| {
            let text = format!("{} × {}", operand(&taken(kind), Unit::Number), operand(&kind.each, Unit::Number));
            (text, taken(kind).times(&kind.each))
        };
        let terms = text::sum(kinds.iter().map(term).collect());
        lines.push(format!("Together: {}", equation(&terms, &sum, Unit::Bytes)));
    }
    if (sum.low(), sum.high()) != (bytes.low(), bytes.high())
        && let Some(most) = most
    {
        let all: Vec<(Figure, &Figure)> = kinds.iter().map(|(kind, _)| (taken(kind), &kind.each)).collect();
        let full = fullest(all.iter().map(|(taken, each)| (taken, *each)), most);
        let terms: Vec<String> =
            full.into_iter().map(|(count, each)| format!("{} × {}", number(count), number(each))).collect();
        let least = format!("min({}, {})", operand(&sum, Unit::Number), terms.join(" + "));
        let least = equation(&least, bytes, Unit::Bytes);
        lines.push(format!("No more than {} in all, the largest first: {least}", number(most)));
    }
    let read_units = reading(numbers, bytes, &mut lines);
    let mut parts = vec![operand(&read_units, Unit::Number)];
    for (kind, _) in kinds {
        let Some(whole) = &kind.fetched else { continue };
        let (count, pages) = (taken(kind), numbers.pages);
        let each = whole.map(|bytes| read(bytes, numbers.consistency));
        let own = count.times(&each).scaled(pages.unwrap_or(1.0));
        let units_begun = whole.map(|bytes| read(bytes, Consistency::Strong));
        let rate = factor(numbers.consistency);
        let one = format!("{} → {} {rate}", operand(whole, Unit::Bytes), blocks(&units_begun, "4 KB"));
        let one = equation(&one, &each, Unit::Of("read unit"));
        lines.push(format!("Fetched from the table, one `{}`: {one}", kind.entity));
        let pages = pages.map(|pages| format!(" × {} (`pages`)", number(pages))).unwrap_or_default();
        let product = format!("{} × {}{pages}", operand(&count, Unit::Number), operand(&each, Unit::Number));
        lines.push(format!("All `{}` fetched: {}", kind.entity, equation(&product, &own, Unit::Of("read unit"))));
        parts.push(operand(&own, Unit::Number));
    }
    if parts.len() > 1 {
        lines.push(format!("Read and fetched: {}", equation(&parts.join(" + "), units, Unit::Of("read unit"))));
    }
    lines
}

/// Units of what is read, fetches apart.
fn reading(numbers: &ReadNumbers, bytes: &Figure, lines: &mut Vec<String>) -> Figure {
    let consistency = numbers.consistency;
    let mut of_page = bytes.clone();
    if numbers.pages.is_some() {
        of_page = bytes.min(&Figure::known(PAGE));
        if (of_page.low(), of_page.high()) != (bytes.low(), bytes.high()) {
            let least = format!("min({}, {})", operand(bytes, Unit::Number), number(PAGE));
            lines.push(format!("A page is at most 1 MB: {}", equation(&least, &of_page, Unit::Bytes)));
        }
    }
    let units_begun = of_page.map(|bytes| read_pages(bytes, Consistency::Strong));
    let units = units_begun.scaled(consistency.factor()).scaled(numbers.pages.unwrap_or(1.0));
    let pages = numbers.pages.map(|pages| format!(" × {} (`pages`)", number(pages))).unwrap_or_default();
    let several = bytes.low() > PAGE && numbers.pages.is_none();
    let remark = if several { " (1 MB a page, each rounded up)" } else { "" };
    let (begun, factor) = (blocks(&units_begun, "4 KB"), factor(consistency));
    let product = format!("{} → {begun}{remark} {factor}{pages}", operand(&of_page, Unit::Bytes));
    lines.push(format!("Units: {}{}", equation(&product, &units, Unit::Of("read unit")), computed(&units)));
    units
}

/// `× 0.5 (eventually consistent)`.
fn factor(consistency: Consistency) -> String {
    let words = match consistency {
        Consistency::Eventual => "eventually consistent",
        Consistency::Strong => "consistent",
        Consistency::Transactional => "in a transaction",
    };
    format!("× {} ({words})", number(consistency.factor()))
}
