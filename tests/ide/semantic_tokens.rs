//! Semantic tokens, without a protocol: what each word of a text is.

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::in_all_shapes;
use keywright::ide::{Analysis, SemanticToken, TokenKind, TokenModifiers};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::syntax::TextRange;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

fn short(token: &SemanticToken) -> String {
    let kind = match token.kind {
        TokenKind::Namespace => "namespace",
        TokenKind::Class => "class",
        TokenKind::Type => "type",
        TokenKind::Property => "property",
        TokenKind::EnumMember => "enumMember",
        TokenKind::Function => "function",
        TokenKind::Parameter => "parameter",
        TokenKind::Variable => "variable",
        TokenKind::Decorator => "decorator",
        TokenKind::Keyword => "keyword",
        TokenKind::Comment => "comment",
        TokenKind::String => "string",
        TokenKind::Number => "number",
        TokenKind::Operator => "operator",
    };
    let TokenModifiers { declaration, readonly, modification, documentation, default_library } = token.modifiers;
    let mut out = kind.to_owned();
    for (is_set, sign) in [
        (declaration, "+decl"),
        (readonly, "+ro"),
        (modification, "+mod"),
        (documentation, "+doc"),
        (default_library, "+lib"),
    ] {
        out.push_str(if is_set { sign } else { "" });
    }
    out
}

fn tokens(fixture: &Fixture, file: &FileKey) -> Vec<SemanticToken> {
    let tokens = fixture.analysis.semantic_tokens(file, None).unwrap();
    check_order(fixture.text(file), &tokens);
    tokens
}

/// Sorted, apart from each other, and each on one line.
#[track_caller]
fn check_order(text: &str, tokens: &[SemanticToken]) {
    for token in tokens {
        let written = &text[token.range.indices()];
        assert!(!written.is_empty() && !written.contains(['\n', '\r']), "{written:?}");
    }
    for pair in tokens.windows(2) {
        let [a, b] = pair else { unreachable!() };
        assert!(a.range.end <= b.range.start, "{:?} {:?}", &text[a.range.indices()], &text[b.range.indices()]);
    }
}

/// The marked words of a text are these, in every shape of it.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    // How the shapes divide the text changes the order of the files' marks.
    let mut wanted: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    wanted.sort();
    in_all_shapes(text, |fixture| {
        let mut found: Vec<String> = fixture
            .marks
            .iter()
            .map(|(file, range)| {
                let text = fixture.text(file);
                let own = tokens(fixture, file);
                let inside: Vec<String> = own
                    .iter()
                    .filter(|token| range.contains(token.range))
                    .map(|token| format!("{} {}", &text[token.range.indices()], short(token)))
                    .collect();
                inside.join(", ")
            })
            .collect();
        found.sort();
        assert_eq!(found, wanted);
    });
}

const MODEL: &str = r#"
/// A person.
entity User {
  user_id: uuid @id
  name:    string @size(avg 20B, max 2KB)
}

entity Order {
  order_id: ulid @id
  user_id:  uuid @of(User) @immutable
  size:     number
  status:   enum(open, paid)
  placed_at: timestamp
}

table Orders {
  partition key user_id
  sort key sk: string
  item User { sk = "PROFILE" }
  item Order { sk = "ORDER#{placed_at:day}#{shard(order_id, 20)}" }
  gsi ByStatus { partition key status projection keys_only }
}
"#;

