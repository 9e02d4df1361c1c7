//! What does not parse, and how it is told.

use super::SOMETHING;
use crate::syntax::FileParse;

fn errors(text: &str) -> Vec<String> {
    let parse = FileParse::new(text);
    parse.chunks.iter().flat_map(|placed| &placed.chunk.errors).map(|error| error.message.clone()).collect()
}

#[test]
fn what_is_expected_is_something_that_one_can_type() {
    let errors = errors("pattern P {\n  rate avg 1/s, peak\n}\n");
    assert_eq!(errors, ["expected a number with its unit"]);
}

#[test]
fn an_escape_is_read_in_a_filter_too() {
    let errors = errors("pattern P {\n  scan T filter a = \"x\\q{\"\n}\n");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("unknown escape"), "{errors:?}");
}

#[test]
fn a_string_never_runs_over_its_line() {
    let errors = errors("table T {\n  item X { a = \"x{b}\n{ c }\" b = \"y\" }\n}\n");
    assert!(errors.iter().any(|error| error.contains("not closed")), "{errors:?}");
}

#[test]
fn a_name_with_other_letters_is_told_to_wear_backticks() {
    let errors = errors("entity A {\n  preço: number\n}\n");
    assert!(errors.len() == 1 && errors[0].contains("backticks"), "{errors:?}");
}

#[test]
fn closed_choices_are_named_whole() {
    let of = |text: &str| errors(text).join("; ");
    let table = |clause: &str| of(&format!("table T {{\n  {clause}\n}}\n"));
    let pattern = |clause: &str| of(&format!("pattern P {{\n  {clause}\n}}\n"));
    let application = |clause: &str| of(&format!("application A {{\n  {clause}\n}}\n"));
    for word in ["", " x", " singletable", " foo {"] {
        for (message, choice) in [
            (application(&format!("style{word}")), "expected `aggregate` or `single_table`"),
            (application(&format!("capacity{word}")), "expected `on_demand` or `provisioned`"),
            (application(&format!("class{word}")), "expected `standard` or `standard_infrequent_access`"),
            (
                of(&format!("aggregate A, B {{\n  decision{word}\n}}\n")),
                "expected `single_item`, `item_collection` or `separate_tables`",
            ),
            (table(&format!("stream{word}")), "expected `keys_only`, `new_image`, `old_image` or `new_and_old_images`"),
            (table(&format!("gsi G {{\n projection{word}\n}}")), "expected `all`, `keys_only` or `include`"),
            (table(&format!("partition key k:{word}")), "expected `string`, `number` or `binary`"),
            (pattern(&format!("transact{word}")), "expected `write` or `get`"),
            (pattern(&format!("batch{word}")), "expected `write` or `get`"),
        ] {
            assert!(message.contains(choice), "{word:?}: {message}, not {choice}");
        }
    }
    assert!(pattern("transact { put A into T }").contains("expected `write` or `get`"));
}

#[test]
fn what_is_missing_is_said_in_words() {
    for (text, message) in [
        ("entity A { a: @id }", "expected a type"),
        ("entity A { a: set<> }", "expected the type of the elements, found `<>`"),
        ("entity A {\n  a: set<>\n}", "expected the type of the elements, found `<>`"),
        ("entity A {\n  a\n}", "expected `:`"),
        ("entity A {\n  a string\n}", "expected `:`"),
        ("table T {\n  item A {\n    k\n  }\n}", "expected `=`"),
        ("entity A { a: enum() }", "expected the values of the enum"),
        ("pattern P { query T where a = filter a = 1 }", "expected a value such as"),
        ("pattern P {\n  query T where a between 1 filter b = 1\n}", "expected `and`, found `filter`"),
        ("pattern P {\n  query T where\n  rate avg 1/s\n}", "expected a condition such as"),
        ("table T { partition key }", "expected a name"),
        ("entity A { a: string @unique() }", "expected the attributes within whose values it is unique"),
        ("table T { gsi G { sparse because } }", "expected a string in quotes"),
        ("tradeoff \"a\" because", "expected a string in quotes"),
        ("allow because \"x\"", "expected the name of a rule, found `because`"),
        ("table T { gsi G { projection include() } }", "expected the attributes to include"),
        ("pattern P { reads }", "expected a name"),
        ("import", "expected a string in quotes"),
        ("allow", "expected the name of a rule"),
        ("allow a-b", "expected `,` or `because`"),
        ("allow a-b because", "expected a string in quotes"),
        ("workflow W { }", "expected the name of a pattern: a workflow runs at least one"),
        ("aggregate X { }", "expected `,` and the name of another entity"),
        ("aggregate X", "`{`"),
        ("aggregate { }", "expected the names of two entities or more"),
        ("pattern P { transact write { } }", "expected an operation"),
        ("pattern P { batch get { // none\n } }", "expected an operation"),
    ] {
        let errors = errors(text);
        assert!(errors.len() == 1 && errors[0].contains(message), "{text}: {errors:?}, not {message}");
    }
}

