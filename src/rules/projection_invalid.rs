//! An index that includes what is not there, or what it has anyway.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place, Tag};
use super::fixes::listed;
use super::key_uses::{KeyUse, key_uses};
use super::lists::{has_comments, in_parentheses, relisted};
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{IndexLayout, ItemLayout, Source, TableLayout};
use crate::model::names::{entity_def, table_def};
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "projection-invalid",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an index includes an attribute that no item in it has, or a key of the table or of the index",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    let Some(table) = table_def(cx.db, cx.decl) else { return };
    for index in &layout.indexes {
        let def = table.indexes.iter().find(|def| def.name.as_ref().is_some_and(|name| name.range == index.name.range));
        let Some(projection) = def.and_then(|def| def.projection.as_ref()) else { continue };
        if projection.kind != Some(ProjectionKind::Include) {
            continue;
        }
        let source = layout.of_index(index);
        let is_key = |name: &Name| key_of(layout, index, &name.text).is_some();
        let is_wrong = |name: &Name| is_key(name) || is_missing(cx, source, &name.text);
        let wrong: Vec<bool> = projection.attributes.iter().map(is_wrong).collect();
        let list = List { projection, wrong: &wrong };
        for (position, name) in projection.attributes.iter().enumerate() {
            if let Some(part) = key_of(layout, index, &name.text) {
                report_key(cx, index, name, part, list.without(cx, position));
            } else if wrong[position] {
                report_missing(cx, source, index, name, list.without(cx, position));
            }
        }
    }
}

/// The key of the table or of this index that an attribute is.
fn key_of<'l>(layout: &'l TableLayout, index: &IndexLayout, name: &str) -> Option<KeyUse<'l>> {
    key_uses(layout)
        .find(|part| part.key.name == name && part.index.is_none_or(|own| own.name.range == index.name.range))
}

/// Whether no item in the index has the attribute. A name that nothing in the
/// table has is a fault of its own, as is an index that no item gets into, and of
/// an entity that nobody declares nothing is known.
fn is_missing(cx: &Cx<'_>, source: Source<'_>, name: &str) -> bool {
    let mut items = source.items().peekable();
    // What cannot be read may hold the attribute.
    items.peek().is_some()
        && !cx.is_broken()
        && is_known(cx, source.layout, name)
        && items.all(|item| item.entity_decl.is_some_and(|decl| cx.is_whole(decl)) && !has(cx, item, name))
}

fn has(cx: &Cx<'_>, item: &ItemLayout, name: &str) -> bool {
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    entity.is_some_and(|entity| entity.attribute(name).is_some())
        || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
        || item.keys.contains_key(name)
}

/// Whether the name means something in the table, be it an attribute of an
/// embedded entity or a key of another index.
fn is_known(cx: &Cx<'_>, layout: &TableLayout, name: &str) -> bool {
    key_uses(layout).any(|part| part.key.name == name)
        || layout.items.iter().any(|item| has(cx, item, name) || embedded(cx, item, name).is_some())
}

/// The list whose elements have the attribute.
fn embedded<'l>(cx: &Cx<'_>, item: &'l ItemLayout, name: &str) -> Option<&'l str> {
    let has = |decl| entity_def(cx.db, decl).is_some_and(|entity| entity.attribute(name).is_some());
    item.embeds.iter().find(|embed| embed.entity_decl.is_some_and(has))?.list.as_deref()
}

fn report_key(cx: &mut Cx<'_>, index: &IndexLayout, name: &Name, part: KeyUse<'_>, edit: Edit) {
    let message = format!(
        "`{}` is {}: every index entry has the keys of the table and of the index, and DynamoDB refuses to include one \
         besides; take it out of the list, and index `{}` holds the same",
        name.text,
        part.described(),
        index.name.text
    );
    let place = cx.place(part.key.range);
    let finding = cx.report(name.range, message);
    finding.tag(Tag::Unnecessary).relate(place, format!("the key `{}`", name.text));
    finding.tidy(format!("Take key `{}` out of the list", name.text), vec![edit]);
}

