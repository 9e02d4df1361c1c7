//! A pattern that nothing answers yet.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::fixes::{free_name, index_name, insert_after, key_template, set_key_values, upper_snake, without_id};
use super::rule::{Group, Rule};
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::{KeyPiece, KeyValue};
use crate::model::layout::{ItemLayout, Source, TableLayout, placements};
use crate::model::names::{entity_def, table_def};
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "unsolved-pattern",
    group: Group::Requirements,
    level: Level::Warning,
    summary: "a pattern has neither an operation nor `external`",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    if cx.is_broken() || !pattern.operations.is_empty() || pattern.external.is_some() {
        return;
    }
    let answers = answers(cx, pattern);
    let advice = match answers.first() {
        Some(Answer { table: None, operation, .. }) => format!("`{operation}` would answer it"),
        Some(Answer { operation, .. }) => {
            format!("no key is made for it, and with a new index `{operation}` would answer it")
        }
        None if pattern.requirements.is_empty() => {
            "say what it needs with `reads … by …` or `writes …`, then give the operation".to_owned()
        }
        None => "give the operation that does it".to_owned(),
    };
    let requirements: Vec<&str> =
        pattern.requirements.iter().map(|requirement| &cx.chunk().text[requirement.range.indices()]).collect();
    let what = match requirements.as_slice() {
        [] => "this pattern".to_owned(),
        some => format!("`{}`", super::fixes::one_line(&some.join("\n"))),
    };
    let message = format!(
        "{what} has neither an operation nor `external`: no table or index is known to carry it, and its load and \
         cost count nowhere; {advice}; if DynamoDB is not to answer it, say `external` and why"
    );
    let last = pattern.requirements.last().map(|requirement| cx.place(requirement.range));
    let text = cx.chunk().text.clone();
    let places: Vec<_> = answers.iter().map(|answer| cx.name_place(answer.decl)).collect();
    let finding = cx.report(cx.name_range(), message);
    for (answer, place) in answers.into_iter().zip(places) {
        if let Some(place) = place.filter(|_| finding.related.is_empty()) {
            finding.relate(place, "the table that holds what it reads");
        }
        let Some(last) = last else { continue };
        let mut edits = vec![insert_after(&text, last, &answer.operation)];
        let title = match answer.table {
            None => format!("Answer with `{}`", answer.operation),
            Some((index, table_edits)) => {
                edits.extend(table_edits);
                format!("Add index `{index}` and answer with `{}`", answer.operation)
            }
        };
        finding.suggest(title, edits);
    }
}

/// An operation that would answer a pattern.
struct Answer {
    operation: String,
    /// The table that it reads.
    decl: Decl,
    /// The index that it needs first, and the edits that make it.
    table: Option<(String, Vec<Edit>)>,
}

/// What would answer a pattern, the best first: gets, then queries of tables,
/// then queries of indexes; where there is none, a query of a new index.
fn answers(cx: &Cx<'_>, pattern: &PatternDef) -> Vec<Answer> {
    // One `reads` is answered by one operation; how several belong together is
    // for the author to say.
    let [requirement] = pattern.requirements.as_slice() else { return Vec::new() };
    if requirement.writes || requirement.uses.is_empty() {
        return Vec::new();
    }
    let tables = cx.names().tables_in_order(cx.db, cx.root);
    let layouts: Vec<&TableLayout> = tables.iter().filter_map(|table| cx.layout(*table)).collect();
    let gets = layouts.iter().filter_map(|layout| get(layout, requirement).map(|text| (layout.table(), text)));
    // A get reads the one item that a query of the same key would find.
    let open = layouts.iter().filter(|layout| get(layout, requirement).is_none());
    let in_tables = open.filter_map(|layout| query(layout.table(), requirement).map(|text| (layout.table(), text)));
    let indexes = layouts.iter().flat_map(|layout| layout.of_indexes());
    let in_indexes = indexes.filter_map(|source| query(source, requirement).map(|text| (source, text)));
    let found: Vec<Answer> = gets
        .chain(in_tables)
        .chain(in_indexes)
        .map(|(source, operation)| Answer { operation, decl: source.layout.decl, table: None })
        .collect();
    if found.is_empty() { new_index(cx, requirement).into_iter().collect() } else { found }
}

