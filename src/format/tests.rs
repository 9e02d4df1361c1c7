//! What formatting does, text by text.

use super::format;
use crate::syntax::{FileParse, TextEdit, apply};

fn formatted(text: &str) -> String {
    apply(text, &format(&FileParse::new(text)))
}

/// Holds that `text` is formatted to `expected`, and that to itself.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected);
    assert_eq!(format(&FileParse::new(expected)), [], "formatted again");
}

#[track_caller]
fn unchanged(text: &str) {
    check(text, text);
}

#[test]
fn the_examples_are_formatted() {
    for text in super::properties::EXAMPLES {
        assert_eq!(format(&FileParse::new(text)), []);
    }
}

#[test]
fn indentation_follows_the_blocks() {
    check(
        r#"
  table Orders {
partition key PK: string
      item Order {
PK = "ORDER#{id}"
         }
	gsi ByUser {
	partition key user_id
	}
}
pattern P {
transact write {
put Order into Orders
}
    }
"#,
        r#"table Orders {
  partition key PK: string
  item Order {
    PK = "ORDER#{id}"
  }
  gsi ByUser {
    partition key user_id
  }
}
pattern P {
  transact write {
    put Order into Orders
  }
}
"#,
    );
}

#[test]
fn a_clause_that_wraps_is_indented_one_level_deeper() {
    check(
        r#"pattern P {
  query Orders
  where PK = :a
        and SK > "x"
  filter (
  total > 5
  )
  rate avg 1/s,
  peak 2/s
}
table
T
{
gsi G
{
projection include(
a,
b,
// more
)
because "c"
}
}
relationship A 1:N B
by a_id
workflow W {
A,
B
}
"#,
        r#"pattern P {
  query Orders
    where PK = :a
    and SK > "x"
    filter (
    total > 5
    )
  rate avg 1/s,
    peak 2/s
}
table
  T
{
  gsi G
  {
    projection include(
      a,
      b,
      // more
    )
      because "c"
  }
}
relationship A 1:N B
  by a_id
workflow W {
  A,
  B
}
"#,
    );
}

#[test]
fn lines_are_neither_joined_nor_broken() {
    unchanged("relationship User 1:N Session { children avg 1, max 10 }\n");
    check(
        "entity A{a:uuid@id b:string}table T{partition key a item A}import\"x\"\n",
        "entity A { a: uuid @id b: string } table T { partition key a item A } import \"x\"\n",
    );
    check("table T { item A { }\n}\n", "table T { item A {}\n}\n");
}

#[test]
fn one_blank_between_words_and_none_inside_parentheses() {
    check(
        r#"entity A {
  a  :  enum ( x ,y,z , ) ?  @ present( 2% )@example ( "  x  " )
  b: list < set<string > >@copied_from( User . name )
  count 5 ,growing   1/day
}
table  T {
  partition key  a,b :string because"x"
  gsi G { projection include ( a,b ) }
  item A  { PK="a"  }
}
pattern P {
  allow  a-b,c-d  because  "x"
  reads  A( x,y ),B by   z
  query T . G where a=1 and not( b<>-2 or c>=:p or exists ( d ) )and e in( 1 ,2 )
  put A into T if not_exists(a)and(b = 1)
}
"#,
        r#"entity A {
  a: enum(x, y, z,)? @present(2%) @example("  x  ")
  b: list<set<string>> @copied_from(User.name)
  count 5, growing 1/day
}
table T {
  partition key a, b: string because "x"
  gsi G { projection include(a, b) }
  item A { PK = "a" }
}
pattern P {
  allow a-b, c-d because "x"
  reads A(x, y), B by z
  query T.G where a = 1 and not (b <> -2 or c >= :p or exists(d)) and e in (1, 2)
  put A into T if not_exists(a) and (b = 1)
}
"#,
    );
}

#[test]
fn strings_templates_comments_and_backticks_keep_their_blanks() {
    check(
        "entity  `a  b`  {\n  `x  y`  :string   @without( \"a  {  b\" )  //  two  blanks \n}\ntable T { item `a  b` { PK = \"{ shard( a ,  2 ) }  {{\" } }\n",
        "entity `a  b` {\n  `x  y`: string @without(\"a  {  b\") //  two  blanks\n}\ntable T { item `a  b` { PK = \"{ shard( a ,  2 ) }  {{\" } }\n",
    );
}

#[test]
fn blanks_at_the_end_of_a_comment_go_unless_they_break_a_line_of_markdown() {
    check(
        "// head  \n/// One  \n/// two \n/// three  \nentity A {\n  /// x  \n  b: string // y \t\n}\n",
        "// head\n/// One  \n/// two\n/// three\nentity A {\n  /// x\n  b: string // y\n}\n",
    );
}

#[test]
fn the_types_of_an_entity_stand_in_one_column() {
    check(
        r#"entity A {
  id: uuid @id
  /// The longest.
  `größer`: string?

  x   :   enum(a) // wide
  b:
  string
  c: string much_longer_but_not_first: string
  count 5
}
entity B { x: string
  yy: string zzz: string }
"#,
        r#"entity A {
  id:       uuid @id
  /// The longest.
  `größer`: string?

  x:        enum(a) // wide
  b:
    string
  c:        string much_longer_but_not_first: string
  count 5
}
entity B { x: string
  yy: string zzz: string }
"#,
    );
}

#[test]
fn the_values_of_an_application_stand_in_one_column() {
    check(
        r#"application A {
  domain "x"
  style aggregate
  capacity provisioned   utilization 70%
  allow scan-pattern because "y"
}
application B { domain  "x"  style  aggregate }
"#,
        r#"application A {
  domain   "x"
  style    aggregate
  capacity provisioned utilization 70%
  allow scan-pattern because "y"
}
application B { domain "x" style aggregate }
"#,
    );
}

