//! Units: those of the kind that the place asks for.

use super::candidates::Candidates;
use super::context::Context;
use super::cursor::Word;
use super::{CompletionItem, CompletionKind, Topic};
use crate::model::defs::QuantityUse;
use crate::syntax::Unit;

/// The units that may follow the number at the cursor.
pub(super) fn units(cx: &Context<'_>, number: Word) -> Candidates {
    let mut found = Candidates::new(number);
    let text = &cx.cursor.text[number.start..number.end];
    let digits = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '_')).unwrap_or(text.len());
    // Between its digits a number has no unit yet, and behind its point it is not whole.
    if cx.cursor.offset < number.start + digits || text[..digits].ends_with('.') {
        return found;
    }
    let Some(asked) = asked(cx, number.start) else { return found };
    // One digit more makes other texts of them.
    found.incomplete = true;
    // Each is the whole quantity: the unit that is there goes, however it is taken.
    found.whole = true;
    for (unit, about) in of_kind(asked.expected) {
        let item = CompletionItem::new(CompletionKind::Unit, format!("{}{unit}", &text[..digits])).detail(*about);
        found.add(item.topic(Topic::Keyword("rate".to_owned())));
    }
    found
}

/// What a number at this place is asked to be.
fn asked(cx: &Context<'_>, start: usize) -> Option<QuantityUse> {
    let probe = cx.probe(start, "1");
    let at = cx.landing(&probe, 1)?.at as u32;
    probe.lowered()?.facts.quantities.into_iter().find(|quantity| quantity.value.range.start == at)
}

/// The units of a kind, the usual ones first.
fn of_kind(unit: Unit) -> &'static [(&'static str, &'static str)] {
    match unit {
        Unit::Number => &[("k", "thousand"), ("M", "million"), ("G", "thousand million")],
        Unit::Size => &[("B", "bytes"), ("KB", "1,024 bytes"), ("MB", "1,024 KB"), ("GB", "1,024 MB")],
        Unit::Duration => {
            &[("ms", "milliseconds"), ("s", "seconds"), ("min", "minutes"), ("h", "hours"), ("d", "days")]
        }
        Unit::Rate => &[
            ("/s", "a second"),
            ("/min", "a minute"),
            ("/h", "an hour"),
            ("/day", "a day"),
            ("k/s", "thousand a second"),
            ("k/day", "thousand a day"),
            ("M/day", "million a day"),
        ],
        Unit::Percent => &[("%", "of all")],
    }
}
