//! Several gets under one partition key value, where one query is cheaper.

use super::check::{Check, Cx, StepCx};
use super::finding::{Level, Place};
use super::rule::{Group, Rule};
use crate::capacity::cost::step_parts;
use crate::capacity::facts::Declared;
use crate::capacity::figure::Figure;
use crate::capacity::operations::{PatternNumbers, StepNumbers, Work, pattern_numbers};
use crate::capacity::reads::{ReadNumbers, StepInput, query};
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::key::{KeySource, KeyValue};
use crate::model::layout::{ItemLayout, TableLayout};
use crate::model::resolve::item_matches;
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;
use crate::syntax::template::Template;

pub static RULE: Rule = Rule {
    name: "get-instead-of-query",
    group: Group::Cost,
    level: Level::Info,
    summary: "several gets of a pattern share a partition key value, and one query would cost less",
    thresholds: &[],
    check: Check::Pattern(check),
};

/// A `get` with the item that it reads.
struct Get<'db> {
    step: StepCx<'db>,
    layout: &'db TableLayout,
    item: &'db ItemLayout,
}

fn check(cx: &mut Cx<'_>, pattern: &PatternDef) {
    let Some(numbers) = pattern_numbers(cx.db, cx.root, cx.decl).as_ref().filter(|_| !cx.is_broken()) else { return };
    for gets in together(cx) {
        let Some((conditions, asked)) = conditions(&gets) else { continue };
        let consistent = gets.iter().any(|get| get.step.step.op.options().is_some_and(|o| o.consistent.is_some()));
        let options = ReadOptions { consistent: consistent.then(TextRange::default), ..ReadOptions::default() };
        let facts = Declared { db: cx.db, root: cx.root };
        let source = gets[0].layout.table();
        let input = StepInput { db: cx.db, facts: &facts, pattern, pattern_name: &numbers.name, group: None, source };
        let items: Vec<&ItemLayout> =
            source.items().filter(|item| item_matches(cx.db, source, item, &conditions)).collect();
        let read = query(&input, &items, Some(&conditions), &options);
        let own: Vec<&StepNumbers> = gets.iter().filter_map(|get| numbers_of(numbers, get)).collect();
        let units: Figure = own.iter().map(|step| step.read_units()).sum();
        // Unknown is neither dear nor cheap.
        if read.units.high().is_some_and(|one| one < units.low()) {
            report(cx, &gets, numbers, &own, &units, read, &asked);
        }
    }
}

fn numbers_of<'n>(numbers: &'n PatternNumbers, get: &Get<'_>) -> Option<&'n StepNumbers> {
    let resolved = get.step.resolved;
    numbers.steps.iter().find(|step| (step.operation, step.step) == (resolved.operation, resolved.step))
}

/// What gets share: the table, the partition key value as it is written, the role.
type Shared = (Decl, Vec<String>, Option<String>);

/// The gets of the pattern that read under one partition key value, two or more
/// of them: of the same table, with the same template of the same attributes, in
/// the same role. A transaction reads at one moment, which no query does, and
/// `times` reads as many values.
fn together<'db>(cx: &Cx<'db>) -> Vec<Vec<Get<'db>>> {
    let mut groups: Vec<(Shared, Vec<Get<'db>>)> = Vec::new();
    for step in cx.steps() {
        let OpDef::Get { subject: Some(subject), target, .. } = &step.step.op else { continue };
        let transaction = step.operation.group.as_ref().is_some_and(|group| group.kind == GroupKind::Transact);
        let Some(layout) = step.source.map(|source| source.layout) else { continue };
        if transaction || target.index.is_some() || step.step.times() != 1.0 || layout.sort.is_empty() {
            continue;
        }
        let Some(item) = layout.item_of(&subject.entity.text) else { continue };
        let values = layout.partition.iter().map(|key| item.keys.get(&key.name).map(|key| key.value.spelling()));
        let Some(values) = values.collect::<Option<Vec<String>>>() else { continue };
        let role = subject.role.as_ref().map(|role| role.text.clone());
        let (shared, get) = ((layout.decl, values, role), Get { step, layout, item });
        match groups.iter_mut().find(|(other, _)| *other == shared) {
            Some((_, gets)) => gets.push(get),
            None => groups.push((shared, vec![get])),
        }
    }
    groups.into_iter().map(|(_, gets)| gets).filter(|gets| gets.len() > 1).collect()
}