/// `get E from T`, where `by` names all that the primary key is made of.
fn get(layout: &TableLayout, requirement: &RequirementDef) -> Option<String> {
    let [one] = requirement.uses.as_slice() else { return None };
    let item = layout.item_of(&one.entity.text)?;
    let mut key = layout.primary_key().peekable();
    key.peek()?;
    let known = key.all(|key| item.keys.get(&key.name).is_some_and(|source| is_known(&source.value, requirement)));
    let made_from = item.made_from(layout.primary_key());
    // A key of literals alone is one item whoever asks: nothing is found by it.
    (known && !made_from.is_empty())
        .then(|| format!("get {} from {}", quote_name(&one.entity.text), quote_name(&layout.name.text)))
}

/// A query of a table or index that finds, by nothing else than `by`, all that
/// is read, in the order that is wanted.
fn query(source: Source<'_>, requirement: &RequirementDef) -> Option<String> {
    let items: Vec<&ItemLayout> = requirement
        .uses
        .iter()
        .map(|one| source.items().find(|item| item.holds(&one.entity.text)).filter(|item| projects(source, item, one)))
        .collect::<Option<_>>()?;
    let first = items.first()?;
    let mut conditions = Vec::new();
    let mut used: Vec<String> = Vec::new();
    for key in source.partition() {
        let value = &first.keys.get(&key.name)?.value;
        // Reads of several entities are one query only where they share a value.
        let shared = items.iter().all(|item| item.keys.get(&key.name).is_some_and(|other| other.value == *value));
        if !shared || !is_known(value, requirement) {
            return None;
        }
        conditions.push(equal(&key.name, value));
        used.extend(value.attributes().into_iter().map(str::to_owned));
    }
    let one_kind = source.items().count() == 1;
    let mut next: Option<&str> = None;
    for key in source.sort().iter().filter(|_| items.len() == 1) {
        let value = &first.keys.get(&key.name)?.value;
        if is_known(value, requirement) {
            used.extend(value.attributes().into_iter().map(str::to_owned));
            if !(one_kind && value.as_literal().is_some()) {
                conditions.push(equal(&key.name, value));
            }
            continue;
        }
        let prefix = known_prefix(value, requirement);
        next = value.parts[prefix.parts.len()..].iter().find_map(hole_name);
        let says_nothing = one_kind && prefix.as_literal().is_some();
        if !prefix.parts.is_empty() && !says_nothing {
            conditions.push(format!("{} begins_with {}", quote_name(&key.name), prefix.spelling()));
            used.extend(prefix.attributes().into_iter().map(str::to_owned));
        }
        break;
    }
    let found_by_all = requirement.by.iter().all(|name| used.contains(&name.text));
    let ordered = requirement.order.as_ref().is_none_or(|order| next == Some(order.text.as_str()));
    if conditions.is_empty() || !found_by_all || !ordered {
        return None;
    }
    let label = match source.index {
        Some(index) => format!("{}.{}", quote_name(&source.layout.name.text), quote_name(&index.name.text)),
        None => quote_name(&source.layout.name.text),
    };
    Some(format!("query {label} where {}{}", conditions.join(" and "), descending(requirement)))
}

fn descending(requirement: &RequirementDef) -> &'static str {
    if requirement.descending { " descending" } else { "" }
}

/// Whether the caller knows all that a value is made of.
fn is_known(value: &KeyValue, requirement: &RequirementDef) -> bool {
    value.attributes().into_iter().all(|name| requirement.by.iter().any(|by| by.text == name))
}

fn hole_name(part: &KeyPiece) -> Option<&str> {
    match part {
        KeyPiece::Hole(hole) => Some(&hole.name),
        KeyPiece::Literal(_) => None,
    }
}

