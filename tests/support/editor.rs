//! Texts with a cursor: `$0` marks it, `«` and `»` mark ranges, and
//! `//- name.dynamo` begins a file.

use keywright::ide::{Analysis, Location};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::TextRange;

/// A model with the cursor somewhere in it.
pub struct Fixture {
    pub analysis: Analysis,
    pub file: FileKey,
    pub offset: usize,
    /// The ranges between `«` and `»`, in the order of the files and the texts.
    pub marks: Vec<(FileKey, TextRange)>,
    pub texts: Vec<(FileKey, String)>,
}

pub fn fixture(text: &str) -> Fixture {
    let mut texts: Vec<(FileKey, String)> = Vec::new();
    let mut cursor = None;
    let mut marks = Vec::new();
    let text = text.trim_start_matches('\n');
    let whole = if text.starts_with("//- ") { text.to_owned() } else { format!("//- main.dynamo\n{text}") };
    for part in whole.split("//- ").skip(1) {
        let (name, body) = part.split_once('\n').expect("a file has a name and a text");
        let key = FileKey::new(&format!("/model/{}", name.trim()));
        let mut plain = String::new();
        let mut open = Vec::new();
        let mut rest = body;
        while let Some(at) = rest.find(['$', '«', '»']) {
            plain.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(behind) = rest.strip_prefix("$0") {
                cursor = Some((key.clone(), plain.len()));
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix('«') {
                open.push(plain.len());
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix('»') {
                let start = open.pop().expect("a range begins before it ends");
                marks.push((key.clone(), TextRange::new(start, plain.len())));
                rest = behind;
            } else {
                plain.push('$');
                rest = &rest[1..];
            }
        }
        plain.push_str(rest);
        texts.push((key, plain));
    }
    let mut host = Host::default();
    for (key, text) in &texts {
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    }
    let (file, offset) = cursor.unwrap_or_else(|| (texts[0].0.clone(), 0));
    Fixture { analysis: Analysis::new(host.snapshot()), file, offset, marks, texts }
}

impl Fixture {
    pub fn text(&self, file: &FileKey) -> &str {
        &self.texts.iter().find(|(key, _)| key == file).expect("a file of the fixture").1
    }

    pub fn hover(&self) -> String {
        let hover = self.analysis.hover(&self.file, self.offset).unwrap();
        hover.map(|hover| hover.markdown).unwrap_or_default()
    }

    /// The declarations of the name at the cursor, as `file: line` of each.
    pub fn definitions(&self) -> Vec<String> {
        let found = self.analysis.definition(&self.file, self.offset).unwrap();
        found.iter().map(|location| self.line(location)).collect()
    }

    fn line(&self, location: &Location) -> String {
        let text = self.text(&location.file);
        let start = location.selection.start as usize;
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[start..].find('\n').map_or(text.len(), |at| start + at);
        format!("{}: {}", location.file.stem(), text[from..to].trim())
    }
}
