//! A query that formats a hole otherwise than the key that it asks for.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::key_operands::{gives, hole_at, rewrite, run_times};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::key::{KeyHole, KeyValue};
use crate::model::key_format::{Difference, FormatMatch};
use crate::model::key_mismatch::{Differing, Mismatch, mismatches};
use crate::syntax::TextRange;
use crate::syntax::template::Format;

pub static RULE: Rule = Rule {
    name: "key-format-mismatch",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a query's operand formats a hole otherwise than the item's key does",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Query { conditions: Some(conditions), .. } = &step.step.op else { continue };
        let Some(source) = step.source.filter(|source| source.has_sound_partition()) else { continue };
        // A key that cannot be read may be in the format of the operand.
        if !cx.is_whole(source.layout.decl) {
            continue;
        }
        for mismatch in mismatches(cx.db, source, conditions) {
            report(cx, &step, &mismatch);
        }
    }
}

fn report(cx: &mut Cx<'_>, step: &StepCx<'_>, mismatch: &Mismatch<'_, '_>) {
    let Some(first) = mismatch.items.first() else { return };
    let key = &mismatch.comparison.attribute.text;
    let entity = &first.item.entity;
    let (range, message) = match &first.how {
        FormatMatch::Differs(all) => {
            let holes = all.iter().filter_map(|one| hole_at(mismatch.template, one.part));
            let range = holes.map(|hole| hole.range.shifted(mismatch.range.start)).reduce(TextRange::cover);
            let Some(worst) = all.first() else { return };
            let written: Vec<String> = all.iter().map(|one| format!("`{}`", right(one))).collect();
            let message = format!(
                "`{}` asks for {}, and `{entity}` has {} in its `{key}`, {}: {}; write {}",
                worst.asked.spelling(),
                says(&worst.asked),
                says(&worst.held),
                first.stored.spelling(),
                consequence(mismatch, worst),
                written.join(" and ")
            );
            (range.unwrap_or(mismatch.range), message)
        }
        FormatMatch::Unsharded(wanted) => {
            let n = shards(first.stored);
            let message = format!(
                "`{entity}` is spread over {n} shards in its `{key}`, {}, and this asks for a value without a shard, \
                 which no item has; ask for {}, once for each shard, or for the one that is known",
                first.stored.spelling(),
                wanted.spelling()
            );
            (mismatch.range, message)
        }
        FormatMatch::Sharded(wanted) => {
            let n = shards(&first.operand);
            let message = format!(
                "this asks for one of {n} shards, and `{entity}` has none in its `{key}`, {}, so that nothing is \
                 found; ask for {}, or give the item a shard",
                first.stored.spelling(),
                wanted.spelling()
            );
            (mismatch.range, message)
        }
        FormatMatch::Unlike | FormatMatch::Agrees => return,
    };
    let mut fixes: Vec<(String, Vec<Edit>)> = Vec::new();
    for item in &mismatch.items {
        if let Some(fix) = fix(cx, step, mismatch, item)
            && !fixes.iter().any(|(_, edits)| *edits == fix.1)
        {
            fixes.push(fix);
        }
    }
    let Some(source) = step.source else { return };
    let one = fixes.len() == 1 && !matches!(first.how, FormatMatch::Sharded(_));
    let finding = cx.report(range, message);
    for item in &mismatch.items {
        let place = Place { decl: source.layout.decl, range: item.item.range };
        finding.relate(place, format!("`{}` has {key} = {}", item.item.entity, item.stored.spelling()));
    }
    for (title, edits) in fixes {
        if one {
            finding.fix(title, edits);
        } else {
            finding.suggest(title, edits);
        }
    }
}

fn shards(value: &KeyValue) -> u32 {
    let each = value.shards().filter_map(|hole| if let Format::Shard(n) = hole.format { Some(n) } else { None });
    each.fold(1, u32::saturating_mul)
}

/// What a hole makes of its value.
fn says(hole: &KeyHole) -> String {
    match (hole.format, &hole.ty) {
        (Format::Plain, Some(Type::Timestamp)) => format!("all {TIMESTAMP_LENGTH} characters of the time"),
        (Format::Plain, Some(Type::Number | Type::Epoch)) => "the number without zeros in front".to_owned(),
        (Format::Plain, _) => "the value as it is".to_owned(),
        (Format::Padded(width), _) => format!("{width} digits"),
        (Format::Time(part), _) => format!("the first {} characters of the time", part.length()),
        (Format::Lower, _) => "lower case".to_owned(),
        (Format::Upper, _) => "upper case".to_owned(),
        (Format::Shard(n), _) => format!("one of {n} shards"),
    }
}

