//! What the data model promises of each pattern and each table, and what it says of
//! those that it cannot keep.

use super::boxes::{AGREED, SOUND, boxes, of_box};
use super::made::Made;

const PAGE: &str = "reads Customer, Order by id\n  query Customers where id = :id descending limit 21";

fn page(instead: &str) -> String {
    assert_eq!(SOUND.matches(PAGE).count(), 1);
    SOUND.replace(PAGE, instead)
}

#[test]
fn what_a_pattern_reads_by_is_what_it_is_given() {
    let query = "query Customers where id = :id and sk begins_with \"ORDER#\" limit 20";
    let told = of_box(&page(&format!("reads Order by warehouse\n  {query}")), AGREED);
    let expected = "2 CustomerPage is to read by `warehouse`, and what answers it is not given that (";
    assert!(told.starts_with("- [ ] ") && told.contains(expected), "{told}");
    // What it filters by it is given, as what its key is made of.
    let filtered = page(&format!("reads Order by id, warehouse\n  {query} filter warehouse = :warehouse keeping 10%"));
    assert!(of_box(&filtered, AGREED).starts_with("- [x] "), "{}", of_box(&filtered, AGREED));
    let ranged =
        page("reads Order by id, order_id\n  query Customers where id = :id and sk >= \"ORDER#{:from}\" limit 20");
    assert!(of_box(&ranged, AGREED).starts_with("- [x] "), "{}", of_box(&ranged, AGREED));
    // The beginning of a value is given as well.
    let begun = page(
        "reads Order by id, order_id\n  query Customers where id = :id and sk begins_with \"ORDER#{:start}\" limit 20",
    );
    assert!(of_box(&begun, AGREED).starts_with("- [x] "), "{}", of_box(&begun, AGREED));
    // The id of one entity has several names.
    let renamed = SOUND
        .replace("  id: uuid @of(Customer) @immutable", "  buyer: uuid @of(Customer) @immutable")
        .replace("item Order { sk", "item Order { id = buyer sk");
    let renamed = renamed.replace(PAGE, &format!("reads Order by id\n  {query}"));
    assert!(of_box(&renamed, AGREED).starts_with("- [x] "), "{}", of_box(&renamed, AGREED));
}

#[test]
fn an_order_that_is_wanted_is_that_of_the_key() {
    let of = |reads: &str, options: &str| {
        let query = "query Customers where id = :id and sk begins_with \"ORDER#\"";
        of_box(&page(&format!("{reads}\n  {query} {options} limit 20")), AGREED)
    };
    let ordered = of("reads Order by id ordered by total descending", "descending");
    let expected = "2 CustomerPage is to read Order ordered by `total` descending, and what answers it does not (";
    assert!(ordered.starts_with("- [ ] ") && ordered.contains(expected), "{ordered}");
    let own = of("reads Order by id ordered by order_id", "");
    assert!(own.starts_with("- [x] "), "{own}");
    // ULIDs are in the order of a time that never changes.
    let oldest = of("reads Order by id ordered by placed_at", "");
    assert!(oldest.starts_with("- [x] "), "{oldest}");
    // The other way round is another order.
    let turned = of("reads Order by id ordered by order_id", "descending");
    assert!(turned.contains("ordered by `order_id`, and what answers it does not ("), "{turned}");
    // One item is in any order.
    let one = page("reads Customer by id ordered by name\n  get Customer from Customers");
    assert!(of_box(&one, AGREED).starts_with("- [x] "), "{}", of_box(&one, AGREED));
}

#[test]
fn a_limit_that_ends_before_what_is_read_breaks_the_promise() {
    let cut = of_box(&page("reads Customer, Order by id\n  query Customers where id = :id limit 5"), AGREED);
    let expected = "2 CustomerPage is to read Customer, and the `limit` of its operation ends before it (";
    assert!(cut.starts_with("- [ ] ") && cut.contains(expected), "{cut}");
    assert!(of_box(SOUND, AGREED).starts_with("- [x] "));
}

/// No `allow` makes DynamoDB take an item that is too large.
#[test]
fn an_item_over_the_limit_is_over_it_whatever_is_accepted() {
    let question = "Items and collections stay within their limits";
    let large = SOUND
        .replace("size avg 400B, max 1KB", "size avg 400B, max 500KB")
        .replace("item Customer {", "allow item-too-large because \"It never happens.\"\n  item Customer {");
    let told = of_box(&large, question);
    let expected = "an item of Customer in Customers can reach 500 KB, and DynamoDB takes 400 KB; an `allow` accepts it, \
                    because It never happens (";
    assert!(told.starts_with("- [ ] ") && told.contains(expected), "{told}");
}

