//! What the document says of keys, projections, bounds and attributes.

use crate::tables::page::section;

/// A model with one index, whose clauses are left open.
fn index(clauses: &str, items: &str) -> String {
    format!(
        "application A {{ domain \"d\" region \"us-east-1\" }}
entity E {{ id: uuid @id  a: string @size(4B) @distinct(9)  b: string @size(4B) @distinct(5)  at: timestamp  big: string @size(2KB)  count 1k }}
entity F {{ id: uuid @id  a: string @size(4B)  count 1k }}
table T {{ partition key id  item E {{ {items} }}
  gsi G {{ {clauses} }}
}}
pattern Write {{ put E into T if not_exists rate avg 1/s, peak 2/s }}
"
    )
}

#[test]
fn a_key_of_several_attributes_is_decided_with_reasons() {
    let said = |clauses: &str, items: &str| {
        section(&index(clauses, items), "G GSI").said("Multi-Attribute Key Decision").to_owned()
    };
    assert_eq!(
        said("partition key a, b  sort key at", ""),
        "multi-attribute partition key of `a`, `b`: each attribute keeps its own value and type, and no joined \
         attribute has to be written; a query gives every attribute of the partition key. `at` is one attribute, and \
         one is enough."
    );
    assert!(said("partition key a  sort key b, at", "").contains("those of the sort key are given from the left"));
    assert_eq!(said("partition key a", ""), "`a` is one attribute, and one is enough.");
    assert_eq!(
        said("partition key ab: string", "ab = \"{a}#{b}\""),
        "`ab` joins `a`, `b` as `\"{a}#{b}\"`: a multi-attribute key of them would do without the template."
    );
    assert!(said("partition key ab: string", "ab = \"A#{a}\"").contains("made of one attribute"));
    assert!(said("partition key ab: string", "ab = \"ALL\"").contains("on every item: there is nothing to take apart"));
    assert!(said("partition key ab: string", "ab = \"{a}#{shard(id, 8)}\"").contains("holds a shard number"));
    assert!(said("partition key ab: string", "ab = \"{a}#{at:day}\"").contains("has to be computed"));
    let local = "entity E { id: uuid @id  a: string  b: string }
table T { partition key id sort key a  item E  lsi L { sort key b } }";
    assert!(section(local, "L LSI").said("Multi-Attribute Key Decision").starts_with("none: a local index has"));
    let shared = "entity E { id: uuid @id  a: string }
entity F { id: uuid @id  b: string }
table T { partition key id
  item E { k = \"E#{a}\" }
  item F { k = \"F#{b}\" }
  gsi G { partition key k: string } }";
    let said = section(shared, "G GSI").said("Multi-Attribute Key Decision").to_owned();
    assert_eq!(said, "`k` has forms of its own for E, F, so it is one computed attribute.");
}

#[test]
fn each_pattern_says_what_it_needs_of_an_index() {
    let model = |projection: &str, pattern: &str| {
        format!("{}\n{pattern}", index(&format!("partition key a  {projection}"), ""))
    };
    let query = "query T.G where a = :a limit 10";
    let lines = |projection: &str, pattern: &str| -> Vec<String> {
        let section = section(&model(projection, pattern), "G GSI");
        let lines = section.below("Per-Pattern Projected Attributes");
        lines.iter().filter(|line| line.starts_with("- ")).map(|line| (*line).to_owned()).collect()
    };
    assert_eq!(lines("projection all", ""), ["- No pattern reads the index."]);
    assert_eq!(
        lines("projection include(b)", &format!("pattern Find {{ reads E(b) {query} }}")),
        ["- 2 Find: needs `b`; all of it is projected"]
    );
    assert_eq!(
        lines("projection include(b)", &format!("pattern Find {{ reads E(b, big) {query} }}")),
        ["- 2 Find: needs `b`, `big`; `big` is not projected, and missing"]
    );
    assert_eq!(
        lines("projection all", &format!("pattern Find {{ reads E(b) {query} }}")),
        ["- 2 Find: needs `b`; all of it is projected", "- Projected, and asked for by none of them: `at`, `big`"]
    );
    assert_eq!(
        lines("projection keys_only", &format!("pattern Find {{ {query} }}")),
        ["- 2 Find: lists no attributes, and takes what the index has"]
    );
}

#[test]
fn a_projection_stands_beside_the_others_with_what_they_cost() {
    let text = format!(
        "{}\npattern Find {{ reads E(b) query T.G where a = :a limit 10 rate 5/s }}",
        index("partition key a  projection all", "")
    );
    let section = section(&text, "G GSI");
    let rows: Vec<Vec<String>> = section
        .below("Per-Pattern Projected Attributes")
        .iter()
        .filter(|l| l.starts_with('|'))
        .map(|l| crate::tables::page::cells(l))
        .collect();
    let names: Vec<&str> = rows.iter().skip(2).map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["**all** (declared)", "include `b`: what is asked for", "keys only"]);
    let enough: Vec<&str> = rows.iter().skip(2).map(|row| row[5].as_str()).collect();
    assert_eq!(enough, ["all of its patterns", "all of its patterns", "2 Find lacks `b`"]);
    // Entries of 2,113 bytes take three units to write, those of the keys one.
    let writes: Vec<&str> = rows.iter().skip(2).map(|row| row[3].as_str()).collect();
    assert_eq!(writes, ["3", "1", "1"]);
}

/// Who lists no attributes may need any: the row names them.
#[test]
fn what_is_enough_is_not_known_where_a_pattern_lists_no_attributes() {
    let enough = |patterns: &str| -> Vec<String> {
        let text = format!("{}\n{patterns}", index("partition key a  projection include(b)", ""));
        let section = section(&text, "G GSI");
        let rows = section.below("Per-Pattern Projected Attributes");
        let rows = rows.iter().filter(|line| line.starts_with('|')).map(|line| crate::tables::page::cells(line));
        rows.skip(2).map(|row| row[5].clone()).collect()
    };
    let query = "query T.G where a = :a limit 10 rate 5/s";
    let one = enough(&format!("pattern Find {{ {query} }}"));
    assert!(one.contains(&"not known: 2 Find lists no attributes, and would get no others".to_owned()), "{one:?}");
    assert!(one.contains(&"all of its patterns".to_owned()), "{one:?}");
    let two =
        enough(&format!("pattern Find {{ {query} }} pattern Seek {{ {query} }} pattern B {{ reads E(b) {query} }}"));
    assert!(
        two.contains(&"not known: 2 Find, 3 Seek list no attributes, and would get no others".to_owned()),
        "{two:?}"
    );
    assert!(two.contains(&"4 B lacks `b`".to_owned()), "{two:?}");
}

#[test]
fn a_read_says_what_ends_it() {
    let said = |most: &str, pattern: &str| {
        let text = format!(
            "entity U {{ u: uuid @id  count 10 }}
entity O {{ o: ulid @id  u: uuid @of(U)  count 1k  size avg 1KB, max 2KB }}
relationship U 1:N O {{ children avg 100{most} }}
table T {{ partition key u  sort key sk: string  item U {{ sk = \"U\" }}  item O {{ sk = \"O#{{o}}\" }} }}
pattern P {{ {pattern} }}"
        );
        section(&text, "T Table").below("Bounded Read Strategy").join("\n")
    };
    let all = "query T where u = :u and sk begins_with \"O#\"";
    let limited = said("", &format!("{all} limit 20"));
    assert_eq!(
        limited,
        "- 1 P: query of `T`: at most 20 items a page; a call reads 20 items, 20 KB; the rest is not read, \
         and `LastEvaluatedKey` leads to it"
    );
    assert!(
        said("", &format!("{all} limit 20 pages avg 2, max 5")).contains("`LastEvaluatedKey` leads from page to page")
    );
    assert!(
        said(", max 300", all)
            .contains("bounded by the data: the key condition selects at most 300 of O, 600 KB, within one page")
    );
    assert!(
        said(", max 5_000", all)
            .contains("**unbounded** by the request: the key condition selects at most 5,000 of O, 9.8 MB")
    );
    assert!(said("", all).contains("**not known to be bounded**"));
    assert!(said("", "scan T").contains("**unbounded**: it reads everything, "));
    let one = "get U from T";
    assert_eq!(
        said("", one),
        "- No pattern queries or scans it.\n- Bounded by the whole primary key, one item each: 1 P"
    );
}

#[test]
fn attributes_say_how_they_are_kept() {
    let model = |guard: &str| {
        format!(
            "entity U {{ u: uuid @id  email: string @unique @size(20B)  name: string @size(9B)  status: enum(on, off) }}
entity C {{ email: string @id @size(20B) }}
entity O {{ o: ulid @id  u: uuid @of(U)  user_name: string @copied_from(U.name) @size(9B) }}
table T {{ partition key u  item U }}
table G {{ partition key email  item C }}
table S {{ partition key o  item O }}
pattern SignUp {{ transact write {{ put U into T if not_exists  {guard} }} }}
pattern Rename {{ update U in T set name }}"
        )
    };
    let notes = |text: &str, heading: &str, attribute: &str| {
        let section = section(text, heading);
        let rows = section.below("Attributes");
        let row = rows.iter().map(|row| crate::tables::page::cells(row)).find(|row| row[1] == attribute);
        row.unwrap_or_else(|| panic!("no {attribute}"))[3].clone()
    };
    let kept = model("put C into G if not_exists");
    assert!(notes(&kept, "T Table", "email").starts_with("unique, kept so by C in G, put in the same transaction"));
    assert!(notes(&model(""), "T Table", "email").starts_with("unique, **not kept so** by 1 SignUp"));
    assert!(
        notes(&kept, "S Table", "user_name").starts_with("copy of U.`name`, **not kept up** when 2 Rename changes it")
    );
    let followed = format!("{kept}\npattern Follow {{ update O in S set user_name }}");
    assert!(notes(&followed, "S Table", "user_name").starts_with("copy of U.`name`, kept up by 3 Follow"));
    assert_eq!(notes(&kept, "T Table", "status"), "`#status` in expressions");
    assert_eq!(notes(&kept, "T Table", "u"), "identity");
}

#[test]
fn sparse_says_who_is_in_the_index() {
    let text = "entity E { id: uuid @id  a: string  open: string? @present(25%)  count 1k }
entity F { id: uuid @id  count 10 }
table T { partition key id  item E  item F
  gsi All { partition key a }
  gsi Open { partition key open sparse because \"A quarter is open.\" } }";
    assert_eq!(
        section(text, "All GSI").said("Sparse"),
        "yes, by its keys; every E is in it; no F, without a value for `a`"
    );
    assert_eq!(
        section(text, "Open GSI").said("Sparse"),
        "yes, as declared: A quarter is open; only E items that have `open`, 25 % of them (250 items); no F, without a \
         value for `open`"
    );
    let whole = "entity E { id: uuid @id  a: string }\ntable T { partition key id item E gsi All { partition key a } }";
    assert_eq!(section(whole, "All GSI").said("Sparse"), "no; every E is in it");
}

#[test]
fn a_key_has_no_more_values_than_there_are_items() {
    let said = |attributes: &str, key: &str| {
        let text = format!(
            "entity W {{ wid: ulid @id count 12k }}
entity C {{ wid: ulid @id @of(W) host: string @id @size(20B) @distinct(1.9M) at: timestamp {attributes} }}
table T {{ partition key pk: string item C {{ pk = \"{key}\" }} }}"
        );
        section(&text, "T Table").said("Partition Key").to_owned()
    };
    assert_eq!(said("count 2.4M", "C#{wid}#{host}"), "`pk` (string, S); 2.4M values");
    assert_eq!(said("count 2.4M", "C#{wid}"), "`pk` (string, S); 12,000 values");
    assert_eq!(
        said("count 2.4M", "C#{at:day}"),
        "`pk` (string, S); ≤ 2.4M values (needs how many values `{at:day}` of `C` has)"
    );
    assert_eq!(said("", "C#{wid}"), "`pk` (string, S); 12,000 values", "nothing caps what nobody counted");
}

#[test]
fn a_hottest_value_holds_no_more_items_for_being_asked_for() {
    let said = |hottest: &str| {
        let text = format!(
            "entity L {{ lid: ulid @id count 22M }}
entity V {{ vid: ulid @id lid: ulid @of(L) {hottest} count 480M }}
relationship L 1:N V {{ children avg 22, max 3M }}
table T {{ partition key shard: string sort key vid item V {{ shard = \"{{lid}}#{{shard(vid, 10)}}\" }} }}"
        );
        section(&text, "T Table").below("SK Taxonomy").join("\n")
    };
    // Of 480M for 22M, which are 21.8 for each and not 22.
    assert_eq!(said("@hottest(5%)"), "- `vid`: V; 2.18 under one partition key value on average, 300,000 at most");
    assert_eq!(said(""), "- `vid`: V; 2.2 under one partition key value on average, 300,000 at most");
}

#[test]
fn a_few_in_a_hundred_are_not_none() {
    let text = "entity P { pid: ulid @id count 420M }
entity R { rid: ulid @id pid: ulid @of(P) count 17M }
relationship P 1:N R { children avg 0.04, max 20 }
table T { partition key pid sort key sk: string item P { sk = \"P\" } item R { sk = \"R#{rid}\" } }";
    let lines = section(text, "T Table").below("SK Taxonomy").join("\n");
    assert!(lines.contains("R; 0.04 under one partition key value on average, 20 at most"), "{lines}");
}

#[test]
fn a_read_of_all_shards_says_what_each_request_reads() {
    let said = |times: &str| {
        let text = format!(
            "entity E {{ id: ulid @id at: timestamp count 1k size 1KB }}
table Events {{ partition key pk: string sort key id item E {{ pk = \"E#{{shard(id, 5)}}\" }} }}
pattern All {{ query Events where pk = \"E#{{shard(id, 5)}}\" limit 20 {times} rate 1/s }}"
        );
        section(&text, "Events Table").below("Bounded Read Strategy").join("\n")
    };
    assert!(
        said("times 5").contains("; each of the 5 that a call sends reads 20 items, 20 KB;"),
        "{}",
        said("times 5")
    );
    assert!(said("").contains("; a call reads 20 items, 20 KB;"), "{}", said(""));
}

#[test]
fn of_a_local_index_what_is_fetched_is_counted() {
    let text = |kind: &str| {
        format!(
            "application A {{ domain \"d\" region \"us-east-1\" }}
entity E {{ id: uuid @id  no: number @id  a: string @size(4B)  big: string @size(2KB)  count 1M }}
table T {{ partition key id  sort key no  item E
  {kind} projection keys_only }}
}}
pattern Write {{ put E into T if not_exists rate 1/s }}
pattern Find {{ reads E(big) by id, a query T.I where id = :id limit 10 rate 50/s }}"
        )
    };
    let notes = |heading: &str, kind: &str| section(&text(kind), heading).text;
    let local = notes("I LSI", "lsi I { sort key a");
    assert!(local.contains("its reads included; what DynamoDB fetches from the table for a pattern is in them."));
    let rows: Vec<Vec<String>> = local
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('$'))
        .map(crate::tables::page::cells)
        .collect();
    let dollars = |name: &str| -> f64 {
        let row = rows.iter().find(|row| row[0].contains(name)).unwrap_or_else(|| panic!("{name}: {rows:?}"));
        row[4].trim_start_matches("≤ ").trim_start_matches('$').replace(',', "").parse().expect("dollars")
    };
    // Ten items are fetched one by one for each page that the index holds no part of.
    assert!(dollars("keys only") > dollars("all"), "{rows:?}");
    assert!(local.contains("2 Find fetches `big` from the table"), "{local}");
    let global = notes("I GSI", "gsi I { partition key id sort key a");
    assert!(global.contains("what a pattern would have to fetch from the table is not in them."), "{global}");
}
