//! Model in, findings out. One file a rule, a registry made from them, and the
//! machinery that runs them and silences what a model allows.

mod attribute_not_projected;
mod catalogue;
pub mod check;
mod cold_start_peak;
mod consistent_read_on_gsi;
mod duplicate_name;
mod entity_not_in_table;
pub mod finding;
mod fixes;
mod generic_key_name;
mod get_on_index;
mod heat;
mod heat_show;
mod hot_index_key;
mod hot_key;
mod hot_partition_key;
mod import_not_found;
mod item_key_collision;
pub mod judge;
mod key_condition_unsupported;
mod key_shape_invalid;
mod key_type_invalid;
mod lacking;
mod low_cardinality_key;
mod lsi_collection_size;
mod measure_inverted;
mod missing_count;
mod missing_key_value;
mod missing_rate;
mod missing_size;
mod multiple_tables;
mod partial_key_update;
mod peaks;
mod prefix_collision;
mod query_matches_nothing;
mod query_without_partition_key;
pub mod registry;
mod rising_sort_key;
pub mod rule;
mod scan_pattern;
mod shard;
mod syntax_error;
mod throughput_quota;
mod time_bucketed_partition_key;
mod transaction_contention;
mod ttl_type;
mod type_mismatch;
mod unbounded_item;
mod unbounded_read;
mod unique_not_enforced;
mod unknown_name;
mod unreadable_file;
mod unsolved_pattern;
mod unused_allow;
mod unused_index;
mod update_of_primary_key;
mod wrong_unit;

use rule::Rule;

/// The rules that are built, in the order of the catalogue.
pub static BUILT: &[&Rule] = &[
    &syntax_error::RULE,
    &unreadable_file::RULE,
    &unknown_name::RULE,
    &duplicate_name::RULE,
    &import_not_found::RULE,
    &wrong_unit::RULE,
    &measure_inverted::RULE,
    &type_mismatch::RULE,
    &unused_allow::RULE,
    &entity_not_in_table::RULE,
    &key_type_invalid::RULE,
    &key_shape_invalid::RULE,
    &missing_key_value::RULE,
    &item_key_collision::RULE,
    &prefix_collision::RULE,
    &query_matches_nothing::RULE,
    &query_without_partition_key::RULE,
    &key_condition_unsupported::RULE,
    &get_on_index::RULE,
    &consistent_read_on_gsi::RULE,
    &attribute_not_projected::RULE,
    &update_of_primary_key::RULE,
    &partial_key_update::RULE,
    &ttl_type::RULE,
    &unique_not_enforced::RULE,
    &hot_partition_key::RULE,
    &hot_index_key::RULE,
    &rising_sort_key::RULE,
    &time_bucketed_partition_key::RULE,
    &low_cardinality_key::RULE,
    &throughput_quota::RULE,
    &cold_start_peak::RULE,
    &lsi_collection_size::RULE,
    &unbounded_read::RULE,
    &unbounded_item::RULE,
    &transaction_contention::RULE,
    &scan_pattern::RULE,
    &unused_index::RULE,
    &generic_key_name::RULE,
    &multiple_tables::RULE,
    &missing_rate::RULE,
    &missing_size::RULE,
    &missing_count::RULE,
    &unsolved_pattern::RULE,
];
