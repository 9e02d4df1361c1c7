//! The rules on how entities are kept together: at their thresholds, with what is
//! not known, and where somebody has given a reason.

use crate::support::page::{findings, key, levels, message};
use keywright::capacity::cost::model_cost;
use keywright::model::db::{Host, Workspace};
use keywright::model::files::FileContent;

/// Two entities in two tables with three patterns: one reads both, one each.
fn pair(relationship: &str, both: &str, one: &str, other: &str, more: &str) -> String {
    format!(
        "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity A {{ a_id: uuid @id count 1k size avg 2KB, max 4KB }}
entity B {{ b_id: ulid @id a_id: uuid @of(A) count 9k size avg 500B, max 9KB }}
{relationship}
table As {{ partition key a_id item A }}
table Bs {{ partition key a_id sort key b_id item B }}
pattern Both {{ get A from As query Bs where a_id = :a_id limit 50 rate {both} }}
pattern OnlyA {{ get A from As rate {one} }}
pattern OnlyB {{ query Bs where a_id = :a_id limit 50 rate {other} }}
pattern PutA {{ put A into As if not_exists rate 1/s }}
{more}"
    )
}

const BOUNDED: &str = "relationship A 1:N B { children avg 9, max 40 identifying }";
const SMALL: &str = "relationship A 1:N B { children avg 9, max 10 identifying }";

/// Which of the two advices a model gets, if any.
fn advice(text: &str) -> Vec<&'static str> {
    let all = ["collection-candidate", "embed-candidate"];
    all.into_iter().filter(|rule| !findings(text, rule).is_empty()).collect()
}

#[test]
fn the_read_share_decides_what_is_advised() {
    let (none, collection, embed): ([&str; 0], _, _) = ([], ["collection-candidate"], ["embed-candidate"]);
    for (relationship, both, one, other, expected) in [
        // 50 % and 90 % are not over 50 % and 90 %.
        (BOUNDED, "10/s", "5/s", "5/s", &none[..]),
        (BOUNDED, "10/s", "5/s", "4.9/s", &collection),
        (SMALL, "90/s", "10/s", "0/s", &collection),
        (SMALL, "90/s", "9.9/s", "0/s", &embed),
        // 40 children of 9 KB are no one item.
        (BOUNDED, "90/s", "9.9/s", "0/s", &collection),
        // Nobody says how many there are at most.
        ("relationship A 1:N B { children avg 9 identifying }", "90/s", "1/s", "0/s", &none),
        ("relationship A 1:1 B", "90/s", "1/s", "0/s", &embed),
        ("relationship A N:M B { children avg 9, max 10 }", "90/s", "1/s", "0/s", &none),
    ] {
        let text = pair(relationship, both, one, other, "");
        assert_eq!(advice(&text), expected, "{text}");
    }
}

#[test]
fn an_unknown_rate_is_never_taken_for_none() {
    let silent: [&str; 0] = [];
    let model = pair(SMALL, "90/s", "1/s", "1/s", "");
    assert_eq!(advice(&model), ["embed-candidate"]);
    for missing in ["rate 1/s }\npattern OnlyB", "rate 90/s "] {
        let text = model.replacen(missing, &missing.replacen("rate 1/s", "", 1).replacen("rate 90/s", "", 1), 1);
        assert_ne!(text, model);
        assert_eq!(advice(&text), silent, "{text}");
    }
    // What another store answers is no read of these tables.
    let external = "pattern Search { reads A rate 900/s external \"OpenSearch\" because \"Full text.\" }";
    assert_eq!(advice(&pair(SMALL, "90/s", "1/s", "1/s", external)), ["embed-candidate"]);
    // A pattern reads what its `reads` lists, whatever its operations reach.
    let listed = model.replace("pattern Both { get", "pattern Both { reads A get");
    assert_eq!(advice(&listed), silent);
    // One that nothing answers yet counts as well.
    let open = "pattern Plan { reads A rate 900/s }";
    assert_eq!(advice(&pair(SMALL, "90/s", "1/s", "1/s", open)), silent);
}

