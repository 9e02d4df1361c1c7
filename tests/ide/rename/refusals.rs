//! What is not renamed, and the reason that is given.

use super::*;

#[test]
fn a_name_that_is_there_already_is_refused() {
    let at = |name: &str, context: &str| marked(name, 0, &[context]).replace(['«', '»'], "");
    for (name, context, new, reason) in [
        ("User", "entity … {", "Line", "There is an entity `Line` already."),
        ("Place", "pattern … {", "Open", "There is a pattern `Open` already."),
        (
            "buyer",
            "  …:    string",
            "status",
            "There is an attribute `status` of entity `Order` already, and an item has one value a name.",
        ),
        (
            "buyer",
            "  …:    string",
            "sk",
            "There is a key `sk` of table `Orders` already, and an item has one value a name.",
        ),
        (
            "sk",
            "sort key …: string",
            "plan",
            "There is an attribute `plan` of entity `User` already, and an item has one value a name.",
        ),
        (
            "lines",
            "Line as … {",
            "buyer",
            "There is an attribute `buyer` of entity `Order` already, and an item has one value a name.",
        ),
        (
            "buyer",
            "  …:    string",
            "lines",
            "There is a list `lines` in the items of entity `Order` already, and an item has one value a name.",
        ),
        ("open", "enum(…, paid)", "paid", "There is a value `paid` of `Order.status` already."),
        ("first", "as … into", "second", "There is a role `second` of pattern `Place` already."),
        ("until", "and :… project", "who", "There is a parameter `:who` of pattern `Open` already."),
    ] {
        refuses(&at(name, context), new, reason);
    }
    // Other kinds, and other scopes, have names of their own.
    renames(&marked("Buy", 0, &["workflow … {"]), "Order");
    renames(&marked("who", 0, &["user_id = :… and", "<> :…\n"]), "until");
    renames(&marked("email", 0, &["  …:   string", "(User.…)", "User(…)"]), "line_no");
}

#[test]
fn a_second_table_and_a_second_index_are_refused() {
    let text = |at: &str| {
        let tables = "
entity User { id: uuid @id a: string b: string }
table One { partition key id item User gsi First { partition key a } gsi Second { partition key b } }
table Two { partition key id item User }
";
        tables.replacen(at, &format!("{at}$0"), 1)
    };
    refuses(&text("table One"), "Two", "There is a table `Two` already.");
    refuses(&text("gsi First"), "Second", "There is an index `Second` of table `One` already.");
}

#[test]
fn what_is_no_name_is_refused() {
    let attribute = marked("buyer", 0, &["  …:    string"]).replace(['«', '»'], "");
    let table = marked("Orders", 0, &["table … {"]).replace(['«', '»'], "");
    let index = table.replace("$0", "").replacen("gsi ", "gsi $0", 1);
    let key = marked("sk", 0, &["sort key …: string"]).replace(['«', '»'], "");
    let hole = marked("order_id", 0, &["lines { sk = \"ORDER#{…}\""]).replace(['«', '»'], "");
    let parameter = marked("until", 0, &["and :… project"]).replace(['«', '»'], "");
    let entity = marked("User", 0, &["entity … {"]).replace(['«', '»'], "");
    let long = "x".repeat(256);
    for (text, new, reason) in [
        (&attribute, "", "A name needs at least one character."),
        (&attribute, "``", "A name needs at least one character."),
        (&attribute, "  ", "A name needs at least one character."),
        (&attribute, "a\nb", "A name stands on one line."),
        (&attribute, "a`b", "A name cannot hold a backtick: backticks begin and end one."),
        (&attribute, "`a", "A name cannot hold a backtick: backticks begin and end one."),
        (&attribute, "a\u{200b}b", "A name cannot hold <U+200B>: nobody sees what it is called then."),
        (&attribute, "a\tb", "A name cannot hold a tab: nobody sees what it is called then."),
        (
            &table,
            "a b c",
            "`a b c` cannot be the name of a table: it has a space in it, and DynamoDB takes names of 3 to 255 of the \
             characters A–Z, a–z, 0–9, `_`, `-` and `.`.",
        ),
        (
            &table,
            "ab",
            "`ab` cannot be the name of a table: it has 2 characters, and DynamoDB takes names of 3 to 255 of the \
             characters A–Z, a–z, 0–9, `_`, `-` and `.`.",
        ),
        (
            &index,
            "ab",
            "`ab` cannot be the name of an index: it has 2 characters, and DynamoDB takes names of 3 to 255 of the \
             characters A–Z, a–z, 0–9, `_`, `-` and `.`.",
        ),
        (&key, &long, "A name of 256 bytes is too long: for a key DynamoDB takes 255."),
        (
            &attribute,
            &long,
            "A name of 256 bytes is too long: for an attribute that an index includes DynamoDB takes 255.",
        ),
        (&entity, &long, "A name of 256 characters is too long: 255 are enough."),
        (&hole, "a}b", "`a}b` stands in key templates, where `{` and `}` mean something else."),
        (&parameter, "a-b", "`:a-b` is no parameter: one is a letter or `_`, then letters, digits and `_`."),
    ] {
        refuses(text, new, reason);
    }
}

