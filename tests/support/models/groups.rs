//! Transactions and batches.

use super::conditions::missing;
use super::plan::{Attribute, Pattern, Plan, Role, Type};
use super::reads::{Place, project};
use super::rng::Rng;
use super::words::pascal;
use super::writes::{condition, delete_step, put_step, update_step, write_rate};

/// Every stored item of the model with its table.
pub fn stored(plan: &Plan) -> Vec<Place<'_>> {
    plan.tables.iter().flat_map(|table| Place::all(plan, table, None)).collect()
}

fn block(opening: &str, steps: &[String]) -> String {
    let lines: Vec<String> = steps.iter().map(|step| format!("    {step}\n")).collect();
    format!("{opening} {{\n{}  }}", lines.concat())
}

/// The item that keeps a value of this one unique.
pub fn guard(place: Place<'_>) -> Option<Place<'_>> {
    let role = place.item.role.guard()?;
    stored(place.plan).into_iter().find(|place| place.item.role == role)
}

/// An item with its guard, put or deleted as one.
pub fn guarded(rng: &mut Rng, item: Place<'_>, guard: Place<'_>) -> Vec<Pattern> {
    let step = format!("put {} into {}", guard.entity.name, guard.table.name);
    let step = step + &missing(rng, &guard.table.partition.name, true);
    let put = block("transact write", &[put_step(rng, item, &item.entity.name, false), step]);
    let delete = [delete_step(rng, item, &item.entity.name, true), delete_step(rng, guard, &guard.entity.name, false)];
    let pattern = |rng: &mut Rng, verb: &str, operation: String| Pattern {
        name: format!("{verb}{}", item.entity.name),
        doc: format!("{verb}s one {} and what keeps its value unique.", item.entity.word),
        operations: vec![operation],
        rate: Some(write_rate(rng)),
        ..Pattern::default()
    };
    let mut patterns = vec![pattern(rng, "Register", put)];
    if rng.chance(60) {
        patterns.push(pattern(rng, "Remove", block("transact write", &delete)));
    }
    patterns
}

/// A transaction on several different items: puts, updates, deletes and checks.
pub fn transact_write(rng: &mut Rng, plan: &Plan) -> Option<Pattern> {
    let free: Vec<Place<'_>> = stored(plan).into_iter().filter(|place| !place.item.role.is_guard()).collect();
    let wanted = rng.between(2, 4) as usize;
    let mut steps = Vec::new();
    for place in rng.some(&free, wanted) {
        let name = &place.entity.name;
        let mut step = match rng.between(0, 9) {
            // What has a guard is put and deleted with it, in a pattern of its own.
            0..=3 if guard(place).is_none() => put_step(rng, place, name, false),
            4..=5 if guard(place).is_none() => delete_step(rng, place, name, true),
            0..=7 => match update_step(rng, place, name, true) {
                Some(step) => step,
                None => check(rng, place),
            },
            _ => check(rng, place),
        };
        let unique = place.entity.attributes.iter().any(|attribute| attribute.unique);
        if rng.chance(25) && !unique {
            step.push_str(&format!(" times {}", rng.between(2, 5)));
        }
        steps.push(step);
    }
    if steps.len() < 2 {
        return None;
    }
    Some(Pattern {
        name: format!("Settle{}", plan.entity(Role::Root).name),
        doc: "All of it, or nothing.".to_owned(),
        operations: vec![block("transact write", &steps)],
        rate: Some(write_rate(rng)),
        latency: Some(200),
        ..Pattern::default()
    })
}

fn check(rng: &mut Rng, place: Place<'_>) -> String {
    format!("check {} in {}{}", place.entity.name, place.table.name, condition(rng, place))
}

/// Two items of one entity in one transaction, told apart by their roles.
pub fn transfer(rng: &mut Rng, plan: &Plan) -> Option<Pattern> {
    let places: Vec<Place<'_>> = stored(plan).into_iter().filter(|place| !place.item.role.is_guard()).collect();
    let place = rng.any(&places)?;
    let name = &place.entity.name;
    let first = update_step(rng, place, &format!("{name} as source"), true)?;
    let second = update_step(rng, place, &format!("{name} as target"), true)?;
    Some(Pattern {
        name: format!("Transfer{name}"),
        doc: "From one to another.".to_owned(),
        operations: vec![block("transact write", &[first, second])],
        rate: Some(write_rate(rng)),
        ..Pattern::default()
    })
}

/// `transact get` of several items, two of one entity now and then.
pub fn transact_get(rng: &mut Rng, plan: &Plan) -> Option<Pattern> {
    let wanted = rng.between(1, 3) as usize;
    let mut steps = Vec::new();
    for place in rng.some(&stored(plan), wanted) {
        let (name, table) = (&place.entity.name, &place.table.name);
        if rng.chance(30) {
            steps.push(format!("get {name} as first from {table}"));
            steps.push(format!("get {name} as second from {table}"));
            continue;
        }
        let mut step = format!("get {name} from {table}");
        if rng.chance(30) {
            step.push_str(&project(rng, &place.stored()));
        }
        if rng.chance(30) {
            step.push_str(&format!(" times {}", rng.between(2, 6)));
        }
        steps.push(step);
    }
    group_of_reads(rng, plan, "transact get", "Compare", steps)
}

/// `batch get` of many items. What a request says of a table once stands in the
/// only step.
pub fn batch_get(rng: &mut Rng, plan: &Plan) -> Option<Pattern> {
    let places = stored(plan);
    let wanted = rng.between(1, 3) as usize;
    let mut steps = Vec::new();
    for place in rng.some(&places, wanted) {
        let mut step = format!("get {} from {}", place.entity.name, place.table.name);
        if wanted == 1 && rng.chance(50) {
            step.push_str(" consistent");
        }
        if wanted == 1 && rng.chance(40) {
            step.push_str(&project(rng, &place.stored()));
        }
        step.push_str(&format!(" times {}", rng.between(2, 30)));
        steps.push(step);
    }
    group_of_reads(rng, plan, "batch get", "Load", steps)
}

fn group_of_reads(rng: &mut Rng, plan: &Plan, opening: &str, verb: &str, steps: Vec<String>) -> Option<Pattern> {
    Some(Pattern {
        name: format!("{verb}{}Page", plan.entity(Role::Root).name),
        doc: "Several items in one request.".to_owned(),
        operations: vec![block(opening, &steps)],
        rate: Some(*rng.pick(&[(100, 1_000), (200, 2_000)])),
        latency: Some(50),
        ..Pattern::default()
    })
}

/// `batch write`: puts and deletes, at most 25, without conditions.
pub fn batch_write(rng: &mut Rng, plan: &Plan) -> Option<Pattern> {
    let free = stored(plan).into_iter().filter(|place| {
        !place.item.role.is_guard() && !place.entity.attributes.iter().any(|attribute| attribute.unique)
    });
    let free: Vec<Place<'_>> = free.collect();
    let wanted = rng.between(1, 3) as usize;
    let mut steps = Vec::new();
    for place in rng.some(&free, wanted) {
        let name = &place.entity.name;
        let step = match rng.chance(70) {
            true => put_step(rng, place, name, true),
            false => delete_step(rng, place, name, false),
        };
        steps.push(format!("{step} times {}", rng.between(2, 8)));
    }
    let first = free.first()?;
    Some(Pattern {
        name: format!("Import{}", pascal(first.entity.word)),
        doc: "In bulk.".to_owned(),
        operations: vec![block("batch write", &steps)],
        rate: Some((5, 50)),
        ..Pattern::default()
    })
}

/// The attribute that expires the items of an entity.
pub fn expiring<'p>(place: &Place<'p>) -> Option<&'p Attribute> {
    place.entity.attributes.iter().find(|attribute| attribute.ty == Type::Epoch)
}
