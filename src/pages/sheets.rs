//! What the pages rest on: the facts of DynamoDB with their sources, and how
//! Keywright counts. Each is one page of short parts that others link to.

/// A page of parts, each below a heading of its own.
struct Sheet {
    /// What its file is called, without `.md`.
    name: &'static str,
    /// What it holds, on one line.
    about: &'static str,
    text: &'static str,
    /// What stands before the name of a part where `explain` is asked for it. The
    /// ids of one sheet are those of another, so only one of them goes without.
    prefix: &'static str,
}

const SHEETS: [Sheet; 2] = [
    Sheet {
        name: "facts",
        about: "facts of DynamoDB and where they are from; `L04` is one of them",
        text: include_str!("../../docs/facts.md"),
        prefix: "",
    },
    Sheet {
        name: "numbers",
        about: "how Keywright counts; `numbers C1` is a part of it",
        text: include_str!("../../docs/numbers.md"),
        prefix: "numbers ",
    },
];

/// The names of the sheets, with what each holds.
pub fn sheet_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHEETS.iter().map(|sheet| (sheet.name, sheet.about))
}

/// A sheet, or one part of it, by what somebody calls it in small letters.
pub(super) fn find(wanted: &str) -> Option<&'static str> {
    if let Some(sheet) = SHEETS.iter().find(|sheet| sheet.name == wanted) {
        return Some(sheet.text);
    }
    SHEETS.iter().find_map(|sheet| part(sheet.text, wanted.strip_prefix(sheet.prefix)?))
}

/// The part below the heading of an id such as `L04`, heading and all.
fn part(text: &'static str, id: &str) -> Option<&'static str> {
    let (mut from, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with("## ") || line.starts_with("### ") {
            if let Some(from) = from {
                return text.get(from..at).map(str::trim_end);
            }
            let is_wanted = line.strip_prefix("### ").is_some_and(|heading| heading.trim().eq_ignore_ascii_case(id));
            from = is_wanted.then_some(at);
        }
        at += line.len();
    }
    text.get(from?..).map(str::trim_end)
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
        assert_eq!(part(text, "a"), None, "a heading of several parts is none of them");
        assert_eq!(part(text, "b2"), None);
    }

    #[test]
    fn facts_go_by_their_ids_and_numbers_by_their_name() {
        assert!(find("l04").is_some_and(|page| page.contains("2,048 bytes") && page.contains("Source: ")));
        assert!(find("c1").is_some_and(|page| page.contains("100")));
        assert!(find("numbers c1").is_some_and(|page| page.contains("2,592,000")));
        assert!(find("facts").is_some_and(|page| page.starts_with("# Facts of DynamoDB")));
        assert_eq!(find("l99"), None);
        assert_eq!(find("numbers"), Some(SHEETS[1].text));
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
