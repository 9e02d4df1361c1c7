//! Values of which nothing says that one is more popular than the others: their load is
//! that of the mean value, and may be all of it on one (numbers H1).

use super::figure::Figure;
use super::load::{Contribution, HoleShare, Why};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::{AttributeDef, EntityDef, GroupKind, OpDef, OperationDef, StepDef};
use crate::model::names::{find_entity, pattern_def};

/// The holes of a load whose values are taken to be met alike, since no `@hottest` says
/// which is the most popular. Where there is one value only, nothing is assumed; and each
/// new item has an id of its own, unless that is another's or a part of it.
pub fn even_holes<'l>(db: &dyn Db, root: SourceFile, load: &'l Contribution) -> Vec<&'l HoleShare> {
    let puts = step(db, load).is_some_and(|(_, step)| matches!(step.op, OpDef::Put { .. }));
    let entity = find_entity(db, root, &load.entity);
    let is_even = |hole: &&HoleShare| {
        let Why::Distinct(values) = &hole.why else { return false };
        let attribute = entity.and_then(|entity| entity.attribute(attribute_of(&hole.hole)));
        let is_said = attribute.is_some_and(|attribute| attribute.hottest.is_some());
        let is_new = puts && attribute.is_some_and(|own| is_own_id(entity, own) || own.unique.is_some());
        !is_said && !is_new && values.high() != Some(1.0)
    };
    load.holes.iter().filter(is_even).collect()
}

/// Whether an attribute is all of the id of its entity, and its own. `@id @of(Account)` is
/// the account's, whatever is put; of several, each may be the same again.
fn is_own_id(entity: Option<&EntityDef>, own: &AttributeDef) -> bool {
    let ids = entity.into_iter().flat_map(|entity| &entity.attributes).filter(|attribute| attribute.id).count();
    own.id && own.of.is_none() && ids == 1
}

/// The attribute of a hole: `{created_at:month}` is a part of `created_at`.
pub fn attribute_of(hole: &str) -> &str {
    hole.trim_matches(['{', '}']).split(':').next().unwrap_or_default()
}

/// The share of the calls that meet on one value where all of those that are taken as
/// even meet there.
pub fn share_on_one(db: &dyn Db, root: SourceFile, load: &Contribution) -> Figure {
    let even = even_holes(db, root, load);
    let others = load.holes.iter().filter(|hole| !even.iter().any(|even| even.hole == hole.hole));
    others.fold(Figure::known(1.0), |product, hole| product.times(&hole.share))
}

/// Read and write units a second of some loads where all of the calls that are taken as
/// even meet on one value; `None` where none is.
pub fn on_one_value(db: &dyn Db, root: SourceFile, loads: &[&Contribution]) -> Option<(Figure, Figure)> {
    loads.iter().find(|load| !even_holes(db, root, load).is_empty())?;
    let of = |units: fn(&Contribution) -> &Figure| -> Figure {
        let on_one = |load: &&Contribution| {
            load.peak.times(&units_on_one(db, load, units(load))).times(&share_on_one(db, root, load))
        };
        loads.iter().map(on_one).sum()
    };
    Some((of(|load| &load.read_units), of(|load| &load.write_units)))
}

/// So much of the units of one call as can be for one value: a transaction touches an item
/// once, so that where a value is one item its `times` are for as many others.
pub fn units_on_one(db: &dyn Db, load: &Contribution, units: &Figure) -> Figure {
    match step(db, load) {
        Some((operation, step)) if load.one_item && is_transaction(operation) && step.times() > 1.0 => {
            units.scaled(1.0 / step.times())
        }
        _ => units.clone(),
    }
}

/// Transactions a second that change one item where all of those that are taken as even
/// meet there.
pub fn transactions_on_one(db: &dyn Db, root: SourceFile, loads: &[&Contribution]) -> Figure {
    let meets = |load: &&&Contribution| load.one_item && load.index.is_none() && is_in_transaction(db, root, load);
    let of_one = |load: &&Contribution| load.peak.times(&share_on_one(db, root, load));
    loads.iter().filter(meets).map(of_one).sum()
}

/// Whether a transaction changes an item that is there already, of a value that is taken
/// as even: as a balance or a counter, it may be the same one each time.
pub fn is_in_transaction(db: &dyn Db, root: SourceFile, load: &Contribution) -> bool {
    let in_transaction = step(db, load).is_some_and(|(operation, step)| {
        is_transaction(operation) && matches!(step.op, OpDef::Update { .. } | OpDef::Delete { .. })
    });
    in_transaction && !even_holes(db, root, load).is_empty()
}

fn is_transaction(operation: &OperationDef) -> bool {
    operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Transact)
}

fn step<'db>(db: &'db dyn Db, load: &Contribution) -> Option<(&'db OperationDef, &'db StepDef)> {
    let operation = pattern_def(db, load.pattern_decl)?.operations.get(load.operation)?;
    Some((operation, operation.steps.get(load.step)?))
}
