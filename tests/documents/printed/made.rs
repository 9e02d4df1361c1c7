//! The parts of the documents of a model.

use expect_test::Expect;
use keywright::deliverables::{DocumentKind, parts};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};

pub const SHOP: &str = include_str!("../../../examples/shop.dynamo");

/// The text of a part of one of the documents.
pub fn part(model: &str, kind: DocumentKind, name: &str) -> String {
    let mut host = Host::default();
    let key = FileKey::new("/model/a.dynamo");
    host.set(key.clone(), FileContent::from_bytes(model.as_bytes()));
    let root = Workspace::get(host.db()).files(host.db())[&key];
    let part = parts(host.db(), root, kind).into_iter().find(|part| part.name == name);
    part.unwrap_or_else(|| panic!("there is a part `{name}`")).text
}

/// What stands in the fences of a language.
pub fn fenced(text: &str, language: &str) -> Vec<String> {
    let blocks = text.split("\n```").collect::<Vec<_>>();
    blocks.iter().filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).map(str::to_owned).collect()
}

pub fn check(model: &str, kind: DocumentKind, name: &str, expected: Expect) {
    expected.assert_eq(&part(model, kind, name));
}

/// The request of a pattern of a model.
pub fn request(model: &str, pattern: &str) -> String {
    part(model, DocumentKind::DataModel, &format!("request {pattern}"))
}
