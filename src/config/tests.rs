use super::*;

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
    let file = ConfigFile::of_text(text);
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
    let file = ConfigFile::of_text(IRELAND);
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
    let text = "[prices.x.standard_infrequent_access]\ntaken = 2026-11-01\nsource = \"s\"\nstorage_gb_month = 1\n";
    let file = ConfigFile::of_text(text);
    assert_eq!(file.faults, []);
    let prices = file.settings.prices["x"].infrequent_access.as_ref().unwrap();
    assert_eq!((prices.taken.as_str(), prices.storage_gb_month), ("2026-11-01", Some(1.0)));
    assert_eq!(prices.on_demand_read_per_million, None);
}

#[test]
fn numbers_are_written_as_toml_has_them() {
    for (value, number) in
        [("1_000.5", 1000.5), ("+2", 2.0), ("0x1F", 31.0), ("1e-4", 0.0001), ("0", 0.0), ("-0.0", 0.0)]
    {
        let file = ConfigFile::of_text(&IRELAND.replace("0.283", value));
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
        let settings = ConfigFile::of_text(&text).settings;
        let prices = settings.prices["eu-west-1"].standard.as_ref().unwrap();
        assert_eq!((prices.on_demand_read_per_million, prices.storage_gb_month), (None, Some(0.283)), "{value}");
    }
}

#[test]
fn unknown_names_are_reported_where_they_stand() {
    for (from, to, marked, says) in [
        ("storage_gb_month", "storage", "storage", "no price `storage`; there is `taken`"),
        (".standard]", ".express]", "express", "no table class `express`; there is `standard`, `standard_infre"),
        ("region =", "regions =", "regions", "no setting `regions`; there is `region`, `prices`"),
    ] {
        let (found, message) = fault(&IRELAND.replace(from, to));
        assert_eq!(found, marked);
        assert!(message.contains(says), "{message}");
    }
    assert_eq!(fault("\"a\\u001b[31m\\nb\" = 1\n").1.matches(char::is_control).count(), 0);
}

#[test]
fn settings_to_come_are_tolerated() {
    assert_eq!(faults("style = \"aggregate\"\n[levels]\na = 1\n[thresholds]\nb = 2\n[quotas]\nc = 3\n"), []);
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
        assert_eq!(ConfigFile::of_text(&text).settings.prices["eu-west-1"].standard, None);
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
        ("prices.x = 1\n", "1", "must be a table"),
        ("prices.x.standard = 1\n", "1", "must be a table"),
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
    let file = ConfigFile::of_text(&broken);
    assert!(!file.faults.is_empty());
    assert!(file.faults[0].message.starts_with("this is no TOML: "), "{:?}", file.faults);
    assert_eq!(file.settings.region.as_deref(), Some("eu-west-1"));
    assert!(file.settings.prices.is_empty(), "prices of a table that is not known");
    // A second value of a name is none: which one is meant nobody knows.
    let twice = ConfigFile::of_text("region = \"a\"\nregion = \"b\"\n");
    assert_eq!((twice.settings.region.as_deref(), twice.faults.len()), (Some("a"), 1));
    // What is left open above the fault takes the tries to find.
    let open = ConfigFile::of_text("region = \"a\"\nlevels = [\n1,\n= 2\n");
    assert_eq!(open.settings.region.as_deref(), Some("a"), "{:?}", open.faults);
}

#[test]
fn what_is_no_text_or_too_large_is_one_fault() {
    assert!(ConfigFile::from_bytes(b"region = \"\xff\"").faults[0].message.contains("UTF-8 (byte 10)"));
    let large = format!("# {}\n", "x".repeat(MOST_BYTES));
    let file = ConfigFile::of_text(&large);
    assert_eq!((file.faults.len(), &*file.text), (1, ""));
}

#[test]
fn no_beginning_and_no_cut_of_a_text_makes_it_fail() {
    let text = format!("{IRELAND}style = \"é\"\nlevels = {{ a = [1, '''x'''] }}\n");
    for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        for part in [&text[..at], &text[at..]] {
            let file = ConfigFile::of_text(part);
            for fault in &file.faults {
                assert!(fault.range.end as usize <= part.len(), "{part:?}: {fault:?}");
            }
        }
    }
    let deep = format!("a = {}", "[".repeat(50_000));
    let file = ConfigFile::of_text(&deep);
    assert!(!file.faults.is_empty() && file.faults.len() <= 100);
    let many = "= 1\n".repeat(100_000);
    assert!(ConfigFile::of_text(&many).faults.len() <= 100);
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
        assert!(ConfigFile::of_text(&text).faults.len() <= 100);
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
        let file = ConfigFile::of_text(&text);
        for fault in &file.faults {
            let range = fault.range.start as usize..fault.range.end as usize;
            assert!(range.end <= text.len(), "{text:?}: {fault:?}");
        }
    }
}
