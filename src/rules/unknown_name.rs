//! A name that resolves to nothing.

use super::check::{Check, Cx};
use super::finding::{Edit, Level};
use super::meant::{Meant, meant};
use super::registry;
use super::rule::{Group, Rule};
use super::unseen::has_word;
use crate::model::defs::{Def, Lowered, Reference, Target};
use crate::model::imports::{decl_kind, model_decls};
use crate::model::occurrences::held_holes;
use crate::model::refs::{Resolution, resolve};
use crate::syntax::strings::quote_name;
use crate::syntax::{ChunkKind, TextRange};

pub static RULE: Rule = Rule {
    name: "unknown-name",
    group: Group::Language,
    level: Level::Error,
    summary: "a name resolves to nothing",
    thresholds: &[],
    check: Check::Declaration(check),
};

fn check(cx: &mut Cx<'_>, lowered: &Lowered) {
    let mut references = lowered.facts.references.clone();
    let mut misplaced = Vec::new();
    if matches!(lowered.def, Def::Pattern(_)) {
        references.extend(held_holes(cx.db, cx.root, &cx.steps()));
        misplaced = misplaced_steps(cx);
    }
    for reference in &references {
        let name = &reference.name.text;
        // What the wrong table has not got is not told besides; and a keyword in the
        // place of a table is the syntax error behind it.
        let in_table = matches!(reference.target, Target::TableAttribute { .. } | Target::ItemAttribute { .. });
        if in_table && misplaced.iter().any(|step| step.contains(reference.name.range)) {
            continue;
        }
        let fault = fault_beside(cx, reference.name.range);
        if fault == Some(Beside::Consequence) {
            continue;
        }
        if reference.target == Target::Table && cx.is_broken() && CLAUSES.contains(&name.as_str()) {
            continue;
        }
        let candidates = if reference.target == Target::Rule {
            if registry::find(name).is_some() {
                continue;
            }
            registry::all().map(|rule| rule.name.to_owned()).collect()
        } else {
            match resolve(cx.db, cx.root, reference) {
                Resolution::Unknown { .. } if may_be_unreadable(cx, reference) => continue,
                Resolution::Unknown { candidates } => candidates,
                Resolution::Found(_) | Resolution::Undecided => continue,
            }
        };
        report(cx, reference, &candidates, fault);
    }
}

/// What a fault of the text on the line of a name means for the name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// It is read as something that it is not, as the fault says.
    Consequence,
    /// It is read as what it is, and may not be all that was meant to stand there.
    Unfinished,
}

/// What the faults of the text say of the name on their line: one behind a fault is as
/// little read as it is meant as one before something that nobody expects there.
fn fault_beside(cx: &Cx<'_>, name: TextRange) -> Option<Beside> {
    let chunk = cx.chunk();
    let on_its_line = |from: u32, to: u32| !chunk.text[from as usize..to as usize].contains(['\n', '\r']);
    let of = |fault: TextRange| {
        if fault.start <= name.start {
            let end = fault.end.min(name.start);
            on_its_line(end, name.start).then_some(Beside::Consequence)
        } else {
            let is_nothing = fault.start == fault.end;
            let beside = if is_nothing { Beside::Unfinished } else { Beside::Consequence };
            (name.end <= fault.start && on_its_line(name.end, fault.start)).then_some(beside)
        }
    };
    let faults = chunk.errors.iter().filter(|error| !error.alone).filter_map(|error| of(error.range));
    faults.min_by_key(|beside| *beside == Beside::Unfinished)
}

/// Words that begin the options and conditions of a step.
const CLAUSES: [&str; 10] =
    ["where", "filter", "limit", "descending", "consistent", "project", "returning", "set", "remove", "if"];

/// The steps on an entity in a table that does not hold it.
fn misplaced_steps(cx: &Cx<'_>) -> Vec<TextRange> {
    let steps = cx.steps().into_iter().filter(|step| {
        let (Some(source), Some(subject)) = (step.source, step.step.op.subject()) else { return false };
        let known = cx.entity(&subject.entity.text).is_some();
        known && source.layout.item_of(&subject.entity.text).is_none()
    });
    steps.map(|step| step.step.range).collect()
}

/// Whether the name stands in another declaration that does not parse, and may be
/// declared there: that is the fault then.
fn may_be_unreadable(cx: &Cx<'_>, reference: &Reference) -> bool {
    model_decls(cx.db, cx.root).iter().any(|decl| {
        let declares = match decl_kind(cx.db, *decl) {
            ChunkKind::Entity | ChunkKind::Table | ChunkKind::Junk => reference.target != Target::Pattern,
            ChunkKind::Pattern => reference.target == Target::Pattern,
            _ => false,
        };
        declares && *decl != cx.decl && !cx.is_whole(*decl) && has_word(&decl.chunk(cx.db).text, &reference.name.text)
    })
}

fn report(cx: &mut Cx<'_>, reference: &Reference, candidates: &[String], fault: Option<Beside>) {
    let name = &reference.name.text;
    let what = describe(&reference.target);
    let meant = meant(cx, reference, candidates);
    let near = meant.as_ref().map(|meant| meant.name);
    let advice = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if candidates.is_empty() => "none is declared".to_owned(),
        None if reference.target == Target::Rule => "`keywright rules` lists them".to_owned(),
        None => "declare it, or use one that is".to_owned(),
    };
    let place = cx.place(reference.name.range);
    let message = match &reference.target {
        Target::UntypedKey { table } => format!(
            "key `{name}` has no type, and no item of table `{table}` has an attribute of that name that would give it \
             one; {}",
            near.map_or_else(|| format!("declare it, as in `{name}: string`"), |_| advice.clone())
        ),
        Target::Rule => format!("no rule is called `{name}`, so that this silences nothing; {advice}"),
        _ => format!("no {what} is called `{name}`, and nothing that depends on it can be judged; {advice}"),
    };
    let finding = cx.report(reference.name.range, message);
    if let Some(Meant { name: near, is_sure }) = meant {
        let title = format!("Change to `{near}`");
        // Which rule was meant only its author knows: the wrong one would be silenced.
        match reference.target {
            Target::Rule => finding.suggest(title, vec![Edit::Replace { place, text: near.to_owned() }]),
            _ if is_sure && fault.is_none() => {
                finding.fix(title, vec![Edit::Replace { place, text: quote_name(near) }])
            }
            _ => finding.suggest(title, vec![Edit::Replace { place, text: quote_name(near) }]),
        };
    }
}

/// What the name should be the name of.
fn describe(target: &Target) -> String {
    match target {
        Target::Entity => "entity".to_owned(),
        Target::Table => "table".to_owned(),
        Target::Pattern => "pattern".to_owned(),
        Target::Rule => "rule".to_owned(),
        Target::Index { table } => format!("index of table `{table}`"),
        Target::EntityAttribute { entities } => {
            let entities: Vec<_> = entities.iter().map(|e| format!("`{e}`")).collect();
            format!("attribute of {}", entities.join(" or "))
        }
        Target::ItemAttribute { entity, table } => format!("attribute of `{entity}` or key of table `{table}`"),
        Target::TableAttribute { table } => format!("attribute or key in table `{table}`"),
        Target::Key { table } | Target::UntypedKey { table } => format!("key of table `{table}`"),
        Target::AnyAttribute { .. } => "attribute of any entity".to_owned(),
    }
}
