//! Every kind of name, from each of its places.

use super::*;

#[test]
fn an_application() {
    renames_from_everywhere("Shop", "Store", &["application … {"]);
}

#[test]
fn an_entity() {
    renames_from_everywhere(
        "Order",
        "Purchase",
        &[
            "entity … {",
            "@of(…)\n}",
            "1:N … by",
            "relationship … 1:N",
            "aggregate User, … {",
            "item … embeds",
            "put … as",
            "update … as",
            ", …(status",
            "reads … by",
        ],
    );
}

#[test]
fn a_table() {
    renames_from_everywhere(
        "Orders",
        "Purchases",
        &["table … {", "into … if", "in … set", "check User in … if", "query … where user_id", "query ….ByStatus"],
    );
}

#[test]
fn an_index() {
    renames_from_everywhere("ByStatus", "StatusIndex", &["gsi … {", "Orders.… where"]);
}

#[test]
fn a_pattern_and_a_workflow() {
    renames_from_everywhere("OfUser", "HistoryOf", &["pattern … {", "Place, … }"]);
    renames_from_everywhere("Buy", "Purchase", &["workflow … {"]);
}

#[test]
fn an_attribute_of_its_own() {
    // `reads User(email)` and the source of a copy; the copy keeps its name.
    renames_from_everywhere("email", "address", &["  …:   string", "(User.…)", "User(…)"]);
    renames_from_everywhere(
        "buyer",
        "customer",
        &["  …:    string", "include(…)", "and … = :who", "status, …, lines", "and … <> :who", "project …\n"],
    );
}

#[test]
fn a_key_that_items_compute() {
    renames_from_everywhere(
        "sk",
        "range_key",
        &["sort key …: string", "item User { … =", "lines { … =", "and … begins_with"],
    );
}

#[test]
fn a_key_and_the_attributes_that_are_one_with_it() {
    // The key, the attributes that fill it, what a hole and `by` say of them. `@of` and
    // a parameter have nothing to do with it, nor has another table.
    renames_from_everywhere(
        "user_id",
        "owner",
        &["  …: uuid @id", "  …:  uuid @of", "by … {", "partition key …\n", "lines) by …\n", "where … = :who"],
    );
    renames_from_everywhere(
        "status",
        "state",
        &[
            "  …:   enum(open",
            "partition key …\n    sort",
            "set …, lines",
            "if … = \"open\"",
            "Order(…, buyer",
            "by … ordered",
            "where … = \"open\"",
        ],
    );
}

#[test]
fn an_attribute_in_the_holes_of_key_templates() {
    // `order_id` of an order is a key of the index; that of a line lies in a list of
    // the same items, which a condition could mean as well.
    renames_from_everywhere(
        "order_id",
        "number",
        &[
            "  …: ulid @id",
            "  …: ulid @of",
            "lines { sk = \"ORDER#{…}\"",
            "sort key …\n",
            "begins_with \"ORDER#{…}\"",
            "ordered by …\n",
            "and … between",
        ],
    );
}

#[test]
fn an_embedded_list() {
    renames_from_everywhere("lines", "parts", &["Line as … {", "status, … if", "buyer, …) by", "exists(…)"]);
}

#[test]
fn the_value_of_an_enum() {
    // In conditions it is a string.
    renames_from_everywhere("open", "fresh", &["enum(…, paid)", "if status = \"…\"", "where status = \"…\""]);
    renames_from_everywhere("free", "basic", &["enum(…, plus)", "plan <> \"…\""]);
}

#[test]
fn a_role() {
    renames_from_everywhere("first", "earlier", &["as … into"]);
    renames_from_everywhere("second", "later", &["as … in"]);
}

#[test]
fn a_parameter_within_its_pattern() {
    renames_from_everywhere("who", "customer", &["user_id = :… and", "<> :…\n"]);
    renames_from_everywhere("who", "since", &["\"{:…}\""]);
    renames_from_everywhere("until", "to", &["and :… project"]);
    renames_to(&marked("until", 0, &["and :… project"]), ":to", "to");
}

#[test]
fn backticks_come_and_go_as_a_name_needs_them() {
    let contexts = ["  …:    string", "include(…)", "and … = :who", "status, …, lines", "and … <> :who", "project …\n"];
    for new in ["the-buyer", "`the-buyer`", " the-buyer "] {
        renames_to(&marked("buyer", 0, &contexts), new, "`the-buyer`");
    }
    renames_to(&marked("buyer", 1, &contexts), "none", "`none`");
    renames_to(&marked("buyer", 1, &contexts), "`plain`", "plain");
    let quoted = r#"
entity Order {
  «`order-id`»: ulid @id
}
table Orders {
  partition key pk: string
  item Order { pk = "ORDER#{«`order$0-id`»:lower}" }
}
pattern Get { query Orders where pk = "ORDER#{«`order-id`»}" }
"#;
    renames(quoted, "order_id");
    renames_to(quoted, "order id", "`order id`");
}

#[test]
fn backticks_that_no_name_needs_stay() {
    for new in ["keeper", "the-keeper"] {
        in_all_shapes(
            r#"
entity Pet {
  pet_id: uuid @id
  «`owner$0_name`»: string
}
table Pets {
  partition key pet_id
  item Pet
  gsi ByOwner { partition key «owner_name» projection include(«`owner_name`») }
}
pattern Get { query Pets.ByOwner where «`owner_name`» = "{«owner_name»}" }
"#,
            |fixture| {
                let change = rename(fixture, new).unwrap().change();
                assert_eq!(change.edits.iter().map(|(_, edits)| edits.len()).sum::<usize>(), fixture.marks.len());
                for (file, edit) in change.edits.iter().flat_map(|(file, edits)| edits.iter().map(move |e| (file, e))) {
                    let had = fixture.text(file)[edit.range.start as usize..].starts_with('`');
                    assert_eq!(edit.text.starts_with('`'), had || new == "the-keeper", "{edit:?}");
                }
            },
        );
    }
}

#[test]
fn a_keyword_may_be_a_name_where_it_can_be_told() {
    let text = r#"
entity Product {
  sku:   string @id
  «sto$0ck»: number
}
table Products {
  partition key sku
  item Product
}
pattern Sell { update Product in Products set «stock» if «stock» > 0 }
"#;
    renames(text, "count");
    renames(text, "remove");
    // At the beginning of a line, with a clause behind it, it would be read as a clause.
    let text = r#"
entity User { id: uuid @id }
table «Us$0ers» { partition key id item User }
pattern Both {
  put User into
  «Users» get User from «Users»
}
"#;
    renames(text, "People");
    renames_to(text, "item", "`item`");
}