#[test]
fn names_are_coloured_by_what_they_name() {
    let text = MODEL
        .replace("entity User", "entity «User»")
        .replace("  name: ", "  «name»: ")
        .replace("@of(User)", "@of(«User»)")
        .replace("table Orders", "table «Orders»")
        .replace("gsi ByStatus", "gsi «ByStatus»")
        .replace("partition key status", "partition key «status»")
        .replace("  user_id:  uuid", "  «user_id»:  uuid")
        .replace("item Order", "item «Order»");
    let pattern = "\npattern «List» {\n  query «Orders».«ByStatus» where «status» = \"«paid»\" limit 5\n}\n\
        pattern Change {\n  update «Order» as «old» in Orders set «size» if «size» < «:most»\n}\nworkflow «Flow» { «List», Change }\n";
    check(
        &format!("{text}{pattern}"),
        &[
            "User class+decl",
            "name property+decl",
            "User class",
            "Orders namespace+decl",
            "ByStatus namespace+decl",
            "status property+decl",
            "user_id property+decl+ro",
            "Order class",
            "List function+decl",
            "Orders namespace",
            "ByStatus namespace",
            "status property",
            "paid enumMember",
            "Order class",
            "old variable+decl",
            "size property+mod",
            "size property",
            ":most parameter+decl",
            "Flow function+decl",
            "List function",
        ],
    );
}

#[test]
fn everything_else_is_coloured_by_its_place() {
    let text = MODEL
        .replace("/// A person.", "«/// A person.»")
        .replace("user_id: uuid @id\n  name", "user_id: «uuid» «@id»\n  name")
        .replace("@size(avg 20B, max 2KB)", "«@size(avg 20B, max 2KB)»")
        .replace("enum(open, paid)", "«enum(open, paid)»")
        .replace("sort key sk: string", "«sort key» sk: «string»")
        .replace("sk = \"PROFILE\"", "sk «=» «\"PROFILE\"»")
        .replace("\"ORDER#{placed_at:day}#{shard(order_id, 20)}\"", "«\"ORDER#{placed_at:day}#{shard(order_id, 20)}\"»")
        .replace("projection keys_only", "«projection keys_only»");
    check(
        &text,
        &[
            "/// A person. comment+doc",
            "uuid type+lib",
            "@id decorator",
            "@size decorator, avg keyword, 20B number, max keyword, 2KB number",
            "enum type+lib, open enumMember+decl, paid enumMember+decl",
            "sort keyword, key keyword",
            "string type+lib",
            "= operator",
            "\"PROFILE\" string",
            "\"ORDER# string, { operator, placed_at property, : operator, day enumMember+lib, } operator, # string, \
             { operator, shard function+lib, order_id property+ro, 20 number, } operator, \" string",
            "projection keyword, keys_only enumMember+lib",
        ],
    );
}

#[test]
fn a_word_that_is_a_keyword_elsewhere_is_what_it_is_here() {
    check(
        "entity E {\n  «size»: number @id\n  «count»: «string»?\n  «`string`»: number\n  «count 5»\n  «item»: string\n}\n\
         table T { partition key «size» item E }\n\
         pattern P { get E from T «project» «item», «count» }\n",
        &[
            "size property+decl+ro",
            "count property+decl",
            "string type+lib",
            "`string` property+decl",
            "count keyword, 5 number",
            "item property+decl",
            // A key attribute is declared by its table as well.
            "size property+decl+ro",
            "project keyword",
            "item property",
            "count property",
        ],
    );
}

#[test]
fn braces_are_a_hole_only_where_a_key_is_meant() {
    let text = "entity E {\n  a: string @id\n  b: string\n}\n\
        table T { partition key pk: string item E { pk = \"E#{a}\" } }\n\
        pattern P {\n  query T where pk = «\"E#{:x}\"» filter b = «\"{:x} {a}\"» or pk = «\"E#{a}\"»\n}\n";
    check(
        text,
        &[
            "\"E# string, { operator, :x parameter+decl, } operator, \" string",
            "\"{:x} {a}\" string",
            "\"E# string, { operator, a property+ro, } operator, \" string",
        ],
    );
}

#[test]
fn a_name_that_means_nothing_is_a_plain_variable() {
    check(
        "entity E { a: string @id }\ntable T { partition key a item «Nobody» }\n\
         pattern P { get «E» from «Nowhere» }\n\
         pattern Q { query «Nowhere».«Index» where «a» = 1 project «b» }\nallow «rate-missing» because «\"so\"»\n",
        &[
            "Nobody variable",
            "E class",
            "Nowhere variable",
            // What belongs to it is no less what it must be.
            "Nowhere variable",
            "Index namespace",
            "a property",
            "b property",
            "rate-missing enumMember+lib",
            "\"so\" string",
        ],
    );
}

