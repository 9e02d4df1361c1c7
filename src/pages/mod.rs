//! The documentation, compiled in: one page a rule and one a concept, and what
//! they rest on. Hovers, `explain` and the web show the same text.

mod sheets;

pub use sheets::sheet_lines;

use include_dir::{Dir, include_dir};
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/rules");
static CONCEPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/concepts");

/// The pages of the rules by name; the folder's index is none.
fn rule_pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pages = RULES.files().filter_map(|file| {
        let name = file.path().file_name()?.to_str()?.strip_suffix(".md")?;
        Some((name, file.contents_utf8()?))
    });
    pages.filter(|(name, _)| *name != "README")
}

/// The page of a rule, Markdown.
pub fn rule(name: &str) -> Option<&'static str> {
    RULES.get_file(format!("{name}.md"))?.contents_utf8()
}

/// The first paragraph below the title of a page, on one line.
pub fn summary(page: &str) -> Option<String> {
    let mut paragraphs = page.split("\n\n").map(str::trim);
    let first = paragraphs.find(|text| !text.is_empty() && !text.starts_with('#'))?;
    Some(first.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A concept of DynamoDB, or of the language.
#[derive(Debug)]
pub struct Concept {
    /// The name of its page, without `.md`.
    pub id: &'static str,
    pub title: &'static str,
    /// Words that `explain` takes for it.
    pub aliases: Vec<&'static str>,
    /// Keywords of the language whose hover shows it.
    pub keywords: Vec<&'static str>,
    /// The page without its front matter, Markdown.
    pub body: &'static str,
}

impl Concept {
    fn parse(id: &'static str, text: &'static str) -> Option<Self> {
        let rest = text.strip_prefix("---\n")?;
        let (front, body) = rest.split_once("\n---\n")?;
        let field =
            |name: &str| front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim));
        let list = |name: &str| {
            let words = field(name).unwrap_or("").split(',').map(str::trim);
            words.filter(|word| !word.is_empty()).collect()
        };
        Some(Self {
            id,
            title: field("title")?,
            aliases: list("aliases"),
            keywords: list("keywords"),
            body: body.trim_start(),
        })
    }

    /// The first paragraph: it stands alone.
    pub fn summary(&self) -> &'static str {
        let body = self.body.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
        body.split("\n\n").next().unwrap_or("").trim_end()
    }

    /// The bullet list of facts and numbers.
    pub fn facts(&self) -> Option<&'static str> {
        let (_, rest) = self.body.split_once("## Facts and numbers\n")?;
        Some(rest.split("\n## ").next().unwrap_or("").trim())
    }
}

/// All concepts, in the order of their ids.
pub fn concepts() -> &'static [Concept] {
    static ALL: OnceLock<Vec<Concept>> = OnceLock::new();
    ALL.get_or_init(|| {
        let files = CONCEPTS.files().filter_map(|file| {
            let id = file.path().file_name()?.to_str()?.strip_suffix(".md")?;
            Concept::parse(id, file.contents_utf8()?)
        });
        let mut concepts: Vec<Concept> = files.collect();
        concepts.sort_by_key(|concept| concept.id);
        concepts
    })
}

/// The concepts with the line that their index has on each, in its order.
pub fn concept_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let index = CONCEPTS.get_file("README.md").and_then(|file| file.contents_utf8()).unwrap_or_default();
    index.lines().filter_map(|line| {
        let (target, text) = line.strip_prefix("- [")?.split_once("](")?.1.split_once("): ")?;
        Some((target.strip_suffix(".md")?, text))
    })
}

/// The concept that a keyword is explained by: `gsi`, `@unique`, `batch write`.
pub fn keyword(word: &str) -> Option<&'static Concept> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Concept>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        concepts().iter().flat_map(|concept| concept.keywords.iter().map(move |word| (*word, concept))).collect()
    });
    index.get(word).copied()
}

/// What a user's words name: a rule's page or a concept's, or a fact that they
/// refer to.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    Rule { name: &'static str, page: &'static str },
    Concept(&'static Concept),
    Sheet(&'static str),
}

impl Found {
    /// The page, Markdown.
    pub fn page(self) -> &'static str {
        match self {
            Found::Rule { page, .. } => page,
            Found::Concept(concept) => concept.body,
            Found::Sheet(page) => page,
        }
    }
}

