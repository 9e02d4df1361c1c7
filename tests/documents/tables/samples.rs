//! Samples: true of the keys and the projections, and of each other.

use crate::tables::models;
use crate::tables::page::{Sample, Section, open, open_files, section, tables};
use keywright::capacity::values::{Item, Value};
use keywright::model::db::{Db, Host, SourceFile};
use keywright::model::defs::ProjectionKind;
use keywright::model::key::{KeyPiece, KeySource};
use keywright::model::layout::{ItemLayout, Source, TableLayout, layout};
use keywright::model::names::names;
use keywright::population::{Population, for_readers};
use keywright::syntax::template::Format;
use std::collections::BTreeSet;

/// The layouts of a model's tables, in the order of the text.
fn layouts(db: &dyn Db, root: SourceFile) -> Vec<&TableLayout> {
    let tables = names(db, root).tables_in_order(db, root);
    tables.into_iter().filter_map(|decl| layout(db, root, decl).as_ref()).collect()
}

/// A table with its section and those of its indexes.
struct Shown<'db> {
    layout: &'db TableLayout,
    sections: Vec<Section>,
}

/// What the document shows of each table of a model.
fn shown<'db>(host: &'db Host, root: SourceFile) -> Vec<Shown<'db>> {
    let (layouts, sections) = (layouts(host.db(), root), tables(host, root));
    assert_eq!(layouts.len(), sections.len());
    layouts.into_iter().zip(sections).map(|(layout, sections)| Shown { layout, sections }).collect()
}

impl<'db> Shown<'db> {
    /// Each source with its sample.
    fn samples(&self) -> impl Iterator<Item = (Source<'db>, Sample)> + '_ {
        self.layout.sources().zip(&self.sections).map(|(source, section)| (source, section.sample()))
    }
}

/// A value of a key as a cell shows it.
fn spelled(value: &Value) -> String {
    match value {
        Value::S(text) | Value::N(text) => text.clone(),
        Value::B(bytes) => format!("0x{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        other => panic!("no key value: {other:?}"),
    }
}

/// The cells of a row that make up the primary key of its item.
fn primary_key(layout: &TableLayout, sample: &Sample, row: &[String]) -> Vec<String> {
    let cell = |name: &str| sample.cell(row, name).expect("a column for each key attribute").to_owned();
    layout.primary_key().map(|key| cell(&key.name)).collect()
}

/// The item of the population that a row shows.
fn item_of<'p>(population: &'p Population<'_>, layout: &TableLayout, key: &[String]) -> (&'p Item, String) {
    let own = |item: &Item| {
        layout
            .primary_key()
            .zip(key)
            .all(|(attribute, cell)| item.get(&attribute.name).is_some_and(|value| spelled(value) == *cell))
    };
    let stored = population.items(&layout.name.text).iter().find(|stored| own(&stored.item));
    let stored = stored.unwrap_or_else(|| panic!("no item with the key {key:?} in {}", layout.name.text));
    (&stored.item, stored.kind.entity.clone())
}

fn kind<'l>(layout: &'l TableLayout, entity: &str) -> &'l ItemLayout {
    layout.items.iter().find(|item| item.entity == entity).expect("an entity of the table")
}

/// Whether a text is what a key template makes of the attributes of an item. Which
/// shard a value falls into is not computed again, only that there is such a one.
fn is_made(source: &KeySource, item: &Item, text: &str) -> bool {
    let mut rest = text;
    for part in &source.value.parts {
        match part {
            KeyPiece::Literal(literal) => match rest.strip_prefix(literal.as_str()) {
                Some(behind) => rest = behind,
                None => return false,
            },
            KeyPiece::Hole(hole) => {
                let value = item.get(&hole.name).unwrap_or_else(|| panic!("the item has `{}`", hole.name));
                let plain = match value {
                    Value::S(text) | Value::N(text) => text.clone(),
                    Value::Bool(value) => value.to_string(),
                    Value::B(_) => spelled(value)[2..].to_owned(),
                    other => panic!("nothing for a template: {other:?}"),
                };
                let written = match hole.format {
                    Format::Plain => plain,
                    Format::Lower => plain.to_lowercase(),
                    Format::Upper => plain.to_uppercase(),
                    Format::Padded(width) => format!("{plain:0>width$}", width = width as usize),
                    Format::Time(part) => plain[..part.length().min(plain.len())].to_owned(),
                    Format::Shard(shards) => {
                        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                        assert!(digits.parse::<u32>().is_ok_and(|shard| shard < shards), "{text}");
                        digits
                    }
                };
                match rest.strip_prefix(written.as_str()) {
                    Some(behind) => rest = behind,
                    None => return false,
                }
            }
        }
    }
    rest.is_empty()
}

