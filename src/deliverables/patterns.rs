//! The access patterns of a model with what is known of each.

use super::bounds::{band, bounded, largest_items};
use super::decisions::needs;
use super::markdown::{code, codes, inline, prose, sentence, some};
use super::most_actions::{Overfull, overfull};
use super::numbers::{declared, measure, per_second};
use super::outline::{Outline, said, shown};
use crate::capacity::shared_reads::is_cut_off;
use crate::capacity::show;
use crate::model::db::Decl;
use crate::model::defs::*;
use crate::model::lists::given_back;
use crate::model::lower::lowered;
use crate::model::names::table_def;
use crate::model::resolve::{Step, steps};
use crate::rules::finding::{Finding, FindingPlace, Level};
use crate::rules::judge::judged;
use crate::syntax::Unit;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A pattern with its steps, its open findings and its place in the model.
pub(super) struct Pattern<'db> {
    /// From 1, in the order of the text.
    pub number: usize,
    pub decl: Decl,
    pub name: Option<&'db str>,
    pub doc: Option<&'db str>,
    pub def: &'db PatternDef,
    pub steps: Vec<Step<'db>>,
    pub findings: &'db [Arc<Finding>],
    /// The errors that stand against it: its own, and those in the tables and
    /// indexes that it uses.
    pub errors: Vec<&'db Finding>,
}

/// Whether a pattern is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// DynamoDB operations answer it, and no error stands against them.
    Solved,
    /// There is no operation, or an error in what there is.
    Open,
    /// Answered outside DynamoDB.
    External,
}

/// The patterns of a model, in the order of the text.
pub(super) fn patterns<'db>(outline: &Outline<'db>) -> Vec<Pattern<'db>> {
    let (db, root) = (outline.db, outline.root);
    let numbered = outline.patterns.iter().enumerate();
    numbered
        .map(|(index, entry)| {
            // What something else answers, no operation here is called for.
            let is_external = entry.def.external.is_some();
            let steps: Vec<Step<'db>> = steps(db, root, entry.decl).filter(|_| !is_external).collect();
            let findings = &judged(db, root, entry.decl).findings;
            let own = findings.iter().map(|finding| &**finding).filter(|finding| finding.level == Level::Error);
            Pattern {
                number: index + 1,
                decl: entry.decl,
                name: entry.name,
                doc: entry.doc,
                def: entry.def,
                errors: own.chain(steps.iter().flat_map(|step| errors_below(outline, step))).collect(),
                steps,
                findings,
            }
        })
        .collect()
}

/// The errors in what a step stands on: the name, the keys and the items of its
/// table, and the index that it reads. No operation works on a table or an index
/// that DynamoDB refuses to make.
fn errors_below<'db>(outline: &Outline<'db>, step: &Step<'db>) -> Vec<&'db Finding> {
    let Some(source) = step.source else { return Vec::new() };
    let table = source.layout.decl;
    let Some(def) = table_def(outline.db, table) else { return Vec::new() };
    let keys = def.partition.iter().chain(&def.sort).map(|key| key.range);
    let items = def.items.iter().map(|item| item.range);
    let index = source.index.and_then(|index| {
        let named = |def: &&IndexDef| def.name.as_ref().is_some_and(|name| name.range == index.name.range);
        def.indexes.iter().find(named)
    });
    let name = source.layout.name.range;
    let used: Vec<_> = keys.chain(items).chain([name]).chain(index.map(|index| index.range)).collect();
    let is_below = |finding: &&Finding| match finding.place {
        FindingPlace::In(place) => {
            finding.level == Level::Error && place.decl == table && used.iter().any(|range| range.contains(place.range))
        }
        FindingPlace::File { .. } => false,
    };
    judged(outline.db, outline.root, table).findings.iter().map(|finding| &**finding).filter(is_below).collect()
}

impl<'db> Pattern<'db> {
    /// Whether it is answered, and where.
    pub fn status(&self) -> Status {
        let faulty = !self.errors.is_empty();
        match &self.def.external {
            Some(_) => Status::External,
            None if self.steps.is_empty() || faulty || !self.steps.iter().all(Step::answers) => Status::Open,
            None => Status::Solved,
        }
    }

    /// What keeps the pattern open.
    pub fn open_reason(&self) -> String {
        let mut rules: Vec<&str> = Vec::new();
        for finding in &self.errors {
            if !rules.contains(&finding.rule.name) {
                rules.push(finding.rule.name);
            }
        }
        match (self.steps.is_empty(), rules.is_empty()) {
            (_, false) => format!("errors stand against it: {}", codes(rules)),
            (true, true) => String::from("the model has no operation for it"),
            (false, true) => String::from("an operation reaches no item of its table or index"),
        }
    }

    /// The alternative outside DynamoDB, and why.
    pub fn alternative(&self) -> Option<String> {
        let external = self.def.external.as_ref()?;
        let service = external.service.as_ref().and_then(said).map(inline);
        let service = service.unwrap_or_else(|| String::from("outside DynamoDB, not said where"));
        Some(match external.because.as_ref().and_then(said) {
            Some(because) => format!("{} {}", sentence(&service), inline(because)),
            None => service,
        })
    }

