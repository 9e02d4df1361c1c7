//! The inputs of the analysis and who keeps them.
//!
//! Every declaration is an input of its own whose identity survives edits: it
//! is found again by kind, name and order among its namesakes. Typing inside
//! one pattern changes that one input, and nothing that does not read it is
//! computed again; a line put in above changes only where declarations start.

use super::documents::WrittenDocument;
use super::files::{FileContent, FileKey};
use super::lower::name_of;
use super::settings::Config;
use crate::config::Settings;
use crate::syntax::{Chunk, ChunkKind, PlacedChunk};
use salsa::{Durability, Setter};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What queries ask their database for.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The database. A clone is a snapshot that another thread may read; a change
/// of the original cancels what its snapshots are computing.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {}

impl Default for Database {
    fn default() -> Self {
        Self { storage: salsa::Storage::new(None) }
    }
}

impl Database {
    /// A database that calls `watch` with the name of every query that it
    /// computes: tests see by it what an edit costs.
    pub fn watched(watch: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self::watched_where(|| true, watch)
    }

    /// The same, as long as somebody wants to know.
    pub fn watched_where(
        is_wanted: impl Fn() -> bool + Send + Sync + 'static,
        watch: impl Fn(String) + Send + Sync + 'static,
    ) -> Self {
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind
                && is_wanted()
            {
                watch(format!("{database_key:?}"));
            }
        })));
        Self { storage }
    }
}

/// One top-level declaration of a file.
///
/// Its kind and its name last, as salsa has it: what was computed of lasting fields
/// alone is not looked at after an edit, and the names of a model are computed of
/// these. The text does not last, not even one that nobody has touched yet: what
/// ceases to last counts as changed for all that was computed of it.
#[salsa::input(debug)]
pub struct Decl {
    #[returns(copy)]
    pub file: SourceFile,
    #[returns(ref)]
    pub chunk: Arc<Chunk>,
    #[returns(copy)]
    pub kind: ChunkKind,
    #[returns(ref)]
    pub name: Option<String>,
}

/// What a file's content is, without the text: that lasts while somebody types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Absent,
    Unreadable,
    Text,
}

impl Presence {
    fn of(content: &FileContent) -> Self {
        match content {
            FileContent::Absent(_) => Self::Absent,
            FileContent::Unreadable(_) => Self::Unreadable,
            FileContent::Parsed(_) => Self::Text,
        }
    }
}

/// A file.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(ref)]
    pub key: FileKey,
    #[returns(ref)]
    pub content: FileContent,
    #[returns(copy)]
    pub presence: Presence,
    /// Its declarations in the order of the text.
    #[returns(ref)]
    pub decls: Vec<Decl>,
    /// Where each of them starts, in bytes.
    #[returns(ref)]
    pub starts: Vec<u32>,
}

/// All files that are known.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    #[returns(ref)]
    pub files: Arc<BTreeMap<FileKey, SourceFile>>,
    /// Every `keywright.toml` that is known, by its own key.
    #[returns(ref)]
    pub configs: Arc<BTreeMap<FileKey, Config>>,
    /// What the editor's configuration sets, for every model.
    #[returns(ref)]
    pub editors_settings: Arc<Settings>,
    /// Every generated document that is there, by its own key.
    #[returns(ref)]
    pub documents: Arc<BTreeMap<FileKey, WrittenDocument>>,
}

/// Keeps the inputs up to date.
pub struct Host {
    pub(super) db: Database,
    /// Inputs of declarations that are gone: salsa cannot drop an input, so the
    /// next new declarations take them over.
    spare_decls: Vec<Decl>,
    spare_files: Vec<SourceFile>,
    pub(super) spare_configs: Vec<Config>,
    pub(super) spare_documents: Vec<WrittenDocument>,
    /// How often a declaration's input has gone from one file to another.
    moved: usize,
}

/// So many declarations may go from file to file, whatever the host holds, and this
/// many for each that it holds, before it is worn.
const MOVES: usize = 2_000;
const MOVES_OF_EACH: usize = 4;

impl Default for Host {
    fn default() -> Self {
        Self::new(Database::default())
    }
}

