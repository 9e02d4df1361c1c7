//! Entities with their attributes: every type, every modifier.

use super::plan::{Attribute, Entity, Role, Type};
use super::relations::Numbers;
use super::rng::Rng;
use super::words::{Kind, Names, Theme, pascal, states};

/// The entities of a model, in the order of their roles.
pub fn entities(
    rng: &mut Rng,
    theme: &Theme,
    names: &mut Names,
    roles: &[Role],
    numbers: &Numbers,
    single_table: bool,
) -> Vec<Entity> {
    let mut entities: Vec<Entity> = Vec::new();
    let typed = single_table && rng.chance(70);
    for role in roles {
        let word = theme.word(*role);
        let mut entity = Entity {
            role: *role,
            name: pascal(word),
            word,
            attributes: Vec::new(),
            count: Some(numbers.count(*role)),
            growing: if rng.chance(20) { Some(*rng.pick(&[5, 40, 200])) } else { None },
            size: None,
            lifetime: None,
        };
        if typed {
            let name = names.cased("entity_type");
            entity.attributes.push(Attribute::new(&name, Type::Enum(vec![entity.name.clone()])));
        }
        entity.attributes.extend(identity(rng, names, &entities, *role, word, single_table));
        if *role == Role::Root && roles.contains(&Role::Guard) {
            entity.attributes.push(unique_email(names));
        }
        if *role == Role::Child && roles.contains(&Role::ScopedGuard) {
            entity.attributes.push(unique_code(names, &theme.root_id(names)));
        }
        if !role.is_guard() {
            entity.attributes.extend(plain(rng, names, *role, numbers.count(*role)));
        }
        if *role == Role::Child && rng.chance(35) {
            entity.attributes.extend(copied(names, &entities[0]));
        }
        entities.push(entity);
    }
    entities
}

/// What tells the items of an entity apart, and what they belong to.
fn identity(
    rng: &mut Rng,
    names: &Names,
    earlier: &[Entity],
    role: Role,
    word: &str,
    single_table: bool,
) -> Vec<Attribute> {
    let id_name = names.cased(&format!("{word}_id"));
    let find = |role: Role| earlier.iter().find(|entity| entity.role == role).expect("its parent comes first");
    let parent = |role: Role| {
        let parent = find(role);
        parent.id().referring(&parent.name)
    };
    let id = |attribute: Attribute| Attribute { id: true, ..attribute };
    match role {
        Role::Root => vec![own_id(rng, &id_name, !single_table)],
        Role::Other => {
            let mut other = own_id(rng, &id_name, false);
            // The whole key: the put keeps it unique by its condition.
            other.unique = other.ty == Type::Text && rng.chance(80);
            vec![other]
        }
        Role::Child => vec![own_id(rng, &id_name, false), parent(Role::Root)],
        Role::Leaf => {
            let mut number = Attribute::new(&names.cased("line_no"), Type::Number);
            number.size = Some((4, 4));
            vec![id(number), parent(Role::Child)]
        }
        Role::Edge => vec![id(parent(Role::Root)), id(parent(Role::Other))],
        Role::Twin => vec![id(parent(Role::Root))],
        Role::Guard => {
            let email = find(Role::Root).attribute(&names.cased("email")).expect("the root has it").clone();
            vec![Attribute { id: true, unique: false, example: None, ..email }, parent(Role::Root)]
        }
        Role::ScopedGuard => {
            let code = find(Role::Child).attribute(&names.cased("code")).expect("the child has it").clone();
            let code = Attribute { unique: false, scope: None, ..code };
            vec![id(parent(Role::Root)), id(code), parent(Role::Child)]
        }
    }
}

/// An id of any type that a key may have; a binary one cannot stand in
/// templates.
fn own_id(rng: &mut Rng, name: &str, may_be_binary: bool) -> Attribute {
    let types = [Type::Uuid, Type::Ulid, Type::Ksuid, Type::Uuid, Type::Ulid, Type::Text, Type::Number, Type::Binary];
    let ty = rng.pick(&types[..types.len() - usize::from(!may_be_binary)]).clone();
    let mut id = Attribute { id: true, ..Attribute::new(name, ty) };
    match id.ty {
        Type::Text => {
            (id.size, id.without) = (Some((12, 12)), true);
            id.example = Some("\"AB-000-00042\"".to_owned());
        }
        Type::Number => id.size = Some((5, 5)),
        Type::Binary => id.size = Some((16, 16)),
        _ => {}
    }
    id
}

/// Kept unique by a guard.
fn unique_email(names: &Names) -> Attribute {
    Attribute {
        unique: true,
        without: true,
        size: Some((28, 28)),
        example: Some("\"ana@example.com\"".to_owned()),
        ..Attribute::new(&names.cased("email"), Type::Text)
    }
}

/// Kept unique by a guard, among what has the same scope.
fn unique_code(names: &Names, scope: &str) -> Attribute {
    Attribute {
        unique: true,
        scope: Some(scope.to_owned()),
        without: true,
        size: Some((10, 10)),
        ..Attribute::new(&names.cased("code"), Type::Text)
    }
}

