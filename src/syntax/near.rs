//! Names that are nearly another name.

/// How alike two names must be for one to be offered for the other, by Jaro and
/// Winkler: one letter wrong or left out of four, or two exchanged, still are.
const NEAR: f64 = 0.8;

/// The name among `candidates` that is nearest to `name`, if any is near.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = name.to_lowercase();
    let near =
        candidates.into_iter().map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate));
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > NEAR).then_some(best.1)
}

/// Whether one name is most likely the other with a slip of the hand: of the shorter one
/// at most a third of the letters are wrong.
pub fn is_slip(name: &str, candidate: &str) -> bool {
    let (name, candidate) = (name.to_lowercase(), candidate.to_lowercase());
    let shorter = name.chars().count().min(candidate.chars().count());
    strsim::osa_distance(&name, &candidate) * 3 <= shorter
}
