//! What the operands of a condition are held against.

use super::db::{Db, Decl, SourceFile};
use super::defs::*;
use super::layout::{ItemLayout, Source, keys_of};
use super::names::{entity_def, names, table_def};
use crate::syntax::TextRange;

/// Which condition a comparison stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    Where,
    Filter,
    If,
}

/// A comparison with what its attribute may be.
pub struct Held<'db> {
    pub comparison: &'db Comparison,
    pub clause: Clause,
    /// The name is that of a key of the table or of one of its indexes: strings
    /// are key templates then.
    pub key: bool,
    /// What the attribute is, one entry an item kind that has it; empty where
    /// that is not known.
    pub against: Vec<Against>,
}

/// One of the things that an operand is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    pub ty: Type,
    /// The attribute or the key part.
    pub decl: Decl,
    pub range: TextRange,
}

/// The comparisons of an operation's conditions, in the order of the text.
pub fn held<'db>(db: &'db dyn Db, root: SourceFile, source: Source<'db>, op: &'db OpDef) -> Vec<Held<'db>> {
    let mut all = Vec::new();
    let mut add = |clause: Clause, conditions: &'db ConditionsDef| {
        for leaf in conditions.leaves() {
            let Term::Comparison(comparison) = leaf else { continue };
            let name = &comparison.attribute.text;
            let key = parts(db, source.layout.decl, name).next().is_some();
            let against = against(db, root, source, op, clause, name);
            all.push(Held { comparison, clause, key, against });
        }
    };
    if let OpDef::Query { conditions: Some(conditions), .. } = op {
        add(Clause::Where, conditions);
    }
    if let Some(conditions) = op.options().and_then(|o| o.filter.as_ref()).and_then(|f| f.conditions.as_ref()) {
        add(Clause::Filter, conditions);
    }
    if let Some(WriteCondition { kind: WriteConditionKind::Conditions(conditions), .. }) = op.condition() {
        add(Clause::If, conditions);
    }
    all
}

/// The key parts of this name in a table and its indexes.
fn parts<'db>(db: &'db dyn Db, table: Decl, name: &str) -> impl Iterator<Item = &'db KeyPart> {
    let keys = table_def(db, table).into_iter().flat_map(keys_of);
    keys.flat_map(|key| &key.parts).filter(move |part| part.name.text == name)
}

fn against(db: &dyn Db, root: SourceFile, source: Source<'_>, op: &OpDef, clause: Clause, name: &str) -> Vec<Against> {
    let mut found: Vec<Against> = Vec::new();
    let items: Vec<&ItemLayout> = match (clause, op.subject()) {
        (Clause::If, Some(subject)) => {
            let subject = &subject.entity.text;
            let item = source.layout.item_of(subject);
            if item.is_none_or(|item| item.entity != *subject) {
                let decl = names(db, root).entity(subject);
                found.extend(decl.and_then(|decl| attribute(db, decl, name)));
            }
            item.into_iter().collect()
        }
        _ => source.items().collect(),
    };
    for item in items {
        // An entity that nobody declares may have any attribute.
        let Some(decl) = item.entity_decl else { return Vec::new() };
        match item.keys.get(name) {
            Some(key) => match (key.value.whole_attribute(), key.value.holes().next()) {
                (Some(_), Some(hole)) if hole.ty.is_none() => return Vec::new(),
                // A template makes a string; of one hole alone, its type says which.
                (Some(whole), Some(hole))
                    if !key.template || hole.ty.as_ref().and_then(Type::key_type) == Some(KeyType::String) =>
                {
                    found.extend(attribute(db, decl, whole));
                }
                _ => found.extend(parts(db, source.layout.decl, name).next().map(|part| Against {
                    ty: Type::String,
                    decl: source.layout.decl,
                    range: part.name.range,
                })),
            },
            None => found.extend(attribute(db, decl, name).or_else(|| embedded(db, source, item, name))),
        }
    }
    // A declared key type counts where no item has a value of it: what the items
    // have says more.
    for part in parts(db, source.layout.decl, name) {
        let ty = match part.ty {
            Some(KeyType::String) => Type::String,
            Some(KeyType::Number) => Type::Number,
            Some(KeyType::Binary) => Type::Binary,
            None => continue,
        };
        if found.iter().all(|against| against.ty.key_type() != part.ty) {
            found.push(Against { ty, decl: source.layout.decl, range: part.name.range });
        }
    }
    found
}

fn attribute(db: &dyn Db, decl: Decl, name: &str) -> Option<Against> {
    let attribute = entity_def(db, decl)?.attribute(name)?;
    Some(Against { ty: attribute.ty.clone(), decl, range: attribute.name.range })
}

/// A list of embedded items, or an attribute of one of them.
fn embedded(db: &dyn Db, source: Source<'_>, item: &ItemLayout, name: &str) -> Option<Against> {
    if item.embeds.iter().any(|embed| embed.list.as_deref() == Some(name)) {
        let ty = Type::List(Some(Box::new(Type::Map)));
        return Some(Against { ty, decl: source.layout.decl, range: item.range });
    }
    item.embeds.iter().find_map(|embed| attribute(db, embed.entity_decl?, name))
}
