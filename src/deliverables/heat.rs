//! The rules that speak of load, by what each asks.

/// Whether one value of a key takes more than DynamoDB gives it.
pub(super) const HOT: [&str; 7] = [
    "hot-partition-key",
    "hot-index-key",
    "rising-sort-key",
    "time-bucketed-partition-key",
    "low-cardinality-key",
    "transaction-contention",
    "useless-shard",
];

/// Whether a table as a whole takes its peaks, from the first day on.
pub(super) const PEAKS: [&str; 2] = ["throughput-quota", "cold-start-peak"];

/// Whether what is spread has to be.
pub(super) const SPREAD: [&str; 1] = ["needless-sharding"];

/// All of them.
pub(super) const LOAD: [&str; HOT.len() + PEAKS.len() + SPREAD.len()] = joined(&[&HOT, &PEAKS, &SPREAD]);

const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut own = 0;
        while own < lists[list].len() {
            all[at] = lists[list][own];
            (own, at) = (own + 1, at + 1);
        }
        list += 1;
    }
    all
}