#[test]
fn what_nobody_sees_is_named_and_hides_nothing() {
    for (c, point) in [
        ('\u{2028}', "U+2028"),
        ('\u{2029}', "U+2029"),
        ('\u{85}', "U+0085"),
        ('\u{a0}', "U+00A0"),
        ('\u{feff}', "U+FEFF"),
        ('\u{200b}', "U+200B"),
        ('\u{202e}', "U+202E"),
        ('\u{61c}', "U+061C"),
        ('\u{7}', "U+0007"),
    ] {
        for text in [
            format!("entity A {{ a: string }}{c}entity B {{ b: string }}"),
            format!("entity A {{\n{c}  a: string{c}\n}}\n"),
            format!("{c}{c}table T {{ partition key a }}"),
            format!("pattern P {{\n  query T where a{c}= 1{c}filter{c}b = 2\n}}\n"),
            format!("entity A {{ a: string {c}%%\n}}"),
        ] {
            let text = format!("// \n{text}");
            let errors = errors(&text);
            assert!(errors.iter().any(|error| error.contains(point)), "{text:?}: {errors:?}");
            assert!(!errors.iter().any(|error| error.contains(c)), "{text:?}: {errors:?}");
            if !text.contains('%') && point != "U+061C" {
                assert!(errors.iter().all(|error| error.starts_with(point)), "{text:?}: {errors:?}");
            }
        }
    }
    let two = errors("entity A { a: string }\u{2028}entity B { b: strin }");
    assert_eq!(two.len(), 2, "{two:?}");
}

/// Each example with a token cut off or replaced, and what is said of it.
#[test]
fn no_message_speaks_of_the_grammar() {
    use std::collections::BTreeSet;
    let grammar = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/grammar.js"));
    let lists = grammar.split_once("const CONTEXTUAL").unwrap().1.split_once("/** Letters outside").unwrap().0;
    let mut words: BTreeSet<&str> = lists.split('\'').skip(1).step_by(2).collect();
    words.extend(["and", "or", "not", "none", "true", "false"]);
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let check = |text: &str, before: &str| {
        for message in errors(text) {
            let (wanted, what) = message.split_once(", found ").unwrap_or((&message, ""));
            for word in wanted.split(|c: char| !is_part(c)).filter(|word| word.contains('_')) {
                let known = words.contains(word) || word == "user_id" || text.contains(word) || before.contains(word);
                assert!(known && !word.starts_with('_'), "`{word}` in {message:?} of {text}");
            }
            let quoted: Vec<&str> = wanted.split('`').skip(1).step_by(2).collect();
            if message.starts_with("expected") && !message.starts_with("expected a declaration") {
                for word in quoted.iter().filter(|word| word.chars().all(is_part) && **word != "5") {
                    assert!(words.contains(word), "`{word}` in {message:?} of {text}");
                }
            }
            let what = what.trim_matches('`');
            assert!(what.is_empty() || !quoted.contains(&what), "{message:?} of {text}");
            assert!(message != SOMETHING, "{message:?} of {text}");
        }
    };
    let examples = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shop.dynamo")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/blog.dynamo")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/school.dynamo")),
    ];
    for example in examples {
        let parse = FileParse::new(example);
        for placed in &parse.chunks {
            let text = &*placed.chunk.text;
            let mut at = 0;
            while at < text.len() {
                let length = super::token_length(&text[at..]);
                let (before, after) = (&text[..at], &text[at + length..]);
                at += length;
                if text[before.len()..at].trim().is_empty() || before.rsplit('\n').next().unwrap_or("").contains("//") {
                    continue;
                }
                check(before, text);
                for junk in ["", "%%", "xyz", "5", "=", "{", "\"s\"", "where"] {
                    check(&format!("{before}{junk}{after}"), text);
                }
            }
        }
    }
}
