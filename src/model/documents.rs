//! Generated documents as inputs of the analysis: the texts that stand on disk, or
//! open in an editor, where the documents of models belong. A model that has none
//! beside it pays nothing for them.

use super::db::{Db, Host, Workspace};
use super::files::FileKey;
use salsa::Setter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The text of a document that is there and can be read.
#[salsa::input(debug)]
pub struct WrittenDocument {
    #[returns(ref)]
    pub text: Arc<str>,
}

/// What is written in a document; `None` where there is none that can be read.
pub fn written<'db>(db: &'db dyn Db, key: &FileKey) -> Option<&'db Arc<str>> {
    Workspace::get(db).documents(db).get(key).map(|document| document.text(db))
}

/// Whether any document is known at all.
pub fn has_documents(db: &dyn Db) -> bool {
    !Workspace::get(db).documents(db).is_empty()
}

impl Host {
    /// Every document that is known, in the order of their keys.
    pub fn documents(&self) -> impl Iterator<Item = (&FileKey, &Arc<str>)> {
        let documents = Workspace::get(&self.db).documents(&self.db);
        documents.iter().map(|(key, document)| (key, document.text(&self.db)))
    }

    /// What is written in a document.
    pub fn document(&self, key: &FileKey) -> Option<&Arc<str>> {
        written(&self.db, key)
    }

    /// Sets what is written in a document; `None` where there is none (any more).
    /// Nothing happens where that is known already.
    pub fn set_document(&mut self, key: FileKey, text: Option<Arc<str>>) {
        let known = Workspace::get(&self.db).documents(&self.db).get(&key).copied();
        match (known, text) {
            (Some(document), Some(text)) => {
                if *document.text(&self.db) != text {
                    document.set_text(&mut self.db).to(text);
                }
            }
            (None, Some(text)) => {
                let document = match self.spare_documents.pop() {
                    Some(document) => {
                        document.set_text(&mut self.db).to(text);
                        document
                    }
                    None => WrittenDocument::new(&self.db, text),
                };
                self.change_documents(|documents| {
                    documents.insert(key, document);
                });
            }
            (Some(document), None) => {
                // An input cannot be dropped; its text can.
                document.set_text(&mut self.db).to(Arc::default());
                self.spare_documents.push(document);
                self.change_documents(|documents| {
                    documents.remove(&key);
                });
            }
            (None, None) => {}
        }
    }

    fn change_documents(&mut self, change: impl FnOnce(&mut BTreeMap<FileKey, WrittenDocument>)) {
        let workspace = Workspace::get(&self.db);
        let mut documents = workspace.set_documents(&mut self.db).to(Arc::default());
        change(Arc::make_mut(&mut documents));
        workspace.set_documents(&mut self.db).to(documents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_change_and_go() {
        let (a, b) = (FileKey::new("/a.md"), FileKey::new("/b.md"));
        let mut host = Host::default();
        assert!(!has_documents(host.db()));
        host.set_document(a.clone(), Some("one".into()));
        host.set_document(a.clone(), Some("two".into()));
        assert_eq!(host.document(&a).map(|text| &**text), Some("two"));
        host.set_document(a.clone(), None);
        host.set_document(a.clone(), None);
        assert!(!has_documents(host.db()));
        host.set_document(b.clone(), Some("three".into()));
        let all: Vec<(&FileKey, &str)> = host.documents().map(|(key, text)| (key, &**text)).collect();
        assert_eq!(all, [(&b, "three")], "the input of the one that is gone holds nothing of it");
        let mut other = Host::default();
        other.take_over(&host);
        assert_eq!(other.document(&b), host.document(&b));
    }
}
