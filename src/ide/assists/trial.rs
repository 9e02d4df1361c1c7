//! The model as it would be after a refactoring: made apart, so that what is
//! offered can be judged and priced before anybody takes it.

use super::{Assist, AssistCx, price};
use crate::ide::changes::finished;
use crate::ide::diagnostics::findings;
use crate::ide::{CodeActionKind, SourceChange};
use crate::model::db::{Database, Db, Host, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports::{model_files, models_of};
use crate::model::lower::decl_name;
use crate::model::names::names;
use crate::model::resolve::resolved;
use crate::model::settings::config_of;
use crate::rules::finding::{Edit, Level};
use crate::syntax::{FileParse, Text, apply};
use std::collections::{BTreeMap, BTreeSet};

/// A model after a change, beside the model before it.
pub(super) struct Trial<'db> {
    before: (&'db dyn Db, SourceFile),
    host: Host,
    /// Every file that there is of every model that the change touches.
    old_files: BTreeSet<FileKey>,
    /// Every file that there will be of every model that the change touches.
    files: BTreeSet<FileKey>,
}

impl<'db> Trial<'db> {
    /// Makes the change apart from the state.
    pub fn new(cx: &AssistCx<'db>, change: &SourceChange) -> Self {
        let db = cx.db;
        let known = Workspace::get(db).files(db);
        let edited = change.edits.iter().filter_map(|(key, _)| known.get(key)).copied();
        let models: BTreeSet<FileKey> =
            edited.flat_map(|file| models_of(db, file)).chain([&cx.root]).map(|root| root.key(db).clone()).collect();
        let roots = models.iter().filter_map(|key| known.get(key));
        let mut files: BTreeSet<FileKey> =
            roots.clone().flat_map(|root| model_files(db, *root)).map(|file| file.key(db).clone()).collect();
        let old_files = files.clone();
        files.retain(|key| !change.deletes.contains(key));
        let mut host = Host::default();
        for config in roots.filter_map(|root| config_of(db, *root).as_ref()) {
            host.set_config(config.clone(), crate::model::settings::config_file(db, config).cloned());
        }
        for key in &files {
            let Some(file) = known.get(key) else { continue };
            let edits = change.edits.iter().find(|(edited, _)| edited == key);
            let content = match (edits, file.content(db).parse()) {
                (Some((_, edits)), Some(parse)) => {
                    FileContent::of_text(&Text::new(&apply(&parse.text, edits)), Some(parse))
                }
                _ => file.content(db).clone(),
            };
            host.set(key.clone(), content);
        }
        for (key, text) in &change.creates {
            host.set(key.clone(), FileContent::Parsed(FileParse::new(text).into()));
            files.insert(key.clone());
        }
        Self { before: (db, cx.root), host, old_files, files }
    }

    /// The model as it would be.
    pub fn db(&self) -> &Database {
        self.host.db()
    }

    /// A file as it would be.
    fn file(&self, key: &FileKey) -> Option<SourceFile> {
        Workspace::get(self.db()).files(self.db()).get(key).copied()
    }

    /// The root of the model as it would be.
    pub fn root(&self) -> Option<SourceFile> {
        let (db, root) = self.before;
        self.file(root.key(db))
    }

    /// Whether some rule would report an error or a warning more often than it
    /// does now: what is offered leaves no model worse.
    pub fn brings_faults(&self) -> bool {
        let (db, _) = self.before;
        let before = faults(db, &self.old_files);
        faults(self.db(), &self.files).into_iter().any(|(rule, many)| many > before.get(rule).copied().unwrap_or(0))
    }

    /// Dollars a month that the model would cost more than it does; `None` where
    /// that is not known.
    pub fn difference(&self) -> Option<f64> {
        price::difference(self.before, (self.db(), self.root()?))
    }

    /// The entities that each pattern would touch, by its name.
    pub fn reached_by_patterns(&self) -> BTreeMap<String, BTreeSet<String>> {
        let steps = self.root().map(|root| reached(self.db(), root)).unwrap_or_default();
        steps.into_iter().map(|(name, steps)| (name, steps.into_iter().flatten().collect())).collect()
    }

    /// Whether every step of every pattern would touch the items that it does now.
    pub fn reaches_the_same(&self) -> bool {
        let Some(root) = self.root() else { return false };
        let (db, before) = self.before;
        reached(db, before) == reached(self.db(), root)
    }
}

/// The errors and warnings of files, counted by rule.
fn faults(db: &dyn Db, files: &BTreeSet<FileKey>) -> BTreeMap<&'static str, usize> {
    let known = Workspace::get(db).files(db);
    let mut counts = BTreeMap::new();
    for file in files.iter().filter_map(|key| known.get(key)) {
        for finding in findings(db, *file).iter().filter(|finding| finding.level >= Level::Warning) {
            *counts.entry(finding.rule.name).or_default() += 1;
        }
    }
    counts
}

/// The entities that each step of each pattern touches.
fn reached(db: &dyn Db, root: SourceFile) -> BTreeMap<String, Vec<BTreeSet<String>>> {
    let patterns = names(db, root).all_patterns();
    let named = patterns.filter_map(|decl| Some((decl_name(db, decl).clone()?, decl)));
    named
        .map(|(name, decl)| {
            let steps = resolved(db, root, decl).steps.iter();
            (name, steps.map(|step| step.reached.iter().cloned().collect()).collect())
        })
        .collect()
}

/// A refactoring that keeps every answer of the model: offered where its edits
/// touch no file of another model, bring no error and no warning, and leave each
/// step with the items that it had. Its title says what it changes in the price.
pub(super) fn offered(cx: &AssistCx<'_>, kind: CodeActionKind, title: String, edits: Vec<Edit>) -> Option<Assist> {
    offered_where(cx, kind, title, edits, |trial| trial.reaches_the_same())
}

/// The same, where something else than the items of each step has to hold.
pub(super) fn offered_where(
    cx: &AssistCx<'_>,
    kind: CodeActionKind,
    title: String,
    edits: Vec<Edit>,
    holds: impl Fn(&Trial<'_>) -> bool,
) -> Option<Assist> {
    let change = finished(cx.db, &edits);
    let known = Workspace::get(cx.db).files(cx.db);
    let mut edited = change.edits.iter().filter_map(|(key, _)| known.get(key));
    if !edited.all(|file| models_of(cx.db, *file) == &[cx.root]) {
        return None;
    }
    let trial = Trial::new(cx, &change);
    if !holds(&trial) || trial.brings_faults() {
        return None;
    }
    let title = match trial.difference() {
        Some(difference) => format!("{title}: {}", price::shown(difference)),
        None => title,
    };
    Some(Assist { kind, title, edits })
}
