//! What a refactoring changes in the price of a model: the dollars a month of
//! the model as it would be, less those of the model as it is.

use crate::capacity::cost::{ModelCost, SourceCost, model_cost};
use crate::capacity::figure::Figure;
use crate::capacity::show::dollars;
use crate::model::db::{Db, SourceFile};
use crate::model::lower::decl_name;
use std::collections::{BTreeMap, BTreeSet};

/// What is left of a difference that comes of adding in another order.
const NOTHING: f64 = 1e-9;

/// Dollars a month that the second model costs more than the first. What is not
/// known must be the same in both; else the difference is not known either.
pub(super) fn difference(before: (&dyn Db, SourceFile), after: (&dyn Db, SourceFile)) -> Option<f64> {
    let costs = [before, after].map(|(db, root)| (db, model_cost(db, root)));
    if let [Some(before), Some(after)] = [&costs[0], &costs[1]].map(|(_, cost)| cost.total.value()) {
        return Some(after - before);
    }
    let [before, after] = costs.map(|(db, cost)| parts(db, &cost));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let change = |name: &String| match (before.get(name), after.get(name)) {
        (Some(before), Some(after)) if before == after => Some(0.0),
        (before, after) => {
            let value = |figure: Option<&Figure>| figure.map_or(Some(0.0), Figure::value);
            Some(value(after)? - value(before)?)
        }
    };
    names.into_iter().map(change).sum()
}

/// The parts of a price, by name: patterns, and what each table and index stores.
fn parts(db: &dyn Db, cost: &ModelCost) -> BTreeMap<String, Figure> {
    let name = |decl| decl_name(db, decl).clone().unwrap_or_default();
    let patterns = cost.patterns.iter().map(|(decl, cost)| (format!("pattern {}", name(*decl)), cost.monthly.clone()));
    let stored = |source: &SourceCost| (format!("storage {}", source.label), source.storage.clone());
    let storage = cost.tables.iter().flat_map(|(_, sources)| sources).map(stored);
    patterns.chain(storage).collect()
}

/// What a title says of a difference: "−$41 a month".
pub(super) fn shown(difference: f64) -> String {
    match difference {
        more if more > NOTHING => format!("+{} a month", dollars(more)),
        less if less < -NOTHING => format!("−{} a month", dollars(-less)),
        _ => "the price stays".to_owned(),
    }
}