/// The key condition of the one query, and how it is written: the partition key,
/// and as much of the sort keys as all have in common.
fn conditions(gets: &[Get<'_>]) -> Option<(ConditionsDef, String)> {
    let first = gets.first()?;
    let mut terms = Vec::new();
    let mut written = Vec::new();
    for key in &first.layout.partition {
        let value = first.item.keys.get(&key.name)?;
        written.push(format!("{} = {}", quote_name(&key.name), operand_text(value)));
        terms.push(comparison(&key.name, Operator::Equal, vec![operand(value)]));
    }
    if let [key] = first.layout.sort.as_slice() {
        let values: Option<Vec<&KeySource>> = gets.iter().map(|get| get.item.keys.get(&key.name)).collect();
        let literals: Option<Vec<&str>> = values?.into_iter().map(|value| value.value.as_literal()).collect();
        if let Some((low, high)) = literals.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?))) {
            let literal = |text: &str| KeySource { value: KeyValue::literal(text), optional: false, template: true };
            let bounds = [low, high].map(literal);
            let (operator, operands) =
                if low == high { (Operator::Equal, &bounds[..1]) } else { (Operator::Between, &bounds[..]) };
            let texts: Vec<String> = operands.iter().map(operand_text).collect();
            written.push(format!("{} {} {}", quote_name(&key.name), operator.written(), texts.join(" and ")));
            terms.push(comparison(&key.name, operator, operands.iter().map(operand).collect()));
        }
    }
    let operators = vec![(false, TextRange::default()); terms.len().saturating_sub(1)];
    Some((ConditionsDef { terms, operators, range: TextRange::default() }, written.join(" and ")))
}

fn comparison(key: &str, operator: Operator, operands: Vec<OperandDef>) -> Term {
    let range = TextRange::default();
    let attribute = Name { text: key.to_owned(), range };
    Term::Comparison(Comparison { attribute, operator, operator_range: range, operands, range })
}

/// The operand that is held against a key: its template, else a parameter.
fn operand(value: &KeySource) -> OperandDef {
    match value.value.whole_attribute().filter(|_| !value.template) {
        Some(name) => OperandDef::Parameter(Name { text: name.to_owned(), range: TextRange::default() }),
        None => {
            let written = operand_text(value);
            OperandDef::String {
                template: Template::parse(&written),
                // Key conditions are judged by the template alone.
                value: String::new(),
                range: TextRange::default(),
            }
        }
    }
}

fn operand_text(value: &KeySource) -> String {
    match value.value.whole_attribute().filter(|_| !value.template) {
        Some(name) => format!(":{name}"),
        None => value.value.spelling(),
    }
}

/// Whether all of them read one and the same item: who reads it twice has it.
fn are_one(gets: &[Get<'_>]) -> bool {
    let key = |get: &Get<'_>| -> Vec<Option<String>> {
        get.layout.primary_key().map(|key| Some(get.item.keys.get(&key.name)?.value.spelling())).collect()
    };
    gets.iter().all(|get| get.item.entity == gets[0].item.entity && key(get) == key(&gets[0]))
}

fn report_one(cx: &mut Cx<'_>, gets: &[Get<'_>], own: &[&StepNumbers], units: &Figure) {
    let read_units = |units: &Figure| show::figure(units, |units| show::count_of(units, "read unit"));
    let one = own.iter().map(|step| step.read_units()).reduce(|a, b| a.max(&b)).unwrap_or(Figure::ZERO);
    let message = format!(
        "these {} gets read the same `{}`, {} in all, as none says by `as` that it means another; read it once, for \
         {}, or give two items a role each",
        gets.len(),
        gets[0].item.entity,
        read_units(units),
        read_units(&one),
    );
    let places: Vec<Place> = gets.iter().map(|get| cx.place(get.step.step.range)).collect();
    let Some((last, before)) = places.split_last() else { return };
    let finding = cx.report(last.range, message);
    for place in before {
        finding.relate(*place, "reads the same item");
    }
}

fn report(
    cx: &mut Cx<'_>,
    gets: &[Get<'_>],
    numbers: &PatternNumbers,
    own: &[&StepNumbers],
    units: &Figure,
    read: ReadNumbers,
    asked: &str,
) {
    let monthly = |step: &StepNumbers| -> Figure {
        step_parts(cx.db, cx.root, &numbers.rate, step).into_iter().map(|part| part.monthly).sum()
    };
    let one = StepNumbers { times: 1.0, work: Work::Read(Box::new(read.clone())), ..(*own[0]).clone() };
    let apart: Figure = own.iter().map(|step| monthly(step)).sum();
    let month = match (apart.value(), monthly(&one).value()) {
        (Some(apart), Some(one)) => format!(", {} instead of {} a month", show::dollars(one), show::dollars(apart)),
        _ => String::new(),
    };
    if are_one(gets) {
        report_one(cx, gets, own, units);
        return;
    }
    let message = format!(
        "these {} gets read under one partition key value, {} in all, each rounded up to 4 KB for itself; one query \
         where {asked} reads {} in {} ({}){month}; query once and tell the items apart by their sort keys",
        gets.len(),
        show::figure(units, |units| show::count_of(units, "read unit")),
        show::figure(&read.items, |items| show::count_of(items, "item")),
        show::figure(&read.units, |units| show::count_of(units, "read unit")),
        show::figure(&read.bytes, show::bytes),
    );
    let places: Vec<Place> = gets.iter().map(|get| cx.place(get.step.step.range)).collect();
    let Some((last, before)) = places.split_last() else { return };
    let finding = cx.report(last.range, message);
    for place in before {
        finding.relate(*place, "reads under the same value");
    }
}
