//! Findings follow the files that they are of.

use crate::support::client::*;
use serde_json::json;

/// An editor renames a file: it closes the old document, opens the new one, and
/// the watcher tells of both.
#[test]
fn a_renamed_file_leaves_none_behind() {
    const TEXT: &str = "pattern P { reads Nobody }\n";
    for capabilities in [able(), pushed()] {
        let folder = Folder::new(&[("old.dynamo", TEXT)]);
        let (old, new) = (folder.uri("old.dynamo"), folder.uri("sub/new.dynamo"));
        let mut client = Client::with(capabilities, &[&folder.root()]);
        client.open(&old, TEXT);
        client.published_until(&old, "a finding", |found| messages(found).contains("Nobody"));
        std::fs::create_dir(folder.path("sub")).unwrap();
        std::fs::rename(folder.path("old.dynamo"), folder.path("sub/new.dynamo")).unwrap();
        client.close(&old);
        client.open(&new, TEXT);
        let changes = json!({"changes": [{"uri": old, "type": 3}, {"uri": new, "type": 1}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
        client.published_until(&old, "nothing", |found| found.is_empty());
        client.published_until(&new, "a finding", |found| messages(found).contains("Nobody"));
        // Nothing brings the old ones back.
        client.change(&new, 2, "pattern P { reads Somebody }\n");
        client.published_until(&new, "another", |found| messages(found).contains("Somebody"));
        let again = client.unread(|message| message["params"]["uri"] == old.as_str());
        assert!(again.iter().all(|message| message["params"]["diagnostics"] == json!([])), "{again:#?}");
        client.finish();
    }
}
