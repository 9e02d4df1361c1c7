//! Trees in, meaning out: files and their imports, declarations, names, the
//! layout of tables, and what each operation reaches. All of it is memoised,
//! one query a question.

pub mod answers;
pub mod copies;
pub mod db;
pub mod defs;
pub mod documents;
mod enum_values;
pub mod expression_name;
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
pub mod kind_names;
pub mod layout;
pub mod lists;
pub mod lower;
mod mentions;
pub mod names;
pub mod occurrences;
pub mod pairs;
pub mod places;
pub mod refs;
pub mod resolve;
pub mod settings;
pub mod step_options;
pub mod unify;
pub mod unique;
pub mod uses;
