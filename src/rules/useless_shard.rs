//! A shard of an attribute that the key holds anyway: it spreads nothing.

use super::check::{Check, Cx};
use super::finding::{Edit, Level};
use super::heat_show::{item_def, key_place};
use super::key_operands::{gives, hole_at, item_template, key_operands, rewrite, run_times};
use super::rule::{Group, Rule};
use crate::capacity::load::WRITE_LIMIT;
use crate::capacity::show;
use crate::model::defs::*;
use crate::model::held::Clause;
use crate::model::key::{KeyHole, KeyPiece, KeyValue};
use crate::model::layout::{ItemLayout, KeyAttribute, Source, TableLayout};
use crate::model::names::entity_def;
use crate::syntax::TextRange;
use crate::syntax::template::{Format, Hole};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "useless-shard",
    group: Group::Cost,
    level: Level::Warning,
    summary: "a shard is made of an attribute that the key holds itself, and so spreads nothing",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    if cx.is_broken() {
        return;
    }
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    for source in layout.sources() {
        for (key, is_sort) in
            source.partition().iter().map(|key| (key, false)).chain(source.sort().iter().map(|key| (key, true)))
        {
            for item in source.items() {
                let Some(stored) = item.keys.get(&key.name) else { continue };
                // Under one partition value its holes are given as well.
                let sort = source.sort().iter().filter(|_| is_sort);
                let around: Vec<&KeyValue> = source
                    .partition()
                    .iter()
                    .chain(sort)
                    .filter_map(|key| Some(&item.keys.get(&key.name)?.value))
                    .collect();
                let useless = stored.value.parts.iter().enumerate().find_map(|(at, part)| match part {
                    KeyPiece::Hole(hole @ KeyHole { format: Format::Shard(n), .. }) => {
                        let held = around.iter().any(|value| value.holds(&hole.name));
                        held.then_some((at, hole, *n))
                    }
                    _ => None,
                });
                if let Some((at, hole, n)) = useless
                    && told.insert((&item.entity, &key.name))
                {
                    report(cx, source, (key, is_sort), item, (at, hole, n), &around);
                }
            }
        }
    }
}

fn report(
    cx: &mut Cx<'_>,
    source: Source<'_>,
    (key, is_sort): (&KeyAttribute, bool),
    item: &ItemLayout,
    (at, hole, n): (usize, &KeyHole, u32),
    around: &[&KeyValue],
) {
    let by = spreading(cx, item, around);
    let fix = by.as_ref().and_then(|by| fix(cx, source, key, item, (at, hole, n), by));
    let spelling = hole.spelling();
    let advice = match (&by, is_sort) {
        (_, true) => "leave it out: a sort key spreads nothing in any case".to_owned(),
        (Some(by), _) => format!("shard by `{by}`, of which a value of `{}` has many", hole.name),
        (None, _) => "leave the shard out, or make it of what differs among the items of one value".to_owned(),
    };
    let message = format!(
        "`{spelling}` is made of `{}`, which the key holds itself: each `{}` has one shard of the {}, so that they \
         spread nothing, and a partition still takes {} write units a second of it; {advice}",
        hole.name,
        hole.name,
        show::count(f64::from(n)),
        show::count(WRITE_LIMIT),
    );
    let range = key_place(cx, source.layout, std::slice::from_ref(key), &item.entity);
    let index = source.index.map(|index| cx.place(index.name.range));
    let finding = cx.report(range, message);
    if let Some(index) = index {
        finding.relate(index, "the index that it is a key of").about(index);
    }
    if let (Some(edits), Some(by), false) = (fix, by, is_sort) {
        finding.fix(format!("Shard by `{by}`"), edits);
    }
}

/// An id of the entity that is in no hole of the key, and that is no time, which all
/// writes of a moment share.
fn spreading(cx: &Cx<'_>, item: &ItemLayout, around: &[&KeyValue]) -> Option<String> {
    let entity = entity_def(cx.db, item.entity_decl?)?;
    let spreads = |id: &&AttributeDef| {
        let time = matches!(id.ty, Type::Timestamp | Type::Epoch);
        let few = matches!(id.ty, Type::Enum(_) | Type::Boolean);
        !time && !few && !id.optional && !around.iter().any(|value| value.holds(&id.name.text))
    };
    entity.ids().find(spreads).map(|id| id.name.text.clone())
}

/// Makes the shard of another attribute, in the item and in every operand; queries
/// that do not know it ask each shard. `None` where an operand gives the shard as a
/// value of its own.
fn fix(
    cx: &Cx<'_>,
    source: Source<'_>,
    key: &KeyAttribute,
    item: &ItemLayout,
    (at, hole, n): (usize, &KeyHole, u32),
    by: &str,
) -> Option<Vec<Edit>> {
    let layout: &TableLayout = source.layout;
    let other = |hole: &Hole| Hole { name: by.to_owned(), ..hole.clone() }.spelling();
    let (template, range) = item_template(item_def(cx, item)?, &key.name)?;
    let own = hole_at(template, at)?;
    let stored = &item.keys.get(&key.name)?.value;
    let mut edits = vec![rewrite(cx.place(range), own, other(own))];
    let mut asked: Vec<(crate::model::db::Decl, TextRange)> = Vec::new();
    for operand in key_operands(cx, &key.name).iter().filter(|operand| operand.meets(item)) {
        let (template, string) = operand.template()?;
        if operand.value(cx, layout, item).runs_along(stored) <= at {
            return None;
        }
        let given = hole_at(template, at).filter(|given| given.name == hole.name && given.format == hole.format)?;
        // What else the query finds is sharded as it was.
        if operand.step.resolved.reached.len() > 1 || !cx.is_whole(operand.pattern) {
            return None;
        }
        edits.push(rewrite(operand.place(string), given, other(given)));
        let place = (operand.pattern, operand.step.step.range);
        if operand.clause == Clause::Where && !asked.contains(&place) && !gives(cx, &operand.step, item, by) {
            asked.push(place);
            edits.extend(run_times(operand.step.step, operand.pattern, n)?);
        }
    }
    Some(edits)
}
