//! What is one name: everything that must bear the same name for the model to mean
//! what it means, and every place that spells it.

use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::Def;
use crate::model::imports::{model_decls, models_of};
use crate::model::layout::{keys_of, layout};
use crate::model::lower::lowered;
use crate::model::names::{entity_def, names, table_def};
use crate::model::occurrences::{Form, occurrences};
use crate::model::refs::{Declared, What};
use crate::model::unique::unique_values;
use crate::rules::finding::Place;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The places that bear one name, in all models that any of them belongs to.
pub(super) struct Class {
    /// The models, by the files that they begin with.
    pub roots: Vec<SourceFile>,
    pub members: Vec<Member>,
    /// All that the places declare or name, each once.
    pub things: Vec<Thing>,
}

/// A place that spells the name.
pub(super) struct Member {
    pub place: Place,
    pub form: Form,
    /// Which of the class's things it declares or names.
    pub things: BTreeSet<usize>,
}

/// Something that bears the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thing {
    /// The first place where it is declared: a key may be in several indexes.
    pub declared: Declared,
}

impl Thing {
    /// Whether a declared name is this thing's. A table has one key of a name, in
    /// however many key clauses it stands.
    pub fn is(&self, other: &Declared) -> bool {
        let own = &self.declared;
        own.what == other.what && own.decl == other.decl && (own.what == What::Key || own.range == other.range)
    }
}

