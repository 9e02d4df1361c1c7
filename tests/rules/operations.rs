//! The rules on operations: what reads, writes, transactions and batches take, in
//! all the shapes that a model can give them.

use crate::support::fixes::every_fix_holds;
use crate::support::page::{findings, message};

/// Two entities, one of them embedding a third, and a guard; the pattern's text
/// stands in the place of `%`.
const MODEL: &str = r#"
entity User { user_id: uuid @id  email: string @unique @size(20B)  nick: string? @unique @size(9B)  born: timestamp @immutable
  size avg 1KB, max 2KB }
entity Claim { email: string @id @size(20B)  size 100B }
entity NickClaim { nick: string @id @size(9B)  size 100B }
entity Order { user_id: uuid @id @of(User)  order_id: ulid @id  total: number  note: string? @size(9B)  size avg 50KB, max 200KB }
entity Line { order_id: ulid @id @of(Order)  line_no: number @id  quantity: number  size 100B }
entity Config { limits: number  size 100B }
relationship Order 1:N Line { children avg 3, max 10 identifying }
table T {
  partition key pk: string
  sort key sk: string
  item User { pk = "U#{user_id}"  sk = "U" }
  item Claim { pk = "E#{email}"  sk = "E" }
  item NickClaim { pk = "N#{nick}"  sk = "N" }
  item Order embeds Line as lines { pk = "U#{user_id}"  sk = "O#{order_id}" }
  item Config { pk = "CONFIG"  sk = "CONFIG" }
  gsi G { partition key note  sort key total, order_id  projection keys_only }
  lsi L { sort key total  projection keys_only }
}
pattern SignUp { transact write { put User into T if not_exists  put Claim into T if not_exists  put NickClaim into T if not_exists } }
pattern P { % }
"#;

fn with(operations: &str) -> String {
    MODEL.replace('%', operations)
}

/// Each case: the operations, and what of them the rule points at.
fn cases(rule: &str, cases: &[(&str, &[&str])]) {
    for (operations, expected) in cases {
        let text = with(operations);
        assert!(findings(&text, "syntax-error").is_empty(), "{operations} parses");
        let found: Vec<String> = findings(&text, rule)
            .iter()
            .map(|found| match found.range {
                keywright::ide::FileRange::Bytes(range) => text[range.indices()].to_owned(),
                point => format!("{point:?}"),
            })
            .collect();
        assert_eq!(found, *expected, "{rule} in {operations}");
    }
}

#[test]
fn a_transaction_takes_single_items_of_one_kind_of_work() {
    let all = "get User from T  query T where pk = :a  scan T  put Order into T  update Config in T set limits  \
               delete Line from T  check User in T if exists";
    cases(
        "transaction-invalid",
        &[
            (&format!("transact write {{ {all} }}"), &["get User from T", "query T where pk = :a", "scan T"]),
            (
                &format!("transact get {{ {all} }}"),
                &[
                    "query T where pk = :a",
                    "scan T",
                    "put Order into T",
                    "update Config in T set limits",
                    "delete Line from T",
                    "check User in T if exists",
                ],
            ),
            (&format!("batch write {{ {all} }}"), &[]),
        ],
    );
}

#[test]
fn a_batch_takes_gets_or_unconditional_puts_and_deletes() {
    cases(
        "batch-invalid",
        &[
            (
                "batch write { get User from T  query T where pk = :a  put Order into T if total > 3  update Config in T \
                 set limits if exists  delete Order from T if exists  check User in T if exists  put Config into T }",
                &[
                    "get User from T",
                    "query T where pk = :a",
                    "if total > 3",
                    "update Config in T set limits if exists",
                    "if exists",
                    "check User in T if exists",
                ],
            ),
            (
                "batch get { get User from T consistent  scan T  put Order into T  delete Order from T }",
                &["scan T", "put Order into T", "delete Order from T"],
            ),
            ("transact write { put Order into T if total > 3 }", &[]),
        ],
    );
}

