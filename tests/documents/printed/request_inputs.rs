//! What a printed request asks of its caller, and what it does with it.

use super::made::{BANK, SHOP, comments, part, request, values};
use keywright::deliverables::DocumentKind;

#[test]
fn a_read_of_all_shards_goes_through_them() {
    let model = "\
entity Event { event_id: ulid @id  day: string @size(10B) @example(\"2026-03-02\") @without(\"#\")  count 1M size 200B }
table Events { partition key shard: string  sort key event_id
  item Event { shard = \"{day}#{shard(event_id, 4)}\" } }
pattern OfDay { query Events where shard = \"{day}#{shard(event_id, 4)}\" times 4  rate avg 1/s }
pattern Newest { query Events where shard = \"{day}#{shard(event_id, 4)}\" limit 5 times 4  rate avg 1/s }
pattern OfOne { query Events where shard = \"{day}#{shard(event_id, 4)}\"  rate avg 1/s }
";
    let all = request(model, "OfDay");
    assert!(
        all.contains("for (let shard = 0; shard < 4; shard += 1) {\n  for await (const page of paginateQuery("),
        "{all}"
    );
    assert!(all.contains("`${day}#${shard}`") && !all.contains("eventIdShard"), "{all}");
    assert!(all.contains("- The command reads one of 4 shards, 0 to 3; the others are read alike."), "{all}");
    let newest = request(model, "Newest");
    assert!(newest.contains("  const { Items: found = [] } = await client.send(new QueryCommand({"), "{newest}");
    assert!(newest.contains("  items.push(...found);\n}"), "{newest}");
    // Who reads one shard knows which.
    let one = request(model, "OfOne");
    assert!(one.contains("eventIdShard") && !one.contains("shard < 4"), "{one}");
}

#[test]
fn what_a_read_returns_is_what_the_next_asks_with() {
    let email = request(SHOP, "FindUserByEmail");
    assert!(!email.contains("const userId"), "{email}");
    assert!(email.contains("if (!item) throw new Error(\"There is no such EmailClaim.\");\n"), "{email}");
    assert!(email.contains("user_id: item.user_id"), "{email}");
}

#[test]
fn a_transaction_can_be_tried_again() {
    let place = request(SHOP, "PlaceOrder");
    assert!(place.contains("  ClientRequestToken: clientRequestToken,\n"), "{place}");
    assert!(place.contains("aws dynamodb transact-write-items \\\n  --client-request-token "), "{place}");
}

#[test]
fn an_update_that_could_undo_another_says_so() {
    let place = request(SHOP, "PlaceOrder");
    let told = "undoes the earlier; count in the update instead (stock = stock - :quantity), or compare a version.";
    assert!(comments(&place).contains(told), "{place}");
    // Who compares what was read before is told by the condition.
    let versioned = "\
entity Account { id: ulid @id  balance: number  version: number  count 10 size 100B }
table Accounts { partition key id  item Account }
pattern Take { update Account in Accounts set balance, version if balance >= :amount and version = :version  rate avg 1/s }
pattern Spend { update Account in Accounts set balance if balance >= :amount  rate avg 1/s }
";
    assert!(!request(versioned, "Take").contains("undoes"));
    assert!(comments(&request(versioned, "Spend")).contains("(balance = balance - :amount), or"));
}

#[test]
fn one_page_is_read_once() {
    let model = "\
entity Post { id: ulid @id  count 10 size 1KB }
table Posts { partition key id  sort key kind: string
  item Post { kind = \"POST\" } }
pattern GetPost { query Posts where id = :id and kind = \"POST\"  rate avg 1/s }
";
    let post = request(model, "GetPost");
    assert!(post.contains("QueryCommand") && !post.contains("paginateQuery"), "{post}");
    let notes = part(model, DocumentKind::DataModel, "access-pattern-mapping");
    assert!(notes.contains("one page holds all that it can return") && !notes.contains("1 MB a page"), "{notes}");
}

#[test]
fn a_part_of_an_epoch_is_taken_of_its_instant() {
    let model = "\
entity Event { id: uuid @id @distinct(1k)  at: epoch @id  count 1k }
table Events { partition key id  sort key sk: string  item Event { sk = \"E#{at:day}\" } }
pattern Put { put Event into Events  rate avg 1/s }
pattern OfDay { query Events where id = :id and sk = \"E#{at:day}\"  rate avg 1/s }
";
    for pattern in ["Put", "OfDay"] {
        let text = request(model, pattern);
        assert!(text.contains("`E#${new Date(at * 1000).toISOString().slice(0, 10)}`"), "{text}");
        assert!(text.contains("{\"S\": \"E#2026-"), "{text}");
    }
}

#[test]
fn a_transfer_is_of_one_amount() {
    let pay = request(BANK, "Pay");
    let amounts = values(&pay, "amount_cents");
    assert!(amounts.len() == 3 && amounts.iter().all(|amount| *amount == amounts[0]), "{pay}");
    assert_eq!(values(&pay, ":amount"), [amounts[0]], "{pay}");
}
