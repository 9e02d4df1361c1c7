//! The implementation notes of the patterns: what a write leaves behind that is
//! refused, and what it makes that nobody asked for.

use super::made::Made;
use crate::printed::made::part;
use keywright::deliverables::DocumentKind;

const SEATS: &str = "\
entity Seat { show_id: ulid @id @distinct(100)  seat: number @id  state: enum(free, held, sold)  holder: string? @size(10B)  count 10k }
entity Show { show_id: ulid @id  left: number  count 100 size 100B }
table Seats { partition key show_id  sort key seat  item Seat }
table Shows { partition key show_id  item Show }
";

/// The notes of the one pattern that a model has.
fn notes(operations: &str) -> String {
    let made = Made::new(operations, &format!("{SEATS}pattern Hold {{ {operations} rate avg 1/s }}\n"));
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    rows[0].last().expect("a row has cells").clone()
}

#[test]
fn an_update_that_makes_what_is_not_there_says_so() {
    const MADE: &str = "makes the item where there is none";
    let update = |condition: &str| notes(&format!("update Seat in Seats set state, holder {condition}"));
    for condition in [
        "",
        "if not_exists(holder)",
        "if state <> \"sold\"",
        "if not (state = \"sold\")",
        "if state = \"free\" or not_exists(holder)",
        "if not_exists(holder) and state <> \"sold\"",
    ] {
        assert!(update(condition).contains(MADE), "{condition}: {}", update(condition));
    }
    for condition in [
        "if exists",
        "if exists(holder)",
        "if state = \"free\"",
        "if not (state <> \"sold\")",
        "if state = \"free\" and not_exists(holder)",
        "if not_exists(holder) and (state = \"free\" or exists(state))",
    ] {
        assert!(!update(condition).contains(MADE), "{condition}: {}", update(condition));
    }
    // A transaction makes it as well, and says of which step that is.
    let both = notes("transact write { update Seat in Seats set state  update Show in Shows set left if exists }");
    let (seat, others) = both.split_once("<br>").expect("each step has a line");
    assert!(seat.starts_with("Seat: ") && seat.contains(MADE) && !others.contains(MADE), "{both}");
}

#[test]
fn a_refused_transaction_says_what_is_left_and_whether_to_try_again() {
    let write = |condition: &str| {
        notes(&format!(
            "transact write {{ update Seat in Seats set state {condition}  update Show in Shows set left }}"
        ))
    };
    let held = write("if state = \"free\"");
    for said in [
        "`TransactionCanceledException`: nothing is written, though write units may be taken all the same",
        "`CancellationReasons`",
        "`ConditionalCheckFailed` fails again on a retry",
        "`TransactionConflict` is worth a retry",
        "an answer that was lost: retry with the same `ClientRequestToken`",
    ] {
        assert!(held.contains(said), "{held}");
    }
    // Without a condition none can fail.
    assert!(write("").contains("`TransactionConflict`") && !write("").contains("`ConditionalCheckFailed`"));
    let read = notes("transact get { get Seat from Seats  get Show from Shows }");
    assert!(read.contains("`TransactionCanceledException`") && !read.contains("`ClientRequestToken`"), "{read}");
}

/// Authors with their posts, which have a copy of the author's name.
const POSTS: &str = "\
entity Author { author_id: ulid @id  name: string @size(20B)  count 100 size 1KB }
entity Post { post_id: ulid @id  author_id: ulid @of(Author)  author_name: string @size(20B)  count 1k size 1KB }
relationship Author 1:N Post { children avg 10, max 300 }
table Authors { partition key author_id  item Author }
table Posts { partition key author_id  sort key post_id  item Post }
";

/// The notes of the pattern `Rename`, and the request that is printed for it.
fn renaming(patterns: &str) -> (String, String) {
    let made = Made::new(patterns, &format!("{POSTS}{patterns}"));
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    let row = rows.iter().find(|row| row[1].starts_with("**Rename**")).expect("it is solved");
    let (_, request) = made.document.split_once("#### 1 Rename\n").expect("it is printed");
    let end = request.find("<!-- keywright:end").expect("the part ends");
    (row.last().expect("a row has cells").clone(), request[..end].to_owned())
}