#[test]
fn a_call_holds_so_many_items_and_bytes() {
    cases(
        "batch-limit",
        &[
            ("batch write { put Config into T times 25 }", &[]),
            ("batch write { put Config into T times 26 }", &["26"]),
            ("batch write { put Config into T times 20  delete User from T times 6 }", &["batch write"]),
            ("batch get { get User from T times 100 }", &[]),
            ("batch get { get User from T times 50  get Claim from T times 51 }", &["batch get"]),
            ("transact get { get User from T times 101 }", &["101"]),
            ("transact write { delete User from T times 60  put Claim into T times 60 }", &["transact write"]),
            // A step that does not belong is a fault of its own.
            ("batch write { update Config in T set limits times 30 }", &[]),
            // 20 × 201.3 KB are 3.9 MB, 21 are 4.1 MB; a batch takes 16.
            ("transact get { get Order from T times 20 }", &[]),
            ("transact get { get Order from T times 21 }", &["21"]),
            ("batch get { get Order from T times 21 }", &[]),
            ("batch get { get Order from T times 82 }", &["82"]),
            // What is deleted or checked is not sent.
            ("transact write { delete Order from T times 50  check Order as other in T if exists times 40 }", &[]),
            ("get User from T times 500", &[]),
        ],
    );
    let refused = message("batch-limit", &with("batch write { put Config into T times 60 }"));
    assert!(refused.contains("60 items") && refused.contains("takes 25") && refused.contains("3 batches"), "{refused}");
}

#[test]
fn an_item_has_one_step_in_a_call() {
    let second = "update User in T set email";
    cases(
        "same-item-twice",
        &[
            ("transact write { check User in T if exists  update User in T set email }", &[second]),
            ("transact write { check User as a in T if exists  update User in T set email }", &[]),
            ("transact write { put User as a into T  delete User as b from T }", &[]),
            ("transact write { put User into T  delete User from T }", &[]),
            ("transact write { put User into T  delete User from T  update User in T set email }", &[second]),
            ("transact write { put Config into T  delete Config from T }", &["delete Config from T"]),
            (
                "transact write { put Config as a into T  check Config as b in T if exists }",
                &["check Config as b in T if exists"],
            ),
            ("batch get { get User as a from T  get User as a from T }", &["get User as a from T"]),
            ("batch get { get User from T  get Order from T  get Config from T }", &[]),
            ("batch get { get User from T times 20 }", &[]),
            ("batch write { put Config into T times 2 }", &["put Config into T times 2"]),
            (
                "transact write { update Line in T set quantity  update Line in T set quantity }",
                &["update Line in T set quantity"],
            ),
            // A step that does not belong is a fault of its own; two calls are two.
            ("transact write { get User from T  update User in T set email }", &[]),
            ("get Config from T  get Config from T", &[]),
        ],
    );
}

#[test]
fn options_belong_to_their_operations() {
    cases(
        "option-not-supported",
        &[
            (
                "get User from T descending filter email = :e limit 1 consistent returning 1 project email",
                &["descending", "filter email = :e", "limit 1", "returning 1"],
            ),
            ("batch get { get User from T consistent project email }", &[]),
            (
                "transact get { get User from T project email  get Order from T consistent limit 1 }",
                &["consistent", "limit 1"],
            ),
            ("scan T descending limit 3 filter total > 3", &["descending"]),
            ("query T where pk = :a descending limit 3 consistent returning 3", &[]),
            // Out of place as a whole, or meant as a query.
            ("transact write { get User from T limit 1 }  transact get { query T where pk = :a limit 1 }", &[]),
            ("get Order from T.L limit 1", &[]),
        ],
    );
}

#[test]
fn filters_name_no_key_of_what_is_queried() {
    cases(
        "filter-on-key",
        &[
            ("query T where pk = :a filter sk = \"U\" or (not sk = \"X\" and total > 3)", &["sk", "sk"]),
            ("query T where pk = :a filter exists(pk)", &["pk"]),
            ("query T where pk = :a filter total > 3", &[]),
            ("query T.L where pk = :a filter total > 3", &["total"]),
            ("query T.L where pk = :a filter sk = \"U\"", &[]),
            ("query T.G where note = :n filter pk = :a and order_id = :o", &["order_id"]),
            ("scan T filter pk = :a and sk = \"U\"", &[]),
            ("batch get { query T where pk = :a filter sk = \"U\" }", &[]),
        ],
    );
    // One cause, one diagnostic: the key is in the wrong clause.
    let text = with("query T where sk = \"U\" filter pk = \"U#{user_id}\"");
    assert!(findings(&text, "query-without-partition-key").is_empty());
    assert_eq!(findings(&text, "filter-on-key").len(), 1);
}

