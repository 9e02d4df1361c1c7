//! Which attributes an item has, and which it has not, wherever a condition holds.

use super::{ConditionsDef, Operator, Term};
use std::collections::BTreeMap;

/// Whether each attribute is there wherever a condition holds, as far as it says;
/// `None` where it never holds.
type Implied<'d> = Option<BTreeMap<&'d str, bool>>;

impl ConditionsDef {
    /// The attributes that an item has (true) or has not (false) wherever the
    /// conditions hold. A comparison is false of an attribute that is not there,
    /// except `<>`, which is true of it. What joins by `or` says only what all of
    /// its sides say, and so does `not` around what joins by `and`.
    pub fn implied(&self) -> BTreeMap<&str, bool> {
        conditions(self, true).unwrap_or_default()
    }
}

/// The same where they hold (`wanted`), or where they do not.
fn conditions(all: &ConditionsDef, wanted: bool) -> Implied<'_> {
    let mut groups: Vec<Vec<&Term>> = vec![Vec::new()];
    for (at, term) in all.terms.iter().enumerate() {
        if at > 0 && all.operators.get(at - 1).is_some_and(|(or, _)| *or) {
            groups.push(Vec::new());
        }
        groups.last_mut().expect("it begins with one").push(term);
    }
    let groups = groups.into_iter().map(|group| group.into_iter().map(|own| term(own, wanted)));
    match wanted {
        true => any(groups.map(both)),
        false => both(groups.map(any)),
    }
}

fn term(own: &Term, wanted: bool) -> Implied<'_> {
    match own {
        Term::Not { term: inner, .. } => term(inner, !wanted),
        Term::Group { conditions: inner, .. } => conditions(inner, wanted),
        Term::Existence { exists, attribute, .. } => {
            Some(BTreeMap::from([(attribute.text.as_str(), *exists == wanted)]))
        }
        Term::Comparison(comparison) => {
            let needs_a_value = (comparison.operator != Operator::NotEqual) == wanted;
            let name = needs_a_value.then_some((comparison.attribute.text.as_str(), true));
            Some(name.into_iter().collect())
        }
    }
}

/// What all of them say together; what contradicts itself never holds.
fn both<'d>(mut sides: impl Iterator<Item = Implied<'d>>) -> Implied<'d> {
    sides.try_fold(BTreeMap::new(), |mut all, side| {
        for (name, there) in side? {
            if *all.entry(name).or_insert(there) != there {
                return None;
            }
        }
        Some(all)
    })
}

/// What each of them says that can hold at all.
fn any<'d>(sides: impl Iterator<Item = Implied<'d>>) -> Implied<'d> {
    sides.flatten().reduce(|mut all, side| {
        all.retain(|name, there| side.get(name) == Some(there));
        all
    })
}