#[test]
fn a_reason_silences_and_no_reason_does_not() {
    let silent: [&str; 0] = [];
    let with = |aggregate: &str| advice(&pair(SMALL, "90/s", "1/s", "0/s", aggregate));
    assert_eq!(with("aggregate B, A { decision separate_tables because \"Two owners.\" }"), silent);
    assert_eq!(with("aggregate A, B { decision separate_tables }"), ["embed-candidate"]);
    // The reason may stand where the text does not parse.
    assert_eq!(with("aggregate A, B { decision separate_tables because }"), silent);
    // A second relationship of the two says nothing new.
    let twice = format!("{SMALL}\nrelationship A 1:N B by a_id {{ children avg 1, max 2 }}");
    let text = pair(&twice, "90/s", "1/s", "0/s", "");
    assert_eq!(findings(&text, "embed-candidate").len(), 1, "{text}");
}

#[test]
fn writes_are_held_against_the_reads_saved() {
    let silent: [&str; 0] = [];
    let put = |rate: &str| format!("pattern PutB {{ put B into Bs rate {rate} }}");
    let with = |rate: &str| pair(SMALL, "90/s", "1/s", "0/s", &put(rate));
    // One item of 6.5 KB reads for 1 unit instead of 0.5 + 1; a write is 7 units
    // instead of 1. A write unit costs five read units: 90 × 0.5 / (6 × 5) = 1.5,
    // less the put of A, five units dearer, and who reads A alone: 0.65.
    assert_eq!(advice(&with("0.6/s")), ["embed-candidate"]);
    assert_eq!(advice(&with("0.7/s")), ["collection-candidate"]);
    assert_eq!(advice(&with("1.6/s")), ["collection-candidate"]);
    let told = message("embed-candidate", &with("0.6/s"));
    assert!(told.contains("98.9 % of the reads of either read both (`Both`: 90 of 91 calls a second)"), "{told}");
    assert!(told.contains("10 at most, takes no more than 94"), "{told}");
    assert!(told.contains("cost $29.16 instead of $43.74 a month"), "{told}");
    assert!(told.contains("the writes of the children $6.80 instead of $0.97 a month"), "{told}");
    assert!(told.contains("and all that reads or writes either $47.63 instead of $48.11"), "{told}");
    assert!(told.contains("and one `A` with all its `B`"), "{told}");
    // A put with its parent is no rewrite.
    let together = "pattern PutBoth { transact write { put A into As put B into Bs times 9 } rate 50/s }";
    assert_eq!(advice(&pair(SMALL, "90/s", "1/s", "0/s", together)), ["embed-candidate"]);
    // Without a price, only what is better in both is certain.
    let no_region = with("1.4/s").replace(" region \"us-east-1\"", "");
    assert_eq!(advice(&no_region), ["collection-candidate"]);
    let unpriced =
        message("embed-candidate", &pair(SMALL, "90/s", "1/s", "0/s", "").replace(" region \"us-east-1\"", ""));
    assert!(unpriced.contains("90 instead of 135 units a second, and all that"), "{unpriced}");
    assert!(unpriced.contains("7 instead of 2 write units a second (its price needs a `region`"), "{unpriced}");
    assert_eq!(advice(&pair("", "90/s", "1/s", "0/s", "")), silent);
}

/// Children in their parent's item.
fn lot(patterns: &str) -> String {
    format!(
        "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity Lot {{ lot_id: uuid @id count 1k size avg 100B, max 200B }}
entity Bid {{ bid_id: ulid @id lot_id: uuid @of(Lot) size 200B }}
relationship Lot 1:N Bid {{ children avg 40, max 300 }}
table Lots {{ partition key lot_id item Lot embeds Bid as bids }}
{patterns}"
    )
}

