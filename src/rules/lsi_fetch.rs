//! A read of a local index for an attribute that it does not project.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::fixes::listed;
use super::priced::{self, calls, units_change};
use super::projection::{Lacking, Missing, include, lacking, projection_of};
use super::rule::{Group, Rule};
use crate::capacity::figure::{Figure, list};
use crate::capacity::operations::{Work, pattern_numbers};
use crate::capacity::projected::{Widened, widened};
use crate::capacity::show;
use crate::model::defs::*;

pub static RULE: Rule = Rule {
    name: "lsi-fetch",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "a pattern reads from a local index an attribute that the index does not project, fetched item by item",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    for lacking in lacking(cx, pattern, IndexKind::Local) {
        let is_query = matches!(lacking.step.step.op, OpDef::Query { .. });
        let of = |wanted: fn(&&Missing<'_>) -> bool| lacking.missing.iter().filter(wanted).collect::<Vec<_>>();
        let (returned, tested) = (of(|missing| missing.returned), of(|missing| missing.tested));
        match (returned.as_slice(), tested.as_slice()) {
            // What is refused fetches nothing.
            (_, tested @ [_, ..]) if is_query => report(cx, &lacking, tested, &Why::Refused),
            ([], tested) => report(cx, &lacking, tested, &Why::Absent),
            // Every attribute that is returned makes the same fetch of the whole item.
            (returned, _) => {
                let fetches = what_it_costs(cx, &lacking);
                report(cx, &lacking, returned, &Why::Fetched(fetches));
            }
        }
    }
}

/// What comes of what is missing.
enum Why {
    /// What is fetched, and what it costs.
    Fetched(String),
    /// A query is refused whose filter tests it.
    Refused,
    /// The filter of a scan does not find it.
    Absent,
}

/// Reports what is missing.
fn report(cx: &mut Cx<'_>, Lacking { step, source, missing: all }: &Lacking<'_>, missing: &[&Missing<'_>], why: &Why) {
    let Some(index) = source.index else { return };
    let attributes: Vec<&str> = missing.iter().map(|missing| missing.attribute).collect();
    let (names, label) = (listed(&attributes), source.label());
    let it = if attributes.len() == 1 { "it" } else { "them" };
    let message = match why {
        Why::Fetched(fetches) => format!(
            "`{label}` does not project {names}, and DynamoDB fetches the whole item from the table for each that it \
             reads there: {fetches}; include {it} in the index, or query the table"
        ),
        Why::Refused => format!(
            "the filter tests {names}, which `{label}` does not project, and DynamoDB refuses a query that filters by \
             what its index does not hold: it fetches from the table what is returned, not what is tested; include \
             {it} in the index, or query the table"
        ),
        Why::Absent => format!(
            "the filter tests {names}, which `{label}` does not project: in a scan of the index no item has {it}, \
             whatever the table holds; include {it} in the index, or scan the table"
        ),
    };
    let first = missing.iter().filter_map(|missing| missing.in_step).min_by_key(|range| range.start);
    let range = first.unwrap_or(step.step.range);
    // A fix that leaves an attribute out would leave the fetch.
    let every: Vec<&str> = all.iter().map(|missing| missing.attribute).collect();
    let projection = projection_of(cx, *source);
    let edit = projection.and_then(|projection| include(source.layout.decl, projection, &every));
    let change = widened(cx.db, cx.root, (cx.decl, step), *source, &every);
    let title = format!(
        "Include {} in `{}`{}",
        listed(&every),
        index.name.text,
        change.map_or(String::new(), |change| what_changes(&change))
    );
    let elsewhere: Vec<(Place, &str)> = missing
        .iter()
        .flat_map(|m| m.in_step.iter().chain(&m.elsewhere).map(|place| (*place, m.attribute)))
        .filter(|(place, _)| *place != range)
        .map(|(place, attribute)| (cx.place(place), attribute))
        .collect();
    let finding = cx.report(range, message);
    if let Some(projection) = projection {
        let place = Place { decl: source.layout.decl, range: projection.range };
        finding.relate(place, "what the index projects");
    }
    for (place, attribute) in elsewhere {
        finding.relate(place, format!("`{attribute}` is asked for here"));
    }
    if let Some(edit) = edit {
        finding.suggest(title, vec![edit]);
    }
}

/// How many items are fetched, in how many units, at which price (Q10).
fn what_it_costs(cx: &Cx<'_>, Lacking { step, source, .. }: &Lacking<'_>) -> String {
    let unknown = |missing: String| match missing.as_str() {
        "" => "at 1 read unit for each 4 KB of it".to_owned(),
        missing => format!("at 1 read unit for each 4 KB of it, and how many that are needs {missing}"),
    };
    let numbers = pattern_numbers(cx.db, cx.root, cx.decl).as_ref().map_or(&[][..], |numbers| &numbers.steps);
    let own = (step.resolved.operation, step.resolved.step);
    let numbers = numbers.iter().find(|numbers| (numbers.operation, numbers.step) == own);
    let Some((Work::Read(read), times)) = numbers.map(|numbers| (&numbers.work, numbers.times)) else {
        return unknown(String::new());
    };
    let Some(fetch) = read.fetch.as_ref().map(|fetch| fetch.scaled(times)) else { return unknown(String::new()) };
    let fetched = read.kinds.iter().filter(|kind| kind.fetched.is_some()).map(|kind| &kind.taken);
    let items = fetched.sum::<Figure>().scaled(read.pages.unwrap_or(1.0) * times);
    let (Some(units), Some(items)) = (fetch.value(), items.value()) else {
        return match fetch.high() {
            Some(most) => format!("up to {} a call", show::count_of(most, "read unit")),
            None => unknown(list(fetch.missing())),
        };
    };
    format!(
        "{} and {} a call besides those of the index{}, {}",
        show::count_of(items, "item"),
        show::count_of(units, "read unit"),
        fetch.computed_note(),
        calls(cx.db, cx.root, cx.decl, source.layout.decl, &fetch, &Figure::ZERO)
    )
}

/// What the fix changes, where it is known: ": −20 read units a call, −$41 a
/// month".
fn what_changes(change: &Widened) -> String {
    let (now, then) = &change.read_units;
    let units = units_change(now, then, "read unit").map(|units| format!("{units} a call"));
    let dollars = change.monthly.as_ref().and_then(|(now, then)| priced::change(now, then));
    let parts: Vec<String> = units.into_iter().chain(dollars).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}