/// What is in a list of an item is read and written by the name of the list.
#[test]
fn what_a_list_holds_wants_a_write_for_its_read() {
    let question = "There is a write for each read and a read for each write";
    let text = |patterns: &str| {
        format!(
            "{SOUND}
entity Cart {{ cart_id: uuid @id note: string @size(9B) count 1k size 1KB }}
entity Line {{ no: number @id cart_id: uuid @of(Cart) what: string @size(9B) size 50B }}
relationship Cart 1:N Line {{ children avg 2, max 9 identifying because \"so\" }}
table Carts {{ partition key cart_id because \"by id\" item Cart embeds Line as lines }}
{patterns}"
        )
    };
    let with = |patterns: &str| of_box(&text(patterns), question);
    let read = "pattern ReadCart { reads Cart(lines) by cart_id get Cart from Carts rate 1/s latency 9ms }\n";
    let told = with(read);
    assert!(told.starts_with("- [ ] ") && told.contains("`missing-write-pattern` in entity Line"), "{told}");
    for written in ["update Cart in Carts set lines if exists", "put Cart into Carts if not_exists"] {
        let told = with(&format!("{read}pattern Fill {{ {written} rate 1/s }}\n"));
        assert!(told.starts_with("- [x] "), "{written}: {told}");
    }
    let unread = with("pattern Fill { update Cart in Carts set lines if exists rate 1/s }\n");
    assert!(unread.contains("`missing-read-pattern` in entity Line"), "{unread}");
    // A list that an index leaves out is not read there.
    let by_note = |projection: &str| {
        let gsi = format!("as lines gsi ByNote {{ partition key note projection {projection} purpose \"so\" }}");
        let query = "pattern Notes { query Carts.ByNote where note = :note limit 9 rate 1/s latency 9ms }\n";
        of_box(&text(query).replace("as lines", &gsi), question)
    };
    let unwritten = "`missing-write-pattern` in entity Line";
    assert!(by_note("all").contains(unwritten) && !by_note("keys_only").contains(unwritten), "{}", by_note("all"));
}

/// What something else answers, no operation here is called for.
#[test]
fn an_operation_of_what_is_answered_elsewhere_costs_nothing() {
    let search = "  external \"OpenSearch, fed by DynamoDB Streams\" because \"full text\"\n";
    let both = SOUND.replace(search, &format!("  get Customer from Customers\n{search}"));
    assert_ne!(both, SOUND);
    let cost = |text: &str| Made::new("external", text).report().total.value().expect("it is known");
    assert_eq!(cost(&both), cost(SOUND));
    let made = Made::new("external", &both);
    assert!(!made.document.contains("7 Search: get"), "{}", made.document);
    let served = made.document.lines().find(|line| line.starts_with("**Access Patterns Served**")).expect("a line");
    assert!(!served.contains("Search"), "{served}");
}

/// What a reader without an operation will save is not known, and not nothing.
#[test]
fn a_reader_without_an_operation_may_save_more() {
    let copies = |more: &str| {
        let made = Made::new("copies", &format!("{SOUND}{more}"));
        let line = made.document.lines().find(|line| line.contains("is a copy of")).expect("there is a copy");
        line.to_owned()
    };
    assert!(!copies("").contains("at least"), "{}", copies(""));
    let receipt = "pattern Receipt { get Order from Customers rate avg 100/s, peak 200/s latency 9ms }\n";
    let names = "pattern Names { reads Order(name_then) by order_id rate avg 1000/s, peak 2000/s latency 9ms }\n";
    let open = copies(&format!("{receipt}{names}"));
    let expected = "reading it saves at least $";
    assert!(open.contains(expected) && open.contains("needs an operation that answers `Names`"), "{open}");
    assert!(
        open.ends_with("(CustomerPage nothing: it reads Customer anyway; Receipt 1 read of Customer a call; Names)"),
        "{open}"
    );
}

#[test]
fn a_pattern_that_writes_one_by_one_says_so() {
    let made = Made::new("several", SOUND);
    let note = |pattern: &str| {
        let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
        let row = rows.into_iter().find(|row| row[1].contains(&format!("**{pattern}**"))).expect("it has a row");
        row.last().expect("it has notes").clone()
    };
    assert!(note("Rename").contains("21 writes, each by itself: where one fails those before it stand"));
    assert!(!note("ShipOrder").contains("each by itself"));
    let group = SOUND.replace(
        "  update Customer in Customers set name if exists\n  update Order in Customers set name_then if exists times 20\n",
        "  transact write {\n    update Customer in Customers set name if exists\n    update Order in Customers set name_then if exists times 20\n  }\n",
    );
    assert_ne!(group, SOUND);
    assert!(!Made::new("group", &group).document.contains("each by itself"));
}

/// The boxes about load: each asks what its rules look at.
#[test]
fn a_peak_that_a_new_table_does_not_take_is_no_hot_key() {
    let text = SOUND.replace("rate avg 100/s, peak 200/s", "rate avg 100/s, peak 200_000/s");
    let open = |question: &str| of_box(&text, question);
    let peaks = open("Every table takes its peaks, from the first day on");
    assert!(peaks.starts_with("- [ ] ") && peaks.contains("`throughput-quota`"), "{peaks}");
    let hot = open("No key is hot, and the load of each is known");
    assert!(!hot.contains("throughput-quota") && !hot.contains("cold-start-peak"), "{hot}");
    let asked = boxes(&Made::new("load", SOUND).document);
    assert!(asked.iter().any(|(ticked, text)| *ticked && text.starts_with("What is spread over shards has to be")));
}

#[test]
fn what_is_unknown_makes_whole_sentences() {
    let text = SOUND.replace("  rate avg 100/s, peak 200/s\n", "").replace("  rate avg 1/s, peak 5/s\n", "");
    let made = Made::new("unknown", &text);
    for broken in ["unknown a second", "unknown + unknown", " 1 calls a second", " 1 read units", " 1 write units"] {
        assert!(!made.document.contains(broken), "{broken}: {}", made.document);
    }
    let philosophy = made.section("## Design Philosophy & Approach");
    assert!(philosophy.contains("an unknown number of calls a second to read"), "{philosophy}");
}

/// In the column *Because* stands what the model says first, and the thresholds by name.
#[test]
fn the_reason_of_a_decision_is_told_from_that_of_the_thresholds() {
    let because = |text: &str| {
        let made = Made::new("because", text);
        let rows = made.table("## Aggregate Design Decisions", "**Pair by Pair**");
        rows[0].last().expect("it has a reason").clone()
    };
    assert!(because(SOUND).starts_with("The page of a customer shows both. By the thresholds: "), "{}", because(SOUND));
    let silent = because(&SOUND.replace("  because \"The page of a customer shows both.\"\n", ""));
    assert!(silent.starts_with("The model gives no reason. By the thresholds: "), "{silent}");
    let start = SOUND.find("aggregate Customer").expect("it is there");
    let end = start + SOUND[start..].find("\n}\n").expect("it ends") + 3;
    let none = because(&format!("{}{}", &SOUND[..start], &SOUND[end..]));
    assert!(none.starts_with("By the thresholds: "), "{none}");
}

/// A table of many kinds of items has no line of many thousand characters.
#[test]
fn what_is_many_is_named_in_part() {
    let mut text = String::from(
        "application Big { domain \"d\" scale \"s\" region \"us-east-1\" }
entity R { r: uuid @id count 1k size 1KB }
",
    );
    let mut items = String::new();
    for n in 0..60 {
        text.push_str(&format!(
            "entity E{n} {{ id{n}: uuid @id r: uuid @of(R) count 10k size 100B growing 1/day }}
relationship R 1:N E{n} {{ children avg 10, max 100 }}
pattern Get{n} {{ get E{n} from One rate avg 1/s, peak 2/s latency 10ms }}
"
        ));
        items.push_str(&format!("  item E{n} {{ pk = \"R#{{r}}\" sk = \"E{n}#{{id{n}}}\" }}\n"));
    }
    text.push_str(&format!(
        "table One {{
  partition key pk: string
  sort key sk: string
  item R {{ pk = \"R#{{r}}\" sk = \"ROOT\" }}
{items}}}
pattern All {{ reads R by r query One where pk = \"R#{{r}}\" rate avg 1/s, peak 2/s latency 10ms }}
"
    ));
    let made = Made::new("big", &text);
    for (label, more) in [("- **Storage now**: ", "and 49 more"), ("- **Growth**: ", "and 49 more")] {
        let line = made.document.lines().find(|line| line.starts_with(label)).expect(label);
        assert!(line.contains(more), "{line}");
    }
    let longest = made.document.lines().max_by_key(|line| line.len()).expect("it has lines");
    assert!(longest.len() < 4_000, "{}: {longest}", longest.len());
}

/// What needs backticks in the model stands in one pair of them.
#[test]
fn a_name_that_needs_backticks_is_one_piece_of_code() {
    let text = "application T { domain \"d\" scale \"s\" region \"us-east-1\" }
entity `Odd one` { `an id`: uuid @id count 1k size 1KB }
table T { partition key pk: string item `Odd one` { pk = \"A#{`an id`}\" } }
pattern Get { get `Odd one` from T rate avg 1/s, peak 2/s latency 9ms }
pattern Put { put `Odd one` into T if not_exists rate avg 1/s, peak 2/s }
";
    let made = Made::new("odd", text);
    let key = made.document.lines().find(|line| line.contains("(`put Odd one`)")).expect("its load is derived");
    assert!(key.contains("(`{an id}`: one for each `Odd one`)"), "{key}");
}
