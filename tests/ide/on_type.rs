//! Formatting while somebody types, in every shape of a text: behind a `}` and
//! behind a line break.

use crate::support::editor::{Fixture, fixture};
use crate::support::random::cases;
use crate::support::shapes::shapes;
use keywright::ide::{TextEdit, apply};
use proptest::prelude::*;

/// Holds that `before`, where something was just typed before the cursor, becomes
/// `after` in all shapes, with the cursor where it is there.
#[track_caller]
fn check(before: &str, after: &str) {
    for ((name, before), (_, after)) in shapes(before).into_iter().zip(shapes(after)) {
        let edits = edits(&before);
        let text = apply(before.text(&before.file), &edits);
        assert_eq!(text, after.text(&after.file), "{name}");
        assert_eq!(moved(before.offset, &edits), after.offset, "{name}: the cursor");
        assert_eq!(self::edits(&after), [], "{name}: once more");
    }
}

#[track_caller]
fn unchanged(text: &str) {
    check(text, text);
}

fn edits(fixture: &Fixture) -> Vec<TextEdit> {
    let typed = if fixture.text(&fixture.file)[..fixture.offset].ends_with('}') { "}" } else { "\n" };
    fixture.analysis.on_type_formatting(&fixture.file, fixture.offset, typed).unwrap()
}

/// Where a cursor is after edits, as every editor has it: an edit that touches it
/// from behind is no concern of it.
#[track_caller]
fn moved(cursor: usize, edits: &[TextEdit]) -> usize {
    let mut at = cursor as isize;
    for edit in edits {
        let range = edit.range.indices();
        assert!(range.end <= cursor, "nothing behind the cursor is touched: {edit:?}");
        at += edit.text.len() as isize - range.len() as isize;
    }
    at as usize
}

#[test]
fn a_brace_formats_the_block_that_it_closes() {
    check(
        "entity A {\n id : uuid @id\n      longer  :  string\n\n\n    }$0\n",
        "entity A {\n  id:     uuid @id\n  longer: string\n\n}$0\n",
    );
    check("entity A { id :uuid   @id  }$0  // c\n", "entity A { id: uuid @id }$0  // c\n");
}

#[test]
fn a_brace_leaves_what_stands_outside_of_its_block() {
    check(
        "table T {\n   partition   key a\n  item A {\nPK  = \"x\"\n      }$0\n     sort   key b\n  }\n",
        "table T {\n   partition   key a\n  item A {\n    PK = \"x\"\n  }$0\n     sort   key b\n  }\n",
    );
}

#[test]
fn a_brace_in_a_declaration_without_end_formats_its_block_all_the_same() {
    check(
        "table T {\n  partition key a\n  item A {\n  PK  = \"x\"\n    }$0\n",
        "table T {\n  partition key a\n  item A {\n    PK = \"x\"\n  }$0\n",
    );
    check(
        "pattern P {\n  transact write {\n     put   A into T\n    }$0\n  rate avg\n",
        "pattern P {\n  transact write {\n    put A into T\n  }$0\n  rate avg\n",
    );
}

#[test]
fn a_brace_keeps_faults_and_formats_the_lines_beside_them() {
    check(
        "entity A {\n a: string\n    b:  %%  string\n  count  5\n  }$0\n",
        "entity A {\n  a: string\n    b:  %%  string\n  count 5\n}$0\n",
    );
}

#[test]
fn a_brace_of_a_block_that_nobody_can_read_stands_as_deep_as_its_line() {
    // The brace of the item is missing: only the indentation is known.
    check(
        "table T {\n    item A {\n      PK =  \"x\"\n    gsi G {\n      partition  key a\n         }$0\n",
        "table T {\n    item A {\n      PK =  \"x\"\n    gsi G {\n      partition  key a\n    }$0\n",
    );
}

