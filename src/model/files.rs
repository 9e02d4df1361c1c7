//! Files by their keys, and what is known of each.

use crate::syntax::lines::line_start;
use crate::syntax::{FileParse, Text};
use std::fmt;
use std::sync::Arc;

/// The identity of a file: an absolute path with `/` between its parts, or the
/// whole URI where a file has no path (`untitled:Untitled-1`). Who makes one
/// normalises it, so that equal files have equal keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey(Arc<str>);

/// The most bytes of a path that is still one of a folder: what Linux takes, and
/// far more than anybody has.
const LONGEST_FOLDER: usize = 4096;

impl fmt::Debug for FileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for FileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FileKey {
    /// The key that is spelled so; it must be normalised already.
    pub fn new(key: &str) -> Self {
        Self(key.into())
    }

    /// The key as it is spelled.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part, with its extension.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last part without `.dynamo`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.strip_suffix(".dynamo").unwrap_or(name)
    }

    /// Everything before the last part, without the slash.
    pub fn folder(&self) -> &str {
        self.0.rfind('/').map_or("", |i| &self.0[..i])
    }

    /// The folders above, the nearest first, each without its last slash: of
    /// `/a/b/c.dynamo` these are `/a/b`, `/a` and the empty text. None where the
    /// key is no path. Those left out are longer than what can exist: an editor may
    /// name any path, and its folders together grow with the square of its length.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let nearest = self.is_path().then(|| self.folder());
        let all = std::iter::successors(nearest, |folder| folder.rfind('/').map(|at| &folder[..at]));
        all.skip_while(|folder| folder.len() > LONGEST_FOLDER)
    }

    /// Whether the key is a path, so that others can be found relative to it.
    pub fn is_path(&self) -> bool {
        let bytes = self.0.as_bytes();
        bytes.first() == Some(&b'/') || (bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && &bytes[1..3] == b":/")
    }

    /// The file that a path written in this one means: relative to its folder,
    /// `.` and `..` taken away. `None` where this file has no path.
    pub fn join(&self, path: &str) -> Option<FileKey> {
        if !self.is_path() || path.is_empty() || names_folder(path) {
            return None;
        }
        let path = path.replace('\\', "/");
        let absolute = FileKey::new(&path).is_path();
        let whole = if absolute { path } else { format!("{}/{path}", self.folder()) };
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                // A drive letter is the root of its tree.
                ".." => {
                    if parts.last().is_some_and(|last| !last.ends_with(':')) {
                        parts.pop();
                    }
                }
                part => parts.push(part),
            }
        }
        let root = if whole.starts_with('/') { "/" } else { "" };
        Some(FileKey::new(&format!("{root}{}", parts.join("/"))))
    }

    /// The path of another file as this one writes it; `None` where there is none.
    pub fn path_to(&self, other: &FileKey) -> Option<String> {
        if !self.is_path() || !other.is_path() {
            return None;
        }
        let folders: Vec<&str> = self.folder().split('/').collect();
        let parts: Vec<&str> = other.as_str().split('/').collect();
        let shared = folders.iter().zip(&parts).take_while(|(own, other)| own == other).count();
        // Another drive: no relative path leads there.
        if shared == 0 {
            return None;
        }
        let up = "../".repeat(folders.len() - shared);
        Some(format!("{up}{}", parts[shared..].join("/")))
    }
}

/// Whether a path can name a folder only, whatever is there: no system reads a file
/// by `b.dynamo/` or `b.dynamo/.`.
pub fn names_folder(path: &str) -> bool {
    matches!(path.rsplit(['/', '\\']).next(), Some("" | "." | "..")) && !path.is_empty()
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    Parsed(Arc<FileParse>),
    /// It is there but no text of the language: bad UTF-8, a NUL, too large.
    Unreadable(Unreadable),
    /// It cannot be had at all.
    Absent(Absent),
}

/// Why a file is no text, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub reason: String,
    /// What to do about it.
    pub remedy: &'static str,
    /// Line and column from zero, the column in Unicode scalar values.
    pub line: u32,
    pub column: u32,
}

/// Why an imported file cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    NotFound,
    Folder,
    /// A device, a pipe, a socket.
    NotAFile,
    /// The system's own words.
    Denied(String),
}

/// Files above this are refused: 32 MB.
pub const MOST_BYTES: usize = 32 * 1024 * 1024;

