//! The sections and the boxes of the document.

use crate::data_model::made::{Made, all};
use crate::support::random::cases;
use proptest::prelude::*;

const HEADINGS: &[&str] = &[
    "# DynamoDB Data Model",
    "## Design Philosophy & Approach",
    "## Aggregate Design Decisions",
    "## Table Designs",
    "## Access Pattern Mapping",
    "### Solved Patterns",
    "### Unsolved Patterns & Alternatives",
    "## Hot Partition Analysis",
    "## Cost Estimates",
    "## Trade-offs and Optimizations",
    "## Validation Results 🔴",
];

fn check_headings(document: &str) {
    let lines = document.lines().filter(|line| HEADINGS.contains(line));
    assert_eq!(lines.collect::<Vec<_>>(), HEADINGS, "{document}");
}

#[test]
fn every_section_is_there_for_every_model() {
    for made in all() {
        check_headings(&made.document);
    }
    for text in
        ["", "table", "application", "pattern P {", "entity E {}", "table T { gsi { } item }", "aggregate", "\u{0}"]
    {
        check_headings(&Made::new("half", text).document);
    }
}

/// A design of which every box is ticked.
pub const SOUND: &str = include_str!("../../data/sound.dynamo");

pub fn boxes(document: &str) -> Vec<(bool, String)> {
    let start = document.find("## Validation Results").expect("it is there");
    let lines = document[start..].lines();
    lines
        .filter_map(|line| {
            let open = line.strip_prefix("- [ ] ").map(|text| (false, text.to_owned()));
            open.or_else(|| line.strip_prefix("- [x] ").map(|text| (true, text.to_owned())))
        })
        .collect()
}

#[test]
fn a_sound_design_has_every_box_ticked() {
    let made = Made::new("sound", SOUND);
    let open: Vec<String> =
        boxes(&made.document).into_iter().filter(|(ticked, _)| !ticked).map(|(_, text)| text).collect();
    assert!(open.is_empty(), "{}", made.section("## Validation Results 🔴"));
}

#[test]
fn nothing_is_ticked_of_an_empty_model() {
    for (ticked, question) in boxes(&Made::new("empty", "").document) {
        assert!(!ticked, "{question}");
    }
}

const ANSWERED: &str = "Every pattern is solved, or has an alternative with a reason";
const NEEDED: &str = "Every index is justified, and none is needless";
const REASONS: &str = "The trade-offs are written down with their reasons";
const DECIDED: &str = "Every related pair is decided, and the tables keep it so";
pub const AGREED: &str = "The data model answers what the requirement document lists";

#[test]
fn the_dearest_pattern_is_that_of_what_is_known() {
    let dearest = |text: &str| Made::new("dearest", text).section("## Design Philosophy & Approach").to_owned();
    assert!(dearest(SOUND).contains("; the dearest pattern is "));
    let unknown = dearest(&SOUND.replace("  rate avg 0.1/s, peak 3/s\n", ""));
    assert!(unknown.contains("; the dearest pattern of what is known is "), "{unknown}");
}

#[test]
fn without_a_pattern_nothing_is_solved_and_no_cost_is_known() {
    let start = SOUND.find("pattern SignUp").expect("it is there");
    let made = Made::new("none", &SOUND[..start]);
    assert!(!made.document.contains("Every pattern is solved."), "{}", made.document);
    assert!(of_box(&SOUND[..start], "The costs are known").starts_with("- [ ] "));
}

/// Unknown is never nothing.
#[test]
fn of_an_empty_model_no_number_is_told() {
    let made = Made::new("empty", "");
    let philosophy = made.section("## Design Philosophy & Approach");
    assert!(philosophy.contains("**Cost**: not known;"), "{philosophy}");
    assert!(philosophy.contains("**Reads and Writes**: not known;"), "{philosophy}");
    assert!(!philosophy.contains('$') && !philosophy.contains("a second"), "{philosophy}");
}