fn consequence(mismatch: &Mismatch<'_, '_>, worst: &Difference) -> &'static str {
    let letters = |format| matches!(format, Format::Plain | Format::Lower | Format::Upper);
    match mismatch.comparison.operator {
        Operator::Equal | Operator::BeginsWith if letters(worst.asked.format) && letters(worst.held.format) => {
            "a value whose letters differ in case is never found"
        }
        Operator::Equal | Operator::BeginsWith => match (worst.asked.format, worst.held.format) {
            (Format::Shard(asked), Format::Shard(held)) if asked < held => {
                "what lies in the other shards is never found"
            }
            (Format::Shard(_), Format::Shard(_)) => "some shards are asked for that there are not",
            _ => "the two texts never match",
        },
        Operator::LessOrEqual | Operator::Between if matches!(worst.asked.format, Format::Time(_)) => {
            "as text the shorter sorts before all of its own day or hour, which is left out"
        }
        _ => "as text they sort otherwise, and the range is another one than meant",
    }
}

/// The hole of the operand in the format of the key.
fn right(difference: &Difference) -> String {
    let Difference { asked, held, .. } = difference;
    // A shard is of what the item makes it of.
    let shard = matches!(held.format, Format::Shard(_));
    if shard { held.spelling() } else { KeyHole { format: held.format, ..asked.clone() }.spelling() }
}

fn fix(
    cx: &Cx<'_>,
    step: &StepCx<'_>,
    mismatch: &Mismatch<'_, '_>,
    differing: &Differing<'_>,
) -> Option<(String, Vec<Edit>)> {
    let string = cx.place(mismatch.range);
    let whole = |text: String| Edit::Replace { place: string, text };
    let entity = &differing.item.entity;
    match &differing.how {
        FormatMatch::Differs(all) => {
            let mut edits = Vec::new();
            let mut titles = Vec::new();
            for one in all {
                // A parameter cannot be hashed, and what is hashed is no other value.
                let sharded = |hole: &KeyHole| matches!(hole.format, Format::Shard(_));
                if sharded(&one.asked) != sharded(&one.held) {
                    return None;
                }
                edits.push(rewrite(string, hole_at(mismatch.template, one.part)?, right(one)));
                titles.push(format!("`{}`", right(one)));
                if let (Format::Shard(now), Format::Shard(n)) = (one.asked.format, one.held.format)
                    && step.step.times() == f64::from(now)
                {
                    let range = step.step.times.as_ref().map(|times| times.range);
                    edits.extend(range.map(|range| Edit::Replace { place: cx.place(range), text: n.to_string() }));
                }
            }
            Some((format!("Write {}, as `{entity}` does", titles.join(" and ")), edits))
        }
        FormatMatch::Unsharded(wanted) => {
            let mut edits = vec![whole(wanted.spelling())];
            let known = differing.stored.shards().all(|shard| gives(cx, step, differing.item, &shard.name));
            if !known {
                edits.extend(run_times(step.step, cx.decl, shards(differing.stored))?);
            }
            Some((format!("Ask for the shards of `{entity}`"), edits))
        }
        FormatMatch::Sharded(wanted) => {
            let mut edits = vec![whole(wanted.spelling())];
            if let Some(times) = &step.step.times
                && step.step.times() == f64::from(shards(&differing.operand))
            {
                let place = cx.place(without_times(cx, step, times.range)?);
                edits.push(Edit::Replace { place, text: String::new() });
            }
            Some(("Ask without a shard".to_owned(), edits))
        }
        FormatMatch::Unlike | FormatMatch::Agrees => None,
    }
}

/// The words `times n` with the space before them.
fn without_times(cx: &Cx<'_>, step: &StepCx<'_>, number: TextRange) -> Option<TextRange> {
    let from = step.step.range.start as usize;
    let before = cx.chunk().text.get(from..number.start as usize)?;
    let start = before[..before.rfind("times")?].trim_end().len();
    Some(TextRange::new(from + start, number.end as usize))
}