    /// The name as it stands in lists: `7 OrderHistory`.
    pub fn reference(&self) -> String {
        format!("{} {}", self.number, shown(self.name))
    }

    /// Name and doc comment.
    pub fn description(&self) -> String {
        match self.doc {
            Some(doc) => format!("**{}**: {}", shown(self.name), prose(doc)),
            None => format!("**{}**", shown(self.name)),
        }
    }

    /// Calls a second on average; `None` where that is not declared.
    pub fn average(&self) -> Option<f64> {
        self.def.rate.as_ref().and_then(|rate| rate.avg(Unit::Rate))
    }

    /// Calls a second at the peak; `None` where that is not declared.
    pub fn peak(&self) -> Option<f64> {
        self.def.rate.as_ref().and_then(|rate| rate.max(Unit::Rate))
    }

    /// Both rates in calls a second.
    pub fn rps(&self) -> String {
        match (self.peak(), self.average()) {
            (None, None) => String::from("not declared"),
            (peak, average) => {
                let shown = |rate: Option<f64>| rate.map_or_else(|| String::from("not declared"), per_second);
                format!("peak {}, average {}", shown(peak), shown(average))
            }
        }
    }

    /// The peak in calls a second, in words.
    pub fn peak_rps(&self) -> String {
        self.peak().map_or_else(|| String::from("not declared"), per_second)
    }

    /// Whether it reads, by what it says or by its operations.
    pub fn reads(&self) -> bool {
        let said = self.def.requirements.iter().any(|requirement| !requirement.writes);
        said || self.steps.iter().any(|step| step.step.op.reads())
    }

    /// The same of writing.
    pub fn writes(&self) -> bool {
        let said = self.def.requirements.iter().any(|requirement| requirement.writes);
        said || self.steps.iter().any(|step| step.step.op.writes())
    }

