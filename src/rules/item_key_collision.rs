//! Two items of one table that always have the same primary key.

use super::check::{Check, Cx};
use super::finding::Level;
use super::fixes::{key_template, listed};
use super::rule::{Group, Rule};
use crate::model::identity::always_same_key;
use crate::model::layout::TableLayout;
use crate::model::names::entity_def;

pub static RULE: Rule = Rule {
    name: "item-key-collision",
    group: Group::Correctness,
    level: Level::Error,
    summary: "two items of one table always have the same primary key where their ids are the same",
    thresholds: &[],
    check: Check::Table(check),
};

fn check(cx: &mut Cx<'_>, layout: &TableLayout) {
    // A key clause that cannot be read may be what tells the items apart.
    if cx.is_broken() {
        return;
    }
    for (index, item) in layout.items.iter().enumerate() {
        // One entity placed twice is a fault of another kind.
        let earlier = layout.items[..index]
            .iter()
            .find(|earlier| earlier.entity != item.entity && always_same_key(cx.db, cx.root, layout, earlier, item));
        let Some(earlier) = earlier else { continue };
        let values: Vec<String> = layout
            .primary_key()
            .filter_map(|key| Some(format!("{} = {}", key.name, item.keys.get(&key.name)?.value.spelling())))
            .collect();
        let entity = item.entity_decl.and_then(|decl| entity_def(cx.db, decl));
        let advice = match (layout.sort.first(), entity) {
            (Some(sort), Some(entity)) => {
                format!("give each its own `{}`, such as {} here", sort.name, key_template(&item.entity, entity))
            }
            _ => "add a sort key that names the entity, or give one of them a table of its own".to_owned(),
        };
        let place = cx.place(earlier.range);
        let message = format!(
            "`{}` and `{}` have one primary key ({}) wherever their ids are the same: a write of one replaces the \
             other; {advice}",
            item.entity,
            earlier.entity,
            listed(&values)
        );
        cx.report(item.range, message).relate(place, format!("`{}` has the same key", earlier.entity));
    }
}
