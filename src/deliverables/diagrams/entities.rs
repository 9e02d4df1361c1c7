//! The entities with their attributes and the relationships between them.

use super::names::{Aliases, LONGEST_LABEL, label};
use super::{EDGE_LIMIT, TEXT_LIMIT, fenced};
use crate::deliverables::numbers::declared;
use crate::deliverables::outline::{Entry, Mark, Outline};
use crate::deliverables::pairs::ends_of_edge;
use crate::model::defs::*;
use crate::syntax::Unit;
use std::collections::BTreeSet;

/// Values of an enum that are shown; the others are an ellipsis.
const ENUM_VALUES: usize = 6;

/// Attributes of one entity that are shown; of more, how many there are.
const ATTRIBUTES: usize = 80;

/// What two entities have to do with each other.
struct Edge<'db> {
    left: &'db str,
    right: &'db str,
    ends: (&'static str, &'static str),
    identifying: bool,
    said: String,
}

/// The entity diagram as Markdown; `None` where nothing is declared that could
/// be drawn.
pub(super) fn entities(outline: &Outline<'_>) -> Option<String> {
    let edges = edges(outline);
    let declared: Vec<_> =
        outline.entities.iter().filter_map(|entity| entity.name.map(|name| (name, entity))).collect();
    // What a relationship names is drawn also where it is not declared yet.
    let mut all: Vec<&str> = declared.iter().map(|(name, _)| *name).collect();
    for edge in &edges {
        for name in [edge.left, edge.right] {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    if all.is_empty() {
        return None;
    }
    let aliases = Aliases::new(all.iter().copied());
    let boxes = all.iter().map(|name| {
        let entity = declared.iter().find(|(known, _)| known == name).map(|(_, entity)| *entity);
        entity_box(outline, &aliases, name, entity)
    });
    Some(drawn(&aliases, boxes.collect(), &edges))
}

/// The text of the diagram, or of several where one would be more than Mermaid
/// draws.
fn drawn<'db>(aliases: &Aliases<'db>, boxes: Vec<String>, edges: &[Edge<'db>]) -> String {
    let lines = edges.iter().map(|edge| {
        let node = |name: &'db str| node(aliases, name);
        let line = if edge.identifying { "--" } else { ".." };
        let (left, right) = edge.ends;
        // The names were given their labels with their boxes.
        let own = format!(
            "  {} {left}{line}{right} {} : {}\n",
            aliases.of(edge.left).0,
            aliases.of(edge.right).0,
            label(&edge.said)
        );
        (own, format!("  {}\n  {}\n", node(edge.left), node(edge.right)))
    });
    let lines: Vec<(String, String)> = lines.collect();
    let size: usize =
        boxes.iter().map(String::len).sum::<usize>() + lines.iter().map(|(own, _)| own.len()).sum::<usize>();
    if size <= TEXT_LIMIT && lines.len() <= EDGE_LIMIT {
        let lines = lines.into_iter().map(|(own, _)| own);
        return fenced([format!("erDiagram\n{}{}", boxes.concat(), lines.collect::<String>())]);
    }
    let boxes = boxes.into_iter().map(|text| (text, 0));
    let lines = lines.into_iter().map(|(own, nodes)| (format!("{nodes}{own}"), 1));
    fenced(packed(boxes.chain(lines)).into_iter().map(|text| format!("erDiagram\n{text}")))
}

/// Pieces of text with their edges, in as few diagrams as hold them.
fn packed(pieces: impl Iterator<Item = (String, usize)>) -> Vec<String> {
    let mut diagrams: Vec<(String, usize)> = Vec::new();
    for (piece, edges) in pieces {
        match diagrams.last_mut() {
            Some((text, drawn)) if text.len() + piece.len() <= TEXT_LIMIT && *drawn + edges <= EDGE_LIMIT => {
                text.push_str(&piece);
                *drawn += edges;
            }
            _ => diagrams.push((piece, edges)),
        }
    }
    diagrams.into_iter().map(|(text, _)| text).collect()
}

fn node<'n>(aliases: &Aliases<'n>, name: &'n str) -> String {
    match aliases.of(name) {
        (alias, true) => format!("{alias}[{}]", label(name)),
        (alias, false) => alias.to_owned(),
    }
}

fn entity_box<'db>(
    outline: &Outline<'db>,
    aliases: &Aliases<'db>,
    name: &'db str,
    entity: Option<&Entry<'db, EntityDef>>,
) -> String {
    let attributes: &[AttributeDef] = entity.map_or(&[], |entity| &entity.def.attributes);
    let names = Aliases::new(attributes.iter().map(|attribute| attribute.name.text.as_str()));
    let mut seen = BTreeSet::new();
    let mut shown = 0;
    let mut out = String::new();
    for attribute in attributes {
        let keys = keys(outline, name, attribute);
        // Of a name that is declared twice the first one counts.
        if !seen.insert(attribute.name.text.as_str()) {
            continue;
        }
        shown += 1;
        if shown > ATTRIBUTES {
            continue;
        }
        let (alias, aliased) = names.of(&attribute.name.text);
        let mut remarks: Vec<String> = aliased.then(|| attribute.name.text.clone()).into_iter().collect();
        remarks.extend(attribute.optional.then(|| String::from("optional")));
        remarks.extend(values(&attribute.ty));
        out.push_str(&format!("    {} {alias}", type_word(&attribute.ty)));
        if !keys.is_empty() {
            out.push_str(&format!(" {}", keys.join(", ")));
        }
        if !remarks.is_empty() {
            out.push_str(&format!(" {}", label(&remarks.join(", "))));
        }
        out.push('\n');
    }
    if shown > ATTRIBUTES {
        out.push_str(&format!("    other attributes {}\n", label(&format!("{} more", shown - ATTRIBUTES))));
    }
    let node = node(aliases, name);
    if out.is_empty() { format!("  {node}\n") } else { format!("  {node} {{\n{out}  }}\n") }
}

