//! Instants and days, by what their names say: what was made comes before what
//! was changed, and what ends lies ahead.

use super::words::{has, words};
use crate::model::defs::AttributeDef;
use crate::population::spell::{Expires, Wanted, instant};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
/// 2026-03-02T08:15:00Z, a Monday, in seconds since 1970.
const MADE: u64 = 1_772_439_300;
/// 2030-01-01T00:00:00Z: what expires some day has not yet.
const AHEAD: u64 = 1_893_456_000;
/// What lies between two items.
const STEP: u64 = 26 * HOUR + 1_680;

/// The instant of an id that holds its time.
pub(super) fn of_id(number: usize) -> u64 {
    MADE + number as u64 * STEP
}

fn at(name: &[String], number: usize) -> u64 {
    let number = number as u64;
    if has(name, ENDING) {
        MADE + 90 * DAY + number * DAY
    } else if has(name, &["updated", "modified", "changed", "edited", "last", "seen", "closed", "finished"]) {
        MADE + 20 * DAY + number * STEP + 25 * 60
    } else {
        MADE + number * STEP
    }
}

const ENDING: &[&str] = &[
    "expires",
    "expire",
    "expiry",
    "expiration",
    "ttl",
    "until",
    "ends",
    "end",
    "due",
    "deadline",
    "delete",
    "deletes",
    "purge",
    "retire",
    "valid",
    "renews",
    "departure",
];

/// A timestamp, to the second.
pub(super) fn timestamp(attribute: &AttributeDef, number: usize) -> String {
    instant(at(&words(&attribute.name.text), number))
}

/// Seconds since 1970. What a table's `ttl` names decides when its item goes,
/// whatever it is called: as long after it was made as it is useful, else some day.
pub(super) fn epoch(wanted: Wanted<'_>) -> String {
    let seconds = match wanted.expires {
        Some(Expires::After(lifetime)) => of_id(wanted.number).saturating_add(lifetime),
        Some(Expires::Ahead) => AHEAD + wanted.number as u64 * DAY,
        None => at(&words(&wanted.attribute.name.text), wanted.number),
    };
    seconds.to_string()
}

/// The beginning of a timestamp, as long as a text of this name holds one: a day,
/// a month, a year.
pub(super) fn part(name: &[String], number: usize) -> Option<String> {
    let spaced = |step: u64| instant(MADE + number as u64 * step);
    const DAYS: &[&str] = &["day", "date", "night", "birthday", "born", "arrival", "checkin", "checkout", "departure"];
    if has(name, DAYS) {
        Some(spaced(DAY)[..10].to_owned())
    } else if has(name, &["month"]) {
        // Months are of no one length: they are counted.
        let month = 2 + number;
        Some(format!("{:04}-{:02}", 2026 + month / 12, month % 12 + 1))
    } else if has(name, &["year"]) {
        Some((2026 - number as i64 % 1_000).to_string())
    } else if has(name, &["hour"]) {
        Some(spaced(HOUR)[..13].to_owned())
    } else if has(name, &["week"]) {
        Some(format!("2026-W{:02}", number % 52 + 1))
    } else if has(name, &["time", "timestamp"]) {
        Some(spaced(STEP))
    } else {
        None
    }
}

/// A day, an instant or another text that begins with a day, so many days later;
/// `None` where it begins with none.
pub(super) fn later(text: &str, days: usize) -> Option<String> {
    let digits = |range: std::ops::Range<usize>| -> Option<u64> {
        let part = text.get(range)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let is_day = text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    if !is_day || !(1970..3000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let wanted = since_1970(year, month, day) + days as u64;
    Some(format!("{}{}", &instant(wanted * DAY)[..10], text.get(10..)?))
}

/// Days from 1970-01-01 (Howard Hinnant's days_from_civil).
fn since_1970(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_go_on_over_the_ends_of_months() {
        assert_eq!(later("2026-11-30", 1).as_deref(), Some("2026-12-01"));
        assert_eq!(later("2024-02-28T09:00:00Z", 2).as_deref(), Some("2024-03-01T09:00:00Z"));
        assert_eq!(later("1970-01-01", 0).as_deref(), Some("1970-01-01"));
        for text in ["2026-13-01", "2026-1", "LIS1-22-33", "2026/11/30", "éé26-11-30"] {
            assert_eq!(later(text, 1), None, "{text}");
        }
    }

    #[test]
    fn what_is_made_comes_before_what_is_changed_and_what_ends() {
        let name = |name: &str| words(name);
        let at = |word: &str| at(&name(word), 3);
        assert!(at("created_at") < at("UpdatedAt") && at("UpdatedAt") < at("expiresAt"));
        assert_eq!(part(&name("birth_day"), 30).as_deref(), Some("2026-04-01"));
        assert_eq!(part(&name("month"), 10).as_deref(), Some("2027-01"));
        assert_eq!(instant(MADE), "2026-03-02T08:15:00Z");
        assert_eq!(instant(AHEAD), "2030-01-01T00:00:00Z");
    }
}