    /// Read, write or both.
    pub fn kind(&self) -> &'static str {
        match (self.reads(), self.writes()) {
            (true, true) => "Read and write",
            (true, false) => "Read",
            (false, true) => "Write",
            (false, false) => "not declared",
        }
    }

    /// The attributes that callers need, as the model says; where it does not
    /// say, what the operations ask for.
    pub fn attributes(&self, outline: &Outline<'db>) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut add = |part: String| {
            if !parts.contains(&part) {
                parts.push(part);
            }
        };
        for entity_use in self.def.requirements.iter().flat_map(|requirement| &requirement.uses) {
            add(named(&entity_use.entity.text, &entity_use.attributes, "attributes not listed"));
        }
        if self.def.requirements.is_empty() {
            for (index, step) in self.steps.iter().enumerate() {
                match &step.step.op {
                    OpDef::Update { subject: Some(subject), set, remove, .. } => {
                        let names: Vec<Name> = set.iter().chain(remove).cloned().collect();
                        add(named(&subject.entity.text, &names, "none named"));
                    }
                    OpDef::Put { subject: Some(subject), .. } => add(named(&subject.entity.text, &[], "whole item")),
                    OpDef::Get { .. } | OpDef::Query { .. } | OpDef::Scan { .. } => {
                        let project = step.step.op.options().map(|o| o.project.as_slice()).unwrap_or_default();
                        let narrow = step
                            .source
                            .and_then(|source| source.index)
                            .is_some_and(|index| index.projection != ProjectionKind::All);
                        let rest = if narrow { "what the index projects" } else { "whole item" };
                        let given = given_back(outline.db, step).into_iter();
                        for item in
                            given.filter(|item| !is_cut_off(outline.db, outline.root, self.decl, index, &item.entity))
                        {
                            add(named(&item.entity, project, rest));
                        }
                    }
                    _ => {}
                }
            }
        }
        if parts.is_empty() { String::from("–") } else { some(parts, "; ") }
    }

    /// Latency, consistency, result bound and item size band.
    pub fn requirements(&self, outline: &Outline<'db>) -> String {
        let latency = self.def.latency.as_ref().and_then(|latency| declared(latency, Unit::Duration));
        let mut parts = vec![match latency {
            Some(latency) => format!("latency {latency}"),
            None => String::from("latency not declared"),
        }];
        let mut add = |part: String| {
            if !parts.contains(&part) {
                parts.push(part);
            }
        };
        self.consistencies().into_iter().for_each(&mut add);
        for step in self.steps.iter().filter(|step| step.step.op.reads()) {
            if step.source.is_none() {
                continue;
            }
            add(bounded(outline, self, step).unwrap_or_else(|why| format!("result {why}")));
        }
        if let Some(pages) = self.def.pages.as_ref().and_then(|pages| measure(pages, Unit::Number)) {
            add(format!("pages: {pages}"));
        }
        if self.steps.is_empty() && self.def.external.is_none() {
            add(String::from("consistency and result bound unknown: no operation yet"));
        }
        for (entity, bytes) in largest_items(outline, self) {
            let name = shown(Some(&entity));
            add(match bytes.high() {
                Some(bytes) => format!("{name} {}", band(bytes)),
                None => format!("{name} of unknown size (needs {})", needs(&bytes)),
            });
        }
        parts.join("; ")
    }

    /// How consistent each step is; which step that is, where they differ.
    fn consistencies(&self) -> Vec<String> {
        let single = self.steps.iter().filter(|step| is_single_write(step));
        let writes: f64 = single.map(|step| step.step.times()).sum();
        let told = |step: &Step<'_>| match is_single_write(step) && writes > 1.0 {
            true => format!("{} writes, not all or nothing", show::count(writes)),
            false => String::from(consistency(step)),
        };
        let reads: BTreeSet<&str> =
            self.steps.iter().filter(|step| step.step.op.reads()).map(|step| consistency(step)).collect();
        let steps = self.steps.iter().enumerate();
        steps
            .map(|(index, step)| match step.step.op.reads() && reads.len() > 1 {
                true => format!("step {} ({}): {}", index + 1, code(step.step.op.word()), told(step)),
                false => told(step),
            })
            .collect()
    }

    /// What a designer noted about the pattern, and what the rules say of it.
    pub fn considerations(&self, outline: &Outline<'db>) -> String {
        let mut parts: Vec<String> = Vec::new();
        for requirement in &self.def.requirements {
            if !requirement.by.is_empty() {
                parts.push(format!("by {}", codes(requirement.by.iter().map(|name| name.text.as_str()))));
            }
            if let Some(order) = &requirement.order {
                let down = if requirement.descending { " descending" } else { "" };
                parts.push(format!("ordered by {}{down}", code(&order.text)));
            }
        }
        for workflow in &outline.workflows {
            let place = workflow.def.patterns.iter().position(|name| Some(name.text.as_str()) == self.name);
            if let Some(place) = place {
                parts.push(format!("step {} of the workflow {}", place + 1, shown(workflow.name)));
            }
        }
        for (reason, what) in [(&self.def.no_write, "no write pattern"), (&self.def.no_read, "no read pattern")] {
            let because = reason.as_ref().and_then(|reason| reason.because.as_ref()).and_then(said);
            parts.extend(because.map(|because| format!("{what}: {}", inline(because))));
        }
        for allow in &lowered(outline.db, self.decl).facts.allows {
            parts.push(accepted(allow));
        }
        if self.def.external.is_some() && !self.def.operations.is_empty() {
            parts.push(String::from("its operations count nowhere, since it is answered outside DynamoDB"));
        }
        parts.extend(overfull(outline, &self.def.operations, &self.steps).iter().map(Overfull::words));
        let mut open: Vec<&str> = Vec::new();
        for finding in self.findings {
            if !open.contains(&finding.rule.name) {
                open.push(finding.rule.name);
            }
        }
        if !open.is_empty() {
            parts.push(format!("open: {}", codes(open)));
        }
        // A reason that is a sentence would put a full stop before the semicolon.
        let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('.')).collect();
        if parts.is_empty() { String::from("–") } else { parts.join("; ") }
    }

    /// The status with its sign and, where it is not solved, why.
    pub fn status_text(&self) -> String {
        match self.status() {
            Status::Solved => String::from("✅ solved"),
            Status::Open => format!("⏳ not yet: {}", self.open_reason()),
            Status::External => format!("❌ outside DynamoDB: {}", self.alternative().unwrap_or_default()),
        }
    }
}

/// Rules that an `allow` accepts, and why.
pub(super) fn accepted(allow: &AllowUse) -> String {
    let rules = codes(allow.rules.iter().map(|name| name.text.as_str()));
    match allow.because.as_ref().and_then(said) {
        Some(because) => format!("accepted {rules}: {}", inline(because)),
        None => format!("accepted {rules} without a reason"),
    }
}

/// `User: name, plan`, or what stands for all of them.
fn named(entity: &str, attributes: &[Name], rest: &str) -> String {
    let entity = shown(Some(entity));
    if attributes.is_empty() {
        return format!("{entity} ({rest})");
    }
    format!("{entity}: {}", codes(attributes.iter().map(|name| name.text.as_str())))
}

/// Whether a step writes outside of a transaction: by itself, or in a batch, which
/// can be carried out in part.
fn is_single_write(step: &Step<'_>) -> bool {
    step.step.op.writes() && !matches!(step.operation.group, Some(Group { kind: GroupKind::Transact, .. }))
}

/// How consistent a step reads, or whether it writes all or nothing.
pub(super) fn consistency(step: &Step<'_>) -> &'static str {
    match (&step.operation.group, &step.step.op) {
        (Some(Group { kind: GroupKind::Transact, mode: GroupMode::Write, .. }), _) => "all or nothing",
        (Some(Group { kind: GroupKind::Transact, mode: GroupMode::Get, .. }), _) => "serializable read",
        (_, op) if !op.reads() => "single-item write",
        (_, op) if op.options().is_some_and(|options| options.consistent.is_some()) => "strongly consistent",
        _ => "eventually consistent",
    }
}
