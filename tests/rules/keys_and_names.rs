//! Keys and names that DynamoDB refuses: the shapes that the pages do not show.

use crate::support::fixes::every_fix_holds;
use crate::support::page::{findings, levels, message};

/// An entity and its table, whose parts a test gives.
fn model(attributes: &str, table: &str) -> String {
    format!("entity Book {{ isbn: string @id @size(13B) {attributes} count 1k size 1KB }}\ntable Books {{ {table} }}\n")
}

/// How often the rule speaks in each model.
fn speaks(rule: &str, cases: &[(&str, &str, usize)]) {
    for (attributes, table, count) in cases {
        let text = model(attributes, table);
        let found = findings(&text, rule);
        assert_eq!(found.len(), *count, "{rule} in {text}{found:#?}");
    }
}

#[test]
fn a_value_of_no_key_is_an_orphan_unless_its_cause_is_told() {
    speaks(
        "orphan-key-value",
        &[
            ("", "partition key isbn item Book { shelf = \"x\" }", 1),
            ("shelf: string", "partition key isbn item Book { shelf = \"{shelf:lower}\" }", 1),
            ("", "partition key isbn item Book { isbn = \"ISBN#{isbn}\" }", 0),
            // A key without a type that nothing gives a value is `unknown-name`.
            ("", "partition key isbn sort key shelv item Book { shelf = \"x\" }", 0),
            // A mistyped key of the table is `missing-key-value`.
            ("", "partition key isbn sort key shelf: string item Book { shelff = \"x\" }", 0),
            ("", "partition key isbn sort key shelf: string item Book { other = \"x\" }", 1),
            // What is half typed may be the key.
            ("", "partition key isbn gsi { partition key } item Book { shelf = \"x\" }", 0),
            ("", "item Book { shelf = \"x\" }", 0),
            // Another number is another key.
            ("", "partition key isbn gsi Gone { partition key GSI1PK: string } item Book { GSI2PK = \"x\" }", 1),
        ],
    );
    let text = model("", "partition key isbn item Book { GSI2PK = \"x\" } gsi One { partition key GSI1PK: string }");
    assert_eq!(every_fix_holds(&text, &["orphan-key-value"]), ["Remove `GSI2PK`"]);
    let text = model("", "partition key isbn item Book { GS1IPK = \"x\" } gsi One { partition key GSI1PK: string }");
    assert_eq!(every_fix_holds(&text, &["orphan-key-value"]), ["Change to `GSI1PK`", "Remove `GS1IPK`"]);
    // A string is no value of a number key, however near the name is.
    let text = model("", "partition key isbn item Book { GS1IPK = \"x\" } gsi One { partition key GSI1PK: number }");
    assert_eq!(every_fix_holds(&text, &["orphan-key-value"]), ["Remove `GS1IPK`"]);
}

#[test]
fn a_mistyped_key_of_the_table_is_renamed() {
    let text = model("", "partition key isbn sort key shelf: string item Book { shelff = \"x\" }");
    assert_eq!(every_fix_holds(&text, &["missing-key-value"]), ["Change `shelff` to `shelf`"]);
    assert!(message("missing-key-value", &text).contains("sets `shelff`"));
}