impl Host {
    /// A host without a file, on this database.
    pub fn new(db: Database) -> Self {
        let _ = Workspace::builder(Arc::default(), Arc::default(), Arc::default(), Arc::default())
            .durability(Durability::HIGH)
            .new(&db);
        Self {
            db,
            spare_decls: Vec::new(),
            spare_files: Vec::new(),
            spare_configs: Vec::new(),
            spare_documents: Vec::new(),
            moved: 0,
        }
    }

    /// A view of the current state for another thread.
    pub fn snapshot(&self) -> Database {
        self.db.clone()
    }

    /// The current state, for queries in this thread.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The files that are known, in the order of their keys.
    pub fn files(&self) -> impl Iterator<Item = (&FileKey, &FileContent)> {
        let files = Workspace::get(&self.db).files(&self.db);
        files.iter().map(|(key, file)| (key, file.content(&self.db)))
    }

    /// Those that do not come before `key`.
    pub fn files_from(&self, key: &FileKey) -> impl Iterator<Item = (&FileKey, &FileContent)> {
        let files = Workspace::get(&self.db).files(&self.db);
        files.range(key.clone()..).map(|(key, file)| (key, file.content(&self.db)))
    }

    /// What is known of a file; `None` for one that was never set, or removed.
    pub fn content(&self, key: &FileKey) -> Option<&FileContent> {
        self.file(key).map(|file| file.content(&self.db))
    }

    /// The files that `key` imports, as far as their paths can be resolved.
    pub fn imports(&self, key: &FileKey) -> Vec<FileKey> {
        let Some(file) = self.file(key) else { return Vec::new() };
        super::imports::imports(&self.db, file).iter().filter_map(|import| import.key.clone()).collect()
    }

    /// The roots of the models that a file belongs to.
    pub fn models_of(&self, key: &FileKey) -> Vec<FileKey> {
        let Some(file) = self.file(key) else { return Vec::new() };
        super::imports::models_of(&self.db, file).iter().map(|root| root.key(&self.db).clone()).collect()
    }

    /// Whether it has seen so much come and go that it holds more of what is gone
    /// than of what is there. salsa keeps a result for every model and declaration
    /// that have ever met, and a declaration that goes from file to file meets every
    /// model in the end.
    pub fn is_worn(&self) -> bool {
        self.moved > MOVES && {
            let files = Workspace::get(&self.db).files(&self.db).values();
            self.moved > MOVES_OF_EACH * files.map(|file| file.decls(&self.db).len()).sum::<usize>()
        }
    }

    /// Takes over what another host knows. What that one has computed stays behind.
    pub fn take_over(&mut self, other: &Self) {
        for (key, content) in other.files() {
            self.set(key.clone(), content.clone());
        }
        for (key, file) in other.configs() {
            self.set_config(key.clone(), Some(Arc::clone(file)));
        }
        for (key, text) in other.documents() {
            self.set_document(key.clone(), Some(Arc::clone(text)));
        }
        self.set_editors_settings(Arc::clone(other.editors_settings()));
    }

    /// Sets what is known of a file. Nothing happens where that is known already.
    pub fn set(&mut self, key: FileKey, content: FileContent) {
        match self.file(&key) {
            Some(file) => {
                if *file.content(&self.db) != content {
                    self.fill(file, content);
                }
            }
            None => {
                let file = match self.spare_files.pop() {
                    Some(file) => {
                        file.set_key(&mut self.db).to(key.clone());
                        file
                    }
                    None => SourceFile::builder(
                        key.clone(),
                        FileContent::Absent(super::files::Absent::NotFound),
                        Presence::Absent,
                        Vec::new(),
                        Vec::new(),
                    )
                    .durability(Durability::HIGH)
                    .content_durability(Durability::LOW)
                    .starts_durability(Durability::LOW)
                    .new(&self.db),
                };
                self.fill(file, content);
                self.change_files(|files| {
                    files.insert(key, file);
                });
            }
        }
    }

    /// Forgets a file.
    pub fn remove(&mut self, key: &FileKey) {
        if let Some(file) = self.file(key) {
            self.fill(file, FileContent::Absent(super::files::Absent::NotFound));
            self.spare_files.push(file);
            self.change_files(|files| {
                files.remove(key);
            });
        }
    }

