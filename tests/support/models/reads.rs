//! Patterns that read: get, query and scan with every option.

use super::conditions::filter;
use super::keys::{Format, Part, Value, is_in, key_names, readable, spelled, stored, value_of};
use super::plan::{Attribute, Entity, Index, Item, Pattern, Plan, Table, Type};
use super::rng::Rng;
use super::words::{pascal, plural};

/// Where a pattern reads: a table or index, and the item that it is after.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub plan: &'p Plan,
    pub table: &'p Table,
    pub index: Option<&'p Index>,
    pub item: &'p Item,
    pub entity: &'p Entity,
}

impl<'p> Place<'p> {
    /// The items of a table or of one of its indexes.
    pub fn all(plan: &'p Plan, table: &'p Table, index: Option<&'p Index>) -> Vec<Place<'p>> {
        let places = table.items.iter().map(|item| Place { plan, table, index, item, entity: plan.entity(item.role) });
        places.filter(|place| index.is_none_or(|index| is_in(index, place.item, place.entity))).collect()
    }

    fn source(&self) -> String {
        match self.index {
            Some(index) => format!("{}.{}", self.table.name, index.name),
            None => self.table.name.clone(),
        }
    }

    fn is_global(&self) -> bool {
        self.index.is_some_and(|index| !index.local)
    }

    /// The key attributes of the table or index: partition, then sort.
    fn keys(&self) -> (Vec<&'p str>, Vec<&'p str>) {
        let names = |keys: &'p [super::plan::Key]| keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>();
        match self.index {
            Some(index) if index.local => (vec![&self.table.partition.name], names(&index.sort)),
            Some(index) => (names(&index.partition), names(&index.sort)),
            None => (vec![&self.table.partition.name], self.table.sort.iter().map(|key| key.name.as_str()).collect()),
        }
    }

    fn value(&self, key: &str) -> Value {
        value_of(self.item, self.entity, key).expect("the item has the key")
    }

    /// What the table or index can be asked to return.
    pub fn stored(&self) -> Vec<&'p Attribute> {
        stored(self.table, self.index, self.item, self.entity)
    }

    /// What a caller learns of the entity from a read.
    fn readable(&self) -> Vec<&'p Attribute> {
        readable(self.table, self.index, self.item, self.entity)
    }

    /// What a filter may test: no key of what is read.
    fn testable(&self) -> Vec<&'p Attribute> {
        let keys = key_names(self.table, self.index);
        self.stored().into_iter().filter(|attribute| !keys.contains(attribute.name.as_str())).collect()
    }
}

/// `get E from T`, now and then of what is embedded in an item.
pub fn get(rng: &mut Rng, place: Place<'_>) -> Pattern {
    let embedded = place.item.embeds.as_ref().filter(|_| rng.chance(30)).map(|embeds| place.plan.entity(embeds.0));
    let entity = embedded.unwrap_or(place.entity);
    let mut operation = format!("get {} from {}", entity.name, place.table.name);
    if rng.chance(35) {
        operation.push_str(" consistent");
    }
    if embedded.is_none() && rng.chance(25) {
        operation.push_str(&project(rng, &place.stored()));
    }
    let reads = if rng.chance(40) {
        Some(requirement(rng, entity, &entity.attributes.iter().collect::<Vec<_>>()))
    } else {
        None
    };
    Pattern {
        name: format!("Get{}", entity.name),
        doc: format!("One {} by its key.", entity.word.replace('_', " ")),
        reads,
        operations: vec![operation],
        rate: Some(*rng.pick(&[(500, 4_000), (5_000, 20_000), (100, 1_000)])),
        latency: Some(*rng.pick(&[10, 20, 50])),
        ..Pattern::default()
    }
}

/// `E(a, b) by c`, with what is read.
fn requirement(rng: &mut Rng, entity: &Entity, readable: &[&Attribute]) -> String {
    let wanted = rng.between(1, 3) as usize;
    let names: Vec<&str> = rng.some(readable, wanted).iter().map(|attribute| attribute.name.as_str()).collect();
    let names = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
    let by = if rng.chance(50) { format!(" by {}", entity.id().name) } else { String::new() };
    let ordered = match rng.any(readable).filter(|attribute| attribute.ty.is_key() && rng.chance(25)) {
        Some(attribute) => format!(" ordered by {}{}", attribute.name, rng.pick(&["", " descending"])),
        None => String::new(),
    };
    format!("{}{names}{by}{ordered}", entity.name)
}

