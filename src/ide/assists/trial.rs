//! The model as it would be after a refactoring: made apart, so that what is
//! offered can be judged and priced before anybody takes it.

use super::{Assist, AssistCx, TOLD};
use crate::ide::changes::{change, finished};
use crate::ide::diagnostics::findings;
use crate::ide::price::{Changed, priced};
use crate::ide::{CodeActionKind, SourceChange};
use crate::model::db::{Database, Db, Host, SourceFile, Workspace};
use crate::model::files::{FileContent, FileKey};
use crate::model::imports::{model_files, models_of};
use crate::model::lower::decl_name;
use crate::model::names::names;
use crate::model::resolve::resolved;
use crate::model::settings::{config_file, config_of};
use crate::rules::finding::{Edit, Finding, FindingPlace, Fix, Level, Safety};
use crate::rules::judge::{file_findings, judged};
use crate::syntax::{FileParse, Text, apply};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A model after a change, beside the model before it.
pub(super) struct Trial<'db> {
    db: &'db dyn Db,
    before: SourceFile,
    changed: Changed<'db>,
    /// Every file that there is of every model that the change touches.
    old_files: BTreeSet<FileKey>,
    /// Every file that there will be of them.
    new_files: BTreeSet<FileKey>,
}

impl<'db> Trial<'db> {
    /// Makes the change apart from the state; `None` where the model loses its
    /// root.
    pub fn new(cx: &AssistCx<'db>, change: &SourceChange) -> Option<Self> {
        Self::of(cx.db, cx.root, change)
    }

    /// The same for the model of this root and for every other that the change
    /// touches.
    pub fn of(db: &'db dyn Db, root: SourceFile, change: &SourceChange) -> Option<Self> {
        let known = Workspace::get(db).files(db);
        let edited = change.edits.iter().filter_map(|(key, _)| known.get(key)).copied();
        let roots: BTreeSet<&FileKey> =
            edited.flat_map(|file| models_of(db, file)).chain([&root]).map(|root| root.key(db)).collect();
        let roots: Vec<SourceFile> = roots.into_iter().filter_map(|key| known.get(key)).copied().collect();
        let old_files: BTreeSet<FileKey> =
            roots.iter().flat_map(|root| model_files(db, *root)).map(|file| file.key(db).clone()).collect();
        let mut new_files = old_files.clone();
        new_files.retain(|key| !change.deletes.contains(key));
        let mut host = Host::default();
        for config in roots.iter().filter_map(|root| config_of(db, *root).as_ref()) {
            host.set_config(config.clone(), config_file(db, config).cloned());
        }
        for key in &new_files {
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
            new_files.insert(key.clone());
        }
        let changed = Changed::of(db, root, host)?;
        Some(Self { db, before: root, changed, old_files, new_files })
    }

    /// The model as it would be, and its root.
    pub fn model(&self) -> (&Database, SourceFile) {
        self.changed.model()
    }

    /// Whether some rule would report an error or a warning of some model more often
    /// than it does now: what is offered leaves none worse.
    pub fn brings_faults(&self) -> bool {
        self.brings_faults_beside(&[])
    }

    /// The same, but for these rules: what they say of the change is true, and for
    /// whoever takes it to weigh against its price.
    pub fn brings_faults_beside(&self, told: &[&str]) -> bool {
        let before = faults(self.db, &self.old_files);
        self.judge();
        let after = faults(self.model().0, &self.new_files);
        let is_more = |(key, many): (&(FileKey, &str), &usize)| {
            !told.contains(&key.1) && *many > before.get(key).copied().unwrap_or(0)
        };
        after.iter().any(is_more)
    }

    /// Judges the model as it would be bit by bit: the state that was asked about
    /// waits for this before it can change, and the other model knows nothing of it.
    fn judge(&self) {
        let (db, _) = self.model();
        let known = Workspace::get(db).files(db);
        for file in self.new_files.iter().filter_map(|key| known.get(key)) {
            for root in models_of(db, *file) {
                for decl in file.decls(db) {
                    judged(db, *root, *decl);
                    self.db.unwind_if_revision_cancelled();
                }
            }
        }
    }

    /// What takes away each `allow` of the model as it would be that silences nothing
    /// there, and does now.
    pub fn tidying(&self) -> SourceChange {
        let mut idle: Vec<(String, Option<String>)> =
            idle_allows(self.db, &self.old_files).map(|finding| signature(self.db, &finding)).collect();
        self.judge();
        let (db, _) = self.model();
        let mut edits = Vec::new();
        for finding in idle_allows(db, &self.new_files) {
            let own = signature(db, &finding);
            match idle.iter().position(|known| *known == own) {
                Some(at) => {
                    idle.swap_remove(at);
                }
                None => edits.extend(finding.fixes.first().into_iter().flat_map(|fix| fix.edits.clone())),
            }
        }
        change(db, &edits)
    }

