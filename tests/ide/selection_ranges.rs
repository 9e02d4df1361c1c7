//! Selection ranges, without a protocol.

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::in_all_shapes;
use keywright::syntax::TextRange;

fn ranges(fixture: &Fixture) -> Vec<TextRange> {
    fixture.analysis.selection_ranges(&fixture.file, &[fixture.offset]).unwrap().remove(0)
}

/// Each holds the one before and more; the last is all.
#[track_caller]
fn check_growth(text: &str, offset: usize, ranges: &[TextRange]) {
    for pair in ranges.windows(2) {
        assert!(pair[1].contains(pair[0]) && pair[1] != pair[0], "{offset}: {ranges:?}");
    }
    assert!(ranges.iter().all(|range| range.touches(offset)), "{offset}: {ranges:?}");
    assert_eq!(ranges.last(), Some(&TextRange::new(0, text.len())), "{offset}");
}

/// The selections at the cursor begin with these, in every shape. A step of several
/// lines is given by its first and its last line.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    in_all_shapes(text, |fixture| {
        let text = fixture.text(&fixture.file);
        let all = ranges(fixture);
        check_growth(text, fixture.offset, &all);
        let shown: Vec<String> = all[..all.len() - 1]
            .iter()
            .map(|range| {
                let lines: Vec<&str> = text[range.indices()].lines().map(str::trim).collect();
                match lines.as_slice() {
                    [one] => (*one).to_owned(),
                    [first, .., last] => format!("{first} … {last}"),
                    [] => String::new(),
                }
            })
            .collect();
        assert_eq!(shown, expected);
    });
}

#[test]
fn a_name_in_a_hole_grows_to_the_file() {
    check(
        "/// Orders by user.\ntable Orders {\n  partition key user_id\n  item Order {\n    sk = \"ORDER#{`order-$0id`:lower}#x\"\n  }\n}\n",
        &[
            "order-id",
            "`order-id`",
            "`order-id`:lower",
            "{`order-id`:lower}",
            "ORDER#{`order-id`:lower}#x",
            "\"ORDER#{`order-id`:lower}#x\"",
            "sk = \"ORDER#{`order-id`:lower}#x\"",
            "{ … }",
            "item Order { … }",
            "partition key user_id … }",
            "{ … }",
            "table Orders { … }",
            "/// Orders by user. … }",
        ],
    );
}

#[test]
fn a_condition_grows_by_comparison_condition_option_and_step() {
    check(
        "pattern P {\n  query T where a = :a and b = :b filter c = 1 and (d = 2 or e$0 = 3) limit 5\n  rate avg 1/s\n}\n",
        &[
            "e",
            "e = 3",
            "d = 2 or e = 3",
            "(d = 2 or e = 3)",
            "c = 1 and (d = 2 or e = 3)",
            "filter c = 1 and (d = 2 or e = 3)",
            "filter c = 1 and (d = 2 or e = 3) limit 5",
            "query T where a = :a and b = :b filter c = 1 and (d = 2 or e = 3) limit 5",
            "query T where a = :a and b = :b filter c = 1 and (d = 2 or e = 3) limit 5 … rate avg 1/s",
            "{ … }",
            "pattern P { … }",
        ],
    );
}

#[test]
fn an_entry_grows_to_its_list_and_a_clause_takes_its_description() {
    check(
        "entity E {\n  a: string\n  /// One\n  /// Two\n  b: enum(x, y$0y) @size(5B)\n}\n",
        &[
            "yy",
            "x, yy",
            "(x, yy)",
            "enum(x, yy)",
            "b: enum(x, yy) @size(5B)",
            "/// One … b: enum(x, yy) @size(5B)",
            "a: string … b: enum(x, yy) @size(5B)",
            "{ … }",
            "entity E { … }",
        ],
    );
    check(
        "pattern P {\n  update E in T set a, b$0b, c if exists\n}\n",
        &["bb", "a, bb, c", "update E in T set a, bb, c if exists", "{ … }", "pattern P { … }"],
    );
}

#[test]
fn a_comment_grows_by_word_text_line_and_run() {
    check(
        "entity E {\n  a: string\n  // first of all\n  // sec$0ond of all\n  b: string\n}\n",
        &[
            "second",
            "second of all",
            "// second of all",
            "// first of all … // second of all",
            "a: string … b: string",
            "{ … }",
            "entity E { … }",
        ],
    );
    check(
        "entity E {\n  /// what it$0 is\n  a: string\n  b: string\n}\n",
        &[
            "it",
            "what it is",
            "/// what it is",
            "/// what it is … a: string",
            "/// what it is … b: string",
            "{ … }",
            "entity E { … }",
        ],
    );
}

#[test]
fn a_word_in_a_string_is_the_first_step() {
    check(
        "tradeoff \"a copy of na$0mes\" because \"so\"\n",
        &["names", "a copy of names", "\"a copy of names\"", "tradeoff \"a copy of names\" because \"so\""],
    );
}

/// Clients read so many levels and no more.
#[test]
fn deep_nesting_ends() {
    let text = format!("pattern P {{\n  query T where {}a$0 = 1", "(".repeat(180));
    let fixture = fixture(&text);
    let all = ranges(&fixture);
    check_growth(fixture.text(&fixture.file), fixture.offset, &all);
    assert_eq!(all.len(), 64);
    assert_eq!(&fixture.text(&fixture.file)[all[0].indices()], "a");
}

#[test]
fn every_place_of_any_text_grows_to_the_file() {
    let broken = "entity E {\n  a: string @size(\n  /// x\n\n}} table T { item X { sk = \"A#{b\n 🙂 `a\n query T where (((a = 1\r\n// é";
    for text in [broken, "", "\n\n", "// é", "entity", "pattern P { query", "\u{feff}import \"a"] {
        let fixture = fixture(text);
        let text = fixture.text(&fixture.file).to_owned();
        let offsets: Vec<usize> = (0..=text.len() + 3).collect();
        let all = fixture.analysis.selection_ranges(&fixture.file, &offsets).unwrap();
        assert_eq!(all.len(), offsets.len());
        for (offset, ranges) in offsets.iter().zip(&all) {
            let mut at = (*offset).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            check_growth(&text, at, ranges);
        }
    }
}
