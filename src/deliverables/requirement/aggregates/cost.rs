//! What a pair takes together and apart, in words.

use crate::capacity::embedding::Bill;
use crate::capacity::figure::Figure;
use crate::capacity::prices::{Mode, class, mode};
use crate::capacity::show;
use crate::deliverables::decisions::needs;
use crate::deliverables::markdown::code;
use crate::deliverables::numbers::units_a_second;
use crate::deliverables::outline::Outline;
use crate::deliverables::pairs::{Analysis, Costs};
use crate::model::layout::TableLayout;
use crate::model::names::table_def;

/// What everything takes together and apart.
pub(super) fn sum(costs: &Costs) -> String {
    let (what, parts): (&str, [&Bill; 2]) = match costs {
        Costs::Embedded(embedding) => {
            ("the writes of the children and the reads of both", [&embedding.writes, &embedding.reading])
        }
        Costs::Gathered(gathered) => {
            ("all that reads or writes either, in one item collection", [&gathered.writes, &gathered.reads])
        }
    };
    let (together, apart) = costs.monthly();
    told(what, parts, &together, &apart)
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
