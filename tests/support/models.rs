//! Random models without faults: every type, key, index and operation of the
//! language, in both styles of design, and the same text for the same seed.
//!
//! A model is planned first and written last. `relations.rs` says which
//! entities there are and how many, `entities.rs` gives them attributes,
//! `single.rs` and `natural.rs` place them in tables, `indexes.rs` indexes them;
//! `reads.rs`, `writes.rs` and `groups.rs` make the patterns; `sizes.rs` knows
//! what the items need in bytes; `print.rs` writes it all down.
//!
//! What keeps a model valid stands where the choice is made, such as the
//! attributes that an update sets together (`writes.rs`).

mod conditions;
mod entities;
mod groups;
mod indexes;
mod keys;
mod natural;
mod plan;
mod print;
mod reads;
mod relations;
mod rng;
mod single;
mod sizes;
mod words;
mod writes;

use plan::{Pattern, Plan, Role};
use reads::Place;
use relations::Numbers;
use rng::Rng;
use words::{Names, Theme};

/// The model of a seed, as the text of one file.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let single_table = seed.is_multiple_of(2);
    let mut plan = plan(&mut rng, single_table);
    place(&mut rng, &mut plan);
    settings(&mut rng, &mut plan);
    sizes::declare(&mut rng, &mut plan);
    sizes::check(&plan);
    plan.patterns = named(patterns(&mut rng, &plan));
    if rng.chance(20) {
        relations::leave_out(&mut rng, &mut plan);
    }
    print::print(&plan, seed)
}

/// The entities and how they belong together.
fn plan(rng: &mut Rng, single_table: bool) -> Plan {
    let theme = Theme::pick(rng);
    let mut names = Names::new(rng.chance(if single_table { 50 } else { 15 }));
    let roles = relations::roles(rng);
    let numbers = Numbers::draw(rng);
    let entities = entities::entities(rng, &theme, &mut names, &roles, &numbers, single_table);
    let relations = relations::relations(rng, &entities, &numbers);
    Plan {
        single_table,
        theme,
        names,
        entities,
        relations,
        tables: Vec::new(),
        patterns: Vec::new(),
        application: Vec::new(),
    }
}

/// The tables with their items and indexes.
fn place(rng: &mut Rng, plan: &mut Plan) {
    let embedded = plan.has(Role::Leaf) && rng.chance(60);
    plan.tables = match plan.single_table {
        true => vec![single::table(rng, plan, embedded)],
        false => natural::tables(rng, plan, embedded),
    };
    for at in 0..plan.tables.len() {
        indexes::declare_values(rng, plan, at, None);
        indexes::add(rng, plan, at);
    }
    for at in 0..plan.tables.len() {
        say_types(rng, plan, at);
    }
}

/// Writes the type of some keys that take theirs from an attribute.
fn say_types(rng: &mut Rng, plan: &mut Plan, at: usize) {
    let Plan { entities, tables, .. } = plan;
    let stored: Vec<Role> = tables[at].items.iter().map(|item| item.role).collect();
    let attributes = entities.iter().filter(|entity| stored.contains(&entity.role)).flat_map(|e| &e.attributes);
    let attributes: Vec<&plan::Attribute> = attributes.collect();
    let table = &mut tables[at];
    let of_indexes = table.indexes.iter_mut().flat_map(|index| index.partition.iter_mut().chain(&mut index.sort));
    for key in std::iter::once(&mut table.partition).chain(&mut table.sort).chain(of_indexes) {
        let attribute = attributes.iter().find(|attribute| attribute.name == key.name);
        if let Some(attribute) = attribute.filter(|_| key.ty.is_none() && rng.chance(15)) {
            key.ty = Some(attribute.ty.key_word());
        }
    }
}

