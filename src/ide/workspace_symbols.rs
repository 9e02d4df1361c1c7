//! Symbols of all files, by a part of their name.

use super::symbols::symbols;
use super::{Analysis, Answer, Symbol, SymbolKind};
use crate::model::db::Workspace;
use crate::model::files::FileKey;
use crate::syntax::TextRange;

/// More than these nobody reads: whoever looks for one types on.
const MOST: usize = 500;

/// A symbol of any file.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The name of what it is in: of an attribute its entity, of an index its table.
    pub container: Option<String>,
    pub file: FileKey,
    /// The name, in bytes of the file.
    pub range: TextRange,
}

impl Analysis {
    /// The symbols of all files that match, the best first, at most 500. The letters
    /// of the query have to stand in the name in their order, capital or small; behind
    /// a dot, as in `Order.sta`, those of what is in another. No query matches all.
    pub fn workspace_symbols(&self, query: &str) -> Answer<Vec<FoundSymbol>> {
        self.ask_of_all(|db| {
            let query = Query::new(query);
            let mut found = Vec::new();
            for (key, file) in Workspace::get(db).files(db).iter() {
                for symbol in symbols(db, *file) {
                    gather(&symbol, None, &query, key, &mut found);
                }
            }
            // Files come by their path and symbols by their place: that stays among equals.
            found.sort_by_key(|(rank, _)| *rank);
            found.truncate(MOST);
            found.into_iter().map(|(_, symbol)| symbol).collect()
        })
    }
}

fn gather(
    symbol: &Symbol,
    parent: Option<&Symbol>,
    query: &Query,
    file: &FileKey,
    found: &mut Vec<(Rank, FoundSymbol)>,
) {
    // What has no name yet shows none, and is not found by that.
    if is_listed(symbol.kind)
        && !symbol.selection.is_empty()
        && let Some(rank) = query.rank(&symbol.name, parent.map(|parent| parent.name.as_str()))
    {
        let symbol = FoundSymbol {
            name: symbol.name.clone(),
            kind: symbol.kind,
            container: parent.map(|parent| parent.name.clone()),
            file: file.clone(),
            range: symbol.selection,
        };
        found.push((rank, symbol));
    }
    for child in &symbol.children {
        gather(child, Some(symbol), query, file, found);
    }
}

/// What people look for by its name. Keys are attributes, or found with their table;
/// items, operations and notes have no name of their own.
fn is_listed(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Application
        | SymbolKind::Entity
        | SymbolKind::Attribute
        | SymbolKind::Relationship
        | SymbolKind::Aggregate
        | SymbolKind::Table
        | SymbolKind::Index
        | SymbolKind::Pattern
        | SymbolKind::Workflow => true,
        SymbolKind::Key | SymbolKind::Item | SymbolKind::Operation | SymbolKind::Note | SymbolKind::Import => false,
    }
}

/// How well a name matches, the best first; among equals the shorter name.
type Rank = (Match, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Exact,
    ExactButCase,
    Prefix,
    /// Every letter begins a word or follows one that matched: `uo` in `UserOrders`.
    Words,
    Inside,
    Subsequence,
}

/// A query, read once for all names.
struct Query {
    /// What has to be matched by the container, where the query has a dot.
    container: Option<Vec<char>>,
    written: String,
    letters: Vec<char>,
}

/// A longer query names nothing, and would cost what it is long for every symbol.
const LONGEST_QUERY: usize = 256;

impl Query {
    fn new(query: &str) -> Self {
        let query: String = query.chars().filter(|c| !c.is_whitespace() && *c != '`').take(LONGEST_QUERY).collect();
        let (container, own) = match query.rsplit_once('.') {
            Some((container, own)) => (Some(letters(container)), own.to_owned()),
            None => (None, query),
        };
        Self { container, letters: letters(&own), written: own }
    }

    fn rank(&self, name: &str, container: Option<&str>) -> Option<Rank> {
        if let Some(wanted) = &self.container {
            quality(wanted, container?)?;
        }
        let quality = if self.letters.is_empty() {
            return Some((Match::Subsequence, 0));
        } else if name == self.written {
            Match::Exact
        } else {
            quality(&self.letters, name)?
        };
        Some((quality, name.len()))
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// How well letters match a name; `None` where they are not in it.
fn quality(wanted: &[char], name: &str) -> Option<Match> {
    let own = letters(name);
    if !is_subsequence(wanted, &own) {
        return None;
    }
    Some(if own == wanted {
        Match::ExactButCase
    } else if own.starts_with(wanted) {
        Match::Prefix
    } else if matches_words(wanted, name) {
        Match::Words
    } else if own.windows(wanted.len().max(1)).any(|part| part == wanted) {
        Match::Inside
    } else {
        Match::Subsequence
    })
}

fn is_subsequence(wanted: &[char], own: &[char]) -> bool {
    let mut own = own.iter();
    wanted.iter().all(|wanted| own.any(|letter| letter == wanted))
}

/// Whether the letters can be found so that each begins a word of the name or follows
/// one that was found.
fn matches_words(wanted: &[char], name: &str) -> bool {
    let mut own: Vec<(char, bool)> = Vec::new();
    let mut before: Option<char> = None;
    for c in name.chars() {
        let starts = match before {
            None => true,
            Some(before) => !before.is_alphanumeric() || c.is_uppercase() && !before.is_uppercase(),
        };
        own.extend(c.to_lowercase().map(|lower| (lower, starts)));
        before = Some(c);
    }
    // Where the letters so far can end in the name, letter by letter.
    let mut ends: Option<Vec<bool>> = None;
    for wanted in wanted {
        let mut earlier = ends.is_none();
        let mut next = vec![false; own.len()];
        for (at, (letter, starts)) in own.iter().enumerate() {
            let follows = at > 0 && ends.as_ref().is_some_and(|ends| ends[at - 1]);
            next[at] = letter == wanted && (*starts && earlier || follows);
            earlier |= ends.as_ref().is_some_and(|ends| ends[at]);
        }
        ends = Some(next);
    }
    ends.is_none_or(|ends| ends.contains(&true))
}