#[test]
fn rewrites_are_priced_both_ways() {
    let rule = "embedded-write-amplification";
    let with = |bids: &str, reads: &str| {
        lot(&format!(
            "pattern Bids {{ put Bid into Lots rate {bids} }}\npattern Show {{ get Lot from Lots rate {reads} }}"
        ))
    };
    // 8 units instead of 1 a bid; 1 unit instead of 0.5 + 1 a read.
    let told = message(rule, &with("10/s", "20/s"));
    assert!(told.contains("8 write units each instead of 1"), "{told}");
    assert!(told.contains("$130 a month in one item and $16.20 apart"), "{told}");
    assert!(told.contains("reads of both $6.48 a month in one item and $9.72 apart"), "{told}");
    // 7 × 5 units a bid more, half a unit a read less: 70 reads pay one bid.
    assert_eq!(levels(rule, &with("1/s", "71/s")).len(), 0);
    assert_eq!(levels(rule, &with("1/s", "69/s")), ["warning"]);
    // An update and a delete rewrite as a put does; a rate that is not known says nothing.
    for write in ["update Bid in Lots set lot_id", "delete Bid from Lots"] {
        let text = lot(&format!("pattern P {{ {write} rate 9/s }}\npattern Show {{ get Lot from Lots rate 1/s }}"));
        assert_eq!(levels(rule, &text), ["warning"], "{text}");
    }
    assert_eq!(levels(rule, &with("10/s", "20/s").replace("rate 20/s", "")).len(), 0);
    assert_eq!(levels(rule, &lot("pattern Show { get Lot from Lots rate 1/s }")).len(), 0);
}