#[test]
fn a_sample_has_five_to_ten_rows_or_says_why() {
    let mut full = 0;
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        for table in shown(&host, root) {
            let sample = table.sections[0].sample();
            let rows = sample.rows.len();
            if (5..=10).contains(&rows) {
                full += 1;
                continue;
            }
            let reason = sample.notes.first().map(String::as_str).unwrap_or_default();
            let says = reason.starts_with("No sample: ") || reason.starts_with(&format!("{rows} row"));
            assert!(says, "{name}, {}: {rows} rows, {reason}", table.layout.name.text);
            assert!(rows <= 10.max(table.layout.items.len()), "{name}: {rows}");
        }
    }
    assert!(full > 60, "{full} samples");
}

#[test]
fn a_sample_shows_every_entity_and_an_item_collection() {
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        for table in shown(&host, root).iter().filter(|table| table.layout.items.len() > 1) {
            let sample = table.sections[0].sample();
            let entities: BTreeSet<&str> = sample.column("Entity").into_iter().collect();
            let all: BTreeSet<&str> = table.layout.items.iter().map(|item| item.entity.as_str()).collect();
            assert_eq!(entities, all, "{name}, {}", table.layout.name.text);
        }
    }
    let shop = section(include_str!("../../../examples/shop.dynamo"), "UserOrders Table").sample();
    let (users, entities) = (shop.column("user_id"), shop.column("Entity"));
    // The orders stand before their user, for `ORDER#` sorts before `PROFILE`.
    let first: Vec<&str> =
        entities.iter().zip(&users).filter(|(_, user)| *user == &users[0]).map(|(e, _)| *e).collect();
    assert_eq!(first, ["Order", "Order", "Order", "User"], "{shop:?}");
}

