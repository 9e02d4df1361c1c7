//! *Entity Relationships Deep Dive*: what belongs to what, and how many.

use super::capital;
use crate::deliverables::markdown::{code, inline};
use crate::deliverables::numbers::measure;
use crate::deliverables::outline::{Mark, Outline, said, shown};
use crate::deliverables::parts::Part;
use crate::model::defs::*;
use crate::syntax::Unit;
use askama::Template;

#[derive(Template)]
#[template(path = "requirement/relationships.md", escape = "none")]
struct Relationships {
    relationships: Vec<String>,
}

/// The part.
pub(super) fn part(outline: &Outline<'_>) -> Part {
    let relationships = outline.relationships.iter().map(|relationship| deep_dive(outline, relationship)).collect();
    Part::new("relationships", &Relationships { relationships })
}

/// A relationship with all that is declared of it.
fn deep_dive(outline: &Outline<'_>, relationship: &RelationshipDef) -> String {
    // What the heading says already is not said again.
    let mark = outline.mark(relationship);
    let mut facts = Vec::new();
    let of = |name: &Option<Name>| shown(name.as_ref().map(|name| name.text.as_str()));
    if let Some(children) = relationship.children.as_ref().and_then(|children| measure(children, Unit::Number)) {
        facts.push(format!("{} for each {}: {children}", of(&relationship.right), of(&relationship.left)));
    } else if relationship.cardinality != Some(Cardinality::OneToOne) {
        facts.push(format!(
            "how many of {} each {} has is not declared",
            of(&relationship.right),
            of(&relationship.left)
        ));
    }
    if let Some(parents) = relationship.parents.as_ref().and_then(|parents| measure(parents, Unit::Number)) {
        facts.push(format!("{} for each {}: {parents}", of(&relationship.left), of(&relationship.right)));
    }
    if let Some(through) = relationship.through.as_ref().filter(|through| mark != Some(Mark::Through(&through.text))) {
        facts.push(format!("through {}", inline(&through.text)));
    }
    if let Some(by) = relationship.by.as_ref().filter(|by| mark != Some(Mark::By(&by.text))) {
        facts.push(format!("by {}", code(&by.text)));
    }
    if relationship.identifying.is_some() {
        facts.push(String::from("identifying"));
    }
    let because = relationship.because.as_ref().and_then(said).map(|because| format!(" {}", inline(because)));
    let facts = if facts.is_empty() { String::new() } else { format!(". {}.", capital(&facts.join("; "))) };
    format!("**{}**{facts}{}", outline.told(relationship), because.unwrap_or_default())
}
