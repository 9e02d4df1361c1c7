//! Every figure of a table and an index is the one of `keywright cost`.

use crate::tables::models;
use crate::tables::page::{Section, open, open_files, tables};
use keywright::capacity::figure::Figure;
use keywright::capacity::prices::GB;
use keywright::capacity::show;
use keywright::ide::{Analysis, CostReport};
use keywright::model::files::FileKey;

/// The figures of one section against those of the report.
fn check(name: &str, report: &CostReport, label: &str, section: &Section) -> usize {
    let costs = report
        .tables
        .iter()
        .flat_map(|table| std::iter::once(&table.cost).chain(table.indexes.iter().map(|(_, cost)| cost)));
    let cost = costs.into_iter().find(|cost| cost.label == label).unwrap_or_else(|| panic!("{name}: no {label}"));
    let lines = section.below("Capacity Planning");
    let line = |start: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(&format!("- **{start}**: ")));
        found.unwrap_or_else(|| panic!("{name}, {label}: no {start}"))
    };
    let dollars = show::figure(&cost.total(), show::dollars);
    assert_eq!(line("Cost"), format!("{dollars} a month (see *Cost Estimates*)"), "{name}, {label}");
    let storage = show::figure(&cost.storage_gb, |gb| show::bytes(gb * GB));
    assert!(line("Storage now").ends_with(&format!(", {storage}")), "{name}, {label}: {}", line("Storage now"));
    let mut compared = 2;
    if let Some((reads, writes)) = &cost.provisioned {
        let units = |units: &Figure| show::figure(units, show::number);
        let own = line("Provisioned");
        assert!(own.starts_with(&units(reads)), "{name}, {label}: {own}");
        let of_writes = own.split("; ").nth(1).expect("reads and writes");
        assert!(of_writes.starts_with(&units(writes)), "{name}, {label}: {own}");
        compared += 2;
    }
    match report.hottest.iter().find(|row| row.key == label) {
        Some(row) => {
            let own = line("Hottest key");
            let of = |load: &Figure, share: &Figure, limit: &str, what: &str| {
                if *load == Figure::ZERO {
                    return format!("no {what}s");
                }
                let units =
                    |units: f64| format!("{} {what}{}", show::number(units), if units == 1.0 { "" } else { "s" });
                format!("{} a second of {limit} ({})", show::figure(load, units), show::part(share))
            };
            let expected = format!(
                ": {}, {}, at the peak",
                of(&row.reads, &row.read_share, "3,000", "read unit"),
                of(&row.writes, &row.write_share, "1,000", "write unit")
            );
            // That nobody said how popular the values are changes no figure.
            let even = " taken as even: no `@hottest` is declared (see *Hot Partition Analysis*)";
            let own = own.strip_suffix(even).and_then(|own| own.rsplit_once(", with ")).map_or(own, |(own, _)| own);
            assert!(own.ends_with(&expected), "{name}, {label}: {own}, not {expected}");
            compared += 4;
        }
        None => assert!(!line("Hottest key").contains("of 3,000"), "{name}, {label}"),
    }
    compared
}

#[test]
fn the_figures_are_those_of_keywright_cost() {
    let (mut compared, mut sections) = (0, 0);
    for (name, files) in models() {
        let (host, root) = open_files(&files);
        let analysis = Analysis::new(host.snapshot());
        let report = analysis.costs(root.key(host.db())).expect("nothing changes").remove(0);
        for table in tables(&host, root) {
            let own = table[0].heading.strip_suffix(" Table").expect("a table").replace('\\', "");
            for (at, section) in table.iter().enumerate() {
                let index = section.heading.rsplit_once(' ').expect("a kind").0.replace('\\', "");
                let label = if at == 0 { own.clone() } else { format!("{own}.{index}") };
                compared += check(&name, &report, &label, section);
                sections += 1;
            }
        }
    }
    assert!(compared > 4 * sections, "{compared} figures in {sections} sections");
}

/// The units of a table are the sum over its patterns, as the report has them.
#[test]
fn units_a_second_are_those_of_the_patterns() {
    let text = include_str!("../../../examples/shop.dynamo");
    let (host, root) = open(text);
    let analysis = Analysis::new(host.snapshot());
    let report = analysis.costs(&FileKey::new("/model/model.dynamo")).expect("nothing changes").remove(0);
    let rows = report.patterns.iter().filter(|row| row.name == "ReadSession" || row.name == "StartSession");
    let (mut reads, mut peak) = (Figure::ZERO, Figure::ZERO);
    for row in rows {
        reads = reads.plus(&row.rate.times(&row.read_units));
        peak = peak.plus(&row.peak.times(&row.read_units));
    }
    let all: Vec<Section> = tables(&host, root).into_iter().flatten().collect();
    let sessions = all.iter().find(|section| section.heading == "Sessions Table").expect("it is there");
    let expected = format!(
        "- **Reads**: {} read units a second on average, {} where all patterns peak at once",
        show::figure(&reads, show::number),
        show::figure(&peak, show::number)
    );
    assert!(sessions.below("Capacity Planning").contains(&expected.as_str()), "{expected}\n{}", sessions.text);
}

#[test]
fn unknown_is_never_zero() {
    let text = "entity A { id: uuid @id  note: string }
table T { partition key id  item A  gsi G { partition key note } }
pattern Read { get A from T }
pattern Find { query T.G where note = :note }";
    for heading in ["T Table", "G GSI"] {
        let section = crate::tables::page::section(text, heading);
        let lines = section.below("Capacity Planning").join("\n");
        for line in ["**Reads**: unknown", "**Storage now**: unknown", "**Cost**: unknown", "Missing: `count` of `A`"] {
            assert!(lines.contains(line), "{heading}: no {line} in\n{lines}");
        }
        assert!(!lines.contains(" 0 "), "{heading}:\n{lines}");
    }
}