#[test]
fn every_key_is_what_the_template_makes_of_the_item() {
    let mut compared = 0;
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        let population = for_readers(host.db(), root);
        for table in shown(&host, root) {
            for (source, sample) in table.samples() {
                for row in &sample.rows {
                    let key = primary_key(table.layout, &sample, row);
                    let (item, entity) = item_of(&population, table.layout, &key);
                    let kind = kind(table.layout, &entity);
                    for attribute in source.key().chain(table.layout.primary_key()) {
                        let made = &kind.keys[&attribute.name];
                        let cell = sample.cell(row, &attribute.name).expect("a column for each key attribute");
                        let own = match made.template {
                            true => is_made(made, item, cell),
                            false => spelled(&item[made.value.whole_attribute().expect("an attribute")]) == cell,
                        };
                        assert!(own, "{name}, {}: `{}` is {cell} of {item:?}", source.label(), attribute.name);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 1_000, "{compared} keys");
}

#[test]
fn every_cell_is_of_the_item_that_its_key_names() {
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        let population = for_readers(host.db(), root);
        for table in shown(&host, root) {
            for (source, sample) in table.samples() {
                for row in &sample.rows {
                    let (item, entity) = item_of(&population, table.layout, &primary_key(table.layout, &sample, row));
                    if let Some(shown) = sample.cell(row, "Entity").filter(|_| table.layout.items.len() > 1) {
                        assert_eq!(shown, entity, "{name}, {}", source.label());
                    }
                    let kind = kind(table.layout, &entity);
                    for (attribute, cell) in sample.header.iter().zip(row).filter(|(name, _)| *name != "Entity") {
                        let list = kind.embeds.iter().find(|embed| embed.list.as_ref() == Some(attribute));
                        let expected = match (item.get(attribute), list) {
                            (None, _) => String::new(),
                            (Some(Value::L(elements)), Some(embed)) => {
                                format!("[{} × {}]", elements.len(), embed.entity)
                            }
                            (Some(Value::S(text) | Value::N(text)), _) => text.clone(),
                            (Some(Value::Bool(value)), _) => value.to_string(),
                            // How long values are written is the cell's own business.
                            (Some(_), _) => continue,
                        };
                        let cut = cell.strip_suffix('…').is_some_and(|start| expected.starts_with(start));
                        let is_empty = expected.is_empty() && item.contains_key(attribute) && cell == "(empty)";
                        assert!(*cell == expected || cut || is_empty, "{name}, {}: {cell}, {expected}", source.label());
                    }
                }
            }
        }
    }
}

#[test]
fn an_index_shows_rows_of_its_table_and_only_what_it_projects() {
    let (mut within, mut others) = (0, 0);
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        for table in shown(&host, root) {
            let samples: Vec<(Source<'_>, Sample)> = table.samples().collect();
            let (_, own) = &samples[0];
            let keys: Vec<Vec<String>> = own.rows.iter().map(|row| primary_key(table.layout, own, row)).collect();
            for (source, sample) in samples.iter().skip(1) {
                let place = format!("{name}, {}", source.label());
                let index = source.index.expect("an index");
                let rows: Vec<Vec<String>> =
                    sample.rows.iter().map(|row| primary_key(table.layout, sample, row)).collect();
                if sample.notes[0].starts_with("None of the rows above is in it") {
                    assert!(rows.iter().all(|row| !keys.contains(row)) && !rows.is_empty(), "{place}");
                    others += 1;
                } else {
                    assert!(rows.iter().all(|row| keys.contains(row)), "{place}");
                    within += 1;
                }
                let projected: BTreeSet<&str> = source
                    .key()
                    .chain(table.layout.primary_key())
                    .map(|key| key.name.as_str())
                    .chain(index.included.iter().map(String::as_str))
                    .collect();
                if index.projection != ProjectionKind::All {
                    let all = sample.header.iter().filter(|column| *column != "Entity");
                    let wrong: Vec<&String> = all.filter(|column| !projected.contains(column.as_str())).collect();
                    assert!(wrong.is_empty(), "{place}: {wrong:?}");
                }
                for key in source.key() {
                    assert!(
                        sample.rows.is_empty() || sample.column(&key.name).iter().all(|cell| !cell.is_empty()),
                        "{place}"
                    );
                }
            }
        }
    }
    assert!(within > 20 && within > 4 * others, "{within} indexes of shown rows, {others} of others");
}

/// What stands in the table's sample and not in the index's lacks a key of it.
#[test]
fn a_row_that_an_index_leaves_out_lacks_a_key_of_it() {
    let mut left_out = 0;
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        let population = for_readers(host.db(), root);
        for table in shown(&host, root) {
            let samples: Vec<(Source<'_>, Sample)> = table.samples().collect();
            let (_, own) = &samples[0];
            for (source, sample) in samples.iter().skip(1) {
                let rows: Vec<Vec<String>> =
                    sample.rows.iter().map(|row| primary_key(table.layout, sample, row)).collect();
                for key in own.rows.iter().map(|row| primary_key(table.layout, own, row)) {
                    if rows.contains(&key) {
                        continue;
                    }
                    let (item, _) = item_of(&population, table.layout, &key);
                    let lacks = source.key().any(|key| !item.contains_key(&key.name));
                    assert!(lacks, "{name}, {}: {key:?}", source.label());
                    left_out += 1;
                }
            }
        }
    }
    assert!(left_out > 20, "{left_out} rows");
}

#[test]
fn rows_of_one_partition_stand_together_in_the_order_of_the_sort_key() {
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        let population = for_readers(host.db(), root);
        for table in shown(&host, root) {
            for (source, sample) in table.samples() {
                let items: Vec<&Item> = sample
                    .rows
                    .iter()
                    .map(|row| item_of(&population, table.layout, &primary_key(table.layout, &sample, row)).0)
                    .collect();
                let partition = |item: &Item| -> Vec<String> {
                    source.partition().iter().map(|key| spelled(&item[&key.name])).collect()
                };
                let mut before: Vec<Vec<String>> = Vec::new();
                for pair in items.windows(2) {
                    let (a, b) = (partition(pair[0]), partition(pair[1]));
                    if a != b {
                        before.push(a);
                        assert!(!before.contains(&b), "{name}, {}: {b:?} stands apart", source.label());
                        continue;
                    }
                    let sorts = source.sort().iter().map(|key| pair[0][&key.name].order(&pair[1][&key.name]));
                    let order = sorts.map(|order| order.expect("keys have an order")).find(|order| order.is_ne());
                    assert!(order.is_none_or(|order| order.is_lt()), "{name}, {}: {pair:?}", source.label());
                }
            }
        }
    }
}

#[test]
fn the_same_id_means_the_same_thing_in_every_table() {
    let shop = include_str!("../../../examples/shop.dynamo");
    let of = |heading: &str| section(shop, heading).sample();
    let (users, claims, sessions) = (of("UserOrders Table"), of("EmailClaims Table"), of("Sessions Table"));
    let known: BTreeSet<&str> = users.column("user_id").into_iter().collect();
    for sample in [&claims, &sessions] {
        assert!(sample.column("user_id").iter().any(|user| known.contains(user)), "{sample:?}");
    }
    // An order in the index belongs to the user to whom it belongs in the table.
    let orders = of("OpenOrders GSI");
    let rows = |sample: &Sample| -> BTreeSet<(String, String)> {
        let cells =
            |row: &Vec<String>| Some((sample.cell(row, "user_id")?.to_owned(), sample.cell(row, "sk")?.to_owned()));
        sample.rows.iter().filter_map(cells).collect()
    };
    assert!(!rows(&orders).is_empty() && rows(&orders).is_subset(&rows(&users)));
}

#[test]
fn embedded_items_are_counted_and_one_is_shown() {
    let shop = section(include_str!("../../../examples/shop.dynamo"), "UserOrders Table").sample();
    let lines = shop.column("lines");
    assert!(lines.iter().all(|cell| cell.is_empty() || cell.ends_with(" × OrderLine]")), "{lines:?}");
    let shows =
        shop.notes.iter().any(|note| note.starts_with("One OrderLine of `lines`: `{") && note.contains("sku: \""));
    assert!(shows, "{:?}", shop.notes);
}

#[test]
fn names_of_all_kinds_stay_in_their_cells() {
    let text = "entity `E|<b>🦀` { `k|\\`: string @id @size(9B) `a b`: number `<i>`: list `#`: boolean }
entity `F*` { `k|\\`: string @id @size(9B) `x_`: binary @size(9B) }
table `T|` { partition key `k|\\`  sort key `s*`: string
  item `E|<b>🦀` embeds `F*` as `l|` { `s*` = \"a|`b\\\\<c>#{`a b`}\" }
  item `F*` { `s*` = \"{`x_`}\" }
  gsi `G|` { partition key `a b` projection include(`<i>`, `l|`) } }";
    let (host, root) = open(text);
    let shown = shown(&host, root);
    for (source, sample) in shown[0].samples() {
        assert!(!sample.rows.is_empty(), "{}", source.label());
        assert!(sample.rows.iter().all(|row| row.len() == sample.header.len()), "{sample:?}");
        for key in source.key() {
            assert!(sample.header.contains(&key.name), "{sample:?}");
        }
    }
    let text = &shown[0].sections[0].text;
    assert!(!text.contains("<b>") && !text.contains("<i>"), "{text}");
}

#[test]
fn a_table_of_one_item_says_why_there_is_one_row() {
    let text = "entity Config { version: number  note: string }
table T { partition key pk: string  item Config { pk = \"CONFIG\" } }";
    let sample = section(text, "T Table").sample();
    assert_eq!(sample.rows.len(), 1, "{sample:?}");
    assert_eq!(sample.notes[0], "1 row: the primary key is the same text on every item of an entity.");
    let none = section("table T { partition key pk: string }", "T Table").sample();
    assert_eq!(none.notes, ["No sample: the table has no item yet."]);
}
