//! What the advice of cost rules has to be true of: that it can be followed, that its
//! numbers are possible, and that it speaks of what is there.

use crate::support::page::{analyse, findings, key, message, model};
use keywright::ide::CodeActionKind;
use keywright::syntax::TextRange;

/// Devices, their alarms, and a pattern that stands for `READ`.
const DEVICES: &str = r#"
application A { domain "devices" scale "100k" region "us-east-1" }
entity Device {
  device_id: uuid @id
  site_id:   uuid @distinct(500)
  state:     enum(up, down)
  alarm:     string? @size(10B) @present(5%) @distinct(40)
  dep:       string @size(10B)
  count 100k
  size 600B
}
table Devices { partition key device_id item Device gsi ByAlarm { partition key alarm sparse projection all } }
pattern W { put Device into Devices if not_exists rate avg 1/s, peak 5/s }
pattern G { get Device from Devices rate avg 5/s, peak 20/s }
pattern P { READ rate avg 1/h, peak 1/s }
"#;

fn devices(read: &str) -> String {
    DEVICES.replace("READ", read)
}

/// The titles of the fixes of a rule.
fn fixes(text: &str, rule: &str) -> Vec<String> {
    let all = TextRange::new(0, text.len());
    let actions = analyse(&model(text)).code_actions(&key("main.dynamo"), all).expect("nothing changes meanwhile");
    let mends = |(name, _): (&str, _)| name == rule;
    let own = actions.into_iter().filter(|a| a.kind == CodeActionKind::QuickFix && a.mends.is_some_and(mends));
    own.map(|action| action.title).filter(|title| !title.starts_with("Allow")).collect()
}

#[test]
fn a_deadline_that_an_index_does_not_hold_is_filtered_by_nobody() {
    let base = r#"
entity Session { id: uuid @id user_id: uuid @distinct(900) exp: epoch count 1k size 200B lifetime 1d }
table Sessions { partition key id ttl exp item Session gsi ByUser { partition key user_id PROJECTION } }
pattern W { put Session into Sessions if not_exists rate 1/s }
pattern R { query Sessions.ByUser where user_id = :user_id OPTIONS rate 1/s }
"#;
    let rule = "ttl-as-deadline";
    for (projection, options, says, fix) in [
        ("projection all", "", "add `filter exp > :now`", true),
        ("projection include(exp)", "", "add `filter exp > :now`", true),
        ("sort key exp projection keys_only", "", "ask for `exp > :now` in `where`", false),
        ("projection keys_only", "", "include `exp` in the projection of `Sessions.ByUser`, so that `filter", false),
        ("projection keys_only", "limit 5", "include `exp` in the projection of `Sessions.ByUser`", false),
        ("projection all", "limit 5", "let the caller drop what is over", false),
    ] {
        let text = base.replace("PROJECTION", projection).replace("OPTIONS", options);
        let found = message(rule, &text);
        assert!(found.contains(says), "{projection} {options}: {found}");
        assert_eq!(!fixes(&text, rule).is_empty(), fix, "{projection} {options}");
    }
}

