//! Numbers as people read them. The only place where anything is rounded.

use super::figure::Figure;

/// A count: `1,200`, `2.5`, `30M`. What is an average of a few has the digits that it
/// has as a number: `0.25` is not `0.3` elsewhere.
pub fn count(value: f64) -> String {
    let (value, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v < 10.0 => return number(value),
        _ => (value, ""),
    };
    format!("{}{unit}", one_decimal(value))
}

/// A count of things: `1 read unit`, `7.5 read units`.
pub fn count_of(value: f64, what: &str) -> String {
    let count = count(value);
    if count == "1" { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Bytes with the largest unit that leaves a whole part: `600 B`, `57.2 MB`.
pub fn bytes(value: f64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut value = value;
    let mut unit = 0;
    while value >= 1_024.0 && unit + 1 < units.len() {
        value /= 1_024.0;
        unit += 1;
    }
    format!("{} {}", one_decimal(value), units[unit])
}

/// Dollars: whole from 100, cents from 1, two digits that count below.
pub fn dollars(value: f64) -> String {
    if value >= 100.0 {
        return format!("${}", grouped(value.round()));
    }
    if value >= 1.0 || value <= 0.0 {
        return format!("${value:.2}");
    }
    let places = (1.0 - value.log10().floor()).max(2.0) as usize;
    format!("${value:.places$}")
}

/// A number to compute with, and the unit of its last digit: every digit before
/// the point, and behind it as many as give six that count: `40,000,000`,
/// `33,333.3`, `0.0578704`, or three where that is all of it: `122,070.5`. `less`
/// digits are left away: `33,330`.
pub fn digits(value: f64, less: i32) -> (String, f64) {
    if !value.is_finite() {
        return ("∞".to_owned(), 0.0);
    }
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let whole = (value * 1e3).round() / 1e3;
    let places = if (whole - value).abs() <= value.abs() * 1e-12 { 3 } else { 0 };
    decimals(value, (5 - magnitude).clamp(places, 17) - less)
}

/// Dollars to compute with, and the unit of their last digit: cents from 1 where
/// they are whole, else four digits behind the point; four that count below 1.
/// `less` digits are left away, single cents with the tens of them.
pub fn money(value: f64, less: i32) -> (String, f64) {
    if !value.is_finite() {
        return ("$∞".to_owned(), 0.0);
    }
    let magnitude = if value <= 0.0 { 0 } else { value.log10().floor() as i32 };
    let places = if value >= 1.0 || value <= 0.0 { 4 } else { (3 - magnitude).clamp(2, 17) };
    let (mut text, last) = match places - less {
        fewer if value >= 1.0 && fewer < 2 => {
            let (dollars, last) = decimals(value, fewer.min(1) - 1);
            return (format!("${dollars}"), last);
        }
        places => decimals(value, places),
    };
    // Cents have two digits.
    match text.split_once('.').map(|(_, cents)| cents.len()) {
        None => text.push_str(".00"),
        Some(1) => text.push('0'),
        Some(_) => {}
    }
    (format!("${text}"), last)
}

/// A number with so many digits behind the point, less the zeros at its end, and
/// the unit of the last of them. Fewer than none are digits before the point.
fn decimals(value: f64, places: i32) -> (String, f64) {
    let last = 10f64.powi(-places);
    if places < 0 {
        return (grouped((value / last).round() * last), last);
    }
    let text = format!("{value:.*}", places as usize);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    match fraction.trim_end_matches('0') {
        "" => (whole, last),
        fraction => (format!("{whole}.{fraction}"), last),
    }
}

/// A figure: known, `≤ 20`, `at least 20` or `unknown`; `number` shows a number.
pub fn figure(figure: &Figure, number: impl Fn(f64) -> String) -> String {
    match (figure.value(), figure.high()) {
        (Some(value), _) => number(value),
        (None, Some(high)) => format!("≤ {}", number(high)),
        (None, None) if figure.low() > 0.0 && figure.low().is_finite() => format!("at least {}", number(figure.low())),
        (None, None) => "unknown".to_owned(),
    }
}

/// A number with three digits that count, whole from 100, thousands set apart:
/// `61`, `7.2`, `0.0157`.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = 2 - value.abs().log10().floor() as i32;
    if places <= 0 {
        return grouped(value.round());
    }
    let text = format!("{value:.*}", places as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A share: `1.8 %`, `120 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0))
}

/// The same, where nothing hangs on how small a share is: `< 0.01 %`.
pub fn small_percent(share: f64) -> String {
    if share > 0.0 && share < 1e-4 { "< 0.01 %".to_owned() } else { percent(share) }
}

/// A share of a limit, of which nothing hangs on how small it is: `12 %`,
/// `< 0.01 %`, `≤ 0.01 %`, `at least 0.0003 %` or `unknown`.
pub fn part(share: &Figure) -> String {
    match (share.value(), share.high(), share.low()) {
        (Some(value), ..) => small_percent(value),
        (None, Some(high), _) => format!("≤ {}", percent(high.max(1e-4))),
        (None, None, low) if low > 0.0 && low < 1e-6 => "more than 0 %".to_owned(),
        (None, None, _) => figure(share, percent),
    }
}

/// A count that is held against limits: it never looks like one of them, nor like
/// nothing, where it is neither: `1,000.4` beside 1,000, `0.04`.
pub fn count_beside(value: f64, limits: &[f64]) -> String {
    let (scale, unit) = match value.abs() {
        v if v >= 1e9 => (1e9, "G"),
        v if v >= 1e6 => (1e6, "M"),
        _ => (1.0, ""),
    };
    beside(value, limits, count, |value, places| format!("{}{unit}", decimals(value / scale, places as i32).0))
}

/// The same of things: `1,000.4 write units`.
pub fn count_of_beside(value: f64, what: &str, limits: &[f64]) -> String {
    if value == 1.0 { format!("1 {what}") } else { format!("{} {what}s", count_beside(value, limits)) }
}

/// Bytes that are held against limits: `300.001 KB` beside 300 KB.
pub fn bytes_beside(value: f64, limits: &[f64]) -> String {
    let step = [4, 3, 2, 1].into_iter().find(|step| value >= 1_024f64.powi(*step)).unwrap_or(0);
    let unit = ["B", "KB", "MB", "GB", "TB"][step as usize];
    let long = |value: f64, places: usize| format!("{} {unit}", decimals(value / 1_024f64.powi(step), places as i32).0);
    beside(value, limits, bytes, long)
}

/// A number shown in brief, unless that is how a limit shows that it does not lie
/// on: then with as many digits as tell the two apart.
fn beside(value: f64, limits: &[f64], brief: impl Fn(f64) -> String, long: impl Fn(f64, usize) -> String) -> String {
    // What lies a trace beside a limit, as a product of shares does, lies on it.
    let others: Vec<f64> = limits.iter().copied().filter(|limit| (value - limit).abs() > limit.abs() * 1e-9).collect();
    let shown = brief(value);
    if others.iter().all(|limit| brief(*limit) != shown) {
        return shown;
    }
    let differs = |places: &usize| others.iter().all(|limit| long(*limit, *places) != long(value, *places));
    (1..=12).find(differs).map_or(shown, |places| long(value, places))
}

/// A number with at most one decimal, thousands set apart.
fn one_decimal(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if value.abs() >= 100.0 || rounded.fract() == 0.0 { grouped(value.round()) } else { format!("{rounded:.1}") }
}

fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut out = String::new();
    for (index, c) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    if value < 0.0 && digits != "0" { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_with_has_six_digits_that_count() {
        let shown = [4e7, 1e5 / 3.0, 5_000.0 / 86_400.0, 2.5, 0.0].map(|value| digits(value, 0).0);
        assert_eq!(shown, ["40,000,000", "33,333.3", "0.0578704", "2.5", "0"]);
        assert_eq!(digits(1e5 / 3.0, 2), ("33,330".to_owned(), 10.0));
        let shown = [126.36, 1_234.5, 11.664, 0.051_84, 2.0 / 3.0].map(|value| money(value, 0).0);
        assert_eq!(shown, ["$126.36", "$1,234.50", "$11.664", "$0.05184", "$0.6667"]);
        let shown = [1, 2, 3, 4].map(|less| money(3_683.405_55, less).0);
        assert_eq!(shown, ["$3,683.406", "$3,683.41", "$3,683", "$3,680"]);
        assert_eq!(digits(122_070.5, 0).0, "122,070.5");
    }

    #[test]
    fn a_small_share_of_a_limit_is_bounded_once() {
        let unknown = || Figure::unknown(crate::capacity::figure::Input::Region);
        let least = |share: f64| part(&Figure::known(share).plus(&unknown()));
        let most = |share: f64| part(&unknown().min(&Figure::known(share)));
        assert_eq!([0.0, 3e-6, 0.12].map(|share| part(&Figure::known(share))), ["0 %", "< 0.01 %", "12 %"]);
        assert_eq!(
            [0.0, 3e-12, 3e-6, 0.12].map(least),
            ["unknown", "more than 0 %", "at least 0.0003 %", "at least 12 %"]
        );
        assert_eq!([3e-6, 0.12].map(most), ["≤ 0.01 %", "≤ 12 %"]);
    }

    #[test]
    fn a_number_is_never_rounded_onto_a_limit_that_it_does_not_meet() {
        let limits = [500.0, 1_000.0];
        for (value, shown) in [
            (500.4, "500.4"),
            (499.96, "499.96"),
            (1_000.4, "1,000.4"),
            (1_000.04, "1,000.04"),
            (1_000.0, "1,000"),
            (1_000.000_000_000_1, "1,000"),
            (1_001.4, "1,001"),
            (0.04, "0.04"),
            (0.000_123, "0.000123"),
            (0.0, "0"),
        ] {
            assert_eq!(count_beside(value, &limits), shown);
        }
        assert_eq!([count_beside(40_000.4, &[4e4]), count_beside(2_000_001.0, &[2e6])], ["40,000.4", "2.000001M"]);
        let (kb, mb) = (1_024.0, 1_048_576.0);
        assert_eq!(bytes_beside(300.0 * kb + 1.0, &[300.0 * kb]), "300.001 KB");
        assert_eq!(bytes_beside(mb + 1.0, &[mb]), "1.000001 MB");
        assert_eq!(bytes_beside(10_239.99 * mb, &[10_240.0 * mb]), "9.99999 GB");
        assert_eq!([bytes_beside(mb, &[mb]), bytes_beside(2_048.0, &[mb])], ["1 MB", "2 KB"]);
        assert_eq!(count_of_beside(1.0, "unit", &[1.0]), "1 unit");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([count(0.3), count(7.0), count(12_345.6), count(2_500_000.0)], ["0.3", "7", "12,346", "2.5M"]);
        for value in [0.25, 0.3, 0.0157, 7.25, 9.999, 42.42, 640.2, 12_345.6] {
            assert_eq!(count(value), number(value), "one number has one spelling");
        }
        assert_eq!(
            [number(0.0), number(61.0), number(7.2), number(1_234.5), number(0.015_66)],
            ["0", "61", "7.2", "1,235", "0.0157"]
        );
        assert_eq!([percent(0.018), percent(1.25), percent(0.000_012_3)], ["1.8 %", "125 %", "0.00123 %"]);
        assert_eq!([bytes(600.0), bytes(2_048.0), bytes(6e7)], ["600 B", "2 KB", "57.2 MB"]);
        assert_eq!(
            [dollars(0.0), dollars(0.0243), dollars(9.4e-7), dollars(0.5), dollars(12.345), dollars(12_345.6)],
            ["$0.00", "$0.024", "$0.00000094", "$0.50", "$12.35", "$12,346"]
        );
    }
}
