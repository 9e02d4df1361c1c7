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
         units and 600 write units; below 80 % of both limits as far as it is even, but up to 300 transactions a \
         second may change one item, and from 10 they get into each other's way (`transaction-contention`): `@hottest` \
         would say whether there is something to do"
    );
    // A few transactions a second do not.
    let few = Made::new("bank", &BANK.replace("avg 30/s, peak 300/s", "avg 3/s, peak 9/s"));
    let rows = few.table("## Hot Partition Analysis", "One value");
    assert!(rows[0][7].ends_with("and 18 write units; nothing to do: below 80 % of both limits"), "{}", rows[0][7]);
    assert!(made.section("## Hot Partition Analysis").contains("come first"));
    // Where one value could not take them, nothing is said to be done.
    let more = Made::new("bank", &BANK.replace("peak 300/s", "peak 400/s"));
    let rows = more.table("## Hot Partition Analysis", "One value");
    let even = "below 80 % of both limits as far as it is even, but up to 400 transactions a second may change one \
                item, and from 10 they get into each other's way (`transaction-contention`): `@hottest` would say \
                whether there is something to do";
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
    // A limit holds for each call: of the half for the hottest town it leaves 200.
    let limited = "a call reads 125 items, 12.2 KB (for the hottest value of `{town}` (50 % of the calls): `Work`: 1,000 \
                   (`count`) × 50 % (`{town}`: the hottest value) = 500 items; `Work`, within `limit` 200: min(500, \
                   200) = 200 items; for the other values (50 % of the calls): `Work`: 1,000 (`count`) × 5 % \
                   (`{town}`: each other value) = 50 items; `Work`, within `limit` 200: min(50, 200) = 50 items; \
                   `Work`, on average over the calls: 50 % × 200 + 50 % × 50 = 125 items)";
    assert!(made.document.contains(limited), "{}", made.document);
}

/// A transaction touches an item once, however many it changes.
#[test]
fn the_items_of_one_transaction_do_not_meet_on_one_of_them() {
    let row = |pay: &str| {
        let step = "update Account in Accounts set balance if balance >= :amount";
        assert!(BANK.contains(step));
        let made = Made::new("bank", &BANK.replace(step, pay));
        let rows = made.table("## Hot Partition Analysis", "One value");
        rows.into_iter().find(|row| row[0].starts_with("`Accounts`")).expect("it has a row")[7].clone()
    };
    let twice = row("update Account in Accounts set balance if balance >= :amount times 4");
    assert!(twice.contains("60 read units and 600 write units; "), "{twice}");
    assert!(twice.contains("up to 300 transactions a second may change one item"), "{twice}");
    // Outside a transaction four updates of a call may be of the one item.
    let apart = BANK.replace("transact write {\n    update Account in Accounts set balance if balance >= :amount\n    put Transfer into Transfers if not_exists\n  }", "update Account in Accounts set balance if balance >= :amount times 4 put Transfer into Transfers if not_exists");
    let rows = Made::new("bank", &apart).table("## Hot Partition Analysis", "One value");
    let row = rows.iter().find(|row| row[0].starts_with("`Accounts`")).expect("it has a row");
    assert!(row[7].contains("60 read units and 1,200 write units; "), "{}", row[7]);
}

/// In a single table a key's values have several forms, and more than the one with the
/// heaviest load may come near a limit.
#[test]
fn each_form_of_a_key_that_may_be_hot_has_a_row() {
    let model = |hottest: &str| {
        format!(
            r#"
application Blog {{ domain "d" scale "s" region "us-east-1" style single_table }}
entity User {{ user_id: uuid @id name: string @size(20B) count 1k size 1KB }}
entity Post {{ post_id: ulid @id {hottest} title: string @size(20B) count 1M size 4KB }}
entity Tag {{ tag: string @id @size(8B) @hottest(50%) count 20 size 100B }}
table Blog {{
  partition key PK: string
  sort key SK: string
  item User {{ PK = "USER#{{user_id}}" SK = "USER" }}
  item Post {{ PK = "POST#{{post_id}}" SK = "POST" }}
  item Tag {{ PK = "TAG#{{tag}}" SK = "TAG" }}
}}
pattern ReadUser {{ get User from Blog rate avg 10/s, peak 1k/s latency 20ms }}
pattern ReadPost {{ get Post from Blog consistent rate avg 100/s, peak 4_200/s latency 20ms }}
pattern ReadTag {{ get Tag from Blog consistent rate avg 100/s, peak 5k/s latency 20ms }}
"#
        )
    };
    let rows = |hottest: &str| -> Vec<(String, String)> {
        let rows = Made::new("forms", &model(hottest)).table("## Hot Partition Analysis", "One value");
        rows.into_iter().map(|row| (row[1].clone(), row[2].clone())).collect()
    };
    let shown = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
        rows.iter().map(|(value, reads)| (value.to_string(), reads.to_string())).collect()
    };
    // The tag has the heaviest load; all reads of posts may be of one, and would be more.
    assert_eq!(rows(""), shown(&[("`POST#{post_id}`", "0.0042"), ("`TAG#{tag}`", "2,500")]));
    // What is declared is counted as it is: 60 % of the reads are 84 % of the limit.
    assert_eq!(rows("@hottest(60%)"), shown(&[("`POST#{post_id}`", "2,520"), ("`TAG#{tag}`", "2,500")]));
    // And what stays far below is not told of.
    assert_eq!(rows("@hottest(1%)"), shown(&[("`TAG#{tag}`", "2,500")]));
    let made = Made::new("forms", &model(""));
    let said = made.section("## Hot Partition Analysis");
    assert!(said.contains("Where the values of a key have several forms"), "{said}");
}
