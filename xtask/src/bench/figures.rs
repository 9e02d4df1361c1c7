//! What was measured, and what is made of it.

use std::time::Duration;

/// Durations of one thing that was done again and again.
#[derive(Clone, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The duration that so many in a hundred do not exceed (nearest rank).
    pub fn percentile(&self, hundredths: usize) -> Option<Duration> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * hundredths).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied()
    }

    pub fn p50(&self) -> Option<Duration> {
        self.percentile(50)
    }

    pub fn p95(&self) -> Option<Duration> {
        self.percentile(95)
    }
}

/// What one server needed for one text.
#[derive(Default)]
pub struct Figures {
    /// From starting the process to the answer of `initialize`.
    pub start: Times,
    /// From `didOpen` to the first diagnostics of that file.
    pub open: Times,
    /// From `didOpen` to the diagnostics that take in the whole model.
    pub whole: Times,
    /// From an edit to the diagnostics of the text with it.
    pub edit: Times,
    /// From a request that follows an edit to its answer.
    pub completion: Times,
    pub hover: Times,
    pub symbols: Times,
    pub format: Times,
    /// The most memory of all runs, in kilobytes.
    pub peak: u64,
}

/// Milliseconds, with as many digits as say something.
pub fn millis(time: Option<Duration>) -> String {
    time.map_or_else(|| "–".to_owned(), |time| digits(time.as_secs_f64() * 1_000.0))
}

/// Megabytes of a number of kilobytes.
pub fn megabytes(kilobytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "kilobytes of a process are far below 2^52")]
    digits(kilobytes as f64 / 1_024.0)
}

fn digits(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// How many times as long as `one` the `other` takes.
pub fn ratio(one: Option<Duration>, other: Option<Duration>) -> String {
    match one.zip(other) {
        Some((one, other)) if !one.is_zero() => format!("{}×", digits(other.as_secs_f64() / one.as_secs_f64())),
        _ => "–".to_owned(),
    }
}
