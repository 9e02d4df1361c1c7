use super::*;
use crate::syntax::{Quantity, Unit};

/// Two rules and the group that cannot be set.
fn vocabulary() -> Vocabulary {
    let threshold = |name, value, unit| ThresholdWords {
        name,
        default: Quantity { value, unit },
        bounds: if name == "size" { Bounds::most(409_600.0) } else { Bounds::NONE },
        summary: "a bound",
    };
    let rule = |name, group, thresholds| RuleWords { name, group, level: "warning", summary: "it fires", thresholds };
    let group = |name, settable| GroupWords { name, settable };
    Vocabulary {
        rules: vec![
            rule("syntax-error", "language", vec![]),
            rule(
                "hot-partition-key",
                "capacity",
                vec![threshold("load", 0.8, Unit::Percent), threshold("values", 100.0, Unit::Number)],
            ),
            rule("unbounded-item", "capacity", vec![threshold("size", 307_200.0, Unit::Size)]),
            rule("scan-pattern", "cost", vec![]),
        ],
        groups: vec![group("language", false), group("capacity", true), group("cost", true)],
    }
}

fn read(text: &str) -> ConfigFile {
    ConfigFile::of_text(text, &vocabulary())
}

const IRELAND: &str = r#"
region = "eu-west-1"

[prices.eu-west-1.standard]
taken = "2026-11-01"
source = "https://aws.amazon.com/dynamodb/pricing/"
on_demand_read_per_million = 0.1415
on_demand_write_per_million = 0.705
provisioned_read_hour = 0.000147
provisioned_write_hour = 0.000735
storage_gb_month = 0.283
"#;

/// The faults of a text: what they mark, and what they say.
fn faults(text: &str) -> Vec<(String, String)> {
    let file = read(text);
    file.faults.iter().map(|fault| (file.text[fault.range.indices()].to_owned(), fault.message.clone())).collect()
}