#[test]
fn a_brace_that_closes_nothing_changes_nothing() {
    assert_eq!(edits(&fixture("   }$0\n")), []);
    assert_eq!(edits(&fixture("entity   A { }\n   }$0\n")), []);
    unchanged("entity A {\n  a:   string @without(\"  }$0  \")\n}\n");
    unchanged("entity A {\n  a:   string // }$0\n}\n");
    unchanged("entity A {\n  a:   string @without(\"  }$0\n}\n");
    unchanged("entity A {\n  `  }$0  `:   string\n}\n");
    unchanged("/// {  }$0\nentity   A { }\n");
    unchanged("table T {\n  item A { PK   = \"X#{ id }$0\" }\n}\n");
}

#[test]
fn a_new_line_is_indented_as_its_block() {
    check("entity A {\n$0\n}\n", "entity A {\n  $0\n}\n");
    check("entity A {\n  a: string\n$0\n}\n", "entity A {\n  a: string\n  $0\n}\n");
    check("table T {\n  item A {\n  $0\n  }\n}\n", "table T {\n  item A {\n    $0\n  }\n}\n");
    check("table T {\n  item A {\n        $0\n  }\n}\n", "table T {\n  item A {\n    $0\n  }\n}\n");
    check("table T {\n  item A {\n\t$0\n  }\n}\n", "table T {\n  item A {\n    $0\n  }\n}\n");
    check("entity A {\n  a: string\n}\n   $0\n", "entity A {\n  a: string\n}\n$0\n");
    unchanged("entity A {\n  a: string\n  $0\n}\n");
}

#[test]
fn a_new_line_in_a_block_without_end_is_indented_as_well() {
    check("entity A {\n$0\n", "entity A {\n  $0\n");
    check("table T {\n  item A {\n$0\n", "table T {\n  item A {\n    $0\n");
    check("table T {\n  item A { // {\n  $0\n", "table T {\n  item A { // {\n    $0\n");
    check(
        "pattern P {\n  transact write {\n    put A into T\n  $0\n",
        "pattern P {\n  transact write {\n    put A into T\n    $0\n",
    );
    check(
        "table T {\n  item A {\n$0\n\nentity B {\n  a: string\n}\n",
        "table T {\n  item A {\n    $0\n\nentity B {\n  a: string\n}\n",
    );
}

#[test]
fn a_new_line_where_the_blocks_are_in_doubt_follows_the_line_that_opens_its_own() {
    // The brace of `item A` is missing, so that the index seems to stand in it.
    check(
        "table T {\n  item A {\n    PK = \"x\"\n  gsi G {\n$0\n",
        "table T {\n  item A {\n    PK = \"x\"\n  gsi G {\n    $0\n",
    );
}

#[test]
fn a_brace_that_went_to_the_new_line_stands_as_its_block_does() {
    check("entity A {\n  $0}\n", "entity A {\n$0}\n");
    check("table T {\n  item A {\n$0}\n}\n", "table T {\n  item A {\n  $0}\n}\n");
    check("table T {\n  item A {\n$0}\n", "table T {\n  item A {\n  $0}\n");
}

#[test]
fn a_new_line_inside_a_clause_is_indented_deeper() {
    check(
        "table T {\n  gsi G {\n    projection include(\n$0\n    )\n  }\n}\n",
        "table T {\n  gsi G {\n    projection include(\n      $0\n    )\n  }\n}\n",
    );
    check(
        "table T {\n  gsi G {\n    projection include(\n      a,\n  $0)\n  }\n}\n",
        "table T {\n  gsi G {\n    projection include(\n      a,\n    $0)\n  }\n}\n",
    );
    check("pattern P {\n  rate avg 1/s,\n  $0\n}\n", "pattern P {\n  rate avg 1/s,\n    $0\n}\n");
    check("workflow W {\n  A,\n$0\n}\n", "workflow W {\n  A,\n  $0\n}\n");
    check("aggregate A,\n$0\n", "aggregate A,\n  $0\n");
    // Behind a line that continues a clause the next may, too.
    unchanged("pattern P {\n  query T\n    where a = :a\n    $0\n}\n");
    unchanged("pattern P {\n  query T\n    where a = :a\n  $0\n}\n");
    check("pattern P {\n  query T\n    where a = :a\n$0\n}\n", "pattern P {\n  query T\n    where a = :a\n  $0\n}\n");
}

