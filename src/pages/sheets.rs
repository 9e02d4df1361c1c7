//! What the pages rest on: the facts of DynamoDB with their sources, and how
//! Keywright counts. Each is one page of short parts that others link to.

use super::normal;

/// A page of parts, each below a heading of its own.
struct Sheet {
    /// What its file is called, without `.md`.
    name: &'static str,
    /// What it holds, on one line.
    about: &'static str,
    text: &'static str,
}

const SHEETS: [Sheet; 2] = [
    Sheet {
        name: "facts",
        about: "facts of DynamoDB and where they are from; `L04` is one of them",
        text: include_str!("../../docs/facts.md"),
    },
    Sheet {
        name: "numbers",
        about: "how Keywright counts; `numbers C1` is a part of it",
        text: include_str!("../../docs/numbers.md"),
    },
];

/// The names of the sheets, with what each holds.
pub fn sheet_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHEETS.iter().map(|sheet| (sheet.name, sheet.about))
}

/// A sheet, or a part of it, by its normal name: `facts`, `facts l04` or `facts
/// reads`. A fact with an id goes without the name of its sheet; the ids of the
/// other are the same letters.
pub(super) fn find(wanted: &str) -> Option<&'static str> {
    for sheet in &SHEETS {
        match wanted.strip_prefix(sheet.name) {
            Some("") => return Some(sheet.text),
            Some(name) if name.starts_with(' ') => return part(sheet.text, name.trim_start()),
            _ => {}
        }
    }
    let is_id = wanted.ends_with(|c: char| c.is_ascii_digit());
    SHEETS.first().filter(|_| is_id).and_then(|facts| part(facts.text, wanted))
}

/// What stands below a heading, with it: up to the next one of its level.
fn part(text: &'static str, name: &str) -> Option<&'static str> {
    let (mut from, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if level > 0 {
            match from {
                Some((from, above)) if level <= above => return text.get(from..at).map(str::trim_end),
                None if level > 1 && normal(heading) == name => from = Some((at, level)),
                _ => {}
            }
        }
        at += line.len();
    }
    text.get(from?.0..).map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_all_that_stands_below_its_heading() {
        let text = "# T\n\nIntroduction.\n\n## A\n\n### A1\n\nOne.\n\nSource: x.\n\n### A2\n\nTwo.\n\n## B\n\n### B1\n\nLast.\n";
        assert_eq!(part(text, "a1"), Some("### A1\n\nOne.\n\nSource: x."));
        assert_eq!(part(text, "a2"), Some("### A2\n\nTwo."));
        assert_eq!(part(text, "b1"), Some("### B1\n\nLast."));
        assert_eq!(
            part(text, "a"),
            text.get(text.find("## A").unwrap()..text.find("## B").unwrap()).map(str::trim_end)
        );
        assert_eq!(part(text, "t"), None, "the title is the whole");
        assert_eq!(part(text, "b2"), None);
    }

    #[test]
    fn facts_go_by_their_ids_and_numbers_by_their_name() {
        assert!(find("l04").is_some_and(|page| page.contains("2,048 bytes") && page.contains("Source: ")));
        assert!(find("c1").is_some_and(|page| page.contains("100")));
        assert!(find("numbers c1").is_some_and(|page| page.contains("2,592,000")));
        assert!(find("facts").is_some_and(|page| page.starts_with("# Facts of DynamoDB")));
        assert!(find("facts writes to indexes").is_some_and(|page| page.contains("W(old) + W(new)")));
        assert_eq!(find("facts l04"), find("l04"));
        assert_eq!(find("numbers"), Some(SHEETS[1].text));
        for unknown in ["l99", "reads", "fact", "facts nothing", "numbersc1"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_fact_has_a_source() {
        for part in SHEETS[0].text.split("\n### ").skip(1) {
            let part = part.split("\n## ").next().unwrap_or_default();
            // Where sources disagree they are named in the text.
            assert!(part.starts_with('C') || part.contains("\nSource: "), "{part}");
        }
    }
}
