//! What the implementation notes say of what comes after a write: a late retry, another
//! call at the same moment, what a deleted thing leaves behind.

use crate::printed::made::part;
use keywright::deliverables::DocumentKind;

const LISTINGS: &str = r#"
entity Listing { listing_id: ulid @id stock: number price: number count 100 size 1KB }
entity Review { listing_id: ulid @id @of(Listing) review_id: ulid @id count 300 size 100B }
entity Photo { listing_id: ulid @id @of(Listing) photo_no: number @id count 300 size 100B }
relationship Listing 1:N Review { children avg 3, max 9_000 identifying }
relationship Listing 1:N Photo { children avg 3 identifying }
table Listings { partition key listing_id sort key entry: string
  item Listing { entry = "LISTING" }
  item Review { entry = "REVIEW#{review_id}" }
  item Photo { entry = "PHOTO#{photo_no:2}" } }
"#;

/// The table of patterns of the data model document.
fn mapping(patterns: &str) -> String {
    part(&format!("{LISTINGS}{patterns}"), DocumentKind::DataModel, "access-pattern-mapping")
}

#[test]
fn a_put_without_a_condition_says_what_a_late_retry_undoes() {
    let alone = mapping("pattern List { put Listing into Listings rate avg 1/s }");
    assert!(alone.contains("replaces what has the same key (safe to retry)"), "{alone}");
    let changed = mapping(
        "pattern List { put Listing into Listings rate avg 1/s }
         pattern Reprice { update Listing in Listings set price if exists rate avg 1/s }
         pattern Review { put Review into Listings if not_exists rate avg 1/s }",
    );
    let late = "replaces what has the same key, with all that was changed in it: a late retry undoes what 2 Reprice did \
                meanwhile";
    assert!(changed.contains(late), "{changed}");
    let many: String = ["A", "B", "C", "D", "E"]
        .map(|name| format!("pattern {name} {{ update Listing in Listings set price if exists rate avg 1/s }}\n"))
        .concat();
    let many = mapping(&format!("pattern List {{ put Listing into Listings rate avg 1/s }}\n{many}"));
    assert!(many.contains("undoes what 2 A, 3 B, 4 C and 2 more did meanwhile"), "{many}");
}

#[test]
fn an_update_of_what_was_read_before_says_that_two_calls_undo_each_other() {
    let lost = "sets `stock` to what the caller computed from a value read before: of two calls at once, the later \
                undoes the earlier; count in the update instead (`stock = stock - :pieces`), or compare a version";
    let take = "pattern Take { update Listing in Listings set stock if stock >= :pieces rate avg 1/s }";
    assert!(mapping(take).contains(lost), "{}", mapping(take));
    let request = part(&format!("{LISTINGS}{take}"), DocumentKind::DataModel, "request Take");
    assert!(request.contains("- Two calls at once can undo each other"), "{request}");
    let compared = mapping("pattern Take { update Listing in Listings set stock if stock = :seen rate avg 1/s }");
    assert!(!compared.contains("undoes the earlier"), "{compared}");
}

#[test]
fn a_deletion_says_what_stays() {
    let only = mapping("pattern Drop { delete Listing from Listings rate avg 1/s }");
    assert!(only.contains("what belongs or refers to it stays: Photo, Review (at most 9,000)"), "{only}");
    let both = mapping(
        "pattern Drop { delete Listing from Listings
           batch write { delete Photo from Listings times 3 } rate avg 1/s }",
    );
    assert!(both.contains("what belongs or refers to it stays: Review (at most 9,000)"), "{both}");
    let child = mapping("pattern Drop { delete Review from Listings rate avg 1/s }");
    assert!(!child.contains("refers to it"), "{child}");
}

#[test]
fn a_limit_above_all_that_there_can_be_leaves_no_rest() {
    let table = |limit: u32| {
        let pattern = format!(
            "relationship Listing 1:N Note {{ children avg 2, max 40 identifying }}
             entity Note {{ listing_id: ulid @id @of(Listing) note_no: number @id count 200 size 100B }}
             table Notes {{ partition key listing_id sort key note_no item Note }}
             pattern Notes {{ query Notes where listing_id = :id limit {limit} rate avg 1/s }}"
        );
        part(&format!("{LISTINGS}{pattern}"), DocumentKind::DataModel, "table Notes")
    };
    assert!(table(40).contains("; that is all that there can be"), "{}", table(40));
    assert!(table(39).contains("; the rest is not read, and `LastEvaluatedKey` leads to it"), "{}", table(39));
}
