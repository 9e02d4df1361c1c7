//! A `get` that is aimed at an index.

use super::check::{Check, Cx, StepCx};
use super::finding::{Edit, Level, Place};
use super::option_not_supported::none_of_get;
use super::rule::{Group, Rule};
use crate::model::defs::*;
use crate::model::layout::{ItemLayout, Source};
use crate::syntax::TextRange;
use crate::syntax::strings::quote_name;

pub static RULE: Rule = Rule {
    name: "get-on-index",
    group: Group::Correctness,
    level: Level::Error,
    summary: "a `get`, alone, in a batch or in a transaction, is aimed at an index",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        report(cx, step);
    }
}

fn report(cx: &mut Cx<'_>, step: StepCx<'_>) {
    let OpDef::Get { subject, target, options } = &step.step.op else { return };
    let (Some(source), Some(name)) = (step.source, &target.index) else { return };
    let Some(index) = source.index else { return };
    // A get of what the table does not hold is aimed at the wrong table.
    let named = subject.as_ref().map(|subject| &subject.entity.text);
    if named.is_some_and(|entity| source.layout.item_of(entity).is_none()) {
        return;
    }
    let group = step.operation.group.as_ref();
    // A get in a write group is out of place whatever it is aimed at.
    if group.is_some_and(|group| group.mode == GroupMode::Write) {
        return;
    }
    let table = &source.layout.name.text;
    let call = match group.map(|group| group.kind) {
        None => "GetItem reads",
        Some(GroupKind::Batch) => "a batch of gets reads",
        Some(GroupKind::Transact) => "a transaction reads",
    };
    let message = format!(
        "{call} from tables only, and `{}` is an index of `{table}`; query the index, or get the item from the table \
         by its primary key",
        index.name.text
    );
    let related = Place { decl: source.layout.decl, range: index.name.range };
    let item = subject.as_ref().and_then(|subject| source.layout.item_of(&subject.entity.text));
    // Options that a query takes as well stay where they are.
    let query = item
        .filter(|_| group.is_none() && (options.consistent.is_none() || index.kind == IndexKind::Local))
        .and_then(|item| query(source, item));
    let whole = TextRange::new(step.step.range.start as usize, target.range.end as usize);
    let place = cx.place(whole);
    let dot = source.layout.name.text.len();
    let from_table = cx.place(TextRange::new(name.range.start as usize - 1, name.range.end as usize));
    let adjacent = target.range.len() == dot + 1 + name.range.len();
    // A query has options that a get has not.
    let dropped: Vec<Edit> =
        none_of_get(options, group).into_iter().map(|range| Edit::RemoveLines { place: cx.place(range) }).collect();
    let finding = cx.report(name.range, message);
    finding.relate(related, "the index");
    if let Some(text) = query {
        finding.suggest(format!("Query index `{}`", index.name.text), vec![Edit::Replace { place, text }]);
    }
    if adjacent {
        let edit = Edit::Replace { place: from_table, text: String::new() };
        finding.suggest(format!("Get it from table `{table}`"), std::iter::once(edit).chain(dropped).collect());
    }
}

/// A query of the index by the whole key that an item has there; `None` where
/// the item is not in the index.
fn query(source: Source<'_>, item: &ItemLayout) -> Option<String> {
    let index = source.index?;
    let conditions: Option<Vec<String>> = source
        .key()
        .map(|key| {
            let value = &item.keys.get(&key.name)?.value;
            let name = quote_name(&key.name);
            Some(match value.whole_attribute() {
                Some(attribute) if quote_name(attribute) == attribute => format!("{name} = :{attribute}"),
                _ => format!("{name} = {}", value.spelling()),
            })
        })
        .collect();
    let target = format!("{}.{}", quote_name(&source.layout.name.text), quote_name(&index.name.text));
    Some(format!("query {target} where {}", conditions?.join(" and ")))
}