#[test]
fn the_line_that_was_left_is_formatted() {
    check(
        "entity A {\n  id:   uuid @id\nname  :string(  )  // c  \n$0\n     other :  string\n}\n",
        "entity A {\n  id:   uuid @id\nname  :string(  )  // c  \n  $0\n     other :  string\n}\n",
    );
    check(
        "entity A {\n  id:   uuid @id\nname  :string  // c  \n$0\n     other :  string\n}\n",
        "entity A {\n  id:   uuid @id\n  name:  string // c\n  $0\n     other :  string\n}\n",
    );
    check("table T {\n  item A {\n   PK  =  \"x\"   \n$0\n", "table T {\n  item A {\n    PK = \"x\"\n    $0\n");
    check("entity   A {\n$0\n}\n", "entity A {\n  $0\n}\n");
    check("entity A {\n  a: string\n\n    \n$0count  5\n}\n", "entity A {\n  a: string\n\n\n  $0count  5\n}\n");
    check("entity A {\n  a: string\n    \n    $0\n}\n", "entity A {\n  a: string\n\n  $0\n}\n");
}

#[test]
fn a_line_that_does_not_end_its_declaration_gets_no_second_break() {
    let commented = fixture("tradeoff// \"A \n$0b.\"\n");
    assert_eq!(apply(commented.text(&commented.file), &edits(&commented)), "tradeoff// \"A\nb.\"\n");
    for head in ["tradeoff", "consideration", "tradeoff \"A\"", "aggregate A", "import", "workflow W", "entity A"] {
        for blanks in ["", " ", "\t  "] {
            for line in [format!("{head}// c{blanks}"), format!("{head}{blanks}")] {
                let left = fixture(&format!("{line}\n$0b.\" %\n"));
                let text = apply(left.text(&left.file), &edits(&left));
                assert_eq!(text.lines().count(), 2, "{line:?} {text:?}");
            }
        }
    }
}

#[test]
fn the_rest_of_a_line_goes_where_it_belongs() {
    check("entity A {\n  a: string \n$0b:   string\n}\n", "entity A {\n  a: string\n  $0b:   string\n}\n");
    check("pattern P {\n  query T \n  $0where a = :a\n}\n", "pattern P {\n  query T\n    $0where a = :a\n}\n");
    check("entity A {} \n  $0entity   B {}\n", "entity A {}\n$0entity   B {}\n");
}

#[test]
fn lines_left_blank_are_not_taken_away_while_somebody_types() {
    unchanged("entity A {\n  a: string\n\n\n\n  $0\n}\n");
    unchanged("entity A {}\n\n\n\n$0\n");
}

#[test]
fn comments_and_strings_are_left_to_whom_types_them() {
    // The blanks that break a line of Markdown.
    unchanged("/// One  \n$0\nentity   A {}\n");
    check("entity A {\n  /// One  \n$0\n  a: string\n}\n", "entity A {\n  /// One  \n  $0\n  a: string\n}\n");
    check("entity A {\n      // one  \n$0\n  a: string\n}\n", "entity A {\n  // one\n  $0\n  a: string\n}\n");
    unchanged("entity A {\n  a:   string @without(\"b\n$0c\")\n}\n");
    unchanged("entity A {\n  `a\n$0 b`:   string\n}\n");
}

#[test]
fn a_cursor_that_no_new_line_begins_with_changes_nothing() {
    unchanged("$0entity   A {}\n");
    unchanged("entity A {\n  a $0:   string\n}\n");
    let text = "entity A {\r\n a:  string\r\n}\r\n";
    let fixture = fixture(text);
    let at = |offset, typed| fixture.analysis.on_type_formatting(&fixture.file, offset, typed).unwrap();
    for typed in ["}", "\n", "", "x", "}}"] {
        assert_eq!(at(11, typed), [], "inside of a line break");
        assert_eq!(at(1_000_000, typed), [], "past the end");
    }
    let brace = text.len() - 2;
    assert_eq!((at(brace, "}").len(), at(brace, "\n"), at(brace, "x")), (2, Vec::new(), Vec::new()));
}

