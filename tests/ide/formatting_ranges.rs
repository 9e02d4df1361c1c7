//! Formatting of a whole file and of some of its lines, in every shape of a text.

use crate::support::editor::{Fixture, fixture};
use crate::support::random::cases;
use crate::support::shapes::shapes;
use keywright::ide::{TextEdit, apply};
use keywright::syntax::{Encoding, FileParse, Text, TextRange};
use proptest::prelude::*;

/// Holds that formatting the marked range of `before` gives `after`, in all
/// shapes, and once more changes nothing.
#[track_caller]
fn check(before: &str, after: &str) {
    for ((name, before), (_, after)) in shapes(before).into_iter().zip(shapes(after)) {
        let (file, range) = before.marks.first().expect("a range is marked");
        let edits = before.analysis.range_formatting(file, *range).unwrap();
        let text = apply(before.text(file), &edits);
        assert_eq!(text, after.text(file), "{name}");
        let (file, range) = after.marks.first().expect("the range is marked in the result");
        if !range.is_empty() {
            assert_eq!(after.analysis.range_formatting(file, *range).unwrap(), [], "{name}: once more");
        }
    }
}

#[track_caller]
fn unchanged(text: &str) {
    check(text, text);
}

/// Holds that the file of `before` is formatted to `after`, in all shapes, also
/// as a range.
#[track_caller]
fn check_whole(before: &str, after: &str) {
    for ((name, before), (_, after)) in shapes(before).into_iter().zip(shapes(after)) {
        for (file, text) in &before.texts {
            let edits = before.analysis.formatting(file).unwrap();
            assert_eq!(&apply(text, &edits), after.text(file), "{name}");
            let all = TextRange::new(0, text.len());
            assert_eq!(before.analysis.range_formatting(file, all).unwrap(), edits, "{name}: as a range");
            assert_eq!(after.analysis.formatting(file).unwrap(), [], "{name}: once more");
        }
    }
}

const BEFORE: &str = "\
entity User {
    user_id:   uuid   @id // é🙂
  name : string   // a  comment


  /// Where mail goes.
\temail: string @size( 20B )
  }
table Users {
partition   key user_id
   item User { sk   =  \"PROFILE\" }
}
";

#[test]
fn a_file_is_formatted_whatever_stands_around_its_declarations() {
    check_whole(
        BEFORE,
        "\
entity User {
  user_id: uuid @id // é🙂
  name:    string // a  comment

  /// Where mail goes.
  email:   string @size(20B)
}
table Users {
  partition key user_id
  item User { sk = \"PROFILE\" }
}
",
    );
}

#[test]
fn a_range_changes_the_lines_that_it_touches_and_no_other() {
    check("entity A {\n«a  : string\n»   bcd :string\n}\n", "entity A {\n«  a:   string\n»   bcd :string\n}\n");
    check("entity A {\na  : st«»ring\n   bcd :string\n}\n", "entity A {\n  a:   st«»ring\n   bcd :string\n}\n");
    check(
        "entity A {\na  : st«ring\n b»cd :string\n  e  :  string\n  }\n",
        "entity A {\n  a:   st«ring\n  b»cd: string\n  e  :  string\n  }\n",
    );
    unchanged("entity A {\n  a:   «string»\n   bcd :string\n}\n");
}

#[test]
fn the_columns_of_a_range_are_those_of_the_whole_block() {
    check(
        "entity A {\n  id: uuid @id\n« name: string »\n  much_longer : string\n}\n",
        "entity A {\n  id: uuid @id\n«  name:        string»\n  much_longer : string\n}\n",
    );
}

#[test]
fn blank_lines_go_where_the_range_touches_them() {
    check("entity A {\n  a: string\n\n«\n \n\n»  b : string\n}\n", "entity A {\n  a: string\n\n«»  b : string\n}\n");
    check("entity A {\n  a: string\n«  \n\n\n\n b: string»\n}\n", "entity A {\n  a: string\n«\n  b: string»\n}\n");
    check("entity A {\n  a: string\n\n\n \n« b: string»\n}\n", "entity A {\n  a: string\n\n\n \n«  b: string»\n}\n");
}

#[test]
fn a_range_of_broken_lines_stays_as_it_is() {
    unchanged("entity A {\n  a: string\n«   b:  %%  string  »\n}\n");
    check(
        "entity A {\n«a: string\n   b:  %%  string  \n c: string»\n}\n",
        "entity A {\n«  a: string\n   b:  %%  string  \n  c: string»\n}\n",
    );
}

#[test]
fn a_file_without_a_last_line_break_gets_one_with_its_last_line() {
    let text = "entity A {\n  a: string\n}";
    let fixture = fixture(text);
    let edits = |start, end| fixture.analysis.range_formatting(&fixture.file, TextRange::new(start, end)).unwrap();
    assert_eq!(edits(0, 20), []);
    for end in [text.len(), text.len() + 1, 1_000_000] {
        assert_eq!(apply(text, &edits(text.len() - 1, end)), format!("{text}\n"));
        assert_eq!(apply(text, &edits(end, end)), format!("{text}\n"));
    }
}

#[test]
fn places_that_do_not_exist_mean_the_nearest_that_does() {
    // The second byte of `Ä` is the twelfth of the text.
    let text = "entity   `Ä`  { }\n";
    let fixture = fixture(text);
    let last = u32::MAX as usize;
    for (start, end, expected) in [
        (11, 11, "entity `Ä` {}\n"),
        (10, 11, "entity `Ä` {}\n"),
        (11, 500, "entity `Ä` {}\n"),
        (500, 700, text),
        (last, last, text),
    ] {
        let edits = fixture.analysis.range_formatting(&fixture.file, TextRange::new(start, end)).unwrap();
        assert_eq!(apply(text, &edits), expected, "{start} {end}");
    }
}

/// The lines of a text with their breaks, as LSP counts them.
fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        lines.last_mut().expect("there is one").push(c);
        if c == '\n' || (c == '\r' && chars.peek() != Some(&'\n')) {
            lines.push(String::new());
        }
    }
    lines
}

