//! An attribute that holds another entity's id, and no relationship between the
//! two.

use super::check::{Check, Cx};
use super::finding::{Edit, Level};
use super::rule::{Group, Rule};
use super::unseen::is_any_unreadable;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::*;
use crate::model::names::relationships;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "missing-relationship",
    group: Group::Requirements,
    level: Level::Info,
    summary: "`@of(E)` holds the id of an entity with which no relationship is declared",
    thresholds: &[],
    check: Check::Entity(check),
};

fn check(cx: &mut Cx<'_>, entity: &EntityDef) {
    let Some(name) = cx.lowered().name.as_ref().map(|name| name.text.clone()) else { return };
    // A relationship that cannot be read may be the one.
    if cx.is_broken() || is_any_unreadable(cx) {
        return;
    }
    let related = related_pairs(cx.db, cx.root);
    let mut told = BTreeSet::new();
    for attribute in &entity.attributes {
        let Some(of) = &attribute.of else { continue };
        let Some(other) = cx.names().entity(&of.text) else { continue };
        if of.text == name || related.contains(&pair(&name, &of.text)) || !told.insert(&of.text) {
            continue;
        }
        let cardinality = cardinality(entity, attribute);
        let clause = format!("relationship {} {} {}", quote_name(&of.text), cardinality.written(), quote_name(&name));
        let many = match cardinality {
            Cardinality::OneToOne => "",
            _ => ", with `children avg …, max …`",
        };
        let message = format!(
            "`{}` holds the id of `{}`, and no relationship of the two is declared: how many `{name}` one `{}` has is \
             taken from the ratio of their counts or not known at all, and so is what a query of them reads; declare \
             `{clause}`{many}",
            attribute.name.text, of.text, of.text
        );
        let edits = vec![Edit::DeclarationAfter { decl: cx.decl, text: clause.clone() }];
        let place = cx.name_place(other);
        let finding = cx.report(of.range, message);
        if let Some(place) = place {
            finding.relate(place, "the entity whose id it holds");
        }
        finding.fix(format!("Declare `{clause}`"), edits);
    }
}

/// One of one where the id of the other is all the identity, or unique; else many.
fn cardinality(entity: &EntityDef, attribute: &AttributeDef) -> Cardinality {
    let mut ids = entity.ids();
    let only = attribute.id && ids.next().is_some() && ids.next().is_none();
    let unique = attribute.unique.as_ref().is_some_and(|unique| unique.scope.is_empty());
    if only || unique { Cardinality::OneToOne } else { Cardinality::OneToMany }
}

fn pair(a: &str, b: &str) -> (String, String) {
    if a < b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

/// The pairs of entities that a relationship ties; `N:M through E` ties E to both
/// ends as well.
#[salsa::tracked(returns(ref))]
fn related_pairs(db: &dyn Db, root: SourceFile) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for (_, relationship) in relationships(db, root) {
        let names = [&relationship.left, &relationship.right, &relationship.through];
        let names: Vec<&str> = names.into_iter().flatten().map(|name| name.text.as_str()).collect();
        for (index, one) in names.iter().enumerate() {
            pairs.extend(names[index + 1..].iter().map(|other| pair(one, other)));
        }
    }
    pairs
}