pub fn project(rng: &mut Rng, attributes: &[&Attribute]) -> String {
    let wanted = rng.between(1, 3) as usize;
    let names: Vec<&str> = rng.some(attributes, wanted).iter().map(|attribute| attribute.name.as_str()).collect();
    if names.is_empty() { String::new() } else { format!(" project {}", names.join(", ")) }
}

/// `query T where …` of a table or index, with the conditions that its key
/// allows.
pub fn query(rng: &mut Rng, place: Place<'_>) -> Pattern {
    let (partition, sort) = place.keys();
    let mut conditions: Vec<String> = partition.iter().map(|key| equals(rng, place, key)).collect();
    let shards = partition.iter().find_map(|key| place.value(key).shards());
    let (sorted, reach) = sort_conditions(rng, place, &sort);
    let whole_partition = sorted.is_empty();
    conditions.extend(sorted);
    let mut operation = format!("query {} where {}", place.source(), conditions.join(" and "));
    let mut pages = false;
    let filtered = if rng.chance(25) { filter(rng, &place.testable()) } else { None };
    if let Some(filter) = &filtered {
        operation.push_str(&format!(" {filter}"));
    }
    if rng.chance(if reach == Reach::One { 15 } else { 60 }) {
        operation.push_str(&format!(" limit {}", rng.pick(&[1, 5, 10, 25, 50])));
        pages = rng.chance(30);
    }
    if !sort.is_empty() && rng.chance(35) {
        operation.push_str(" descending");
    }
    if !place.is_global() && rng.chance(30) {
        operation.push_str(" consistent");
    }
    operation.push_str(&asked_for(rng, place));
    // It stands where nothing better is known, and now and then elsewhere.
    if rng.chance(match reach {
        Reach::One => 0,
        Reach::Derived => 3,
        Reach::Underived => 60,
    }) {
        operation.push_str(" returning avg 3, max 40");
    }
    if let Some(shards) = shards {
        operation.push_str(&format!(" times {shards}"));
    }
    Pattern {
        name: query_name(place, whole_partition),
        doc: format!("{} through {}.", pascal(&plural(place.entity.word)), place.source()),
        reads: query_reads(rng, place, whole_partition),
        operations: vec![operation],
        rate: Some(*rng.pick(&[(100, 1_000), (300, 2_000), (50, 500)])),
        latency: if rng.chance(50) { Some(50) } else { None },
        pages,
        ..Pattern::default()
    }
}

/// `project` of what is there; from a local index now and then of more, which
/// DynamoDB then fetches from the table.
fn asked_for(rng: &mut Rng, place: Place<'_>) -> String {
    let fetches = place.index.is_some_and(|index| index.local) && rng.chance(35);
    if fetches {
        return project(rng, &place.entity.attributes.iter().collect::<Vec<_>>());
    }
    if rng.chance(25) { project(rng, &place.stored()) } else { String::new() }
}

fn query_name(place: Place<'_>, whole_partition: bool) -> String {
    let entities = pascal(&plural(place.entity.word));
    match place.index {
        Some(index) if index.name.starts_with(&entities) => format!("Find{}", index.name),
        Some(index) => format!("Find{entities}In{}", index.name),
        None if whole_partition => format!("Read{}Partition", place.entity.name),
        None => format!("List{entities}"),
    }
}

/// What the caller needs. A query of a whole partition names all the entities
/// that stand under one value of its key.
fn query_reads(rng: &mut Rng, place: Place<'_>, whole_partition: bool) -> Option<String> {
    if !rng.chance(45) {
        return None;
    }
    let (partition, _) = place.keys();
    let same = |other: &Place<'_>| partition.iter().all(|key| same_start(&other.value(key), &place.value(key)));
    let together: Vec<Place<'_>> = Place::all(place.plan, place.table, place.index).into_iter().filter(same).collect();
    if together.len() > 1 && whole_partition {
        let names: Vec<&str> = together.iter().map(|place| place.entity.name.as_str()).collect();
        return Some(names.join(", "));
    }
    Some(requirement(rng, place.entity, &place.readable()))
}

fn same_start(a: &Value, b: &Value) -> bool {
    a.leading_text() == b.leading_text()
}