/// One clause of the sound design is changed: exactly the boxes that ask for it
/// open, and lead to the line of it.
#[test]
fn a_box_opens_with_one_clause() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("  query Customers where id = :id descending limit 21\n", "", ANSWERED, "pattern CustomerPage"),
        (" because \"full text\"", "", ANSWERED, "pattern Search"),
        ("    purpose \"What a warehouse packs.\"\n", "", NEEDED, "gsi ByWarehouse"),
        ("    projection include(total)\n", "", "Projections are considered", "gsi ByWarehouse"),
        ("    sparse\n", "", "Sparse indexes are considered", "gsi ByWarehouse"),
        (" because \"the profile and the orders of one customer\"", "", "Every table is justified", "partition key id"),
        ("tradeoff \"the name is copied\" because \"saves a read\"\n", "", REASONS, "name_then"),
        (" because \"saves a read\"", "", REASONS, "tradeoff"),
        ("  stream new_image\n", "", "The integrations are named, and what feeds them is there", "external"),
        ("  count 1M\n", "", "The costs are known", "entity Customer"),
        ("decision item_collection", "decision separate_tables", DECIDED, "decision separate_tables"),
        ("  domain \"shop\"\n", "", "Domain and scale are said", "application"),
        ("  latency 20ms\n", "", "Every read has its latency", "pattern CustomerPage"),
        ("  rate avg 100/s, peak 200/s\n", "", "Every pattern has its rates", "pattern CustomerPage"),
        (
            "  reads Order(total) by warehouse\n",
            "  reads Customer, Order(total) by warehouse\n",
            AGREED,
            "reads Customer, Order(total)",
        ),
        (
            "  item Order { sk = \"ORDER#{order_id}\" }\n",
            "",
            "Entities are stored, and their relationships declared",
            "entity Order",
        ),
        (
            "reads Customer, Order by id",
            "reads Order by id",
            "Every read is bounded, and reads what is asked for",
            "query Customers where",
        ),
        ("avg 1/s, peak 5/s", "avg 1/s", "No key is hot, and the load of each is known", "table Customers"),
        (
            "into Customers if not_exists",
            "into Customer",
            "DynamoDB takes the design: no error stands",
            "into Customer",
        ),
    ];
    for (from, to, question, line) in cases {
        assert_eq!(SOUND.matches(from).count(), 1, "{from}");
        let text = SOUND.replace(from, to);
        let made = Made::new(question, &text);
        let results = made.section("## Validation Results 🔴");
        let start =
            results.find(&format!("- [ ] {question}: ")).unwrap_or_else(|| panic!("{from}: {question}\n{results}"));
        let own = &results[start..];
        let own = &own[..own[3..].find("\n- [").map_or(own.len(), |end| end + 3)];
        let number = text.lines().position(|own| own.contains(line)).expect("the line is there") + 1;
        assert!(own.contains(&format!("](m.dynamo#L{number})")), "line {number} in {own}");
    }
}

#[test]
fn a_rule_that_is_off_has_not_passed() {
    // An allow with a reason accepts; nothing else makes a box pass.
    let scanned = SOUND.replace("  query Customers where id = :id descending limit 21\n", "  scan Customers\n");
    assert_ne!(scanned, SOUND);
    let of = |text: &str| {
        let boxes = boxes(&Made::new("scan", text).document);
        boxes.into_iter().find(|(_, text)| text.starts_with("No pattern scans")).expect("the box is there").0
    };
    assert!(!of(&scanned));
    assert!(of(&format!("{scanned}\nallow scan-pattern because \"a small table\"\n")));
}

/// The lines of a box, those below it included.
fn own<'d>(document: &'d str, question: &str) -> Vec<&'d str> {
    let start = document.find("## Validation Results").expect("it is there");
    let lines: Vec<&str> = document[start..].lines().collect();
    let is_it = |line: &&str| line.get(6..).is_some_and(|text| text.starts_with(question));
    let at = lines.iter().position(is_it).unwrap_or_else(|| panic!("{question}"));
    let below = lines[at + 1..].iter().take_while(|line| line.starts_with("  - ")).count();
    lines[at..=at + below].to_vec()
}

pub fn of_box(text: &str, question: &str) -> String {
    own(&Made::new("box", text).document, question).join("\n")
}