#[test]
fn sort_keys_of_several_attributes_are_used_in_order() {
    cases(
        "multi-attribute-key-order",
        &[
            ("query T.G where note = :n and total = 3 and order_id > :o", &[]),
            ("query T.G where order_id = :o and total = 3 and note = :n", &[]),
            ("query T.G where note = :n and total > 3", &[]),
            ("query T.G where note = :n and order_id = :o", &["order_id"]),
            ("query T.G where note = :n and total between 1 and 2 and (order_id = :o)", &["between"]),
            ("query T.G where note = :n", &[]),
            ("query T where pk = :a and sk > :b", &[]),
        ],
    );
}

#[test]
fn what_is_immutable_stays_and_what_is_required_is_there() {
    cases(
        "immutable-updated",
        &[
            ("update User in T set nick, born remove nick", &["born"]),
            ("update User in T remove born", &["born"]),
            ("put User into T", &[]),
        ],
    );
    cases(
        "optional-expected",
        &[
            ("update Order in T set total remove note, total", &["total"]),
            ("put User into T with nick, email", &["email"]),
            ("put User into T with none", &[]),
            // Removing it is wrong anyway: it is immutable, or a part of the key.
            ("update User in T remove born, user_id", &[]),
        ],
    );
}

#[test]
fn guards_go_with_their_values() {
    cases(
        "guard-not-maintained",
        &[
            ("delete User from T", &["delete User from T", "delete User from T"]),
            ("transact write { delete User from T  delete Claim from T  delete NickClaim from T }", &[]),
            ("transact write { delete User from T  delete Claim from T }", &["delete User from T"]),
            // Beside it is not in it.
            (
                "transact write { delete User from T  delete NickClaim from T } delete Claim from T",
                &["delete User from T"],
            ),
            ("update User in T set email", &["email"]),
            ("update User in T remove nick", &["nick"]),
            ("transact write { update User in T remove nick  delete NickClaim from T }", &[]),
            ("transact write { update User in T set nick  put NickClaim into T if not_exists }", &[]),
            ("transact write { update User in T set nick  put NickClaim into T }", &["nick"]),
            ("transact write { update User in T set email  put Claim into T if not_exists }", &["email"]),
            (
                "transact write { update User in T set email  delete Claim as old from T  put Claim as new into T if \
                 not_exists }",
                &[],
            ),
            ("update User in T set born", &[]),
            ("delete Claim from T", &[]),
        ],
    );
    // What no pattern puts as a guard is none.
    let text = with("delete User from T").replace("put Claim into T if not_exists", "");
    assert_eq!(findings(&text, "guard-not-maintained").len(), 1);
}

#[test]
fn a_local_index_fetches_what_it_does_not_hold() {
    cases(
        "lsi-fetch",
        &[
            ("query T.L where pk = :a project total, note, email", &["note"]),
            ("reads Order(total, order_id) query T.L where pk = :a", &[]),
            ("reads Order(note) query T.L where pk = :a", &["query T.L where pk = :a"]),
            ("reads Line(quantity) query T.L where pk = :a", &["query T.L where pk = :a"]),
            ("reads Order(note) query T.L where pk = :a  get Order from T", &[]),
            ("query T.L where pk = :a filter note = :n", &["note"]),
            ("scan T.L project note", &["note"]),
            ("reads Order query T.L where pk = :a", &[]),
            ("query T.G where note = :n project lines", &[]),
        ],
    );
}

