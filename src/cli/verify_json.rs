//! The result of `keywright verify` as one JSON object, for machines.

use crate::verify::{Agreement, EntityReport, ExpectationReport, OperationReport, PatternReport, Report, Verdict};
use serde_json::{Value, json};

pub(super) fn render(model: &str, report: &Report) -> String {
    let members = report.members.iter();
    let members =
        members.map(|m| json!({ "source": m.source, "entity": m.entity, "items": m.items, "bytes": m.bytes }));
    let report = json!({
        "version": 1,
        "model": model,
        "engine": report.engine,
        "agrees": report.agrees(),
        "refused": report.refused,
        "faults": report.faults,
        "notes": report.notes,
        "entities": report.entities.iter().map(entity).collect::<Vec<_>>(),
        "members": members.collect::<Vec<_>>(),
        "stocks": report.stocks.iter().map(expectation).collect::<Vec<_>>(),
        "documents": {
            "requests": report.documents.requests,
            "accepted": report.documents.accepted,
            "problems": report.documents.problems,
            "not_made": report.documents.not_made,
        },
        "patterns": report.patterns.iter().map(pattern).collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

fn entity(entity: &EntityReport) -> Value {
    let optional = entity.optional.iter().map(|o| json!({ "attribute": o.attribute, "present": o.present }));
    let distinct =
        entity.distinct.iter().map(|(attribute, values)| json!({ "attribute": attribute, "values": values }));
    let parents = entity.per_parent.iter();
    let parents =
        parents.map(|(parent, each, declared)| json!({ "parent": parent, "each": each, "declared": declared }));
    json!({
        "name": entity.name,
        "declared": entity.declared,
        "items": entity.items,
        "optional": optional.collect::<Vec<_>>(),
        "distinct": distinct.collect::<Vec<_>>(),
        "per_parent": parents.collect::<Vec<_>>(),
    })
}

fn pattern(pattern: &PatternReport) -> Value {
    json!({
        "name": pattern.name,
        "skipped": pattern.skipped,
        "operations": pattern.operations.iter().map(operation).collect::<Vec<_>>(),
    })
}

fn operation(operation: &OperationReport) -> Value {
    let (verdict, why) = match &operation.verdict {
        Verdict::Agrees => ("agrees", Vec::new()),
        Verdict::Disagrees(why) => ("disagrees", why.clone()),
        Verdict::Skipped(why) => ("skipped", vec![why.clone()]),
    };
    let units = operation.units.iter();
    let units = units.map(|u| json!({ "target": u.target, "predicted": u.predicted, "measured": u.measured }));
    let steps = operation.steps.iter().map(|s| json!({ "step": s.step, "items": s.items, "units": s.units }));
    json!({
        "operation": operation.operation,
        "text": operation.text,
        "verdict": verdict,
        "why": why,
        "calls": operation.calls,
        "expected": operation.expected,
        "returned": operation.returned,
        "units": units.collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "expectations": operation.expectations.iter().map(expectation).collect::<Vec<_>>(),
        "notes": operation.notes,
    })
}

/// What the analysis expects on average, and what was measured.
fn expectation(one: &ExpectationReport) -> Value {
    let (outcome, why) = match &one.outcome {
        Agreement::Exact => ("exact", None),
        Agreement::Within => ("within", None),
        Agreement::Rounded => ("rounded", None),
        Agreement::NotCompared(why) => ("not_compared", Some(why)),
        Agreement::Differs => ("differs", None),
    };
    if let Some(why) = why {
        return json!({ "of": one.of, "outcome": outcome, "why": why });
    }
    json!({
        "of": one.of,
        "expected_low": one.expected_low,
        "expected_high": one.expected_high,
        "measured": one.measured,
        "outcome": outcome,
    })
}
