//! What the items of one transaction share, and what each has for itself.

use super::made::{BANK, comments, request, values};

#[test]
fn items_in_roles_have_names_of_their_own_and_share_what_they_belong_to() {
    let pay = request(BANK, "Pay");
    let has = |text: &str| assert!(pay.contains(text), "{text} in {pay}");
    // Keys and numbers are each item's own, also where two are equal.
    has("Key: { account_id: payerAccountId, entry: \"TOTAL\" }");
    has("Key: { account_id: payeeAccountId, entry: \"TOTAL\" }");
    has("entry_no: debitEntryNo,");
    has("entry_no: creditEntryNo,");
    has("\":balance_cents\": payerBalanceCents");
    has("\":balance_cents\": payeeBalanceCents");
    // What a condition compares is the model's parameter; what is set besides is new.
    has("\":payee_version\": payeeVersion,\n          \":version\": newPayeeVersion");
    let numbers = values(&pay, "entry_no");
    assert!(numbers.len() == 2 && numbers[0] != numbers[1], "{numbers:?}");
    // What all belong to is one thing.
    assert_eq!(pay.matches("const transferId").count(), 1, "{pay}");
    assert_eq!(pay.matches("amount_cents: amountCents").count(), 3, "{pay}");
    let instants = values(&pay, "booked_at");
    assert!(instants.len() == 3 && instants.iter().all(|at| *at == instants[0]), "{instants:?}");
}

#[test]
fn a_version_that_an_update_does_not_compare_is_counted() {
    let charge = request(BANK, "Charge");
    assert!(charge.contains("version = version + :one\","), "{charge}");
    assert!(charge.contains("\":one\": 1") && !charge.contains("const version"), "{charge}");
    // The balance is guarded by it elsewhere.
    let told = "(balance_cents = balance_cents + :more), or compare version, as other updates of the entity do.";
    assert!(comments(&charge).contains(told), "{charge}");
    assert!(!request(BANK, "Pay").contains("version + :one"));
}

