//! What stands in parentheses or angle brackets: modifiers, types, functions and
//! lists.

use super::context::Context;
use super::signature::{Builder, code_list, naming, page};
use super::{Signature, SignatureHelp};
use crate::model::defs::{AttributeDef, Def};
use crate::model::layout::table_attributes;
use crate::model::lower::lowered;
use crate::model::names::{find_entity, names};
use crate::syntax::strings::quote_name;

/// A bracket that nothing closes before the cursor, and what stands before it.
struct Call<'db> {
    callee: Callee<'db>,
    open: usize,
    /// Commas, and the dot of `Entity.attribute`, between the bracket and the cursor.
    separators: usize,
}

enum Callee<'db> {
    Modifier(&'db str),
    Enum,
    /// `list` or `set`.
    Collection(&'db str),
    Include,
    /// `exists` or `not_exists`.
    Existence(&'db str),
    In,
    /// The attributes of an entity that a requirement needs.
    Use(&'db str),
}

pub(super) fn help(cx: &Context<'_>) -> Option<SignatureHelp> {
    let call = call(cx)?;
    let (signatures, active) = match call.callee {
        Callee::Modifier(word) => modifier(cx, word, &call)?,
        Callee::Enum => (vec![list("enum(", "value", "A value; each once.".to_owned(), page("enum"))], 0),
        Callee::Collection(word) => {
            let types = match word {
                "set" => "`string`, `number` or `binary`, as DynamoDB's sets are.",
                _ => "Any type of the language.",
            };
            (vec![single(&format!("{word}<"), "type", types.to_owned(), ">", page(word))], 0)
        }
        Callee::Include => {
            let own = table_attributes(cx.db, cx.root, cx.decl);
            let about = format!("An attribute that is no key. {}", naming("The items have", &code_list(own)));
            (vec![list("include(", "attribute", about, page("include"))], 0)
        }
        Callee::Existence(word) => {
            let about = format!("An attribute. {}", naming("The items have", &table_names(cx)));
            (vec![single(&format!("{word}("), "attribute", about, ")", existence(word))], 0)
        }
        Callee::In => {
            let about = "A string, a number or a parameter; at most 100.".to_owned();
            (vec![list("in (", "operand", about, "Whether it is one of these.".to_owned())], 0)
        }
        Callee::Use(entity) => {
            let about =
                format!("An attribute that the caller needs. {}", naming("It has", &attributes(cx, entity, |_| true)));
            let label = format!("{}(", quote_name(entity));
            (vec![list(&label, "attribute", about, page("reads"))], 0)
        }
    };
    Some(SignatureHelp { signatures, active })
}

/// The innermost bracket around the cursor that takes arguments.
fn call<'db>(cx: &Context<'db>) -> Option<Call<'db>> {
    let mut depth = 0_usize;
    let mut separators = 0;
    for index in (0..cx.tokens.len()).rev() {
        // A bracket that is still open at the end of its line was forgotten, unless
        // its list goes on below.
        if cx.line_ends_behind(index) && !matches!(cx.kind(index), "," | "(") {
            return None;
        }
        match cx.bracket(index) {
            "{" | "}" => return None,
            ")" | ">" => depth += 1,
            "(" | "<" if depth > 0 => depth -= 1,
            "(" | "<" => match callee(cx, index) {
                Some(callee) => return Some(Call { callee, open: index, separators }),
                // What only groups conditions is left behind.
                None => separators = 0,
            },
            "," | "." if depth == 0 => separators += 1,
            _ => {}
        }
    }
    None
}

fn callee<'db>(cx: &Context<'db>, open: usize) -> Option<Callee<'db>> {
    let before = open.checked_sub(1)?;
    let word = cx.source(before);
    if before.checked_sub(1).is_some_and(|at| cx.kind(at) == "@") {
        return Some(Callee::Modifier(word));
    }
    match (cx.kind(before), word) {
        ("enum", _) => Some(Callee::Enum),
        ("list" | "set", _) if cx.bracket(open) == "<" => Some(Callee::Collection(word)),
        ("keyword_value", "include") => Some(Callee::Include),
        ("keyword_value", "exists" | "not_exists") => Some(Callee::Existence(word)),
        ("operator", "in") => Some(Callee::In),
        ("name", _) => {
            let mut above = (0..before).rev().map(|index| cx.kind(index));
            let clause = above.find(|kind| matches!(*kind, "reads" | "writes" | "by" | "{" | "}"))?;
            matches!(clause, "reads" | "writes").then(|| Callee::Use(cx.name(before).unwrap_or("")))
        }
        _ => None,
    }
}

/// A list of which every entry is the same parameter.
fn list(open: &str, entry: &str, about: String, documentation: String) -> Signature {
    let mut out = Builder::new(open);
    out.parameter((), &format!("{entry}, …"), about.trim_end()).text(")");
    out.finish(documentation, &())
}

