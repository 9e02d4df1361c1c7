//! Model in, a population of it out: the items that its tables and indexes would
//! hold, few but consistent with each other. Nothing here knows an engine or the
//! API: whoever fills a table, prints a sample of it or asks for an item of it
//! takes the same items.

pub mod arrange;
mod becoming;
pub mod belonging;
pub mod cycles;
pub mod fill;
pub mod images;
pub mod items;
pub mod lifecycle;
pub mod literals;
pub mod plan;
mod plausible;
mod presence;
pub mod relations;
pub mod spell;
pub mod template;
mod totals;

use crate::capacity::values::Value;
use crate::model::db::{Db, SourceFile};
use arrange::Arrangement;
use lifecycle::Lifecycle;
use literals::literals;
use plan::Plan;

pub use images::Entry;
pub use items::{Population, Stored};
pub use plausible::{is_called, of_name as number_of_name};
pub use spell::Spelling;

/// A handful of items of each entity with values as they would be in use. Every
/// model has one: what of it does not hold together is left out.
pub fn for_readers(db: &dyn Db, root: SourceFile) -> Population<'_> {
    of(db, root, Spelling::Plausible)
}

/// As many items as a run measures, each of the bytes that the model declares.
pub fn for_measuring(db: &dyn Db, root: SourceFile) -> Population<'_> {
    of(db, root, Spelling::Exact)
}

fn of(db: &dyn Db, root: SourceFile, spelling: Spelling) -> Population<'_> {
    let lifecycle = match spelling {
        // What is measured has its shares whatever is beside it.
        Spelling::Exact => Lifecycle::default(),
        Spelling::Plausible => Lifecycle::new(db, root),
    };
    let plan = Plan::new(db, root, spelling);
    Population::new(db, Arrangement::new(plan, literals(db, root), lifecycle, spelling))
}

/// A value in one line, for a cell of a table: texts as they are, collections in
/// brackets.
pub fn cell(value: &Value) -> String {
    let listed = |values: Vec<String>| values.join(", ");
    match value {
        Value::S(text) | Value::N(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Null => "null".to_owned(),
        Value::B(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::L(values) => format!("[{}]", listed(values.iter().map(cell).collect())),
        Value::M(item) => {
            format!("{{{}}}", listed(item.iter().map(|(name, value)| format!("{name}: {}", cell(value))).collect()))
        }
        Value::Ss(values) | Value::Ns(values) => format!("{{{}}}", listed(values.clone())),
        Value::Bs(values) => {
            let values = values.iter().map(|bytes| cell(&Value::B(bytes.clone())));
            format!("{{{}}}", listed(values.collect()))
        }
    }
}
