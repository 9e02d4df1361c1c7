//! More global indexes than an account lets a table have.

use super::check::{Check, Cx};
use super::finding::{Level, Place};
use super::index_limit::each_once;
use super::rule::{Group, Rule};
use crate::capacity::show;
use crate::config::Quota;
use crate::model::defs::IndexKind;
use crate::model::layout::{IndexLayout, TableLayout};

pub static RULE: Rule = Rule {
    name: "gsi-quota",
    group: Group::Correctness,
    level: Level::Warning,
    summary: "a table has more than 20 GSIs",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let quota = cx.quota(Quota::GlobalIndexes);
    let global: Vec<&IndexLayout> =
        each_once(layout).into_iter().filter(|index| index.kind == IndexKind::Global).collect();
    let count = global.len() as f64;
    if count <= quota {
        return;
    }
    let is_default = quota == Quota::GlobalIndexes.default();
    let (may, ask) = match is_default {
        true => ("is what an account may have without asking", "ask for more and set"),
        false => ("is the quota that is set", "have it raised again and raise"),
    };
    let message = format!(
        "table `{}` has {} GSIs, and {} {may}: DynamoDB refuses the table until AWS \
         raises the quota, and each index costs one write more for every item in it; serve several queries by one index, \
         overloaded or with keys of several attributes, or {ask} `global_indexes` of `[quotas]`",
        layout.name.text,
        show::count(count),
        show::count(quota)
    );
    let beyond: Vec<Place> =
        global.iter().skip(quota.max(0.0) as usize).map(|index| cx.place(index.name.range)).collect();
    let finding = cx.report(layout.name.range, message);
    for place in beyond {
        finding.relate(place, format!("beyond the first {}", show::count(quota)));
    }
}
