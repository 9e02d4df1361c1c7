//! Who changes what is copied, and who keeps the copies.

use super::check::{Cx, StepCx};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::names::{names, pattern_def};
use std::collections::BTreeMap;

/// The patterns that update an attribute, by the entity and the attribute.
#[salsa::tracked(returns(ref))]
pub(super) fn updaters(db: &dyn Db, root: SourceFile) -> BTreeMap<(String, String), Vec<Decl>> {
    let mut updaters: BTreeMap<(String, String), Vec<Decl>> = BTreeMap::new();
    for decl in names(db, root).all_patterns() {
        for (_, step) in pattern_def(db, decl).into_iter().flat_map(PatternDef::steps) {
            for (entity, attribute) in updated(&step.op) {
                let patterns = updaters.entry((entity.to_owned(), attribute.text.clone())).or_default();
                if patterns.last() != Some(&decl) {
                    patterns.push(decl);
                }
            }
        }
    }
    updaters
}

/// What a step updates: the entity and each attribute that it sets or removes.
pub(super) fn updated(op: &OpDef) -> Vec<(&str, &Name)> {
    let OpDef::Update { subject: Some(subject), set, remove, .. } = op else { return Vec::new() };
    set.iter().chain(remove).map(|name| (subject.entity.text.as_str(), name)).collect()
}

/// The steps of a pattern that update nothing but this attribute and other copies:
/// without the copies they would not be there.
pub(super) fn only_copies<'db>(cx: &Cx<'db>, pattern: Decl, entity: &str, attribute: &str) -> Vec<StepCx<'db>> {
    let is_copy = |name: &Name| {
        let def = cx.entity(entity).and_then(|def| def.attribute(&name.text));
        def.is_some_and(|def| def.copied_from.is_some())
    };
    let own = |step: &StepCx<'db>| {
        let updated = updated(&step.step.op);
        updated.iter().any(|(of, name)| *of == entity && name.text == attribute)
            && updated.iter().all(|(_, name)| is_copy(name))
    };
    cx.steps_of(pattern).into_iter().filter(own).collect()
}