#[test]
fn a_name_that_stays_as_it_is_changes_nothing() {
    for new in ["buyer", "`buyer`", " buyer "] {
        in_all_shapes(&marked("buyer", 0, &["  …:    string"]), |fixture| {
            assert_eq!(rename(fixture, new).unwrap(), Rename::default());
        });
    }
}

#[test]
fn the_name_at_a_place_is_told_before_it_is_renamed() {
    let text = "entity A {\n  «`user$0-id`»: uuid @id\n}\ntable T {\n  partition key `user-id`\n  item A\n}\n";
    in_all_shapes(text, |fixture| {
        let prepared = fixture.analysis.prepare_rename(&fixture.file, fixture.offset).unwrap().unwrap().unwrap();
        assert_eq!((&prepared.range, prepared.name.as_str()), (&fixture.marks[0].1, "user-id"));
    });
}

#[test]
fn what_is_no_name_of_the_model_cannot_be_renamed() {
    let nothing = "There is no name here that could be renamed.";
    prepares_nothing("ent$0ity A { id: uuid @id }\n", nothing);
    prepares_nothing("entity A { id: uuid @id count 4$02 }\n", nothing);
    prepares_nothing("entity A { id: uu$0id @id }\n", nothing);
    prepares_nothing("// A comm$0ent\nentity A { id: uuid @id }\n", nothing);
    prepares_nothing("consideration \"some te$0xt\"\n", nothing);
    prepares_nothing("import \"oth$0er.dynamo\"\n", "An import follows its file: rename the file.");
    prepares_nothing(
        "allow scan-$0pattern because \"of tests\"\n",
        "`scan-pattern` is a rule of Keywright: a model cannot rename it.",
    );
    prepares_nothing("pattern P { reads Nobo$0dy }\n", "Nothing is declared under the name `Nobody`.");
}

#[test]
fn a_parameter_begins_with_its_colon() {
    let text =
        "entity A { id: uuid @id }\ntable T { partition key id item A }\npattern P { query T where id = $0:«who» }\n";
    in_all_shapes(text, |fixture| {
        let prepared = fixture.analysis.prepare_rename(&fixture.file, fixture.offset).unwrap().unwrap().unwrap();
        assert_eq!((&prepared.range, prepared.name.as_str()), (&fixture.marks[0].1, "who"));
    });
    renames(text, "customer");
    // Before another colon stands no parameter.
    prepares_nothing("entity A { id $0: uuid @id }\n", "There is no name here that could be renamed.");
}

#[test]
fn a_place_behind_the_end_is_no_name() {
    let fixture = fixture("entity A { id: uuid @id }\n");
    let prepared = fixture.analysis.prepare_rename(&fixture.file, 10_000).unwrap().unwrap();
    assert!(prepared.is_err());
    assert_eq!(fixture.analysis.prepare_rename(&FileKey::new("/none.dynamo"), 0).unwrap(), None);
}

#[test]
fn a_name_that_would_mean_something_else_is_refused() {
    let text = r#"
entity User {
  id:      uuid @id
  em$0ail: string
}
entity Guest {
  id:      uuid @id
  address: string
}
table People {
  partition key id
  item User
  item Guest
}
pattern Find { scan People filter address = :address }
"#;
    let refused = rename(&fixture(text), "address").expect_err("it is refused");
    assert_eq!(refused.message, "As `address`, the name in line 14 of main.dynamo would mean something else than now.");
}

#[test]
fn a_value_that_a_key_only_begins_is_not_renamed() {
    let text = r#"
entity Order {
  order_id: ulid @id
  status:   enum(op$0en, paid)
}
table Orders {
  partition key pk: string
  item Order { pk = "STATUS#{status}" }
  gsi All {
    partition key status
    sort key pk
  }
}
pattern One { query Orders.All where status = "open" and pk begins_with "STATUS#op" }
"#;
    let refused = rename(&fixture(text), "fresh").expect_err("it is refused");
    assert_eq!(refused.message, "As `fresh`, it would have the pattern in line 13 of main.dynamo find other items.");
}