/// `key = …`: a template as the item writes it, or a value of the caller's.
fn equals(rng: &mut Rng, place: Place<'_>, key: &str) -> String {
    match place.value(key) {
        Value::Template(parts) => format!("{key} = {}", spelled(&pinned(rng, place.entity, &parts))),
        Value::Whole(name) => {
            let attribute = place.entity.attribute(&name).expect("it is an attribute");
            match &attribute.ty {
                Type::Enum(values) if rng.chance(50) => format!("{key} = \"{}\"", rng.pick(values)),
                ty if ty.is_text() && rng.chance(25) => format!("{key} = \"{{{name}}}\""),
                _ => format!("{key} = :{name}"),
            }
        }
    }
}

/// The template with one of the values of an enum in the place of its hole, now
/// and then.
fn pinned(rng: &mut Rng, entity: &Entity, parts: &[Part]) -> Vec<Part> {
    let pin = rng.chance(30);
    let parts = parts.iter().map(|part| match part {
        Part::Hole(name, Format::Plain) if pin => match &entity.attribute(name).expect("it is an attribute").ty {
            Type::Enum(values) => Part::Text(rng.pick(values).clone()),
            _ => part.clone(),
        },
        _ => part.clone(),
    });
    parts.collect()
}

/// How many items a condition on the sort key leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// One, or as few as have one value.
    One,
    /// As many as the numbers say.
    Derived,
    /// How many a literal bound or a beginning selects, nobody can know.
    Underived,
}

/// Conditions on some of the sort attributes from the left: equality on all but
/// the last of them.
fn sort_conditions(rng: &mut Rng, place: Place<'_>, sort: &[&str]) -> (Vec<String>, Reach) {
    let shared = Place::all(place.plan, place.table, place.index).len() > 1 && place.index.is_none();
    let used = if sort.is_empty() || rng.chance(if shared { 20 } else { 30 }) {
        0
    } else {
        rng.between(1, sort.len() as u64) as usize
    };
    let mut conditions = Vec::new();
    let mut reach = Reach::Derived;
    for (at, key) in sort[..used].iter().enumerate() {
        if at + 1 < used {
            conditions.push(equals(rng, place, key));
        } else {
            let (condition, last) = last_sort_condition(rng, place, key);
            conditions.push(condition);
            reach = last;
        }
    }
    (conditions, reach)
}

/// Equality, a prefix, a range or bounds.
fn last_sort_condition(rng: &mut Rng, place: Place<'_>, key: &str) -> (String, Reach) {
    match place.value(key) {
        Value::Template(parts) => template_condition(rng, place, key, &parts),
        Value::Whole(name) => {
            let ty = &place.entity.attribute(&name).expect("it is an attribute").ty;
            let equality = is_equality(rng, place, &[name.as_str()]);
            whole_condition(rng, key, ty, equality)
        }
    }
}

/// Whether the sort key may be given whole. Not, but rarely, where an index has
/// an id in it: the id alone then decides what the other parts are, and the
/// numbers take the parts as independent.
fn is_equality(rng: &mut Rng, place: Place<'_>, attributes: &[&str]) -> bool {
    let identifies = |name: &&str| place.entity.attribute(name).is_some_and(|a| a.id || a.of.is_some());
    place.index.is_none() || !attributes.iter().any(identifies) || rng.chance(5)
}

fn whole_condition(rng: &mut Rng, key: &str, ty: &Type, equality: bool) -> (String, Reach) {
    match rng.between(0, 6) {
        0 if equality => (format!("{key} = :{key}"), Reach::One),
        1 => (format!("{key} > :after"), Reach::Derived),
        2 => (format!("{key} < :before"), Reach::Derived),
        3 => (format!("{key} >= :from"), Reach::Derived),
        // How much a literal selects nobody knows.
        4 if *ty == Type::Number && rng.chance(25) => (format!("{key} <= 500"), Reach::Underived),
        4 if *ty == Type::Timestamp && rng.chance(25) => (format!("{key} begins_with \"2026-\""), Reach::Underived),
        0 | 4 | 5 => (format!("{key} between :from and :to"), Reach::Derived),
        _ if matches!(ty, Type::Number | Type::Epoch) => (format!("{key} <= :most"), Reach::Derived),
        _ => (format!("{key} begins_with :prefix"), Reach::Underived),
    }
}