#[test]
fn what_a_local_index_does_not_hold_cannot_be_tested_in_a_query() {
    let said = |operation: &str| {
        let found = findings(&with(operation), "lsi-fetch");
        assert_eq!(found.len(), 1, "{operation}: {found:?}");
        found[0].message.clone()
    };
    // What is returned is fetched, what is tested is not: together they are refused.
    for operation in
        ["query T.L where pk = :a filter note = :n", "query T.L where pk = :a filter note = :n project note, email"]
    {
        let message = said(operation);
        assert!(message.contains("the filter tests `note`") && message.contains("DynamoDB refuses"), "{message}");
        assert!(!message.contains("read unit"), "{message}");
    }
    let scan = said("scan T.L filter note = :n");
    assert!(scan.contains("no item has it") && !scan.contains("refuses"), "{scan}");
    assert!(said("query T.L where pk = :a project note").contains("fetches the whole item"));
}

/// The titles of the fixes of a rule.
fn titles(text: &str, rule: &str) -> Vec<String> {
    every_fix_holds(text, &[rule])
}

#[test]
fn the_title_of_a_wider_projection_says_what_it_changes() {
    let priced = r#"
application Shop { domain "d"  scale "s"  region "us-east-1" }
entity Order { shop: uuid @id @distinct(100)  order_id: ulid @id  at: timestamp  total: number  count 10k  size 2KB }
table T { partition key shop  sort key order_id  item Order  lsi ByTime { sort key at  projection keys_only } }
pattern Place { put Order into T  rate 1/s }
pattern History { reads Order(total) by shop  query T.ByTime where shop = :shop descending limit 20  rate 2/s }
"#;
    // 20 fetches of half a unit at 2/s: 10 × 2 × 2,592,000 × $0.000000125 = $6.48,
    // less 10,000 × 13 bytes of storage, which is nothing.
    let expected = "Include `total` in `ByTime`: −10 read units a call, −$6.48 a month";
    assert_eq!(titles(priced, "lsi-fetch"), [expected]);
    // An update that the index did not see before rewrites its entry: + 1 write unit.
    let updated = format!("{priced}pattern Correct {{ update Order in T set total  rate 1/s }}");
    let expected = "Include `total` in `ByTime`: −10 read units a call, −$4.86 a month";
    assert_eq!(titles(&updated, "lsi-fetch"), [expected]);
    // Without a Region no dollars are known.
    let unpriced = priced.replace("region \"us-east-1\"", "");
    assert_eq!(titles(&unpriced, "lsi-fetch"), ["Include `total` in `ByTime`: −10 read units a call"]);
}

const RULES: &[&str] = &[
    "batch-invalid",
    "batch-limit",
    "filter-on-key",
    "guard-not-maintained",
    "immutable-updated",
    "lsi-fetch",
    "multi-attribute-key-order",
    "option-not-supported",
    "optional-expected",
    "same-item-twice",
    "transaction-invalid",
];

#[test]
fn fixes_hold_whatever_the_operations() {
    let all = [
        "batch write {\n  put Order into T\n    if total > 3 // why\n  update Config in T\n    set limits\n  query T\n    where pk = :a\n}",
        "transact write { get User from T  put Order into T if exists }",
        "transact get {\n  // why\n  get User from T\n  put Order into T\n    with none\n}",
        "query T where pk = :a\n  filter sk begins_with \"O#\" and total > 3 keeping 40%\n  limit 3",
        "query T where pk = :a filter (sk = \"U\") and total > 3",
        "transact write { check User in T if exists times 2  update User in T set nick times 2 }",
        "batch get { get User from T  get User from T }",
        "get User from T filter email = :e // why\n  limit 1",
        "delete User from T if exists times 3",
        "transact write {\n  update User in T\n    set nick, email\n}",
        "query T.L where pk = :a project note, lines",
        "query T.G where note = :n and order_id = :o",
        "update User in T set nick, born remove born",
        "put User into T with email",
        "put User into T with email, user_id if not_exists",
        "put User into T with email, nick, user_id",
    ];
    for operations in all {
        let text = with(&format!("\n  {}\n", operations.replace('\n', "\n  ")));
        let titles = every_fix_holds(&text, RULES);
        assert!(!titles.is_empty(), "{operations} has a fix");
        assert_eq!(titles, every_fix_holds(&text.replace('\n', "\r\n"), RULES));
    }
}
