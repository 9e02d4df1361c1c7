//! Fixes of the rules on reads, keys and key conditions, on models of odd
//! shape: what a fix leaves parses, and has one finding of the rule less.

use crate::support::fixes::{every_fix_holds, fixed};
use crate::support::page::{analyse, findings, key, model};
use keywright::ide::FileRange;

const RULES: &[&str] = &[
    "entity-not-in-table",
    "prefix-collision",
    "key-condition-unsupported",
    "get-on-index",
    "consistent-read-on-gsi",
    "attribute-not-projected",
    "partial-key-update",
];

const ODD: &str = r#"
entity User { user_id: uuid @id  `e-mail`: string @size(20B)  n: number }
entity Order { order_id: ulid @id  user_id: uuid @of(User)  shop: string @size(4B)  qty: number  tags: list<string>
  region: enum(eu, us)  state: enum(open, paid)? }
entity Kit { kit_id: ulid @id  user_id: uuid @of(User) }
entity Line { line_no: number @id  order_id: ulid @of(Order) }
entity Note { note_id: ulid @id }
table T {
  partition key user_id
  sort key sk: string
  item User { sk = "PROFILE" }
  item Order embeds Line as lines { sk = "ORDER#{order_id}"  shelf = "{region}#{state}" }
  item Kit { sk = "ORDER KIT{{#{kit_id}" }
  gsi ByMail { partition key `e-mail`  sort key n  projection keys_only }
  gsi ByShop { partition key shop  projection include(qty, ) }
  gsi Shelves { partition key shelf: string }
}
table `Notes.2` { partition key note_id  item Note }
pattern A { query T where `e-mail` = :mail and n > 4 }
pattern B { query T where user_id = :u and qty > 3 // why
  and not (qty = 3) and sk begins_with "ORDER#" filter n = 3 or n = 4 }
pattern C { query T where qty > 3 and user_id = :u and sk <= "B" and sk >= "A" }
pattern D { reads Order(tags), Line(line_no) query T.ByShop where shop = :s project order_id consistent limit 3 }
pattern E { get User from T.ByMail get Order from T.ByShop batch get { get Order from T.ByShop } }
pattern F { reads Kit query T where user_id = :u and sk begins_with "ORDER" }
pattern G { query T where user_id = :u and sk begins_with "ORD" }
pattern H { update Order in T set qty, state  update Order in T remove state if exists }
pattern I { get Note from T  put User into `Notes.2` }
"#;

#[test]
fn fixes_hold_in_odd_models() {
    let titles = every_fix_holds(ODD, RULES);
    for start in ["Query `T.ByMail`", "Move the", "Make one", "Include", "Query index", "Get it", "Read", "Change the"]
    {
        assert!(titles.iter().any(|title| title.starts_with(start)), "{start}: {titles:#?}");
    }
    assert_eq!(titles, every_fix_holds(&ODD.replace('\n', "\r\n"), RULES));
}

#[test]
fn the_examples_read_rightly() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let of = |folder: std::path::PathBuf| std::fs::read_dir(folder).expect("the examples are there").flatten();
    let entries = of(folder.clone()).chain(of(folder.join("gallery"))).chain(of(folder.join("large")));
    for entry in entries.filter(|entry| entry.path().is_file()) {
        let text = std::fs::read_to_string(entry.path()).expect("an example is text");
        let silent =
            ["item-key-collision", "query-matches-nothing", "query-without-partition-key", "update-of-primary-key"];
        for rule in RULES.iter().copied().chain(silent) {
            assert_eq!(findings(&text, rule), [], "{rule} in {}", entry.path().display());
        }
    }
}

const BOOKS: &str = r#"entity Book {
  isbn:    string @id @size(13B)
  genre:   string @size(8B) @distinct(40)
  pages:   number
  blurb:   string @size(2KB)
  is_new:  boolean

  count 10k
}

table Books {
  partition key isbn

  item Book

  gsi BooksByGenre {
    partition key genre
    projection keys_only
  }
}

