//! What `keywright` is held to.

use std::time::Duration;

/// Limits for a model of one size, in microseconds and kilobytes.
pub struct Bars {
    pub start: u64,
    pub open: u64,
    /// Where the model has more files than the one that is open.
    pub whole: u64,
    pub edit: u64,
    pub request: u64,
    pub peak: u64,
    pub check: Option<u64>,
}

const SMALL: Bars =
    Bars { start: 10_000, open: 5_000, whole: 5_000, edit: 1_000, request: 1_000, peak: 20 << 10, check: None };
const MIDDLE: Bars = Bars {
    start: 10_000,
    open: 40_000,
    whole: 40_000,
    edit: 3_000,
    request: 2_000,
    peak: 40 << 10,
    check: Some(60_000),
};
const LARGE: Bars = Bars {
    start: 10_000,
    open: 150_000,
    whole: 1_500_000,
    edit: 6_000,
    request: 5_000,
    peak: 600 << 10,
    check: Some(1_500_000),
};

/// An edit costs at most so many times as much in 100,000 lines as in 5,000.
pub const GROWTH: u32 = 2;

/// So many times as long the fastest of the others takes for an edit at least.
pub const FASTER: u32 = 10;

/// At most so much of the memory of the leanest of the others.
pub const LEANER: (u64, u64) = (2, 3);

/// The longest stall of a request in a single file of 100,000 lines.
pub const STALL: Duration = Duration::from_millis(100);

/// What holds for so many lines; nothing where they are in one file that is
/// larger than any person writes.
pub fn of(lines: usize, files: usize) -> Option<&'static Bars> {
    match (lines, files) {
        (..=200, _) => Some(&SMALL),
        (..=5_000, _) => Some(&MIDDLE),
        (_, 2..) => Some(&LARGE),
        _ => None,
    }
}