/// What is accepted opens no box, and no ticked box denies it.
#[test]
fn a_box_names_what_is_accepted_with_its_reason() {
    let query = "  query Customers where id = :id descending limit 21\n";
    let scanned = |allow: &str| SOUND.replace(query, &format!("  scan Customers\n{allow}"));
    let accepted = of_box(&scanned("  allow scan-pattern because \"Seldom.\"\n"), "No pattern scans");
    let expected = "- [x] No pattern scans, but what is accepted: 2 CustomerPage scans `Customers`, because Seldom (";
    assert!(accepted.starts_with(expected), "{accepted}");
    let bounded = "Every read is bounded, and reads what is asked for";
    let accepted = of_box(&scanned("  allow scan-pattern because \"Seldom.\"\n"), bounded);
    assert!(accepted.contains("2 CustomerPage: not bounded: it reads everything, because Seldom ("), "{accepted}");
    // Without a reason nothing is accepted.
    let silent = of_box(&scanned("  allow scan-pattern because \"\"\n"), "No pattern scans");
    assert!(silent.starts_with("- [ ] No pattern scans: 2 CustomerPage scans"), "{silent}");
}

#[test]
fn what_a_table_calls_unbounded_is_unbounded_in_the_box() {
    let bounded = "Every read is bounded, and reads what is asked for";
    let unlimited = SOUND.replace(" descending limit 21", "").replace("max 1000", "max 100_000");
    let document = Made::new("unbounded", &unlimited).document;
    assert!(document.contains("2 CustomerPage: query of `Customers`: no limit;"), "{document}");
    assert!(document.contains("**unbounded** by the request"), "{document}");
    let open = own(&document, bounded).join("\n");
    assert!(open.starts_with(&format!("- [ ] {bounded}: 2 CustomerPage: not bounded by the request")), "{open}");
    // The caller stops after so many pages.
    let paged = unlimited.replace("  latency 20ms\n", "  latency 20ms\n  pages avg 1, max 9\n");
    let document = Made::new("paged", &paged).document;
    assert!(document.contains("bounded by `pages`, the caller fetches at most 9 pages: "), "{document}");
    assert!(own(&document, bounded)[0].starts_with(&format!("- [x] {bounded}")), "{document}");
}

#[test]
fn a_rate_is_asked_for_in_both_documents_alike() {
    let rate = "  rate avg 100/s, peak 200/s\n";
    let lacking = SOUND.replace(rate, "  rate avg 100/s\n");
    assert!(of_box(&lacking, "Every pattern has its rates").contains("2 CustomerPage: no peak `rate` ("));
    let accepted = SOUND.replace(rate, "  rate avg 100/s\n  allow missing-rate because \"Not measured yet.\"\n");
    let told = of_box(&accepted, "Every pattern has its rates");
    let expected = ", but what is accepted: 2 CustomerPage: no peak `rate`, because Not measured yet (";
    assert!(told.starts_with("- [x] ") && told.contains(expected), "{told}");
}

