//! Texts with a cursor: `$0` marks it, and `//- name.dynamo` begins a file.

use keywright::ide::{Analysis, Location};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};

/// A model with the cursor somewhere in it.
pub struct Fixture {
    pub analysis: Analysis,
    pub file: FileKey,
    pub offset: usize,
    texts: Vec<(FileKey, String)>,
}

pub fn fixture(text: &str) -> Fixture {
    let mut texts: Vec<(FileKey, String)> = Vec::new();
    let mut cursor = None;
    let text = text.trim_start_matches('\n');
    let whole = if text.starts_with("//- ") { text.to_owned() } else { format!("//- main.dynamo\n{text}") };
    for part in whole.split("//- ").skip(1) {
        let (name, body) = part.split_once('\n').expect("a file has a name and a text");
        let key = FileKey::new(&format!("/model/{}", name.trim()));
        let mut body = body.to_owned();
        if let Some(offset) = body.find("$0") {
            body.replace_range(offset..offset + 2, "");
            cursor = Some((key.clone(), offset));
        }
        texts.push((key, body));
    }
    let mut host = Host::default();
    for (key, text) in &texts {
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    }
    let (file, offset) = cursor.unwrap_or_else(|| (texts[0].0.clone(), 0));
    Fixture { analysis: Analysis::new(host.snapshot()), file, offset, texts }
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
