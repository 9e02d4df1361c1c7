//! What each operation costs in units, as a specification: pattern in, units
//! out. The ids are those of the conventions (numbers.md).

use keywright::capacity::figure::{Figure, list};
use keywright::capacity::operations::{PatternNumbers, pattern_numbers};
use keywright::capacity::show;
use keywright::model::db::{Host, Workspace};
use keywright::model::files::{FileContent, FileKey};
use keywright::model::names::names;

/// A shop: users of 1 KB with orders of 2 KB in one table, order lines embedded.
pub(super) const SHOP: &str = r#"
entity User { user_id: uuid @id name: string @size(20B) vip: string? @size(3B) @present(5%) count 1M size 1KB }
entity Order {
  order_id: ulid @id
  user_id: uuid @of(User)
  status: enum(open, paid, shipped, done)
  city: string @size(10B) @distinct(11) @hottest(50%)
  open_at: timestamp? @present(10%)
  note: string? @size(50B) @present(20%)
  total: number
  placed_at: timestamp
  count 20M
  size 2000B
}
entity Line { line_no: number @id order_id: ulid @of(Order) text: string @size(75B) }
relationship User 1:N Order { children avg 20, max 900 }
relationship Order 1:N Line { children avg 4, max 10 }
table Main {
  partition key user_id
  sort key sk: string
  item User { sk = "A" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}" by_day = "{placed_at:day}#{order_id}" }
  gsi Open { partition key city, status sort key open_at projection include(total, note) }
  gsi ByCity { partition key city projection all }
  gsi Vips { partition key vip projection keys_only }
  lsi ByDay { sort key by_day: string projection include(total) }
}
"#;

fn units_in(model: &str, patterns: &[&str]) -> Vec<PatternNumbers> {
    let patterns: Vec<String> =
        patterns.iter().enumerate().map(|(n, text)| format!("pattern P{n:03} {{ {text} rate 10/s }}")).collect();
    let text = format!("{model}\n{}\n", patterns.join("\n"));
    let mut host = Host::default();
    let key = FileKey::new("/m.dynamo");
    host.set(key.clone(), FileContent::from_bytes(text.as_bytes()));
    let db = host.db();
    let root = Workspace::get(db).files(db)[&key];
    names(db, root).all_patterns().map(|decl| pattern_numbers(db, root, decl).clone().expect("a pattern")).collect()
}

/// `6 R`, `3 W + 1.1 Open`; what is missing in brackets.
fn shown(numbers: &PatternNumbers) -> String {
    let figure = |figure: &Figure| show::figure(figure, |value| format!("{}", (value * 1e6).round() / 1e6));
    let mut parts = Vec::new();
    if numbers.read_units != Figure::ZERO {
        parts.push(format!("{} R", figure(&numbers.read_units)));
    }
    if numbers.write_units != Figure::ZERO {
        parts.push(format!("{} W", figure(&numbers.write_units)));
    }
    for (index, units) in numbers.index_writes.iter().filter(|(_, units)| **units != Figure::ZERO) {
        parts.push(format!("{} {}", figure(units), index.split('.').next_back().unwrap_or_default()));
    }
    let all = numbers.read_units.plus(&numbers.all_write_units());
    let missing = if all.missing().is_empty() { String::new() } else { format!(" [{}]", list(all.missing())) };
    format!("{}{missing}", parts.join(" + "))
}

