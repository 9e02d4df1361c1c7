//! A plan as text, laid out as the formatter lays it out.

use super::keys::{Value, spelled};
use super::plan::{Attribute, Entity, Index, Item, Key, Pattern, Plan, Projection, Relation, Table, Type};

pub fn print(plan: &Plan, seed: u64) -> String {
    let mut parts = vec![format!("// A random model, from seed {seed}.\n"), application(plan)];
    parts.extend(plan.entities.iter().map(entity));
    parts.extend(plan.relations.iter().map(|relation| relationship(plan, relation)));
    parts.extend(aggregates(plan));
    parts.extend(plan.tables.iter().map(|table| self::table(plan, table)));
    parts.extend(plan.patterns.iter().map(pattern));
    parts.extend(workflow(plan));
    parts.join("\n")
}

fn application(plan: &Plan) -> String {
    let style = if plan.single_table { "single_table" } else { "aggregate" };
    let mut clauses = vec![
        ("domain", format!("{:?}", plan.theme.domain)),
        ("scale", "\"a few thousand users\"".to_owned()),
        ("style", style.to_owned()),
        ("region", "\"us-east-1\"".to_owned()),
    ];
    clauses.extend(plan.application.iter().cloned());
    let width = clauses.iter().map(|(keyword, _)| keyword.len()).max().unwrap_or(0);
    let lines = clauses.iter().map(|(keyword, value)| format!("  {keyword:width$} {value}\n"));
    format!("application {} {{\n{}}}\n", plan.theme.application, lines.collect::<String>())
}

fn entity(entity: &Entity) -> String {
    let width = entity.attributes.iter().map(|attribute| attribute.name.len()).max().unwrap_or(0) + 1;
    let attributes = entity.attributes.iter().map(|attribute| {
        let name = format!("{}:", attribute.name);
        format!("  {name:width$} {}\n", typed(attribute))
    });
    let mut clauses = Vec::new();
    let growing = entity.growing.map(|growing| format!(", growing {growing}/day")).unwrap_or_default();
    clauses.extend(entity.count.map(|count| format!("  count {}{growing}\n", number(count))));
    clauses.extend(entity.size.map(|size| format!("  size {}\n", measure(size, bytes))));
    clauses.extend(entity.lifetime.map(|days| format!("  lifetime {days}d\n")));
    let clauses = if clauses.is_empty() { String::new() } else { format!("\n{}", clauses.concat()) };
    format!("entity {} {{\n{}{clauses}}}\n", entity.name, attributes.collect::<String>())
}

/// The type of an attribute with its modifiers.
fn typed(attribute: &Attribute) -> String {
    let mut words = vec![format!("{}{}", type_name(&attribute.ty), if attribute.optional { "?" } else { "" })];
    let mut say = |wanted: bool, text: String| {
        if wanted {
            words.push(text);
        }
    };
    say(attribute.id, "@id".to_owned());
    let scope = attribute.scope.as_ref().map(|scope| format!("({scope})")).unwrap_or_default();
    say(attribute.unique, format!("@unique{scope}"));
    say(attribute.immutable, "@immutable".to_owned());
    words.extend(attribute.of.iter().map(|entity| format!("@of({entity})")));
    words.extend(attribute.copied_from.iter().map(|(entity, name)| format!("@copied_from({entity}.{name})")));
    words.extend(attribute.size.map(|size| format!("@size({})", measure(size, bytes))));
    words.extend(attribute.distinct.map(|distinct| format!("@distinct({})", number(distinct))));
    words.extend(attribute.hottest.map(|percent| format!("@hottest({percent}%)")));
    words.extend(attribute.present.map(|percent| format!("@present({percent}%)")));
    if attribute.without {
        words.push("@without(\"#\")".to_owned());
    }
    words.extend(attribute.example.iter().map(|example| format!("@example({example})")));
    words.join(" ")
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Text => "string".to_owned(),
        Type::Enum(names) => format!("enum({})", names.join(", ")),
        Type::List(None) => "list".to_owned(),
        Type::List(Some(element)) => format!("list<{element}>"),
        Type::Set(element) => format!("set<{element}>"),
        simple => format!("{simple:?}").to_lowercase(),
    }
}

fn relationship(plan: &Plan, relation: &Relation) -> String {
    let name = |role| &plan.entity(role).name;
    let through = relation.through.map(|edge| format!(" through {}", name(edge))).unwrap_or_default();
    let mut clauses = Vec::new();
    clauses.extend(relation.children.map(|(average, most)| match most {
        Some(most) => format!("children avg {average}, max {}", number(most)),
        None => format!("children avg {average}"),
    }));
    clauses.extend(relation.parents.map(|average| format!("parents avg {average}")));
    if relation.identifying {
        clauses.push("identifying".to_owned());
    }
    let body = if clauses.is_empty() { String::new() } else { format!(" {{ {} }}", clauses.join(" ")) };
    format!("relationship {} {} {}{through}{body}\n", name(relation.left), relation.cardinality, name(relation.right))
}

