//! Numbers in the text, without a protocol: inlay hints and code lenses.

use crate::support::editor::{Fixture, fixture};
use crate::support::shapes::{in_all_shapes, shapes};
use expect_test::{Expect, expect, expect_file};
use keywright::capacity::cost::{pattern_cost, step_costs};
use keywright::ide::{Analysis, HintKind, HintKinds, LensKinds, LensSubject};
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};
use keywright::model::names::names;
use keywright::syntax::TextRange;
use std::fmt::Write;

fn analysis(text: &str) -> (Analysis, FileKey) {
    let mut host = Host::default();
    let key = FileKey::new("/model/main.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    (Analysis::new(host.snapshot()), key)
}

/// The line of each hint, cut off where the hint stands, with its label.
fn hints(text: &str) -> String {
    let (analysis, key) = analysis(text);
    shown(&analysis, &key, text, false)
}

fn shown(analysis: &Analysis, key: &FileKey, text: &str, tooltips: bool) -> String {
    let mut out = String::new();
    let all = TextRange::new(0, text.len());
    for hint in analysis.inlay_hints(key, all, HintKinds::default()).unwrap() {
        let start = text[..hint.offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        writeln!(out, "{} «{}»", text[start..hint.offset].trim_start(), hint.label).unwrap();
        for line in hint.tooltip.lines().filter(|line| tooltips && !line.is_empty()) {
            writeln!(out, "      | {line}").unwrap();
        }
    }
    out
}

fn lenses(analysis: &Analysis, key: &FileKey, text: &str) -> String {
    let mut out = String::new();
    for lens in analysis.code_lenses(key, LensKinds::default()).unwrap() {
        let title = analysis.code_lens_title(key, &lens.subject).unwrap().expect("it stands where it is asked about");
        let name = text[lens.range.indices()].lines().next().unwrap();
        writeln!(out, "{name}: {title}").unwrap();
    }
    out
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&hints(text));
}

fn example(name: &str) -> String {
    let path = format!("{}/examples/{name}.dynamo", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the example is there")
}

#[test]
fn the_examples_show_their_numbers() {
    for (name, expected) in [
        ("shop", expect_file!["../snapshots/shop.numbers.txt"]),
        ("blog", expect_file!["../snapshots/blog.numbers.txt"]),
        ("school", expect_file!["../snapshots/school.numbers.txt"]),
    ] {
        let text = example(name);
        let (analysis, key) = analysis(&text);
        let all = format!("{}\n{}", shown(&analysis, &key, &text, true), lenses(&analysis, &key, &text));
        expected.assert_eq(&all);
    }
}

/// A model of which `CLAUSES` is left open.
const MODEL: &str = r#"
application A { region "us-east-1" }
entity Note {
  user_id: uuid @id
  note_id: ulid @id
  text: string CLAUSES
}
table Notes {
  partition key user_id
  sort key note_id
  item Note
}
pattern Latest {
  query Notes where user_id = :user_id limit 20
  rate avg 10/s, peak 80/s
}
pattern Write {
  put Note into Notes
  rate avg 2/s, peak 20/s
}
"#;

#[test]
fn what_is_not_declared_is_unknown_or_bounded() {
    // Neither a size nor a count: only the limit bounds the items.
    check(
        &MODEL.replace("CLAUSES", ""),
        expect![[r#"
            entity Note { «computed at least 80 B»
            partition key user_id «? of limit»
            query Notes where user_id = :user_id limit 20 «at least 0.5 RU · at least $1.62/mo (computed)»
            put Note into Notes «at least 1 WU · at least $3.24/mo (computed)»
        "#]],
    );
    // The size is computed, how many notes a user has is not known.
    check(
        &MODEL.replace("CLAUSES", "@size(4_000B)"),
        expect![[r#"
            entity Note { «computed 4 KB»
            partition key user_id «≤ 27 % of limit (computed)»
            query Notes where user_id = :user_id limit 20 «≤ 10 RU · ≤ $32.40/mo (computed)»
            put Note into Notes «4 WU · $12.96/mo (computed)»
        "#]],
    );
    check(
        &MODEL
            .replace("user_id: uuid @id", "user_id: uuid @id @distinct(1000)")
            .replace("CLAUSES", "@size(4_000B)\n  count 10k\n  size avg 1KB, max 2KB"),
        expect![[r#"
              partition key user_id «< 0.01 % of limit»
              query Notes where user_id = :user_id limit 20 «1.5 RU · $4.86/mo»
              put Note into Notes «1 WU · $3.24/mo»
        "#]],
    );
    // Without a rate there is no load and no cost; without a region no price.
    check(
        &MODEL.replace("CLAUSES", "\n  count 10k\n  size avg 1KB, max 2KB").replace("  rate avg 2/s, peak 20/s\n", ""),
        expect![[r#"
              partition key user_id «? of limit»
              query Notes where user_id = :user_id limit 20 «≤ 2.5 RU · ≤ $8.10/mo»
              put Note into Notes «1 WU · $?/mo»
        "#]],
    );
    check(
        &MODEL.replace("CLAUSES", "\n  size 1KB").replace(r#"region "us-east-1""#, ""),
        expect![[r#"
          partition key user_id «≤ 6.7 % of limit»
          query Notes where user_id = :user_id limit 20 «≤ 2.5 RU · $?/mo»
          put Note into Notes «1 WU · $?/mo»
    "#]],
    );
}

#[test]
fn a_tooltip_says_what_is_missing() {
    let (analysis, key) = analysis(&MODEL.replace("CLAUSES", ""));
    let all = analysis.inlay_hints(&key, TextRange::new(0, MODEL.len()), HintKinds::default()).unwrap();
    let of = |kind: HintKind| &all.iter().find(|hint| hint.kind == kind).expect("a hint of the kind").tooltip;
    for (kind, missing) in [
        (HintKind::Size, "`@size` of `Note.text`"),
        (HintKind::Operation, "`@size` of `Note.text`"),
        (HintKind::Key, "`@distinct` of `Note.user_id`"),
    ] {
        assert!(of(kind).contains("Missing: ") && of(kind).contains(missing), "{kind:?}: {}", of(kind));
    }
}

#[test]
fn a_size_stands_behind_the_brace_or_the_name() {
    check(
        "entity A { id: uuid @id }\nentity B\n{\n  id: uuid @id\n}\nentity C { // why\n  id: uuid @id\n}\n\
         entity D {}\nentity E { id: uuid @id size 1KB }\nentity F { id: uuid @id size max 2KB }\nentity\n",
        expect![[r#"
            entity A «computed 38 B»
            entity B «computed 38 B»
            entity C { «computed 38 B»
            entity F «average ≤ 2 KB»
        "#]],
    );
}

#[test]
fn a_size_holds_what_is_stored_with_it() {
    let text = r#"
entity Order {
  order_id: ulid @id
  sent_at: timestamp? @present(50%)
}
entity Line {
  order_id: ulid @of(Order)
  line_no: number @id
}
relationship Order 1:N Line { children avg 3 }
table Orders {
  partition key pk: string
  item Order embeds Line as lines { pk = "ORDER#{order_id}" }
}
table Archive { partition key order_id item Order }
"#;
    check(
        text,
        expect![[r#"
        entity Order { «computed in Archive 47.5 B; in Orders 81.5 B, 150 B with lines»
        entity Line { «computed 19 B»
    "#]],
    );
}

#[test]
fn keys_show_the_heavier_of_reads_and_writes_and_local_indexes_none() {
    let text = r#"
entity Vote {
  poll: string @size(8B) @distinct(10) @hottest(50%)
  voter: uuid @id
  at: timestamp
  count 1M
  size 100B
}
table Votes {
  partition key poll
  sort key voter
  item Vote
  lsi ByTime { partition key poll sort key at }
  gsi ByVoter { partition key voter }
  gsi Unused { partition key nothing: string }
}
pattern Cast { put Vote into Votes rate 1000/s }
pattern Mine { query Votes.ByVoter where voter = :voter rate avg 5/s, peak 10/s }
pattern Recent { query Votes.ByTime where poll = :poll descending limit 10 rate avg 5/s, peak 10/s }
"#;
    check(
        text,
        expect![[r#"
            partition key poll «100 % of limit»
            gsi ByVoter { partition key voter «< 0.01 % of limit»
            pattern Cast { put Vote into Votes «1 WU + 1 ByTime + 1 ByVoter · $?/mo»
            pattern Mine { query Votes.ByVoter where voter = :voter «0.5 RU · $?/mo»
            pattern Recent { query Votes.ByTime where poll = :poll descending limit 10 «0.5 RU · $?/mo»
        "#]],
    );
}

#[test]
fn half_typed_operations_are_waited_for() {
    check(
        "entity A { id: uuid @id size 1KB }\ntable T { partition key id item A }\n\
         pattern P { get A from T put A into rate 1/s }\npattern Q { get\npattern R { get A from Nowhere }\n",
        expect![[r#"
            table T { partition key id «? of limit»
            pattern P { get A from T «0.5 RU · $?/mo»
            pattern P { get A from T put A into rate «? units»
            pattern R { get A from Nowhere «? units»
        "#]],
    );
}

#[test]
fn only_what_is_wanted_and_in_the_range_is_shown() {
    let text = example("shop");
    let (analysis, key) = analysis(&text);
    let whole = TextRange::new(0, text.len());
    let all = analysis.inlay_hints(&key, whole, HintKinds::default()).unwrap();
    for (kinds, left) in [
        (HintKinds { operations: false, ..HintKinds::default() }, vec![HintKind::Size, HintKind::Key]),
        (HintKinds { sizes: false, ..HintKinds::default() }, vec![HintKind::Operation, HintKind::Key]),
        (HintKinds { keys: false, ..HintKinds::default() }, vec![HintKind::Operation, HintKind::Size]),
    ] {
        let some: Vec<_> = all.iter().filter(|hint| left.contains(&hint.kind)).cloned().collect();
        assert!(!some.is_empty() && some.len() < all.len());
        assert_eq!(analysis.inlay_hints(&key, whole, kinds).unwrap(), some);
    }
    let at = text.find("pattern PlaceOrder").unwrap();
    let range = TextRange::new(at, at + 200);
    let inside: Vec<_> = all.iter().filter(|hint| range.touches(hint.offset)).cloned().collect();
    assert_eq!(inside.len(), 2, "the two steps of the transaction");
    assert_eq!(analysis.inlay_hints(&key, range, HintKinds::default()).unwrap(), inside);

    let count = |kinds| analysis.code_lenses(&key, kinds).unwrap().len();
    let both = LensKinds::default();
    assert_eq!(count(both), 13);
    assert_eq!(count(LensKinds { tables: false, ..both }), 6, "the entities");
    assert_eq!(count(LensKinds { entities: false, ..both }), 7, "four tables and three indexes");
}

/// Every hint stands behind something on its line, whatever the text.
fn assert_on_their_lines(text: &str) -> usize {
    let (analysis, key) = analysis(text);
    let all = analysis.inlay_hints(&key, TextRange::new(0, text.len()), HintKinds::default()).unwrap();
    for hint in &all {
        let before = text[..hint.offset].chars().next_back();
        assert!(before.is_some_and(|c| !c.is_whitespace()), "{hint:?} in\n{text}");
        assert!(!hint.label.is_empty() && !hint.label.contains(['\n', '\r']), "{hint:?}");
    }
    for lens in analysis.code_lenses(&key, LensKinds::default()).unwrap() {
        assert!(!text[lens.range.indices()].contains(['\n', '\r']), "{lens:?}");
        assert!(analysis.code_lens_title(&key, &lens.subject).unwrap().is_some_and(|title| !title.contains('\n')));
    }
    all.len()
}

#[test]
fn an_index_that_only_the_second_of_two_tables_has_has_a_lens_that_says_something() {
    let text = "entity A { id: string @id }\ntable Twice { partition key pk: string }\n\
        table Twice {\n  partition key pk: string\n  item A { pk = id  gk = id }\n\
        \n  gsi Second { partition key gk: string  projection all }\n}\n";
    assert_on_their_lines(text);
    let (analysis, key) = analysis(text);
    let lenses = analysis.code_lenses(&key, LensKinds::default()).unwrap();
    assert!(lenses.iter().any(|lens| matches!(lens.subject, LensSubject::Index { .. })), "{lenses:?}");
}

#[test]
fn hints_of_unfinished_text_stay_on_their_lines() {
    let text = example("shop").replace("Sells books", "Sells books 📚 and…");
    let whole = assert_on_their_lines(&text);
    assert_eq!(assert_on_their_lines(&text.replace('\n', "\r\n")), whole);
    assert_eq!(assert_on_their_lines(&text.replace('\n', "\r")), whole);
    for cut in (0..text.len()).step_by(67).filter(|cut| text.is_char_boundary(*cut)) {
        assert_on_their_lines(&text[..cut]);
        // The same with a hole in the middle of it.
        let rest = (cut + 40..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        assert_on_their_lines(&format!("{}{}", &text[..cut], &text[rest..]));
    }
}

#[test]
fn numbers_come_from_the_whole_model() {
    let fixture = fixture(
        r#"
//- a.dynamo
import "entities.dynamo"
application A { region "us-east-1" }
table T { partition key id item A }
pattern P { get A from T rate 10/s }
//- entities.dynamo
entity A { id: uuid @id }
"#,
    );
    let shown = |name: &str| {
        let key = FileKey::new(&format!("/model/{name}"));
        let text = fixture.text(&key);
        format!("{}{}", shown(&fixture.analysis, &key, text, false), lenses(&fixture.analysis, &key, text))
    };
    expect![[r#"
        table T { partition key id «≤ 0.17 % of limit (computed)»
        pattern P { get A from T «0.5 RU · $1.62/mo (computed)»
        T: 1 pattern · at least $1.62/mo · hottest key {id}: ≤ 0.17 % of limit (computed)
    "#]]
    .assert_eq(&shown("a.dynamo"));
    expect![[r#"
        entity A «computed 38 B»
        A: in T · 1 pattern: P
    "#]]
    .assert_eq(&shown("entities.dynamo"));
}

#[test]
fn lenses_say_what_is_unknown_and_what_is_embedded() {
    let text = r#"
entity Order { order_id: ulid @id }
entity Line { line_no: number @id }
entity Lost { id: uuid @id }
table Orders {
  partition key order_id
  sort key kind: string
  item Order embeds Line as lines { kind = "ORDER" }
  lsi ByKind { sort key order_id }
}
table Empty { partition key id: string }
pattern Read { get Order from Orders }
"#;
    let (analysis, key) = analysis(text);
    expect![[r#"
        Order: in Orders and its index ByKind · 1 pattern: Read
        Line: embedded in Order as lines, in Orders · 1 pattern: Read
        Lost: in no table · no pattern
        Orders: 1 pattern · $?/mo + $?/mo in indexes · hottest key {order_id}: ? of limit
        ByKind: no pattern · $?/mo of storage
        Empty: no pattern · $?/mo
    "#]]
    .assert_eq(&lenses(&analysis, &key, text));
}

/// A misspelt key would be one value for all items: half of the limit, of nothing.
#[test]
fn a_key_that_nobody_knows_has_no_load() {
    let sound = example("shop");
    for (key, broken) in [
        ("partition key user_id because", "partition key user_idx because"),
        ("partition key user_id because", "partition key because"),
        ("partition key warehouse, open_status\n", "partition key warehouse, open_statu\n"),
    ] {
        assert!(sound.contains(key), "{key}");
        let text = sound.replace(key, broken);
        let (analysis, file) = analysis(&text);
        let subject = if key.contains("user_id") { "UserOrders: " } else { "OpenOrders: " };
        let lenses = lenses(&analysis, &file, &text);
        let lens = lenses.lines().find(|line| line.starts_with(subject)).expect("a lens of it");
        assert!(lens.contains("/mo") && !lens.contains("hottest"), "{broken}: {lens}");
        let hints = shown(&analysis, &file, &text, false);
        assert!(!hints.lines().any(|line| line.contains(broken.trim_end()) && line.contains("of limit")), "{hints}");
        assert!(hints.contains("% of limit"), "the other keys keep theirs: {hints}");
    }
}

#[test]
fn the_costs_of_the_steps_are_those_of_their_pattern() {
    let provisioned = example("shop").replace("capacity on_demand", "capacity provisioned");
    for text in [example("shop"), example("blog"), provisioned] {
        let mut host = Host::default();
        let key = FileKey::new("/model/main.dynamo");
        host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
        let db = host.db();
        let root = keywright::model::imports::roots(db)[0];
        for decl in names(db, root).all_patterns() {
            let whole = pattern_cost(db, root, decl).as_ref().expect("a pattern").monthly.low();
            let steps: f64 = step_costs(db, root, decl).iter().map(|cost| cost.low()).sum();
            assert!((whole - steps).abs() < 1e-6 * whole.max(1.0), "{whole} in steps {steps}");
        }
    }
}

/// The hints and the lenses of all files: where they stand and what they say.
fn of_all_files(fixture: &Fixture) -> Vec<String> {
    let mut all = Vec::new();
    for (file, text) in &fixture.texts {
        all.extend(shown(&fixture.analysis, file, text, false).lines().map(str::to_owned));
        all.extend(lenses(&fixture.analysis, file, text).lines().map(str::to_owned));
    }
    all.sort();
    all
}

#[test]
fn hints_and_lenses_are_the_same_in_every_shape() {
    let text = r#"
application Notes {
  region "us-east-1"
}

/// What somebody wrote.
entity Note {
  user_id: uuid @id
  text:    string @size(400B)

  count 1k
}

table Notes {
  partition key user_id
  item Note
  gsi ByText { partition key text projection keys_only }
}

pattern Read {
  get Note from Notes
  rate 10/s
}

pattern ByText {
  query Notes.ByText where text = :text
  rate 10/s
}

pattern Write {
  transact write {
    put Note into Notes if not_exists
  }
  rate avg 1/s, peak 5/s
}
"#;
    let (_, plain) = shapes(text).remove(0);
    let wanted = of_all_files(&plain);
    let parts =
        ["get Note from Notes «0.5 RU", "entity Note { «computed", "gsi ByText { partition key text «", "Notes: "];
    for part in parts {
        assert!(wanted.iter().any(|line| line.starts_with(part)), "{part}: {wanted:#?}");
    }
    in_all_shapes(text, |fixture| {
        // The table that a shape leaves half-written has a lens, which says nothing
        // of the others.
        let found: Vec<String> = of_all_files(fixture).into_iter().filter(|line| !line.contains("Wrong_")).collect();
        assert_eq!(found, wanted);
    });
}

/// In a model of nothing else, too: there is no hottest value without a name.
#[test]
fn a_key_that_nothing_gives_a_value_is_not_said_to_be_hot() {
    let text = r#"
entity Order { order_id: ulid @id }
table Orders { partition key order_idd item Order }
pattern Read { get Order from Orders rate 10/s }
"#;
    let (analysis, key) = analysis(text);
    let shown = lenses(&analysis, &key, text);
    assert!(shown.contains("/mo") && !shown.contains("hottest"), "{shown}");
}