#[track_caller]
pub(super) fn assert_units(model: &str, cases: &[(&str, &str)]) {
    let patterns: Vec<&str> = cases.iter().map(|(pattern, _)| *pattern).collect();
    let numbers = units_in(model, &patterns);
    let wrong: Vec<String> = cases
        .iter()
        .zip(&numbers)
        .filter(|((_, expected), numbers)| shown(numbers) != *expected)
        .map(|((pattern, expected), numbers)| {
            format!("{pattern}\n  expected {expected}\n  got      {}", shown(numbers))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// Bytes that follow from the model: an order is stored with its lines, lines +
// 3 + 4 × (1 + element), an element 3 + (1 + 7 + 8) + (1 + 4 + 75) = 99, so
// 2,000 + 8 + 400 = 2,408. Entries: Open = user_id 43 + sk 2 + 32 + city 14 +
// status 13 + open_at 27 + total 13 + 20 % of note 54 = 154.8; ByCity = 2,408;
// Vips = 43 + 3 + 6 = 52 of a user; ByDay = 43 + 34 + by_day 6 + 37 + total 13
// = 133.

#[test]
fn reads() {
    assert_units(
        SHOP,
        &[
            // Q8: consistency and transactions.
            ("get User from Main", "0.5 R"),
            ("get User from Main consistent", "1 R"),
            ("get Order from Main consistent times 3", "3 R"),
            ("get Line from Main", "0.5 R"),
            ("transact get { get User from Main get Order from Main }", "4 R"),
            // A batch rounds each item alone.
            ("batch get { get Order from Main times 7 }", "3.5 R"),
            // Q2: the user and twenty orders: 1,024 + 48,160 bytes are 13 units.
            ("query Main where user_id = :u", "6.5 R"),
            ("query Main where user_id = :u consistent", "13 R"),
            // Q3: literals select; 48,160 bytes are 12 units.
            ("query Main where user_id = :u and sk begins_with \"ORDER#\"", "6 R"),
            ("query Main where user_id = :u and sk = \"A\"", "0.5 R"),
            ("query Main where user_id = :u and sk > \"B\"", "6 R"),
            // Q3: the whole primary key.
            ("query Main where user_id = :u and sk = \"ORDER#{order_id}\"", "0.5 R"),
            // Q5: the limit takes the user first, or the orders where it descends.
            ("query Main where user_id = :u limit 2", "0.5 R"),
            ("query Main where user_id = :u descending limit 2", "1 R"),
            // Q7: pages of five orders, 12,040 bytes, two and a half of them.
            ("query Main where user_id = :u and sk begins_with \"O\" limit 5 pages 2.5", "3.75 R"),
            // Q8: neither filter nor projection saves.
            ("query Main where user_id = :u filter status = \"open\" project total", "6.5 R"),
            // Q4: `returning` counts before the filter.
            ("query Main where user_id = :u and sk begins_with \"O\" returning avg 3, max 9", "1 R"),
            // Q2: half of the traffic meets half of the orders: 20M × (0.25 + 0.025).
            ("query Main.ByCity where city = :c limit 10", "3 R"),
            // Q9: nothing else reads more than one value.
            ("query Main where user_id = :u times 4", "26 R"),
            // Q10: twenty entries of 133 bytes, and twenty orders where it asks for more.
            ("query Main.ByDay where user_id = :u project total", "0.5 R"),
            ("query Main.ByDay where user_id = :u project status", "10.5 R"),
            ("query Main.ByDay where user_id = :u project status consistent", "21 R"),
            ("reads Order(status) by user_id query Main.ByDay where user_id = :u limit 4", "2.5 R"),
            // Q6: a page of the mean size: (1 × 1,024 + 20 × 2,408) / 21 × 100.
            ("scan Main limit 100", "29 R"),
            ("scan Main.Vips limit 100", "1 R"),
            ("scan Main.Vips pages 2", "256 R"),
        ],
    );
}

#[test]
fn writes() {
    assert_units(
        SHOP,
        &[
            // W1: an order is 3 units; a tenth of them is open, all are in ByCity and ByDay.
            ("put Order into Main", "3 W + 3 ByCity + 1 ByDay + 0.1 Open"),
            ("put Order into Main with open_at", "3 W + 3 ByCity + 1 ByDay + 1 Open"),
            ("put Order into Main with none", "3 W + 3 ByCity + 1 ByDay"),
            ("put User into Main", "1 W + 0.05 Vips"),
            ("put User into Main with vip if not_exists", "1 W + 1 Vips"),
            // W2
            ("delete Order from Main", "3 W + 3 ByCity + 1 ByDay + 0.1 Open"),
            ("delete User from Main times 2", "2 W + 0.1 Vips"),
            // W3: the key of Open moves: a tenth before, a tenth after.
            ("update Order in Main set status", "3 W + 3 ByCity + 0.2 Open"),
            // What is set is there afterwards.
            ("update Order in Main set open_at", "3 W + 3 ByCity + 1.1 Open"),
            ("update Order in Main set status remove open_at", "3 W + 3 ByCity + 0.1 Open"),
            ("update Order in Main set city", "3 W + 6 ByCity + 0.2 Open"),
            ("update Order in Main set placed_at", "3 W + 3 ByCity + 2 ByDay"),
            // W4: projected only.
            ("update Order in Main set total", "3 W + 3 ByCity + 1 ByDay + 0.1 Open"),
            // Removed from the fifth that has it.
            ("update Order in Main remove note", "3 W + 0.6 ByCity + 0.02 Open"),
            ("update User in Main set name", "1 W"),
            // W5: an embedded entity is its parent's list.
            ("put Line into Main", "3 W + 3 ByCity"),
            ("update Line in Main set text", "3 W + 3 ByCity"),
            ("delete Line from Main", "3 W + 3 ByCity"),
            // W6: a transaction doubles the table alone; a check costs no index.
            (
                "transact write { put Order into Main with none update User in Main set name }",
                "8 W + 3 ByCity + 1 ByDay",
            ),
            ("transact write { check User in Main if exists delete User from Main times 2 }", "6 W + 0.1 Vips"),
            (
                "batch write { put User into Main delete Order from Main }",
                "4 W + 3 ByCity + 1 ByDay + 0.1 Open + 0.05 Vips",
            ),
        ],
    );
}

#[test]
fn what_is_not_declared_is_unknown_or_bounded() {
    let without = |text: &str| {
        assert!(SHOP.contains(text), "{text}");
        SHOP.replace(text, "")
    };
    // Q4: an unknown count with a limit is at most the limit.
    let no_children = without("relationship User 1:N Order { children avg 20, max 900 }").replace("count 20M", "");
    assert_units(
        &no_children,
        &[
            ("query Main where user_id = :u and sk begins_with \"O\"", "at least 0.5 R [`count` of `Order`]"),
            ("query Main where user_id = :u and sk begins_with \"O\" limit 10", "≤ 3 R [`count` of `Order`]"),
            ("get Order from Main", "0.5 R"),
        ],
    );
    // Q2: without a relationship, the ratio of the counts.
    assert_units(
        &without("relationship User 1:N Order { children avg 20, max 900 }"),
        &[("query Main where user_id = :u and sk begins_with \"O\"", "6 R")],
    );
    // S4: no more than there are.
    assert_units(
        &without(" @present(10%)"),
        &[
            ("put Order into Main", "3 W + 3 ByCity + 1 ByDay + ≤ 1 Open [`@present` of `Order.open_at`]"),
            ("update Order in Main set open_at", "3 W + 3 ByCity + ≤ 2 Open [`@present` of `Order.open_at`]"),
        ],
    );
    // An update that says nothing of what it sets.
    assert_units(
        SHOP,
        &[("update User in Main", "1 W + ≤ 0.05 Vips [the attributes that the update of `User` in `P000` sets]")],
    );
    assert_units(
        SHOP,
        &[
            ("", "unknown R + unknown W [an operation that answers `P000`]"),
            ("external \"S3\" because \"Large.\"", ""),
            ("get Nobody from Main", "unknown R + unknown W [the entity `Nobody`]"),
            ("query Nowhere where a = 1", "unknown R + unknown W [`Nowhere`]"),
        ],
    );
}

#[test]
fn keys_select_as_they_are_given() {
    let model = r#"
entity Course { course_id: uuid @id title: string @size(20B) count 1k size 1KB }
entity Student { student_id: uuid @id count 50k size 1KB }
entity Enrolment {
  student_id: uuid @id @of(Student)
  course_id: uuid @id @of(Course)
  state: enum(active, ended)
  term: string @size(6B) @distinct(10)
  at: timestamp
  code: string? @unique @size(8B) @present(50%)
  count 200k size 4000B
}
relationship Student N:M Course through Enrolment { children avg 4 parents avg 200 }
table T {
  partition key PK: string
  sort key SK: string
  item Enrolment {
    PK = "S#{student_id}" SK = "C#{course_id}"
    GSI1PK = "C#{course_id}" GSI1SK = "{state}#{term}#{at}"
    GSI2PK = "K#{code}"
    GSI3PK = "T#{term}#{shard(student_id, 8)}"
    GSI4PK = "ALL" GSI4SK = "{at}"
  }
  gsi GSI1 { partition key GSI1PK: string sort key GSI1SK: string projection all }
  gsi GSI2 { partition key GSI2PK: string projection all }
  gsi GSI3 { partition key GSI3PK: string projection all }
  gsi GSI4 { partition key GSI4PK: string sort key GSI4SK: string projection all }
  gsi GSI5 { partition key course_id, term sort key state, at projection all }
}
"#;
    assert_units(
        model,
        &[
            // Both ends of an N:M, through its edge.
            ("query T where PK = \"S#{student_id}\"", "2 R"),
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\"", "98 R"),
            // A hole in the sort key divides: 100 by state, 10 by term too.
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\" and GSI1SK begins_with \"{state}#\"", "49 R"),
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\" and GSI1SK begins_with \"active#{term}#\"", "5 R"),
            // A parameter at the end is the caller's own prefix.
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\" and GSI1SK begins_with \"active#{:p}\"", "49 R"),
            // The names of an enum that begin so.
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\" and GSI1SK begins_with \"act\"", "49 R"),
            // A range selects everything.
            ("query T.GSI1 where GSI1PK = \"C#{course_id}\" and GSI1SK > \"active#{term}\"", "98 R"),
            // Identity: whoever knows the code knows the item.
            ("query T.GSI2 where GSI2PK = \"K#{code}\"", "0.5 R"),
            // A shard is one of its values: 200k / 10 / 8 = 2,500 items of 4,000 bytes.
            ("query T.GSI3 where GSI3PK = \"T#{term}#{shard(student_id, 8)}\" times 8", "9768 R"),
            // Several parts, each divides.
            ("query T.GSI5 where course_id = :c and term = :t", "10 R"),
            ("query T.GSI5 where course_id = :c and term = :t and state = \"active\"", "5 R"),
            ("query T.GSI5 where course_id = :c and term = :t and state = :s and at > :a", "5 R"),
            // How many days there are, nothing says.
            (
                "query T.GSI4 where GSI4PK = \"ALL\" and GSI4SK begins_with \"{at:day}\" limit 50",
                "≤ 24.5 R [how many values `{at}` of `Enrolment` has]",
            ),
            // The whole primary key.
            ("query T where PK = \"S#{student_id}\" and SK = \"C#{course_id}\"", "0.5 R"),
            ("query T where PK = :p and SK = :s", "0.5 R"),
        ],
    );
}