/// What the application and its tables are set to: capacity, class, streams and
/// the like.
fn settings(rng: &mut Rng, plan: &mut Plan) {
    match rng.between(0, 3) {
        0 => plan.application.push(("capacity", "on_demand".to_owned())),
        1 => plan.application.push(("capacity", "provisioned utilization 60%".to_owned())),
        _ => {}
    }
    if rng.chance(15) {
        plan.application.push(("class", "standard_infrequent_access".to_owned()));
    }
    let expiring: Vec<Option<(Role, String)>> = plan.tables.iter().map(|table| expiring(plan, table)).collect();
    for (table, expiring) in plan.tables.iter_mut().zip(expiring) {
        if let Some((role, attribute)) = expiring.filter(|_| rng.chance(70)) {
            table.clauses.push(format!("ttl {attribute}"));
            let entity = plan.entities.iter_mut().find(|entity| entity.role == role).expect("it is there");
            entity.lifetime = Some(*rng.pick(&[7, 30, 90]));
        }
        if rng.chance(20) {
            let view = rng.pick(&["keys_only", "new_image", "old_image", "new_and_old_images"]);
            table.clauses.push(format!("stream {view}"));
        }
        if rng.chance(25) {
            table.clauses.push("point_in_time_recovery".to_owned());
        }
        if rng.chance(10) {
            table.clauses.push("capacity on_demand".to_owned());
        }
    }
}

/// An attribute by which items of a table expire, and whose it is.
fn expiring(plan: &Plan, table: &plan::Table) -> Option<(Role, String)> {
    Place::all(plan, table, None)
        .iter()
        .find_map(|place| Some((place.item.role, groups::expiring(place)?.name.clone())))
}

/// All that the application does with its tables.
fn patterns(rng: &mut Rng, plan: &Plan) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for place in groups::stored(plan) {
        patterns.extend(writes_of(rng, place));
        if rng.chance(80) {
            patterns.push(reads::get(rng, place));
        }
        if place.table.sort.is_some() && rng.chance(55) {
            patterns.push(reads::query(rng, place));
        }
    }
    for table in &plan.tables {
        for index in &table.indexes {
            let places = Place::all(plan, table, Some(index));
            for _ in 0..rng.between(1, 2) {
                patterns.extend(rng.any(&places).map(|place| reads::query(rng, place)));
            }
            if rng.chance(20) {
                patterns.extend(rng.any(&places).map(|place| reads::scan(rng, place)));
            }
        }
        if rng.chance(25) {
            let scanned = rng.any(&Place::all(plan, table, None));
            patterns.extend(scanned.map(|place| reads::scan(rng, place)));
        }
    }
    if rng.chance(15) {
        patterns.extend(rng.any(&groups::stored(plan)).map(reads::external));
    }
    type Make = fn(&mut Rng, &Plan) -> Option<Pattern>;
    let groups: [(u64, Make); 5] = [
        (55, groups::transact_write),
        (30, groups::transfer),
        (35, groups::transact_get),
        (35, groups::batch_get),
        (35, groups::batch_write),
    ];
    for (often, make) in groups {
        if rng.chance(often) {
            patterns.extend(make(rng, plan));
        }
    }
    patterns
}

/// Put, update and delete of an item and of what it embeds.
fn writes_of(rng: &mut Rng, place: Place<'_>) -> Vec<Pattern> {
    let (entity, name) = (place.entity, &place.entity.name);
    let mut patterns = Vec::new();
    if let Some(guard) = groups::guard(place) {
        patterns.extend(groups::guarded(rng, place, guard));
    } else if !entity.role.is_guard() {
        let step = writes::put_step(rng, place, name, false);
        patterns.push(writes::pattern(rng, "Put", entity, step));
        if rng.chance(40) {
            let step = writes::delete_step(rng, place, name, true);
            patterns.push(writes::pattern(rng, "Delete", entity, step));
        }
    }
    for verb in ["Update", "Adjust"] {
        if rng.chance(50)
            && !entity.role.is_guard()
            && let Some(step) = writes::update_step(rng, place, name, true)
        {
            patterns.push(writes::pattern(rng, verb, entity, step));
        }
    }
    patterns.extend(writes::embedded(rng, place));
    patterns
}

/// The same patterns with names that are each used once.
fn named(mut patterns: Vec<Pattern>) -> Vec<Pattern> {
    let mut taken: Vec<String> = Vec::new();
    for pattern in &mut patterns {
        let base = pattern.name.clone();
        let mut number = 2;
        while taken.contains(&pattern.name) {
            pattern.name = format!("{base}{number}");
            number += 1;
        }
        taken.push(pattern.name.clone());
    }
    patterns
}