    /// Changes which files there are. The map is taken out and put back: a copy
    /// for each new file would cost the square of their number.
    fn change_files(&mut self, change: impl FnOnce(&mut BTreeMap<FileKey, SourceFile>)) {
        let workspace = Workspace::get(&self.db);
        let mut files = workspace.set_files(&mut self.db).to(Arc::default());
        change(Arc::make_mut(&mut files));
        workspace.set_files(&mut self.db).to(files);
    }

    fn file(&self, key: &FileKey) -> Option<SourceFile> {
        Workspace::get(&self.db).files(&self.db).get(key).copied()
    }

    /// Gives a file its content, and its declarations their old identities.
    fn fill(&mut self, file: SourceFile, content: FileContent) {
        let parse = content.parse().cloned();
        let chunks = parse.as_ref().map_or(&[][..], |parse| &parse.chunks);
        let starts: Vec<u32> = chunks.iter().map(|placed| placed.start).collect();
        // Before and behind an edit the very chunks are those of before: only what lies
        // between needs to be found again.
        let old = file.decls(&self.db).clone();
        let is_same = |(decl, placed): &(&Decl, &PlacedChunk)| Arc::ptr_eq(decl.chunk(&self.db), &placed.chunk);
        let before = old.iter().zip(chunks).take_while(is_same).count();
        let behind = old[before..].iter().rev().zip(chunks[before..].iter().rev()).take_while(is_same).count();
        let (gone, new) = (&old[before..old.len() - behind], &chunks[before..chunks.len() - behind]);
        let mut known: HashMap<(ChunkKind, String), Vec<Decl>> = HashMap::new();
        for decl in gone.iter().rev() {
            let chunk = decl.chunk(&self.db);
            known.entry((chunk.kind, identity(chunk))).or_default().push(*decl);
        }
        let found: Vec<(Option<Decl>, Arc<Chunk>)> = new
            .iter()
            .map(|PlacedChunk { chunk, .. }| {
                (known.get_mut(&(chunk.kind, identity(chunk))).and_then(Vec::pop), Arc::clone(chunk))
            })
            .collect();
        let mut leftover: Vec<Decl> = known.into_values().flatten().collect();
        let between: Vec<Decl> = found
            .into_iter()
            .map(|(known, chunk)| match known.or_else(|| leftover.pop()).or_else(|| self.spare_decls.pop()) {
                Some(decl) => {
                    if decl.file(&self.db) != file {
                        decl.set_file(&mut self.db).to(file);
                        self.moved += 1;
                    }
                    self.set_chunk(decl, chunk);
                    decl
                }
                None => {
                    let (kind, name) = (chunk.kind, name_of(&chunk));
                    Decl::builder(file, chunk, kind, name)
                        .durability(Durability::HIGH)
                        .chunk_durability(Durability::LOW)
                        .new(&self.db)
                }
            })
            .collect();
        for decl in leftover {
            let nothing = crate::syntax::FileParse::new("?").chunks.remove(0).chunk;
            self.set_chunk(decl, nothing);
            self.spare_decls.push(decl);
        }
        let decls: Vec<Decl> =
            old[..before].iter().chain(&between).chain(&old[old.len() - behind..]).copied().collect();
        if decls != old {
            file.set_decls(&mut self.db).to(decls);
        }
        if *file.starts(&self.db) != starts {
            file.set_starts(&mut self.db).to(starts);
        }
        let presence = Presence::of(&content);
        if file.presence(&self.db) != presence {
            file.set_presence(&mut self.db).to(presence);
        }
        file.set_content(&mut self.db).to(content);
    }

    /// Gives a declaration another text; nothing happens where it is the same.
    fn set_chunk(&mut self, decl: Decl, chunk: Arc<Chunk>) {
        if *decl.chunk(&self.db) == chunk {
            return;
        }
        let (kind, name) = (chunk.kind, name_of(&chunk));
        if decl.kind(&self.db) != kind {
            decl.set_kind(&mut self.db).to(kind);
        }
        if *decl.name(&self.db) != name {
            decl.set_name(&mut self.db).to(name);
        }
        decl.set_chunk(&mut self.db).to(chunk);
    }
}

/// What a declaration is found again by: the words of its header, which for
/// most kinds are the name.
fn identity(chunk: &Chunk) -> String {
    let mut words = chunk.text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    let header = words.next().unwrap_or("");
    header.split('{').next().unwrap_or("").trim_end().to_owned()
}
