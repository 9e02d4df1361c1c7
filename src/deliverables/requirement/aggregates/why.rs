//! Why a pair is decided as it is: what the thresholds found, the sum, and what the
//! model says.

use super::cost::{priced_as, sum, told};
use crate::capacity::figure::Figure;
use crate::capacity::largest::ITEM_LIMIT;
use crate::capacity::show;
use crate::deliverables::decisions::Whole;
use crate::deliverables::markdown::{inline, sentence};
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::Analysis;
use crate::deliverables::requirement::capital;

/// Why: what the thresholds found, the sum, and what the model says.
pub(super) fn justification(outline: &Outline<'_>, analysis: &Analysis<'_>) -> String {
    let mut parts = vec![why(analysis)];
    parts.push(match (&analysis.costs, &analysis.kept) {
        (Some(costs), _) => sum(analysis, costs),
        (None, _) if analysis.pair.is_of_one() => {
            String::from("No cost is compared: both are items of one entity, and lie in one table.")
        }
        (None, Some(_)) => String::from("No cost is compared: one of the two has no item of its own."),
        (None, None) => String::from("No cost is compared: no tables hold both yet."),
    });
    if let (Whole::Bytes(bytes), Some(whole)) = (&analysis.evidence.whole, &analysis.in_one_item)
        && !is_refused(bytes)
    {
        let (together, apart) = whole.dollars();
        parts.push(told(
            "all that reads or writes either in one item",
            [&whole.writes, &whole.reads],
            &together,
            &apart,
        ));
    }
    if let Whole::Bytes(bytes) = &analysis.evidence.whole
        && is_refused(bytes)
    {
        let shown = show::figure(bytes, show::bytes);
        let (parent, child) = (inline(analysis.pair.parent), inline(analysis.pair.child));
        parts.push(format!(
            "One item cannot hold both: one {parent} with all its {child} reaches {shown}, and DynamoDB takes {}.",
            show::bytes(ITEM_LIMIT)
        ));
    }
    parts.extend(priced_as(outline, analysis).filter(|_| analysis.costs.is_some()));
    parts.extend(said_by_model(analysis));
    parts.join(" ")
}

/// Whether DynamoDB certainly refuses the largest of the items.
fn is_refused(bytes: &Figure) -> bool {
    bytes.low() > ITEM_LIMIT
}

/// The same in short, for a table.
pub(in crate::deliverables::requirement) fn justification_in_short(analysis: &Analysis<'_>) -> String {
    let parts: Vec<String> = std::iter::once(why(analysis)).chain(said_by_model(analysis)).collect();
    parts.join(" ")
}

/// What decides. Where the model decides against the thresholds, that is its own reason,
/// and theirs stands beside it as what it is.
fn why(analysis: &Analysis<'_>) -> String {
    if let (true, Some((_, because))) = (analysis.is_against_thresholds(), analysis.pair.declared()) {
        let own = match because {
            Some(because) => format!("The model decides: {}", sentence(&inline(because))),
            None => String::from("The model decides, and gives no reason."),
        };
        return format!("{own} Against it stands: {}", sentence(&analysis.verdict.why));
    }
    match analysis.verdict.decision {
        Some(_) => sentence(&capital(&analysis.verdict.why)),
        None => sentence(&format!("Open: {}", analysis.verdict.why)),
    }
}

fn said_by_model(analysis: &Analysis<'_>) -> Option<String> {
    let Some((_, because)) = analysis.pair.declared() else {
        return analysis.pair.reason().map(|reason| {
            format!("The model has an aggregate of both without a decision: {}", sentence(&inline(reason)))
        });
    };
    if analysis.is_against_thresholds() {
        return None;
    }
    Some(match because {
        Some(because) => format!("The model: {}", sentence(&inline(because))),
        None => String::from("The model gives no reason for what it declares."),
    })
}