#[test]
fn a_guard_shares_its_table_for_a_reason() {
    let model = |unique: &str| {
        format!(
            "entity User {{ user_id: uuid @id email: string{unique} @size(20B) count 1k }}
entity Claim {{ email: string @id @size(20B) user_id: uuid @of(User) count 1k }}
relationship User 1:1 Claim
table Users {{ partition key record: string
  item User {{ record = \"USER#{{user_id}}\" }}
  item Claim {{ record = \"EMAIL#{{email}}\" }}
}}
pattern SignUp {{ transact write {{ put User into Users if not_exists put Claim into Users if not_exists }} rate 1/s }}
pattern Show {{ get User from Users rate 1/s }}
pattern Find {{ get Claim from Users rate 1/s }}"
        )
    };
    assert_eq!(findings(&model(""), "loose-collection").len(), 1);
    assert_eq!(findings(&model(" @unique"), "loose-collection").len(), 0);
}

#[test]
fn what_lies_between_entities_ties_them() {
    let model = |relationship: &str, more: &str| {
        format!(
            "entity A {{ a_id: uuid @id count 1 size 1KB }}
entity B {{ b_id: uuid @id count 1 size 1KB }}
entity C {{ c_id: uuid @id count 1 size 1KB }}
{relationship}
table T {{ partition key record: string
  item A {{ record = \"A#{{a_id}}\" }}
  item B {{ record = \"B#{{b_id}}\" }}
  item C {{ record = \"C#{{c_id}}\" }}
}}
{more}"
        )
    };
    let rule = "unrelated-entities";
    let told = message(rule, &model("relationship A 1:N C", ""));
    assert!(told.contains("2 groups of entities") && told.contains("`A` and `C`; `B`"), "{told}");
    for (relationship, more, count) in [
        ("", "", 1),
        ("relationship A 1:N B\nrelationship B N:M A through C", "", 0),
        ("", "pattern P { batch get { get A from T get B from T get C from T } }", 0),
        ("", "pattern P { reads A, B by a_id }\npattern Q { writes C, A }", 0),
        ("", "pattern P { query T where record = :record }", 0),
        ("", "pattern P { scan T }", 1),
        ("relationship A 1:N B", "aggregate B, C { because \"One ledger.\" }", 0),
        // What does not parse may be the tie.
        ("relationship A 1:N B", "pattern P { reads B, C by }", 0),
    ] {
        let text = model(relationship, more);
        assert_eq!(findings(&text, rule).len(), count, "{text}");
    }
    // Keys of one name are no id of one owner.
    let id = "entity A { id: uuid @id count 1 }\nentity B { id: uuid @id count 1 }
table T { partition key id item A item B { id = id } }";
    assert_eq!(findings(id, rule).len(), 1);
}

#[test]
fn an_edge_between_entities_of_one_kind_has_two_directions() {
    let model = |more: &str| {
        format!(
            "entity User {{ user_id: uuid @id count 1k size 1KB }}
entity Follow {{ follower: uuid @id @of(User) followed: uuid @id @of(User) count 9k }}
relationship User N:M User through Follow by follower {{ children avg 9, max 99 parents avg 9, max 99 }}
table Users {{ partition key user_id item User }}
table Follows {{ partition key follower sort key followed item Follow
  gsi Back {{ partition key followed projection keys_only }}
}}
pattern Show {{ get User from Users rate 9/s }}
{more}"
        )
    };
    let rule = "one-way-many-to-many";
    let forth = "pattern Forth { query Follows where follower = :user_id limit 9 rate 1/s }\n";
    let back = "pattern Back { query Follows.Back where followed = :user_id limit 9 rate 1/s }";
    for (patterns, count) in [
        (String::new(), 0),
        (forth.to_owned(), 1),
        (back.to_owned(), 1),
        (format!("{forth}{back}"), 0),
        (format!("{forth}pattern Plan {{ reads Follow by followed rate 1/s }}"), 0),
        (format!("{forth}pattern All {{ scan Follows.Back rate 1/s }}"), 1),
        // Who gets an edge knows both its ends.
        (format!("{forth}pattern Is {{ get Follow from Follows rate 1/s }}"), 1),
        ("pattern Is { get Follow from Follows rate 1/s }".to_owned(), 0),
    ] {
        let text = model(&patterns);
        assert_eq!(findings(&text, rule).len(), count, "{text}");
    }
}

#[test]
fn an_allow_in_a_pattern_speaks_for_its_workflows() {
    let model = |allow: &str| {
        format!(
            "entity E {{ id: uuid @id kind: string @size(4B) @distinct(9) count 1k size 1KB }}
table T {{ partition key id item E gsi ByKind {{ partition key kind }} }}
pattern Write {{ put E into T rate 1/s }}
pattern List {{ {allow} query T.ByKind where kind = :kind limit 9 rate 1/s }}
workflow W {{ Write, List }}"
        )
    };
    let rule = "read-your-write-on-gsi";
    assert_eq!(levels(rule, &model("")), ["info"]);
    let allowed = model("allow read-your-write-on-gsi because \"It may be late.\"");
    assert_eq!(levels(rule, &allowed).len(), 0);
    assert_eq!(levels("unused-allow", &allowed).len(), 0);
}

#[test]
fn decisions_are_held_against_all_tables() {
    let model = |decision: &str, tables: &str| {
        format!(
            "entity A {{ a_id: uuid @id state: enum(x, y) }}\nentity B {{ b_id: uuid @id a_id: uuid @of(A) state: enum(x, y) }}
relationship A 1:N B {{ children avg 2, max 4 }}
aggregate A, B {{ decision {decision} }}
{tables}"
        )
    };
    let apart = "table As { partition key a_id item A }\ntable Bs { partition key b_id item B }";
    let embedded = "table As { partition key a_id item A embeds B as bs }";
    let collection =
        "table As { partition key a_id sort key k: string item A { k = \"A\" } item B { k = \"B#{b_id}\" } }";
    let shared = "table As { partition key k: string item A { k = \"A#{a_id}\" } item B { k = \"B#{b_id}\" } }";
    let by_index = "table As { partition key k: string item A { k = \"A#{a_id}\" } item B { k = \"B#{b_id}\" }
gsi ByA { partition key a_id sort key k } }";
    let rule = "decision-contradicted";
    for (tables, single, collected, separate) in [
        (apart, 1, 1, 0),
        (embedded, 0, 1, 1),
        (collection, 1, 0, 1),
        (shared, 1, 1, 1),
        (by_index, 1, 0, 1),
        // Items of one state are of who knows whom.
        (&by_index.replace("partition key a_id sort key k", "partition key state sort key k"), 1, 1, 1),
        // What is in no table contradicts nothing; what seems to be missing may be
        // what cannot be read.
        ("table As { partition key a_id item A }", 0, 0, 0),
        (
            "table As { partition key a_id item A }\ntable Bs { partition key b_id item B }\ntable X { item A item B",
            0,
            0,
            1,
        ),
    ] {
        for (decision, count) in
            [("single_item", single), ("item_collection", collected), ("separate_tables", separate)]
        {
            let text = model(decision, tables);
            assert_eq!(findings(&text, rule).len(), count, "{text}");
        }
    }
}

#[test]
fn the_names_of_a_school_are_its_own() {
    let model = |table: &str| {
        format!(
            "application A {{ domain \"d\" scale \"s\" style single_table }}
entity E {{ id: uuid @id a: string @size(4B) count 1k }}
table T {{ {table} }}"
        )
    };
    let rule = "natural-key-name";
    for (table, count) in [
        ("partition key PK: string item E { PK = \"E#{id}\" }", 0),
        ("partition key id item E", 1),
        ("partition key pk: string sort key sk: string item E { pk = \"E#{id}\" sk = \"E\" }", 2),
        ("partition key PK: string item E { PK = \"E#{id}\" } gsi X { partition key a }", 1),
        ("partition key PK: string item E { PK = \"E#{id}\" } gsi X { partition key a, id }", 0),
        ("partition key PK: string sort key SK: string item E { PK = \"{id}\" SK = \"E\" } lsi X { sort key a }", 1),
        (
            "partition key PK: string sort key SK: string item E { PK = \"{id}\" SK = \"E\" } gsi X { partition key SK sort key PK }",
            0,
        ),
        // A name is told once, however many indexes use it.
        (
            "partition key PK: string item E { PK = \"E#{id}\" } gsi X { partition key a } gsi Y { partition key a sort key PK }",
            1,
        ),
    ] {
        assert_eq!(findings(&model(table), rule).len(), count, "{table}");
    }
    let told = message(rule, &model("partition key PK: string item E { PK = \"E#{id}\" } gsi X { partition key a }"));
    assert!(told.contains("`GSI1PK = \"E#{a}\"`"), "{told}");
}

/// What a model costs a month, as `keywright cost` says.
fn dollars(text: &str) -> f64 {
    let mut host = Host::default();
    host.set(key("main.dynamo"), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key("main.dynamo")];
    model_cost(db, root).total.value().unwrap_or_else(|| panic!("a price of\n{text}"))
}

#[test]
fn what_embedding_saves_is_what_the_model_then_costs_less() {
    for (patterns, then, saves) in [
        ("pattern PutB { put B into Bs rate 0.6/s }", "pattern PutB { put B into As rate 0.6/s }", true),
        ("pattern PutB { put B into Bs rate 0.7/s }", "pattern PutB { put B into As rate 0.7/s }", false),
        ("pattern U { update A in As set x rate 0.1/s }", "pattern U { update A in As set x rate 0.1/s }", true),
        ("pattern U { update A in As set x rate 1/s }", "pattern U { update A in As set x rate 1/s }", false),
        (
            "pattern PutBoth { transact write { put A into As put B into Bs times 9 } rate 5/s }",
            "pattern PutBoth { transact write { put A into As } rate 5/s }",
            true,
        ),
    ] {
        let text = pair(SMALL, "90/s", "1/s", "0/s", patterns).replace("entity A {", "entity A { x: number");
        let embedded = text
            .replace(patterns, then)
            .replace("table As { partition key a_id item A }", "table As { partition key a_id item A embeds B as bs }")
            .replace("table Bs { partition key a_id sort key b_id item B }", "")
            .replace(" query Bs where a_id = :a_id limit 50", "")
            .replace("pattern OnlyB { rate 0/s }", "");
        let saved = dollars(&text) - dollars(&embedded);
        assert_eq!(saved > 0.0, saves, "{saved}\n{embedded}");
        assert_eq!(advice(&text) == ["embed-candidate"], saves, "{text}");
        if saves {
            let told = message("embed-candidate", &text);
            let total = told.split("all that reads or writes either ").nth(1).expect("a total");
            let amounts: Vec<f64> = total
                .split('$')
                .skip(1)
                .take(2)
                .map(|amount| {
                    let digits: String = amount.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
                    digits.trim_end_matches('.').parse().expect("dollars")
                })
                .collect();
            assert!((amounts[1] - amounts[0] - saved).abs() < 0.5, "{saved}: {told}");
        }
    }
}

#[test]
fn what_is_to_be_embedded_is_held_against_all_that_touches_either() {
    let with = |patterns: &str| pair(SMALL, "90/s", "1/s", "0/s", patterns);
    let (embed, collection) = (["embed-candidate"], ["collection-candidate"]);
    for (patterns, expected) in [
        ("", embed),
        // Each write of the parent carries nine children.
        ("pattern U { update A in As set x rate 1/s }", collection),
        ("pattern D { delete A from As rate 1/s }", collection),
        ("pattern C { transact write { check A in As if exists put A as b into As } rate 0.1/s }", embed),
        // Puts of both are cheaper in one.
        (
            "pattern U { update A in As set x rate 1/s } pattern Both2 { put A into As put B into Bs times 9 rate 50/s }",
            embed,
        ),
    ] {
        let text = with(patterns).replace("entity A {", "entity A { x: number");
        assert_eq!(advice(&text), expected, "{text}");
    }
}

#[test]
fn an_edge_that_no_relationship_names_is_named_there() {
    let model = |more: &str| {
        format!(
            "entity A {{ a_id: uuid @id count 1k size 90B }}
entity B {{ b_id: uuid @id count 1k size 90B }}
entity E {{ a_id: uuid @id @of(A) b_id: uuid @id @of(B) count 9k size 90B }}
{more}"
        )
    };
    let rule = "missing-relationship";
    for (more, expected) in [
        ("relationship A N:M B { children avg 9, max 20 }", &["add `through E`"][..]),
        ("relationship B N:M A", &["add `through E`"]),
        ("relationship A N:M B through E { children avg 9, max 20 }", &[]),
        ("relationship A N:M B through F", &["`relationship A", "`relationship B"]),
        ("relationship A 1:N B", &["`relationship A", "`relationship B"]),
        ("relationship A N:M B relationship A 1:N E", &["`relationship B"]),
        ("", &["`relationship A", "`relationship B"]),
    ] {
        let found = findings(&model(more), rule);
        assert_eq!(found.len(), expected.len(), "{more}: {found:?}");
        for (found, says) in found.iter().zip(expected) {
            assert!(found.message.contains(says), "{more}: {found:?}");
        }
    }
}

/// The id of an embedded entity tells it apart within its parent only: a thing is in
/// many carts. That of an item of its own tells it apart for good.
#[test]
fn what_is_embedded_is_one_of_many() {
    let model = |item: &str| {
        format!(
            "entity Thing {{ thing_id: ulid @id count 1k size 90B }}
entity Cart {{ cart_id: uuid @id count 1k size 90B }}
entity Line {{ thing_id: ulid @id @of(Thing) cart_id: uuid @of(Cart) count 3k size 9B }}
relationship Cart 1:N Line {{ children avg 3, max 9 }}
table Carts {{ partition key cart_id {item} }}"
        )
    };
    for (item, expected) in [
        ("item Cart embeds Line as lines", "`relationship Thing 1:N Line`, with `children avg …, max …`"),
        ("item Line", "`relationship Thing 1:1 Line`"),
    ] {
        let found = findings(&model(item), "missing-relationship");
        assert_eq!(found.len(), 1, "{item}: {found:?}");
        assert!(found[0].message.ends_with(expected), "{item}: {found:?}");
    }
}

#[test]
fn children_that_are_put_with_their_parent_grow_once() {
    let model = |puts: &str, growing: &str| {
        format!(
            "entity P {{ p_id: uuid @id count 1k size 90B }}
entity C {{ c_no: number @id p_id: uuid @of(P) count 5k, growing {growing} size 9B }}
relationship P 1:N C {{ children avg 5, max 9 }}
table Ps {{ partition key p_id item P embeds C as cs }}
pattern W {{ {puts} rate 2/s }}"
        )
    };
    for (puts, growing, count) in [
        ("put P into Ps", "10/s", 0),
        ("put P into Ps put C into Ps times 5", "10/s", 0),
        ("put P into Ps put C into Ps times 5", "4/s", 1),
        ("put C into Ps times 5", "10/s", 0),
        ("put C into Ps times 5", "40/s", 1),
    ] {
        let found = findings(&model(puts, growing), "growth-disagrees");
        assert_eq!(found.len(), count, "{puts} {growing}: {found:?}");
    }
}