#[test]
fn a_key_attribute_has_one_type() {
    speaks(
        "key-type-conflict",
        &[
            ("year: number", "partition key isbn sort key year: string item Book", 1),
            ("year: number", "partition key isbn sort key year: number item Book", 0),
            ("year: number", "partition key isbn sort key year item Book { year = \"{year}\" }", 0),
            ("year: number", "partition key isbn sort key year: number item Book { year = \"{year}\" }", 1),
            ("", "partition key isbn item Book gsi A { partition key k: string } gsi B { partition key k: number }", 1),
            ("", "partition key isbn item Book gsi A { partition key k: binary } gsi B { partition key k: binary }", 0),
            ("", "partition key isbn: number sort key k: string item Book { isbn = \"{isbn}\" }", 1),
            // A type that no key can have is `key-type-invalid`.
            ("on: boolean", "partition key isbn sort key on: string item Book", 0),
            // Three indexes, two of which disagree with the first.
            (
                "",
                "partition key isbn item Book gsi A { partition key k: string } gsi B { partition key k: number } gsi C \
                 { partition key k: binary }",
                2,
            ),
        ],
    );
    // Two entities of one table: the key part is the place of both.
    let two = "entity A { id: uuid @id } entity B { id: number @id } table Things { partition key id item A item B }";
    assert!(message("key-type-conflict", two).contains("`A.id` is a string, and `B.id` is a number"));
    assert!(every_fix_holds(two, &["key-type-conflict"]).is_empty());
    // All items say the same: the declaration is the one cause.
    let all = "entity A { a: uuid @id } entity B { b: uuid @id }
table Things { partition key k: number item A { k = \"A#{a}\" } item B { k = \"B#{b}\" } }";
    assert_eq!(findings(all, "key-type-conflict").len(), 1);
    assert_eq!(every_fix_holds(all, &["key-type-conflict"]), ["Declare `k` a string"]);
}

#[test]
fn a_table_key_is_there_on_every_item() {
    speaks(
        "optional-table-key",
        &[
            ("at: timestamp?", "partition key isbn sort key at item Book", 1),
            ("at: timestamp", "partition key isbn sort key at item Book", 0),
            (
                "at: timestamp? no: number?",
                "partition key isbn sort key sk: string item Book { sk = \"{at}#{no:4}\" }",
                1,
            ),
            ("at: timestamp?", "partition key isbn sort key at item Book { at = \"X\" }", 0),
            ("at: timestamp?", "partition key isbn item Book gsi A { partition key at }", 0),
            ("at: timestamp?", "partition key isbn sort key isbn2: string item Book { isbn2 = isbn }", 0),
        ],
    );
    let text = model("at: timestamp? @present(5%)", "partition key isbn sort key at item Book");
    assert_eq!(every_fix_holds(&text, &["optional-table-key"]), ["Make `at` required"]);
    // What some puts leave out is optional on purpose.
    let text = format!("{text}pattern Add {{ put Book into Books with none rate 1/s }}");
    assert!(every_fix_holds(&text, &["optional-table-key"]).is_empty());
}

#[test]
fn the_longest_key_is_held_against_its_limit() {
    speaks(
        "key-too-long",
        &[
            ("path: string @size(2048B)", "partition key path item Book", 0),
            ("path: string @size(max 2049B)", "partition key path item Book", 1),
            ("path: string @size(1024B)", "partition key isbn sort key path item Book", 0),
            ("path: string @size(1025B)", "partition key isbn sort key path item Book", 1),
            ("path: string @size(1500B)", "partition key isbn item Book gsi A { partition key path }", 0),
            ("path: string @size(1500B)", "partition key isbn item Book gsi A { partition key isbn sort key path }", 1),
            ("path: string @size(1500B)", "partition key path item Book gsi A { partition key isbn sort key path }", 1),
            ("path: string @size(1500B)", "partition key isbn sort key on: string item Book { on = \"{path:12}\" }", 0),
            ("path: string", "partition key isbn sort key path item Book", 0),
            // The average alone is certain.
            ("path: string @size(avg 1100B)", "partition key isbn sort key path item Book", 1),
            ("path: string @size(avg 900B)", "partition key isbn sort key path item Book", 0),
        ],
    );
    let text = model("path: string @size(max 1025B)", "partition key isbn sort key path item Book");
    let message = message("key-too-long", &text);
    assert!(message.contains("takes up to 1,025 bytes") && message.contains("takes 1,024 bytes"), "{message}");
}

#[test]
fn names_are_as_dynamodb_takes_them() {
    let long = "a".repeat(256);
    let cases = [
        ("Abc", "abc", 0),
        ("Ab", "abc", 1),
        ("Abc", "ab", 1),
        ("`a.b-c_1`", "`1-2.3`", 0),
        ("`a b c`", "abc", 1),
        ("Abcé", "abc", 0),
        (&long[..255], "abc", 0),
        (&long, "abc", 1),
        ("Abc", &long, 1),
    ];
    for (table, index, count) in cases {
        let table = if table.is_ascii() { table } else { "`Abcé`" };
        let count = if table.is_ascii() { count } else { 1 };
        let text = format!(
            "entity Book {{ isbn: string @id }}
table {table} {{ partition key isbn item Book gsi {index} {{ partition key isbn }} }}"
        );
        assert_eq!(findings(&text, "name-invalid").len(), count, "{text}");
    }
    let keys = |length: usize| {
        let name = &long[..length];
        format!(
            "entity Book {{ isbn: string @id {name}: string }}
table Books {{ partition key isbn sort key {name} item Book gsi One {{ partition key isbn projection include({name}) }} }}"
        )
    };
    assert_eq!(findings(&keys(255), "name-invalid").len(), 0);
    assert_eq!(findings(&keys(256), "name-invalid").len(), 1);
    let included = "entity Book { isbn: string @id LONG: string }
table Books { partition key isbn item Book gsi One { partition key isbn projection include(LONG) } }"
        .replace("LONG", &long);
    assert_eq!(findings(&included, "name-invalid").len(), 1);
}

#[test]
fn a_table_is_renamed_wherever_it_is_named() {
    let text = "entity Book { isbn: string @id @size(13B) }
table `my books` { partition key isbn item Book gsi `by isbn` { partition key isbn } }
pattern A { get Book from `my books` rate 1/s }
pattern B { transact write { put Book into `my books` } query `my books`.`by isbn` where isbn = :isbn rate 1/s }
";
    let titles = every_fix_holds(text, &["name-invalid"]);
    assert_eq!(titles, ["Rename `my books` to `my_books`", "Rename `by isbn` to `by_isbn`"]);
}

#[test]
fn an_index_includes_what_its_items_have() {
    let with = |list: &str| {
        format!(
            "entity Book {{ isbn: string @id @size(13B) author: string year: number }}
entity Shop {{ shop: uuid @id town: string }}
entity Page {{ isbn: string @of(Book) no: number @id }}
table Books {{
  partition key k: string
  item Book embeds Page as pages {{ k = \"B#{{isbn}}\" }}
  item Shop {{ k = \"S#{{shop}}\" }}
  gsi One {{ partition key author projection include({list}) because \"why\" }}
  gsi Two {{ partition key year sort key town }}
}}"
        )
    };
    let cases = [
        ("isbn", 0, ""),
        ("year", 0, ""),
        ("pages", 0, ""),
        ("k", 1, "keys_only because"),
        ("k, isbn", 1, "include(isbn)"),
        ("isbn, author", 1, "include(isbn)"),
        ("author, k", 2, "keys_only"),
        ("town", 1, "keys_only"),
        ("isbn, town, year", 1, "include(isbn, year)"),
        ("no", 1, "include(pages)"),
        ("no, pages", 1, "include(pages)"),
        // Nothing of the table has the name: `unknown-name`.
        ("nothing", 0, ""),
    ];
    for (list, count, first) in cases {
        let text = with(list);
        let found = findings(&text, "projection-invalid");
        assert_eq!(found.len(), count, "{list}: {found:#?}");
        let all = keywright::syntax::TextRange::new(0, text.len());
        let analysis = crate::support::page::analyse(&crate::support::page::model(&text));
        let actions =
            analysis.code_actions(&crate::support::page::key("main.dynamo"), all).expect("nothing changes meanwhile");
        let fix = actions.iter().find(|action| action.mends.is_some_and(|(rule, _)| rule == "projection-invalid"));
        if let Some(fix) = fix {
            let fixed = keywright::ide::apply(&text, &fix.change.edits[0].1);
            assert!(fixed.contains(first), "{list}: {fixed}");
        }
    }
    // An index that nothing gets into lacks its key first.
    let empty = model("", "partition key isbn item Book gsi One { partition key k: string projection include(isbn) }");
    assert_eq!(findings(&empty, "projection-invalid").len(), 1, "the table's key all the same");
}

#[test]
fn an_item_with_all_that_belongs_to_it_is_held_against_400_kb() {
    let with = |size: &str, indexes: &str| {
        format!(
            "entity Book {{ isbn: string @id @size(13B) no: number @id body: binary @size(9KB) size {size} count 9 }}
table Books {{ partition key isbn sort key no item Book {indexes} }}"
        )
    };
    let lsi = "lsi One { sort key body projection all }";
    let cases = [
        (with("avg 9KB, max 400KB", ""), 0),
        (with("avg 9KB, max 401KB", ""), 1),
        (with("avg 401KB", ""), 1),
        (with("avg 399KB", ""), 0),
        (with("avg 9KB, max 200KB", lsi), 0),
        (with("avg 9KB, max 201KB", lsi), 1),
        (with("avg 9KB, max 201KB", "lsi One { sort key body projection keys_only }"), 0),
        (with("avg 9KB, max 201KB", "gsi One { partition key body projection all }"), 0),
        (with("avg 9KB, max 201KB", "lsi One { sort key other: string projection all }"), 0),
    ];
    for (text, count) in cases {
        assert_eq!(levels("item-too-large", &text).len(), count, "{text}");
        let silent = count == 0 || findings(&text, "unbounded-item").is_empty();
        assert!(silent, "one of the two speaks: {text}");
    }
    let text = "entity Book { isbn: string @id @size(13B) count 9 size 1KB }
entity Page { isbn: string @of(Book) no: number @id size 1KB }
relationship Book 1:N Page { children avg 90, max 500 }
table Books { partition key isbn item Book embeds Page as pages }";
    let message = message("item-too-large", text);
    assert!(message.contains("takes up to 501 KB"), "{message}");
    assert!(message.contains("500 `Page` in the list `pages`: 500 KB"), "{message}");
}

#[test]
fn words_are_reserved_in_any_case() {
    let count = |name: &str| findings(&format!("entity Book {{ {name}: string }}"), "reserved-word").len();
    let reserved = ["status", "Status", "STATUS", "ttl", "`user-id`", "`1st`", "`a.b`", "`a b`", "`ä`"];
    assert_eq!(reserved.map(count), [1; 9]);
    assert_eq!(["id", "user_id", "_status", "statuses", "email", "x1"].map(count), [0; 6]);
    let shown = message("reserved-word", "entity Book { `user-id`: string }");
    assert!(shown.contains("`#user_id`") && shown.contains("\"#user_id\": \"user-id\""), "{shown}");
    // A key that an entity has is told there, and once.
    let text = "entity Book { status: string @id } table Books { partition key status item Book gsi A { partition key status sort key range: string } gsi B { partition key range: string } }";
    assert_eq!(findings(text, "reserved-word").len(), 2);
}

#[test]
fn what_people_type_is_kept_in_small_letters() {
    let cases = [
        ("email: string", "partition key email item Book", 1),
        ("email: uuid", "partition key email item Book", 0),
        ("email: string", "partition key email item Book { email = \"{email:lower}\" }", 0),
        ("email: string", "partition key email item Book { email = \"{email:upper}\" }", 0),
        ("email: string", "partition key email item Book { email = \"{email}\" }", 1),
        ("userName: string", "partition key isbn item Book { k = userName } gsi A { partition key k: string }", 1),
        ("emails: string", "partition key emails item Book", 0),
        ("slug: string", "partition key isbn item Book", 0),
    ];
    speaks("case-sensitive-key", &cases);
    let text = model(
        "slug: string @size(9B)",
        "partition key isbn item Book { k = slug } gsi One { partition key k: string projection all }",
    );
    let text = format!("{text}pattern Find {{ query Books.One where k = \"{{slug}}\" rate 1/s }}");
    assert_eq!(every_fix_holds(&text, &["case-sensitive-key"]), ["Key by `{slug:lower}`"]);
}

#[test]
fn the_only_put_of_what_has_no_generated_id_is_told() {
    let with = |entity: &str, patterns: &str| {
        format!(
            "entity Book {{ {entity} count 9 size 1KB }}\ntable Books {{ partition key isbn item Book }}\n{patterns}"
        )
    };
    let string = "isbn: string @id @size(13B)";
    let put = "pattern Add { put Book into Books rate 1/s }";
    let cases = [
        (with(string, put), 1),
        (with("isbn: uuid @id", put), 0),
        (with("isbn: ulid @id", put), 0),
        (with("isbn: uuid @id @of(Book)", put), 1),
        (with(string, "pattern Add { put Book into Books if not_exists rate 1/s }"), 0),
        (with(string, "pattern Add { put Book into Books if isbn = :isbn rate 1/s }"), 0),
        (with(string, "pattern Add { batch write { put Book into Books } rate 1/s }"), 0),
        (with(string, "pattern Add { transact write { put Book into Books } rate 1/s }"), 1),
        (with(string, &format!("{put} pattern Import {{ put Book into Books rate 1/s }}")), 0),
        (with(string, &format!("{put} pattern Change {{ update Book in Books set isbn rate 1/s }}")), 1),
        // Of a unique key `unique-not-enforced` says more.
        (with("isbn: string @id @unique @size(13B)", put), 0),
        (with(string, "pattern Add { put Book into Books rate 1/s"), 0),
    ];
    for (text, count) in cases {
        assert_eq!(findings(&text, "create-without-condition").len(), count, "{text}");
    }
    let text = with(string, "pattern Add { put Book into Books times 3 rate 1/s }");
    assert_eq!(every_fix_holds(&text, &["create-without-condition"]), ["Put it only `if not_exists`"]);
}
