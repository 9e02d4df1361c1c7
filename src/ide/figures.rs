//! Figures in few words, for hints and lenses: what is known is a number, what
//! is bounded says so, what is unknown is a question mark and never a number.

use crate::capacity::figure::{Figure, Input, list};
use crate::capacity::show;
use std::collections::BTreeSet;

/// Whether nothing at all is known of a number.
pub(super) fn is_open(figure: &Figure) -> bool {
    figure.value().is_none() && figure.high().is_none() && figure.low() == 0.0
}

/// A figure: `12`, `≤ 12`, `at least 12` or `?`, the numbers written by `number`.
pub(super) fn shown(figure: &Figure, number: impl Fn(f64) -> String) -> String {
    match (figure.value(), figure.high()) {
        (Some(value), _) => number(value),
        (None, Some(high)) => format!("≤ {}", number(high)),
        (None, None) if figure.low() > 0.0 => format!("at least {}", number(figure.low())),
        (None, None) => "?".to_owned(),
    }
}

/// Dollars a month: `$126/mo`; of an unknown number `$?/mo`.
pub(super) fn monthly(figure: &Figure) -> String {
    if is_open(figure) { "$?/mo".to_owned() } else { format!("{}/mo", shown(figure, show::dollars)) }
}

/// Bytes: `105 B`, `2.3 KB`.
pub(super) fn bytes(figure: &Figure) -> String {
    shown(figure, show::bytes)
}

/// Units or a count, with two digits that count where it is small: the two
/// hundredths of a unit that a sparse index takes are not nothing.
pub(super) fn count(value: f64) -> String {
    if value >= 10.0 { show::count(value) } else { digits(value) }
}

/// So many things of a name: `1 call`, `at least 1 write unit`, `2.5 pages`.
pub(super) fn counted(figure: &Figure, thing: &str) -> String {
    let number = |value: f64| match count(value).as_str() {
        "1" => format!("1 {thing}"),
        several => format!("{several} {thing}s"),
    };
    if is_open(figure) { format!("? {thing}s") } else { shown(figure, number) }
}

/// A share of a limit: `0.8 %`, `< 0.01 %`, `≤ 0.01 %`, `at least 0.0003 %` or `?`.
pub(super) fn limit(share: &Figure) -> String {
    match (share.value(), share.high(), share.low()) {
        (None, Some(high), _) if high < 1e-4 => "≤ 0.01 %".to_owned(),
        (None, None, low) if low > 0.0 && low < 1e-4 => show::part(share),
        _ => shown(share, percent),
    }
}

/// A share of one: `0.8 %`, `142 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p > 0.0 && p < 0.01 => "< 0.01 %".to_owned(),
        p if p >= 10.0 => format!("{} %", show::count(p.round())),
        p if p >= 1.0 => format!("{} %", show::count((p * 10.0).round() / 10.0)),
        p => format!("{} %", digits(p)),
    }
}

/// The same with two digits that count, however small it is.
pub(super) fn exact_percent(share: f64) -> String {
    if share < 0.01 { format!("{} %", digits(share * 100.0)) } else { percent(share) }
}

/// Two decimals, or as many as show two digits that count; no zeros at the end.
fn digits(value: f64) -> String {
    let places = if value > 0.0 && value < 0.1 { (1.0 - value.log10().floor()).min(9.0) as usize } else { 2 };
    let text = format!("{value:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A label that says whether a number in it depends on a size that no one has
/// declared and that was computed from the attributes.
pub(super) fn marked<'f>(label: String, figures: impl IntoIterator<Item = &'f Figure>) -> String {
    let computed = figures.into_iter().any(|figure| !is_open(figure) && !figure.computed().is_empty());
    if computed { format!("{label} (computed)") } else { label }
}

/// The lines that say what is missing, and whose size was computed.
pub(super) fn notes<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> Vec<String> {
    let (mut missing, mut computed): (BTreeSet<&Input>, BTreeSet<&String>) = Default::default();
    for figure in figures {
        missing.extend(figure.missing());
        computed.extend(figure.computed());
    }
    let mut notes = Vec::new();
    if !missing.is_empty() {
        notes.push(format!("Missing: {}.", list(missing)));
    }
    if !computed.is_empty() {
        let names: Vec<String> = computed.into_iter().map(|name| format!("`{name}`")).collect();
        notes.push(format!("Computed from the attributes: the size of {}.", names.join(", ")));
    }
    notes
}

/// The first few of a list, and how many more there are: `A, B and 3 more`.
pub(super) fn first_few<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = names.len().saturating_sub(most);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown() -> Figure {
        Figure::unknown(Input::Count("User".into()))
    }

    #[test]
    fn what_is_unknown_is_no_number() {
        let bounded = unknown().min(&Figure::known(20.0));
        let open = Figure::known(3.0).plus(&unknown());
        let all = [Figure::known(6.5), bounded, open, unknown()];
        assert_eq!(all.each_ref().map(|figure| shown(figure, count)), ["6.5", "≤ 20", "at least 3", "?"]);
        let months = all.each_ref().map(monthly);
        assert_eq!(months, ["$6.50/mo", "≤ $20.00/mo", "at least $3.00/mo", "$?/mo"]);
    }

    #[test]
    fn small_numbers_are_not_rounded_to_nothing() {
        assert_eq!(
            [0.0, 0.00234, 0.02, 0.5, 6.5, 9.999, 24.04].map(count),
            ["0", "0.0023", "0.02", "0.5", "6.5", "10", "24"]
        );
        assert_eq!(
            [0.0, 0.00001, 0.0008, 0.008, 0.0834, 0.5, 1.42].map(percent),
            ["0 %", "< 0.01 %", "0.08 %", "0.8 %", "8.3 %", "50 %", "142 %"]
        );
    }

    #[test]
    fn one_thing_is_no_plural() {
        let least = Figure::known(1.0).plus(&unknown());
        let most = unknown().min(&Figure::known(1.0));
        let all =
            [Figure::known(1.0), Figure::known(1.0001), Figure::known(1.5), Figure::known(0.0), least, most, unknown()];
        let shown = all.each_ref().map(|figure| counted(figure, "call"));
        assert_eq!(shown, ["1 call", "1 call", "1.5 calls", "0 calls", "at least 1 call", "≤ 1 call", "? calls"]);
    }

    #[test]
    fn of_a_bound_no_bound_is_said() {
        let least = |share: f64| limit(&Figure::known(share).plus(&unknown()));
        let most = |share: f64| limit(&unknown().min(&Figure::known(share)));
        assert_eq!([0.2, 3e-6, 3e-12, 0.0].map(least), ["at least 20 %", "at least 0.0003 %", "more than 0 %", "?"]);
        assert_eq!([0.2, 3e-6].map(most), ["≤ 20 %", "≤ 0.01 %"]);
        assert_eq!(limit(&Figure::known(3e-6)), "< 0.01 %");
    }

    #[test]
    fn a_long_list_is_cut() {
        assert_eq!(
            [1, 2, 3].map(|most| first_few(&["A", "B", "C"], most)),
            ["A and 2 more", "A, B and 1 more", "A, B, C"]
        );
    }
}
