//! A `with` or `remove` of an attribute that every item has.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::listed;
use super::immutable_updated::without;
use super::rule::{Group, Rule};
use super::update_of_primary_key::key_made_from;
use crate::model::defs::*;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "optional-expected",
    group: Group::Correctness,
    level: Level::Error,
    summary: "`with` or `remove` names an attribute that is not optional",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let Some(subject) = step.step.op.subject() else { continue };
        let (list, set) = match &step.step.op {
            OpDef::Put { with: Some(with), .. } => (&with.attributes, None),
            OpDef::Update { set, remove, .. } => (remove, Some(set)),
            _ => continue,
        };
        let Some(decl) = cx.names().entity(&subject.entity.text) else { continue };
        let Some(entity) = cx.entity(&subject.entity.text) else { continue };
        // The `?` that is missed may be what cannot be read.
        if !cx.is_whole(decl) {
            continue;
        }
        let layout = step.source.map(|source| source.layout);
        let item = layout.and_then(|layout| layout.items.iter().find(|item| item.entity == subject.entity.text));
        for (index, name) in list.iter().enumerate() {
            let Some(attribute) = entity.attribute(&name.text).filter(|attribute| !attribute.optional) else {
                continue;
            };
            let in_key =
                layout.zip(item).is_some_and(|(layout, item)| key_made_from(layout, item, &name.text).is_some());
            // Who may not change an attribute at all need not be told that it must be
            // there as well.
            if set.is_some() && (in_key || attribute.immutable.is_some()) {
                continue;
            }
            report(cx, &Named { list, index, set }, (decl, attribute), &subject.entity.text, in_key);
        }
    }
}

/// A name in a `with`, or in the `remove` of an update that sets these.
struct Named<'d> {
    list: &'d [Name],
    index: usize,
    set: Option<&'d Vec<Name>>,
}

fn report(
    cx: &mut Cx<'_>,
    named: &Named<'_>,
    (decl, attribute): (crate::model::db::Decl, &AttributeDef),
    entity: &str,
    in_key: bool,
) {
    let name = &named.list[named.index];
    let message = match named.set {
        None => format!(
            "`with` lists the optional attributes that a put sets, and every `{entity}` has `{0}`, which is set in any \
             case; leave it out, or declare `{0}` as optional: `{1}?`",
            name.text,
            attribute.ty.spelling()
        ),
        Some(_) => format!(
            "this update removes `{0}`, and `{entity}` declares that every item has it: who reads such an item finds \
             none; keep it, or declare `{0}` as optional: `{1}?`",
            name.text,
            attribute.ty.spelling()
        ),
    };
    let (leave, left_out) = match named.set {
        // Which optional attributes a put sets is the same without the names; all of
        // them go at once, so that nothing is left of a list of none but these.
        None => optional_only(cx, entity, named.list).unzip(),
        // An update that names nothing may change anything: the last name stays.
        Some(set) if set.is_empty() && named.list.len() == 1 => (None, None),
        Some(_) => (without(cx, named.list, named.index), None),
    };
    let optional = TextRange::empty(attribute.type_range.end as usize);
    // A key that is not always there is a fault of another kind.
    let optional = (!in_key).then(|| Edit::Replace { place: Place { decl, range: optional }, text: "?".to_owned() });
    let finding = cx.report(name.range, message);
    finding.relate(Place { decl, range: attribute.name.range }, "not optional");
    match (leave, named.set) {
        (Some(edit), None) => {
            finding.tidy(format!("Leave {} out of `with`", left_out.unwrap_or_default()), vec![edit]);
        }
        (Some(edit), Some(_)) => {
            finding.suggest(format!("Keep `{}`: leave it out of the update", name.text), vec![edit]);
        }
        (None, _) => {}
    }
    if let Some(edit) = optional {
        finding.suggest(format!("Declare `{}` as optional", name.text), vec![edit]);
    }
}

/// Takes from a `with` the attributes that are not optional, and names them;
/// `None` where a comment stands in the list.
fn optional_only(cx: &Cx<'_>, entity: &str, list: &[Name]) -> Option<(Edit, String)> {
    let attributes = cx.entity(entity)?;
    let is_required = |name: &&Name| attributes.attribute(&name.text).is_some_and(|attribute| !attribute.optional);
    let (required, kept): (Vec<&Name>, Vec<&Name>) = list.iter().partition(is_required);
    let whole = list.first()?.range.cover(list.last()?.range);
    if cx.chunk().text[whole.indices()].contains("//") {
        return None;
    }
    let kept: Vec<String> = kept.iter().map(|name| quote_name(&name.text)).collect();
    let text = if kept.is_empty() { "none".to_owned() } else { kept.join(", ") };
    let required: Vec<&str> = required.iter().map(|name| name.text.as_str()).collect();
    Some((Edit::Replace { place: cx.place(whole), text }, listed(&required)))
}