/// The one fault of a text.
fn fault(text: &str) -> (String, String) {
    let mut faults = faults(text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}

#[test]
fn a_region_and_its_prices_are_read() {
    let file = read(IRELAND);
    assert_eq!(file.faults, []);
    assert_eq!(file.settings.region.as_deref(), Some("eu-west-1"));
    let expected = GivenPrices {
        taken: "2026-11-01".to_owned(),
        source: "https://aws.amazon.com/dynamodb/pricing/".to_owned(),
        on_demand_read_per_million: Some(0.1415),
        on_demand_write_per_million: Some(0.705),
        provisioned_read_hour: Some(0.000_147),
        provisioned_write_hour: Some(0.000_735),
        storage_gb_month: Some(0.283),
    };
    let ireland = &file.settings.prices["eu-west-1"];
    assert_eq!((&ireland.standard, &ireland.infrequent_access), (&Some(expected), &None));
}

#[test]
fn what_is_left_out_is_not_priced_and_a_date_may_be_a_date() {
    let text =
        "[prices.eu-west-1.standard_infrequent_access]\ntaken = 2026-11-01\nsource = \"s\"\nstorage_gb_month = 1\n";
    let file = read(text);
    assert_eq!(file.faults, []);
    let prices = file.settings.prices["eu-west-1"].infrequent_access.as_ref().unwrap();
    assert_eq!((prices.taken.as_str(), prices.storage_gb_month), ("2026-11-01", Some(1.0)));
    assert_eq!(prices.on_demand_read_per_million, None);
}

#[test]
fn numbers_are_written_as_toml_has_them() {
    for (value, number) in
        [("1_000.5", 1000.5), ("+2", 2.0), ("0x1F", 31.0), ("1e-4", 0.0001), ("0", 0.0), ("-0.0", 0.0)]
    {
        let file = read(&IRELAND.replace("0.283", value));
        let prices = file.settings.prices["eu-west-1"].standard.clone().unwrap();
        assert_eq!((prices.storage_gb_month, file.faults.len()), (Some(number), 0), "{value}");
    }
}

#[test]
fn a_price_that_is_none_is_reported_and_the_others_are_used() {
    for (value, says) in [
        ("-0.1", "must not be negative"),
        ("-inf", "must be finite"),
        ("inf", "must be finite"),
        ("nan", "must be finite"),
        ("1e999", "must be finite"),
        ("1e300", "beyond every price"),
        ("\"0.1\"", "is a text; it must be a number"),
        ("true", "is true or false; it must be a number"),
        ("[0.1]", "is a list; it must be a number"),
        ("{ a = 1 }", "is a table; it must be a number"),
        ("2026-11-01", "is a date; it must be a number"),
        ("99999999999999999999999999999999999999999999", "no number that can be counted with"),
    ] {
        let text = IRELAND.replace("0.1415", value);
        let (marked, message) = fault(&text);
        assert_eq!(marked, value);
        assert!(message.contains(says) && message.contains("`on_demand_read_per_million`"), "{value}: {message}");
        let settings = read(&text).settings;
        let prices = settings.prices["eu-west-1"].standard.as_ref().unwrap();
        assert_eq!((prices.on_demand_read_per_million, prices.storage_gb_month), (None, Some(0.283)), "{value}");
    }
}

#[test]
fn unknown_names_are_reported_where_they_stand() {
    for (from, to, marked, says) in [
        ("storage_gb_month", "storage", "storage", "no price `storage`; did you mean `storage_gb_month`?"),
        (".standard]", ".express]", "express", "no table class `express`; there is `standard`, `standard_infre"),
        ("region =", "regions =", "regions", "no setting `regions`; did you mean `region`?"),
    ] {
        let (found, message) = fault(&IRELAND.replace(from, to));
        assert_eq!(found, marked);
        assert!(message.contains(says), "{message}");
    }
    assert_eq!(fault("\"a\\u001b[31m\\nb\" = 1\n").1.matches(char::is_control).count(), 0);
}

#[test]
fn levels_are_set_for_rules_and_for_groups_and_the_rule_counts_more() {
    let text = "[levels]\ncapacity = \"error\"\n\"unbounded-item\" = \"off\"\nscan-pattern = \"hint\"\n";
    let file = read(text);
    assert_eq!(file.faults, []);
    let levels: Vec<(&str, SetLevel)> = file.settings.levels.iter().map(|(rule, level)| (&**rule, *level)).collect();
    let expected =
        [("hot-partition-key", SetLevel::Error), ("scan-pattern", SetLevel::Hint), ("unbounded-item", SetLevel::Off)];
    assert_eq!(levels, expected);
    // In whichever order they stand.
    let other = read("[levels]\nunbounded-item = \"off\"\nscan-pattern = \"hint\"\ncapacity = \"error\"\n");
    assert_eq!(other.settings.levels, file.settings.levels);
}

#[test]
fn levels_that_are_none_are_reported_and_not_used() {
    for (line, marked, says) in [
        (
            "scan-patern = \"off\"",
            "scan-patern",
            "no rule or group of rules `scan-patern`; did you mean `scan-pattern`?",
        ),
        ("xyz = \"off\"", "xyz", "there is `capacity`, `cost`, `hot-partition-key`"),
        (
            "scan-pattern = \"warn\"",
            "\"warn\"",
            "is `warn`; it must be one of `error`, `warning`, `info`, `hint`, `off`",
        ),
        ("scan-pattern = false", "false", "is true or false; it must be one of the words `error`"),
        ("syntax-error = \"off\"", "syntax-error", "the level of `syntax-error` cannot be set"),
        ("language = \"off\"", "language", "the levels of the group `language` cannot be set"),
    ] {
        let text = format!("[levels]\n{line}\nunbounded-item = \"info\"\n");
        let (found, message) = fault(&text);
        assert_eq!(found, marked);
        assert!(message.contains(says), "{message}");
        assert_eq!(read(&text).settings.levels.len(), 1, "what is sound is used");
    }
    assert!(fault("levels = 1\n").1.contains("must be a table"));
}

#[test]
fn thresholds_are_read_in_the_spelling_of_the_language() {
    let text = "[thresholds.hot-partition-key]\nload = \"90%\"\nvalues = 1_000\n[thresholds.unbounded-item]\nsize = \"200KB\"\n";
    let file = read(text);
    assert_eq!(file.faults, []);
    let thresholds = &file.settings.thresholds;
    assert!((thresholds["hot-partition-key"]["load"] - 0.9).abs() < 1e-9);
    assert_eq!(thresholds["hot-partition-key"]["values"], 1000.0);
    assert_eq!(thresholds["unbounded-item"]["size"], 204_800.0);
    let written = read("thresholds.hot-partition-key.values = \"1k\"\n");
    assert_eq!(written.settings.thresholds["hot-partition-key"]["values"], 1000.0, "{:?}", written.faults);
}

#[test]
fn thresholds_that_are_none_are_reported_and_not_used() {
    for (line, marked, says) in [
        ("load = \"90KB\"", "\"90KB\"", "`load` is a size; it must be a percentage in quotes, such as \"80%\""),
        ("load = 0.9", "0.9", "`load` is a number; it must be a percentage in quotes, such as \"80%\""),
        ("load = \"much\"", "\"much\"", "`load` is `much`; it must be a percentage"),
        ("load = \"110%\"", "\"110%\"", "must not be over 100%"),
        ("load = \" 60%\"", "\" 60%\"", "it must be a percentage"),
        ("load = \"+60%\"", "\"+60%\"", "it must be a percentage"),
        ("load = \".5%\"", "\".5%\"", "it must be a percentage"),
        ("load = \"5.%\"", "\"5.%\"", "it must be a percentage"),
        ("load = \"-1%\"", "\"-1%\"", "must not be negative"),
        ("load = \"inf%\"", "\"inf%\"", "`load` is `inf%`"),
        ("loud = \"90%\"", "loud", "`hot-partition-key` has no threshold `loud`; did you mean `load`?"),
        ("xyz = \"90%\"", "xyz", "there is `load`, `values`"),
        ("values = true", "true", "it must be a number such as 100"),
        ("values = -3", "-3", "must not be negative"),
        ("values = 1e300", "1e300", "beyond everything"),
        ("values = nan", "nan", "must be finite"),
        ("values = \"10/s\"", "\"10/s\"", "`values` is a rate; it must be a number such as 100"),
    ] {
        let text = format!("[thresholds.unbounded-item]\nsize = \"1KB\"\n[thresholds.hot-partition-key]\n{line}\n");
        let (found, message) = fault(&text);
        assert_eq!(found, marked);
        assert!(message.contains(says), "{message}");
        assert_eq!(read(&text).settings.thresholds.len(), 1, "what is sound is used");
    }
    let (marked, message) = fault("[thresholds.hot-partition-kee]\nload = \"1%\"\n");
    assert!(marked == "hot-partition-kee" && message.contains("did you mean `hot-partition-key`?"), "{message}");
    assert!(fault("[thresholds.scan-pattern]\nx = 1\n").1.contains("`scan-pattern` has no threshold"));
    assert!(fault("thresholds.unbounded-item = 1\n").1.contains("must be a table"));
}

#[test]
fn quotas_and_the_style_are_read() {
    let file = read("style = \"single_table\"\n[quotas]\nglobal_indexes = 50\ntable_write_units = \"80k\"\n");
    assert_eq!((&file.faults[..], file.settings.style), (&[][..], Some(SetStyle::SingleTable)));
    assert_eq!(file.settings.quotas, BTreeMap::from([(Quota::GlobalIndexes, 50.0), (Quota::TableWrites, 80_000.0)]));
    for (line, says) in [
        ("global_indexes = 0", "must be at least 1"),
        ("global_indexes = 1.5", "must be a whole number"),
        ("global_indexes = \"1.5\"", "must be a whole number"),
        ("global_indexes = \" 20\"", "it must be a number such as 20"),
        ("global_indexes = -1", "must not be negative"),
        ("global_indexes = \"5KB\"", "is `5KB`; it must be a number such as 20"),
        ("global_indexes = []", "is a list; it must be a number such as 20"),
        ("table_reed_units = 1", "no quota `table_reed_units`; did you mean `table_read_units`?"),
    ] {
        assert!(fault(&format!("[quotas]\n{line}\n")).1.contains(says), "{line}");
    }
    let (marked, message) = fault("style = \"single-table\"\n");
    assert_eq!(marked, "\"single-table\"");
    assert!(message.contains("it must be one of `aggregate`, `single_table`"), "{message}");
    assert_eq!(faults("\"$schema\" = \"./keywright.schema.json\"\n"), []);
}

#[test]
fn a_day_is_a_day_and_a_region_is_named_as_regions_are() {
    let day = |value: &str| IRELAND.replace("\"2026-11-01\"", value);
    for value in ["2026-11-01", "\"2026-11-01\"", "\"2999-12-31\"", "\"2024-02-29\"", "2026-11-01T10:00:00Z"] {
        assert_eq!(faults(&day(value)), [], "{value}");
    }
    for value in [
        "\"yesterday\"",
        "\"2026-13-01\"",
        "\"2026-02-29\"",
        "\"2026-1-1\"",
        "10:00:00",
        "\"2026-11-011\"",
        "\"é026-11-01\"",
    ] {
        let (marked, message) = fault(&day(value));
        assert!(marked == value && message.contains("it must be a day such as 2026-11-01"), "{value}: {message}");
    }
    for name in ["us-east-1", "us-gov-west-1", "eusc-de-east-1", "ap-southeast-12"] {
        assert_eq!(faults(&format!("region = \"{name}\"\n[prices.{name}]\n")), [], "{name}");
    }
    for name in ["US-EAST-1", "x y", "useast1", "us-east", "us--1", "us-east-1a", "-us-east-1", "é-east-1"] {
        let (marked, message) = fault(&format!("region = \"{name}\"\n"));
        assert_eq!((marked, message.contains("no AWS Region is called")), (format!("\"{name}\""), true), "{message}");
        assert!(fault(&format!("[prices.\"{name}\".standard]\n")).1.contains("no AWS Region is called"), "{name}");
    }
}

#[test]
fn a_threshold_has_the_bounds_of_what_it_is_compared_with() {
    let mut words = vocabulary();
    words.rules[1].thresholds[1].bounds = Bounds::above(1.0);
    let of = |text: &str| {
        ConfigFile::of_text(text, &words).faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(of("[thresholds.unbounded-item]\nsize = \"400KB\"\n"), [""; 0]);
    assert!(of("[thresholds.unbounded-item]\nsize = \"401KB\"\n")[0].contains("must not be over 400KB"));
    assert_eq!(of("[thresholds.hot-partition-key]\nvalues = 1.01\n"), [""; 0]);
    for value in ["1", "0.5", "\"1\"", "0"] {
        let said = of(&format!("[thresholds.hot-partition-key]\nvalues = {value}\n"));
        assert!(said[0].contains("`values` must be over 1"), "{said:?}");
    }
}

#[test]
fn a_fault_stands_where_it_is_written() {
    assert_eq!(fault("region = \"us-east-1\"\n[levels.cost]\n").0, "[levels.cost]");
    assert_eq!(fault("\"$schema\" = 1\n").0, "1");
    let file = ConfigFile::from_bytes(b"style = \"aggregate\"\nregion = \"\xff\"", &vocabulary());
    assert_eq!(file.faults[0].range, TextRange::empty(30));
    assert_eq!(&*file.text, "style = \"aggregate\"\nregion = \"");
}

#[test]
fn settings_of_an_editor_have_the_shape_of_the_file() {
    let of = |json: serde_json::Value| of_json(json.as_object().unwrap(), &vocabulary());
    let sent = serde_json::json!({
        "levels": {"cost": "off", "unbounded-item": null},
        "levels.hot-partition-key": "info",
        "thresholds": {"hot-partition-key": {"load": "90%"}},
        "quotas": {"global_indexes": 50},
        "style": "single_table",
        "region": "eu-west-1",
        "prices": {"eu-west-1": {"standard": {"taken": "2026-11-01", "source": "a page", "storage_gb_month": 0.3}}},
        "inlayHints": false,
    });
    let (settings, faults) = of(sent);
    assert_eq!(faults, [""; 0]);
    let toml = "region = \"eu-west-1\"\nstyle = \"single_table\"\nlevels = { cost = \"off\", hot-partition-key = \"info\" }\n\
                thresholds.hot-partition-key.load = \"90%\"\nquotas.global_indexes = 50\n[prices.eu-west-1.standard]\n\
                taken = \"2026-11-01\"\nsource = \"a page\"\nstorage_gb_month = 0.3\n";
    assert_eq!(settings, *read(toml).settings);
    let (settings, faults) = of(serde_json::json!({"levels": {"scan-patern": "off"}, "style": 7, "quotas": [1]}));
    assert_eq!(settings, Settings::default());
    assert_eq!(faults.len(), 3, "{faults:?}");
    for says in [
        "the setting `keywright.levels.scan-patern` is not used: there is no rule or group",
        "the setting `keywright.style` is not used: `style` is a number",
        "the setting `keywright.quotas` is not used: `quotas` is a list",
    ] {
        assert!(faults.iter().any(|fault| fault.starts_with(says)), "{says}: {faults:?}");
    }
}

#[test]
fn the_editors_settings_lie_over_those_of_the_file() {
    let file = read(
        "region = \"us-a-1\"\n[levels]\ncapacity = \"error\"\n[quotas]\nglobal_indexes = 30\ntable_read_units = 5\n",
    );
    let editor = read("region = \"us-b-1\"\n[levels]\nunbounded-item = \"off\"\n[quotas]\nglobal_indexes = 50\n");
    let both = editor.settings.over(&file.settings);
    assert_eq!((both.region.as_deref(), both.style), (Some("us-b-1"), None));
    assert_eq!(both.levels["unbounded-item"], SetLevel::Off);
    assert_eq!(both.levels["hot-partition-key"], SetLevel::Error);
    assert_eq!(both.quotas, BTreeMap::from([(Quota::GlobalIndexes, 50.0), (Quota::TableReads, 5.0)]));
}

#[test]
fn prices_without_a_day_or_a_source_are_not_used() {
    for (line, name) in
        [("taken = \"2026-11-01\"\n", "taken"), ("source = \"https://aws.amazon.com/dynamodb/pricing/\"\n", "source")]
    {
        let text = IRELAND.replace(line, "");
        let (marked, message) = fault(&text);
        assert_eq!(marked, "standard");
        assert!(message.contains(&format!("without `{name}`")) && message.contains("`eu-west-1`"), "{message}");
        assert_eq!(read(&text).settings.prices["eu-west-1"].standard, None);
        // One that is there and says nothing is the fault itself.
        let (marked, message) = fault(&IRELAND.replace(line, &format!("{name} = \" \"\n")));
        assert_eq!((marked.as_str(), message.contains("says nothing")), ("\" \"", true), "{message}");
    }
}

#[test]
fn tables_and_texts_that_are_something_else_are_reported() {
    for (text, marked, says) in [
        ("region = 7\n", "7", "must be a text"),
        ("region = \"\"\n", "\"\"", "says nothing"),
        ("region = \"a\\tb\"\n", "\"a\\tb\"", "control character"),
        ("prices = 1\n", "1", "must be a table"),
        ("prices.eu-west-1 = 1\n", "1", "must be a table"),
        ("prices.eu-west-1.standard = 1\n", "1", "must be a table"),
    ] {
        let (found, message) = fault(text);
        assert_eq!(found, marked);
        assert!(message.contains(says), "{text}: {message}");
    }
    assert!(fault("[[prices]]\n").1.contains("is a list; it must be a table"));
}

#[test]
fn above_a_line_that_is_no_toml_everything_is_used_and_nothing_behind_it() {
    let broken = IRELAND.replace("[prices.eu-west-1.standard]", "[prices.eu-west-1.standard");
    let file = read(&broken);
    assert!(!file.faults.is_empty());
    assert!(file.faults[0].message.starts_with("this is no TOML: "), "{:?}", file.faults);
    assert_eq!(file.settings.region.as_deref(), Some("eu-west-1"));
    assert!(file.settings.prices.is_empty(), "prices of a table that is not known");
    // A second value of a name is none: which one is meant nobody knows.
    let twice = read("region = \"us-a-1\"\nregion = \"us-b-1\"\n");
    assert_eq!((twice.settings.region.as_deref(), twice.faults.len()), (Some("us-a-1"), 1));
    // What is left open above the fault takes the tries to find.
    let open = read("region = \"us-a-1\"\nlevels = [\n1,\n= 2\n");
    assert_eq!(open.settings.region.as_deref(), Some("us-a-1"), "{:?}", open.faults);
}

#[test]
fn what_is_no_text_or_too_large_is_one_fault() {
    assert!(
        ConfigFile::from_bytes(b"region = \"\xff\"", &Vocabulary::default()).faults[0]
            .message
            .contains("UTF-8 (byte 10)")
    );
    let large = format!("# {}\n", "x".repeat(MOST_BYTES));
    let file = read(&large);
    assert_eq!((file.faults.len(), &*file.text), (1, ""));
}

#[test]
fn no_beginning_and_no_cut_of_a_text_makes_it_fail() {
    let text = format!("{IRELAND}style = \"é\"\nlevels = {{ a = [1, '''x'''] }}\n");
    for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        for part in [&text[..at], &text[at..]] {
            let file = read(part);
            for fault in &file.faults {
                assert!(fault.range.end as usize <= part.len(), "{part:?}: {fault:?}");
            }
        }
    }
    let deep = format!("a = {}", "[".repeat(50_000));
    let file = read(&deep);
    assert!(!file.faults.is_empty() && file.faults.len() <= 100);
    let many = "= 1\n".repeat(100_000);
    assert!(read(&many).faults.len() <= 100);
}

#[test]
fn a_text_of_any_shape_is_read_in_no_time() {
    let repeated = |part: &str| part.repeat(MOST_BYTES / part.len());
    let distinct: String = (0..MOST_BYTES / 12).map(|number| format!("[a.b{number}]\n")).collect();
    let started = std::time::Instant::now();
    for text in [
        repeated("a=1\n"),
        repeated("="),
        repeated("["),
        repeated("[a]\n"),
        repeated("[[a]]\n"),
        repeated("a."),
        repeated("\"\"\""),
        repeated("x={"),
        repeated("\0"),
        repeated("é"),
        repeated("a=[[]]\r"),
        distinct,
    ] {
        assert!(read(&text).faults.len() <= 100);
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

proptest::proptest! {
    #[test]
    fn texts_that_look_like_toml_never_make_it_fail(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\n", "\r", "\r\n", "\"", "'", "\"\"\"", "'''", "#", " ", "\\",
                "\\u00", "é", "🙂", "\u{feff}", "\0", "region", "prices", "standard", "eu-west-1", "taken", "source",
                "storage_gb_month", "1", "-1.5", "0x", "1e9", "_", "nan", "inf", "true", "2026-11-01", "12:00", "T", "Z",
            ]),
            0..40,
        ),
    ) {
        let text = parts.concat();
        let file = read(&text);
        for fault in &file.faults {
            let range = fault.range.start as usize..fault.range.end as usize;
            assert!(range.end <= text.len(), "{text:?}: {fault:?}");
        }
    }
}
