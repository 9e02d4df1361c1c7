//! What is one name, and what only looks like it.

use super::*;

#[test]
fn attributes_that_one_condition_names_go_together() {
    renames(
        r#"
entity User {
  id:    uuid @id
  «email»: string
}
entity Guest {
  id:    uuid @id
  «em$0ail»: string
}
entity Letter {
  id:    uuid @id
  email: string
}
table People {
  partition key id
  item User
  item Guest
}
table Letters {
  partition key id
  item Letter
}
pattern Find { scan People filter «email» = :email }
pattern Post { scan Letters filter email = :email }
"#,
        "address",
    );
    // Without it each has its own.
    renames(
        r#"
entity User { id: uuid @id email: string }
entity Guest { id: uuid @id «em$0ail»: string }
table People { partition key id item User item Guest }
"#,
        "address",
    );
}

#[test]
fn what_a_caller_has_is_an_attribute_of_what_is_read() {
    renames(
        r#"
entity User { «us$0er_id»: uuid @id }
entity Session {
  session_id: uuid @id
  user_id:    uuid @of(User)
}
pattern GetUser { reads User by «user_id» }
pattern GetSession { reads Session by user_id }
"#,
        "id",
    );
    // What is read has none: any may be meant.
    renames(
        r#"
entity User { «us$0er_id»: uuid @id }
entity Product { sku: string @id }
pattern Recommended { reads Product by «user_id» }
"#,
        "id",
    );
}

#[test]
fn lists_of_one_name_go_together_where_one_name_means_both() {
    renames(
        r#"
entity Order { id: uuid @id }
entity Line { no: number @id }
relationship Order 1:N Line { children avg 2 }
table Orders {
  partition key id
  item Order embeds Line as «li$0nes»
}
table Archive {
  partition key id
  item Order embeds Line as «lines»
}
pattern Both {
  reads Order(«lines»)
  get Order from Orders
}
pattern One { update Order in Archive set «lines» }
"#,
        "parts",
    );
}

#[test]
fn a_key_of_several_indexes_is_one_key() {
    renames(
        r#"
entity Order { id: uuid @id day: string who: string }
table Orders {
  partition key id
  item Order { «gk» = "D#{day}" }
  gsi One { partition key «gk»: string }
  gsi Two {
    partition key who
    sort key «gk»: string
    projection keys_only
  }
}
pattern P { query Orders.Two where who = :who and «g$0k» = "D#{day}" }
"#,
        "day_key",
    );
}

#[test]
fn a_name_in_several_models_changes_in_all_of_them() {
    renames(
        r#"
//- one.dynamo
import "shared.dynamo"
table Ones {
  partition key «id»
  item User
}
//- shared.dynamo
entity User { «i$0d»: uuid @id }
//- two.dynamo
import "shared.dynamo"
table Twos {
  partition key «id»
  item User
  item Guest
}
entity Guest { «id»: uuid @id }
"#,
        "user_id",
    );
}

#[test]
fn a_second_declaration_is_renamed_apart() {
    renames(
        r#"
entity User { id: uuid @id }
entity «Us$0er» {
  id:    uuid @id
  email: string @unique(id)
}
pattern P { reads User }
"#,
        "Guest",
    );
}

#[test]
fn a_name_that_meant_nothing_may_find_its_meaning() {
    renames(
        r#"
entity User { id: uuid @id «em$0ail»: string }
table Users { partition key id item User }
pattern P { scan Users filter «email» = :a and address = :b }
"#,
        "address",
    );
}

#[test]
fn what_goes_along_is_told_apart() {
    in_all_shapes(
        &marked("user_id", 3, &["  …: uuid @id", "  …:  uuid @of", "by … {", "partition key …\n"]),
        |fixture| {
            let rename = rename(fixture, "owner").unwrap();
            let told: Vec<(&str, usize)> = rename
                .groups
                .iter()
                .map(|group| (group.label.as_str(), group.edits.iter().map(|(_, edits)| edits.len()).sum()))
                .collect();
            assert_eq!(
                told[..1],
                [("Rename key `user_id` of table `Orders` to `owner`", 2)],
                "what was asked for: its clause and the condition that names it"
            );
            // `by user_id` names both, and goes with one of them.
            let beside: BTreeSet<&str> = told[1..].iter().map(|(label, _)| *label).collect();
            let attributes = [
                "Rename attribute `user_id` of entity `Order` to `owner`",
                "Rename attribute `user_id` of entity `User` to `owner`",
            ];
            assert_eq!(beside, BTreeSet::from(attributes));
            assert_eq!(told[1..].iter().map(|(_, edits)| edits).sum::<usize>(), 4);
            assert!(rename.groups[0].reason.is_empty());
            for group in &rename.groups[1..] {
                assert_eq!(
                    group.reason,
                    "It is one with key `user_id` of table `Orders`: the model names both at once, or a table stores both \
                 as one."
                );
            }
        },
    );
}