/// The beginning of a value as far as the caller knows it, up to a literal: a
/// prefix that stopped behind a hole would catch longer values of that hole.
fn known_prefix(value: &KeyValue, requirement: &RequirementDef) -> KeyValue {
    let known = |part: &&KeyPiece| hole_name(part).is_none_or(|name| requirement.by.iter().any(|by| by.text == name));
    let mut parts: Vec<KeyPiece> = value.parts.iter().take_while(known).cloned().collect();
    while parts.last().is_some_and(|part| hole_name(part).is_some()) {
        parts.pop();
    }
    KeyValue { parts }
}

/// A key condition: against a parameter where the value is an attribute as it
/// is, else against the template.
fn equal(key: &str, value: &KeyValue) -> String {
    let operand = match value.whole_attribute() {
        Some(name) if quote_name(name) == name => format!(":{name}"),
        _ => value.spelling(),
    };
    format!("{} = {operand}", quote_name(key))
}

/// Whether a table or index has all that is read of an entity; `reads E` without
/// a list claims nothing.
fn projects(source: Source<'_>, item: &ItemLayout, one: &EntityUse) -> bool {
    let Some(projected) = source.projected(item) else { return true };
    let list = item.embeds.iter().find(|embed| embed.entity == one.entity.text);
    match list.filter(|_| item.entity != one.entity.text) {
        Some(embed) => embed.list.as_ref().is_some_and(|list| projected.contains(list)),
        None => one.attributes.iter().all(|name| projected.contains(&name.text)),
    }
}

/// An index that finds the entity by the attributes of `by`, and its query.
fn new_index(cx: &Cx<'_>, requirement: &RequirementDef) -> Option<Answer> {
    let [one] = requirement.uses.as_slice() else { return None };
    let holds = |layout: &&TableLayout| layout.items.iter().any(|item| item.entity == one.entity.text);
    let tables = placements(cx.db, cx.root).get(&one.entity.text)?;
    let layout = tables.iter().filter_map(|decl| cx.layout(*decl)).find(holds)?;
    let item = layout.items.iter().find(|item| item.entity == one.entity.text)?;
    let entity = entity_def(cx.db, item.entity_decl?)?;
    let by: Vec<&AttributeDef> =
        requirement.by.iter().map(|name| entity.attribute(&name.text)).collect::<Option<_>>()?;
    let order = requirement.order.as_ref().filter(|order| !requirement.by.iter().any(|name| name.text == order.text));
    let order = match order {
        Some(order) => Some(entity.attribute(&order.text)?),
        None => None,
    };
    let keyable = |attribute: &&AttributeDef| attribute.ty.key_type().is_some();
    // M1: a key has four attributes at most.
    if by.is_empty() || by.len() > 4 || !by.iter().chain(&order).all(keyable) {
        return None;
    }
    let reading = Reading { cx, requirement, one, layout, item, entity, by, order };
    match cx.style() {
        Style::Aggregate => reading.natural_index(),
        Style::SingleTable => reading.generic_index(),
    }
}

/// All that a new index depends on.
struct Reading<'c, 'db> {
    cx: &'c Cx<'db>,
    requirement: &'c RequirementDef,
    one: &'c EntityUse,
    layout: &'db TableLayout,
    item: &'db ItemLayout,
    entity: &'db EntityDef,
    by: Vec<&'db AttributeDef>,
    order: Option<&'db AttributeDef>,
}

impl Reading<'_, '_> {
    /// An index keyed by the attributes themselves.
    fn natural_index(&self) -> Option<Answer> {
        let names: Vec<&str> = self.by.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let sort: Vec<&str> = self.order.iter().map(|attribute| attribute.name.text.as_str()).collect();
        let index = index_name(&self.one.entity.text, &names);
        let index = free_name(&index, |name| self.layout.index(name).is_some());
        let conditions: Vec<String> = self
            .by
            .iter()
            .map(|attribute| {
                // An item may compute what it stores under the attribute's name.
                let name = attribute.name.text.as_str();
                let own = KeyValue::of_attribute(name, Some(attribute));
                equal(name, self.item.keys.get(name).map_or(&own, |source| &source.value))
            })
            .collect();
        let quoted = |names: &[&str]| names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(", ");
        let keys = [names.as_slice(), sort.as_slice()].concat();
        let sort = if sort.is_empty() { String::new() } else { format!("  sort key {}\n", quoted(&sort)) };
        let partition = format!("  partition key {}\n", quoted(&names));
        let edits = vec![self.gsi(&index, &format!("{partition}{sort}"), &keys)?];
        Some(self.answer(index, conditions, edits))
    }