fn template_condition(rng: &mut Rng, place: Place<'_>, key: &str, parts: &[Part]) -> (String, Reach) {
    let value = Value::Template(parts.to_vec());
    let equality = is_equality(rng, place, &value.attributes());
    let [Part::Text(start), Part::Hole(first, format), rest @ ..] = parts else {
        // A literal, or a template that begins with a hole.
        return match parts {
            [Part::Hole(..), Part::Text(separator), ..] if separator == "#" && (!equality || rng.chance(40)) => {
                (format!("{key} begins_with {}", spelled(&parts[..2])), Reach::Derived)
            }
            _ => (format!("{key} = {}", spelled(parts)), Reach::One),
        };
    };
    let operand = match format {
        Format::Plain => Some(String::new()),
        Format::Padded(width) => Some(format!(":{width}")),
        _ => None,
    };
    let is_moment = place.entity.attribute(first).is_some_and(|attribute| attribute.ty == Type::Timestamp);
    match (rng.between(0, 7), operand) {
        (0, _) if equality => (format!("{key} = {}", spelled(parts)), Reach::One),
        (1, Some(end)) => {
            (format!("{key} between \"{start}{{:from{end}}}\" and \"{start}{{:to{end}}}\""), Reach::Derived)
        }
        (2, Some(end)) => {
            let operator = rng.pick(&[">", ">=", "<", "<="]);
            (format!("{key} {operator} \"{start}{{:bound{end}}}\""), Reach::Derived)
        }
        // The first of several parts, and what ends it.
        (3, _) if !rest.is_empty() => (format!("{key} begins_with {}", spelled(&parts[..3])), Reach::Derived),
        // A shorter time than the key has.
        (4, _) if is_moment && matches!(format, Format::Plain | Format::Day | Format::Hour | Format::Minute) => {
            (format!("{key} begins_with \"{start}{{{first}:month}}\""), Reach::Underived)
        }
        _ => (format!("{key} begins_with \"{start}\""), Reach::Derived),
    }
}

/// `scan T` or `scan T.Index`.
pub fn scan(rng: &mut Rng, place: Place<'_>) -> Pattern {
    let mut operation = format!("scan {}", place.source());
    if rng.chance(50) {
        let literal = scan_of_one(rng, place);
        if let Some(filter) = literal.or_else(|| filter(rng, &place.testable())) {
            operation.push_str(&format!(" {filter}"));
        }
    }
    if rng.chance(50) {
        operation.push_str(&format!(" limit {}", rng.pick(&[10, 100, 500])));
    }
    if !place.is_global() && rng.chance(30) {
        operation.push_str(" consistent");
    }
    if rng.chance(20) {
        operation.push_str(&project(rng, &place.stored()));
    }
    let name = match place.index {
        Some(index) => format!("Scan{}", index.name),
        None => format!("Scan{}", place.table.name),
    };
    Pattern {
        name,
        doc: "For reports, at night.".to_owned(),
        operations: vec![operation],
        rate: Some((1, 10)),
        ..Pattern::default()
    }
}

/// What no key can answer, and DynamoDB does not.
pub fn external(place: Place<'_>) -> Pattern {
    let service = "external \"Amazon OpenSearch Service\" because \"DynamoDB has no full-text index.\"";
    Pattern {
        name: format!("Search{}", pascal(&plural(place.entity.word))),
        doc: "Finds words anywhere.".to_owned(),
        reads: Some(place.entity.name.clone()),
        operations: vec![service.to_owned()],
        rate: Some((100, 2_000)),
        ..Pattern::default()
    }
}

/// A filter on a key, which a scan allows: the items of one entity.
fn scan_of_one(rng: &mut Rng, place: Place<'_>) -> Option<String> {
    let sort = place.table.sort.as_ref().filter(|_| place.index.is_none() && rng.chance(40))?;
    match value_of(place.item, place.entity, &sort.name)? {
        Value::Template(parts) => match parts.as_slice() {
            [Part::Text(only)] => Some(format!("filter {} = \"{only}\" keeping 10%", sort.name)),
            [Part::Text(start), ..] => Some(format!("filter {} begins_with \"{start}\" keeping 40%", sort.name)),
            _ => None,
        },
        Value::Whole(_) => None,
    }
}