#[test]
fn where_the_ids_of_many_items_come_from_is_said() {
    let rename = "pattern Rename { update Author in Authors set name if exists  update Post in Posts set author_name if exists times 10 rate avg 1/s }";
    let all = "pattern PostsOf { query Posts where author_id = :author_id rate avg 1/s }";
    let counted = "; each Author has 10 of them on average, 300 at most";
    for (patterns, told) in [
        (
            format!("{rename}\n{all}"),
            "the `post_id` of each: this pattern does not read them, 2 PostsOf finds them by `author_id`",
        ),
        (
            String::from(rename),
            "the `post_id` of each: the caller supplies them, no pattern finds them by what this call is given",
        ),
        (
            rename.replace("update Post", "query Posts where author_id = :author_id  update Post"),
            "the `post_id` of each: those of the items that the `query` of `Posts` before returns",
        ),
    ] {
        let (notes, request) = renaming(&patterns);
        assert!(notes.contains(&format!("{told}{counted}")), "{notes}");
        assert!(request.contains(&format!("- Post: {told}{counted}.\n")), "{request}");
        assert!(!notes.contains("the `author_id` of each"), "{notes}");
    }
    // Who finds posts by another author finds others.
    let edited = format!("{rename}\n{all}")
        .replace("Posts where", "Posts.Edited where")
        .replace("author_id = :author_id", "editor_id = :editor_id");
    let posts = POSTS
        .replace("author_name:", "editor_id: ulid @of(Author)  author_name:")
        .replace("item Post }", "item Post  gsi Edited { partition key editor_id } }")
        .replace("1:N Post {", "1:N Post by author_id {");
    let made = Made::new("edited", &format!("{posts}{edited}"));
    assert!(made.document.contains("the `post_id` of each: the caller supplies them"), "{}", made.document);
    // Who does not know the author does not know that either.
    let alone = rename.replace("update Author in Authors set name if exists", "");
    let (notes, _) = renaming(&alone);
    assert!(notes.contains("the `author_id`, `post_id` of each: the caller supplies them"), "{notes}");
    // One item has no others, and new ones have ids of their own.
    for one in [
        rename.replace(" times 10", ""),
        rename.replace("update Post in Posts set author_name if exists", "put Post into Posts"),
    ] {
        assert!(!renaming(&one).0.contains("of each"), "{one}");
    }
}

/// Copies of what the call changes are all to be changed, however many `times` counts.
#[test]
fn an_update_of_some_copies_says_that_the_others_are_left() {
    let copies =
        POSTS.replace("author_name: string @size(20B)", "author_name: string @size(20B) @copied_from(Author.name)");
    let note = |posts: &str, times: &str| {
        let rename = format!(
            "pattern Rename {{ update Author in Authors set name if exists  update Post in Posts set author_name if exists{times} rate avg 1/s }}"
        );
        let made = Made::new("copies", &format!("{posts}{rename}"));
        let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
        rows[0].last().expect("a row has cells").clone()
    };
    let left = "those left out keep what they had";
    for times in ["", " times 1"] {
        let told = note(&copies, times);
        let words = "the `post_id` of each: the caller supplies them, no pattern finds them by what this call is given; each \
                     Author has 10 of them on average, 300 at most; all of them are to be updated, of which `times` counts 1 \
                     a call: those left out keep what they had";
        assert!(told.contains(words), "{told}");
    }
    assert!(note(&copies, " times 10").contains("`times` counts 10 a call"));
    // There are no others, or nothing that is set is a copy of it.
    assert!(!note(&copies.replace("avg 10, max 300", "avg 1, max 1"), " times 1").contains(left));
    assert!(!note(POSTS, "").contains(left));
}

#[test]
fn what_the_same_call_puts_names_what_it_updates() {
    let model = "\
entity Product { sku: string @id @size(8B)  stock: number  count 100 size 1KB }
entity Order { order_id: ulid @id  count 1k size 1KB }
entity Line { no: number @id  order_id: ulid @of(Order)  sku: string @of(Product) @size(8B)  size 50B }
relationship Order 1:N Line { children avg 3, max 30 identifying }
table Orders { partition key order_id  item Order embeds Line as lines }
table Products { partition key sku  item Product }
pattern Place { transact write { put Order into Orders if not_exists  update Product in Products set stock if exists times 3 } rate avg 1/s }
";
    let made = Made::new("placed", model);
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    let notes = rows[0].last().expect("a row has cells");
    assert!(notes.contains("the `sku` of each: the `sku` of each Line that the call puts<br>"), "{notes}");
}

