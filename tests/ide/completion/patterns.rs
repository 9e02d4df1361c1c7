//! What is proposed in patterns.

use super::{among, becomes, exactly, first, without};

const STEPS: [&str; 12] = [
    "reads",
    "writes",
    "get",
    "query",
    "put",
    "update",
    "delete",
    "scan",
    "transact write",
    "transact get",
    "batch write",
    "batch get",
];

#[test]
fn a_pattern_is_made_of_operations_and_numbers() {
    let numbers = ["rate", "latency", "pages", "external", "no_write", "no_read", "allow"];
    exactly("pattern P {\n  $0\n}", &[&STEPS[..], &numbers].concat());
    exactly("pattern P {\n  la$0\n}", &[&STEPS[..], &numbers].concat());
    exactly("pattern P {\n  rate avg 1/s\n  $0\n}", &[&STEPS[..], &numbers[1..]].concat());
    exactly("pattern P {\n  $0\n  rate avg 1/s\n}", &[&STEPS[..], &numbers[1..]].concat());
}

#[test]
fn a_group_is_made_of_what_it_can_hold() {
    exactly("pattern P {\n  transact write {\n    $0\n  }\n}", &["put", "update", "delete", "check"]);
    exactly("pattern P {\n  batch write {\n    $0\n  }\n}", &["put", "delete"]);
    exactly("pattern P {\n  transact get {\n    $0\n  }\n}", &["get"]);
    exactly("pattern P {\n  transact $0\n}", &["get", "write"]);
    exactly("pattern P {\n  transact get {\n    get User from Shop con$0\n  }\n}", &["project", "times", "get"]);
}

#[test]
fn what_an_operation_lacks_comes_before_all_else() {
    exactly("pattern P {\n  get User $0\n}", &["from", "as"]);
    exactly("pattern P {\n  query Shop $0\n}", &["where"]);
    exactly("pattern P {\n  query Shop where user_id $0\n}", &["="]);
    exactly(
        "pattern P {\n  query Shop where user_id = :u and sk $0\n}",
        &["=", "begins_with", "between", "<", "<=", ">", ">="],
    );
    exactly("pattern P {\n  rate $0\n}", &["avg", "peak"]);
    exactly("pattern P {\n  rate avg 1/s, $0\n}", &["peak"]);
    exactly("pattern P {\n  pages $0\n}", &["avg", "max"]);
    exactly("entity X {\n  size $0\n}", &["avg", "max"]);
}

#[test]
fn options_are_those_of_the_operation() {
    first("pattern P {\n  get Order from Shop $0\n}", &["consistent", "project", "times", "reads"]);
    first(
        "pattern P {\n  query Shop where user_id = :user_id $0\n}",
        &["and", "descending", "limit", "filter", "consistent", "project", "returning", "times", "reads"],
    );
    first(
        "pattern P {\n  query Shop where user_id = :user_id limit 5 $0\n}",
        &["descending", "filter", "consistent", "project", "returning", "times", "reads"],
    );
    first(
        "pattern P {\n  scan Shop $0\n}",
        &["limit", "filter", "consistent", "project", "returning", "times", "reads"],
    );
    first("pattern P {\n  put Order into Shop $0\n}", &["with", "if", "times", "reads"]);
    first("pattern P {\n  update Order in Shop $0\n}", &["set", "remove", "if", "times", "reads"]);
    // On a line of its own a clause is likelier than an option.
    first("pattern P {\n  query Shop where user_id = :user_id\n  $0\n}", &["reads", "writes", "get"]);
    among("pattern P {\n  query Shop where user_id = :user_id\n  $0\n}", &["limit", "descending", "filter"]);
}

#[test]
fn operations_name_what_is_stored() {
    exactly("pattern P {\n  get $0\n}", &["Line", "Order", "User", "Draft"]);
    exactly("pattern P {\n  get $0 from Shop\n}", &["Line", "Order", "User", "Draft"]);
    exactly("pattern P {\n  get Us$0er from Shop\n}", &["Line", "Order", "User", "Draft"]);
    exactly("pattern P {\n  get User from $0\n}", &["Shop"]);
    exactly("pattern P {\n  get Line from $0\n}", &["Shop"]);
    exactly("pattern P {\n  get Order from $0\n}", &["Archive", "Shop"]);
    exactly("pattern P {\n  put Order into $0\n}", &["Archive", "Shop"]);
    exactly("pattern P {\n  delete User from $0\n}", &["Shop"]);
    // Nothing holds it: any table may be meant.
    exactly("pattern P {\n  update Draft in $0\n}", &["Archive", "Shop"]);
    exactly("pattern P {\n  query $0\n}", &["Archive", "Shop", "Shop.ByStatus"]);
    exactly("pattern P {\n  query Shop.$0\n}", &["ByStatus"]);
    exactly("pattern P {\n  query Shop.By$0Status where status = :s\n}", &["ByStatus"]);
}

