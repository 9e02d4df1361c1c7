//! What a name is, in words.

use super::class::Thing;
use crate::model::db::{Db, Decl};
use crate::model::defs::*;
use crate::model::lower::decl_name;
use crate::model::names::{entity_def, table_def};
use crate::model::refs::What;
use crate::syntax::TextRange;

/// A thing with its name and what it belongs to: ``attribute `email` of entity `User` ``.
pub(super) fn described(db: &dyn Db, thing: &Thing, name: &str) -> String {
    let declared = &thing.declared;
    let owner = decl_name(db, declared.decl).as_deref().unwrap_or("?");
    match declared.what {
        What::Entity => format!("entity `{name}`"),
        What::Table => format!("table `{name}`"),
        What::Pattern => format!("pattern `{name}`"),
        What::Workflow => format!("workflow `{name}`"),
        What::Application => format!("application `{name}`"),
        What::Index => format!("index `{name}` of table `{owner}`"),
        What::Key => format!("key `{name}` of table `{owner}`"),
        What::Attribute => format!("attribute `{name}` of entity `{owner}`"),
        What::EmbeddedList => match list_owner(db, declared.decl, declared.range) {
            Some(item) => format!("list `{name}` of the items of entity `{}`", item.text),
            None => format!("list `{name}` in table `{owner}`"),
        },
        What::EnumValue => match enum_owner(db, declared.decl, declared.range) {
            Some(attribute) => format!("value `{name}` of `{owner}.{}`", attribute.name.text),
            None => format!("value `{name}` of an enum of entity `{owner}`"),
        },
        What::Role => format!("role `{name}` of pattern `{owner}`"),
        What::Parameter => format!("parameter `:{name}` of pattern `{owner}`"),
    }
}

/// The entity in whose items a list is embedded.
pub(super) fn list_owner(db: &dyn Db, table: Decl, list: TextRange) -> Option<&Name> {
    list_item(db, table, list)?.entity.as_ref()
}

/// The item in which a list is embedded.
pub(super) fn list_item(db: &dyn Db, table: Decl, list: TextRange) -> Option<&ItemDef> {
    let is_it = |embed: &EmbedDef| embed.list.as_ref().is_some_and(|own| own.range == list);
    table_def(db, table)?.items.iter().find(|item| item.embeds.iter().any(is_it))
}

/// The attribute of whose type a name is a value.
pub(super) fn enum_owner(db: &dyn Db, entity: Decl, value: TextRange) -> Option<&AttributeDef> {
    let holds = |attribute: &&AttributeDef| match &attribute.ty {
        Type::Enum(values) => values.iter().any(|own| own.range == value),
        _ => false,
    };
    entity_def(db, entity)?.attributes.iter().find(holds)
}
