//! Shares that add up to 100 %.

use crate::capacity::show;

/// More digits behind the point than these nobody needs to read.
const MOST_PLACES: usize = 4;

/// Three amounts as percent of their sum, in words whose numbers add up to exactly
/// 100; the last is rounded as it is. `None` where there is nothing to share.
pub(super) fn hundred(parts: [f64; 3]) -> Option<[String; 3]> {
    let sum: f64 = parts.iter().sum();
    if !sum.is_finite() || sum <= 0.0 {
        return None;
    }
    let shares = parts.map(|part| part / sum * 100.0);
    let places = shares.iter().map(|share| places(*share)).max().unwrap_or(0).min(MOST_PLACES);
    let last = 10f64.powi(places as i32);
    let mut units = shares.map(|share| (share * last).round() as i64);
    // What rounding leaves over goes where it is least seen: to the larger of the first
    // two. The last is what is decided by, and has the same digits everywhere.
    let larger = if shares[0] >= shares[1] { 0 } else { 1 };
    units[larger] += 100 * last as i64 - units.iter().sum::<i64>();
    Some(units.map(|units| format!("{} %", decimal(units, places))))
}

/// As many digits behind the point as a share would be shown with by itself; more than
/// two only where it would look like nothing.
fn places(share: f64) -> usize {
    let number = show::number(share);
    let (_, fraction) = number.split_once('.').unwrap_or_default();
    let first = fraction.find(|digit: char| digit != '0').map_or(0, |zeros| zeros + 1);
    fraction.len().min(first.max(2))
}

/// So many units of the last of these digits behind the point, less zeros at the end.
fn decimal(units: i64, places: usize) -> String {
    let one = 10i64.pow(places as u32);
    let (whole, fraction) = (units / one, units % one);
    let fraction = format!("{fraction:0places$}");
    match fraction.trim_end_matches('0') {
        "" => whole.to_string(),
        fraction => format!("{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_have_the_digits_that_they_would_have_alone() {
        let shown = |parts: [f64; 3]| hundred(parts).map(|shares| shares.join(", "));
        assert_eq!(shown([1.0, 1.0, 1.0]).as_deref(), Some("33.4 %, 33.3 %, 33.3 %"));
        assert_eq!(shown([0.0, 7.0, 60.0]).as_deref(), Some("0 %, 10.4 %, 89.6 %"));
        assert_eq!(shown([4_455.0, 32.7, 5_512.3]).as_deref(), Some("44.55 %, 0.33 %, 55.12 %"));
        assert_eq!(shown([0.004, 0.0, 99.996]).as_deref(), Some("0.004 %, 0 %, 99.996 %"));
        assert_eq!(shown([0.0, 0.0, 5.0]).as_deref(), Some("0 %, 0 %, 100 %"));
        assert_eq!(shown([0.0, 0.0, 0.0]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn shares_add_up_to_a_hundred(parts in prop::array::uniform3(prop_oneof![Just(0.0), 1e-9..1e9])) {
            prop_assume!(parts.iter().sum::<f64>() > 0.0);
            let shares = hundred(parts).expect("there is something to share");
            let micro = |share: &String| {
                let number = share.strip_suffix(" %").expect("a percentage");
                let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
                format!("{whole}{fraction:0<6}").parse::<i64>().expect("a number")
            };
            prop_assert_eq!(shares.iter().map(micro).sum::<i64>(), 100_000_000);
            prop_assert!(shares.iter().all(|share| !share.starts_with('-')));
        }
    }
}