#[test]
fn what_is_put_once_tells_whose_the_many_are() {
    let model = "\
entity Room { room_id: ulid @id  count 100 size 1KB }
entity Guest { guest_id: ulid @id  count 100 size 1KB }
entity Booking { booking_id: ulid @id  guest_id: ulid @of(Guest)  room_id: ulid @of(Room)  count 1k size 1KB }
entity Night { room_id: ulid @id @of(Room)  night: string @id @size(10B)  booking_id: ulid? @of(Booking) @present(60%)  count 10k size 100B }
relationship Room 1:N Night { children avg 365, max 400 identifying }
relationship Booking 1:N Night { children avg 3, max 30 }
table Bookings { partition key guest_id  sort key booking_id  item Booking }
table Nights { partition key room_id  sort key night  item Night }
pattern Book { transact write { put Booking into Bookings if not_exists  update Night in Nights set booking_id if exists times 3 } rate avg 1/s }
pattern Cancel { transact write { delete Booking from Bookings if exists  update Night in Nights remove booking_id if exists times 3 } rate avg 1/s }
pattern Calendar { query Nights where room_id = :room_id and night between :from and :to rate avg 1/s }
";
    let made = Made::new("booked", model);
    let rows = made.table("## Access Pattern Mapping", "### Solved Patterns");
    let [book, cancel] = [0, 1].map(|row: usize| rows[row].last().expect("a row has cells"));
    let found = "the `night` of each: this pattern does not read them, 3 Calendar finds them by `room_id`; each Room has \
                 365 of them on average, 400 at most";
    assert!(book.contains(found), "{book}");
    let supplied = "the `night`, `room_id` of each: the caller supplies them, no pattern finds them by what this call is \
                    given; each Booking has 3 of them on average, 30 at most";
    assert!(cancel.contains(supplied), "{cancel}");
}

/// What is written with its parent has no write of its own, and none that costs $0.00.
#[test]
fn what_is_written_with_its_parent_is_said_so() {
    let model = |patterns: &str| {
        format!(
            "application A {{ domain \"d\" scale \"s\" region \"us-east-1\" }}
entity Order {{ order_id: ulid @id  count 1k size 1KB }}
entity Line {{ no: number @id  order_id: ulid @of(Order)  note: string @size(8B)  size 50B }}
relationship Order 1:N Line {{ children avg 3, max 30 identifying }}
table Orders {{ partition key order_id  item Order embeds Line as lines }}
{patterns}
"
        )
    };
    let place = "pattern Place { put Order into Orders if not_exists rate avg 1/s }";
    let page = "pattern Page { get Order from Orders rate avg 1/s }";
    let change = "pattern Change { update Line in Orders set note if exists rate avg 1/s }";
    let with = "Line is written with its Order, in the same write (Place): that costs nothing extra, and as items of their \
                own each would be a write more";
    for (patterns, traded, cell) in [
        (
            format!("{place}\n{page}"),
            format!("; {with}"),
            " (reads of both; the children are written with their parent,",
        ),
        (
            String::from(place),
            format!("no pattern reads both; {with}"),
            "nothing to compare: no pattern reads both, the children are written with their parent, at no cost of their own",
        ),
        (
            String::from(page),
            String::from("; no pattern writes Line"),
            " (reads of both; no pattern writes the children)",
        ),
        (
            format!("{place}\n{change}"),
            String::from("no pattern reads both; the writes of Line cost $"),
            " (writes of the children)",
        ),
        (
            format!("{place}\n{page}\n{change}"),
            String::from("; the writes of Line cost $"),
            " (writes of the children and reads of both)",
        ),
    ] {
        let made = Made::new(&patterns, &model(&patterns));
        let trade_offs = made.section("## Trade-offs and Optimizations");
        let line = trade_offs.lines().find(|line| line.starts_with("- Line in the item of Order: "));
        let line = line.unwrap_or_else(|| panic!("{trade_offs}"));
        assert!(line.contains(&traded), "{line}");
        let pairs = made.section("## Aggregate Design Decisions");
        assert!(pairs.contains(cell), "{pairs}");
        assert!(!line.contains("$0.00") && !pairs.contains("$0.00"), "{line}\n{pairs}");
    }
}

