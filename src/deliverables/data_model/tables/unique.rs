//! How what is declared unique is kept so: DynamoDB keeps nothing unique but
//! primary keys (S15).

use crate::deliverables::markdown::{code, codes, inline};
use crate::deliverables::numbers::declared;
use crate::deliverables::outline::{Outline, shown};
use crate::deliverables::patterns::Pattern;
use crate::model::defs::*;
use crate::model::layout::{TableLayout, layout};
use crate::model::names::find_entity;
use crate::model::unique::{UniqueValue, guards_in_use};
use crate::model::uses::expires_by;
use crate::syntax::Unit;

/// What is unique of an attribute, and what keeps it so; `None` for one that is not
/// declared unique.
pub(super) fn unique(
    outline: &Outline<'_>,
    table: &TableLayout,
    entity: &str,
    attribute: &AttributeDef,
    patterns: &[Pattern<'_>],
) -> Option<String> {
    let unique = attribute.unique.as_ref()?;
    let what = match unique.scope.is_empty() {
        true => String::from("unique"),
        false => format!("unique within {}", codes(unique.scope.iter().map(|name| name.text.as_str()))),
    };
    let value = UniqueValue { entity, attribute, unique };
    Some(format!("{what}, {}", kept(outline, table, &value, patterns)))
}

/// That a unique value is so only as long as its guard is there, where that expires.
pub(in crate::deliverables::data_model) fn lasting(outline: &Outline<'_>, value: &(String, String)) -> Option<String> {
    let guards = guards_in_use(outline.db, outline.root).get(value)?;
    let mut expiring = guards.iter().filter_map(|(guard, table)| {
        let layout = layout(outline.db, outline.root, *table).as_ref()?;
        let ttl = expires_by(outline.db, layout, layout.item_of(guard)?)?;
        let lifetime = find_entity(outline.db, outline.root, guard)?.lifetime.as_ref();
        let time = lifetime.and_then(|lifetime| declared(lifetime, Unit::Duration));
        let time = time.map_or_else(|| String::from("until that time"), |time| format!("for {time}"));
        let (guard, ttl) = (inline(guard), code(ttl));
        Some(format!("only {time}, since {guard} expires by {ttl}; later the value can be taken again"))
    });
    expiring.next()
}

fn kept(outline: &Outline<'_>, table: &TableLayout, value: &UniqueValue<'_>, patterns: &[Pattern<'_>]) -> String {
    let (mut puts, mut open): (bool, Vec<String>) = (false, Vec::new());
    for pattern in patterns {
        let own = |op: &OpDef| {
            matches!(op, OpDef::Put { .. }) && op.subject().is_some_and(|subject| subject.entity.text == value.entity)
        };
        for put in pattern.steps.iter().filter(|step| own(&step.step.op)) {
            puts = true;
            if !value.is_enforced(outline.db, put, &pattern.steps) && !open.contains(&pattern.reference()) {
                open.push(pattern.reference());
            }
        }
    }
    if !puts {
        return String::from("which no pattern puts");
    }
    if !open.is_empty() {
        return format!("**not kept so** by {}", open.join(", "));
    }
    let value_key = (value.entity.to_owned(), value.attribute.name.text.clone());
    let guards = guards_in_use(outline.db, outline.root).get(&value_key).map(Vec::as_slice).unwrap_or_default();
    let guards: Vec<String> = guards
        .iter()
        .map(|(guard, table)| {
            let table = layout(outline.db, outline.root, *table).as_ref().map(|layout| layout.name.text.as_str());
            format!("{} in {}", inline(guard), shown(table))
        })
        .collect();
    let own_key = table.item_of(value.entity).is_some_and(|item| value.is_own_key(table, item));
    match (own_key, guards.is_empty()) {
        (true, _) => String::from("for it is the primary key, and is only put where there is none yet"),
        (false, false) => {
            let lasting = lasting(outline, &value_key).map(|lasting| format!(": {lasting}")).unwrap_or_default();
            format!("kept so by {}, put in the same transaction{lasting}", guards.join(", "))
        }
        (false, true) => String::from("kept so by every pattern that puts it"),
    }
}
