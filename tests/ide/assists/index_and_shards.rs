//! Projections of exactly what is read, and shards.

use super::solve::{CLINIC, FLEET};
use super::with;
use crate::support::assists::{check, check_not_offered, titles};

/// The clinic with other patterns that read the index, and another projection.
fn reading(projection: &str, pattern: &str) -> String {
    with(
        CLINIC,
        &[
            ("    projection keys_only\n", projection),
            ("  query Visits.VisitsByRoom where room = :room descending limit 10\n", &format!("  {pattern}\n")),
        ],
    )
}

#[test]
fn an_index_projects_exactly_what_is_read() {
    let query = "query Visits.VisitsByRoom where room = :room";
    let reads = |list: &str| format!("reads Visit{list} by room\n  {query}");
    for (pattern, before, after, change) in [
        (reads("(visit_id)"), "all", "keys_only", "ALL → KEYS_ONLY"),
        (reads("(report)"), "all", "include(report)", "ALL → INCLUDE(1)"),
        (reads("(started_at, report)"), "keys_only", "include(report)", "KEYS_ONLY → INCLUDE(1)"),
        (format!("{query} project visit_id"), "include(report)", "keys_only", "INCLUDE(1) → KEYS_ONLY"),
        (
            format!("{query} filter exists(report) keeping 50% project visit_id"),
            "all",
            "include(report)",
            "ALL → INCLUDE(1)",
        ),
    ] {
        let model = |projection: &str| reading(&format!("    projec$0tion {projection}\n"), &pattern);
        check(&model(before), &format!("Project exactly what is read ({change})"), &model(after));
        check_not_offered(&model(after), "Project exactly");
    }
    // On the name, and where nothing says yet what is projected.
    let bare = reading("", &reads("(report)")).replace("gsi VisitsByRoom", "gsi Visits$0ByRoom");
    let told = reading("    projection include(report)\n", &reads("(report)"));
    check(&bare, "Project exactly what is read (ALL → INCLUDE(1))", &told);
    // Who claims nothing takes what there is.
    for projection in ["all", "include(report)", "keys_only"] {
        for pattern in [reads(""), query.to_owned()] {
            check_not_offered(&reading(&format!("    projec$0tion {projection}\n"), &pattern), "Project exactly");
        }
    }
    // What the table gives is not asked of the index.
    let twice = format!("{}\n  get Visit from Visits", reads(""));
    check_not_offered(&reading("    projec$0tion keys_only\n", &twice), "Project exactly");
    // An index that nobody reads is another matter.
    check_not_offered(&reading("    projec$0tion all\n", "get Visit from Visits"), "Project exactly");
    // Elsewhere in the table it is not offered.
    check_not_offered(
        &reading("    projection all\n", &reads("(report)")).replace("item Visit", "item V$0isit"),
        "Pro",
    );
}

#[test]
fn a_comment_in_a_projection_goes_with_its_attribute_only() {
    let pattern = |list: &str| format!("reads Visit({list}) by room\n  query Visits.VisitsByRoom where room = :room");
    let model = |projection: &str, list: &str| reading(&format!("    projec$0tion {projection}\n"), &pattern(list));
    for (before, list, after) in [
        (
            "include(\n      room_no, // where\n      report, // what :)\n    )",
            "room_no",
            "include(\n      room_no, // where\n    )",
        ),
        (
            "include(\n      room_no, // where\n      report, // what :)\n    )",
            "report",
            "include(\n      report, // what :)\n    )",
        ),
        (
            "include(\n      room_no, // where\n    )",
            "room_no, report",
            "include(\n      room_no, // where\n      report,\n    )",
        ),
    ] {
        let more =
            |text: &str| text.replace("  started_at: timestamp\n", "  started_at: timestamp\n  room_no:    number\n");
        let action = crate::support::assists::offered(&more(&model(before, list)));
        let action = action.into_iter().find(|action| action.title.starts_with("Project exactly")).expect("is offered");
        let text = more(&model(before, list)).replace("$0", "");
        let (_, edits) = &action.change.edits[0];
        assert_eq!(keywright::syntax::apply(&text, edits), more(&model(after, list)).replace("$0", ""));
    }
}

