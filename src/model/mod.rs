//! Trees in, meaning out: files and their imports, declarations, names, the
//! layout of tables, and what each operation reaches. All of it is memoised,
//! one query a question.

pub mod answers;
pub mod copies;
pub mod db;
pub mod defs;
pub mod files;
pub mod groups;
pub mod held;
pub mod identity;
pub mod imports;
pub mod index_reads;
pub mod key;
pub mod key_condition;
pub mod key_format;
pub mod key_hole;
pub mod key_mismatch;
pub mod layout;
pub mod lower;
pub mod names;
pub mod pairs;
pub mod refs;
pub mod replaceable;
pub mod resolve;
pub mod settings;
pub mod unify;
pub mod unique;
pub mod uses;
