//! Model in, findings out. One file a rule, a registry made from them, and the
//! machinery that runs them and silences what a model allows.

mod ambiguous_separator;
mod attribute_column;
mod attribute_not_projected;
mod batch_invalid;
mod batch_limit;
mod case_sensitive_key;
mod chatty_workflow;
pub mod check;
mod cold_start_peak;
pub(crate) mod collection_candidate;
mod consistent_read_on_gsi;
mod costly_copy;
mod costly_small_update;
pub(crate) mod counterpart;
mod create_without_condition;
mod decision_contradicted;
mod duplicate_name;
pub(crate) mod embed_candidate;
mod embedded_write_amplification;
mod embedding;
mod entity_not_in_table;
mod filter_on_key;
pub mod finding;
pub(crate) mod fixes;
mod generic_key_name;
mod get_instead_of_query;
mod get_on_index;
mod groups;
mod growth_disagrees;
mod gsi_quota;
pub(crate) mod guard;
mod guard_not_maintained;
pub(crate) mod guarding;
pub(crate) mod heat;
mod heat_show;
pub(crate) mod hot_index_key;
mod hot_key;
pub(crate) mod hot_partition_key;
mod immutable_updated;
mod import_not_found;
mod index_limit;
mod index_readers;
mod item_key_collision;
mod item_too_large;
pub mod judge;
pub(crate) mod kept;
mod kept_together;
mod key_condition_unsupported;
mod key_format_mismatch;
mod key_operands;
mod key_shape_invalid;
mod key_too_long;
mod key_type_conflict;
mod key_type_invalid;
mod key_uses;
mod lacking;
pub mod levels;
mod lifetime_without_ttl;
mod limit_with_filter;
pub(crate) mod lists;
pub(crate) mod loose_collection;
mod low_cardinality_key;
mod low_selectivity_filter;
mod lsi_collection_size;
mod lsi_fetch;
mod meant;
mod measure_inverted;
mod missing_application;
mod missing_count;
mod missing_entity_type;
mod missing_justification;
mod missing_key_value;
mod missing_latency;
mod missing_rate;
mod missing_read_pattern;
mod missing_relationship;
mod missing_size;
mod missing_timestamps;
mod missing_write_pattern;
mod mixed_time_format;
mod multi_attribute_key_order;
mod multiple_tables;
mod mutable_index_key;
pub(crate) mod name_invalid;
mod natural_key_name;
mod needless_sharding;
mod new_index;
mod number_as_text_key;
mod one_way_many_to_many;
mod open_ended_prefix;
mod option_not_supported;
mod optional_expected;
mod optional_table_key;
mod orphan_key_value;
mod over_projection;
mod over_read;
mod oversized_aggregate;
mod partial_key_update;
mod peaks;
mod possible_key_collision;
mod prefix_collision;
pub mod priced;
mod projection;
mod projection_invalid;
mod query_matches_nothing;
mod query_without_partition_key;
mod read_your_write_on_gsi;
mod redundant_index;
pub mod registry;
mod renames;
pub mod replaceable_gsi;
mod reserved_word;
mod rising_sort_key;
pub mod rule;
mod same_item_twice;
mod scan_pattern;
mod school;
mod separators;
mod shard;
pub(crate) mod shard_unasked;
mod small_collection_index;
pub(crate) mod solve;
mod sparse;
mod stale_copy;
pub mod stale_document;
mod syntax_error;
pub mod threshold;
mod throughput_quota;
mod time_bucketed_partition_key;
mod timestamp_only_key;
pub(crate) mod transaction_contention;
mod transaction_invalid;
mod ttl_as_deadline;
mod ttl_type;
mod type_mismatch;
mod unbounded_growth;
mod unbounded_item;
mod unbounded_read;
mod unique_not_enforced;
mod unknown_name;
mod unreadable_file;
mod unrelated_entities;
mod unseen;
mod unsolved_pattern;
mod unused_allow;
mod unused_entity;
mod unused_index;
mod update_of_primary_key;
mod useless_shard;
mod users;
pub mod vocabulary;
mod wrong_unit;

use rule::Rule;

/// The rules of the catalogue, in its order.
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
    &orphan_key_value::RULE,
    &key_type_invalid::RULE,
    &key_shape_invalid::RULE,
    &key_type_conflict::RULE,
    &missing_key_value::RULE,
    &optional_table_key::RULE,
    &key_format_mismatch::RULE,
    &item_key_collision::RULE,
    &possible_key_collision::RULE,
    &prefix_collision::RULE,
    &open_ended_prefix::RULE,
    &query_matches_nothing::RULE,
    &query_without_partition_key::RULE,
    &key_condition_unsupported::RULE,
    &multi_attribute_key_order::RULE,
    &filter_on_key::RULE,
    &option_not_supported::RULE,
    &get_on_index::RULE,
    &consistent_read_on_gsi::RULE,
    &attribute_not_projected::RULE,
    &lsi_fetch::RULE,
    &update_of_primary_key::RULE,
    &partial_key_update::RULE,
    &immutable_updated::RULE,
    &optional_expected::RULE,
    &batch_invalid::RULE,
    &transaction_invalid::RULE,
    &batch_limit::RULE,
    &same_item_twice::RULE,
    &ttl_type::RULE,
    &unique_not_enforced::RULE,
    &guard_not_maintained::RULE,
    &item_too_large::RULE,
    &key_too_long::RULE,
    &name_invalid::RULE,
    &index_limit::RULE,
    &gsi_quota::RULE,
    &projection_invalid::RULE,
    &number_as_text_key::RULE,
    &mixed_time_format::RULE,
    &timestamp_only_key::RULE,
    &ambiguous_separator::RULE,
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
    &low_selectivity_filter::RULE,
    &over_read::RULE,
    &limit_with_filter::RULE,
    &over_projection::RULE,
    &mutable_index_key::RULE,
    &unused_index::RULE,
    &redundant_index::RULE,
    &replaceable_gsi::RULE,
    &small_collection_index::RULE,
    &costly_small_update::RULE,
    &get_instead_of_query::RULE,
    &stale_copy::RULE,
    &costly_copy::RULE,
    &unbounded_growth::RULE,
    &lifetime_without_ttl::RULE,
    &ttl_as_deadline::RULE,
    &needless_sharding::RULE,
    &useless_shard::RULE,
    &generic_key_name::RULE,
    &natural_key_name::RULE,
    &multiple_tables::RULE,
    &missing_entity_type::RULE,
    &missing_timestamps::RULE,
    &unrelated_entities::RULE,
    &collection_candidate::RULE,
    &embed_candidate::RULE,
    &loose_collection::RULE,
    &oversized_aggregate::RULE,
    &embedded_write_amplification::RULE,
    &decision_contradicted::RULE,
    &chatty_workflow::RULE,
    &read_your_write_on_gsi::RULE,
    &one_way_many_to_many::RULE,
    &missing_rate::RULE,
    &missing_latency::RULE,
    &missing_size::RULE,
    &missing_count::RULE,
    &missing_write_pattern::RULE,
    &missing_read_pattern::RULE,
    &unsolved_pattern::RULE,
    &unused_entity::RULE,
    &missing_relationship::RULE,
    &missing_application::RULE,
    &missing_justification::RULE,
    &growth_disagrees::RULE,
    &reserved_word::RULE,
    &case_sensitive_key::RULE,
    &create_without_condition::RULE,
];
