//! `keywright cost`, as a user runs it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn cost(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keywright")).arg("cost").args(arguments).current_dir(folder).output().unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn json(folder: &Path, path: &str) -> Value {
    let output = cost(folder, &[path, "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn named<'v>(list: &'v Value, name: &str) -> &'v Value {
    let list = list.as_array().expect("a list");
    list.iter().find(|entry| entry["name"] == name || entry["key"] == name).unwrap_or_else(|| panic!("{name}"))
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - expected).abs() <= expected.abs() * 1e-9, "{value} is not {expected}");
}

/// A copy of an example, changed, in a folder of its own.
fn changed(example: &str, edits: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = std::fs::read_to_string(root().join("examples").join(example)).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    std::fs::write(folder.path().join("model.dynamo"), text).unwrap();
    folder
}

#[test]
fn the_shop_in_numbers_that_can_be_checked_by_hand() {
    let report = json(root(), "examples/shop.dynamo");
    assert_eq!((&report["version"], report["month_seconds"].as_f64()), (&1.into(), Some(2_592_000.0)));
    assert_eq!(report["region"], "us-east-1");
    near(&report["prices"]["standard"]["on_demand_read"]["usd"], 0.125e-6);
    near(&report["prices"]["standard"]["on_demand_write"]["usd"], 0.625e-6);

    // The user and 20 orders of 2 KB with 3 lines of 120 bytes: 49,404 bytes, 13 half units.
    let account = named(&report["patterns"], "AccountPage");
    near(&account["read_units"], 6.5);
    near(&account["monthly_usd"], 60.0 * 6.5 * 2_592_000.0 * 0.125e-6);
    assert_eq!((account["rate"]["avg"].as_f64(), account["rate"]["peak"].as_f64()), (Some(60.0), Some(300.0)));
    assert_eq!(account["unknown"].as_array().map(Vec::len), Some(0));

    // Twice (3 for the order + 3 × 3 for products), and one entry in the work list.
    let order = named(&report["patterns"], "PlaceOrder");
    near(&order["write_units"], 24.0);
    let indexes = order["index_writes"].as_array().unwrap();
    let open = indexes.iter().find(|index| index["index"] == "UserOrders.OpenOrders").unwrap();
    near(&open["write_units"], 1.0);
    near(&order["monthly_usd"], 1.2 * 25.0 * 2_592_000.0 * 0.625e-6);

    // 2M users of 1,024 + 100 bytes and 40M orders of 2,419 + 100 bytes.
    let table = named(&report["tables"], "UserOrders");
    let gb = (2e6 * 1_124.0 + 40e6 * 2_519.0) / 1_073_741_824.0;
    near(&table["storage_gb"], gb);
    near(&table["storage_usd"], gb * 0.25);
    // 2 % of the orders, entries of 180 bytes.
    near(&named(&table["indexes"], "OpenOrders")["storage_gb"], 0.02 * 40e6 * 280.0 / 1_073_741_824.0);

    // 900 half units a second, 12 % of them on the hottest category.
    let hot = &report["hottest"][0];
    assert_eq!(hot["key"], "Products.ProductsByCategory");
    near(&hot["reads_per_s"], 900.0 * 0.5 * 0.12);
    near(&hot["read_share"], 900.0 * 0.5 * 0.12 / 3_000.0);

    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let patterns: f64 = report["patterns"].as_array().unwrap().iter().map(|p| number(&p["monthly_usd"])).sum();
    let tables = report["tables"].as_array().unwrap();
    let sources = tables.iter().chain(tables.iter().flat_map(|table| table["indexes"].as_array().unwrap()));
    let storage: f64 = sources.map(|source| number(&source["storage_usd"])).sum();
    near(&report["total_monthly_usd"], patterns + storage);
    assert_eq!(report["total_is"], "exact");
}

#[test]
fn provisioned_capacity_is_shared_by_the_patterns_in_proportion() {
    let folder = changed("shop.dynamo", &[("capacity on_demand", "capacity provisioned utilization 50%")]);
    let report = json(folder.path(), "model.dynamo");
    // 500 × 0.5 = 250 units a second; twice that is provisioned, all for one pattern.
    let sessions = named(&report["tables"], "Sessions");
    near(&sessions["provisioned_read_units"], 500.0);
    near(&sessions["read_usd"], 500.0 * 720.0 * 0.00013);
    near(&named(&report["patterns"], "ReadSession")["monthly_usd"], 500.0 * 720.0 * 0.00013);
    // 4 writes a second.
    near(&sessions["write_usd"], 8.0 * 720.0 * 0.00065);
    // At least one unit, however little is written.
    near(&named(&report["tables"], "EmailClaims")["provisioned_write_units"], 1.0);
    let by_category = |name: &str| named(&report["patterns"], name)["monthly_usd"].as_f64().unwrap();
    assert!(by_category("ProductPage") > 0.0);
    assert_eq!(report["prices"]["standard"]["provisioned_read_hour"]["verified"], false);
}

#[test]
fn a_table_class_has_prices_of_its_own() {
    let folder = changed("school.dynamo", &[("style  single_table", "class standard_infrequent_access")]);
    let report = json(folder.path(), ".");
    near(&report["prices"]["standard_infrequent_access"]["storage_gb_month"]["usd"], 0.10);
    near(&named(&report["patterns"], "GetUserById")["monthly_usd"], 80.0 * 0.5 * 2_592_000.0 * 0.125e-6 * 1.25);
    let human = text(&cost(folder.path(), &["."]).stdout);
    assert!(human.contains("not verified"), "{human}");
}

