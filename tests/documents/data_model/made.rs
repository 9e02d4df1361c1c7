//! Models with their data model documents, and the tables in these.

use crate::support::models::model;
use keywright::config::ConfigFile;
use keywright::deliverables::{DocumentKind, document};
use keywright::ide::{Analysis, CostReport};
use keywright::model::db::{Db, Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::vocabulary::vocabulary;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model with its data model document.
pub struct Made {
    pub name: String,
    host: Host,
    /// The root first.
    files: Vec<(FileKey, String)>,
    pub document: String,
}

impl Made {
    /// A model of one file, `m.dynamo`.
    pub fn new(name: &str, text: &str) -> Self {
        Self::of(name, vec![("m.dynamo".to_owned(), text.to_owned())], None)
    }

    /// The same beside a `keywright.toml`.
    pub fn with_settings(name: &str, text: &str, toml: &str) -> Self {
        Self::of(name, vec![("m.dynamo".to_owned(), text.to_owned())], Some(toml))
    }

    /// A model of several files, the root first.
    fn of(name: &str, files: Vec<(String, String)>, toml: Option<&str>) -> Self {
        let mut host = Host::default();
        let files: Vec<(FileKey, String)> =
            files.into_iter().map(|(file, text)| (FileKey::new(&format!("/model/{file}")), text)).collect();
        for (key, text) in &files {
            host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        }
        if let Some(toml) = toml {
            let settings = Some(Arc::new(ConfigFile::of_text(toml, vocabulary())));
            host.set_config(FileKey::new("/model/keywright.toml"), settings);
        }
        let root = root(&host, &files[0].0);
        let document = document(host.db(), root, DocumentKind::DataModel);
        Self { name: name.to_owned(), host, files, document }
    }

    pub fn db(&self) -> &dyn Db {
        self.host.db()
    }

    pub fn root(&self) -> SourceFile {
        root(&self.host, &self.files[0].0)
    }

    pub fn report(&self) -> CostReport {
        let reports = Analysis::new(self.host.snapshot()).costs(&self.files[0].0).expect("nothing changes");
        reports.into_iter().next().expect("it is a model")
    }

    /// The Markdown of the hover of what is declared so: `table Orders`.
    pub fn hover(&self, declared: &str) -> String {
        let (word, _) = declared.split_once(' ').expect("a word and a name");
        let found = |(key, text): &(FileKey, String)| Some((key.clone(), text.find(&format!("{declared} "))?));
        let (key, at) = self.files.iter().find_map(found).unwrap_or_else(|| panic!("{}: {declared}", self.name));
        let analysis = Analysis::new(self.host.snapshot());
        let hover = analysis.hover(&key, at + word.len() + 1).expect("nothing changes");
        hover.unwrap_or_else(|| panic!("{}: a hover of {declared}", self.name)).markdown
    }

    /// The text below a `##` heading.
    pub fn section(&self, heading: &str) -> &str {
        let start = self.document.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{}: {heading}", self.name));
        let rest = &self.document[start + 1 + heading.len()..];
        &rest[..rest.find("\n## ").unwrap_or(rest.len())]
    }

    /// The rows of the first table below a line that begins so, cell by cell.
    pub fn table(&self, heading: &str, begins: &str) -> Vec<Vec<String>> {
        let section = self.section(heading);
        let mut lines =
            section.lines().skip_while(|line| !line.starts_with(begins)).skip_while(|l| !l.starts_with('|'));
        let _ = (lines.next(), lines.next());
        lines.take_while(|line| line.starts_with('|')).map(cells).collect()
    }
}

fn root(host: &Host, key: &FileKey) -> SourceFile {
    Workspace::get(host.db()).files(host.db())[key]
}

/// The cells of a row. A backslash takes the character behind it along.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = row.trim_start_matches('|').chars();
    while let Some(c) = chars.next() {
        match c {
            '|' => cells.push(String::new()),
            '\\' => {
                let cell = cells.last_mut().expect("there is one from the start");
                cell.push(c);
                cell.extend(chars.next());
            }
            _ => cells.last_mut().expect("there is one from the start").push(c),
        }
    }
    // Behind the last pipe there is no cell.
    cells.pop();
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Every example, those of the gallery and the larger ones.
pub fn examples() -> Vec<Made> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut made: Vec<Made> = ["", "gallery", "large"]
        .iter()
        .flat_map(|sub| models_in(&folder.join(sub)))
        .map(|path| Made::new(&path.display().to_string(), &text(&path)))
        .collect();
    let mut parts = models_in(&folder.join("large/marketplace"));
    parts.sort_by_key(|path| path.file_name().is_none_or(|name| name != "marketplace.dynamo"));
    let name = |path: &Path| path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    made.push(Made::of("marketplace", parts.iter().map(|path| (name(path), text(path))).collect(), None));
    assert!(made.len() >= 16, "{}", made.len());
    made
}

fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dynamo"));
    paths.sort();
    paths
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("an example is text")
}

/// Random models, in both styles.
pub fn random() -> impl Iterator<Item = Made> {
    (0..30).map(|seed| Made::new(&format!("seed {seed}"), &model(seed)))
}

pub fn all() -> impl Iterator<Item = Made> {
    examples().into_iter().chain(random())
}
