//! Reading what files import, and what those import in turn.

use crate::model::db::Host;
use crate::model::files::{FileContent, FileKey};

/// At most so many files are read for one call: imports may form a chain
/// without an end, where something makes files up.
const MOST_FILES: usize = 10_000;

/// Has all files read into `host` that `from` imports, transitively, and that are
/// not known yet. What cannot be had is known as absent afterwards.
pub fn load_imports(host: &mut Host, from: impl IntoIterator<Item = FileKey>, read: impl Fn(&FileKey) -> FileContent) {
    let mut queue: Vec<FileKey> = from.into_iter().collect();
    let mut loaded = 0;
    while let Some(file) = queue.pop() {
        for import in host.imports(&file) {
            if host.content(&import).is_none() && loaded < MOST_FILES {
                loaded += 1;
                let content = read(&import);
                host.set(import.clone(), content);
                queue.push(import);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::Absent;
    use crate::vfs::{key_of_path, read};

    #[test]
    fn imports_are_read_transitively_and_circles_end() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.dynamo", "import \"a.dynamo\"\nimport \"b.dynamo\"\n");
        write("b.dynamo", "import \"sub/../c.dynamo\"\nimport \"sub\"\n");
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        write("c.dynamo", "import \"a.dynamo\"\nimport \"none.dynamo\"\n");
        let mut host = Host::default();
        let a = key_of_path(&folder.path().join("a.dynamo")).unwrap();
        host.set(a.clone(), read(&a));
        load_imports(&mut host, [a], read);
        let known: Vec<(String, bool)> =
            host.files().map(|(key, content)| (key.file_name().to_owned(), content.parse().is_some())).collect();
        let expected = [
            ("a.dynamo".into(), true),
            ("b.dynamo".into(), true),
            ("c.dynamo".into(), true),
            ("none.dynamo".into(), false),
            ("sub".into(), false),
        ];
        assert_eq!(known, expected);
        let folder = key_of_path(&folder.path().join("sub")).unwrap();
        assert_eq!(host.content(&folder), Some(&FileContent::Absent(Absent::Folder)));
    }
}