/// Finds a page by the name of a rule, or a concept's id, title, alias or
/// keyword, or the id of a fact, whatever the case and the separators.
pub fn find(words: &str) -> Option<Found> {
    let wanted = normal(words);
    let by_rule = rule_pages().find(|(name, _)| normal(name) == wanted);
    by_rule.map(|(name, page)| Found::Rule { name, page }).or_else(|| {
        let names = |concept: &Concept| {
            let own = [concept.id, concept.title].into_iter();
            own.chain(concept.aliases.iter().copied()).any(|name| normal(name) == wanted)
        };
        let concept = concepts().iter().find(|concept| names(concept));
        let concept = concept.or_else(|| concepts().iter().find(|c| c.keywords.iter().any(|k| normal(k) == wanted)));
        concept.map(Found::Concept).or_else(|| sheets::find(&wanted).map(Found::Sheet))
    })
}

/// Every name that [`find`] knows, for suggestions.
pub fn all_names() -> Vec<&'static str> {
    let concepts = concepts().iter().flat_map(|c| std::iter::once(c.id).chain(c.aliases.iter().copied()));
    rule_pages().map(|(name, _)| name).chain(concepts).collect()
}

fn normal(words: &str) -> String {
    let mut out = String::new();
    for word in words.split(|c: char| !c.is_alphanumeric() && c != '@' && c != ':').filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word.to_lowercase());
    }
    out
}

/// How alike a name must be to be suggested, by Jaro and Winkler. Looser than
/// for a fix: here somebody chooses.
const NEAR: f64 = 0.75;

/// At most so many names are suggested.
const MOST_SUGGESTED: usize = 5;

/// The names that are most like this one, which nothing has, the nearest first.
pub fn near(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase();
    let all = all_names().into_iter().map(|known| (strsim::jaro_winkler(&name, known), known));
    let mut near: Vec<(f64, &str)> = all.filter(|(likeness, _)| *likeness > NEAR).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    // A page has several names; the nearest is enough.
    let mut pages = BTreeSet::new();
    near.retain(|(_, name)| find(name).is_some_and(|found| pages.insert(found.page())));
    near.into_iter().take(MOST_SUGGESTED).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn concepts_are_complete() {
        assert!(concepts().len() >= 30, "{}", concepts().len());
        let mut keywords = BTreeSet::new();
        for concept in concepts() {
            assert!(concept.body.starts_with("# "), "{}", concept.id);
            assert!(concept.summary().len() > 40, "{}", concept.id);
            assert!(concept.facts().is_some_and(|facts| facts.starts_with("- ")), "{}", concept.id);
            for section in ["## In a model", "## When not to use it", "## See also"] {
                assert!(concept.body.contains(section), "{}: {section}", concept.id);
            }
            for keyword in &concept.keywords {
                assert!(keywords.insert(*keyword), "{keyword} has two pages");
            }
        }
        let listed: BTreeSet<&str> = concept_lines().map(|(id, _)| id).collect();
        assert_eq!(listed, concepts().iter().map(|concept| concept.id).collect(), "README.md lists every page");
        let pages = CONCEPTS.files().count();
        assert_eq!(pages, concepts().len() + 1, "every page but README.md is read");
    }

    #[test]
    fn links_between_pages_lead_somewhere() {
        for concept in concepts() {
            for (_, rest) in concept.body.match_indices("](").map(|(at, _)| concept.body.split_at(at + 2)) {
                let target = rest.split(')').next().unwrap_or("");
                if let Some(file) = target.strip_suffix(".md").filter(|t| !t.contains('/')) {
                    assert!(concepts().iter().any(|c| c.id == file), "{}: {target}", concept.id);
                }
            }
        }
    }

    #[test]
    fn pages_are_found_by_what_people_type() {
        for words in [
            "gsi",
            "GSI",
            "global secondary index",
            "sparse-index",
            "Partition Key",
            "@unique",
            "missing-key-value",
            "L04",
            "numbers C1",
            "facts#reads",
        ] {
            assert!(find(words).is_some(), "{words}");
        }
        assert!(find("no such thing").is_none());
        assert!(find("readme").is_none(), "the index of a folder is no page");
    }
}