#[test]
fn a_byte_order_mark_is_no_blank_of_the_first_line() {
    let text = "\u{feff}entity   A {\n\n}\n";
    let fixture = fixture(text);
    let edits = fixture.analysis.on_type_formatting(&fixture.file, text.find("\n}").unwrap(), "\n").unwrap();
    assert_eq!(apply(text, &edits), "\u{feff}entity A {\n  \n}\n");
}

/// The words of a text without its white space.
fn content(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_whitespace() && *c != '\u{b}').collect()
}

/// The lines that are not blank, without their white space.
fn full_lines(text: &str) -> Vec<String> {
    text.split(['\n', '\r']).map(content).filter(|line| !line.is_empty()).collect()
}

fn breaks(text: &str) -> usize {
    text.replace("\r\n", "\n").matches(['\n', '\r']).count()
}

const SHOP: &str = include_str!("../../examples/shop.dynamo");

proptest! {
    #![proptest_config(cases(96))]

    /// Whatever was typed before the cursor, in whatever text: white space alone is
    /// changed, no line is joined or broken, and nothing is touched behind the cursor
    /// but for the indentation of its line. A second time nothing is left to do. Only a
    /// block that was closed loses lines that are blank.
    #[test]
    fn any_text_is_left_whole(
        from in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4usize, piece()), 0..12),
        place in any::<prop::sample::Index>(),
        typed in prop::sample::select(vec!["}", "\n", "\r\n", "\r", "\n    ", "\r\n\t"]),
    ) {
        let boundary =
            |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let from = boundary(SHOP, from.index(SHOP.len()));
        let mut text = SHOP[from..boundary(SHOP, from + 1500)].to_owned();
        for (place, length, piece) in edits {
            let start = boundary(&text, place.index(text.len() + 1));
            let end = boundary(&text, start + length).max(start);
            text.replace_range(start..end, piece);
        }
        let place = boundary(&text, place.index(text.len() + 1));
        text.insert_str(place, typed);
        let cursor = place + typed.len();
        let parse = keywright::syntax::FileParse::new(&text);
        let edits = keywright::format::format_typed(&parse, cursor, if typed == "}" { '}' } else { '\n' });
        prop_assert!(edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "{edits:?}");
        let content_at = cursor + text[cursor..].find(|c: char| !matches!(c, ' ' | '\t' | '\u{b}' | '\u{c}')).unwrap_or(text.len() - cursor);
        for edit in &edits {
            prop_assert!(edit.range.end as usize <= content_at, "behind the cursor in {text:?}: {edit:?}");
        }
        let out = apply(&text, &edits);
        prop_assert_eq!(content(&text), content(&out));
        prop_assert_eq!(full_lines(&text), full_lines(&out));
        let before = edits.iter().filter(|edit| edit.range.end as usize <= cursor);
        let moved = before.fold(cursor as isize, |at, edit| at + edit.text.len() as isize - edit.range.len() as isize);
        let moved = usize::try_from(moved).unwrap().min(out.len());
        let again = keywright::syntax::FileParse::new(&out);
        let twice = keywright::format::format_typed(&again, moved, if typed == "}" { '}' } else { '\n' });
        prop_assert_eq!(twice, [], "once more in {:?}, which was {:?}", out, text);
        if typed != "}" {
            prop_assert_eq!(breaks(&text), breaks(&out), "{:?} {:?}", text, edits);
        }
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " ",
        "   ",
        "\n",
        "\n\n\n",
        "\r\n",
        "\r",
        " \r \n",
        "\t",
        "é",
        "🙂",
        "\u{a0}",
        "{",
        "}",
        "{}",
        "\"",
        "//",
        "///",
        "%%",
        "(",
        ")",
        "\nentity X {\n",
        "  table T {",
        ",",
        ":",
        "`",
        "item A {\n",
    ])
}
