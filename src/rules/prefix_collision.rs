//! A prefix that stops inside a literal and so catches other entities too.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key_condition::conjuncts;
use crate::model::layout::{ItemLayout, Source};
use crate::model::resolve::{operand_value, rest_of_literal};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_string;

pub static RULE: Rule = Rule {
    name: "prefix-collision",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `begins_with` also catches an entity because its operand stops inside that entity's literal",
    check: Check::Pattern(check),
};

/// An entity that the condition catches.
struct Caught<'l> {
    item: &'l ItemLayout,
    /// What follows in its literal where the operand stops in or behind one.
    rest: Option<String>,
}

/// An entity that was hardly meant, and what would keep it out.
struct Offence<'c, 'l> {
    caught: &'c Caught<'l>,
    meant: Vec<&'c Caught<'l>>,
    /// Endings of the prefix that catch what is meant and not this one.
    endings: Vec<String>,
}

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let reads = pattern.requirements.iter().filter(|requirement| !requirement.writes);
    let wanted: Vec<&str> = reads.flat_map(|r| &r.uses).map(|used| used.entity.text.as_str()).collect();
    for step in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        let Some(source) = step.source else { continue };
        for comparison in conjuncts(conditions) {
            let is_sort_key = source.sort().iter().any(|key| key.name == comparison.attribute.text);
            if is_sort_key && comparison.operator == Operator::BeginsWith {
                report(cx, step, source, comparison, &wanted);
            }
        }
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>, source: Source<'_>, comparison: &Comparison, wanted: &[&str]) {
    let Some(operand @ OperandDef::String { value, range, .. }) = comparison.operands.first() else { return };
    let key = &comparison.attribute.text;
    let caught: Vec<Caught<'_>> = source
        .items()
        .filter(|item| step.resolved.reached.contains(&item.entity))
        .filter_map(|item| {
            let stored = &item.keys.get(key)?.value;
            let rest = rest_of_literal(&operand_value(cx.db, source.layout, item, operand), stored);
            Some(Caught { item, rest })
        })
        .collect();
    let offences = if wanted.is_empty() { by_words(value, &caught) } else { by_reads(wanted, &caught) };
    for offence in offences {
        report_offence(cx, source, (key, value, *range), &offence, wanted.is_empty());
    }
}

/// What `reads` leaves out.
fn by_reads<'c, 'l>(wanted: &[&str], caught: &'c [Caught<'l>]) -> Vec<Offence<'c, 'l>> {
    let (meant, others): (Vec<&Caught<'l>>, Vec<&Caught<'l>>) =
        caught.iter().partition(|caught| wanted.iter().any(|entity| caught.item.holds(entity)));
    let ending = common_ending(&meant);
    let offences = others.into_iter().filter_map(|caught| {
        let rest = caught.rest.as_deref().filter(|rest| !rest.is_empty())?;
        // With the separator it would be caught just the same: the prefix is not
        // what lets it in.
        if meant.iter().any(|meant| meant.rest.as_deref().is_some_and(|own| !own.is_empty() && word_end(own) == rest)) {
            return None;
        }
        let endings = ending.iter().filter(|ending| !rest.starts_with(ending.as_str())).cloned().collect();
        Some(Offence { caught, meant: meant.clone(), endings })
    });
    offences.collect()
}

/// Without `reads`: what goes on with the word in which the operand stops, where
/// another ends there; or all, where all of them go on, each differently.
fn by_words<'c, 'l>(operand: &str, caught: &'c [Caught<'l>]) -> Vec<Offence<'c, 'l>> {
    if !operand.ends_with(is_word) {
        return Vec::new();
    }
    let goes_on = |caught: &&Caught<'l>| caught.rest.as_deref().is_some_and(|rest| rest.starts_with(is_word));
    let inside: Vec<&Caught<'l>> = caught.iter().filter(goes_on).collect();
    let meant: Vec<&Caught<'l>> = caught.iter().filter(|c| c.rest.is_some() && !goes_on(c)).collect();
    let ending = common_ending(&meant);
    let offences = inside.iter().copied().filter_map(|caught| {
        if !meant.is_empty() {
            return Some(Offence { caught, meant: meant.clone(), endings: ending.iter().cloned().collect() });
        }
        let own = word_end(caught.rest.as_deref()?);
        let others: Vec<&Caught<'l>> =
            inside.iter().copied().filter(|c| c.rest.as_deref().is_some_and(|rest| word_end(rest) != own)).collect();
        let mut endings: Vec<String> = others.iter().filter_map(|c| Some(word_end(c.rest.as_deref()?).to_owned())).collect();
        endings.dedup();
        (!others.is_empty()).then_some(Offence { caught, meant: others, endings })
    });
    offences.collect()
}