#[test]
fn no_price_is_guessed() {
    let folder = changed("school.dynamo", &[("us-east-1", "eu-north-1")]);
    let report = json(folder.path(), "model.dynamo");
    let pattern = named(&report["patterns"], "GetUserById");
    assert_eq!(pattern["monthly_usd"], Value::Null);
    assert_eq!(pattern["unknown"], serde_json::json!(["the price of on-demand reads in `eu-north-1`"]));
    near(&pattern["read_units"], 0.5);
    assert_eq!((&report["total_monthly_usd"], &report["total_is"]), (&Value::Null, &"unknown".into()));
    assert!(text(&cost(folder.path(), &["."]).stdout).contains("unknown a month"));
    // Until somebody gives it.
    let prices = "[prices.eu-north-1.standard]\ntaken = \"2026-11-01\"\nsource = \"https://example.com\"\n\
                  on_demand_read_per_million = 0.2\n";
    std::fs::write(folder.path().join("keywright.toml"), prices).unwrap();
    let report = json(folder.path(), "model.dynamo");
    near(&named(&report["patterns"], "GetUserById")["monthly_usd"], 80.0 * 0.5 * 2_592_000.0 * 0.2e-6);
    assert_eq!(named(&report["patterns"], "CreateUser")["monthly_usd"], Value::Null);
    assert_eq!(report["total_is"], "at_least");
}

#[test]
fn unknown_is_never_zero() {
    let folder = changed("shop.dynamo", &[("  count 300k\n", "")]);
    let report = json(folder.path(), "model.dynamo");
    let sessions = named(&report["tables"], "Sessions");
    assert_eq!((&sessions["storage_gb"], &sessions["storage_usd"]), (&Value::Null, &Value::Null));
    assert_eq!(report["total_is"], "at_least");
    assert_eq!(report["unknown"], serde_json::json!(["`count` of `Session`"]));
    let human = text(&cost(folder.path(), &["."]).stdout);
    for part in ["Total: at least $484 a month", "Missing", "count of Session", "unknown"] {
        assert!(human.contains(part), "{part}: {human}");
    }
    let folder = changed("shop.dynamo", &[("  rate avg 500/s, peak 4k/s\n", "")]);
    let session = json(folder.path(), ".");
    let session = named(&session["patterns"], "ReadSession");
    assert_eq!((&session["rate"]["avg"], &session["monthly_usd"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_bound_is_told_from_a_number() {
    let folder = changed(
        "blog.dynamo",
        &[("relationship User 1:N Post { children avg 20, max 3_000 }\n", ""), ("  count 2M, growing 4k/day\n", "")],
    );
    let report = json(folder.path(), "model.dynamo");
    let list = named(&report["patterns"], "ListPostsOfUser");
    assert_eq!(list["bounds"], serde_json::json!({ "monthly_usd": "at_most", "read_units": "at_most" }));
    near(&list["read_units"], 9.0);
    assert!(text(&cost(folder.path(), &["."]).stdout).contains("≤ 9"));
}

#[test]
fn a_path_is_one_model() {
    let output = cost(root(), &["examples"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let complaint = text(&output.stderr);
    for name in ["examples/shop.dynamo", "examples/blog.dynamo", "examples/school.dynamo"] {
        assert!(complaint.contains(name), "{complaint}");
    }
    for path in ["nowhere.dynamo", "src/capacity"] {
        assert_eq!(cost(root(), &[path]).status.code(), Some(2), "{path}");
    }
    // A part of a model means the model.
    let folder = tempfile::tempdir().unwrap();
    let school = std::fs::read_to_string(root().join("examples/school.dynamo")).unwrap();
    let at = school.find("table AppTable").unwrap();
    std::fs::write(folder.path().join("entities.dynamo"), &school[..at]).unwrap();
    std::fs::write(folder.path().join("main.dynamo"), format!("import \"entities.dynamo\"\n{}", &school[at..]))
        .unwrap();
    let whole = json(root(), "examples/school.dynamo");
    for path in [".", "main.dynamo", "entities.dynamo"] {
        assert_eq!(json(folder.path(), path)["total_monthly_usd"], whole["total_monthly_usd"], "{path}");
    }
    // Of two models.
    std::fs::write(folder.path().join("other.dynamo"), "import \"entities.dynamo\"\n").unwrap();
    let output = cost(folder.path(), &["entities.dynamo"]);
    assert!(text(&output.stderr).contains("main.dynamo, other.dynamo"), "{}", text(&output.stderr));
    assert_eq!(cost(folder.path(), &["main.dynamo"]).status.code(), Some(0));
}

#[test]
fn broken_models_are_shown_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    for model in
        ["", "entity {", "pattern P { get X from", "\u{feff}table T { partition key }", "pattern P { query T.x where"]
    {
        std::fs::write(folder.path().join("model.dynamo"), model).unwrap();
        let output = cost(folder.path(), &["model.dynamo"]);
        assert_eq!(output.status.code(), Some(0), "{model}: {}", text(&output.stderr));
        json(folder.path(), "model.dynamo");
    }
}

#[test]
fn of_what_is_no_text_nothing_is_no_number() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in [b"entity A \0 {}".as_slice(), b"entity \xff {}"] {
        std::fs::write(folder.path().join("model.dynamo"), bytes).unwrap();
        let output = cost(folder.path(), &["model.dynamo"]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        assert!(text(&output.stderr).contains("model.dynamo"), "{}", text(&output.stderr));
    }
}
