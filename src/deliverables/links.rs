//! Links from a document to the lines of its model. They are relative to where the
//! document stands, which is beside the root file unless somebody wants it elsewhere:
//! wherever the folder is checked out, they lead to the same line.

use super::markdown::{code, inline};
use super::outline::Outline;
use crate::model::db::{Decl, SourceFile};
use crate::model::lower::{keyword_start, lowered};
use crate::model::places::{line_at, start_of};
use crate::rules::finding::FindingPlace;
use crate::syntax::TextRange;

impl Outline<'_> {
    /// A link to a place in a declaration: `[shop.dynamo:12](shop.dynamo#L12)`.
    /// Without a range it leads to the declaration's name, else to its keyword.
    pub(super) fn link(&self, decl: Decl, range: Option<TextRange>) -> String {
        let own = || {
            let text = &decl.chunk(self.db).text;
            let name = lowered(self.db, decl).name.as_ref().map(|name| name.range.start as usize);
            name.unwrap_or_else(|| keyword_start(text))
        };
        let inside = range.map_or_else(own, |range| range.start as usize);
        let start = start_of(self.db, decl).unwrap_or_default() as usize;
        let file = decl.file(self.db);
        self.link_to_line(file, line_at(self.db, file, start + inside))
    }

    /// A link to where a finding shows.
    pub(super) fn link_to(&self, place: FindingPlace) -> String {
        match place {
            FindingPlace::In(place) => self.link(place.decl, Some(place.range)),
            FindingPlace::File { file, line, .. } => self.link_to_line(file, line.saturating_add(1)),
        }
    }

    /// A link to the first line of the model: where what it lacks as a whole would
    /// stand.
    pub(super) fn link_to_model(&self) -> String {
        self.link_to_line(self.root, 1)
    }

    fn link_to_line(&self, file: SourceFile, line: u32) -> String {
        let key = file.key(self.db);
        match self.at.path_to(key) {
            Some(path) => format!("[{}:{line}]({}#L{line})", inline(&path), encoded(&path)),
            // A file that has no path from the document can be named, not reached.
            None => format!("{} line {line}", code(key.file_name())),
        }
    }
}

/// A relative path as the target of a link: what a URL or Markdown would take for
/// anything else than a part of a name is percent-encoded.
pub(super) fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The path that a target means.
pub(super) fn decoded(target: &str) -> String {
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_of_a_link_holds_no_character_that_ends_it() {
        assert_eq!(encoded("sub/shop.dynamo"), "sub/shop.dynamo");
        assert_eq!(encoded("../a b/(c)[d]<e>.dynamo"), "../a%20b/%28c%29%5Bd%5D%3Ce%3E.dynamo");
        assert_eq!(encoded("a:b#c?d%e|f.dynamo"), "a%3Ab%23c%3Fd%25e%7Cf.dynamo");
        assert_eq!(encoded("Käufe.dynamo"), "K%C3%A4ufe.dynamo");
        for path in ["../a b/(c)[d]<e>.dynamo", "a:b#c?d%e|f.dynamo", "Käufe%20.dynamo"] {
            assert_eq!(decoded(&encoded(path)), path);
        }
    }
}
