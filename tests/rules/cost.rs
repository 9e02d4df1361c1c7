//! The rules about what is paid for and not needed: what a filter keeps, dollars that
//! are those of the whole model, and shapes that their pages have no room for.

use crate::support::page::{analyse, findings, key, levels, message, model};
use keywright::capacity::cost::model_cost;
use keywright::ide::{CodeActionKind, apply};
use keywright::model::db::{Host, Workspace};
use keywright::model::files::FileContent;
use keywright::syntax::TextRange;

/// Tickets of queues, and a query whose filter stands for `FILTER`.
const TICKETS: &str = r#"
entity Ticket {
  queue:     string @size(4B) @distinct(200)
  ticket_id: ulid @id
  status:    enum(open, waiting, solved, closed)
  town:      string @size(9B) @distinct(50) @hottest(20%)
  urgent:    boolean
  note:      string? @size(90B) @present(30%)
  state:     enum(a, b)? @present(10%)
  text:      string @size(90B)
  count 50k
  size 600B
}
table Tickets { partition key queue sort key ticket_id item Ticket }
pattern P {
  query Tickets where queue = :queue filter FILTER limit 20
  rate avg 1/s, peak 2/s
}
"#;

#[test]
fn what_a_filter_keeps_follows_from_its_literals() {
    for (filter, says) in [
        (r#"status = "open""#, "keeps 25 %, so expect 5 items a page"),
        (r#"status = "open" keeping 40%"#, "keeps 40 %, so expect 8 items a page"),
        (r#"status <> "open""#, "keeps 75 %, so expect 15 items"),
        (r#"not status = "open""#, "keeps 75 %, so expect 15 items"),
        (r#"status in ("open", "waiting")"#, "keeps 50 %, so expect 10 items"),
        (r#"status = "open" or status = "waiting""#, "keeps 50 %, so expect 10 items"),
        (r#"status = "open" and urgent = true"#, "keeps 12.5 %, so expect 2.5 items"),
        (r#"status = "open" or urgent = true"#, "keeps 62.5 %, so expect 12.5 items"),
        (r#"(status = "open" or status = "solved") and urgent = true"#, "keeps 25 %, so expect 5 items"),
        // 0.2² + 0.8² / 49
        (r#"town = "Lisboa""#, "keeps 5.31 %, so expect 1.06 items"),
        ("exists(note)", "keeps 30 %, so expect 6 items"),
        ("not_exists(note)", "keeps 70 %, so expect 14 items"),
        ("exists(status)", "keeps 100 %, so expect 20 items"),
        // Half of the tenth that has one.
        (r#"state = "a""#, "keeps 5 %, so expect 1 item"),
        (r#"state <> "a""#, "keeps 95 %, so expect 19 items"),
        (r#"status = "open" and text contains :word"#, "keeps 25 % at most, so expect at most 5 items"),
        ("status = :status", "is not known"),
        ("text contains :word", "is not known"),
        (r#"text = "x""#, "is not known"),
        ("status = :status or urgent = true", "is not known"),
    ] {
        let found = message("limit-with-filter", &TICKETS.replace("FILTER", filter));
        assert!(found.contains(says), "{filter}: {found}");
    }
}

#[test]
fn a_scan_keeps_of_each_kind_what_its_keys_say() {
    let scan = r#"
entity User { userId: uuid @id count 1k size 400B }
entity Post { postId: ulid @id userId: uuid @of(User) count 99k size 400B }
relationship User 1:N Post { children avg 99 }
table T {
  partition key PK: string
  sort key SK: string
  item User { PK = "USER#{userId}" SK = "PROFILE" }
  item Post { PK = "USER#{userId}" SK = "POST#{postId}" }
}
pattern P {
  scan T filter FILTER
  rate avg 1/day, peak 1/s
}
"#;
    for (filter, says) in [
        (r#"SK = "PROFILE""#, Some("keeps 1 % of the 100,000 items")),
        (r#"SK begins_with "PRO""#, Some("keeps 1 % of")),
        (r#"SK begins_with "POST#""#, None),
        (r#"SK = :sk"#, None),
        (r#"SK = :sk keeping 2%"#, Some("keeps 2 % of")),
        ("exists(nothing)", None),
    ] {
        let found = findings(&scan.replace("FILTER", filter), "low-selectivity-filter");
        match says {
            Some(says) => assert!(found.len() == 1 && found[0].message.contains(says), "{filter}: {found:?}"),
            None if filter.contains("nothing") => {}
            None => assert!(found.is_empty(), "{filter}: {found:?}"),
        }
    }
}

#[test]
fn a_query_is_judged_by_what_it_selects_and_a_threshold_is_not_met_by_chance() {
    let base = TICKETS.replace(" limit 20", "");
    let at = |filter: &str, count: &str| {
        levels("low-selectivity-filter", &base.replace("FILTER", filter).replace("count 50k", count))
    };
    // 250 items of 600 B are 146 KB; 100 of them are 59 KB.
    assert_eq!(at(r#"town = "Lisboa""#, "count 50k"), ["warning"]);
    assert_eq!(at(r#"town = "Lisboa""#, "count 20k"), [""; 0]);
    assert_eq!(at(r#"town = "Lisboa" keeping 10%"#, "count 50k"), [""; 0]);
    assert_eq!(at(r#"town = "Lisboa" keeping 9%"#, "count 50k"), ["warning"]);
    assert_eq!(at(r#"town = :town"#, "count 50k"), [""; 0]);
    assert_eq!(at(r#"town = "Lisboa""#, "count 50k, growing 1/s"), ["warning"]);
    // A query that DynamoDB refuses has no price.
    assert_eq!(levels("low-selectivity-filter", &base.replace("FILTER", r#"queue = "a" keeping 1%"#)), [""; 0]);
}

/// What a model costs a month, as `keywright cost` says.
fn dollars(text: &str) -> f64 {
    let mut host = Host::default();
    host.set(key("main.dynamo"), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key("main.dynamo")];
    model_cost(db, root).total.value().unwrap_or_else(|| panic!("a price of\n{text}"))
}

/// The first fix of a rule: its title, and the model after it.
fn fixed(text: &str, rule: &str) -> (String, String) {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let mends = |(name, _): (&str, _)| name == rule;
    let fix = actions.into_iter().find(|a| a.kind == CodeActionKind::QuickFix && a.mends.is_some_and(mends));
    let fix = fix.unwrap_or_else(|| panic!("{rule} has a fix in\n{text}"));
    let (_, edits) = fix.change.edits.first().expect("the fix edits the file");
    (fix.title, apply(text, edits))
}

/// Lots with an index by category.
const LOTS: &str = r#"
application Auction { domain "lots" scale "100k" region "us-east-1" }
entity Lot {
  lot_id:      uuid @id
  category:    string @size(10B) @distinct(200)
  title:       string @size(60B)
  description: string @size(3KB)
  count 100k
}
table Lots {
  partition key lot_id
  item Lot
  gsi ByCategory { partition key category projection all }
  gsi BySame { partition key category projection all }
}
pattern Offer { put Lot into Lots rate avg 20/s, peak 40/s }
pattern Amend { update Lot in Lots set description if exists rate avg 10/s, peak 20/s }
pattern Gone { delete Lot from Lots rate avg 1/s, peak 2/s }
pattern Show { get Lot from Lots rate avg 20/s, peak 100/s }
pattern Browse { query Lots.ByCategory where category = :category limit 24 project title rate avg 10/s, peak 50/s }
pattern Same { query Lots.BySame where category = :category limit 24 rate avg 1/s, peak 5/s }
"#;

#[test]
fn what_a_title_says_a_fix_saves_is_what_the_model_then_costs_less() {
    let provisioned = LOTS.replace("region", "capacity provisioned region");
    for text in [LOTS, &provisioned] {
        for rule in ["over-projection", "redundant-index"] {
            let text = match rule {
                // The one that a query reads in full has nothing to spare.
                "over-projection" => text.replace("gsi BySame { partition key category projection all }", "").replace(
                    "pattern Same { query Lots.BySame where category = :category limit 24 rate avg 1/s, peak 5/s }",
                    "",
                ),
                // What is read is read of the other one for the same price.
                _ => text.replace(" project title", ""),
            };
            let (title, after) = fixed(&text, rule);
            let saved = dollars(&text) - dollars(&after);
            let says: f64 = {
                let (_, amount) = title.split_once("−$").unwrap_or_else(|| panic!("{title}"));
                let amount = amount.split_once(" a month").expect("a month").0;
                amount.replace(',', "").parse().expect("a number")
            };
            // Provisioned, readers that move share a reserve that is rounded once.
            let slack = if text.contains("provisioned") && rule == "redundant-index" { 1.0 } else { 0.0 };
            assert!((saved - says).abs() <= 0.5 + slack, "{title}: it is {saved}\n{after}");
        }
    }
}

#[test]
fn an_index_is_redundant_only_where_the_other_answers_everything() {
    let base = r#"
entity A { a_id: uuid @id x: string @size(4B) y: string? @size(4B) z: string @size(4B) count 1k size 400B }
entity B { b_id: uuid @id a_id: uuid @of(A) x: string @size(4B) count 1k size 400B }
relationship A 1:N B { children avg 1 }
table T { partition key pk: string sort key sk: string
  item A { pk = "{a_id}" sk = "A" }
  item B { pk = "{a_id}" sk = "B#{b_id}" }
  INDEXES
}
pattern P { put A into T put B into T rate avg 1/s, peak 1/s }
READERS
"#;
    let check = |indexes: &str, expected: &[&str]| {
        let readers: String = ["I", "J"]
            .iter()
            .filter(|name| indexes.contains(&format!("si {name} ")))
            .map(|name| format!("pattern R{name} {{ scan T.{name} rate avg 1/day, peak 1/s }}\n"))
            .collect();
        let text = base.replace("INDEXES", indexes).replace("READERS", &readers);
        let found: Vec<String> = findings(&text, "redundant-index").into_iter().map(|found| found.message).collect();
        let names: Vec<&str> = found.iter().filter_map(|found| found.split('`').nth(1)).collect();
        assert_eq!(names, expected, "{indexes}");
    };
    check("gsi I { partition key x projection all } gsi J { partition key x sort key a_id projection all }", &["I"]);
    check("gsi I { partition key x projection all } gsi J { partition key x sort key b_id projection all }", &[]);
    check("gsi I { partition key x projection all } gsi J { partition key x projection all }", &["J"]);
    check("gsi I { partition key x projection keys_only } gsi J { partition key x projection all }", &["I"]);
    check("gsi I { partition key x projection all } gsi J { partition key x projection keys_only }", &["J"]);
    check("gsi I { partition key x projection include(z) } gsi J { partition key x projection keys_only }", &["J"]);
    check("gsi I { partition key z projection all } gsi J { partition key x projection all }", &[]);
    check("gsi I { partition key z sort key x projection all } gsi J { partition key x projection all }", &[]);
    check("gsi I { partition key x projection all } gsi J { partition key x sort key y projection all }", &[]);
    check("gsi I { partition key x sparse projection all } gsi J { partition key x projection all }", &[]);
    check("gsi I { partition key pk projection keys_only }", &["I"]);
    check("gsi I { partition key pk sort key sk projection all }", &["I"]);
    check("gsi I { partition key pk sort key x projection all }", &[]);
    check("gsi I { partition key pk sort key z projection all }", &[]);
    check("gsi I { partition key sk projection all }", &[]);
    check("lsi I { sort key x projection all } gsi J { partition key pk sort key x projection all }", &["J"]);
    // A shape that DynamoDB refuses is another finding.
    check("lsi I { sort key sk projection all }", &[]);
    check("lsi I { projection all }", &[]);
}

#[test]
fn a_key_that_an_update_moves_is_told_once_for_each_index() {
    let base = r#"
entity A { a_id: uuid @id x: string @size(4B) y: string? @size(4B) z: string @immutable @size(4B) count 1k size 400B }
table T { partition key a_id item A { k = "{x}#{y}" } INDEX }
pattern R { scan T.I rate avg 1/day, peak 1/s }
pattern P { update A in T UPDATE rate avg 1/s, peak 1/s }
"#;
    let check = |index: &str, update: &str, expected: usize| {
        let text = base.replace("INDEX", index).replace("UPDATE", update);
        let found = findings(&text, "mutable-index-key");
        assert_eq!(found.len(), expected, "{index} {update}: {found:?}");
    };
    check("gsi I { partition key x }", "set x", 1);
    check("gsi I { partition key x sort key y }", "set x, y", 1);
    check("gsi I { partition key x } gsi J { partition key y }", "set x, y", 2);
    check("gsi I { partition key x } gsi J { partition key x }", "set x", 1);
    check("gsi I { partition key k: string }", "set y, x", 1);
    check("gsi I { partition key y }", "set y", 1);
    check("gsi I { partition key y sparse }", "set y", 0);
    check("gsi I { partition key x sparse }", "set x", 1);
    check("gsi I { partition key x sort key y sparse }", "set y", 0);
    check("gsi I { partition key y }", "remove y", 0);
    // It leaves the index: one write.
    check("gsi I { partition key x sort key y }", "set x remove y", 0);
    check("gsi I { partition key k: string }", "set x remove y", 0);
    // Faults of their own.
    check("gsi I { partition key z }", "set z", 0);
    check("gsi I { partition key a_id }", "set a_id", 0);
    check("gsi I { partition key nothing }", "set x", 0);
    // An attribute that is only projected is written once.
    check("gsi I { partition key z projection all }", "set x", 0);
}

#[test]
fn what_a_query_reads_besides_is_told_where_it_is_certain() {
    let base = r#"
entity User { user_id: uuid @id count 1k size 400B }
entity Order { order_id: ulid @id user_id: uuid @of(User) ORDERS size 2KB }
entity Line { line_no: number @id order_id: ulid @of(Order) size 50B }
relationship User 1:N Order { CHILDREN }
relationship Order 1:N Line { children avg 2, max 9 }
table T { partition key user_id sort key sk: string
  item User { sk = "PROFILE" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}" }
}
pattern P { READ rate avg 1/s, peak 2/s }
"#;
    let of = |orders: &str, children: &str, read: &str| {
        let text = base.replace("ORDERS", orders).replace("CHILDREN", children).replace("READ", read);
        findings(&text, "over-read")
    };
    let known = |read: &str| of("count 20k", "children avg 20, max 90", read);
    let found = known("reads User query T where user_id = :id");
    assert!(found[0].message.contains("20 items of `Order`"), "{}", found[0].message);
    let twenty = known("reads Order query T where user_id = :id descending limit 10");
    assert!(twenty[0].message.contains("1 item of `User`"), "{}", twenty[0].message);
    for silent in [
        // PROFILE sorts behind ORDER#: the twenty come first.
        "reads Order query T where user_id = :id limit 20",
        "reads User query T where user_id = :id descending limit 1",
        "reads User, Order query T where user_id = :id",
        "reads User, Line query T where user_id = :id",
        "query T where user_id = :id",
        "reads User get User from T",
        r#"reads Order query T where user_id = :id and sk begins_with "ORDER#""#,
        // No condition on the partition key, or one that DynamoDB does not take.
        r#"reads User query T where sk = "PROFILE""#,
        "reads User query T where user_id > :id",
        "reads Nobody, User, Order query T where user_id = :id",
        // A prefix that stops inside a word is a fault of its own.
        r#"reads User query T where user_id = :id and sk begins_with """#,
    ] {
        let found = known(silent);
        let is_prefix = silent.ends_with("begins_with \"\"");
        assert!(found.is_empty() || is_prefix, "{silent}: {found:?}");
    }
    // Nobody says how many orders there are: that is asked for elsewhere.
    assert!(of("", "", "reads User query T where user_id = :id").is_empty());
    assert_eq!(of("", "children avg 0.5", "reads User query T where user_id = :id").len(), 1);
}

#[test]
fn a_projection_is_held_against_everything_that_reads_it() {
    let base = r#"
entity A { a_id: uuid @id x: string @size(4B) y: string @size(4B) z: string @size(4B) count 1k }
entity L { l_no: number @id a_id: uuid @of(A) n: number size 20B }
relationship A 1:N L { children avg 2, max 9 }
table T { partition key a_id item A embeds L as list gsi I { partition key x PROJECTION } }
pattern W { put A into T rate avg 1/s, peak 1/s }
pattern P { READ rate avg 1/s, peak 1/s }
"#;
    let of = |projection: &str, read: &str| {
        let text = base.replace("PROJECTION", projection).replace("READ", read);
        let found = findings(&text, "over-projection");
        found.into_iter().map(|found| found.message).collect::<Vec<_>>()
    };
    let query = "query T.I where x = :x";
    for (projection, read, unread) in [
        ("projection all", query.to_owned(), None),
        // What is embedded in an item comes with it.
        ("projection all", format!("reads A {query}"), None),
        ("projection all", format!("reads A, L {query}"), None),
        ("projection all", format!("reads A(y), L(n) {query}"), Some("`z`")),
        ("projection all", format!("reads A(y) {query} filter z = :z"), Some("`list`")),
        ("projection all", format!("{query} project y, list"), Some("`z`")),
        ("projection all", format!("writes A(y) {query}"), None),
        ("projection include(y, z)", format!("{query} project y"), Some("`z`")),
        ("projection include(y)", format!("{query} project y"), None),
        ("projection include(y)", format!("{query} project a_id"), Some("`y`")),
        ("projection keys_only", format!("{query} project a_id"), None),
        ("", format!("{query} project a_id, y, z, list"), None),
        ("", format!("{query} project a_id, y, z"), Some("`list`")),
        // Nobody reads it: another finding.
        ("projection all", "reads A(y) get A from T".to_owned(), None),
    ] {
        let found = of(projection, &read);
        match unread {
            Some(unread) => assert!(found.len() == 1 && found[0].contains(unread), "{projection} {read}: {found:?}"),
            None => assert!(found.is_empty(), "{projection} {read}: {found:?}"),
        }
    }
}

#[test]
fn a_table_is_keyed_by_parent_and_child_only_where_everybody_knows_the_parent() {
    let base = r#"
entity P { p_id: uuid @id count 1k size 400B }
entity C { c_id: ulid @id p_id: uuid @of(P) q_id: uuid @of(Q) x: string @size(4B) count 9k size 400B }
entity Q { q_id: uuid @id count 1k size 400B }
entity D { d_id: uuid @id c_id: ulid @of(C) count 9k size 400B }
RELATION
table Ps { partition key p_id item P }
table Cs { KEY gsi I { INDEX projection all } }
pattern Put { put C into Cs rate avg 1/s, peak 1/s }
pattern Read { query Cs.I where INDEXED rate avg 1/s, peak 1/s }
pattern Use { USE rate avg 1/s, peak 1/s }
"#;
    let relation = "relationship P 1:N C { children avg 9 identifying }";
    let key = "partition key c_id item C";
    let by_p = "partition key p_id";
    let known = "reads C by p_id, c_id get C from Cs";
    let check = |relation: &str, key: &str, index: &str, used: &str, expected: usize| {
        let indexed = if index.contains("p_id") {
            "p_id = :p"
        } else if index.contains("q_id") {
            "q_id = :q"
        } else {
            "x = :x"
        };
        let text = base
            .replace("RELATION", relation)
            .replace("KEY", key)
            .replace("INDEXED", indexed)
            .replace("INDEX", index)
            .replace("USE", used);
        let found = findings(&text, "replaceable-gsi");
        assert_eq!(found.len(), expected, "{relation} {key} {index} {used}: {found:?}");
    };
    check(relation, key, by_p, known, 1);
    check(relation, key, "partition key p_id sort key x", known, 1);
    check(relation, key, by_p, "reads P get P from Ps", 1);
    check(relation, key, by_p, "writes C by p_id update C in Cs set x", 1);
    check(relation, key, by_p, "get C from Cs", 0);
    check(relation, key, by_p, "reads C by c_id get C from Cs", 0);
    check(relation, key, by_p, "delete C from Cs", 0);
    check(relation, key, by_p, "update C in Cs set x", 0);
    check(relation, key, by_p, "query Cs where c_id = :c", 0);
    check(&relation.replace(" identifying", ""), key, by_p, known, 0);
    check("", key, by_p, known, 0);
    check(relation, key, "partition key q_id", known, 0);
    check(relation, key, "partition key x", known, 0);
    check(relation, "partition key q_id sort key c_id item C", by_p, known, 0);
    // Another entity in the index, or under the child's id.
    check(
        relation,
        "partition key c_id sort key s: string item C { s = \"C\" } item D { s = \"D#{d_id}\" }",
        by_p,
        known,
        0,
    );
    check(relation, "partition key k: string item C { k = \"C#{c_id}\" } item D { k = \"D#{d_id}\" }", by_p, known, 1);
}

#[test]
fn a_small_part_of_a_large_item_is_told_where_both_are_certain() {
    let base = r#"
application A { domain "a" scale "b" region "us-east-1" }
entity Doc { doc_id: uuid @id body: string @size(BODY) views: number tags: list<string> SIZE count 1k }
table T { partition key doc_id item Doc }
pattern P { UPDATE rate avg 20/s, peak 40/s }
"#;
    let of = |body: &str, size: &str, update: &str| {
        let text = base.replace("BODY", body).replace("SIZE", size).replace("UPDATE", update);
        findings(&text, "costly-small-update").into_iter().map(|found| found.message).collect::<Vec<_>>()
    };
    let large = of("1KB", "size avg 12KB, max 20KB", "update Doc in T set views");
    assert!(large.len() == 1 && large[0].contains("12 write units") && large[0].contains("1 write unit,"), "{large:?}");
    assert!(large[0].contains("$389 a month") && large[0].contains("$32.40 a month"), "{large:?}");
    let twice = of("1KB", "size avg 12KB, max 20KB", "transact write { update Doc in T set views }");
    assert!(twice[0].contains("24 write units") && twice[0].contains("2 write units"), "{twice:?}");
    for (body, size, update) in [
        ("1KB", "size 4KB", "update Doc in T set views"),
        ("2KB", "size 12KB", "update Doc in T set body, views if exists"),
        // Sizes that nobody has declared are asked for elsewhere.
        ("1KB", "size 12KB", "update Doc in T set tags"),
        ("1KB", "size max 12KB", "update Doc in T set views"),
        ("20KB", "", "update Doc in T set body"),
        ("1KB", "size 12KB", "update Doc in T remove views"),
        ("1KB", "size 12KB", "update Doc in T"),
        ("1KB", "size 12KB", "put Doc into T"),
    ] {
        let found = of(body, size, update);
        assert!(found.is_empty(), "{body} {size} {update}: {found:?}");
    }
}