    /// An index with generic keys, and the values that the item gives them.
    fn generic_index(&self) -> Option<Answer> {
        let named = |n: &usize| {
            let index = format!("GSI{n}");
            let all = self.layout.items.iter().flat_map(|item| item.keys.keys());
            let indexes = self.layout.indexes.iter();
            let keys = indexes.flat_map(|index| index.partition.iter().chain(&index.sort)).map(|key| &key.name);
            let is_taken = |name: &String| *name == format!("{index}PK") || *name == format!("{index}SK");
            self.layout.index(&index).is_none() && !all.chain(keys).any(is_taken)
        };
        let index = format!("GSI{}", (1..).find(named)?);
        let (partition, sort) = (format!("{index}PK"), format!("{index}SK"));
        let parts = self.by.iter().map(|attribute| {
            let name = &attribute.name.text;
            format!("{}#{{{}}}", upper_snake(without_id(name)), quote_name(name))
        });
        let value = format!("\"{}\"", parts.collect::<Vec<_>>().join("#"));
        let (sort_type, sort_value) = match self.order {
            None => ("string", key_template(&self.one.entity.text, self.entity)),
            // As text, ten would sort before nine (S8).
            Some(order) if order.ty.key_type() == Some(KeyType::Number) => ("number", quote_name(&order.name.text)),
            Some(order) if order.ty.key_type() == Some(KeyType::Binary) => ("binary", quote_name(&order.name.text)),
            Some(order) => {
                let (prefix, name) = (upper_snake(&self.one.entity.text), quote_name(&order.name.text));
                ("string", format!("\"{prefix}#{{{name}}}\""))
            }
        };
        let table = table_def(self.cx.db, self.layout.decl)?;
        let def =
            table.items.iter().find(|def| def.entity.as_ref().is_some_and(|name| name.range == self.item.range))?;
        let text = &self.layout.decl.chunk(self.cx.db).text;
        let values = [format!("{partition} = {value}"), format!("{sort} = {sort_value}")];
        let keys = format!("  partition key {partition}: string\n  sort key {sort}: {sort_type}\n");
        let edits = vec![
            set_key_values(text, self.layout.decl, def, &values),
            self.gsi(&index, &keys, &[partition.as_str(), sort.as_str()])?,
        ];
        Some(self.answer(index, vec![format!("{partition} = {value}")], edits))
    }

    /// The edit that puts the index at the end of the table: it projects what is
    /// read, or all where the pattern does not say what that is.
    fn gsi(&self, index: &str, keys: &str, key_names: &[&str]) -> Option<Edit> {
        let body = table_def(self.cx.db, self.layout.decl)?.body?;
        let own = |name: &str| key_names.contains(&name) || self.layout.primary_key().any(|key| key.name == name);
        let read = self.one.attributes.iter().filter(|name| !own(&name.text));
        let read: Vec<String> = read.map(|name| quote_name(&name.text)).collect();
        let projection = match (self.one.attributes.is_empty(), read.is_empty()) {
            (true, _) => "all".to_owned(),
            (false, true) => "keys_only".to_owned(),
            (false, false) => format!("include({})", read.join(", ")),
        };
        let lines = format!("\ngsi {} {{\n{keys}  projection {projection}\n}}", quote_name(index));
        Some(Edit::AppendToBlock { block: Place { decl: self.layout.decl, range: body }, lines })
    }

    fn answer(&self, index: String, conditions: Vec<String>, edits: Vec<Edit>) -> Answer {
        let (table, conditions) = (quote_name(&self.layout.name.text), conditions.join(" and "));
        let operation =
            format!("query {table}.{} where {conditions}{}", quote_name(&index), descending(self.requirement));
        Answer { operation, decl: self.layout.decl, table: Some((index, edits)) }
    }
}
