//! A query that also reads items of an entity that nobody asked for.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::{joined, listed};
use super::rule::{Group, Rule};
use super::{prefix_collision, priced};
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{StepNumbers, Work};
use crate::capacity::reads::{KindRead, ReadNumbers, StepInput, query};
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::key_condition::{conjuncts, is_sound};
use crate::model::layout::{ItemLayout, Source};
use crate::model::lower::decl_name;
use crate::model::unify::{Meet, Piece, meet};
use crate::syntax::TextRange;
use crate::syntax::strings::{quote_name, quote_string};

pub static RULE: Rule = Rule {
    name: "over-read",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a query reads items of an entity that its `reads` does not list",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let reads = pattern.requirements.iter().filter(|requirement| !requirement.writes);
    let wanted: Vec<&str> = reads.flat_map(|reads| &reads.uses).map(|used| used.entity.text.as_str()).collect();
    // Without `reads` nothing is claimed; what is listed may stand where the text
    // cannot be read.
    if wanted.is_empty() || cx.is_broken() {
        return;
    }
    for step in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        let Some(source) = step.source.filter(|source| is_sound(*source, conditions)) else { continue };
        if step.operation.group.is_some() || prefix_collision::speaks(cx, pattern, step) {
            continue;
        }
        let Some(numbers) = priced::numbers(cx, cx.decl, step) else { continue };
        let Work::Read(read) = &numbers.work else { continue };
        let is_wanted = |entity: &str| {
            let item = source.layout.items.iter().find(|item| item.entity == entity);
            item.is_none_or(|item| wanted.iter().any(|wanted| item.holds(wanted)))
        };
        // What a limit may take in or leave out is not certain.
        let unwanted: Vec<&KindRead> =
            read.kinds.iter().filter(|kind| !is_wanted(&kind.entity) && kind.taken.low() > 0.0).collect();
        if !unwanted.is_empty() {
            let kept: Vec<&ItemLayout> = source
                .items()
                .filter(|item| step.resolved.reached.contains(&item.entity) && is_wanted(&item.entity))
                .collect();
            report(cx, pattern, step, source, (numbers, read), &unwanted, &kept);
        }
    }
}

fn report(
    cx: &mut Cx<'_>,
    pattern: &PatternDef,
    step: StepCx<'_>,
    source: Source<'_>,
    (numbers, read): (&StepNumbers, &ReadNumbers),
    unwanted: &[&KindRead],
    kept: &[&ItemLayout],
) {
    let OpDef::Query { conditions: Some(conditions), options, .. } = &step.step.op else { return };
    let name = decl_name(cx.db, cx.decl).as_deref().unwrap_or("?");
    let facts = Declared { db: cx.db, root: cx.root };
    let group = step.operation.group.as_ref();
    let input = StepInput { db: cx.db, facts: &facts, pattern, pattern_name: name, group, source };
    let (now, then) = (&numbers.read_units(), query(&input, kept, Some(conditions), options));
    let fewer = fewer(read, &then, unwanted);
    let then = then.units.scaled(numbers.times);
    let items: Vec<String> = unwanted
        .iter()
        .map(|kind| {
            let taken = read.of_kind(kind).scaled(numbers.times);
            let items = show::figure(&taken, |items| show::count_of(items, "item"));
            let bytes = taken.times(&kind.each);
            let bytes = bytes.value().map(|bytes| format!(" ({})", show::bytes(bytes))).unwrap_or_default();
            format!("{items} of `{}`{bytes}", kind.entity)
        })
        .collect();
    let entities: Vec<&str> = unwanted.iter().map(|kind| kind.entity.as_str()).collect();
    let cost = cost(cx, source, now, &then, read.limit.zip(fewer));
    let fix = condition(cx, source, conditions, read, kept);
    let advice = match &fix {
        Some((written, _)) => format!("ask for `{written}`"),
        None if source.sort().is_empty() => "keep them under another partition value".to_owned(),
        None => "ask by a condition on the sort key, or by a query for each entity".to_owned(),
    };
    let message = format!(
        "each call also reads {}, which `reads` does not list{cost}; {advice}, or list {} in `reads` if {} meant",
        joined(&items),
        listed(&entities),
        if entities.len() == 1 { "it is" } else { "they are" },
    );
    let places: Vec<(Place, String)> = source
        .items()
        .filter(|item| entities.contains(&item.entity.as_str()))
        .map(|item| {
            (Place { decl: source.layout.decl, range: item.range }, format!("`{}` is read as well", item.entity))
        })
        .collect();
    // What nobody declares would be one more name that is none.
    let all_known = entities.iter().all(|entity| cx.names().entity(entity).is_some());
    let list = add_to_reads(cx, pattern, &entities).filter(|_| all_known);
    let finding = cx.report(step.step.range, message);
    for (place, what) in places {
        finding.relate(place, what);
    }
    if let Some((written, edit)) = fix {
        let change = priced::units_change(now, &then, "read unit").map(|change| format!(": {change} a call"));
        finding.fix(format!("Ask for `{written}`{}", change.unwrap_or_default()), vec![edit]);
    }
    if let Some(edit) = list {
        finding.suggest(format!("List {} in `reads`", listed(&entities)), vec![edit]);
    }
}

