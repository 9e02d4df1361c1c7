//! An update of an attribute that is declared immutable.

use super::check::{Check, Cx};
use super::finding::{Edit, Level, Place};
use super::lists::without_entry;
use super::rule::{Group, Rule};
use super::update_of_primary_key::key_made_from;
use crate::model::defs::*;
use crate::syntax::TextRange;

pub static RULE: Rule = Rule {
    name: "immutable-updated",
    group: Group::Correctness,
    level: Level::Error,
    summary: "an update sets or removes an `@immutable` attribute",
    thresholds: &[],
    check: Check::Pattern(check),
};

fn check(cx: &mut Cx<'_>, _: &PatternDef) {
    for step in cx.steps() {
        let OpDef::Update { subject: Some(subject), set, remove, .. } = &step.step.op else { continue };
        let Some(decl) = cx.names().entity(&subject.entity.text) else { continue };
        let Some(entity) = cx.entity(&subject.entity.text) else { continue };
        let layout = step.source.map(|source| source.layout);
        let item = layout.and_then(|layout| layout.items.iter().find(|item| item.entity == subject.entity.text));
        for (list, how) in [(set, "sets"), (remove, "removes")] {
            for (index, name) in list.iter().enumerate() {
                let Some(attribute) = entity.attribute(&name.text) else { continue };
                let Some(immutable) = attribute.immutable else { continue };
                // What the primary key is made of cannot be updated, immutable or not.
                if layout.zip(item).is_some_and(|(layout, item)| key_made_from(layout, item, &name.text).is_some()) {
                    continue;
                }
                let message = format!(
                    "this update {how} `{}`, and `{}` declares it `@immutable`: whoever relies on it, a copy or a \
                     cache, keeps the old value; leave it out of the update, or take `@immutable` away if it may \
                     change",
                    name.text, subject.entity.text
                );
                // An update that names nothing may change anything: the last name stays.
                let others = set.len() + remove.len() > 1;
                let leave = others.then(|| without(cx, list, index)).flatten();
                let declared = Place { decl, range: immutable };
                let release = Edit::RemoveLines { place: declared };
                let finding = cx.report(name.range, message);
                finding.relate(declared, "declared immutable here");
                if let Some(edit) = leave {
                    finding.suggest(format!("Leave `{}` out of the update", name.text), vec![edit]);
                }
                finding.suggest(format!("Let `{}` change: take `@immutable` away", name.text), vec![release]);
            }
        }
    }
}

/// Takes a name out of a `set` or `remove`, with the word where it is the only
/// one; `None` where the word is not found before it.
pub(super) fn without(cx: &Cx<'_>, list: &[Name], index: usize) -> Option<Edit> {
    if list.len() > 1 {
        let (range, text) = without_entry(&cx.chunk().text, list, index);
        return Some(Edit::Replace { place: cx.place(range), text });
    }
    let text = &cx.chunk().text;
    let name = list.get(index)?.range;
    let before = text[..name.start as usize].trim_end();
    let word = ["set", "remove", "with"].into_iter().find(|word| before.ends_with(word))?;
    let range = TextRange::new(before.len() - word.len(), name.end as usize);
    Some(Edit::RemoveLines { place: cx.place(range) })
}
