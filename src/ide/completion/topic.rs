//! What the documentation of a completion is about. It is named and not placed: while
//! the proposals are shown, the text goes on changing.

use crate::ide::describe;
use crate::ide::lookup::model;
use crate::model::db::{Db, SourceFile};
use crate::model::defs::{Name, Reference, Target};
use crate::model::refs::{Resolution, resolve};
use crate::pages;
use crate::syntax::TextRange;

/// What the documentation of a completion is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Keywords of the language, as they are written.
    Keyword(String),
    Rule(String),
    Entity(String),
    Table(String),
    Pattern(String),
    Index {
        table: String,
        name: String,
    },
    Attribute {
        entity: String,
        name: String,
    },
    Key {
        table: String,
        name: String,
    },
}

impl Topic {
    /// What there is to say, in Markdown.
    pub(super) fn documentation(&self, db: &dyn Db, file: SourceFile) -> Option<String> {
        match self {
            Topic::Keyword(word) => keyword(word),
            Topic::Rule(name) => pages::rule(name).map(str::to_owned),
            Topic::Entity(name) => named(db, file, name, Target::Entity),
            Topic::Table(name) => named(db, file, name, Target::Table),
            Topic::Pattern(name) => named(db, file, name, Target::Pattern),
            Topic::Index { table, name } => named(db, file, name, Target::Index { table: table.clone() }),
            Topic::Attribute { entity, name } => {
                named(db, file, name, Target::EntityAttribute { entities: vec![entity.clone()] })
            }
            Topic::Key { table, name } => named(db, file, name, Target::Key { table: table.clone() }),
        }
    }
}

fn named(db: &dyn Db, file: SourceFile, name: &str, target: Target) -> Option<String> {
    let root = model(db, file);
    let name = Name { text: name.to_owned(), range: TextRange::default() };
    match resolve(db, root, &Reference { name, target }) {
        Resolution::Found(found) => describe::declared(db, root, *found.first()?),
        Resolution::Unknown { .. } | Resolution::Undecided => None,
    }
}

/// The concept behind a keyword: of several words that of all, else of the first that
/// has one.
fn keyword(words: &str) -> Option<String> {
    let mut parts = std::iter::once(words).chain(words.split(' '));
    let concept = parts.find_map(pages::keyword)?;
    let mut markdown = format!("**{}**\n\n{}", concept.title, concept.summary());
    if let Some(facts) = concept.facts() {
        markdown.push_str("\n\n");
        markdown.push_str(facts);
    }
    Some(markdown)
}