/// The text that ends the prefix for all of these, where it is the same for all.
fn common_ending(meant: &[&Caught<'_>]) -> Option<String> {
    let mut endings = meant.iter().map(|caught| caught.rest.as_deref().map(word_end));
    let first = endings.next()?.filter(|ending| !ending.is_empty())?;
    endings.all(|ending| ending == Some(first)).then(|| first.to_owned())
}

/// The rest of a literal up to its first separator, that included; all of it
/// where it has none.
fn word_end(rest: &str) -> &str {
    let separator = rest.char_indices().find(|(_, c)| !is_word(*c));
    separator.map_or(rest, |(at, c)| &rest[..at + c.len_utf8()])
}

/// Whether a character continues a word of a key value. `_` does: entities of
/// two words are written with it, `ORDER_ITEM#`.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn report_offence(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    (key, operand, range): (&str, &str, TextRange),
    offence: &Offence<'_, '_>,
    guessed: bool,
) {
    let item = offence.caught.item;
    let value = |item: &ItemLayout| item.keys.get(key).map(|source| source.value.spelling()).unwrap_or_default();
    let meant: Vec<&str> = offence.meant.iter().map(|caught| caught.item.entity.as_str()).collect();
    let consequence = match guessed {
        true => format!("beside {} the answer may hold items that nobody asked for", listed(&meant)),
        false => "the answer holds items that `reads` does not list".to_owned(),
    };
    let source_text = cx.chunk().text.get(range.indices()).unwrap_or_default();
    let ended = |ending: &str| {
        let written = quote_string(&ending.replace('{', "{{").replace('}', "}}"));
        written[1..written.len() - 1].to_owned()
    };
    let head = source_text.strip_suffix('"').unwrap_or(source_text).to_owned();
    let advice = match offence.endings.as_slice() {
        [ending] => format!("write the prefix as {head}{}\"", ended(ending)),
        _ if meant.is_empty() => "ask for what the caller needs".to_owned(),
        _ => format!("tell their keys apart by what stands before the separator, or list `{}` in `reads`", item.entity),
    };
    let or_list = if guessed && offence.endings.len() == 1 {
        format!(", or list `{}` in `reads` if it is meant", item.entity)
    } else {
        String::new()
    };
    let message = format!(
        "`begins_with` compares characters, not words: \"{operand}\" also catches `{}` ({key} = {}), and {consequence}; \
         {advice}{or_list}",
        item.entity,
        value(item)
    );
    let place = |item: &ItemLayout| Place { decl: source.layout.decl, range: item.range };
    let edits: Vec<(String, Edit)> = offence
        .endings
        .iter()
        .filter(|_| source_text.ends_with('"'))
        .map(|ending| {
            let at = cx.place(TextRange::empty(range.end as usize - 1));
            let title = format!("Change the prefix to {head}{}\"", ended(ending));
            (title, Edit::Replace { place: at, text: ended(ending) })
        })
        .collect();
    let finding = cx.report(range, message);
    if guessed {
        finding.level(Level::Warning);
    }
    finding.relate(place(item), format!("`{}` has {key} = {}", item.entity, value(item)));
    for caught in &offence.meant {
        finding.relate(place(caught.item), format!("`{}` has {key} = {}", caught.item.entity, value(caught.item)));
    }
    for (title, edit) in edits {
        finding.suggest(title, vec![edit]);
    }
}
