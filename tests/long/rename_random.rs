//! Any name of any model renamed, and renamed back: the text is the same again, and in
//! between the findings are those of before, with the new name.

use crate::support::{models, shapes};
use keywright::ide::{Analysis, FileRange, apply};
use keywright::model::db::{Host, SourceFile, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::imports::models_of;
use keywright::model::occurrences::occurrences;
use std::collections::BTreeMap;

/// Rules that judge how a thing is called: another name has other findings of them.
const OF_NAMES: [&str; 6] = [
    "case-sensitive-key",
    "generic-key-name",
    "missing-entity-type",
    "missing-timestamps",
    "natural-key-name",
    "reserved-word",
];

/// The files of a model.
#[derive(Clone)]
struct Files(BTreeMap<FileKey, String>);

/// A name of a model, at one of its places.
#[derive(Clone, Debug)]
struct Name {
    file: FileKey,
    offset: usize,
    text: String,
}

impl Files {
    fn of_text(text: &str) -> Self {
        Self(BTreeMap::from([(FileKey::new("/model/main.dynamo"), text.to_owned())]))
    }

    /// The declarations dealt out to three files.
    fn dealt_out(text: &str) -> Self {
        let shapes = shapes::shapes(text);
        let (_, fixture) = shapes.iter().find(|(shape, _)| *shape == "in three files").unwrap();
        Self(fixture.texts.iter().cloned().collect())
    }

    fn host(&self) -> Host {
        let mut host = Host::default();
        for (key, text) in &self.0 {
            host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        }
        host
    }

    /// Every place that names something.
    fn names(&self) -> Vec<Name> {
        let host = self.host();
        let db = host.db();
        let mut all = Vec::new();
        for (key, file) in Workspace::get(db).files(db).iter() {
            let root: SourceFile = models_of(db, *file)[0];
            for (decl, start) in file.decls(db).iter().zip(file.starts(db)) {
                let named = occurrences(db, root, *decl).iter().filter(|occurrence| !occurrence.declared.is_empty());
                all.extend(named.map(|occurrence| Name {
                    file: key.clone(),
                    offset: *start as usize + occurrence.range.start as usize,
                    text: occurrence.text.clone(),
                }));
            }
        }
        all
    }

    fn renamed(&self, name: &Name, offset: usize, new: &str) -> Self {
        let analysis = Analysis::new(self.host().snapshot());
        let rename = analysis.rename(&name.file, offset, new).unwrap().unwrap();
        let rename = rename.unwrap_or_else(|reason| panic!("{name:?} to `{new}`: {}", reason.message));
        let mut after = self.clone();
        for (file, edits) in rename.change().edits {
            let text = apply(&after.0[&file], &edits);
            after.0.insert(file, text);
        }
        after
    }

    /// The findings, with neither name in them: what stands in backticks is made of
    /// names, some put together of several.
    fn findings(&self) -> Vec<String> {
        let analysis = Analysis::new(self.host().snapshot());
        let mut all = Vec::new();
        for file in self.0.keys() {
            let found = analysis.diagnostics(file).unwrap();
            all.extend(found.into_iter().filter(|finding| !OF_NAMES.contains(&finding.rule)).map(|finding| {
                let FileRange::Bytes(range) = finding.range else { panic!("a readable file") };
                format!("{file} {range:?} {} {:?}: {}", finding.rule, finding.level, nameless(&finding.message))
            }));
        }
        all.sort();
        all
    }

    /// A name that nothing has, of the same length and with the same first letters:
    /// names are stored in every item and count by their bytes.
    fn free(&self, name: &Name) -> Option<String> {
        let all: String = self.0.values().map(String::as_str).collect();
        let kept = &name.text[..name.text.len() - name.text.chars().last()?.len_utf8()];
        let plain = name.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut candidates = ('a'..='z').chain('0'..='9').map(|last| format!("{kept}{last}"));
        candidates.find(|new| {
            let is_name = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            plain && is_name && !all.to_lowercase().contains(&new.to_lowercase())
        })
    }
}

/// A message without its names, lists of them told as one: attributes of two entities
/// that share a name are counted once, and twice when one of them is called otherwise.
fn nameless(message: &str) -> String {
    let plain: Vec<&str> = message.split('`').step_by(2).collect();
    let mut words: Vec<&str> = Vec::new();
    let plain = plain.join("•").replace("•, •", "•").replace(", •", "").replace("• and •", "•");
    for word in plain.split(' ') {
        let counted = word.starts_with("more") && words.len() >= 2 && words[words.len() - 2] == "and";
        if counted {
            words.truncate(words.len() - 2);
        }
        words.push(word);
    }
    words.join(" ")
}

/// Renames the names of a model and back, each from every `step`th of its places; of
/// every `judged`th the findings in between are looked at as well.
fn rename_all(files: &Files, step: usize, judged: usize) -> usize {
    let mut before = None;
    let mut faults = Vec::new();
    let mut count = 0;
    for name in files.names().into_iter().step_by(step) {
        let Some(new) = files.free(&name) else { continue };
        let between = files.renamed(&name, name.offset, &new);
        assert_ne!(files.0, between.0, "{name:?} to `{new}` changes nothing");
        if count % judged == 0 {
            let before = before.get_or_insert_with(|| files.findings());
            let after = between.findings();
            let missing: Vec<&String> = before.iter().filter(|finding| !after.contains(finding)).collect();
            let more: Vec<&String> = after.iter().filter(|finding| !before.contains(finding)).collect();
            if !(missing.is_empty() && more.is_empty()) {
                faults.push(format!("{name:?} to `{new}`: gone {missing:#?}, new {more:#?}"));
            }
        }
        // All edits have the lengths of what they replace, so that places stay.
        let back = between.renamed(&Name { text: new.clone(), ..name.clone() }, name.offset, &name.text);
        assert_eq!(files.0, back.0, "{name:?} to `{new}` and back");
        count += 1;
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    count
}

fn examples() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in ["examples", "examples/gallery"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "dynamo") {
                all.push((file.display().to_string(), std::fs::read_to_string(&file).unwrap()));
            }
        }
    }
    assert!(all.len() >= 10);
    all
}