fn single(open: &str, parameter: &str, about: String, close: &str, documentation: String) -> Signature {
    let mut out = Builder::new(open);
    out.parameter((), parameter, about.trim_end()).text(close);
    out.finish(documentation, &())
}

/// The signatures of a modifier, and which of them is being written.
fn modifier(cx: &Context<'_>, word: &str, call: &Call<'_>) -> Option<(Vec<Signature>, usize)> {
    let at = format!("@{word}");
    let open = format!("{at}(");
    let one = |parameter: &str, about: &str| (vec![single(&open, parameter, about.to_owned(), ")", page(&at))], 0);
    Some(match word {
        "size" => size(cx, call),
        "unique" => {
            let own = own_attributes(cx, |_| true);
            let about =
                format!("The scope: no two with the same value of it share the value. {}", naming("It has", &own));
            (vec![list(&open, "attribute", about, page(&at))], 0)
        }
        "without" => one("text", "A text that the value never contains, as `\"#\"`."),
        "distinct" => one("number", "How many values there are."),
        "hottest" => one("percent", "The share of the traffic, and of the items, on the most popular value."),
        "present" => one("percent", "The share of the items that have the attribute."),
        "example" => one(&literal(cx), "A value as it is stored."),
        "of" => {
            let entities = code_list(names(cx.db, cx.root).entities.keys());
            let about = format!("The entity whose id it holds. {}", naming("There are", &entities));
            (vec![single(&open, "entity", about, ")", page(&at))], 0)
        }
        "copied_from" => (vec![copied_from(cx, call, page(&at))], 0),
        _ => return None,
    })
}

fn size(cx: &Context<'_>, call: &Call<'_>) -> (Vec<Signature>, usize) {
    let labelled = cx.kind(call.open + 1) == "keyword_value";
    let documentation = page("@size");
    let mut measured = Builder::new("@size(");
    measured.parameter(0, "avg size", "The mean, as `28B` or `2KB`.").text(", ");
    measured.parameter(1, "max size", "The largest that there may be.").text(")");
    let first_is_max = labelled && cx.source(call.open + 1) != "avg";
    let part = usize::from(first_is_max) + call.separators;
    let signatures = vec![
        single("@size(", "size", "Bytes of the value, as `28B` or `2KB`.".to_owned(), ")", documentation.clone()),
        measured.finish(documentation, &part.min(1)),
    ];
    (signatures, usize::from(labelled))
}

fn copied_from(cx: &Context<'_>, call: &Call<'_>, documentation: String) -> Signature {
    let entity = cx.name(call.open + 1).unwrap_or("");
    let mut out = Builder::new("@copied_from(");
    let entities = code_list(names(cx.db, cx.root).entities.keys());
    out.parameter(0, "entity", format!("Where the value is kept. {}", naming("There are", &entities)));
    let own = attributes(cx, entity, |_| true);
    out.text(".").parameter(1, "attribute", format!("What it is a copy of. {}", naming("It has", &own)).trim_end());
    out.text(")");
    out.finish(documentation, &call.separators.min(1))
}

/// The kind of literal that the attribute at the cursor takes.
fn literal(cx: &Context<'_>) -> String {
    let ty = cx.tokens.iter().rev().find(|leaf| leaf.node.kind() == "primitive_type");
    let written = ty.and_then(|leaf| cx.text.get(leaf.node.byte_range()));
    match written {
        Some("number" | "epoch") => "number",
        Some("boolean") => "true | false",
        _ => "\"text\"",
    }
    .to_owned()
}

fn existence(word: &str) -> String {
    let is = if word == "exists" { "has" } else { "does not have" };
    format!("Whether the item {is} the attribute.")
}

/// The attributes of the items of the table that the operation at the cursor is on.
fn table_names(cx: &Context<'_>) -> String {
    let source = cx.operation().and_then(|operation| cx.target(operation));
    source.map(|source| code_list(table_attributes(cx.db, cx.root, source.layout.decl))).unwrap_or_default()
}

/// The wanted attributes of an entity.
fn attributes(cx: &Context<'_>, entity: &str, wanted: impl Fn(&AttributeDef) -> bool) -> String {
    let entity = find_entity(cx.db, cx.root, entity);
    let attributes = entity.into_iter().flat_map(|entity| &entity.attributes);
    code_list(attributes.filter(|attribute| wanted(attribute)).map(|attribute| &attribute.name.text))
}

/// The same of the entity that the cursor is in, but for the attribute itself.
fn own_attributes(cx: &Context<'_>, wanted: impl Fn(&AttributeDef) -> bool) -> String {
    let Def::Entity(entity) = &lowered(cx.db, cx.decl).def else { return String::new() };
    let is_here = |attribute: &AttributeDef| attribute.range.touches(cx.at);
    let attributes = entity.attributes.iter().filter(|attribute| !is_here(attribute) && wanted(attribute));
    code_list(attributes.map(|attribute| &attribute.name.text))
}
