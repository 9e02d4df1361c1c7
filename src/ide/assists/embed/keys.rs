//! Where children get items of their own: in their parent's table under its
//! partition key, where that has a sort key, else in a table of theirs.

use super::{Home, Pair};
use crate::ide::assists::AssistCx;
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeyValue};
use crate::model::names::names;
use crate::rules::finding::Edit;
use crate::rules::fixes::{free_name, insert_after, plural, upper_snake};
use crate::syntax::strings::quote_name;

/// The children's new home.
pub(super) struct NewHome {
    pub table: String,
    /// Whether it is the parent's table.
    pub shared: bool,
    /// What makes it.
    pub edit: Edit,
    /// The key condition for the children of one parent.
    pub condition: String,
}

pub(super) fn new_home(cx: &AssistCx<'_>, pair: Pair<'_>, parent: Home<'_>) -> Option<NewHome> {
    shared(cx, pair, parent).or_else(|| own(cx, pair, parent))
}

/// In the parent's table, behind its item.
fn shared(cx: &AssistCx<'_>, pair: Pair<'_>, parent: Home<'_>) -> Option<NewHome> {
    let ([partition], [sort]) = (parent.layout.partition.as_slice(), parent.layout.sort.as_slice()) else {
        return None;
    };
    if sort.ty.is_some_and(|ty| ty != KeyType::String) || pair.child_def.attribute(&sort.name).is_some() {
        return None;
    }
    let source = parent.item.keys.get(&partition.name)?;
    let value = mapped(pair, &source.value)?;
    let key = quote_name(&partition.name);
    let (written, condition) = match value.whole_attribute() {
        // The attribute of the key's name is its value by itself.
        Some(own) if own == partition.name => (None, format!("{key} = :{}", quote_name(own))),
        Some(own) if !source.template => (Some(quote_name(own)), format!("{key} = :{}", quote_name(own))),
        _ => (Some(value.spelling()), format!("{key} = {}", value.spelling())),
    };
    let under: Vec<&str> = value.attributes();
    let mut ids: Vec<&str> = pair.child_def.ids().map(|id| id.name.text.as_str()).collect();
    ids.retain(|id| !under.contains(id) && *id != pair.by);
    if ids.is_empty() {
        return None;
    }
    let prefix = upper_snake(pair.child);
    let hole = |name: &str| format!("{{{}}}", quote_name(name));
    // Parents that share a partition value are told apart by their ids.
    let of_parent = !under.contains(&pair.by);
    let start = if of_parent { format!("{prefix}#{}#", hole(pair.by)) } else { format!("{prefix}#") };
    let ids: Vec<String> = ids.into_iter().map(hole).collect();
    let sort_key = quote_name(&sort.name);
    let mut values: Vec<String> = written.map(|written| format!("{key} = {written}")).into_iter().collect();
    values.push(format!("{sort_key} = \"{start}{}\"", ids.join("#")));
    let child = quote_name(pair.child);
    let lines = match values.as_slice() {
        [one] => format!("item {child} {{ {one} }}"),
        several => format!("item {child} {{\n  {}\n}}", several.join("\n  ")),
    };
    Some(NewHome {
        table: parent.layout.name.text.clone(),
        shared: true,
        edit: insert_after(parent.text(cx), parent.place(parent.def.range), &lines),
        condition: format!("{condition} and {sort_key} begins_with \"{start}\""),
    })
}

/// The value of a key of the parent as a child can make it.
fn mapped(pair: Pair<'_>, value: &KeyValue) -> Option<KeyValue> {
    let mut value = value.clone();
    for piece in &mut value.parts {
        if let KeyPiece::Hole(hole) = piece {
            let own = pair.mapped(&hole.name)?;
            hole.ty = pair.child_def.attribute(own).map(|attribute| attribute.ty.clone());
            hole.name = own.to_owned();
        }
    }
    Some(value)
}

/// In a table of their own, keyed by the parent's id and theirs.
fn own(cx: &AssistCx<'_>, pair: Pair<'_>, parent: Home<'_>) -> Option<NewHome> {
    let ids: Vec<&AttributeDef> = pair.child_def.ids().filter(|id| id.name.text != pair.by).collect();
    let [id] = ids.as_slice() else { return None };
    id.ty.key_type()?;
    let tables = &names(cx.db, cx.root).tables;
    let table = free_name(&plural(pair.child), |name| tables.contains_key(name));
    let by = quote_name(pair.by);
    let mut lines = vec![format!("partition key {by}"), format!("sort key {}", quote_name(&id.name.text))];
    // What the parent's table said of throughput and safety held for them as well.
    lines.extend(parent.table.class.map(|class| {
        let class = match class {
            TableClass::Standard => "standard",
            TableClass::InfrequentAccess => "standard_infrequent_access",
        };
        format!("class {class}")
    }));
    lines.extend(parent.table.capacity.as_ref().map(|capacity| match capacity {
        Capacity::OnDemand => "capacity on_demand".to_owned(),
        Capacity::Provisioned { utilization: None } => "capacity provisioned".to_owned(),
        Capacity::Provisioned { utilization: Some(value) } => {
            format!("capacity provisioned utilization {}", value.written)
        }
    }));
    lines.extend(parent.table.point_in_time_recovery.then(|| "point_in_time_recovery".to_owned()));
    let text =
        format!("table {} {{\n  {}\n\n  item {}\n}}", quote_name(&table), lines.join("\n  "), quote_name(pair.child));
    Some(NewHome {
        table,
        shared: false,
        edit: Edit::DeclarationAfter { decl: parent.decl, text },
        condition: format!("{by} = :{by}"),
    })
}
