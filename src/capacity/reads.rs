//! Read units (numbers.md, Q6–Q8).

use super::estimate::{Estimate, Input, all, both};
use super::sizes::{entry_bytes, members};
use crate::model::db::{Db, SourceFile};
use crate::model::defs::ReadOptions;
use crate::model::layout::Source;
use crate::syntax::Unit;

/// Bytes of a page of a query or scan: 1 MB (L26).
pub const PAGE: f64 = 1_048_576.0;
/// Bytes that one read unit reads, strongly consistent (facts 3.2).
pub const UNIT: f64 = 4_096.0;

/// Items of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Items {
    pub count: f64,
    /// Bytes of all of them.
    pub bytes: f64,
}

/// What one call of a scan reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan {
    /// All that its table or index holds.
    pub whole: Items,
    /// What one call reads of it.
    pub read: Items,
    pub units: f64,
}

impl Scan {
    /// How many calls it takes to pass through everything.
    pub fn calls(&self) -> f64 {
        if self.read.count > 0.0 { (self.whole.count / self.read.count).ceil().max(1.0) } else { 1.0 }
    }

    /// The same so many times in one call (`times`).
    pub fn repeated(self, times: f64) -> Self {
        let read = Items { count: self.read.count * times, bytes: self.read.bytes * times };
        Self { read, units: self.units * times, ..self }
    }
}

/// What is in a table or index: Σ members × bytes.
pub fn contents(db: &dyn Db, root: SourceFile, source: Source<'_>) -> Estimate<Items> {
    let mut items = source.items().peekable();
    if items.peek().is_none() {
        return Err(Input::Items(source.layout.name.text.clone()).into());
    }
    let kinds = items.map(|item| both(members(db, source, item), entry_bytes(db, root, source, item)));
    let kinds = all(kinds)?;
    let count = kinds.iter().map(|(members, _)| members).sum();
    Ok(Items { count, bytes: kinds.iter().map(|(members, bytes)| members * bytes).sum() })
}

/// A scan reads everything in its table or index; with a `limit`, or where
/// `returning` says how many, that many items of the mean size (Q4, Q6), and as
/// many such pages as `pages avg` says (Q7).
pub fn scan(whole: Items, options: &ReadOptions, pages: Option<f64>) -> Scan {
    let limit = options.limit.as_ref().and_then(|limit| limit.get(Unit::Number));
    let returning = options.returning.as_ref().and_then(|returning| returning.avg(Unit::Number));
    let count = [limit, returning].into_iter().flatten().fold(whole.count, f64::min);
    let mean = if whole.count > 0.0 { whole.bytes / whole.count } else { 0.0 };
    let consistency = if options.consistent.is_some() { 1.0 } else { 0.5 };
    match pages {
        Some(pages) => {
            let bytes = (count * mean).min(PAGE);
            let count = if mean > 0.0 { bytes / mean } else { count };
            let read = Items { count: count * pages, bytes: bytes * pages };
            Scan { whole, read, units: units(bytes, consistency) * pages }
        }
        None => {
            let read = Items { count, bytes: count * mean };
            Scan { whole, read, units: units(read.bytes, consistency) }
        }
    }
}

/// Units for reading so many bytes by query or scan: page by page of at most
/// 1 MB, each summed and then rounded up to 4 KB, at least one unit; eventually
/// consistent reads cost half (Q7, Q8, facts 3.3).
pub fn units(bytes: f64, consistency: f64) -> f64 {
    let full = (bytes / PAGE).floor();
    let rest = ((bytes - full * PAGE) / UNIT).ceil();
    (full * (PAGE / UNIT) + rest).max(1.0) * consistency
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_summed_and_then_rounded() {
        // Facts 3.3: 40.8 KB are 44 KB, 11 strong, 5.5 eventual; nothing is one.
        assert_eq!(units(40.8 * 1_024.0, 1.0), 11.0);
        assert_eq!(units(40.8 * 1_024.0, 0.5), 5.5);
        assert_eq!(units(0.0, 0.5), 0.5);
        assert_eq!(units(PAGE, 0.5), 128.0);
        assert_eq!(units(PAGE + 1.0, 1.0), 257.0);
        // The flats of docs/concepts/scans.md.
        assert_eq!(units(300_000.0 * 150.31, 0.5), 5_505.0);
        assert_eq!(units(3_000.0 * 104.0, 0.5), 38.5);
    }

    #[test]
    fn a_limit_bounds_a_scan_and_pages_repeat_it() {
        let whole = Items { count: 100_000.0, bytes: 60_000_000.0 };
        let limit = |text: &str| {
            let value = crate::model::defs::Value {
                quantity: crate::syntax::Quantity::parse(text),
                written: text.to_owned(),
                range: Default::default(),
            };
            ReadOptions { limit: Some(value), ..ReadOptions::default() }
        };
        assert_eq!(scan(whole, &limit("100"), None).units, 7.5);
        assert_eq!(scan(whole, &limit("100"), None).calls(), 1_000.0);
        assert_eq!(scan(whole, &limit("100"), Some(2.0)).units, 15.0);
        assert_eq!(scan(whole, &limit("200k"), None).read, whole);
        assert_eq!(scan(whole, &ReadOptions::default(), Some(1.0)).units, 128.0);
    }
}
