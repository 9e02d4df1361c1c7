//! What the thresholds decide of a pair, on their two sides, and what stands beside it.

use super::made::{BOUNDED, line, of, of_files, pair};
use super::sections::check;
use keywright::ide::Analysis;
use keywright::model::db::Host;
use keywright::model::files::{FileContent, FileKey};

#[test]
fn the_share_decides_on_both_sides_of_each_threshold() {
    let identifying = "relationship A 1:N B { children avg 9, max 40 identifying }";
    let unbounded = "relationship A 1:N B { children avg 9 }";
    let large = "relationship A 1:N B { children avg 9, max 200 }";
    for (relationship, rates, decision) in [
        (BOUNDED, ["91/s", "9/s", "0/s"], "one item"),
        (BOUNDED, ["90/s", "10/s", "0/s"], "item collection"),
        (unbounded, ["91/s", "9/s", "0/s"], "item collection"),
        // 4 KB and 200 of 900 B are over 100 KB.
        (large, ["91/s", "9/s", "0/s"], "item collection"),
        (BOUNDED, ["50/s", "25/s", "25/s"], "item collection"),
        // Below half the cost decides: one query saves the half unit of the get.
        (BOUNDED, ["49/s", "1/s", "50/s"], "item collection"),
        (BOUNDED, ["30/s", "0/s", "70/s"], "item collection"),
        (BOUNDED, ["29/s", "0/s", "71/s"], "separate tables"),
        (BOUNDED, ["0/s", "1/s", "1/s"], "separate tables"),
    ] {
        let document = of(&pair(relationship, rates, ""));
        check(&document);
        let line = line(&document, "Decision");
        assert!(line.starts_with(&format!("**{decision}**, by the thresholds")), "{rates:?} {line}");
    }
    // Where the writes cost most, that saves no tenth.
    let dear = "pattern PutB { put B into Bs if not_exists rate 1_000/s }";
    for (rates, decision) in [
        (["50/s", "25/s", "25/s"], "item collection"),
        (["49/s", "1/s", "50/s"], "separate tables"),
        (["30/s", "0/s", "70/s"], "separate tables"),
    ] {
        let document = of(&pair(BOUNDED, rates, dear));
        let line = line(&document, "Decision");
        assert!(line.starts_with(&format!("**{decision}**, by the thresholds")), "{rates:?} {line}");
    }
    // An identifying relationship keeps the two together at any share.
    for rates in [["29/s", "0/s", "71/s"], ["0/s", "1/s", "1/s"], ["40/s", "30/s", "30/s"]] {
        let document = of(&pair(identifying, rates, ""));
        let line = line(&document, "Decision");
        assert!(line.starts_with("**item collection**") || line.starts_with("**one item**"), "{rates:?} {line}");
    }
}

/// Both small: a get and a query take half a read unit each, one query takes half
/// for both. Of the cost of reading that is a third of what the pair takes.
#[test]
fn between_the_thresholds_the_cost_decides_and_the_sum_is_shown() {
    let model = |writes: &str| {
        format!(
            "application App {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity A {{ a_id: uuid @id count 1k size avg 200B, max 400B }}
entity B {{ b_id: ulid @id a_id: uuid @of(A) count 9k size avg 100B, max 200B }}
relationship A 1:N B {{ children avg 9 }}
table As {{ partition key a_id item A }}
table Bs {{ partition key a_id sort key b_id item B }}
pattern Both {{ get A from As query Bs where a_id = :a_id limit 5 rate 40/s }}
pattern OnlyA {{ get A from As rate 60/s }}
pattern PutA {{ put A into As if not_exists rate {writes} }}
"
        )
    };
    let cheap = of(&model("0.001/s"));
    assert!(line(&cheap, "Decision").starts_with("**item collection**"), "{}", line(&cheap, "Decision"));
    // 70 read units a second apart, 50 together, at $0.125 a million.
    let why = line(&cheap, "Justification");
    assert!(why.starts_with("Together they cost less by more than 10 % a month."), "{why}");
    let shown = |units: f64| format!("${:.2}", units * 2_592_000.0 * 0.125e-6 + 0.001 * 2_592_000.0 * 0.625e-6);
    assert!(why.contains(&format!("{} a month together, {} apart", shown(50.0), shown(70.0))), "{why}");
    // Writes weigh so much that a tenth is not saved.
    let dear = of(&model("100/s"));
    assert!(line(&dear, "Decision").starts_with("**separate tables**"), "{}", line(&dear, "Decision"));
    // Without a price nobody can say.
    let unknown = of(&model("0.001/s").replace("region \"us-east-1\"", ""));
    let decision = line(&unknown, "Decision");
    assert!(decision.starts_with("**open**"), "{decision}");
    assert!(line(&unknown, "Justification").contains("the monthly cost needs"), "{unknown}");
}

