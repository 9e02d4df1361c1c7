//! Attributes that are copies of others (`@copied_from`).

use super::db::{Db, Decl, SourceFile};
use super::names::{entity_def, names};
use std::collections::BTreeMap;

/// An attribute that holds a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    pub entity: String,
    pub attribute: String,
    /// The declaration of the entity.
    pub decl: Decl,
    /// It keeps what the source was when it was copied: `@immutable`.
    pub frozen: bool,
}

/// The copies in a model, by the entity and attribute that they are copies of.
#[salsa::tracked(returns(ref))]
pub fn copies(db: &dyn Db, root: SourceFile) -> BTreeMap<(String, String), Vec<Copied>> {
    let mut copies: BTreeMap<(String, String), Vec<Copied>> = BTreeMap::new();
    for (entity, decls) in &names(db, root).entities {
        let Some(decl) = decls.first().copied() else { continue };
        for attribute in entity_def(db, decl).into_iter().flat_map(|def| &def.attributes) {
            let Some(from) = &attribute.copied_from else { continue };
            let Some(source) = &from.attribute else { continue };
            copies.entry((from.entity.text.clone(), source.text.clone())).or_default().push(Copied {
                entity: entity.clone(),
                attribute: attribute.name.text.clone(),
                decl,
                frozen: attribute.immutable.is_some(),
            });
        }
    }
    copies
}