#[test]
fn what_literals_and_halves_of_measures_leave_open() {
    let model = r#"
entity User { uid: uuid @id count 10 size 40KB }
entity Ord { oid: ulid @id uid: uuid @of(User) tag: string @size(4B) count 10 size 1KB }
entity Big { bid: uuid @id uid: uuid @of(User) count 200 size 40KB }
relationship User 1:N Big { children avg 20, max 30 }
table Tab {
  partition key pk: string
  sort key sk: string
  item User { pk = "U#{uid}" sk = "M" }
  item Ord { pk = "U#{uid}" sk = "O#{oid}" tagged = "{shard(tag, 20)}" }
  item Big { pk = "B#{uid}" sk = "{bid}" }
  gsi Tagged { partition key tagged: string projection all }
  gsi Empty { partition key never: string projection all }
}
"#;
    assert_units(
        model,
        &[
            // A strict range leaves out the item whose key is the literal itself.
            ("query Tab where pk = \"U#{uid}\" and sk > \"M\"", "0.5 R"),
            ("query Tab where pk = \"U#{uid}\" and sk >= \"M\"", "5.5 R"),
            ("query Tab where pk = \"U#{uid}\" and sk < \"M\"", "0.5 R"),
            ("query Tab where pk = \"U#{uid}\" and sk <= \"M\"", "5 R"),
            // The whole primary key reads one item, of the mean of the kinds: 20.5 KB.
            ("query Tab where pk = \"U#{uid}\" and sk = :x", "3 R"),
            // Only the most of two that belong together.
            ("query Tab where pk = \"B#{uid}\" returning max 5 consistent", "≤ 50 R [`returning avg` of `P005`]"),
            ("query Tab where pk = \"B#{uid}\" limit 5 consistent pages max 3", "≤ 150 R [`pages avg` of `P006`]"),
            // How many values `tag` has, and so its shards, nothing says.
            ("query Tab.Tagged where tagged = :t", "≤ 1.5 R [`@distinct` of `Ord.tag`]"),
            // An index that no item has the key of is empty, not unknown.
            ("scan Tab.Empty", "0.5 R"),
        ],
    );
}

