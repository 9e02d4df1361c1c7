//! What several fixes share.

use crate::model::defs::*;

/// The name among `candidates` that is nearest to `name`, if any is near.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = name.to_lowercase();
    let near =
        candidates.into_iter().map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate));
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}

/// Names as a sentence lists them: `` `a`, `b` and `c` ``.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// `userId` and `user_id` as `USER_ID`: the usual prefix of a key value.
pub fn upper_snake(name: &str) -> String {
    let mut out = String::new();
    let mut before_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && before_lower {
            out.push('_');
        }
        before_lower = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_uppercase());
    }
    out
}

/// A key value that tells the entity's items apart: its prefix and its ids.
pub fn key_template(entity_name: &str, entity: &EntityDef) -> String {
    let prefix = upper_snake(entity_name);
    let holes: Vec<String> =
        entity.ids().map(|id| format!("{{{}}}", crate::syntax::strings::quote_name(&id.name.text))).collect();
    if holes.is_empty() { format!("\"{prefix}\"") } else { format!("\"{prefix}#{}\"", holes.join("#")) }
}