/// What an attribute is to its entity: part of the identity, the id of another
/// entity, unique.
fn keys(outline: &Outline<'_>, entity: &str, attribute: &AttributeDef) -> Vec<&'static str> {
    let is = |name: &Option<Name>, text: &str| name.as_ref().is_some_and(|name| name.text == text);
    let by =
        |relationship: &&RelationshipDef| is(&relationship.by, &attribute.name.text) && is(&relationship.right, entity);
    let mut keys = Vec::new();
    if attribute.id {
        keys.push("PK");
    }
    if attribute.of.is_some() || outline.relationships.iter().any(|declared| by(&declared.def)) {
        keys.push("FK");
    }
    if attribute.unique.is_some() {
        keys.push("UK");
    }
    keys
}

/// A type in a word that Mermaid takes. How deep types nest is bounded where they
/// are read.
fn type_word(ty: &Type) -> String {
    match ty {
        Type::Enum(_) => String::from("enum"),
        Type::List(Some(element)) => format!("list({})", type_word(element)),
        Type::Set(Some(element)) => format!("set({})", type_word(element)),
        Type::Missing => String::from("unknown"),
        plain => plain.spelling(),
    }
}

/// The values of an enum, the first of them where there are many.
fn values(ty: &Type) -> Option<String> {
    let Type::Enum(names) = ty else { return None };
    let mut shown: Vec<&str> = names.iter().take(ENUM_VALUES).map(|name| name.text.as_str()).collect();
    if names.len() > ENUM_VALUES {
        shown.push("…");
    }
    (!shown.is_empty()).then(|| shown.join(" / "))
}

/// The relationships, and the two that an edge entity has with what it joins
/// where nothing declares them.
fn edges<'db>(outline: &Outline<'db>) -> Vec<Edge<'db>> {
    let mut edges = Vec::new();
    let declared = |one: &str, other: &str| {
        outline.relationships.iter().any(|relationship| {
            let (left, right) = (relationship.left.as_ref(), relationship.right.as_ref());
            left.zip(right).is_some_and(|(left, right)| left.text == one && right.text == other)
        })
    };
    for relationship in outline.relationships.iter().map(|declared| declared.def) {
        let (Some(left), Some(right)) = (&relationship.left, &relationship.right) else { continue };
        let (left, right) = (left.text.as_str(), right.text.as_str());
        let ends = match relationship.cardinality {
            Some(Cardinality::OneToOne) => ("||", "||"),
            Some(Cardinality::ManyToMany) => ("}o", "o{"),
            Some(Cardinality::OneToMany) | None => ("||", "o{"),
        };
        let through = relationship.through.as_ref().map(|name| name.text.as_str());
        edges.push(Edge {
            left,
            right,
            ends,
            identifying: relationship.identifying.is_some(),
            said: said(outline, relationship, through),
        });
        // Where both ends are one entity, its two arrows to the edge say by what.
        let by = match (&relationship.through, left == right) {
            (Some(edge), true) => ends_of_edge(outline, relationship, edge),
            _ => [None, None],
        };
        for (end, by) in through.into_iter().flat_map(|_| [left, right].into_iter().zip(by)) {
            let Some(edge) = through.filter(|edge| *edge != end && !declared(end, edge)) else { continue };
            edges.push(Edge {
                left: end,
                right: edge,
                ends: ("||", "o{"),
                // The edge is nothing without its ends.
                identifying: true,
                said: by.map_or_else(|| String::from("1 to N"), |by| format!("1 to N by {by}")),
            });
        }
    }
    edges
}

/// The cardinality with the numbers that are declared: `1 to N, children 3.5 (max 40)`,
/// and by what it is, where others are of the same two entities. Where that is too long
/// for a label, the edge of an N:M is left to its own lines.
fn said(outline: &Outline<'_>, relationship: &RelationshipDef, through: Option<&str>) -> String {
    let mut cardinality =
        relationship.cardinality.map_or("cardinality not declared", Cardinality::written).replace(':', " to ");
    if let Some(Mark::By(by)) = outline.mark(relationship) {
        cardinality.push_str(&format!(" by {by}"));
    }
    let mut numbers = String::new();
    for (what, measure) in [("children", &relationship.children), ("parents", &relationship.parents)] {
        if let Some(shown) = measure.as_ref().and_then(in_short) {
            numbers.push_str(&format!(", {what} {shown}"));
        }
    }
    let through = through.map(|through| format!(" through {through}")).unwrap_or_default();
    let whole = format!("{cardinality}{through}{numbers}");
    if whole.chars().count() <= LONGEST_LABEL { whole } else { format!("{cardinality}{numbers}") }
}

/// An average with its maximum: `3.5 (max 40)`.
fn in_short(measure: &Measure) -> Option<String> {
    let number = |value: &Option<Value>| value.as_ref().and_then(|value| declared(value, Unit::Number));
    match (number(&measure.avg), number(&measure.max)) {
        (Some(avg), Some(max)) if avg == max => Some(avg),
        (Some(avg), Some(max)) => Some(format!("{avg} (max {max})")),
        (Some(avg), None) => Some(format!("{avg} on average")),
        (None, Some(max)) => Some(format!("max {max}")),
        (None, None) => None,
    }
}
