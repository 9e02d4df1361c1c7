//! Files on disk: how they are named, which there are, and what is in them.
//! Shared by the server and the command line; nothing here knows either.

mod config;
mod documents;
mod load;
mod names;
mod read;
mod scan;

pub use config::{config_keys, load_configs, read_config};
pub use documents::{OnDisk, document_keys, is_document, read_document};
pub use load::load_imports;
pub use names::{encoded, key_of_path, key_of_uri, path_of, uri_of};
pub use read::{Identity, Stamp, identity, is_empty_file, mentions, read, read_as_opened, read_bytes, stamp};
pub use scan::{EXTENSION, Limits, Scan, is_below, is_scanned, scan, scan_while};