/// The class of the name at a place; `None` where it names nothing.
pub(super) fn class(db: &dyn Db, start: Place, name: &str) -> Option<Class> {
    let mut roots = models(db, start.decl.file(db));
    loop {
        let found = reached(db, &roots, start, name);
        let files: Vec<SourceFile> = found.keys().map(|place| place.decl.file(db)).collect();
        let known = roots.len();
        for root in files.into_iter().flat_map(|file| models(db, file)) {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        // A file of another model may say more of what is one.
        if roots.len() == known {
            return of_places(db, roots, found);
        }
    }
}

/// The models of a file; one that cannot be had is a model of its own.
fn models(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let roots = models_of(db, file);
    if roots.is_empty() { vec![file] } else { roots.clone() }
}

/// A place that spells a name, and what it names in some model.
struct Spelled {
    form: Form,
    declared: Vec<Declared>,
}

/// All places that one has to do with, over however many others.
fn reached(db: &dyn Db, roots: &[SourceFile], start: Place, name: &str) -> HashMap<Place, Spelled> {
    let mut spelled: HashMap<Place, Spelled> = HashMap::new();
    let mut bonds: HashMap<Place, Vec<Place>> = HashMap::new();
    for root in roots {
        for decl in model_decls(db, *root) {
            db.unwind_if_revision_cancelled();
            for occurrence in occurrences(db, *root, *decl).iter().filter(|occurrence| occurrence.text == name) {
                let place = Place { decl: *decl, range: occurrence.range };
                let own =
                    spelled.entry(place).or_insert_with(|| Spelled { form: occurrence.form, declared: Vec::new() });
                for declared in &occurrence.declared {
                    if !own.declared.contains(declared) {
                        own.declared.push(*declared);
                    }
                }
            }
        }
        for (one, other) in bonds_of(db, *root, &|text| text == name) {
            bonds.entry(one).or_default().push(other);
            bonds.entry(other).or_default().push(one);
        }
    }
    let mut reached = HashMap::new();
    let mut queue = vec![start];
    while let Some(place) = queue.pop() {
        if let Some(own) = spelled.remove(&place) {
            queue.extend(bonds.remove(&place).unwrap_or_default());
            reached.insert(place, own);
        }
    }
    reached
}

/// Every two places of a model that name the same: a name and what it refers to, the
/// parts of keys that are one key, a key and the attributes of its items that have
/// its name, which an item stores as one, a unique attribute and that of its guard.
/// Only of names that are wanted.
pub(super) fn bonds_of(db: &dyn Db, root: SourceFile, wanted: &dyn Fn(&str) -> bool) -> Vec<(Place, Place)> {
    let mut bonds = Vec::new();
    for decl in model_decls(db, root) {
        db.unwind_if_revision_cancelled();
        for occurrence in occurrences(db, root, *decl).iter().filter(|occurrence| wanted(&occurrence.text)) {
            let place = Place { decl: *decl, range: occurrence.range };
            bonds.extend(occurrence.declared.iter().map(|declared| (place, of(declared))));
        }
        if let Def::Table(_) = &lowered(db, *decl).def {
            stored_as_one(db, root, *decl, wanted, &mut bonds);
        }
    }
    guarded(db, root, wanted, &mut bonds);
    bonds
}

fn of(declared: &Declared) -> Place {
    Place { decl: declared.decl, range: declared.range }
}

fn stored_as_one(
    db: &dyn Db,
    root: SourceFile,
    decl: Decl,
    wanted: &dyn Fn(&str) -> bool,
    bonds: &mut Vec<(Place, Place)>,
) {
    let Some(table) = table_def(db, decl) else { return };
    let mut first: BTreeMap<&str, Place> = BTreeMap::new();
    for part in keys_of(table).flat_map(|key| &key.parts).filter(|part| wanted(&part.name.text)) {
        let place = Place { decl, range: part.name.range };
        let first = *first.entry(&part.name.text).or_insert(place);
        bonds.push((first, place));
    }
    for item in layout(db, root, decl).iter().flat_map(|layout| &layout.items) {
        let Some((entity, def)) = item.entity_decl.and_then(|entity| Some((entity, entity_def(db, entity)?))) else {
            continue;
        };
        for (name, key) in &first {
            let attribute = def.attribute(name);
            bonds.extend(attribute.map(|own| (*key, Place { decl: entity, range: own.name.range })));
        }
    }
}

/// Unique attributes, each with that of the same name in an item that guards it: by
/// its name the model knows what it guards.
fn guarded(db: &dyn Db, root: SourceFile, wanted: &dyn Fn(&str) -> bool, bonds: &mut Vec<(Place, Place)>) {
    let attribute = |decl: Decl, name: &str| {
        let attribute = entity_def(db, decl)?.attribute(name)?;
        Some((attribute, Place { decl, range: attribute.name.range }))
    };
    for (entity, decls) in &names(db, root).entities {
        let Some((decl, def)) = decls.first().and_then(|decl| Some((*decl, entity_def(db, *decl)?))) else { continue };
        for value in unique_values(entity, def).filter(|value| value.names().any(wanted)) {
            for guard in value.guards(db, root).iter().filter_map(|guard| guard.item.entity_decl) {
                for name in value.names().filter(|name| wanted(name)) {
                    let (Some((_, own)), Some((its, place))) = (attribute(decl, name), attribute(guard, name)) else {
                        continue;
                    };
                    // A copy says of what it is one.
                    if its.copied_from.as_ref().is_none_or(|from| from.entity.text != *entity) {
                        bonds.push((own, place));
                    }
                }
            }
        }
    }
}

fn of_places(db: &dyn Db, roots: Vec<SourceFile>, found: HashMap<Place, Spelled>) -> Option<Class> {
    let mut found: Vec<(Place, Spelled)> = found.into_iter().collect();
    // In the order of the files and their texts, whatever the order of a map was.
    found.sort_by_cached_key(|(place, _)| {
        let at = crate::ide::diagnostics::absolute(db, *place);
        at.map(|(file, range)| (file.key(db).clone(), range))
    });
    let mut things: Vec<Thing> = Vec::new();
    let mut members = Vec::new();
    for (place, own) in found {
        let mut named = BTreeSet::new();
        for declared in own.declared {
            let known = things.iter().position(|thing| thing.is(&declared));
            named.insert(known.unwrap_or_else(|| {
                things.push(Thing { declared });
                things.len() - 1
            }));
        }
        members.push(Member { place, form: own.form, things: named });
    }
    (!things.is_empty()).then_some(Class { roots, members, things })
}
