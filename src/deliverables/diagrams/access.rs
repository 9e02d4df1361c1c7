//! The map of the data model: which pattern reaches which table or index.

use super::names::label;
use super::{TEXT_LIMIT, fenced};
use crate::deliverables::outline::{Outline, said};
use crate::deliverables::patterns::{Pattern, Status};
use crate::model::layout::{Source, TableLayout, layout};
use std::collections::BTreeMap;

/// A map of more arrows than this is one diagram a table, so that it stays
/// readable.
const ONE_MAP: usize = 60;

/// An arrow: from which pattern, to which node, by which API operations.
struct Arrow<'p> {
    pattern: usize,
    node: String,
    writes: bool,
    operations: Vec<&'p str>,
}

/// A table with its nodes.
struct Group<'l> {
    layout: &'l TableLayout,
    number: usize,
}

/// The map of patterns to tables and indexes as Markdown; `None` where there is
/// no pattern.
pub(super) fn access(outline: &Outline<'_>, patterns: &[Pattern<'_>]) -> Option<String> {
    if patterns.is_empty() {
        return None;
    }
    let layouts = outline.tables.iter().filter_map(|table| layout(outline.db, outline.root, table.decl).as_ref());
    let groups: Vec<Group<'_>> = layouts.enumerate().map(|(at, layout)| Group { layout, number: at + 1 }).collect();
    let arrows = arrows(&groups, patterns);
    let whole = part(&groups, patterns, &arrows.iter().collect::<Vec<_>>(), |_| true);
    match arrows.len() <= ONE_MAP && whole.len() <= TEXT_LIMIT {
        true => Some(fenced([whole])),
        false => Some(apart(&groups, patterns, &arrows)),
    }
}

/// One diagram a table, or several where many patterns reach it, and one of the
/// patterns that reach none.
fn apart(groups: &[Group<'_>], patterns: &[Pattern<'_>], arrows: &[Arrow<'_>]) -> String {
    let mut diagrams = Vec::new();
    for group in groups {
        let own: Vec<&Arrow<'_>> = arrows.iter().filter(|arrow| group.has(&arrow.node)).collect();
        for own in own.chunks(ONE_MAP) {
            diagrams.push(part(std::slice::from_ref(group), patterns, own, |pattern| {
                own.iter().any(|arrow| arrow.pattern == pattern.number)
            }));
        }
        if own.is_empty() {
            diagrams.push(part(std::slice::from_ref(group), patterns, &[], |_| false));
        }
    }
    let rest: Vec<&Pattern<'_>> =
        patterns.iter().filter(|pattern| !arrows.iter().any(|arrow| arrow.pattern == pattern.number)).collect();
    for rest in rest.chunks(ONE_MAP) {
        let has = |pattern: &Pattern<'_>| rest.iter().any(|one| one.number == pattern.number);
        diagrams.push(part(&[], patterns, &[], has));
    }
    fenced(diagrams)
}

/// The text of a diagram of some patterns.
fn part(
    groups: &[Group<'_>],
    patterns: &[Pattern<'_>],
    arrows: &[&Arrow<'_>],
    has: impl Fn(&Pattern<'_>) -> bool,
) -> String {
    let mut out = String::from("flowchart LR\n");
    let mut open = Vec::new();
    let mut outside = String::new();
    for pattern in patterns.iter().filter(|pattern| has(pattern)) {
        let id = pattern.number;
        let text = format!("{id} {}", pattern.name.unwrap_or("(no name yet)"));
        out.push_str(&format!("  p{id}([{}])\n", label(&text)));
        match pattern.status() {
            Status::Solved => {}
            Status::Open => open.push(format!("p{id}")),
            Status::External => {
                let service = pattern.def.external.as_ref().and_then(|external| external.service.as_ref());
                let service = service.and_then(said).unwrap_or("outside DynamoDB");
                outside.push_str(&format!("  p{id} -.-> x{id}[/{}/]\n", label(service)));
            }
        }
    }
    for group in groups {
        group.draw(&mut out);
    }
    for arrow in arrows {
        let line = if arrow.writes { "==>" } else { "-->" };
        let operations = label(&arrow.operations.join(", "));
        out.push_str(&format!("  p{} {line}|{operations}| {}\n", arrow.pattern, arrow.node));
    }
    out.push_str(&outside);
    if !open.is_empty() {
        out.push_str("  classDef open stroke-dasharray: 5 5\n");
        out.push_str(&format!("  class {} open\n", open.join(",")));
    }
    out
}

impl Group<'_> {
    /// The node of the table, or of the index at this place.
    fn node(&self, index: Option<usize>) -> String {
        match index {
            None => format!("t{}", self.number),
            Some(index) => format!("t{}i{}", self.number, index + 1),
        }
    }

    fn has(&self, node: &str) -> bool {
        node.split('i').next() == Some(self.node(None).as_str())
    }

    fn draw(&self, out: &mut String) {
        let table = label(&self.layout.name.text);
        out.push_str(&format!("  subgraph s{}[{table}]\n", self.number));
        out.push_str(&format!("    {}[({table})]\n", self.node(None)));
        for (at, index) in self.layout.indexes.iter().enumerate() {
            let text = format!("{} ({})", index.name.text, index.kind.short());
            out.push_str(&format!("    {}[{}]\n", self.node(Some(at)), label(&text)));
        }
        out.push_str("  end\n");
    }

    /// The node of what an operation reads or writes.
    fn node_of(&self, source: Source<'_>) -> Option<String> {
        if source.layout.decl != self.layout.decl {
            return None;
        }
        let Some(index) = source.index else { return Some(self.node(None)) };
        let at = self.layout.indexes.iter().position(|own| own.name.range == index.name.range)?;
        Some(self.node(Some(at)))
    }
}

/// The arrows of all patterns, one for a node that a pattern reads and one for
/// each that it writes.
fn arrows<'p>(groups: &[Group<'_>], patterns: &'p [Pattern<'_>]) -> Vec<Arrow<'p>> {
    let mut arrows: Vec<Arrow<'p>> = Vec::new();
    let mut known: BTreeMap<(usize, String, bool), usize> = BTreeMap::new();
    for pattern in patterns {
        for step in &pattern.steps {
            let node = step.source.and_then(|source| groups.iter().find_map(|group| group.node_of(source)));
            let Some(node) = node else { continue };
            let writes = step.step.op.writes();
            let at = *known.entry((pattern.number, node.clone(), writes)).or_insert_with(|| {
                arrows.push(Arrow { pattern: pattern.number, node, writes, operations: Vec::new() });
                arrows.len() - 1
            });
            let operation = step.api();
            if !arrows[at].operations.contains(&operation) {
                arrows[at].operations.push(operation);
            }
        }
    }
    arrows
}
