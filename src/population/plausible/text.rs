//! Texts, by what the words of the attribute's name and of its entity's say.

use super::kinds::titled;
use super::pools::*;
use super::words::{ends, has, words};
use super::{example, time};
use crate::model::defs::Name;
use crate::population::spell::Wanted;
use crate::population::template::hash;

/// The text of an attribute: its `@example` first, else what its name asks for;
/// without what `@without` excludes.
pub(super) fn text(wanted: Wanted<'_>) -> String {
    let Wanted { attribute, number, alone, .. } = wanted;
    let made = match example::given(attribute) {
        Some(given) => example::varied(&given, number, || named(wanted, number).map(|made| made.text(number, alone))),
        None => named(wanted, number).unwrap_or_else(|| unknown(wanted)).text(number, alone),
    };
    without(made, attribute.without.iter().map(|text| text.value.as_str()))
}

/// The name of an enum, in turn.
pub(super) fn of_enum(names: &[Name], number: usize) -> String {
    names.get(number % names.len().max(1)).map(|name| name.text.clone()).unwrap_or_default()
}

/// What a name asks for.
pub(super) enum Made {
    /// One of these, in turn; those that must differ are numbered from the second
    /// round on, behind this.
    Of(&'static [&'static str], &'static str),
    /// A text of its own.
    Own(String),
}

impl Made {
    pub(super) fn text(self, number: usize, alone: bool) -> String {
        match self {
            Made::Own(text) => text,
            Made::Of(pool, joint) => {
                let text = pool.get(number % pool.len().max(1)).copied().unwrap_or_default();
                let round = number / pool.len().max(1);
                if alone && round > 0 { format!("{text}{joint}{}", round + 1) } else { text.to_owned() }
            }
        }
    }
}

/// A person of whom there are a hundred and thirty.
pub(super) fn person(number: usize) -> (&'static str, &'static str) {
    let first = number % FIRST_NAMES.len();
    (FIRST_NAMES[first], LAST_NAMES[(number + number / FIRST_NAMES.len()) % LAST_NAMES.len()])
}

/// One text as a part of an address: `a-week-in-lisbon`.
fn slug(text: &str) -> String {
    words(text).join("-")
}

/// What the name of an attribute asks for; `None` where nothing is known of it.
fn named(wanted: Wanted<'_>, n: usize) -> Option<Made> {
    let name = words(&wanted.attribute.name.text);
    let entity = words(wanted.entity);
    let (first, last) = person(n);
    let small = |text: &str| text.to_lowercase();
    let own = |text: String| Some(Made::Own(text));
    let of = |pool| Some(Made::Of(pool, " "));
    let numbered = |pool| Some(Made::Of(pool, "-"));
    if has(&name, &["email", "mail"]) {
        own(format!("{}.{}{}@example.com", small(first), small(last), round_of_people(n)))
    } else if has(&name, &["phone", "mobile", "tel", "telephone", "fax"]) {
        // Numbers that are kept free for fiction.
        own(format!("+44 20 7946 0{:03}", (113 + n * 7) % 1_000))
    } else if ends(&name, &["url", "uri", "link", "href", "website", "homepage"]) {
        own(format!("https://example.com/{}/{}", small(&entity.join("-")), n + 1))
    } else if ends(&name, &["domain", "host", "hostname"]) {
        own(format!("{}.example", numbered_slug(COMPANIES, n)))
    } else if ends(&name, &["product"]) {
        of(PRODUCTS)
    } else if ends(&name, &["specialty", "speciality", "specialism"]) {
        of(SPECIALTIES)
    } else if ends(&name, &["avatar", "image", "photo", "picture", "icon", "logo", "thumbnail"]) {
        own(format!("https://example.com/images/{}-{}.jpg", entity.join("-"), n + 1))
    } else if ends(&name, &["slug", "permalink"]) {
        own(numbered_slug(TITLES, n))
    } else if ends(&name, &["path", "file", "filename", "key"]) && !has(&name, &["api", "public", "private", "id"]) {
        own(format!("{}/{}.txt", entity.join("-"), numbered_slug(TITLES, n)))
    } else if has(&name, &["handle", "username", "nick", "nickname", "login", "alias", "gamertag"])
        || (ends(&name, &["name"]) && has(&name, &["user", "screen"]) && name.len() == 2)
    {
        own(format!("{}_{}{}", small(first), small(last), round_of_people(n)))
    } else if ends(&name, &["name", "title", "label", "headline", "subject", "topic", "heading"]) {
        let before: Vec<String> = name[..name.len() - 1].to_vec();
        let whose = if before.is_empty() || has(&before, &["full", "display", "short", "long", "legal"]) {
            entity
        } else {
            before
        };
        Some(titled(&name, &whose, n))
    } else if has(&name, &["author", "assignee", "owner", "contact", "recipient", "sender"]) && name.len() == 1 {
        own(format!("{first} {last}{}", round_of_people(n)))
    } else if has(&name, &["city", "town", "place", "location", "origin", "destination"]) {
        of(CITIES)
    } else if has(&name, &["country", "nationality"]) {
        of(if super::most(wanted.attribute).is_some_and(|most| most < 8) || has(&name, &["code"]) {
            COUNTRY_CODES
        } else {
            COUNTRIES
        })
    } else if has(&name, &["street", "address", "addr"]) && !has(&name, &["ip", "mac", "wallet"]) {
        own(format!("{} {}, {}", 4 + n * 3, STREETS[n % STREETS.len()], CITIES[n % CITIES.len()]))
    } else if has(&name, &["zip", "postcode", "postal"]) {
        own(format!("{:05}", 10_115 + n * 37))
    } else if has(&name, &["currency"]) {
        of(CURRENCIES)
    } else if has(&name, &["language", "lang"]) {
        of(LANGUAGES)
    } else if has(&name, &["locale"]) {
        of(LOCALES)
    } else if has(&name, &["timezone", "tz"]) {
        of(TIME_ZONES)
    } else if has(&name, &["colour", "color"]) {
        numbered(COLOURS)
    } else if name == ["size"] {
        numbered(SIZES)
    } else if has(&name, &["category", "genre", "department", "section"]) {
        numbered(CATEGORIES)
    } else if has(&name, &["status", "state", "phase", "stage"]) {
        numbered(STATES)
    } else if has(&name, &["role", "permission", "scope"]) {
        numbered(ROLES)
    } else if has(&name, &["region", "district", "province", "zone", "area"]) {
        numbered(REGIONS)
    } else if has(&name, &["tag", "tags", "keyword", "keywords"]) {
        numbered(TAGS)
    } else if has(&name, &["unit", "uom"]) {
        numbered(UNITS)
    } else if has(&name, &["device", "platform", "agent"]) && !has(&name, &["id"]) {
        numbered(DEVICES)
    } else if has(
        &name,
        &["company", "organisation", "organization", "employer", "brand", "vendor", "supplier", "merchant"],
    ) {
        of(COMPANIES)
    } else if has(&name, TEXTS) {
        of(SENTENCES)
    } else if has(&name, &["sku", "isbn", "barcode", "ean", "upc"]) {
        own(format!("SKU-{:04}", 1_042 + n * 13))
    } else if has(&name, &["plate", "registration"]) {
        own(format!("AB{:02} {}", 12 + n % 88, ["KLM", "PQR", "TUV"][n % 3]))
    } else if has(&name, &["ip"]) {
        own(format!("203.0.113.{}", 10 + n % 240))
    } else if has(&name, &["version", "release"]) {
        own(format!("1.{}.0", n))
    } else if has(
        &name,
        &["hash", "digest", "checksum", "etag", "token", "secret", "password", "signature", "fingerprint"],
    ) {
        own(format!("{:016x}", hash(&format!("{} {n}", wanted.tag))))
    } else {
        time::part(&name, n).map(Made::Own)
    }
}