/// The numbers of a pair are those of the rule that speaks about it.
#[test]
fn the_rules_say_the_same_numbers() {
    let text = pair(BOUNDED, ["91/s", "9/s", "0/s"], "");
    let mut host = Host::default();
    let key = FileKey::new("/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let found = Analysis::new(host.snapshot()).diagnostics(&key).expect("nothing changes");
    let rule =
        found.iter().find(|finding| finding.rule == "embed-candidate").expect("they are nearly always read together");
    let document = of(&text);
    assert!(line(&document, "Access Correlation").starts_with("91 % of the reads of either read both"));
    assert!(rule.message.contains("91 % of the reads of either read both"), "{}", rule.message);
    assert!(line(&document, "Query Patterns").starts_with("A only 9 %, B only 0 %, both 91 % of 100/s"));
    let size = line(&document, "Size Constraints").split("40 at most, ").nth(1).expect("a size").trim_end_matches('.');
    assert!(rule.message.contains(&format!("40 at most, takes no more than {size}: ")), "{size}: {}", rule.message);
    // The sum of all that touches either, in one item and apart.
    let sum = line(&document, "Justification").split("in one item: ").nth(1).expect("a sum");
    let (together, rest) = sum.split_once(" a month together, ").expect("together");
    let (apart, _) = rest.split_once(" apart.").expect("apart");
    let expected = format!("all that reads or writes either {together} instead of {apart};");
    assert!(rule.message.contains(&expected), "{expected}: {}", rule.message);
}

#[test]
fn a_share_without_rates_is_unknown_and_decides_nothing() {
    let document = of(&pair(BOUNDED, ["91/s", "9/s", "0/s"], "").replace("rate 9/s", ""));
    check(&document);
    let queries = line(&document, "Query Patterns");
    assert!(queries.starts_with("unknown: needs") && queries.contains("OnlyA"), "{queries}");
    assert!(line(&document, "Decision").starts_with("**open**"), "{document}");
    let nobody = of("entity A { a_id: uuid @id }\nentity B { b_id: uuid @id }\nrelationship A 1:N B\n");
    assert_eq!(line(&nobody, "Query Patterns"), "no pattern reads either.");
    assert!(line(&nobody, "Decision").starts_with("**open**"), "{nobody}");
}

#[test]
fn a_declared_decision_stands_beside_that_of_the_thresholds() {
    let declared = |decision: &str| {
        let aggregate = format!("aggregate A, B {{ decision {decision} because \"They are sold together.\" }}");
        of(&pair(BOUNDED, ["60/s", "20/s", "20/s"], &aggregate))
    };
    let same = declared("item_collection");
    let decision = line(&same, "Decision");
    assert!(decision.starts_with("**item collection**, as the model declares and the thresholds say"), "{decision}");
    assert!(decision.contains("the tables do otherwise: `A` is kept in `As` and `B` in `Bs`"), "{decision}");
    let other = declared("separate_tables");
    let decision = line(&other, "Decision");
    let expected = "**separate tables**, as the model declares; the thresholds say item collection; the tables do so: ";
    assert!(decision.starts_with(expected), "{decision}");
    let why = line(&other, "Justification");
    // What the model decides is justified by what it says; what stands against it is
    // said to.
    let expected = "The model decides: They are sold together. Against it stands: 50 % or more of the reads of either \
                    read both. Cost of ";
    assert!(why.starts_with(expected), "{why}");
    assert_eq!(why.matches("They are sold together.").count(), 1, "{why}");
}

#[test]
fn a_team_that_sets_a_threshold_sets_it_in_the_document_as_well() {
    let text = pair(BOUNDED, ["60/s", "40/s", "0/s"], "pattern PutB { put B into Bs if not_exists rate 1_000/s }");
    let toml = "[thresholds.collection-candidate]\nread_share = \"70%\"\n";
    let usual = of(&text);
    let set = of_files(&[("m.dynamo", &text)], Some(toml));
    assert!(usual.contains("- From 50 % to 90 %: one item collection."), "{usual}");
    assert!(set.contains("- From 70 % to 90 %: one item collection."), "{set}");
    assert!(line(&usual, "Decision").starts_with("**item collection**"));
    assert!(line(&set, "Decision").starts_with("**separate tables**"), "{}", line(&set, "Decision"));
}

#[test]
fn in_a_model_of_one_table_nothing_has_a_table_of_its_own() {
    let text = "application App { domain \"d\" scale \"s\" style single_table }
entity A { a_id: uuid @id }
entity B { b_id: uuid @id a_id: uuid @of(A) }
relationship A 1:N B { children avg 2, max 9 }
table Data { partition key PK: string sort key SK: string
  item A { PK = \"A#{a_id}\" SK = \"A\" }
  item B { PK = \"B#{b_id}\" SK = \"B\" } }
pattern GetA { get A from Data rate 1/s }
pattern GetB { get B from Data rate 1/s }
";
    let document = of(text);
    let decision = line(&document, "Decision");
    assert!(decision.starts_with("**apart, each under partition keys of its own**"), "{decision}");
    assert!(decision.contains("the tables do so: "), "{decision}");
}

/// A team that sets one threshold above the next leaves nothing between the two.
#[test]
fn thresholds_out_of_order_print_what_they_do() {
    let text = pair(BOUNDED, ["60/s", "40/s", "0/s"], "");
    let toml =
        "[thresholds.embed-candidate]\nread_share = \"85%\"\n[thresholds.collection-candidate]\nread_share = \"95%\"\n";
    let document = of_files(&[("m.dynamo", &text)], Some(toml));
    assert!(!document.contains("From 95 % to 85 %"), "{document}");
    assert!(document.contains("- Over 85 % of the reads of either read both: "), "{document}");
    assert!(document.contains("- From 30 % to 85 %: together where the relationship is identifying"), "{document}");
    let idle = "- The 95 % that is set for `collection-candidate` is above 85 %, and decides nothing.";
    assert!(document.contains(idle), "{document}");
    assert!(!of(&text).contains("decides nothing"));
}

/// What is provisioned is rounded up in the cost estimates, and not where a pair is
/// compared.
#[test]
fn the_prices_that_a_pair_is_compared_at_are_said() {
    let text = pair(BOUNDED, ["40/s", "30/s", "30/s"], "");
    let told = |text: &str| line(&of(text), "Justification").to_owned();
    assert!(!told(&text).contains("Compared "), "{}", told(&text));
    let provisioned = text.replace("partition key a_id item A", "partition key a_id item A capacity provisioned");
    assert_ne!(provisioned, text);
    let expected = "Compared at the prices of `As`; what is provisioned is not rounded up to whole units.";
    assert!(told(&provisioned).contains(expected), "{}", told(&provisioned));
}
