//! Which entities there are, how many of each, and how they belong together.

use super::plan::{Attribute, Entity, Plan, Relation, Role, Type};
use super::rng::Rng;

/// The roles of a model: two to six, the root always among them.
pub fn roles(rng: &mut Rng) -> Vec<Role> {
    let mut roles = vec![Role::Root];
    if rng.chance(88) {
        roles.push(Role::Child);
        if rng.chance(60) {
            roles.push(Role::Leaf);
        }
    }
    if rng.chance(60) {
        roles.push(Role::Other);
        if rng.chance(70) {
            roles.push(Role::Edge);
        }
    }
    if rng.chance(45) {
        let scoped = roles.contains(&Role::Child) && rng.chance(35);
        roles.push(if scoped { Role::ScopedGuard } else { Role::Guard });
    }
    if roles.len() < 6 && rng.chance(35) || roles.len() == 1 {
        roles.push(Role::Twin);
    }
    roles
}

/// How many items there are, and how many belong to one parent. Counts fit
/// together: parents × children on average are the children that there are.
pub struct Numbers {
    root: u64,
    other: u64,
    /// Children of a root, leaves of a child, edges of a root, edges of an other.
    child: u64,
    leaf: u64,
    edge: u64,
    back: u64,
}

const MOST_ITEMS: u64 = 100_000;

impl Numbers {
    pub fn draw(rng: &mut Rng) -> Self {
        let root = *rng.pick(&[20, 40, 60, 120, 250, 500, 1_000, 2_500, 5_000, 20_000]);
        let fitting = |wish: u64, parents: u64| wish.min(MOST_ITEMS / parents).max(1);
        let child = fitting(rng.between(1, 30), root);
        let leaf = fitting(rng.between(1, 12), root * child);
        let edge = fitting(rng.between(1, 12), root);
        // As many others as make the edges of each a whole number, and enough
        // of them that no root meets one twice.
        let backs: Vec<u64> =
            (1..=20).filter(|back| (root * edge).is_multiple_of(*back) && root * edge / back >= 20.max(edge)).collect();
        let back = *rng.pick(&backs);
        Self { root, other: root * edge / back, child, leaf, edge, back }
    }

    /// How many items of an entity there are.
    pub fn count(&self, role: Role) -> u64 {
        match role {
            Role::Root | Role::Twin | Role::Guard => self.root,
            Role::Child | Role::ScopedGuard => self.root * self.child,
            Role::Leaf => self.root * self.child * self.leaf,
            Role::Other => self.other,
            Role::Edge => self.root * self.edge,
        }
    }
}

/// The relationships between the entities that there are.
pub fn relations(rng: &mut Rng, entities: &[Entity], numbers: &Numbers) -> Vec<Relation> {
    let has = |role: Role| entities.iter().any(|entity| entity.role == role);
    let mut relations = Vec::new();
    if has(Role::Child) {
        relations.push(one_to_many(rng, Role::Root, Role::Child, numbers.child));
    }
    if has(Role::Leaf) {
        let mut leaves = one_to_many(rng, Role::Child, Role::Leaf, numbers.leaf);
        // What an item embeds has to be bounded.
        leaves.children = Some((numbers.leaf, Some(numbers.leaf * 4)));
        relations.push(leaves);
    }
    for (left, right) in [(Role::Root, Role::Twin), (Role::Root, Role::Guard), (Role::Child, Role::ScopedGuard)] {
        if has(right) {
            relations.push(one_to_one(left, right));
        }
    }
    if has(Role::Edge) {
        relations.push(many_to_many(numbers));
    }
    relations
}

fn one_to_many(rng: &mut Rng, left: Role, right: Role, children: u64) -> Relation {
    let most = if rng.chance(70) { Some(children * rng.between(2, 6)) } else { None };
    Relation {
        left,
        cardinality: "1:N",
        right,
        through: None,
        children: Some((children, most)),
        parents: None,
        identifying: rng.chance(60),
    }
}

fn one_to_one(left: Role, right: Role) -> Relation {
    Relation { left, cardinality: "1:1", right, through: None, children: None, parents: None, identifying: true }
}

/// Roots and others, by an edge: its children are the others of a root, its
/// parents the roots of an other.
fn many_to_many(numbers: &Numbers) -> Relation {
    Relation {
        left: Role::Root,
        cardinality: "N:M",
        right: Role::Other,
        through: Some(Role::Edge),
        children: Some((numbers.edge, Some(numbers.edge * 5))),
        parents: Some(numbers.back),
        identifying: false,
    }
}

/// Leaves one input out, so that something in the model is unknown.
pub fn leave_out(rng: &mut Rng, plan: &mut Plan) {
    type Has = fn(&Attribute) -> bool;
    let distinct: Has = |attribute| attribute.distinct.is_some();
    let present: Has = |attribute| attribute.present.is_some();
    let sized: Has = |attribute| attribute.size.is_some() && attribute.ty != Type::Number;
    match rng.between(0, 5) {
        0 => {
            let roles: Vec<Role> = plan.entities.iter().map(|entity| entity.role).collect();
            let role = *rng.pick(&roles);
            let entity = plan.entities.iter_mut().find(|entity| entity.role == role).expect("it is there");
            (entity.count, entity.growing) = (None, None);
        }
        1 => change(rng, plan, distinct, |attribute| (attribute.distinct, attribute.hottest) = (None, None)),
        2 => change(rng, plan, present, |attribute| attribute.present = None),
        3 => change(rng, plan, sized, |attribute| attribute.size = None),
        4 => {
            let at = rng.between(0, plan.patterns.len() as u64 - 1) as usize;
            plan.patterns[at].rate = None;
        }
        _ => {
            let relation = plan.relations.iter_mut().find(|relation| relation.cardinality == "1:N");
            if let Some(relation) = relation {
                relation.children = None;
            }
        }
    }
}

/// Changes one of the attributes that are so; nothing where none is.
fn change(rng: &mut Rng, plan: &mut Plan, is_so: impl Fn(&Attribute) -> bool, how: impl Fn(&mut Attribute)) {
    let attributes = plan.entities.iter_mut().flat_map(|entity| &mut entity.attributes);
    let mut found: Vec<&mut Attribute> = attributes.filter(|attribute| is_so(attribute)).collect();
    if !found.is_empty() {
        let at = rng.between(0, found.len() as u64 - 1) as usize;
        how(found[at]);
    }
}
