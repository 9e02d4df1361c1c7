//! The diagrams of Mermaid.

use super::made::{check, fenced, part};
use expect_test::expect;
use keywright::deliverables::DocumentKind;

#[test]
fn entities_have_their_keys_and_relationships_their_cardinality() {
    let model = "
        entity User { user_id: uuid @id  email: string @unique  plan: enum(free, plus) }
        entity Order { order_id: ulid @id  user_id: uuid @of(User)  note: string?  tags: set<string> }
        entity Team { team_id: uuid @id }
        entity Member { user_id: uuid @id @of(User)  team_id: uuid @id @of(Team) }
        relationship User 1:N Order { children avg 20, max 5_000  identifying }
        relationship User N:M Team through Member
        relationship Team 1:1 Owner
    ";
    check(
        model,
        DocumentKind::Requirement,
        "entity-diagram",
        expect![[r#"
            **Entity Diagram**: PK is what identifies an entity, FK the id of another one, UK a unique value; a solid line is an identifying relationship.

            ```mermaid
            erDiagram
              User {
                uuid user_id PK
                string email UK
                enum plan "free / plus"
              }
              Order {
                ulid order_id PK
                uuid user_id FK
                string note "optional"
                set(string) tags
              }
              Team {
                uuid team_id PK
              }
              Member {
                uuid user_id PK, FK
                uuid team_id PK, FK
              }
              Owner
              User ||--o{ Order : "1 to N, children 20 (max 5,000)"
              User }o..o{ Team : "N to M through Member"
              User ||--o{ Member : "1 to N"
              Team ||--o{ Member : "1 to N"
              Team ||..|| Owner : "1 to 1"
            ```
        "#]],
    );
}

#[test]
fn names_that_mermaid_refuses_are_aliased_and_shown() {
    let model = "
        entity `end` { PK: string @id  `pk`: string  `user-id`: string  user_id: string  `🦀 \"x\"`: number }
        entity END { id: uuid @id }
        entity `n_end` { id: uuid @id }
        relationship `end` 1:N END
    ";
    check(
        model,
        DocumentKind::Requirement,
        "entity-diagram",
        expect![[r#"
        **Entity Diagram**: PK is what identifies an entity, FK the id of another one, UK a unique value; a solid line is an identifying relationship.

        ```mermaid
        erDiagram
          n_end_2["end"] {
            string n_PK PK "PK"
            string n_pk "pk"
            string user_id_2 "user-id"
            string user_id
            number n_x "🦀 #34;x#34;"
          }
          n_END["END"] {
            uuid id PK
          }
          n_end {
            uuid id PK
          }
          n_end_2 ||..o{ n_END : "1 to N"
        ```
    "#]],
    );
}

#[test]
fn a_map_shows_reads_writes_open_and_external_patterns() {
    let model = "
        entity User { user_id: uuid @id  email: string }
        table Users { partition key user_id  item User  gsi ByEmail { partition key email } }
        pattern Get { get User from Users }
        pattern Find { query Users.ByEmail where email = :email }
        pattern Put { put User into Users }
        pattern `open \"one\"` { reads User by email }
        pattern Search { reads User external \"OpenSearch\" because \"Text.\" }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "access-map",
        expect![[r####"
        ### Map of Patterns to Tables and Indexes

        Each pattern with the tables and indexes that it reaches: a thin arrow reads, a thick one writes, a dotted one leaves DynamoDB; a dashed border is a pattern that is not solved yet.

        ```mermaid
        flowchart LR
          p1(["1 Get"])
          p2(["2 Find"])
          p3(["3 Put"])
          p4(["4 open #34;one#34;"])
          p5(["5 Search"])
          subgraph s1["Users"]
            t1[("Users")]
            t1i1["ByEmail (GSI)"]
          end
          p1 -->|"GetItem"| t1
          p2 -->|"Query"| t1i1
          p3 ==>|"PutItem"| t1
          p5 -.-> x5[/"OpenSearch"/]
          classDef open stroke-dasharray: 5 5
          class p4 open
        ```
    "####]],
    );
}

#[test]
fn a_large_map_is_one_diagram_a_table() {
    let mut model = String::from("entity E { id: uuid @id }\n");
    for number in 0..40 {
        model.push_str(&format!("table T{number} {{ partition key id item E }}\n"));
        model.push_str(&format!("pattern Get{number} {{ get E from T{number} }}\n"));
        model.push_str(&format!("pattern Put{number} {{ put E into T{number} }}\n"));
    }
    model.push_str(&(0..200).map(|number| format!("pattern Many{number} {{ get E from T0 }}\n")).collect::<String>());
    let diagrams = fenced(&part(&model, DocumentKind::DataModel, "access-map"), "mermaid");
    // Of T0, with 202 arrows, there are four.
    assert_eq!(diagrams.len(), 39 + 4);
    let arrows = |diagram: &String| diagram.matches(" -->|").count() + diagram.matches(" ==>|").count();
    assert_eq!(diagrams.iter().map(arrows).sum::<usize>(), 2 * 40 + 200);
    assert!(diagrams.iter().all(|diagram| diagram.len() < 50_000 && arrows(diagram) <= 60));
}

#[test]
fn a_huge_model_stays_within_what_mermaid_draws() {
    let attributes: String = (0..300).map(|number| format!("attribute_of_some_length_{number}: string @id ")).collect();
    let mut model = String::new();
    for number in 0..60 {
        model.push_str(&format!("entity Entity{number} {{ {attributes} }}\n"));
        model.push_str(&format!("relationship Entity{number} 1:N Entity{}\n", (number + 1) % 60));
    }
    let diagrams = fenced(&part(&model, DocumentKind::Requirement, "entity-diagram"), "mermaid");
    assert!(diagrams.len() > 1);
    assert!(diagrams.iter().all(|diagram| diagram.len() < 50_000), "{}", diagrams[0].len());
    let whole = diagrams.concat();
    assert!((0..60).all(|number| whole.contains(&format!("  Entity{number} {{\n"))));
    assert_eq!(whole.matches(" : \"1 to N\"").count(), 60);
}

/// However many entities there are, each has all its attributes.
#[test]
fn a_diagram_of_many_entities_leaves_no_attribute_out() {
    let mut model = String::new();
    for number in 0..40 {
        model.push_str(&format!(
            "entity E{number} {{ e{number}_id: uuid @id note: string? @size(9B) total: number }}\n"
        ));
    }
    let diagrams = fenced(&part(&model, DocumentKind::Requirement, "entity-diagram"), "mermaid").concat();
    for number in 0..40 {
        let own =
            format!("  E{number} {{\n    uuid e{number}_id PK\n    string note \"optional\"\n    number total\n  }}");
        assert!(diagrams.contains(&own), "{own}: {diagrams}");
    }
}
