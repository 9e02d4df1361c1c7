//! An option of a read that its operation does not have.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level};
use super::rule::{Group, Rule};
use crate::model::defs::{self, *};
use crate::model::step_options::{StepKind, StepOption};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "option-not-supported",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `get`, a step of a transaction or a scan has an option that DynamoDB does not give it",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// An option that does not belong, why, and whether it says nothing there that
/// is not so without it.
struct Misplaced {
    option: &'static str,
    range: TextRange,
    why: String,
    redundant: bool,
}

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        for misplaced in misplaced(&step) {
            let place = cx.place(misplaced.range);
            let title = format!("Remove `{}`", misplaced.option);
            let edits = vec![Edit::RemoveLines { place }];
            let finding = cx.report(misplaced.range, misplaced.why);
            match misplaced.redundant {
                true => finding.tidy(title, edits),
                false => finding.fix(title, edits),
            };
        }
    }
}

fn misplaced(step: &StepCx<'_>) -> Vec<Misplaced> {
    let group = step.operation.group.as_ref();
    match &step.step.op {
        OpDef::Get { target, options, .. } => {
            // A get of an index is meant as a query, which has the options; one among
            // writes is out of place itself.
            if target.index.is_some() || group.is_some_and(|group| group.mode == GroupMode::Write) {
                return Vec::new();
            }
            of_get(options, group)
        }
        OpDef::Scan { options, .. } if group.is_none() => {
            let step = StepKind::of_table("scan", None);
            let why = || {
                "a scan reads in no order that DynamoDB promises, and Scan cannot turn it round; query a key whose \
                 order you want, or sort in the application"
                    .to_owned()
            };
            let descending = options.descending.into_iter().filter(|_| !step.takes(StepOption::Descending));
            descending.map(|range| Misplaced { option: "descending", range, why: why(), redundant: false }).collect()
        }
        _ => Vec::new(),
    }
}

/// The options of a read that a get of a table has not, in the order of the text.
pub(super) fn none_of_get(options: &ReadOptions, group: Option<&defs::Group>) -> Vec<TextRange> {
    of_get(options, group).into_iter().map(|misplaced| misplaced.range).collect()
}

fn of_get(options: &ReadOptions, group: Option<&defs::Group>) -> Vec<Misplaced> {
    let call = match group.map(|group| group.kind) {
        None => "GetItem reads 1 item by its whole key",
        Some(GroupKind::Batch) => "BatchGetItem reads 1 item for each whole key",
        Some(GroupKind::Transact) => "TransactGetItems reads 1 item for each whole key",
    };
    let mut found = Vec::new();
    let step = StepKind::of_table("get", group);
    let mut add = |option: &'static str, range: Option<TextRange>, why: String, redundant| {
        let taken = StepOption::of_keyword(option).is_some_and(|option| step.takes(option));
        found.extend(range.filter(|_| !taken).map(|range| Misplaced { option, range, why, redundant }));
    };
    let filter = options.filter.as_ref().map(|filter| filter.range);
    let why = format!(
        "{call} and has no filter; test the item in the application, or `query` where the filter is to choose among \
         several"
    );
    add("filter", filter, why, false);
    let why = format!("{call}: there is nothing to limit; leave it out, or `query` where there are several to read");
    add("limit", options.limit_range, why, false);
    let why = format!("{call}: there is nothing to put in order; leave it out, or `query` where there are several");
    add("descending", options.descending, why, false);
    let why = format!("{call}: `returning` says how many items a query or scan reads; leave it out");
    add("returning", options.returning_range, why, false);
    let why =
        "a transaction reads all its items as of one moment, for 2 read units each 4 KB, and TransactGetItems has \
               no ConsistentRead; leave `consistent` out"
            .to_owned();
    add("consistent", options.consistent, why, true);
    found.sort_by_key(|misplaced| misplaced.range.start);
    found
}
