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

/// How an entity spells names of several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseStyle {
    Snake,
    Camel,
    Pascal,
}

impl CaseStyle {
    /// The style that most attributes of the entity have.
    pub fn of(entity: &EntityDef) -> Self {
        let names = || entity.attributes.iter().map(|attribute| attribute.name.text.as_str());
        let upper = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        let pascal = names().filter(|name| upper(name)).count();
        let camel = names().filter(|name| !upper(name) && name.contains(|c: char| c.is_ascii_uppercase())).count();
        let snake = names().count() - pascal - camel;
        if pascal > camel && pascal > snake {
            CaseStyle::Pascal
        } else if camel > names().filter(|name| name.contains('_')).count() {
            CaseStyle::Camel
        } else {
            CaseStyle::Snake
        }
    }

    /// Two lower-case words as one name.
    pub fn join(self, first: &str, second: &str) -> String {
        let capital = |word: &str| {
            let mut chars = word.chars();
            chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
        };
        match self {
            CaseStyle::Snake => format!("{first}_{second}"),
            CaseStyle::Camel => format!("{first}{}", capital(second)),
            CaseStyle::Pascal => format!("{}{}", capital(first), capital(second)),
        }
    }
}

/// A name that no attribute of the entity has: `wanted`, else with a number.
pub fn unused_attribute(entity: &EntityDef, wanted: &str) -> String {
    let numbered = (2..).map(|n| format!("{wanted}{n}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| entity.attribute(name).is_none()).unwrap_or_else(|| wanted.to_owned())
}
