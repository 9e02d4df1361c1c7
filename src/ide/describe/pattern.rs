//! Access patterns and their operations.

use super::{Description, code_list, key_values};
use crate::capacity::operations::pattern_numbers;
use crate::derive::{Cx, below, rate, units_of, work};
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::*;
use crate::model::layout::layout;
use crate::model::lower::lowered;
use crate::model::names::pattern_def;
use crate::model::resolve::{Step, steps};
use crate::syntax::strings::quote_name;

pub(super) fn pattern(db: &dyn Db, root: SourceFile, decl: Decl, out: &mut Description) -> Option<()> {
    let own = lowered(db, decl);
    let def = pattern_def(db, decl)?;
    out.code = format!("pattern {}", quote_name(&own.name.as_ref()?.text));
    out.doc(&own.doc);
    out.list.extend(rate(def));
    if let Some(latency) = &def.latency {
        out.line(format!("Latency: {}", latency.written));
    }
    for requirement in &def.requirements {
        let verb = if requirement.writes { "Writes" } else { "Reads" };
        let by = code_list(requirement.by.iter().map(|name| &name.text));
        let by = if by.is_empty() { by } else { format!(" by {by}") };
        out.line(format!("{verb} {}{by}", code_list(requirement.uses.iter().map(|u| &u.entity.text))));
    }
    let numbers = pattern_numbers(db, root, decl).iter().flat_map(|numbers| &numbers.steps);
    for (step, numbers) in steps(db, root, decl).zip(numbers) {
        let derived = work(Cx::new(db, root), &step, numbers);
        out.line(format!("{}; {}", operation_line(db, root, step), units_of(numbers)));
        out.list.extend(below(derived));
    }
    if let Some(external) = &def.external {
        let service = external.service.as_ref().map_or("", |service| &service.value);
        out.line(format!("Answered outside DynamoDB: {service}"));
        if !def.operations.is_empty() {
            out.line("Its operations count nowhere: no load, no cost");
        }
    } else if def.operations.is_empty() {
        out.line("Not solved yet: no operation answers it");
    }
    Some(())
}

fn operation_line(db: &dyn Db, root: SourceFile, step: Step<'_>) -> String {
    let Step { operation, step, resolved, .. } = step;
    let group = operation.group.as_ref().map_or("", |group| match (group.kind, group.mode) {
        (GroupKind::Transact, GroupMode::Write) => " in `transact write`",
        (GroupKind::Transact, GroupMode::Get) => " in `transact get`",
        (GroupKind::Batch, GroupMode::Write) => " in `batch write`",
        (GroupKind::Batch, GroupMode::Get) => " in `batch get`",
    });
    let word = step.op.word();
    let name = step.op.table().map_or("?", |name| &name.text);
    let target = step.op.index().map_or_else(|| name.to_owned(), |index| format!("{name}.{}", index.text));
    let layout = resolved.table.and_then(|table| layout(db, root, table).as_ref());
    let what = match (step.op.subject(), layout) {
        (Some(subject), Some(layout)) => {
            let item = layout.item_of(&subject.entity.text);
            let keys = item.map(|item| format!(" with {}", key_values(item, layout.primary_key()))).unwrap_or_default();
            format!(" `{}`{keys}", subject.entity.text)
        }
        (Some(subject), None) => format!(" `{}`", subject.entity.text),
        (None, _) if resolved.reached.is_empty() => " that reaches no item".to_owned(),
        (None, _) => format!(" that reaches {}", code_list(&resolved.reached)),
    };
    let times = step.times.as_ref().map(|times| format!(", {} times", times.written)).unwrap_or_default();
    format!("`{word}` on `{target}`{group}:{what}{times}")
}