/// What of the units goes to them, and what that costs.
fn cost(cx: &Cx<'_>, source: Source<'_>, now: &Figure, then: &Figure, fewer: Option<(f64, f64)>) -> String {
    let short = fewer.map(|(limit, fewer)| {
        let fewer = show::count_of(fewer, "item");
        format!(
            "; they count for the limit, so that a page of {} holds {fewer} fewer of what was asked",
            show::count(limit)
        )
    });
    let short = short.unwrap_or_default();
    let (Some(all), Some(rest)) = (now.value(), then.value()) else { return short };
    let more = all - rest;
    if more <= 1e-6 {
        let apart = "and every caller has to tell them apart, and pays for them as soon as they fill another read unit";
        return if short.is_empty() { format!(", {apart}") } else { short };
    }
    let price = priced::calls(cx.db, cx.root, cx.decl, source.layout.decl, &Figure::known(more), &Figure::ZERO);
    let price = if price.is_empty() { price } else { format!(", {price}") };
    format!(": {} of its {}{price}{short}", show::count(more), show::count_of(all, "read unit"))
}

/// How many fewer of the wanted items a page has for the others on it, where some
/// certainly would be.
fn fewer(read: &ReadNumbers, then: &ReadNumbers, unwanted: &[&KindRead]) -> Option<f64> {
    let is_wanted = |kind: &&KindRead| !unwanted.iter().any(|other| other.entity == kind.entity);
    let now: Figure = read.kinds.iter().filter(is_wanted).map(|kind| &kind.taken).sum();
    let fewer = then.items.value()? - now.value()?;
    (fewer > 1e-6).then_some(fewer)
}

/// A condition on the sort key that keeps the wanted items and leaves the others
/// unread, as it is written, with the edit that adds it: the value that the wanted
/// items have, or the text that they and no others begin with.
fn condition(
    cx: &Cx<'_>,
    source: Source<'_>,
    conditions: &ConditionsDef,
    read: &ReadNumbers,
    kept: &[&ItemLayout],
) -> Option<(String, Edit)> {
    let key = source.sort().first()?;
    // A condition that is there would be a second one on the key.
    if conjuncts(conditions).iter().any(|c| source.sort().iter().any(|key| key.name == c.attribute.text)) {
        return None;
    }
    let value = |item: &ItemLayout| item.keys.get(&key.name).map(|source| source.value.clone());
    let others = read.kinds.iter().filter_map(|kind| {
        let item = source.items().find(|item| item.entity == kind.entity)?;
        (!kept.iter().any(|kept| kept.entity == item.entity)).then_some(item)
    });
    let others: Vec<_> = others.filter_map(value).collect();
    let first = value(kept.first()?)?;
    let keeps_out = |text: &str, how: Meet| {
        let asked = [Piece::Text(text.to_owned())];
        !others.iter().any(|other| meet(&asked, &other.pieces(), how))
    };
    let all_alike = |is: &dyn Fn(&str) -> bool, of: &dyn Fn(&ItemLayout) -> Option<String>| {
        kept.iter().all(|item| of(item).is_some_and(|text| is(&text)))
    };
    let literal = |item: &ItemLayout| value(item).and_then(|value| value.as_literal().map(str::to_owned));
    let leading = |item: &ItemLayout| value(item).map(|value| value.leading_literal().to_owned());
    let written = match first.as_literal() {
        Some(text) if all_alike(&|own| own == text, &literal) => {
            keeps_out(text, Meet::Whole).then(|| format!("{} = {}", quote_name(&key.name), template(text)))?
        }
        _ => {
            let text = first.leading_literal();
            // A prefix that ends inside a word may catch what comes later.
            let ends = text.ends_with(|c: char| !c.is_alphanumeric() && c != '_');
            let fits = ends && all_alike(&|own| own.starts_with(text), &leading) && keeps_out(text, Meet::Prefix);
            fits.then(|| format!("{} begins_with {}", quote_name(&key.name), template(text)))?
        }
    };
    let place = cx.place(TextRange::empty(conditions.range.end as usize));
    let edit = Edit::Replace { place, text: format!(" and {written}") };
    Some((written, edit))
}

/// Text as a key template that is just it.
fn template(text: &str) -> String {
    quote_string(&text.replace('{', "{{").replace('}', "}}"))
}

/// Lists entities behind those that `reads` lists.
fn add_to_reads(cx: &Cx<'_>, pattern: &PatternDef, entities: &[&str]) -> Option<Edit> {
    let reads = pattern.requirements.iter().find(|requirement| !requirement.writes)?;
    let place = cx.place(TextRange::empty(reads.uses.last()?.range.end as usize));
    let names: String = entities.iter().map(|entity| format!(", {}", quote_name(entity))).collect();
    Some(Edit::Replace { place, text: names })
}
