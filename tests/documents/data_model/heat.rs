//! What the documents say of keys of which nobody says how popular their values are, and
//! how the reads of the others are weighted.

use super::made::Made;

/// Money moves between accounts, and all of it may move from one.
const BANK: &str = r#"
application Bank { domain "d" scale "s" region "us-east-1" }
entity Person { person_id: uuid @id name: string @size(20B) count 100k }
entity Account { account_id: uuid @id balance: number count 50k }
entity Transfer { transfer_id: ulid @id account_id: uuid @of(Account) amount: number count 9M }
table People { partition key person_id item Person }
table Transfers {
  partition key account_id
  sort key transfer_id
  item Transfer
}
table Accounts { partition key account_id item Account }
pattern AddPerson { put Person into People if not_exists rate avg 1/s, peak 900/s }
pattern RenamePerson { update Person in People set name if exists rate avg 1/s, peak 900/s }
pattern ReadAccount { get Account from Accounts consistent rate avg 10/s, peak 60/s latency 20ms }
pattern Pay {
  transact write {
    update Account in Accounts set balance if balance >= :amount
    put Transfer into Transfers if not_exists
  }
  rate avg 30/s, peak 300/s
}
"#;

#[test]
fn keys_that_transactions_change_come_first_with_what_one_value_would_take() {
    let made = Made::new("bank", BANK);
    let rows = made.table("## Hot Partition Analysis", "One value");
    let keys: Vec<&str> = rows.iter().map(|row| row[0].trim_end_matches(" (computed)")).collect();
    assert_eq!(keys, ["`Accounts`", "`People`", "`Transfers`"]);
    // Once 60 consistent reads, and 300 transactions of twice one unit.
    assert_eq!(
        rows[0][7],
        "`account_id` taken as even, no `@hottest` is declared: the load of the mean value, if all meet on one 60 read \
         units and 600 write units; nothing to do: below 80 % of both limits"
    );
    assert!(made.section("## Hot Partition Analysis").contains("come first"));
    // Where one value could not take them, nothing is said to be done.
    let more = Made::new("bank", &BANK.replace("peak 300/s", "peak 400/s"));
    let rows = more.table("## Hot Partition Analysis", "One value");
    let even = "below 80 % of both limits as far as it is even: `@hottest` would say whether there is something to do";
    assert!(rows[0][7].ends_with(even), "{}", rows[0][7]);
    let hottest =
        "0.012 write units a second of 1,000 (< 0.01 %), at the peak, with `account_id` taken as even: no `@hottest`";
    assert!(made.document.contains(hottest), "{}", made.section("### Accounts Table"));
}

#[test]
fn what_is_declared_or_no_transaction_stays_where_it_was() {
    let said = BANK.replace("account_id: uuid @id", "account_id: uuid @id @hottest(20%)");
    let made = Made::new("bank", &said);
    let rows = made.table("## Hot Partition Analysis", "One value");
    assert!(rows[0][0].starts_with("`People`") && rows[2][0].starts_with("`Accounts`"), "{rows:?}");
    assert!(!rows[2][7].contains("taken as even"), "{}", rows[2][7]);
    assert!(!made.section("## Hot Partition Analysis").contains("come first"));
    // A new item has an id of its own: no two puts meet.
    let alone = BANK.replace(
        "update Account in Accounts set balance if balance >= :amount",
        "put Account into Accounts if not_exists",
    );
    let rows = Made::new("bank", &alone).table("## Hot Partition Analysis", "One value");
    assert!(rows[0][0].starts_with("`People`"), "{rows:?}");
}

#[test]
fn what_is_put_under_the_id_of_another_may_meet_there() {
    let of = |id: &str| {
        let model = BANK.replace("transfer_id: ulid @id account_id: uuid @of(Account)", id);
        let rows = Made::new("bank", &model).table("## Hot Partition Analysis", "One value");
        rows.into_iter().find(|row| row[0].starts_with("`Transfers`")).expect("it has a row")[7].clone()
    };
    // An entry's id begins with that of its account: all of them may be of one.
    let entry = of("account_id: uuid @id @of(Account) transfer_id: ulid @id");
    assert!(entry.contains("`account_id` taken as even") && entry.contains("600 write units"), "{entry}");
    // The only id of an entity may be that of its parent too.
    let only = of("account_id: uuid @id @of(Account) transfer_id: ulid");
    assert!(only.contains("`account_id` taken as even"), "{only}");
}

#[test]
fn a_read_that_is_weighted_by_traffic_says_how() {
    let made = Made::new(
        "works",
        r#"
application Works { domain "d" scale "s" region "us-east-1" }
entity Work { work_id: ulid @id town: string @size(10B) @distinct(11) @hottest(50%) size 100B count 1000 }
table Works {
  partition key work_id
  item Work
  gsi ByTown { partition key town sort key work_id projection all }
}
pattern OfTown { query Works.ByTown where town = :town limit 200 rate avg 1/s, peak 2/s latency 20ms }
pattern AllOfTown { query Works.ByTown where town = :town rate avg 1/s, peak 2/s latency 20ms }
"#,
    );
    // Half of the traffic meets 500 works, the other half 50 each.
    let how = "`Work`: 1,000 (`count`) × (50 % × 50 % + 50 % × 50 % ÷ (11 − 1)) (`{town}`: weighted by traffic, \
               `@hottest` and the others) = 275 items";
    assert!(made.document.contains(&format!("a call reads 275 items, 26.9 KB ({how})")), "{}", made.document);
    let limited =
        format!("a call reads 200 items, 19.5 KB ({how}; `Work`, within `limit` 200: min(275, 200) = 200 items)");
    assert!(made.document.contains(&limited), "{}", made.document);
}
