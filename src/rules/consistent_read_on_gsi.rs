//! A strongly consistent read of a global index.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::step_options::{StepKind, StepOption};

pub static RULE: Rule = Rule {
    name: "consistent-read-on-gsi",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a query or scan of a global index asks for a consistent read",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        // A get on an index is wrong as a whole, and so is a query in a group.
        let (OpDef::Query { options, .. } | OpDef::Scan { options, .. }) = &step.step.op else { continue };
        let (Some(option), None) = (options.consistent, &step.operation.group) else { continue };
        let Some(source) = step.source else { continue };
        let Some(index) = source.index else { continue };
        let kind = StepKind { operation: step.step.op.word(), group: None, index: Some(index.kind) };
        if kind.takes(StepOption::Consistent) {
            continue;
        }
        let message = format!(
            "`{}` is a global index, which follows its table with a delay: DynamoDB refuses a consistent read of it; \
             leave `consistent` out, or read table `{}` where the answer must be current",
            index.name.text, source.layout.name.text
        );
        let place = cx.place(option);
        cx.report(option, message)
            .relate(Place { decl: source.layout.decl, range: index.name.range }, "the global index")
            .suggest("Read eventually consistently", vec![Edit::RemoveLines { place }]);
    }
}