    /// The entities that each pattern would touch, by its name.
    pub fn reached_by_patterns(&self) -> BTreeMap<String, BTreeSet<String>> {
        let (db, root) = self.model();
        reached(db, root).into_iter().map(|(name, steps)| (name, steps.into_iter().flatten().collect())).collect()
    }

    /// Dollars a month that the model would cost more, as it is told.
    pub fn monthly(&self) -> Option<String> {
        self.changed.monthly_of_all()
    }

    /// Whether every step of every pattern would touch the items that it does now.
    pub fn reaches_the_same(&self) -> bool {
        let (db, root) = self.model();
        reached(self.db, self.before) == reached(db, root)
    }
}

/// Whether edits leave a model that is no worse, but for what these rules say.
pub(super) fn would_hold(cx: &AssistCx<'_>, edits: &[Edit], told: &[&str]) -> bool {
    let trial = Trial::new(cx, &finished(cx.db, edits));
    trial.is_some_and(|trial| !trial.brings_faults_beside(told))
}

/// Whether a fix may be offered: one of files that belong to several models is made of
/// what one of them says, and must leave none of the others worse. What cannot change
/// what a model means, and what only one model sees, needs no trial.
pub(in crate::ide) fn fix_holds(db: &dyn Db, fix: &Fix) -> bool {
    fix.safety == Safety::Tidy || breaks_no_model(db, &fix.edits, &[])
}

/// Whether a fix that does a refactoring's work leaves the model no worse than it is.
pub(in crate::ide) fn fix_would_hold(db: &dyn Db, root: SourceFile, fix: &Fix) -> bool {
    Trial::of(db, root, &finished(db, &fix.edits)).is_some_and(|trial| !trial.brings_faults_beside(TOLD))
}

/// Whether edits of files that several models share leave none of them worse, but for
/// what these rules say.
pub(super) fn breaks_no_model(db: &dyn Db, edits: &[Edit], told: &[&str]) -> bool {
    let known = Workspace::get(db).files(db);
    let bare = change(db, edits);
    let edited = bare.edits.iter().filter_map(|(key, _)| known.get(key));
    let Some(root) = edited.map(|file| models_of(db, *file)).find(|roots| roots.len() > 1).map(|roots| roots[0]) else {
        return true;
    };
    Trial::of(db, root, &finished(db, edits)).is_some_and(|trial| !trial.brings_faults_beside(told))
}

/// The findings of files about an `allow` that silences nothing.
fn idle_allows(db: &dyn Db, files: &BTreeSet<FileKey>) -> impl Iterator<Item = Arc<Finding>> {
    let known = Workspace::get(db).files(db);
    let all = files.iter().filter_map(|key| known.get(key)).flat_map(|file| findings(db, *file));
    all.filter(|finding| finding.rule.name == "unused-allow")
}

/// What tells findings apart, wherever edits have moved them to: what they say, and the
/// name of their declaration.
fn signature(db: &dyn Db, finding: &Finding) -> (String, Option<String>) {
    let name = match finding.place {
        FindingPlace::In(place) => decl_name(db, place.decl).clone(),
        FindingPlace::File { .. } => None,
    };
    (finding.message.clone(), name)
}

/// The errors and warnings of files, counted by model and rule. An `allow` is unused
/// only where no model uses it.
fn faults(db: &dyn Db, files: &BTreeSet<FileKey>) -> BTreeMap<(FileKey, &'static str), usize> {
    let known = Workspace::get(db).files(db);
    let mut counts = BTreeMap::new();
    let is_loud = |finding: &&Arc<Finding>| finding.level >= Level::Warning;
    let is_of_file = |finding: &Arc<Finding>| finding.rule.name == "unused-allow";
    for file in files.iter().filter_map(|key| known.get(key)) {
        let of_file = findings(db, *file);
        let of_file = of_file.iter().filter(is_loud).filter(|finding| is_of_file(finding));
        let of_models = models_of(db, *file).iter().flat_map(|root| {
            let own = file_findings(db, *root, *file).iter().filter(is_loud);
            own.filter(|finding| !is_of_file(finding)).map(move |finding| (*root, finding))
        });
        for (owner, finding) in of_file.map(|finding| (*file, finding)).chain(of_models) {
            *counts.entry((owner.key(db).clone(), finding.rule.name)).or_default() += 1;
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
    let trial = Trial::new(cx, &change)?;
    if !holds(&trial) || trial.brings_faults() {
        return None;
    }
    Some(Assist { kind, title: priced(title, trial.changed.monthly_of_all()), edits })
}