impl FileContent {
    /// Reads bytes as a file of the language.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        if bytes.len() > MOST_BYTES {
            return Self::too_large(bytes.len() as u64);
        }
        let (valid, fault) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
                (valid, Some("it is not valid UTF-8"))
            }
        };
        let nul = valid.find('\0');
        let (end, reason) = match (nul, fault) {
            (Some(at), _) => (at, "it holds a NUL byte"),
            (None, Some(reason)) => (valid.len(), reason),
            (None, None) => return Self::Parsed(Arc::new(FileParse::new(valid))),
        };
        let before = &valid[..end];
        let breaks = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
        Self::Unreadable(Unreadable {
            reason: format!("{reason} (byte {end})"),
            remedy: "save it as UTF-8 text",
            line: breaks as u32,
            column: before[line_start(before, end)..].chars().count() as u32,
        })
    }

    /// Reads the text of an editor, building on the parse of the text before it.
    pub fn of_text(text: &Text, before: Option<&FileParse>) -> Self {
        if text.len() > MOST_BYTES {
            return Self::too_large(text.len() as u64);
        }
        let parse = match before {
            Some(before) => before.edited(text.clone()),
            None => FileParse::new(&text.to_text()),
        };
        if parse.text.contains('\0') {
            return Self::from_bytes(parse.text.as_bytes());
        }
        Self::Parsed(Arc::new(parse))
    }

    /// A file of so many bytes, too many to read.
    pub fn too_large(bytes: u64) -> Self {
        // Rounded down to a tenth, and no number that is not refused.
        let tenths = bytes.saturating_mul(10) / (1024 * 1024);
        let size = match (tenths / 10, tenths % 10) {
            (32, 0) => "a little over 32 MB".to_owned(),
            (whole, 0) => format!("{whole} MB"),
            (whole, tenth) => format!("{whole}.{tenth} MB"),
        };
        Self::Unreadable(Unreadable {
            reason: format!("it has {size}, and files over 32 MB are refused"),
            remedy: "spread what it declares over several files, which `import` makes one model",
            line: 0,
            column: 0,
        })
    }

    /// The parsed text; `None` for a file that has none.
    pub fn parse(&self) -> Option<&Arc<FileParse>> {
        match self {
            Self::Parsed(parse) => Some(parse),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_relative_to_their_file() {
        let file = FileKey::new("/a/b/shop.dynamo");
        assert_eq!(file.join("../c/./x.dynamo"), Some(FileKey::new("/a/c/x.dynamo")));
        assert_eq!(file.join("/x.dynamo"), Some(FileKey::new("/x.dynamo")));
        assert_eq!(file.join("../../../../x"), Some(FileKey::new("/x")));
        assert_eq!(FileKey::new("c:/a/b.dynamo").join("../../x"), Some(FileKey::new("c:/x")));
        assert_eq!(FileKey::new("untitled:Untitled-1").join("x.dynamo"), None);
        for folder in ["c/", "c\\", "c/.", "c/..", ".", "..", "/", "x.dynamo//"] {
            assert_eq!(file.join(folder), None, "{folder}");
        }
        assert_eq!(file.join("c/.hidden"), Some(FileKey::new("/a/b/c/.hidden")));
        assert_eq!((file.stem(), file.folder()), ("shop", "/a/b"));
    }

    #[test]
    fn a_path_leads_from_one_file_to_the_other() {
        for (from, to, path) in [
            ("/m/a.dynamo", "/m/b.dynamo", Some("b.dynamo")),
            ("/m/a.dynamo", "/m/sub/b.dynamo", Some("sub/b.dynamo")),
            ("/m/sub/a.dynamo", "/m/b.dynamo", Some("../b.dynamo")),
            ("/m/x/a.dynamo", "/m/y/b.dynamo", Some("../y/b.dynamo")),
            ("c:/m/a.dynamo", "d:/m/b.dynamo", None),
            ("untitled:a", "/m/b.dynamo", None),
        ] {
            let (from, to) = (FileKey::new(from), FileKey::new(to));
            assert_eq!(from.path_to(&to).as_deref(), path, "{from} {to}");
            if let Some(path) = path {
                assert_eq!(from.join(path), Some(to));
            }
        }
    }

    #[test]
    fn folders_are_counted_from_the_file_up() {
        let folders = |key: &str| FileKey::new(key).folders().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(folders("/a/b/c.dynamo"), ["/a/b", "/a", ""]);
        assert_eq!(folders("/c.dynamo"), [""]);
        assert_eq!(folders("c:/a/b.dynamo"), ["c:/a", "c:"]);
        assert_eq!(folders("untitled:a/b"), [""; 0]);
        let long = folders(&format!("/a/{}/b/c.dynamo", "long".repeat(LONGEST_FOLDER)));
        assert_eq!(long, ["/a", ""], "what is longer cannot exist");
    }

    #[test]
    fn an_editor_may_hold_what_is_no_text() {
        let FileContent::Unreadable(fault) = FileContent::of_text(&Text::new("a\nb\0"), None) else { panic!() };
        assert_eq!((fault.line, fault.column), (1, 1));
        let large = Text::new(&" ".repeat(MOST_BYTES + 1));
        assert!(matches!(FileContent::of_text(&large, None), FileContent::Unreadable(_)));
        let before = FileContent::of_text(&Text::new("entity A {}\n"), None);
        let after = FileContent::of_text(&Text::new("entity B {}\n"), before.parse().map(|parse| &**parse));
        assert_eq!(after, FileContent::from_bytes(b"entity B {}\n"));
    }

    #[test]
    fn what_is_no_text_says_where() {
        let FileContent::Unreadable(fault) = FileContent::from_bytes(b"a\r\n\xc3\xa9b\xff") else { panic!() };
        assert_eq!((fault.line, fault.column), (1, 2));
        let FileContent::Unreadable(fault) = FileContent::from_bytes(b"a\0b\xff") else { panic!() };
        assert!(fault.reason.contains("NUL"), "{fault:?}");
    }
}
