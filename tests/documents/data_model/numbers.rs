//! Every number of the document is one of the model's own.

use crate::data_model::boxes::of_box;
use crate::data_model::made::{Made, all, examples};
use keywright::capacity::copying::copy_costs;
use keywright::capacity::cost::SourceCost;
use keywright::capacity::embedding::embedded;
use keywright::capacity::figure::Figure;
use keywright::capacity::operations::{StepNumbers, Work, pattern_numbers};
use keywright::capacity::show;
use keywright::capacity::traffic::traffic;
use keywright::model::defs::IndexKind;
use keywright::model::layout::layout;
use keywright::model::names::names;
use std::collections::BTreeSet;

fn dollars(figure: &Figure) -> String {
    show::figure(figure, show::dollars)
}

fn number(figure: &Figure) -> String {
    show::figure(figure, show::number)
}

fn units(figure: &Figure) -> String {
    if *figure == Figure::ZERO { "–".to_owned() } else { number(figure) }
}

#[test]
fn the_costs_are_those_of_the_report() {
    let mut compared = 0;
    for made in all() {
        let report = made.report();
        let sources: Vec<&SourceCost> = report
            .tables
            .iter()
            .flat_map(|table| std::iter::once(&table.cost).chain(table.indexes.iter().map(|(_, cost)| cost)))
            .collect();
        let rows = made.table("## Cost Estimates", "Region");
        assert_eq!(rows.len(), sources.len(), "{}", made.name);
        for (row, cost) in rows.iter().zip(sources) {
            assert!(row[0].starts_with(&format!("`{}`", cost.label)), "{}: {row:?}", made.name);
            let local = cost.index.as_ref().is_some_and(|(_, kind)| *kind == IndexKind::Local);
            let traffic = |figure: &Figure| if local { "with its table".to_owned() } else { dollars(figure) };
            let expected = [
                number(&cost.storage_gb),
                traffic(&cost.reads),
                traffic(&cost.writes),
                dollars(&cost.storage),
                dollars(&cost.total()),
            ];
            assert_eq!(row[3..], expected, "{}", made.name);
            if let Some((reads, writes)) = &cost.provisioned {
                let capacity = format!("provisioned {} RCU, {} WCU", number(reads), number(writes));
                assert!(row[1].starts_with(&capacity), "{}: {row:?}", made.name);
            }
            compared += 1;
        }
        let total = format!("\n**Total**: {}", dollars(&report.total));
        assert!(made.section("## Cost Estimates").contains(&total), "{}: {total}", made.name);
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn the_dearest_patterns_are_those_of_the_report() {
    for made in all() {
        let report = made.report();
        let patterns: Vec<_> = report.patterns.iter().filter(|pattern| !pattern.external).collect();
        if patterns.is_empty() {
            continue;
        }
        let rows = made.table("## Cost Estimates", "**Dearest Patterns**");
        assert_eq!(rows.len(), patterns.len().min(10), "{}", made.name);
        for (row, pattern) in rows.iter().zip(&patterns) {
            assert!(row[0].contains(&pattern.name), "{}: {row:?} {}", made.name, pattern.name);
            let indexes: Figure = pattern.index_writes.iter().map(|(_, units)| units).sum();
            let expected = [
                units(&pattern.read_units),
                units(&pattern.write_units),
                units(&indexes),
                number(&pattern.rate),
                dollars(&pattern.monthly),
            ];
            assert_eq!(row[1..], expected, "{}", made.name);
        }
    }
}

#[test]
fn the_hottest_keys_are_those_of_the_report() {
    let mut compared = 0;
    for made in all() {
        let report = made.report();
        let rows = made.table("## Hot Partition Analysis", "One value");
        let keys: usize = report.tables.iter().map(|table| 1 + table.indexes.len()).sum();
        // A key whose values have several forms may have more than one.
        let labels: BTreeSet<&String> = rows.iter().map(|row| &row[0]).collect();
        assert_eq!(labels.len(), keys, "{}: a row for each table and index", made.name);
        let loaded: BTreeSet<&String> = rows.iter().filter(|row| row[2] != "–").map(|row| &row[0]).collect();
        assert_eq!(loaded.len(), report.hottest.len(), "{}", made.name);
        for hot in &report.hottest {
            let label = format!("`{}`", hot.key);
            let value = format!("`{}`", hot.value);
            let row = rows.iter().find(|row| row[0].split(' ').next() == Some(label.as_str()) && row[1] == value);
            let row = row.unwrap_or_else(|| panic!("{}: {label}", made.name));
            let expected =
                [number(&hot.reads), show::part(&hot.read_share), number(&hot.writes), show::part(&hot.write_share)];
            assert_eq!(row[2..6], expected, "{}: {label}", made.name);
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn what_is_accepted_of_a_key_stands_in_its_row() {
    let made = Made::new(
        "accepted",
        r#"
entity Job { id: uuid @id  kind: string @distinct(7) @size(4B)  count 1M  size avg 200B, max 1KB }
table Jobs {
  partition key id
  item Job { due = "{kind}#{shard(id, 4)}" }
  gsi Due { partition key due: string  projection all }
  allow low-cardinality-key because "a few a second"
}
pattern Add { put Job into Jobs if not_exists  rate avg 10/s, peak 400/s }
"#,
    );
    let rows = made.table("## Hot Partition Analysis", "One value");
    let design = |label: &str| rows.iter().find(|row| row[0].starts_with(label)).expect("it has a row")[7].clone();
    assert_eq!(design("`Jobs`"), "nothing to do: below 80 % of both limits");
    assert_eq!(
        design("`Jobs.Due`"),
        "spread over 4 shards by `{shard(id, 4)}`; `kind` of Job taken as even, no `@hottest` is declared: the load of the mean \
         value, if all meet on one 100 write units; nothing to do: below 80 % of both limits; accepted `low-cardinality-key`: a few a second"
    );
}

/// The table's hover and the row of it: the same dollars, the same share of a limit.
#[test]
fn a_table_costs_what_its_hover_says() {
    for made in examples() {
        let costs = made.table("## Cost Estimates", "Region");
        let loads = made.table("## Hot Partition Analysis", "One value");
        for table in made.report().tables {
            let hover = made.hover(&format!("table {}", table.name));
            let label = format!("`{}`", table.name);
            let of = |rows: &[Vec<String>]| {
                rows.iter().find(|row| row[0].split(' ').next() == Some(label.as_str())).expect("it has a row").clone()
            };
            let total = &of(&costs)[7];
            let month = if total == "unknown" { "unknown cost".to_owned() } else { format!("{total} a month") };
            assert!(hover.contains(&month), "{}: {label} {month}\n{hover}", made.name);
            let row = of(&loads);
            if row[3] != "–" {
                let limit = |share: &str| hover.contains(&format!("{share} of a key's limit"));
                let unknown = hover.contains("unknown share of a key's limit");
                assert!(limit(&row[3]) || limit(&row[5]) || unknown, "{}: {label} {row:?}\n{hover}", made.name);
            }
        }
    }
}

/// The dollars of a text: `$126`, `$0.052`.
fn dollars_in(text: &str) -> Vec<String> {
    let amounts = text.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.')).unwrap_or(rest.len());
        format!("${}", rest[..end].trim_end_matches([',', '.']))
    });
    amounts.collect()
}

/// Where the document tells of dollars in sentences, they are those of the report, of
/// the copies and of the embedded items.
#[test]
fn the_dollars_in_sentences_are_those_of_the_model() {
    let mut compared = 0;
    for made in all() {
        let (db, root, report) = (made.db(), made.root(), made.report());
        let mut figures: Vec<Figure> = vec![report.total.clone()];
        for table in &report.tables {
            for cost in std::iter::once(&table.cost).chain(table.indexes.iter().map(|(_, cost)| cost)) {
                figures.extend([cost.reads.clone(), cost.writes.clone(), cost.storage.clone()]);
            }
        }
        figures.extend(report.patterns.iter().map(|pattern| pattern.monthly.clone()));
        let all_names = names(db, root);
        for entity in all_names.entities.values().filter_map(|decls| decls.first()) {
            let copies = copy_costs(db, root, *entity).iter();
            figures.extend(copies.flat_map(|copy| [copy.costs.clone(), copy.saves.clone()]));
        }
        for table in all_names.tables_in_order(db, root) {
            let Some(layout) = layout(db, root, table) else { continue };
            for item in &layout.items {
                for embed in &item.embeds {
                    let embedding = embedded(db, root, layout, item, embed);
                    for bill in [embedding.writes, embedding.reading] {
                        figures.extend([bill.embedded, bill.apart]);
                    }
                }
            }
        }
        let known: BTreeSet<String> = figures.iter().flat_map(|figure| dollars_in(&dollars(figure))).collect();
        let tradeoffs = made.section("## Trade-offs and Optimizations");
        // What rules say of what is accepted has numbers of its own.
        let tradeoffs = tradeoffs.split("**Accepted Findings**").next().unwrap_or_default();
        for text in [made.section("## Design Philosophy & Approach"), tradeoffs] {
            for amount in dollars_in(text) {
                assert!(known.contains(&amount), "{}: {amount} in {text}", made.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The rows of the solved patterns with the numbers of their steps.
fn solved(made: &Made) -> Vec<(Vec<String>, String, &Vec<StepNumbers>)> {
    let all = names(made.db(), made.root());
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    let rows = rows.into_iter().filter_map(|row| {
        let name = row[1].split("**").nth(1)?.replace('\\', "");
        let numbers = pattern_numbers(made.db(), made.root(), all.pattern(&name)?).as_ref()?;
        Some((row, name, &numbers.steps))
    });
    rows.collect()
}

#[test]
fn items_sizes_and_units_are_those_of_the_steps() {
    let (mut reads, mut writes) = (0, 0);
    for made in all() {
        for (row, name, steps) in solved(&made) {
            let place = format!("{}: {name}: {row:?}", made.name);
            for step in steps {
                match &step.work {
                    Work::Read(read) => {
                        reads += 1;
                        let items = number(&read.call().0);
                        let told = format!(" {} ", row[4].replace("<br>", " "));
                        assert!(told.contains(&format!(" {items} ")), "{items} items in {place}");
                        for kind in &read.kinds {
                            let size = format!("{}: {}", kind.entity, show::figure(&kind.each, show::bytes));
                            assert!(row[5].replace('\\', "").contains(&size), "{size} in {place}");
                        }
                        let units = format!("{} read unit", number(&step.read_units()));
                        assert!(row[8].contains(&units) || step.read_units() == Figure::ZERO, "{units} in {place}");
                    }
                    Work::Write(write) => {
                        writes += 1;
                        let size = format!("{}: {}", write.entity, show::figure(&write.bytes, show::bytes));
                        assert!(row[5].replace('\\', "").contains(&size), "{size} in {place}");
                        let units = format!("{} write unit", number(&step.write_units()));
                        assert!(row[8].contains(&units) || step.write_units() == Figure::ZERO, "{units} in {place}");
                        for (index, _, units) in step.index_writes().filter(|(.., units)| *units != Figure::ZERO) {
                            let shown = number(&units);
                            let plural = if shown == "1" { "" } else { "s" };
                            let units = format!("{shown} write unit{plural} in `{index}`");
                            assert!(row[8].contains(&units), "{units} in {place}");
                        }
                    }
                    Work::Unknown(_) => panic!("no solved pattern has one: {place}"),
                }
            }
        }
    }
    assert!(reads > 200 && writes > 200, "{reads} {writes}");
}

/// The number before a word, with what stands behind it: `6.5` of `6.5 read units`.
fn before(text: &str, word: &str) -> Vec<f64> {
    let parts = text.split(word).collect::<Vec<_>>();
    let numbers = parts[..parts.len() - 1]
        .iter()
        .filter_map(|part| part.trim_end().rsplit([' ', '*']).next()?.replace(',', "").parse::<f64>().ok());
    numbers.collect()
}

/// The first line of the hover of a pattern says what a call of it takes: as much as
/// the notes of its row, step by step.
#[test]
fn a_call_takes_what_the_hover_of_the_pattern_says() {
    let mut compared = 0;
    for made in examples() {
        for (row, name, steps) in solved(&made) {
            let hover = made.hover(&format!("pattern {name}"));
            let Some(summary) = hover.lines().find(|line| line.contains(" a call**")) else { continue };
            for word in ["read unit", "write unit"] {
                let bounded = summary.contains('≤') || summary.contains("at least") || summary.contains("unknown");
                // Notes that two steps share stand there once.
                if bounded || steps.len() > 1 {
                    continue;
                }
                let said: f64 = before(summary, &format!(" {word}")).iter().sum();
                let noted: f64 = before(&row[8], &format!(" {word}")).iter().sum();
                assert!((said - noted).abs() <= said.abs() * 0.01, "{}: {name}: {summary}\n{}", made.name, row[8]);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_pattern_is_solved_or_has_its_alternative() {
    for made in all() {
        let count = |part: &str| made.table("## Access Pattern Mapping", part).into_iter().map(|row| row[0].clone());
        let section = made.section("## Access Pattern Mapping");
        let mut numbers: Vec<String> = Vec::new();
        if !section.contains("No pattern is solved.") {
            numbers.extend(count("### Solved Patterns"));
        }
        if !section.contains("Every pattern is solved.") {
            numbers.extend(count("### Unsolved Patterns"));
        }
        numbers.sort_by_key(|number| number.parse::<usize>().expect("a number"));
        let declared = names(made.db(), made.root()).patterns.len();
        let expected: Vec<String> = (1..=declared).map(|number| number.to_string()).collect();
        assert_eq!(numbers, expected, "{}", made.name);
    }
}

#[test]
fn an_unsolved_pattern_says_what_would_answer_it() {
    let made = Made::new(
        "unsolved",
        r#"
entity User { id: uuid @id  email: string  name: string }
table Users { partition key id
  item User }
pattern ById { reads User by id }
pattern ByEmail { reads User(name) by email }
pattern Search { external "OpenSearch" because "full text" }
pattern Wrong { get User from Userz }
"#,
    );
    let rows = made.table("## Access Pattern Mapping", "### Unsolved");
    let cell = |name: &str, at: usize| {
        rows.iter().find(|row| row[1] == format!("**{name}**")).unwrap_or_else(|| panic!("{name}"))[at].clone()
    };
    assert_eq!(cell("ById", 3), "⏳ not yet: Answer with `get User from Users`");
    assert!(cell("ByEmail", 3).starts_with("⏳ not yet: Add index "), "{}", cell("ByEmail", 3));
    assert_eq!((cell("Search", 2), cell("Search", 3)), ("full text".into(), "❌ outside DynamoDB: OpenSearch".into()));
    assert!(cell("Wrong", 2).starts_with("`unknown-name`: "), "{}", cell("Wrong", 2));
}

/// What each table and index takes of its quotas is the traffic of the hovers, and the
/// limit that is met first is the one of which most is taken.
#[test]
fn the_headroom_is_that_of_the_peaks() {
    let mut compared = 0;
    for made in all() {
        let rows = made.table("## Hot Partition Analysis", "**Headroom**");
        let (db, root) = (made.db(), made.root());
        let tables = names(db, root).tables.values().filter_map(|decls| decls.first());
        for taking in tables.flat_map(|table| traffic(db, root, *table)) {
            let label = format!("`{}`", taking.label);
            let row = rows.iter().find(|row| row[0].split(' ').next() == Some(label.as_str()));
            let row = row.unwrap_or_else(|| panic!("{}: {label} in {rows:?}", made.name));
            let share = |figure: &Figure| show::part(&figure.scaled(1.0 / 40_000.0));
            let (reads, writes) = (taking.peak_reads(), taking.peak_writes());
            assert_eq!(row[1..5], [number(&reads), share(&reads), number(&writes), share(&writes)], "{}", made.name);
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn what_breaks_first_is_told_with_how_far_it_is() {
    let made = |peak: &str, hottest: &str| {
        let text = format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity E {{ id: uuid @id {hottest} count 1M size 500B }}
table T {{ partition key id item E }}
table Still {{ partition key id item E }}
pattern P {{ put E into T if not_exists rate avg 1/s, peak {peak} }}"
        );
        Made::new("headroom", &text)
    };
    let first = |made: &Made| {
        let section = made.section("## Hot Partition Analysis");
        let line = section.lines().find(|line| line.starts_with("**First of All**"));
        line.unwrap_or_else(|| panic!("{section}")).to_owned()
    };
    assert_eq!(first(&made("10k/s", "")), "**First of All**: `T`: its own writes, at 4 times these peaks.");
    assert_eq!(first(&made("50k/s", "")), "**First of All**: `T`: its own writes, which is passed already.");
    assert_eq!(
        first(&made("10k/s", "@hottest(5%)")),
        "**First of All**: `T`: the writes on `{id}`, at 2 times these peaks."
    );
    let rows = made("10k/s", "").table("## Hot Partition Analysis", "**Headroom**");
    assert_eq!(rows[1][5], "nothing loads it");
}

#[test]
fn what_the_total_leaves_out_is_told() {
    let besides = |table: &str, pattern: &str| {
        let text = format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity E {{ id: uuid @id count 1k size 500B }}
table T {{ partition key id item E {table} }}
pattern Put {{ put E into T if not_exists rate 1/s }}
pattern Find {{ reads E {pattern} rate 1/s }}"
        );
        let made = Made::new("besides", &text);
        let section = made.section("## Cost Estimates");
        let below = section.split("**Not in It**").nth(1).expect("the list is there");
        below.split("\n**").next().unwrap_or_default().to_owned()
    };
    let none = besides("", "get E from T");
    assert!(!none.contains("`T`") && !none.contains("outside") && none.contains("data transfer"), "{none}");
    let all = besides("stream keys_only point_in_time_recovery", "external \"OpenSearch\" because \"text\"");
    assert!(all.contains("- point-in-time recovery, by the GB that is kept: `T`\n"), "{all}");
    assert!(all.contains("- reading the streams, and what works on them: `T`\n"), "{all}");
    assert!(all.contains("- what answers outside DynamoDB: 2 Find (OpenSearch)\n"), "{all}");
}

/// Steps that take the same are told with how many there are, those with roles by these.
#[test]
fn two_steps_with_the_same_text_are_two() {
    let noted = |steps: &str| {
        let text = format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity E {{ id: uuid @id count 1k size 500B }}
table Events {{ partition key id item E }}
pattern Pay {{ {steps} rate 1/s }}"
        );
        Made::new("twice", &text).table("## Access Pattern Mapping", "### Solved Patterns")[0][8].clone()
    };
    let twice =
        noted("transact write { put E as debit into Events if not_exists put E as credit into Events if not_exists }");
    assert!(twice.contains("E as debit: ") && twice.contains("E as credit: "), "{twice}");
    assert_eq!(twice.matches("2 write units").count(), 2, "{twice}");
    let bare = noted("put E into Events if not_exists put E into Events if not_exists");
    assert!(bare.contains("2 × E: ") && bare.matches("1 write unit").count() == 1, "{bare}");
}

/// What `returning` counts is of the call: where it is more than fits on a page, the
/// pages of the call are not filled beyond it.
#[test]
fn a_call_returns_what_returning_says() {
    let returned = |read: &str| {
        let text = format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity E {{ id: uuid @id at: timestamp count 1G size 260B }}
table Events {{ partition key id sort key at item E }}
pattern Put {{ put E into Events if not_exists rate 1/s }}
pattern Sum {{ reads E query Events where id = :id {read} rate 1/s }}"
        );
        Made::new("returning", &text).table("## Access Pattern Mapping", "### Solved Patterns")[1][4].clone()
    };
    assert_eq!(returned("returning avg 97k, max 540k pages avg 25, max 140"), "97,000 in 25 pages");
    assert_eq!(returned("returning avg 97k, max 540k"), "97,000");
}

/// Twelve patterns of which the last is not solved.
fn with_a_heavy_one(region: &str, heavy: &str) -> Made {
    let gets: String =
        (0..11).map(|n| format!("pattern Get{n} {{ get E from T rate {}/min latency 5ms }}\n", n + 1)).collect();
    let text = format!(
        "application A {{ domain \"d\" scale \"s\" {region} }}
entity E {{ id: ulid @id v: number count 50k size 600B }}
table T {{ partition key id item E }}
{gets}{heavy}"
    );
    Made::new("dearest", &text)
}

#[test]
fn what_is_not_known_is_not_called_cheap() {
    let section = |made: &Made| made.section("## Cost Estimates").to_owned();
    let made = with_a_heavy_one("region \"us-east-1\"", "pattern Huge { reads E(v) rate 9k/s latency 5ms }");
    let costs = section(&made);
    assert!(costs.contains("\n1 more pattern costs no more than these.\n"), "{costs}");
    assert!(costs.contains("These may cost more, as their numbers are not known: "), "{costs}");
    let line = costs.lines().find(|line| line.starts_with("These may")).expect("it is there");
    assert!(line.contains("Huge") && !line.contains("Get"), "{line}");
}

#[test]
fn without_prices_those_with_the_most_units_are_listed() {
    for region in ["", "region \"mars-north-1\""] {
        let made = with_a_heavy_one(region, "pattern Huge { get E from T rate 9k/s latency 5ms }");
        let costs = made.section("## Cost Estimates");
        assert!(costs.contains("those with the most units a second first, as no dollars are known"), "{costs}");
        assert!(costs.contains("\n2 more patterns take no more units a second than these.\n"), "{costs}");
        let rows = made.table("## Cost Estimates", "**Dearest Patterns**");
        let listed: Vec<bool> =
            ["Huge", "Get10", "Get9"].iter().zip(&rows).map(|(name, row)| row[0].contains(name)).collect();
        assert_eq!((listed, rows.len()), (vec![true; 3], 10), "{rows:?}");
        let report = made.report();
        assert_eq!(report.order(), "Patterns, those with the most units a second first");
        assert_eq!(report.patterns[0].name, "Huge");
    }
}

/// What is provisioned takes no more than its units, and auto scaling raises these no
/// further than its maximum: that is met before any quota.
#[test]
fn what_is_provisioned_takes_no_more_than_its_units() {
    let text = |rate: &str| {
        format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" capacity provisioned utilization 70% }}
entity E {{ id: uuid @id count 1M size 500B }}
table T {{ partition key id item E }}
pattern P {{ put E into T if not_exists rate {rate} }}"
        )
    };
    // 500 units at the peak, of the 715 that make 70 % of them.
    let peaking = text("avg 1/s, peak 500/s");
    let far = Made::new("provisioned", &peaking);
    let heat = far.section("## Hot Partition Analysis");
    let first = "**First of All**: `T`: the 715 write units that auto scaling may provide, at 1.43 times these peaks.";
    assert!(heat.contains(first), "{heat}");
    assert!(far.document.contains("MaxCapacity: 715"), "{}", far.document);
    let question = "Every table takes its peaks, from the first day on";
    let told = of_box(&peaking, question);
    assert!(told.starts_with(&format!("- [x] {question}, as far as it is assumed: ")), "{told}");
    assert!(
        told.contains("`T` has 2 write units against 500 a second at the peak, which auto scaling has to follow"),
        "{told}"
    );
    // Without a peak above the average nothing has to follow.
    let even = text("500/s");
    let made = Made::new("even", &even);
    let heat = made.section("## Hot Partition Analysis");
    assert!(heat.contains("`T`: the 715 write units that are provisioned, at 1.43 times"), "{heat}");
    assert_eq!(of_box(&even, question), format!("- [x] {question}"));
    // What is provisioned for the average is enough for such a peak.
    assert_eq!(of_box(&text("avg 10/s, peak 11/s"), question), format!("- [x] {question}"));
}

/// The children of a relationship are those that hold the parent's id: that some items
/// hold none is in their number already. What else the key of an index uses is a share.
#[test]
fn who_is_counted_by_an_optional_reference_is_counted_once() {
    let returned = |relationship: &str, attributes: &str, sort: &str| {
        let text = format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity Member {{ member_id: ulid @id count 1k size 1KB }}
entity Seat {{ seat_id: ulid @id holder: ulid? @of(Member) @present(40%) since: timestamp? @present(10%) {attributes} count 1k size 1KB }}
relationship Member 1:N Seat {relationship} {{ children avg 0.4, max 4 }}
table Members {{ partition key member_id item Member }}
table Seats {{ partition key seat_id item Seat
  gsi Held {{ partition key holder {sort} }} }}
pattern SeatsOf {{ query Seats.Held where holder = :holder rate avg 1/s }}
"
        );
        let made = Made::new("seats", &text);
        made.table("## Access Pattern Mapping", "### Solved Patterns")[0][4].clone()
    };
    assert_eq!(returned("", "", ""), "0.4");
    assert_eq!(returned("by holder", "", ""), "0.4");
    assert_eq!(returned("", "", "sort key since"), "0.04");
    assert_eq!(returned("by holder", "payer: ulid @of(Member)", ""), "0.4");
    // Of two that may be meant the model does not say which the children are counted by.
    assert_eq!(returned("", "payer: ulid @of(Member)", ""), "0.16");
    // Counted by another, it is the ratio of the counts: 40 % of 1,000 for 1,000.
    assert_eq!(returned("by payer", "payer: ulid @of(Member)", ""), "0.4");
}

/// No call reads more than there is, on however many pages: what a copy saves is for as
/// many items as the call is said to return.
#[test]
fn a_copy_saves_the_reads_of_the_items_that_a_call_returns() {
    let text = r#"application A { domain "d" scale "s" region "us-east-1" }
entity User { user_id: uuid @id name: string @size(20B) count 1k size 1KB }
entity Team { team_id: uuid @id count 100 size 1KB }
entity Member {
  team_id: uuid @id @of(Team)
  user_id: uuid @id @of(User)
  user_name: string @size(20B) @copied_from(User.name)
  count 1900
  size 100B
}
relationship Team N:M User through Member { children avg 19, max 400 parents avg 1.9, max 9 }
table Users { partition key user_id item User }
table Members { partition key team_id sort key user_id item Member }
pattern TeamPage {
  reads Member(user_name) by team_id
  query Members where team_id = :team limit 100
  rate avg 1/s, peak 2/s
  pages avg 1.1, max 4
}
pattern Rename {
  update User in Users set name
  rate avg 1/h, peak 1/s
}
pattern Follow {
  update Member in Members set user_name times 2
  rate avg 1/h, peak 1/s
}
"#;
    let made = Made::new("copies", text);
    let row = made
        .table("## Access Pattern Mapping", "### Solved Patterns")
        .into_iter()
        .find(|row| row[1].contains("TeamPage"));
    assert_eq!(row.expect("it is solved")[4], "19 in 1.1 pages");
    let saved = "(TeamPage 19 reads of User a call, if each Member has another)";
    assert!(made.document.contains(saved), "{}", made.section("## Trade-offs and Optimizations"));
}
