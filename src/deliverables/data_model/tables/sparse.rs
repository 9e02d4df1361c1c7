//! Which items of a table an index holds.

use crate::capacity::show;
use crate::capacity::stock::Stock;
use crate::deliverables::markdown::{codes, inline};
use crate::deliverables::outline::said;
use crate::model::defs::IndexDef;
use crate::model::layout::{ItemLayout, Source};

/// Which items of the table are in the index, how many these are, and whether that
/// is asserted.
pub(super) fn sparse(def: &IndexDef, source: Option<Source<'_>>, stock: Option<&Stock>) -> String {
    let items: Vec<(Source<'_>, &ItemLayout)> =
        source.iter().flat_map(|source| source.layout.items.iter().map(move |item| (*source, item))).collect();
    let part = |(source, item): &(Source<'_>, &ItemLayout)| !matches!(membership(*source, item), Membership::All);
    let is_partial = items.iter().any(part);
    let mut parts = vec![match (&def.sparse, is_partial) {
        (Some(sparse), _) => match sparse.because.as_ref().and_then(said) {
            Some(because) => format!("yes, as declared: {}", inline(because).trim_end_matches('.')),
            None => String::from("yes, as declared"),
        },
        (None, true) => String::from("yes, by its keys"),
        (None, false) if items.is_empty() => String::from("not known: the table has no item yet"),
        (None, false) => String::from("no"),
    }];
    // Entities of which the same is to be said are named together.
    let mut whole: Vec<String> = Vec::new();
    let mut absent: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    let mut some = Vec::new();
    for (source, item) in &items {
        let entity = inline(&item.entity);
        match membership(*source, item) {
            Membership::All => whole.push(entity),
            Membership::Some(attributes) => {
                let kind = stock.and_then(|stock| stock.kinds.iter().find(|kind| kind.entity == item.entity));
                let share = kind.map(|kind| {
                    let items = show::figure(&kind.items, |items| show::count_of(items, "item"));
                    format!(", {} of them ({items})", show::figure(&kind.share, show::percent))
                });
                some.push(format!("only {entity} items that have {}{}", codes(attributes), share.unwrap_or_default()));
            }
            Membership::None(attributes) => match absent.iter_mut().find(|(known, _)| *known == attributes) {
                Some((_, entities)) => entities.push(entity),
                None => absent.push((attributes, vec![entity])),
            },
        }
    }
    if !whole.is_empty() {
        parts.push(format!("every {} is in it", whole.join(", ")));
    }
    parts.extend(some);
    parts.extend(absent.into_iter().map(|(attributes, entities)| {
        format!("no {}, without a value for {}", entities.join(", "), codes(attributes))
    }));
    parts.join("; ")
}

/// Which items of an entity an index holds.
enum Membership<'l> {
    All,
    /// Those with a value for these key attributes.
    Some(Vec<&'l str>),
    /// None: these key attributes have no value.
    None(Vec<&'l str>),
}

fn membership<'l>(source: Source<'l>, item: &'l ItemLayout) -> Membership<'l> {
    let names = |wanted: &dyn Fn(&str) -> bool| -> Vec<&'l str> {
        source.key().map(|key| key.name.as_str()).filter(|name| wanted(name)).collect()
    };
    let missing = names(&|name| !item.keys.contains_key(name));
    let optional = names(&|name| item.keys.get(name).is_some_and(|source| source.optional));
    match (missing.is_empty(), optional.is_empty()) {
        (false, _) => Membership::None(missing),
        (true, false) => Membership::Some(optional),
        (true, true) => Membership::All,
    }
}
