//! What is told of findings, of entities and of patterns.

use super::made::{LISTED, TICKED, line, of, of_files};

#[test]
fn hints_of_one_rule_are_one_line() {
    let silent: String =
        (1..=12).map(|n| format!("pattern P{n} {{ get A from Main rate avg 1/s, peak 1/s }}\n")).collect();
    let document = of(&format!("{TICKED}{silent}"));
    let told: Vec<&str> = document.lines().filter(|line| line.starts_with("- hint `missing-latency`")).collect();
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert!(
        told.starts_with("- hint `missing-latency`, 12 times: a pattern that reads has no `latency`. In pattern P1 ("),
        "{told}"
    );
    assert!(told.ends_with(", and 2 more."), "{told}");
    assert_eq!(told.matches("](m.dynamo#L").count(), 10);
}

#[test]
fn a_topic_says_what_was_looked_for_and_what_was_accepted() {
    let document = of(TICKED);
    let after =
        |title: &str| document.lines().skip_while(|line| *line != title).nth(2).expect("a line each").to_owned();
    assert!(after("**GSI Projections**:").starts_with("- Nothing found. Looked for: `attribute-not-projected`, "));
    assert!(after("**Denormalization Ideas**:").contains("`stale-copy`"));
    let allowed = of(&format!("{TICKED}allow over-read because \"All of it is shown.\"\n"));
    assert!(allowed.contains("- Accepted `over-read` ("), "{allowed}");
    // What is accepted was found: nothing else was.
    let mut before =
        allowed.lines().zip(allowed.lines().skip(1)).filter(|(_, line)| line.starts_with("- Accepted `over-read`"));
    assert!(before.all(|(line, _)| line.starts_with("- Nothing but what is accepted. Looked for: ")), "{allowed}");
    assert!(allowed.contains("All of it is shown."), "{allowed}");
    let toml = "[levels]\nstale-copy = \"off\"\n";
    let off = of_files(&[("m.dynamo", TICKED)], Some(toml));
    assert!(off.contains("- Not looked for, since the settings switch it off: `stale-copy`."), "{off}");
}

#[test]
fn an_entity_without_a_count_or_a_size_says_what_there_is_of_it() {
    let entity = |text: &str| {
        let document = of(text);
        let line = document.lines().find(|line| line.starts_with("- **B**:")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{document}"))
    };
    let children = entity(&TICKED.replace("  count 9k\n", ""));
    assert!(children.contains("9 on average, 40 at most for each A; size 500 B"), "{children}");
    let computed = entity(&TICKED.replace("  size avg 500B, max 900B\n", ""));
    assert!(computed.contains("on average, computed from its attributes"), "{computed}");
}

#[test]
fn a_pattern_says_what_its_result_is_bounded_by_and_how_large_its_items_are() {
    let document = of(TICKED);
    let row = document.lines().find(|line| line.starts_with("| 1 | **Page**")).expect("a row");
    assert!(
        row.contains("latency 50 ms; eventually consistent; at most 41 items; A up to 4 KB; B up to 1 KB"),
        "{row}"
    );
    assert!(document.contains("Items are grouped by their largest size: up to 1 KB, 4 KB, 64 KB and 400 KB."));
    let larger = of(&TICKED.replace("max 4KB", "max 4097B"));
    assert!(larger.contains("A up to 64 KB; B up to 1 KB"), "{larger}");
    let planned = of("entity A { id: uuid @id size 5KB }\npattern Later { reads A rate 1/s }\n");
    let row = planned.lines().find(|line| line.starts_with("| 1 |")).expect("a row");
    assert!(row.contains("consistency and result bound unknown: no operation yet; A up to 64 KB"), "{row}");
    assert!(row.ends_with("⏳ not yet: the model has no operation for it |"), "{row}");
}

#[test]
fn a_filter_on_a_key_tells_what_a_scan_is_for() {
    let document = of("entity U { id: uuid @id }
entity P { id: uuid @id @of(U) no: number @id }
relationship U 1:N P { children avg 2, max 9 }
table T { partition key id sort key SK: string item U { SK = \"PROFILE\" } item P { SK = \"P#{no:4}\" } }
pattern All { scan T filter SK = \"PROFILE\" keeping 10% limit 9 rate 1/s }
");
    assert!(line(&document, "Access Correlation").starts_with("0 % of the reads of either"), "{document}");
    assert!(document.contains("| U (whole item) |"), "{document}");
}

#[test]
fn several_writes_are_not_one_item() {
    let of = |operations: &str| of(&format!("{LISTED}pattern Write {{ {operations} rate 1/s }}"));
    let several = of("update A in T set name if exists times 21");
    assert!(several.contains("; 21 writes, not all or nothing;"), "{several}");
    let batch = of("batch write { put A into T times 25 }");
    assert!(batch.contains("; 25 writes, not all or nothing;"), "{batch}");
    let one = of("update A in T set name if exists");
    assert!(one.contains("; single-item write;") && !one.contains("not all or nothing"), "{one}");
}

#[test]
fn reads_that_differ_in_consistency_are_told_apart() {
    let document =
        of(&format!("{LISTED}pattern Two {{ query T.ByName where name = :name get A from T consistent rate 1/s }}"));
    assert!(
        document.contains("step 1 (`query`): eventually consistent; step 2 (`get`): strongly consistent"),
        "{document}"
    );
}

/// What grows has a sum of its own for each, however many there are.
#[test]
fn each_growth_has_its_dollars() {
    let entities: String = (1..=5)
        .map(|n| {
            format!(
                "entity E{n} {{ id{n}: ulid @id count 1M, growing {n}/s size 1KB }}
table Things{n} {{ partition key id{n} item E{n} }}
pattern Put{n} {{ put E{n} into Things{n} if not_exists rate {n}/s }}
"
            )
        })
        .collect();
    let document = of(&format!("application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}\n{entities}"));
    let growths: Vec<&str> = document.lines().filter(|line| line.starts_with("- info `unbounded-growth` (")).collect();
    assert_eq!(growths.len(), 5, "{document}");
    for (n, line) in (1..).zip(&growths) {
        assert!(line.contains(&format!("`E{n}` grows by {n}/s")), "{line}");
        assert!(line.contains(" a month more each month, $"), "{line}");
    }
}
