//! What is proposed in entities, tables and the rest.

use super::{becomes, exactly, first};

#[test]
fn an_entity_is_made_of_attributes() {
    exactly("entity X {\n  $0\n}", &["count", "size", "lifetime", "allow"]);
    let types = [
        "string",
        "number",
        "uuid",
        "ulid",
        "ksuid",
        "timestamp",
        "epoch",
        "boolean",
        "enum",
        "binary",
        "list",
        "set",
        "map",
    ];
    exactly("entity X {\n  a: $0\n}", &types);
    exactly("entity X {\n  a:$0\n}", &types);
    exactly("entity X {\n  a: str$0ing @id\n}", &types);
    exactly("entity X {\n  a: list<$0>\n}", &types);
    let modifiers = [
        "@id",
        "@of",
        "@size",
        "@unique",
        "@immutable",
        "@distinct",
        "@hottest",
        "@present",
        "@copied_from",
        "@without",
        "@example",
    ];
    exactly("entity X {\n  a: string @$0\n}", &modifiers);
    exactly("entity X {\n  a: string @i$0d @size(5B)\n}", &[&modifiers[..2], &modifiers[2..]].concat());
    exactly("entity X {\n  a: string @id @$0\n}", &modifiers[1..]);
    first("entity X {\n  a: string $0\n}", &modifiers);
    exactly("entity X {\n  a: string @of($0)\n}", &["Draft", "Line", "Order", "User", "X"]);
    exactly("entity X {\n  a: string @copied_from(User.$0)\n}", &["user_id", "email", "plan"]);
    exactly("entity X {\n  a: string\n  b: string @unique($0)\n  c: string\n}", &["a", "c"]);
    // A client that fills nothing in is offered no rule that there is not.
    becomes("entity X {\n  al$0\n}", "allow", "  allow\n}");
    becomes("entity X {\n  a: string @im$0\n}", "@immutable", "a: string @immutable\n");
}

#[test]
fn a_relationship_joins_entities() {
    exactly("relationship $0", &["Draft", "Line", "Order", "User"]);
    exactly("relationship User $0", &["1:N", "1:1", "N:M"]);
    exactly("relationship User 1:$0", &["1:N", "1:1", "N:M"]);
    becomes("relationship User 1$0 Draft", "1:N", "relationship User 1:N Draft");
    exactly("relationship User 1:N $0", &["Draft", "Line", "Order", "User"]);
    exactly("relationship User 1:N Order $0", &["through", "by"]);
    first("relationship User 1:N Order by $0", &["user_id", "order_id", "status"]);
    exactly("relationship User 1:N Order { $0 }", &["children", "parents", "identifying", "because", "allow"]);
    exactly("aggregate User, $0", &["Draft", "Line", "Order", "User"]);
    exactly("aggregate User, Order { decision $0 }", &["item_collection", "single_item", "separate_tables"]);
    exactly("workflow W { $0 }", &["AccountPage", "Pay"]);
    exactly("workflow W { Pay, $0 }", &["AccountPage", "Pay"]);
    exactly("workflow W { AccountPage, $0 }", &["Pay", "AccountPage"]);
}

#[test]
fn a_table_holds_what_has_no_place_first() {
    exactly(
        "table T {\n  $0\n}",
        &[
            "partition key",
            "sort key",
            "item",
            "gsi",
            "lsi",
            "boundary",
            "ttl",
            "stream",
            "point_in_time_recovery",
            "class",
            "capacity",
            "allow",
        ],
    );
    exactly("table T {\n  item $0\n}", &["Draft", "Line", "Order", "User"]);
    exactly("table T {\n  item User\n  item $0\n}", &["Draft", "Line", "Order", "User"]);
    exactly("table T {\n  item Order embeds $0\n}", &["Line", "Draft", "User", "Order"]);
    exactly(
        "table T {\n  partition key $0\n  item Order\n}",
        &["order_id", "user_id", "status", "total", "placed_at", "note"],
    );
    exactly("table T {\n  partition key a: $0\n  item Order\n}", &["string", "number", "binary"]);
    exactly("table T {\n  partition $0\n}", &["key"]);
    exactly("table T {\n  stream $0\n}", &["keys_only", "new_and_old_images", "new_image", "old_image"]);
    exactly("table T {\n  ttl $0\n  item Order\n}", &["total"]);
}

#[test]
fn an_item_sets_the_keys_that_it_has_not() {
    let table = |body: &str| {
        format!(
            "table T {{\n  partition key pk: string\n  sort key sk: string\n  item Order {body}\n  gsi G {{\n    \
             partition key status\n    sort key gk: string\n  }}\n}}"
        )
    };
    exactly(&table("{ $0 }"), &["pk", "sk", "gk", "status", "allow"]);
    exactly(&table("{ pk = \"A\" $0 }"), &["sk", "gk", "status", "allow"]);
    exactly(&table("{\n    $0\n    sk = \"A\"\n  }"), &["pk", "gk", "status", "allow"]);
    exactly(&table("{ p$0k = \"A\" }"), &["pk", "sk", "gk", "status", "allow"]);
    exactly(&table("{ pk = $0 }"), &["order_id", "user_id", "status", "total", "placed_at", "note", "gift"]);
}

#[test]
fn an_index_includes_what_it_has_not() {
    let table = |body: &str| {
        format!(
            "table T {{\n  partition key order_id\n  item Order\n  gsi G {{\n    partition key status\n    {body}\n  \
             }}\n}}"
        )
    };
    exactly(&table("projection include($0)"), &["user_id", "note", "total", "gift", "placed_at"]);
    exactly(&table("projection include(total, $0)"), &["user_id", "note", "gift", "placed_at"]);
    exactly(&table("projection include($0, total)"), &["user_id", "note", "gift", "placed_at"]);
    exactly(&table("projection $0"), &["keys_only", "include", "all"]);
    exactly(&table("$0"), &["sort key", "projection", "sparse", "purpose", "allow", "because"]);
}

#[test]
fn an_application_chooses_among_what_there_is() {
    exactly(
        "application A {\n  $0\n}",
        &["domain", "context", "scale", "region", "style", "capacity", "class", "allow"],
    );
    exactly("application A {\n  style $0\n}", &["aggregate", "single_table"]);
    exactly("application A {\n  capacity $0\n}", &["on_demand", "provisioned"]);
    exactly("application A {\n  class $0\n}", &["standard", "standard_infrequent_access"]);
    first("application A {\n  region \"$0\"\n}", &["us-east-1", "us-east-2"]);
    first("application A {\n  region $0\n}", &["\"us-east-1\"", "\"us-east-2\""]);
    becomes("application A {\n  region \"$0\n}", "eu-west-1", "region \"eu-west-1\"\n");
}