#[test]
fn what_can_be_read_of_broken_text_is_coloured() {
    check(
        "table U {\n  «partion key a because \"why\" 5KB :x»\n}\nentity E {\n  a: string @id\n  «b: $$ string @size(2KB»\n}\npattern P {\n  «query T where where a = \"x\" and 5»\n  «rate avg 3/s»\n  %% «\"lost\"» item %%\n",
        &[
            "\"lost\" string",
            "\"why\" string, 5KB number, :x parameter",
            "b property+decl, string type+lib, @size decorator, 2KB number",
            "query keyword, T variable, where keyword, where property, a variable, = operator, \"x\" string, and keyword, 5 number",
            "rate keyword, avg keyword, 3/s number",
        ],
    );
}

#[test]
fn a_range_has_the_tokens_of_the_whole_that_touch_it() {
    in_all_shapes(MODEL, |fixture| {
        for (file, text) in &fixture.texts {
            let all = tokens(fixture, file);
            for start in (0..text.len()).step_by(37) {
                let range = TextRange::new(start, start + 90);
                let wanted: Vec<_> = all.iter().copied().filter(|token| token.range.overlaps(range)).collect();
                assert_eq!(fixture.analysis.semantic_tokens(file, Some(range)).unwrap(), wanted, "{range:?}");
            }
        }
    });
}

fn examples() -> Vec<String> {
    let folder = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    let files = |folder: &str| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|ext| ext == "dynamo")).collect::<Vec<_>>()
    };
    let mut paths = files(&folder);
    for inner in ["gallery", "large"] {
        paths.extend(files(&format!("{folder}/{inner}")));
    }
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Every word of the examples has one token, and no name in them is a variable but
/// the roles.
#[test]
fn every_word_of_the_examples_has_one_token() {
    let texts = examples();
    assert!(texts.len() > 10);
    for text in texts {
        let fixture = fixture(&text);
        let tokens = tokens(&fixture, &fixture.file);
        let mut at = 0;
        for token in &tokens {
            let between = &text[at..token.range.start as usize];
            let word = between.find(|c: char| c.is_alphanumeric() || c == '"' || c == '_');
            assert_eq!(word, None, "{between:?} before {:?}", &text[token.range.indices()]);
            at = token.range.end as usize;
            if token.kind == TokenKind::Variable {
                let line = text[..at].lines().last().unwrap();
                assert!(line.contains(" as "), "{line}");
            }
        }
        assert!(!text[at..].contains(char::is_alphanumeric));
    }
}

/// Whatever an edit leaves, the tokens are in order and on one line each, and those
/// of an old snapshot's way are those of a fresh start.
#[test]
fn tokens_of_any_text_are_in_order() {
    let texts = examples();
    let config = Config { cases: 64, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let strategy = (
        0..texts.len(),
        0.0..1.0,
        0_usize..40,
        prop::sample::select(vec![
            "",
            "{",
            "}",
            "\"",
            "`",
            "(",
            ")",
            "é🙂",
            "//",
            "/// x\n",
            "@",
            "entity X {\n",
            "query ",
            "\r\n",
            "sk = \"A#{b",
            "\u{feff}",
            ":x",
        ]),
    );
    runner
        .run(&strategy, |(which, place, length, new)| {
            let text = &texts[which];
            let boundary = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = boundary((place * text.len() as f64) as usize);
            let end = boundary((start + length).min(text.len())).max(start);
            let edited = format!("{}{new}{}", &text[..start], &text[end..]);
            let mut host = Host::default();
            let key = FileKey::new("/model/main.dynamo");
            host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
            let _ = Analysis::new(host.snapshot()).semantic_tokens(&key, None);
            host.set(key.clone(), FileContent::from_bytes(edited.as_bytes()));
            let tokens = Analysis::new(host.snapshot()).semantic_tokens(&key, None).unwrap();
            check_order(&edited, &tokens);
            prop_assert!(tokens.len() > 100);
            Ok(())
        })
        .unwrap();
}
