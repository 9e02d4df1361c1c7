//! *Access Pattern Mapping*: which operations answer which pattern, and what
//! becomes of the others.

mod after;
mod notes;
mod returned;
mod unsolved;

use crate::capacity::operations::{StepNumbers, pattern_numbers};
use crate::deliverables::each;
use crate::deliverables::figures::Footnotes;
use crate::deliverables::lost;
use crate::deliverables::markdown::{code, inline, some};
use crate::deliverables::most_actions::{Overfull, overfull};
use crate::deliverables::numbers::measure;
use crate::deliverables::outline::Outline;
use crate::deliverables::parts::Part;
use crate::deliverables::patterns::{Pattern, Status};
use crate::model::defs::Subject;
use crate::model::resolve::Step;
use crate::population::Population;
use crate::requests::overwrites;
use crate::syntax::Unit;
use askama::Template;
use unsolved::UnsolvedRow;

#[derive(Template)]
#[template(path = "data_model/mapping.md", escape = "none")]
struct Mapping {
    solved: Vec<Row>,
    computed: Option<String>,
    missing: Vec<String>,
    unsolved: Vec<UnsolvedRow>,
}

/// A row of the solved patterns.
struct Row {
    number: usize,
    description: String,
    kind: String,
    peak: String,
    items: String,
    sizes: String,
    used: String,
    operations: String,
    notes: String,
}

/// The part.
pub(super) fn part<'db>(outline: &Outline<'db>, patterns: &[Pattern<'db>], population: &Population<'db>) -> Part {
    let (solved, unsolved): (Vec<_>, Vec<_>) = patterns.iter().partition(|pattern| pattern.status() == Status::Solved);
    let mut notes = Footnotes::default();
    let all = All { patterns, population };
    let solved = solved.into_iter().map(|pattern| row(outline, &mut notes, &all, pattern)).collect();
    Part::new(
        "access-pattern-mapping",
        &Mapping {
            solved,
            computed: notes.computed(),
            missing: notes.missing(),
            unsolved: unsolved.into_iter().map(|pattern| unsolved::row(outline, pattern)).collect(),
        },
    )
}

/// What the notes of one pattern say of the others.
struct All<'a, 'db> {
    patterns: &'a [Pattern<'db>],
    population: &'a Population<'db>,
}

fn row<'db>(outline: &Outline<'db>, footnotes: &mut Footnotes, all: &All<'_, 'db>, pattern: &Pattern<'db>) -> Row {
    let steps = &pattern.steps;
    let numbers = pattern_numbers(outline.db, outline.root, pattern.decl).as_ref();
    let own: Vec<(&Step<'db>, Option<&StepNumbers>)> = steps
        .iter()
        .map(|step| {
            let of_step =
                |own: &&StepNumbers| (own.operation, own.step) == (step.resolved.operation, step.resolved.step);
            (step, numbers.and_then(|numbers| numbers.steps.iter().find(of_step)))
        })
        .collect();
    let each = |of: &dyn Fn(&Step<'_>) -> String| lines(steps.iter().map(of));
    Row {
        number: pattern.number,
        description: pattern.description(),
        kind: each(&|step| step.api().to_owned()),
        peak: pattern.peak_rps(),
        items: lines(own.iter().map(|(step, numbers)| returned::items(outline, footnotes, pattern, step, *numbers))),
        sizes: some(each_once(own.iter().flat_map(|(_, numbers)| returned::sizes(footnotes, *numbers))), "<br>"),
        used: each(&|step| step.target().map(|target| code(&target)).unwrap_or_default()),
        operations: steps.iter().map(Step::request).collect::<Vec<_>>().join("<br>"),
        notes: all_notes(outline, footnotes, all, pattern, &own),
    }
}

fn all_notes<'db>(
    outline: &Outline<'db>,
    footnotes: &mut Footnotes,
    others: &All<'_, 'db>,
    pattern: &Pattern<'db>,
    steps: &[(&Step<'db>, Option<&StepNumbers>)],
) -> String {
    let mut all: Vec<String> = Vec::new();
    for (step, numbers) in steps {
        let mut own = notes::of_step(outline, footnotes, pattern, step, *numbers);
        own.extend(each::told(outline, others.patterns, pattern, step));
        own.extend(after::retry(others.patterns, pattern, step));
        own.extend(after::left(outline, pattern, step));
        own.extend(overwrites(&step.step.op, others.population).iter().map(|one| lost::told(one, code)));
        let own = own.join("; ");
        if own.is_empty() {
            continue;
        }
        // Where there are several steps, each note says whose it is.
        let whose = (steps.len() > 1).then(|| match step.step.op.subject() {
            Some(Subject { entity, role: Some(role) }) => format!("{} as {}", inline(&entity.text), inline(&role.text)),
            Some(subject) => inline(&subject.entity.text),
            None => step.target().map(|target| code(&target)).unwrap_or_default(),
        });
        all.push(match whose {
            Some(whose) => format!("{whose}: {own}"),
            None => own,
        });
    }
    if let Some(pages) = pattern.def.pages.as_ref().and_then(|pages| measure(pages, Unit::Number)) {
        all.push(format!("pages: {pages}"));
    }
    all.extend(notes::of_groups(pattern));
    all.extend(overfull(outline, &pattern.def.operations, &pattern.steps).iter().map(Overfull::advice));
    all.extend(notes::of_several(pattern));
    if all.is_empty() { String::from("–") } else { lines(counted(&all).into_iter()) }
}

/// Lines, with how many there are of those that stand there several times: what two
/// steps take is twice what one takes.
fn counted(all: &[String]) -> Vec<String> {
    let times = |line: &String| all.iter().filter(|other| *other == line).count();
    let told = |line: &String| match times(line) {
        1 => line.clone(),
        times => format!("{times} × {line}"),
    };
    all.iter().map(told).collect()
}

/// The lines of a cell, each once.
fn lines(all: impl Iterator<Item = String>) -> String {
    each_once(all).join("<br>")
}

fn each_once(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in all {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