#[test]
fn a_key_is_asked_about_where_an_attribute_is_renamed() {
    let text = r#"
entity A { i$0d: uuid @id }
table Ta { partition key id item A }
pattern Get { query Ta where id = "{id}" }
"#;
    in_all_shapes(text, |fixture| {
        let rename = rename(fixture, "number").unwrap();
        let told = rename.groups.iter().map(|group| {
            let edits = group.edits.iter().map(|(_, edits)| edits.len()).sum();
            (group.label.as_str(), group.reason.is_empty(), edits)
        });
        let told: Vec<(&str, bool, usize)> = told.collect();
        assert_eq!(told[0].0, "Rename attribute `id` of entity `A` to `number`");
        assert_eq!(told[1].0, "Rename key `id` of table `Ta` to `number`");
        assert_eq!((told.len(), told[0].1, told[1].1, told[0].2 + told[1].2), (2, true, false, 4));
        assert!(told[1].2 >= 2, "the key and the condition that names it: {told:?}");
    });
}

#[test]
fn what_is_alone_is_one_group() {
    let rename = rename(&fixture(&marked("email", 0, &["  …:   string"])), "address").unwrap();
    assert_eq!(rename.groups.len(), 1);
    assert_eq!(rename.groups[0].label, "Rename attribute `email` of entity `User` to `address`");
}

#[test]
fn a_name_that_touches_a_word_keeps_its_backticks() {
    let fixture = fixture("entity `A-$0B`{ id: uuid @id }\npattern P { get `A-B`from T }\n");
    let change = rename(&fixture, "AB").unwrap().change();
    let after = apply(fixture.text(&fixture.file), &change.edits[0].1);
    assert_eq!(after, "entity AB{ id: uuid @id }\npattern P { get `AB`from T }\n");
}

#[test]
fn a_unique_attribute_and_that_of_its_guard_are_one() {
    renames(
        r#"
entity User {
  user_id: uuid @id
  «email»: string @unique(tenant)
  tenant:  string
}
entity Claim {
  «em$0ail»: string @id
  tenant:  string @id
}
entity Letter { email: string @id }
table Users { partition key user_id item User }
table Claims {
  partition key «email»
  sort key tenant
  item Claim
}
pattern SignUp {
  transact write {
    put User into Users if not_exists
    put Claim into Claims if not_exists
  }
}
"#,
        "address",
    );
}

#[test]
fn the_value_of_an_enum_in_key_values_and_examples() {
    renames(
        r#"
entity Order {
  order_id: ulid @id
  status:   enum(«op$0en», reopened, paid) @example("«open»")
  day:      string @example("open")
}
table Orders {
  partition key pk: string
  sort key sk: string
  item Order {
    pk = "STATUS#{status}#open"
    sk = "{status}#{day}#{order_id}"
  }
}
pattern One { query Orders where pk = "STATUS#«open»#open" and sk begins_with "«open»#open" }
pattern Two { query Orders where pk = "STATUS#reopened#open" and sk between "«open»#1" and "paid#{day}" }
pattern Three { query Orders where pk = "STATUS#{status}#open" filter day = "open" and status in ("«open»", "paid") }
"#,
        "fresh",
    );
}

#[test]
fn what_cannot_be_read_is_left_as_it_is_and_told() {
    let text = r#"
entity Us$0er { id: uuid @id }
// User
pattern P { reads User }
pattern Q { consideration "User" reads User ] User Users }
User User
"#;
    let fixture = fixture(text);
    let rename = rename(&fixture, "Member").unwrap();
    let after = apply(fixture.text(&fixture.file), &rename.change().edits[0].1);
    assert!(after.contains("// User\npattern P { reads Member }\n"), "{after}");
    assert!(after.ends_with("User User\n"), "{after}");
    let lines: Vec<usize> = rename
        .unread
        .iter()
        .map(|(_, range)| fixture.text(&fixture.file)[..range.start as usize].matches('\n').count() + 1)
        .collect();
    assert_eq!(lines, [4, 5, 5]);
}
