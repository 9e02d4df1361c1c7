//! Letting an index project exactly what the patterns read from it, be that less or
//! more than it does.

use super::{Assist, AssistCx};
use crate::ide::CodeActionKind;
use crate::ide::price::{Changed, more_units_a_put, priced};
use crate::model::defs::*;
use crate::model::index_reads::{IndexReads, index_reads};
use crate::model::layout::{ItemLayout, Source, layout};
use crate::model::names::entity_def;
use crate::rules::finding::Edit;
use crate::rules::fixes::insert_after;
use crate::rules::lists::{has_comments, in_parentheses, relisted};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use std::collections::BTreeSet;

/// Offered on the name of an index and on its projection.
pub(super) fn project(cx: &AssistCx<'_>) -> Vec<Assist> {
    assist(cx).into_iter().collect()
}

fn assist(cx: &AssistCx<'_>) -> Option<Assist> {
    let Def::Table(table) = &cx.lowered().def else { return None };
    let is_meant = |index: &&IndexDef| {
        let name = index.name.as_ref().map(|name| name.range);
        name.into_iter().chain(index.projection.as_ref().map(|p| p.range)).any(|range| cx.is_at(range))
    };
    let def = table.indexes.iter().find(is_meant)?;
    let layout = layout(cx.db, cx.root, cx.decl).as_ref()?;
    let index = layout.indexes.iter().find(|index| Some(&index.name) == def.name.as_ref())?;
    let source = layout.of_index(index);
    let projection = exact(cx, source, index_reads(cx.db, cx.root, source)?);
    let now = Projection { kind: index.projection, included: index.included.clone() };
    if projection.same_as(&now) {
        return None;
    }
    let edits = vec![edit(cx, def, &projection)?];
    let title = format!("Project exactly what is read ({} → {})", now.short(), projection.short());
    let changed = Changed::by(cx.db, cx.root, &edits);
    let price = changed.iter().flat_map(|changed| {
        let units = changed.units_a_put(&layout.name.text, &index.name.text).map(more_units_a_put);
        units.into_iter().chain(changed.monthly([layout.name.text.as_str()]))
    });
    Some(Assist { kind: CodeActionKind::RefactorRewrite, title: priced(title, price), edits })
}

/// What an index projects besides keys.
struct Projection {
    kind: ProjectionKind,
    included: Vec<String>,
}

impl Projection {
    /// The projection as a menu names it: `INCLUDE(2)`.
    fn short(&self) -> String {
        match self.kind {
            ProjectionKind::All => "ALL".to_owned(),
            ProjectionKind::KeysOnly => "KEYS_ONLY".to_owned(),
            ProjectionKind::Include => format!("INCLUDE({})", self.included.len()),
        }
    }

    fn spelling(&self) -> String {
        match self.kind {
            ProjectionKind::All => "all".to_owned(),
            ProjectionKind::KeysOnly => "keys_only".to_owned(),
            ProjectionKind::Include => {
                let names: Vec<String> = self.included.iter().map(|name| quote_name(name)).collect();
                format!("include({})", names.join(", "))
            }
        }
    }

    fn same_as(&self, other: &Projection) -> bool {
        let set = |projection: &Projection| projection.included.iter().cloned().collect::<BTreeSet<String>>();
        self.kind == other.kind && set(self) == set(other)
    }
}

/// The least projection that has all that is read: what is included already keeps its
/// place, the rest follows in the order of the entities.
fn exact(cx: &AssistCx<'_>, source: Source<'_>, reads: IndexReads) -> Projection {
    let IndexReads::Only(read) = reads else {
        return Projection { kind: ProjectionKind::All, included: Vec::new() };
    };
    let keys: BTreeSet<&str> = source.layout.primary_key().chain(source.key()).map(|key| key.name.as_str()).collect();
    // What a key holds whole need not be included, if it does so in every item that
    // has it; what no item has cannot be.
    let having = |name: &str| source.items().filter(|item| has(cx, item, name)).collect::<Vec<_>>();
    let held = |item: &&ItemLayout, name: &str| {
        let keys = source.layout.primary_key().chain(source.key());
        keys.filter_map(|key| item.keys.get(&key.name)).any(|key| key.value.whole_holes().any(|hole| hole == name))
    };
    let lacking = |name: &str| having(name).iter().any(|item| !held(item, name));
    let included = source.index.map(|index| index.included.as_slice()).unwrap_or_default();
    let needed = |name: &&String| read.contains(*name) && !keys.contains(name.as_str()) && lacking(name);
    let mut names: Vec<String> = included.iter().filter(needed).cloned().collect();
    let rest: Vec<String> = read.iter().filter(needed).filter(|name| !names.contains(name)).cloned().collect();
    names.extend(rest);
    let kind = if names.is_empty() { ProjectionKind::KeysOnly } else { ProjectionKind::Include };
    Projection { kind, included: names }
}

/// Whether an item has an attribute, or a list of what it embeds, of this name.
fn has(cx: &AssistCx<'_>, item: &ItemLayout, name: &str) -> bool {
    let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
    entity.is_some_and(|entity| entity.attribute(name).is_some())
        || item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name))
}

/// Puts the projection in the place of the one that there is, or behind the keys.
fn edit(cx: &AssistCx<'_>, def: &IndexDef, projection: &Projection) -> Option<Edit> {
    let spelling = projection.spelling();
    let Some(written) = &def.projection else {
        let key = def.sort.as_ref().or(def.partition.as_ref())?;
        return Some(insert_after(cx.text(), cx.place(key.range), &format!("projection {spelling}")));
    };
    let start = written.kind_range.start as usize;
    let list = match written.attributes.as_slice() {
        [] => None,
        [first, .., last] | [first @ last] => Some(in_parentheses(cx.text(), first.range, last.range)?),
    };
    let both_include = projection.kind == ProjectionKind::Include;
    if let Some(list) = list.filter(|list| both_include && has_comments(cx.text(), *list)) {
        let ranges: Vec<TextRange> = written.attributes.iter().map(|name| name.range).collect();
        let keeps = |at: usize| projection.included.contains(&written.attributes[at].text);
        let is_new = |name: &&String| !written.attributes.iter().any(|own| own.text == **name);
        let added: Vec<String> = projection.included.iter().filter(is_new).map(|name| quote_name(name)).collect();
        let text = relisted(cx.text(), list, &ranges, keeps, &added);
        return Some(Edit::Replace { place: cx.place(list), text });
    }
    let end = list.map_or(written.kind_range.end, |list| list.end + 1) as usize;
    Some(Edit::Replace { place: cx.place(TextRange::new(start, end)), text: spelling })
}
