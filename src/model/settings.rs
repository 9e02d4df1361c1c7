//! Settings as inputs of the analysis: every `keywright.toml` that is known, and
//! which of them holds for a model.

use super::db::{Db, Host, SourceFile, Workspace};
use super::defs::Style;
use super::files::FileKey;
use super::imports::models_of;
use super::names::application;
use crate::config::{ConfigFile, FILE_NAME, Quota, SetLevel, SetStyle, Settings};
use salsa::Setter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A `keywright.toml`. Its settings stand apart from its text: what is computed
/// from them does not ask where they are written.
#[salsa::input(debug)]
pub struct Config {
    #[returns(ref)]
    pub settings: Arc<Settings>,
    /// The whole of it, for who shows its faults.
    #[returns(ref)]
    pub file: Arc<ConfigFile>,
}

/// The key of the `keywright.toml` of a folder, as [`FileKey::folders`] names it.
pub fn config_key(folder: &str) -> FileKey {
    FileKey::new(&format!("{folder}/{FILE_NAME}"))
}

/// Whether a file is a `keywright.toml`.
pub fn is_config(key: &FileKey) -> bool {
    key.is_path() && key.file_name() == FILE_NAME
}

/// The key of the `keywright.toml` that holds for the model with this root: the
/// nearest upwards from the root. It holds alone, nothing is added from those
/// above it.
#[salsa::tracked(returns(ref))]
pub fn config_of(db: &dyn Db, root: SourceFile) -> Option<FileKey> {
    let known = Workspace::get(db).configs(db);
    root.key(db).folders().map(config_key).find(|key| known.contains_key(key))
}

/// The settings of the model with this root: the editor's, over those of the
/// `keywright.toml` that holds for it; where neither says anything, the defaults.
#[salsa::tracked(returns(ref))]
pub fn settings(db: &dyn Db, root: SourceFile) -> Arc<Settings> {
    let config = config_of(db, root).as_ref().and_then(|key| Workspace::get(db).configs(db).get(key));
    let editors = Workspace::get(db).editors_settings(db);
    match config.map(|config| config.settings(db)) {
        None => Arc::clone(editors),
        Some(own) if **editors == Settings::default() => Arc::clone(own),
        Some(own) => Arc::new(editors.over(own)),
    }
}

/// The level that is set for a rule. A query of its own, as are the next: a
/// change of one setting computes nothing that reads another.
#[salsa::tracked(returns(copy))]
pub fn set_level(db: &dyn Db, root: SourceFile, rule: &'static str) -> Option<SetLevel> {
    settings(db, root).levels.get(rule).copied()
}

/// The value that is set for a threshold of a rule.
#[salsa::tracked(returns(copy))]
pub fn set_threshold(db: &dyn Db, root: SourceFile, rule: &'static str, threshold: &'static str) -> Option<f64> {
    settings(db, root).thresholds.get(rule)?.get(threshold).copied()
}

/// What the account of a model gets: what is set, else what AWS gives unasked.
#[salsa::tracked(returns(copy))]
pub fn quota(db: &dyn Db, root: SourceFile, quota: Quota) -> f64 {
    settings(db, root).quotas.get(&quota).copied().unwrap_or(quota.default())
}

/// The style that is set for models that say none.
#[salsa::tracked(returns(copy))]
pub fn set_style(db: &dyn Db, root: SourceFile) -> Option<Style> {
    settings(db, root).style.map(|style| match style {
        SetStyle::Aggregate => Style::Aggregate,
        SetStyle::SingleTable => Style::SingleTable,
    })
}

/// The AWS Region that the model with this root runs in: its own, else that of
/// its `keywright.toml`.
#[salsa::tracked(returns(ref))]
pub fn region(db: &dyn Db, root: SourceFile) -> Option<String> {
    let own = application(db, root).and_then(|application| application.region.as_ref());
    own.map(|region| region.value.clone()).or_else(|| settings(db, root).region.clone())
}

/// Every `keywright.toml` that holds for a model to which one of these files
/// belongs.
pub fn configs_of<'k>(db: &dyn Db, keys: impl IntoIterator<Item = &'k FileKey>) -> BTreeSet<FileKey> {
    let files = Workspace::get(db).files(db);
    let roots = keys.into_iter().filter_map(|key| files.get(key)).flat_map(|file| models_of(db, *file));
    roots.filter_map(|root| config_of(db, *root).clone()).collect()
}

/// What is known of a `keywright.toml`.
pub fn config_file<'db>(db: &'db dyn Db, key: &FileKey) -> Option<&'db Arc<ConfigFile>> {
    Workspace::get(db).configs(db).get(key).map(|config| config.file(db))
}

impl Host {
    /// Every `keywright.toml` that is known, in the order of their keys.
    pub fn configs(&self) -> impl Iterator<Item = (&FileKey, &Arc<ConfigFile>)> {
        let configs = Workspace::get(&self.db).configs(&self.db);
        configs.iter().map(|(key, config)| (key, config.file(&self.db)))
    }