#[test]
fn a_projection_of_a_single_table_and_its_price() {
    let model = FLEET.replace("projection all", "projection $0all");
    let expected = with(FLEET, &[("projection all", "projection include(CreatedAt)")]);
    check(&model, "Project exactly what is read (ALL → INCLUDE(1)): −4 write units a put, −$", &expected);
    // The other way, with the same numbers.
    let narrow = expected.replace("projection include", "projection $0include");
    let narrow = with(&narrow, &[("reads Trip(tripId, CreatedAt)", "reads Trip(tripId, log)")]);
    let wide = with(&narrow, &[("$0include(CreatedAt)", "include(log)")]);
    check(&narrow, "Project exactly what is read (INCLUDE(1) → INCLUDE(1)): +4 write units a put, +$8.95", &wide);
    assert_eq!(
        titles(&model),
        ["Project exactly what is read (ALL → INCLUDE(1)): −4 write units a put, −$8.99 a month"]
    );
}

#[test]
fn a_key_is_sharded_before_it_is_hot() {
    let model = CLINIC.replace("    partition key room\n", "    partition key ro$0om\n");
    let expected = with(
        CLINIC,
        &[
            ("  item Visit\n", "  item Visit { room_shard = \"{shard(visit_id, 10)}\" }\n"),
            ("    partition key room\n", "    partition key room, room_shard: string\n"),
            (
                "where room = :room descending limit 10",
                "where room = :room and room_shard = \"{shard(visit_id, 10)}\" descending limit 10 times 10",
            ),
        ],
    );
    check(&model, "Shard `VisitsByRoom` over 10 values by `visit_id`", &expected);
    // On the name of the index.
    let named = CLINIC.replace("gsi VisitsByRoom", "gsi Visits$0ByRoom");
    check(&named, "Shard `VisitsByRoom` over 10 values by `visit_id`", &expected);
    // The value in the item.
    let model = FLEET.replace("    GSI1PK = \"DRIVER#{driver}\"\n", "    GSI1PK = \"DRI$0VER#{driver}\"\n");
    let expected = with(
        FLEET,
        &[
            ("    GSI1PK = \"DRIVER#{driver}\"\n", "    GSI1PK = \"DRIVER#{driver}#{shard(tripId, 10)}\"\n"),
            (
                "where GSI1PK = \"DRIVER#{driver}\" limit 10",
                "where GSI1PK = \"DRIVER#{driver}#{shard(tripId, 10)}\" limit 10 times 10",
            ),
        ],
    );
    check(&model, "Shard `GSI1PK` over 10 values by `tripId`", &expected);
    // A key of the table, whose value becomes a template; and as many shards as the load
    // asks for, where it asks.
    let load = |rate: &str| {
        with(
            CLINIC,
            &[
                ("rate avg 1/s, peak 4/s\n}\n\npattern RoomPlan", &format!("{rate}\n}}\n\npattern RoomPlan")),
                ("@of(Patient)\n", "@of(Patient) @hottest(50%)\n"),
            ],
        )
    };
    for (rate, shards) in [("rate avg 1/s, peak 4/s", 10), ("rate avg 1/s, peak 8k/s", 32)] {
        let model = load(rate);
        let at = |model: &str| {
            with(model, &[("  partition key patient_id\n  sort", "  partition key patient$0_id\n  sort")])
        };
        let item = format!("  item Visit {{ patient_id = \"{{patient_id}}#{{shard(visit_id, {shards})}}\" }}\n");
        let expected = with(&model, &[("  item Visit\n", &item)]);
        check(&at(&model), &format!("Shard `patient_id` over {shards} values by `visit_id`"), &expected);
    }
    // A key of one item each has nothing to spread.
    check_not_offered(&CLINIC.replace("partition key patient_id\n\n", "partition key pat$0ient_id\n\n"), "Shard");
    // What is sharded is not sharded again.
    check_not_offered(&expected.replace("    GSI1PK = \"DRIVER", "    GSI1PK = \"DRI$0VER"), "Shard");
}