#[test]
fn names_of_random_models_are_renamed_and_back() {
    for seed in [3, 8] {
        let text = models::model(seed);
        assert!(rename_all(&Files::of_text(&text), 9, 4) > 5, "seed {seed}");
        assert!(rename_all(&Files::dealt_out(&text), 17, 4) > 3, "seed {seed}");
    }
}

#[test]
fn names_of_an_example_are_renamed_and_back() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")).unwrap();
    assert!(rename_all(&Files::of_text(&text), 11, 4) > 10);
}

#[test]
#[ignore = "long: runs optimised"]
fn every_name_of_many_random_models_is_renamed_and_back() {
    for seed in 0..40 {
        eprintln!("seed {seed}");
        let text = models::model(seed);
        // Every place of some models, and of the others some that are others each time.
        let step = if seed < 4 { 1 } else { 5 + seed as usize % 3 };
        assert!(rename_all(&Files::of_text(&text), step, 1) > 5, "seed {seed}");
        assert!(rename_all(&Files::dealt_out(&text), 7, 2) > 1, "seed {seed}");
    }
}

#[test]
#[ignore = "long: runs optimised"]
fn every_name_of_the_examples_is_renamed_and_back() {
    for (file, text) in examples() {
        eprintln!("{file}");
        assert!(rename_all(&Files::of_text(&text), 2, 1) > 5, "{file}");
        assert!(rename_all(&Files::dealt_out(&text), 7, 2) > 1, "{file}");
    }
}

/// A file of the repository.
fn example(file: &str) -> String {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(file)).unwrap()
}

#[test]
#[ignore = "long: runs optimised"]
fn names_of_the_larger_examples_are_renamed_and_back() {
    for file in ["large/crm.dynamo", "large/clinics.dynamo"] {
        eprintln!("{file}");
        assert!(rename_all(&Files::of_text(&example(file)), 61, 5) > 5, "{file}");
    }
    // One that its authors have in several files.
    let folder = "large/marketplace";
    let files = ["marketplace", "people", "catalogue", "orders", "payments"].map(|name| {
        let file = format!("{name}.dynamo");
        (FileKey::new(&format!("/model/{file}")), example(&format!("{folder}/{file}")))
    });
    eprintln!("{folder}");
    assert!(rename_all(&Files(files.into()), 61, 5) > 5, "{folder}");
}