fn report_missing(cx: &mut Cx<'_>, source: Source<'_>, index: &IndexLayout, name: &Name, edit: Edit) {
    let items: Vec<&ItemLayout> = source.items().collect();
    let held: Vec<&str> = items.iter().map(|item| item.entity.as_str()).collect();
    let list = items.iter().find_map(|item| embedded(cx, item, &name.text));
    let elsewhere = source.layout.items.iter().find(|item| has(cx, item, &name.text));
    let keys_of = |item: &ItemLayout| {
        let lacks = source.key().filter(|key| !item.keys.contains_key(&key.name));
        listed(&lacks.map(|key| key.name.as_str()).collect::<Vec<_>>())
    };
    let why = match (list, elsewhere) {
        (Some(list), _) => format!(", only the elements of the list `{list}`, which is projected whole or not at all"),
        (None, Some(other)) => {
            format!(", only `{}`, which is not in the index for want of {}", other.entity, keys_of(other))
        }
        (None, None) => String::new(),
    };
    let message = format!(
        "no item in index `{}` has an attribute `{}`{why}: the index holds {}, and nothing is ever projected under that \
         name; {}",
        index.name.text,
        name.text,
        listed(&held),
        match list {
            Some(list) => format!("include `{list}`, or take it out"),
            None => match elsewhere {
                Some(other) => format!("give `{}` {}, or take it out", other.entity, keys_of(other)),
                None => "include an attribute of what is in the index, or take it out".to_owned(),
            },
        }
    );
    let places: Vec<Place> = items.iter().map(|item| cx.place(item.range)).collect();
    let included = index.included.iter().any(|own| Some(own.as_str()) == list);
    let own = cx.place(name.range);
    let finding = cx.report(name.range, message);
    for place in places {
        finding.relate(place, "its items are in the index");
    }
    if let Some(list) = list.filter(|_| !included) {
        let text = crate::syntax::strings::quote_name(list);
        finding.suggest(format!("Include the list `{list}`"), vec![Edit::Replace { place: own, text }]);
    }
    let title = format!("Take `{}` out of the list", name.text);
    // Where another entity has it, that may be what is missing in the index.
    match elsewhere {
        Some(_) => finding.suggest(title, vec![edit]),
        None => finding.fix(title, vec![edit]),
    };
}

/// The names of an include list, and which of them have to go.
struct List<'p> {
    projection: &'p ProjectionDef,
    wrong: &'p [bool],
}

impl List<'_> {
    /// The list without the name at a position and the comma that goes with it. A
    /// list cannot be empty: where all of them have to go, the index projects its
    /// keys only.
    fn without(&self, cx: &Cx<'_>, position: usize) -> Edit {
        let names = &self.projection.attributes;
        let own = names[position].range;
        if self.wrong.iter().all(|wrong| *wrong) {
            let range = TextRange::new(self.projection.kind_range.start as usize, self.end(cx));
            return Edit::Replace { place: cx.place(range), text: "keys_only".to_owned() };
        }
        let text = &cx.chunk().text;
        let ranges: Vec<TextRange> = names.iter().map(|name| name.range).collect();
        if let Some(list) = in_parentheses(text, ranges[0], ranges[ranges.len() - 1])
            && has_comments(text, list)
        {
            let text = relisted(text, list, &ranges, |at| at != position, &[]);
            return Edit::Replace { place: cx.place(list), text };
        }
        // Those at the beginning go with the comma behind them, the others with the
        // one before, so that what two fixes take away does not overlap.
        let leading = self.wrong[..position].iter().all(|wrong| *wrong);
        let range = match (position.checked_sub(1), names.get(position + 1)) {
            (_, Some(next)) if leading => TextRange::new(own.start as usize, next.range.start as usize),
            (Some(before), _) => TextRange::new(names[before].range.end as usize, own.end as usize),
            (None, _) => own,
        };
        Edit::Replace { place: cx.place(range), text: String::new() }
    }

    /// The end of the list, its parenthesis included.
    fn end(&self, cx: &Cx<'_>) -> usize {
        let names = &self.projection.attributes;
        let Some(last) = names.last() else { return self.projection.kind_range.end as usize };
        let list = in_parentheses(&cx.chunk().text, names[0].range, last.range);
        list.map_or(last.range.end, |list| list.end + 1) as usize
    }
}
