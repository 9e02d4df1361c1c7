//! The faults that users of such servers report again and again, each with the
//! tests that hold it over the real process: `FAULTS` is the list. What no
//! other test holds is tested here.

mod columns;
mod completion;
mod files;
mod findings;
mod formatter;
mod half_typed;
mod load;
mod rename;
mod shared;

use std::path::Path;

/// Every fault, and its tests by file, here or below `tests`, and name.
const FAULTS: &[(&str, &[&str])] = &[
    (
        "UTF-16 columns behind é and emoji: hover, rename, edits",
        &[
            "server/text::columns_are_counted_as_the_client_counts",
            "server/text::halves_of_pairs_lose_no_edit",
            "columns::a_hover_covers_its_name",
            "columns::a_rename_edits_names_and_nothing_else",
            "columns::a_fix_edits_the_name_that_it_mends",
            "columns::an_edit_of_the_client_lands_where_it_says",
        ],
    ),
    (
        "CRLF counted as one, or rewritten to LF by the formatter",
        &[
            "server/text::behind_the_end_of_a_line_is_its_end",
            "server/text::formatting_gives_edits_of_white_space_in_the_files_own_line_endings",
            "columns::an_edit_of_the_client_lands_where_it_says",
            "formatter::crlf_stays_crlf",
        ],
    ),
    (
        "a position past the line or the file",
        &[
            "server/text::behind_the_end_of_a_line_is_its_end",
            "server/text::edits_lead_to_the_same_as_the_whole_text",
            "server/absurd::positions_far_outside_are_answered",
        ],
    ),
    ("several edits in one didChange, inverted ranges", &["server/text::edits_lead_to_the_same_as_the_whole_text"]),
    (
        "stale or unversioned diagnostics",
        &[
            "server/order::versions_are_published_in_order_and_the_last_one_comes",
            "server/order::of_2000_interleaved_changes_and_hovers_none_is_stale",
            "server/order::an_edit_of_one_file_refreshes_the_others",
        ],
    ),
    (
        "diagnostics left after close, delete or rename",
        &[
            "server/files::findings_go_when_files_are_closed_or_leave_the_model",
            "server/files::files_that_come_and_go_are_followed",
            "server/files::a_deleted_folder_takes_its_files_along",
            "findings::a_renamed_file_leaves_none_behind",
        ],
    ),
    (
        "a half-typed block, a model typed character by character, JSON pasted in",
        &[
            "half_typed::a_half_typed_block_takes_nothing_from_the_others",
            "server/order::a_model_typed_faster_than_it_is_answered_gets_every_answer",
            "ide/typing::a_server_follows_a_model_typed_character_by_character",
            "half_typed::pasted_json_is_answered_and_leaves_no_trace",
        ],
    ),
    (
        "a formatter that moves or loses comments, is not idempotent, or eats text after a syntax error",
        &[
            "formatter::comments_stay_where_they_are",
            "formatter::what_is_formatted_stays_as_it_is",
            "formatter::text_after_a_syntax_error_is_kept",
        ],
    ),
    (
        "no completion in an empty block or at the end of the file; completion in a comment",
        &[
            "completion::an_empty_block_is_completed",
            "completion::the_end_of_the_file_is_completed",
            "completion::comments_and_plain_strings_are_left_alone",
        ],
    ),
    (
        "rename by text instead of by symbol, only at the definition, or only in open files",
        &[
            "rename::a_rename_is_by_symbol_and_not_by_text",
            "rename::every_occurrence_can_be_renamed_from",
            "rename::closed_files_are_renamed_in",
        ],
    ),
    (
        "imports outside the workspace, a missing file, a directory of the same name",
        &[
            "server/files::imports_are_read_from_anywhere",
            "server/files::imports_that_are_no_files_are_findings",
            "files::a_folder_with_the_name_of_a_model_is_no_model",
            "files::a_missing_file_is_told_where_it_is_imported",
        ],
    ),
    ("the nearest configuration of a monorepo", &["files::the_nearest_configuration_holds"]),
    (
        "watcher storms, CPU at rest, memory that grows with every edit",
        &[
            "load::a_storm_of_the_watcher_is_weathered",
            "server/workspace::a_storm_of_events_costs_few_computations",
            "load::a_server_at_rest_does_nothing",
            "load::a_client_that_waits_for_findings_costs_nothing",
            "memory::a_thousand_edits_need_no_memory",
        ],
    ),
    (
        "drive letters",
        &["server/text::spellings_of_one_file_are_one_document", "files::imports_know_drive_letters_in_any_case"],
    ),
    (
        "untitled:, no workspace folder at all",
        &[
            "server/text::documents_without_a_file_work",
            "server/files::without_a_workspace_the_folder_of_the_file_is_searched",
            "server/documents::a_document_without_a_file_has_no_place_for_others",
        ],
    ),
    (
        "a client that lacks a capability",
        &[
            "server/capabilities::a_client_that_can_do_nothing_is_served",
            "server/methods::a_client_that_announces_nothing_is_answered_what_needs_nothing",
            "server/methods::what_needs_a_capability_is_not_advertised_without_it",
        ],
    ),
];

#[test]
fn every_fault_has_tests_that_there_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (fault, tests) in FAULTS {
        assert!(!tests.is_empty(), "{fault}");
        for test in *tests {
            let (file, name) = test.split_once("::").expect("a file and a name");
            let places =
                [folder.join("server/reported_faults"), folder.clone()].map(|folder| folder.join(format!("{file}.rs")));
            let text = places.iter().find_map(|path| std::fs::read_to_string(path).ok());
            let text = text.unwrap_or_else(|| panic!("{fault}: there is no {file}"));
            let is_test = |line: &str| line.trim() == format!("fn {name}() {{");
            let lines: Vec<&str> = text.lines().collect();
            let at =
                lines.iter().position(|line| is_test(line)).unwrap_or_else(|| panic!("{fault}: there is no {test}"));
            assert!(lines[..at].iter().rev().take(3).any(|line| line.trim() == "#[test]"), "{test} is a test");
        }
    }
}
