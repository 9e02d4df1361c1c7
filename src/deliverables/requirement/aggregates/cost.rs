//! What a pair takes together and apart, in words.

use crate::capacity::embedding::Bill;
use crate::capacity::figure::Figure;
use crate::capacity::prices::{Mode, class, mode};
use crate::capacity::show;
use crate::deliverables::decisions::needs;
use crate::deliverables::markdown::{code, inline, sentence};
use crate::deliverables::numbers::units_a_second;
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::{Analysis, Costs};
use crate::model::layout::TableLayout;
use crate::model::names::table_def;

/// What everything takes together and apart. What nobody calls is no part of the sum, and
/// no $0.00: that is said.
pub(super) fn sum(analysis: &Analysis<'_>, costs: &Costs) -> String {
    let (together, apart) = costs.monthly();
    let embedding = match costs {
        Costs::Gathered(gathered) => {
            let what = "all that reads or writes either, in one item collection";
            return told(what, [&gathered.writes, &gathered.reads], &together, &apart);
        }
        Costs::Embedded(embedding) => embedding,
    };
    let mut parts: Vec<String> = Vec::new();
    let what = match (embedding.updates.is_empty(), embedding.reads.is_empty()) {
        (false, false) => Some("the writes of the children and the reads of both"),
        (true, false) => Some("the reads of both"),
        (false, true) => Some("the writes of the children"),
        (true, true) => None,
    };
    parts.push(match what {
        Some(what) => told(what, [&embedding.writes, &embedding.reading], &together, &apart),
        None => String::from("There is no cost to compare."),
    });
    if embedding.reads.is_empty() {
        parts.push(String::from("No pattern reads both."));
    }
    if embedding.updates.is_empty() {
        parts.push(match &analysis.written {
            Some(written) => sentence(written),
            None => format!("No pattern writes {}.", inline(analysis.pair.child)),
        });
    }
    parts.join(" ")
}

/// `Cost of …: $1.20 a month together, $1.40 apart.` Where there is no price, units.
pub(super) fn told(what: &str, [writes, reads]: [&Bill; 2], together: &Figure, apart: &Figure) -> String {
    match (together.value(), apart.value()) {
        (Some(together), Some(apart)) => {
            format!("Cost of {what}: {} a month together, {} apart.", show::dollars(together), show::dollars(apart))
        }
        _ => {
            // What bounds the dollars says more than the units that they are of.
            if [together, apart].into_iter().all(|figure| figure.high().is_some() || figure.low() > 0.0) {
                return format!(
                    "Cost of {what}: {} a month together, {} apart (not known exactly: needs {}).",
                    show::figure(together, show::dollars),
                    show::figure(apart, show::dollars),
                    needs(&together.plus(apart))
                );
            }
            let units = |of: fn(&Bill) -> &Figure| {
                let [writes, reads] = [writes, reads].map(&of);
                format!("{} and {}", units_a_second(reads, "read"), units_a_second(writes, "write"))
            };
            format!(
                "Cost of {what}: unknown, needs {}; {} together, {} apart.",
                needs(&together.plus(apart)),
                units(|bill| &bill.embedded_units),
                units(|bill| &bill.apart_units)
            )
        }
    }
}

/// What a bill takes together and apart: dollars where they are known, else units.
pub(super) fn billed(bill: &Bill) -> (String, String) {
    match (bill.embedded.value(), bill.apart.value()) {
        (Some(embedded), Some(apart)) => {
            (format!("{} a month", show::dollars(embedded)), format!("{} a month", show::dollars(apart)))
        }
        _ => {
            let units = |figure: &Figure| units_a_second(figure, "write");
            (units(&bill.embedded_units), units(&bill.apart_units))
        }
    }
}

/// At which prices the two are compared, where the *Cost Estimates* have others: what is
/// provisioned is rounded up there, and each table has its own way to pay.
pub(super) fn priced_as(outline: &Outline<'_>, analysis: &Analysis<'_>) -> Option<String> {
    let kept = analysis.kept.as_ref()?;
    let ways = |table: &&TableLayout| {
        let def = table_def(outline.db, table.decl)?;
        Some((mode(outline.db, outline.root, def), class(outline.db, outline.root, def)))
    };
    let first = kept.tables[0].first()?;
    let own = ways(first)?;
    let differ = kept.tables.iter().flatten().filter_map(ways).any(|other| other != own);
    let is_provisioned = matches!(own, (Mode::Provisioned { .. }, _));
    let prices = format!("Compared at the prices of {}", code(&first.name.text));
    let not_rounded = "what is provisioned is not rounded up to whole units";
    match (differ, is_provisioned) {
        (true, true) => Some(format!("{prices}; {not_rounded}.")),
        (true, false) => Some(format!("{prices}.")),
        (false, true) => Some(format!("Compared so that {not_rounded}.")),
        (false, false) => None,
    }
}
