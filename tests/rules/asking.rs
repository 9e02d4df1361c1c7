//! What the rules that ask for sizes and counts ask for, and what they leave to
//! the rules that know better.

use crate::support::page::{analyse, findings, key, model};
use keywright::rules::finding::Level;

/// The messages of both rules, in the order of the text.
fn asked(text: &str) -> Vec<String> {
    let all = analyse(&model(text)).diagnostics(&key("main.dynamo")).expect("nothing changes meanwhile");
    let all = all.into_iter().filter(|finding| ["missing-size", "missing-count"].contains(&finding.rule));
    all.map(|finding| finding.message).collect()
}

fn asks(text: &str, parts: &[&str]) {
    let asked = asked(text);
    assert_eq!(asked.len(), parts.len(), "{asked:#?}");
    for (message, part) in asked.iter().zip(parts) {
        assert!(message.contains(part), "{message}\ndoes not say\n{part}");
    }
}

const USERS: &str = "entity User { id: uuid @id name: string @size(10B) count 10 }
table Users { partition key id item User }
pattern P { put User into Users rate 1/s }
pattern G { get User from Users rate 1/s }
";

#[test]
fn one_cause_is_one_finding_and_names_every_number() {
    asks(USERS, &[]);
    asks(
        &USERS.replace(" @size(10B)", ""),
        &[
            "the size of `User` is neither declared nor computable: `name` has no `@size`; so the units and cost of `G` \
           and `P`, the load on the key of `Users`, the storage of `Users`, and the largest item of `Users`",
        ],
    );
    asks(&USERS.replace(" count 10", ""), &["`User` has no `count`: the load on the key of `Users`, and the storage"]);
    let two = USERS.replace("@size(10B)", "about: map");
    asks(&two, &["`about` and `name` have no `@size`"]);
    // The size of the item says all that its attributes would.
    asks(&two.replace("count 10", "count 10 size 1KB"), &[]);
}

#[test]
fn what_no_number_needs_is_not_asked_for() {
    // No table holds it, or another store does.
    asks("entity Draft { id: uuid @id text: string }", &[]);
    let unsolved = "entity User { id: uuid @id name: string } pattern P { reads User by name rate 1/s }";
    asks(unsolved, &[]);
    asks(&unsolved.replace("rate", "external \"S3\" because \"Files.\" rate"), &[]);
    // A child's count, where it lives in its parent.
    let embedded = "entity Order { id: ulid @id count 5 }
entity Line { no: number @id id: ulid @of(Order) }
relationship Order 1:N Line { children 3 }
table Orders { partition key id item Order embeds Line as lines }
pattern P { put Order into Orders rate 1/s }";
    asks(embedded, &[]);
    asks(
        &embedded.replace("relationship Order 1:N Line { children 3 }\n", ""),
        &["nothing says how many `Line` one `Order` has on average"],
    );
    asks(&embedded.replace("{ children 3 }", "{ children avg 3 }"), &[]);
    assert_eq!(findings(&embedded.replace("{ children 3 }", "{ children avg 3 }"), "unbounded-item").len(), 1);
    // What a page of ten takes is one unit, however many there are.
    let page = USERS.replace("get User from Users", "scan Users limit 10");
    let lost = asked(&page.replace(" count 10", ""));
    assert!(lost.len() == 1 && !lost[0].contains("units and cost"), "{lost:?}");
}

#[test]
fn what_is_written_and_wrong_is_not_missing() {
    for (from, to) in [
        ("count 10", "count 10KB"),
        ("count 10", "count"),
        ("@size(10B)", "@size(10/s)"),
        ("@size(10B)", "@size(peak 10B)"),
        ("@size(10B)", ": @size(10B)"),
    ] {
        let wrong = USERS.replace(from, to);
        assert_ne!(wrong, USERS);
        asks(&wrong, &[]);
    }
    // A second declaration of a name is a finding of its own, and means nothing.
    asks(&format!("{USERS}entity User {{ id: uuid @id more: string }}"), &[]);
    // Nobody can ask an entity that there is not.
    asks(&USERS.replace("item User", "item Usr"), &[]);
}

const INDEXED: &str = "entity User { id: uuid @id mail: string @distinct(9) @size(10B) plan: string @size(5B) text: string size 1KB count 10 }
table Users { partition key id item User gsi ByMail { partition key mail projection include(plan) } }
pattern P { put User into Users rate 1/s }
pattern G { query Users.ByMail where mail = :mail limit 1 rate 1/s }
";

#[test]
fn keys_and_entries_need_the_sizes_of_their_attributes() {
    asks(INDEXED, &[]);
    asks(
        &INDEXED.replace("plan: string @size(5B)", "plan: string"),
        &[
            "`User.plan` has no `@size`, and its type says nothing of it: the storage of `Users.ByMail`, and the largest \
           entry of `Users.ByMail` cannot be told",
        ],
    );
    let whole = INDEXED.replace("include(plan)", "all");
    asks(&whole.replace("plan: string @size(5B)", "plan: string"), &[]);
    asks(
        &whole.replace("@distinct(9) @size(10B)", "@distinct(9)"),
        &["the length of the key of `Users.ByMail` cannot"],
    );
    asks(&INDEXED.replace("@distinct(9) ", ""), &["nothing says how many values `User.mail` has: the load on the key"]);
    // Where the entity has no size either, one finding asks for what helps both.
    let both = whole.replace(" size 1KB", "").replace("@distinct(9) @size(10B)", "@distinct(9)");
    asks(&both, &["`mail` and `text` have no `@size`"]);
    assert!(asked(&both)[0].contains("the length of the key of `Users.ByMail` needs `@size` in any case"));
}

#[test]
fn a_maximum_that_is_missing_is_worth_a_look() {
    let open = INDEXED.replace("size 1KB", "size avg 1KB");
    asks(&open, &["the `size` of `User` has no maximum: the largest item of `Users`"]);
    assert_eq!(findings(&open, "missing-size")[0].level, Level::Info);
    let key = INDEXED.replace("@size(10B)", "@size(avg 10B)");
    asks(&key, &["the `@size` of `User.mail` has no maximum: the length of the key of `Users.ByMail`"]);
    assert_eq!(findings(&key, "missing-size")[0].level, Level::Info);
    // Without the average, the maximum bounds what would be computed.
    let average = INDEXED.replace("size 1KB", "size max 1KB");
    assert!(asked(&average)[0].contains("the `size` of `User` has no average"));
    assert_eq!(findings(&average, "missing-size")[0].level, Level::Warning);
}

#[test]
fn a_sparse_index_needs_to_know_how_many_items_it_holds() {
    let sparse = INDEXED.replace("mail: string", "mail: string?");
    asks(&sparse, &["`User.mail` is absent on some items, and nothing says on how many: the units and cost of `P`"]);
    asks(&sparse.replace("@distinct(9)", "@distinct(9) @present(20%)"), &[]);
}

#[test]
fn nobody_counts_the_moments_of_writing() {
    let model = |at: &str, key: &str| {
        format!(
            "entity Event {{ id: uuid @id at: {at} count 1M size 1KB }}
table Events {{ partition key k: string sort key id item Event {{ k = \"{key}\" }} }}
pattern Add {{ put Event into Events rate 1/s }}
pattern Read {{ query Events where k = \"{key}\" limit 5 rate 1/s }}
"
        )
    };
    for at in ["timestamp", "epoch"] {
        for key in ["{at}", "LOG#{at}"] {
            asks(&model(at, key), &[]);
        }
    }
    // Of anything else it is asked.
    asks(&model("string @size(4B)", "{at}"), &["nothing says how many values `Event.at` has"]);
}