#[test]
fn numbers_of_two_items_of_one_step_have_two_names() {
    let model = "\
entity Order { order_id: ulid @id  count 1k size 100B }
entity Line { order_id: ulid @id @of(Order)  sku: string @id @of(Product) @size(8B)  pieces: number  count 3k size 100B }
entity Product { sku: string @id @size(8B)  stock: number @example(12)  count 20 size 100B }
relationship Order 1:N Line { children avg 3 identifying }
table Orders { partition key order_id  sort key entry: string
  item Order { entry = \"ORDER\" }  item Line { entry = \"LINE#{sku}\" } }
table Products { partition key sku  item Product }
pattern Place {
  transact write {
    put Order into Orders if not_exists
    put Line into Orders if not_exists times 3
    update Product in Products set stock if stock >= :pieces times 3
  }
  rate avg 1/s
}
";
    let place = request(model, "Place");
    for name in ["const stock =", "const stock2 =", "const pieces =", "const pieces2 ="] {
        assert_eq!(place.matches(name).count(), 1, "{name} in {place}");
    }
    assert!(place.contains("{ \":pieces\": pieces, \":stock\": stock }"), "{place}");
    assert!(place.contains("{ \":pieces\": pieces2, \":stock\": stock2 }"), "{place}");
    assert!(place.contains(" pieces, sku }") && place.contains(" pieces: pieces2, sku: sku2 }"), "{place}");
    assert_eq!(place.matches("const orderId =").count(), 1, "{place}");
}

#[test]
fn what_a_new_item_has_of_its_parent_is_what_the_parent_is_set_to() {
    let model = "\
entity Note { note_id: ulid @id  version: number @example(4)  body: string @size(100B)  count 100 }
entity Text { note_id: ulid @id @of(Note)  version: number @id  body: string @size(100B)  count 400 }
relationship Note 1:N Text { children avg 4 identifying }
table Notes { partition key note_id  sort key entry: string
  item Note { entry = \"NOTE\" }  item Text { entry = \"TEXT#{version:4}\" } }
pattern Save {
  transact write {
    update Note in Notes set version, body if version = :version
    put Text into Notes if not_exists
  }
  rate avg 1/s
}
";
    let save = request(model, "Save");
    assert!(save.contains("\":new_version\": newVersion, \":version\": version"), "{save}");
    assert!(save.contains("version: newVersion,\n") && save.contains("`TEXT#${String(newVersion)"), "{save}");
    assert_eq!((save.matches("const body").count(), values(&save, "version").len()), (1, 1), "{save}");
    assert_eq!(values(&save, ":new_version"), values(&save, "version"), "{save}");
}

#[test]
fn items_that_want_one_parameter_have_one_value() {
    let model = "\
entity Booking { booking_id: ulid @id  state: enum(held, cancelled)  count 100 size 100B }
entity Night { room: string @id @size(4B) @distinct(9)  night: string @id @size(10B) @example(\"2026-11-30\")
  booking_id: ulid? @of(Booking) @present(40%)  count 900 size 100B }
relationship Booking 1:N Night { children avg 3 }
table Bookings { partition key booking_id  item Booking }
table Nights { partition key room  sort key night  item Night }
pattern Cancel {
  transact write {
    update Booking in Bookings set state if exists
    update Night in Nights remove booking_id if booking_id = :booking_id times 3
  }
  rate avg 1/s
}
";
    let cancel = request(model, "Cancel");
    let ids = values(&cancel, ":booking_id");
    assert!(ids.len() == 2 && ids[0] == ids[1], "{cancel}");
    assert_eq!(cancel.matches("const bookingId").count(), 1, "{cancel}");
    assert_eq!(values(&cancel, "booking_id"), [ids[0]], "{cancel}");
}

#[test]
fn several_new_items_belong_to_the_new_one() {
    let model = "\
entity Person { person_id: uuid @id  count 100 size 100B }
entity Chat { chat_id: ulid @id  count 100 size 100B }
entity Member { chat_id: ulid @id @of(Chat)  person_id: uuid @id @of(Person)  since: timestamp @immutable  count 400 size 100B }
relationship Person N:M Chat through Member { children avg 4  parents avg 4 }
table Chats { partition key chat_id  sort key entry: string
  item Chat { entry = \"CHAT\" }  item Member { entry = \"MEMBER#{person_id}\" } }
table People { partition key person_id  item Person }
pattern Start {
  transact write {
    put Chat into Chats if not_exists
    put Member into Chats if not_exists times 4
  }
  rate avg 1/s
}
";
    let start = request(model, "Start");
    assert_eq!((start.matches("const chatId").count(), start.matches("const since").count()), (1, 1), "{start}");
    let people = values(&start, "person_id");
    assert!(people.len() == 2 && people[0] != people[1], "{start}");
}

#[test]
fn a_total_is_the_sum_of_the_lines_beside_it() {
    let model = |total: &str| {
        format!(
            "\
entity Order {{ order_id: ulid @id  {total}  count 100 size 1KB }}
entity Line {{ order_id: ulid @id @of(Order)  line_no: number @id  quantity: number  price_cents: number  size 60B }}
relationship Order 1:N Line {{ children avg 3, max 20 identifying }}
table Orders {{ partition key order_id  item Order embeds Line as lines }}
pattern Place {{ put Order into Orders if not_exists  rate avg 1/s }}
"
        )
    };
    let sum = |text: &str| {
        let of = |name: &str| values(text, name).into_iter().map(|n| n.parse::<i64>().expect("a number"));
        of("quantity").zip(of("price_cents")).map(|(quantity, price)| quantity * price).sum::<i64>()
    };
    let place = request(&model("total_cents: number"), "Place");
    assert!(values(&place, "quantity").len() > 1, "{place}");
    assert_eq!(values(&place, "total_cents"), [sum(&place).to_string()], "{place}");
    // What the model says itself, or what is in another unit, is as it was.
    for other in ["total_cents: number @example(77)", "total: number", "title: string @size(9B)"] {
        let place = request(&model(other), "Place");
        assert!(!place.contains(&format!("{{\"N\": \"{}\"}}", sum(&place))), "{place}");
    }
}