    /// The settings of the editor.
    pub fn editors_settings(&self) -> &Arc<Settings> {
        Workspace::get(&self.db).editors_settings(&self.db)
    }

    /// Sets the settings of the editor, which hold for every model.
    pub fn set_editors_settings(&mut self, settings: Arc<Settings>) {
        if *self.editors_settings() != settings {
            Workspace::get(&self.db).set_editors_settings(&mut self.db).to(settings);
        }
    }

    /// Sets what a `keywright.toml` holds; `None` where there is none (any more).
    pub fn set_config(&mut self, key: FileKey, file: Option<Arc<ConfigFile>>) {
        let known = Workspace::get(&self.db).configs(&self.db).get(&key).copied();
        match (known, file) {
            (Some(config), Some(file)) => self.fill_config(config, file),
            (None, Some(file)) => {
                let config = match self.spare_configs.pop() {
                    Some(config) => config,
                    None => Config::new(&self.db, Arc::default(), Arc::default()),
                };
                self.fill_config(config, file);
                self.change_configs(|configs| {
                    configs.insert(key, config);
                });
            }
            (Some(config), None) => {
                self.spare_configs.push(config);
                self.change_configs(|configs| {
                    configs.remove(&key);
                });
            }
            (None, None) => {}
        }
    }

    /// What did not change is not set: salsa would take it for changed.
    fn fill_config(&mut self, config: Config, file: Arc<ConfigFile>) {
        if *config.settings(&self.db) != file.settings {
            config.set_settings(&mut self.db).to(Arc::clone(&file.settings));
        }
        if *config.file(&self.db) != file {
            config.set_file(&mut self.db).to(file);
        }
    }

    fn change_configs(&mut self, change: impl FnOnce(&mut BTreeMap<FileKey, Config>)) {
        let workspace = Workspace::get(&self.db);
        let mut configs = Arc::clone(workspace.configs(&self.db));
        change(Arc::make_mut(&mut configs));
        workspace.set_configs(&mut self.db).to(configs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Vocabulary;
    use crate::model::files::FileContent;

    fn host(model: &str, configs: &[(&str, &str)]) -> Host {
        let mut host = Host::default();
        host.set(FileKey::new("/a/b/c/m.dynamo"), FileContent::from_bytes(model.as_bytes()));
        for (key, text) in configs {
            host.set_config(FileKey::new(key), Some(Arc::new(ConfigFile::of_text(text, &Vocabulary::default()))));
        }
        host
    }

    fn of_model(host: &Host) -> (Option<String>, Option<String>) {
        let db = host.db();
        let root = *Workspace::get(db).files(db).values().next().unwrap();
        (config_of(db, root).as_ref().map(FileKey::to_string), region(db, root).clone())
    }

    fn some(key: &str, region: &str) -> (Option<String>, Option<String>) {
        (Some(key.to_owned()), Some(region.to_owned()))
    }

    #[test]
    fn the_nearest_file_upwards_holds_alone() {
        let all = [("/a/keywright.toml", "region = \"eu-far-1\""), ("/keywright.toml", "region = \"eu-root-1\"")];
        let mut host = host("", &all);
        assert_eq!(of_model(&host), some("/a/keywright.toml", "eu-far-1"));
        // One beside or below the folder is none of its own.
        for other in ["/a/x/keywright.toml", "/a/b/c/d/keywright.toml"] {
            host.set_config(
                FileKey::new(other),
                Some(Arc::new(ConfigFile::of_text("region = \"other\"", &Vocabulary::default()))),
            );
        }
        assert_eq!(of_model(&host), some("/a/keywright.toml", "eu-far-1"));
        let near = FileKey::new("/a/b/c/keywright.toml");
        host.set_config(
            near.clone(),
            Some(Arc::new(ConfigFile::of_text("style = \"aggregate\"", &Vocabulary::default()))),
        );
        assert_eq!(of_model(&host), (Some(near.to_string()), None), "nothing is added from those above");
        host.set_config(near, None);
        host.set_config(FileKey::new("/a/keywright.toml"), None);
        assert_eq!(of_model(&host), some("/keywright.toml", "eu-root-1"));
        host.set_config(FileKey::new("/keywright.toml"), None);
        assert_eq!(of_model(&host), (None, None));
    }

    #[test]
    fn the_region_of_the_model_comes_first() {
        let own = "application A { region \"eu-west-1\" }";
        let toml = [("/keywright.toml", "region = \"us-west-2\"")];
        assert_eq!(of_model(&host(own, &toml)).1.as_deref(), Some("eu-west-1"));
        assert_eq!(of_model(&host("application A { }", &toml)).1.as_deref(), Some("us-west-2"));
        assert_eq!(of_model(&host(own, &[])).1.as_deref(), Some("eu-west-1"));
    }
}