#[test]
fn comments_are_indented_like_what_follows_or_like_the_block_they_end() {
    check(
        r#"      // head
/// doc
entity A {    // trailing
// of a
  a: string// glued
      // of the block
  }
      // between
table T {
  partition key a,
// of b
  b
  gsi G {
// only
  }
}
    // tail
"#,
        r#"// head
/// doc
entity A { // trailing
  // of a
  a: string // glued
  // of the block
}
// between
table T {
  partition key a,
    // of b
    b
  gsi G {
    // only
  }
}
// tail
"#,
    );
}

#[test]
fn at_most_one_blank_line_and_none_at_either_end() {
    check(
        "\n \n// a\n\n  \n\nentity A {\n\n\n  a: string   \n \n\n  count 5\n\t\n}\n\n\n",
        "// a\n\nentity A {\n\n  a: string\n\n  count 5\n\n}\n",
    );
}

#[test]
fn a_file_ends_with_a_line_break_of_its_own_style() {
    check("entity A {}", "entity A {}\n");
    check("entity A {}  ", "entity A {}\n");
    check("// a\r\n// b", "// a\r\n// b\r\n");
    check("// a\n// b\n// c\r\n// d", "// a\n// b\n// c\r\n// d\n");
    check("// a\r// b", "// a\r// b\r");
}

#[test]
fn every_line_keeps_its_own_ending() {
    check(
        "entity A {  \r\n a: string \n\r\n\r\n\n  b: string\r\n}\r\n\n",
        "entity A {\r\n  a: string\n\r\n  b: string\r\n}\r\n",
    );
    // These two breaks would make one, but for the blank between them.
    unchanged("// a\r \n// b\n");
}

#[test]
fn an_empty_file_stays_empty() {
    unchanged("");
    check(" \r\n\t\n", "");
    unchanged("\u{feff}");
}

#[test]
fn a_byte_order_mark_is_kept() {
    check("\u{feff}\n  entity A {}", "\u{feff}entity A {}\n");
    unchanged("\n\u{feff}// not at the start\n");
}

#[test]
fn what_is_no_white_space_is_never_taken_away() {
    for c in ["\u{feff}", "\u{a0}", "\u{2028}", "\u{2029}", "\u{85}", "\u{200b}"] {
        unchanged(&format!("entity A {{\n  a:{c}{c} string\n}}\n"));
        unchanged(&format!("entity A {{\n{c}  a:   string\n}}\n"));
        unchanged(&format!("entity A{c}{{ }}{c}\n{c}\n"));
        // What stands on other lines is laid out.
        check(
            &format!("entity A {{\n a : string\n  b:{c}string\n}}{c}entity  B {{ }}\n"),
            &format!("entity A {{\n  a: string\n  b:{c}string\n}}{c}entity B {{}}\n"),
        );
    }
}

#[test]
fn a_broken_clause_is_left_alone_with_its_line() {
    check(
        r#"entity A {
a: string
  b:  %%  string    // left
      count  5
}
table T {
partition key a
  sort  key   // unfinished
    boundary "b  b
item  A
}
"#,
        r#"entity A {
  a: string
  b:  %%  string    // left
  count 5
}
table T {
  partition key a
  sort  key   // unfinished
    boundary "b  b
  item A
}
"#,
    );
}

#[test]
fn a_broken_declaration_is_left_alone() {
    check(
        "  entity  A  {\n a:  string \n\n\n   table  T{\n}\n  %%  junk \n\n\n  // about the junk\n  }  }\nentity  B{\n}",
        "  entity  A  {\n a:  string \n\ntable T {\n}\n  %%  junk \n\n\n  // about the junk\n  }  }\nentity B {\n}\n",
    );
}

#[test]
fn a_block_whose_braces_do_not_match_is_left_alone() {
    for text in [
        "table T {\n   gsi G {\n   partition  key a\n}\n",
        "table T {\n   gsi G\n   partition  key a\n   }\n   item  A\n}\n",
        "entity  {\n   a:  string\n}\n",
        // The parser takes the quotes of two lines for one string.
        "pattern P {\n  query T where a = \"\n{ :b }\"  and ( b  =  \"c  d\" )\n}\n",
    ] {
        unchanged(text);
    }
}

#[test]
fn edits_touch_what_differs_and_nothing_else() {
    let text = "entity A {\n    a: string \n\n\n  b:  string\n}\n";
    let edit =
        |start, end, text: &str| TextEdit { range: crate::syntax::TextRange::new(start, end), text: text.into() };
    assert_eq!(format(&FileParse::new(text)), [edit(13, 15, ""), edit(24, 25, ""), edit(27, 28, ""), edit(33, 34, "")]);
}

#[test]
fn depth_and_length_cost_no_more_than_they_must() {
    let nested = |depth, open: &str, close: &str, indent: &str| {
        format!("pattern P {{\n{indent}scan T filter {}a = 1{}\n}}\n", open.repeat(depth), close.repeat(depth))
    };
    check(&nested(150, "( ", " )", ""), &nested(150, "(", ")", "  "));
    let too_deep = nested(100_000, "( ", " )", "");
    assert!(formatted(&too_deep) == too_deep, "it is not read to its end, and so left alone");
    let unclosed = nested(100_000, "( ", "", "");
    assert!(formatted(&unclosed) == unclosed);
    let long = format!("entity A {{\n{}}}\n", "a  : string\n".repeat(20_000));
    assert!(formatted(&long) == long.replace("a  :", "  a:"));
}
