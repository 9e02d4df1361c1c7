//! From trees to definitions. A declaration is lowered by itself, from its own
//! tree; what its names mean is found out later.

mod conditions;
mod entity;
mod other;
mod pattern;
mod table;

use super::db::{Db, Decl};
use super::defs::*;
use crate::syntax::lines::{line_end, line_start};
use crate::syntax::view::View;
use crate::syntax::{Chunk, ChunkKind, Quantity, TextRange, Unit};

/// The meaning of one declaration; depends on nothing but its text.
#[salsa::tracked(returns(ref))]
pub fn lowered(db: &dyn Db, decl: Decl) -> Lowered {
    lower(decl.chunk(db))
}

/// The name of a declaration: cheaper to depend on than the whole of it.
pub fn decl_name(db: &dyn Db, decl: Decl) -> &Option<String> {
    decl.name(db)
}

/// The name that a declaration gives itself.
pub fn name_of(chunk: &Chunk) -> Option<String> {
    let root = View::new(chunk.tree.root_node(), &chunk.text);
    name_in(root, chunk).map(|name| name.text)
}

fn name_in(root: View<'_>, chunk: &Chunk) -> Option<Name> {
    own_node(root, chunk)?.field("name").map(name)
}

/// The node of the declaration itself. One that is half typed may have none, only an
/// error.
fn own_node<'t>(root: View<'t>, chunk: &Chunk) -> Option<View<'t>> {
    let kind = chunk.kind.keyword()?;
    root.children().into_iter().find(|child| child.kind() == kind)
}

/// Lowers a chunk.
pub fn lower(chunk: &Chunk) -> Lowered {
    let root = View::new(chunk.tree.root_node(), &chunk.text);
    let mut lowerer = Lowerer { facts: Facts::default() };
    let node = own_node(root, chunk);
    let name = node.and_then(|node| node.field("name")).map(name);
    let doc = docs_before(&chunk.text, keyword_start(&chunk.text));
    let def = match (chunk.kind, node) {
        (ChunkKind::Junk, _) => Def::Junk,
        (ChunkKind::Import, node) => Def::Import(ImportDef { path: node.and_then(|n| n.field("path")).map(text) }),
        (ChunkKind::Allow, node) => {
            if let Some(node) = node {
                lowerer.allow(node, None);
            }
            Def::Allow
        }
        (ChunkKind::Application, node) => Def::Application(lowerer.application(node)),
        (ChunkKind::Entity, node) => Def::Entity(lowerer.entity(node)),
        (ChunkKind::Relationship, node) => Def::Relationship(lowerer.relationship(node)),
        (ChunkKind::Table, node) => Def::Table(lowerer.table(node, name.as_ref())),
        (ChunkKind::Aggregate, node) => Def::Aggregate(lowerer.aggregate(node)),
        (ChunkKind::Pattern, node) => Def::Pattern(lowerer.pattern(node)),
        (ChunkKind::Workflow, node) => Def::Workflow(lowerer.workflow(node)),
        (ChunkKind::Consideration, node) => Def::Consideration(node.and_then(|n| n.field("text")).map(text)),
        (ChunkKind::Tradeoff, node) => Def::Tradeoff {
            text: node.and_then(|n| n.field("text")).map(text),
            because: node.and_then(|n| n.field("reason")).map(text),
        },
    };
    Lowered { name, doc, def, facts: lowerer.facts }
}

/// Where the declaration's keyword stands: behind its comments.
pub fn keyword_start(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        at += blank;
        if !text[at..].starts_with("//") {
            return at;
        }
        at = line_end(text, at);
    }
}

/// The doc comment above `offset`: the text of all `///` lines that stand
/// together there, other comments between them left out.
fn docs_before(text: &str, offset: usize) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    let mut above = text[..offset].trim_end_matches([' ', '\t']);
    while let Some(rest) = above.strip_suffix('\n').or_else(|| above.strip_suffix('\r')) {
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        let start = line_start(rest, rest.len());
        let line = rest[start..].trim();
        if let Some(doc) = line.strip_prefix("///") {
            lines.push(doc.strip_prefix(' ').unwrap_or(doc));
        } else if !(line.starts_with("//") || line.is_empty() && lines.is_empty()) {
            break;
        }
        above = &rest[..start];
    }
    if lines.is_empty() {
        return None;
    }
    lines.reverse();
    Some(lines.join("\n"))
}

