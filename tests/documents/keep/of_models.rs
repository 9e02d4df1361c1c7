//! The same with the documents of random models, which lose declarations, get them
//! back and become another model.

use super::person::deeds;
use super::random::{Generated, generated, live};
use crate::support::models::model;
use crate::support::random::cases;
use keywright::deliverables::{DocumentKind, Part, parts};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::FileParse;
use proptest::prelude::*;
use std::sync::OnceLock;

/// How many models there are.
const MODELS: u64 = 6;
/// How many versions of each: whole, without some declarations, and none at all.
const VERSIONS: usize = 5;

/// Both documents of every version of every model.
struct Documents {
    /// By model, version and kind.
    parts: Vec<Vec<[Vec<Part>; 2]>>,
    generated: Generated,
}

fn documents() -> &'static Documents {
    static DOCUMENTS: OnceLock<Documents> = OnceLock::new();
    DOCUMENTS.get_or_init(|| {
        let parts: Vec<Vec<[Vec<Part>; 2]>> = (0..MODELS).map(|seed| versions(&model(seed))).collect();
        let all = parts.iter().flatten().flatten().map(Vec::as_slice);
        let generated = generated(all);
        Documents { parts, generated }
    })
}

/// A model as it is, and without one declaration of every few.
fn versions(text: &str) -> Vec<[Vec<Part>; 2]> {
    let parse = FileParse::new(text);
    let without = |number: usize| {
        let mut text = text.to_owned();
        let gone = parse.chunks.iter().enumerate().filter(|(at, _)| at % 7 == number);
        for (_, chunk) in gone.collect::<Vec<_>>().into_iter().rev() {
            text.replace_range(chunk.range().indices(), "");
        }
        text
    };
    let mut texts = vec![text.to_owned(), String::new()];
    texts.extend((texts.len()..VERSIONS).map(without));
    texts.iter().map(|text| both(text)).collect()
}

fn both(text: &str) -> [Vec<Part>; 2] {
    let mut host = Host::default();
    let key = FileKey::new("/model/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let root = Workspace::get(host.db()).files(host.db())[&key];
    [DocumentKind::Requirement, DocumentKind::DataModel].map(|kind| parts(host.db(), root, kind))
}

#[test]
fn versions_of_a_model_have_other_parts_and_other_texts() {
    let all = documents();
    let names = |parts: &[Part]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    let mut others = (0, 0);
    for versions in &all.parts {
        for version in &versions[1..] {
            others.0 += usize::from(names(&version[1]) != names(&versions[0][1]));
            others.1 += usize::from(version[0] != versions[0][0]);
        }
    }
    assert!(others.0 > MODELS as usize && others.1 > 2 * MODELS as usize, "{others:?}");
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_byte_of_a_person_is_lost_in_a_document_of_a_model(
        kind in 0usize..2,
        // Now and then it becomes another model.
        which in proptest::collection::vec((0..MODELS as usize, 0..VERSIONS, proptest::bool::weighted(0.1)), 3),
        deeds in proptest::collection::vec(deeds(), 3),
    ) {
        let all = documents();
        let first = which[0].0;
        let version = |(model, version, is_other): &(usize, usize, bool)| {
            all.parts[if *is_other { *model } else { first }][*version][kind].as_slice()
        };
        let versions: Vec<&[Part]> = which.iter().map(version).collect();
        live(&versions, &deeds, &all.generated)?;
    }
}
