//! Keywords that the grammar would take, and that mean nothing where they would
//! stand: the options of another operation, a clause that is there already.

use super::context::{Context, step_at};
use super::cursor::Word;
use super::probe::{Landing, Probe, ancestor};
use crate::model::defs::{GroupKind, GroupMode, IndexKind, KeyType, Type};
use crate::model::groups;
use crate::model::step_options::{StepKind, StepOption};
use crate::syntax::view::View;
use tree_sitter::Node;

/// Whether a keyword says something at the place.
pub(super) fn fits(cx: &Context<'_>, word: Word, probe: &Probe, landing: &Landing<'_>, keyword: &str) -> bool {
    let Some(chunk) = probe.chunk() else { return false };
    let view = |node| View::new(node, &chunk.text);
    in_group(landing, keyword, view)
        && in_operation(cx, probe, landing, keyword, view)
        && in_index(landing)
        && in_set(landing, keyword)
        && compares(cx, probe, landing, keyword)
        && in_condition(landing, keyword, view)
        && in_measure(landing, keyword, view)
        && is_first(cx, word, probe, landing)
}

/// The steps that a transaction or a batch takes; a check stands in one only.
fn in_group<'t>(landing: &Landing<'t>, keyword: &str, view: impl Fn(Node<'t>) -> View<'t>) -> bool {
    let is_step = landing.parent.kind().ends_with("_operation") && landing.field.is_none();
    let begins = landing.parent.start_byte() == landing.leaf.start_byte();
    if !is_step || !begins {
        return true;
    }
    match group_around(landing, view) {
        Some((kind, mode)) => groups::takes(kind, mode, keyword),
        None => keyword != "check",
    }
}

/// The transaction or batch around the place.
fn group_around<'t>(landing: &Landing<'t>, view: impl Fn(Node<'t>) -> View<'t>) -> Option<(GroupKind, GroupMode)> {
    let group = view(ancestor(landing.leaf, "transaction")?);
    let is = |name: &str, word: &str| group.field(name).is_some_and(|field| field.source() == word);
    let kind = if is("kind", "batch") { GroupKind::Batch } else { GroupKind::Transact };
    let mode = if is("mode", "get") { GroupMode::Get } else { GroupMode::Write };
    Some((kind, mode))
}

/// The options that an operation has: what DynamoDB refuses is none.
fn in_operation<'t>(
    cx: &Context<'_>,
    probe: &Probe,
    landing: &Landing<'t>,
    keyword: &str,
    view: impl Fn(Node<'t>) -> View<'t>,
) -> bool {
    let parent = landing.parent.kind();
    let begins_option = parent.ends_with("_option") || (parent == "if_condition" && landing.field.is_none());
    let Some(option) = StepOption::of_keyword(keyword).filter(|_| begins_option) else { return true };
    let operation = landing.parent.parent().and_then(|operation| operation.kind().strip_suffix("_operation"));
    let Some(operation) = operation else { return true };
    let index = of_gsi(cx, probe, landing).then_some(IndexKind::Global);
    StepKind { operation, group: group_around(landing, view), index }.takes(option)
}

/// Whether an operation reads a GSI, which is never consistent with its table.
fn of_gsi(cx: &Context<'_>, probe: &Probe, landing: &Landing<'_>) -> bool {
    let Some(lowered) = probe.lowered() else { return false };
    let source = step_at(&lowered, landing).and_then(|step| cx.source(&step.op));
    source.and_then(|source| source.index).is_some_and(|index| index.kind == IndexKind::Global)
}

/// DynamoDB has sets of strings, of numbers and of binaries.
fn in_set(landing: &Landing<'_>, keyword: &str) -> bool {
    let element = landing.parent.kind() == "set_type" && landing.leaf.kind() != keyword;
    let nested = landing.parent.parent().is_some_and(|around| around.kind() == "set_type");
    !(element || nested) || !matches!(keyword, "boolean" | "enum" | "list" | "set" | "map")
}

