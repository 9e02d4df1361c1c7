//! A prefix that stops inside a literal and so catches other entities too.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use super::separators::{in_template, is_word, word_end};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::{operand_value, rest_of_literal};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "prefix-collision",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `begins_with` also catches an entity because its operand stops inside that entity's literal",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// An entity that the condition catches.
struct Caught<'l> {
    item: &'l ItemLayout,
    /// What follows in its literal where the operand stops in or behind one.
    rest: Option<String>,
}

/// Entities that were hardly meant, and what would keep them out. One finding: the
/// prefix is the one cause.
struct Offence<'c, 'l> {
    caught: Vec<&'c Caught<'l>>,
    /// Empty where any of those caught may be the one that is meant.
    meant: Vec<&'c Caught<'l>>,
    /// Endings of the prefix that keep what is meant and not the others.
    endings: Vec<String>,
}

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let wanted = wanted(pattern);
    for step in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        let Some(source) = step.source else { continue };
        for comparison in prefixes(source, conditions) {
            report(cx, step, source, comparison, &wanted);
        }
    }
}

/// Whether the rule speaks about a step of a pattern.
pub(super) fn speaks(cx: &Cx<'_>, pattern: &PatternDef, step: StepCx<'_>) -> bool {
    let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { return false };
    let (Some(source), wanted) = (step.source, wanted(pattern)) else { return false };
    prefixes(source, conditions).any(|comparison| {
        let caught = caught(cx, step, source, comparison);
        if wanted.is_empty() { by_words(text_of(comparison), &caught) } else { by_reads(&wanted, &caught) }.is_some()
    })
}

/// The entities that the pattern says it reads.
fn wanted(pattern: &PatternDef) -> Vec<&str> {
    let reads = pattern.requirements.iter().filter(|requirement| !requirement.writes);
    reads.flat_map(|r| &r.uses).map(|used| used.entity.text.as_str()).collect()
}

/// The prefixes that a condition asks of a sort key.
fn prefixes<'c>(source: Source<'_>, conditions: &'c ConditionsDef) -> impl Iterator<Item = &'c Comparison> {
    let is_sort_key = move |name: &str| source.sort().iter().any(|key| key.name == name);
    let all = conjuncts(conditions).into_iter();
    all.filter(move |c| c.operator == Operator::BeginsWith && is_sort_key(&c.attribute.text))
}

/// The text of a prefix.
fn text_of(comparison: &Comparison) -> &str {
    match comparison.operands.first() {
        Some(OperandDef::String { value, .. }) => value,
        _ => "",
    }
}

/// The entities that a prefix catches, with what follows in their literals.
fn caught<'l>(cx: &Cx<'_>, step: StepCx<'_>, source: Source<'l>, comparison: &Comparison) -> Vec<Caught<'l>> {
    let Some(operand @ OperandDef::String { .. }) = comparison.operands.first() else { return Vec::new() };
    let reached = source.items().filter(|item| step.resolved.reached.contains(&item.entity));
    let caught = reached.filter_map(|item| {
        let stored = &item.keys.get(&comparison.attribute.text)?.value;
        let rest = rest_of_literal(&operand_value(cx.db, source.layout, item, operand), stored);
        Some(Caught { item, rest })
    });
    caught.collect()
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>, source: Source<'_>, comparison: &Comparison, wanted: &[&str]) {
    let Some(OperandDef::String { value, range, .. }) = comparison.operands.first() else { return };
    let key = &comparison.attribute.text;
    let caught = caught(cx, step, source, comparison);
    let offence = if wanted.is_empty() { by_words(value, &caught) } else { by_reads(wanted, &caught) };
    if let Some(offence) = offence {
        report_offence(cx, source, (key, value, *range), &offence, wanted.is_empty());
    }
}

/// What `reads` leaves out.
fn by_reads<'c, 'l>(wanted: &[&str], caught: &'c [Caught<'l>]) -> Option<Offence<'c, 'l>> {
    let (meant, mut others): (Vec<&Caught<'l>>, Vec<&Caught<'l>>) =
        caught.iter().partition(|caught| wanted.iter().any(|entity| caught.item.holds(entity)));
    // With the separator it would be caught just the same: the prefix is not
    // what lets it in.
    let goes_on_alike = |rest: &str| {
        meant.iter().any(|meant| meant.rest.as_deref().is_some_and(|own| !own.is_empty() && word_end(own) == rest))
    };
    others.retain(|caught| caught.rest.as_deref().is_some_and(|rest| !rest.is_empty() && !goes_on_alike(rest)));
    let keeps_out = |ending: &String| {
        others.iter().all(|caught| caught.rest.as_deref().is_some_and(|rest| !rest.starts_with(ending.as_str())))
    };
    let endings = common_ending(&meant).into_iter().filter(keeps_out).collect();
    (!others.is_empty()).then_some(Offence { caught: others, meant, endings })
}

