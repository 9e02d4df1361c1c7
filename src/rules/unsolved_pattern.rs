//! A pattern that nothing answers yet.

use super::check::{Check, Cx};
use super::finding::Level;
use super::fixes::one_line;
use super::rule::{Group, Rule};
use super::solve::{Solution, solutions};
use crate::model::defs::*;

pub static RULE: Rule = Rule {
    name: "unsolved-pattern",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "a pattern has neither an operation nor `external`",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    if cx.is_broken() || !pattern.operations.is_empty() || pattern.external.is_some() {
        return;
    }
    let answers = solutions(cx.db, cx.root, pattern);
    let advice = match answers.first() {
        Some(Solution { operation, first: Some(first), .. }) => {
            format!("{} `{}` would answer it", first.advice, one_line(operation))
        }
        Some(answer) => format!("`{}` would answer it", one_line(&answer.operation)),
        None if pattern.requirements.is_empty() => {
            "say what it needs with `reads … by …` or `writes …`, then give the operation".to_owned()
        }
        None => "give the operation that does it".to_owned(),
    };
    let requirements: Vec<&str> =
        pattern.requirements.iter().map(|requirement| &cx.chunk().text[requirement.range.indices()]).collect();
    let what = match requirements.as_slice() {
        [] => "this pattern".to_owned(),
        some => format!("`{}`", one_line(&some.join("\n"))),
    };
    let message = format!(
        "{what} has neither an operation nor `external`: no table or index is known to carry it, and its load and \
         cost count nowhere; {advice}; if DynamoDB is not to answer it, say `external` and why"
    );
    let writes = pattern.requirements.iter().any(|requirement| requirement.writes);
    let about = if writes { "the table that holds what it writes" } else { "the table that holds what it reads" };
    let places: Vec<_> = answers.iter().map(|answer| cx.name_place(answer.table)).collect();
    let text = &cx.chunk().text;
    let fixes: Vec<_> = answers
        .into_iter()
        .filter_map(|answer| answer.edits(text, cx.decl, pattern).map(|e| (answer.title(), e)))
        .collect();
    let finding = cx.report(cx.name_range(), message);
    if let Some(place) = places.into_iter().flatten().next() {
        finding.relate(place, about);
    }
    for (title, edits) in fixes {
        finding.suggest(title, edits);
    }
}