#[test]
fn a_key_condition_names_the_keys_first() {
    first("pattern P {\n  query Shop where $0\n}", &["user_id", "sk", "email"]);
    first("pattern P {\n  query Shop.ByStatus where $0\n}", &["status", "placed_at"]);
    first("pattern P {\n  query Shop where user_id = :user_id and $0\n}", &["sk", "user_id"]);
    without("pattern P {\n  query Shop where user_id = :user_id $0\n}", &["or"]);
    without("pattern P {\n  query Shop where $0\n}", &["not", "exists", "not_exists"]);
}

#[test]
fn a_filter_names_what_is_no_key_first() {
    exactly(
        "pattern P {\n  query Shop where user_id = :user_id filter $0\n}",
        &[
            "email",
            "plan",
            "order_id",
            "status",
            "note",
            "total",
            "gift",
            "placed_at",
            "lines",
            "user_id",
            "sk",
            "not",
            "exists",
            "not_exists",
        ],
    );
    exactly(
        "pattern P {\n  put Order into Shop if $0\n}",
        &["order_id", "user_id", "status", "note", "total", "gift", "placed_at", "sk", "not", "exists", "not_exists"],
    );
    first("pattern P {\n  put Order into Shop if exists($0)\n}", &["order_id", "user_id", "status"]);
    // What is embedded is in its parent's item, whose attributes can be asked about.
    among("pattern P {\n  put Line into Shop if $0\n}", &["line_no", "sku", "status", "total", "lines", "sk"]);
}

#[test]
fn writes_name_what_they_can_write() {
    exactly("pattern P {\n  update Order in Shop set $0\n}", &["status", "note", "total", "gift", "placed_at"]);
    exactly("pattern P {\n  update Order in Shop set status, $0\n}", &["note", "total", "gift", "placed_at"]);
    exactly(
        "pattern P {\n  update Order in Shop set sta$0tus, note\n}",
        &["status", "note", "total", "gift", "placed_at"],
    );
    exactly("pattern P {\n  update Order in Shop set status remove $0\n}", &["note"]);
    exactly("pattern P {\n  put Order into Shop with $0\n}", &["note", "none"]);
}

#[test]
fn requirements_name_what_is_read() {
    exactly("pattern P {\n  reads $0\n}", &["Draft", "Line", "Order", "User"]);
    exactly("pattern P {\n  reads Draft, $0\n}", &["Line", "Order", "User", "Draft"]);
    exactly(
        "pattern P {\n  reads Order(status, $0)\n}",
        &["order_id", "user_id", "note", "total", "gift", "placed_at", "lines"],
    );
    // The list is named once, and those who are in it have none.
    exactly("pattern P {\n  reads Line(sku, $0)\n}", &["line_no", "order_id"]);
    without("pattern P {\n  reads Order(lines, $0)\n}", &["lines"]);
    first("pattern P {\n  reads Order by $0\n}", &["order_id", "user_id", "status"]);
    first("pattern P {\n  reads Order ordered by $0\n}", &["order_id", "user_id", "status"]);
    first("pattern P {\n  reads Order $0\n}", &["by", "ordered by", "reads"]);
    first(
        "pattern P {\n  query Shop.ByStatus where status = :s project total, $0\n}",
        &["order_id", "user_id", "status", "placed_at", "note", "gift"],
    );
}

#[test]
fn an_allow_names_the_rules_that_fire_first() {
    // The pattern lacks its rate and its latency; a scan is one of its own.
    first("pattern P {\n  allow $0\n  scan Archive\n}", &["missing-latency", "missing-rate", "scan-pattern"]);
    first("pattern P {\n  allow scan-pattern, $0\n  scan Archive\n}", &["missing-latency", "missing-rate"]);
    without(
        "pattern P {\n  allow scan-pattern, $0\n  scan Archive\n}",
        &["scan-pattern", "syntax-error", "unknown-name"],
    );
    becomes("pattern P {\n  allow scan-pa$0tt\n  scan Archive\n}", "scan-pattern", "allow scan-pattern\n");
    among("allow $0", &["unused-entity"]);
    among("allow scan$0", &["scan-pattern"]);
    exactly("allow scan-pattern $0", &["because"]);
}
