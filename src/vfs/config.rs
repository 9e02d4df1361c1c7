//! Finding and reading `keywright.toml`: in the folders above the files that are
//! known.

use super::names::path_of;
use super::read::{bytes, size};
use crate::config::{ConfigFile, MOST_BYTES};
use crate::model::db::Host;
use crate::model::files::{Absent, FileKey};
use crate::model::settings::config_key;
use crate::rules::vocabulary::vocabulary;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a `keywright.toml` may lie that holds for one of these files: in every
/// folder above one, whether there is one or not.
pub fn config_keys<'k>(files: impl IntoIterator<Item = &'k FileKey>) -> BTreeSet<FileKey> {
    let mut keys = BTreeSet::new();
    for file in files {
        for folder in file.folders() {
            // Above a folder that is known all others are.
            if !keys.insert(config_key(folder)) {
                break;
            }
        }
    }
    keys
}

/// Reads a `keywright.toml`; `None` where there is none. One that is there and
/// cannot be read is one with a fault.
pub fn read_config(key: &FileKey) -> Option<Arc<ConfigFile>> {
    let path = path_of(key)?;
    let file = match size(&path) {
        Ok(size) if size > MOST_BYTES as u64 => ConfigFile::too_large(),
        Ok(_) => match bytes(&path) {
            Ok(bytes) => ConfigFile::from_bytes(&bytes, vocabulary()),
            Err(absent) => refused(absent)?,
        },
        Err(absent) => refused(absent)?,
    };
    Some(Arc::new(file))
}

fn refused(absent: Absent) -> Option<ConfigFile> {
    match absent {
        Absent::NotFound | Absent::Folder => None,
        Absent::NotAFile => Some(ConfigFile::unreadable("it is a device or a pipe, not a file")),
        Absent::Denied(words) => Some(ConfigFile::unreadable(&words)),
    }
}

/// Reads every `keywright.toml` above the files of a host.
pub fn load_configs(host: &mut Host) {
    for key in config_keys(host.files().map(|(key, _)| key)) {
        if let Some(file) = read_config(&key) {
            host.set_config(key, Some(file));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::FileContent;
    use crate::vfs::key_of_path;

    #[test]
    fn every_folder_above_a_file_is_a_place_for_settings() {
        let files = ["/a/b/x.dynamo", "/a/c/y.dynamo", "/a/b/z.dynamo", "untitled:u"].map(FileKey::new);
        let keys: Vec<String> = config_keys(&files).iter().map(FileKey::to_string).collect();
        assert_eq!(keys, ["/a/b/keywright.toml", "/a/c/keywright.toml", "/a/keywright.toml", "/keywright.toml"]);
    }

    #[test]
    fn settings_are_read_from_the_folders_above() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/keywright.toml")).unwrap();
        std::fs::write(folder.path().join("keywright.toml"), "region = \"eu-west-1\"\nwrong = 1\n").unwrap();
        let mut host = Host::default();
        let key = key_of_path(&folder.path().join("a/m.dynamo")).unwrap();
        host.set(key, FileContent::from_bytes(b""));
        load_configs(&mut host);
        let own = key_of_path(&folder.path().join("keywright.toml")).unwrap();
        let (_, file) = host.configs().find(|(key, _)| **key == own).unwrap();
        assert_eq!((file.settings.region.as_deref(), file.faults.len()), (Some("eu-west-1"), 1));
        let in_a = config_key(key_of_path(&folder.path().join("a")).unwrap().as_str());
        assert!(host.configs().all(|(key, _)| *key != in_a), "a folder of that name is no file");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_a_fault_and_is_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("keywright.toml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let file = read_config(&key_of_path(&pipe).unwrap()).unwrap();
        assert!(file.faults[0].message.contains("a pipe"), "{:?}", file.faults);
        std::fs::remove_file(&pipe).unwrap();
        assert_eq!(read_config(&key_of_path(&pipe).unwrap()), None);
        std::fs::File::create(&pipe).unwrap().set_len(u64::from(u32::MAX)).unwrap();
        let file = read_config(&key_of_path(&pipe).unwrap()).unwrap();
        assert!(file.faults[0].message.contains("1 MB"), "{:?}", file.faults);
    }
}