fn name(view: View<'_>) -> Name {
    Name { text: view.name().to_owned(), range: view.range() }
}

fn names(views: Vec<View<'_>>) -> Vec<Name> {
    views.into_iter().map(name).collect()
}

fn text(view: View<'_>) -> Text {
    Text { value: crate::syntax::strings::unquote_string(view.source()), range: view.range() }
}

fn value(view: View<'_>) -> Value {
    Value { quantity: Quantity::parse(view.source()), written: view.source().to_owned(), range: view.range() }
}

fn reason(node: View<'_>) -> Option<Text> {
    node.field("reason").map(text)
}

/// Collects the facts while a declaration is lowered.
struct Lowerer {
    facts: Facts,
}

/// What is asked of a quantity.
#[derive(Clone, Copy)]
struct Ask {
    unit: Unit,
    bound: Bound,
    role: &'static str,
}

const fn ask(unit: Unit, bound: Bound, role: &'static str) -> Ask {
    Ask { unit, bound, role }
}

impl Lowerer {
    fn refer(&mut self, view: View<'_>, target: Target) -> Name {
        let name = name(view);
        self.facts.references.push(Reference { name: name.clone(), target });
        name
    }

    fn refer_all(&mut self, views: Vec<View<'_>>, target: &Target) -> Vec<Name> {
        views.into_iter().map(|view| self.refer(view, target.clone())).collect()
    }

    /// A quantity in the field `field` of `node`.
    fn quantity(&mut self, node: View<'_>, field: &str, ask: Ask) -> Option<Value> {
        let view = node.field(field)?;
        let value = value(view);
        self.ask(&value, ask, None, &[]);
        Some(value)
    }

    fn ask(&mut self, value: &Value, ask: Ask, label: Option<Name>, labels: &'static [&'static str]) {
        self.facts.quantities.push(QuantityUse {
            value: value.clone(),
            expected: ask.unit,
            bound: ask.bound,
            role: ask.role,
            label,
            labels,
        });
    }

    /// The measure in the field `measure` of `node`. `labels` are those that
    /// mean something here: `avg` first, then `max` or `peak`.
    fn measure(&mut self, node: View<'_>, wanted: Ask, labels: &'static [&'static str]) -> Option<Measure> {
        let view = node.field("measure")?;
        let mut measure = Measure { range: view.range(), ..Measure::default() };
        for part in view.fields("part") {
            if part.kind() == "labelled_quantity" {
                let label = part.field("label").map(name);
                let Some(value) = part.field("value").map(value) else { continue };
                self.ask(&value, wanted, label.clone(), labels);
                let known =
                    labels.iter().copied().find(|known| label.as_ref().is_some_and(|label| label.text == *known));
                if let (Some(what), Some(label)) = (known, &label) {
                    self.facts.clauses.push(ClauseUse { what, block: measure.range, range: label.range });
                }
                let label = label.map_or("", |l| match l.text.as_str() {
                    "avg" => "avg",
                    "max" | "peak" => "max",
                    _ => "",
                });
                let place = if label == "avg" { &mut measure.avg } else { &mut measure.max };
                if place.is_none() {
                    *place = Some(value);
                }
            } else {
                let value = value(part);
                self.ask(&value, wanted, None, labels);
                measure.avg = Some(value.clone());
                measure.max = Some(value);
            }
        }
        self.facts.measures.push(measure.clone());
        Some(measure)
    }

    /// Notes a clause that may stand once in `block`.
    fn once(&mut self, what: &'static str, block: TextRange, clause: View<'_>) {
        let start = clause.range().start as usize;
        let length =
            clause.source().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(clause.source().len());
        self.facts.clauses.push(ClauseUse { what, block, range: TextRange::new(start, start + length) });
    }

    fn allow(&mut self, node: View<'_>, block: Option<TextRange>) {
        let rules = self.refer_all(node.fields("rule"), &Target::Rule);
        self.facts.allows.push(AllowUse { rules, because: reason(node), block, range: node.range() });
    }
}

const AVG_MAX: &[&str] = &["avg", "max"];
const AVG_PEAK: &[&str] = &["avg", "peak"];