#[test]
fn a_transaction_that_can_be_too_large_says_by_how_much() {
    let model = |most: &str| {
        format!(
            "\
entity Cart {{ cart_id: ulid @id  count 1k size 100B }}
entity CartLine {{ cart_id: ulid @of(Cart)  sku: string @id @of(Product) @size(8B)  size 50B }}
entity Product {{ sku: string @id @size(8B)  stock: number  count 1k size 100B }}
relationship Cart 1:N CartLine {{ children avg 3, max {most} identifying }}
relationship Product 1:N CartLine {{ children avg 3, max 500 }}
table Carts {{ partition key cart_id  item Cart embeds CartLine as lines }}
table Products {{ partition key sku  item Product }}
pattern Buy {{
  transact write {{
    delete Cart from Carts
    update Product in Products set stock if stock >= :pieces times 3
  }}
  rate avg 1/s
}}
"
        )
    };
    let words = "up to 101 items in one `TransactWriteItems`, which takes 100: 100 Product through CartLine at most by \
                 Cart 1:N CartLine, 3 on average";
    let parts = [
        (DocumentKind::DataModel, "access-pattern-mapping"),
        (DocumentKind::DataModel, "validation"),
        (DocumentKind::Requirement, "access-patterns"),
    ];
    for (kind, name) in parts {
        assert!(part(&model("100"), kind, name).contains(words), "{}", part(&model("100"), kind, name));
        assert!(!part(&model("99"), kind, name).contains("in one `TransactWriteItems`"));
    }
    let boxes = part(&model("100"), DocumentKind::DataModel, "validation");
    assert!(boxes.contains("- [ ] Every transaction and batch fits into one call"), "{boxes}");
    let boxes = part(&model("99"), DocumentKind::DataModel, "validation");
    assert!(boxes.contains("- [x] Every transaction and batch fits into one call"), "{boxes}");
}

#[test]
fn a_limited_page_says_which_entities_it_may_not_come_to() {
    let model = |limit: &str| {
        format!(
            "\
entity Patient {{ id: ulid @id  count 100 size 1KB }}
entity Allergy {{ id: ulid @id @of(Patient)  allergy_no: number @id  count 300 size 100B }}
entity Visit {{ id: ulid @id @of(Patient)  visit_id: ulid @id  count 900 size 100B }}
relationship Patient 1:N Allergy {{ children avg 3, max 40 identifying }}
relationship Patient 1:N Visit {{ children avg 9, max 500 identifying }}
table Patients {{ partition key id  sort key entry: string
  item Patient {{ entry = \"PATIENT\" }}
  item Allergy {{ entry = \"ALLERGY#{{allergy_no:2}}\" }}
  item Visit {{ entry = \"VISIT#{{visit_id}}\" }} }}
pattern Card {{ query Patients where id = :id {limit}  rate avg 1/s }}
"
        )
    };
    let notes = |limit: &str| part(&model(limit), DocumentKind::DataModel, "access-pattern-mapping");
    let small = notes("limit 40");
    assert!(small.contains("a first page of 40 can end before any Patient or Visit: Allergy may fill it"), "{small}");
    let some = notes("limit 41");
    assert!(some.contains("a first page of 41 can end before any Visit: Allergy and Patient may fill it"), "{some}");
    let down = notes("descending limit 60");
    assert!(down.contains("can end before any Patient or Allergy: Visit may fill it"), "{down}");
    for enough in ["limit 42", ""] {
        assert!(!notes(enough).contains("can end before"), "{}", notes(enough));
    }
}

#[test]
fn what_there_can_be_several_of_in_a_call_bounds_nothing() {
    let model = "\
entity Cart { cart_id: ulid @id  count 1k size 100B }
entity CartLine { cart_id: ulid @of(Cart)  sku: string @id @of(Product) @size(8B)  size 50B }
entity Product { sku: string @id @size(8B)  stock: number  count 1k size 100B }
entity Order { order_id: ulid @id  count 1k size 100B }
entity Parcel { order_id: ulid @id @of(Order)  parcel_no: number @id  count 2k size 100B }
entity ParcelLine { parcel_no: number @of(Parcel)  sku: string @id @of(Product) @size(8B)  size 50B }
relationship Cart 1:N CartLine { children avg 3, max 100 identifying }
relationship Product 1:N CartLine { children avg 3, max 500 }
relationship Product 1:N ParcelLine { children avg 3, max 500 }
relationship Order 1:N Parcel { children avg 1.2, max 20 identifying }
relationship Parcel 1:N ParcelLine { children avg 2, max 60 identifying }
table Carts { partition key cart_id  item Cart embeds CartLine as lines }
table Products { partition key sku  item Product }
table Orders { partition key order_id  sort key entry: string
  item Order { entry = \"ORDER\" }  item Parcel embeds ParcelLine as lines { entry = \"PARCEL#{parcel_no:2}\" } }
pattern Buy {
  transact write {
    update Product in Products set stock if stock >= :pieces times 3
    put Order into Orders if not_exists
    put Parcel into Orders if not_exists
    delete Cart from Carts
  }
  rate avg 1/s
}
";
    let boxes = part(model, DocumentKind::DataModel, "validation");
    assert!(boxes.contains("up to 103 items in one `TransactWriteItems`, which takes 100: 100 Product"), "{boxes}");
}
