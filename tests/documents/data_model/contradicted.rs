//! A box is ticked only if nothing that the same document says stands against it.

use super::boxes::{SOUND, of_box};
use super::made::Made;

const NEEDED: &str = "Every index is justified, and none is needless";

#[test]
fn what_is_assumed_of_popularity_opens_the_box_where_it_matters() {
    let question = "No key is hot, and the load of each is known";
    let assumed = "taken as even, no `@hottest` is declared";
    // However popular a warehouse is, 5 calls a second heat nothing.
    assert_eq!(of_box(SOUND, question), format!("- [x] {question}"));
    let made = Made::new("heat", SOUND);
    let heat = made.section("## Hot Partition Analysis");
    assert!(heat.contains(&format!("`warehouse` of Order {assumed}")), "{heat}");
    // 9,000 would, if all asked for one.
    let busy = SOUND.replace("rate avg 1/s, peak 5/s", "rate avg 1/s, peak 9_000/s");
    let told = of_box(&busy, question);
    assert!(
        told.starts_with(&format!("- [ ] {question}: `warehouse` of Customers {assumed}, and one value ")),
        "{told}"
    );
    // What is declared is not assumed.
    let declared = |text: &str| text.replace("@distinct(1000)", "@distinct(1000) @hottest(1%)");
    assert_eq!(of_box(&declared(&busy), question), format!("- [x] {question}"));
    let made = Made::new("heat", &declared(SOUND));
    assert!(!made.section("## Hot Partition Analysis").contains("`warehouse` of Order"));
}

/// Two calls at once can undo each other: the notes say so, and no box says otherwise.
#[test]
fn a_lost_update_opens_the_box_of_consistency() {
    let question = "Consistency is as it is needed";
    let with = |condition: &str| {
        let stock = format!(
            "entity Stock {{ sku: string @id @size(9B) left: number count 1k }}
/// What is left.
table Stocks {{ partition key sku because \"by article\" item Stock }}
pattern PutStock {{ put Stock into Stocks if not_exists rate avg 1/s, peak 2/s }}
pattern Left {{ get Stock from Stocks rate avg 1/s, peak 2/s latency 9ms }}
pattern Take {{ update Stock in Stocks set left if {condition} rate avg 1/s, peak 2/s }}
"
        );
        format!("{SOUND}\n{stock}")
    };
    let lost = with("left >= :quantity");
    let told = of_box(&lost, question);
    let words = "sets `left` to what the caller computed from a value read before: of two calls at once, the later \
                 undoes the earlier; count in the update instead (`left = left - :quantity`), or compare a version";
    assert!(told.starts_with(&format!("- [ ] {question}: ")) && told.contains(&format!("Take: {words} (")), "{told}");
    let made = Made::new("lost", &lost);
    assert!(made.section("### Solved Patterns").contains(words), "{}", made.document);
    // The comment of the request is the same sentence, without the marks of code.
    let comment: String =
        made.document.lines().filter_map(|line| line.strip_prefix("// ")).collect::<Vec<_>>().join(" ");
    assert!(comment.contains(&format!("This {}.", words.replace('`', ""))), "{comment}");
    assert_eq!(of_box(&with("left = :seen"), question), format!("- [x] {question}"));
}

/// A page that can be full before what is asked for is in it does not read it.
#[test]
fn a_first_page_that_can_end_before_what_is_asked_for_opens_the_box() {
    let question = "Every read is bounded, and reads what is asked for";
    let ascending = SOUND.replace("descending limit 21", "limit 21").replace("\"PROFILE\"", "\"Z\"");
    let told = of_box(&ascending, question);
    let words = "CustomerPage: a first page of 21 can end before any Customer: Order may fill it (";
    assert!(told.starts_with(&format!("- [ ] {question}: ")) && told.contains(words), "{told}");
    // Who does not ask for it misses nothing, and who follows the pages gets it.
    let orders = ascending.replace("reads Customer, Order by id", "reads Order by id");
    assert!(!of_box(&orders, question).contains("can end before"), "{}", of_box(&orders, question));
    let paged =
        ascending.replace("  rate avg 100/s, peak 200/s\n", "  rate avg 100/s, peak 200/s\n  pages avg 2, max 50\n");
    assert!(!of_box(&paged, question).contains("can end before"), "{}", of_box(&paged, question));
}

/// What stands beside the box as "not declared" opens it.
#[test]
fn a_table_or_an_index_without_a_purpose_is_not_justified() {
    let silent = SOUND.replace("/// Customers with what they bought.\n", "");
    assert!(Made::new("silent", &silent).document.contains("**Purpose**: not declared"));
    let told = of_box(&silent, "Every table is justified");
    assert!(told.starts_with("- [ ] ") && told.contains("the purpose of Customers is not declared"), "{told}");
    let keyed = SOUND
        .replace("    purpose \"What a warehouse packs.\"\n", "")
        .replace("partition key warehouse", "partition key warehouse because \"they pack\"");
    let told = of_box(&keyed, NEEDED);
    assert!(told.starts_with("- [ ] ") && told.contains("GSI ByWarehouse has no declared `purpose`"), "{told}");
    let said = keyed.replace("  gsi ByWarehouse", "  /// What a warehouse packs.\n  gsi ByWarehouse");
    assert_eq!(of_box(&said, NEEDED), format!("- [x] {NEEDED}"));
}