/// A text of the root, repeated in each of its children.
fn copied(names: &Names, root: &Entity) -> Option<Attribute> {
    let source = root.attributes.iter().find(|a| a.ty == Type::Text && !a.id && !a.unique && !a.optional)?;
    let name = names.cased(&format!("{}_copy", root.word));
    Some(Attribute {
        copied_from: Some((root.name.clone(), source.name.clone())),
        immutable: false,
        example: None,
        ..Attribute { name, ..source.clone() }
    })
}

/// What else the items hold. A child always has what most indexes are made of.
fn plain(rng: &mut Rng, names: &mut Names, role: Role, count: u64) -> Vec<Attribute> {
    let mut kinds: Vec<Kind> = match role {
        Role::Child | Role::Other => vec![Kind::State, Kind::Moment, Kind::Category, Kind::Number],
        Role::Root => vec![Kind::Text, Kind::Moment],
        _ => vec![Kind::Number],
    };
    // Leaves are many in one item: two attributes more at the most.
    for _ in 0..rng.between(1, if role == Role::Leaf { 2 } else { 5 }) {
        kinds.push(*rng.pick(&Kind::ALL));
    }
    kinds.into_iter().map(|kind| attribute(rng, names, kind, count)).collect()
}

fn attribute(rng: &mut Rng, names: &mut Names, kind: Kind, count: u64) -> Attribute {
    let name = names.take(rng, kind);
    let mut attribute = match kind {
        Kind::Text => free_text(rng, &name),
        Kind::Category => category(rng, &name, count),
        Kind::State => state(rng, &name),
        Kind::Number => number(rng, &name),
        Kind::Flag => Attribute::new(&name, Type::Boolean),
        Kind::Moment => Attribute::new(&name, Type::Timestamp),
        Kind::Epoch => Attribute::new(&name, Type::Epoch),
        Kind::Blob => sized(rng, &name, Type::Binary, &[16, 32, 600]),
        Kind::List => {
            collection(rng, &name, &[Type::List(None), Type::List(Some("string")), Type::List(Some("number"))])
        }
        Kind::Set => collection(rng, &name, &[Type::Set("string"), Type::Set("number"), Type::Set("binary")]),
        Kind::Map => collection(rng, &name, &[Type::Map]),
        Kind::Reference => Attribute::new(&name, rng.pick(&[Type::Uuid, Type::Ulid, Type::Ksuid]).clone()),
    };
    attribute.immutable = rng.chance(20);
    if rng.chance(28) {
        optional(rng, &mut attribute, count);
    }
    attribute
}

/// Only some of the items have it: not so few that an index of it is empty, and
/// as many as it has values.
fn optional(rng: &mut Rng, attribute: &mut Attribute, count: u64) {
    let shares = [5, 10, 20, 25, 40, 50, 75];
    let present = *rng.pick(if count < 400 { &shares[2..] } else { &shares });
    (attribute.optional, attribute.present) = (true, Some(present));
    if attribute.distinct.is_some_and(|distinct| distinct > count * present / 100) {
        (attribute.distinct, attribute.hottest) = (Some(2), None);
    }
}

fn free_text(rng: &mut Rng, name: &str) -> Attribute {
    let average = *rng.pick(&[16, 24, 40, 120]);
    let most = if rng.chance(40) { average * 3 } else { average };
    Attribute { size: Some((average, most)), ..Attribute::new(name, Type::Text) }
}

/// A text with a known number of values, one of which may be the most popular.
fn category(rng: &mut Rng, name: &str, count: u64) -> Attribute {
    let distinct = rng.pick(&[4, 6, 10, 16, 25, 60, 200]).min(&(count / 2)).to_owned();
    let even = 100u64.div_ceil(distinct);
    Attribute {
        size: Some((8, 8)),
        without: true,
        distinct: Some(distinct),
        hottest: if rng.chance(40) { Some(rng.between(even + 1, even + 20)) } else { None },
        ..Attribute::new(name, Type::Text)
    }
}

fn state(rng: &mut Rng, name: &str) -> Attribute {
    let hottest = if rng.chance(25) { Some(rng.between(50, 70)) } else { None };
    Attribute { hottest, ..Attribute::new(name, states(rng)) }
}

fn number(rng: &mut Rng, name: &str) -> Attribute {
    let size = if rng.chance(50) { Some((3, 3)) } else { None };
    let example = if rng.chance(20) { Some("42".to_owned()) } else { None };
    Attribute { size, example, ..Attribute::new(name, Type::Number) }
}

fn sized(rng: &mut Rng, name: &str, ty: Type, sizes: &[u64]) -> Attribute {
    let size = *rng.pick(sizes);
    Attribute { size: Some((size, size)), ..Attribute::new(name, ty) }
}

fn collection(rng: &mut Rng, name: &str, types: &[Type]) -> Attribute {
    let ty = rng.pick(types).clone();
    sized(rng, name, ty, &[60, 120, 400])
}