/// The decision that the tables carry out for a root and its children.
fn aggregates(plan: &Plan) -> Vec<String> {
    let mut aggregates = Vec::new();
    for relation in plan.relations.iter().filter(|relation| relation.cardinality == "1:N") {
        let holds = |table: &&Table, role| table.items.iter().any(|item| item.role == role);
        let decision = if plan.embedded_in(relation.right).is_some() {
            "single_item"
        } else if plan.tables.iter().any(|table| holds(&table, relation.left) && holds(&table, relation.right)) {
            "item_collection"
        } else {
            "separate_tables"
        };
        let (left, right) = (plan.entity(relation.left), plan.entity(relation.right));
        aggregates.push(format!(
            "aggregate {}, {} {{\n  decision {decision}\n  because \"The pages of the application ask for them so.\"\n}}\n",
            left.name, right.name
        ));
    }
    aggregates
}

fn table(plan: &Plan, table: &Table) -> String {
    let mut blocks = vec![format!("  partition key {}\n", keys(std::slice::from_ref(&table.partition)))];
    if let Some(sort) = &table.sort {
        blocks[0].push_str(&format!("  sort key {}\n", keys(std::slice::from_ref(sort))));
    }
    if !table.clauses.is_empty() {
        blocks.push(table.clauses.iter().map(|clause| format!("  {clause}\n")).collect());
    }
    blocks.extend(table.items.iter().map(|item| self::item(plan, item)));
    blocks.extend(table.indexes.iter().map(index));
    format!("table {} {{\n{}}}\n", table.name, blocks.join("\n"))
}

fn item(plan: &Plan, item: &Item) -> String {
    let embeds = item.embeds.as_ref().map(|(role, list)| format!(" embeds {} as {list}", plan.entity(*role).name));
    let head = format!("  item {}{}", plan.entity(item.role).name, embeds.unwrap_or_default());
    if item.values.is_empty() {
        return head + "\n";
    }
    let values = item.values.iter().map(|(key, value)| {
        let value = match value {
            Value::Whole(name) => name.clone(),
            Value::Template(parts) => spelled(parts),
        };
        format!("    {key} = {value}\n")
    });
    format!("{head} {{\n{}  }}\n", values.collect::<String>())
}

fn index(index: &Index) -> String {
    let mut lines = vec![format!("purpose \"{}\"", index.purpose)];
    if !index.local {
        lines.push(format!("partition key {}", keys(&index.partition)));
    }
    if !index.sort.is_empty() {
        lines.push(format!("sort key {}", keys(&index.sort)));
    }
    lines.push(match &index.projection {
        Projection::All => "projection all".to_owned(),
        Projection::KeysOnly => "projection keys_only".to_owned(),
        Projection::Include(names) => format!("projection include({})", names.join(", ")),
    });
    if index.sparse {
        lines.push("sparse because \"Only some items have the key.\"".to_owned());
    }
    let kind = if index.local { "lsi" } else { "gsi" };
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("  {kind} {} {{\n{lines}  }}\n", index.name)
}

fn keys(keys: &[Key]) -> String {
    let parts = keys.iter().map(|key| match key.ty {
        Some(ty) => format!("{}: {ty}", key.name),
        None => key.name.clone(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn pattern(pattern: &Pattern) -> String {
    let mut lines = Vec::new();
    lines.extend(pattern.reads.iter().map(|reads| format!("reads {reads}")));
    lines.extend(pattern.writes.iter().map(|writes| format!("writes {writes}")));
    lines.extend(pattern.operations.iter().cloned());
    lines.extend(
        pattern
            .rate
            .map(|(average, peak)| format!("rate avg {}/s, peak {}/s", thousandths(average), thousandths(peak))),
    );
    lines.extend(pattern.latency.map(|latency| format!("latency {latency}ms")));
    if pattern.pages {
        lines.push("pages avg 1.5, max 20".to_owned());
    }
    let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("/// {}\npattern {} {{\n{lines}}}\n", pattern.doc, pattern.name)
}

fn workflow(plan: &Plan) -> Option<String> {
    let names: Vec<&str> = plan.patterns.iter().take(3).map(|pattern| pattern.name.as_str()).collect();
    (names.len() == 3).then(|| format!("workflow Visit {{ {} }}\n", names.join(", ")))
}

fn measure((average, most): (u64, u64), unit: impl Fn(u64) -> String) -> String {
    if average == most { unit(average) } else { format!("avg {}, max {}", unit(average), unit(most)) }
}

fn bytes(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) { format!("{}KB", bytes / 1024) } else { format!("{bytes}B") }
}

/// `20k`, `2_500`, `40`.
fn number(number: u64) -> String {
    match number {
        10_000.. if number.is_multiple_of(1_000) => format!("{}k", number / 1_000),
        1_000.. => format!("{}_{:03}", number / 1_000, number % 1_000),
        _ => number.to_string(),
    }
}

fn thousandths(number: u64) -> String {
    let (whole, rest) = (number / 1_000, number % 1_000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}