/// A stream on some other table feeds nothing.
#[test]
fn a_stream_is_one_of_a_table_that_holds_what_is_read() {
    let question = "The integrations are named, and what feeds them is there";
    let other = SOUND.replace("  stream new_image\n", "");
    let other = format!(
        "{other}
entity Note {{ note_id: ulid @id text: string @size(1KB) count 1k }}
table Notes {{ partition key note_id because \"one by one\" item Note stream new_image }}
"
    );
    let open = of_box(&other, question);
    assert!(open.contains("Search: it is to be fed by a stream, and no table that holds Customer has one ("), "{open}");
}

#[test]
fn each_copy_wants_a_trade_off_that_speaks_of_it() {
    let unrelated = SOUND.replace("\"the name is copied\"", "\"orders are never changed\"");
    let open = of_box(&unrelated, REASONS);
    let expected = "Order.`name_then` is a copy, and no `tradeoff` speaks of it (";
    assert!(open.starts_with("- [ ] ") && open.contains(expected), "{open}");
    // A decision against the thresholds without a word why.
    let decided = SOUND
        .replace("decision item_collection", "decision single_item")
        .replace("  because \"The page of a customer shows both.\"\n", "");
    let open = of_box(&decided, REASONS);
    let expected = "Customer + Order is decided against the thresholds (one item that holds both instead of ";
    assert!(open.contains(expected), "{open}");
}

#[test]
fn a_contradicted_decision_is_accepted_with_its_reason() {
    let contradicted = SOUND.replace("decision item_collection", "decision separate_tables");
    let end = "  because \"The page of a customer shows both.\"\n";
    let accepted = contradicted.replace(end, &format!("{end}  allow decision-contradicted because \"Moved later.\"\n"));
    assert!(of_box(&contradicted, DECIDED).starts_with(&format!("- [ ] {DECIDED}")));
    assert!(of_box(&contradicted, "Consolidation is considered").starts_with("- [ ] "));
    let told = of_box(&accepted, DECIDED);
    assert!(told.starts_with("- [x] ") && told.contains(", because Moved later ("), "{told}");
}

/// A rule that finds nothing is no promise kept.
#[test]
fn what_the_data_model_promises_is_looked_at() {
    // What an operation does not return is not answered.
    let narrow = SOUND.replace(
        "reads Customer, Order by id\n  query Customers where id = :id descending limit 21",
        "reads Customer(name), Order(total) by id\n  query Customers where id = :id descending limit 21 project name",
    );
    assert_ne!(narrow, SOUND);
    let told = of_box(&narrow, AGREED);
    assert!(told.contains("2 CustomerPage is to read `total` of Order, and what answers it does not ("), "{told}");
    // Nor is what has no operation.
    let unsolved = SOUND.replace("  query Customers where id = :id descending limit 21\n", "");
    for question in [AGREED, "No pattern scans", "Every read is bounded, and reads what is asked for"] {
        assert!(of_box(&unsolved, question).starts_with(&format!("- [ ] {question}: 2 CustomerPage: ")), "{question}");
    }
    // Of what has no size nobody knows whether it stays within a limit.
    let sizeless =
        SOUND.replace("  size avg 500B, max 2KB\n", "").replace("name_then: string @size(20B)", "name_then: string");
    let told = of_box(&sizeless, "Items and collections stay within their limits");
    assert!(
        told.starts_with("- [ ] ") && told.contains("how large the items of Order in Customers can be is not known"),
        "{told}"
    );
}

/// A pair that a rule speaks about where the two are related is accepted there.
#[test]
fn a_candidate_is_accepted_where_the_two_are_related() {
    let model = |allow: &str| {
        format!(
            "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity A {{ a_id: uuid @id count 1k size 1KB }}
entity B {{ b_id: ulid @id a_id: uuid @of(A) count 9k size 1KB }}
relationship A 1:N B {{ children avg 9, max 9_000 {allow} }}
table As {{ partition key a_id because \"by id\" item A }}
table Bs {{ partition key a_id because \"by A\" sort key b_id item B }}
pattern Page {{ get A from As query Bs where a_id = :a_id limit 20 rate avg 60/s, peak 60/s latency 9ms }}
pattern OnlyB {{ query Bs where a_id = :a_id limit 20 rate avg 40/s, peak 40/s latency 9ms }}
"
        )
    };
    let consolidated = "Consolidation is considered";
    assert!(of_box(&model(""), consolidated).contains("A + B is kept otherwise, and no `aggregate` says why"));
    let accepted = of_box(&model("allow collection-candidate because \"They move later.\""), consolidated);
    assert!(accepted.starts_with("- [x] ") && accepted.contains(", because They move later ("), "{accepted}");
    let decided = of_box(&model("allow collection-candidate because \"They move later.\""), DECIDED);
    assert!(decided.starts_with("- [x] "), "{decided}");
}

#[test]
fn a_key_is_hot_from_where_the_team_says() {
    // 0.4 of what one value takes.
    let text = SOUND
        .replace("rate avg 100/s, peak 200/s", "rate avg 100/s, peak 400_000/s")
        .replace("id: uuid @id\n  name", "id: uuid @id @hottest(0.1%)\n  name");
    assert_ne!(text, SOUND);
    let design = |made: &Made| {
        let rows = made.table("## Hot Partition Analysis", "One value");
        rows.into_iter().find(|row| row[0].starts_with("`Customers`")).expect("it has a row")[7].clone()
    };
    let usual = Made::new("usual", &text);
    assert!(design(&usual).contains("nothing to do: below 80 % of both limits"), "{}", design(&usual));
    let set = Made::with_settings("set", &text, "[thresholds.hot-partition-key]\nload = \"10%\"\n");
    assert!(design(&set).contains("near the limit"), "{}", design(&set));
    assert!(set.document.contains("below 10 % (in an index 80 %) of both limits"), "{}", set.document);
}

/// An aggregate that leaves a pair open has said something.
#[test]
fn an_aggregate_without_a_decision_is_not_passed_over() {
    let open = SOUND
        .replace("  decision item_collection\n", "")
        .replace("  item Order {", "  item Customer2 {")
        .replace("entity Customer {", "entity Customer2 { id: uuid @id count 1k size 1KB }\nentity Customer {");
    let open = format!("{open}\ntable Orders {{ partition key order_id because \"by id\" item Order }}\n");
    let told = of_box(&open, DECIDED);
    assert!(!told.contains("no `aggregate` says why"), "{told}");
    assert!(told.contains("(it says: The page of a customer shows both)"), "{told}");
}

#[test]
fn a_unique_value_in_two_spellings_is_not_kept_unique() {
    let question = "What is unique is kept unique";
    let with = |key: &str| {
        format!(
            "{SOUND}
entity Claim {{ email: string @id @size(30B) count 1M }}
table Claims {{ partition key k: string because \"by mail\" item Claim {{ k = \"{key}\" }} }}
pattern TakeClaim {{ put Claim into Claims if not_exists rate avg 1/s, peak 2/s }}
pattern ReadClaim {{ get Claim from Claims rate avg 1/s, peak 2/s latency 9ms }}
"
        )
    };
    assert!(of_box(&with("{email}"), question).contains("`case-sensitive-key` in table Claims"));
    assert!(of_box(&with("{email:lower}"), question).starts_with("- [x] "));
}

#[test]
fn what_is_assumed_of_popularity_is_said() {
    let question = "No key is hot, and the load of each is known";
    let told = of_box(SOUND, question);
    let assumed = "taken as even, no `@hottest` is declared";
    assert!(told.starts_with(&format!("- [x] {question}, as far as it is assumed: ")), "{told}");
    assert!(told.contains(assumed), "{told}");
    let made = Made::new("heat", SOUND);
    let heat = made.section("## Hot Partition Analysis");
    assert!(heat.contains(&format!("`warehouse` of Order {assumed}")), "{heat}");
    // What is declared is not assumed.
    let said = SOUND.replace("warehouse: string @distinct(1000)", "warehouse: string @distinct(1000) @hottest(1%)");
    assert!(!Made::new("heat", &said).section("## Hot Partition Analysis").contains("`warehouse` of Order"));
}

proptest! {
    #![proptest_config(cases(48))]

    /// A model that is cut off anywhere still has every section.
    #[test]
    fn half_typed_models_have_every_section(cut in 0usize..SOUND.len(), length in 0usize..300, put in "[\\PC\r\n|`{}\"<]{0,8}") {
        let floor = |mut at: usize| {
            at = at.min(SOUND.len());
            while !SOUND.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let text = format!("{}{put}{}", &SOUND[..floor(cut)], &SOUND[floor(cut + length)..]);
        check_headings(&Made::new("cut", &text).document);
    }
}

/// The id of one entity is one value of a key, whatever the attributes are called that
/// hold it: what the pairs say is kept together is so everywhere.
#[test]
fn a_key_that_holds_the_id_by_another_name_is_the_same_key() {
    let text = "application A { domain \"d\" scale \"s\" region \"us-east-1\" style single_table }
entity Member { member_id: ulid @id count 50k size 600B }
entity Swap { swap_id: ulid @id giver_id: ulid @of(Member) count 400k size 400B }
relationship Member 1:N Swap { children avg 8, max 900 }
table Things {
  partition key PK: string
  sort key SK: string
  item Member { PK = \"M#{member_id}\" SK = \"M\" }
  item Swap { PK = \"M#{giver_id}\" SK = \"S#{swap_id}\" }
}
pattern Page { query Things where PK = \"M#{member_id}\" limit 60 rate 5/s }
";
    let made = Made::new("families", text);
    assert!(
        made.document.contains("**Kept Together**: Member and Swap (at most 900) under one partition key of `Things`.")
    );
    assert!(made.document.contains("**Kept Apart**: 0 entities with keys of their own: none."));
    let line = "**Member** and **Swap** share the partition key `PK = \"M#{member_id}\"` or `PK = \"M#{giver_id}\"` in";
    assert!(made.document.contains(line), "{}", made.section("## Aggregate Design Decisions"));
    assert!(made.document.contains("as decided: `Member` and `Swap` are items under one partition key of `Things`"));
}