#[test]
fn what_is_embedded_is_checked_and_sized_with_its_parent() {
    let model = r#"
entity P { pid: uuid @id count 10 size 5000B }
entity C { cid: ulid @id frm: uuid @of(P) to: uuid @of(P) count 40 }
relationship P 1:N C by frm { children avg 4 }
table Tab { partition key pid item P embeds C as cs }
"#;
    // An element is 3 + (1 + 3 + 26) + (1 + 2 + 36): `frm` is the parent's id, `to`
    // is some other's and is stored. 5,000 + 2 + 3 + 4 × 73 = 5,297 bytes.
    let numbers = units_in(model, &["get P from Tab"]);
    let keywright::capacity::operations::Work::Read(read) = &numbers[0].steps[0].work else { panic!("it reads") };
    assert_eq!(read.bytes.value(), Some(5_297.0));
    assert_units(
        model,
        &[
            ("transact write { check C in Tab if exists }", "12 W"),
            ("transact write { check C in Tab if not_exists }", "12 W"),
            ("transact write { check P in Tab if not_exists }", "2 W"),
        ],
    );
}

/// A bound holds for each call (Q4, Q7), so that what a query reads on average is the
/// mean of what is left for the hottest value and for the others, and not what the bound
/// leaves of the mean (Q2).
#[test]
fn what_bounds_a_call_bounds_each_class_of_calls() {
    // 501 sales: the hottest has a fifth of the 5,000 items and of the calls, 1,000; each
    // other 8. Two kinds share a collection, and `shop` has a hottest value too.
    let model = r#"
entity Sale { sale_id: uuid @id count 501 size 1KB }
entity Item {
  sale_id: uuid @id @of(Sale) @hottest(20%)
  sku: string @id @size(12B)
  shop: string @size(8B) @distinct(3) @hottest(80%)
  count 5k
  size 4KB
}
entity Bid { sale_id: uuid @id @of(Sale) @hottest(20%) bid_id: ulid @id count 5k size 4KB }
table Sales {
  partition key sale_id
  sort key sk: string
  item Item { sk = "ITEM#{sku}" }
  item Bid { sk = "BID#{bid_id}" }
  gsi Apart { partition key sale_id, shop projection all }
}
"#;
    assert_units(
        model,
        &[
            // 20 % × 20 + 80 % × 8 = 10.4 items, and not min(206.4, 20).
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" limit 20 consistent", "11 R"),
            // The same where `returning max` says it, at most.
            (
                "query Sales where sale_id = :s and sk begins_with \"ITEM#\" returning max 20 consistent",
                "≤ 11 R [`returning avg` of `P001`]",
            ),
            // A page of the hottest is full with 256 items: 20 % × 256 + 80 % × 8 = 57.6.
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" consistent pages 1", "58 R"),
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" limit 20 consistent pages 2", "22 R"),
            // Where nothing bounds a call it is the weighted mean: 206.4 items.
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" consistent", "207 R"),
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" limit 2000 consistent", "207 R"),
            // Where the bound is what all of them read, it is that.
            ("query Sales where sale_id = :s and sk begins_with \"ITEM#\" limit 5 consistent", "5 R"),
            // Bids come first: 20 % × 20 bids + 80 % × (8 bids + 8 items).
            ("query Sales where sale_id = :s limit 20 consistent", "17 R"),
            // Two holes: 16 % meet 800 items, 4 % 100, 64 % 6.4 and 16 % 0.8; of these
            // 10, 10, 6.4 and 0.8 are 6.224 items.
            ("query Sales.Apart where sale_id = :s and shop = :p limit 10", "3.5 R"),
        ],
    );
    // Of how many sales there are nothing is said: it is no more than
    // the bound.
    assert_units(
        &model.replace("count 501 ", ""),
        &[(
            "query Sales where sale_id = :s and sk begins_with \"ITEM#\" limit 20 consistent",
            "≤ 20 R [`count` of `Sale`]",
        )],
    );
}