/// The words of the lines that are not blank.
fn content(text: &str) -> Vec<String> {
    let words = |line: String| line.chars().filter(|c| !c.is_ascii_whitespace() && *c != '\u{b}').collect::<String>();
    lines(text).into_iter().map(words).filter(|line| !line.is_empty()).collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    Text::new(text).position(offset, Encoding::Utf8).line as usize
}

/// What holds of a range of any text: its lines alone are changed, in their white
/// space alone; all of them together are the document's formatting.
fn hold_for(text: &str, start: usize, end: usize) {
    let parse = FileParse::new(text);
    let whole = keywright::format::format(&parse);
    assert_eq!(keywright::format::format_lines(&parse, TextRange::new(0, text.len())), whole, "all of {text:?}");
    let edits = keywright::format::format_lines(&parse, TextRange::new(start, end));
    let mut at = 0;
    for TextEdit { range, text: new } in &edits {
        let range = range.indices();
        assert!(at == 0 || at <= range.start, "edits are sorted and apart");
        at = range.end;
        assert!(range.end <= text.len() && text[range.clone()] != *new);
        assert!(text[range].chars().chain(new.chars()).all(|c| c.is_ascii_whitespace() || c == '\u{b}'));
    }
    let out = apply(text, &edits);
    assert_eq!(content(text), content(&out), "what stands on each line of {text:?}");
    let (first, last) = (line_of(text, start), line_of(text, end));
    let (before, after) = (lines(text), lines(&out));
    assert_eq!(before[..first], after[..first], "the lines before");
    let behind = before.len() - last - 1;
    let end = |lines: &[String]| lines[lines.len() - behind..].to_vec();
    assert_eq!(end(&before), end(&after), "the lines behind");
    let again = FileParse::new(&out);
    let kinds = |parse: &FileParse| parse.chunks.iter().map(|placed| placed.chunk.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&parse), kinds(&again), "the declarations of {text:?}");
    for (before, after) in parse.chunks.iter().zip(&again.chunks) {
        assert_eq!(before.chunk.errors.len(), after.chunk.errors.len(), "the faults of {:?}", before.chunk.text);
    }
}

const SHOP: &str = include_str!("../../examples/shop.dynamo");

proptest! {
    #![proptest_config(cases(96))]

    /// Any lines of an example with other white space and with faults in it.
    #[test]
    fn any_range_of_a_broken_example_changes_its_lines_alone(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4usize, piece()), 1..30),
        from in any::<prop::sample::Index>(),
        start in any::<prop::sample::Index>(),
        length in 0..400usize,
    ) {
        // A piece of the example that begins and ends anywhere.
        let boundary =
            |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let from = boundary(SHOP, from.index(SHOP.len()));
        let mut text = SHOP[from..boundary(SHOP, from + 1500)].to_owned();
        for (place, length, piece) in edits {
            let start = boundary(&text, place.index(text.len() + 1));
            let end = boundary(&text, start + length).max(start);
            text.replace_range(start..end, piece);
        }
        let start = boundary(&text, start.index(text.len() + 1));
        let end = boundary(&text, start + length).max(start);
        hold_for(&text, start, end);
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
        "\n  \n\n",
        "é",
        "🙂",
        "\u{a0}",
        "{",
        "}",
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
    ])
}

#[test]
fn ten_thousand_lines_take_no_time_that_anybody_sees() {
    let block = "entity E {\n id : uuid @id\n  name:   string\n\n\n  broken: %%  x\n}\n";
    let text = block.repeat(10_000 / 7);
    let parse = FileParse::new(&text);
    let time = |times: usize| {
        let text = block.repeat(times);
        let parse = FileParse::new(&text);
        let start = std::time::Instant::now();
        keywright::format::format(&parse);
        start.elapsed()
    };
    let (small, large) = (time(200), time(2000));
    assert!(large < small * 60, "ten times the text takes {large:?}, not ten times {small:?}");
    assert!(!keywright::format::format_lines(&parse, TextRange::new(20_000, 20_100)).is_empty());
}

/// A file that is not known has no edits.
#[test]
fn nothing_is_said_of_a_file_that_is_not_there() {
    let Fixture { analysis, .. } = fixture("entity A {}\n");
    let other = keywright::model::files::FileKey::new("/model/other.dynamo");
    assert_eq!(analysis.formatting(&other).unwrap(), []);
    assert_eq!(analysis.range_formatting(&other, TextRange::new(0, 10)).unwrap(), []);
    assert_eq!(analysis.on_type_formatting(&other, 3, "}").unwrap(), []);
}