const TEXTS: &[&str] = &[
    "description",
    "summary",
    "body",
    "text",
    "content",
    "message",
    "comment",
    "note",
    "notes",
    "bio",
    "about",
    "review",
    "reason",
    "excerpt",
    "caption",
    "question",
    "answer",
    "instructions",
];

/// The number of the round, where the people of the first are used up.
pub(super) fn round_of_people(number: usize) -> String {
    let round = number / (FIRST_NAMES.len() * LAST_NAMES.len());
    if round == 0 { String::new() } else { (round + 1).to_string() }
}

fn numbered_slug(pool: &'static [&'static str], n: usize) -> String {
    slug(&Made::Of(pool, " ").text(n, true))
}

/// What stands for a text of which nothing is known: `lane 1`, `order-1001`.
fn unknown(wanted: Wanted<'_>) -> Made {
    let mut name = words(&wanted.attribute.name.text);
    let number = wanted.number;
    if ends(&name, &["id", "code", "key", "ref", "reference", "no", "number", "identifier"]) {
        name.pop();
        let whose = if name.is_empty() { words(wanted.entity) } else { name };
        return Made::Own(format!(
            "{}-{}",
            if whose.is_empty() { "no".to_owned() } else { whose.join("-") },
            1_001 + number
        ));
    }
    let name = if name.is_empty() { "value".to_owned() } else { name.join(" ") };
    Made::Own(format!("{name} {}", number + 1))
}

/// A text without these parts.
fn without<'t>(mut text: String, parts: impl Iterator<Item = &'t str> + Clone) -> String {
    let stands = |joint: &str| parts.clone().all(|part| part.is_empty() || joint.is_empty() || !part.contains(joint));
    let joint = ["-", "_", "."].into_iter().find(|joint| stands(joint)).unwrap_or("");
    for part in parts.clone().filter(|part| !part.is_empty()) {
        // What is left may make the part anew.
        for _ in 0..8 {
            if !text.contains(part) {
                break;
            }
            text = text.replace(part, joint);
        }
    }
    if text.is_empty() { "a".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_excluded_is_not_there_and_the_rest_reads_on() {
        let of = |text: &str, parts: &[&str]| without(text.to_owned(), parts.iter().copied());
        assert_eq!(of("Blue mug", &[" "]), "Blue-mug");
        assert_eq!(of("a-week", &["-"]), "a_week");
        assert_eq!(of("aabb", &["ab", "-", "_", "."]), "a");
        assert_eq!(of("plain", &["", "#"]), "plain");
    }

    #[test]
    fn people_and_pools_go_on_when_they_are_used_up() {
        let all: std::collections::BTreeSet<_> = (0..132).map(person).collect();
        assert_eq!(all.len(), 132);
        assert_eq!(numbered_slug(TITLES, 1), "a-week-in-lisbon");
        assert_eq!(numbered_slug(TITLES, 9), "a-week-in-lisbon-2");
    }
}