#[test]
fn what_nothing_has_is_kept_of_nothing_and_what_an_index_needs_of_everything() {
    let base = r#"
entity Memo { kind: enum(Memo) memo_id: uuid @id count 2k size 400B }
entity Job { kind: enum(Job) job_id: uuid @id state: enum(open, done)? @present(5%) count 98k size 400B }
table T { partition key pk: string
  item Memo { pk = "M#{memo_id}" }
  item Job { pk = "J#{job_id}" mark = "S#{state}" }
  gsi ByState { partition key state sparse projection all }
  gsi ByMark { partition key mark: string sparse projection all }
}
pattern P { scan SOURCE filter FILTER limit 100 rate avg 1/day, peak 1/s }
"#;
    for (source, filter, says) in [
        ("T", r#"kind = "Memo""#, "keeps 2 %"),
        ("T", r#"kind = "Job""#, "keeps 98 %"),
        ("T", r#"kind in ("Job", "Memo")"#, "keeps 100 %"),
        ("T", r#"kind <> "Memo""#, "keeps 98 %"),
        ("T", r#"state = "open""#, "keeps 2.45 %"),
        ("T", "exists(state)", "keeps 4.9 %"),
        ("T.ByState", "exists(state)", "keeps 100 %"),
        ("T.ByMark", "exists(state)", "keeps 100 %"),
        ("T.ByMark", "exists(mark)", "keeps 100 %"),
        ("T.ByMark", r#"state = "open""#, "keeps 50 %"),
    ] {
        let text = base.replace("SOURCE", source).replace("FILTER", filter);
        let found = message("limit-with-filter", &text);
        assert!(found.contains(says), "{source} {filter}: {found}");
    }
}

#[test]
fn a_sparse_index_is_offered_where_it_can_follow_and_priced_as_it_would_be() {
    let rule = "low-selectivity-filter";
    let scan = |filter: &str| devices(&format!("scan Devices filter {filter}"));
    // A put a second enters it in one of a hundred, and it holds a thousand entries.
    let found = message(rule, &scan(r#"state = "down" keeping 1%"#));
    assert!(found.contains("its writes and its storage add $0.016 a month"), "{found}");
    assert!(!found.contains("every update"), "{found}");
    assert_eq!(fixes(&scan(r#"state = "down" keeping 1%"#), rule).len(), 1);
    // The new attribute would have to follow what changes.
    let update = "pattern U { update Device in Devices set state rate avg 1/s, peak 5/s }";
    let changed = scan(r#"state = "down" keeping 1%"#) + update;
    let found = message(rule, &changed);
    assert!(found.contains("every update of what the filter tests (`U`) has to set or remove that key"), "{found}");
    assert!(fixes(&changed, rule).is_empty());
    let other = scan(r#"state = "down" keeping 1%"#) + &update.replace("set state", "set dep");
    assert_eq!(fixes(&other, rule).len(), 1);
    // Who asks for any value wants every item some time.
    for filter in ["dep = :dep keeping 1%", r#"dep = :dep and state = "down" keeping 1%"#] {
        let found = message(rule, &scan(filter));
        assert!(found.contains("an index with the partition key `dep` would read those alone: "), "{found}");
        assert!(!found.contains("sparse"), "{found}");
        assert!(fixes(&scan(filter), rule).is_empty());
    }
    // A put a second writes an entry of it, and it holds all the items.
    let found = message(rule, &scan("dep = :dep keeping 1%"));
    assert!(found.contains("its writes and its storage add $1.64 a month"), "{found}");
    let query =
        DEVICES.replace("READ", "query Devices.BySite where site_id = :site filter dep = :dep keeping 1%").replace(
            "gsi ByAlarm { partition key alarm sparse projection all }",
            "gsi BySite { partition key site_id projection all }",
        );
    let found = message(rule, &query);
    assert!(found.contains("an index keyed by `site_id` and `dep` would read those alone: 0.5 read units"), "{found}");
    let found = message(rule, &scan(r#"dep = :dep or state = "down" keeping 1%"#));
    assert!(found.contains("sparse"), "{found}");
}

#[test]
fn no_call_reads_more_than_there_is_nor_more_than_a_page_holds() {
    let text = |read: &str, pages: &str| devices(&format!("{read} {pages}"));
    for (read, pages, says) in [
        ("scan Devices", "", "each call scans all 100,000 items (57.2 MB) of `Devices`: "),
        // 1,747.6 items of 600 B are a page.
        ("scan Devices", "pages avg 3, max 9", "each call scans 5,243 items (3 MB) of the 100,000 items"),
        ("scan Devices", "pages avg 300, max 900", "each call scans all 100,000 items"),
        ("scan Devices times 3", "", "each call scans all 100,000 items (57.2 MB) of `Devices`, 3 times: "),
        ("scan Devices limit 50_000 times 2", "pages avg 1", "2 times: 256 read units, and 29 calls for a pass"),
        ("scan Devices limit 60 times 2_000", "", "2,000 times: 9,000 read units, and 1 call for a pass"),
    ] {
        let text = text(read, pages);
        let found = message("scan-pattern", &text);
        assert!(found.contains(says), "{read} {pages}: {found}");
    }
    let kept =
        |pages: &str| message("low-selectivity-filter", &text("scan Devices filter exists(alarm) keeping 5%", pages));
    assert!(kept("").contains("5 % of the 100,000 items (57.2 MB)"), "{}", kept(""));
    assert!(kept("pages avg 3, max 9").contains("5 % of the 5,243 items (3 MB)"), "{}", kept("pages avg 3, max 9"));
    assert!(kept("pages avg 300, max 900").contains("of the 100,000 items (57.2 MB)"));
}

#[test]
fn what_is_read_besides_counts_every_page_and_every_time() {
    let base = r#"
entity User { user_id: uuid @id count 1k size 400B }
entity Order { order_id: ulid @id user_id: uuid @of(User) count 20k size 100B }
relationship User 1:N Order { children avg 20, max 90 }
table T { partition key user_id sort key sk: string
  item User { sk = "A" }
  item Order { sk = "ORDER#{order_id}" }
}
pattern P { reads WANTED query T where user_id = :id OPTIONS rate avg 1/s, peak 2/s }
"#;
    for (wanted, options, says) in [
        ("User", "", "also reads 20 items of `Order`"),
        ("User", "times 3", "also reads 60 items of `Order`"),
        (
            "Order",
            "limit 10",
            "1 item of `User` (400 B), which `reads` does not list; they count for the limit, so that a page of 10 holds 1 item fewer",
        ),
        ("Order", "", "and every caller has to tell them apart"),
        // Both fit one page.
        ("Order", "limit 90", "and every caller has to tell them apart"),
    ] {
        let found = message("over-read", &base.replace("WANTED", wanted).replace("OPTIONS", options));
        assert!(found.contains(says), "{wanted} {options}: {found}");
        assert!(!found.contains("anyway"), "{found}");
    }
}

#[test]
fn a_small_update_pays_for_its_indexes_on_either_side() {
    let base = r#"
application A { domain "a" scale "b" region "us-east-1" }
entity Doc { doc_id: uuid @id body: string @size(1KB) views: number lang: string @size(2B) @distinct(9) size 12KB count 1k }
table T { partition key doc_id item Doc INDEX }
pattern P { update Doc in T set views rate avg 20/s, peak 40/s }
"#;
    for (index, now, then) in [
        ("", "KB: 12 write units", "1 write unit,"),
        ("gsi I { partition key lang projection all }", "hold what is set: 24 write units", "1 write unit,"),
        ("gsi I { partition key lang projection keys_only }", "KB: 12 write units", "1 write unit,"),
        ("gsi I { partition key views projection keys_only }", "hold what is set: 14 write units", "3 write units,"),
        ("gsi I { partition key views projection all }", "hold what is set: 36 write units", "3 write units,"),
    ] {
        let found = message("costly-small-update", &base.replace("INDEX", index));
        assert!(found.contains(now) && found.contains(then), "{index}: {found}");
    }
}

#[test]
fn advice_speaks_of_what_is_there() {
    // A look-up by the value is no order to filter by.
    let moved = |index: &str| {
        let text = devices("update Device in Devices set dep").replace("gsi ByAlarm { partition key alarm", index);
        message("mutable-index-key", &text)
    };
    let found = moved("gsi ByDep { partition key dep");
    assert!(found.contains("allow it where finding by `dep` is worth it") && !found.contains("filter by"), "{found}");
    assert!(moved("gsi ByDep { partition key site_id sort key dep").contains("filter by `dep`"));

    // One item is read once, two under one value by one query.
    let base = r#"
entity User { user_id: uuid @id count 1k size 400B }
entity Card { user_id: uuid @id @of(User) count 1k size 400B }
relationship User 1:1 Card
table T { partition key user_id sort key sk: string item User { sk = "A" } item Card { sk = "B" } }
pattern P { GETS rate 1/s }
"#;
    for (gets, says) in [
        ("get User from T get User from T", Some("read the same `User`, 1 read unit in all")),
        ("get User from T get Card from T", Some("query once")),
        ("get User as a from T get User as b from T", None),
    ] {
        let found = findings(&base.replace("GETS", gets), "get-instead-of-query");
        match says {
            Some(says) => assert!(found.len() == 1 && found[0].message.contains(says), "{gets}: {found:?}"),
            None => assert!(found.is_empty(), "{gets}: {found:?}"),
        }
    }

    // Indexes are spoken of where there are some.
    let base = r#"
entity Log { log_id: ulid @id text: string @size(90B) kind: string @size(4B) count 1k, growing 1/s size 200B }
table A { partition key log_id item Log INDEX }
pattern P { put Log into A rate 1/s }
"#;
    let grows = |index: &str| message("unbounded-growth", &base.replace("INDEX", index));
    assert!(grows("").contains("to `A`") && !grows("").contains("index"), "{}", grows(""));
    assert!(grows("gsi I { partition key kind }").contains("to `A` and its indexes"));
    assert!(!grows("gsi I { partition key other: string }").contains("index"));
}

#[test]
fn a_put_that_stands_twice_is_told_once() {
    let base = r#"
entity Seat { seat_no: number @id show: string @size(9B) count 1k size 90B }
table T { partition key seat_no item Seat }
pattern P { PUTS rate 1/s }
"#;
    let rule = "create-without-condition";
    for (puts, says) in [
        ("put Seat into T", Some("this is the only put of `Seat`")),
        ("put Seat as a into T put Seat as b into T", Some("no other pattern puts `Seat`, none of the 2 puts here")),
        ("put Seat as a into T put Seat as b into T if not_exists", None),
    ] {
        let text = base.replace("PUTS", puts);
        let found = findings(&text, rule);
        match says {
            Some(says) => assert!(found.len() == 1 && found[0].message.contains(says), "{puts}: {found:?}"),
            None => assert!(found.is_empty(), "{puts}: {found:?}"),
        }
    }
}

#[test]
fn a_copy_that_nobody_reads_is_to_be_dropped() {
    let base = r#"
application A { domain "a" scale "b" region "us-east-1" }
entity Author { author_id: uuid @id name: string @size(20B) count 1k size 200B }
entity Book { book_id: uuid @id author_id: uuid @of(Author) author_name: string @copied_from(Author.name) @size(20B) count 9k size 200B }
relationship Author 1:N Book { children avg 9, max 99 }
table Authors { partition key author_id item Author }
table Books { partition key book_id item Book }
pattern Rename {
  update Author in Authors set name
  update Book in Books set author_name times 9
  rate avg 50/s, peak 90/s
}
READ
"#;
    let rule = "costly-copy";
    let silent = message(rule, &base.replace("READ", ""));
    assert!(silent.contains("no pattern reads it: drop the copy") && !silent.contains("cheaper"), "{silent}");
    let read = "pattern Show { get Book from Books rate avg 1/s, peak 2/s }";
    let one = message(rule, &base.replace("READ", read));
    assert!(one.contains("1 pattern (1/s on average) that reads it saves"), "{one}");
    let two = message(rule, &base.replace("READ", &(read.to_owned() + &read.replace("Show", "List"))));
    assert!(two.contains("2 patterns (2/s on average) that read it save $"), "{two}");
    // Each book may be of another author, and who reads the author has its name.
    let many = message(rule, &base.replace("READ", &read.replace("get Book from Books", "scan Books limit 9")));
    assert!(many.contains("1 pattern (1/s on average) that reads it saves at most $"), "{many}");
    let both = read.replace("get Book", "get Author from Authors get Book");
    let both = message(rule, &base.replace("READ", &both));
    assert!(both.contains("that reads it reads `Author` as well, and saves nothing: drop the copy"), "{both}");
}

#[test]
fn a_time_set_beside_a_copy_hides_nothing_of_what_the_copy_costs() {
    let base = r#"
application A { domain "a" scale "b" region "us-east-1" }
entity Author { author_id: uuid @id name: string @size(20B) updated: timestamp count 1k size 200B }
entity Book { book_id: uuid @id author_id: uuid @of(Author) author_name: string @copied_from(Author.name) @size(20B) updated: timestamp sold: number count 9k size 200B }
relationship Author 1:N Book { children avg 9, max 99 }
table Authors { partition key author_id item Author }
table Books { partition key book_id item Book }
PATTERNS
"#;
    let rename = "pattern Rename {
  update Author in Authors set name, updated
  update Book in Books set author_name FURTHER times 9
  rate avg 50/s, peak 90/s
}";
    let rule = "costly-copy";
    let follow = "pattern Follow { update Book in Books set author_name, updated times 9 rate avg 50/s, peak 90/s }";
    let sell = "pattern Sell { update Book in Books set sold, updated rate avg 1/s, peak 2/s }";
    let bare = message(rule, &base.replace("PATTERNS", &rename.replace("FURTHER", "")));
    let noted = message(rule, &base.replace("PATTERNS", &rename.replace("FURTHER", ", updated")));
    assert_eq!(noted, bare, "the pattern changes the source: the time only says when");
    let followed = message(rule, &base.replace("PATTERNS", &format!("{follow} {sell}")));
    assert!(followed.contains(" a month, and no pattern reads it"), "other updates set the time too: {followed}");
    for own in [&rename.replace("FURTHER", ", sold"), follow] {
        let found = findings(&base.replace("PATTERNS", own), rule);
        assert!(found.is_empty(), "it would be there without the copy: {found:?}");
    }
}
