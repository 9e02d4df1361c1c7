//! *Table Designs* read back from the document: the sections of tables and
//! indexes, their labels, and their samples.

use keywright::deliverables::{DocumentKind, parts};
use keywright::model::db::{Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};

/// A model of one file in a host of its own.
pub fn open(text: &str) -> (Host, SourceFile) {
    open_files(&[("model.dynamo".to_owned(), text.to_owned())])
}

/// A model whose root is the first of these files.
pub fn open_files(files: &[(String, String)]) -> (Host, SourceFile) {
    let key = |name: &str| FileKey::new(&format!("/model/{name}"));
    let mut host = Host::default();
    for (name, text) in files {
        host.set(key(name), FileContent::from_bytes(text.as_bytes()));
    }
    let root = Workspace::get(host.db()).files(host.db())[&key(&files[0].0)];
    (host, root)
}

/// A table or index in the document.
#[derive(Debug)]
pub struct Section {
    /// What stands behind `###`.
    pub heading: String,
    pub text: String,
}

/// The sections of every table, each table with its indexes behind it.
pub fn tables(host: &Host, root: SourceFile) -> Vec<Vec<Section>> {
    let parts = parts(host.db(), root, DocumentKind::DataModel);
    let of_tables =
        parts.into_iter().filter(|part| part.name.starts_with("table ") || part.name.starts_with("unnamed"));
    of_tables.map(|part| sections(&part.text)).collect()
}

fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("### "), sections.last_mut()) {
            (Some(heading), _) => sections.push(Section { heading: heading.to_owned(), text: String::new() }),
            (None, Some(section)) => {
                section.text.push_str(line);
                section.text.push('\n');
            }
            (None, None) => panic!("a part of a table begins with its heading: {line}"),
        }
    }
    sections
}

/// The sections of the table of a small model, by their headings.
pub fn section(text: &str, heading: &str) -> Section {
    let (host, root) = open(text);
    let found = tables(&host, root).into_iter().flatten().find(|section| section.heading == heading);
    found.unwrap_or_else(|| panic!("no section `{heading}`"))
}

impl Section {
    /// The labels in their order, those of lists left out.
    pub fn labels(&self) -> Vec<&str> {
        let labels = self.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**:"));
        labels.map(|(label, _)| label).collect()
    }

    /// What stands behind a label on its line.
    pub fn said(&self, label: &str) -> &str {
        let start = format!("**{label}**:");
        let line = self.text.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no `{label}` in {}", self.heading)).trim()
    }

    /// The lines below a label, up to the next label.
    pub fn below(&self, label: &str) -> Vec<&str> {
        let start = format!("**{label}**:");
        let lines = self.text.lines().skip_while(|line| !line.starts_with(&start)).skip(1);
        lines.take_while(|line| !line.starts_with("**")).filter(|line| !line.is_empty()).collect()
    }

    /// The sample: what stands before the first label.
    pub fn sample(&self) -> Sample {
        let lines: Vec<&str> = self
            .text
            .lines()
            .take_while(|line| !line.starts_with("**Purpose**"))
            .filter(|line| !line.is_empty())
            .collect();
        let (rows, notes): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| line.starts_with('|'));
        let mut rows = rows.into_iter().map(cells);
        let header = rows.next().unwrap_or_default();
        let rows = rows.skip(1).collect();
        Sample { header, rows, notes: notes.into_iter().map(str::to_owned).collect() }
    }
}

/// The sample of a table or index, its cells without the marks of code.
#[derive(Debug)]
pub struct Sample {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub notes: Vec<String>,
}

impl Sample {
    /// The cells of a column.
    pub fn column(&self, name: &str) -> Vec<&str> {
        let place = self.header.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column `{name}`"));
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    /// The cell of a row in a column; `None` where there is no such column.
    pub fn cell<'s>(&self, row: &'s [String], name: &str) -> Option<&'s str> {
        let place = self.header.iter().position(|own| own == name)?;
        Some(&row[place])
    }
}

/// The cells of a row as GitHub reads it: an escaped pipe is none, code is what it
/// holds.
pub fn cells(row: &str) -> Vec<String> {
    let inner = row.strip_prefix('|').and_then(|row| row.strip_suffix('|')).expect("a row begins and ends with a pipe");
    let mut cells = vec![String::new()];
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(_)) => {
                let cell = cells.last_mut().expect("there is one");
                cell.push(c);
                cell.extend(chars.next());
            }
            ('|', _) => cells.push(String::new()),
            _ => cells.last_mut().expect("there is one").push(c),
        }
    }
    cells.iter().map(|cell| plain(cell.trim())).collect()
}

/// A cell without the marks of code and without escapes.
fn plain(cell: &str) -> String {
    if let Some(code) = cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')) {
        return code.to_owned();
    }
    let text = cell.strip_prefix("<code>").and_then(|cell| cell.strip_suffix("</code>")).unwrap_or(cell);
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out.replace("&lt;", "<").replace("&amp;", "&")
}
