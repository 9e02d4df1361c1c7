//! A name that resolves to nothing.

use super::check::{Check, Cx};
use super::finding::{Edit, Level};
use super::fixes::nearest;
use super::registry;
use super::rule::{Group, Rule};
use crate::model::defs::{Lowered, Reference, Target};
use crate::model::refs::{Resolution, resolve};
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "unknown-name",
    group: Group::Language,
    level: Level::Error,
    summary: "a name resolves to nothing",
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    for reference in &lowered.facts.references {
        let name = &reference.name.text;
        let candidates = if reference.target == Target::Rule {
            if registry::find(name).is_some() {
                continue;
            }
            registry::all().map(|rule| rule.name.to_owned()).collect()
        } else {
            match resolve(cx.db, cx.root, reference) {
                Resolution::Unknown { candidates } => candidates,
                Resolution::Found(_) | Resolution::Undecided => continue,
            }
        };
        report(cx, reference, &candidates);
    }
}

fn report(cx: &mut Cx<'_>, reference: &Reference, candidates: &[String]) {
    let name = &reference.name.text;
    let what = describe(&reference.target);
    let near = nearest(name, candidates.iter().map(String::as_str));
    let advice = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if candidates.is_empty() => "none is declared".to_owned(),
        None => "declare it, or use one that is".to_owned(),
    };
    let place = cx.place(reference.name.range);
    let finding = cx.report(reference.name.range, format!("no {what} is called `{name}`; {advice}"));
    if let Some(near) = near {
        let text = if reference.target == Target::Rule { near.to_owned() } else { quote_name(near) };
        finding.fix(format!("Change to `{near}`"), vec![Edit::Replace { place, text }]);
    }
}

/// What the name should be the name of.
fn describe(target: &Target) -> String {
    match target {
        Target::Entity => "entity".to_owned(),
        Target::Table => "table".to_owned(),
        Target::Pattern => "pattern".to_owned(),
        Target::Rule => "rule".to_owned(),
        Target::Index { table } => format!("index of table `{table}`"),
        Target::EntityAttribute { entities } => {
            let entities: Vec<_> = entities.iter().map(|e| format!("`{e}`")).collect();
            format!("attribute of {}", entities.join(" or "))
        }
        Target::ItemAttribute { entity, table } => format!("attribute of `{entity}` or key of table `{table}`"),
        Target::TableAttribute { table } => format!("attribute or key in table `{table}`"),
        Target::Key { table } | Target::UntypedKey { table } => {
            format!("attribute of the items of table `{table}`, and the key declares no type: it")
        }
        Target::AnyAttribute => "attribute of any entity".to_owned(),
    }
}