/// Without `reads`: what goes on with the word in which the operand stops, where
/// another ends there; or all, where all of them go on, not all alike.
fn by_words<'c, 'l>(operand: &str, caught: &'c [Caught<'l>]) -> Option<Offence<'c, 'l>> {
    if !operand.ends_with(is_word) {
        return None;
    }
    let goes_on = |caught: &&Caught<'l>| caught.rest.as_deref().is_some_and(|rest| rest.starts_with(is_word));
    let inside: Vec<&Caught<'l>> = caught.iter().filter(goes_on).collect();
    let meant: Vec<&Caught<'l>> = caught.iter().filter(|c| c.rest.is_some() && !goes_on(c)).collect();
    if !meant.is_empty() {
        let endings = common_ending(&meant).into_iter().collect();
        return (!inside.is_empty()).then_some(Offence { caught: inside, meant, endings });
    }
    let mut endings: Vec<String> =
        inside.iter().filter_map(|c| Some(word_end(c.rest.as_deref()?).to_owned())).collect();
    endings.sort();
    endings.dedup();
    (endings.len() > 1).then_some(Offence { caught: inside, meant, endings })
}

/// The text that ends the prefix for all of these, where it is the same for all.
fn common_ending(meant: &[&Caught<'_>]) -> Option<String> {
    let mut endings = meant.iter().map(|caught| caught.rest.as_deref().map(word_end));
    let first = endings.next()?.filter(|ending| !ending.is_empty())?;
    endings.all(|ending| ending == Some(first)).then(|| first.to_owned())
}

fn report_offence(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    (key, operand, range): (&str, &str, TextRange),
    offence: &Offence<'_, '_>,
    guessed: bool,
) {
    let value = |item: &ItemLayout| item.keys.get(key).map(|source| source.value.spelling()).unwrap_or_default();
    let names = |all: &[&Caught<'_>]| all.iter().map(|caught| caught.item.entity.clone()).collect::<Vec<_>>();
    let with_keys: Vec<String> = offence
        .caught
        .iter()
        .map(|caught| format!("`{}` ({key} = {})", caught.item.entity, value(caught.item)))
        .collect();
    let with_keys = match with_keys.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => with_keys.concat(),
    };
    let (meant, listing) = (names(&offence.meant), listed(&names(&offence.caught)));
    let (also, alike) = if guessed && meant.is_empty() { ("", " alike") } else { (" also", "") };
    let consequence = match (guessed, meant.is_empty()) {
        (true, true) => "the answer may hold items that nobody asked for".to_owned(),
        (true, false) => format!("beside {} the answer may hold items that nobody asked for", listed(&meant)),
        (false, _) => "the answer holds items that `reads` does not list".to_owned(),
    };
    let source_text = cx.chunk().text.get(range.indices()).unwrap_or_default();
    let head = source_text.strip_suffix('"').unwrap_or(source_text).to_owned();
    let pronoun = if offence.caught.len() == 1 { "it is" } else { "they are" };
    let or_list = if guessed { format!(", or list {listing} in `reads` if {pronoun} meant") } else { String::new() };
    let advice = match offence.endings.as_slice() {
        [ending] => format!("write the prefix as {head}{}\"{or_list}", in_template(ending)),
        [] if meant.is_empty() => "ask for what the caller needs".to_owned(),
        [] => format!("tell their keys apart by what stands before the separator, or list {listing} in `reads`"),
        _ => format!("write out the prefix of the one that is meant{or_list}"),
    };
    let message = format!(
        "`begins_with` compares characters, not words: \"{operand}\"{also} catches {with_keys}{alike}, and \
         {consequence}; {advice}"
    );
    let place = |item: &ItemLayout| Place { decl: source.layout.decl, range: item.range };
    let edits: Vec<(String, Edit)> = offence
        .endings
        .iter()
        .filter(|_| source_text.ends_with('"'))
        .map(|ending| {
            let at = cx.place(TextRange::empty(range.end as usize - 1));
            let title = format!("Change the prefix to {head}{}\"", in_template(ending));
            (title, Edit::Replace { place: at, text: in_template(ending) })
        })
        .collect();
    let finding = cx.report(range, message);
    if guessed {
        finding.level(Level::Warning);
    }
    for caught in offence.caught.iter().chain(&offence.meant) {
        finding.relate(place(caught.item), format!("`{}` has {key} = {}", caught.item.entity, value(caught.item)));
    }
    for (title, edit) in edits {
        finding.suggest(title, vec![edit]);
    }
}