/// Whether an operator says something about the attribute before it: of a partition key
/// a query knows the value, and a number begins with nothing.
fn compares(cx: &Context<'_>, probe: &Probe, landing: &Landing<'_>, keyword: &str) -> bool {
    if landing.leaf.kind() != "operator" || keyword == "=" {
        return true;
    }
    let (Some(chunk), Some(lowered)) = (probe.chunk(), probe.lowered()) else { return true };
    let Some(name) = landing.parent.child_by_field_name("attribute") else { return true };
    let name = View::new(name, &chunk.text).name();
    let Some(step) = step_at(&lowered, landing) else { return true };
    let Some(source) = cx.source(&step.op) else { return true };
    let of_query = ancestor(landing.leaf, "query_operation").is_some();
    let in_filter = ancestor(landing.leaf, "filter_option").is_some();
    let partition = source.index.map_or(&source.layout.partition, |index| &index.partition);
    if of_query && !in_filter && partition.iter().any(|part| part.name == name) {
        return false;
    }
    let is_key = source.key().chain(source.layout.primary_key()).find(|part| part.name == name);
    let key_is_number = is_key.and_then(|part| part.ty).is_some_and(|ty| ty == KeyType::Number);
    let entities = source.items().filter_map(|item| cx.entity(&item.entity));
    let types: Vec<&Type> = entities.filter_map(|entity| Some(&entity.attribute(name)?.ty)).collect();
    let numbers = !types.is_empty() && types.iter().all(|ty| matches!(ty, Type::Number | Type::Epoch));
    !(key_is_number || (numbers && is_key.is_none_or(|part| part.ty.is_none())))
        || !matches!(keyword, "begins_with" | "contains")
}

/// An LSI has the partition key of its table.
fn in_index(landing: &Landing<'_>) -> bool {
    landing.parent.kind() != "partition_key" || ancestor(landing.leaf, "lsi").is_none()
}

/// What a key condition may say: one value of the partition key, and one range of
/// the sort key. What goes on with a condition has to be one.
fn in_condition<'t>(landing: &Landing<'t>, keyword: &str, view: impl Fn(Node<'t>) -> View<'t>) -> bool {
    let parent = landing.parent.kind();
    // Of the word behind `transact` and its like.
    if parent == "transaction" {
        return landing.field != Some("mode") || matches!(keyword, "write" | "get");
    }
    let of_condition = matches!(parent, "conditions" | "comparison" | "existence" | "not_condition");
    if !of_condition || ancestor(landing.leaf, "filter_option").is_some() {
        return true;
    }
    let Some(query) = ancestor(landing.leaf, "query_operation") else { return true };
    if view(query).field("condition").is_none() {
        return true;
    }
    !matches!(keyword, "or" | "not" | "exists" | "not_exists" | "contains" | "in" | "<>")
}

/// Labels mean something where they are measured.
fn in_measure<'t>(landing: &Landing<'t>, keyword: &str, view: impl Fn(Node<'t>) -> View<'t>) -> bool {
    let Some(measure) = ancestor(landing.leaf, "measure") else { return true };
    let own = ancestor(landing.leaf, "labelled_quantity");
    let mut cursor = measure.walk();
    let mut others = measure.children(&mut cursor).filter(|part| Some(*part) != own);
    let label = |part: Node<'t>| part.child_by_field_name("label").map(|label| view(label).source());
    if others.any(|part| label(part) == Some(keyword)) {
        return false;
    }
    let rate = measure.parent().is_some_and(|clause| clause.kind() == "rate_clause");
    match keyword {
        "max" => !rate,
        "peak" => rate,
        _ => true,
    }
}

/// Whether a clause that stands once in its block is not there yet, before the
/// cursor or behind it.
fn is_first(cx: &Context<'_>, word: Word, probe: &Probe, landing: &Landing<'_>) -> bool {
    let Some(lowered) = probe.lowered() else { return true };
    let at = landing.at as u32;
    let Some(own) = lowered.facts.clauses.iter().find(|clause| clause.range.start == at) else { return true };
    let same = |what: &str, start: u32| what == own.what && start == own.block.start;
    if lowered.facts.clauses.iter().any(|other| same(other.what, other.block.start) && other.range.start < at) {
        return false;
    }
    let behind = |range: u32, block_end: u32| range > at && at <= block_end;
    let end = at + (word.end - word.start) as u32;
    let there = cx.lowered(word.start).map(|there| &there.facts.clauses);
    !there.into_iter().flatten().any(|other| {
        same(other.what, other.block.start) && behind(other.range.start, other.block.end) && other.range.start >= end
    })
}
