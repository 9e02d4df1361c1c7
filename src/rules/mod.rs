//! Model in, findings out. One file a rule, a registry made from them, and the
//! machinery that runs them and silences what a model allows.

mod catalogue;
pub mod check;
pub mod finding;
mod fixes;
pub mod judge;
pub mod registry;
pub mod rule;

use rule::Rule;

/// Declares the file of every built rule and lists them.
macro_rules! rules {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// The rules that are built, in the order of the catalogue.
        pub static BUILT: &[&Rule] = &[$(&$module::RULE),*];
    };
}

rules! {
    syntax_error,
    unreadable_file,
    unknown_name,
    duplicate_name,
    import_not_found,
    unused_allow,
    entity_not_in_table,
    missing_key_value,
    item_key_collision,
    prefix_collision,
    query_matches_nothing,
    query_without_partition_key,
    key_condition_unsupported,
    get_on_index,
    consistent_read_on_gsi,
    attribute_not_projected,
    update_of_primary_key,
    partial_key_update,
    unique_not_enforced,
    scan_pattern,
    unused_index,
    generic_key_name,
    multiple_tables,
    missing_rate,
    unsolved_pattern,
}
