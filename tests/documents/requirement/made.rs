//! Models with their documents, and what is read of these.

use super::sections::PARTS;
use keywright::config::ConfigFile;
use keywright::deliverables::{DocumentKind, document, parts};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::rules::vocabulary::vocabulary;
use std::sync::Arc;

/// The document of the model whose root is the first of these files.
pub fn of_files(files: &[(&str, &str)], toml: Option<&str>) -> String {
    let key = |name: &str| FileKey::new(&format!("/model/{name}"));
    let mut host = Host::default();
    for (name, text) in files {
        host.set(key(name), FileContent::from_bytes(text.as_bytes()));
    }
    if let Some(toml) = toml {
        host.set_config(key("keywright.toml"), Some(Arc::new(ConfigFile::of_text(toml, vocabulary()))));
    }
    let root = Workspace::get(host.db()).files(host.db())[&key(files[0].0)];
    let parts = parts(host.db(), root, DocumentKind::Requirement);
    let of_text: Vec<&str> = parts.iter().map(|part| &*part.name).filter(|name| *name != "entity-diagram").collect();
    assert_eq!(of_text, PARTS, "the parts are the same for every model");
    document(host.db(), root, DocumentKind::Requirement)
}

pub fn of(text: &str) -> String {
    of_files(&[("m.dynamo", text)], None)
}

/// Two entities in two tables: so many calls a second read both, the parent alone
/// and the child alone.
pub fn pair(relationship: &str, rates: [&str; 3], more: &str) -> String {
    let [both, parent, child] = rates;
    format!(
        "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity A {{ a_id: uuid @id count 1k size avg 2KB, max 4KB }}
entity B {{ b_id: ulid @id a_id: uuid @of(A) count 9k size avg 500B, max 900B }}
{relationship}
table As {{ partition key a_id item A }}
table Bs {{ partition key a_id sort key b_id item B }}
pattern Both {{ get A from As query Bs where a_id = :a_id limit 50 rate {both} }}
pattern OnlyA {{ get A from As rate {parent} }}
pattern OnlyB {{ query Bs where a_id = :a_id limit 50 rate {child} }}
pattern PutA {{ put A into As if not_exists rate 1/s }}
{more}"
    )
}

/// The line of the only pair with this label.
pub fn line<'d>(document: &'d str, label: &str) -> &'d str {
    let start = format!("- **{label}**: ");
    let mut lines = document.lines().filter_map(|line| line.strip_prefix(&start));
    let line = lines.next().unwrap_or_else(|| panic!("{label}: {document}"));
    assert!(lines.next().is_none(), "one pair only");
    line
}

pub const BOUNDED: &str = "relationship A 1:N B { children avg 9, max 40 }";

/// A model in which every box is ticked.
pub const TICKED: &str = "application App {
  domain \"shop\"
  scale \"small\"
  region \"us-east-1\"
}
entity A {
  a_id: uuid @id
  count 1k
  size avg 2KB, max 4KB
}
entity B {
  b_id: ulid @id
  a_id: uuid @of(A)
  count 9k
  size avg 500B, max 900B
}
relationship A 1:N B {
  children avg 9, max 40
  identifying because \"No B without its A.\"
}
aggregate A, B {
  decision item_collection because \"The page shows both.\"
}
table Main {
  partition key a_id because \"All is asked by A.\"
  sort key sk: string because \"A first.\"
  item A { sk = \"A\" }
  item B { sk = \"B#{b_id}\" }
}
pattern Page {
  reads A, B by a_id
  query Main where a_id = :a_id
  rate avg 60/s, peak 90/s
  latency 50ms
}
pattern PutA {
  put A into Main if not_exists
  rate avg 1/s, peak 2/s
}
pattern PutB {
  put B into Main if not_exists
  rate avg 1/s, peak 2/s
}
pattern DropB {
  delete B from Main if exists
  rate avg 1/s, peak 2/s
}
pattern DropA {
  delete A from Main if exists
  rate avg 1/s, peak 2/s
}
";

pub fn boxes(document: &str) -> Vec<&str> {
    document.lines().filter(|line| line.starts_with("- [")).collect()
}

/// Children in a list of their parent, which patterns read and write by its name.
pub const LISTED: &str = "application T { domain \"d\" scale \"s\" region \"us-east-1\" }
entity A { id: uuid @id name: string @size(20B) count 100k size 1KB }
entity L { no: number @id id: uuid @of(A) text: string @size(20B) }
relationship A 1:N L { children avg 3, max 10 identifying }
table T { partition key id item A embeds L as lines gsi ByName { partition key name projection include(id) } }
";