pattern Add {
  put Book into Books if not_exists
  rate avg 1/min, peak 1/s
}

pattern Get {
  get Book from Books
  rate avg 1/s, peak 2/s
}

pattern Long {
  query Books.BooksByGenre where genre = :genre limit 10
  rate avg 1/s, peak 2/s
}
"#;

/// The errors and warnings of these rules.
fn found(text: &str, rules: &[&str]) -> Vec<String> {
    rules.iter().flat_map(|rule| findings(text, rule)).map(|found| found.message).collect()
}

#[test]
fn a_condition_moves_to_the_filter_with_what_it_tests_projected() {
    for (before, after) in [
        ("projection keys_only", "projection include(pages)"),
        ("projection include(blurb)", "projection include(blurb, pages)"),
        ("projection include(pages)", "projection include(pages)"),
        ("projection all", "projection all"),
    ] {
        let with = |projection: &str| BOOKS.replace("projection keys_only", projection);
        let asked = with(before).replace(":genre limit 10", ":genre and pages > 300 limit 10");
        let expected = with(after).replace(":genre limit 10", ":genre filter pages > 300 limit 10");
        let fixed = fixed(&asked, "Move the condition to `filter`");
        assert_eq!(fixed, expected);
        assert_eq!(found(&fixed, &["attribute-not-projected", "key-condition-unsupported"]), [] as [String; 0]);
    }
    // What the refused condition names is read.
    let asked = BOOKS
        .replace("projection keys_only", "projection include(pages)")
        .replace(":genre limit 10", ":genre and pages > 300 project isbn");
    assert_eq!(found(&asked, &["over-projection"]), [] as [String; 0]);
}

#[test]
fn a_get_from_the_table_keeps_what_a_get_has() {
    for (options, kept) in [
        ("limit 3", ""),
        ("consistent", " consistent"),
        ("descending limit 3 project isbn", " project isbn"),
        ("filter pages > 3 project isbn", " project isbn"),
    ] {
        let query = "query Books.BooksByGenre where genre = :genre limit 10";
        let asked = BOOKS.replace(query, &format!("get Book from Books.BooksByGenre {options}"));
        let fixed = fixed(&asked, "Get it from table `Books`");
        assert!(fixed.contains(&format!("  get Book from Books{kept}\n  rate avg 1/s, peak 2/s")), "{fixed}");
        assert_eq!(found(&fixed, &["get-on-index", "option-not-supported"]), [] as [String; 0]);
    }
}

#[test]
fn a_marker_stands_in_the_column_of_the_attributes() {
    let asked = BOOKS
        .replace("partition key genre", "partition key is_new")
        .replace("genre = :genre", "is_new = true")
        .replace("is_new:  boolean", "is_new:  boolean\n  shelved: timestamp");
    let fixed = fixed(&asked, "Key the index by a sparse marker");
    let attributes = "  isbn:       string @id @size(13B)
  genre:      string @size(8B) @distinct(40)
  pages:      number
  blurb:      string @size(2KB)
  is_new:     boolean
  new_marker: enum(new)?
  shelved:    timestamp
";
    assert!(fixed.contains(attributes), "{fixed}");
}

#[test]
fn what_more_is_projected_has_its_price_where_it_is_asked_for() {
    let region = "application Shelves { domain \"books\" scale \"10 thousand books\" region \"us-east-1\" }\n";
    let asked = region.to_owned() + &BOOKS.replace("limit 10", "limit 10 project blurb");
    let found = &findings(&asked, "attribute-not-projected")[0];
    let FileRange::Bytes(range) = found.range else { panic!("it stands in the text") };
    let actions = analyse(&model(&asked)).code_actions(&key("main.dynamo"), range).expect("nothing changes meanwhile");
    let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
    let is_priced = |title: &&str| title.starts_with("Include `blurb` in `BooksByGenre`: +$");
    assert!(titles.iter().any(is_priced), "{titles:#?}");
}
