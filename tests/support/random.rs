//! Properties over cases drawn at random.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use std::hash::{BuildHasher, RandomState};

/// So many cases, or as many as `PROPTEST_CASES` says. `.cargo/config.toml` gives the
/// seed that they are drawn from, unless `PROPTEST_RNG_SEED` is set; a failure tells it.
pub fn cases(cases: u32) -> ProptestConfig {
    let known = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { known.cases } else { cases };
    let seed = match known.rng_seed {
        RngSeed::Random => RandomState::new().hash_one(cases),
        RngSeed::Fixed(seed) => seed,
    };
    println!("the same cases again: PROPTEST_RNG_SEED={seed} PROPTEST_CASES={cases}");
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..known }
}
