//! The request that answers each pattern, ready to be used: in TypeScript and as
//! commands of the AWS CLI. They are those that `verify` runs.

mod call;
mod form;
mod identifiers;
mod layout;
mod literals;
mod returned;
mod shell;
mod typescript;

use super::each;
use super::lost;
use super::markdown::{code, inline, prose, sentence};
use super::numbers::number;
use super::outline::Outline;
use super::parts::Part;
use super::patterns::{Pattern, Status};
use crate::capacity::most::Most;
use crate::population::Population;
use crate::population::plan::PRINTED;
use crate::requests::origin::{Origin, Placed, TemplatePart};
use crate::requests::{Expected, Printed, Promised, of_pattern};
use crate::syntax::Unit;
use crate::syntax::template::Format;
use call::{Call, Pages};
use returned::Taken;

/// The parts: a heading, then a part a pattern.
pub(super) fn parts<'db>(outline: &Outline<'db>, patterns: &[Pattern<'db>], population: &Population<'db>) -> Vec<Part> {
    let heading = match patterns.is_empty() {
        true => "### Requests\n\nThe model declares no access pattern.",
        false => {
            "### Requests\n\nWhat answers each pattern, for the document client of the AWS SDK for JavaScript v3 and for \
             the AWS CLI v2. The values are samples, and fit together with those of the sample tables."
        }
    };
    let mut parts = vec![Part::of_text("requests", heading)];
    for pattern in patterns {
        // Patterns without a name yet are told apart by their place.
        let name = match pattern.name {
            Some(name) => format!("request {name}"),
            None => format!("request #{}", pattern.number),
        };
        parts.push(Part::of_text(name, &text(outline, patterns, pattern, population)));
    }
    parts
}

fn text<'db>(
    outline: &Outline<'db>,
    patterns: &[Pattern<'db>],
    pattern: &Pattern<'db>,
    population: &Population<'db>,
) -> String {
    let mut out = format!("#### {}\n\n", pattern.reference());
    if pattern.status() == Status::External {
        let alternative = pattern.alternative().unwrap_or_default();
        out.push_str(&format!("Answered outside DynamoDB: {}\n", sentence(&alternative)));
        return out;
    }
    let printed = of_pattern(outline.db, outline.root, pattern.decl, population);
    if printed.is_empty() {
        out.push_str("The model has no operation for it.\n");
        return out;
    }
    let calls: Vec<Call<'_>> = printed.iter().filter_map(|printed| call(outline, pattern, printed)).collect();
    if !calls.is_empty() {
        let (module, taken) = typescript::module(&calls);
        out.push_str(&format!("```ts\n{module}```\n\n"));
        let commands: Vec<String> = calls
            .iter()
            .zip(&taken)
            .map(|(call, taken)| format!("{}{}", from_before(taken), shell::command(call)))
            .collect();
        out.push_str(&format!("```sh\n{}\n```\n\n", commands.join("\n\n")));
    }
    if let Some(shards) = calls.iter().find_map(|call| call.shards) {
        out.push_str(&format!(
            "- The command reads one of {shards} shards, 0 to {}; the others are read alike.\n",
            shards - 1
        ));
    }
    for step in &pattern.steps {
        let told = each::told(outline, patterns, pattern, step);
        let entity = step.step.op.subject().map(|subject| inline(&subject.entity.text));
        if let Some((told, entity)) = told.zip(entity) {
            out.push_str(&format!("- {entity}: {}\n", sentence(&told)));
        }
    }
    for printed in &printed {
        if !printed.overwrites.is_empty() {
            out.push_str(
                "- Two calls at once can undo each other: see *Implementation Notes* in the access pattern mapping.\n",
            );
        }
        if let Err(why) = &printed.made {
            out.push_str(&format!("- There is no request for {}: {}\n", code(&printed.words), sentence(&prose(why))));
        }
    }
    out
}

fn call<'p>(outline: &Outline<'_>, pattern: &Pattern<'_>, printed: &'p Printed<'_>) -> Option<Call<'p>> {
    let made = printed.made.as_ref().ok()?;
    let request = &made.request;
    let mut call = Call::new(request.operation, &request.body.json, &request.body.values);
    if matches!(request.operation, "Query" | "Scan") {
        let most = pattern.def.pages.as_ref().and_then(|pages| pages.max(Unit::Number).or(pages.avg(Unit::Number)));
        let step = pattern.steps.iter().find(|step| step.resolved.operation == printed.operation);
        let is_one_page = || {
            let most = step.and_then(|step| Most::of(outline.db, outline.root, step));
            most.is_some_and(|most| most.within_a_page())
        };
        call.pages = match (request.body.json.contains_key("Limit"), most) {
            (false, None) if is_one_page() => None,
            (false, None) => Some(Pages::All),
            (_, Some(most)) if most > 1.0 => Some(Pages::AtMost(most.ceil() as u64)),
            _ => None,
        };
        call.shards = shards(&request.body.values).filter(|shards| f64::from(*shards) == printed.times);
    }
    if let ("GetItem" | "Query" | "Scan", None, Expected::Items { items, promised: Promised::Items, .. }) =
        (request.operation, call.shards, &made.expected)
    {
        call.returns = items.iter().map(|(entity, item)| (entity.as_str(), item)).collect();
    }
    let own = pattern.steps.iter().filter(|step| step.resolved.operation == printed.operation);
    call.is_of_many = call.shards.is_none() && own.into_iter().any(|step| step.step.times() > 1.0);
    if let Some(shards) = call.shards {
        call.remarks.push(format!("Each of the {shards} shards holds a part of it."));
    } else if printed.times > 1.0 {
        call.of_many.push(format!("One of {} that a call sends on average.", number(printed.times)));
    }
    for (entity, times) in &printed.shortened {
        call.of_many.push(format!(
            "A call takes {} items of {}; {PRINTED} are shown, the others are alike.",
            number(*times),
            in_comment(entity)
        ));
    }
    call.remarks.extend(printed.overwrites.iter().flat_map(|overwrite| lost::remark(overwrite, in_comment)));
    Some(call)
}

/// The shards of a key that a request asks for.
fn shards(values: &[Placed]) -> Option<u32> {
    values.iter().find_map(|placed| match &placed.origin {
        Origin::Template(parts) => parts.iter().find_map(|part| match part {
            TemplatePart::Hole { format: Format::Shard(shards), .. } => Some(*shards),
            _ => None,
        }),
        _ => None,
    })
}

/// What of a command was read by those before it, for a comment above it.
fn from_before(taken: &[Taken]) -> String {
    let lines = taken.iter().map(|taken| {
        let which = if taken.each { "each" } else { "the" };
        format!("# {}: that of {which} {} that was read before.\n", in_comment(&taken.input), in_comment(&taken.entity))
    });
    lines.collect()
}

/// A name as a comment takes it.
fn in_comment(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
