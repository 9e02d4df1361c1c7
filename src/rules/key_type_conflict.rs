//! A key attribute that cannot have one type.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::key_uses::{items, written};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, TableLayout, keys_of};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    name: "key-type-conflict",
    group: Group::Correctness,
    level: Level::Error,
    summary: "one key attribute has two DynamoDB key types among table, indexes and items",
    thresholds: &[],
    check: Check::Table(check),
};

/// One thing that gives a key attribute a type.
struct Said {
    ty: KeyType,
    /// Where it shows in the table.
    range: TextRange,
    /// The same, or the attribute of the entity that gives the value.
    source: Place,
    /// The entity whose items have the value; `None` for a key part.
    entity: Option<String>,
    what: String,
}

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    let parts: Vec<&KeyPart> = keys_of(table).flat_map(|key| &key.parts).collect();
    let mut seen = BTreeSet::new();
    for part in &parts {
        if !seen.insert(&part.name.text) {
            continue;
        }
        let own: Vec<&KeyPart> = parts.iter().copied().filter(|other| other.name.text == part.name.text).collect();
        let mut said: Vec<Said> = own.iter().filter_map(|part| declared(cx, table, part)).collect();
        said.extend(items(cx, layout).filter_map(|(item, def)| valued(cx, item, def, &own)));
        // A stable sort: of what shows at one place the declared type comes first.
        said.sort_by_key(|said| said.range.start);
        let Some((first, later)) = said.split_first() else { continue };
        report(cx, &own, first, &later.iter().filter(|said| said.ty != first.ty).collect::<Vec<_>>(), &said);
    }
}

fn declared(cx: &Cx<'_>, table: &TableDef, part: &KeyPart) -> Option<Said> {
    let ty = part.ty?;
    let index = table.indexes.iter().find(|index| index.range.contains(part.range));
    let owner = match index {
        Some(IndexDef { kind, name: Some(name), .. }) => format!("{} `{}`", kind.short(), name.text),
        Some(index) => format!("a {}", index.kind.short()),
        None => "the table".to_owned(),
    };
    let what = format!("{owner} declares it a {}", ty.word());
    Some(Said { ty, range: part.range, source: cx.place(part.range), entity: None, what })
}

/// The type of an item's value. An attribute of a type that no key can have is a
/// fault of its own.
fn valued(cx: &Cx<'_>, item: &ItemLayout, def: &ItemDef, parts: &[&KeyPart]) -> Option<Said> {
    let name = &parts.first()?.name.text;
    let decl = item.entity_decl?;
    let attribute = |name: &str| entity_def(cx.db, decl)?.attribute(name);
    let said = |ty: KeyType, range, source, what| Said { ty, range, source, entity: Some(item.entity.clone()), what };
    match written(def, name) {
        Some(KeyExpr::Template { range, .. }) => {
            let what = format!("the template of `{}` makes a string", item.entity);
            Some(said(KeyType::String, *range, cx.place(*range), what))
        }
        Some(KeyExpr::Attribute(value)) => {
            let attribute = attribute(&value.text)?;
            let ty = attribute.ty.key_type()?;
            let what = format!("`{}.{}` is a {}", item.entity, value.text, ty.word());
            Some(said(ty, value.range, Place { decl, range: attribute.name.range }, what))
        }
        None => {
            let attribute = attribute(name)?;
            let ty = attribute.ty.key_type()?;
            let what = format!("`{}.{name}` is a {}", item.entity, ty.word());
            Some(said(ty, parts[0].range, Place { decl, range: attribute.name.range }, what))
        }
    }
}

fn report(cx: &mut Cx<'_>, parts: &[&KeyPart], first: &Said, later: &[&Said], all: &[Said]) {
    let edits = declare(cx, parts, all);
    // Where all items agree against the declared type, that is the one cause; else
    // each place is one.
    let agree = first.entity.is_none() && edits.is_some() && all.iter().any(|said| said.entity.is_some());
    let types = all.iter().map(|said| said.ty).collect::<BTreeSet<_>>().len();
    let mut groups: Vec<Vec<&Said>> = Vec::new();
    for said in later {
        match groups.iter_mut().find(|group| agree || group[0].range == said.range) {
            Some(group) => group.push(said),
            None => groups.push(vec![said]),
        }
    }
    for group in groups {
        let said = group[0];
        let name = &parts[0].name.text;
        let message = format!(
            "the key attribute `{name}` has {types} types, and DynamoDB gives it 1 for the table and all its indexes: {}, and \
             {}; {}; give it one type everywhere",
            first.what,
            said.what,
            if parts.iter().filter_map(|part| part.ty).collect::<BTreeSet<_>>().len() > 1 {
                "the table is refused"
            } else {
                "every write of the other type is refused"
            }
        );
        let own = cx.place(said.range);
        let finding = cx.report(said.range, message);
        for other in std::iter::once(&first).chain(&group).filter(|other| other.source != own) {
            finding.relate(other.source, &other.what);
        }
        if let Some((ty, edits)) = &edits {
            finding.fix(format!("Declare `{name}` a {}", ty.word()), edits.clone());
        }
    }
}

/// The edits that give the key the type that all items' values have, or, where
/// none has a value, that its first part has. `None` where the items disagree, or
/// nothing declared is to be changed.
fn declare(cx: &Cx<'_>, parts: &[&KeyPart], all: &[Said]) -> Option<(KeyType, Vec<Edit>)> {
    let mut valued = all.iter().filter(|said| said.entity.is_some()).map(|said| said.ty);
    let ty = match valued.next() {
        Some(ty) => valued.all(|other| other == ty).then_some(ty)?,
        None => all.first()?.ty,
    };
    let wrong = parts.iter().filter_map(|part| Some((part, part.ty.filter(|own| *own != ty)?)));
    let edits: Vec<Edit> = wrong
        .map(|(part, own)| {
            // The type is the last word of the part.
            let end = part.range.end as usize;
            let range = TextRange::new(end - own.word().len(), end);
            Edit::Replace { place: cx.place(range), text: ty.word().to_owned() }
        })
        .collect();
    (!edits.is_empty()).then_some((ty, edits))
}
